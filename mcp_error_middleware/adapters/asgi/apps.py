"""A Starlette app in, the MCP servers inside of it out; and the layer put around them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import FunctionType, MethodType
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.routing import Host, Mount, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_error_middleware.adapters.asgi.incoming import pattern
from mcp_error_middleware.adapters.asgi.middleware import ErrorMiddleware
from mcp_error_middleware.adapters.seam import MARK, is_installed, part
from mcp_error_middleware.classify import mro_of, qualified_name
from mcp_error_middleware.triage import Triage

_TRANSPORTS: Final = frozenset(
    {"mcp.server.streamable_http_manager.StreamableHTTPSessionManager", "mcp.server.sse.SseServerTransport"}
)
_SERVERS: Final = frozenset({"FastMCP", "MCPServer", "Server"})
_SDKS: Final = ("mcp.server.", "fastmcp.server.")
_DEPTH: Final = 30
_PLACES: Final = 10_000
_BUILD: Final = "build_middleware_stack"

_LOG: Final = logging.getLogger("mcp_error_middleware")


def install(target: Starlette, triage: Triage) -> None:
    """Hook the servers inside and put the layer around; routes that are added later count too."""
    uninstall(target)
    _Installed(target, triage).attach()


def uninstall(target: Starlette) -> None:
    """Take both off again."""
    if (installed := target.__dict__.pop(MARK, None)) is not None:
        installed.detach()


@dataclass(slots=True, eq=False)
class _Installed:
    """One app's layer and servers."""

    app: Starlette
    triage: Triage
    before: Any = None
    """Another's override of the same method."""
    servers: list[Any] = field(default_factory=list)
    inside: Found = field(default_factory=lambda: Found())
    is_on: bool = True

    def attach(self) -> None:
        self.app.__dict__[MARK] = self
        self.before = self.app.__dict__.get(_BUILD)
        self.app.__dict__[_BUILD] = self.build
        if self.app.middleware_stack is None:
            self._serve(found(self.app).servers)
        else:
            self.app.middleware_stack = self._layered(self.app.middleware_stack)

    def detach(self) -> None:
        self.is_on = False
        # Someone else may have put theirs around ours; then ours only hands on.
        if getattr(self.app.__dict__.get(_BUILD), "__self__", None) is self:
            self._restore()
        self.app.middleware_stack = _without_layers(self.app.middleware_stack)
        for server in self.servers:
            _front().uninstall(server)

    def _restore(self) -> None:
        if self.before is None:
            del self.app.__dict__[_BUILD]
        else:
            self.app.__dict__[_BUILD] = self.before

    def build(self) -> ASGIApp:
        """The app's own stack, and the layer in it."""
        make = self.before or MethodType(type(self.app).build_middleware_stack, self.app)
        return self._layered(make()) if self.is_on else make()

    def _layered(self, stack: ASGIApp) -> ASGIApp:
        """Inside of Starlette's own last resort, to see an exception first; outside of all others."""
        inside = self._find()
        outermost = next(
            (layer for layer in _layers(stack) if isinstance(layer, ServerErrorMiddleware)), None
        )
        settings: dict[str, Any] = {"paths": tuple(inside.paths)} if inside.paths else {}
        if outermost is None:
            return _Watch(_Layer(stack, self.triage, **settings), self)
        outermost.app = _Watch(_Layer(outermost.app, self.triage, **settings), self)
        return stack

    def _find(self) -> Found:
        self.inside = found(self.app)
        self._serve(self.inside.servers)
        return self.inside

    def renewed(self, layer: _Layer) -> _Layer:
        """The layer, knowing what was added since it was made."""
        paths = tuple(self._find().paths) or layer.paths
        return layer if paths == layer.paths else replace(layer, paths=paths)

    def _serve(self, servers: list[Any]) -> None:
        for server in servers:
            # What somebody installed on a server itself, maybe with another policy, stays.
            if any(server is known for known in self.servers) or is_installed(server):
                continue
            try:
                _front().install(server, triage=self.triage)
            except TypeError as exc:
                _LOG.warning("%s: only its transport's failures are answered", exc)
            else:
                self.servers.append(server)


class _Layer(ErrorMiddleware):
    """The one `install` put there."""

    __slots__ = ()


@dataclass(slots=True)
class _Watch:
    """Around the layer: looks again where the app has got other routes."""

    app: _Layer
    installed: _Installed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.installed.inside.is_stale:
            with suppress(Exception):  # what was found before is served as before
                self.app = self.installed.renewed(self.app)
        await self.app(scope, receive, send)


def _front() -> Any:
    # It stands above all adapters, and knows them all.
    return import_module("mcp_error_middleware.install")


def _layers(stack: Any) -> Iterator[Any]:
    for _ in range(_DEPTH):
        if stack is None:
            return
        yield stack
        stack = getattr(stack, "app", None)


def _without_layers(stack: Any) -> Any:
    for layer in list(_layers(stack)):
        if isinstance(inner := getattr(layer, "app", None), _Watch):
            layer.app = inner.app.app
    return stack.app.app if isinstance(stack, _Watch) else stack


# --- what is inside -------------------------------------------------------------------------------


@dataclass(slots=True)
class Found:
    """The servers of an app, and the paths they are served at."""

    servers: list[Any] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    routes: list[tuple[list[Any], int]] = field(default_factory=list)
    """Every table of routes, and how many it had."""
    seen: dict[tuple[int, str], Any] = field(default_factory=dict)
    around: set[int] = field(default_factory=set)
    """What the node at hand is inside of."""

    @property
    def is_stale(self) -> bool:
        """Whether a route was added, or taken away."""
        return any(len(table) != count for table, count in self.routes)

    def visit(self, node: Any, path: str = "", depth: int = 0) -> None:
        """Whatever a route leads to: an app, a router, a wrapper, a transport's method, or a function."""
        # What an app's own handlers hold on to is often the app itself.
        is_inside_itself = id(node) in self.around
        if depth > _DEPTH or is_inside_itself or (id(node), path) in self.seen or len(self.seen) > _PLACES:
            return
        self.seen[id(node), path] = node
        self.around.add(id(node))
        try:
            self._look(node, path, depth)
        finally:
            self.around.discard(id(node))

    def _look(self, node: Any, path: str, depth: int) -> None:
        if _is_transport(node):
            self._transport(node, path)
        elif isinstance(node, FunctionType):
            self._function(node, path, depth)
        elif isinstance(node, MethodType):
            self.visit(node.__self__, path, depth + 1)
        else:
            self._app(node, path, depth)

    def _app(self, node: Any, path: str, depth: int) -> None:
        if isinstance(node, Starlette):
            self._server(getattr(node.state, "fastmcp_server", None))
        if isinstance(node, Starlette | Router):
            self.routes.append((node.routes, len(node.routes)))
            for route in node.routes:
                self._route(route, path, depth)
            return
        if type(node).__name__ == "StreamableHTTPASGIApp":
            # FastMCP gives it a session manager only when the app starts.
            self._path(path)
        for inner in (part(node, "session_manager"), part(node, "app"), *_kept(node)):
            self.visit(inner, path, depth + 1)

    def _route(self, route: Any, path: str, depth: int) -> None:
        if isinstance(route, Mount):
            self.visit(route.app, f"{path.removesuffix('/*')}{route.path}/*", depth + 1)
        elif isinstance(route, Host):
            self.visit(route.app, path, depth + 1)
        else:
            here = path.removesuffix("/*") + getattr(route, "path", "")
            self.visit(getattr(route, "endpoint", None), here, depth + 1)

    def _transport(self, transport: Any, path: str) -> None:
        self._path(path)
        self._server(getattr(transport, "app", None))

    def _function(self, function: FunctionType, path: str, depth: int) -> None:
        """One that hands on to a transport it closes over, or knows by name."""
        held = list(_held(function))
        if any(map(_is_transport, held)):
            for value in held:
                self.visit(value, path, depth + 1) if _is_transport(value) else self._server(value)
        for value in held:
            if _may_serve(value):
                self.visit(value, path, depth + 1)

    def _server(self, server: Any) -> None:
        if not _is_server(server):
            return
        # FastMCP's low-level server knows whose it is.
        server = part(server, "fastmcp") or server
        if not any(server is known for known in self.servers):
            self.servers.append(server)

    def _path(self, path: str) -> None:
        with suppress(Exception):
            # Not all that can be mounted in steps can be written as one path.
            for each in _spelled(path):
                pattern(each)
                if each not in self.paths:
                    self.paths.append(each)


def found(app: Starlette) -> Found:
    """What is inside of an app."""
    inside = Found()
    inside.visit(app)
    return inside


def _kept(node: object) -> Iterator[Any]:
    """What an object of no kind we know keeps, and may hand on to."""
    yield from filter(_may_serve, list(getattr(node, "__dict__", {}).values()))


def _may_serve(value: object) -> bool:
    return callable(value) and not isinstance(value, type)


def _spelled(path: str) -> tuple[str, ...]:
    if not path.endswith("/*"):
        return (path,)
    return (path.removesuffix("/*") or "/", path.removesuffix("*") + "{below_mount:path}")


def _held(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):
            yield cell.cell_contents
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if _is_transport(value) or _is_server(value) or isinstance(value, Starlette | Router):
            yield value


def _is_transport(value: object) -> bool:
    return any(qualified_name(base) in _TRANSPORTS for base in mro_of(type(value)))


def _is_server(value: object) -> bool:
    return any(
        base.__name__ in _SERVERS and qualified_name(base).startswith(_SDKS) for base in mro_of(type(value))
    )
