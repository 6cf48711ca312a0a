"""The servers of the demo: every tool fails, and none but `refund` knows of the middleware."""

from __future__ import annotations

import asyncio
import http.server
import os
import sqlite3
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.errors import NotFound

UPSTREAM: Final = "SHOP_UPSTREAM"


def refund(order: str) -> str:
    """Refund an order."""
    raise NotFound(
        f"Order '{order}' was not found.",
        data={"order": order},
        recovery="Call list_orders and use an id from its result.",
    )


def ship(order: str, boxes: int) -> str:
    """Ship an order."""
    if boxes < 1:
        raise ValueError(f"boxes must be at least 1 to ship order {order}")
    return "shipped"


def secret() -> str:
    """Crash with private text."""
    raise RuntimeError(
        "connect postgresql://shop:hunter2@db.internal:5432 failed, "
        "key sk-proj-4f9aB2cD8eF1gH3iJ5kL7mN9, see /home/shop/app.py"
    )


def chain() -> str:
    """Fail three deep."""
    try:
        try:
            raise ConnectionRefusedError(111, "Connection refused")
        except OSError as exc:
            raise RuntimeError("inventory lookup failed") from exc
    except RuntimeError as exc:
        raise Exception("could not price the order") from exc  # noqa: TRY002


async def group() -> str:
    """Fail in two tasks at once."""
    raise ExceptionGroup("unhandled errors in a TaskGroup", [TimeoutError("pricing"), TimeoutError("stock")])


def upstream(status: int) -> str:
    """Ask a service that answers with an error."""
    with urllib.request.urlopen(f"{os.environ[UPSTREAM]}/{status}") as answer:  # noqa: S310
        return str(answer.read())


async def slow() -> str:
    """Wait for a service that never answers."""
    async with asyncio.timeout(0.05):
        await asyncio.sleep(60)
    return "never"


def register(email: str) -> str:
    """Register a customer."""
    with sqlite3.connect(":memory:") as db:
        db.execute("create table customers (email text unique)")
        for _ in range(2):
            db.execute("insert into customers values (?)", [email])
    return "registered"


def bug() -> str:
    """Trip over a missing key."""
    return str({"total": 1}["totl"])


async def cancelled() -> str:
    """Await a task that somebody else cancelled."""
    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task
    return "never"


def exit() -> str:  # noqa: A001
    """Call a command line parser that gives up."""
    sys.exit(3)


TOOLS: Final = (refund, ship, secret, chain, group, upstream, slow, register, bug, cancelled, exit)


def mcpserver() -> Any:
    """With the official SDK's own framework."""
    from mcp.server.mcpserver import MCPServer

    return _with_tools(MCPServer("shop"))


def fastmcp() -> Any:
    """With FastMCP."""
    try:
        from fastmcp import FastMCP
    except ModuleNotFoundError:
        raise UsageError("FastMCP is not installed here; install it with pip install fastmcp") from None
    return _with_tools(FastMCP("shop"))


STACKS: Final[Mapping[str, Callable[[], Any]]] = {"mcpserver": mcpserver, "fastmcp": fastmcp}


def _with_tools(server: Any) -> Any:
    for tool in TOOLS:
        server.tool()(tool)
    return server


# --- the upstream -------------------------------------------------------------------------------


class _Upstream(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(int(self.path[1:]))
        self.send_header("Retry-After", "30")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving_upstream() -> Iterator[str]:
    """A service on loopback that answers `/429` with 429."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Upstream) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
