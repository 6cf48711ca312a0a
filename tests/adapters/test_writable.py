"""Half a character is replaced wherever a server speaks unasked; all else leaves as it is."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

from mcp_error_middleware import ErrorPolicy, install
from mcp_error_middleware.adapters.writable import whole


@pytest.mark.parametrize("said", ["whole 😀", {"n": 1 << 80}, {"deep": [{"text": "é"}]}, None])
def test_what_can_be_written_is_the_very_same(said: Any) -> None:
    assert whole(said) is said


def test_half_a_character_is_replaced_however_deep() -> None:
    assert whole({"a": ["half \ud83d", {"b": "whole"}]}) == {"a": ["half ?", {"b": "whole"}]}


def test_what_a_tool_asks_the_user_is_whole() -> None:
    asked = []

    class Name(BaseModel):
        name: str

    async def answer(context: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def greet(ctx: Context[Any]) -> str:
        answered = await ctx.elicit("half \ud83d of it", Name)
        return str(answered.action)

    async def scenario() -> None:
        server = MCPServer("shop")
        server.tool()(greet)
        install(server, ErrorPolicy(log=False))
        async with Client(server, mode="legacy", elicitation_callback=answer) as client:
            await client.call_tool("greet", {})

    anyio.run(scenario)
    assert asked == ["half ? of it"]
