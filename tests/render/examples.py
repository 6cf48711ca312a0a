"""One failure that most examples are variations of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_error_middleware.model import Call, Failure, Hint
from mcp_error_middleware.taxonomy import ErrorCode

NOT_FOUND = Failure(
    error_id="3f9c2a7e1b40",
    call=Call(target="get_order", request_id=7, protocol_version="2025-11-25"),
    code=ErrorCode.NOT_FOUND,
    message="Order 'ord_999' was not found.",
    hint=Hint("Call list_orders and use an id from its result."),
    retryable=False,
)

RATE_LIMITED = Failure(
    error_id="8d0e4c11a2f3",
    call=Call(target="search", request_id="r-1"),
    code=ErrorCode.RATE_LIMITED,
    message="A rate limit or quota was exceeded.",
    hint=Hint("Wait before the next call and send fewer requests."),
    retryable=True,
    retry_after=29.2,
    status=429,
)


def failure(**changes: Any) -> Failure:
    """`NOT_FOUND`, but for these fields."""
    return replace(NOT_FOUND, **changes)
