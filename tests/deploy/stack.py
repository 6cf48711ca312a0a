"""The whole kit on loopback: the demo server, the collector, Jaeger, Prometheus, Alertmanager, the receiver.

The configuration is the committed one. What differs is the addresses, and time: every duration of the rules
and of Alertmanager's routes is a sixtieth, so that an hour's window is a minute's.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.deploy.components import DEPLOY, ROOT, program

T = TypeVar("T")

UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
SERVICE = "shop"
JOB = f"mall/{SERVICE}"
"""Prometheus puts the namespace before the name."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Where everything is."""

    folder: Path
    server: str
    jaeger: str
    prometheus: str
    jaegers_otlp: tuple[str, int]
    """Where Jaeger is sent traces."""
    processes: dict[str, subprocess.Popen[bytes]]

    def stop(self, name: str) -> None:
        """End one of the programs for good."""
        self.processes[name].kill()
        self.processes[name].wait()

    def trace(self, trace_id: str) -> list[dict[str, Any]]:
        """The trace's spans as Jaeger has them; none if it has not."""
        try:
            return list(fetch(f"{self.jaeger}/api/traces/{trace_id}")["data"][0]["spans"])
        except urllib.error.HTTPError:
            return []

    def query(self, expr: str) -> list[dict[str, Any]]:
        """What Prometheus has for it now."""
        return list(fetch(f"{self.prometheus}/api/v1/query", query=expr)["data"]["result"])

    def exemplars(self, expr: str) -> set[str]:
        """The trace ids Prometheus keeps beside these series."""
        now = time.time()
        found = fetch(f"{self.prometheus}/api/v1/query_exemplars", query=expr, start=now - 600, end=now)
        return {each["labels"]["trace_id"] for series in found["data"] for each in series["exemplars"]}

    def told(self) -> list[str]:
        """The lines of the receiver: `pager firing McpErrorBudgetBurn {...}`."""
        return (self.folder / "receiver.log").read_text().splitlines()

    def lines(self) -> list[dict[str, Any]]:
        """The records the server wrote."""
        text = (self.folder / "server.log").read_text()
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@contextmanager
def running(folder: Path, paced: Callable[[str], str] | None = None) -> Iterator[Stack]:
    """All of it, until the end of the block; at `paced`, the rules' own time is `str`."""
    names = (
        "server receiver otlp otlp_grpc metrics itself jaeger_otlp jaeger jaeger_grpc prometheus alertmanager"
    ).split()
    at = {name: f"127.0.0.1:{port}" for name, port in zip(names, _free_ports(len(names)), strict=True)}
    _configure(folder, at, paced or quick)
    processes: dict[str, subprocess.Popen[bytes]] = {}
    with ExitStack() as all_of_it:

        def start(name: str, command: list[str], ready: str, **environment: str) -> None:
            processes[name] = all_of_it.enter_context(_process(folder, name, command, environment))
            eventually(lambda: _answers(ready), f"{name} does not answer; see {folder / name}.log")

        start(
            "jaeger",
            [program("jaeger"), f"--config={DEPLOY / 'jaeger.yaml'}"],
            f"http://{at['jaeger']}/api/services",
            JAEGER_HTTP=at["jaeger_otlp"],
            JAEGER_QUERY=at["jaeger"],
            JAEGER_QUERY_GRPC=at["jaeger_grpc"],
        )
        start(
            "collector",
            [program("otelcol"), f"--config={DEPLOY / 'collector.yaml'}"],
            f"http://{at['metrics']}/metrics",
            **_collectors(at["otlp"], at["otlp_grpc"], at["metrics"], at["itself"]),
            JAEGER_OTLP=f"http://{at['jaeger_otlp']}",
        )
        start(
            "server",
            [sys.executable, str(DEPLOY / "server.py")],
            f"http://{at['server']}/mcp",
            PORT=at["server"].split(":")[1],
            PYTHONPATH=str(ROOT),
            OTEL_SERVICE_NAME=SERVICE,
            OTEL_RESOURCE_ATTRIBUTES="service.namespace=mall",
            OTEL_TRACES_EXPORTER="otlp",
            OTEL_METRICS_EXPORTER="otlp",
            OTEL_METRIC_EXPORT_INTERVAL="1000",
            OTEL_BSP_SCHEDULE_DELAY="200",
            OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{at['otlp']}",
            # Jaeger takes no log records: a sink that cannot deliver.
            OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=f"http://{at['jaeger_otlp']}/v1/logs",
        )
        start(
            "receiver",
            [sys.executable, str(DEPLOY / "receiver.py"), at["receiver"].split(":")[1]],
            f"http://{at['receiver']}",
        )
        start(
            "alertmanager",
            [
                program("prometheus-alertmanager"),
                f"--config.file={folder / 'alertmanager.yml'}",
                f"--storage.path={folder / 'alertmanager'}",
                f"--web.listen-address={at['alertmanager']}",
                "--cluster.listen-address=",
            ],
            f"http://{at['alertmanager']}/-/ready",
        )
        start(
            "prometheus",
            [
                program("prometheus"),
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'prometheus'}",
                f"--web.listen-address={at['prometheus']}",
                "--enable-feature=exemplar-storage",
            ],
            f"http://{at['prometheus']}/-/ready",
        )
        host, port = at["jaeger_otlp"].split(":")
        yield Stack(
            folder,
            f"http://{at['server']}/mcp",
            f"http://{at['jaeger']}",
            f"http://{at['prometheus']}",
            (host, int(port)),
            processes,
        )


@contextmanager
def collecting(folder: Path, **environment: str) -> Iterator[tuple[str, str, str]]:
    """The collector alone: where it takes OTLP, and where Prometheus would read of servers and of itself."""
    otlp, grpc, metrics, itself = (f"127.0.0.1:{port}" for port in _free_ports(4))
    command = [program("otelcol"), f"--config={DEPLOY / 'collector.yaml'}"]
    with _process(folder, "collector", command, _collectors(otlp, grpc, metrics, itself) | environment):
        shown = f"http://{metrics}/metrics"
        eventually(lambda: _answers(shown), f"the collector does not answer; see {folder}/collector.log")
        yield f"http://{otlp}", shown, f"http://{itself}/metrics"


def _collectors(otlp: str, grpc: str, metrics: str, itself: str) -> dict[str, str]:
    """Its addresses, as its configuration asks for them."""
    host, port = itself.split(":")
    own = {"COLLECTOR_SELF_HOST": host, "COLLECTOR_SELF_PORT": port}
    return {"COLLECTOR_HTTP": otlp, "COLLECTOR_GRPC": grpc, "COLLECTOR_METRICS": metrics, **own}


def eventually(seen: Callable[[], T], otherwise: str, within: float = 60) -> T:
    """What is seen, as soon as it is anything."""
    end = time.monotonic() + within
    while not (found := seen()):
        assert time.monotonic() < end, otherwise
        time.sleep(0.1)
    return found


def quick(text: str) -> str:
    """The same configuration with every duration a sixtieth."""
    return re.sub(
        r"(?<![\w.])(\d+)([smhd])\b",
        lambda match: f"{int(match[1]) * UNITS[match[2]] // 60}ms",
        text,
    )


def fetch(address: str, **parameters: object) -> Any:
    """The JSON there."""
    query = f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
    with urllib.request.urlopen(address + query, timeout=10) as answer:
        return json.load(answer)


def _configure(folder: Path, at: dict[str, str], paced: Callable[[str], str]) -> None:
    prometheus = (DEPLOY / "prometheus/prometheus.yml").read_text()
    prometheus = prometheus.replace("15s", "1s")
    prometheus = prometheus.replace("alertmanager:9093", at["alertmanager"])
    prometheus = prometheus.replace("collector:8889", at["metrics"])
    prometheus = prometheus.replace("collector:8888", at["itself"])
    (folder / "prometheus.yml").write_text(prometheus)
    (folder / "rules.yml").write_text(paced((DEPLOY / "prometheus/rules.yml").read_text()))
    alertmanager = paced((DEPLOY / "alertmanager.yml").read_text())
    (folder / "alertmanager.yml").write_text(alertmanager.replace("receiver:9094", at["receiver"]))


@contextmanager
def _process(
    folder: Path, name: str, command: list[str], environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    with (
        (folder / f"{name}.log").open("wb") as log,
        subprocess.Popen(command, env=os.environ | environment, stdout=log, stderr=log) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except urllib.error.HTTPError as answer:
        return answer.code < 500 or answer.code == 501  # 501: the receiver knows POST only
    except OSError:
        return False


def _free_ports(count: int) -> list[int]:
    with ExitStack() as sockets:
        bound = [sockets.enter_context(socket.socket()) for _ in range(count)]
        for each in bound:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in bound]
