from __future__ import annotations

import asyncio
import contextvars
import logging
from typing import Any

import pytest
from opentelemetry.sdk.trace import SpanProcessor
from opentelemetry.sdk.trace.sampling import Sampler
from opentelemetry.trace import StatusCode

from mcp_error_middleware import Call, ErrorPolicy, Failure, NotFound
from mcp_error_middleware.telemetry import names, observed
from mcp_error_middleware.telemetry import operation as module
from mcp_error_middleware.telemetry.operation import operation, running
from tests.telemetry.recording import Recording

QUIET = ErrorPolicy(log=False)
PRICE = Call("tools/call", "price")


def test_a_failed_notification_is_named_by_its_code(recorded: Recording) -> None:
    call = Call("notifications/progress")
    with operation(QUIET, lambda: call):
        observed(QUIET)(KeyError("x"), call)

    [span] = recorded.spans
    assert (span.status.status_code, (span.attributes or {})[names.ERROR_TYPE]) == (
        StatusCode.ERROR,
        "InternalError",
    )


def test_a_result_that_says_it_is_an_error_is_one_even_if_nobody_looked_into_it(recorded: Recording) -> None:
    with operation(QUIET, lambda: PRICE) as running:
        running.is_error = True

    [span] = recorded.spans
    assert (span.status.status_code, (span.attributes or {})[names.ERROR_TYPE]) == (
        StatusCode.ERROR,
        "tool_error",
    )


def test_a_cancellation_is_no_error(recorded: Recording) -> None:
    with pytest.raises(asyncio.CancelledError), operation(QUIET, lambda: PRICE):
        raise asyncio.CancelledError

    [span] = recorded.spans
    assert (span.status.status_code, span.events) == (StatusCode.UNSET, ())
    assert names.ERROR_TYPE not in recorded.counts(names.DURATION.name)[0][0]


def test_of_two_failures_in_one_request_both_are_counted(recorded: Recording) -> None:
    triage = observed(QUIET)
    with operation(QUIET, lambda: PRICE):
        triage(KeyError("x"), PRICE)
        triage(NotFound("gone"), PRICE)

    assert sorted((labels[names.CODE], count) for labels, count in recorded.counts(names.ERRORS.name)) == [
        ("InternalError", 1),
        ("NotFound", 1),
    ]


def test_a_failure_outside_of_a_request_is_on_the_span_there_is_and_counted(recorded: Recording) -> None:
    with recorded.traces.get_tracer("http").start_as_current_span("POST"):
        failure = observed(QUIET)(KeyError("x"), Call("POST /mcp"))

    [span] = recorded.spans
    assert (span.attributes or {})[names.ERROR_ID] == failure.error_id
    assert span.status.status_code is StatusCode.UNSET
    assert [count for _, count in recorded.counts(names.ERRORS.name)] == [1]


def test_a_failure_in_a_task_that_outlives_its_request_is_counted_on_its_own(recorded: Recording) -> None:
    with operation(QUIET, lambda: PRICE) as request:
        outliving = contextvars.copy_context()
        observed(QUIET)(KeyError("x"), PRICE)
    outliving.run(lambda: observed(QUIET)(KeyError("x"), PRICE))

    assert request.failure is None
    assert sum(count for _, count in recorded.counts(names.ERRORS.name)) == 2


@pytest.mark.parametrize(
    ("policy", "spans", "points"),
    [
        (ErrorPolicy(log=False, traces=False), 0, 1),
        (ErrorPolicy(log=False, metrics=False), 1, 0),
        (ErrorPolicy(log=False, traces=False, metrics=False), 0, 0),
    ],
)
def test_each_signal_can_be_switched_off(
    recorded: Recording, policy: ErrorPolicy, spans: int, points: int
) -> None:
    with operation(policy, lambda: PRICE):
        observed(policy)(KeyError("x"), PRICE)

    assert (len(recorded.spans), len(recorded.points(names.ERRORS.name))) == (spans, points)


class Raising(Sampler):
    def should_sample(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("no sample")

    def get_description(self) -> str:
        return "raising"


class Jamming(SpanProcessor):
    def on_end(self, span: Any) -> None:
        raise RuntimeError("no end")


def _break_sampler(recorded: Recording) -> None:
    recorded.traces.sampler = Raising()


def _break_processor(recorded: Recording) -> None:
    recorded.traces.add_span_processor(Jamming())


@pytest.mark.parametrize("break_it", [_break_sampler, _break_processor])
def test_telemetry_that_raises_fails_no_request_is_told_once_and_counted(
    recorded: Recording,
    break_it: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_complained", set())
    break_it(recorded)
    served = 0
    for _ in range(3):
        with caplog.at_level(logging.WARNING, "mcp_error_middleware"), operation(QUIET, lambda: PRICE):
            served += 1

    assert served == 3
    assert running() is None
    assert recorded.counts(names.DROPPED.name) == [({names.SINK: "traces"}, 3)]
    assert [record.getMessage() for record in caplog.records if record.name == "mcp_error_middleware"] == [
        "a record for traces was lost: it raised; more are only counted"
    ]


def test_a_server_that_nobody_has_called_yet_has_its_series_at_zero(recorded: Recording) -> None:
    observed(QUIET)

    assert {point.value for point in recorded.started(names.ERRORS.name)} == {0}


def test_a_meter_that_raises_keeps_no_server_from_its_start(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("no meter")

    monkeypatch.setattr(module, "_complained", set())
    monkeypatch.setattr(module, "instruments", broken)
    observed(QUIET)

    assert "a record for metrics was lost" in caplog.text


def test_an_observer_that_raises_is_counted(recorded: Recording) -> None:
    def raising(failure: Failure) -> None:
        raise RuntimeError("no")

    observed(ErrorPolicy(log=False, observers=(raising,)))(KeyError("x"))

    assert recorded.counts(names.DROPPED.name) == [({names.SINK: "observer"}, 1)]
