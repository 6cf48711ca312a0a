"""What happens after a response, or outside of any: background tasks, websockets, lifespans."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.background import BackgroundTask, BackgroundTasks
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from mcp_error_middleware import ErrorPolicy, Failure, install
from mcp_error_middleware.adapters.asgi import ErrorMiddleware
from mcp_error_middleware.triage import Triage

with warnings.catch_warnings():
    # It would rather have the other httpx than the one mcp 1.x came with.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


def _installed(routes: list[BaseRoute], policy: ErrorPolicy) -> Starlette:
    return install(Starlette(routes=routes), policy)


def _constructed(routes: list[BaseRoute], policy: ErrorPolicy) -> Starlette:
    return Starlette(routes=routes, middleware=[Middleware(ErrorMiddleware, triage=Triage(policy))])


def _added(routes: list[BaseRoute], policy: ErrorPolicy) -> Starlette:
    app = Starlette(routes=routes)
    app.add_middleware(ErrorMiddleware, triage=Triage(policy))
    return app


Way = Callable[[list[BaseRoute], ErrorPolicy], Starlette]

every_way = pytest.mark.parametrize("way", [_installed, _constructed, _added])


@every_way
def test_a_route_that_raises_is_answered_with_a_problem(way: Way) -> None:
    async def ship(request: Request) -> JSONResponse:
        raise TimeoutError("warehouse-3 said nothing")

    failures, client = _client(way, Route("/ship", ship))
    response = client.get("/ship")

    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, response.json()["error_id"]) == (504, failures[0].error_id)
    assert len(failures) == 1


@every_way
def test_a_task_that_fails_after_the_response_is_recorded_and_the_response_whole(way: Way) -> None:
    async def notify() -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    async def ship(request: Request) -> JSONResponse:
        return JSONResponse({"shipped": 1}, background=BackgroundTask(notify))

    failures, client = _client(way, Route("/ship", ship))
    response = client.get("/ship")

    assert (response.status_code, response.json()) == (200, {"shipped": 1})
    assert [(failure.name, failure.call.target) for failure in failures] == [("ServiceUnavailable", "/ship")]


@every_way
def test_a_task_that_exits_does_not_end_the_server(way: Way) -> None:
    async def notify() -> None:
        raise SystemExit(3)

    async def ship(request: Request) -> JSONResponse:
        tasks = BackgroundTasks()
        tasks.add_task(notify)
        return JSONResponse({"shipped": 1}, background=tasks)

    failures, client = _client(way, Route("/ship", ship))

    assert [client.get("/ship").json() for _ in range(2)] == [{"shipped": 1}] * 2
    assert [failure.name for failure in failures] == ["InternalError"] * 2


@every_way
def test_a_websocket_fails_as_it_did(way: Way) -> None:
    async def talk(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text(await websocket.receive_text())
        await websocket.close(4000, "enough")

    failures, client = _client(way, WebSocketRoute("/talk", talk))
    with client.websocket_connect("/talk") as websocket:
        websocket.send_text("hello")
        assert websocket.receive_text() == "hello"
        with pytest.raises(WebSocketDisconnect) as ended:
            websocket.receive_text()

    assert (ended.value.code, ended.value.reason, failures) == (4000, "enough", [])


def test_a_lifespan_that_fails_still_stops_the_app() -> None:
    async def connect() -> None:
        raise RuntimeError("no database")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await connect()
        yield

    failures: list[Failure] = []
    policy = ErrorPolicy(log=False, observers=(failures.append,))
    app = install(Starlette(lifespan=lifespan), policy)

    with pytest.raises(RuntimeError, match="no database"), TestClient(app):
        pass
    assert failures == []


def _client(way: Way, *routes: BaseRoute) -> tuple[list[Failure], TestClient]:
    failures: list[Failure] = []
    app = way([*routes], ErrorPolicy(log=False, observers=(failures.append,)))
    return failures, TestClient(app, raise_server_exceptions=False)
