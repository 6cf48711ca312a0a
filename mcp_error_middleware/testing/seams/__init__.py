"""A server and a name in, the handler behind it replaced; one stack per module."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from mcp_error_middleware.classify import qualified_name
from mcp_error_middleware.install import HOLDERS

Kind: TypeAlias = Literal["tool", "resource", "prompt"]

Wrap: TypeAlias = Callable[..., Callable[..., Awaitable[Any]]]
"""A handler in, what stands in its place out; `convert` is for places where a raw value will not do."""

Undo: TypeAlias = Callable[[], object]

STACKS: Final = {
    "fastmcp.server.server.FastMCP": "fastmcp",
    "mcp.server.fastmcp.server.FastMCP": "official",
    "mcp.server.mcpserver.server.MCPServer": "official",
    "mcp.server.lowlevel.server.Server": "lowlevel",
}
"""Which module here knows the handlers of which class."""


def replace(server: object, kind: Kind, name: str, wrap: Wrap) -> Undo:
    """Put the wrapped handler in the handler's place; what is returned puts it back."""
    server = server_of(server)
    for base in type(server).__mro__:
        if stack := STACKS.get(qualified_name(base)):
            undo: Undo = import_module(f"{__name__}.{stack}").replace(server, kind, name, wrap)
            return undo
    raise TypeError(
        f"{qualified_name(type(server))} has no handlers that are known here; pass a FastMCP server, "
        "or an MCPServer or low-level Server of mcp"
    )


def server_of(target: Any) -> Any:
    """The server itself, where the target only holds one."""
    for base in type(target).__mro__:
        if name := HOLDERS.get(qualified_name(base)):
            return server_of(getattr(target, name))
    return target


def unknown(kind: Kind, name: str, known: list[str]) -> LookupError:
    """Why there is nothing to replace."""
    return LookupError(f"the server has no {kind} {name!r}; it has: {', '.join(sorted(known)) or 'none'}")
