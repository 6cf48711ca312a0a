"""What a failure leaves behind: log lines, spans, log records, the desk, an explanation. No secret in any."""

from __future__ import annotations

import orjson
import pytest

from mcp_error_middleware import Call, ErrorPolicy
from mcp_error_middleware.cli import main
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.telemetry import names, observed
from mcp_error_middleware.telemetry.operation import operation
from tests.telemetry.recording import recording


class Refused(Exception):
    """A client's, with the answer of its upstream."""

    def __init__(self, code: str) -> None:
        super().__init__("refused")
        self.body = {"error": {"code": code}}


@pytest.mark.parametrize(
    ("exc", "secret"),
    [
        (Exception("connection to postgres://anna:hunter2Zq9@db.internal:5432 failed"), "hunter2zq9"),
        (Exception("cannot ship 4111 1111 1111 1111 from its current state"), "1111"),
        (Refused("invalid_api_key password:hunter2Zq9"), "hunter2zq9"),
    ],
    ids=["a place", "a card", "an upstream's code"],
)
def test_what_decided_a_code_repeats_no_secret(
    exc: Exception, secret: str, capfd: pytest.CaptureFixture[str]
) -> None:
    desk, call = Desk(), Call(target="ship")
    with recording() as recorded:
        with operation(ErrorPolicy(), lambda: call):
            failure = observed(ErrorPolicy(console=False))(exc, call)
        spans, records = recorded.spans, recorded.records.get_finished_logs()
    desk.flush()

    assert failure.evidence is not None
    decided = f"{failure.evidence.source}: {failure.evidence.detail}"
    shown = desk.store.failure(failure.error_id)
    assert decided.startswith(("pattern: ", "provider: "))
    assert shown is not None
    assert (spans[0].attributes or {})[names.EVIDENCE] == decided
    assert (records[0].log_record.attributes or {})["evidence"] == decided
    assert shown["evidence"] == orjson.loads(capfd.readouterr().err)["evidence"] == decided
    assert secret not in decided.lower()
    assert secret not in "".join((spans[0].to_json(), records[0].to_json(), str(shown))).lower()


def test_an_explanation_repeats_no_secret_of_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "connection to postgres://anna:hunter2Zq9@db.internal:5432 failed"])

    shown = capsys.readouterr().out
    assert "pattern: connection to … failed" in shown
    assert "hunter2" not in shown.lower()
