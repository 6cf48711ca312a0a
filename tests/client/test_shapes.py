"""Every format of ours says the same to the agent's side; others' formats are understood too."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_error_middleware import NotFound, Triage, ValidationError
from mcp_error_middleware.client import Action, RemoteError, Retry, Source, decide, parse_error
from mcp_error_middleware.client.shapes import _LIKE_REGISTRY, read_object
from mcp_error_middleware.model import Failure, Issue
from mcp_error_middleware.render import envelope, error_object, jsonrpc_error, problem, tool_result
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import BY_REGISTRY, ErrorCode
from tests.render.examples import NOT_FOUND, RATE_LIMITED, failure
from tests.strategies import failures, hostile_values


def test_the_error_object_becomes_a_record() -> None:
    assert parse_error(error_object(RATE_LIMITED)) == RemoteError(
        message="A rate limit or quota was exceeded.",
        code=ErrorCode.RATE_LIMITED,
        number=-32003,
        hint="Wait before the next call and send fewer requests.",
        retryable=True,
        retry_after=29.2,
        retry=Retry.AFTER,
        error_id="8d0e4c11a2f3",
        data={"status": 429},
        source=Source.STRUCTURED,
    )


@given(failures())
@settings(deadline=None)
def test_every_format_says_the_same(failed: Failure) -> None:
    failed = replace(failed, number=None, call=failed.call._replace(method="tools/call"))
    expected = parse_error(error_object(failed))

    said = [
        tool_result(failed),
        {"isError": True, "content": tool_result(failed, format="toolerror")["content"]},
        {"isError": True, "content": tool_result(failed, format="envelope")["content"]},
        envelope(failed),
        {"jsonrpc": "2.0", "id": 1, "error": jsonrpc_error(failed)},
    ]

    assert expected is not None
    assert [replace(error, source=expected.source) for error in map(parse_error, said) if error] == [
        expected
    ] * len(said)


@given(failures(max_issues=1))
@example(failure(issues=(Issue("", "0\r\x1b"),)))
@settings(deadline=None)
def test_a_problem_says_the_same_in_whole_seconds(failed: Failure) -> None:
    failed = replace(failed, retry_after=None, data={})
    expected = parse_error(error_object(failed))

    error = parse_error(problem(failed)[2])

    assert expected is not None
    assert error == replace(expected, source=Source.PROBLEM)


def test_an_authors_own_number_is_kept() -> None:
    error = parse_error({"jsonrpc": "2.0", "id": 1, "error": jsonrpc_error(replace(NOT_FOUND, number=1234))})

    assert error is not None
    assert (error.number, error.name) == (1234, "NotFound")


@pytest.mark.parametrize(
    ("said", "retry"),
    [
        ({}, Retry.SAFE),
        ({"retry": "verify_first"}, Retry.VERIFY_FIRST),
        ({"possibly_applied": True}, Retry.VERIFY_FIRST),
        ({"retry": "never"}, Retry.NEVER),
        ({"retry": "safe", "retryable": False}, Retry.NEVER),
        ({"retry": "after", "data": {"retry_after": 2}}, Retry.AFTER),
        ({"name": "Timeout"}, Retry.VERIFY_FIRST),
        ({"name": "Timeout", "retry": "safe"}, Retry.SAFE),
        ({"retry": ["safe"]}, Retry.SAFE),
        ({"data": {"retry": "verify_first"}}, Retry.VERIFY_FIRST),
    ],
    ids=str,
)
def test_whether_a_call_may_be_repeated_is_the_servers_word_where_it_is_the_more_careful(
    said: dict[str, Any], retry: Retry
) -> None:
    error = parse_error({"name": "ServiceUnavailable", "message": "Down.", "retryable": True, **said})

    assert error is not None
    assert error.retry is retry


# --- others' formats ----------------------------------------------------------------------------


def test_a_tool_error_of_another_server_is_understood() -> None:
    said = {
        "type": "CONFLICT",
        "message": "Two agents hold src.",
        "recoverable": True,
        "data": {"conflicts": [{"agent_id": "agent-2"}]},
    }

    assert parse_error(said) == RemoteError(
        message="Two agents hold src.",
        code=ErrorCode.CONFLICT,
        retryable=True,
        retry=Retry.SAFE,
        data={"conflicts": [{"agent_id": "agent-2"}]},
        source=Source.TOOLERROR,
    )


def test_an_input_that_can_be_mended_is_not_to_be_sent_again_unchanged() -> None:
    error = parse_error({"type": "VALIDATION", "message": "No such pattern.", "recoverable": True})

    assert error == RemoteError("No such pattern.", ErrorCode.VALIDATION_ERROR, source=Source.TOOLERROR)


def test_an_envelope_of_another_server_is_understood() -> None:
    said = {
        "success": False,
        "data": {
            "error_code": "INVALID_EMAIL",
            "details": {"field": "email", "constraint": "format", "message": "has no @"},
            "remediation": "Provide an address such as anna@example.com.",
        },
        "error": "The address is not valid.",
        "meta": {"version": "response-v2", "request_id": "req_1"},
    }

    assert parse_error(said) == RemoteError(
        message="The address is not valid.",
        code=ErrorCode.VALIDATION_ERROR,
        hint="Provide an address such as anna@example.com.",
        reason="INVALID_EMAIL",
        issues=(Issue("email", "has no @"),),
        error_id="req_1",
        data={"field": "email", "constraint": "format", "message": "has no @"},
        source=Source.ENVELOPE,
    )


def test_an_envelope_without_data_still_fails() -> None:
    said = {"success": False, "data": {}, "error": "No connection.", "meta": {"version": "response-v2"}}

    assert parse_error(said) == RemoteError("No connection.", source=Source.ENVELOPE)


def test_an_internal_error_of_an_envelope_may_be_repeated_only_where_that_does_no_harm() -> None:
    error = parse_error({"success": False, "error": "Oops.", "data": {"error_type": "internal"}})

    assert error == RemoteError(
        "Oops.",
        ErrorCode.INTERNAL_ERROR,
        retryable=True,
        retry=Retry.VERIFY_FIRST,
        source=Source.ENVELOPE,
    )


NAMED = [
    ("USER_NOT_FOUND", "NotFound"),
    ("ORDER_ALREADY_EXISTS", "Conflict"),
    ("UPLOAD_RATE_LIMITED", "RateLimited"),
    ("ACCESS_DENIED", "Forbidden"),
    ("SESSION_EXPIRED", "Unauthorized"),
    ("QUERY_TIMEOUT", "Timeout"),
    ("SEARCH_UNAVAILABLE", "ServiceUnavailable"),
    ("INVALID_EMAIL", "ValidationError"),
    ("WARP_CORE_BREACH", None),
]


@pytest.mark.parametrize(
    ("name", "label"), [*NAMED, *((name, code.label) for name, code in BY_REGISTRY.items())]
)
def test_an_envelopes_code_is_known_by_how_servers_name_them(name: str, label: str | None) -> None:
    error = parse_error({"success": False, "error": "No.", "data": {"error_code": name}})

    assert error is not None
    assert error.name == label


def test_every_way_of_naming_has_its_example() -> None:
    assert {code.label for _, code in _LIKE_REGISTRY} | {None} == {label for _, label in NAMED}


def test_a_tool_may_say_that_something_did_not_succeed() -> None:
    assert parse_error({"content": [], "structuredContent": {"success": False, "data": {"score": 3}}}) is None


@pytest.mark.parametrize(
    ("number", "message", "label"),
    [
        (-32700, "Parse error", "ParseError"),
        (-32602, "Unknown tool: shp", "InvalidParams"),
        (-32001, "Request timed out", "Timeout"),
        (-32001, "Order not there", "NotFound"),
        (-32001, "Unauthorized", "Unauthorized"),
        (-32002, "Resource not found: file:///a", "NotFound"),
        (-32002, "Already shipped", "Conflict"),
        (-32003, "Slow down", "RateLimited"),
        (-32021, "Missing capability", "InvalidRequest"),
        (-32042, "URL elicitation required", "Unauthorized"),
        (408, "Timed out while waiting for response", "Timeout"),
        (503, "Down", "ServiceUnavailable"),
        (0, "boom", None),
        (1234, "An author's own", None),
    ],
)
def test_a_bare_number_means_what_the_protocol_says_first(
    number: int, message: str, label: str | None
) -> None:
    error = parse_error({"jsonrpc": "2.0", "id": 1, "error": {"code": number, "message": message}})

    assert error is not None
    assert (error.name, error.number, error.message) == (label, number, message)
    assert error.source is Source.JSONRPC


@pytest.mark.parametrize(
    "message",
    [
        "MCP error -32602: Invalid structured content for tool ship: [...]",
        "MCP error -32602: Tool ship has an output schema but no structured content was provided",
        "Output validation error: Invalid structured content for tool ship: expected number",
    ],
)
def test_a_result_that_a_server_could_not_tell_is_no_mistake_of_the_arguments(message: str) -> None:
    """As servers in TypeScript answer once the tool has run."""
    found = parse_error({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": message}})

    assert found is not None
    assert (found.name, found.number, found.retry) == ("SerializationError", -32602, Retry.VERIFY_FIRST)
    assert decide(found).action is Action.VERIFY
    assert decide(found, idempotent=True).action is Action.GIVE_UP


def test_what_a_stranger_says_acts_on_no_terminal() -> None:
    said = "\x1b]0;mine\x07\x1b[2JGone\u202e.\r\nTruly\ud800."
    found = parse_error({"type": "NOT_FOUND", "message": said, "data": {"hint": said, "error_id": said}})

    assert found is not None
    assert {found.message, found.hint, found.error_id} == {"Gone.\nTruly?."}


@pytest.mark.parametrize("error", [5, "", ["boom"], True, {}])
def test_a_json_rpc_error_of_any_type_is_a_failure(error: object) -> None:
    found = parse_error({"jsonrpc": "2.0", "id": 1, "error": error})

    assert found is not None
    assert (found.message, found.retry) == ("The call failed without saying why.", Retry.NEVER)


def test_a_json_rpc_answer_without_an_error_is_a_success() -> None:
    assert parse_error({"jsonrpc": "2.0", "id": 1, "error": None, "result": {}}) is None


def test_a_number_in_structured_content_is_the_taxonomys() -> None:
    said = {"error": {"code": -32000, "message": "Down.", "data": {"recovery": {"hint": "Wait."}}}}

    assert parse_error({"isError": True, "content": [], "structuredContent": said}) == RemoteError(
        "Down.",
        ErrorCode.SERVICE_UNAVAILABLE,
        -32000,
        hint="Wait.",
        retryable=True,
        retry=Retry.SAFE,
        source=Source.STRUCTURED,
    )


def test_issues_of_other_validators_are_read() -> None:
    error = parse_error(
        {"code": -32602, "message": "Bad.", "data": {"issues": [{"path": ["a", 0], "message": "is odd"}, 7]}}
    )

    assert error is not None
    assert error.issues == (Issue("a[0]", "is odd"),)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (30, 30.0),
        ("45", 45.0),
        ("1m30s", 90.0),
        (-5, 0.0),
        (1e308, 604_800.0),
        (float("inf"), None),
        (float("nan"), None),
        (True, None),
        ("soon", None),
        ([30], None),
        ({"seconds": 30}, None),
    ],
)
def test_a_wait_is_a_time_somebody_can_wait_or_nothing(said: object, seconds: float | None) -> None:
    error = parse_error({"type": "TRANSIENT", "message": "Later.", "data": {"retry_after": said}})

    assert error is not None
    assert error.retry_after == seconds


KEYS = (
    "code name message retryable error_id data reason recovery hint retry_after retryAfter issues fields "
    "field retry success error error_code error_type details meta type recoverable status title "
    "detail kind jsonrpc"
).split()


@given(
    st.dictionaries(st.sampled_from(KEYS), hostile_values | st.sampled_from(["NotFound", "TRANSIENT", False]))
)
@settings(deadline=None)
def test_no_object_is_too_odd_to_read(said: dict[str, Any]) -> None:
    error = read_object(plain(said))

    assert error is None or (isinstance(error.message, str) and error.message and len(error.message) <= 4_000)


def test_an_authors_own_error_id_does_not_pass_for_the_envelopes() -> None:
    failure = Triage()(NotFound("No.", {"error_id": "theirs", "retryable": "maybe"}))

    error = parse_error(envelope(failure))

    assert error is not None
    assert error.error_id == failure.error_id


def test_fields_an_author_names_are_issues_in_every_form() -> None:
    result = tool_result(
        Triage()(ValidationError("No.", fields={"size": ["is too big; take less", "is odd"]}))
    )
    issues = (Issue("size", "is too big; take less"), Issue("size", "is odd"))

    for answer in (result, {"isError": True, "content": result["content"]}):
        error = parse_error(answer)
        assert error is not None
        assert error.issues == issues


def test_an_envelope_of_no_more_than_an_error_and_its_code_is_read() -> None:
    error = read_object(
        {
            "error": "Rate limit exceeded: 100 requests per minute",
            "data": {
                "error_code": "RATE_LIMIT_EXCEEDED",
                "retry_after_seconds": 45,
                "remediation": "Wait 45 seconds before retrying.",
            },
        }
    )

    assert error is not None
    assert (error.code, error.retry_after, error.hint, error.source) == (
        ErrorCode.RATE_LIMITED,
        45,
        "Wait 45 seconds before retrying.",
        Source.ENVELOPE,
    )


@pytest.mark.parametrize("word", [False, "false", "FALSE", "no", 0], ids=repr)
def test_a_no_is_a_no_however_it_is_written(word: object) -> None:
    error = read_object({"name": "RateLimited", "message": "Slow down.", "retryable": word})
    assert error is not None
    assert (error.retryable, error.retry) == (False, Retry.NEVER)


@pytest.mark.parametrize("word", [True, "true", "yes", 1], ids=repr)
def test_what_may_have_been_done_is_so_however_it_is_written(word: object) -> None:
    data = {"retry": "safe", "possibly_applied": word}
    error = read_object({"name": "Timeout", "message": "No answer.", "retryable": True, "data": data})
    assert error is not None
    assert error.retry is Retry.VERIFY_FIRST


@pytest.mark.parametrize("word", [None, "perhaps", [], {}, 0.5, 7])
def test_what_is_neither_yes_nor_no_leaves_it_to_the_code(word: object) -> None:
    error = read_object({"name": "RateLimited", "message": "Slow down.", "retryable": word})
    assert error is not None
    assert error.retryable is True


SERVICES = {
    "google": (
        {
            "error": {
                "code": 429,
                "message": "Quota exceeded",
                "status": "RESOURCE_EXHAUSTED",
                "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}],
            }
        },
        ("RateLimited", 34, "Quota exceeded"),
    ),
    "openai": (
        {"error": {"message": "Please try again in 20s.", "type": "requests", "code": "rate_limit_exceeded"}},
        ("RateLimited", 20, "Please try again in 20s."),
    ),
    "anthropic": (
        {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}},
        ("NotFound", None, "model: x"),
    ),
    "aws": (
        {"__type": "ThrottlingException", "message": "Rate exceeded"},
        ("RateLimited", None, "Rate exceeded"),
    ),
    "graphql": (
        {
            "data": None,
            "errors": [{"message": "no", "path": ["me"], "extensions": {"code": "UNAUTHENTICATED"}}],
        },
        ("Unauthorized", None, "no"),
    ),
    "notion": (
        {"object": "error", "status": 404, "code": "object_not_found", "message": "Could not find page"},
        ("NotFound", None, "Could not find page"),
    ),
    "slack": ({"ok": False, "error": "channel_not_found"}, ("NotFound", None, "channel_not_found")),
    "spring": (
        {"status": 503, "error": "Service Unavailable", "path": "/x"},
        ("ServiceUnavailable", None, "Service Unavailable"),
    ),
    "fastify": (
        {"statusCode": 429, "error": "Too Many Requests", "message": "Slow down, retry in 1 minute"},
        ("RateLimited", 60, "Slow down, retry in 1 minute"),
    ),
    "starlette": ({"detail": "Not Found"}, ("NotFound", None, "Not Found")),
    "api gateway": (
        {"message": "Too Many Requests", "retry_after": 5},
        ("RateLimited", 5, "Too Many Requests"),
    ),
    "datadog": ({"errors": ["Forbidden"]}, ("Forbidden", None, "Forbidden")),
    "with two minds": ({"status": 409, "message": "Not Found"}, ("Conflict", None, "Not Found")),
    "figma": ({"status": 403, "err": "No such scope"}, ("Forbidden", None, "No such scope")),
    "twilio": ({"code": 20404, "message": "no such call", "status": 404}, ("NotFound", None, "no such call")),
    "salesforce": (
        [{"message": "Session expired", "errorCode": "INVALID_SESSION_ID"}],
        ("Unauthorized", None, "Session expired"),
    ),
}


@pytest.mark.parametrize("service", SERVICES)
def test_a_web_services_own_body_is_read_where_the_result_says_that_it_failed(service: str) -> None:
    body, said = SERVICES[service]

    error = parse_error({"isError": True, "content": [{"type": "text", "text": json.dumps(body)}]})

    assert error is not None
    assert (error.name, error.retry_after, error.message) == said
    assert parse_error({"isError": False, "content": [{"type": "text", "text": json.dumps(body)}]}) is None


PLACED = {
    "fastapi": {"detail": [{"type": "missing", "loc": ["body", "tags", 0], "msg": "Field required"}]},
    "zod": [{"code": "invalid_type", "path": ["tags", 0], "message": "Field required"}],
    "zod's error": {"name": "ZodError", "issues": [{"path": ["tags", 0], "message": "Field required"}]},
}


@pytest.mark.parametrize("library", PLACED)
def test_a_list_of_problems_with_their_places_is_about_the_arguments(library: str) -> None:
    text = json.dumps(PLACED[library])

    error = parse_error({"isError": True, "content": [{"type": "text", "text": text}]})

    assert error is not None
    assert (error.name, error.issues) == ("ValidationError", (Issue("tags[0]", "Field required"),))


def test_a_sentence_of_a_web_service_is_no_code() -> None:
    for body in (
        {"error": "it seems to have timed out"},
        {"detail": "Item not found"},
        {"detail": "Conflicts are no conflict"},
        {"error": "Overloaded now"},
    ):
        error = parse_error({"isError": True, "content": [{"type": "text", "text": json.dumps(body)}]})
        assert error is not None
        assert (error.code, error.retryable) == (None, False)


def test_what_a_tool_answered_inside_an_agents_own_record_is_read() -> None:
    """As an agent's platform keeps the failed call of a tool."""
    content = [{"type": "text", "text": "The shop is shut."}]
    found = parse_error(
        {"type": "mcp_call", "error": {"type": "mcp_tool_execution_error", "content": content}}
    )

    assert found is not None
    assert (found.code, found.message, found.retry) == (None, "The shop is shut.", Retry.NEVER)
