"""A suspicion in, one log line and one count out."""

from __future__ import annotations

import logging

from mcp_error_middleware.advice import Suspicion
from mcp_error_middleware.model import Call
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.logs import write
from mcp_error_middleware.telemetry.metrics import instruments
from mcp_error_middleware.triage import Triage


def told_of(call: Call, triage: Triage, suspicion: Suspicion) -> None:
    """Record a successful result that reads like an error."""
    policy = triage.policy
    if policy.metrics:
        instruments().suspected(call.tool or names.OTHER)
    if policy.log:
        said = {"kind": suspicion.kind, "message": triage.scrub.text(suspicion.text)}
        where = {"target": call.target, "request_id": call.request_id, "transport": call.transport}
        write(logging.WARNING, names.SILENT_EVENT, where | said, console=policy.console)
