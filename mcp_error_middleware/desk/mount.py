"""A server or app in, the same with the desk under `/errors` out."""

from __future__ import annotations

from typing import Any, Final

from starlette.routing import Mount

from mcp_error_middleware.classify import qualified_name
from mcp_error_middleware.desk.desk import Desk

PATH: Final = "/errors"

_ROUTES: Final = {
    "starlette.applications.Starlette": ("router", "routes"),
    "fastmcp.server.server.FastMCP": ("_additional_http_routes",),
    "mcp.server.mcpserver.server.MCPServer": ("_custom_starlette_routes",),
    "mcp.server.fastmcp.server.FastMCP": ("_custom_starlette_routes",),
}
"""Where each keeps the routes it will serve over HTTP."""


def mount(target: object, desk: Desk | None = None) -> Desk:
    """Serve a desk under `/errors`; the one that is there already, unless another is given."""
    routes = _routes(target)
    there = [route.app for route in routes if isinstance(route, Mount) and isinstance(route.app, Desk)]
    if there and desk in (None, *there):
        return there[0]
    unmount(target)
    desk = desk or Desk()
    # In front: an app may end in a mount that takes every path.
    routes.insert(0, _Ours(PATH, desk))
    return desk


def unmount(target: object) -> None:
    """Serve none any more."""
    routes = _routes(target, otherwise=[])
    routes[:] = [route for route in routes if not isinstance(route, _Ours)]


class _Ours(Mount):
    """The one `mount` put there; an author's own stays."""


def _routes(target: Any, otherwise: list[Any] | None = None) -> list[Any]:
    for base in type(target).__mro__:
        if path := _ROUTES.get(qualified_name(base)):
            for name in path:
                target = getattr(target, name)
            return target  # type: ignore[no-any-return]
    if otherwise is not None:
        return otherwise
    raise TypeError(
        f"cannot show a desk on {qualified_name(type(target))}; pass a FastMCP or MCPServer or a Starlette "
        "app, or mount mcp_error_middleware.desk.Desk() yourself"
    )
