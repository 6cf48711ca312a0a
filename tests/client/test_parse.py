"""What each client hands over is understood, whatever it kept of the answer."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware import ErrorPolicy, Format, NotFound, install
from mcp_error_middleware.client import RemoteError, Retry, Source, parse_error
from mcp_error_middleware.render import META_KEY, error_text, problem, success_response, tool_result
from mcp_error_middleware.render.toolfailure import TOOL_FAILURE_KEY, tool_failure
from mcp_error_middleware.taxonomy import ErrorCode
from tests.client.clients import CLIENTS
from tests.render.examples import NOT_FOUND, RATE_LIMITED
from tests.stacks.faults import httpx
from tests.stacks.stacks import MCP_1, ProtocolError
from tests.strategies import Raising, cycle, hostile_failures, hostile_values

URL = "http://shop.example/mcp"


# --- results ------------------------------------------------------------------------------------


async def missing(order: str) -> str:
    raise NotFound(f"Order {order} was not found.", data={"order": order}, recovery="Call list_orders.")


EXPECTED = RemoteError(
    message="Order ord_9 was not found.",
    code=ErrorCode.NOT_FOUND,
    number=-32001,
    hint="Call list_orders.",
    data={"order": "ord_9"},
)


def without_id(error: RemoteError | None) -> RemoteError | None:
    """The id is a new one for every failure."""
    assert error is not None
    assert error.error_id
    return replace(error, error_id=None)


async def ask(kind: str, tool: str = "missing", format: Format = Format.DEFAULT, **options: Any) -> Any:
    """What the client returns or raises."""
    make, connect = CLIENTS[kind]
    server = make()
    server.tool(name="missing")(missing)
    install(server, ErrorPolicy(log=False, format=format))
    async with connect(server) as client:
        try:
            return await client.call_tool(tool, {"order": "ord_9"}, **options)
        except Exception as exc:
            return exc


@pytest.mark.anyio
@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_result_of_every_client_says_all(kind: str, format: Format) -> None:
    quietly: dict[str, Any] = {"raise_on_error": False} if kind == "fastmcp" else {}

    error = parse_error(await ask(kind, format=format, **quietly))

    assert without_id(error) == replace(EXPECTED, source=Source.META)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("format", "source"),
    [
        (Format.DEFAULT, Source.PROSE),
        (Format.TOOLERROR, Source.TOOLERROR),
        (Format.ENVELOPE, Source.ENVELOPE),
    ],
)
@pytest.mark.skipif("fastmcp" not in CLIENTS, reason="FastMCP is not installed")
async def test_what_fastmcps_client_raises_says_as_much(format: Format, source: Source) -> None:
    error = parse_error(await ask("fastmcp", format=format))

    assert without_id(error) == replace(EXPECTED, source=source)


@pytest.mark.anyio
@pytest.mark.parametrize("kind", CLIENTS)
async def test_an_unknown_tool_is_the_callers_to_correct(kind: str) -> None:
    error = parse_error(await ask(kind, tool="mising"))

    assert error is not None
    assert error.name == "InvalidParams"
    assert error.message.startswith("Unknown tool")


def test_the_first_surface_that_speaks_is_believed() -> None:
    result = tool_result(RATE_LIMITED)
    surfaces = [
        result,
        {**result, "_meta": {META_KEY: "?"}},
        {**result, "_meta": None, "structuredContent": {"error": []}},
    ]

    errors = [parse_error(said) for said in surfaces]

    assert [error and error.source for error in errors] == [Source.META, Source.STRUCTURED, Source.PROSE]
    assert len({(error and error.error_id) for error in errors}) == 1


def test_a_failed_result_of_no_known_form_is_its_text() -> None:
    said = {"isError": True, "content": [{"type": "image"}, {"type": "text", "text": "out of boxes"}]}

    assert parse_error(said) == RemoteError("out of boxes", source=Source.TEXT)


@pytest.mark.parametrize(
    "said",
    [
        {"type": "tool_result", "is_error": True, "content": "out of boxes"},
        {"role": "tool", "status": "error", "content": "out of boxes"},
    ],
)
def test_other_clients_have_other_words_for_a_failed_result(said: object) -> None:
    assert parse_error(said) == RemoteError("out of boxes", source=Source.TEXT)


def test_the_draft_standard_is_read_where_nothing_else_says_more() -> None:
    entry = {
        "class": "governance",
        "code": "daily_quota",
        "retryable": False,
        "correlationId": "c-1",
        "agentGuidance": "Ask for a larger quota.",
    }
    said = {
        "isError": True,
        "content": [{"type": "text", "text": "No more today."}],
        "_meta": {TOOL_FAILURE_KEY: entry},
    }

    assert parse_error(said) == RemoteError(
        "No more today.",
        ErrorCode.FORBIDDEN,
        hint="Ask for a larger quota.",
        reason="daily_quota",
        error_id="c-1",
        source=Source.META,
    )


@pytest.mark.parametrize("code", ErrorCode, ids=lambda code: code.label)
def test_our_own_entry_in_the_draft_standard_reads_back(code: ErrorCode) -> None:
    failed = replace(RATE_LIMITED, code=code, time=time.time() + 3600)
    said = {"isError": True, "content": [], "_meta": {TOOL_FAILURE_KEY: dict(tool_failure(failed))}}

    error = parse_error(said)

    assert error is not None
    assert (error.code, error.hint, error.error_id) == (code, failed.hint.text, failed.error_id)
    assert error.retry_after == pytest.approx(3629, abs=60)


def test_blocks_of_content_alone_are_read() -> None:
    error = parse_error([{"type": "text", "text": error_text(NOT_FOUND)}])

    assert error == parse_error(error_text(NOT_FOUND))


def test_a_failed_result_that_says_nothing_is_still_one() -> None:
    assert parse_error({"isError": True, "content": []}) == RemoteError("The call failed without saying why.")


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        {},
        {"content": [{"type": "text", "text": "shipped"}]},
        {"content": [{"type": "text", "text": error_text(NOT_FOUND)}], "isError": False},
        {"content": [], "structuredContent": {"error": {"code": -32001, "message": "as data"}}},
        {"content": [], "structuredContent": success_response({"a": 1}, warnings=["old"])},
        success_response({"a": 1}),
        {"jsonrpc": "2.0", "id": 1, "result": {"content": []}},
        {"error": None, "data": [1]},
        httpx.Response(200, json={"orders": []}),
    ],
    ids=str,
)
def test_a_success_is_none(said: object) -> None:
    assert parse_error(said) is None


def test_a_page_of_something_that_did_not_succeed_is_no_envelope() -> None:
    text = '{"success": false, "meta": {"page": 1}, "items": []}'
    assert parse_error({"isError": False, "content": [{"type": "text", "text": text}]}) is None


def test_an_envelope_fails_by_its_own_word() -> None:
    said = {"success": False, "error": "No.", "data": {"error_type": "not_found"}}

    for result in (
        {"content": [], "structuredContent": said},
        {"content": [{"type": "text", "text": '{"success": false, "error": "No.", "data": {}}'}]},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [], "structuredContent": said}},
    ):
        error = parse_error(result)
        assert error is not None
        assert (error.message, error.source) == ("No.", Source.ENVELOPE)


# --- exceptions ---------------------------------------------------------------------------------


def protocol_error(code: int, message: str, data: Any = None) -> Exception:
    types: Any = import_module("mcp.types")
    make = getattr(ProtocolError, "from_error_data", ProtocolError)
    error: Exception = make(types.ErrorData(code=code, message=message, data=data))
    return error


def test_a_protocol_error_is_found_within_groups() -> None:
    raised = ExceptionGroup("tasks", [ExceptionGroup("tasks", [protocol_error(-32603, "Internal error")])])

    assert parse_error(raised) == RemoteError(
        "Internal error", ErrorCode.INTERNAL_ERROR, -32603, source=Source.JSONRPC
    )


def test_a_url_the_user_must_open_is_kept() -> None:
    data = {"elicitations": [{"mode": "url", "url": "https://example.com/sign-in"}]}

    error = parse_error(protocol_error(-32042, "Sign in first.", data))

    assert error == RemoteError(
        "Sign in first.", ErrorCode.UNAUTHORIZED, -32042, data=data, source=Source.JSONRPC
    )


async def hanging(client: Any) -> Any:
    import datetime

    soon: Any = datetime.timedelta(milliseconds=10) if MCP_1 else 0.01
    try:
        return await client.call_tool("hang", {}, read_timeout_seconds=soon)
    except Exception as exc:
        return exc


@pytest.mark.anyio
async def test_a_clients_own_timeout_leaves_open_whether_the_call_was_carried_out() -> None:
    make, connect = CLIENTS["session"]
    server = make()

    @server.tool()  # type: ignore[untyped-decorator, unused-ignore]
    async def hang() -> str:
        await anyio.sleep_forever()
        return ""

    async with connect(server) as client:
        error = parse_error(await hanging(client))

    assert error is not None
    assert (error.name, error.retry, error.source) == ("Timeout", Retry.VERIFY_FIRST, Source.JSONRPC)


def test_a_closed_connection_leaves_open_whether_the_call_was_carried_out() -> None:
    error = parse_error(protocol_error(-32000, "Connection closed"))

    assert error is not None
    assert (error.name, error.retry) == ("ServiceUnavailable", Retry.VERIFY_FIRST)


def refused() -> Exception:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        httpx.get(f"http://127.0.0.1:{port}/mcp")
    except Exception as exc:
        return exc
    raise AssertionError("somebody answered")


def test_a_refused_connection_never_carried_anything_out() -> None:
    for raised in (refused(), ExceptionGroup("tasks", [refused()])):
        error = parse_error(raised)
        assert error is not None
        assert (error.name, error.retry, error.source) == (
            "ServiceUnavailable",
            Retry.SAFE,
            Source.EXCEPTION,
        )
        assert "sub-exception" not in error.message


@pytest.mark.parametrize(
    ("raised", "label"),
    [
        (httpx.ReadTimeout("slow"), "Timeout"),
        (TimeoutError(), "Timeout"),
        (httpx.RemoteProtocolError("Server disconnected"), "ServiceUnavailable"),
        (ConnectionResetError(104, "Connection reset by peer"), "ServiceUnavailable"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_lost_answer_leaves_open_whether_the_call_was_carried_out(raised: Exception, label: str) -> None:
    error = parse_error(raised)

    assert error is not None
    assert (error.name, error.retry, error.source) == (label, Retry.VERIFY_FIRST, Source.EXCEPTION)


def in_the_face_of(met: Exception, raised: Exception) -> Exception:
    try:
        try:
            raise met
        except type(met):
            raise raised  # noqa: B904 - as a client does that tries again
    except Exception as exc:
        return exc


@pytest.mark.parametrize(
    "raised",
    [
        in_the_face_of(refused(), httpx.ReadTimeout("slow")),
        ExceptionGroup("tasks", [refused(), httpx.ReadTimeout("slow")]),
    ],
    ids=["tried again", "one of several"],
)
def test_a_connection_that_was_refused_once_says_nothing_of_a_request_that_left(raised: Exception) -> None:
    error = parse_error(raised)

    assert error is not None
    assert error.retry is Retry.VERIFY_FIRST


def test_a_client_that_wraps_a_refused_connection_carried_nothing_out() -> None:
    error = parse_error(in_the_face_of(refused(), RuntimeError("Client failed to connect")))

    assert error is not None
    assert (error.name, error.retry) == ("ServiceUnavailable", Retry.SAFE)


@pytest.mark.parametrize(
    "raised",
    [ValueError("unexpected answer"), httpx.DecodingError("no gzip")],
    ids=lambda value: type(value).__name__,
)
def test_an_answer_this_side_cannot_read_leaves_open_whether_the_call_was_carried_out(
    raised: Exception,
) -> None:
    assert parse_error(raised) == RemoteError(
        str(raised), ErrorCode.SERIALIZATION_ERROR, retry=Retry.VERIFY_FIRST, source=Source.EXCEPTION
    )


def test_what_this_side_raised_is_shown_without_its_secrets() -> None:
    error = parse_error(ConnectionError("no route to https://anna:hunter2@shop.example/mcp"))

    assert error is not None
    assert "hunter2" not in error.message


# --- HTTP ---------------------------------------------------------------------------------------


def status_error(status: int, **options: Any) -> Exception:
    response = httpx.Response(status, request=httpx.Request("POST", URL), **options)
    try:
        response.raise_for_status()
    except Exception as exc:
        return exc
    raise AssertionError(status)


@pytest.mark.parametrize(
    ("status", "label", "retry"),
    [
        (400, "InvalidParams", Retry.NEVER),
        (401, "Unauthorized", Retry.NEVER),
        (404, "NotFound", Retry.NEVER),
        (429, "RateLimited", Retry.SAFE),
        (502, "ServiceUnavailable", Retry.VERIFY_FIRST),
        (503, "ServiceUnavailable", Retry.SAFE),
        (504, "Timeout", Retry.VERIFY_FIRST),
    ],
)
def test_a_bare_status_says_what_it_can(status: int, label: str, retry: Retry) -> None:
    error = parse_error(status_error(status))

    assert error == RemoteError(
        f"The server answered HTTP {status}.",
        ErrorCode[_upper(label)],
        status,
        retryable=retry is not Retry.NEVER,
        retry=retry,
        source=Source.HTTP,
    )


@pytest.mark.parametrize("answer", [status_error(302), httpx.Response(302)], ids=["raised", "returned"])
def test_a_redirection_is_no_success(answer: object) -> None:
    error = parse_error(answer)

    assert error is not None
    assert (error.message, error.number, error.retry) == ("The server answered HTTP 302.", 302, Retry.NEVER)


def _upper(label: str) -> str:
    return next(code.name for code in ErrorCode if code.label == label)


def test_a_status_says_when_to_come_back() -> None:
    error = parse_error(status_error(429, headers={"retry-after": "12"}))

    assert error is not None
    assert (error.retry_after, error.retry) == (12, Retry.AFTER)


def test_the_body_of_a_status_is_read() -> None:
    status, headers, body = problem(RATE_LIMITED)

    error = parse_error(status_error(status, headers=headers, content=body))

    assert error is not None
    assert (error.name, error.retry_after, error.error_id, error.source) == (
        "RateLimited",
        30,
        "8d0e4c11a2f3",
        Source.PROBLEM,
    )


def test_a_wait_in_the_header_counts_where_the_body_names_none() -> None:
    body = {"type": "TRANSIENT", "message": "Busy.", "recoverable": True}

    error = parse_error(status_error(503, headers={"retry-after": "4"}, json=body))

    assert error == RemoteError(
        "Busy.",
        ErrorCode.SERVICE_UNAVAILABLE,
        retryable=True,
        retry_after=4,
        retry=Retry.AFTER,
        source=Source.TOOLERROR,
    )


def test_a_refusal_of_the_authorisation_server_keeps_its_words() -> None:
    body = {"error": "invalid_token", "error_description": "The token has expired."}

    error = parse_error(httpx.Response(401, json=body))

    assert error is not None
    assert (error.message, error.name) == ("The token has expired.", "Unauthorized")


# --- hostile ------------------------------------------------------------------------------------


class Lying:
    """Has every attribute, and each is itself."""

    def __getattr__(self, name: str) -> Any:
        return self


class Incomparable:
    def __eq__(self, other: object) -> bool:
        raise SystemExit(1)

    __hash__ = object.__hash__


class Unprintable(Exception):
    def __str__(self) -> str:
        raise SystemExit(1)


HOSTILE: dict[str, Callable[[], object]] = {
    "raising": Raising,
    "lying": Lying,
    "unprintable": Unprintable,
    "surfaces": lambda: {"isError": True, "content": Raising(), "_meta": Raising()},
    "flag": lambda: {"isError": Raising(), "content": []},
    "incomparable": lambda: {"isError": Incomparable(), "content": []},
    "huge": lambda: {"isError": True, "content": [{"text": "x" * 10_000_000}]},
    "odd": lambda: {"error": {"message": "\ud800", "code": 10**400, "data": b"\xff"}},
    "cycle": lambda: {"result": cycle(), "error": cycle()},
    "wide": lambda: {"error": {"message": "No.", **{str(number): "x" * 50 for number in range(50_000)}}},
}


def test_of_an_answer_that_is_larger_than_any_error_the_first_parts_are_read() -> None:
    error = parse_error(HOSTILE["wide"]())

    assert error is not None
    assert error.message == "No."
    assert len(error.data) < 2_000


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_nothing_makes_it_raise(make: Callable[[], object]) -> None:
    error = parse_error(make())

    assert error is None or 0 < len(error.message) <= 4_000


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "isError": st.booleans() | hostile_values,
            "content": st.lists(st.fixed_dictionaries({"text": hostile_values})) | hostile_values,
            "structuredContent": hostile_values,
            "_meta": st.fixed_dictionaries({META_KEY: hostile_values}) | hostile_values,
            "error": hostile_values,
            "result": hostile_values,
            "status_code": hostile_values,
        },
    )
)
@settings(deadline=None)
def test_no_answer_is_too_odd_to_read(said: dict[str, Any]) -> None:
    error = parse_error(said)

    assert error is None or 0 < len(error.message) <= 4_000


@given(hostile_failures)
@settings(deadline=None)
def test_whatever_a_server_of_ours_fails_with_is_understood(failed: Any) -> None:
    error = parse_error(tool_result(failed))

    assert error is not None
    assert (error.code, error.source) == (failed.code, Source.META)
