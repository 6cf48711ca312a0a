"""Every way a server can start, watched while a program runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import MethodType
from typing import Any, Final

from mcp.server.lowlevel.server import Server
from starlette.applications import Starlette

from mcp_error_middleware.adapters.seam import is_installed
from mcp_error_middleware.cli.run.serving import Options, serve
from mcp_error_middleware.install import install
from mcp_error_middleware.triage import Triage

HIGH: Final = (
    "mcp.server.mcpserver.server.MCPServer",
    "mcp.server.fastmcp.server.FastMCP",
    "fastmcp.server.server.FastMCP",
)
TRANSPORTS: Final = ("run_stdio_async", "run_http_async", "run_streamable_http_async", "run_sse_async")
"""Where a program chooses a transport."""


@dataclass(slots=True, eq=False)
class Doors:
    """What goes through one gets the middleware, and the transport that was asked for."""

    triage: Triage
    options: Options
    were_used: bool = False
    is_serving: bool = False
    """On the transport that was asked for, or on one that cannot be changed any more."""
    watched: set[type] = field(default_factory=set)
    """The classes of servers there are."""
    stack: ExitStack = field(default_factory=ExitStack)
    """What is to be undone in the end."""

    @contextmanager
    def open(self) -> Iterator[Doors]:
        """Watch, and leave everything as it was."""
        with self.stack as stack:
            stack.enter_context(replaced(Server, "lifespan", Entered(self)))
            stack.enter_context(replaced(Starlette, "__call__", self._called(Starlette.__call__)))
            if self.options.transport is not None:
                self._overrule(stack)
            if self.options.is_http:
                # A program that waits for its standard input could not be ended.
                nothing = stack.enter_context(Path(os.devnull).open())  # noqa: SIM115 - the stack closes it
                stack.enter_context(replaced(sys, "stdin", nothing))
            yield self

    async def serve(self, server: Any) -> None:
        """Serve it as was asked for."""
        self.is_serving = self.were_used = True
        await serve(server, self.options)

    def enter(self, server: Any) -> None:
        """One that is about to serve; what an author installed stays."""
        self.were_used = True
        if not is_installed(server):
            install(server, triage=self.triage)

    def watch(self, cls: type) -> None:
        """Watch their `run`, in which mcp 1.x reads and writes: who enters later has missed its streams."""
        for base in cls.__mro__:
            if "run" in vars(base) and base not in self.watched:
                self.watched.add(base)
                self.stack.enter_context(replaced(base, "run", self._running(vars(base)["run"])))

    def _running(self, run: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        @wraps(run)
        async def running(server: Any, *args: Any, **kwargs: Any) -> None:
            start = MethodType(run, server)
            if not is_installed(server):
                self.enter(server)
                start = vars(server).get("run", start)
            await start(*args, **kwargs)

        return running

    def _called(self, call: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        # A coroutine function, as servers ask for one.
        @wraps(call)
        async def called(app: Starlette, scope: Any, receive: Any, send: Any) -> None:
            # An app inside of another finds that one in the scope.
            if "app" not in scope:
                self._mind_the_options()
                self.enter(app)
            await call(app, scope, receive, send)

        return called

    def _mind_the_options(self) -> None:
        if self.options.transport is not None and not self.is_serving:
            said = "the program serves its app where and how it likes; to choose, name the app: file.py:app"
            print(f"mcp-error-middleware: {said}", file=sys.stderr)
        self.is_serving = True

    # --- another transport than the program's own ---

    def _overrule(self, stack: ExitStack) -> None:
        for cls in (*filter(None, map(_class, HIGH)), Server):
            for name in ("run",) if cls is Server else TRANSPORTS:
                if (start := getattr(cls, name, None)) is not None:
                    stack.enter_context(replaced(cls, name, self._started(start)))

    def _started(self, start: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        @wraps(start)
        async def started(server: Any, *args: Any, **kwargs: Any) -> None:
            if self.is_serving:
                await start(server, *args, **kwargs)
                return
            try:
                await self.serve(server)
            finally:
                _close(*args, *kwargs.values())

        return started


@dataclass(frozen=True, slots=True)
class Entered:
    """A server's `lifespan`: every transport of every SDK asks for it before the first request."""

    doors: Doors

    def __get__(self, server: Any, owner: type) -> Any:
        """The server's own."""
        if server is None:
            return self
        self.doors.enter(server)
        return vars(server)["lifespan"]

    def __set__(self, server: Any, lifespan: Any) -> None:
        vars(server)["lifespan"] = lifespan
        self.doors.watch(type(server))


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """An attribute of a class or module, for a while."""
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name) if before is None else setattr(owner, name, before)


def _close(*given: Any) -> None:
    """The streams a program meant to serve on: it waits at their other ends, as it would for its client."""
    for each in given:
        with suppress(Exception):
            each.close()


def _class(path: str) -> Any:
    module, _, name = path.rpartition(".")
    with suppress(Exception):
        # Each line of the SDKs lacks some of them.
        return getattr(import_module(module), name)
    return None
