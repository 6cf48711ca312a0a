"""Failure in, the `_meta` entry of a draft standard for tool failures out.

The shape of the open proposal; its key belongs to the specification, so it is sent only on request.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from mcp_error_middleware.model import Failure, Retry
from mcp_error_middleware.taxonomy import ErrorCode, Fault

TOOL_FAILURE_KEY: Final = "io.modelcontextprotocol/toolFailure"

_GOVERNANCE: Final = frozenset({ErrorCode.UNAUTHORIZED, ErrorCode.FORBIDDEN, ErrorCode.RATE_LIMITED})
"""Somebody may not do it, or not that often."""


def tool_failure(failure: Failure) -> Mapping[str, Any]:
    """What kind of failure it is, whether and from when to retry, whom to quote, what to do."""
    # The draft has no word for what may have been done already.
    retryable = failure.retryable and failure.retry is not Retry.VERIFY_FIRST
    said: dict[str, Any] = {
        "class": _class(failure),
        "code": failure.reason or failure.code.traits.name,
        "retryable": retryable,
        "correlationId": failure.error_id,
        "agentGuidance": failure.hint.text,
    }
    if retryable and failure.retry_after is not None:
        said["retryNotBefore"] = _instant(failure.time + failure.retry_after)
    return said


def _class(failure: Failure) -> str:
    if failure.code in _GOVERNANCE:
        return "governance"
    return "capability" if failure.fault is Fault.CALLER else "reliability"


def _instant(seconds: float) -> str:
    return (
        datetime.fromtimestamp(min(seconds, 4e9), UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )
