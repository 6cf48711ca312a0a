"""A server that fails in every way a client may meet: `python -m tests.interop.shop fastmcp4 http`.

Runs under the interpreter of either line of the SDKs. Over HTTP its first line of output is its port.
"""

import asyncio
import sys
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ConfigDict

from mcp_error_middleware import NotFound, install
from tests.interop.serve import serve
from tests.interop.things import SECRET

SERVERS = {
    "mcpserver": ("mcp.server.mcpserver", "MCPServer"),
    "fastmcp4": ("fastmcp", "FastMCP"),
    "fastmcp3": ("fastmcp", "FastMCP"),
    "fastmcp1": ("mcp.server.fastmcp", "FastMCP"),
}
"""Kind to class."""


class Weight(BaseModel):
    """Closed: its schema allows nothing else."""

    model_config = ConfigDict(extra="forbid")
    grams: int


def shop(kind: str) -> Any:
    module, name = SERVERS[kind]
    server: Any = getattr(import_module(module), name)("shop")
    for tool in (crash, declared, add, weigh, slow):
        server.tool()(tool)
    server.resource("shop://crash")(crash)
    server.prompt()(crash)
    return server


def crash() -> str:
    raise RuntimeError(f"connect postgresql://shop:{SECRET}@db.internal/shop failed")


def declared() -> str:
    raise NotFound("Order 'ord_9' was not found.", {"order": "ord_9"}, recovery="Call list_orders.")


def add(a: int, b: int) -> int:
    return a + b


def weigh(item: str) -> Weight:
    if item == "feather":
        return Weight(grams=1)
    raise KeyError(SECRET)


async def slow() -> str:
    async with asyncio.timeout(0.01):
        await asyncio.Event().wait()
    return "too late"


if __name__ == "__main__":
    kind, transport = sys.argv[1:]
    server = install(shop(kind))
    if transport == "stdio":
        server.run("stdio")
    else:
        serve(server)
