"""The first request of a session is a request like any other."""

from __future__ import annotations

import pytest

from mcp_error_middleware import ErrorPolicy, install
from tests.stacks.stacks import Stack

pytestmark = pytest.mark.anyio


async def test_a_greeting_that_is_malformed_is_the_clients_to_correct(stack: Stack) -> None:
    if stack.era == "2026-07-28":
        pytest.skip("its sessions begin without a greeting")
    async with stack.connect(install(stack.server(), ErrorPolicy(log=False))) as ask:
        answer = await ask("initialize", {"protocolVersion": "2025-11-25"})

    assert (answer.number, answer.error["name"]) == (-32602, "ValidationError")
    assert [issue["path"] for issue in answer.error["issues"]] == ["params.capabilities", "params.clientInfo"]
