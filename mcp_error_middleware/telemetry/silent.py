"""A suspicion in, one log line and one count out; of a storm of the same, a few lines and a count."""

from __future__ import annotations

import logging
from functools import lru_cache

from mcp_error_middleware.advice import Suspicion
from mcp_error_middleware.model import Call
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.logs import FailureLog, request_name, trace_ids, write
from mcp_error_middleware.telemetry.metrics import instruments
from mcp_error_middleware.triage import Triage


def told_of(call: Call, triage: Triage, suspicion: Suspicion) -> None:
    """Record a successful result that reads like an error."""
    policy = triage.policy
    if policy.metrics:
        instruments().suspected(call.tool or names.OTHER)
    if not policy.log:
        return
    said = {
        "target": call.target,
        "transport": call.transport,
        "kind": suspicion.kind,
        "message": triage.scrub.text(suspicion.text),
    }
    log = _log(policy.log_burst, policy.console)
    kind = call.target or "", suspicion.kind
    if not log.holds_back(kind, logging.WARNING, names.SILENT_EVENT, lambda: said):
        which = {"request_id": request_name(call.request_id), **trace_ids()}
        write(logging.WARNING, names.SILENT_EVENT, said | which, console=policy.console)


@lru_cache(maxsize=8)
def _log(burst: int, console: bool | None) -> FailureLog:
    return FailureLog(burst, console)
