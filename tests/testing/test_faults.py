from __future__ import annotations

from typing import Any

import pytest

from mcp_error_middleware import ErrorCode, ErrorPolicy, install
from mcp_error_middleware.testing import (
    Failures,
    Faults,
    assert_no_leak,
    assert_protocol_error,
    assert_spec_compliant,
    assert_tool_error,
)
from mcp_error_middleware.testing.memory import connected
from tests.stacks.stacks import FASTMCP, MCP_1

pytestmark = pytest.mark.anyio

SHIP = {"name": "ship", "arguments": {"order": "ord_1", "boxes": 2}}
ALL = {"uri": "orders://all"}
GREET = {"name": "greet", "arguments": {"name": "Anna"}}

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"


def installed(shop: Any) -> Any:
    return install(shop, ErrorPolicy(log=False))


async def test_a_tool_fails_as_asked_and_as_often_and_is_itself_again(
    shop: Any, mcp_faults: Faults, failures: Failures
) -> None:
    fault = mcp_faults(installed(shop)).tool("ship", raises=TimeoutError(f"db {SECRET}"), times=2)
    async with connected(shop) as client:
        answers = [await client.ask("tools/call", SHIP) for _ in range(3)]

    for answer in answers[:2]:
        assert_tool_error(answer, ErrorCode.TIMEOUT, retryable=False)
        assert_spec_compliant(answer)
    assert answers[2]["result"]["content"] == [{"type": "text", "text": "2 boxes of ord_1"}]
    assert fault.calls == 2
    assert failures.codes == [ErrorCode.TIMEOUT] * 2
    assert_no_leak(SECRET, answers, failures)


async def test_a_resource_and_a_prompt_fail_as_asked(
    shop: Any, mcp_faults: Faults, failures: Failures
) -> None:
    faults = mcp_faults(installed(shop))
    faults.resource("orders://all", raises=ConnectionRefusedError(111, "refused"))
    faults.prompt("greet", raises=KeyError(SECRET))
    async with connected(shop) as client:
        resource, prompt = await client.ask("resources/read", ALL), await client.ask("prompts/get", GREET)

    assert_protocol_error(resource, "ServiceUnavailable", retryable=True)
    assert_protocol_error(prompt, -32603)
    assert [failure.call.target for failure in failures] == ["orders://all", "greet"]
    assert_no_leak(SECRET, resource, prompt)


async def test_afterwards_everything_is_as_it_was(shop: Any) -> None:
    async with connected(installed(shop)) as client:
        with Faults() as faults:
            faults(shop).tool("ship", raises=KeyError)
            faults(shop).tool("ship", raises=TimeoutError)
            faults(shop).resource("orders://all", raises=KeyError)
            faults(shop).prompt("greet", raises=KeyError)
            # The last one planted is the first to act.
            assert_tool_error(await client.ask("tools/call", SHIP), "Timeout")
        answers = [
            await client.ask("tools/call", SHIP),
            await client.ask("resources/read", ALL),
            await client.ask("prompts/get", GREET),
        ]

    assert answers[0]["result"]["content"][0]["text"] == "2 boxes of ord_1"
    assert answers[1]["result"]["contents"][0]["text"] == "ord_1"
    assert answers[2]["result"]["messages"][0]["content"]["text"] == "Greet Anna."


async def test_a_delay_alone_lets_the_handler_go_on(shop: Any, mcp_faults: Faults) -> None:
    fault = mcp_faults(installed(shop)).tool("ship", delay=0.001)
    async with connected(shop) as client:
        answer = await client.ask("tools/call", SHIP)

    assert (fault.calls, answer["result"]["content"][0]["text"]) == (1, "2 boxes of ord_1")


async def test_a_bare_server_fails_as_its_sdk_lets_it(shop: Any, mcp_faults: Faults) -> None:
    mcp_faults(shop).tool("ship", raises=ValueError("no such order"))
    async with connected(shop) as client:
        answer = await client.ask("tools/call", SHIP)

    with pytest.raises(AssertionError):
        assert_tool_error(answer, "ValidationError", retryable=False, message="no such order at all")


async def test_arguments_are_validated_before_the_fault(
    shop: Any, mcp_faults: Faults, request: pytest.FixtureRequest
) -> None:
    if "lowlevel" in request.node.name:
        pytest.skip("the author's handler decides")
    fault = mcp_faults(installed(shop)).tool("ship", raises=KeyError)
    async with connected(shop) as client:
        answer = await client.ask("tools/call", {"name": "ship", "arguments": {"order": "ord_1"}})

    assert_tool_error(answer, "ValidationError", message="boxes is required")
    assert fault.calls == 0


@pytest.mark.parametrize("uri", ["order://{order}", "order://ord_7"])
async def test_a_template_fails_by_its_spelling_and_by_its_uris(
    shop: Any, mcp_faults: Faults, uri: str, request: pytest.FixtureRequest
) -> None:
    if "lowlevel" in request.node.name:
        pytest.skip("has no templates")
    mcp_faults(installed(shop)).resource(uri, raises=PermissionError(13, "denied"))
    async with connected(shop) as client:
        answer = await client.ask("resources/read", {"uri": "order://ord_7"})

    assert_protocol_error(answer, "Forbidden")


async def test_what_a_tool_cannot_have_meant_to_return_is_answered(shop: Any, mcp_faults: Faults) -> None:
    mcp_faults(installed(shop)).tool("ship", returns=object())
    async with connected(shop) as client:
        answer = await client.ask("tools/call", SHIP)

    assert "error" in answer or answer["result"]["isError"] is True
    assert_spec_compliant(answer, client.protocol_version)


def test_a_name_the_server_does_not_have_is_refused_at_once(
    shop: Any, mcp_faults: Faults, request: pytest.FixtureRequest
) -> None:
    if "lowlevel" in request.node.name:
        pytest.skip("knows no names")
    with pytest.raises(LookupError, match="the server has no tool 'shp'; it has: ship"):
        mcp_faults(shop).tool("shp", raises=KeyError)
    with pytest.raises(
        LookupError, match=r"no resource 'orders://none'; it has: order://{order}, orders://all"
    ):
        mcp_faults(shop).resource("orders://none", raises=KeyError)
    with pytest.raises(LookupError, match="the server has no prompt 'meet'; it has: greet"):
        mcp_faults(shop).prompt("meet", raises=KeyError)


def test_a_fault_says_what_it_needs(shop: Any, mcp_faults: Faults) -> None:
    with pytest.raises(ValueError, match="needs something to do: raises=, returns= or delay="):
        mcp_faults(shop).tool("ship")
    with pytest.raises(TypeError, match="takes an exception or a class of them, not 'TimeoutError'"):
        mcp_faults(shop).tool("ship", raises="TimeoutError")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"str has no handlers that are known here; pass a FastMCP"):
        mcp_faults("shop").tool("ship", raises=KeyError)


@pytest.mark.skipif(FASTMCP is None, reason="FastMCP is not installed")
async def test_a_tool_of_a_mounted_server_fails_under_its_outer_name(mcp_faults: Faults) -> None:
    from fastmcp import FastMCP

    from tests.testing.shops import SHOPS

    outer: Any = FastMCP("mall")
    outer.mount(SHOPS[f"fastmcp{FASTMCP}"](), "shop")
    mcp_faults(installed(outer)).tool("shop_ship", raises=TimeoutError, times=1)
    async with connected(outer) as client:
        answers = [await client.ask("tools/call", {**SHIP, "name": "shop_ship"}) for _ in range(2)]

    assert_tool_error(answers[0], "Timeout")
    assert answers[1]["result"]["content"][0]["text"] == "2 boxes of ord_1"


@pytest.mark.skipif(MCP_1, reason="mcp 1.x has no handlers but by decorator")
def test_a_server_without_a_handler_says_so(mcp_faults: Faults) -> None:
    from mcp.server.lowlevel.server import Server

    with pytest.raises(LookupError, match="the server has no handler for tools/call"):
        mcp_faults(Server("empty")).tool("ship", raises=KeyError)
