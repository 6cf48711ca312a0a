"""The official SDK runs on trio as well; so do its adapters. FastMCP's needs asyncio itself."""

from __future__ import annotations

import pytest

from mcp_error_middleware import ErrorPolicy, Failure, install
from tests.stacks.faults import FAULTS, Fault
from tests.stacks.stacks import Stack

pytest.importorskip("trio", reason="trio is not installed")

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "trio"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_every_fault_is_answered_and_the_session_goes_on(stack: Stack, fault: Fault) -> None:
    if stack.kind in ("fastmcp3", "fastmcp4"):
        pytest.skip("runs on asyncio only")
    if fault.needs_tool_error and stack.kind == "lowlevel":
        pytest.skip("has no such class")
    failures: list[Failure] = []
    server = install(stack.server(fault), ErrorPolicy(log=False, observers=(failures.append,)))
    async with stack.connect(server) as ask:
        tool = await ask("tools/call", {"name": fault.name, "arguments": {}})
        resource = await ask("resources/read", {"uri": f"fault://{fault.name}"})
        prompt = await ask("prompts/get", {"name": fault.name})
        served = await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})

    assert [answer.error["name"] for answer in (tool, resource, prompt)] == [fault.code] * 3
    assert [failure.name for failure in failures] == [fault.code] * 3
    assert (served.channel, served.text) == ("success", "3")
