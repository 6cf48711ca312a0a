from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_error_middleware.testing.memory import Connection, connected
from tests.stacks.stacks import MCP_1, ProtocolError

pytestmark = pytest.mark.anyio


async def test_a_client_asks_a_server_and_gets_its_messages(shop: Any) -> None:
    async with connected(shop) as client:
        served = await client.ask("prompts/get", {"name": "greet", "arguments": {"name": "Anna"}})
        refused = await client.ask("no/such", {})
        version = client.protocol_version

    assert served["result"]["messages"][0]["content"]["text"] == "Greet Anna."
    assert refused["error"]["message"]
    assert version == ("2025-11-25" if MCP_1 else "2026-07-28")


class _Scripted:
    """A session with nobody at its other end."""

    def __init__(self, *pages: Any) -> None:
        self.pages = list(pages)

    async def send_request(self, request: Any, result: Any) -> Any:
        page = self.pages.pop(0)
        if isinstance(page, Exception):
            raise page
        return SimpleNamespace(model_dump=lambda by_alias: page)


async def test_all_pages_of_a_list_are_read() -> None:
    session = _Scripted({"tools": [{"name": "a"}], "nextCursor": "2"}, {"tools": [{"name": "b"}]})

    assert await Connection(session).list("tools/list", "tools") == [{"name": "a"}, {"name": "b"}]


async def test_an_answer_that_will_not_come_is_no_error_of_the_server() -> None:
    data = import_module("mcp.types").ErrorData(code=-32000, message="Connection closed")
    closed = getattr(ProtocolError, "from_error_data", ProtocolError)(data)

    with pytest.raises(ConnectionError, match="the server closed the session"):
        await Connection(_Scripted(closed)).ask("ping", {})
    with pytest.raises(KeyError):
        await Connection(_Scripted(KeyError("of the client itself"))).ask("ping", {})
