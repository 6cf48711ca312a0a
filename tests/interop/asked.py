"""Every fault, asked of every stack of this environment: `python -m tests.interop.asked`, JSON out."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import version
from typing import Any

from mcp_error_middleware import ErrorPolicy, install
from tests.stacks.faults import FAULTS, REQUESTS
from tests.stacks.stacks import STACKS, Answer, Ask, Stack

MCP = "mcp " + version("mcp").rpartition(".")[0]
NAMES = {"mcpserver": f"MCPServer, {MCP}", "lowlevel": f"low-level, {MCP}", "fastmcp1": f"FastMCP, {MCP}"}
FASTMCP = "FastMCP " + version("fastmcp").rpartition(".")[0]


async def main() -> None:
    answers: dict[str, Any] = {}
    for stack in STACKS:
        for fault, cell in (await asked(stack)).items():
            row = answers.setdefault(NAMES.get(stack.kind, FASTMCP), {})
            row[fault] = [*row.get(fault, []), cell]
    print(json.dumps(answers))


async def asked(stack: Stack) -> dict[str, str]:
    """A low-level server's author decides on unknown things, and has no class for a tool's error."""
    simple = stack.kind == "lowlevel"
    faults = [fault for fault in FAULTS if not (simple and fault.needs_tool_error)]
    requests = [request for request in REQUESTS if not simple and stack.kind not in request.lacking]
    server = install(stack.server(*faults), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        cells = {fault.name: await cell(ask, "tools/call", {"name": fault.name}) for fault in faults}
        return cells | {request.name: await cell(ask, request.method, request.params) for request in requests}


async def cell(ask: Ask, method: str, params: Any) -> str:
    answer: Answer = await ask(method, params)
    channel = "isError" if answer.number is None else str(answer.number)
    return f"{channel} {answer.error.get('name', '')}".strip()


asyncio.run(main())
