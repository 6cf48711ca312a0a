"""What breaks around a server while its handlers fail: nothing hangs, and what is lost is counted."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import anyio
import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from starlette.applications import Starlette
from starlette.types import Message, Scope

from mcp_error_middleware import Call, ErrorPolicy, NotFound, install
from mcp_error_middleware.desk import Desk, Query, Store
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.delivery import spans_to
from mcp_error_middleware.telemetry.logs import FailureLog
from mcp_error_middleware.testing.memory import connected
from mcp_error_middleware.triage import Triage
from tests.load.collector import Collector
from tests.load.storm import server, watched
from tests.stacks.wire import command
from tests.telemetry.recording import recording

ROOT = Path(__file__).parents[2]


# --- telemetry ----------------------------------------------------------------------------------


def test_a_collector_that_dies_and_comes_back_costs_only_what_is_counted() -> None:
    collector, each = Collector(), 40
    with recording() as recorded:
        recorded.traces.add_span_processor(
            spans_to(OTLPSpanExporter(f"{collector.url}/v1/traces", timeout=3))
        )
        anyio.run(_fail, each, 0)
        recorded.traces.force_flush(10_000)
        collector.kill()
        anyio.run(_fail, each, each)
        recorded.traces.force_flush(10_000)
        collector.start()
        anyio.run(_fail, each, 2 * each)
        recorded.traces.force_flush(10_000)
        lost = sum(
            count for labels, count in recorded.counts(names.DROPPED.name) if labels[names.SINK] == "traces"
        )
        made = len(recorded.spans)
    collector.kill()

    arrived = len(collector.spans)
    assert arrived + lost == made
    assert each <= lost < made
    assert sum(span.name == "tools/call ship" for span in collector.spans) == 2 * each


async def _fail(count: int, first: int) -> None:
    async with connected(install(server(), ErrorPolicy(log=False))) as connection:
        for number in range(first, first + count):
            answer = await connection.ask("tools/call", {"name": "ship", "arguments": {"number": number}})
            assert "result" in answer


@pytest.mark.parametrize("how", ["run", "uvicorn"])
def test_sigterm_amid_failures_ends_the_server_and_sends_what_was_counted(tmp_path: Path, how: str) -> None:
    """Of uvicorn's own command too, which heeds signals before it imports an app, and then dies of them."""
    collector = Collector()
    (tmp_path / "shop.py").write_text(SHOP + (APP if how == "uvicorn" else ""))
    environ = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_LOGS_EXPORTER": "none",
        "NO_COLOR": "1",
    }
    words = (
        command("run", str(tmp_path / "shop.py"), "--transport", "http", "--port", "0", "--json-response")
        if how == "run"
        else [sys.executable, "-m", "uvicorn", "shop:app", "--port", "0"]
    )
    with subprocess.Popen(
        words, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            found = (re.search(r"running on (http://[\d.:]+)", line) for line in process.stderr)
            answered = _asked_until_it_ends(next(place[1] for place in found if place), process)
            said = process.stderr.read()
            code = process.wait(30)
        finally:
            process.kill()
    collector.kill()

    served = [span for span in collector.spans if span.name == "tools/call ship"]
    # The last may have been served, and its answer lost on the way.
    assert answered <= len(served) <= answered + 1
    assert collector.count(names.ERRORS.name) == len(served)
    assert code in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
    lines = [
        json.loads(line)
        for line in said.splitlines()
        if line.startswith('{"error_id"') or '"mcp.failure' in line
    ]
    assert sum(line.get("count", 1) for line in lines) == len(served)


SHOP = """
from mcp.server.mcpserver import MCPServer
from mcp_error_middleware import telemetry
telemetry.configure()
server = MCPServer("shop", log_level="INFO")
@server.tool()
def ship(number: int) -> str:
    raise KeyError(number)
"""


APP = """
from mcp_error_middleware import install
app = install(server.streamable_http_app(json_response=True))
"""


def _asked_until_it_ends(url: str, process: subprocess.Popen[str]) -> int:
    """How many failing calls were answered, SIGTERM being sent amid them."""
    headers, _ = _posted(url, _message("initialize", INITIALIZE))
    session = {"mcp-session-id": headers["mcp-session-id"]}
    for number in range(200):
        if number == 30:
            process.send_signal(signal.SIGTERM)
        try:
            _, answer = _posted(url, _message("tools/call", SHIP, number + 1), session)
        except (OSError, HTTPException):
            return number
        if "result" not in answer:
            return number
    raise AssertionError("SIGTERM did not end the server")


def _posted(
    url: str, message: dict[str, Any], session: dict[str, str] | None = None
) -> tuple[Any, dict[str, Any]]:
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        **(session or {}),
    }
    request = Request(f"{url}/mcp", json.dumps(message).encode(), headers)
    with urlopen(request, timeout=20) as answer:
        return answer.headers, json.loads(answer.read())


INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "load", "version": "1"},
}
SHIP = {"name": "ship", "arguments": {"number": 1}}


def _message(method: str, params: dict[str, Any], number: int = 0) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_no_count_is_lost_when_the_clock_jumps() -> None:
    """Forwards by a day, backwards by a year: storms end early or late, and nothing else."""
    clock = itertools.cycle([0.0, 86_400.0, -31_536_000.0, 5.0]).__next__
    with watched() as operator:
        log = FailureLog(burst=3, clock=clock)
        for number in range(500):
            log(Triage()(ValueError(f"Order {number} has no boxes."), Call(target="ship")))
        log.flush()
    assert operator.told.lines == {"ValidationError": 500}


# --- the desk's disk ----------------------------------------------------------------------------


def _failures(count: int) -> list[Any]:
    return [
        Triage()(NotFound(f"Order {number} was not found."), Call(target="ship")) for number in range(count)
    ]


def test_a_desk_whose_disk_turns_read_only_goes_on_in_memory_and_loses_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "errors.db")
    before, after = _failures(50), _failures(50)
    _observed(desk, before)
    desk.store._connection.execute("PRAGMA query_only = ON")
    _observed(desk, after)
    assert desk.store.degraded
    assert [group["count"] for group in desk.store.groups(Query())] == [50]
    assert all(desk.store.failure(failure.error_id) for failure in after)
    kept = Store(tmp_path / "errors.db")
    assert [group["count"] for group in kept.groups(Query())] == [50]
    kept.close()


def _observed(desk: Desk, failures: list[Any]) -> None:
    for failure in failures:
        desk.observe(failure)
    desk.flush()


FULL = """
import resource
from tests.load.test_faults import _failures, _observed
from mcp_error_middleware.desk import Desk, Query
desk = Desk("errors.db")
_observed(desk, _failures(20))
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
for _ in range(10):
    _observed(desk, _failures(100))
print(desk.dropped, desk.store.degraded, sum(group["count"] for group in desk.store.groups(Query())))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits a file's size as POSIX does")
def test_a_desk_whose_disk_is_full_loses_no_failure(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    dropped, degraded, counted = done.stdout.split()
    assert (dropped, degraded) == ("0", "True")
    # In memory from the first that could not be written on.
    assert int(counted) >= 900


WORKER = """
import sys
from tests.load.test_faults import _failures, _observed
from mcp_error_middleware.desk import Desk
desk = Desk("errors.db")
failures = _failures(20)
print("ready", flush=True)
while True:
    _observed(desk, failures)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does")
def test_a_worker_killed_while_it_writes_leaves_the_others_their_file(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WORKER], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
        desk = Desk(tmp_path / "errors.db")
        mine = _failures(40)
        _observed(desk, mine[:20])
        worker.kill()
        worker.wait(20)
    _observed(desk, mine[20:])

    assert not desk.store.degraded
    assert all(desk.store.failure(failure.error_id) for failure in mine)
    check = sqlite3.connect(tmp_path / "errors.db").execute("PRAGMA integrity_check").fetchone()
    assert check == ("ok",)


# --- clients ------------------------------------------------------------------------------------


def test_clients_that_vanish_are_no_failures_and_leave_nothing_behind() -> None:
    shop, entered = install(server(), ErrorPolicy(traces=False)), []

    @shop.tool()
    async def wait() -> str:
        entered.append(1)
        await anyio.sleep_forever()
        return "never"

    async def vanishing() -> None:
        async with connected(shop) as connection, anyio.create_task_group() as group:
            group.start_soon(connection.ask, "tools/call", {"name": "wait", "arguments": {}})
            while not entered:
                await anyio.lowlevel.checkpoint()
            entered.clear()
            group.cancel_scope.cancel()

    async def all_of_them() -> int:
        before = len(anyio.get_running_tasks())
        for _ in range(20):
            await vanishing()
        async with connected(shop) as connection:
            answer = await connection.ask("tools/call", {"name": "ship", "arguments": {"number": 0}})
            assert answer["result"]["isError"] is True
        return len(anyio.get_running_tasks()) - before

    with watched() as operator:
        assert anyio.run(all_of_them) == 0
        assert operator.errors() == {"NotFound": 1}


def test_a_client_that_does_not_read_holds_up_nobody_else() -> None:
    async def app(scope: Scope, receive: Any, send: Any) -> None:
        raise KeyError("hunter2")

    layered = install(Starlette(), ErrorPolicy(log=False, traces=False))
    layered.mount("/mcp", app)

    async def asked(send: Any) -> None:
        await layered(SCOPE.copy(), _no_body, send)

    async def two_clients() -> list[int]:
        statuses: list[int] = []

        async def reads(message: Message) -> None:
            statuses.extend([message["status"]] if message["type"] == "http.response.start" else [])

        async def does_not_read(message: Message) -> None:
            stuck.set()
            await anyio.sleep_forever()

        stuck = anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(asked, does_not_read)
            with anyio.fail_after(20):
                await stuck.wait()
                for _ in range(5):
                    await asked(reads)
            group.cancel_scope.cancel()
        return statuses

    assert anyio.run(two_clients) == [500] * 5


def test_a_client_that_is_gone_when_the_answer_comes_fails_nothing_else() -> None:
    async def app(scope: Scope, receive: Any, send: Any) -> None:
        raise KeyError("hunter2")

    layered = install(Starlette(), ErrorPolicy(log=False, traces=False))
    layered.mount("/mcp", app)

    async def gone(message: Message) -> None:
        raise OSError("the peer has closed the connection")

    async def one_client() -> None:
        await layered(SCOPE.copy(), _no_body, gone)

    with pytest.raises(OSError, match="the peer has closed the connection"):
        anyio.run(one_client)


SCOPE: dict[str, Any] = {
    "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": "/mcp/",
    "raw_path": b"/mcp/", "root_path": "", "scheme": "http", "query_string": b"", "headers": [],
    "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
}  # fmt: skip


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
