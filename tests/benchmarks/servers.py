"""What a call costs on a whole server, asked by an in-memory client, beside the same server without us.

A further row is a line in `SUBJECTS`, a further column one in `WORKLOADS`, a further server one in `STACKS`.
Logging is plain and goes nowhere: the tracebacks that the servers paint by default cost a hundred times as
much and would flatter us.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, redirect_stderr
from pathlib import Path
from typing import Any

import fastmcp
import mcp
from fastmcp.server.middleware import Middleware
from mcp.server.mcpserver import MCPServer

from mcp_error_middleware import install
from tests.benchmarks.failures import answer, bad_value, refused, unavailable
from tests.benchmarks.measure import Case, Cases

CALLS, ROUNDS = 10, 15

WORKLOADS: dict[str, Callable[[int], str]] = {
    "success": answer,
    "ValueError": bad_value,
    "three-deep chain": refused,
    "HTTP 503": unavailable,
}


def bare(server: Any) -> None: ...


def with_a_middleware(server: Any) -> None:
    """One that does nothing: what no middleware can be cheaper than."""
    if isinstance(server, MCPServer):
        server.middleware.append(_passed_on)
    else:
        server.add_middleware(_PassedOn())


OURS = "mcp-error-middleware"

SUBJECTS: dict[str, Callable[[Any], object]] = {
    "bare": bare,
    "a middleware that does nothing": with_a_middleware,
    OURS: install,
}
"""What is done to a server; the first is the yardstick."""

MOST = {"success": 1.15, "ValueError": 0.95, "three-deep chain": 0.95}
"""How many times the instructions of the bare server ours may cost; wide enough for another interpreter."""

STACKS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    f"FastMCP {fastmcp.__version__}": (lambda: fastmcp.FastMCP("shop"), fastmcp.Client),
    "MCPServer of mcp 2.x": (lambda: MCPServer("shop"), mcp.Client),
}
"""A server and its client."""


@asynccontextmanager
async def connected(stack: str) -> AsyncIterator[dict[str, Cases]]:
    """By workload, a case for each subject."""
    make, client_of = STACKS[stack]
    servers = {name: make() for name in SUBJECTS}
    for name, prepare in SUBJECTS.items():
        for tool in WORKLOADS.values():
            servers[name].add_tool(tool)
        prepare(servers[name])
    async with AsyncExitStack() as opened:
        opened.enter_context(_quiet())
        clients = {name: await opened.enter_async_context(client_of(servers[name])) for name in SUBJECTS}
        yield {
            workload: {name: _case(client, tool.__name__) for name, client in clients.items()}
            for workload, tool in WORKLOADS.items()
        }


def _case(client: Any, tool: str) -> Case:
    options: dict[str, Any] = {"raise_on_error": False} if isinstance(client, fastmcp.Client) else {}

    async def run(orders: list[Any]) -> None:
        for order in orders:
            await client.call_tool(tool, {"order": order}, **options)

    return Case(run, int, CALLS)


async def _passed_on(ctx: Any, call_next: Any) -> Any:
    return await call_next(ctx)


class _PassedOn(Middleware):
    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        return await call_next(context)


@contextmanager
def _quiet() -> Iterator[None]:
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        for name in list(logging.root.manager.loggerDict):
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate = True
        logging.basicConfig(stream=nowhere, force=True)
        yield
