"""What only FastMCP has: mounts, proxies, nesting, masking, timeouts, its own middleware and its own log."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from typing import Any

import pytest

from mcp_error_middleware import (
    Contract,
    ErrorCode,
    ErrorPolicy,
    Failure,
    Mode,
    NotFound,
    Triage,
    install,
    raises,
    recovery_for,
    uninstall,
)
from mcp_error_middleware.render import META_KEY
from tests.stacks.faults import SECRET
from tests.stacks.stacks import FASTMCP, MCP_1, Ask, ProtocolError, ask

if FASTMCP is None:
    pytest.skip("FastMCP is not installed", allow_module_level=True)

from fastmcp import Client, Context, FastMCP
from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.prompts import function_prompt
from fastmcp.server.middleware import Middleware
from fastmcp.server.middleware.error_handling import ErrorHandlingMiddleware
from fastmcp.server.middleware.rate_limiting import RateLimitingMiddleware
from fastmcp.tools.base import ToolResult
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp.types import ElicitRequestURLParams, ErrorData

from mcp_error_middleware.adapters import fastmcp as adapter
from mcp_error_middleware.adapters.fastmcp import ErrorMiddleware

pytestmark = pytest.mark.anyio

only_3 = pytest.mark.skipif(not MCP_1, reason="there is another SDK under FastMCP 4")
only_4 = pytest.mark.skipif(MCP_1, reason="not to be seen from a FastMCP 3 middleware")
LEGACY: dict[str, Any] = {} if MCP_1 else {"mode": "legacy"}


@pytest.fixture
def failures() -> list[Failure]:
    """What the observers were told."""
    return []


@asynccontextmanager
async def connected(server: Any, **mode: Any) -> AsyncIterator[Ask]:
    async with Client(server, **mode) as client:
        yield lambda method, params: ask(client.session, method, params)


def call(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "tools/call", {"name": name, "arguments": arguments}


def told(failures: list[Failure], **settings: Any) -> ErrorPolicy:
    return ErrorPolicy(log=False, observers=(failures.append,), **settings)


def failing(name: str = "shop") -> FastMCP[Any]:
    server = FastMCP(name)

    @server.tool
    async def lookup() -> int:
        raise ValueError("no such shelf")

    @server.tool
    async def crash() -> int:
        raise KeyError(SECRET)

    return server


# --- on and off ---------------------------------------------------------------------------------


async def test_it_is_outermost_and_there_once(failures: list[Failure]) -> None:
    server = failing()
    before = list(server.middleware)

    install(server, told([]))
    install(server, told(failures))
    async with connected(server) as ask:
        await ask(*call("lookup"))

    assert [isinstance(layer, ErrorMiddleware) for layer in server.middleware] == [
        True,
        *(False for _ in before),
    ]
    assert [failure.message for failure in failures] == ["no such shelf"]


async def test_uninstalling_leaves_the_server_as_it_was() -> None:
    server = failing()
    server.add_middleware(own := ErrorMiddleware(policy=told([])))
    before = list(server.middleware)

    uninstall(install(server))

    assert server.middleware == before
    assert server.middleware[-1] is own


async def test_it_can_be_added_as_any_middleware() -> None:
    server = failing()
    server.add_middleware(ErrorMiddleware())

    async with connected(server) as ask:
        answer = await ask(*call("lookup"))

    assert (answer.channel, answer.error["name"]) == ("result", "ValidationError")


async def test_added_and_installed_it_answers_once(failures: list[Failure]) -> None:
    server = failing()
    server.add_middleware(ErrorMiddleware(Triage(told(failures))))
    install(server, told(failures))

    async with connected(server) as ask:
        await ask(*call("lookup"))

    assert [failure.message for failure in failures] == ["no such shelf"]


# --- calls from code ----------------------------------------------------------------------------


async def test_a_call_from_code_raises_as_before(failures: list[Failure]) -> None:
    server = install(failing(), told(failures))

    with pytest.raises(ToolError) as raised:
        await server.call_tool("lookup")

    assert str(raised.value) == "Error calling tool 'lookup': no such shelf"
    assert failures == []


async def test_a_tool_can_catch_what_a_tool_it_calls_raises(failures: list[Failure]) -> None:
    server = failing()

    @server.tool
    async def careful(ctx: Context) -> str:
        try:
            await ctx.fastmcp.call_tool("lookup")
        except ToolError as error:
            return f"caught {error}"
        return "nothing raised"

    install(server, told(failures))
    async with connected(server) as ask:
        answer = await ask(*call("careful"))

    assert answer.text == "caught Error calling tool 'lookup': no such shelf"
    assert failures == []


async def test_what_a_nested_call_raises_is_answered_once_as_what_it_was(failures: list[Failure]) -> None:
    server = failing()

    @server.tool
    async def careless(ctx: Context) -> Any:
        return await ctx.fastmcp.call_tool("lookup")

    install(server, told(failures))
    async with connected(server) as ask:
        answer = await ask(*call("careless"))

    assert [(failure.call.target, failure.message) for failure in failures] == [("careless", "no such shelf")]
    assert answer.error["name"] == "ValidationError"


async def test_another_server_called_over_its_own_wire_answers_for_itself(failures: list[Failure]) -> None:
    inner = install(failing("inner"), told(failures))
    outer = FastMCP("outer")

    @outer.tool
    async def ask_inner() -> Any:
        async with Client(inner) as client:
            return (await client.call_tool_mcp("lookup", {})).content[0]

    install(outer, told(failures))
    async with connected(outer) as ask:
        answer = await ask(*call("ask_inner"))

    assert answer.channel == "success"
    assert "Error: no such shelf" in answer.text
    assert [failure.call.target for failure in failures] == ["lookup"]


# --- mounted and proxied servers ----------------------------------------------------------------


@pytest.mark.parametrize("where", ["parent", "child", "both"])
async def test_a_mounted_tool_is_answered_once_wherever_it_is_installed(
    where: str, failures: list[Failure]
) -> None:
    parent, child = FastMCP("parent"), failing("child")
    parent.mount(child)
    for name, server in (("parent", parent), ("child", child)):
        if where in (name, "both"):
            install(server, told(failures))

    async with connected(parent) as ask:
        answer = await ask(*call("crash"))

    assert [failure.error_id for failure in failures] == [answer.error["error_id"]]
    assert (answer.channel, answer.error["name"]) == ("result", "InternalError")
    assert SECRET not in repr(answer)


def proxy_of(server: Any) -> Any:
    from fastmcp.server import create_proxy

    return create_proxy(Client(server))


async def test_a_proxied_error_keeps_its_words_and_gains_an_error_object(failures: list[Failure]) -> None:
    proxy = install(proxy_of(failing()), told(failures))

    async with connected(proxy) as ask:
        answer = await ask(*call("lookup"))

    assert answer.channel == "result"
    assert answer.text == "Error calling tool 'lookup': no such shelf"
    assert [failure.error_id for failure in failures] == [answer.error["error_id"]]


async def test_a_proxied_resource_that_crashes_has_a_number_of_json_rpc() -> None:
    server = FastMCP("behind")

    @server.resource("shop://shelf")
    async def shelf() -> str:
        raise KeyError("shelf")

    async with connected(install(proxy_of(server), told([]))) as ask:
        answer = await ask("resources/read", {"uri": "shop://shelf"})

    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32603, "InternalError")
    assert answer.error["code"] == -32603


async def test_a_proxied_error_that_has_its_object_is_passed_on(failures: list[Failure]) -> None:
    upstream: list[Failure] = []
    proxy = install(proxy_of(install(failing(), told(upstream))), told(failures))

    async with connected(proxy) as ask:
        answer = await ask(*call("lookup"))

    assert [failure.error_id for failure in upstream] == [answer.error["error_id"]]
    assert failures == []


# --- results ------------------------------------------------------------------------------------


async def test_a_returned_error_keeps_everything_it_says(failures: list[Failure]) -> None:
    server = FastMCP("shop")

    @server.tool(output_schema=None)
    def refuse() -> ToolResult:
        return ToolResult(content="Sold out.", structured_content={"left": 0}, meta={"a": 1}, is_error=True)

    install(server, told(failures))
    async with Client(server) as client:
        result = await client.call_tool_mcp("refuse", {})

    said = result.model_dump(by_alias=True)
    assert [block["text"] for block in said["content"]] == ["Sold out."]
    assert (said["isError"], said["structuredContent"], said["_meta"]["a"]) == (True, {"left": 0}, 1)
    assert said["_meta"][META_KEY]["error_id"] == failures[0].error_id


async def test_a_triage_that_fails_is_answered_without_details() -> None:
    class Broken(Triage):
        def __call__(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError(SECRET)

    server = FastMCP("shop")

    @server.tool()
    def raises_() -> str:
        raise ValueError(SECRET)

    @server.tool()
    def returns() -> ToolResult:
        return ToolResult(content=SECRET, is_error=True)

    async with connected(install(server, triage=Broken())) as ask:
        answers = [await ask(*call("raises_")), await ask(*call("returns"))]

    assert [(answer.channel, answer.number) for answer in answers] == [("jsonrpc", -32603)] * 2
    assert SECRET not in repr(answers)


async def test_a_returned_error_that_says_nothing_is_put_into_words() -> None:
    server = FastMCP("shop")

    @server.tool(output_schema=None)
    def refuse() -> ToolResult:
        return ToolResult(content=[], is_error=True)

    install(server, told([]))
    async with connected(server) as ask:
        answer = await ask(*call("refuse"))

    assert answer.text.startswith("Error: ")
    assert answer.error["error_id"] in answer.text


@only_4
@pytest.mark.parametrize("promised", [None, {"type": "object"}], ids=["bare", "promising"])
async def test_a_request_for_input_passes(failures: list[Failure], promised: dict[str, Any] | None) -> None:
    from mcp.types import InputRequiredResult

    server = FastMCP("shop")

    @server.tool(output_schema=promised)
    async def guarded() -> Any:
        return InputRequiredResult.model_validate(
            {
                "resultType": "input_required",
                "inputRequests": {
                    "ok": {
                        "method": "elicitation/create",
                        "params": {
                            "mode": "form",
                            "message": "Sure?",
                            "requestedSchema": {"type": "object", "properties": {}},
                        },
                    }
                },
            }
        )

    async with Client(server, mode="2026-07-28") as client:
        bare: Any = await client.session.call_tool("guarded", {}, allow_input_required=True)
    install(server, told(failures))
    async with Client(server, mode="2026-07-28") as client:
        result = await client.session.call_tool("guarded", {}, allow_input_required=True)

    assert isinstance(result, InputRequiredResult)
    assert result.input_requests == bare.input_requests
    assert failures == []


async def test_structured_content_has_the_error_only_where_no_schema_forbids_it() -> None:
    server = failing()

    @server.tool
    async def free() -> dict[str, Any]:
        raise ValueError("no such shelf")

    install(server, told([]))
    async with connected(server) as ask:
        closed, open_ = await ask(*call("lookup")), await ask(*call("free"))

    assert closed.structured is None
    assert open_.structured == {"error": open_.error}


async def test_a_widened_schema_is_advertised_and_then_always_served() -> None:
    server = install(failing(), told([], widen_output_schema=True))

    async with Client(server) as client:
        schemas = {
            tool.name: tool.model_dump(by_alias=True)["outputSchema"] for tool in await client.list_tools()
        }
        answer = await ask(client.session, *call("lookup"))

    assert schemas["lookup"]["anyOf"][1] == {"required": ["error"]}
    assert answer.structured == {"error": answer.error}


# --- what FastMCP makes of an exception -----------------------------------------------------------


async def test_masking_hides_nothing_from_triage() -> None:
    server = FastMCP("shop", mask_error_details=True)

    @server.tool
    async def lookup() -> int:
        raise ValueError("no such shelf")

    install(server, told([]))
    async with connected(server) as ask:
        answer = await ask(*call("lookup"))

    assert (answer.error["name"], answer.error["message"]) == ("ValidationError", "no such shelf")


async def test_a_tools_own_timeout_is_a_timeout() -> None:
    server = FastMCP("shop")

    @server.tool(timeout=0.01)
    async def slow() -> int:
        await asyncio.Event().wait()
        return 1

    install(server, told([]))
    async with connected(server) as ask:
        answer = await ask(*call("slow"))

    assert (answer.channel, answer.error["name"], answer.error["retryable"]) == ("result", "Timeout", True)
    assert "timed out after 0.01s" in answer.text


async def test_a_result_that_cannot_be_converted_is_a_failed_call() -> None:
    server = FastMCP("shop")

    @server.tool(output_schema={"type": "object", "properties": {"n": {"type": "integer"}}})
    async def odd() -> Any:
        return {"n": object()}

    install(server, told([]))
    async with connected(server) as ask:
        answer = await ask(*call("odd"))

    assert (answer.channel, answer.error["name"]) == ("result", "SerializationError")
    assert "object at 0x" not in repr(answer)


@only_3
async def test_a_result_that_breaks_its_schema_is_a_failed_call_without_the_value(
    failures: list[Failure],
) -> None:
    server = FastMCP("shop")

    @server.tool(
        output_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    )
    async def odd() -> Any:
        return {"n": SECRET}

    install(server, told(failures))
    async with connected(server) as ask:
        answer = await ask(*call("odd"))

    assert (answer.channel, answer.error["name"]) == ("result", "SerializationError")
    assert [failure.error_id for failure in failures] == [answer.error["error_id"]]
    assert SECRET not in repr(answer)


async def test_strictly_checked_arguments_are_named_without_their_values(failures: list[Failure]) -> None:
    server = FastMCP("shop", strict_input_validation=True)

    @server.tool
    async def ship(boxes: int) -> int:
        return boxes

    install(server, told(failures))
    async with connected(server) as ask:
        answer = await ask(*call("ship", boxes=SECRET))
        shipped = await ask(*call("ship", boxes=2))

    assert (answer.channel, answer.error["name"], shipped.text) == ("result", "ValidationError", "2")
    assert answer.error["message"].startswith("Validation failed: boxes must be ")
    assert [failure.error_id for failure in failures] == [answer.error["error_id"]]
    assert SECRET not in repr(answer)


async def test_the_template_of_a_resource_fails_as_a_resource() -> None:
    server = FastMCP("shop")

    @server.resource("order://{number}")
    async def order(number: str) -> str:
        raise NotFound(f"Order {number} was not found.")

    install(server, told([]))
    async with connected(server) as ask:
        answer = await ask("resources/read", {"uri": "order://7"})

    assert (answer.channel, answer.number, answer.error["uri"]) == ("jsonrpc", -32602, "order://7")
    assert "Order 7 was not found." in answer.text


@pytest.mark.parametrize("transforms", [True, False])
async def test_its_own_error_middleware_changes_nothing(transforms: bool) -> None:
    server = failing()
    server.add_middleware(ErrorHandlingMiddleware(transform_errors=transforms))
    install(server, told([]))

    async with connected(server) as ask:
        answers = [await ask(*call(name)) for name in ("lookup", "crash")]

    assert [(answer.channel, answer.error["message"]) for answer in answers] == [
        ("result", "no such shelf"),
        ("result", "An internal error stopped the operation."),
    ]


async def test_its_own_rate_limit_is_a_result_the_agent_can_wait_for() -> None:
    server = failing()
    server.add_middleware(RateLimitingMiddleware(max_requests_per_second=0.001, burst_capacity=3))
    install(server, told([]))

    async with connected(server, **LEGACY) as ask:
        answers = [await ask(*call("lookup")) for _ in range(5)]

    assert (answers[-1].channel, answers[-1].error["name"]) == ("result", "RateLimited")


# --- protocol errors on purpose -----------------------------------------------------------------

ELICITED = "https://auth.test/start?state=eyJhbGciOi"


def eliciting() -> FastMCP[Any]:
    server = FastMCP("shop")

    @server.tool
    async def login() -> int:
        wanted = {"mode": "url", "message": "Log in", "url": ELICITED, "elicitationId": "e1"}
        raise UrlElicitationRequiredError([ElicitRequestURLParams.model_validate(wanted)])

    return install(server, told([]))


async def test_a_url_elicitation_stays_one_with_its_data() -> None:
    async with connected(eliciting(), **LEGACY) as ask:
        answer = await ask(*call("login"))

    assert (answer.channel, answer.number, answer.text) == ("jsonrpc", -32042, "URL elicitation required")
    assert [asked["url"] for asked in answer.data["elicitations"]] == [ELICITED]


@only_4
async def test_a_peer_that_knows_no_url_elicitation_is_told_the_url() -> None:
    async with connected(eliciting(), mode="2026-07-28") as ask:
        answer = await ask(*call("login"))

    assert answer.channel == "result"
    assert f"Ask the user to open {ELICITED}, then call the tool again." in answer.text


@only_4
async def test_a_missing_capability_stays_a_protocol_error() -> None:
    server = FastMCP("shop")
    wanted: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}

    @server.tool
    async def sample() -> int:
        raise ProtocolError.from_error_data(ErrorData(code=-32021, message="Missing capability", data=wanted))

    install(server, told([]))
    async with connected(server, mode="2026-07-28") as ask:
        answer = await ask(*call("sample"))

    assert (answer.number, answer.text, answer.data) == (-32021, "Missing capability", wanted)


# --- beside the handlers ------------------------------------------------------------------------


class Raising(Middleware):
    """Somebody's own layer, with a bug in one hook."""

    def __init__(self, hook: str) -> None:
        async def raising(context: Any, call_next: Any) -> Any:
            raise KeyError(SECRET)

        setattr(self, hook, raising)


@pytest.mark.parametrize(
    ("hook", "method"),
    [
        ("on_list_tools", "tools/list"),
        ("on_list_resources", "resources/list"),
        ("on_list_resource_templates", "resources/templates/list"),
        ("on_list_prompts", "prompts/list"),
    ],
)
async def test_a_list_that_fails_is_a_protocol_error(hook: str, method: str) -> None:
    server = failing()
    server.add_middleware(Raising(hook))
    install(server, told([]))

    async with connected(server) as ask:
        answer = await ask(method, {})

    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32603, "InternalError")
    assert SECRET not in repr(answer)


@pytest.mark.parametrize(
    ("arguments", "path", "problem"),
    [
        ({"year": "soon", "top": "[1]"}, "year", "must be a valid integer"),
        ({"year": "2020", "top": "{"}, "top", "must be a valid array"),
        pytest.param(
            {"year": "2020", "top": '[1, "two"]'}, "top[1]", "must be a valid integer", marks=only_4
        ),
    ],
)
async def test_an_argument_of_a_prompt_that_is_not_of_its_type_is_named(
    arguments: dict[str, str], path: str, problem: str
) -> None:
    server = FastMCP("reports")

    @server.prompt
    def report(year: int, top: list[int]) -> str:
        return f"Report {year}: {top}"

    async with connected(install(server, told([]))) as ask:
        answer = await ask("prompts/get", {"name": "report", "arguments": arguments})

    assert (answer.number, answer.error["name"]) == (-32602, "ValidationError")
    assert answer.error["issues"] == [{"path": path, "problem": problem}]


@pytest.mark.parametrize("kind", [ValueError, ValidationError])
async def test_an_argument_that_a_prompt_lacks_is_named_whatever_fastmcp_raises_for_it(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    server = FastMCP("reports")
    for name in ("ValueError", "ValidationError"):
        monkeypatch.setattr(function_prompt, name, lambda text, **_: kind(text), raising=False)

    @server.prompt
    def report(year: int) -> str:
        return f"Report {year}"

    async with connected(install(server, told([]))) as ask:
        answer = await ask("prompts/get", {"name": "report", "arguments": {}})

    assert (answer.number, answer.error["name"]) == (-32602, "InvalidParams")
    assert "'year'" in answer.error["message"]


@pytest.mark.parametrize("junk", [None, "shipped", 5, ["shipped"]])
async def test_a_middleware_that_returns_no_result_is_a_failed_call(
    junk: object, failures: list[Failure]
) -> None:
    class Careless(Middleware):
        async def on_call_tool(self, context: Any, call_next: Any) -> Any:
            return junk

    server = failing()
    server.add_middleware(Careless())

    async with connected(install(server, told(failures))) as ask:
        answer = await ask(*call("lookup"))

    assert (answer.channel, answer.error["name"]) == ("result", "SerializationError")
    assert [failure.error_id for failure in failures] == [answer.error["error_id"]]


async def test_a_middleware_that_fails_around_a_tool_is_a_failed_call() -> None:
    server = failing()
    server.add_middleware(Raising("on_call_tool"))
    install(server, told([]))

    async with connected(server) as ask:
        answer = await ask(*call("lookup"))

    assert (answer.channel, answer.error["name"]) == ("result", "InternalError")


@only_4
async def test_a_failing_notification_is_recorded_and_goes_no_further(failures: list[Failure]) -> None:
    from mcp.types import RootsListChangedNotification

    server = failing()
    server.add_middleware(Raising("on_notification"))
    install(server, told(failures))

    async with Client(server, mode="legacy") as client:
        await client.session.send_notification(RootsListChangedNotification())
        answer = await ask(client.session, *call("lookup"))

    methods = [failure.call.method for failure in failures]
    assert methods == ["notifications/initialized", "notifications/roots/list_changed", "tools/call"]
    assert answer.channel == "result"


@only_3
async def test_what_is_registered_with_the_sdk_under_it_is_answered_and_recorded_too(
    failures: list[Failure],
) -> None:
    server = FastMCP("shop")
    low: Any = server._mcp_server

    @low.completion()  # type: ignore[untyped-decorator, unused-ignore]
    async def complete(*_: Any) -> Any:
        raise ConnectionError(SECRET)

    @low.progress_notification()  # type: ignore[untyped-decorator, unused-ignore]
    async def heed(*_: Any) -> None:
        raise ConnectionError(SECRET)

    install(server, told(failures))
    asked = {"ref": {"type": "ref/prompt", "name": "any"}, "argument": {"name": "a", "value": ""}}
    async with Client(server) as client:
        await client.session.send_progress_notification("token", 1)
        answer = await ask(client.session, "completion/complete", asked)

    assert (answer.number, answer.error["name"]) == (-32603, "ServiceUnavailable")
    assert [failure.call.method for failure in failures] == ["notifications/progress", "completion/complete"]
    assert SECRET not in repr(answer)

    uninstall(server)
    async with Client(server) as client:
        bare = await ask(client.session, "completion/complete", asked)
    assert (bare.number, bare.text) == (0, SECRET)


@only_4
async def test_a_custom_method_that_fails_is_a_protocol_error() -> None:
    from mcp.types import RequestParams

    server = failing()

    async def handler(ctx: Any, params: Any) -> Any:
        raise KeyError(SECRET)

    server._mcp_server.add_request_handler("shop/close", RequestParams, handler)
    install(server, told([]))
    async with connected(server) as ask:
        answer = await ask("shop/close", {})

    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32603, "InternalError")


async def test_a_genuine_cancellation_is_nobodys_failure(failures: list[Failure]) -> None:
    server, entered, left = failing(), asyncio.Event(), asyncio.Event()

    @server.tool
    async def wait() -> int:
        entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            left.set()
        return 1

    install(server, told(failures))
    async with Client(server, **LEGACY) as client:
        calling = asyncio.create_task(ask(client.session, *call("wait")))
        await entered.wait()
        await cancel(client.session, calling)
        await asyncio.wait_for(left.wait(), 10)
        assert failures == []
        assert (await ask(client.session, *call("lookup"))).channel == "result"
        calling.cancel()


async def cancel(session: Any, calling: asyncio.Task[Any]) -> None:
    """Cancel as a client does: mcp 1.x leaves the notification to its user."""
    if not MCP_1:
        calling.cancel()
        return
    types: Any = import_module("mcp.types")
    params = types.CancelledNotificationParams(requestId=session._request_id - 1)
    await session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))


# --- contracts ----------------------------------------------------------------------------------


class Shelves(Contract):
    no_shelf = Mode(ErrorCode.NOT_FOUND, when="The shelf is not there.", recovery="Call list_shelves.")


def promising() -> FastMCP[Any]:
    server = FastMCP("shop")

    @server.tool
    @raises(Shelves)
    async def lookup() -> int:
        raise NotFound("No shelf 7.", reason="no_shelf")

    @server.tool
    @raises(Shelves)
    async def promised() -> dict[str, Any]:
        return recovery_for("no_shelf")

    @server.tool
    async def unpromised() -> dict[str, Any]:
        return recovery_for("no_shelf")

    return server


@pytest.mark.parametrize("mounted", [False, True])
async def test_the_contract_of_a_tool_gives_its_hint(mounted: bool) -> None:
    server = child = install(promising(), told([]))
    if mounted:
        server = install(FastMCP("parent"), told([]))
        server.mount(child)

    async with connected(server) as ask:
        answer = await ask(*call("lookup"))

    assert answer.error["data"] == {"reason": "no_shelf", "recovery": {"hint": "Call list_shelves."}}


async def test_a_contract_holds_while_its_own_tool_runs() -> None:
    async with connected(install(promising(), told([]))) as ask:
        answers = [(await ask(*call(name))).structured for name in ("promised", "unpromised")]

    assert answers == [{"recovery": {"hint": "Call list_shelves."}}, {}]


# --- FastMCP's own log --------------------------------------------------------------------------


class Lines(logging.Handler):
    """What FastMCP itself logs about its handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@pytest.fixture
def lines() -> Iterator[list[str]]:
    loggers = [logging.getLogger(f"fastmcp.{name}") for name in ("server.server", "prompts.function_prompt")]
    handler = Lines()
    for logger in loggers:
        logger.addHandler(handler)
    yield handler.texts
    for logger in loggers:
        logger.removeHandler(handler)


@pytest.mark.parametrize("name", ["lookup", "crash"])
async def test_what_was_answered_is_not_logged_a_second_time(lines: list[str], name: str) -> None:
    async with connected(install(failing(), told([]))) as ask:
        await ask(*call(name))

    assert lines == []


async def test_what_nobody_else_is_told_of_is_logged_as_before(lines: list[str]) -> None:
    async with connected(install(failing(), ErrorPolicy(log=False))) as ask:
        await ask(*call("crash"))

    assert lines == ["Error calling tool 'crash'"]


async def test_a_failure_that_was_dealt_with_inside_is_logged_as_before(lines: list[str]) -> None:
    server = failing()

    @server.tool
    async def careful(ctx: Context) -> str:
        try:
            await ctx.fastmcp.call_tool("crash")
        except ToolError:
            return "caught"
        return "nothing raised"

    async with connected(install(server, told([]))) as ask:
        await ask(*call("careful"))

    assert lines == ["Error calling tool 'crash'"]


async def test_a_failure_that_another_was_raised_from_is_not_logged_a_second_time(lines: list[str]) -> None:
    server = failing()

    @server.tool
    async def strict(ctx: Context) -> str:
        try:
            return str(await ctx.fastmcp.call_tool("crash"))
        except ToolError as exc:
            raise RuntimeError("the step failed") from ExceptionGroup("steps", [exc])

    async with connected(install(server, told([]))) as ask:
        answer = await ask(*call("strict"))

    assert (answer.channel, lines) == ("result", [])


async def test_a_line_that_cannot_be_written_costs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    server, handler = failing(), Lines()

    @server.tool
    async def careful(ctx: Context) -> str:
        with suppress(ToolError):
            await ctx.fastmcp.call_tool("crash")
        return "caught"

    def full(record: logging.LogRecord) -> None:
        handler.texts.append("tried")
        raise OSError("no space left on device")

    handler.emit = full  # type: ignore[method-assign]
    monkeypatch.setattr(logging.getLogger("fastmcp.server.server"), "handlers", [handler])
    async with connected(install(server, told([]))) as ask:
        answer = await ask(*call("careful"))

    assert (answer.channel, answer.text, handler.texts) == ("success", "caught", ["tried"])


async def test_a_server_that_is_gone_leaves_no_filter_behind() -> None:
    gc.collect()
    before = [list(logging.getLogger(name).filters) for name in adapter._WITHHOLDING.loggers]
    install(failing(), told([]))
    gc.collect()
    assert [list(logging.getLogger(name).filters) for name in adapter._WITHHOLDING.loggers] == before


async def test_a_server_without_it_logs_as_before(lines: list[str]) -> None:
    install(failing(), told([]))
    async with connected(failing()) as ask:
        await ask(*call("crash"))

    assert lines == ["Error calling tool 'crash'"]


# --- older ones -----------------------------------------------------------------------------------


def test_a_fastmcp_whose_results_cannot_be_errors_is_left_to_the_sdk_under_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Result:
        """As FastMCP 3.0 to 3.3 have it."""

        def __init__(self, content: Any = None, structured_content: Any = None, meta: Any = None) -> None:
            pass

    monkeypatch.setattr("fastmcp.tools.base.ToolResult", Result)
    monkeypatch.delitem(sys.modules, "mcp_error_middleware.adapters.fastmcp")

    with pytest.raises(ImportError, match=r"needs FastMCP 3\.4 or newer; install\(server\) serves older"):
        import_module("mcp_error_middleware.adapters.fastmcp")


# --- structured content that was promised ---------------------------------------------------------

ORDERS: dict[str, Any] = {"type": "object", "properties": {"orders": {"type": "array"}}}


def without_structure() -> FastMCP[Any]:
    """Tools that put texts in the place of what they promise, and one that promises nothing."""
    server = FastMCP("shop")

    @server.tool(output_schema=ORDERS)
    async def list_orders() -> Any:
        return ToolResult(content="<html><title>Welcome back</title></html>")

    @server.tool(output_schema=ORDERS)
    async def find_orders() -> Any:
        return ToolResult(content="Error: connection refused")

    @server.tool
    async def greet() -> Any:
        return ToolResult(content="Hello")

    return server


@pytest.mark.parametrize("is_shown", [True, False], ids=["shown", "not shown"])
async def test_a_tool_without_the_structured_content_it_promises_has_failed(
    is_shown: bool, failures: list[Failure]
) -> None:
    async with connected(install(without_structure(), told(failures)), **LEGACY) as ask:
        if is_shown:
            await ask("tools/list", {})
        broken, said, well = [await ask(*call(n)) for n in ("list_orders", "find_orders", "greet")]

    assert (broken.channel, broken.error["name"], broken.error["retry"]) == (
        "result",
        "SerializationError",
        "never",
    )
    assert broken.error["message"] == "The tool returned something that is not of the form it promises."
    assert (said.channel, said.error["message"]) == ("result", "connection refused")
    assert (well.channel, well.text) == ("success", "Hello")
    assert [failure.code for failure in failures] == [
        ErrorCode.SERIALIZATION_ERROR,
        ErrorCode.SERVICE_UNAVAILABLE,
    ]


async def test_its_client_gets_an_answer_in_the_place_of_an_exception() -> None:
    async with Client(install(without_structure(), told([]))) as client:
        answer = await client.call_tool("list_orders", raise_on_error=False)
        await client.call_tool("greet")

    assert answer.is_error


@pytest.mark.skipif(MCP_1, reason="the SDK under FastMCP 3 holds it against what it has seen before")
async def test_a_tool_that_takes_the_place_of_another_keeps_its_own_promises() -> None:
    server = install(without_structure(), told([]))
    async with connected(server, **LEGACY) as ask:
        broken = await ask(*call("list_orders"))
        server.local_provider.remove_tool("list_orders")

        @server.tool
        async def list_orders() -> Any:
            return ToolResult(content="none")

        well = await ask(*call("list_orders"))

    assert (broken.channel, well.channel, well.text) == ("result", "success", "none")


# --- transformed tools ----------------------------------------------------------------------------


def transformed(times: int) -> FastMCP[Any]:
    """A tool whose argument `city` is called `place` by those who call it, or `there`, once more renamed."""
    from fastmcp.tools import Tool
    from fastmcp.tools.tool_transform import ArgTransform

    def weather(city: str, days: int = 1, unit: str = "c") -> str:
        int(days / (days - 7))
        return city

    tool: Any = Tool.from_function(weather)
    for old, new in (("city", "place"), ("place", "there"))[:times]:
        tool = Tool.from_tool(tool, name="wx", transform_args={old: ArgTransform(name=new)})
    server = FastMCP("shop")
    server.add_tool(Tool.from_tool(tool, transform_args={"unit": ArgTransform(hide=True, default="c")}))
    return server


@pytest.mark.parametrize(("times", "name"), [(1, "place"), (2, "there")])
async def test_a_transformed_tool_s_arguments_are_called_as_its_caller_calls_them(
    times: int, name: str
) -> None:
    async with connected(install(transformed(times), told([]))) as ask:
        sent: list[dict[str, Any]] = [{}, {name[:-1]: "x"}, {name: ["x"]}, {name: "x", "unit": "f"}]
        answers = [await ask(*call("wx", **arguments)) for arguments in sent]

    assert [answer.error["message"] for answer in answers] == [
        f"Validation failed: {name} is required.",
        f"Validation failed: {name} is required, and {name[:-1]!r} is not known; did you mean {name!r}?",
        f"Validation failed: {name} must be a valid string.",
        "Validation failed: unit is not a known argument (known: 'days').",
    ]
    assert all(answer.error["data"]["example"][name] == name for answer in answers)


async def test_a_bug_behind_a_transformed_tool_is_still_a_bug() -> None:
    async with connected(install(transformed(1), told([]))) as ask:
        answer = await ask(*call("wx", place="x", days=7))

    assert answer.error["name"] == "InternalError"
