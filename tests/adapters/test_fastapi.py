"""FastAPI is Starlette with answers of its own: those stay, and what it has none for is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_error_middleware import ErrorPolicy, Failure, NotFound, install
from mcp_error_middleware.adapters.asgi import ErrorMiddleware
from mcp_error_middleware.render import META_KEY
from mcp_error_middleware.triage import Triage
from tests.stacks.faults import httpx
from tests.stacks.wire import command, listening

fastapi: Any = pytest.importorskip("fastapi", reason="FastAPI is not installed")


def _installed(app: Any, policy: ErrorPolicy) -> None:
    install(app, policy)


def _added(app: Any, policy: ErrorPolicy) -> None:
    app.add_middleware(ErrorMiddleware, triage=Triage(policy))


Way = Callable[[Any, ErrorPolicy], None]
every_way = pytest.mark.parametrize("way", [_installed, _added])


@every_way
def test_what_no_handler_of_the_app_answers_is_a_problem(way: Way) -> None:
    app = fastapi.FastAPI()

    def order(order: str) -> dict[str, str]:
        raise ConnectionRefusedError(111, "Connection refused")

    app.get("/orders/{order}")(order)

    failures, client = _client(app, way)
    response = client.get("/orders/o1")

    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, response.json()["error_id"]) == (503, failures[0].error_id)
    assert failures[0].call.target == "/orders/{order}"


@every_way
def test_a_typed_error_of_a_route_has_its_status(way: Way) -> None:
    app = fastapi.FastAPI()

    async def order(order: str) -> dict[str, str]:
        raise NotFound("There is no such order.", recovery="List the orders.")

    app.get("/orders/{order}")(order)

    _, client = _client(app, way)
    response = client.get("/orders/o1")

    assert (response.status_code, response.json()["detail"]) == (404, "There is no such order.")


@every_way
def test_the_apps_own_answers_stay(way: Way) -> None:
    app = fastapi.FastAPI()

    class Closed(Exception):
        pass

    async def closed(request: Any, exc: Closed) -> Any:
        return fastapi.responses.JSONResponse({"closed": True}, 418)

    def shop() -> None:
        raise Closed

    def order(order: int) -> None:
        raise fastapi.HTTPException(409, "Already shipped.", headers={"x-own": "1"})

    app.exception_handler(Closed)(closed)
    app.get("/closed")(shop)
    app.get("/orders/{order}")(order)

    failures, client = _client(app, way)
    answers = [client.get(path) for path in ("/closed", "/orders/1", "/orders/one", "/nowhere")]

    assert [answer.status_code for answer in answers] == [418, 409, 422, 404]
    assert answers[1].json() == {"detail": "Already shipped."}
    assert answers[2].json()["detail"][0]["loc"] == ["path", "order"]
    assert failures == []


@every_way
def test_a_background_task_that_fails_is_recorded_and_the_response_whole(way: Way) -> None:
    app = fastapi.FastAPI()

    def notify() -> None:
        raise TimeoutError("nobody listens")

    async def ship(tasks: Any) -> dict[str, int]:
        tasks.add_task(notify)
        return {"shipped": 1}

    # Not beside the parameter: FastAPI is imported late, and annotations here are strings.
    ship.__annotations__["tasks"] = fastapi.BackgroundTasks
    app.post("/ship")(ship)

    failures, client = _client(app, way)

    assert client.post("/ship").json() == {"shipped": 1}
    assert [failure.name for failure in failures] == ["Timeout"]


def test_a_server_mounted_in_the_app_is_found() -> None:
    from mcp.server.mcpserver import MCPServer

    server: MCPServer[Any] = MCPServer("shop")

    @server.tool()
    def ship() -> str:
        raise ValueError("no boxes")

    inside = server.streamable_http_app(json_response=True, stateless_http=True)
    app = fastapi.FastAPI(lifespan=lambda _: inside.router.lifespan_context(inside))
    app.mount("/shop", inside)
    failures, client = _client(app, _installed)
    with client:
        answer = client.post(
            "/shop/mcp",
            json={
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "ship", "arguments": {}},
            },
            headers={"accept": "application/json, text/event-stream", "host": "127.0.0.1:8000"},
        ).json()

    assert answer["result"]["_meta"][META_KEY]["error_id"] == failures[0].error_id


def test_the_command_serves_an_app_with_the_layer(tmp_path: Path) -> None:
    route = "@app.get('/ship')\ndef ship():\n    raise TimeoutError('late')\n"
    (tmp_path / "shop.py").write_text(f"import fastapi\napp = fastapi.FastAPI()\n{route}")
    with listening(command("run", "shop:app", "--port", "0"), tmp_path) as address:
        response = httpx.get(f"{address}/ship")

    assert (response.status_code, response.headers["content-type"]) == (504, "application/problem+json")


def _client(app: Any, way: Way) -> tuple[list[Failure], Any]:
    from starlette.testclient import TestClient

    failures: list[Failure] = []
    way(app, ErrorPolicy(log=False, observers=(failures.append,)))
    return failures, TestClient(app, raise_server_exceptions=False)
