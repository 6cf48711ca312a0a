"""How long to wait."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.classify import classify, retry_after_from_headers
from mcp_error_middleware.classify.evidence.waits import LONGEST, seconds_in, seconds_said


class RateLimited(Exception):
    pass


def wait(*args: object, **attributes: Any) -> float | None:
    exc = RateLimited(*args)
    vars(exc).update(attributes)
    return classify(exc).retry_after


def soon() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=90)


CARRIERS: list[dict[str, Any]] = [
    {"retry_after": 90},
    {"retry_after": "90"},
    {"retry_after": timedelta(seconds=90)},
    {"retry_after_ms": 90_000},
    {"retryAfter": 90.0},
    {"wait": 90},
    {"seconds": 90},
    {"backoff": 90},
    {"period_remaining": 90},
    {"retry_delay": SimpleNamespace(seconds=89, nanos=1_000_000_000)},
    {"headers": {"Retry-After": "90"}},
    {"headers": {"retry-after-ms": "90000"}},
    {"headers": {"Retry-After": ["90"]}},
    {"headers": [("retry-after", "90")]},
    {"headers": [(b"Retry-After", b"90")]},
    {"headers": {"x-ratelimit-reset-after": "90"}},
    {"headers": {"x-ratelimit-reset-requests": "1m30s"}},
    {"response": SimpleNamespace(status_code=429, headers={"RETRY-AFTER": "90"})},
    {"response": {"ResponseMetadata": {"HTTPHeaders": {"retry-after": "90"}}}},
    {"resp": {"status": "429", "retry-after": "90"}},
    {"meta": SimpleNamespace(status=429, headers={"retry-after": "90"})},
    {"body": {"retry_after": 90}},
    {"body": {"error": {"details": [{"retryDelay": "90s"}]}}},
    {"body": '{"parameters": {"retry_after": 90}}'},
    {"details": [SimpleNamespace(retry_delay=SimpleNamespace(seconds=90, nanos=0))]},
]


@pytest.mark.parametrize("attributes", CARRIERS, ids=[f"{n}-{next(iter(c))}" for n, c in enumerate(CARRIERS)])
def test_a_wait_is_found_where_libraries_keep_it(attributes: dict[str, Any]) -> None:
    assert wait(**attributes) == pytest.approx(90, abs=1)


def test_a_moment_is_counted_from_now() -> None:
    moment = soon()
    for value in (
        moment,
        moment.timestamp(),
        str(int(moment.timestamp())),
        int(moment.timestamp() * 1000),
        format_datetime(moment, usegmt=True),
        moment.isoformat(),
    ):
        assert seconds_in(value) == pytest.approx(90, abs=2)


def test_a_reset_counts_only_when_it_was_the_limit_that_failed() -> None:
    exc = Exception("x")
    exc.headers = {"x-ratelimit-reset": str(time.time() + 90)}  # type: ignore[attr-defined]
    exc.status = 503  # type: ignore[attr-defined]
    assert classify(exc).retry_after is None
    exc.status = 429  # type: ignore[attr-defined]
    assert classify(exc).retry_after == pytest.approx(90, abs=2)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (0, 0.0),
        (-5, 0.0),
        ("0.5", 0.5),
        ("20ms", 0.02),
        ("6m0s", 360.0),
        ("1h", 3600.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        (10**8, LONGEST),
        (math.nan, None),
        (math.inf, LONGEST),
        ("soon", None),
        ("", None),
        (True, None),
        (None, None),
        ([], None),
        (object(), None),
    ],
)
def test_a_wait_is_sane(value: object, seconds: float | None) -> None:
    if value is math.inf:
        assert seconds_in(value) in (None, 0.0, LONGEST)
    else:
        assert seconds_in(value) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please try again in 20s.", 20.0),
        ("Retry after 2 minutes", 120.0),
        ("Rate limit reached. Please try again in 859ms.", 0.859),
        ("retry after 30", 30.0),
        ("Please wait 5 seconds", 5.0),
        ("Please try again later", None),
        ("retry 3 of 5 at 2024", None),
        ("Expected available in 13 seconds.", 13.0),
    ],
)
def test_a_wait_may_be_said_in_words(text: str, seconds: float | None) -> None:
    assert seconds_said(text) == seconds


def test_words_are_the_last_to_be_asked() -> None:
    assert wait("try again in 20s") == 20.0
    assert wait("try again in 20s", retry_after=5) == 5.0


def test_a_grpc_status_may_carry_the_wait_in_its_details() -> None:
    wire = b"\x08\x08\x12\x04slow\x1a/\n(type.googleapis.com/google.rpc.RetryInfo\x12\x05\n\x03\x08\xac\x02"
    assert retry_after_from_headers([("grpc-status-details-bin", wire)]) == 300.0


def test_the_wait_of_a_cause_counts_for_the_error_raised_from_it() -> None:
    cause = Exception("429")
    cause.status_code, cause.headers = 429, {"retry-after": "7"}  # type: ignore[attr-defined]
    exc = RateLimited("slow down")
    exc.__cause__ = cause
    verdict = classify(exc)
    assert (verdict.retry_after, verdict.status) == (7.0, 429)


class Endless:
    def items(self) -> Any:
        while True:
            yield "x", "y"


class Hostile:
    def items(self) -> Any:
        raise SystemExit


@pytest.mark.parametrize(
    "headers", [Endless(), Hostile(), 7, "retry-after: 5", {1: 2}, [1, 2], None, {"Retry-After": []}]
)
def test_odd_headers_are_none(headers: object) -> None:
    assert retry_after_from_headers(headers) is None


@given(st.one_of(st.text(max_size=70), st.floats(), st.integers(), st.binary(max_size=20)))
def test_whatever_is_given_a_wait_is_bounded(value: object) -> None:
    seconds = seconds_in(value)
    assert seconds is None or 0 <= seconds <= LONGEST
