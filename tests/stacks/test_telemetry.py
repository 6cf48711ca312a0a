"""What an operator gets of every request, on every stack: one span, one measurement, one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from mcp import types
from opentelemetry import context as contexts
from opentelemetry import propagate, trace
from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanKind, StatusCode

from mcp_error_middleware import ErrorPolicy, Failure, install, uninstall
from mcp_error_middleware.telemetry import names
from tests.stacks.faults import FAULTS, SECRET, Fault, chained, httpx
from tests.stacks.stacks import FASTMCP, MCP_1, Stack
from tests.telemetry.recording import Recording, recording

pytestmark = pytest.mark.anyio

BY_NAME = {fault.name: fault for fault in FAULTS}
BUG, MISTAKE = BY_NAME["key_error"], BY_NAME["leaky_value_error"]
CHAIN = Fault(
    "chain",
    lambda _: chained(RuntimeError(f"no price: {SECRET}"), KeyError(SECRET), ValueError(f"api_key={SECRET}")),
    "InternalError",
    "",
)
QUIET = ErrorPolicy(log=False)


@pytest.fixture
def recorded() -> Iterator[Recording]:
    structlog.reset_defaults()
    with recording() as running:
        yield running
    structlog.reset_defaults()


async def test_a_request_has_one_server_span_and_one_measurement(stack: Stack, recorded: Recording) -> None:
    async with stack.connect(install(stack.server(), QUIET)) as ask:
        await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})

    [span] = recorded.served("tools/call")
    assert span.name == "tools/call add"
    assert span.status.status_code is StatusCode.UNSET
    assert span.events == ()
    assert {**(span.attributes or {})} == {
        names.METHOD: "tools/call",
        names.TOOL: "add",
        names.OPERATION: "execute_tool",
        names.TRANSPORT: "pipe",
        names.PROTOCOL_VERSION: stack.era,
        names.REQUEST_ID: (span.attributes or {})[names.REQUEST_ID],
        **(
            {"fastmcp.server.name": "matrix"}
            if stack.kind.startswith("fastmcp") and _is_of_prefect(stack)
            else {}
        ),
    }
    assert _tools(recorded, names.DURATION) == [
        (
            {
                names.METHOD: "tools/call",
                names.TOOL: "add",
                names.OPERATION: "execute_tool",
                names.TRANSPORT: "pipe",
                names.PROTOCOL_VERSION: stack.era,
            },
            1,
        )
    ]
    assert recorded.points(names.ERRORS.name) == []


async def test_the_span_continues_the_senders_trace(stack: Stack, recorded: Recording) -> None:
    async with stack.connect(install(stack.server(BUG), QUIET)) as ask:
        with trace.get_tracer("agent").start_as_current_span("agent") as agent:
            meta: dict[str, Any] = {}
            propagate.inject(meta)
            await ask("tools/call", {"name": BUG.name, "arguments": {}, "_meta": meta})

    [span] = recorded.served("tools/call")
    assert span.parent is not None
    assert span.parent.is_remote
    assert span.parent.trace_id == agent.get_span_context().trace_id


async def test_the_same_error_id_is_in_the_answer_the_line_and_the_span(
    stack: Stack, recorded: Recording
) -> None:
    with structlog.testing.capture_logs() as lines:
        async with stack.connect(install(stack.server(CHAIN), ErrorPolicy())) as ask:
            answer = await ask("tools/call", {"name": "chain", "arguments": {}})

    [span], [line] = recorded.served("tools/call"), lines
    error_id = answer.error["error_id"]
    assert (span.attributes or {})[names.ERROR_ID] == error_id == line["error_id"]
    assert span.context is not None
    assert line["trace_id"] == trace.format_trace_id(span.context.trace_id)
    assert line["span_id"] == trace.format_span_id(span.context.span_id)


async def test_the_whole_chain_is_on_the_span_each_link_once(stack: Stack, recorded: Recording) -> None:
    async with stack.connect(install(stack.server(CHAIN), QUIET)) as ask:
        await ask("tools/call", {"name": "chain", "arguments": {}})
        await ask("resources/read", {"uri": "fault://chain"})
        await ask("prompts/get", {"name": "chain"})

    links = [("RuntimeError", "raised", 0), ("KeyError", "cause", 1), ("ValueError", "cause", 2)]
    for method in ("tools/call", "resources/read", "prompts/get"):
        [span] = recorded.served(method)
        assert [_link(event) for event in span.events] == links
        assert (span.attributes or {})[names.CHAIN] == ("RuntimeError", "KeyError", "ValueError")
        assert "stacks.py" in str((span.events[0].attributes or {})[names.EXCEPTION_STACKTRACE])


@pytest.mark.parametrize("fault", [BUG, MISTAKE, CHAIN], ids=lambda fault: fault.name)
async def test_no_secret_leaves_by_any_signal(stack: Stack, recorded: Recording, fault: Fault) -> None:
    async with stack.connect(install(stack.server(fault), ErrorPolicy(console=False))) as ask:
        await ask("tools/call", {"name": fault.name, "arguments": {}})
        await ask("resources/read", {"uri": f"fault://{fault.name}?api_key={SECRET}"})
        await ask("resources/read", {"uri": f"fault://{fault.name}"})
        await ask("prompts/get", {"name": fault.name})

    said = recorded.everything()
    assert fault.code in said
    assert SECRET not in said


async def test_a_failed_tool_is_an_error_with_the_public_words(stack: Stack, recorded: Recording) -> None:
    failures: list[Failure] = []
    policy = ErrorPolicy(log=False, observers=(failures.append,))
    async with stack.connect(install(stack.server(BUG, MISTAKE), policy)) as ask:
        await ask("tools/call", {"name": BUG.name, "arguments": {}})
        await ask("tools/call", {"name": MISTAKE.name, "arguments": {}})

    assert [_outcome(span) for span in recorded.served("tools/call")] == [
        (StatusCode.ERROR, failure.message, "tool_error", None) for failure in failures
    ]


@pytest.mark.parametrize("number", [-32700, -32600, -32601, -32602])
async def test_what_the_caller_got_wrong_is_no_error_of_the_server(
    stack: Stack, recorded: Recording, number: int
) -> None:
    fault = Fault("said", lambda sdk: sdk.protocol_error(number, f"no: {SECRET}"), "", "")
    async with stack.connect(install(stack.server(fault), QUIET)) as ask:
        answer = await ask("resources/read", {"uri": "fault://said"})

    [span] = recorded.served("resources/read")
    assert _outcome(span) == (StatusCode.UNSET, None, None, str(answer.number))


@pytest.mark.parametrize("number", [-32603, -31000])
async def test_any_other_number_is_one(stack: Stack, recorded: Recording, number: int) -> None:
    fault = Fault("said", lambda sdk: sdk.protocol_error(number, "out of paper"), "", "")
    async with stack.connect(install(stack.server(fault), QUIET)) as ask:
        answer = await ask("resources/read", {"uri": "fault://said"})

    [span] = recorded.served("resources/read")
    assert answer.number == number
    assert _outcome(span) == (StatusCode.ERROR, "out of paper", str(number), str(number))


async def test_the_counts_of_spans_measurements_and_lines_are_the_same(
    stack: Stack, recorded: Recording
) -> None:
    calls = ["add"] * 3 + [BUG.name] * 4 + [MISTAKE.name] * 2
    with structlog.testing.capture_logs() as lines:
        async with stack.connect(install(stack.server(BUG, MISTAKE), ErrorPolicy())) as ask:
            for name in calls:
                await ask(
                    "tools/call", {"name": name, "arguments": {"a": 1, "b": 2} if name == "add" else {}}
                )

    durations, errors = _by_tool(recorded, names.DURATION), _by_tool(recorded, names.ERRORS)
    assert Counter(span.name.removeprefix("tools/call ") for span in recorded.served("tools/call")) == (
        Counter(calls)
    )
    assert durations == (Counter(calls) if stack.kind != "lowlevel" else {"add": 3, names.OTHER: 6})
    failed = {BUG.name: 4, MISTAKE.name: 2}
    assert Counter(line["target"] for line in lines) == failed
    assert errors == (failed if stack.kind != "lowlevel" else {names.OTHER: 6})


async def test_a_name_nobody_registered_is_no_label(stack: Stack, recorded: Recording) -> None:
    """However it fails: unknown to the server, not of the form a request has, or refused by an author."""
    async with stack.connect(install(_strict(stack), QUIET)) as ask:
        for at in range(3):
            await ask("tools/call", {"name": f"made_up_{at}", "arguments": {}})
            await ask("tools/call", {"name": f"malformed_{at}", "arguments": "none"})
            await ask("prompts/get", {"name": f"made_up_{at}"})
            await ask("prompts/get", {"name": f"malformed_{at}", "arguments": "none"})

    assert {labels[names.TOOL] for labels, _ in _tools(recorded, names.DURATION)} == {names.OTHER}
    assert {labels[names.TOOL] for labels, _ in _tools(recorded, names.ERRORS)} == {names.OTHER}
    asked = [labels for labels, _ in recorded.counts(names.DURATION.name) if names.PROMPT in labels]
    assert {labels[names.PROMPT] for labels in asked} == {names.OTHER}


def _strict(stack: Stack) -> Any:
    """A server that refuses whatever it is asked, before it looks for it, where it can."""
    server = stack.server()
    if _is_of_prefect(stack):
        from fastmcp.exceptions import AuthorizationError
        from fastmcp.server.middleware import Middleware

        class Refusing(Middleware):
            async def on_call_tool(self, context: Any, call_next: Any) -> Any:
                raise AuthorizationError("nobody may")

            on_get_prompt = on_call_tool

        server.add_middleware(Refusing())
    return server


async def test_a_tool_that_only_ever_failed_is_a_label_once_it_is_known(
    stack: Stack, recorded: Recording
) -> None:
    server = install(stack.server(BUG), QUIET)
    async with stack.connect(server) as ask:
        await ask("tools/call", {"name": BUG.name, "arguments": {}})
        await ask("prompts/get", {"name": BUG.name})

    # Who has no list of its own may have been asked for anything.
    expected = names.OTHER if stack.kind == "lowlevel" else BUG.name
    assert [labels[names.TOOL] for labels, _ in _tools(recorded, names.ERRORS)] == [expected]
    [prompt] = [
        labels[names.PROMPT] for labels, _ in recorded.counts(names.DURATION.name) if names.PROMPT in labels
    ]
    assert prompt == expected


async def test_what_is_listed_starts_at_zero_so_that_a_rate_sees_its_first_call_fail(
    stack: Stack, recorded: Recording
) -> None:
    server = _listing(BUG) if stack.kind == "lowlevel" else stack.server(BUG)
    async with stack.connect(install(server, QUIET)) as ask:
        await ask("tools/list", {})
        started = recorded.started(names.ERRORS.name)
        await ask("tools/call", {"name": BUG.name, "arguments": {}})

    [failed] = recorded.points(names.ERRORS.name)
    assert dict(failed.attributes) in [dict(point.attributes) for point in started]


async def test_a_low_level_tool_is_a_label_once_it_was_listed(stack: Stack, recorded: Recording) -> None:
    if stack.kind != "lowlevel":
        pytest.skip("has a list of its own")
    async with stack.connect(install(_listing(BUG), QUIET)) as ask:
        await ask("tools/list", {})
        await ask("tools/call", {"name": BUG.name, "arguments": {}})
        await ask("tools/call", {"name": "made_up", "arguments": {}})

    labels = [labels[names.TOOL] for labels, _ in _tools(recorded, names.ERRORS)]
    assert sorted(labels) == sorted([BUG.name, names.OTHER])


def _listing(fault: Fault) -> Any:
    """A low-level server that lists one tool and takes any."""
    from mcp.server.lowlevel.server import Server

    tool = types.Tool.model_validate({"name": fault.name, "inputSchema": {"type": "object"}})

    async def failing(*_: Any) -> Any:
        raise KeyError("no such thing")

    async def listed(*_: Any) -> Any:
        return [tool] if MCP_1 else types.ListToolsResult(tools=[tool])

    if not MCP_1:
        return Server("lists", on_call_tool=failing, on_list_tools=listed)
    server: Any = Server("lists")
    server.call_tool()(failing)
    server.list_tools()(listed)
    return server


async def test_a_session_is_measured_when_it_is_over(stack: Stack, recorded: Recording) -> None:
    async with stack.connect(install(stack.server(), QUIET)) as ask:
        await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
        assert recorded.points(names.SESSIONS.name) == []

    has_sessions = stack.era == "2025-11-25"
    assert [count for _, count in recorded.counts(names.SESSIONS.name)] == ([1] if has_sessions else [])


async def test_without_traces_the_sdk_keeps_its_own_span(stack: Stack, recorded: Recording) -> None:
    server = install(stack.server(), ErrorPolicy(log=False, traces=False, metrics=False))
    async with stack.connect(server) as ask:
        await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})

    scopes = {
        span.instrumentation_scope.name
        for span in recorded.served("tools/call")
        if span.instrumentation_scope
    }
    assert names.SCOPE not in scopes
    assert _tools(recorded, names.DURATION) == []


async def test_uninstalled_it_makes_no_span_and_the_sdk_its_own_again(
    stack: Stack, recorded: Recording
) -> None:
    server = uninstall(install(install(stack.server(), QUIET), QUIET))
    async with stack.connect(server) as ask:
        await ask("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
    ours = [span for span in recorded.spans if span.instrumentation_scope.name == names.SCOPE]  # type: ignore[union-attr]
    assert ours == []


async def test_a_handlers_own_spans_are_children_of_the_request(stack: Stack, recorded: Recording) -> None:
    def raises(_: Any) -> BaseException:
        trace.get_tracer("shop").start_span("query").end()
        return ValueError("odd")

    fault = Fault("query", raises, "ValidationError", "odd")
    async with stack.connect(install(stack.server(fault), QUIET)) as ask:
        await ask("tools/call", {"name": "query", "arguments": {}})

    [served], [query] = (
        recorded.served("tools/call"),
        [span for span in recorded.spans if span.name == "query"],
    )
    assert query.parent == served.context


async def test_a_sampler_that_drops_the_request_drops_it_whole(stack: Stack, recorded: Recording) -> None:
    async with stack.connect(install(stack.server(CHAIN), QUIET)) as ask:
        meta = {"traceparent": "00-0123456789abcdef0123456789abcdef-0123456789abcdef-00"}
        unsampled = propagate.extract(meta)
        token = contexts.attach(unsampled)
        try:
            answer = await ask("tools/call", {"name": "chain", "arguments": {}, "_meta": meta})
        finally:
            contexts.detach(token)

    assert answer.error["name"] == "InternalError"
    assert recorded.served("tools/call") == []


async def test_added_as_fastmcps_own_middleware_it_makes_one_clean_span_too(
    stack: Stack, recorded: Recording
) -> None:
    if not _is_of_prefect(stack):
        pytest.skip("has no such middleware")
    from mcp_error_middleware.adapters.fastmcp import ErrorMiddleware

    server = stack.server(CHAIN)
    server.add_middleware(ErrorMiddleware(policy=QUIET))
    async with stack.connect(server) as ask:
        for _ in range(2):
            await ask("tools/call", {"name": "chain", "arguments": {}})
            await ask("resources/read", {"uri": "fault://chain"})

    tools, resources = recorded.served("tools/call"), recorded.served("resources/read")
    assert [_outcome(span)[2:] for span in tools] == [("tool_error", None)] * 2
    assert [_outcome(span)[2:] for span in resources] == [("-32603", "-32603")] * 2
    assert [len(span.events) for span in (*tools, *resources)] == [3] * 4
    assert SECRET not in recorded.everything()


async def test_a_request_for_a_mounted_server_has_one_clean_span_too(
    stack: Stack, recorded: Recording
) -> None:
    if not _is_of_prefect(stack):
        pytest.skip("mounts nothing")
    top, middle, leaf = stack.server(), stack.server(CHAIN), stack.server(CHAIN)
    install(top, QUIET)
    top.mount(middle, namespace="middle")
    middle.mount(leaf, namespace="leaf")
    async with stack.connect(top) as ask:
        for name in ("middle", "middle_leaf"):
            await ask("tools/call", {"name": f"{name}_chain", "arguments": {}})
            await ask("resources/read", {"uri": f"fault://{name.replace('_', '/')}/chain"})
            await ask("prompts/get", {"name": f"{name}_chain"})

    asked = [span for span in recorded.spans if span.name.startswith(("tools/", "resources/", "prompts/"))]
    served = [span for span in asked if span.kind is SpanKind.SERVER]
    assert [span.instrumentation_scope.name for span in served if span.instrumentation_scope] == (
        [names.SCOPE] * 6
    )
    assert [len(span.events) for span in served] == [3] * 6
    assert SECRET not in recorded.everything()


async def test_a_mounted_server_makes_its_own_spans_again_once_uninstalled(
    stack: Stack, recorded: Recording
) -> None:
    if not _is_of_prefect(stack):
        pytest.skip("mounts nothing")
    top, leaf = stack.server(), stack.server()
    top.mount(leaf, namespace="leaf")

    async def used() -> tuple[Any, ...]:
        async with stack.connect(top) as ask:
            await ask("tools/call", {"name": "leaf_add", "arguments": {"a": 1, "b": 2}})
        return _state(top), _state(leaf), [type(provider) for provider in top.providers]

    before = await used()
    install(top, QUIET)
    assert await used() != before
    uninstall(top)
    recorded.exporter.clear()
    assert await used() == before

    assert "delegate add" in {span.name for span in recorded.spans}
    assert {span.instrumentation_scope.name for span in recorded.served("tools/call")} == {"fastmcp"}  # type: ignore[union-attr]


def _state(server: Any) -> tuple[Any, ...]:
    """What a server is made of."""
    low = server._mcp_server
    layers = [type(layer).__name__ for layer in (*server.middleware, *getattr(low, "middleware", ()))]
    return sorted(vars(server)), sorted(vars(low)), layers, type(getattr(low, "request_handlers", None))


async def test_a_request_no_handler_is_asked_for_has_a_span_and_a_measurement_too(
    stack: Stack, recorded: Recording
) -> None:
    """The SDK answers `initialize` by itself, and so what it has no handler for."""
    if stack.era != "2025-11-25":
        pytest.skip("has no such greeting")
    async with stack.connect(install(stack.server(), QUIET)) as ask:
        answer = await ask("resources/subscribe", {"uri": "fine://here"})

    [greeted], [refused] = recorded.served("initialize"), recorded.served("resources/subscribe")
    assert answer.number == -32601
    assert (greeted.attributes or {})[names.PROTOCOL_VERSION] == stack.era
    assert _outcome(refused) == (StatusCode.UNSET, None, None, "-32601")
    measured = Counter(labels[names.METHOD] for labels, _ in recorded.counts(names.DURATION.name))
    assert (measured["initialize"], measured["resources/subscribe"]) == (1, 1)


@pytest.mark.parametrize("stateless_http", [True, False])
async def test_a_greeting_is_of_the_version_that_was_agreed_on(
    stack: Stack, recorded: Recording, stateless_http: bool
) -> None:
    if stack.kind == "lowlevel" or stack.era != "2025-11-25":
        pytest.skip("one server of each kind is enough")
    app = _app(install(stack.server(), QUIET), stateless_http=stateless_http)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8000")
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    }
    async with app.router.lifespan_context(app), client:
        answer = await client.post(
            "/mcp",
            json={**REQUEST, "method": "initialize", "params": hello},
            headers={"accept": "application/json, text/event-stream"},
        )

    assert answer.json()["result"]["protocolVersion"] == "2025-06-18"
    [span], [(labels, _)] = recorded.served("initialize"), recorded.counts(names.DURATION.name)
    assert (span.attributes or {})[names.PROTOCOL_VERSION] == "2025-06-18"
    assert labels[names.PROTOCOL_VERSION] == "2025-06-18"


TRACEPARENT = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
REQUEST = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": BUG.name, "arguments": {}, "_meta": {"traceparent": TRACEPARENT}},
}


async def test_over_http_the_span_around_the_request_is_linked(stack: Stack, recorded: Recording) -> None:
    if stack.kind == "lowlevel" or stack.era != "2025-11-25":
        pytest.skip("one server of each kind is enough")
    app = _app(install(stack.server(BUG), QUIET))
    traced = OpenTelemetryMiddleware(app, tracer_provider=recorded.traces, exclude_spans=["receive", "send"])
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app=traced), base_url="http://127.0.0.1:8000")
    async with app.router.lifespan_context(app), client:
        answer = await client.post(
            "/mcp", json=REQUEST, headers={"accept": "application/json, text/event-stream"}
        )

    assert answer.json()["result"]["isError"] is True
    [span], [around] = recorded.served("tools/call"), recorded.served("POST")
    assert span.parent is not None
    assert (span.parent.span_id, span.parent.is_remote) == (0x0123456789ABCDEF, True)
    assert [link.context for link in span.links] == [around.context]
    attributes = span.attributes or {}
    assert (attributes[names.TRANSPORT], attributes[names.NETWORK_PROTOCOL]) == ("tcp", "http")


@pytest.mark.parametrize("order", ["around", "inside"])
async def test_in_a_session_each_request_is_linked_to_its_own_http_span(
    stack: Stack, recorded: Recording, order: str
) -> None:
    """Not to the one the session began with, in whose context mcp 1.x runs every handler."""
    if stack.kind == "lowlevel" or stack.era != "2025-11-25":
        pytest.skip("one server of each kind is enough")
    app = install(_app(stack.server(BUG), stateless_http=False), QUIET)
    settings: dict[str, Any] = {"tracer_provider": recorded.traces, "exclude_spans": ["send"]}
    if order == "inside":
        app.add_middleware(OpenTelemetryMiddleware, **settings)
    traced = OpenTelemetryMiddleware(app, **settings) if order == "around" else app
    headers = {"accept": "application/json, text/event-stream"}
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(app=traced), base_url="http://127.0.0.1:8000", headers=headers
    )
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    }
    async with app.router.lifespan_context(app), client:
        begun = await client.post("/mcp", json={**REQUEST, "method": "initialize", "params": hello})
        client.headers["mcp-session-id"] = begun.headers["mcp-session-id"]
        await client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        recorded.exporter.clear()
        asked = await client.post("/mcp", json=REQUEST)
        without = {"name": BUG.name, "arguments": {}}
        await client.post("/mcp", json={**REQUEST, "params": without})

    assert asked.json()["result"]["isError"] is True
    sent, unsent = recorded.served("tools/call")
    first, second = [span.context for span in recorded.served("POST")]
    assert sent.parent is not None
    assert sent.parent.span_id == 0x0123456789ABCDEF
    assert [link.context for link in sent.links] == [first]
    assert unsent.parent == second
    assert unsent.links == ()


def _app(server: Any, **different: bool) -> Any:
    settings = {"stateless_http": True, "json_response": True, **different}
    if hasattr(server, "http_app"):
        return server.http_app(**settings)
    if MCP_1:
        for name, value in settings.items():
            setattr(server.settings, name, value)
        return server.streamable_http_app()
    return server.streamable_http_app(**settings)


def _is_of_prefect(stack: Stack) -> bool:
    return stack.kind == f"fastmcp{FASTMCP}"


def _tools(recorded: Recording, metric: names.Metric) -> list[tuple[dict[str, Any], int]]:
    return [(labels, count) for labels, count in recorded.counts(metric.name) if names.TOOL in labels]


def _by_tool(recorded: Recording, metric: names.Metric) -> Counter[str]:
    counted: Counter[str] = Counter()
    for labels, count in _tools(recorded, metric):
        counted[labels[names.TOOL]] += count
    return counted


def _link(event: Any) -> tuple[Any, ...]:
    return (
        event.attributes[names.EXCEPTION_TYPE],
        event.attributes[names.RELATION],
        event.attributes[names.DEPTH],
    )


def _outcome(span: ReadableSpan) -> tuple[Any, ...]:
    attributes = span.attributes or {}
    status = span.status
    return (
        status.status_code,
        status.description,
        attributes.get(names.ERROR_TYPE),
        attributes.get(names.STATUS_CODE),
    )
