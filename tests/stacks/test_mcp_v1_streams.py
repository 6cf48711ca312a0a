"""What mcp 1.x refuses before any handler is asked, sent as raw messages."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import anyio
import pytest
from mcp import types as mcp_types

from mcp_error_middleware import ErrorPolicy, Failure, install, uninstall
from tests.stacks.faults import SECRET
from tests.stacks.stacks import MCP_1, SERVERS

if not MCP_1:
    pytest.skip("mcp 1.x is not installed", allow_module_level=True)

types: Any = mcp_types
SessionMessage: Any = import_module("mcp.shared.message").SessionMessage
memory: Any = import_module("mcp.shared.memory")

pytestmark = pytest.mark.anyio

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}

Send = Callable[[dict[str, Any] | Exception], Awaitable[None]]
Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


@pytest.fixture(params=SERVERS)
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@asynccontextmanager
async def raw(server: Any) -> AsyncIterator[tuple[Send, Ask]]:
    """A session of this server: send anything, or ask for the answer to a request."""
    low = getattr(server, "_mcp_server", server)
    async with memory.create_client_server_memory_streams() as ((answers, messages), (reads, writes)):

        async def serve() -> None:
            await low.run(reads, writes, low.create_initialization_options())

        async def send(message: dict[str, Any] | Exception) -> None:
            if not isinstance(message, Exception):
                parsed = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", **message})
                message = SessionMessage(parsed)
            await messages.send(message)

        async def ask(message: dict[str, Any]) -> dict[str, Any]:
            await send({"id": 1, **message})
            while True:
                said = (await answers.receive()).message.model_dump(by_alias=True, exclude_none=True)
                if "id" in said:
                    return dict(said)

        async with anyio.create_task_group() as group:
            group.start_soon(serve)
            yield send, ask
            group.cancel_scope.cancel()


async def started(send: Send, ask: Ask) -> None:
    await ask({"method": "initialize", "params": HELLO})
    await send({"method": "notifications/initialized"})


def served(kind: str, failures: list[Failure]) -> Any:
    return install(SERVERS[kind](()), ErrorPolicy(log=False, observers=(failures.append,)))


async def test_a_request_cancelled_while_its_answer_waits_to_be_read_does_not_end_the_session(
    kind: str,
) -> None:
    async with raw(served(kind, [])) as (send, ask):
        await started(send, ask)
        for number in (10, 11):
            await send({"id": number, "method": "ping"})
        await anyio.wait_all_tasks_blocked()
        await send({"method": "notifications/cancelled", "params": {"requestId": 11}})
        await anyio.wait_all_tasks_blocked()
        said = [await ask({"id": number, "method": "ping"}) for number in range(12, 16)]
    assert [(answer["id"], answer.get("error", {}).get("message")) for answer in said] == [
        (10, None),
        (11, "Request cancelled"),
        (12, None),
        (13, None),
    ]


async def test_a_request_before_the_session_began_says_how_to_begin_it(kind: str) -> None:
    failures: list[Failure] = []
    async with raw(served(kind, failures)) as (_, ask):
        error = (await ask({"method": "tools/list"}))["error"]

    assert error["code"] == -32602
    assert error["data"]["error_id"] == failures[0].error_id
    assert error["data"]["recovery"]["hint"].startswith("Send initialize, then notifications/initialized")


async def test_what_was_refused_is_in_no_log(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    failures: list[Failure] = []
    with caplog.at_level(logging.INFO):
        async with raw(served(kind, failures)) as (send, ask):
            await started(send, ask)
            await send({"method": "notifications/progress", "params": {"progressToken": {"a": SECRET}}})
            await send({"method": "notifications/cancelled", "params": {"requestId": {"a": SECRET}}})
            await send(ValueError(f"not JSON: {SECRET}"))
            refused = await ask({"method": "tools/call", "params": {"arguments": SECRET}})

    assert [failure.call.method for failure in failures] == [
        "notifications/progress",
        "notifications/cancelled",
        "tools/call",
    ]
    assert refused["error"]["data"]["error_id"] == failures[-1].error_id
    assert SECRET not in caplog.text + repr(refused)


async def test_what_other_code_logs_is_still_logged(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    async with raw(served(kind, [])) as (send, ask):
        await started(send, ask)
        logging.warning("Failed to validate request: of my own")
    assert "of my own" in caplog.text


async def test_nothing_stays_behind(kind: str) -> None:
    server = SERVERS[kind](())
    low, before = getattr(server, "_mcp_server", server), list(logging.getLogger().filters)
    kept = {name: id(value) for name, value in vars(low).items()}
    async with raw(install(server, ErrorPolicy(log=False))) as (send, ask):
        await started(send, ask)
    uninstall(server)

    assert logging.getLogger().filters == before
    assert {name: id(value) for name, value in vars(low).items()} == kept
    async with raw(server) as (send, ask):
        await started(send, ask)
        bare = await ask({"method": "no/such", "params": {}})
    assert bare["error"] == {"code": -32602, "message": "Invalid request parameters", "data": ""}


async def test_two_servers_at_once_answer_each_by_its_own_policy(kind: str) -> None:
    mine: list[Failure] = []
    theirs: list[Failure] = []
    async with raw(served(kind, mine)) as (send, ask), raw(served(kind, theirs)) as (other, ask_other):
        await started(send, ask)
        await started(other, ask_other)
        first = await ask({"method": "prompts/get", "params": {}})
        second = await ask_other({"method": "prompts/get", "params": {}})

    assert [failure.error_id for failure in mine] == [first["error"]["data"]["error_id"]]
    assert [failure.error_id for failure in theirs] == [second["error"]["data"]["error_id"]]
