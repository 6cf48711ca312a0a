import asyncio
import email.utils
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from mcp_error_middleware import ErrorCode, ErrorPolicy, Triage, http_error_from_response, install
from mcp_error_middleware.render import META_KEY
from mcp_error_middleware.sanitize import Pattern

ABSENT = "its library is not installed; get them all with: make provoked"


def response(status: int, body: bytes | None = None, **headers: str) -> Any:
    return SimpleNamespace(
        status_code=status, headers={k.replace("_", "-"): v for k, v in headers.items()}, content=body
    )


def test_status_service_and_body_become_the_error() -> None:
    error = http_error_from_response(response(404, b'{"detail": "no such article"}'), service="NCBI")

    assert (error.code, error.message) == (ErrorCode.NOT_FOUND, "NCBI answered HTTP 404.")
    assert error.data == {"status": 404, "service": "NCBI", "body": '{"detail": "no such article"}'}


def test_a_waiting_time_is_understood_in_seconds_and_as_a_date() -> None:
    soon = email.utils.formatdate(time.time() + 60, usegmt=True)

    assert http_error_from_response(response(429, Retry_After="30")).retry_after == 30
    assert http_error_from_response(response(503, Retry_After=soon)).retry_after == pytest.approx(60, abs=5)


def test_secrets_in_a_body_are_scrubbed_and_the_rest_is_cut() -> None:
    body = b'{"password": "hunter2", "note": "' + "ü".encode() * 600 + b'"}'

    kept = http_error_from_response(response(500, body)).data["body"]

    assert "hunter2" not in kept
    assert len(kept.encode()) <= 510
    kept.encode("utf-8")


@pytest.mark.parametrize("options", [{"capture_body": False}, {"body_limit": 0}])
def test_a_body_can_be_left_out(options: dict[str, Any]) -> None:
    assert "body" not in http_error_from_response(response(500, b"secret"), **options).data


@pytest.mark.parametrize(
    ("answer", "code", "retryable"),
    [
        (response(403, Retry_After="60"), ErrorCode.RATE_LIMITED, True),
        (response(403, X_RateLimit_Remaining="0"), ErrorCode.RATE_LIMITED, True),
        (response(400, b'{"__type": "ThrottlingException", "message": "x"}'), ErrorCode.RATE_LIMITED, True),
        (response(429, b'{"error": {"code": "insufficient_quota"}}'), ErrorCode.RATE_LIMITED, False),
        (response(403, b'{"error": "no such permission"}'), ErrorCode.FORBIDDEN, False),
        (response(302), ErrorCode.INTERNAL_ERROR, False),
    ],
)
def test_what_a_response_tells_beside_its_status_counts(
    answer: Any, code: ErrorCode, retryable: bool
) -> None:
    failure = Triage()(http_error_from_response(answer, capture_body=False))

    assert (failure.code, failure.retryable) == (code, retryable)


LONG = b'{"detail": "' + b"no such article " * 200 + b'"}'


@pytest.mark.parametrize(
    ("policy", "options", "kept"),
    [
        (ErrorPolicy(), {}, 500),
        (ErrorPolicy(body_limit=20), {}, 20),
        (ErrorPolicy(body_limit=20), {"body_limit": 100}, 20),
        (ErrorPolicy(body_limit=2_900), {}, 2_900),
        (ErrorPolicy(body_limit=2_900), {"body_limit": 100}, 100),
        (ErrorPolicy(capture_body=False), {}, None),
        (ErrorPolicy(capture_body=False), {"body_limit": 100}, None),
        (ErrorPolicy(body_limit=0), {}, None),
    ],
)
def test_a_server_keeps_as_much_of_a_body_as_its_policy_says(
    policy: ErrorPolicy, options: dict[str, Any], kept: int | None
) -> None:
    server = MCPServer("library")

    @server.tool()
    def fetch() -> str:
        raise http_error_from_response(response(404, LONG), service="NCBI", **options)

    install(server, replace(policy, log=False))

    async def ask() -> Any:
        async with Client(server) as client:
            return await client.call_tool("fetch", {})

    answer = asyncio.run(ask())
    data = answer.meta[META_KEY]["data"]
    assert (data["service"], data["status"]) == ("NCBI", 404)
    if kept is None:
        assert "body" not in data
        assert "no such article" not in answer.content[0].text
    else:
        assert kept - 30 < len(data["body"].encode()) <= kept


def test_a_body_is_scrubbed_of_what_only_the_server_knows() -> None:
    staff = Pattern("staff", re.compile(r"\bE-\d{4}\b"), ("e-",), "E-1234", "E-12")
    error = http_error_from_response(response(404, b"no such article for E-1234"))

    said = Triage(ErrorPolicy(extra_patterns=(staff,)))(error).data["body"]

    assert said == "no such article for [redacted:staff]"


def test_own_data_goes_along() -> None:
    assert http_error_from_response(response(404), data={"pmid": "123"}).data == {
        "status": 404,
        "pmid": "123",
    }


def test_a_stream_that_was_not_read_stays_unread() -> None:
    unread = SimpleNamespace(status_code=500, headers={}, _content=False)

    assert "body" not in http_error_from_response(unread).data


def test_something_else_says_what_it_takes() -> None:
    with pytest.raises(TypeError, match=r"^str has neither status_code nor status; pass an httpx"):
        http_error_from_response("no response")


@pytest.fixture(scope="module")
def upstream() -> Iterator[str]:
    """A service that is busy."""

    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(429)
            self.send_header("Retry-After", "30")
            self.send_header("Content-Length", "21")
            self.end_headers()
            self.wfile.write(b'{"error": "too many"}')

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


READ = {"status": 429, "retry_after": 30, "body": '{"error": "too many"}'}
UNREAD = {"status": 429, "retry_after": 30}


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_a_real_httpx_response_is_understood_read_or_not(library: str, upstream: str) -> None:
    httpx = pytest.importorskip(library, reason=ABSENT)

    with httpx.Client(trust_env=False) as client:
        assert http_error_from_response(client.get(upstream)).data == READ
        with client.stream("GET", upstream) as response:
            assert http_error_from_response(response).data == UNREAD
            response.read()
            assert http_error_from_response(response).data == READ


def test_a_real_requests_response_is_understood_read_or_not(upstream: str) -> None:
    requests = pytest.importorskip("requests", reason=ABSENT)

    assert http_error_from_response(requests.get(upstream, timeout=5)).data == READ
    with requests.get(upstream, timeout=5, stream=True) as response:
        assert http_error_from_response(response).data == UNREAD


def test_a_real_urllib3_response_is_understood_read_or_not(upstream: str) -> None:
    urllib3 = pytest.importorskip("urllib3", reason=ABSENT)

    with urllib3.PoolManager() as pool:
        assert http_error_from_response(pool.request("GET", upstream, retries=False)).data == READ
        response = pool.request("GET", upstream, retries=False, preload_content=False)
        assert http_error_from_response(response).data == UNREAD
        response.drain_conn()


def test_a_real_aiohttp_response_is_understood_read_or_not(upstream: str) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason=ABSENT)

    async def ask() -> None:
        async with aiohttp.ClientSession() as session, session.get(upstream) as response:
            assert http_error_from_response(response).data == UNREAD
            await response.read()
            assert http_error_from_response(response).data == READ

    asyncio.run(ask())


def test_data_that_is_no_mapping_does_not_replace_the_failure_at_hand() -> None:
    error = http_error_from_response(response(503, b"down"), data=["prices"])  # type: ignore[arg-type]

    assert (error.code, error.data) == (
        ErrorCode.SERVICE_UNAVAILABLE,
        {"status": 503, "body": "down", "value": ["prices"]},
    )
