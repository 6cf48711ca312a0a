from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from mcp_error_middleware.telemetry import names, operation
from mcp_error_middleware.telemetry.delivery import spans_to
from tests.telemetry.recording import Recording


class Hanging(SpanExporter):
    """Delivers once it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.released = threading.Event()
        self.delivered = 0

    def export(self, spans: Sequence[Any]) -> SpanExportResult:
        self.entered.set()
        self.released.wait(20)
        self.delivered += len(spans)
        return SpanExportResult.SUCCESS


def _end(provider: TracerProvider, count: int) -> None:
    for _ in range(count):
        provider.get_tracer("shop").start_span("call").end()


def test_an_exporter_that_hangs_holds_nothing_up_and_what_does_not_fit_is_counted(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "20")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10")
    exporter, provider = Hanging(), TracerProvider()
    provider.add_span_processor(spans_to(exporter))
    _end(provider, 10)
    assert exporter.entered.wait(20)
    _end(provider, 50)

    assert recorded.counts(names.DROPPED.name) == [({names.SINK: "traces"}, 30)]
    exporter.released.set()
    provider.shutdown()
    assert exporter.delivered == 30


def test_of_a_full_queue_the_log_says_nothing_of_the_failure_that_no_longer_fits(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "1")
    monkeypatch.setattr(operation, "_complained", set())
    exporter, provider = Hanging(), TracerProvider()
    provider.add_span_processor(spans_to(exporter))
    _end(provider, 1)
    assert exporter.entered.wait(20)
    try:
        raise KeyError("boxes")
    except KeyError:
        _end(provider, 2)

    [said] = caplog.records
    assert (said.getMessage().endswith("the exporter is too slow; more are only counted"), said.exc_info) == (
        True,
        None,
    )
    exporter.released.set()
    provider.shutdown()


@pytest.mark.parametrize(
    ("queue", "batch", "together"), [("20", "", 20), ("20", "100", 20), ("20", "odd", 20), ("20", "5", 5)]
)
def test_a_batch_is_never_larger_than_the_queue(
    monkeypatch: pytest.MonkeyPatch, queue: str, batch: str, together: int
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", queue)
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", batch)
    exporter, provider = Hanging(), TracerProvider()
    provider.add_span_processor(spans_to(exporter))
    _end(provider, together)

    assert exporter.entered.wait(20)
    exporter.released.set()
    provider.shutdown()
    assert exporter.delivered == together


class Failing(SpanExporter):
    def export(self, spans: Sequence[Any]) -> SpanExportResult:
        return SpanExportResult.FAILURE


class Raising(SpanExporter):
    def export(self, spans: Sequence[Any]) -> SpanExportResult:
        raise ConnectionRefusedError(111, "Connection refused")


@pytest.mark.parametrize("exporter", [Failing(), Raising()])
def test_what_an_exporter_cannot_deliver_is_counted(recorded: Recording, exporter: SpanExporter) -> None:
    provider = TracerProvider()
    provider.add_span_processor(spans_to(exporter))
    _end(provider, 7)
    provider.shutdown()

    assert recorded.counts(names.DROPPED.name) == [({names.SINK: "traces"}, 7)]


def test_what_is_delivered_is_not(recorded: Recording) -> None:
    exporter, provider = Hanging(), TracerProvider()
    exporter.released.set()
    provider.add_span_processor(spans_to(exporter))
    _end(provider, 7)
    provider.shutdown()

    assert exporter.delivered == 7
    assert recorded.counts(names.DROPPED.name) == []
