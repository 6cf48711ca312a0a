"""A suspicion in, one log line and one count out."""

from __future__ import annotations

import logging

from mcp_error_middleware.advice import Suspicion
from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.logs import write
from mcp_error_middleware.telemetry.metrics import instruments


def told_of(call: Call, policy: ErrorPolicy, suspicion: Suspicion) -> None:
    """Record a successful result that reads like an error."""
    if policy.metrics:
        instruments().suspected(call.tool or names.OTHER)
    if policy.log:
        said = {"kind": suspicion.kind, "message": sanitize_text(suspicion.text)}
        where = {"target": call.target, "request_id": call.request_id, "transport": call.transport}
        write(logging.WARNING, names.SILENT_EVENT, where | said)
