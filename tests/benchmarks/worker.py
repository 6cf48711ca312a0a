"""Subjects on their servers in a process of their own; asked by lines of JSON, answering likewise.

Those with the OTel SDK are kept apart from those without, since its providers are global; and over HTTP each
has a process, whose CPU is its alone.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sys
import time
from socket import AF_INET, IPPROTO_TCP, SOCK_STREAM, socket
from typing import Any

import uvicorn

from mcp_error_middleware.ready import get_ready
from tests.benchmarks.failures import ADVISED, TOOLS, WORKLOADS
from tests.benchmarks.measure import instructions, microseconds
from tests.benchmarks.memory import Session, connected, kilobytes
from tests.benchmarks.subjects import ALL, STACKS, Subject

_FIRST = (300_000, 300_040)

_COSTS: dict[str, Any] = {"instructions": instructions, "microseconds": microseconds, "kilobytes": kilobytes}


async def in_memory() -> None:
    """Serve sessions in this process, and say what a call costs."""
    sessions: dict[tuple[str, str], Session] = {}
    warm: set[tuple[str, str, str]] = set()
    async with asyncio.TaskGroup() as group:
        held: list[asyncio.Task[None]] = []
        while line := sys.stdin.readline():
            unit, stack, name, workload, calls = json.loads(line)
            if (stack, name) not in sessions:
                opened: asyncio.Future[Session] = asyncio.Future()
                held.append(group.create_task(_hold(_server(stack, ALL[name]), opened)))
                sessions[stack, name] = await opened
            case = sessions[stack, name].case((WORKLOADS | ADVISED)[workload], calls)
            if (stack, name, workload) not in warm:
                # What is only done once, and the log lines that a storm begins with.
                await case.run([case.make(number) for number in range(*_FIRST)])
                warm.add((stack, name, workload))
            say(await _COSTS[unit](case))
        for task in held:
            task.cancel()


async def _hold(server: Any, opened: asyncio.Future[Session]) -> None:
    """Keep a session open, in a task of its own: within the scopes of another one, each call costs more."""
    async with connected(server) as session:
        opened.set_result(session)
        await asyncio.Event().wait()


async def over_http(stack: str, subject: Subject) -> None:
    """Serve HTTP, answers as JSON and as SSE; and say how much CPU that has taken so far."""
    sockets = [_bound() for _ in range(2)]
    servers = [uvicorn.Server(_config(stack, subject, json_response=flag)) for flag in (True, False)]
    async with asyncio.TaskGroup() as group:
        for server, bound in zip(servers, sockets, strict=True):
            group.create_task(server.serve([bound]))
        say([bound.getsockname()[1] for bound in sockets])
        while await asyncio.to_thread(sys.stdin.readline):
            say(time.process_time_ns() / 1000)
        for server in servers:
            server.should_exit = server.force_exit = True


def _bound() -> socket:
    """A port, said to be TCP: asyncio lets the answers of any other socket wait for each other."""
    bound = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP)
    bound.bind(("127.0.0.1", 0))
    # Before the port is said: who connects waits until it is served.
    bound.listen()
    return bound


def _config(stack: str, subject: Subject, *, json_response: bool) -> uvicorn.Config:
    server = _server(stack, subject)
    make = server.http_app if hasattr(server, "http_app") else server.streamable_http_app
    app = subject.wrap(make(json_response=json_response))
    return uvicorn.Config(app, log_config=None, access_log=False)


def _server(stack: str, subject: Subject) -> Any:
    server = STACKS[stack]()
    for tool in TOOLS:
        server.add_tool(tool)
    subject.prepare(server)
    get_ready().join()
    _log_plainly()
    return server


def _trace() -> None:
    from opentelemetry import metrics, trace
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

    class Nowhere(SpanExporter):
        def export(self, spans: object) -> SpanExportResult:
            return SpanExportResult.SUCCESS

    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(Nowhere()))
    trace.set_tracer_provider(provider)
    metrics.set_meter_provider(MeterProvider([InMemoryMetricReader()]))


def _log_plainly() -> None:
    for name in list(logging.root.manager.loggerDict):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.basicConfig(force=True)


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


def main() -> None:
    if "traced" in sys.argv:
        _trace()
    gc.collect()
    gc.freeze()  # what was imported is of no interest to a collection
    match sys.argv[1:]:
        case ["memory", _]:
            asyncio.run(in_memory())
        case ["http", _, stack, name]:
            asyncio.run(over_http(stack, ALL[name]))


if __name__ == "__main__":
    main()
