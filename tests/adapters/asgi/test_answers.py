from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_error_middleware import ErrorPolicy, Failure, NotFound
from mcp_error_middleware.adapters.asgi.answers import HINTS, Answers, jsonrpc_body
from mcp_error_middleware.model import Call
from mcp_error_middleware.render import META_KEY, tool_result
from mcp_error_middleware.triage import Triage
from tests.effort import effort

OURS = Triage(ErrorPolicy(log=False))(
    NotFound("Ours.", data={"kept": ["x" * 1_900] * 5, "deep": {"a": {"b": {"c": {"d": 1}}}}}),
    Call(request_id=5),
)
"""A failure with as much data as may leave."""

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"


def answers(call: Call | None = None, *told: Any) -> Answers:
    return Answers(Triage(ErrorPolicy(observers=told, log=False)), lambda: call or Call(request_id=5))


def wire(message: Any) -> Any:
    done = answers().to_messages(json.dumps(message).encode())
    return None if done is None else json.loads(done)


def error(code: int, message: str, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 5, "error": {"code": code, "message": message, **more}}


@pytest.mark.parametrize(("status", "part", "hint"), HINTS)
def test_every_row_of_the_table_is_the_first_that_fits_its_own_example(
    status: int, part: str, hint: str
) -> None:
    body = json.dumps(error(-32600, part or "no")).encode()
    if status >= 500:
        part = {"Session terminated": "Session terminated before the request completed"}.get(part, part)
        body = json.dumps(error(-32603, part)).encode()

    said = answers().to_refusal(status, b"application/json", body)

    assert said is not None
    assert json.loads(said)["error"]["data"]["recovery"] == {"hint": hint}


@pytest.mark.parametrize(
    ("status", "content_type", "body"),
    [
        (404, b"text/plain", b"Not Found"),
        (404, b"application/json", b'{"detail":"Not Found"}'),
        (403, b"application/json", b'{"error":"insufficient_scope","error_description":"..."}'),
        (400, b"application/json", b'{"error":"invalid_grant"}'),
        (400, b"application/json", b"not json at all"),
        (400, b"application/json", b"[1, 2]"),
        (400, b"application/problem+json", b'{"title":"x"}'),
        (500, b"image/png", b"\x89PNG"),
    ],
)
def test_what_others_read_is_left_alone(status: int, content_type: bytes, body: bytes) -> None:
    told: list[Failure] = []

    assert answers(None, told.append).to_refusal(status, content_type, body) is None
    assert told == []


@pytest.mark.parametrize(
    ("status", "content_type", "body", "message"),
    [
        (400, b"", b"Invalid request", "Invalid request"),
        (400, b"text/plain", f"no {SECRET}".encode(), "no [redacted:token]"),
        (400, b"text/plain", b"1 error\n  [type=int, input_value='x', input_type=str]", "Bad Request."),
        (400, b"text/html", b"<h1>no</h1>", "Bad Request."),
        (406, b"", b"", "Not Acceptable."),
        (499, b"", b"", "The request is not supported in this form."),
        (500, b"text/plain", b"Traceback of everything", "An internal error stopped the operation."),
        (502, b"text/html", b"<h1>gateway</h1>", "A service this operation depends on is unavailable."),
        (400, b"application/json", b'{"detail":"No tenant."}', "No tenant."),
    ],
)
def test_the_text_leaves_if_it_is_about_the_request_and_never_if_about_the_server(
    status: int, content_type: bytes, body: bytes, message: str
) -> None:
    said = answers().to_refusal(status, content_type, body)

    assert said is not None
    assert json.loads(said)["id"] == 5
    assert json.loads(said)["error"]["data"]["message"] == message


def test_how_long_to_wait_is_taken_from_the_response() -> None:
    said = answers().to_refusal(503, b"text/plain", b"busy", 30.0)

    assert said is not None
    assert json.loads(said)["error"]["data"]["retry_after"] == 30


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 5, "result": {"content": [], "isError": False}},
        {"jsonrpc": "2.0", "id": 5, "result": {"error": "a field of the result"}},
        {"jsonrpc": "2.0", "id": 5, "result": tool_result(OURS)},
        json.loads(jsonrpc_body(OURS)),
        {"id": 5, "error": {"code": 1, "message": SECRET}},
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {"error": 1}},
        [],
        "error",
    ],
)
def test_messages_without_an_error_to_sanitise_stay_as_they_are(message: Any) -> None:
    assert wire(message) is None


@pytest.mark.parametrize(
    ("code", "left"), [(0, 0), (-32603, -32603), (-32050, -32603), (-32002, -32603), (-32000, -32000)]
)
def test_the_text_of_a_servers_own_fault_does_not_leave_nor_a_forbidden_number(code: int, left: int) -> None:
    said = wire(error(code, f"connect to db.internal failed: {SECRET}"))

    assert (said["error"]["code"], said["error"]["data"]["code"]) == (left, code)
    assert SECRET not in str(said)
    assert "db.internal" not in str(said)


@pytest.mark.parametrize("code", [-32602, -32601, 1003, -31003])
def test_a_text_for_the_caller_leaves_scrubbed(code: int) -> None:
    said = wire(error(code, f"No order under {SECRET}.", data={"order": 9, "token": SECRET}))

    assert said["error"]["code"] == code
    assert said["error"]["message"].startswith("No order under [redacted:token].")
    assert said["error"]["data"]["order"] == 9
    assert SECRET not in str(said)


@pytest.mark.parametrize("code", [-32020, -32021, -32022, -32042])
def test_data_that_clients_act_on_stays_whole(code: int) -> None:
    data = {"supported": ["2026-07-28"], "elicitations": [{"url": f"https://shop.example/?t={SECRET}"}]}

    assert wire(error(code, f"needs {SECRET}", data=data)) == error(code, "needs [redacted:token]", data=data)


@pytest.mark.parametrize(
    ("version", "left"), [("2026-07-28", -32603), ("2025-11-25", -32004), (None, -32004)]
)
def test_a_number_leaves_only_to_peers_that_may_see_it(version: str | None, left: int) -> None:
    call = Call("tools/call", "ship", 5, protocol_version=version)

    said = answers(call).to_messages(json.dumps(error(-32004, "late")).encode())

    assert json.loads(said or b"")["error"]["code"] == left


@pytest.mark.parametrize("code", [-32020, -32021, -32022, -32042])
@pytest.mark.parametrize(
    "data", [f"password={SECRET}", {"debug": f"password={SECRET}"}, {"requested": f"password={SECRET}"}]
)
def test_whatever_else_is_in_that_data_does_not_leave(code: int, data: Any) -> None:
    said = wire(error(code, "needs it", data=data))

    assert said["error"]["code"] == code
    assert SECRET not in str(said)


def test_a_peer_that_knows_no_url_elicitation_is_told_the_url() -> None:
    url = f"https://shop.example/?t={SECRET}"
    asked = error(-32042, "Sign in first.", data={"elicitations": [{"url": url}], "debug": SECRET})
    call = Call("tools/call", "ship", 5, protocol_version="2026-07-28")

    said = json.loads(answers(call).to_messages(json.dumps(asked).encode()) or b"")

    assert (said["id"], said["result"]["isError"]) == (5, True)
    assert said["result"]["_meta"][META_KEY]["name"] == "Unauthorized"
    assert "Sign in first." in said["result"]["content"][0]["text"]
    assert url in said["result"]["content"][0]["text"]
    assert SECRET not in str(said).replace(url, "")


def test_data_that_looks_like_ours_is_scrubbed_and_not_recorded_again() -> None:
    told: list[Failure] = []
    said = json.loads(jsonrpc_body(OURS))
    said["error"]["data"]["debug"] = said["error"]["message"] = f"password={SECRET}"
    said["error"]["code"] = -32002

    left = json.loads(answers(None, told.append).to_messages(json.dumps(said).encode()) or b"")

    assert left["error"]["code"] in (-32600, -32602, -32603)
    assert left["error"]["message"] == "password=[redacted:token]"
    assert left["error"]["data"] == said["error"]["data"] | {"debug": "password=[redacted:token]"}
    assert told == []


@pytest.mark.parametrize("forged", [{}, {"error_id": SECRET}, SECRET])
def test_our_key_on_somebody_elses_error_switches_nothing_off(forged: Any) -> None:
    result = {"content": [{"type": "text", "text": SECRET}], "isError": True, "_meta": {META_KEY: forged}}

    said = wire({"jsonrpc": "2.0", "id": 5, "result": result, "debug": SECRET})

    assert SECRET not in str(said)
    assert said["result"]["_meta"][META_KEY]["error_id"]


def test_the_text_of_a_tool_error_is_scrubbed_and_the_error_object_added() -> None:
    result = {
        "content": [
            {"type": "text", "text": f"upload with {SECRET} failed"},
            {"type": "image", "data": "aa", "_meta": None},
        ],
        "structuredContent": {"password": SECRET, "order": 9},
        "isError": True,
        "_meta": {"own": 1},
    }

    said = wire({"jsonrpc": "2.0", "id": 5, "result": result})["result"]

    assert said["content"] == [
        {"type": "text", "text": "upload with [redacted:token] failed"},
        {"type": "image", "data": "aa", "_meta": None},
    ]
    assert said["structuredContent"]["order"] == 9
    assert said["_meta"]["own"] == 1
    assert said["_meta"][META_KEY]["message"] == "upload with [redacted:token] failed"
    assert SECRET not in str(said)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "Error executing tool t: 1 validation error for tArguments\na\n  Input should be a valid integer"
            f" [type=int_parsing, input_value='{SECRET}', input_type=str]\n"
            "    For further information visit https://errors.pydantic.dev/2/v/int_parsing",
            "Error executing tool t: 1 validation error for tArguments\na\n  Input should be a valid integer",
        ),
        (
            "Input validation error: {'card': '4111 is not here'} is not of type 'string'",
            "Input validation error: the value is not of type 'string'",
        ),
        (
            "Output validation error: 'name' is a required property",
            "Output validation error: 'name' is a required property",
        ),
    ],
)
def test_rejected_values_do_not_leave(text: str, left: str) -> None:
    result = {"content": [{"type": "text", "text": text}], "isError": True}

    said = wire({"jsonrpc": "2.0", "id": 5, "result": result})

    assert said["result"]["content"] == [{"type": "text", "text": left}]


def test_each_message_of_a_batch_is_looked_at() -> None:
    fine = {"jsonrpc": "2.0", "id": 1, "result": {}}

    said = wire([fine, error(-32602, SECRET)])

    assert said[0] == fine
    assert SECRET not in str(said[1])


def test_what_could_not_be_checked_does_not_leave() -> None:
    def broken(exc: BaseException) -> Any:
        raise RuntimeError

    triage = Triage(ErrorPolicy(log=False), classify=broken)
    result = {"content": [{"type": "text", "text": SECRET}], "isError": True}

    said = Answers(triage, lambda: Call(request_id=5)).to_messages(
        json.dumps({"jsonrpc": "2.0", "id": 5, "result": result}).encode()
    )

    assert json.loads(said or b"") == error(-32603, "An internal error stopped the operation.")


@pytest.mark.parametrize(
    "text", [" " * 60_000, "[type=" * 10_000 + "input_value=", "Input validation error: " * 2_600]
)
def test_hostile_texts_cost_little(text: str) -> None:
    result = {"content": [{"type": "text", "text": text}], "isError": True}

    assert effort(lambda: wire({"jsonrpc": "2.0", "id": 5, "result": result})) < 60


@pytest.mark.parametrize(
    "result",
    [
        {"isError": True},
        {"isError": True, "content": "text"},
        {"isError": True, "content": [1, None, {"type": "text", "text": 5}]},
        {"isError": True, "content": [], "_meta": "odd"},
    ],
)
def test_odd_results_are_answered_too(result: Any) -> None:
    said = wire({"jsonrpc": "2.0", "id": 5, "result": result})["result"]

    assert said["isError"] is True
    assert said["_meta"][META_KEY]["name"]
    assert said["content"]
