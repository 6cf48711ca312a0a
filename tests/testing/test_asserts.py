from __future__ import annotations

import json
import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from mcp import types

from mcp_error_middleware import Conflict, ErrorCode, ErrorPolicy, McpError, NotFound, install
from mcp_error_middleware.testing import Faults, assert_protocol_error, assert_tool_error
from mcp_error_middleware.testing.hostile import Biting, Raising, Unprintable, cycle
from mcp_error_middleware.testing.memory import connected
from tests.stacks.stacks import FASTMCP, MCP_1, ProtocolError
from tests.testing.shops import SHOPS

httpx: Any = import_module("httpx2" if find_spec("httpx2") else "httpx")

ERROR: dict[str, Any] = {
    "code": -32002,
    "name": "Conflict",
    "category": "conflict",
    "message": "Order ord_1 was shipped.",
    "retryable": False,
    "error_id": "3f9c2a7e1b40",
    "data": {"reason": "already_shipped", "recovery": {"hint": "Read the order first."}},
}
TEXT = """\
Error: Order ord_1 was shipped.
Recovery: Read the order first.
(Conflict; do not retry unchanged; error id 3f9c2a7e1b40)"""
RESULT: dict[str, Any] = {
    "content": [{"type": "text", "text": TEXT}],
    "_meta": {"io.github.mcp-error-middleware/error": ERROR},
    "isError": True,
}
WIRE: dict[str, Any] = {"code": -32600, "message": ERROR["message"], "data": ERROR}
MESSAGE = {"jsonrpc": "2.0", "id": 1, "result": RESULT}
REFUSAL = {"jsonrpc": "2.0", "id": 1, "error": WIRE}


def event_stream(message: dict[str, Any], indent: int | None = None) -> Any:
    noise = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
    said = [json.dumps(one, ensure_ascii=False, indent=indent).split("\n") for one in (noise, message)]
    body = "".join("event: message\n" + "".join(f"data: {line}\n" for line in one) + "\n" for one in said)
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=body)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(RESULT, id="result"),
        pytest.param(MESSAGE, id="message"),
        pytest.param(types.CallToolResult.model_validate(RESULT), id="model"),
        pytest.param(httpx.Response(200, json=MESSAGE), id="response"),
        pytest.param(event_stream(MESSAGE), id="event stream"),
        pytest.param(event_stream(MESSAGE, indent=1), id="event of several lines"),
        pytest.param(
            event_stream({**MESSAGE, "result": {**RESULT, "odd": "a\u2028b\x85c"}}), id="event of odd text"
        ),
        pytest.param(json.dumps(MESSAGE), id="text"),
        pytest.param(
            {"structuredContent": {"error": ERROR}, "content": [], "isError": True}, id="structured"
        ),
    ],
)
def test_a_tool_error_is_read_in_every_form_a_client_has_it_in(answer: object) -> None:
    error = assert_tool_error(
        answer, "Conflict", reason="already_shipped", retryable=False, message="was shipped"
    )

    assert (error.hint, error.error_id) == ("Read the order first.", "3f9c2a7e1b40")


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(REFUSAL, id="message"),
        pytest.param(WIRE, id="error"),
        pytest.param(types.ErrorData.model_validate(WIRE), id="model"),
        pytest.param(httpx.Response(400, json=REFUSAL), id="response"),
        pytest.param(event_stream(REFUSAL), id="event stream"),
        pytest.param(
            getattr(ProtocolError, "from_error_data", ProtocolError)(types.ErrorData.model_validate(WIRE)),
            id="exception",
        ),
    ],
)
def test_a_protocol_error_is_read_in_every_form_a_client_has_it_in(answer: object) -> None:
    error = assert_protocol_error(answer, -32600, reason="already_shipped", retryable=False)

    assert assert_protocol_error(answer, ErrorCode.CONFLICT, message=re.compile("^Order")) == error
    assert error.error_id == "3f9c2a7e1b40"


@pytest.mark.parametrize("code", [ErrorCode.CONFLICT, "Conflict", Conflict, -32002], ids=repr)
def test_a_code_can_be_named_in_every_way_it_is_known_by(code: Any) -> None:
    assert assert_tool_error(RESULT, code).name == "Conflict"


def test_a_difference_is_told_in_one_block_with_what_the_agent_reads() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_tool_error(RESULT, NotFound, reason=None, retryable=True, message="not found")

    assert str(caught.value).splitlines() == [
        "the tool error is not the one expected:",
        "  code: expected 'NotFound', got 'Conflict'",
        "  reason: expected None, got 'already_shipped'",
        "  retryable: expected True, got False",
        "  message: expected 'not found', got 'Order ord_1 was shipped.'",
        "the agent reads:",
        "  | Error: Order ord_1 was shipped.",
        "  | Recovery: Read the order first.",
        "  | (Conflict; do not retry unchanged; error id 3f9c2a7e1b40)",
    ]


@pytest.mark.parametrize(
    ("check", "answer", "problem"),
    [
        (assert_tool_error, REFUSAL, "expected a tool error, got a protocol error"),
        (
            assert_tool_error,
            {"content": [{"type": "text", "text": "shipped"}]},
            "expected a tool error, got success",
        ),
        (assert_tool_error, KeyError("x"), "expected a tool error, got no answer of a server but KeyError"),
        (assert_tool_error, None, "expected a tool error, got no answer of a server but NoneType"),
        (assert_protocol_error, RESULT, "expected a protocol error, got a tool error"),
    ],
)
def test_the_wrong_channel_is_named(check: Any, answer: object, problem: str) -> None:
    with pytest.raises(AssertionError, match=f"^{problem}\nthe agent reads:\n"):
        check(answer)


@pytest.mark.parametrize("make", [Raising, Biting, Unprintable, cycle, object])
def test_what_cannot_be_looked_at_is_no_answer(make: Any) -> None:
    with pytest.raises(AssertionError, match=r"^expected a tool error, got "):
        assert_tool_error(make())


def test_a_misspelt_code_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"'Notfound' is no code; did you mean 'NotFound'\?"):
        assert_tool_error(RESULT, "Notfound")
    with pytest.raises(TypeError, match="pass a member of ErrorCode, its label, or a class such as NotFound"):
        assert_tool_error(RESULT, McpError)


@pytest.mark.anyio
@pytest.mark.skipif(FASTMCP is None, reason="FastMCP is not installed")
async def test_what_the_client_of_fastmcp_returns_and_raises_is_read(mcp_faults: Faults) -> None:
    from fastmcp import Client
    from fastmcp.exceptions import ToolError

    server = install(SHOPS[f"fastmcp{FASTMCP}"](), ErrorPolicy(log=False))
    mcp_faults(server).tool("ship", raises=Conflict("Order ord_1 was shipped."))
    arguments = {"order": "ord_1", "boxes": 1}
    async with Client(server) as client:
        returned = await client.call_tool("ship", arguments, raise_on_error=False)
        with pytest.raises(ToolError) as caught:
            await client.call_tool("ship", arguments)

    for answer in (returned, caught, caught.value):
        assert_tool_error(answer, "Conflict", retryable=False, message="Order ord_1 was shipped.")


@pytest.mark.anyio
@pytest.mark.skipif(MCP_1, reason="of mcp 2.x")
async def test_what_the_official_client_returns_and_raises_is_read(mcp_faults: Faults) -> None:
    from mcp import Client

    server = install(SHOPS["mcpserver"](), ErrorPolicy(log=False))
    mcp_faults(server).tool("ship", raises=Conflict("Order ord_1 was shipped."))
    mcp_faults(server).resource("orders://all", raises=Conflict("Orders are being moved."))
    async with Client(server) as client:
        returned = await client.call_tool("ship", {"order": "ord_1", "boxes": 1})
        with pytest.raises(ProtocolError) as caught:
            await client.read_resource("orders://all")

    assert_tool_error(returned, "Conflict", retryable=False)
    assert_protocol_error(caught, "Conflict", message="Orders are being moved.")


@pytest.mark.anyio
async def test_every_stack_says_the_same(shop: Any, mcp_faults: Faults) -> None:
    mcp_faults(install(shop, ErrorPolicy(log=False))).tool("ship", raises=NotFound("No ord_1."))
    async with connected(shop) as client:
        answer = await client.ask("tools/call", {"name": "ship", "arguments": {"order": "ord_1", "boxes": 1}})

    assert_tool_error(answer, NotFound, retryable=False, message="No ord_1.")
