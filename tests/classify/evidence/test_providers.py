"""Providers' own words for what went wrong."""

from __future__ import annotations

from enum import Enum, StrEnum
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.evidence.providers import GRPC, POSTGREST, clue_in_word
from mcp_error_middleware.taxonomy import ErrorCode


class APIError(Exception):
    """Says nothing by its name."""


def error(**attributes: Any) -> Exception:
    exc = APIError()
    vars(exc).update(attributes)
    return exc


def aws(code: str, status: int = 400) -> dict[str, Any]:
    return {"response": {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}}


def body(**fields: Any) -> dict[str, Any]:
    return {"body": {"error": fields}}


class Code(Enum):
    NOT_FOUND = 5
    THROTTLED = "x"


class Word(StrEnum):
    RATE_LIMITED = "rate_limited"


SAID: list[tuple[str, dict[str, Any]]] = [
    # AWS
    ("RateLimited", aws("ThrottlingException")),
    ("RateLimited", aws("TooManyRequestsException", 429)),
    ("RateLimited", aws("SlowDown", 503)),
    ("RateLimited", aws("RequestLimitExceeded", 503)),
    ("RateLimited", aws("ProvisionedThroughputExceededException")),
    ("NotFound", aws("ResourceNotFoundException")),
    ("NotFound", aws("NoSuchKey", 404)),
    ("NotFound", aws("InvalidInstanceID.NotFound")),
    ("Forbidden", aws("AccessDeniedException")),
    ("Forbidden", aws("UnauthorizedOperation", 403)),
    ("Unauthorized", aws("ExpiredTokenException")),
    ("Unauthorized", aws("InvalidClientTokenId", 403)),
    ("Unauthorized", aws("UnrecognizedClientException")),
    ("Unauthorized", aws("SignatureDoesNotMatch", 403)),
    ("Unauthorized", aws("InvalidAccessKeyId", 403)),
    ("Conflict", aws("ConditionalCheckFailedException")),
    ("Conflict", aws("ResourceInUseException")),
    ("Conflict", aws("BucketAlreadyOwnedByYou", 409)),
    ("Conflict", aws("TransactionCanceledException")),
    ("ValidationError", aws("ValidationException")),
    ("InvalidParams", aws("InvalidParameterValue")),
    ("InvalidParams", aws("MalformedPolicyDocument")),
    ("ServiceUnavailable", aws("ServiceUnavailable", 503)),
    ("InternalError", aws("InternalFailure", 500)),
    ("Timeout", aws("RequestTimeout")),
    # LLM providers
    ("RateLimited", {**body(type="insufficient_quota", code="insufficient_quota"), "status_code": 429}),
    ("RateLimited", {**body(type="rate_limit_error"), "status_code": 429}),
    ("ServiceUnavailable", {**body(type="overloaded_error"), "status_code": 529}),
    ("NotFound", {**body(type="invalid_request_error", code="model_not_found"), "status_code": 404}),
    ("ValidationError", {**body(code="context_length_exceeded"), "status_code": 400}),
    ("Unauthorized", {**body(type="invalid_request_error", code="invalid_api_key"), "status_code": 401}),
    ("Unauthorized", {**body(type="authentication_error"), "status_code": 401}),
    ("Forbidden", {**body(type="permission_error"), "status_code": 403}),
    ("InvalidParams", {**body(type="invalid_request_error"), "status_code": 400}),
    # Google
    (
        "RateLimited",
        {"content": b'{"error": {"code": 403, "status": "PERMISSION_DENIED",'
         b' "errors": [{"reason": "rateLimitExceeded"}]}}', "resp": SimpleNamespace(status=403)},
    ),
    (
        "Unauthorized",
        {"details": {"error": {"status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}},
    ),
    ("NotFound", {"grpc_status_code": Code.NOT_FOUND}),
    ("RateLimited", {"reason": "quotaExceeded", "code": 403}),
    # Others
    ("NotFound", {"response": {"ok": False, "error": "channel_not_found"}}),
    ("RateLimited", {"response": {"ok": False, "error": "ratelimited"}}),
    ("Unauthorized", {"response": {"ok": False, "error": "not_authed"}}),
    ("Forbidden", {"response": {"ok": False, "error": "missing_scope"}}),
    ("Forbidden", {"response": {"ok": False, "error": "not_in_channel"}}),
    ("NotFound", {"error": SimpleNamespace(code="ContainerNotFound"), "status_code": 404}),
    ("Conflict", {"error": SimpleNamespace(code="ConditionNotMet"), "status_code": 412}),
    ("NotFound", {"code": "resource_missing", "http_status": 404}),
    ("Forbidden", {"code": "card_declined", "http_status": 402}),
    ("NotFound", {"status": 404, "reason": "Not Found", "body": '{"kind": "Status", "reason": "NotFound"}'}),
    ("Conflict", {"status": 409, "body": '{"reason": "AlreadyExists"}'}),
    ("NotFound", {"body": {"error": {"type": "index_not_found_exception"}}, "status_code": 404}),
    ("Conflict", {"code": "23505"}),
    ("NotFound", {"code": "PGRST116"}),
    ("Unauthorized", {"errors": [{"message": "x", "extensions": {"code": "UNAUTHENTICATED"}}]}),
    ("Forbidden", {"extensions": {"code": "FORBIDDEN"}}),
    ("RateLimited", {"content": [{"errorCode": "REQUEST_LIMIT_EXCEEDED"}], "status": 403}),
    ("Conflict", {"content": [{"errorCode": "DUPLICATE_VALUE"}], "status": 400}),
    ("Unauthorized", {"body": '{"error_code": "ITEM_LOGIN_REQUIRED"}', "status": 400}),
    ("ServiceUnavailable", {"body": '{"error_code": "INSTITUTION_DOWN"}', "status": 400}),
    ("Unauthorized", {"code": "Neo.ClientError.Security.Unauthorized"}),
    ("Conflict", {"code": "Neo.TransientError.Transaction.DeadlockDetected"}),
    ("RateLimited", {"code": Code.THROTTLED}),
    ("RateLimited", {"code": Word.RATE_LIMITED}),
    ("NotFound", {"body": {"__type": "com.amazonaws.dynamodb#ResourceNotFoundException"}}),
    ("Timeout", {"error_name": "EXCEEDED_TIME_LIMIT"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "attributes"), SAID, ids=[f"{n}-{label}" for n, (label, _) in enumerate(SAID)]
)
def test_a_provider_is_taken_at_its_word(label: str, attributes: dict[str, Any]) -> None:
    assert classify(error(**attributes)).code.label == label


def test_a_used_up_quota_is_not_retried() -> None:
    assert classify(error(status_code=429, code="insufficient_quota")).retryable is False


@pytest.mark.parametrize(("word", "code"), GRPC.items())
def test_every_grpc_status_has_its_code(word: str, code: ErrorCode) -> None:
    class RpcError(Exception):
        __module__ = "grpc"
        __qualname__ = "RpcError"

        def code(self) -> Enum:
            return Status[word]

    Status = Enum("Status", list(GRPC))  # type: ignore[misc]
    assert classify(RpcError()).code is code


@pytest.mark.parametrize(("prefix", "code"), POSTGREST)
def test_every_postgrest_code_has_its_code(prefix: str, code: ErrorCode) -> None:
    clue = clue_in_word(prefix.ljust(8, "0"))
    assert clue is not None
    assert clue.code is code


def test_a_kafka_error_is_asked_for_its_name() -> None:
    class KafkaError:
        def name(self) -> str:
            return "TOPIC_AUTHORIZATION_FAILED"

    assert classify(APIError(KafkaError())).code is ErrorCode.FORBIDDEN


@pytest.mark.parametrize(
    "word", ["12345", "Call me later please, said the server to nobody", "", "é", "server"]
)
def test_a_word_that_means_nothing_decides_nothing(word: str) -> None:
    assert classify(error(code=word)).code in (ErrorCode.INTERNAL_ERROR, ErrorCode.SERVICE_UNAVAILABLE)


def test_a_method_named_code_is_not_called_on_a_stranger() -> None:
    class Odd(Exception):
        def code(self) -> str:
            raise AssertionError("called")

    assert classify(Odd()).code is ErrorCode.INTERNAL_ERROR


def test_a_payload_is_read_only_so_far() -> None:
    deep: Any = {"code": "not_found"}
    for _ in range(50):
        deep = {"error": deep}
    assert classify(error(body=deep)).code is ErrorCode.INTERNAL_ERROR


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("urn:ietf:params:acme:error:rateLimited", "RateLimited"),
        ("https://api.example.com/problems/not-found", "NotFound"),
        ("https://validation.example.com/problems/quota-exceeded", "RateLimited"),
    ],
)
def test_the_last_part_of_a_problems_address_names_it(kind: str, label: str) -> None:
    assert classify(error(body={"type": kind})).code.label == label


def test_of_a_code_and_its_explanation_the_code_counts() -> None:
    assert classify(error(reason="ENTRY_NOT_FOUND: the rate limit table")).code is ErrorCode.NOT_FOUND


def test_the_title_of_a_problem_counts() -> None:
    assert classify(error(body={"title": "Too Many Requests"})).code is ErrorCode.RATE_LIMITED


@pytest.mark.parametrize(
    ("status", "said", "label"),
    [
        (403, "not_found", "NotFound"),
        (403, "not found", "Forbidden"),
        (400, "not found", "NotFound"),
        (403, "rate limit exceeded", "RateLimited"),
    ],
)
def test_a_code_overrules_a_status_and_prose_explains_it(status: int, said: str, label: str) -> None:
    assert classify(error(status_code=status, body={"error": said})).code.label == label
