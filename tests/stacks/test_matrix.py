"""Every fault on every stack: the same facts, and a server that still answers."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_error_middleware import ErrorPolicy, Failure, install
from tests.stacks.faults import ENDINGS, FAULTS, MISDEEDS, REQUESTS, SECRET, Fault, Request
from tests.stacks.stacks import PLAIN, Answer, Ask, Stack

pytestmark = pytest.mark.anyio

every_fault = pytest.mark.parametrize("fault", [*FAULTS, *MISDEEDS], ids=lambda fault: fault.name)
every_ending = pytest.mark.parametrize("fault", ENDINGS, ids=lambda fault: fault.name)


@every_fault
async def test_a_tool_says_how_it_failed(stack: Stack, fault: Fault) -> None:
    failures: list[Failure] = []
    async with stack.connect(_installed(stack, fault, failures)) as ask:
        answer = await ask("tools/call", {"name": fault.name, "arguments": {}})

        assert _facts(answer) == _expected(fault, fault.from_tool)
        _check(answer, fault, failures)
        await _still_answers(ask)


@every_fault
async def test_a_resource_says_how_it_failed(stack: Stack, fault: Fault) -> None:
    failures: list[Failure] = []
    async with stack.connect(_installed(stack, fault, failures)) as ask:
        answer = await ask("resources/read", {"uri": f"fault://{fault.name}"})

        assert _facts(answer) == _expected(fault, "jsonrpc")
        _check(answer, fault, failures)
        await _still_answers(ask)


@every_fault
async def test_a_prompt_says_how_it_failed(stack: Stack, fault: Fault) -> None:
    failures: list[Failure] = []
    async with stack.connect(_installed(stack, fault, failures)) as ask:
        answer = await ask("prompts/get", {"name": fault.name})

        assert _facts(answer) == _expected(fault, "jsonrpc")
        _check(answer, fault, failures)
        await _still_answers(ask)


@every_ending
async def test_a_plain_function_says_how_it_failed(stack: Stack, fault: Fault) -> None:
    async with stack.connect(_told(stack, [], fault)) as ask:
        called = await ask("tools/call", {"name": f"{PLAIN}{fault.name}", "arguments": {}})
        read = await ask("resources/read", {"uri": f"fault://{PLAIN}{fault.name}"})
        got = await ask("prompts/get", {"name": f"{PLAIN}{fault.name}"})

        assert _facts(called) == _expected(fault, fault.from_tool)
        assert [_facts(read), _facts(got)] == [_expected(fault, "jsonrpc")] * 2
        await _still_answers(ask)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.name)
async def test_a_request_no_handler_can_serve_is_answered(stack: Stack, request_: Request) -> None:
    if stack.kind == "lowlevel" or stack.kind in request_.lacking:
        pytest.skip("the author's handlers decide")
    failures: list[Failure] = []
    async with stack.connect(_told(stack, failures)) as ask:
        answer = await ask(request_.method, request_.params)

        number = request_.number if request_.channel == "jsonrpc" else None
        assert (answer.channel, answer.number) == (request_.channel, number)
        assert request_.code in (None, answer.error.get("name"))
        assert request_.text in answer.text
        assert SECRET not in repr(answer)
        assert {**answer.error, **request_.data} == answer.error
        assert [failure.error_id for failure in failures] == (
            [answer.error["error_id"]] if answer.error else []
        )
        await _still_answers(ask)


async def test_what_succeeds_is_left_alone(stack: Stack) -> None:
    call = ("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
    async with stack.connect(stack.server()) as ask:
        bare = await ask(*call)
    async with stack.connect(install(stack.server(), ErrorPolicy(log=False))) as ask:
        assert await ask(*call) == bare


async def test_half_a_character_in_a_low_level_result_is_the_servers_failure(stack: Stack) -> None:
    if stack.kind != "lowlevel":
        pytest.skip("their tools take numbers")
    server = install(stack.server(), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "add", "arguments": {"a": "half \ud83d", "b": " of it"}})
        whole = await ask("tools/call", {"name": "add", "arguments": {"a": "whole 😀", "b": ""}})
    assert (answer.channel, answer.error["name"]) == ("result", "SerializationError")
    assert (whole.channel, whole.text) == ("success", "whole 😀")


def _installed(stack: Stack, fault: Fault, failures: list[Failure]) -> Any:
    if fault.needs_tool_error and stack.kind == "lowlevel":
        pytest.skip("has no such class")
    return _told(stack, failures, fault)


def _told(stack: Stack, failures: list[Failure], *faults: Fault) -> Any:
    return install(stack.server(*faults), ErrorPolicy(log=False, observers=(failures.append,)))


def _facts(answer: Answer) -> dict[str, Any]:
    return {
        "channel": answer.channel,
        "number": answer.number,
        "name": answer.error.get("name"),
        "retryable": answer.error.get("retryable"),
    }


def _expected(fault: Fault, channel: str) -> dict[str, Any]:
    return {
        "channel": channel,
        "number": fault.number if channel == "jsonrpc" else None,
        "name": fault.code,
        "retryable": fault.retryable,
    }


def _check(answer: Answer, fault: Fault, failures: list[Failure]) -> None:
    error = answer.error
    assert [failure.error_id for failure in failures] == [error["error_id"]]
    assert fault.text in error["message"]
    assert all(
        said in answer.text for said in (fault.text, error["error_id"], error["data"]["recovery"]["hint"])
    )
    assert {**error["data"], **fault.data} == error["data"]
    assert answer.structured in (None, {"error": error})
    assert SECRET not in repr(answer)


async def _still_answers(ask: Ask) -> None:
    answer = await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
    assert (answer.channel, answer.text) == ("success", "3")
