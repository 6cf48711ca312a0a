"""A server of each line of the SDKs, and the clients people reach it with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import Any

from tests.stacks.stacks import FASTMCP, MCP_1

Connect = Callable[[Any], AbstractAsyncContextManager[Any]]


def official_server() -> Any:
    return (
        import_module("mcp.server.fastmcp").FastMCP("shop")
        if MCP_1
        else import_module("mcp.server.mcpserver").MCPServer("shop")
    )


def fastmcp_server() -> Any:
    return import_module("fastmcp").FastMCP("shop")


@asynccontextmanager
async def session(server: Any) -> AsyncIterator[Any]:
    """A `ClientSession`."""
    if MCP_1:
        memory: Any = import_module("mcp.shared.memory")
        async with memory.create_connected_server_and_client_session(server) as connected:
            yield connected
    else:
        async with import_module("mcp").Client(server) as client:
            yield client.session


def client(server: Any) -> Any:
    """The `Client` of mcp 2.x."""
    return import_module("mcp").Client(server)


def fastmcp_client(server: Any) -> Any:
    return import_module("fastmcp").Client(server)


CLIENTS: dict[str, tuple[Callable[[], Any], Connect]] = {"session": (official_server, session)}
"""Name to server and connection, of what is installed here."""

if not MCP_1:
    CLIENTS["client"] = (official_server, client)
if FASTMCP:
    CLIENTS["fastmcp"] = (fastmcp_server, fastmcp_client)
