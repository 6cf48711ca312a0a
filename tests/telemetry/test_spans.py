from __future__ import annotations

from typing import Any

import pytest
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import SpanKind

from mcp_error_middleware import Call, RateLimited, Triage
from mcp_error_middleware.telemetry import names, spans
from tests.telemetry.recording import Recording

TRACE, SPAN = "0123456789abcdef0123456789abcdef", "0123456789abcdef"
SENT = {"traceparent": f"00-{TRACE}-{SPAN}-01"}


def _started(call: Call, meta: Any = None) -> Any:
    span, _ = spans.start(lambda: call, meta)
    span.end()
    return span


def test_a_span_is_named_by_method_and_target_and_says_what_the_conventions_ask(recorded: Recording) -> None:
    call = Call(
        "prompts/get", "greet", request_id=7, session_id="s1", protocol_version="2025-11-25", transport="http"
    )

    span = _started(call)

    assert (span.name, span.kind) == ("prompts/get greet", SpanKind.SERVER)
    assert dict(span.attributes) == {
        names.METHOD: "prompts/get",
        names.PROMPT: "greet",
        names.TRANSPORT: "tcp",
        names.NETWORK_PROTOCOL: "http",
        names.PROTOCOL_VERSION: "2025-11-25",
        names.REQUEST_ID: "7",
        names.SESSION: "s1",
    }


def test_a_resource_is_no_part_of_the_name_and_its_address_is_scrubbed(recorded: Recording) -> None:
    span = _started(Call("resources/read", "https://anna:hunter2@example.com/v1/orders/42"))

    assert span.name == "resources/read"
    assert "hunter2" not in span.attributes[names.RESOURCE]
    assert "/v1/orders/42" in span.attributes[names.RESOURCE]


@pytest.mark.parametrize("method", ["tools/call", "prompts/get", "resources/read", "x\ud800"])
def test_a_name_with_half_a_character_in_it_can_still_be_sent(recorded: Recording, method: str) -> None:
    span = _started(Call(method, "pri\ud800ce"))

    assert all(map(str.encode, (span.name, *map(str, span.attributes.values()))))


def test_a_name_of_any_length_is_cut(recorded: Recording) -> None:
    span = _started(Call("tools/call", "x" * 10_000_000))

    assert len(span.name) < 300


@pytest.mark.parametrize(
    "meta",
    [
        None,
        {},
        {"progressToken": 1},
        {"traceparent": "nonsense"},
        {"traceparent": 7},
        {"traceparent": ["x"], "tracestate": {}},
        {"traceparent": f"00-{'0' * 32}-{SPAN}-01"},
        {"baggage": "tenant=blue"},
    ],
    ids=repr,
)
def test_without_a_senders_context_the_span_around_is_the_parent(recorded: Recording, meta: Any) -> None:
    with trace.get_tracer("http").start_as_current_span("POST") as around:
        span = _started(Call(), meta)

    assert (span.parent, span.links) == (around.get_span_context(), ())


def test_the_senders_context_is_the_parent_and_the_span_around_a_link(recorded: Recording) -> None:
    with trace.get_tracer("http").start_as_current_span("POST") as around:
        span = _started(Call(), SENT)

    assert span.parent.span_id == int(SPAN, 16)
    assert [link.context for link in span.links] == [around.get_span_context()]


@pytest.mark.parametrize("sent", [SENT, {}], ids=["with a span", "without"])
def test_baggage_travels_along(recorded: Recording, sent: dict[str, str]) -> None:
    _, context = spans.start(lambda: Call(), {**sent, "baggage": "tenant=blue"})

    from opentelemetry import baggage

    assert baggage.get_baggage("tenant", context) == "blue"


def test_a_span_that_is_over_is_nobodys_parent(recorded: Recording) -> None:
    over = trace.get_tracer("http").start_span("POST")
    token = contexts.attach(trace.set_span_in_context(over))
    over.end()
    try:
        span = _started(Call())
    finally:
        contexts.detach(token)

    assert span.parent is None


@pytest.mark.parametrize("scope", ["fastmcp", "mcp-python-sdk"])
def test_the_span_an_sdk_made_for_the_request_is_enriched_not_doubled(
    recorded: Recording, scope: str
) -> None:
    with trace.get_tracer(scope).start_as_current_span("tools/call", kind=SpanKind.SERVER) as native:
        span, context = spans.start(lambda: Call("tools/call", "price"), SENT)

    assert span is native
    assert context is None
    assert [(item.name, (item.attributes or {})[names.TOOL]) for item in recorded.spans] == [
        ("tools/call price", "price")
    ]


def test_a_failure_is_described_whole(recorded: Recording) -> None:
    error = RateLimited("Slow down.", retry_after=30, data={"reason": "quota"})
    error.__cause__ = OSError("postgresql://shop:hunter2@db/x")
    failure = Triage()(error, Call(correlation_id="c1"))
    with trace.get_tracer("shop").start_as_current_span("request") as span:
        spans.describe(span, failure)

    [finished] = recorded.spans
    assert {**(finished.attributes or {})} == {
        names.ERROR_ID: failure.error_id,
        names.CODE: "RateLimited",
        names.FAULT: "upstream",
        names.REASON: "quota",
        names.RETRYABLE: True,
        names.RETRY_AFTER: 30,
        names.FINGERPRINT: failure.fingerprint.exact,
        names.FAMILY: failure.fingerprint.family,
        names.CHAIN: ("mcp_error_middleware.errors.RateLimited", "OSError"),
        names.EVIDENCE: "explicit: RateLimited",
        names.REDACTED: tuple(f"{kind}: {count}" for kind, count in failure.redactions.items()),
        names.CORRELATION_ID: "c1",
    }
    assert [(event.name, dict(event.attributes or {})) for event in finished.events] == [
        (
            "exception",
            {
                names.EXCEPTION_TYPE: "mcp_error_middleware.errors.RateLimited",
                names.EXCEPTION_MESSAGE: "Slow down.",
                names.EXCEPTION_STACKTRACE: "mcp_error_middleware.errors.RateLimited: Slow down.",
                names.RELATION: "raised",
                names.DEPTH: 0,
            },
        ),
        (
            "exception",
            {
                names.EXCEPTION_TYPE: "OSError",
                names.EXCEPTION_MESSAGE: failure.causes[1].message,
                names.EXCEPTION_STACKTRACE: f"OSError: {failure.causes[1].message}",
                names.RELATION: "cause",
                names.DEPTH: 1,
            },
        ),
    ]


def test_a_stack_trace_shows_the_apps_own_frames() -> None:
    with pytest.raises(ValueError, match="invalid literal") as raised:
        int("x")
    [cause] = Triage()(raised.value).causes

    lines = str(spans.exception(cause)[names.EXCEPTION_STACKTRACE]).splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].startswith('  File "tests/telemetry/test_spans.py", line ')
    assert lines[2].startswith("ValueError: invalid literal")


@pytest.mark.parametrize(
    ("code", "error_type"),
    [(code, None) for code in sorted(names.NOT_ERRORS)]
    + [(code, str(code)) for code in (-32603, -32020, -32042, -32000, -1, 0, 7)],
)
def test_some_codes_are_the_callers_business(code: int, error_type: str | None) -> None:
    message = None if error_type is None else "out of paper"

    assert spans.rpc_error(code, "out of paper") == spans.Outcome(error_type, str(code), message)
