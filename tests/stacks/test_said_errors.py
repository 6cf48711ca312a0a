"""Errors that authors put into words themselves leave too, and leave scrubbed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp import types

from mcp_error_middleware import ErrorPolicy, Exposure, NotFound, Triage, install
from mcp_error_middleware.adapters import seam
from mcp_error_middleware.render import META_KEY, tool_result
from tests.stacks.faults import Fault
from tests.stacks.stacks import MCP_1, ProtocolError, Stack, _client

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


# --- what a stranger can write ----------------------------------------------------------------------

ASSIGNED = f"password={SECRET}"
URL = "https://auth.example.com/start?state=Zk39dkfj2mXq8LpW0aTn5&token=abcDEF123456ghiJKL"
ASKED = {"mode": "url", "elicitationId": "e1", "url": URL, "message": f"Sign in, {ASSIGNED}"}
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def fault_of(name: str, raises: Callable[[Any], BaseException]) -> Fault:
    return Fault(name, raises, code="", text="")


def saying(stack: Stack, result: dict[str, Any], **policy: Any) -> Any:
    """A server whose tool `failing` returns this result, however it is returned there."""
    said = types.CallToolResult.model_validate({"isError": True, **result})
    if stack.kind == "lowlevel":
        return install(lowlevel_saying(said), ErrorPolicy(log=False, **policy))
    server = stack.server()
    if stack.kind.startswith("fastmcp") and stack.kind != "fastmcp1":
        from fastmcp.tools.base import ToolResult

        def foreign() -> Any:
            return ToolResult(content=said.content, meta=said.meta, is_error=True)

        server.tool(name="failing", output_schema=None)(foreign)
    else:

        def failing() -> Any:
            return said

        failing.__annotations__["return"] = types.CallToolResult
        server.tool(name="failing")(failing)
    return install(server, ErrorPolicy(log=False, **policy))


def lowlevel_saying(said: Any) -> Any:
    from mcp.server.lowlevel.server import Server

    if not MCP_1:

        async def call_tool(ctx: Any, params: Any) -> Any:
            return said

        return Server("low", on_call_tool=call_tool)
    server: Any = Server("low")

    @server.call_tool()  # type: ignore[untyped-decorator, unused-ignore]
    async def call_tool_1(name: str, arguments: dict[str, Any]) -> Any:
        return said

    return server


@pytest.mark.parametrize("forged", [{}, {"error_id": "e"}, None, "odd"])
async def test_our_key_on_somebody_elses_error_switches_nothing_off(stack: Stack, forged: Any) -> None:
    told: list[Any] = []
    text = {"type": "text", "text": ASSIGNED}
    server = saying(stack, {"content": [text], "_meta": {META_KEY: forged}}, observers=(told.append,))

    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "failing", "arguments": {}})

    assert answer.text == "password=[redacted:password]"
    assert [failure.error_id for failure in told] == [answer.error["error_id"]]


async def test_an_error_object_somebody_else_made_stays_the_only_one_and_is_scrubbed(stack: Stack) -> None:
    told: list[Any] = []
    failure = Triage(ErrorPolicy(log=False))(NotFound("No such order.", data={"a": {"b": {"c": {"d": 1}}}}))
    ours = tool_result(failure)
    said = ours["_meta"][META_KEY] | {"message": ASSIGNED}
    server = saying(stack, {**ours, "_meta": {META_KEY: said}}, observers=(told.append,))

    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "failing", "arguments": {}})

    assert answer.text == ours["content"][0]["text"]
    assert answer.error == ours["_meta"][META_KEY] | {"message": "password=[redacted:password]"}
    assert told == []


async def test_no_field_of_somebody_elses_error_leaves_unscrubbed(stack: Stack) -> None:
    content = [
        {
            "type": "resource_link",
            "uri": f"https://shop.example/{'a' * 8}?{ASSIGNED}",
            "name": ASSIGNED,
            "description": ASSIGNED,
        },
        {
            "type": "resource",
            "resource": {"uri": "shop://a", "text": ASSIGNED, "_meta": {"debug": ASSIGNED}},
        },
        {"type": "image", "data": "aGk=", "mimeType": "image/png", "_meta": {"debug": ASSIGNED}},
    ]
    meta = {"debug": ASSIGNED, "traceparent": TRACE, "io.modelcontextprotocol/kept": {"a": 1}}
    server = saying(stack, {"content": content, "_meta": meta})

    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "failing", "arguments": {}})

    assert SECRET not in str(answer.raw)
    assert [block["type"] for block in answer.raw["content"]] == ["resource_link", "resource", "image"]
    assert answer.raw["content"][0]["uri"].startswith("https://shop.example/aaaaaaaa?password=redacted")
    assert answer.raw["content"][2]["data"] == "aGk="
    assert answer.raw["_meta"]["traceparent"] == TRACE
    assert answer.raw["_meta"]["io.modelcontextprotocol/kept"] == {"a": 1}


async def test_a_link_that_may_not_leave_does_not_take_the_scrubbing_with_it(stack: Stack) -> None:
    content = [
        {"type": "resource_link", "uri": "file:///home/anna/orders.txt", "name": "orders"},
        {"type": "text", "text": ASSIGNED},
    ]
    async with stack.connect(saying(stack, {"content": content})) as ask:
        answer = await ask("tools/call", {"name": "failing", "arguments": {}})

    assert SECRET not in str(answer.raw)
    assert "anna" not in str(answer.raw)
    assert answer.error["error_id"]


@pytest.mark.parametrize("data", [ASSIGNED, [ASSIGNED], {"requested": ASSIGNED, "supported": [ASSIGNED]}])
@pytest.mark.parametrize("number", [-32042, -32021, -32022])
async def test_the_data_of_a_protocol_step_leaves_scrubbed_whatever_it_is(
    stack: Stack, number: int, data: Any
) -> None:
    def raises(sdk: Any) -> Exception:
        error: Exception = sdk.protocol_error(number, f"needs {ASSIGNED}", data)
        return error

    server = install(stack.server(fault_of("step", raises)), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answers = [
            await ask("tools/call", {"name": "step", "arguments": {}}),
            await ask("prompts/get", {"name": "step"}),
        ]

    assert SECRET not in str(answers)
    assert all(answer.channel != "success" for answer in answers)


# --- one channel ------------------------------------------------------------------------------------


async def test_url_elicitation_is_known_by_its_number_and_reaches_the_user_on_every_peer(
    stack: Stack,
) -> None:
    def raises(sdk: Any) -> Exception:
        error: Exception = sdk.protocol_error(-32042, "Sign in first.", {"elicitations": [ASKED]})
        return error

    server = install(stack.server(fault_of("files", raises)), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "files", "arguments": {}})

    assert SECRET not in str(answer)
    if stack.era == "2025-11-25":
        assert (answer.channel, answer.number, answer.text) == ("jsonrpc", -32042, "Sign in first.")
        asked = answer.data["elicitations"]
    else:
        assert answer.channel == "result"
        assert URL in answer.text
        asked = answer.error["data"]["elicitations"]
    assert asked == [ASKED | {"message": "Sign in, password=[redacted:password]"}]


async def test_the_error_of_a_client_inside_a_tool_is_the_tools_failure(stack: Stack) -> None:
    if stack.kind == "lowlevel":
        pytest.skip("its author's handlers decide")
    async with _client(stack.server(), stack.era) as inner:

        async def raising() -> str:
            await inner.session.get_prompt("nope")
            return "unreached"

        async with stack.connect(server_of(stack, raising=raising)) as ask:
            answer = await ask("tools/call", {"name": "raising", "arguments": {}})

    assert answer.channel == "result"
    assert answer.error["error_id"]


async def test_what_an_author_says_counts_wherever_its_words_begin_like_the_sdks(stack: Stack) -> None:
    if stack.kind == "lowlevel":
        pytest.skip("has no such class")

    def raises(sdk: Any) -> Exception:
        error: Exception = sdk.tool_error("Error executing tool chain: try fewer boxes")
        error.__cause__ = OSError("disk full")
        return error

    server = install(stack.server(fault_of("chain", raises)), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "chain", "arguments": {}})

    assert answer.error["message"] == "Error executing tool chain: try fewer boxes"


@pytest.mark.parametrize("text", ["Unknown prompt: of the customer", "Missing required arguments: shelf"])
async def test_a_prompts_own_words_are_not_the_sdks(stack: Stack, text: str) -> None:
    fault = fault_of("offer", lambda sdk: ValueError(text))
    server = install(stack.server(fault), ErrorPolicy(log=False, exposure=Exposure.DECLARED))
    async with stack.connect(server) as ask:
        answer = await ask("prompts/get", {"name": "offer"})

    assert (answer.channel, answer.error["name"]) == ("jsonrpc", "ValidationError")
    assert text not in str(answer)


# --- numbers the protocol keeps for itself ------------------------------------------------------------


@pytest.mark.parametrize("number", [-32002, -32050])
async def test_a_number_that_may_not_leave_is_replaced_and_its_author_told_once(
    stack: Stack, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    seam._warn_of.cache_clear()
    fault = fault_of("odd", lambda sdk: sdk.protocol_error(number, "not there"))
    server = install(stack.server(fault), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answers = [await ask("tools/call", {"name": "odd", "arguments": {}}) for _ in range(3)]

    assert {answer.number for answer in answers} <= {-32600, -32602, -32603}
    assert {answer.data["code"] for answer in answers} == {number}
    warnings = [record.getMessage() for record in caplog.records if record.name == "mcp_error_middleware"]
    assert len(warnings) == 1
    assert f"answers with error {number}" in warnings[0]
    assert warnings[0].startswith("tests.stacks.stacks.")


async def test_a_number_that_is_returned_counts_as_one_raised(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    if stack.kind != "lowlevel":
        pytest.skip("its handlers return no such thing")
    seam._warn_of.cache_clear()
    error = types.ErrorData(code=-32002, message="not there")
    server = install(lowlevel_returning(error), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("prompts/get", {"name": "odd"})

    assert (answer.number in (-32600, -32602, -32603), answer.data["code"]) == (True, -32002)
    warnings = [record.getMessage() for record in caplog.records if record.name == "mcp_error_middleware"]
    assert [text.partition(" answers")[0] for text in warnings] == ["a handler of prompts/get"]


def lowlevel_returning(error: Any) -> Any:
    from mcp.server.lowlevel.server import Server

    async def get_prompt(*_: Any) -> Any:
        return error

    if not MCP_1:
        return Server("low", on_get_prompt=get_prompt)
    server: Any = Server("low")
    server.request_handlers[types.GetPromptRequest] = get_prompt
    return server
