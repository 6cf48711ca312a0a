from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from opentelemetry.sdk.metrics import Counter, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from tests.deploy.components import package
from tests.deploy.stack import collecting, eventually


def test_what_is_sent_as_differences_adds_up_over_a_pause(tmp_path: Path) -> None:
    otlp = package("opentelemetry.exporter.otlp.proto.http.metric_exporter")
    with collecting(tmp_path) as (address, shown, _):
        exporter = otlp.OTLPMetricExporter(
            f"{address}/v1/metrics", preferred_temporality={Counter: AggregationTemporality.DELTA}
        )
        provider = MeterProvider([PeriodicExportingMetricReader(exporter, 3_600_000)])
        errors = provider.get_meter("shop").create_counter("mcp.server.errors")
        for count in (10, 0, 10):
            if count:
                errors.add(count)
            provider.force_flush()

        seen = partial(values, shown, "mcp_server_errors_total")
        eventually(lambda: seen() == [20.0], "what was sent does not add up", within=15)
        provider.shutdown()


def test_a_prometheus_that_could_read_dots_is_shown_the_names_the_rules_ask_for(tmp_path: Path) -> None:
    """As version 3 asks, which is the one in compose."""
    otlp = package("opentelemetry.exporter.otlp.proto.http.metric_exporter")
    accept = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;q=0.1"
    with collecting(tmp_path) as (address, shown, itself):
        exporter = otlp.OTLPMetricExporter(f"{address}/v1/metrics")
        provider = MeterProvider([PeriodicExportingMetricReader(exporter, 3_600_000)])
        provider.get_meter("shop").create_counter("mcp.server.errors").add(7, {"mcp.error.code": "Timeout"})
        provider.force_flush()

        seen = partial(values, shown, "mcp_server_errors_total", accept)
        eventually(lambda: seen() == [7.0], "Prometheus 3 would see another name", within=15)
        assert values(itself, "otelcol_receiver_refused_metric_points", accept) == [0.0]
        provider.shutdown()


def test_what_it_cannot_hand_on_is_counted_under_the_names_the_rules_ask_for(tmp_path: Path) -> None:
    otlp = package("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    with refusing() as address, collecting(tmp_path, JAEGER_OTLP=address) as (collector, _, itself):
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(otlp.OTLPSpanExporter(f"{collector}/v1/traces")))
        provider.get_tracer("shop").start_span("price").end()

        lost = partial(values, itself, "otelcol_exporter_send_failed_spans")
        eventually(lambda: lost() == [1.0], "the lost span is not counted", within=15)
        assert values(itself, "otelcol_receiver_refused_spans") == [0.0]
        assert values(itself, "otelcol_exporter_queue_size") == [0.0]
        assert values(itself, "otelcol_exporter_queue_capacity") == [1000.0]


def values(address: str, metric: str, accept: str = "*/*") -> list[float]:
    """What is shown of a metric there."""
    request = urllib.request.Request(address, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=5) as answer:
        found = re.findall(rf"^{metric}(?:{{.*}})? (\S+)", answer.read().decode(), re.MULTILINE)
    return [float(value) for value in found]


@contextmanager
def refusing() -> Iterator[str]:
    """Somebody who takes no spans, for good."""

    class Refusal(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_error(400)

        def log_message(self, format: str, *args: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
