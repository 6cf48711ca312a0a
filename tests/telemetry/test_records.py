from __future__ import annotations

import pytest
from opentelemetry import trace

from mcp_error_middleware import Call, ErrorPolicy
from mcp_error_middleware.telemetry import names, observed
from mcp_error_middleware.telemetry.operation import SIGNAL, operation
from tests.telemetry.recording import Recording

QUIET = ErrorPolicy(log=False)


@pytest.mark.parametrize(
    ("signal", "events", "records"), [(None, 2, 0), ("logs", 0, 2), ("logs/dup", 2, 2), ("other", 2, 0)]
)
def test_exceptions_go_where_the_variable_says(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch, signal: str | None, events: int, records: int
) -> None:
    if signal is not None:
        monkeypatch.setenv(SIGNAL, signal)
    error = RuntimeError("outer")
    error.__cause__ = KeyError("inner")
    with operation(QUIET, lambda: Call(target="price")):
        observed(QUIET)(error, Call(target="price"))

    [span] = recorded.spans
    assert (len(span.events), len(recorded.records.get_finished_logs())) == (events, records)


def test_a_record_has_the_link_the_error_id_and_the_span(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SIGNAL, "logs")
    with operation(QUIET, lambda: Call(target="price")):
        failure = observed(QUIET)(ValueError("postgresql://shop:hunter2@db.internal/x"), Call(target="price"))

    [item], [span] = recorded.records.get_finished_logs(), recorded.spans
    record = item.log_record
    assert span.context is not None
    assert (record.event_name, record.severity_text) == ("mcp.server.operation.exception", "WARN")
    assert (record.trace_id, record.span_id) == (span.context.trace_id, span.context.span_id)
    assert {**(record.attributes or {})} == {
        names.EXCEPTION_TYPE: "ValueError",
        names.EXCEPTION_MESSAGE: failure.causes[0].message,
        names.EXCEPTION_STACKTRACE: f"ValueError: {failure.causes[0].message}",
        names.RELATION: "raised",
        names.DEPTH: 0,
        names.ERROR_ID: failure.error_id,
    }
    assert "hunter2" not in recorded.everything()
    assert trace.get_current_span() is trace.INVALID_SPAN
