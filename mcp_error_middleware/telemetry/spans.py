"""A call in, one SERVER span out; a failure in, what the span says of it out.

By OTel's MCP conventions: the parent travels in the request's `_meta`, the span around it is linked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from opentelemetry import context as contexts
from opentelemetry import propagate, trace
from opentelemetry.context import Context
from opentelemetry.propagators.textmap import TextMapPropagator
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    StatusCode,
    Tracer,
    TracerProvider,
)

from mcp_error_middleware.model import Call, Cause, Failure, Frame
from mcp_error_middleware.sanitize.clean import printable
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.logs import evidence_name, id_name, repeatable, request_name
from mcp_error_middleware.telemetry.providers import tracer_provider

NATIVE_SCOPES: Final = frozenset({"fastmcp", "mcp-python-sdk"})
"""Who else makes a SERVER span for a request."""

_NAME_LIMIT: Final = 200
_FRAMES: Final = 20


class Outcome(NamedTuple):
    """How a request ended, in the words of the conventions."""

    error_type: str | None = None
    status_code: str | None = None
    description: str | None = None


SUCCESS: Final = Outcome()


def tool_error(message: str | None) -> Outcome:
    """The outcome of a result that says it is an error."""
    return Outcome(names.TOOL_ERROR, None, message)


def rpc_error(code: int, message: str | None) -> Outcome:
    """The outcome of a JSON-RPC error; some are the caller's business and fail no server."""
    if code in names.NOT_ERRORS:
        return Outcome(None, str(code))
    return Outcome(str(code), str(code), message)


# --- the beginning ------------------------------------------------------------------------------


def start(
    call: Callable[[], Call], meta: Mapping[str, Any] | None, around_http: SpanContext | None = None
) -> tuple[Span, Context | None]:
    """The span of this call, and the context to serve it in; without one, the span is an SDK's own.

    `around_http` is the span of the HTTP request, for servers whose handlers run in the context of another.
    """
    here, provider = contexts.get_current(), tracer_provider()
    if around_http is not None:
        here = trace.set_span_in_context(NonRecordingSpan(around_http), here)
    parent = _extracted(meta, here)
    if parent is here and type(provider) is trace.ProxyTracerProvider:
        # Nobody traces, neither here nor where the call came from.
        return trace.INVALID_SPAN, None
    around = trace.get_current_span(here)
    name, attributes = _attributes(call())
    links: tuple[Link, ...] = ()
    if around is not trace.INVALID_SPAN:
        if is_native(around):
            around.update_name(name)
            around.set_attributes(attributes)
            return around, None
        if getattr(around, "end_time", None) is not None:
            # Handlers of mcp 1.x run in the context of their session's first request, which is over.
            here = trace.set_span_in_context(trace.INVALID_SPAN, here)
            parent = _extracted(meta, here)
        elif trace.get_current_span(parent) is not around and around.get_span_context().is_valid:
            links = (Link(around.get_span_context()),)
    span = _tracer(provider).start_span(name, parent, SpanKind.SERVER, attributes, links)
    return span, trace.set_span_in_context(span, parent)


def outside() -> SpanContext | None:
    """The span of the HTTP request that is being read."""
    span = trace.get_current_span()
    if not span.get_span_context().is_valid:
        return None
    parent = getattr(span, "parent", None)
    if parent is not None and getattr(span, "kind", None) is SpanKind.INTERNAL:
        # OTel's own middleware makes one for every piece that is received.
        return cast("SpanContext", parent)
    return span.get_span_context()


def is_native(span: Span) -> bool:
    """Whether an SDK made this span for the request, and it still runs."""
    scope = getattr(span, "instrumentation_scope", None)
    return (
        getattr(scope, "name", None) in NATIVE_SCOPES
        and getattr(span, "kind", None) is SpanKind.SERVER
        and span.is_recording()
    )


@lru_cache(maxsize=8)
def _tracer(provider: TracerProvider) -> Tracer:
    return provider.get_tracer(names.SCOPE)


def _extracted(meta: Mapping[str, Any] | None, here: Context) -> Context:
    """The sender's context, on top of this one; this one, if there is none."""
    if not meta:
        return here
    fields = _fields(propagate.get_global_textmap())
    if fields.isdisjoint(meta):
        return here
    carrier = {field: value for field in fields if isinstance(value := meta.get(field), str)}
    bare = trace.set_span_in_context(trace.INVALID_SPAN, here)
    sent = propagate.extract(carrier, bare)
    if trace.get_current_span(sent).get_span_context().is_valid:
        return sent
    # A sender that traces nothing may send baggage.
    return propagate.extract(carrier, here)


@lru_cache(maxsize=8)
def _fields(propagator: TextMapPropagator) -> frozenset[str]:
    return frozenset(propagator.fields)


def _attributes(call: Call) -> tuple[str, dict[str, str]]:
    name, shared = _described(call.method, call.shown, call.protocol_version, call.transport)
    attributes = dict(shared)
    if call.request_id is not None:
        attributes[names.REQUEST_ID] = str(request_name(call.request_id))[:_NAME_LIMIT]
    if call.session_id is not None:
        attributes[names.SESSION] = id_name(call.session_id, "session")
    return name, attributes


@lru_cache(maxsize=1024)
def _described(
    method: str, target: str | None, version: str | None, transport: str | None
) -> tuple[str, Mapping[str, str]]:
    """A span's name, and the attributes it shares with every other span of its kind."""
    method, about = repeatable(method[:_NAME_LIMIT]), {}
    if target is not None:
        about = dict(_target(method, target))
    named = about.get(names.TOOL) or about.get(names.PROMPT)
    attributes = {names.METHOD: method, **about, **network(transport)}
    if version is not None:
        attributes[names.PROTOCOL_VERSION] = repeatable(version[:_NAME_LIMIT])
    return f"{method} {named}" if named else method, attributes


def _target(method: str, target: str) -> Iterator[tuple[str, str]]:
    # Half a character in a span's name would cost the exporter the whole batch.
    if method == "tools/call":
        yield names.TOOL, printable(target[:_NAME_LIMIT])
        yield names.OPERATION, names.EXECUTE_TOOL
    elif method == "prompts/get":
        yield names.PROMPT, printable(target[:_NAME_LIMIT])
    elif method.startswith("resources/"):
        yield names.RESOURCE, repeatable(target)


def network(transport: str | None) -> dict[str, str]:
    """What carries the messages."""
    if transport is None:
        return {}
    if transport == "stdio":
        return {names.TRANSPORT: "pipe"}
    return {names.TRANSPORT: "tcp", names.NETWORK_PROTOCOL: "http"}


# --- the end ------------------------------------------------------------------------------------


def rename(span: Span, call: Call) -> None:
    """Call the span by what turned out to be a name of the server's own."""
    name, attributes = _attributes(call)
    span.update_name(name)
    span.set_attributes(attributes)


def conclude(span: Span, outcome: Outcome) -> None:
    """Say how it ended; nothing, where it went well."""
    if outcome.status_code is not None:
        span.set_attribute(names.STATUS_CODE, outcome.status_code)
    if outcome.error_type is not None:
        span.set_attribute(names.ERROR_TYPE, outcome.error_type)
        span.set_status(StatusCode.ERROR, outcome.description)


def describe(span: Span, failure: Failure, *, events: bool = True) -> None:
    """Put a failure on a span: our attributes, and one event for each link of its chain."""
    span.set_attributes(attributes_of(failure))
    if events:
        for cause in failure.causes:
            span.add_event(names.EXCEPTION_EVENT, exception(cause))


def attributes_of(failure: Failure) -> dict[str, Any]:
    """The failure as attributes; only what is there."""
    group, redactions, correlation = failure.fingerprint, failure.redactions, failure.call.correlation_id
    found = {
        names.ERROR_ID: failure.error_id,
        **code_labels(failure.code),
        names.REASON: failure.reason,
        names.RETRYABLE: failure.retryable,
        names.RETRY_AFTER: failure.retry_after,
        names.FINGERPRINT: group.exact or None,
        names.FAMILY: group.family or None,
        names.CHAIN: [cause.type for cause in failure.causes] or None,
        names.EVIDENCE: evidence_name(failure.evidence),
        names.REDACTED: [f"{kind}: {count}" for kind, count in redactions.items()] if redactions else None,
        names.CORRELATION_ID: correlation and id_name(correlation, "correlation"),
    }
    return {name: value for name, value in found.items() if value is not None}


@lru_cache
def code_labels(code: ErrorCode) -> Mapping[str, str]:
    """Why, and whose turn it is."""
    return {names.CODE: code.label, names.FAULT: code.traits.fault.value}


def exception(cause: Cause) -> dict[str, str | int]:
    """One link of the chain as the attributes of an exception record."""
    return {
        names.EXCEPTION_TYPE: cause.type,
        names.EXCEPTION_MESSAGE: cause.message,
        names.EXCEPTION_STACKTRACE: _stacktrace(cause),
        names.RELATION: cause.relation,
        names.DEPTH: cause.depth,
    }


def _stacktrace(cause: Cause) -> str:
    """As Python prints it, of the app's own frames, without source lines."""
    return "\n".join((*_places(cause.frames), f"{cause.type}: {cause.message}", *cause.notes))


@lru_cache(maxsize=1024)
def _places(frames: tuple[Frame, ...]) -> tuple[str, ...]:
    """What comes before the words: nothing, where nothing was raised."""
    own = [frame for frame in frames if frame.in_app] or frames[-1:]
    lines = [f'  File "{frame.file}", line {frame.line}, in {frame.function}' for frame in own[-_FRAMES:]]
    return ("\n".join(("Traceback (most recent call last):", *lines)),) if lines else ()
