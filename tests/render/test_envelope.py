import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.render import envelope, error_response, partial_success, success_response
from mcp_error_middleware.taxonomy import BY_REGISTRY, Category
from tests.render.examples import RATE_LIMITED, failure
from tests.strategies import hostile_failures, json_values, text


def test_a_failure_is_an_envelope_without_success() -> None:
    assert envelope(failure(reason="no_match", data={"order": "ord_999"})) == {
        "success": False,
        "data": {
            "error_code": "RESOURCE_NOT_FOUND",
            "error_type": "not_found",
            "error_name": "NotFound",
            "error_id": "3f9c2a7e1b40",
            "retryable": False,
            "retry": "never",
            "details": {"reason": "no_match", "order": "ord_999"},
            "remediation": "Call list_orders and use an id from its result.",
        },
        "error": "Order 'ord_999' was not found.",
        "meta": {"version": "response-v2", "request_id": "7"},
    }


def test_an_envelope_says_when_to_retry() -> None:
    assert envelope(RATE_LIMITED) == {
        "success": False,
        "data": {
            "error_code": "RATE_LIMIT_EXCEEDED",
            "error_type": "rate_limit",
            "error_name": "RateLimited",
            "error_id": "8d0e4c11a2f3",
            "retryable": True,
            "retry": "after",
            "details": {"status": 429},
            "remediation": "Wait before the next call and send fewer requests.",
            "retry_after_seconds": 29.2,
        },
        "error": "A rate limit or quota was exceeded.",
        "meta": {"version": "response-v2", "request_id": "r-1"},
    }


def test_a_reason_that_the_registry_knows_is_the_code() -> None:
    assert envelope(failure(reason="token_expired"))["data"]["error_code"] == "TOKEN_EXPIRED"


@pytest.mark.parametrize(
    ("call", "request_id"),
    [
        (Call(correlation_id="corr-1", request_id=7), "corr-1"),
        (Call(request_id=0), "0"),
        (Call(), "3f9c2a7e1b40"),
    ],
)
def test_the_request_id_is_what_the_operator_finds_the_call_by(call: Call, request_id: str) -> None:
    assert envelope(failure(call=call))["meta"]["request_id"] == request_id


def test_a_success_may_have_warnings() -> None:
    assert success_response({"processed": 97}, warnings=["3 items skipped"], request_id="req_1") == {
        "success": True,
        "data": {"processed": 97},
        "error": None,
        "meta": {"version": "response-v2", "request_id": "req_1", "warnings": ["3 items skipped"]},
    }
    assert success_response({})["meta"] == {"version": "response-v2"}


def test_an_error_response_always_has_a_message() -> None:
    assert error_response("Database connection failed after 3 retries") == {
        "success": False,
        "data": {},
        "error": "Database connection failed after 3 retries",
        "meta": {"version": "response-v2"},
    }
    assert error_response(" ")["error"] == "The operation failed for an unknown reason."


def test_all_done_is_a_success() -> None:
    assert partial_success(["a"], [], key="deleted", request_id="req_1") == {
        "success": True,
        "data": {"deleted": ["a"]},
        "error": None,
        "meta": {"version": "response-v2", "request_id": "req_1"},
    }


def test_some_done_is_a_success_with_a_warning() -> None:
    failed = [{"id": "b", "reason": "not found"}]

    assert partial_success(["a", "c"], failed, key="deleted") == {
        "success": True,
        "data": {"deleted": ["a", "c"], "failed": failed},
        "error": None,
        "meta": {"version": "response-v2", "warnings": ["1 of 3 items could not be deleted."]},
    }


def test_none_done_is_an_error() -> None:
    failed = [{"id": "b", "reason": "not found"}, {"id": "c", "reason": "permission denied"}]

    assert partial_success([], failed, key="archived", noun="orders") == {
        "success": False,
        "data": {"failed": failed},
        "error": "None of the 2 orders could be archived.",
        "meta": {"version": "response-v2"},
    }


def is_consistent(answer: dict[str, Any]) -> bool:
    """Success without an error, or no success with one."""
    said = bool(answer["error"] and answer["error"].strip())
    return answer["success"] is not said and answer["meta"]["version"] == "response-v2"


@given(st.lists(json_values, max_size=3), st.lists(json_values, max_size=3), text)
@settings(deadline=None)
def test_no_answer_mixes_success_and_error(succeeded: list[Any], failed: list[Any], error: str) -> None:
    answers = [
        partial_success(succeeded, failed),
        error_response(error, {"failed": failed}),
        success_response({"done": succeeded}, warnings=[error]),
    ]

    assert all(map(is_consistent, answers))


@given(hostile_failures)
@settings(deadline=None)
def test_whatever_a_failure_holds_its_envelope_is_consistent_and_valid_json(failed: Failure) -> None:
    answer = envelope(failed)

    assert json.loads(json.dumps(answer, allow_nan=False, ensure_ascii=False).encode("utf-8")) == answer
    assert is_consistent(answer)
    assert answer["data"]["error_code"] in BY_REGISTRY
    assert answer["data"]["error_type"] in set(Category)
    assert answer["data"]["remediation"]
