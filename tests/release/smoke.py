"""Run by a clean Python that has nothing but the wheel and one combination of stacks."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any

import mcp_error_middleware
from mcp_error_middleware import install
from mcp_error_middleware.cli import main
from mcp_error_middleware.cli.demo.servers import STACKS, stacks_here
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.testing import assert_no_leak, assert_tool_error, recorded
from mcp_error_middleware.testing.memory import connected


async def answers(name: str) -> list[str]:
    """What an agent is told by one server on this stack."""
    server = install(STACKS[name].build())
    with recorded() as failures:
        async with connected(server) as client:
            gone = await call(client, "refund", order="ord_9")
            crash = await call(client, "secret")
            wrong = await call(client, "ship", order="ord_1", boxes=0)
    assert_no_leak("hunter2", crash, failures)
    assert assert_tool_error(gone, "NotFound").error_id == failures[0].error_id
    return [assert_tool_error(answer).name or "" for answer in (gone, crash, wrong)]


async def call(client: Any, tool: str, **arguments: Any) -> Any:
    return await client.ask("tools/call", {"name": tool, "arguments": arguments})


async def page() -> int:
    """The status of the desk's page: its files are in the wheel."""
    sent: list[Any] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "headers": [(b"host", b"localhost")],
        "query_string": b"",
        "client": ("127.0.0.1", 1),
        "http_version": "1.1",
    }

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    await Desk()(scope, receive, send)
    return int(sent[0]["status"])


if __name__ == "__main__":
    found = {name: asyncio.run(answers(name)) for name in stacks_here()}
    assert main(["doctor"]) == 0
    report = {
        "from": mcp_error_middleware.__file__,
        "python": ".".join(map(str, sys.version_info[:2])),
        "mcp": version("mcp"),
        "answers": found,
        "desk": asyncio.run(page()),
    }
    print(json.dumps(report))
