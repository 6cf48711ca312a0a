"""A server and a fault in, a handler that fails so out, until the test is over."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial, wraps
from types import TracebackType
from typing import Any, Final, TypedDict, Unpack

import anyio
import anyio.to_thread

from mcp_error_middleware.testing import seams, upstream
from mcp_error_middleware.testing.upstream import Match, Upstream, fresh

NOTHING: Final[Any] = object()
"""Says that nothing was given, where None would be something."""


class Options(TypedDict, total=False):
    """What a fault does."""

    raises: BaseException | type[BaseException] | None
    returns: Any
    delay: float
    times: int | None


@dataclass(slots=True, eq=False)
class Fault:
    """What happens in a handler's place: it waits, then raises, returns, or goes on as usual."""

    raises: BaseException | type[BaseException] | None = None
    returns: Any = NOTHING
    delay: float = 0
    times: int | None = None
    """How often; then the handler is itself again."""
    calls: int = 0
    """How often it has happened."""

    def __post_init__(self) -> None:
        if self.raises is None and self.returns is NOTHING and not self.delay:
            raise ValueError("a fault needs something to do: raises=, returns= or delay=")
        check_raises(self.raises)

    def wrap(
        self, handler: Callable[..., Any], convert: Callable[[Any], Any] = lambda value: value
    ) -> Callable[..., Awaitable[Any]]:
        """The handler with this fault in it; it looks like the handler."""

        @wraps(handler)
        async def faulty(*args: Any, **kwargs: Any) -> Any:
            if self.times is not None and self.calls >= self.times:
                return await _called(handler, *args, **kwargs)
            self.calls += 1
            if self.delay:
                await anyio.sleep(self.delay)
            if self.raises is not None:
                raise fresh(self.raises)
            if self.returns is not NOTHING:
                return convert(self.returns)
            return await _called(handler, *args, **kwargs)

        return faulty


async def _called(handler: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if inspect.iscoroutinefunction(handler):
        return await handler(*args, **kwargs)
    # A plain function may block, or expect to be in a worker thread.
    result = await anyio.to_thread.run_sync(partial(handler, *args, **kwargs))
    return await result if inspect.isawaitable(result) else result


def check_raises(raises: object) -> None:
    """Refuse what cannot be raised, while the test that says it is still on the stack."""
    kind: Any = raises if issubclass(type(raises), type) else type(raises)
    if raises is not None and not issubclass(kind, BaseException):
        raise TypeError(f"raises= takes an exception or a class of them, not {raises!r}")


@dataclass(frozen=True, slots=True)
class ServerFaults:
    """The faults of one server. A handler that has one is put back when the test is over."""

    server: object
    undo: ExitStack

    def tool(self, name: str, **options: Unpack[Options]) -> Fault:
        """Have a tool fail once its arguments were found valid."""
        return self._plant("tool", name, Fault(**options))

    def resource(self, uri: str, **options: Unpack[Options]) -> Fault:
        """Have a resource fail, or a template: by its own spelling or by a URI it matches."""
        return self._plant("resource", uri, Fault(**options))

    def prompt(self, name: str, **options: Unpack[Options]) -> Fault:
        """Have a prompt fail."""
        return self._plant("prompt", name, Fault(**options))

    def _plant(self, kind: seams.Kind, name: str, fault: Fault) -> Fault:
        self.undo.callback(seams.replace(self.server, kind, name, fault.wrap))
        return fault


@dataclass(frozen=True, slots=True)
class Faults:
    """What the `mcp_faults` fixture is; elsewhere `with Faults() as faults:`."""

    undo: ExitStack = field(default_factory=ExitStack)

    def __call__(self, server: object) -> ServerFaults:
        return ServerFaults(server, self.undo)

    def upstream(
        self,
        status: int = 503,
        *,
        headers: Mapping[str, str] | None = None,
        body: str | bytes = b"",
        match: Match = None,
        raises: BaseException | type[BaseException] | None = None,
        times: int | None = None,
    ) -> Upstream:
        """Answer the HTTP calls of this process so: of httpx, httpx2, requests and urllib.

        `match` is a part of the URL, a pattern or a function of it; without one, all are answered, those of
        an MCP client over HTTP included. Calls that never reach the network (`ASGITransport`) are left alone.
        """
        check_raises(raises)
        content = body.encode() if isinstance(body, str) else body
        planted = Upstream(status, dict(headers or {}), content, match, raises, times)
        self.undo.callback(upstream.plant(planted))
        return planted

    def close(self) -> None:
        """Put everything back."""
        self.undo.close()

    def __enter__(self) -> Faults:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
