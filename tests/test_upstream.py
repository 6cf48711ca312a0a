import email.utils
import time
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_error_middleware import ErrorCode, http_error_from_response


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
