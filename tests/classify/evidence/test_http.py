"""Where libraries keep an HTTP status."""

from __future__ import annotations

from http import HTTPStatus
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.evidence.http import as_status
from mcp_error_middleware.taxonomy import ErrorCode, http_status_to_code


class APIError(Exception):
    """Says nothing by its name."""


def error(cls: type[Exception] = APIError, *args: object, **attributes: Any) -> Exception:
    exc = cls(*args)
    vars(exc).update(attributes)
    return exc


def named(name: str, **attributes: Any) -> Exception:
    return error(type(name, (Exception,), {}), **attributes)


def test_an_answer_among_the_arguments_says_more_than_a_telling_name() -> None:
    exc = error(type("UrlNotAuthorized", (Exception,), {}), SimpleNamespace(status_code=403))
    assert classify(exc).code is ErrorCode.FORBIDDEN


def test_a_status_that_stands_for_an_answer_nobody_could_read_is_not_the_upstreams() -> None:
    response_error = type("ClientResponseError", (Exception,), {"__module__": "aiohttp.client_exceptions"})
    processing = type("HttpProcessingError", (Exception,), {"__module__": "aiohttp.http_exceptions"})
    unread = error(response_error, status=400)
    unread.__cause__ = error(type("BadHttpMessage", (processing,), {}), "Invalid header token", code=400)

    for exc in (unread, unread.__cause__):
        verdict = classify(exc)
        assert (verdict.code, verdict.retryable, verdict.status) == (
            ErrorCode.SERVICE_UNAVAILABLE,
            True,
            None,
        )
    assert classify(error(response_error, status=400)).status == 400


CARRIERS: list[dict[str, Any]] = [
    {"response": SimpleNamespace(status_code=404)},
    {"response": SimpleNamespace(status=404)},
    {"response": SimpleNamespace(status_code=HTTPStatus.NOT_FOUND)},
    {"response": {"ResponseMetadata": {"HTTPStatusCode": 404}}},
    {"response": SimpleNamespace(code=404)},
    {"resp": SimpleNamespace(status=404)},
    {"http_response": SimpleNamespace(status_code=404)},
    {"raw_response": SimpleNamespace(status_code=404)},
    {"response_info": SimpleNamespace(status_code=404)},
    {"status_code": 404},
    {"status": 404},
    {"status": "404 Not Found"},
    {"status": HTTPStatus.NOT_FOUND},
    {"http_status": 404},
    {"http_status_code": 404},
    {"http_code": 404},
    {"statusCode": 404},
    {"response_code": 404},
    {"status_int": 404},
    {"code": 404},
    {"code": "404"},
    {"code": "404006"},
    {"error_code": 404},
    {"_status_code": 404},
    {"_response": SimpleNamespace(status_code=404)},
    {"req": SimpleNamespace(status_code=404)},
    {"what": "x", "answer": SimpleNamespace(status_code=HTTPStatus.NOT_FOUND)},
    {"meta": SimpleNamespace(status=404)},
    {"body": {"status": 404}},
    {"body": '{"error": {"code": 404}}'},
    {"data": {"statusCode": 404}},
    {"data": {"cod": "404", "message": "city not found"}},
]


@pytest.mark.parametrize("attributes", CARRIERS, ids=[f"{n}-{next(iter(c))}" for n, c in enumerate(CARRIERS)])
def test_a_status_is_found_where_libraries_keep_it(attributes: dict[str, Any]) -> None:
    verdict = classify(error(**attributes))
    assert (verdict.code, verdict.status) == (ErrorCode.NOT_FOUND, 404)


def test_a_status_is_found_on_the_class_and_behind_a_property() -> None:
    class Missing(Exception):
        status_code = 404

    class Lazy(Exception):
        @property
        def status(self) -> int:
            return 409

    class Elusive(Exception):
        def __getattr__(self, name: str) -> int:
            if name == "http_status":
                return 503
            raise AttributeError(name)

    found = [classify(exc) for exc in (Missing(), Lazy(), Elusive())]
    assert [verdict.status for verdict in found] == [404, 409, 503]


def test_a_response_may_be_the_first_argument() -> None:
    assert classify(APIError(SimpleNamespace(status_code=403))).code is ErrorCode.FORBIDDEN


def test_a_payload_may_be_the_first_argument() -> None:
    assert classify(APIError({"error": {"code": 404}})).code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("status", range(400, 600))
def test_every_status_means_what_the_table_says(status: int) -> None:
    verdict = classify(error(status_code=status))
    assert (verdict.code, verdict.status) == (http_status_to_code(status), status)


@pytest.mark.parametrize("status", [501, 505])
def test_a_status_that_stays_is_not_retried(status: int) -> None:
    assert classify(error(status_code=status)).retryable is False


@pytest.mark.parametrize(
    "value",
    [
        200,
        302,
        0,
        -1,
        True,
        600,
        99999,
        "OK",
        "4040",
        "4040060",
        "200404",
        "status",
        404.0,
        None,
        MagicMock(),
        [404],
    ],
)
def test_what_is_no_error_status_is_none(value: object) -> None:
    assert as_status(value) is None
    assert classify(error(status_code=value)).status is None


@pytest.mark.parametrize(
    "exc",
    [
        SystemExit(404),
        error(type("Error", (Exception,), {"__module__": "clickhouse_driver.errors"}), code=404),
        error(type("OperationFailure", (Exception,), {"__module__": "pymongo.errors"}), code=404),
    ],
    ids=["exit", "clickhouse", "mongo"],
)
def test_a_code_that_counts_something_else_is_no_status(exc: BaseException) -> None:
    assert classify(exc).status is None


# --- a name or a word against the status ---


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("RateLimitExceededException", 403, ErrorCode.RATE_LIMITED),
        ("RepositoryNotFoundError", 401, ErrorCode.NOT_FOUND),
        ("ResourceUnavailable", 404, ErrorCode.NOT_FOUND),
        ("WebSocketHandshakeError", 403, ErrorCode.FORBIDDEN),
        ("InvalidStatus", 401, ErrorCode.UNAUTHORIZED),
        ("ValidationError", 400, ErrorCode.VALIDATION_ERROR),
        ("UnexpectedResponse", 400, ErrorCode.INVALID_PARAMS),
        ("OverloadedError", 400, ErrorCode.SERVICE_UNAVAILABLE),
        ("NotAuthorizedOrNotFound", 404, ErrorCode.NOT_FOUND),
        ("InvalidOperation", 400, ErrorCode.INVALID_PARAMS),
        ("ParsingException", 400, ErrorCode.INVALID_PARAMS),
        ("ImproperlyConfigured", 500, ErrorCode.CONFIGURATION_ERROR),
        ("ValidationError", 500, ErrorCode.INTERNAL_ERROR),
        ("CircuitBreakingException", 429, ErrorCode.RATE_LIMITED),
        ("InternalServerError", 503, ErrorCode.SERVICE_UNAVAILABLE),
        ("DatabaseError", 404, ErrorCode.NOT_FOUND),
        ("KeyError", 404, ErrorCode.NOT_FOUND),
    ],
)
def test_a_firm_name_beats_a_status_a_weak_one_does_not(name: str, status: int, code: ErrorCode) -> None:
    assert classify(named(name, status_code=status)).code is code


@pytest.mark.parametrize(
    "attributes",
    [
        {"message": "API rate limit exceeded for user"},
        {"headers": {"X-RateLimit-Remaining": "0"}},
        {"response": SimpleNamespace(status_code=403, headers={"Retry-After": "60"})},
    ],
    ids=["text", "remaining", "retry-after"],
)
def test_a_rate_limit_in_a_403_is_one(attributes: dict[str, Any]) -> None:
    exc = error(APIError, attributes.pop("message", ""), status=403, **attributes)
    assert classify(exc).code is ErrorCode.RATE_LIMITED


def test_a_403_that_only_mentions_limits_is_none() -> None:
    exc = error(APIError, "no access to /rate_limit settings", status=403)
    assert classify(exc).code is ErrorCode.FORBIDDEN


@pytest.mark.parametrize("cls", [APIError, Exception, type("BadResponse", (Exception,), {})])
def test_a_body_raised_as_the_message_is_read_as_one(cls: type[Exception]) -> None:
    assert classify(cls('{"error": {"code": "order_not_found"}}')).code is ErrorCode.NOT_FOUND
    assert classify(cls('{"error": {"code": "rate_limited"}}')).code is ErrorCode.RATE_LIMITED


@pytest.mark.parametrize("cls", [KeyError, TypeError, type("Odd", (IndexError,), {})])
def test_the_body_in_a_bugs_message_is_not(cls: type[Exception]) -> None:
    wrapper = RuntimeError("call failed")
    wrapper.__cause__ = cls('{"status": 404, "code": "not_found"}')
    assert classify(wrapper.__cause__).code is ErrorCode.INTERNAL_ERROR
    assert classify(wrapper).code is ErrorCode.INTERNAL_ERROR


@pytest.mark.parametrize("args", [(404, "no page"), ("no page", 404), ("GET", "/pages/7", 404)], ids=str)
def test_a_status_among_the_arguments_of_what_speaks_http_counts(args: tuple[object, ...]) -> None:
    assert classify(APIError(*args)).code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("name", ["SMTPResponseException", "ShapeError", "ApiaryFault"])
def test_a_number_among_the_arguments_of_anything_else_is_no_status(name: str) -> None:
    verdict = classify(type(name, (Exception,), {})(404, "no page"))
    assert verdict.status is None


def test_a_response_may_be_any_of_the_arguments() -> None:
    assert classify(APIError("no page", SimpleNamespace(status_code=404))).code is ErrorCode.NOT_FOUND
