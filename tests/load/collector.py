"""A collector on loopback that can be killed and started again at the same place."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra [otlp]")

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    """Keeps what arrives, over every time it is started."""

    def __init__(self) -> None:
        self.bodies: list[tuple[str, bytes]] = []
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                collector.bodies.append((self.path, body))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def kill(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def spans(self) -> list[Any]:
        sent = [
            ExportTraceServiceRequest.FromString(body) for path, body in self.bodies if path == "/v1/traces"
        ]
        return [
            span for r in sent for rs in r.resource_spans for scope in rs.scope_spans for span in scope.spans
        ]

    def count(self, metric: str) -> int:
        """The last value of a counter, over all its labels."""
        sent = [
            ExportMetricsServiceRequest.FromString(body)
            for path, body in self.bodies
            if path == "/v1/metrics"
        ]
        scopes = [scope for r in sent[-1:] for rm in r.resource_metrics for scope in rm.scope_metrics]
        found = [item for scope in scopes for item in scope.metrics if item.name == metric]
        return sum(point.as_int for item in found for point in item.sum.data_points)
