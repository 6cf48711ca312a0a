"""Over real sockets: every fault on every HTTP transport, and process, session and neighbours live on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from tests.stacks.faults import ENDINGS, SECRET, Fault, httpx
from tests.stacks.serve import FAULTS_OVER_HTTP, PLACES
from tests.stacks.stacks import ERAS, PLAIN, Answer, Ask
from tests.stacks.wire import listening, over_http

pytestmark = pytest.mark.anyio

ADDRESSES = tuple(
    (kind, variant, era)
    for kind, variant in PLACES
    for era in ERAS
    # There are no sessions in the later era, so nothing else to choose; and no legacy SSE.
    if era == "2025-11-25" or variant in ("stream", "json")
)

everywhere = pytest.mark.parametrize("address", ADDRESSES, ids="-".join)
with_tools = pytest.mark.parametrize("address", [a for a in ADDRESSES if a[0] != "lowlevel"], ids="-".join)

Address = tuple[str, str, str]


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    """The one process all tests talk to: whatever one of them does, the next finds it alive."""
    with listening([sys.executable, "-m", "tests.stacks.serve"]) as root:
        yield root


@everywhere
async def test_every_fault_is_answered_and_the_session_goes_on(root: str, address: Address) -> None:
    faults = [fault for fault in FAULTS_OVER_HTTP if address[0] != "lowlevel" or not fault.needs_tool_error]
    before = len(_recorded(root))
    async with over_http(_url(root, address), address[2]) as ask:
        answers = [await ask("tools/call", {"name": fault.name, "arguments": {}}) for fault in faults]
        await _still_answers(ask)

    assert [_facts(answer) for answer in answers] == [_expected(fault) for fault in faults]
    assert _recorded(root, before) == [answer.error["error_id"] for answer in answers]
    assert SECRET not in repr(answers)


@everywhere
async def test_faults_of_resources_and_prompts_are_answered_too(root: str, address: Address) -> None:
    faults = [fault for fault in FAULTS_OVER_HTTP if not fault.needs_tool_error]
    async with over_http(_url(root, address), address[2]) as ask:
        for fault in faults:
            read = await ask("resources/read", {"uri": f"fault://{fault.name}"})
            got = await ask("prompts/get", {"name": fault.name})
            assert [_facts(read), _facts(got)] == [_expected(fault, "jsonrpc")] * 2
        await _still_answers(ask)


@everywhere
async def test_what_a_plain_function_raises_is_answered_too(root: str, address: Address) -> None:
    async with over_http(_url(root, address), address[2]) as ask:
        for fault in ENDINGS:
            called = await ask("tools/call", {"name": f"{PLAIN}{fault.name}", "arguments": {}})
            assert _facts(called) == _expected(fault)
        await _still_answers(ask)


@with_tools
async def test_a_tool_that_fails_after_reporting_progress_says_so(root: str, address: Address) -> None:
    params = {"name": "progress", "arguments": {}, "_meta": {"progressToken": "p"}}
    async with over_http(_url(root, address), address[2]) as ask:
        answer = await ask("tools/call", params)
        await _still_answers(ask)

    assert _facts(answer) == {"channel": "result", "number": None, "name": "Timeout", "retryable": True}


@with_tools
async def test_others_are_served_while_a_call_hangs(root: str, address: Address) -> None:
    gate, answers = "-".join(address), list[Answer]()
    url, era = _url(root, address), address[2]
    async with over_http(url, era) as one, over_http(url, era) as other, anyio.create_task_group() as tasks:
        tasks.start_soon(_hang, one, gate, answers)
        await _gate(root, gate, "held")
        fault = await other("tools/call", {"name": "system_exit", "arguments": {}})
        await _still_answers(other)
        await _still_answers(one)
        assert fault.error["name"] == "InternalError"
        await _gate(root, gate, "opened")

    assert [answer.error["message"] for answer in answers] == ["let go"]


@with_tools
async def test_a_client_that_goes_away_takes_nobody_with_it(root: str, address: Address) -> None:
    gate = f"gone-{'-'.join(address)}"
    url, era = _url(root, address), address[2]
    async with over_http(url, era) as other:
        with anyio.CancelScope() as scope:
            async with over_http(url, era) as one, anyio.create_task_group() as tasks:
                tasks.start_soon(_hang, one, gate, [])
                await _gate(root, gate, "held")
                scope.cancel()
        await _still_answers(other)
        await _gate(root, gate, "opened")
        assert await _gate(root, gate, "ended") in ("CancelledError", "ValueError")
        await _still_answers(other)


GARBLED = {
    "cut off": b'{"jsonrpc":',
    "no UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
    "deep": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "a huge number": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + b"9" * 5_000 + b"}}",
}


@pytest.mark.parametrize("body", GARBLED.values(), ids=GARBLED)
@pytest.mark.parametrize("kind", sorted({kind for kind, _ in PLACES}))
async def test_a_body_that_is_no_json_is_the_callers_to_correct(root: str, kind: str, body: bytes) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    url = _url(root, (kind, "json", "2025-11-25"))
    async with httpx.AsyncClient() as client:
        refusal = await client.post(url, headers=headers, content=body)

    assert (refusal.status_code, refusal.json()["error"]["code"]) == (400, -32700)


async def _hang(ask: Ask, gate: str, answers: list[Answer]) -> None:
    answers.append(await ask("tools/call", {"name": "hold", "arguments": {"gate": gate}}))


def _url(root: str, address: Address) -> str:
    kind, variant, _ = address
    return f"{root}/{kind}/{variant}/{'sse' if variant == 'sse' else 'mcp'}"


def _recorded(root: str, since: int = 0) -> list[str]:
    recorded: list[str] = httpx.get(f"{root}/failures", params={"since": since}).json()
    return recorded


async def _gate(root: str, name: str, event: str) -> str:
    async with httpx.AsyncClient() as client:
        how: str = (await client.get(f"{root}/gates/{name}/{event}", timeout=30)).json()
        return how


def _facts(answer: Answer) -> dict[str, Any]:
    return {
        "channel": answer.channel,
        "number": answer.number,
        "name": answer.error.get("name"),
        "retryable": answer.error.get("retryable"),
    }


def _expected(fault: Fault, channel: str | None = None) -> dict[str, Any]:
    channel = channel or fault.from_tool
    return {
        "channel": channel,
        "number": fault.number if channel == "jsonrpc" else None,
        "name": fault.code,
        "retryable": fault.retryable,
    }


async def _still_answers(ask: Ask) -> None:
    answer = await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
    assert (answer.channel, answer.text) == ("success", "3")
