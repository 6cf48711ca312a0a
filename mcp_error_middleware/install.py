"""A server in, the same server with its failures answered out."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

from mcp_error_middleware.classify import qualified_name
from mcp_error_middleware.telemetry import chosen

if TYPE_CHECKING:
    from mcp_error_middleware.desk import Desk
    from mcp_error_middleware.policy import ErrorPolicy
    from mcp_error_middleware.triage import Triage

T = TypeVar("T")

STACKS: Final = {
    "fastmcp.server.server.FastMCP": "fastmcp",
    "mcp.server.fastmcp.server.FastMCP": "mcp_v1",
    "mcp.server.mcpserver.server.MCPServer": "mcp_v2",
    "mcp.server.lowlevel.server.Server": "mcp_v2",
    "starlette.applications.Starlette": "asgi",
}
"""Which module of `adapters` serves which class."""

HOLDERS: Final = {
    "mcp.server.streamable_http_manager.StreamableHTTPSessionManager": "app",
    "fastmcp.server.low_level.LowLevelServer": "fastmcp",
}
"""What is not a server but holds one, and where."""


def install(
    target: T,
    policy: ErrorPolicy | None = None,
    *,
    triage: Triage | None = None,
    desk: bool | Desk = False,
) -> T:
    """Put the middleware on a server, before or after its routes are built; twice is as good as once.

    `policy` holds every setting and is read from the `MCP_ERRORS_*` variables if not given; `triage` replaces
    the steps themselves; `desk` serves the page of failures under `/errors`. Returns the target.
    """
    if desk and desk is not True and not isinstance(desk, _desks().Desk):
        raise TypeError(f"desk is {desk!r}; pass True or a Desk, as in Desk(path='failures.db')")
    server = _server(target)
    adapter, chosen_triage = _adapter(server), chosen(triage, policy)
    if desk:
        _desks().mount(server, None if desk is True else desk)
    adapter.install(server, chosen_triage)
    return target


def uninstall(target: T) -> T:
    """Take it off again; the target is as it was."""
    server = _server(target)
    _adapter(server).uninstall(server)
    if "mcp_error_middleware.desk" in sys.modules:
        _desks().unmount(server)
    return target


def _desks() -> ModuleType:
    return import_module("mcp_error_middleware.desk")


def _server(target: object) -> object:
    for base in type(target).__mro__:
        name = HOLDERS.get(qualified_name(base))
        # Not every version has it.
        if name and (held := getattr(target, name, None)) is not None:
            return _server(held)
    return target


def _adapter(target: object) -> ModuleType:
    for base in type(target).__mro__:
        if name := STACKS.get(qualified_name(base)):
            if name == "mcp_v2" and not hasattr(target, "middleware"):
                # Both lines of the SDK have a low-level Server of this name; only 2.x has middleware.
                name = "mcp_v1"
            return _of_fastmcp() if name == "fastmcp" else _named(name)
    raise TypeError(
        f"cannot install on {qualified_name(type(target))}; pass a FastMCP server, or an MCPServer, "
        "low-level Server or StreamableHTTPSessionManager of mcp, or a Starlette app that serves one"
    )


def _of_fastmcp() -> ModuleType:
    try:
        return _named("fastmcp")
    except ImportError:
        # FastMCP 2 has other seams; the SDK under it has those of mcp 1.x.
        return _named("mcp_v1")


def _named(adapter: str) -> ModuleType:
    return import_module(f"mcp_error_middleware.adapters.{adapter}")
