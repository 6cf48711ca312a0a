import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.model import Call, Failure, Hint
from mcp_error_middleware.render import error_object, jsonrpc_error
from mcp_error_middleware.taxonomy import ErrorCode, may_leave
from tests.render.examples import failure
from tests.strategies import VERSIONS, failures, hostile_failures

READ = Call(method="resources/read", target="orders://999", protocol_version="2026-07-28")


def test_a_jsonrpc_error_carries_the_error_object_and_repeats_its_data_beside_it() -> None:
    declared = failure(call=Call(method="prompts/get"), reason="no_match", data={"order": "ord_999"})

    assert jsonrpc_error(declared) == {
        "code": -32602,
        "message": (
            "Order 'ord_999' was not found. Call list_orders and use an id from its result. "
            "(error id 3f9c2a7e1b40)"
        ),
        "data": {
            "reason": "no_match",
            "recovery": {"hint": "Call list_orders and use an id from its result."},
            "order": "ord_999",
            **error_object(declared),
        },
    }


def test_a_missing_resource_is_named_by_its_uri() -> None:
    missing = failure(call=READ)

    error = jsonrpc_error(missing)

    assert error["code"] == -32602
    assert error["data"] == {
        "uri": "orders://999",
        "recovery": {"hint": "Call list_orders and use an id from its result."},
        **error_object(missing),
    }


def test_a_missing_resource_is_named_without_the_secrets_in_its_uri() -> None:
    asked = Call(
        "resources/read", "orders://u:hunter2@here", alias="orders://[redacted:url-credentials]@here"
    )

    assert jsonrpc_error(failure(call=asked))["data"]["uri"] == asked.alias


@pytest.mark.parametrize("version", VERSIONS)
def test_a_missing_resource_has_the_same_number_for_every_peer(version: str | None) -> None:
    missing = failure(call=Call(method="resources/read", target="orders://999", protocol_version=version))

    assert jsonrpc_error(missing, taxonomy_numbers=True)["code"] == -32602


def test_the_taxonomys_numbers_leave_where_asked_for_and_allowed() -> None:
    limited = failure(
        code=ErrorCode.RATE_LIMITED, call=Call(method="prompts/get", protocol_version="2025-11-25")
    )

    assert jsonrpc_error(limited)["code"] == -32603
    assert jsonrpc_error(limited, taxonomy_numbers=True)["code"] == -32003


@pytest.mark.parametrize(("number", "code"), [(1234, 1234), (-32050, -32602), (-32002, -32602)])
def test_an_authors_number_leaves_where_it_may_and_stays_in_data(number: int, code: int) -> None:
    error = jsonrpc_error(failure(number=number))

    assert (error["code"], error["data"]["code"]) == (code, number)


@pytest.mark.parametrize(
    ("message", "hint", "expected"),
    [
        ("Not there", "Look elsewhere.", "Not there. Look elsewhere. (error id 3f9c2a7e1b40)"),
        ("Unknown tool:", "Look elsewhere.", "Unknown tool. Look elsewhere. (error id 3f9c2a7e1b40)"),
        ("Not\n\nthere!", "Look\nelsewhere.", "Not there! Look elsewhere. (error id 3f9c2a7e1b40)"),
        (
            "Not there. Look elsewhere.",
            "Look elsewhere.",
            "Not there. Look elsewhere. (error id 3f9c2a7e1b40)",
        ),
        ("見つかりません。", "探してください。", "見つかりません。 探してください。 (error id 3f9c2a7e1b40)"),
        ("n" * 999, "Look elsewhere.", "n" * 599 + "… (error id 3f9c2a7e1b40)"),
    ],
)
def test_the_message_is_one_short_line_with_the_next_step(message: str, hint: str, expected: str) -> None:
    assert jsonrpc_error(failure(message=message, hint=Hint(hint)))["message"] == expected


def test_an_authors_key_that_clashes_with_ours_is_still_in_the_objects_data() -> None:
    data: dict[str, Any] = jsonrpc_error(failure(data={"name": "order", "data": 1}))["data"]

    assert (data["name"], data["data"]["name"], data["data"]["data"]) == ("NotFound", "order", 1)


@given(failures(), st.booleans())
@settings(deadline=None)
def test_no_number_leaves_that_may_not(failed: Failure, taxonomy_numbers: bool) -> None:
    code = jsonrpc_error(failed, taxonomy_numbers=taxonomy_numbers)["code"]

    assert may_leave(code, failed.call.protocol_version)
    assert code != -32601 or failed.number == -32601


@given(hostile_failures)
@settings(deadline=None)
def test_whatever_a_failure_holds_the_error_is_valid_json(failed: Failure) -> None:
    error = jsonrpc_error(failed)

    assert json.loads(json.dumps(error, allow_nan=False, ensure_ascii=False).encode("utf-8")) == error
    assert len(error["message"]) < 700
