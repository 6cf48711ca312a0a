import json
from enum import Enum
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings

from mcp_error_middleware.model import Failure, Hint, Issue
from mcp_error_middleware.render import error_object
from mcp_error_middleware.render.error import OURS
from tests.render.examples import NOT_FOUND, failure
from tests.strategies import failures, hostile_failures


def test_an_error_object_has_code_name_category_message_retryable_id_and_a_hint() -> None:
    assert error_object(NOT_FOUND) == {
        "code": -32001,
        "name": "NotFound",
        "category": "not_found",
        "message": "Order 'ord_999' was not found.",
        "retryable": False,
        "retry": "never",
        "error_id": "3f9c2a7e1b40",
        "data": {"recovery": {"hint": "Call list_orders and use an id from its result."}},
    }


def test_everything_known_is_in_data() -> None:
    full = failure(
        reason="no_match",
        retry_after=30.0,
        issues=(Issue("items[0].price", "must be a whole number"), Issue("", "must be an object")),
        status=404,
        data={"order": "ord_999", "tried": [1, 2]},
    )

    assert error_object(full)["data"] == {
        "reason": "no_match",
        "recovery": {"hint": "Call list_orders and use an id from its result."},
        "retry_after": 30,
        "issues": [
            {"path": "items[0].price", "problem": "must be a whole number"},
            {"path": "", "problem": "must be an object"},
        ],
        "status": 404,
        "order": "ord_999",
        "tried": [1, 2],
    }


def test_an_author_cannot_set_our_keys() -> None:
    own = {
        "reason": "x",
        "recovery": "x",
        "retry_after": 1,
        "issues": "x",
        "issues_omitted": 1,
        "order": "ord_999",
    }

    assert error_object(failure(data=own))["data"] == {
        "recovery": {"hint": "Call list_orders and use an id from its result."},
        "order": "ord_999",
    }


class Key(Enum):
    ISSUES = "issues"


def test_an_author_cannot_set_our_keys_in_disguise() -> None:
    own: dict[Any, Any] = {Key.ISSUES: 1, "order": "ord_999"}

    assert error_object(failure(data=own))["data"] == {
        "recovery": {"hint": "Call list_orders and use an id from its result."},
        "order": "ord_999",
    }


@pytest.mark.parametrize("data", [["no mapping"], None, 7], ids=repr)
def test_data_that_is_no_mapping_is_left_out(data: Any) -> None:
    assert error_object(failure(data=data)) == error_object(NOT_FOUND)


def test_an_authors_own_status_stands_before_the_upstreams() -> None:
    assert error_object(failure(status=404, data={"status": "shipped"}))["data"]["status"] == "shipped"


def test_blank_texts_give_way_to_those_of_the_code() -> None:
    blank = error_object(failure(message=" \n", hint=Hint("")))

    assert blank["message"] == "The requested item was not found."
    assert blank["data"] == {
        "recovery": {"hint": "Check the identifier, or list what exists and pick from it."}
    }


@pytest.mark.parametrize(
    ("given_seconds", "expected"),
    [
        (0, 0),
        (30.0, 30),
        (1.5, 1.5),
        (0.12345, 0.123),
        (None, None),
        (-1, None),
        (float("inf"), None),
        (float("nan"), None),
        (1e30, None),
    ],
)
def test_a_wait_is_a_number_of_seconds_somebody_can_wait(
    given_seconds: float | None, expected: float | None
) -> None:
    assert error_object(failure(retry_after=given_seconds))["data"].get("retry_after") == expected


def test_issues_beyond_the_twentieth_are_counted() -> None:
    issues = tuple(Issue(f"field_{n}", "is required") for n in range(50))

    data = error_object(failure(issues=issues))["data"]

    assert data["issues"] == [{"path": f"field_{n}", "problem": "is required"} for n in range(20)]
    assert data["issues_omitted"] == 30


def test_long_texts_are_cut_with_an_ellipsis() -> None:
    cut = error_object(failure(message="m" * 9_999, hint=Hint("h" * 9_999)))

    assert cut["message"] == "m" * 3_999 + "…"
    assert cut["data"] == {"recovery": {"hint": "h" * 999 + "…"}}


def test_data_may_be_any_mapping() -> None:
    assert error_object(failure(data=MappingProxyType({"a": MappingProxyType({"b": 1})})))["data"]["a"] == {
        "b": 1
    }


def test_changing_an_error_object_does_not_change_the_failure() -> None:
    tried: list[int] = [1]
    error_object(failure(data={"tried": tried}))["data"]["tried"].append(2)

    assert tried == [1]


@given(failures())
@settings(deadline=None)
def test_an_authors_data_arrives_whole(failed: Failure) -> None:
    own = {key: value for key, value in failed.data.items() if key not in OURS}
    data = error_object(failed)["data"]

    assert {key: data[key] for key in own} == own


@given(hostile_failures)
@settings(deadline=None)
def test_whatever_a_failure_holds_the_object_is_valid_json(failed: Failure) -> None:
    error = error_object(failed)

    assert json.loads(json.dumps(error, allow_nan=False).encode("utf-8")) == error
    assert isinstance(error["data"]["recovery"]["hint"], str)
