"""Records in, records delivered or counted as dropped: batches that never make a request wait."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any, Final

from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExporter
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from mcp_error_middleware.telemetry import forks
from mcp_error_middleware.telemetry.operation import complain

_LIMIT: Final = 2048
_BATCH: Final = 512
"""Records that may wait, and that leave at once, by OTel's defaults."""


class Queue:
    """How many records wait for an exporter, and which signal they are of."""

    def __init__(self, sink: str, variables: str) -> None:
        self.sink = sink
        self.limit = _whole(f"{variables}_MAX_QUEUE_SIZE") or _LIMIT
        self.batch = min(self.limit, _whole(f"{variables}_MAX_EXPORT_BATCH_SIZE") or _BATCH)
        forks.begin(self)

    def begin(self) -> None:
        self._waiting = 0
        self._lock = threading.Lock()

    def put(self) -> None:
        """One more; of a full queue one is lost."""
        with self._lock:
            is_full = self._waiting >= self.limit
            self._waiting += not is_full
        if is_full:
            complain(self.sink, "the exporter is too slow", raised=False)

    def take(self, count: int) -> None:
        with self._lock:
            self._waiting = max(0, self._waiting - count)


class Watched:
    """An exporter, what it does not deliver being counted."""

    def __init__(self, exporter: Any, queue: Queue) -> None:
        self._exporter = exporter
        self._queue = queue

    def __getattr__(self, name: str) -> Any:
        return getattr(self._exporter, name)

    def export(self, batch: Sequence[Any]) -> Any:
        self._queue.take(len(batch))
        try:
            result = self._exporter.export(batch)
        except Exception:
            complain(self._queue.sink, "the exporter raised", len(batch))
            raise
        if result.name != "SUCCESS":
            complain(self._queue.sink, "the exporter could not deliver", len(batch), raised=False)
        return result


class _Spans(BatchSpanProcessor):
    def __init__(self, exporter: SpanExporter, queue: Queue) -> None:
        self.queue = queue
        super().__init__(
            Watched(exporter, queue),  # type: ignore[arg-type]
            max_queue_size=queue.limit,
            max_export_batch_size=queue.batch,
        )

    def on_end(self, span: ReadableSpan) -> None:
        if span.context is not None and span.context.trace_flags.sampled:
            self.queue.put()
        super().on_end(span)


class _Records(BatchLogRecordProcessor):
    def __init__(self, exporter: LogRecordExporter, queue: Queue) -> None:
        self.queue = queue
        super().__init__(
            Watched(exporter, queue),  # type: ignore[arg-type]
            max_queue_size=queue.limit,
            max_export_batch_size=queue.batch,
        )

    def on_emit(self, log_record: Any) -> None:
        self.queue.put()
        super().on_emit(log_record)


def spans_to(exporter: SpanExporter) -> BatchSpanProcessor:
    """A processor that hands spans to this exporter, in batches, from a thread of its own."""
    return _Spans(exporter, Queue("traces", "OTEL_BSP"))


def records_to(exporter: LogRecordExporter) -> BatchLogRecordProcessor:
    """The same for log records."""
    return _Records(exporter, Queue("logs", "OTEL_BLRP"))


def _whole(variable: str) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isdecimal() else 0
