import json

import pytest
from hypothesis import given, settings

from mcp_error_middleware.model import Failure, Issue
from mcp_error_middleware.render import problem
from mcp_error_middleware.taxonomy import TRAITS, ErrorCode, ErrorKind
from tests.render.examples import NOT_FOUND, RATE_LIMITED, failure
from tests.strategies import hostile_failures


def test_a_problem_is_an_answer_of_its_own() -> None:
    status, headers, body = problem(NOT_FOUND)

    assert status == 404
    assert headers == {"content-type": "application/problem+json"}
    assert json.loads(body) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "Order 'ord_999' was not found.",
        "instance": "urn:mcp-error-middleware:3f9c2a7e1b40",
        "kind": "not_found",
        "code": -32001,
        "name": "NotFound",
        "category": "not_found",
        "retryable": False,
        "retry": "never",
        "error_id": "3f9c2a7e1b40",
        "recovery": {"hint": "Call list_orders and use an id from its result."},
    }


def test_a_wait_is_a_header_too_in_whole_seconds_rounded_up() -> None:
    status, headers, body = problem(RATE_LIMITED)

    assert status == 429
    assert headers == {"content-type": "application/problem+json", "retry-after": "30"}
    assert json.loads(body) == {
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "A rate limit or quota was exceeded.",
        "instance": "urn:mcp-error-middleware:8d0e4c11a2f3",
        "kind": "rate_limit",
        "code": -32003,
        "name": "RateLimited",
        "category": "rate_limit",
        "retryable": True,
        "retry": "after",
        "error_id": "8d0e4c11a2f3",
        "recovery": {"hint": "Wait before the next call and send fewer requests."},
        "retryAfter": 30,
        "data": {"status": 429},
    }


@pytest.mark.parametrize(
    ("docs_url", "type_"),
    [
        ("https://docs.example.com/errors", "https://docs.example.com/errors/rate_limited"),
        ("https://docs.example.com/errors/", "https://docs.example.com/errors/rate_limited"),
        ("/errors#", "/errors#rate_limited"),
        ("", "about:blank"),
    ],
)
def test_the_type_leads_to_where_the_code_is_explained(docs_url: str, type_: str) -> None:
    body = json.loads(problem(RATE_LIMITED, docs_url=docs_url)[2])

    assert (body["type"], body["title"]) == (type_, "Rate limited" if docs_url else "Too Many Requests")


def test_issues_are_listed_by_field() -> None:
    issues = (Issue("email", "is required"), Issue("name", "is too short"), Issue("name", "has digits"))

    body = json.loads(problem(failure(code=ErrorCode.VALIDATION_ERROR, issues=issues, reason="bad_input"))[2])

    assert body["fields"] == {"email": ["is required"], "name": ["is too short", "has digits"]}
    assert (body["kind"], body["reason"]) == ("validation", "bad_input")


def test_an_authors_own_fields_stand_before_issues() -> None:
    own = {"fields": {"email": ["Must be a valid email address"]}, "form": "signup"}

    body = json.loads(problem(failure(data=own, issues=(Issue("name", "is required"),)))[2])

    assert body["fields"] == {"email": ["Must be a valid email address"]}
    assert body["data"] == {"form": "signup"}


def test_fields_that_are_no_mapping_stay_data() -> None:
    body = json.loads(problem(failure(data={"fields": ["email"]}))[2])

    assert body["data"] == {"fields": ["email"]}
    assert "fields" not in body


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_code_has_its_status_and_kind(code: ErrorCode) -> None:
    status, _, body = problem(failure(code=code))

    assert status == json.loads(body)["status"] == TRAITS[code].status
    assert ErrorKind(json.loads(body)["kind"]) is TRAITS[code].kind


@given(hostile_failures)
@settings(deadline=None)
def test_whatever_a_failure_holds_the_problem_is_valid(failed: Failure) -> None:
    status, headers, body = problem(failed)

    said = json.loads(body.decode("utf-8"), parse_constant=pytest.fail)
    assert said["status"] == status
    assert said["detail"]
    assert headers.get("retry-after") == (str(said["retryAfter"]) if "retryAfter" in said else None)
    if failed.retry_after is not None and 0 <= failed.retry_after < 1e9:
        assert said["retryAfter"] >= failed.retry_after - 0.001
