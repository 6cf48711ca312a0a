"""Errors that authors put into words themselves leave too, and leave scrubbed."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import types

from mcp_error_middleware import ErrorPolicy, install
from tests.stacks.stacks import MCP_1, ProtocolError, Stack

pytestmark = pytest.mark.anyio

SECRET = "hunter2-hunter2"
DSN = f"connect postgresql://shop:{SECRET}@db.example.com/shop failed"


def server_of(stack: Stack, **tools: Any) -> Any:
    if stack.kind == "lowlevel":
        pytest.skip("its author's handlers decide")
    server = stack.server()
    for name, tool in tools.items():
        server.tool(name=name)(tool)
    return install(server, ErrorPolicy(log=False))


async def test_a_result_that_says_it_is_an_error_leaves_scrubbed(stack: Stack) -> None:
    if stack.kind.startswith("fastmcp") and stack.kind != "fastmcp1":
        from fastmcp.tools.base import ToolResult

        def failing() -> Any:
            return ToolResult(content=DSN, structured_content={"password": SECRET, "order": 5}, is_error=True)
    else:
        flag, data = ("isError", "structuredContent") if MCP_1 else ("is_error", "structured_content")

        def failing() -> Any:
            said: dict[str, Any] = {flag: True, data: {"password": SECRET, "order": 5}}
            return types.CallToolResult(content=[types.TextContent(type="text", text=DSN)], **said)

    failing.__annotations__["return"] = types.CallToolResult if "ToolResult" not in locals() else Any
    async with stack.connect(server_of(stack, failing=failing)) as ask:
        answer = await ask("tools/call", {"name": "failing", "arguments": {}})
    assert answer.channel == "result"
    assert SECRET not in str(answer.raw)
    assert "db.example.com" in answer.text
    assert answer.error["error_id"]


async def test_a_step_of_the_protocol_keeps_what_clients_act_on_and_nothing_private(stack: Stack) -> None:
    if stack.era == "2026-07-28":
        pytest.skip("its peers know no URL elicitation")
    asked = {
        "mode": "url",
        "elicitationId": "e1",
        "url": "https://example.com/sign-in",
        "message": "Sign in.",
    }

    async def failing() -> str:
        make = getattr(ProtocolError, "from_error_data", ProtocolError)
        data = {"elicitations": [asked], "password": SECRET}
        raise make(types.ErrorData(code=-32042, message=DSN, data=data))

    async with stack.connect(server_of(stack, failing=failing)) as ask:
        answer = await ask("tools/call", {"name": "failing", "arguments": {}})
    assert SECRET not in str(answer)


async def test_an_unprintable_complaint_is_answered(stack: Stack) -> None:
    class Unprintable:
        def __str__(self) -> str:
            raise RuntimeError("no")

    server = server_of(stack)

    def greeting() -> str:
        raise ValueError(Unprintable())

    server.prompt(name="greeting")(greeting)
    async with stack.connect(server) as ask:
        answer = await ask("prompts/get", {"name": "greeting"})
    assert answer.channel == "jsonrpc"
    assert answer.error["error_id"]
