"""The SDK's own in-memory exporters, in the place of whatever is set, for as long as a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

Labels = dict[str, Any]


@dataclass(frozen=True)
class Recording:
    """What was exported."""

    traces: TracerProvider
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader
    records: InMemoryLogRecordExporter

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def served(self, method: str) -> list[ReadableSpan]:
        """The SERVER spans of a method."""
        return [span for span in self.spans if span.kind is SpanKind.SERVER and span.name.startswith(method)]

    def points(self, metric: str) -> list[Any]:
        """The data points of a metric that are not zero."""
        return [point for point in self.started(metric) if _size(point)]

    def started(self, metric: str) -> list[Any]:
        """Its data points, those at zero too."""
        data = self.reader.get_metrics_data()
        return [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for item in scope.metrics
            if item.name == metric
            for point in item.data.data_points
        ]

    def counts(self, metric: str) -> list[tuple[Labels, int]]:
        return [(dict(point.attributes), _size(point)) for point in self.points(metric)]

    def everything(self) -> str:
        """All that left, as one text."""
        data = self.reader.get_metrics_data()
        spans = [span.to_json() for span in self.spans]
        logs = [item.to_json() for item in self.records.get_finished_logs()]
        return "\n".join((*spans, *logs, data.to_json() if data else ""))


def _size(point: Any) -> int:
    size: int = point.count if hasattr(point, "count") else point.value
    return size


@contextmanager
def recording() -> Iterator[Recording]:
    traces, exporter = TracerProvider(), InMemorySpanExporter()
    traces.add_span_processor(SimpleSpanProcessor(exporter))
    reader, logs, records = InMemoryMetricReader(), LoggerProvider(), InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    logs.add_log_record_processor(SimpleLogRecordProcessor(records))
    meters = MeterProvider([reader])
    with (
        patch("opentelemetry.trace._TRACER_PROVIDER", traces),
        patch("opentelemetry.metrics._internal._METER_PROVIDER", meters),
        patch("opentelemetry._logs._internal._LOGGER_PROVIDER", logs),
    ):
        yield Recording(traces, exporter, reader, records)
    for provider in (traces, meters, logs):
        provider.shutdown()
