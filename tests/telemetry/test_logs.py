import subprocess
import sys

import orjson
import pytest
import structlog

from mcp_error_middleware import Call, NotFound, Triage
from mcp_error_middleware.telemetry.logs import log_failure, record

SCRIPT = """
from mcp_error_middleware import Call, Triage
from mcp_error_middleware.telemetry.logs import log_failure
try:
    try:
        raise OSError("dsn postgresql://shop:hunter2@db.internal/x")
    except OSError as exc:
        raise RuntimeError("price lookup failed") from exc
except RuntimeError as exc:
    log_failure(Triage()(exc, Call(target="price", request_id=7)))
"""


def test_without_a_set_up_one_json_line_goes_to_standard_error_and_nothing_to_standard_output() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)

    line = orjson.loads(done.stderr)
    assert done.stdout == b""
    assert (line["event"], line["level"], line["target"], line["request_id"]) == (
        "mcp.failure",
        "error",
        "price",
        7,
    )
    assert [(cause["type"], cause["relation"]) for cause in line["causes"]] == [
        ("RuntimeError", "raised"),
        ("OSError", "cause"),
    ]
    assert b"hunter2" not in done.stderr


def test_a_structlog_set_up_of_the_users_own_gets_the_fields() -> None:
    with structlog.testing.capture_logs() as lines:
        log_failure(Triage()(NotFound("gone"), Call(target="price")))

    assert (lines[0]["event"], lines[0]["log_level"], lines[0]["code"]) == (
        "mcp.failure",
        "warning",
        "NotFound",
    )


@pytest.mark.parametrize(
    ("exc", "level"), [(ValueError("x"), "warning"), (TimeoutError(), "error"), (KeyError("x"), "error")]
)
def test_whose_fault_it_is_decides_how_loud_the_line_is(exc: Exception, level: str) -> None:
    with structlog.testing.capture_logs() as lines:
        log_failure(Triage()(exc))

    assert lines[0]["log_level"] == level


def test_only_what_is_there_is_logged() -> None:
    fields = record(Triage()(ValueError("x")))

    assert None not in fields.values()
    assert "session_id" not in fields
