"""Every name that leaves as telemetry: attributes, metrics, events.

Dashboards, alert rules and the runbook are made from, or checked against, this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

SCOPE: Final = "mcp_error_middleware"
"""The instrumentation scope of the tracer, the meter and the logger."""

OTHER: Final = "_OTHER"
"""What a label says instead of a value nobody registered."""

# --- attributes of OTel's MCP conventions -------------------------------------------------------

METHOD: Final = "mcp.method.name"
TOOL: Final = "gen_ai.tool.name"
PROMPT: Final = "gen_ai.prompt.name"
OPERATION: Final = "gen_ai.operation.name"
RESOURCE: Final = "mcp.resource.uri"
SESSION: Final = "mcp.session.id"
PROTOCOL_VERSION: Final = "mcp.protocol.version"
REQUEST_ID: Final = "jsonrpc.request.id"
STATUS_CODE: Final = "rpc.response.status_code"
ERROR_TYPE: Final = "error.type"
TRANSPORT: Final = "network.transport"
NETWORK_PROTOCOL: Final = "network.protocol.name"

EXCEPTION_TYPE: Final = "exception.type"
EXCEPTION_MESSAGE: Final = "exception.message"
EXCEPTION_STACKTRACE: Final = "exception.stacktrace"

EXECUTE_TOOL: Final = "execute_tool"
TOOL_ERROR: Final = "tool_error"

# --- attributes of our own ----------------------------------------------------------------------

ERROR_ID: Final = "mcp.error.id"
CODE: Final = "mcp.error.code"
"""The code's name: `NotFound`."""
FAULT: Final = "mcp.error.fault"
REASON: Final = "mcp.error.reason"
RETRYABLE: Final = "mcp.error.retryable"
RETRY_AFTER: Final = "mcp.error.retry_after"
FINGERPRINT: Final = "mcp.error.fingerprint"
FAMILY: Final = "mcp.error.family"
CHAIN: Final = "mcp.error.chain"
"""The qualified types of the cause chain, outermost first."""
EVIDENCE: Final = "mcp.error.evidence"
REDACTED: Final = "mcp.error.redacted"
"""The kinds of what was removed, each with its count."""
CORRELATION_ID: Final = "mcp.correlation.id"
KIND: Final = "mcp.redaction.kind"
SINK: Final = "mcp.telemetry.sink"

# --- events -------------------------------------------------------------------------------------

EXCEPTION_EVENT: Final = "exception"
"""One on the span for each link of the chain."""
EXCEPTION_LOG: Final = "mcp.server.operation.exception"
"""The log record of the same."""
RELATION: Final = "exception.relation"
DEPTH: Final = "exception.depth"

FAILURE_EVENT: Final = "mcp.failure"
"""One log line per failure."""
SUMMARY_EVENT: Final = "mcp.failures"
"""One log line per fingerprint and window, for the failures that had none of their own."""

SILENT_EVENT: Final = "mcp.silent_failure"
"""One log line per result that says it succeeded and reads like an error."""

# --- metrics ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Metric:
    """One instrument: what it counts and by what."""

    name: str
    kind: Literal["counter", "histogram"]
    unit: str
    description: str
    attributes: tuple[str, ...]

    @property
    def prometheus(self) -> str:
        """Its name where Prometheus reads it, without the suffixes of a histogram."""
        base = label(self.name)
        return f"{base}_seconds" if self.kind == "histogram" else f"{base}_total"


def label(attribute: str) -> str:
    """An attribute's name as Prometheus spells it."""
    return attribute.replace(".", "_")


DURATION: Final = Metric(
    "mcp.server.operation.duration",
    "histogram",
    "s",
    "How long a request took, whether it failed or not.",
    (
        METHOD,
        ERROR_TYPE,
        STATUS_CODE,
        TOOL,
        PROMPT,
        OPERATION,
        PROTOCOL_VERSION,
        TRANSPORT,
        NETWORK_PROTOCOL,
    ),
)
SESSIONS: Final = Metric(
    "mcp.server.session.duration",
    "histogram",
    "s",
    "How long a session lasted.",
    (PROTOCOL_VERSION, TRANSPORT, NETWORK_PROTOCOL),
)
ERRORS: Final = Metric(
    "mcp.server.errors", "counter", "{error}", "Failed calls.", (CODE, FAULT, METHOD, TOOL)
)
REDACTIONS: Final = Metric(
    "mcp.server.redactions", "counter", "{redaction}", "Pieces of text removed from what may leave.", (KIND,)
)
FINGERPRINTS: Final = Metric(
    "mcp.server.fingerprints",
    "counter",
    "{error}",
    "Failed calls by what they have in common; the first few hundred, the rest together.",
    (FINGERPRINT, CODE, FAULT),
)
REPEATS: Final = Metric(
    "mcp.server.repeats",
    "counter",
    "{call}",
    "Calls that failed again, with the same arguments, for the same reason, in the same session.",
    (CODE, TOOL),
)
SILENT_FAILURES: Final = Metric(
    "mcp.server.silent_failures",
    "counter",
    "{result}",
    "Results that say they succeeded and read like an error.",
    (TOOL,),
)
DROPPED: Final = Metric(
    "mcp.server.telemetry.dropped",
    "counter",
    "{record}",
    "Records an exporter or observer could not take.",
    (SINK,),
)

METRICS: Final = (
    DURATION,
    SESSIONS,
    ERRORS,
    REDACTIONS,
    FINGERPRINTS,
    REPEATS,
    SILENT_FAILURES,
    DROPPED,
)

BUCKETS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds; the boundaries of the conventions, for every histogram here."""

NOT_ERRORS: Final = frozenset({-32700, -32600, -32601, -32602, -32002})
"""JSON-RPC codes by which a server span does not count as failed."""
