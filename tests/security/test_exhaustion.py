"""Requests and answers made to fill memory, disk, labels or time."""

from __future__ import annotations

import gc
import gzip
import json
import threading
import tracemalloc
import weakref
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from mcp_error_middleware import (
    Call,
    ErrorPolicy,
    McpError,
    NotFound,
    http_error_from_response,
    install,
    sanitize_data,
)
from mcp_error_middleware.adapters.asgi import ErrorMiddleware
from mcp_error_middleware.desk import Desk, Store
from mcp_error_middleware.render import tool_result
from mcp_error_middleware.telemetry import names, observed
from mcp_error_middleware.telemetry.operation import operation
from mcp_error_middleware.testing.memory import connected
from mcp_error_middleware.triage import Triage
from tests.effort import effort
from tests.load.storm import server
from tests.telemetry.recording import recording

MEGABYTE = 1_000_000


def test_names_nobody_registered_make_no_new_series() -> None:
    async def asked() -> None:
        async with connected(install(server(), ErrorPolicy(log=False, traces=False))) as connection:
            for at in range(300):
                await connection.ask("tools/call", {"name": f"no{at}", "arguments": {}})
                await connection.ask("prompts/get", {"name": f"no{at}"})
                await connection.ask("resources/read", {"uri": f"no://{at}"})
                await connection.ask(f"no/{at}", {})

    with recording() as recorded:
        anyio.run(asked)
        series = [labels for metric in names.METRICS for labels, _ in recorded.counts(metric.name)]
    assert len(series) < 40
    assert not any(str(value).startswith("no") for labels in series for value in labels.values())


def test_failures_that_are_never_the_same_make_a_bounded_number_of_series() -> None:
    triage = observed(ErrorPolicy(log=False, traces=False))
    with recording() as recorded:
        for at in range(1_000):
            kind = type(f"Kind{'abcdefghij'[at % 10]}{'x' * (at // 10)}", (RuntimeError,), {})
            triage(kind("lost"), Call(target="ship"))
        series = recorded.counts(names.FINGERPRINTS.name)
    assert len(series) <= 201 * 3
    assert sum(count for _, count in series) == 1_000


def test_names_of_any_length_are_not_remembered_at_length() -> None:
    async def asked() -> int:
        async with connected(install(server(), ErrorPolicy(log=False))) as connection:

            async def ask(at: int) -> None:
                name = f"{at:04}" + "x" * 100_000
                await connection.ask("tools/call", {"name": name, "arguments": {}})
                await connection.ask("resources/read", {"uri": f"x://{name}"})
                await connection.ask("tools/call", {"name": "ship", "arguments": {name: 1}})
                await connection.ask(name, {})

            await ask(0)
            gc.collect()
            tracemalloc.start()
            for at in range(1, 31):
                await ask(at)
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

    try:
        kept = anyio.run(asked)
    finally:
        tracemalloc.stop()
    # Of twelve megabytes that were sent; what else the process does meanwhile counts too.
    assert kept < 3 * MEGABYTE


@pytest.mark.parametrize(
    "value", ["x" * 10 * MEGABYTE, ["x" * 1000] * 10_000, {str(at): "x" * 99 for at in range(50_000)}]
)
def test_no_answer_is_longer_than_may_be_whatever_an_author_attaches(value: Any) -> None:
    error = McpError(-32603, "x" * MEGABYTE, {"value": value, "more": [[[[[[[[[[value]]]]]]]]]]})
    assert len(json.dumps(tool_result(Triage()(error, Call(target="ship"))))) < 100_000


def test_a_value_that_contains_itself_many_times_over_is_cut() -> None:
    laughs: Any = "ha"
    for _ in range(60):
        laughs = [laughs] * 10
    assert len(json.dumps(sanitize_data(laughs))) < 100_000


def test_data_of_which_nothing_may_leave_takes_no_longer_than_other_data() -> None:
    secret = r"password=fe80::C:\\Users\\isErrorcontent" * 70
    secrets = [[f"{row} {at} {secret}" for at in range(50)] for row in range(50)]
    assert len(json.dumps(sanitize_data(secrets))) < 1_000
    assert effort(lambda: sanitize_data(secrets)) < 30


class Bomb:
    """A compressed answer; nobody has asked for what it would become."""

    status_code = 500

    def __init__(self) -> None:
        self.headers = {"content-encoding": "gzip"}
        self._content = False
        self.inflated = 0

    @property
    def content(self) -> bytes:
        self.inflated += 1
        return gzip.decompress(gzip.compress(b"0" * MEGABYTE))


def test_an_upstreams_answer_that_was_not_read_is_not_inflated() -> None:
    bomb = Bomb()
    error = http_error_from_response(bomb)
    assert bomb.inflated == 0
    assert "body" not in dict(error.data or {})


def test_a_compressed_answer_passes_the_layer_as_it_is() -> None:
    packed = gzip.compress(
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"' + b"0" * MEGABYTE + b'"}}'
    )

    async def route(request: Request) -> Response:
        return Response(packed, headers={"content-encoding": "gzip", "content-type": "application/json"})

    app = ErrorMiddleware(
        Starlette(routes=[Route("/mcp", route, methods=["POST"])]),
        observed(ErrorPolicy(log=False)),
        wire=True,
    )
    with TestClient(app) as client, client.stream("POST", "/mcp", json={"jsonrpc": "2.0", "id": 1}) as answer:
        assert b"".join(answer.iter_raw()) == packed


def test_what_waits_for_the_desks_disk_holds_on_to_nothing_of_the_handlers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, disk = Desk(), threading.Event()
    add = Store.add
    monkeypatch.setattr(Store, "add", lambda store, records: disk.wait(20) and add(store, records))

    class Upload:
        """What a handler had in hand."""

    held: list[weakref.ref[Upload]] = []

    def handler() -> None:
        upload = Upload()
        held.append(weakref.ref(upload))
        raise NotFound("gone")

    for _ in range(20):
        try:
            handler()
        except NotFound as exc:
            desk.observe(Triage()(exc, Call(target="ship")))
    gc.collect()
    assert [reference() for reference in held] == [None] * 20
    disk.set()
    desk.flush()


def test_no_span_is_as_large_as_a_client_likes() -> None:
    long = "x" * MEGABYTE
    call = Call(long, long, request_id=long, session_id=long, correlation_id="c", protocol_version=long)
    policy = ErrorPolicy(log=False)
    with recording() as recorded, operation(policy, lambda: call):
        observed(policy)(ValueError(long), call)
    (span,) = recorded.spans
    assert len(span.to_json()) < 20_000


@pytest.mark.parametrize("request_id", [10**30, -(10**30), 10**4_000, "\ud800", "x" * MEGABYTE])
def test_an_id_of_any_size_costs_the_desk_and_the_log_no_failure(request_id: Any) -> None:
    desk = Desk()
    odd = Triage()(NotFound("gone"), Call(target="ship", request_id=request_id))
    even = Triage()(NotFound("gone"), Call(target="ship", request_id=1))
    desk.observe(odd)
    desk.observe(even)
    desk.flush()
    assert desk.store.failure(odd.error_id) is not None
    assert desk.store.failure(even.error_id) is not None
