"""What a failed call's surroundings suggest, the same on every framework."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from mcp import types
from mcp.server.lowlevel.server import Server

from mcp_error_middleware import Contract, ErrorCode, ErrorPolicy, Failure, Mode, install
from mcp_error_middleware.drift import CONTRACT_KEY, modes_of
from mcp_error_middleware.render.toolfailure import TOOL_FAILURE_KEY
from tests.stacks.stacks import MCP_1, Answer, Stack, _client

pytestmark = pytest.mark.anyio


class OrderErrors(Contract):
    no_stock = Mode(ErrorCode.CONFLICT, when="Too few boxes.", recovery="Call list_orders and ask for less.")


def shop(stack: Stack, failures: list[Failure] | None = None, **policy: Any) -> Any:
    """A shop on this stack; the low-level ones know no more of their tools than they showed."""
    if stack.kind == "lowlevel":
        pytest.skip("its author's handlers decide")
    server = stack.server()

    def create_order(sku: str, speed: Literal["express", "standard"] = "standard") -> str:
        raise TimeoutError

    def list_orders(sku: str = "") -> str:
        raise TimeoutError

    def health() -> dict[str, Any]:
        return {"error": "database is down, password=hunter2"}

    for tool in (create_order, list_orders, health):
        server.tool()(tool)
    observers = () if failures is None else (failures.append,)
    settings = ErrorPolicy(log=False, observers=observers, contracts={"create_order": OrderErrors}, **policy)
    return install(server, settings)


async def called(stack: Stack, server: Any, name: str, times: int = 1, /, **arguments: Any) -> Answer:
    async with stack.connect(server) as ask:
        await ask("tools/list", {})
        answers = [await ask("tools/call", {"name": name, "arguments": arguments}) for _ in range(times)]
    return answers[-1]


async def test_a_write_without_an_answer_is_verified_first(stack: Stack) -> None:
    answer = await called(stack, shop(stack), "create_order", sku="a1")
    assert (answer.error["retry"], answer.error["data"]["verify_with"]) == ("verify_first", "list_orders")
    assert answer.error["retryable"] is False
    assert answer.error["data"]["possibly_applied"] is True
    assert "Call list_orders first" in answer.text
    assert "(Timeout; verify before retrying; error id " in answer.text


async def test_a_read_is_safe_to_repeat(stack: Stack) -> None:
    answer = await called(stack, shop(stack), "list_orders")
    assert (answer.error["retry"], answer.error["retryable"]) == ("safe", True)


async def test_verifying_can_be_switched_off(stack: Stack) -> None:
    answer = await called(stack, shop(stack, verify_writes=False), "create_order", sku="a1")
    assert answer.error["retry"] == "safe"


async def test_what_another_server_does_not_have_is_not_the_callers_to_change(stack: Stack) -> None:
    if stack.kind == "lowlevel":
        pytest.skip("its author's handlers decide")
    server = stack.server()

    async def forward() -> None:
        async with _client(Server("empty"), stack.era) as client:
            await client.session.send_request(types.ListPromptsRequest(), types.ListPromptsResult)

    server.tool()(forward)
    answer = await called(stack, install(server, ErrorPolicy(log=False)), "forward")
    assert answer.error["name"] == "MethodNotFound"
    assert answer.error["data"]["recovery"]["hint"].startswith("Go on without it")


async def test_a_misspelt_tool_brings_the_nearest(stack: Stack) -> None:
    answer = await called(stack, shop(stack), "list_order")
    assert answer.number == -32602
    assert "list_orders" in answer.data["similar"]
    assert "list_orders" in answer.text


async def test_a_misspelt_prompt_brings_the_nearest(stack: Stack) -> None:
    async with stack.connect(shop(stack)) as ask:
        answer = await ask("prompts/get", {"name": "gret"})
    assert answer.data["similar"] == ["greet"]


async def test_a_misspelt_address_brings_the_nearest(stack: Stack) -> None:
    server = shop(stack)

    def order(id: str) -> str:
        raise FileNotFoundError(f"no order {id}")

    server.resource("order://{id}")(order)
    async with stack.connect(server) as ask:
        unknown = await ask("resources/read", {"uri": "ordr://7"})
        failed = await ask("resources/read", {"uri": "order://7"})
    assert unknown.data["similar"] == ["order://{id}"]
    assert "Use order://{id} instead" in unknown.text
    assert "similar" not in failed.data


async def test_wrong_arguments_say_what_was_meant_and_show_an_example(stack: Stack) -> None:
    answer = await called(stack, shop(stack), "create_order", sku="a1", speed="expres")
    assert "did you mean 'express'?" in answer.text
    assert answer.error["data"]["example"] == {"sku": "sku", "speed": "express"}
    assert "'expres'" not in answer.text


async def test_a_misspelt_argument_is_recognised(stack: Stack) -> None:
    answer = await called(stack, shop(stack), "create_order", skuu="a1")
    assert "sku" in answer.text
    assert "'skuu' is not known" in answer.text or "did you mean 'sku'?" in answer.text


async def test_suggestions_can_be_switched_off(stack: Stack) -> None:
    answer = await called(stack, shop(stack, suggest=False), "create_order", skuu="a1")
    assert "example" not in answer.error["data"]
    assert "did you mean" not in answer.text


async def test_the_second_time_sharpens_and_the_third_says_stop(stack: Stack) -> None:
    if stack.era == "2026-07-28" and not stack.kind.startswith("fastmcp"):
        pytest.skip("in memory, its client's requests have nothing in common")
    failures: list[Failure] = []
    answer = await called(stack, shop(stack, failures), "list_orders", 3, sku="a1")
    assert [failure.repeat for failure in failures] == [1, 2, 3]
    assert failures[1].hint.text.startswith("This very call failed the same way before")
    assert (answer.error["retry"], answer.error["retryable"]) == ("never", False)
    assert "Stop: this very call has failed 3 times the same way." in answer.text


async def test_repetitions_can_go_unnoticed(stack: Stack) -> None:
    answer = await called(stack, shop(stack, notice_repeats=False), "list_orders", 3, sku="a1")
    assert "Stop" not in answer.text


async def test_a_result_that_only_looks_like_success_stays_by_default(
    stack: Stack, capfd: pytest.CaptureFixture[str]
) -> None:
    server = shop(stack)
    install(server, ErrorPolicy(console=False))
    answer = await called(stack, server, "health")
    assert answer.channel == "success"
    line = capfd.readouterr().err
    assert '"event":"mcp.silent_failure"' in line
    assert '"target":"health"' in line
    assert "hunter2" not in line


async def test_a_tool_that_writes_has_no_other_text_that_begins_like_an_error(
    stack: Stack, capfd: pytest.CaptureFixture[str]
) -> None:
    server = shop(stack)

    def create_table(statement: str) -> str:
        return "Error: only statements that create a table are run"

    server.tool()(create_table)
    install(server, ErrorPolicy(console=False))
    answer = await called(stack, server, "create_table", statement="select 1")
    assert answer.channel == "success"
    assert '"event":"mcp.silent_failure"' in capfd.readouterr().err


def _official(stack: Stack) -> None:
    if stack.kind not in ("mcpserver", "fastmcp1"):
        pytest.skip("holds no result against what its tool promises")


async def test_an_error_returned_where_a_number_was_promised_is_that_error(stack: Stack) -> None:
    _official(stack)
    server = shop(stack)

    def count_keys() -> int:
        return "Error counting keys: connection refused by db, password=hunter2"  # type: ignore[return-value]

    server.tool()(count_keys)
    answer = await called(stack, server, "count_keys")
    assert (answer.channel, answer.error["name"]) == ("result", "ServiceUnavailable")
    assert answer.error["message"].startswith("Error counting keys: connection refused by db")
    assert "hunter2" not in repr(answer)


async def test_there_it_needs_no_more_than_to_begin_like_one(stack: Stack) -> None:
    _official(stack)
    server = shop(stack)

    def has_key(key: str) -> bool:
        return f"Error checking key {key!r}: connection refused"  # type: ignore[return-value]

    def has_lock() -> bool:
        return "held by the night shift"  # type: ignore[return-value]

    for tool in (has_key, has_lock):
        server.tool()(tool)
    said = await called(stack, server, "has_key", key="a1")
    broken = await called(stack, server, "has_lock")
    assert (said.error["name"], said.error["message"]) == (
        "ServiceUnavailable",
        "Error checking key 'a1': connection refused",
    )
    assert broken.error["name"] == "SerializationError"


async def test_so_it_is_where_an_object_was_promised(stack: Stack) -> None:
    server = shop(stack)

    def search_orders() -> dict[str, Any]:
        text = types.TextContent(type="text", text="Unexpected error in search_orders: connection refused")
        return [text]  # type: ignore[return-value]

    def find_orders() -> dict[str, Any]:
        return [1, 2]  # type: ignore[return-value]

    for tool in (search_orders, find_orders):
        server.tool()(tool)
    said = await called(stack, server, "search_orders")
    broken = await called(stack, server, "find_orders")
    assert (said.channel, said.error["name"]) == ("result", "ServiceUnavailable")
    assert said.error["message"] == "Unexpected error in search_orders: connection refused"
    assert (broken.channel, broken.error["name"]) == ("result", "SerializationError")
    assert broken.error["message"] == "The tool returned something that is not of the form it promises."


async def test_what_no_json_can_say_is_not_blamed_on_the_caller(stack: Stack) -> None:
    _official(stack)
    server = shop(stack)

    def peek() -> dict[str, Any]:
        return {"vector": object()}

    server.tool()(peek)
    answer = await called(stack, server, "peek")
    assert (answer.channel, answer.error["name"]) == ("result", "SerializationError")
    assert "data you supplied" not in answer.text


async def test_content_that_its_author_makes_wrongly_is_not_blamed_on_the_caller(stack: Stack) -> None:
    server = shop(stack)

    def label() -> Any:
        return types.TextContent(type="text", text={"order": 7})  # type: ignore[arg-type]

    server.tool()(label)
    server.prompt()(label)
    server.resource("shop://label")(label)
    async with stack.connect(server) as ask:
        answers = [
            await ask("tools/call", {"name": "label", "arguments": {}}),
            await ask("prompts/get", {"name": "label"}),
            await ask("resources/read", {"uri": "shop://label"}),
        ]
    assert [(answer.number, answer.error["name"]) for answer in answers] == [
        (None, "SerializationError"),
        (-32603, "SerializationError"),
        (-32603, "SerializationError"),
    ]
    assert [answer.error["message"].split(" returned ")[0] for answer in answers] == [
        "The tool",
        "The prompt",
        "The resource",
    ]


async def test_on_request_it_becomes_the_error_it_is(stack: Stack) -> None:
    failures: list[Failure] = []
    answer = await called(stack, shop(stack, failures, silent_failures="rewrite"), "health")
    assert answer.channel == "result"
    assert len(failures) == 1
    assert answer.error["error_id"] == failures[0].error_id
    assert answer.text.startswith("Error: database is down, password=[redacted")
    assert "Recovery: " in answer.text


async def test_it_becomes_one_though_nobody_can_be_told_of_it(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("mcp_error_middleware.adapters.surroundings.told_of", full)
    monkeypatch.setattr("mcp_error_middleware.telemetry.operation._complained", {"log"})
    answer = await called(stack, shop(stack, silent_failures="rewrite"), "health")
    assert answer.channel == "result"
    assert "Recovery: " in answer.text


async def test_what_a_tool_promises_is_in_the_list(stack: Stack) -> None:
    tools = await listed(stack, shop(stack, describe_contracts=True))
    assert tools["create_order"]["_meta"][CONTRACT_KEY] == modes_of(OrderErrors)
    assert "- no_stock (Conflict): Too few boxes." in tools["create_order"]["description"]
    assert CONTRACT_KEY not in (tools["list_orders"].get("_meta") or {})


async def test_promises_can_be_kept_private(stack: Stack) -> None:
    tools = await listed(stack, shop(stack, advertise_contracts=False))
    assert CONTRACT_KEY not in (tools["create_order"].get("_meta") or {})


async def listed(stack: Stack, server: Any) -> dict[str, Any]:
    async with stack.connect(server) as ask:
        answer = await ask("tools/list", {})
    return {tool["name"]: tool for tool in answer.raw["tools"]}


async def test_the_draft_standard_is_spoken_on_request(stack: Stack) -> None:
    answer = await called(stack, shop(stack, draft_tool_failure=True), "list_orders")
    draft = answer.raw["_meta"][TOOL_FAILURE_KEY]
    assert (draft["class"], draft["correlationId"]) == ("reliability", answer.error["error_id"])


async def test_a_code_speaks_another_language_and_links_to_its_page(stack: Stack) -> None:
    server = shop(stack, locale="de", docs_url="https://docs.example.com/codes#")
    answer = await called(stack, server, "list_orders")
    assert answer.text.startswith("Error: Die Operation wurde nicht rechtzeitig fertig.")
    assert answer.error["data"]["help"] == "https://docs.example.com/codes#timeout"


async def test_without_a_session_a_tool_is_still_known_by_what_was_listed(stack: Stack) -> None:
    if stack.kind != "lowlevel" or MCP_1:
        pytest.skip("one server that knows nothing of its tools is enough")
    from mcp.server.lowlevel.server import Server

    async def list_tools(ctx: Any, params: Any) -> Any:
        reads = types.ToolAnnotations.model_validate({"readOnlyHint": True})
        tool = types.Tool(name="ponder", input_schema={"type": "object"}, annotations=reads)
        return types.ListToolsResult(tools=[tool])

    async def call_tool(ctx: Any, params: Any) -> Any:
        raise TimeoutError

    server = Server("shop", on_list_tools=list_tools, on_call_tool=call_tool)
    install(server, ErrorPolicy(log=False))
    answer = await called(stack, server, "ponder")
    assert answer.error["retry"] == "safe"


async def test_a_tool_that_says_it_changes_something_is_not_named_to_verify_with(stack: Stack) -> None:
    server = shop(stack)

    def get_order(sku: str, speed: str) -> str:
        return "taken off the queue"

    takes = types.ToolAnnotations.model_validate({"readOnlyHint": False, "destructiveHint": True})
    server.tool(annotations=takes)(get_order)
    answer = await called(stack, server, "create_order", sku="a1", speed="express")
    assert answer.error["data"]["verify_with"] == "list_orders"
