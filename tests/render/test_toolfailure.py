from __future__ import annotations

import math

import pytest

from mcp_error_middleware.model import Call, Failure, Hint, Retry
from mcp_error_middleware.render.toolfailure import tool_failure
from mcp_error_middleware.taxonomy import ErrorCode


def failed(code: ErrorCode, **facts: object) -> Failure:
    return Failure(
        "3f9c2a7e1b40",
        Call(),
        code,
        "It failed.",
        Hint("Wait a moment, then try again."),
        True,
        time=1.8e9,
        **facts,  # type: ignore[arg-type]
    )


def test_a_failure_says_its_class_code_wait_id_and_guidance() -> None:
    assert tool_failure(failed(ErrorCode.RATE_LIMITED, retry_after=30.5, reason="daily_quota")) == {
        "class": "governance",
        "code": "daily_quota",
        "retryable": True,
        "retryNotBefore": "2027-01-15T08:00:30.500Z",
        "correlationId": "3f9c2a7e1b40",
        "agentGuidance": "Wait a moment, then try again.",
    }


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (ErrorCode.NOT_FOUND, "capability"),
        (ErrorCode.VALIDATION_ERROR, "capability"),
        (ErrorCode.FORBIDDEN, "governance"),
        (ErrorCode.TIMEOUT, "reliability"),
        (ErrorCode.INTERNAL_ERROR, "reliability"),
    ],
)
def test_the_class_follows_from_the_code(code: ErrorCode, kind: str) -> None:
    assert tool_failure(failed(code))["class"] == kind


def test_a_wait_without_an_end_is_still_a_date() -> None:
    assert tool_failure(failed(ErrorCode.TIMEOUT, retry_after=math.inf))["retryNotBefore"].startswith("2096-")


def test_what_may_have_been_done_already_is_not_to_be_sent_again() -> None:
    said = tool_failure(failed(ErrorCode.TIMEOUT, retry=Retry.VERIFY_FIRST, retry_after=3))
    assert said["retryable"] is False
    assert "retryNotBefore" not in said
