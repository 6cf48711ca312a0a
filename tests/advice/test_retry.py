from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import pytest
import requests

from mcp_error_middleware import Call, RateLimited, Triage, classify
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
    type("BadHttpMessage", (ConnectionError,), {})("Invalid header token"),
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
    type("ServerSelectionTimeoutError", (ConnectionError,), {})("No servers found yet"),
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


def test_a_connection_that_failed_and_no_more_leaves_open_whether_a_write_was_done() -> None:
    vague, known = ConnectionError("the bank did not answer"), Effects(writes=True)
    assert retry_of(classify(vague), known) is Retry.VERIFY_FIRST
    assert {retry_of(classify(vague), effects) for effects in (READ, WRITE, IDEMPOTENT)} == {Retry.SAFE}
    assert retry_of(classify(vague), known, ["ConnectionRefusedError"]) is Retry.SAFE
    assert {retry_of(classify(exc), known) for exc in NEVER_SENT} == {Retry.SAFE}


def posted(port: int) -> requests.ConnectionError:
    with pytest.raises(requests.ConnectionError) as raised:
        requests.post(f"http://127.0.0.1:{port}/orders", data=b"one", timeout=5)
    return raised.value


def test_a_connection_that_was_lost_is_known_by_what_caused_the_error() -> None:
    """Its class is the same as that of one which was refused."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:
        port = server.getsockname()[1]
        lost = pool.submit(posted, port)
        connection, _ = server.accept()
        connection.recv(1)
        connection.close()
        error = lost.result()
    refused = posted(port)

    call = Call("tools/call", "create_order")
    assert (Triage()(error, call).retry, Triage()(refused, call).retry) == (Retry.VERIFY_FIRST, Retry.SAFE)


def test_a_stated_wait_is_kept() -> None:
    assert retry_of(classify(RateLimited("Slow down.", retry_after=30)), WRITE) is Retry.AFTER
    assert retry_of(classify(answered(503, **{"Retry-After": "7"})), READ) is Retry.AFTER


@pytest.mark.parametrize("exc", [KeyError("x"), ValueError("bad"), PermissionError(13, "no")], ids=repr)
def test_what_would_fail_the_same_way_is_never_retried(exc: Exception) -> None:
    assert retry_of(classify(exc), READ) is Retry.NEVER
