import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import jsonschema
import mcp_types as types
import pytest
from mcp import Client
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError
from starlette.applications import Starlette

from mcp_error_middleware import (
    Contract,
    ErrorCode,
    ErrorPolicy,
    Failure,
    Mode,
    NotFound,
    RateLimited,
    Triage,
    install,
    raises,
    recovery_for,
    uninstall,
)
from mcp_error_middleware.adapters import asgi, fastmcp, seam
from mcp_error_middleware.adapters.mcp_v2 import ErrorMiddleware
from mcp_error_middleware.adapters.seam import warn_of_no_server
from mcp_error_middleware.render import META_KEY

ERAS = ["legacy", "2026-07-28"]


def talk(server: Any, scenario: Callable[[Client], Awaitable[Any]], mode: str = "legacy") -> Any:
    async def run() -> Any:
        async with Client(server, mode=mode) as client:
            try:
                return await scenario(client)
            except MCPError as error:
                # Out of the client's task group it would come in an ExceptionGroup.
                return error

    answer = anyio.run(run)
    if isinstance(answer, MCPError):
        raise answer
    return answer


def call(server: Any, tool: str, arguments: dict[str, Any] | None = None, mode: str = "legacy") -> Any:
    return talk(server, lambda client: client.call_tool(tool, arguments or {}), mode)


def told(server: Any) -> list[Failure]:
    failures: list[Failure] = []
    install(server, ErrorPolicy(observers=(failures.append,), log=False))
    return failures


@pytest.fixture
def server() -> MCPServer[Any]:
    server = MCPServer("shop")

    @server.tool()
    def fails(how: str) -> dict[str, Any]:
        raise {
            "value": ValueError("boxes must be positive"),
            "key": KeyError("hunter2"),
            "ours": NotFound("No order 'ord_9'.", data={"order": "ord_9"}),
            "tool": ToolError("The shop is closed."),
            "protocol": MCPError(-32050, "odd", {"a": 1}),
        }[how]

    @server.tool()
    def typed() -> int:
        raise ValueError("never")

    @server.tool()
    def works() -> str:
        return "fine"

    return server


@pytest.mark.parametrize("mode", ERAS)
def test_a_failing_tool_answers_with_text_meta_and_structured_content(
    server: MCPServer[Any], mode: str
) -> None:
    failures = told(server)

    result = call(server, "fails", {"how": "ours"}, mode)

    error = result.meta[META_KEY]
    assert result.is_error
    assert result.content[0].text.startswith("Error: No order 'ord_9'.\n")
    assert (error["name"], error["data"]["order"]) == ("NotFound", "ord_9")
    assert result.structured_content == {"error": error}
    assert [failure.error_id for failure in failures] == [error["error_id"]]
    assert failures[0].call.tool == "fails"


def test_a_tool_with_a_closed_output_schema_keeps_the_error_out_of_structured_content(
    server: MCPServer[Any],
) -> None:
    told(server)

    result = call(server, "typed")

    assert result.structured_content is None
    assert result.meta[META_KEY]["name"] == "ValidationError"


def test_the_original_exception_is_the_one_that_is_triaged(server: MCPServer[Any]) -> None:
    failures = told(server)

    call(server, "fails", {"how": "key"})

    assert [cause.type for cause in failures[0].causes] == ["KeyError"]


def test_what_an_author_says_with_the_sdks_own_class_is_declared(server: MCPServer[Any]) -> None:
    told(server)

    assert call(server, "fails", {"how": "tool"}).content[0].text.startswith("Error: The shop is closed.\n")


@pytest.mark.parametrize("mode", ERAS)
def test_a_protocol_error_keeps_its_channel_but_not_a_forbidden_number(
    server: MCPServer[Any], mode: str
) -> None:
    told(server)

    with pytest.raises(MCPError) as raised:
        call(server, "fails", {"how": "protocol"}, mode)

    assert raised.value.code == -32603
    assert raised.value.message.startswith("odd")
    assert (raised.value.data["code"], raised.value.data["a"]) == (-32050, 1)


@pytest.mark.parametrize("mode", ERAS)
def test_an_unknown_tool_is_a_protocol_error(server: MCPServer[Any], mode: str) -> None:
    told(server)

    with pytest.raises(MCPError) as raised:
        call(server, "nothing", {}, mode)

    assert raised.value.code == -32602


def test_wrong_arguments_are_named_without_their_values(server: MCPServer[Any]) -> None:
    told(server)

    result = call(server, "fails", {"how": ["hunter2"]})

    assert "how" in result.content[0].text
    assert "hunter2" not in str(result)


def test_a_good_call_is_untouched(server: MCPServer[Any]) -> None:
    before = call(server, "works")
    told(server)

    assert call(server, "works") == before


def test_installing_twice_answers_once_and_uninstalling_restores(server: MCPServer[Any]) -> None:
    bare = call(server, "fails", {"how": "value"})
    layers = list(server.middleware)
    told(server)
    failures = told(server)

    call(server, "fails", {"how": "value"})
    uninstall(server)

    assert len(failures) == 1
    assert server.middleware == layers
    assert call(server, "fails", {"how": "value"}) == bare


def test_anothers_override_of_a_servers_method_is_respected_and_given_back(server: MCPServer[Any]) -> None:
    seen: list[str] = []
    plain = server.call_tool

    async def counted(name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        seen.append(name)
        return await plain(name, arguments, context)

    vars(server)["call_tool"] = counted
    failures = told(server)
    call(server, "fails", {"how": "value"})
    uninstall(server)

    assert (len(failures), seen) == (1, ["fails"])
    assert vars(server)["call_tool"] is counted


def test_a_call_from_code_keeps_raising(server: MCPServer[Any]) -> None:
    failures = told(server)

    @server.tool()
    async def nested() -> str:
        with pytest.raises(ToolError):
            await server.call_tool("fails", {"how": "value"})
        return "caught"

    assert call(server, "nested").content[0].text == "caught"
    assert failures == []
    with pytest.raises(ToolError):
        anyio.run(server.call_tool, "fails", {"how": "value"})


def test_a_contract_beside_the_tool_reaches_the_wire_and_service_code(server: MCPServer[Any]) -> None:
    class Errors(Contract):
        full = Mode(ErrorCode.RATE_LIMITED, when="Full.", recovery="Wait until the queue is shorter.")

    seen = []

    @server.tool()
    @raises(Errors)
    def queue() -> str:
        seen.append(recovery_for("full"))
        raise RateLimited("Too many.", reason="full")

    told(server)
    error = call(server, "queue").meta[META_KEY]

    assert seen == [{"recovery": {"hint": "Wait until the queue is shorter."}}]
    assert error["data"]["recovery"]["hint"] == "Wait until the queue is shorter."
    assert error["data"]["reason"] == "full"


def test_a_contract_given_from_outside_is_active_while_the_tool_runs(server: MCPServer[Any]) -> None:
    class Errors(Contract):
        full = Mode(ErrorCode.RATE_LIMITED, when="Full.", recovery="Wait until the queue is shorter.")

    seen = []

    @server.tool()
    def queue() -> str:
        seen.append(recovery_for("full"))
        return "queued"

    install(server, ErrorPolicy(contracts={"queue": Errors}, log=False))
    call(server, "queue")

    assert seen == [Errors.recovery_for("full")]


# --- results ---


def test_a_returned_error_keeps_its_words_and_gains_the_error_object(server: MCPServer[Any]) -> None:
    @server.tool()
    def refuses() -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text="No rooms left.")], is_error=True)

    failures = told(server)
    result = call(server, "refuses")

    assert result.content[0].text == "No rooms left."
    assert result.meta[META_KEY]["message"] == "No rooms left."
    assert [failure.error_id for failure in failures] == [result.meta[META_KEY]["error_id"]]


@pytest.mark.parametrize("mode", ERAS)
def test_a_result_that_breaks_its_own_promise_is_not_the_callers_fault(
    server: MCPServer[Any], mode: str
) -> None:
    @server.tool()
    def count() -> int:
        return "hunter2"  # type: ignore[return-value]

    told(server)
    result = call(server, "count", mode=mode)

    assert result.meta[META_KEY]["name"] == "SerializationError"
    assert "hunter2" not in str(result)


def test_a_widened_schema_lets_structured_content_carry_every_error(server: MCPServer[Any]) -> None:
    install(server, ErrorPolicy(widen_output_schema=True, log=False))

    async def scenario(client: Client) -> tuple[Any, Any]:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        return tools["typed"].output_schema, await client.call_tool("typed", {})

    schema, result = talk(server, scenario)

    assert "error" in schema["properties"]
    assert result.structured_content["error"] == result.meta[META_KEY]


# --- resources, prompts, completion ---


@pytest.fixture
def others(server: MCPServer[Any]) -> MCPServer[Any]:
    @server.resource("res://crash")
    def crash() -> str:
        raise ValueError("hunter2 is not the password")

    @server.resource("res://gone")
    def gone() -> str:
        raise ResourceNotFoundError("That report was deleted.")

    @server.resource("res://said")
    def said() -> str:
        raise ResourceError("The archive is closed today.")

    @server.resource("res://late")
    def late() -> str:
        raise TimeoutError("after 30 s at db.internal")

    @server.prompt()
    def greet(name: str) -> str:
        raise KeyError("hunter2")

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(*_: Any) -> Any:
        raise TimeoutError

    return server


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("uri", "code", "name"),
    [
        ("res://crash", -32602, "ValidationError"),
        ("res://gone", -32602, "NotFound"),
        ("res://said", -32603, "InternalError"),
        ("res://late", -32603, "Timeout"),
        ("res://nowhere", -32602, "NotFound"),
    ],
)
def test_a_failing_resource_is_a_protocol_error_with_the_facts(
    others: MCPServer[Any], uri: str, code: int, name: str, mode: str
) -> None:
    failures = told(others)

    with pytest.raises(MCPError) as raised:
        talk(others, lambda client: client.read_resource(uri), mode)

    assert (raised.value.code, raised.value.data["name"]) == (code, name)
    assert raised.value.data["error_id"] == failures[0].error_id
    assert "db.internal" not in str(raised.value.data)
    if name == "NotFound":
        assert raised.value.data["uri"] == uri


def test_the_sdk_writes_no_traceback_of_a_resource(
    others: MCPServer[Any], caplog: pytest.LogCaptureFixture
) -> None:
    told(others)

    with pytest.raises(MCPError):
        talk(others, lambda client: client.read_resource("res://late"), "auto")

    assert [record for record in caplog.records if record.exc_info] == []


def test_a_resource_read_by_a_tool_keeps_raising(others: MCPServer[Any]) -> None:
    @others.tool()
    async def archive(ctx: Context[Any]) -> str:
        try:
            await ctx.read_resource("res://late")
        except ResourceError as exc:
            return f"raised {exc}"
        return "returned"

    told(others)

    assert "raised Error reading resource res://late" in str(talk(others, lambda c: c.call_tool("archive")))


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("prompt", "arguments", "code", "name"),
    [
        ("greet", {"name": "x"}, -32603, "InternalError"),
        ("greet", {}, -32602, "InvalidParams"),
        ("nothing", {}, -32602, "InvalidParams"),
    ],
)
def test_a_failing_prompt_is_a_protocol_error_of_the_right_kind(
    others: MCPServer[Any], prompt: str, arguments: dict[str, str], code: int, name: str, mode: str
) -> None:
    told(others)

    with pytest.raises(MCPError) as raised:
        talk(others, lambda client: client.get_prompt(prompt, arguments), mode)

    assert (raised.value.code, raised.value.data["name"]) == (code, name)
    assert "hunter2" not in str(raised.value.data)


def test_a_failing_completion_is_classified_by_its_cause(others: MCPServer[Any]) -> None:
    told(others)
    reference = types.PromptReference(name="greet")

    with pytest.raises(MCPError) as raised:
        talk(others, lambda client: client.complete(reference, {"name": "name", "value": "x"}))

    assert raised.value.data["name"] == "Timeout"


# --- URL elicitation ---


@pytest.fixture
def eliciting() -> MCPServer[Any]:
    server = MCPServer("eliciting")

    @server.tool()
    def files() -> str:
        raise UrlElicitationRequiredError(
            [
                types.ElicitRequestURLParams(
                    message="Sign in", url="https://example.com/auth?token=t0k3n", elicitation_id="1"
                )
            ]
        )

    return server


def test_a_peer_that_knows_url_elicitation_gets_it_whole(eliciting: MCPServer[Any]) -> None:
    told(eliciting)

    with pytest.raises(MCPError) as raised:
        call(eliciting, "files")

    assert raised.value.code == -32042
    assert raised.value.data["elicitations"][0]["url"] == "https://example.com/auth?token=t0k3n"


def test_a_newer_peer_gets_the_urls_in_words(eliciting: MCPServer[Any]) -> None:
    told(eliciting)

    result = call(eliciting, "files", mode="2026-07-28")

    assert result.is_error
    assert "https://example.com/auth?token=t0k3n" in result.content[0].text


# --- the low-level server ---


def low(handler: Callable[[Any, Any], Awaitable[Any]]) -> Server[Any]:
    async def listed(ctx: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[])

    return Server("low", on_call_tool=handler, on_list_tools=listed)


@pytest.mark.parametrize("mode", ERAS)
def test_a_low_level_tool_that_raises_answers_as_a_tool(mode: str) -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        raise RuntimeError("password=hunter2")

    server = low(handler)
    told(server)

    result = call(server, "any", {}, mode)

    assert result.is_error
    assert result.meta[META_KEY]["name"] == "InternalError"
    assert "hunter2" not in str(result)


PAGES = [
    types.Tool(
        name="ship_order",
        input_schema={"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
    ),
    types.Tool(name="get_order", input_schema={"type": "object"}),
]


def in_pages(handler: Callable[[Any, Any], Awaitable[Any]]) -> Server[Any]:
    """A server that lists one tool a page."""

    async def listed(ctx: Any, params: Any) -> Any:
        assert ctx.method == "tools/list"
        at = int(params.cursor or 0)
        return types.ListToolsResult(tools=[PAGES[at]], next_cursor=None if at else "1")

    return Server("low", on_call_tool=handler, on_list_tools=listed)


@pytest.mark.parametrize("mode", ERAS)
def test_a_low_level_server_s_list_is_asked_where_its_client_did_not(mode: str) -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        jsonschema.validate(params.arguments, PAGES[0].input_schema)
        raise TimeoutError

    server = in_pages(handler)
    told(server)

    wrong = call(server, "ship_order", {"ordr": "7"}, mode).meta[META_KEY]["data"]
    assert wrong["issues"][0]["problem"] == "is required, and 'ordr' is not known; did you mean 'order'?"
    assert wrong["example"] == {"order": "order"}
    assert (
        call(server, "ship_order", {"order": "7"}, mode).meta[META_KEY]["data"]["verify_with"] == "get_order"
    )


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "answer", [7, types.ErrorData(code=-32050, message="via return", data={"password": "hunter2"})]
)
def test_a_low_level_handler_that_returns_nonsense_or_an_error_is_answered(answer: Any, mode: str) -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        return answer

    server = low(handler)
    failures = told(server)

    with pytest.raises(MCPError) as raised:
        call(server, "any", {}, mode)

    assert raised.value.code == -32603
    assert "hunter2" not in str(raised.value.data)
    assert len(failures) == 1


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("stray", [asyncio.CancelledError, SystemExit, GeneratorExit])
def test_what_would_end_the_session_is_answered_and_the_session_lives(
    stray: type[BaseException], mode: str
) -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        if params.name == "works":
            return types.CallToolResult(content=[types.TextContent(text="fine")])
        raise stray

    server = low(handler)
    told(server)

    async def scenario(client: Client) -> tuple[bool, str]:
        failed = await client.call_tool("stray", {})
        worked: Any = await client.call_tool("works", {})
        return failed.is_error, worked.content[0].text

    assert talk(server, scenario, mode) == (True, "fine")


def test_a_target_that_cannot_be_served_says_what_can() -> None:
    with pytest.raises(TypeError, match=r"^cannot install on dict; pass a FastMCP server, or an MCPServer"):
        install({})


@pytest.mark.parametrize("mode", ERAS)
def test_the_sdks_own_way_in_answers_as_install_does(mode: str) -> None:
    failures: list[Failure] = []
    policy = ErrorPolicy(observers=(failures.append,), log=False)

    async def first(ctx: Any, call_next: Any) -> Any:
        return await call_next(ctx)

    server = MCPServer("shop", middleware=[ErrorMiddleware(policy=policy), first])

    @server.tool()
    def ship() -> str:
        raise ConnectionRefusedError(111, "Connection refused")

    answer = call(server, "ship", mode=mode)

    assert [type(failure.exception) for failure in failures] == [ConnectionRefusedError]
    assert answer.meta[META_KEY]["error_id"] == failures[0].error_id
    assert answer.is_error


def test_what_was_installed_stays_where_the_middleware_is_too() -> None:
    server = MCPServer("shop", middleware=[ErrorMiddleware(policy=ErrorPolicy(log=False))])
    failures = told(server)

    @server.tool()
    def ship() -> str:
        raise ValueError("no boxes")

    answer = call(server, "ship")

    assert [failure.error_id for failure in failures] == [answer.meta[META_KEY]["error_id"]]


@pytest.mark.parametrize("made", [ErrorMiddleware, fastmcp.ErrorMiddleware], ids=["mcp_v2", "fastmcp"])
def test_a_middleware_that_cannot_tell_its_server_says_so_and_hands_on(
    made: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    async def inner(ctx: Any) -> str:
        return f"{ctx} answered"

    warn_of_no_server.cache_clear()
    layer = made(policy=ErrorPolicy(log=False))

    assert [anyio.run(layer, "request", inner) for _ in range(2)] == ["request answered"] * 2
    assert [record.message for record in caplog.records] == [
        "ErrorMiddleware cannot tell which server it is of, and answers nothing; call install(server) instead"
    ]


@pytest.mark.parametrize(
    "made",
    [ErrorMiddleware, fastmcp.ErrorMiddleware, partial(asgi.ErrorMiddleware, Starlette())],
    ids=["mcp_v2", "fastmcp", "asgi"],
)
def test_a_middleware_refuses_what_is_no_triage_where_it_is_made(made: Callable[..., Any]) -> None:
    with pytest.raises(
        TypeError, match=r"^triage is ErrorPolicy\(.*\); pass a Triage, as in Triage\(policy\)$"
    ):
        made(ErrorPolicy())


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_what_a_middleware_of_the_authors_raises_leaves_scrubbed_and_is_recorded() -> None:
    failures: list[Failure] = []
    server = MCPServer("shop")

    async def refusing(ctx: Any, call_next: Any) -> Any:
        if ctx.method == "tools/call":
            raise MCPError(-32002, "refused for password=hunter2-hunter2", {"password": "hunter2-hunter2"})
        return await call_next(ctx)

    server._lowlevel_server.middleware.append(refusing)
    install(server, ErrorPolicy(log=False, observers=(failures.append,)))
    async with Client(server) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("anything", {})
    assert "hunter2" not in str(raised.value.error)
    assert raised.value.error.code != -32002
    assert len(failures) == 1


class Broken(Triage):
    def __call__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("hunter2-hunter2")


@pytest.mark.parametrize("tool", ["raises", "returns", "unknown"])
def test_a_triage_that_fails_is_answered_without_details(tool: str) -> None:
    server = MCPServer("shop")

    @server.tool()
    def raises() -> str:
        raise ValueError("hunter2-hunter2")

    @server.tool()
    def returns() -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text="hunter2-hunter2")], is_error=True)

    install(server, triage=Broken())
    with pytest.raises(MCPError) as raised:
        call(server, tool)
    assert raised.value.error == types.ErrorData(
        code=-32603, message="An internal error stopped the operation."
    )


@pytest.mark.anyio
async def test_a_tool_called_by_a_resource_keeps_raising() -> None:
    server = MCPServer("shop")

    @server.tool()
    def price() -> str:
        raise KeyError("x")

    @server.resource("shop://prices/{day}")
    async def prices(day: str, ctx: Context[Any]) -> str:
        try:
            await server.call_tool("price", {}, ctx)
        except Exception as exc:
            return f"raised {type(exc).__name__}"
        return "returned"

    install(server, ErrorPolicy(log=False))
    async with Client(server) as client:
        result = await client.read_resource("shop://prices/monday")
    assert "raised" in str(result)


@pytest.mark.anyio
async def test_a_tool_its_author_does_not_list_is_not_suggested() -> None:
    class Choosy(MCPServer[Any]):
        async def list_tools(self, *args: Any, **options: Any) -> Any:
            return []

    server = Choosy("shop")

    @server.tool()
    def admin_delete_user() -> str:
        return "gone"

    install(server, ErrorPolicy(log=False))
    async with Client(server) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("admin_delete_users", {})
    assert "admin_delete_user" not in str(raised.value.error).replace("admin_delete_users", "")
    assert "similar" not in raised.value.error.data


@pytest.mark.parametrize("mode", ERAS)
def test_an_error_that_a_handler_returns_as_plain_data_leaves_scrubbed(mode: str) -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        return {"content": [{"type": "text", "text": "password=hunter2-hunter2"}], "isError": True}

    low: Any = Server("low", on_call_tool=handler)
    failures = told(low)
    result = call(low, "any", mode=mode)

    assert result.content[0].text == "password=[redacted:password]"
    assert result.meta[META_KEY]["error_id"] == failures[0].error_id


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("returned", [None, {"content": 5}, 5, object()])
def test_what_a_handler_returns_that_nobody_can_send_is_a_failure_of_the_server(
    returned: Any, mode: str
) -> None:
    async def handler(ctx: Any, params: Any) -> Any:
        return returned

    low: Any = Server("low", on_call_tool=handler)
    failures = told(low)
    with pytest.raises(MCPError) as raised:
        call(low, "any", mode=mode)

    assert raised.value.code == -32603
    assert [failure.error_id for failure in failures] == [raised.value.data["error_id"]]


def test_a_low_level_handler_need_not_check_what_its_schema_requires() -> None:
    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        schema = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
        return types.ListToolsResult(tools=[types.Tool(name="ship", input_schema=schema)])

    async def call_tool(context: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text=params.arguments["order"])])

    server = install(Server("shop", on_list_tools=list_tools, on_call_tool=call_tool), ErrorPolicy(log=False))

    async def scenario(client: Client) -> Any:
        await client.list_tools()
        return await client.call_tool("ship", {"ordr": "7"})

    answer = talk(server, scenario)

    assert answer.content[0].text.startswith(
        "Error: Validation failed: order is required, and 'ordr' is not known; did you mean 'order'?\n"
    )


# --- structured content that was promised ---------------------------------------------------------


def bare(text: str) -> Server[Any]:
    """A server of its author's own handlers; `count` promises a number, `greet` nothing, both say a text."""
    promise = {"type": "object", "properties": {"result": {"type": "integer"}}}

    async def list_tools(ctx: Any, params: Any) -> Any:
        count = types.Tool(name="count", input_schema={"type": "object"}, output_schema=promise)
        return types.ListToolsResult(tools=[count, types.Tool(name="greet", input_schema={"type": "object"})])

    async def call_tool(ctx: Any, params: Any) -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    return Server("low", on_list_tools=list_tools, on_call_tool=call_tool)


@pytest.mark.parametrize("mode", ERAS)
def test_a_tool_without_the_structured_content_it_promises_has_failed(mode: str) -> None:
    server = bare("seven")
    failures = told(server)

    async def scenario(client: Client) -> Any:
        await client.list_tools()
        return await client.call_tool("count"), await client.call_tool("greet")

    broken, well = talk(server, scenario, mode)

    assert broken.is_error
    assert broken.content[0].text.startswith(
        "Error: The tool returned something that is not of the form it promises.\n"
    )
    assert (well.is_error, well.content[0].text) == (False, "seven")
    assert [failure.code for failure in failures] == [ErrorCode.SERIALIZATION_ERROR]


def test_where_it_says_an_error_instead_it_is_that_error() -> None:
    server = bare("Error: connection refused")
    told(server)

    async def scenario(client: Client) -> Any:
        await client.list_tools()
        return await client.call_tool("count")

    answer = talk(server, scenario)

    assert answer.meta[META_KEY]["message"] == "connection refused"


def test_a_peer_that_knows_no_structured_content_misses_none() -> None:
    assert not seam.knows_structure("2025-03-26")
    assert not seam.knows_structure(None)
    assert seam.knows_structure("2025-06-18")
    assert seam.knows_structure("2026-07-28")
