"""Failure in, one JSON line on standard error out.

With a structlog set-up of your own the line goes through that instead; standard output is never touched.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import orjson

from mcp_error_middleware.model import Cause, Failure
from mcp_error_middleware.taxonomy import Fault

EVENT: Final = "mcp.failure"

LEVELS: Final[Mapping[Fault, int]] = {
    Fault.CALLER: logging.WARNING,
    Fault.UPSTREAM: logging.ERROR,
    Fault.SERVER: logging.ERROR,
}
"""Whose fault it is decides how loud the line is."""


def log_failure(failure: Failure) -> None:
    """An observer: one line with the whole cause chain."""
    _logger().log(LEVELS[failure.fault], EVENT, **record(failure))


def record(failure: Failure) -> dict[str, Any]:
    """The failure as the fields of a log line; only what is there."""
    call = failure.call
    fields = {
        "error_id": failure.error_id,
        "code": failure.code.label,
        "fault": failure.fault.value,
        "message": failure.message,
        "method": call.method,
        "target": call.target,
        "request_id": call.request_id,
        "session_id": call.session_id,
        "correlation_id": call.correlation_id,
        "reason": failure.reason,
        "retryable": failure.retryable,
        "retry_after": failure.retry_after,
        "status": failure.status,
        "evidence": f"{failure.evidence.source}: {failure.evidence.detail}" if failure.evidence else None,
        "fingerprint": failure.fingerprint.exact,
        "family": failure.fingerprint.family,
        "redactions": dict(failure.redactions) or None,
        "degraded": list(failure.degraded) or None,
        "causes": [_cause(cause) for cause in failure.causes],
    }
    return {name: value for name, value in fields.items() if value is not None}


def _cause(cause: Cause) -> dict[str, Any]:
    fields = {
        "type": cause.type,
        "message": cause.message,
        "relation": cause.relation,
        "depth": cause.depth,
        "notes": list(cause.notes) or None,
        "frames": [f"{frame.file}:{frame.line} in {frame.function}" for frame in cause.frames] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _logger() -> Any:
    import structlog  # when the first line is written, not when the package is imported

    return structlog.get_logger("mcp_error_middleware") if structlog.is_configured() else _own_logger()


@cache
def _own_logger() -> Any:
    import structlog

    return structlog.wrap_logger(
        structlog.BytesLogger(sys.stderr.buffer),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=lambda value, **_: orjson.dumps(value, default=str)),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.NOTSET),
    )
