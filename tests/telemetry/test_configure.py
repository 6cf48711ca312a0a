"""In a process of its own each time: providers can be set only once."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra [otlp]")

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"

FAILING = f"""
from mcp_error_middleware import Call, ErrorPolicy, telemetry
from mcp_error_middleware.telemetry.operation import operation, recognise
telemetry.configure()
telemetry.configure()
policy = ErrorPolicy(log_burst=2)
triage = telemetry.observed(policy)
for at in range(5):
    call = Call(target="price", request_id=at, transport="http")
    with operation(policy, lambda: call):
        recognise()
        triage(KeyError("{SECRET}"), call)
"""


class Sink:
    """A collector on loopback that keeps what it is sent."""

    def __init__(self, status: int = 200) -> None:
        self.bodies: list[tuple[str, bytes]] = []
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                sink.bodies.append((self.path, body))
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def sent(self, path: str, kind: Any) -> list[Any]:
        return [kind.FromString(body) for sent_to, body in self.bodies if sent_to == path]

    @property
    def spans(self) -> list[Any]:
        requests = self.sent("/v1/traces", ExportTraceServiceRequest)
        return [
            span for r in requests for rs in r.resource_spans for ss in rs.scope_spans for span in ss.spans
        ]

    @property
    def metrics(self) -> dict[str, Any]:
        requests = self.sent("/v1/metrics", ExportMetricsServiceRequest)
        scopes = [sm for r in requests for rm in r.resource_metrics for sm in rm.scope_metrics]
        return {metric.name: metric for scope in scopes for metric in scope.metrics}

    def sums(self, name: str) -> list[Any]:
        """What each process said last of a metric."""
        last: dict[str, Any] = {}
        for request in self.sent("/v1/metrics", ExportMetricsServiceRequest):
            for each in request.resource_metrics:
                found = [metric for scope in each.scope_metrics for metric in scope.metrics]
                last |= {str(each.resource): metric for metric in found if metric.name == name}
        return list(last.values())

    @property
    def records(self) -> list[Any]:
        requests = self.sent("/v1/logs", ExportLogsServiceRequest)
        scopes = [sl for r in requests for rl in r.resource_logs for sl in rl.scope_logs]
        return [record for scope in scopes for record in scope.log_records]


@pytest.fixture
def sink() -> Iterator[Sink]:
    running = Sink()
    yield running
    running.server.shutdown()
    running.server.server_close()


def _run(script: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=_environ(environ), timeout=50
    )


def _environ(given: dict[str, str]) -> dict[str, str]:
    return {"PATH": "", "PYTHONPATH": ":".join(filter(None, sys.path)), **given}


def test_all_three_signals_reach_a_collector_when_the_process_ends_and_no_secret_does(sink: Sink) -> None:
    done = _run(FAILING, OTEL_EXPORTER_OTLP_ENDPOINT=sink.url, OTEL_SERVICE_NAME="shop")

    assert (done.returncode, done.stdout) == (0, "")
    assert [span.name for span in sink.spans] == ["tools/call price"] * 5
    [duration] = sink.metrics["mcp.server.operation.duration"].histogram.data_points
    assert duration.count == 5
    assert duration.exemplars[0].trace_id in {span.trace_id for span in sink.spans}
    assert [record.event_name for record in sink.records] == ["mcp.failure", "mcp.failure", "mcp.failures"]
    assert SECRET.encode() not in b"".join(body for _, body in sink.bodies)
    assert SECRET not in done.stderr


def test_sigterm_sends_what_is_queued_before_it_ends_the_process(sink: Sink) -> None:
    script = FAILING + "print('ready', flush=True)\nimport time\nwhile True: time.sleep(1)\n"
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env=_environ({"OTEL_EXPORTER_OTLP_ENDPOINT": sink.url}),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=40)

    assert process.returncode == -signal.SIGTERM
    assert len(sink.spans) == 5
    assert sink.metrics["mcp.server.operation.duration"].histogram.data_points[0].count == 5


SHOP = """
from mcp.server.mcpserver import MCPServer
from mcp_error_middleware import install, telemetry

telemetry.configure()
server = install(MCPServer("shop"))

@server.tool()
def price() -> str:
    raise KeyError("stock")

app = server.streamable_http_app(stateless_http=True, json_response=True)
"""


def test_workers_that_heed_sigterm_themselves_send_what_is_queued_too(sink: Sink, tmp_path: Path) -> None:
    """Uvicorn's import the app when they heed it already, and die of it once they have closed."""
    (tmp_path / "shop.py").write_text(SHOP)
    address = f"http://127.0.0.1:{(port := _free_port())}/mcp"
    environ = _environ({"OTEL_EXPORTER_OTLP_ENDPOINT": sink.url, "OTEL_BSP_SCHEDULE_DELAY": "600000"})
    command = [sys.executable, "-m", "uvicorn", "shop:app", "--workers", "2", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        begun = (line for line in process.stderr if "startup complete" in line)
        assert all(next(begun) for _ in range(2))
        for number in range(20):
            _call(address, number)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=40)[1]

    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert sum(line.get("count", 1) for line in lines) == 20
    assert [span.name for span in sink.spans] == ["tools/call price"] * 20
    points = [point for metric in sink.sums("mcp.server.errors") for point in metric.sum.data_points]
    assert sum(point.as_int for point in points) == 20


def _call(address: str, number: int) -> None:
    params = {"name": "price", "arguments": {}}
    body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    with urlopen(Request(address, json.dumps(body).encode(), headers)) as answer:
        assert json.load(answer)["result"]["isError"]


@pytest.mark.parametrize("end", ["pass", "os.kill(os.getpid(), 15)"], ids=["exit", "sigterm"])
def test_a_collector_that_never_answers_does_not_keep_the_process(end: str) -> None:
    """The exporter alone would wait for ten minutes."""
    script = "import os\n" + FAILING.replace("configure()", "configure(patience=0.2)", 1) + end
    with socket.create_server(("127.0.0.1", 0)) as silent:
        done = _run(
            script,
            OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{silent.getsockname()[1]}",
            OTEL_EXPORTER_OTLP_TIMEOUT="600",
        )

    assert done.returncode == (0 if end == "pass" else -signal.SIGTERM)
    assert done.stderr.count("telemetry was not taken within 0.2 seconds") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="forks as POSIX does")
def test_a_forked_worker_sends_what_it_has_queued_too(sink: Sink) -> None:
    """It gets no thread of its parent's."""
    head, _, loop = FAILING.partition("for at in")
    script = f"import os, sys\n{head}child = os.fork()\nif child == 0:\n"
    script += "".join(f"    {line}\n" for line in f"for at in{loop}sys.exit(0)".splitlines())
    done = _run(script + "os.waitpid(child, 0)\n", OTEL_EXPORTER_OTLP_ENDPOINT=sink.url)

    assert done.returncode == 0, done.stderr
    assert [span.name for span in sink.spans] == ["tools/call price"] * 5


def test_metrics_can_be_scraped_instead() -> None:
    script = FAILING + "print('ready', flush=True)\nimport sys; sys.stdin.read()\n"
    environ = {
        "OTEL_TRACES_EXPORTER": "none",
        "OTEL_LOGS_EXPORTER": "none",
        "OTEL_METRICS_EXPORTER": "prometheus",
        "OTEL_EXPORTER_PROMETHEUS_HOST": "127.0.0.1",
        "OTEL_EXPORTER_PROMETHEUS_PORT": str(_free_port()),
    }
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env=_environ(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        with urlopen(f"http://127.0.0.1:{environ['OTEL_EXPORTER_PROMETHEUS_PORT']}/metrics") as answer:
            page = answer.read().decode()
        process.communicate(timeout=40)

    assert re.search(
        r'^mcp_server_errors_total\{gen_ai_tool_name="price",mcp_error_code="InternalError",'
        r'mcp_error_fault="server",mcp_method_name="tools/call"\} 5\.0$',
        page,
        re.MULTILINE,
    )
    assert 'mcp_server_operation_duration_seconds_bucket{error_type="tool_error"' in page
    assert 'le="300.0"' in page


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_provider_that_is_set_already_stays(sink: Sink) -> None:
    script = """
from opentelemetry import metrics, trace
from opentelemetry.sdk.trace import TracerProvider
mine = TracerProvider()
trace.set_tracer_provider(mine)
from mcp_error_middleware import telemetry
telemetry.configure()
assert trace.get_tracer_provider() is mine
assert type(metrics.get_meter_provider()).__module__.startswith("opentelemetry.sdk.")
"""
    done = _run(script, OTEL_EXPORTER_OTLP_ENDPOINT=sink.url)

    assert (done.returncode, done.stderr) == (0, "")


def test_for_a_provider_that_is_set_already_no_exporter_is_made_and_no_port_opened(sink: Sink) -> None:
    script = """
import socket
from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
taken = socket.create_server(("localhost", 0))
metrics.set_meter_provider(MeterProvider())
import os
os.environ["OTEL_EXPORTER_PROMETHEUS_PORT"] = str(taken.getsockname()[1])
from mcp_error_middleware import telemetry
telemetry.configure()
"""
    done = _run(script, OTEL_EXPORTER_OTLP_ENDPOINT=sink.url, OTEL_METRICS_EXPORTER="prometheus")

    assert (done.returncode, done.stderr) == (0, "")


def test_the_sdk_can_be_disabled() -> None:
    done = _run(FAILING, OTEL_SDK_DISABLED="true")

    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 3


def test_a_collector_that_refuses_fails_nothing_and_what_is_lost_is_told_once() -> None:
    refusing = Sink(status=400)
    done = _run(FAILING, OTEL_EXPORTER_OTLP_ENDPOINT=refusing.url, OTEL_METRICS_EXPORTER="none")
    refusing.server.shutdown()
    refusing.server.server_close()

    assert done.returncode == 0
    assert done.stderr.count("a record for traces was lost: the exporter could not deliver") == 1


def test_a_collector_that_is_away_is_spoken_of_once_however_often_it_is_asked() -> None:
    script = """
from opentelemetry import trace
from mcp_error_middleware import telemetry
telemetry.configure()
for _ in range(2):
    trace.get_tracer("shop").start_span("price").end()
    trace.get_tracer_provider().force_flush()
"""
    done = _run(
        script,
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{_free_port()}",
        OTEL_EXPORTER_OTLP_TIMEOUT="2",
        OTEL_METRICS_EXPORTER="none",
        OTEL_LOGS_EXPORTER="none",
    )

    assert done.returncode == 0
    assert done.stderr.count("Transient error") == 1
    assert done.stderr.count("a record for traces was lost") == 1


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        (
            {"OTEL_TRACES_EXPORTER": "zipkin"},
            "ValueError: OTEL_TRACES_EXPORTER is 'zipkin'; use one of otlp, console, none.",
        ),
        (
            {"OTEL_EXPORTER_OTLP_PROTOCOL": "carrier-pigeon"},
            "ValueError: OTEL_EXPORTER_OTLP_PROTOCOL is 'carrier-pigeon'; use one of http/protobuf, grpc.",
        ),
        (
            {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"},
            "ValueError: OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is 'http/json'; use one of http/protobuf, grpc.",
        ),
        (
            {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "ImportError: OTLP needs a package that is missing: "
            "pip install opentelemetry-exporter-otlp-proto-grpc",
        ),
        (
            {"OTEL_BLRP_SCHEDULE_DELAY": "-1"},
            "ValueError: an OTEL_* variable has a value that cannot be used: "
            "schedule_delay_millis must be positive.",
        ),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"},
            "ValueError: OTEL_EXPORTER_OTLP_ENDPOINT does not begin with http:// or https://.",
        ),
        (
            {"OTEL_METRICS_EXPORTER": "prometheus", "OTEL_EXPORTER_PROMETHEUS_PORT": "99999"},
            "ValueError: cannot serve metrics on localhost:99999 (bind(): port must be 0-65535.); "
            "set OTEL_EXPORTER_PROMETHEUS_PORT to a free one.",
        ),
    ],
)
def test_what_cannot_be_had_says_the_way_out(environ: dict[str, str], message: str) -> None:
    done = _run("from mcp_error_middleware import telemetry; telemetry.configure()", **environ)

    assert done.stderr.splitlines()[-1] == message


def test_a_header_that_is_none_is_refused_without_repeating_it() -> None:
    done = _run(
        "from mcp_error_middleware import telemetry; telemetry.configure()",
        OTEL_EXPORTER_OTLP_HEADERS=f"x-tenant=blue,Authorization Bearer {SECRET}",
    )

    assert done.stderr.splitlines()[-1] == (
        "ValueError: OTEL_EXPORTER_OTLP_HEADERS has an entry that is not of the form name=value."
    )
    assert SECRET not in done.stderr


def test_where_one_signal_cannot_be_had_none_is_half_set_up_and_a_second_try_is_whole(sink: Sink) -> None:
    script = """
import os
from mcp_error_middleware import telemetry
try:
    telemetry.configure()
except ValueError:
    del os.environ["OTEL_METRIC_EXPORT_INTERVAL"]
from opentelemetry import trace
assert type(trace.get_tracer_provider()).__name__ == "ProxyTracerProvider"
"""
    done = _run(script + FAILING, OTEL_EXPORTER_OTLP_ENDPOINT=sink.url, OTEL_METRIC_EXPORT_INTERVAL="-1")

    assert done.returncode == 0, done.stderr
    assert len(sink.spans) == 5
    assert "mcp.server.operation.duration" in sink.metrics


@pytest.mark.parametrize(
    ("module", "exporter", "message"),
    [
        (
            "opentelemetry.exporter.otlp",
            "otlp",
            "OTLP needs a package that is missing: pip install 'mcp-error-middleware[otlp]'",
        ),
        (
            "opentelemetry.exporter.prometheus",
            "prometheus",
            "Prometheus needs a package that is missing: pip install 'mcp-error-middleware[prometheus]'",
        ),
    ],
)
def test_a_missing_extra_is_named(module: str, exporter: str, message: str) -> None:
    script = f"""
import sys
sys.modules["{module}"] = None
from mcp_error_middleware import telemetry
telemetry.configure()
"""
    done = _run(
        script, OTEL_TRACES_EXPORTER="none", OTEL_LOGS_EXPORTER="none", OTEL_METRICS_EXPORTER=exporter
    )

    assert done.stderr.splitlines()[-1] == f"ImportError: {message}"


def test_the_console_is_standard_error() -> None:
    done = _run(
        FAILING,
        OTEL_TRACES_EXPORTER="console",
        OTEL_METRICS_EXPORTER="console",
        OTEL_LOGS_EXPORTER="console",
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert '"name": "tools/call price"' in done.stderr
