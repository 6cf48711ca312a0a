from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
import uvicorn
from fastmcp import FastMCP
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Host, Mount, Route, Router, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from mcp_error_middleware import ErrorPolicy, Failure, NotFound, RateLimited, Unauthorized, install, uninstall
from mcp_error_middleware.adapters import mcp_v2
from mcp_error_middleware.adapters.asgi import ErrorMiddleware
from mcp_error_middleware.adapters.asgi.apps import found
from mcp_error_middleware.render import META_KEY
from mcp_error_middleware.triage import Triage

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"
LOCAL = "http://127.0.0.1:8000"
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
MODERN = {**JSON, "mcp-protocol-version": "2026-07-28"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


def call(tool: str, request_id: int = 2, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


def modern(message: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "p",
    }
    params = {**message.get("params", {}), "_meta": meta}
    headers = {**MODERN, "mcp-method": message["method"], "mcp-name": params.get("name", "")}
    return {**message, "params": params}, headers


def quiet(*told: Any) -> Triage:
    return Triage(ErrorPolicy(observers=told, log=False))


def shop() -> MCPServer[Any]:
    server = MCPServer("shop")

    @server.tool()
    def works() -> str:
        return "fine"

    @server.tool()
    def fails() -> str:
        raise NotFound("No order 'ord_9'.")

    @server.tool()
    async def slow(ctx: Context[Any, Any]) -> str:
        for step in range(3):
            await ctx.report_progress(step, 3)
        return "done"

    return server


def other_shop() -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("shop")

    @server.tool
    def works() -> str:
        return "fine"

    @server.tool
    def fails() -> str:
        raise NotFound("No order 'ord_9'.")

    return server


def apps() -> dict[str, Callable[[], Starlette]]:
    return {
        "mcp json": lambda: shop().streamable_http_app(json_response=True),
        "mcp sse": lambda: shop().streamable_http_app(),
        "fastmcp json": lambda: other_shop().http_app(json_response=True),
        "fastmcp sse": lambda: other_shop().http_app(),
    }


@pytest.fixture(params=apps())
def app(request: pytest.FixtureRequest) -> Starlette:
    """A real MCP app, of either SDK, answering in JSON or in streams."""
    return apps()[request.param]()


def client(app: ASGIApp, **options: Any) -> TestClient:
    return TestClient(app, base_url=LOCAL, **options)


def messages(response: Any) -> list[dict[str, Any]]:
    """The JSON-RPC messages of a response, whichever way it carries them."""
    if response.headers["content-type"] == "application/json":
        return [response.json()]
    return [json.loads(line[5:]) for line in response.text.splitlines() if line.startswith("data:")]


def error_of(response: Any) -> dict[str, Any]:
    said = messages(response)
    assert len(said) == 1
    error: dict[str, Any] = said[0]["error"]
    return error


def opened(http: TestClient) -> dict[str, str]:
    """A session, as the headers that name it."""
    response = http.post("/mcp", json=INITIALIZE, headers=JSON)
    headers = {**JSON, "mcp-session-id": response.headers["mcp-session-id"]}
    http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    return headers


def ask(
    app: ASGIApp,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    sent: list[Message] | None = None,
    **scope: Any,
) -> list[Message]:
    """What an app sends for one request, message by message."""
    sent = [] if sent is None else sent

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asked = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "headers": [(name.encode(), value.encode()) for name, value in (headers or {}).items()],
        **scope,
    }

    async def run() -> None:
        await app(asked, receive, send)

    anyio.run(run)
    return sent


def pieces(*bodies: bytes, status: int = 200, content_type: bytes = b"text/event-stream") -> ASGIApp:
    """An app that reads its request and sends these."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        headers = [(b"content-type", content_type)]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for body in bodies:
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return app


def raising(exc: BaseException, *before: Message) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        for message in before:
            await send(message)
        raise exc

    return app


def bodies(sent: list[Message]) -> list[bytes]:
    return [message["body"] for message in sent if message["type"] == "http.response.body"]


# --- what passes ----------------------------------------------------------------------------------


def test_lifespans_and_websockets_pass_through() -> None:
    seen: list[str] = []

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        seen.append("started")
        yield
        seen.append("stopped")

    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text(await websocket.receive_text())

    app = Starlette(routes=[WebSocketRoute("/ws", echo)], lifespan=lifespan)
    with client(ErrorMiddleware(app, quiet())) as http, http.websocket_connect("/ws") as websocket:
        websocket.send_text("hello")
        assert websocket.receive_text() == "hello"

    assert seen == ["started", "stopped"]


def test_a_successful_response_passes_byte_for_byte_with_one_header_more() -> None:
    app = pieces(b"a", b"b", content_type=b"application/json")

    bare, layered = ask(app), ask(ErrorMiddleware(app, quiet()), headers={"x-request-id": "r-1"})

    assert layered[1:] == bare[1:]
    assert layered[0] == {**bare[0], "headers": [*bare[0]["headers"], (b"x-request-id", b"r-1")]}


@pytest.mark.parametrize("speaks", ["handshake", "2026-07-28"])
@pytest.mark.parametrize("kind", apps())
def test_successful_mcp_answers_are_the_same_with_the_layer(kind: str, speaks: str) -> None:
    def said(app: ASGIApp) -> tuple[int, bytes]:
        with client(app) as http:
            if speaks == "handshake":
                message, headers = call("works"), opened(http)
            else:
                message, headers = modern(call("works"))
            response = http.post("/mcp", json=message, headers=headers)
        return response.status_code, response.content

    assert said(ErrorMiddleware(apps()[kind](), quiet())) == said(apps()[kind]())


# --- exceptions that escape -----------------------------------------------------------------------


def plain(**options: Any) -> Starlette:
    async def crash(request: Request) -> Response:
        raise KeyError(SECRET)

    async def busy(request: Request) -> Response:
        raise RateLimited("Too many orders.", retry_after=7)

    async def teapot(request: Request) -> Response:
        raise HTTPException(418, "short and stout", headers={"x-pot": "1"})

    routes = [Route("/crash", crash), Route("/busy", busy), Route("/teapot", teapot)]
    return Starlette(routes=routes, **options)


def test_a_plain_route_that_raises_answers_with_a_problem() -> None:
    told: list[Failure] = []
    app = install(plain(), triage=quiet(told.append))

    response = client(app).get("/crash", headers={"x-request-id": "r-1"})

    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-request-id"] == "r-1"
    assert response.json()["detail"] == "An internal error stopped the operation."
    assert response.json()["error_id"] == told[0].error_id
    assert (told[0].call.method, told[0].call.correlation_id) == ("GET", "r-1")
    assert [cause.type for cause in told[0].causes] == ["KeyError"]


def test_a_typed_error_of_a_plain_route_has_its_own_status_and_waiting_time() -> None:
    response = client(install(plain(), triage=quiet())).get("/busy")

    assert (response.status_code, response.headers["retry-after"]) == (429, "7")
    assert response.json()["detail"] == "Too many orders."


def test_http_exceptions_are_answered_as_before() -> None:
    bare, layered = (client(app).get("/teapot") for app in (plain(), install(plain(), triage=quiet())))

    assert (layered.status_code, layered.content) == (bare.status_code, bare.content)
    assert layered.headers["x-pot"] == "1"


@pytest.mark.parametrize("key", [500, Exception])
def test_an_authors_own_handler_of_everything_has_the_word_and_the_failure_is_recorded(key: Any) -> None:
    async def sorry(request: Request, exc: Exception) -> Response:
        return JSONResponse({"sorry": True}, status_code=500)

    told: list[Failure] = []
    app = install(plain(exception_handlers={key: sorry}), triage=quiet(told.append))

    response = client(app, raise_server_exceptions=False).get("/crash")

    assert response.json() == {"sorry": True}
    assert len(told) == 1


def test_a_debug_page_stays_one() -> None:
    app = install(plain(debug=True), triage=quiet())

    response = client(app, raise_server_exceptions=False).get("/crash")

    assert "Traceback" in response.text


def test_around_an_app_starlettes_own_answer_is_replaced_and_the_exception_handled() -> None:
    told: list[Failure] = []
    app = ErrorMiddleware(plain(), quiet(told.append))

    response = client(app).get("/crash")

    assert response.headers["content-type"] == "application/problem+json"
    assert len(told) == 1


def test_a_plain_500_that_nothing_was_raised_for_stays_as_it_is() -> None:
    async def broken(request: Request) -> Response:
        return PlainTextResponse("maintenance", status_code=500)

    app = install(Starlette(routes=[Route("/broken", broken)]), triage=quiet())

    assert client(app).get("/broken").text == "maintenance"


@pytest.mark.parametrize(
    ("exc", "status", "message"),
    [
        (KeyError(SECRET), 500, "An internal error stopped the operation."),
        (FileNotFoundError(2, "No such file", "/etc/shop"), 500, None),
        (RateLimited("Too many orders.", retry_after=7), 429, "Too many orders."),
        (SystemExit(3), 500, None),
        (asyncio.CancelledError(), 500, None),
        (BaseExceptionGroup("", [GeneratorExit()]), 500, None),
    ],
)
def test_an_mcp_request_is_answered_with_its_id_whatever_was_raised(
    exc: BaseException, status: int, message: str | None
) -> None:
    told: list[Failure] = []

    sent = ask(ErrorMiddleware(raising(exc), quiet(told.append)), json.dumps(call("works", 9)).encode())

    said = json.loads(sent[1]["body"])
    headers = dict(sent[0]["headers"])
    assert sent[0]["status"] == status
    assert headers[b"content-type"] == b"application/json"
    assert headers[b"content-length"] == str(len(sent[1]["body"])).encode()
    assert (said["jsonrpc"], said["id"]) == ("2.0", 9)
    assert said["error"]["data"]["error_id"] == told[0].error_id
    assert message is None or said["error"]["data"]["message"] == message
    assert headers.get(b"retry-after") == (b"7" if status == 429 else None)
    assert (told[0].call.method, told[0].call.target) == ("tools/call", "works")
    assert SECRET not in str(sent)


def test_an_id_beyond_what_may_be_held_is_not_known() -> None:
    body = json.dumps({**PING, "params": {"x": "y" * 300}}).encode()

    sent = ask(ErrorMiddleware(raising(KeyError("x")), quiet(), limit=200), body)

    assert json.loads(sent[1]["body"])["id"] is None


def test_paths_are_those_below_the_root_path() -> None:
    app = ErrorMiddleware(
        pieces(b"no", status=400, content_type=b"text/plain"), quiet(), paths=("/{shop}/mcp",)
    )

    def answered(path: str) -> bool:
        return b"jsonrpc" in ask(app, path=path, root_path="/api")[1]["body"]

    assert [answered(path) for path in ("/api/a/mcp", "/api/a/mcp/", "/api/a/b/mcp", "/api/mcp")] == [
        True,
        True,
        False,
        False,
    ]


def test_the_environment_is_the_policy_where_no_triage_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_ERRORS_BODY_LIMIT", "7")

    assert ErrorMiddleware(pieces()).triage.policy.body_limit == 7


START: Message = {"type": "http.response.start", "status": 200, "headers": []}
PART: Message = {"type": "http.response.body", "body": b"part", "more_body": True}


def test_after_the_response_has_started_it_is_recorded_and_raised_again() -> None:
    told: list[Failure] = []
    sent: list[Message] = []

    with pytest.raises(KeyError):
        ask(ErrorMiddleware(raising(KeyError("x"), START, PART), quiet(told.append)), sent=sent)

    assert bodies(sent) == [b"part"]
    assert len(told) == 1


def test_a_system_exit_in_a_started_response_is_recorded_and_does_not_end_the_server() -> None:
    told: list[Failure] = []

    sent = ask(ErrorMiddleware(raising(SystemExit(3), START, PART), quiet(told.append)))

    assert bodies(sent) == [b"part"]
    assert len(told) == 1


def test_a_genuine_cancellation_is_nobodys_failure() -> None:
    told: list[Failure] = []
    waiting = anyio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        waiting.set()
        await anyio.sleep_forever()

    async def run() -> None:
        layer = ErrorMiddleware(app, quiet(told.append))
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}

        async def never(*_: Any) -> Any:
            raise AssertionError

        task = asyncio.create_task(layer(scope, never, never))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    anyio.run(run)
    assert told == []


def test_a_client_that_is_gone_is_nobodys_failure() -> None:
    told: list[Failure] = []

    with pytest.raises(ClientDisconnect):
        ask(ErrorMiddleware(raising(ClientDisconnect()), quiet(told.append)))

    async def gone(message: Message) -> None:
        raise OSError

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def run() -> None:
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
        await ErrorMiddleware(pieces(b"a"), quiet(told.append))(scope, receive, gone)

    with pytest.raises(OSError):  # noqa: PT011 - the server's own, without words
        anyio.run(run)
    assert told == []


class Tokens:
    """A verifier that knows one token, and fails over another."""

    async def verify_token(self, token: str) -> AccessToken | None:
        if token == "crash":
            raise ConnectionError(f"cannot reach idp.internal with {SECRET}")
        return AccessToken(token=token, client_id="c", scopes=["read"]) if token == "good" else None


def guarded() -> Starlette:
    settings = AuthSettings(
        issuer_url=AnyHttpUrl("https://idp.example"),
        resource_server_url=AnyHttpUrl(f"{LOCAL}/mcp"),
        required_scopes=["write"],
        validate_token_resource=False,
    )
    return MCPServer("shop", auth=settings, token_verifier=Tokens()).streamable_http_app()


@pytest.mark.parametrize("token", [None, "bad", "good"])
def test_what_oauth_says_is_untouched(token: str | None) -> None:
    headers = {**JSON, "authorization": f"Bearer {token}"} if token else JSON
    bare, layered = (
        client(app).post("/mcp", json=PING, headers=headers)
        for app in (guarded(), install(guarded(), triage=quiet()))
    )

    assert layered.status_code in (401, 403)
    assert (layered.status_code, layered.content) == (bare.status_code, bare.content)
    assert layered.headers["www-authenticate"] == bare.headers["www-authenticate"]


def test_a_verifier_that_raises_is_answered_with_json_rpc() -> None:
    app = install(guarded(), triage=quiet())

    response = client(app).post("/mcp", json=PING, headers={**JSON, "authorization": "Bearer crash"})

    assert response.status_code == 500
    assert error_of(response)["data"]["name"] == "ServiceUnavailable"
    assert "idp.internal" not in response.text


def test_a_lifespan_that_was_never_wired_says_so(app: Starlette) -> None:
    outer = install(Starlette(routes=[Mount("/", app)]), triage=quiet())

    response = client(outer).post("/mcp", json=INITIALIZE, headers=JSON)

    assert (response.status_code, response.json()["id"]) in [(500, 1), (500, None)]
    assert error_of(response)["data"]["name"] == "InitializationFailed"
    assert "lifespan" in error_of(response)["message"]


# --- refusals -------------------------------------------------------------------------------------

REFUSALS: dict[str, tuple[dict[str, str], bytes, int, int | None, int, str]] = {
    "wrong content type": (
        {"content-type": "text/plain"},
        b'{"jsonrpc":"2.0","id":7}',
        400,
        7,
        -32600,
        "Content-Type",
    ),
    "bad json": (JSON, b"{bad", 400, None, -32700, "Parse error"),
    "no json-rpc": (JSON, json.dumps({"key": SECRET}).encode(), 400, None, -32602, "not a JSON-RPC message"),
    "no session id": (JSON, json.dumps(PING).encode(), 400, 7, -32600, "Missing session ID"),
    "unknown session": (
        {**JSON, "mcp-session-id": "x"},
        json.dumps(PING).encode(),
        404,
        7,
        -32600,
        "not found",
    ),
    "unacceptable": (
        {**JSON, "accept": "text/html"},
        json.dumps(INITIALIZE).encode(),
        406,
        1,
        -32600,
        "Accept",
    ),
    "unacceptable, new": (
        {**MODERN, "accept": "text/html"},
        json.dumps(PING).encode(),
        406,
        7,
        -32600,
        "Accept",
    ),
    "bad json, new": (MODERN, b"{bad", 400, None, -32700, "Parse error"),
    "no json-rpc, new": (MODERN, b"[]", 400, None, -32600, "single JSON-RPC"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_transport_that_refuses_answers_with_json_rpc_and_keeps_its_status(
    app: Starlette, name: str
) -> None:
    headers, body, status, request_id, code, fragment = REFUSALS[name]
    told: list[Failure] = []

    with client(install(app, triage=quiet(told.append))) as http:
        response = http.post("/mcp", content=body, headers=headers)

    said = response.json()
    assert response.headers["content-type"] == "application/json"
    assert (response.status_code, said["id"], said["error"]["code"]) == (status, request_id, code)
    assert fragment in said["error"]["message"]
    assert said["error"]["data"]["error_id"] == told[0].error_id
    assert len(told) == 1
    assert SECRET not in response.text


@pytest.mark.parametrize(
    ("headers", "status", "fragment"),
    [({"host": "evil.example"}, 421, "hosts"), ({"origin": "https://evil.example"}, 403, "origins")],
)
def test_a_strange_host_or_origin_is_refused_in_json_rpc(
    headers: dict[str, str], status: int, fragment: str
) -> None:
    with client(install(shop().streamable_http_app(), triage=quiet())) as http:
        response = http.post("/mcp", json=PING, headers={**JSON, **headers})

    assert (response.status_code, response.json()["id"]) == (status, 7)
    assert fragment in error_of(response)["message"]


def test_headers_of_a_refusal_stay() -> None:
    with client(install(shop().streamable_http_app(), triage=quiet())) as http:
        response = http.put("/mcp", headers=opened(http))
        other = http.put("/mcp", headers=MODERN)

    assert (response.status_code, response.headers["allow"]) == (405, "GET, POST, DELETE")
    assert response.headers["mcp-session-id"]
    assert (other.status_code, other.headers["allow"]) == (405, "POST")
    assert error_of(other)["message"].startswith("Method Not Allowed. Send MCP messages with POST.")


def test_a_body_that_is_too_large_is_refused_in_json_rpc() -> None:
    app = shop()._lowlevel_server.streamable_http_app(max_request_body_size=100)

    with client(install(app, triage=quiet())) as http:
        response = http.post("/mcp", json={**PING, "params": {"x": "y" * 200}}, headers=JSON)

    assert response.status_code == 413
    assert error_of(response)["message"].startswith("Request body too large. Send a smaller request")


def test_the_adapters_own_json_rpc_errors_pass_as_they_are(app: Starlette) -> None:
    told: list[Failure] = []
    message, headers = modern(call("no_such_tool"))

    with client(install(app, triage=quiet(told.append))) as http:
        response = http.post("/mcp", json=message, headers=headers)

    assert error_of(response)["code"] == -32602
    assert [failure.error_id for failure in told] == [error_of(response)["data"]["error_id"]]


def test_an_error_body_over_the_limit_passes() -> None:
    body = b"n" * 3000
    app = pieces(body[:1500], body[1500:], status=400, content_type=b"text/plain")

    sent = ask(ErrorMiddleware(app, quiet(), limit=2000))

    assert b"".join(bodies(sent)) == body
    assert dict(sent[0]["headers"])[b"content-type"] == b"text/plain"


def test_other_routes_errors_and_oauths_well_known_paths_stay_as_they_are() -> None:
    app = install(guarded(), triage=quiet())

    response = client(app).get(
        "/.well-known/openid-configuration", headers={"mcp-protocol-version": "2025-11-25"}
    )

    assert (response.status_code, response.text) == (404, "Not Found")


# --- streams --------------------------------------------------------------------------------------


def test_a_stream_that_ends_without_an_event_gets_one() -> None:
    told: list[Failure] = []
    app = ErrorMiddleware(pieces(b": ping\r\n\r\n"), quiet(told.append))

    first, *rest = bodies(ask(app, json.dumps(call("works", 9)).encode()))

    assert first == b": ping\r\n\r\n"
    assert len(rest) == 1
    assert rest[0].startswith(b"event: message\r\ndata: ")
    assert rest[0].endswith(b"\r\n\r\n")
    assert json.loads(rest[0].split(b"data: ")[1])["id"] == 9
    assert len(told) == 1


def test_a_stream_that_breaks_before_its_first_event_is_ended_with_one() -> None:
    start = {**START, "headers": [(b"content-type", b"text/event-stream")]}

    sent = ask(ErrorMiddleware(raising(KeyError("x"), start), quiet()), json.dumps(PING).encode())

    assert json.loads(sent[-1]["body"].split(b"data: ")[1])["id"] == 7
    assert sent[-1]["more_body"] is False


EVENTS: Message = {**START, "headers": [(b"content-type", b"text/event-stream")]}
PROGRESS: Message = {
    "type": "http.response.body",
    "body": b'event: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\n',
    "more_body": True,
}
END: Message = {"type": "http.response.body", "body": b"", "more_body": False}


def sending(*sent: Message) -> ASGIApp:
    """An app that reads its request, sends these and returns."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        for message in sent:
            await send(message)

    return app


@pytest.mark.parametrize("wire", [False, True])
@pytest.mark.parametrize(
    "app",
    [
        raising(KeyError("x"), EVENTS, PROGRESS),
        sending(EVENTS, PROGRESS, END),
        sending(EVENTS, PROGRESS),
        sending(EVENTS),
        pieces(b": pi", b"ng\r", b"\n\r\n"),
    ],
    ids=["raises", "ends", "returns", "returns at once", "only a comment, in pieces"],
)
def test_a_stream_that_ends_before_its_answer_is_given_one(app: ASGIApp, wire: bool) -> None:
    told: list[Failure] = []

    sent = ask(ErrorMiddleware(app, quiet(told.append), wire=wire), json.dumps(PING).encode())

    events = b"".join(bodies(sent)).split(b"\r\n\r\n")
    answer = json.loads(events[-2].split(b"data: ")[1])
    assert (answer["id"], answer["error"]["data"]["error_id"]) == (7, told[0].error_id)
    assert sent[-1]["more_body"] is False
    assert len(told) == 1


def test_a_stream_that_can_be_resumed_is_left_to_whoever_resumes_it() -> None:
    primed = b"id: 1\r\ndata: \r\n\r\n"
    told: list[Failure] = []

    sent = ask(ErrorMiddleware(pieces(primed), quiet(told.append)), json.dumps(PING).encode())

    assert bodies(sent) == [primed, b""]
    assert told == []


def test_a_stream_in_the_middle_of_an_event_is_cut_and_not_mended() -> None:
    sent: list[Message] = []
    broken = {**PROGRESS, "body": b'data: {"jsonrpc":"2.0","id":7,"resu'}

    with pytest.raises(KeyError):
        ask(
            ErrorMiddleware(raising(KeyError("x"), EVENTS, broken), quiet()),
            json.dumps(PING).encode(),
            sent=sent,
        )

    assert bodies(sent) == [broken["body"]]


@pytest.mark.parametrize(("tool", "retry"), [("create_order", "verify_first"), ("list_orders", "safe")])
def test_a_call_whose_stream_is_cut_off_may_have_been_carried_out(tool: str, retry: str) -> None:
    app = ErrorMiddleware(sending(EVENTS, PROGRESS, END), quiet())

    *_, last = bodies(ask(app, json.dumps(call(tool)).encode()))

    said = json.loads(last.split(b"data: ")[-1])["error"]["data"]
    assert (said["name"], said["retry"]) == ("InternalError", retry)
    assert said["data"].get("possibly_applied", False) is (retry == "verify_first")


def test_a_compressed_stream_is_not_looked_into() -> None:
    packed = {**EVENTS, "headers": [*EVENTS["headers"], (b"content-encoding", b"br")]}

    assert bodies(ask(ErrorMiddleware(sending(packed, END), quiet()), json.dumps(PING).encode())) == [b""]


@pytest.mark.parametrize("wire", [False, True])
@pytest.mark.parametrize("status", [None, 503])
def test_an_app_that_returns_without_a_body_is_answered_for(status: int | None, wire: bool) -> None:
    told: list[Failure] = []
    start = {**START, "status": status, "headers": [(b"content-type", b"application/json")]}
    app = sending(start) if status else sending()

    answer = ask(ErrorMiddleware(app, quiet(told.append), wire=wire), json.dumps(PING).encode())

    assert [message.get("status") for message in answer] == [status or 500, None]
    assert json.loads(answer[1]["body"])["id"] == 7
    assert json.loads(answer[1]["body"])["error"]["data"]["error_id"] == told[0].error_id


@pytest.mark.parametrize(
    ("path", "content_type"), [("/mcp", "application/json"), ("/report", "application/problem+json")]
)
def test_an_app_that_returns_without_a_response_is_answered_for_whatever_was_asked(
    path: str, content_type: str
) -> None:
    told: list[Failure] = []

    response = client(ErrorMiddleware(sending(), quiet(told.append))).get(path)

    assert (response.status_code, response.headers["content-type"]) == (500, content_type)
    assert told[0].error_id in response.text


def test_an_app_that_returns_because_its_client_is_gone_owes_nothing() -> None:
    told: list[Failure] = []
    come: Iterator[Message] = iter(
        [{"type": "http.request", "body": json.dumps(PING).encode()}, {"type": "http.disconnect"}]
    )

    async def receive() -> Message:
        return next(come)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await receive()

    async def send(message: Message) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": []}
    asyncio.run(ErrorMiddleware(app, quiet(told.append))(scope, receive, send))

    assert told == []


@pytest.mark.parametrize("path", ["/mcp", "/report"])
def test_a_401_of_ours_names_the_scheme_of_its_credentials(path: str) -> None:
    app = ErrorMiddleware(raising(Unauthorized("Sign in.")), quiet())

    response = client(app).post(path, json=PING if path == "/mcp" else {})

    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")


def test_an_exception_after_the_end_of_a_stream_adds_nothing_to_it() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await pieces()(scope, receive, send)
        raise KeyError("x")

    sent: list[Message] = []
    with pytest.raises(KeyError):
        ask(ErrorMiddleware(app, quiet()), json.dumps(PING).encode(), sent=sent)

    assert [message["more_body"] for message in sent[1:]] == [False]


@pytest.mark.parametrize("body", [b"", b"[]", b'{"jsonrpc":"2.0","method":"notifications/x"}', b"{"])
def test_a_stream_nobody_waits_for_an_answer_on_stays_empty(body: bytes) -> None:
    assert bodies(ask(ErrorMiddleware(pieces(), quiet()), body)) == [b""]


@pytest.mark.parametrize(
    "first", [b"id: 1\r\ndata: \r\n\r\n", b'data: {"method":"notifications/progress"}\n\n']
)
def test_a_stream_with_any_event_passes_byte_for_byte(first: bytes) -> None:
    app = pieces(first, b"da", b"ta: x\n\n")
    body = json.dumps(PING).encode()

    assert bodies(ask(ErrorMiddleware(app, quiet()), body)) == bodies(ask(app, body))


def test_a_plain_routes_empty_stream_is_its_own_business() -> None:
    async def nothing(request: Request) -> Response:
        return StreamingResponse(iter(()), media_type="text/event-stream")

    app = install(Starlette(routes=[Route("/stream", nothing, methods=["POST"])]), triage=quiet())

    assert client(app).post("/stream", json={"id": 1}).content == b""


def unserialisable() -> Server[Any]:
    async def on_call_tool(ctx: Any, params: Any) -> Any:
        raise MCPError(-31000, "odd", {"value": object()})

    return Server("low", on_call_tool=on_call_tool)


def test_what_the_sdk_cannot_write_used_to_hang_and_is_answered_now() -> None:
    app = ErrorMiddleware(unserialisable().streamable_http_app(), quiet())

    with client(app) as http:
        response = http.post("/mcp", json=call("odd"), headers=opened(http))

    assert (response.status_code, messages(response)[0]["id"]) == (200, 2)
    assert error_of(response)["data"]["name"] == "InternalError"


# --- correlation ----------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["r-1", "A.b_c-9", "x" * 128])
def test_a_sane_request_id_is_taken(given: str) -> None:
    sent = ask(ErrorMiddleware(pieces(), quiet()), headers={"x-request-id": given})

    assert (b"x-request-id", given.encode()) in sent[0]["headers"]


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", "a\r\nset-cookie: b", "é", "<script>", "a\n"])
def test_any_other_is_replaced(given: str) -> None:
    sent = ask(ErrorMiddleware(pieces(), quiet()), headers={"x-request-id": given})

    echoed = [value for name, value in sent[0]["headers"] if name == b"x-request-id"]
    assert len(echoed) == 1
    assert len(echoed[0]) == 32
    assert echoed[0].isalnum()


def test_two_requests_have_two_ids_and_an_apps_own_is_kept() -> None:
    async def own(request: Request) -> Response:
        return Response(headers={"x-request-id": "own"})

    async def none(request: Request) -> Response:
        return Response()

    app = install(Starlette(routes=[Route("/own", own), Route("/", none)]), triage=quiet())
    http = client(app)

    assert http.get("/own").headers.get_list("x-request-id") == ["own"]
    assert http.get("/").headers["x-request-id"] != http.get("/").headers["x-request-id"]


@pytest.mark.parametrize("speaks", ["handshake", "2026-07-28"])
def test_a_failing_tool_is_recorded_under_the_id_of_its_request(app: Starlette, speaks: str) -> None:
    told: list[Failure] = []
    with client(install(app, triage=quiet(told.append))) as http:
        if speaks == "handshake":
            message, headers = call("fails"), opened(http)
        else:
            message, headers = modern(call("fails"))
        response = http.post("/mcp", json=message, headers={**headers, "x-request-id": "r-7"})
        other = http.post("/mcp", json=message, headers=headers)

    assert messages(response)[-1]["result"]["_meta"][META_KEY]["name"] == "NotFound"
    assert [failure.call.correlation_id for failure in told] == ["r-7", other.headers["x-request-id"]]


def test_a_layer_inside_of_another_uses_the_same_id() -> None:
    told: list[Failure] = []
    app = ErrorMiddleware(ErrorMiddleware(raising(KeyError("x")), quiet(told.append)), quiet(told.append))

    sent = ask(app, json.dumps(PING).encode())

    assert len(told) == 1
    assert [value for name, value in sent[0]["headers"] if name == b"x-request-id"] == [
        str(told[0].call.correlation_id).encode()
    ]


# --- the wire -------------------------------------------------------------------------------------


def leaky() -> Server[Any]:
    async def on_call_tool(ctx: Any, params: Any) -> Any:
        if params.name == "crash":
            raise RuntimeError(f"db.internal said {SECRET}")
        is_error = params.name == "fails"
        text = f"no order under {SECRET}" if is_error else f"your token is {SECRET}"
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)

    return Server("low", on_call_tool=on_call_tool)


@pytest.mark.parametrize("in_json", [True, False])
def test_errors_of_a_server_out_of_reach_are_sanitised_and_results_are_not(in_json: bool) -> None:
    app = ErrorMiddleware(leaky().streamable_http_app(json_response=in_json), quiet(), wire=True)

    with client(app) as http:
        headers = opened(http)
        crash, fails, works = (
            http.post("/mcp", json=call(name), headers=headers) for name in ("crash", "fails", "works")
        )

    assert error_of(crash)["data"]["message"] == "An internal error stopped the operation."
    assert "db.internal" not in crash.text
    assert messages(fails)[0]["result"]["content"][0]["text"] == "no order under [redacted:token]"
    assert SECRET not in crash.text + fails.text
    assert messages(works)[0]["result"]["content"][0]["text"] == f"your token is {SECRET}"
    assert [messages(each)[0]["id"] for each in (crash, fails, works)] == [2, 2, 2]


def test_events_are_sent_on_as_each_is_whole() -> None:
    progress = b'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'
    error = json.dumps({"jsonrpc": "2.0", "id": 7, "error": {"code": 0, "message": SECRET}}).encode()
    app = pieces(progress, b"data: " + error[:20], error[20:] + b"\n\n", progress)

    sent = bodies(ask(ErrorMiddleware(app, quiet(), wire=True), json.dumps(PING).encode()))

    assert sent[0] == progress
    assert sent[1].startswith(b"data: ")
    assert SECRET.encode() not in sent[1]
    assert sent[2:] == [progress, b""]


def test_on_the_wire_a_json_body_over_the_limit_passes() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "result": {"isError": True, "x": "y" * 3000}}).encode()
    app = pieces(body[:1500], body[1500:], content_type=b"application/json")

    assert b"".join(bodies(ask(ErrorMiddleware(app, quiet(), wire=True, limit=2000)))) == body


def test_on_the_wire_other_routes_json_is_not_held() -> None:
    body = b'{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}'
    app = pieces(body, content_type=b"application/json")

    assert bodies(ask(ErrorMiddleware(app, quiet(), wire=True), path="/other")) == [body, b""]


FAILED: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 7,
    "error": {"code": -32603, "message": f"db.internal said {SECRET}"},
}


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({**FAILED, "error": {**FAILED["error"], "data": float("nan")}}).encode(),
        json.dumps({**FAILED, "error": {**FAILED["error"], "data": "\ud800"}}).encode(),
        b"\xef\xbb\xbf" + json.dumps(FAILED).encode(),
        json.dumps(FAILED).encode()[:-2] + b',"data":' + b"[" * 5_000 + b"]" * 5_000 + b"}}",
        json.dumps({**FAILED, "error": {**FAILED["error"], "code": "E_DB"}}).encode(),
        json.dumps({**FAILED, "error": {**FAILED["error"], "code": -32603.0}}).encode(),
        json.dumps({**FAILED, "error": f"db.internal said {SECRET}"}).encode(),
    ],
    ids=["nan", "half a character", "byte order mark", "deep", "word for a code", "float", "text"],
)
@pytest.mark.parametrize("in_events", [False, True])
def test_on_the_wire_an_error_is_read_as_loosely_as_clients_do(body: bytes, in_events: bool) -> None:
    app = pieces(b"data: " + body + b"\n\n") if in_events else pieces(body, content_type=b"application/json")

    said = b"".join(bodies(ask(ErrorMiddleware(app, quiet(), wire=True), json.dumps(PING).encode())))

    answer = json.loads(said.removeprefix(b"data: "))
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    assert answer["error"]["message"].startswith("An internal error stopped the operation.")
    assert SECRET not in said.decode()


@pytest.mark.parametrize(
    ("status", "content_type"),
    [(500, "application/json"), (502, "application/problem+json"), (404, "text/plain"), (503, "text/xml")],
)
def test_on_the_wire_any_error_leaves_without_its_secrets(status: int, content_type: str) -> None:
    body = json.dumps({"detail_of": "the database", "error": f"key {SECRET}"})
    app = Starlette(
        routes=[Route("/mcp", lambda _: Response(body, status, media_type=content_type), methods=["POST"])]
    )

    with client(ErrorMiddleware(app, quiet(), wire=True)) as http:
        answer = http.post("/mcp", json=PING)

    assert answer.status_code == status
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert SECRET not in answer.text


def test_on_the_wire_what_authorisation_says_is_untouched() -> None:
    body = {"error": "invalid_token", "error_description": f"key {SECRET}"}
    app = Starlette(routes=[Route("/mcp", lambda _: JSONResponse(body, 401), methods=["POST"])])

    with client(ErrorMiddleware(app, quiet(), wire=True)) as http:
        assert http.post("/mcp", json=PING).json() == body


def test_on_the_wire_headers_that_speak_of_an_error_are_sanitised_and_others_are_not() -> None:
    headers = {"x-error": f"key {SECRET}", "mcp-session-id": SECRET}
    app = Starlette(routes=[Route("/mcp", lambda _: JSONResponse(FAILED, 500, headers), methods=["POST"])])

    with client(ErrorMiddleware(app, quiet(), wire=True)) as http:
        answer = http.post("/mcp", json=PING)

    assert (answer.headers["x-error"], answer.headers["mcp-session-id"]) == ("key [redacted:token]", SECRET)


@pytest.mark.parametrize("wire", [False, True])
def test_only_on_the_wire_no_compressed_answer_is_asked_for(wire: bool) -> None:
    body = {**FAILED, "padding": "x" * 1_000}
    app = Starlette(
        routes=[Route("/mcp", lambda _: JSONResponse(body), methods=["POST"])],
        middleware=[Middleware(GZipMiddleware)],
    )

    with client(ErrorMiddleware(app, quiet(), wire=wire)) as http:
        answer = http.post("/mcp", json=PING, headers={"accept-encoding": "gzip"})

    assert (answer.headers.get("content-encoding"), SECRET in answer.text) == (
        (None, False) if wire else ("gzip", True)
    )


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + json.dumps(PING).encode(),
        json.dumps({**PING, "params": {"x": float("nan")}}).encode(),
    ],
    ids=["byte order mark", "nan"],
)
def test_a_request_is_read_as_loosely_as_servers_do(body: bytes) -> None:
    [_, sent] = ask(ErrorMiddleware(raising(KeyError("stock")), quiet()), body)

    assert json.loads(sent["body"])["id"] == 7


@pytest.mark.parametrize(
    ("path", "wire", "length"), [("/mcp", False, None), ("/mcp", True, None), ("/other", False, "11")]
)
def test_a_stream_that_may_become_longer_declares_no_length(
    path: str, wire: bool, length: str | None
) -> None:
    async def whole(request: Request) -> Response:
        await request.body()
        return Response(": nothing\n\n", media_type="text/event-stream")

    app = Starlette(routes=[Route(path, whole, methods=["POST"])])
    with client(ErrorMiddleware(app, quiet(), wire=wire)) as http:
        answer = http.post(path, json=PING if path == "/mcp" else {})

    assert answer.headers.get("content-length") == length
    assert (b"ended its response without an answer" in answer.content) is (path == "/mcp")


def test_a_body_of_ours_has_no_header_about_the_one_it_replaces() -> None:
    about = {"transfer-encoding": "chunked", "etag": '"1"', "content-digest": "sha-256=:x:", "x-shop": "1"}
    app = pieces(b"upstream broke", status=503, content_type=b"text/plain")

    async def proxy(scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(name.encode(), value.encode()) for name, value in about.items()]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await app(scope, receive, with_headers)

    [start, body] = ask(ErrorMiddleware(proxy, quiet()), json.dumps(PING).encode())

    headers = dict(start["headers"])
    assert headers.pop(b"x-request-id")
    assert headers == {
        b"content-type": b"application/json",
        b"content-length": str(len(body["body"])).encode(),
        b"x-shop": b"1",
    }


def test_on_the_wire_an_empty_success_is_no_answer() -> None:
    app = pieces(b"", content_type=b"application/json")

    [said, *_] = bodies(ask(ErrorMiddleware(app, quiet(), wire=True), json.dumps(PING).encode()))

    assert json.loads(said)["error"]["data"]["message"] == "The server ended its response without an answer."


# --- finding the servers --------------------------------------------------------------------------


def test_servers_are_found_wherever_a_route_leads() -> None:
    low, closed, named = shop()._lowlevel_server, shop()._lowlevel_server, other_shop()
    manager, inner = StreamableHTTPSessionManager(app=low), StreamableHTTPSessionManager(app=closed)

    async def hand_on(scope: Scope, receive: Receive, send: Send) -> None:
        await inner.handle_request(scope, receive, send)

    direct, legacy = shop(), shop()
    app = Starlette(
        routes=[
            Mount("/bound", manager.handle_request),
            Mount("/closed", hand_on),
            Mount("/nested", routes=[Mount("/{tenant}", direct.streamable_http_app())]),
            Mount("/fast", named.http_app()),
            Mount("/old", legacy.sse_app()),
            Mount("/guarded", guarded()),
        ]
    )

    inside = found(app)

    assert inside.servers[:-1] == [low, closed, direct._lowlevel_server, named, legacy]
    assert len(inside.servers) == 6
    assert inside.paths == [
        "/bound",
        "/bound/{below_mount:path}",
        "/closed",
        "/closed/{below_mount:path}",
        "/nested/{tenant}/mcp",
        "/fast/mcp",
        "/old/sse",
        "/old/messages",
        "/old/messages/{below_mount:path}",
        "/guarded/mcp",
    ]


def test_a_route_that_only_mentions_a_server_is_not_mcp() -> None:
    server = shop()

    async def tools(request: Request) -> Response:
        return PlainTextResponse(str(len(await server.list_tools())))

    assert found(Starlette(routes=[Route("/tools", tools)])).paths == []


def test_a_session_manager_of_another_kind_is_not_mcp_and_one_that_raises_does_no_harm() -> None:
    class Orders:
        session_manager = object()

        @property
        def app(self) -> Any:
            raise RuntimeError

        async def listed(self, request: Request) -> Response:
            return Response()

    assert found(Starlette(routes=[Route("/orders", Orders().listed)])).paths == []


def test_a_transport_known_by_name_counts_as_well() -> None:
    server = shop()._lowlevel_server
    names: dict[str, Any] = {"manager": StreamableHTTPSessionManager(app=server)}
    exec("async def serve(scope, receive, send): await manager.handle_request(scope, receive, send)", names)

    inside = found(Starlette(routes=[Host("mcp.example", Router([Mount("/m", names["serve"])]))]))

    assert (inside.servers, inside.paths[0]) == ([server], "/m")


def test_a_server_nobody_can_hook_is_named_and_its_transport_served(caplog: pytest.LogCaptureFixture) -> None:
    odd: Any = type("Server", (), {"__module__": "mcp.server.odd"})()
    manager = StreamableHTTPSessionManager(app=odd)
    app = install(Starlette(routes=[Mount("/mcp", manager.handle_request)]), triage=quiet())

    assert ["cannot install on mcp.server.odd.Server" in record.message for record in caplog.records] == [
        True
    ]
    assert error_of(client(app).post("/mcp/", json=PING))["data"]["name"] == "InitializationFailed"


def crash_and_fail(app: Starlette, path: str) -> tuple[Any, Any]:
    with client(app) as http:
        opening = http.post(path, json=INITIALIZE, headers=JSON)
        headers = {**JSON, "mcp-session-id": opening.headers["mcp-session-id"]}
        refusal = http.post(path, content=b"{bad", headers=headers)
        return refusal, http.post(path, json=call("fails"), headers=headers)


@pytest.mark.parametrize("order", ["before", "after", "after the first request"])
@pytest.mark.parametrize("kind", apps())
def test_the_order_of_install_and_mount_makes_no_difference(order: str, kind: str) -> None:
    inner = apps()[kind]()
    lifespan: Any = inner.router.lifespan_context
    outer = Starlette(lifespan=lambda _: lifespan(inner))
    if order != "before":
        install(outer, triage=quiet())
    if order == "after the first request":
        assert client(outer).get("/shop/mcp").status_code == 404
    outer.mount("/shop", inner)
    if order == "before":
        install(outer, triage=quiet())

    refusal, failure = crash_and_fail(outer, "/shop/mcp")

    assert error_of(refusal)["data"]["name"] == "ParseError"
    assert messages(failure)[0]["result"]["_meta"][META_KEY]["name"] == "NotFound"


@dataclass
class Keeping:
    """Someone's own wrapper, who calls what is inside whatever they like."""

    whatever: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.whatever(scope, receive, send)


def closing_over(app: ASGIApp) -> ASGIApp:
    async def handed_on(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)

    return handed_on


@pytest.mark.parametrize("wrap", [Keeping, closing_over, lambda app: Keeping(closing_over(Keeping(app)))])
@pytest.mark.parametrize("kind", apps())
def test_a_server_inside_of_anyones_wrapper_is_found(wrap: Callable[[ASGIApp], ASGIApp], kind: str) -> None:
    inner = apps()[kind]()
    lifespan: Any = inner.router.lifespan_context
    outer = Starlette(routes=[Mount("/shop", wrap(inner))], lifespan=lambda _: lifespan(inner))
    install(outer, triage=quiet())

    refusal, failure = crash_and_fail(outer, "/shop/mcp")

    assert error_of(refusal)["data"]["name"] == "ParseError"
    assert messages(failure)[0]["result"]["_meta"][META_KEY]["name"] == "NotFound"


def test_an_app_that_serves_already_gets_the_layer_too_and_loses_it_again() -> None:
    async def crash(request: Request) -> Response:
        raise KeyError("x")

    app = Starlette(routes=[Route("/crash", crash)])
    http = client(app, raise_server_exceptions=False)
    before = http.get("/crash")
    install(app, triage=quiet())
    during = http.get("/crash")
    uninstall(app)
    after = http.get("/crash")

    assert before.text == after.text == "Internal Server Error"
    assert during.headers["content-type"] == "application/problem+json"
    assert "x-request-id" not in after.headers


def test_installed_twice_is_as_good_as_once_and_uninstalled_is_as_before(app: Starlette) -> None:
    first: list[Failure] = []
    second: list[Failure] = []
    attributes = dict(vars(app))
    install(app, triage=quiet(first.append))
    install(app, triage=quiet(second.append))

    refusal, _ = crash_and_fail(app, "/mcp")

    assert "error_id" in error_of(refusal)["data"]
    assert (len(first), len(second)) == (0, 2)

    uninstall(app)
    uninstall(app)
    assert vars(app).keys() == attributes.keys()


def test_uninstalling_takes_the_servers_hooks_off_too() -> None:
    server = shop()
    app = server.streamable_http_app(json_response=True)
    uninstall(install(app, triage=quiet()))

    refusal, failure = crash_and_fail(app, "/mcp")

    assert "data" not in error_of(refusal)
    assert messages(failure)[0]["result"]["content"][0]["text"] == "Error executing tool fails"


def test_what_was_installed_on_a_server_itself_stays() -> None:
    own: list[Failure] = []
    server: MCPServer[Any] = MCPServer("shop")

    @server.tool()
    def ship() -> str:
        raise ValueError("no boxes")

    install(server, ErrorPolicy(observers=(own.append,), log=False))
    app = install(server.streamable_http_app(json_response=True, stateless_http=True), ErrorPolicy(log=False))
    uninstall(app)
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        client.post(
            "/mcp",
            json={
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "ship", "arguments": {}},
            },
            headers={"accept": "application/json, text/event-stream"},
        )

    assert [failure.message for failure in own] == ["no boxes"]


def test_a_server_that_has_the_sdks_own_middleware_keeps_its_policy_inside_of_an_app() -> None:
    own: list[Failure] = []
    outer: list[Failure] = []
    layer = mcp_v2.ErrorMiddleware(policy=ErrorPolicy(observers=(own.append,), log=False))
    server: MCPServer[Any] = MCPServer("shop", middleware=[layer])

    @server.tool()
    def ship() -> str:
        raise ValueError("no boxes")

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    install(app, ErrorPolicy(observers=(outer.append,), log=False))
    with client(app) as http:
        http.post("/mcp", json=call("ship"), headers=JSON)

    assert [failure.message for failure in own] == ["no boxes"]
    assert outer == []


def test_middleware_added_later_is_inside_too() -> None:
    class Crash:
        def __init__(self, app: ASGIApp) -> None:
            self.app = app

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            raise KeyError("x")

    app = install(plain(), triage=quiet())
    app.add_middleware(Crash)

    assert client(app).get("/teapot").headers["content-type"] == "application/problem+json"


def test_another_override_of_the_same_method_is_respected_on_either_side() -> None:
    app = plain()

    def around(name: str) -> None:
        build = app.build_middleware_stack
        app.__dict__["build_middleware_stack"] = lambda: Named(name, build())

    class Named:
        def __init__(self, name: str, app: ASGIApp) -> None:
            self.name = name
            self.app = app

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            scope.setdefault("through", []).append(self.name)
            await self.app(scope, receive, send)

    around("inner")
    install(app, triage=quiet())
    around("outer")

    assert client(app).get("/crash").headers["content-type"] == "application/problem+json"

    uninstall(app)
    app.middleware_stack = None
    response = client(app, raise_server_exceptions=False).get("/crash")
    assert response.text == "Internal Server Error"


# --- a real server --------------------------------------------------------------------------------


@contextlib.contextmanager
def served(app: ASGIApp, lifespan: str = "on") -> Iterator[str]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        config = uvicorn.Config(app, log_level="critical", lifespan=lifespan)  # type: ignore[arg-type]
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            deadline = time.monotonic() + 10
            while not server.started and time.monotonic() < deadline:
                thread.join(0.01)
            assert server.started, "the server did not start within 10 s"
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(10)


def paced(gate: threading.Semaphore) -> MCPServer[Any]:
    """A tool that reports its next step only once the last one was read."""
    server = MCPServer("paced")

    async def allowed() -> bool:
        return await anyio.to_thread.run_sync(lambda: gate.acquire(timeout=5))

    @server.tool()
    async def steps(ctx: Context[Any, Any]) -> str:
        in_time = []
        for step in range(3):
            await ctx.report_progress(step, 3)
            in_time.append(await allowed())
        return str(in_time)

    return server


@pytest.mark.parametrize("speaks", ["handshake", "2026-07-28"])
@pytest.mark.parametrize("wire", [False, True])
def test_each_event_of_a_stream_arrives_before_the_next_is_made(speaks: str, wire: bool) -> None:
    gate = threading.Semaphore(0)
    inner = install(paced(gate).streamable_http_app(), triage=quiet())

    with served(ErrorMiddleware(inner, quiet(), wire=wire)) as url, httpx2.Client(base_url=url) as http:
        if speaks == "handshake":
            headers = opened(http)  # type: ignore[arg-type]
            message = call("steps")
        else:
            message, headers = modern(call("steps"))
        said = []
        with http.stream("POST", "/mcp", json=message, headers=headers) as response:
            for line in response.iter_lines():
                if line.startswith("data:"):
                    said.append(json.loads(line[5:]))
                    gate.release()

    assert [each["params"]["progress"] for each in said[:-1]] == [0, 1, 2]
    assert said[-1]["result"]["content"][0]["text"] == "[True, True, True]"


def test_on_a_real_server_a_lifespan_that_was_never_wired_is_a_json_rpc_error() -> None:
    outer = install(Starlette(routes=[Mount("/", shop().streamable_http_app())]), triage=quiet())

    with served(outer) as url, httpx2.Client(base_url=url) as http:
        response = http.post("/mcp", json=INITIALIZE, headers=JSON)
        again = http.post("/mcp", json=INITIALIZE, headers=JSON)

    assert (response.status_code, response.json()["id"]) == (500, 1)
    assert error_of(response)["data"]["name"] == "InitializationFailed"
    assert again.status_code == 500


def test_on_a_real_server_a_broken_response_is_cut_and_the_next_one_served() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({**START, "headers": [(b"content-length", b"10")]})
        await send(PART)
        raise SystemExit(3)

    with served(ErrorMiddleware(app, quiet()), lifespan="off") as url, httpx2.Client(base_url=url) as http:
        for _ in range(2):
            with pytest.raises(httpx2.RemoteProtocolError):
                http.get("/")
