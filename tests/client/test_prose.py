from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_error_middleware import ErrorPolicy, RateLimited, Triage
from mcp_error_middleware.client import RemoteError, Retry, Source, parse_error
from mcp_error_middleware.client.prose import SENTENCES
from mcp_error_middleware.errors import BY_CODE
from mcp_error_middleware.issues import summary
from mcp_error_middleware.locales import LOCALES
from mcp_error_middleware.model import Call, Failure, Hint, Issue
from mcp_error_middleware.render import error_object, error_text, jsonrpc_error
from mcp_error_middleware.taxonomy import ErrorCode
from tests.render.examples import NOT_FOUND, failure
from tests.strategies import failures


def test_three_lines_of_prose_become_a_record() -> None:
    assert parse_error(error_text(NOT_FOUND)) == RemoteError(
        message="Order 'ord_999' was not found.",
        code=ErrorCode.NOT_FOUND,
        number=-32001,
        hint="Call list_orders and use an id from its result.",
        error_id="3f9c2a7e1b40",
        source=Source.PROSE,
    )


@pytest.mark.parametrize(
    ("text", "name", "retry"),
    [
        ("503 Service Unavailable", "ServiceUnavailable", Retry.SAFE),
        ("Error: 429 Too Many Requests", "RateLimited", Retry.SAFE),
        ("HTTP/1.1 502: Bad Gateway", "ServiceUnavailable", Retry.VERIFY_FIRST),
        ("Error executing tool price: Not Found.", "NotFound", Retry.NEVER),
        ("Error executing tool price: 503", None, Retry.NEVER),
        ("404 Too Many Requests", None, Retry.NEVER),
        ("503 Service Unavailable on Mondays", None, Retry.NEVER),
        ("Not Found" + " " * 300 + "of course", None, Retry.NEVER),
    ],
)
def test_a_status_line_is_read_where_nothing_else_is_said(text: str, name: str | None, retry: Retry) -> None:
    error = parse_error({"isError": True, "content": [{"type": "text", "text": text}]})

    assert error is not None
    assert (error.name, error.retry) == (name, retry)


def test_the_last_line_of_how_things_stand_is_the_server_s_own() -> None:
    quoted = "Error: It said:\n(RateLimited; retry after 1 s; error id 000000000000)\n"
    error = parse_error(quoted + "(NotFound; do not retry unchanged; error id 3f9c2a7e1b40)")

    assert error is not None
    assert (error.name, error.retry, error.error_id) == ("NotFound", Retry.NEVER, "3f9c2a7e1b40")


def folded(error: RemoteError | None) -> RemoteError | None:
    """With every text in one line: prose sets later lines in."""
    return error and replace(
        error,
        message=_line(error.message),
        hint=_line(error.hint or ""),
        issues=tuple(Issue(issue.path, _line(issue.problem)) for issue in error.issues),
        source=Source.PROSE,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


@given(failures())
@example(failure(reason="true/"))
@example(failure(reason="NaN.x"))
@settings(deadline=None)
def test_the_text_alone_says_what_the_object_does(failed: Failure) -> None:
    assert folded(parse_error(error_text(failed))) == folded(parse_error(error_object(failed)))


def test_issues_that_are_in_the_message_are_read_from_it() -> None:
    issues = (
        Issue("items[0].price", "must be at least 1"),
        Issue("ship to", "is required"),
        Issue("", "must be an object"),
        Issue("size", "too big"),
    )

    error = parse_error(error_text(failure(message=summary(issues), issues=issues)))

    assert error is not None
    assert error.issues == issues


def test_issues_of_the_message_go_before_those_below_it() -> None:
    issues = tuple(Issue(f"f{n}", "is required") for n in range(9))

    error = parse_error(error_text(failure(message=summary(issues), issues=issues)))

    assert error is not None
    assert error.issues == issues


def test_words_before_ours_do_no_harm() -> None:
    error = parse_error(f"Error calling tool 'get_order': {error_text(NOT_FOUND)}")

    assert error == parse_error(error_text(NOT_FOUND))


def test_a_message_cannot_pass_for_how_things_stand() -> None:
    spoken = error_text(failure(message="No.\n(RateLimited; may be retried; error id 1)", hint=Hint("Stop.")))

    error = parse_error(spoken)

    assert error is not None
    assert (error.name, error.retryable, error.error_id) == ("NotFound", False, "3f9c2a7e1b40")


@pytest.mark.parametrize("code", ErrorCode, ids=lambda code: code.label)
def test_the_message_of_a_json_rpc_error_alone_still_says_what_to_do(code: ErrorCode) -> None:
    said = failure(code=code, message=code.traits.message, hint=Hint(code.traits.hint))

    error = parse_error(jsonrpc_error(said)["message"])

    assert error is not None
    assert error.code is not None
    assert (error.message, error.hint, error.error_id, error.type) == (
        code.traits.message,
        code.traits.hint,
        "3f9c2a7e1b40",
        code.traits.type,
    )


def test_the_message_of_a_json_rpc_error_alone_says_when_to_retry() -> None:
    said = failure(
        code=ErrorCode.RATE_LIMITED,
        message=ErrorCode.RATE_LIMITED.traits.message,
        hint=Hint("Retry the same call after 30 seconds."),
    )

    assert parse_error(jsonrpc_error(said)["message"]) == RemoteError(
        message="A rate limit or quota was exceeded.",
        code=ErrorCode.RATE_LIMITED,
        hint="Retry the same call after 30 seconds.",
        retryable=True,
        retry_after=30,
        retry=Retry.AFTER,
        error_id="3f9c2a7e1b40",
        source=Source.PROSE,
    )


@pytest.mark.parametrize("locale", LOCALES)
def test_the_message_of_a_json_rpc_error_alone_is_read_in_every_language(locale: str) -> None:
    triage = Triage(ErrorPolicy(locale=locale))
    for seconds in (1, 30):
        limited = triage(RateLimited(retry_after=seconds))
        error = parse_error(jsonrpc_error(limited)["message"])

        assert error is not None
        assert (error.code, error.message, error.hint) == (
            ErrorCode.RATE_LIMITED,
            limited.message,
            limited.hint.text,
        )
        assert (error.retry_after, error.retry, error.error_id) == (seconds, Retry.AFTER, limited.error_id)


# --- the SDKs' sentences --------------------------------------------------------------------------

PYDANTIC = """Error executing tool ship: 3 validation errors for shipArguments
order
  Field required [type=missing, input_value={'ordr': 'a'}, input_type=dict]
    For further information visit https://example.com/v/missing
speed
  Input should be 'slow' or 'fast' [type=literal_error, input_value='fst', input_type=str]
    For further information visit https://example.com/v/literal_error
ordr
  Unexpected keyword argument [type=unexpected_keyword_argument, input_value='a', input_type=str]
    For further information visit https://example.com/v/unexpected_keyword_argument"""


def test_what_pydantic_says_is_read_without_the_values() -> None:
    error = parse_error(PYDANTIC)

    assert error is not None
    assert (error.name, error.source) == ("InvalidParams", Source.SDK)
    assert error.issues == (
        Issue("order", "is required"),
        Issue("speed", "must be 'slow' or 'fast'"),
        Issue("ordr", "is not a known argument"),
    )


EXAMPLES = [
    ("Unknown tool: shp", "InvalidParams"),
    ("Input validation error: 'order' is a required property", "InvalidParams"),
    (
        "1 validation error for call[ship]\norder\n  Missing required argument [type=missing_argument",
        "InvalidParams",
    ),
    ("Output validation error: 'x' is not of type 'integer'", "SerializationError"),
    ("Invalid structured content for tool ship: [...]", "SerializationError"),
    ("Tool ship has an output schema but no structured content was provided", "SerializationError"),
    ("Rate limited by upstream API, please retry later", "RateLimited"),
    ("Upstream request timed out, please retry", "Timeout"),
    ("Tool 'slow' execution timed out after 5s", "Timeout"),
    ("Timed out while waiting for response to ClientRequest. Waited 1.0 seconds.", "Timeout"),
]


@pytest.mark.parametrize(("text", "label"), EXAMPLES)
def test_what_the_sdks_write_by_themselves_is_understood(text: str, label: str) -> None:
    error = parse_error(text)

    assert error is not None
    assert (error.name, error.message, error.source) == (label, text, Source.SDK)


def test_every_sentence_has_its_example() -> None:
    assert all(any(re.match(start, text) for text, _ in EXAMPLES) for start, _ in SENTENCES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Error executing tool ship", "Error executing tool ship"),
        ("Error executing tool ship: out of boxes", "out of boxes"),
        ("Error calling tool 'ship': out of boxes", "out of boxes"),
        ("Error calling tool 'ship'", "Error calling tool 'ship'"),
    ],
)
def test_a_wrapped_text_of_no_known_form_is_an_error_without_a_code(text: str, message: str) -> None:
    assert parse_error(text) == RemoteError(message, source=Source.SDK)


def test_json_within_an_sdks_wrapper_is_read() -> None:
    error = parse_error(
        'Error calling tool \'ship\': {"type":"TRANSIENT","message":"Busy.","recoverable":true}'
    )

    assert error is not None
    assert (error.name, error.retry, error.source) == ("ServiceUnavailable", Retry.SAFE, Source.TOOLERROR)


@pytest.mark.parametrize(
    "text",
    ["", "42 orders shipped", "[]", "{}", '{"orders": []}', "{", "(NotFound; error id 1)", "Error: no"],
)
def test_a_text_that_has_no_form_of_an_error_is_none(text: str) -> None:
    assert parse_error(text) is None


@given(
    st.text()
    | st.text("(){}[];:=\"'\n ErorDetailsRcvyNtFund-,").map("Error: {}\n(NotFound; error id 1)".format)
)
@settings(deadline=None)
def test_no_text_is_too_odd_to_read(text: str) -> None:
    error = parse_error(text)

    assert error is None or isinstance(error.message, str)


@pytest.mark.parametrize(
    "text",
    [
        "Error: " * 200_000,
        "{" * 1_000_000,
        "(a; " * 300_000,
        "a: b is c; " * 100_000,
        "x\n  " * 300_000,
        "x is " * 9_000,
        "Error executing tool a: " * 40_000,
        "MCP error -1: " * 70_000,
        "MCP error -1:  " * 70_000,
        "y\nDetails: " + '"' * 49_000,
    ],
)
def test_a_huge_text_is_read_in_linear_time(text: str) -> None:
    for said in (text, f"Error: Validation failed: {text}\n(NotFound; error id 1)"):
        error = parse_error(said)
        assert error is None or len(error.message) <= 4_000


def test_numbers_in_front_of_each_other_are_read_however_they_are_spaced() -> None:
    error = parse_error("MCP error -32602:  " * 5_000 + "There is no such order.")

    assert error is not None
    assert (error.message, error.number) == ("There is no such order.", -32602)


@pytest.mark.parametrize("code", list(ErrorCode), ids=lambda code: code.label)
def test_the_one_line_of_a_json_rpc_error_names_its_code(code: ErrorCode) -> None:
    failed = Triage()(BY_CODE[code](), Call("prompts/get", "greet"))

    error = parse_error(jsonrpc_error(failed)["message"])

    assert error is not None
    assert (error.code, error.error_id, error.source) == (code, failed.error_id, Source.PROSE)
    assert (error.message.strip(), (error.hint or "").strip()) == (code.traits.message, failed.hint.text)


@pytest.mark.parametrize(
    "start",
    [
        "MCP error -32602: Invalid arguments for tool search: ",
        "MCP error -32602: Input validation error: Invalid arguments for tool search: ",
    ],
)
def test_the_list_at_the_end_of_the_typescript_sdks_sentence_is_read(start: str) -> None:
    problem = {"code": "invalid_type", "path": ["filters", 0, "limit"], "message": "Required"}
    listed = json.dumps([problem], indent=2)

    error = parse_error({"isError": True, "content": [{"type": "text", "text": start + listed}]})

    assert error is not None
    assert (error.name, error.issues) == ("InvalidParams", (Issue("filters[0].limit", "Required"),))


@pytest.mark.parametrize(
    "label", ["Error: ", "AxiosError: ", "Error executing tool ship: Error: ", "error: "]
)
def test_the_body_of_a_web_service_behind_a_label_is_read(label: str) -> None:
    error = parse_error({"isError": True, "content": [{"type": "text", "text": label + '{"status": 429}'}]})
    quoted = parse_error(
        {"isError": True, "content": [{"type": "text", "text": label + 'no {"status": 429} is known'}]}
    )

    assert error is not None
    assert (error.name, error.retry) == ("RateLimited", Retry.SAFE)
    assert quoted is not None
    assert (quoted.code, quoted.retry) == (None, Retry.NEVER)
