"""A server in, what it advertises out: an object in memory, or a process or URL that answers."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import os
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Final, TypeVar

from mcp_error_middleware.classify import qualified_name
from mcp_error_middleware.lint.settings import LintError
from mcp_error_middleware.places import shown
from mcp_error_middleware.targets import Target, TargetError, first, loaded

T = TypeVar("T")

PATIENCE: Final = 30.0
"""Seconds a server may take to start and list what it has."""
_PAGES: Final = 1000
_METHODS: Final = {
    "tools": ("list_tools", "tools"),
    "resources": ("list_resources", "resources"),
    "resourceTemplates": ("list_resource_templates", "resource_templates"),
    "prompts": ("list_prompts", "prompts"),
}

_SDKS: Final = {
    "fastmcp.server.server.FastMCP": "fastmcp",
    "mcp.server.mcpserver.server.MCPServer": "mcp",
    "mcp.server.fastmcp.server.FastMCP": "mcp",
    "mcp.server.lowlevel.server.Server": "mcp",
}
"""The SDK of each class that serves."""


def load(word: str) -> tuple[Any, Path | None]:
    """The object `module:name` or `file.py:name` means, and the file it is from; raises LintError."""
    target = Target.of(word)
    try:
        # What a module prints when it is imported is not the report.
        with redirect_stdout(sys.stderr):
            found = loaded(target)
    except TargetError as error:
        raise LintError(str(error)) from None
    if target.folder not in sys.path:
        # What it imports only when it is asked is still found.
        sys.path.insert(0, target.folder)
    return found, target.source


def is_server(target: object) -> bool:
    """Whether it is an object of one of the SDKs that serves."""
    return _sdk(target) != ""


def no_server(target: object) -> str:
    """What is wrong with an object that does not serve."""
    return f"{qualified_name(type(target))} is no MCP server; pass a FastMCP, MCPServer or low-level Server"


def listing_of(target: object) -> dict[str, Any]:
    """What a server object advertises; raises LintError."""
    if not is_server(target):
        raise LintError(no_server(target))
    return _run(lambda: in_memory(target), f"the {qualified_name(type(target))}")


def listing_at(url: str) -> dict[str, Any]:
    """What the server at a URL advertises; raises LintError."""
    return _run(lambda: _http(url), shown(url))


def listing_from(command: str) -> dict[str, Any]:
    """What the server that a command starts advertises over stdio; raises LintError."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LintError(f"the command cannot be read: {error}") from None
    if not words:
        raise LintError("the command is empty; give the words that start the server")
    return _run(lambda: _stdio(words), shown(command))


# --- clients -------------------------------------------------------------------------------------


def _run(connect: Callable[[], Any], who: str) -> dict[str, Any]:
    async def listed() -> dict[str, Any]:
        async with connect() as session:
            return await _lists(session)

    try:
        return _finished(lambda: asyncio.wait_for(listed(), PATIENCE))
    except TimeoutError:
        raise LintError(f"{who} does not answer within {PATIENCE:.0f} s; start it, then lint again") from None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        step = "see that it starts and answers by itself, then lint again"
        raise LintError(f"{who} does not answer: {shown(_innermost(error))}; {step}") from None


def _finished(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result, also for callers that are in an event loop themselves."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


def _innermost(error: BaseException) -> str:
    error = first(error)
    said = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {said}".rstrip(": .")


async def _lists(session: Any) -> dict[str, Any]:
    found = {}
    for key, (method, attribute) in _METHODS.items():
        try:
            found[key] = [entry async for entry in _pages(getattr(session, method), attribute, key)]
        except Exception as error:
            if key == "tools" and "not found" not in str(error).lower():
                raise
            found[key] = []
    return found


async def _pages(method: Callable[..., Awaitable[Any]], *names: str) -> AsyncIterator[dict[str, Any]]:
    result = await method()
    for _ in range(_PAGES):
        entries = (
            result
            if isinstance(result, list)
            else next((value for name in names if (value := getattr(result, name, None)) is not None), [])
        )
        for entry in entries:
            yield entry.model_dump(by_alias=True, mode="json", exclude_none=True)
        # Where the new name is known, asking for the old one is deprecated.
        name = "next_cursor" if hasattr(result, "next_cursor") else "nextCursor"
        cursor = getattr(result, name, None)
        if not cursor:
            return
        result = await method(cursor=cursor)


def _sdk(target: object) -> str:
    names = map(qualified_name, type(target).__mro__)
    return next((_SDKS[name] for name in names if name in _SDKS), "")


@asynccontextmanager
async def in_memory(target: Any) -> AsyncIterator[Any]:
    """A client of a server object, of its own SDK, in this process."""
    if _sdk(target) == "fastmcp":
        from fastmcp import Client as FastClient

        async with FastClient(target) as client:
            yield client
    elif _is_v2():
        from mcp import Client

        async with Client(target) as client:
            yield client
    else:
        memory: Any = importlib.import_module("mcp.shared.memory")
        server = getattr(target, "_mcp_server", target)
        async with memory.create_connected_server_and_client_session(server) as session:
            yield session


@asynccontextmanager
async def _http(url: str) -> AsyncIterator[Any]:
    if _is_v2() and not url.rstrip("/").endswith("/sse"):
        from mcp import Client

        async with Client(url) as client:
            yield client
        return
    name = "sse" if url.rstrip("/").endswith("/sse") else "streamable_http"
    transport: Any = importlib.import_module(f"mcp.client.{name}")
    open_ = getattr(transport, "sse_client", None) or transport.streamablehttp_client
    async with _session(open_(url)) as session:
        yield session


@asynccontextmanager
async def _stdio(words: list[str]) -> AsyncIterator[Any]:
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
    async with _session(stdio_client(parameters)) as session:
        yield session


@asynccontextmanager
async def _session(transport: Any) -> AsyncIterator[Any]:
    async with AsyncExitStack() as stack:
        if _is_v2():
            from mcp import Client

            yield await stack.enter_async_context(Client(transport))
            return
        from mcp import ClientSession

        read, write, *_ = await stack.enter_async_context(transport)
        session = await stack.enter_async_context(ClientSession(read, write))
        await session.initialize()
        yield session


def _is_v2() -> bool:
    return importlib.util.find_spec("mcp_types") is not None
