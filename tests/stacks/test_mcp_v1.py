"""What only mcp 1.x has: handlers in a table, a tool's exception as text, its own `FastMCP`."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import asyncio
import json
import operator
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import anyio
import pytest
from mcp import types as mcp_types

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
from mcp_error_middleware.render import META_KEY
from tests.stacks.faults import SECRET, httpx
from tests.stacks.stacks import MCP_1, Ask, ProtocolError, ask

if not MCP_1:
    pytest.skip("mcp 1.x is not installed", allow_module_level=True)

types: Any = mcp_types
FastMCP: Any = import_module("mcp.server.fastmcp").FastMCP
Server: Any = import_module("mcp.server.lowlevel").Server
ToolError: Any = import_module("mcp.server.fastmcp.exceptions").ToolError
UrlElicitationRequiredError: Any = import_module("mcp.shared.exceptions").UrlElicitationRequiredError
memory: Any = import_module("mcp.shared.memory")

pytestmark = pytest.mark.anyio


@pytest.fixture
def failures() -> list[Failure]:
    """What the observers were told."""
    return []


@asynccontextmanager
async def session_with(server: Any) -> AsyncIterator[Any]:
    async with memory.create_connected_server_and_client_session(server) as session:
        yield session


@asynccontextmanager
async def connected(server: Any) -> AsyncIterator[Ask]:
    async with session_with(server) as session:
        yield lambda method, params: ask(session, method, params)


def call(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "tools/call", {"name": name, "arguments": arguments}


def told(failures: list[Failure], **settings: Any) -> ErrorPolicy:
    return ErrorPolicy(log=False, observers=(failures.append,), **settings)


def failing(name: str = "shop") -> Any:
    server = FastMCP(name)

    @server.tool()
    async def lookup() -> int:
        raise ValueError("no such shelf")

    return server


def low(
    handler: Callable[[str, dict[str, Any]], Awaitable[Any]], output_schema: dict[str, Any] | None = None
) -> Any:
    """A low-level server with one tool, `n`, that takes a number."""
    server = Server("low")
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    @server.list_tools()
    async def listed() -> list[Any]:
        return [types.Tool(name="n", inputSchema=schema, outputSchema=output_schema)]

    server.call_tool()(handler)
    return server


async def crash(*_: Any) -> Any:
    raise KeyError(SECRET)


# --- on and off ---------------------------------------------------------------------------------


async def test_installed_twice_it_answers_once_with_the_second_ones_triage(failures: list[Failure]) -> None:
    first: list[Failure] = []
    server = install(install(failing(), told(first)), told(failures))

    async with connected(server) as ask:
        await ask(*call("lookup"))

    assert first == []
    assert [failure.message for failure in failures] == ["no such shelf"]


async def test_uninstalling_leaves_the_server_as_it_was() -> None:
    server = failing()._mcp_server
    before, tables = dict(server.__dict__), (server.request_handlers, server.notification_handlers)

    uninstall(install(server, told([])))

    assert server.__dict__ == before
    assert (server.request_handlers, server.notification_handlers) == tables
    assert type(server.request_handlers) is dict


@pytest.mark.parametrize("by", ["table", "earlier reference", "decorator"])
async def test_a_handler_registered_later_is_answered_too(by: str) -> None:
    server = Server("low")
    earlier = server.request_handlers
    install(server, told([]))
    if by == "decorator":
        server.list_prompts()(crash)
    else:
        table = earlier if by == "earlier reference" else server.request_handlers
        table[types.ListPromptsRequest] = crash

    async with connected(server) as ask:
        answer = await ask("prompts/list", {})

    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32603, "InternalError")
    assert uninstall(server).request_handlers is earlier
    assert types.ListPromptsRequest in earlier


@pytest.mark.parametrize(
    "door",
    [lambda s: s, lambda s: s._mcp_server, lambda s: s.streamable_http_app() and s.session_manager],
    ids=["server", "low-level server", "session manager"],
)
async def test_every_door_leads_to_the_same_server(
    door: Callable[[Any], Any], failures: list[Failure]
) -> None:
    server = promising()

    target = door(server)
    assert install(target, told(failures)) is target
    install(server._mcp_server, told(failures))
    async with connected(server) as ask:
        answer = await ask(*call("lookup"))

    assert answer.error["data"]["recovery"] == {"hint": "Call list_shelves."}
    assert [failure.error_id for failure in failures] == [answer.error["error_id"]]


# --- calls from code ----------------------------------------------------------------------------


async def test_a_call_from_code_raises_as_before(failures: list[Failure]) -> None:
    server = install(failing(), told(failures))

    with pytest.raises(ToolError) as raised:
        await server.call_tool("lookup", {})

    assert str(raised.value) == "Error executing tool lookup: no such shelf"
    assert failures == []


async def test_a_tool_can_catch_what_a_tool_it_calls_raises(failures: list[Failure]) -> None:
    server = failing()

    @server.tool()
    async def careful() -> str:
        try:
            await server.call_tool("lookup", {})
        except ToolError as error:
            return f"caught {error}"
        return "nothing raised"

    async with connected(install(server, told(failures))) as ask:
        answer = await ask(*call("careful"))

    assert answer.text == "caught Error executing tool lookup: no such shelf"
    assert failures == []


async def test_what_a_nested_call_raises_is_answered_once_as_what_it_was(failures: list[Failure]) -> None:
    server = failing()

    @server.tool()
    async def careless() -> Any:
        return await server.call_tool("lookup", {})

    async with connected(install(server, told(failures))) as ask:
        answer = await ask(*call("careless"))

    assert [(failure.call.target, failure.message) for failure in failures] == [("careless", "no such shelf")]
    assert answer.error["name"] == "ValidationError"


@pytest.mark.parametrize(
    "ask_for", [operator.getitem, lambda table, key: table.get(key)], ids=["index", "get"]
)
async def test_a_handler_called_by_code_answers_as_before(
    ask_for: Callable[[Any, Any], Any], failures: list[Failure]
) -> None:
    server = install(failing(), told(failures))
    request = types.CallToolRequest(params=types.CallToolRequestParams(name="lookup", arguments={}))

    @server.tool()
    async def indirect() -> str:
        handler = ask_for(server._mcp_server.request_handlers, types.CallToolRequest)
        text: str = (await handler(request)).root.content[0].text
        return text

    async with connected(server) as ask:
        answer = await ask(*call("indirect"))
    outside = await ask_for(server._mcp_server.request_handlers, types.CallToolRequest)(request)

    assert (answer.channel, answer.text) == ("success", "Error executing tool lookup: no such shelf")
    assert outside.root.content[0].text == answer.text
    assert failures == []


async def test_another_server_called_over_its_own_wire_answers_for_itself(failures: list[Failure]) -> None:
    inner, outer = install(failing("inner"), told(failures)), FastMCP("outer")

    @outer.tool()
    async def ask_inner() -> str:
        async with session_with(inner) as session:
            text: str = (await session.call_tool("lookup", {})).content[0].text
        raise RateLimited(text)

    async with connected(install(outer, told(failures))) as ask:
        answer = await ask(*call("ask_inner"))

    assert [failure.call.target for failure in failures] == ["lookup", "ask_inner"]
    assert answer.error["message"].startswith("no such shelf\n")


async def test_calls_at_the_same_time_get_their_own_answers() -> None:
    server, waiting, gate = FastMCP("shop"), [], asyncio.Event()

    @server.tool()
    async def wait(item: str) -> str:
        waiting.append(item)
        if len(waiting) == 3:
            gate.set()
        await gate.wait()
        raise NotFound(f"No {item}.")

    async with connected(install(server, told([]))) as ask:
        answers = await asyncio.gather(*(ask(*call("wait", item=item)) for item in "abc"))

    assert [answer.error["message"] for answer in answers] == ["No a.", "No b.", "No c."]


# --- results ------------------------------------------------------------------------------------


async def test_a_returned_error_keeps_everything_it_says(failures: list[Failure]) -> None:
    content = [types.TextContent(type="text", text="Sold out.")]
    said = types.CallToolResult(content=content, structuredContent={"left": 0}, _meta={"a": 1}, isError=True)

    async def refuse(*_: Any) -> Any:
        return said

    async with session_with(install(low(refuse), told(failures))) as session:
        result = await session.call_tool("n", {"n": 1})

    assert (result.content, result.structuredContent, result.meta["a"]) == (content, {"left": 0}, 1)
    assert result.meta[META_KEY]["error_id"] == failures[0].error_id


async def test_a_returned_error_that_has_its_object_is_passed_on(failures: list[Failure]) -> None:
    upstream: list[Failure] = []
    inner = install(failing("inner"), told(upstream))

    async def proxy(name: str, arguments: dict[str, Any]) -> Any:
        async with session_with(inner) as session:
            return await session.call_tool("lookup", {})

    async with connected(install(low(proxy), told(failures))) as ask:
        answer = await ask(*call("n", n=1))

    assert [failure.error_id for failure in upstream] == [answer.error["error_id"]]
    assert failures == []


async def test_structured_content_has_the_error_only_where_no_schema_forbids_it() -> None:
    server = failing()

    @server.tool()
    async def free() -> dict[str, Any]:
        raise ValueError("no such shelf")

    async with connected(install(server, told([]))) as ask:
        closed, open_ = await ask(*call("lookup")), await ask(*call("free"))

    assert closed.structured is None
    assert open_.structured == {"error": open_.error}


async def test_a_widened_schema_is_advertised_and_then_always_served() -> None:
    server = failing()

    @server.tool()
    async def odd() -> int:
        return "many"  # type: ignore[return-value]

    install(server, told([], widen_output_schema=True))
    async with session_with(server) as session:
        schemas = {tool.name: tool.outputSchema for tool in (await session.list_tools()).tools}
        answer = await ask(session, *call("lookup"))
        unfit = await ask(session, *call("odd"))

    assert schemas["lookup"]["anyOf"][1] == {"required": ["error"]}
    assert answer.structured == {"error": answer.error}
    assert unfit.error["name"] == "SerializationError"


UNFIT = "The tool returned something that is not of the form it promises."


async def test_a_result_that_breaks_a_tools_promise_is_not_the_callers_fault() -> None:
    server = FastMCP("shop")

    @server.tool()
    async def count() -> int:
        return SECRET  # type: ignore[return-value]

    async with connected(install(server, told([]))) as ask:
        answer = await ask(*call("count"))

    assert (answer.channel, answer.error["name"], answer.error["message"]) == (
        "result",
        "SerializationError",
        UNFIT,
    )
    assert SECRET not in repr(answer)


@pytest.mark.parametrize("returned", [{"left": SECRET}, [], 7])
async def test_so_it_is_on_a_low_level_server(returned: Any, failures: list[Failure]) -> None:
    async def handler(*_: Any) -> Any:
        return returned

    schema = {"type": "object", "properties": {"left": {"type": "integer"}}, "required": ["left"]}
    async with connected(install(low(handler, schema), told(failures))) as ask:
        answer = await ask(*call("n", n=1))

    assert (answer.channel, answer.error["name"], answer.error["message"]) == (
        "result",
        "SerializationError",
        UNFIT,
    )
    assert SECRET not in repr(answer)
    assert len(failures) == 1


async def test_nothing_that_a_low_level_handler_returns_is_the_callers_fault() -> None:
    server = Server("low")

    @server.call_tool()  # type: ignore[untyped-decorator, unused-ignore]
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        return ["no block of content"]

    @server.read_resource()  # type: ignore[untyped-decorator, unused-ignore]
    async def read_resource(uri: Any) -> Any:
        return 7

    @server.get_prompt()  # type: ignore[untyped-decorator, unused-ignore]
    async def get_prompt(name: str, arguments: Any) -> Any:
        return 7

    async with connected(install(server, told([]))) as ask:
        answers = [
            await ask(*call("any")),
            await ask("resources/read", {"uri": "shop://any"}),
            await ask("prompts/get", {"name": "any"}),
        ]

    assert [(answer.number, answer.error["name"]) for answer in answers] == [
        (None, "SerializationError"),
        (-32603, "SerializationError"),
        (-32603, "SerializationError"),
    ]


# --- what the SDK makes of a failure --------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"), [({"n": SECRET}, "n must be of type integer"), ({}, "n is required")]
)
async def test_a_low_level_tool_names_wrong_arguments_without_their_values(
    arguments: dict[str, Any], text: str
) -> None:
    async with connected(install(low(crash), told([]))) as ask:
        answer = await ask(*call("n", **arguments))

    assert (answer.channel, answer.error["name"]) == ("result", "ValidationError")
    assert text in answer.text
    assert SECRET not in repr(answer)


async def test_the_words_of_the_sdk_are_the_authors_where_an_author_says_them() -> None:
    async def handler(*_: Any) -> Any:
        raise ValueError("Output validation error: the label is too long")

    async with connected(install(low(handler), told([]))) as ask:
        answer = await ask(*call("n", n=1))

    assert (answer.error["name"], answer.error["message"]) == (
        "ValidationError",
        "Output validation error: the label is too long",
    )


async def test_a_list_that_fails_fails_the_call_that_needs_it() -> None:
    server = Server("low")
    server.list_tools()(crash)
    server.call_tool()(crash)

    async with connected(install(server, told([]))) as ask:
        listed, called = await ask("tools/list", {}), await ask(*call("n"))

    assert (listed.channel, listed.number, listed.error["name"]) == ("jsonrpc", -32603, "InternalError")
    assert (called.channel, called.error["name"]) == ("result", "InternalError")


async def test_a_completion_that_fails_is_a_protocol_error() -> None:
    server = FastMCP("shop")
    server.completion()(crash)

    async with connected(install(server, told([]))) as ask:
        answer = await ask(
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "x"}},
        )

    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32603, "InternalError")
    assert SECRET not in repr(answer)


async def test_a_failing_notification_is_recorded_and_goes_no_further(failures: list[Failure]) -> None:
    server = failing()

    async def stop(_: Any) -> None:
        raise SystemExit(3)

    server._mcp_server.notification_handlers[types.RootsListChangedNotification] = stop
    install(server, told(failures))
    async with session_with(server) as session:
        await session.send_roots_list_changed()
        answer = await ask(session, *call("lookup"))

    assert [(failure.call.method, failure.call.transport) for failure in failures] == [
        ("notifications/roots/list_changed", "stdio"),
        ("tools/call", "stdio"),
    ]
    assert answer.channel == "result"


async def test_an_error_that_is_returned_is_as_good_as_one_raised(failures: list[Failure]) -> None:
    server = Server("low")

    async def handler(_: Any) -> Any:
        return types.ErrorData(code=-32050, message="via return", data={"password": SECRET, "o": object()})

    server.request_handlers[types.ListPromptsRequest] = handler
    async with connected(install(server, told(failures))) as ask:
        answer = await ask("prompts/list", {})

    assert (answer.channel, answer.number, answer.error["code"]) == ("jsonrpc", -32603, -32050)
    assert SECRET not in repr(answer)
    assert len(failures) == 1


async def test_the_template_of_a_resource_fails_as_a_resource() -> None:
    server = FastMCP("shop")

    @server.resource("order://{number}")
    async def order(number: int) -> str:
        raise NotFound(f"Order {number} was not found.")

    async with connected(install(server, told([]))) as ask:
        answer = await ask("resources/read", {"uri": "order://7"})
        unfit = await ask("resources/read", {"uri": f"order://{SECRET}"})

    assert (answer.channel, answer.number, answer.error["uri"]) == ("jsonrpc", -32602, "order://7")
    assert "Order 7 was not found." in answer.text
    assert (unfit.number, unfit.error["name"]) == (-32602, "ValidationError")
    assert SECRET not in repr(unfit)


async def test_a_resource_read_by_a_tool_fails_the_tool_as_what_it_was() -> None:
    server = FastMCP("shop")

    @server.resource("stock://all")
    def stock() -> str:
        raise RateLimited("Slow down.", retry_after=3)

    @server.tool()
    async def total() -> str:
        return str(await server.read_resource("stock://all"))

    async with connected(install(server, told([]))) as ask:
        answer = await ask(*call("total"))

    assert (answer.channel, answer.error["name"], answer.error["data"]["retry_after"]) == (
        "result",
        "RateLimited",
        3,
    )


async def test_a_prompt_that_returns_nonsense_is_not_the_callers_fault() -> None:
    server = FastMCP("shop")

    @server.prompt()
    def greet() -> Any:
        return [{"role": SECRET}]

    async with connected(install(server, told([]))) as ask:
        answer = await ask("prompts/get", {"name": "greet"})

    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32603, "SerializationError")
    assert SECRET not in repr(answer)


# --- the SDK's own log ---------------------------------------------------------------------------

LOG = "mcp.server.fastmcp.server"


def logging_server() -> Any:
    """Whose prompt and resource fail, and a tool that deals with that."""
    server = FastMCP("shop")

    @server.prompt()
    def report() -> str:
        raise ConnectionRefusedError(111, f"connect to {SECRET} refused")

    @server.resource("shop://stock")
    def stock() -> str:
        raise ConnectionRefusedError(111, f"connect to {SECRET} refused")

    @server.tool()
    async def careful() -> str:
        try:
            await server.read_resource("shop://stock")
        except Exception:
            return "caught"
        return "nothing raised"

    return server


REPORT = ("prompts/get", {"name": "report"})
STOCK = ("resources/read", {"uri": "shop://stock"})


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == LOG]


@pytest.mark.parametrize("request_", [REPORT, STOCK])
async def test_what_was_answered_is_not_logged_a_second_time(
    caplog: pytest.LogCaptureFixture, failures: list[Failure], request_: tuple[str, dict[str, Any]]
) -> None:
    async with connected(install(logging_server(), told(failures))) as ask:
        await ask(*request_)

    assert (said(caplog), len(failures)) == ([], 1)


async def test_what_nobody_else_is_told_of_is_logged_as_before(caplog: pytest.LogCaptureFixture) -> None:
    async with connected(install(logging_server(), ErrorPolicy(log=False))) as ask:
        await ask(*REPORT)

    assert said(caplog) == ["Error getting prompt report"]


async def test_a_failure_that_was_dealt_with_inside_is_logged_as_before(
    caplog: pytest.LogCaptureFixture, failures: list[Failure]
) -> None:
    async with connected(install(logging_server(), told(failures))) as ask:
        await ask(*call("careful"))

    assert (said(caplog), failures) == (["Error reading resource shop://stock"], [])


async def test_a_server_it_was_taken_off_logs_as_before(
    caplog: pytest.LogCaptureFixture, failures: list[Failure]
) -> None:
    server = install(logging_server(), told(failures))
    uninstall(server)
    async with connected(server) as ask:
        await ask(*REPORT)

    assert said(caplog) == ["Error getting prompt report"]


async def test_what_was_being_handled_when_a_tool_was_not_found_is_not_what_failed() -> None:
    server = FastMCP("shop")

    @server.tool()
    async def fall_back() -> Any:
        try:
            raise TimeoutError
        except TimeoutError:
            return await server.call_tool("nope", {})

    async with connected(install(server, told([]))) as ask:
        answer = await ask(*call("fall_back"))

    assert (answer.channel, answer.error["message"]) == ("result", "Unknown tool: nope")


async def test_a_triage_that_fails_is_answered_without_details() -> None:
    class Broken(Triage):
        def __call__(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError(SECRET)

    server = failing()

    @server.tool()
    def returns() -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=SECRET)], isError=True)

    async with connected(install(server, triage=Broken())) as ask:
        answers = [await ask(*call("lookup")), await ask(*call("returns"))]

    assert [(answer.channel, answer.number) for answer in answers] == [("jsonrpc", -32603)] * 2
    assert SECRET not in repr(answers)


async def test_a_genuine_cancellation_is_nobodys_failure(failures: list[Failure]) -> None:
    server, entered, left = failing(), asyncio.Event(), asyncio.Event()

    @server.tool()
    async def wait() -> int:
        entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            left.set()
        return 1

    async with session_with(install(server, told(failures))) as session:
        calling = asyncio.create_task(ask(session, *call("wait")))
        await entered.wait()
        params = types.CancelledNotificationParams(requestId=session._request_id - 1)
        await session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
        answer = await calling
        await asyncio.wait_for(left.wait(), 10)

        assert (answer.number, answer.text) == (0, "Request cancelled")
        assert failures == []
        assert (await ask(session, *call("lookup"))).channel == "result"


@pytest.mark.parametrize("way", ["returns", "raises", "refuses", "finishes"])
async def test_a_tool_that_will_not_be_cancelled_does_not_end_the_server(way: str) -> None:
    server, entered, told_so, left = failing(), asyncio.Event(), asyncio.Event(), asyncio.Event()

    @server.tool()
    async def wait() -> str:
        entered.set()
        try:
            with anyio.CancelScope(shield=way == "finishes"):
                await told_so.wait()
        except asyncio.CancelledError:
            if way == "raises":
                raise ValueError("too late") from None
            if way == "refuses":
                raise ProtocolError(types.ErrorData(code=-32602, message="too late")) from None
        finally:
            left.set()
        return "too late"

    async with session_with(install(server, ErrorPolicy(log=False))) as session:
        calling = asyncio.create_task(ask(session, *call("wait")))
        await entered.wait()
        params = types.CancelledNotificationParams(requestId=session._request_id - 1)
        await session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
        answer = await calling
        told_so.set()
        await asyncio.wait_for(left.wait(), 10)

        assert (answer.number, answer.text) == (0, "Request cancelled")
        assert (await ask(session, *call("lookup"))).channel == "result"


# --- protocol errors on purpose -----------------------------------------------------------------


async def test_what_a_client_inside_a_tool_raises_is_a_failed_call() -> None:
    server = FastMCP("gateway")

    @server.tool()
    async def read() -> str:
        async with session_with(FastMCP("inner")) as session:
            return str(await session.read_resource("nothing://here"))

    async with connected(install(server, told([]))) as ask:
        answer = await ask(*call("read"))

    assert answer.channel == "result"


ELICITED = "https://auth.test/start?state=eyJhbGciOi"


def elicit(*_: Any) -> Any:
    wanted = {"mode": "url", "message": "Log in", "url": ELICITED, "elicitationId": "e1"}
    raise UrlElicitationRequiredError([types.ElicitRequestURLParams.model_validate(wanted)])


def eliciting(**settings: Any) -> Any:
    server = FastMCP("shop", **settings)

    @server.tool()
    async def login() -> int:
        number: int = elicit()
        return number

    @server.resource("private://here")
    def private() -> str:
        text: str = elicit()
        return text

    return server


@pytest.mark.parametrize("asked", [call("login"), ("resources/read", {"uri": "private://here"})])
async def test_a_url_elicitation_stays_one_with_its_data(
    asked: tuple[str, dict[str, Any]], failures: list[Failure]
) -> None:
    async with connected(install(eliciting(), told(failures))) as ask:
        answer = await ask(*asked)

    assert (answer.channel, answer.number, answer.text) == ("jsonrpc", -32042, "URL elicitation required")
    assert [asked["url"] for asked in answer.data["elicitations"]] == [ELICITED]
    assert failures == []


async def post(server: Any, version: str) -> Any:
    """One call over HTTP, without a session; only the header tells the version."""
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": version}
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "login"}}
    transport = httpx.ASGITransport(server.streamable_http_app())
    async with (
        server.session_manager.run(),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        return (await client.post("/mcp", json=message, headers=headers)).json()


async def test_a_notification_that_came_by_http_says_so() -> None:
    server, done, told_of = FastMCP("shop", json_response=True), anyio.Event(), list[Failure]()

    async def fail(_: Any) -> None:
        raise ValueError("no such shelf")

    def tell(failure: Failure) -> None:
        told_of.append(failure)
        done.set()

    server._mcp_server.notification_handlers[types.RootsListChangedNotification] = fail
    install(server, ErrorPolicy(log=False, observers=(tell,)))
    transport = httpx.ASGITransport(server.streamable_http_app())
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    }
    headers = {"accept": "application/json, text/event-stream"}
    async with (
        server.session_manager.run(),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", headers=headers) as client,
    ):
        opened = await client.post(
            "/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        )
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        for name in ("initialized", "roots/list_changed"):
            await client.post(
                "/mcp", json={"jsonrpc": "2.0", "method": f"notifications/{name}"}, headers=session
            )
        with anyio.fail_after(10):
            await done.wait()

    call = told_of[0].call
    assert (call.transport, call.session_id) == ("http", session["mcp-session-id"])


async def test_a_peer_that_knows_no_url_elicitation_is_told_the_url() -> None:
    server = install(eliciting(stateless_http=True, json_response=True), told([]))

    result = (await post(server, "2025-06-18"))["result"]

    assert result["isError"]
    assert f"Ask the user to open {ELICITED}, then call the tool again." in result["content"][0]["text"]


async def test_without_a_session_the_header_says_what_the_peer_knows() -> None:
    server = install(eliciting(stateless_http=True, json_response=True), told([]))

    assert (await post(server, "2025-11-25"))["error"]["code"] == -32042


@pytest.mark.parametrize("data", [object(), b"\xff", {"o": {1, 2}}, float("nan"), "\ud83d"])
async def test_an_errors_data_is_always_json(data: Any) -> None:
    server = FastMCP("shop")

    @server.tool()
    async def odd() -> int:
        raise ProtocolError(types.ErrorData(code=-32602, message="odd \ud83d", data=data))

    async with session_with(install(server, told([]))) as session:
        answer = await ask(session, *call("odd"))

    assert answer.channel == "jsonrpc"
    json.dumps(answer.data, allow_nan=False).encode()


# --- contracts ----------------------------------------------------------------------------------


class Shelves(Contract):
    no_shelf = Mode(ErrorCode.NOT_FOUND, when="The shelf is not there.", recovery="Call list_shelves.")


def promising() -> Any:
    server = FastMCP("shop")

    @server.tool()
    @raises(Shelves)
    async def lookup() -> int:
        raise NotFound("No shelf 7.", reason="no_shelf")

    @server.tool()
    @raises(Shelves)
    async def promised() -> dict[str, Any]:
        return recovery_for("no_shelf")

    @server.tool()
    async def unpromised() -> dict[str, Any]:
        return recovery_for("no_shelf")

    return server


async def test_the_contract_of_a_tool_gives_its_hint() -> None:
    async with connected(install(promising(), told([]))) as ask:
        answer = await ask(*call("lookup"))

    assert answer.error["data"] == {"reason": "no_shelf", "recovery": {"hint": "Call list_shelves."}}


async def test_a_contract_holds_while_its_own_tool_runs() -> None:
    async with connected(install(promising(), told([]))) as ask:
        answers = [(await ask(*call(name))).structured for name in ("promised", "unpromised")]

    assert answers == [{"recovery": {"hint": "Call list_shelves."}}, {}]


async def test_a_contract_can_be_given_to_a_low_level_tool() -> None:
    async def handler(*_: Any) -> Any:
        raise NotFound(str(recovery_for("no_shelf")), reason="no_shelf")

    server = install(low(handler), triage=Triage(told([], contracts={"n": Shelves})))
    async with connected(server) as ask:
        answer = await ask(*call("n", n=1))

    assert answer.error["message"] == "{'recovery': {'hint': 'Call list_shelves.'}}"
    assert answer.error["data"]["recovery"] == {"hint": "Call list_shelves."}


# --- the other FastMCP ----------------------------------------------------------------------------


async def test_a_fastmcp_that_has_no_seams_we_know_is_served_by_the_sdk_under_it(
    monkeypatch: pytest.MonkeyPatch, failures: list[Failure]
) -> None:
    fastmcp = pytest.importorskip("fastmcp")
    # As it is with FastMCP 2, which the adapter of its own cannot be imported with.
    monkeypatch.setitem(sys.modules, "mcp_error_middleware.adapters.fastmcp", None)
    server = fastmcp.FastMCP("shop")

    @server.tool
    def ship(boxes: int) -> str:
        if boxes < 1:
            raise ValueError("boxes must be at least 1")
        raise ConnectionRefusedError(111, f"connect to {SECRET} refused")

    @server.resource("order://{id}")
    def order(id: str) -> str:
        raise PermissionError(f"order {id} is not yours")

    assert install(server, told(failures)) is server
    async with fastmcp.Client(server) as client:
        wrong = await ask(client.session, *call("ship", boxes=0))
        refused = await ask(client.session, *call("ship", boxes=1))
        unknown = await ask(client.session, *call("shp"))
        forbidden = await ask(client.session, "resources/read", {"uri": "order://7"})

    assert (wrong.channel, wrong.error["name"], wrong.error["message"]) == (
        "result",
        "ValidationError",
        "boxes must be at least 1",
    )
    assert (refused.channel, refused.error["name"]) == ("result", "ServiceUnavailable")
    assert SECRET not in repr(refused)
    assert (unknown.number, unknown.error["name"]) == (-32602, "InvalidParams")
    assert (forbidden.number, forbidden.error["name"]) == (-32600, "Forbidden")
    assert len(failures) == 4

    uninstall(server)
    async with fastmcp.Client(server) as client:
        bare = await ask(client.session, *call("ship", boxes=0))
    assert bare.text == "Error calling tool 'ship': boxes must be at least 1"
