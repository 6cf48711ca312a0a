from __future__ import annotations

from typing import Any

import orjson
import pytest

from mcp_error_middleware.advice import suspicion
from mcp_error_middleware.advice.silent import Suspicion

ERROR_OBJECTS: list[dict[str, Any]] = [
    {"Error": "no such item"},
    {"Response": "False", "Error": "Movie not found!"},
    {"jsonrpc": "2.0", "id": 7, "error": {"message": "no such item", "status": 404}},
    {"orders": [], "total": 0, "error": "timeout"},
    {"result": None, "success": False, "errors": [{"code": 1003, "message": "no such item"}], "messages": []},
    {"detail": [{"loc": ["a"], "msg": "field required", "type": "value_error"}]},
    {"code": "PGRST116", "details": None, "hint": None, "message": "no such item"},
    {"status": "failed", "message": "no such item", "data": None},
    {"error": "Order not found"},
    {"error": {"code": 404, "message": "Order not found"}},
    {"error": "boom", "success": False, "data": None},
    {"success": False, "message": "Order not found"},
    {"ok": False, "error": "channel_not_found"},
    {"success": False},
    {"errors": [{"message": "Cannot query field"}], "data": None},
    {"message": "Not Found", "documentation_url": "https://docs.example.com", "status": "404"},
    {"type": "about:blank", "title": "Forbidden", "status": 403, "detail": "No."},
    {"message": "Bad credentials", "documentation_url": "https://docs.example.com"},
    {"status": "error", "message": "Invalid API key"},
    {"error": True, "message": "Something broke"},
    {"name": "TypeError", "error": "x is not a function"},
    {"isError": True, "content": [{"type": "text", "text": "No such order"}]},
    {"success": False, "error": "Table or view not found", "database": "shop", "table": "order"},
    {"success": False, "error": "Give project_key or issue_key.", "query": "anna"},
    {"error": "Name resolution failed", "error_type": "NetworkError", "package": "shop", "version": None},
    {"statusCode": 500, "error": "Internal Server Error", "message": "An internal error occurred"},
    {"success": False, "error": {"message": "No such order"}, "order": "a1"},
    {"success": "false", "error": "No such order"},
    {"error": 404, "message": "No such order"},
    {"code": 404, "msg": "No such order", "data": None},
    {"cod": "404", "message": "city not found"},
    {"object": "error", "status": 404, "code": "object_not_found", "message": "No such page"},
    {"__type": "ResourceNotFoundException", "message": "No such table"},
    {"errorMessages": ["The issue does not exist"], "errors": {}},
    {"detail": "Not found."},
    {"message": "Forbidden"},
    {"Error Message": "Invalid call"},
    {"Error": {"Code": "AccessDenied", "Message": "Access Denied"}},
    {"fault": {"faultstring": "Invalid key"}},
    {"errors": [{"message": "Could not resolve it", "type": "NOT_FOUND"}], "data": {"repository": None}},
    {"errors": {"summary": "You must give a summary."}, "errorMessages": []},
    {"result": "error", "reason": "The hash is a mismatch", "hash": None, "hint": "Read the file first."},
]

RESULTS: list[dict[str, Any]] = [
    {"status": "error", "message": "Paper jam"},
    {"code": 501, "message": "Moderate rain"},
    {"error": "varchar(255)", "code": "int", "message": "text"},
    {"error": "#ff0000", "message": "#000000"},
    {"error": "/var/log/error.log"},
    {"error": "none in 24 h"},
    {"Status": "exited", "Error": "OCI runtime create failed", "ExitCode": 127},
    {"error": None, "data": {"id": 1}},
    {"error": "", "rows": []},
    {"errors": [], "data": {"user": None}},
    {"error": 0.02, "value": 3.1},
    {"errors": [{"message": "slow"}], "data": {"user": {"id": 1}}},
    {"status": "failed", "job_id": "j1", "error": "exit code 1"},
    {"status": "error", "service": "billing", "since": "2026-01-01"},
    {"success": True, "message": "Error log cleared"},
    {"id": 5, "level": "error", "error": "timeout", "logged_at": "2026-01-01"},
    {"message": "Hello", "code": 200},
    {"detail": "A fine detail of the painting"},
    {"name": "John", "type": "person"},
    {"valid": False, "reason": "checksum"},
    {"data": [], "success": False, "attempts": 3},
    {"status": "failed", "error": "exit code 1", "name": "nightly"},
    {"code": "412", "title": "Pittsburgh", "description": "An area code"},
    {"status": "error", "reason": None},
    {"success": False, "error": "exit code 1", "run": 7, "finished_at": "2026-01-01"},
    {"success": False, "error": "one of three failed", "rows": [{"id": 1}, {"id": 2}]},
    {"success": True, "error": "none", "query": "anna"},
    {"success": False, "error": "", "query": "anna"},
    {"error": "checksum", "page": 3},
    {"error": "timeout", "error_type": "Slow", "id": 7, "worker": "w1"},
    {"error": "timeout", "error_type": "Slow", "status": "retried", "worker": "w1"},
    {"error": "0.3 %"},
    {"error": "1e-5", "value": None},
    {"error": "none"},
    {"error": "#F00", "success": "#0F0"},
    {"success": True, "error": "Error log cleared"},
    {"success": True, "error": "exit code 1", "error_type": "Retried", "worker": "w1"},
    {"code": 501, "title": "A pair of jeans"},
    {"code": 401, "title": "Advanced algebra", "description": "A course"},
    {"object": "order", "status": 404, "message": "Parcel 404"},
    {"__type": "Order", "message": "On its way"},
    {"detail": "Not found in nature"},
    {"success": False, "hash": "0x1", "error": "reverted"},
    {"errors": {"summary": None}},
    {"errors": {"$ref": "Errors", "description": "What was invalid."}},
    {"errors": {"billing": "three"}},
    {"errors": [{"message": "slow"}], "data": {"user": None, "team": 7}},
    {"fault": "none"},
    {"result": "error", "message": "Tails", "throws": 3},
    {"result": 404, "message": "Not the sum that was expected"},
    {},
]

TEXTS = [
    "Error - city is required",
    "[ERROR] could not connect",
    "Error. Order not found.",
    "Error! Order not found",
    "Error:Order not found",
    "Error: 'city'",
    "Error: 404",
    "Error while listing orders: x",
    "Error response from daemon: No such image",
    "Error from server (NotFound): no such deployment",
    "Exception: the service returned 500",
    "Timeout error: no answer after 30 s",
    "404 Client Error: Not Found for url: https://example.com/",
    "An error occurred (UnauthorizedOperation) when calling the StartInstances operation: no",
    "Tool execution failed: timeout",
    "Failed with error: x",
    "Invalid API key provided",
    "Permission denied: orders",
    "ECONNREFUSED: connect failed",
    "Sorry, an error occurred: x",
    "There was an error processing your request: x",
    "psycopg2.errors.UndefinedTable: relation x does not exist",
    "Error: Order 'x' was not found",
    "Error executing tool ship: boom",
    "ValueError: invalid literal for int() with base 10: 'x'",
    "httpx.ConnectTimeoutError: timed out",
    "Failed to connect to the database",
    "An error occurred while fetching prices",
    "Exception: no such order",
    "Error: 404 Not Found",
    "Error: No such file or directory",
    "Database error: no such table: orders",
    "Unexpected error in list_indices: [Errno 111] Connection refused",
    "Connection error: the peer went away",
    "❌ Error: connection refused",
    "Error fetching prices: 404 Client Error",
    "HTTP error occurred: 404",
    "Failed to create the order: 500",
    "Unable to create the order: permission denied",
    "Request failed with status code 404",
    "503 Service Unavailable",
    "Internal Server Error",
    "**Error**: no such order",
    "Query failed: syntax error",
    "Failed: no such order",
    "Something went wrong: timeout",
    "Connection refused",
    "Unauthorized",
    "Rate limit exceeded. Try again later.",
    "Error code: 404 - {'message': 'x'}",
    "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'x'",
    "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
    "<!DOCTYPE html><title>example.com | 502: Bad gateway</title>" + "<p>Cloudflare</p>" * 500,
    "<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
]

PROSE = [
    "Error: A Memoir",
    "Error: 404 by Band",
    "Error: paper jam",
    "Error: Smith (E6)",
    "Exception: held at customs",
    "Exception: does not run on Sundays",
    "Failure: not covered after two years",
    "Permission denied: 3 users, granted: 12 users",
    "Delivery failed: nobody at home",
    "Exception: class\nmessage: str",
    "Failure: the album",
    "Fatal Error: A Novel by Jo",
    "Failed to Launch: episode 3",
    "Failed to Replicate: A Study of Ten Results\nAuthors: x",
    "Error - A Memoir",
    "[ERROR] 2 of 3",
    "No errors found.",
    "Error: none",
    "Error: no",
    "Error: no errors since Monday",
    "Error rate: 0.5 %",
    "The error budget is fine.",
    "Errors are part of life: learn from them.",
    "Validation error: 0.021",
    "Standard error: the story of a stream",
    "Error in translation: a comedy",
    "Terror: a short story",
    "<html><head><title>My page</title></head><body>Error</body></html>",
    "Error handling in Python: a guide\n\n" + "It is important to...\n" * 40,
    "Failure is an option",
    "        Error: '#F00',\n    }",
    "Error: 12%",
    "error: ±0.5 mm",
    "Error: 0.0123, R2: 0.98",
    "Error handling: retry on 503",
    "Failed to impress. The food was cold.",
    "Failed to fetch 0 of 12 packages; 12 installed",
    "An error occurred in 1923, and the ship was lost.",
    "<html><head><title>Forbidden City - Travel</title></head><body>" + "<p>...</p>" * 9 + "</body></html>",
    "<html><head><title>404 Not Found - an encyclopedia</title></head>" + "<p>...</p>" * 900 + "</html>",
    "Failed: 3, passed: 10",
    "Query failed: none",
    "Something went wrong in 1923, and the ship was lost.",
    "Rate limit exceeded 3 times last week",
    "Unauthorized biography of a king",
    "Error code: the story of a number",
    "",
    "{not json}",
    "[]",
]


@pytest.mark.parametrize("result", ERROR_OBJECTS, ids=repr)
def test_a_result_that_is_nothing_but_an_error_is_suspect_on_both_surfaces(result: dict[str, Any]) -> None:
    found = suspicion("get_order", None, result)
    assert found is not None
    assert suspicion("get_order", orjson.dumps(result).decode()) == found


@pytest.mark.parametrize("result", RESULTS, ids=repr)
def test_a_result_that_mentions_an_error_is_a_result(result: dict[str, Any]) -> None:
    assert suspicion("get_order", None, result) is None
    assert suspicion("get_order", orjson.dumps(result).decode()) is None


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_is_nothing_but_an_error_is_suspect(text: str) -> None:
    assert suspicion("get_order", text) is not None
    assert suspicion("get_order", None, {"result": text}) is not None


BEGINNINGS = [
    "access denied",
    "an internal error occurred",
    "API call failed: no such order",
    "authorization failed: the key has expired",
    "bad gateway",
    "connection reset by peer",
    "couldn't read the order: permission denied",
    "database exception: no such table",
    "EAI_AGAIN: the name could not be resolved",
    "ECONNREFUSED: the port is closed",
    "EHOSTUNREACH: the host is down",
    "ENOENT: no such file",
    "EPERM: not permitted",
    "ETIMEDOUT: no answer",
    "exception: no such order",
    "execution failed: out of memory",
    "fatal error: no such order",
    "gateway timeout",
    "HTTP 404 Not Found",
    "invalid API key",
    "network error: unreachable",
    "operation failed: not allowed",
    "orders.errors.NotThere: no such order",
    "permission denied",
    "query failed: syntax error",
    "rate limit exceeded",
    "request timed out",
    "server error: out of memory",
    "something went wrong",
    "sorry, an unexpected error occurred",
    "there was an error reading the order",
    "timeout error: no answer",
    "tool failed: no such order",
    "unable to read the order: permission denied",
    "upload failed: disk full",
    "validation error: a name is required",
]


@pytest.mark.parametrize("text", BEGINNINGS)
def test_an_error_may_begin_with_any_of_many_words_in_either_case(text: str) -> None:
    assert suspicion("place_order", text)
    assert suspicion("place_order", text[0].upper() + text[1:])


@pytest.mark.parametrize(
    "text",
    [
        "Import failed: no such file",
        "Zip export failed: no such file",
        "KnownError: no such order",
        "known.orders.KnownError: no such order",
        "known.exceptions.Known: no such order",
    ],
)
def test_a_class_and_a_piece_of_work_may_have_any_name(text: str) -> None:
    assert suspicion("place_order", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Error: no route to host", "no route to host"),
        ("❌ Error: no route to host", "no route to host"),
        ("Database error: no such table", "Database error: no such table"),
        ("Failed to ship: error: no boxes", "Failed to ship: error: no boxes"),
    ],
)
def test_its_words_are_kept_but_for_the_label(text: str, said: str) -> None:
    assert suspicion("get_order", text) == Suspicion("error_text", said)


def test_a_block_that_an_sdk_put_under_result_is_its_text() -> None:
    block = {"type": "text", "text": TEXTS[0], "annotations": None}
    assert suspicion("get_order", None, {"result": [block]}) == suspicion("get_order", TEXTS[0])
    assert suspicion("get_order", None, {"result": [block, block]}) is None
    assert suspicion("get_order", None, {"result": [{"type": "image"}]}) is None


def test_a_list_of_nothing_but_an_error_is_that_error() -> None:
    error = {"error": "No connection is open"}
    assert suspicion("run_query", None, {"result": [error]}) == suspicion("run_query", None, error)
    assert suspicion("run_query", None, {"result": [error, error]}) is None
    assert suspicion("run_query", None, {"result": [{**error, "count": 3}]}) is None
    assert suspicion("list_errors", None, {"result": [error]}) is None


def test_one_who_writes_may_explain_at_length_what_went_wrong() -> None:
    text = "Error deleting orders: the store is closed\n" + "- Open it, as its manual says.\n" * 40
    assert suspicion("delete_orders", text) is not None
    assert suspicion("get_order", text) is None
    assert suspicion("run_query", "Error: timeout\n" * 40) is None


@pytest.mark.parametrize("text", PROSE)
def test_a_text_about_errors_is_a_text(text: str) -> None:
    assert suspicion("get_order", text) is None


@pytest.mark.parametrize(
    "tool",
    [
        "read_file",
        "search_logs",
        "getTraceback",
        "run_command",
        "fetch_page",
        "get_ticket",
        "list_comments",
        "ask",
        "define_word",
        "getStacktrace",
        "fetch",
        "http_request",
        "jupyter_execute_cell",
        "get_process_output",
        "get_clipboard",
        "get_incident",
        "list_failures",
        "redis_get",
        "mypy_check",
        "run_eslint",
        "get_response_codes",
        "rewrite",
    ],
)
@pytest.mark.parametrize("text", TEXTS)
def test_a_tool_that_shows_texts_may_show_those_of_errors(tool: str, text: str) -> None:
    assert suspicion(tool, text) is None


@pytest.mark.parametrize("tool", ["read_file", "get_file_contents", "bash", "curl", "fetch", "tail_log"])
@pytest.mark.parametrize("result", ERROR_OBJECTS, ids=repr)
def test_an_object_that_a_tool_shows_as_it_found_it_is_a_text_too(tool: str, result: dict[str, Any]) -> None:
    text = orjson.dumps(result).decode()
    assert suspicion(tool, text) is None
    assert suspicion(tool, None, {"result": text}) is None


def test_an_object_of_a_tool_that_shows_files_is_its_own_where_it_is_no_text() -> None:
    assert suspicion("read_file", None, {"error": "No such file"}) is not None
    assert suspicion("write_file", '{"error": "No such file"}') is not None


@pytest.mark.parametrize("tool", ["write_file", "create_issue", "send_message", "delete_comment"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_tool_that_changes_texts_has_none_of_errors_to_show(tool: str, text: str) -> None:
    assert suspicion(tool, text) is not None


@pytest.mark.parametrize("tool", ["get_order", "write_file", "create_table", "read_file", "ping"])
@pytest.mark.parametrize("text", [*TEXTS, *PROSE, "Error: only SELECT may be used"])
def test_what_a_tool_of_some_name_is_suspected_of_nobody_else_is_cleared_of(tool: str, text: str) -> None:
    assert suspicion(tool, text) is None or suspicion(None, text) is not None


@pytest.mark.parametrize(
    "text", ["Payment failed: card declined", "Error: not_in_channel", "Error: A Memoir"]
)
def test_what_one_that_changes_something_says_is_about_its_work(text: str) -> None:
    assert suspicion("send_money", text) is not None
    assert suspicion("create_report", "Payment failed: see page 3") is None


@pytest.mark.parametrize("tool", ["validate_json", "check_syntax", "verify_address", "get_help"])
def test_a_tool_that_says_what_is_wrong_with_a_text_has_not_failed(tool: str) -> None:
    assert suspicion(tool, "Error: expected ',' in line 3") is None


@pytest.mark.parametrize("tool", ["get_order", "send_message", "write_file"])
def test_before_the_name_is_asked_for_nothing_is_passed_over(tool: str) -> None:
    texts = [*TEXTS, *PROSE, "Payment failed: card declined"]
    assert [t for t in texts if suspicion(tool, t) and not suspicion(None, t)] == []
    objects = [*ERROR_OBJECTS, *RESULTS]
    assert [o for o in objects if suspicion(tool, None, o) and not suspicion(None, None, o)] == []


@pytest.mark.parametrize(
    ("tool", "result"),
    [
        ("check_domain", {"ok": False, "reason": "taken"}),
        ("validate_email", {"success": False, "reason": "no MX record"}),
        ("lint_code", {"errors": [{"message": "missing semicolon"}]}),
        ("compile_latex", {"success": False, "errors": ["Undefined control sequence"]}),
        ("list_errors", {"errors": ["timeout", "refused"]}),
        ("list_exceptions", {"result": [{"error": "ValueError"}]}),
        ("get_failures", {"errors": ["timeout", "refused"]}),
        ("get_http_status", {"code": 404, "message": "Not Found"}),
        ("get_build", {"status": "error", "message": "exit code 1"}),
        ("get_job", {"status": "failed", "error": "exit code 1"}),
        ("test_connection", {"ok": False, "error": "refused"}),
        ("ping", {"success": False, "host": "a", "error": "timeout"}),
        ("get_log_entry", {"error": "timeout", "timestamp": "2026-01-01"}),
        ("get_trace", {"error": "timeout", "trace_id": "a1"}),
        ("grade_answer", {"success": False, "message": "The answer is 4"}),
        ("run_linter", {"errors": ["E501 line too long"]}),
        ("get_event_details", {"error": "ValueError", "message": "no such file", "stack": "..."}),
        ("send_http_request", {"statusCode": 500, "error": "Internal Server Error", "message": "boom"}),
        ("play_card", {"success": False, "message": "Game over"}),
    ],
)  # fmt: skip
def test_a_tool_whose_job_is_to_judge_may_judge(tool: str, result: dict[str, Any]) -> None:
    assert suspicion(tool, None, result) is None
    assert suspicion(tool, None, {"error": "no such file"}) is not None


@pytest.mark.parametrize(
    ("tool", "result"),
    [
        ("get_translation", {"error": "Fehler", "message": "Nachricht"}),
        ("get_config", {"error": {"message": "Custom 404 page"}}),
        ("get_theme", {"error": "red"}),
        ("get_row", {"error": "boom", "code": 3, "message": "m"}),
        ("get_dead_letter", {"error": "Failed to process", "message": "{}"}),
        ("get_feature_flag", {"ok": False, "reason": "rollout 0%"}),
    ],
)
def test_a_tool_whose_objects_have_an_error_among_their_fields_may_show_it(
    tool: str, result: dict[str, Any]
) -> None:
    assert suspicion(tool, None, result) is None
    assert suspicion(tool, None, {"success": False, "error": "no such thing"}) is not None
    assert suspicion(tool, None, {"error": {"code": 403, "message": "no such thing"}}) is not None
