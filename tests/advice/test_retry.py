from __future__ import annotations

import socket

import httpx2 as httpx
import pytest

from mcp_error_middleware import RateLimited, classify
from mcp_error_middleware.advice import Effects, Retry, retry_of

READ, WRITE, IDEMPOTENT = Effects(read_only=True), Effects(), Effects(idempotent=True)


def answered(status: int, **headers: str) -> httpx.HTTPStatusError:
    request = httpx.Request("POST", "https://api.example.com/orders")
    response = httpx.Response(status, headers=headers, request=request)
    return httpx.HTTPStatusError(f"{status}", request=request, response=response)


UNKNOWN = [
    TimeoutError(),
    ConnectionResetError(104, "Connection reset by peer"),
    BrokenPipeError(32, "Broken pipe"),
    httpx.ReadTimeout("timed out"),
    httpx.ReadError("lost"),
    httpx.RemoteProtocolError("Server disconnected without sending a response."),
    answered(504),
    answered(502),
]
NEVER_SENT = [
    ConnectionRefusedError(111, "Connection refused"),
    socket.gaierror(-2, "Name or service not known"),
    httpx.ConnectTimeout("timed out"),
    httpx.ConnectError("refused"),
    httpx.PoolTimeout("busy"),
    answered(503),
]


@pytest.mark.parametrize("exc", UNKNOWN, ids=repr)
def test_a_write_whose_outcome_is_unknown_is_verified_first(exc: Exception) -> None:
    verdict = classify(exc)
    assert retry_of(verdict, WRITE) is Retry.VERIFY_FIRST
    assert {retry_of(verdict, READ), retry_of(verdict, IDEMPOTENT)} == {Retry.SAFE}


@pytest.mark.parametrize("exc", NEVER_SENT, ids=repr)
def test_a_write_that_never_left_is_safe_to_repeat(exc: Exception) -> None:
    assert retry_of(classify(exc), WRITE) is Retry.SAFE


def test_a_stated_wait_is_kept() -> None:
    assert retry_of(classify(RateLimited("Slow down.", retry_after=30)), WRITE) is Retry.AFTER
    assert retry_of(classify(answered(503, **{"Retry-After": "7"})), READ) is Retry.AFTER


@pytest.mark.parametrize("exc", [KeyError("x"), ValueError("bad"), PermissionError(13, "no")], ids=repr)
def test_what_would_fail_the_same_way_is_never_retried(exc: Exception) -> None:
    assert retry_of(classify(exc), READ) is Retry.NEVER
