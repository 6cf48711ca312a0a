"""Texts of exceptions whose type says nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.clue import Clue
from mcp_error_middleware.classify.patterns import (
    COMMON,
    CONFESSIONS,
    LIFECYCLE,
    MISUSE,
    PLAIN,
    PROVIDERS,
    VALUES,
    cited_pattern,
    common_pattern,
    confession,
    lifecycle_pattern,
    plain_pattern,
    provider_pattern,
    setting_pattern,
    value_pattern,
)
from mcp_error_middleware.classify.patterns.phrases import Pattern, compiled
from mcp_error_middleware.taxonomy import http_status_to_code
from tests.effort import effort

READERS = (
    (PROVIDERS, provider_pattern),
    (COMMON, common_pattern),
    (VALUES, value_pattern),
    (MISUSE, lifecycle_pattern),
    (CONFESSIONS, confession),
    (PLAIN, plain_pattern),
    (LIFECYCLE, lifecycle_pattern),
)
PATTERNS = [(pattern, read) for table, read in READERS for pattern in table]
COMPILED = [row for table, _ in READERS for row in compiled(table)]

Reader = Callable[[str], Clue | None]


def cases(field: str) -> list[object]:
    return [
        pytest.param(pattern, read, text, id=text)
        for pattern, read in PATTERNS
        for text in getattr(pattern, field)
    ]


@pytest.mark.parametrize(("pattern", "read", "text"), cases("examples"))
def test_every_pattern_decides_its_examples(pattern: Pattern, read: Reader, text: str) -> None:
    clue = read(text)
    assert clue is not None
    assert (clue.code, clue.retryable) == (pattern.code, pattern.retryable)


@pytest.mark.parametrize(("pattern", "read", "text"), cases("near_misses"))
def test_no_pattern_takes_its_near_misses(pattern: Pattern, read: Reader, text: str) -> None:
    (regex,) = (regex for _, regex, row in COMPILED if row is pattern)
    assert regex.search(text.lower()) is None


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_literals_of_a_pattern_never_hide_a_match(data: st.DataObject) -> None:
    literals, regex, _ = data.draw(st.sampled_from(COMPILED))
    text = data.draw(st.from_regex(regex)).lower()
    assert any(literal in text for literal in literals)


# What mcp-ts-core recognises is recognised here, by the same words.
SEED_COMMON = {
    "Unauthorized": "unauthorized|unauthenticated|not authorized|not yet logged in|invalid_token"
    "|expired-token",
    "Forbidden": "permission|forbidden|access was denied|not allowed",
    "NotFound": "not found|no such|doesn't exist|couldn't find",
    "ValidationError": "invalid|validation|malformed|bad request|wrong format|missing required|missing param"
    "|missing field|missing input|missing value|missing arg|zod|ZodError|schema validation",
    "Conflict": "conflict|already exists|duplicate|unique constraint",
    "RateLimited": "rate limit|too many requests|throttled",
    "Timeout": "timeout|timed out|deadline exceeded|abort|aborted|canceled|cancelled|gateway timeout",
    "ServiceUnavailable": "service unavailable|bad gateway|upstream error",
}
SEED_PROVIDERS = {
    "RateLimited": "ThrottlingException|TooManyRequestsException|status code 429|insufficient_quota"
    "|quota exceeded",
    "Forbidden": "AccessDenied|UnauthorizedOperation|status code 403|row level security",
    "NotFound": "ResourceNotFoundException|status code 404|model_not_found",
    "Unauthorized": "status code 401|JWT expired",
    "Conflict": "status code 409|unique constraint failed|duplicate key",
    "ServiceUnavailable": "status code 502|status code 503|status code 599|ECONNREFUSED|connection refused"
    "|ENOTFOUND|DNS|ECONNRESET|connection reset",
    "Timeout": "ETIMEDOUT|connection timeout",
    "ValidationError": "foreign key constraint|context_length_exceeded",
}


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (label, text)
        for table in (SEED_COMMON, SEED_PROVIDERS)
        for label in table
        for text in table[label].split("|")
    ],
)
def test_the_words_everybody_uses_are_recognised(label: str, text: str) -> None:
    assert classify(Exception(text)).code.label == label
    assert classify(Exception(f"Order 7: {text}")).code.label == label


SAID = """
ConfigurationError: OPENAI_API_KEY environment variable is not set
ConfigurationError: Missing API key. Set STRIPE_API_KEY.
ConfigurationError: config file /etc/x.toml not found
ConfigurationError: Unable to locate credentials
Conflict: duplicate key value violates unique constraint "users_email_key"
Conflict: Version conflict: expected 3, got 5
Conflict: The record was modified by another user
Conflict: database is locked
Conflict: Seat 12 is already taken
DatabaseError: no such table: users
Forbidden: You do not have permission to perform this action
Forbidden: new row violates row-level security policy
Forbidden: missing scope: repo
Forbidden: 402 Payment Required
Forbidden: PUT /orders/7 -> 403 {"detail":"read-only token"}
Forbidden: Unable to get the settings: (403, {'message': 'no'})
InternalError: boom
InternalError: GET /orders -> 500: Traceback (most recent call last): LookupError: 'user not found'
InternalError: GET http://127.0.0.1:404 went well
InternalError: invalid state: expected RUNNING, got IDLE
InternalError: permission slip printed twice
InternalError: the timetable and the deadline calendar disagree
InternalError: dictionary changed size during iteration
InternalError: Event loop is closed
InternalError: cannot reuse already awaited coroutine
InternalError: order 404 was shipped
InternalError: processed 500 items
InternalError: took 404 ms
InternalError: LimitManager must be entered as an async context manager before calling acquire()
InternalError: Trying to get metrics for a renderer that no longer exists. This should never happen.
InternalError: could not find a free port
ConfigurationError: SMTP_SENDER_EMAIL is not set
ConfigurationError: Missing SLACK_WEBHOOK_URL
ConfigurationError: a working C toolchain is required
InternalError: job 7 failed: KeyError: 'user not found'
NotFound: Order 'ord_999' does not exist
NotFound: No results found for query
NotFound: Ticket ABC-1 no longer exists
NotFound: Fichier introuvable : rapport.pdf
NotFound: sync failed: NotFoundError(404, 'index_not_found_exception')
NotFound: sync failed: IndexMissingError('orders')
NotFound: The requested url could not be found.
NotFound: 404 Client Error: Not Found for url: https://api.example.com/x
RateLimited: ApiError(429, 'later')
RateLimited: Payment not allowed: rate limit exceeded
RateLimited: Error code: 429 - {'error': {'message': 'Rate limit reached'}}
RateLimited: You exceeded your current quota, please check your plan
RateLimited: Request was throttled. Expected available in 13 seconds.
SerializationError: Failed to parse response as JSON
SerializationError: Object of type datetime is not JSON serializable
SerializationError: File is not a zip file
ServiceUnavailable: not found in cache, upstream returned 503
ServiceUnavailable: Cannot connect to host api.example.com:443 ssl:default [Name or service not known]
ServiceUnavailable: Server disconnected without sending a response.
ServiceUnavailable: the backend is down
ServiceUnavailable: GET /feed => 503: back soon
ServiceUnavailable: Der Server ist nicht erreichbar
ServiceUnavailable: (503) service_unavailable; http://127.0.0.1/
ServiceUnavailable: Payment gateway is temporarily unavailable
ServiceUnavailable: HTTP 502 from inventory service
ServiceUnavailable: The model is overloaded. Please try again later.
ServiceUnavailable: page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1
Timeout: The validation service timed out
Timeout: timeout of 30000ms exceeded
Timeout: 504 Gateway Timeout
Unauthorized: Your session has expired, please log in again
Unauthorized: Could not validate credentials
Unauthorized: Incorrect username or password
Unauthorized: 認証に失敗しました
ValidationError: DNSSEC field invalid
ValidationError: timeout must be positive
ValidationError: start date must be before end date
ValidationError: name is required
ValidationError: This model's maximum context length is 8192 tokens
ValidationError: 422 Unprocessable Entity
"""


@pytest.mark.parametrize(("label", "text"), [line.split(": ", 1) for line in SAID.strip().splitlines()])
def test_a_sentence_reads_as_people_read_it(label: str, text: str) -> None:
    assert classify(RuntimeError(text)).code.label == label


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504])
@pytest.mark.parametrize(
    "text",
    [
        "Request failed with status code {}",
        "HTTP {}",
        "http status: {}",
        "{} Client Error",
        "Error code: {} - oops",
        "upstream returned {}",
        "status_code={}",
        'status "{}"',
        "responded with status {}",
        "received HTTP {}",
        "failed ({})",
        "HTTP/1.1 {} X",
    ],
)
def test_a_status_in_words_is_a_status(text: str, status: int) -> None:
    clue = provider_pattern(text.format(status))
    assert clue is not None
    assert clue.code is http_status_to_code(status)


@pytest.mark.parametrize(
    "text", ["Error 4045", "status 200", "error 404.5", "port 5432", "status 4041", "500 km"]
)
def test_another_number_is_not(text: str) -> None:
    assert provider_pattern(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "invalid_" * 250,
        "invalid" + "_" * 1993,
        "a" * 1993 + "timeout",
        "not " * 500 + "logged",
        "exceeded " * 220 + "quot",
        "relation " * 220,
        "dns" + "1" * 1997,
        "access" * 330,
        "returned error http " * 100,
        "no a b c " * 220,
        "missing" + " " * 1993,
        "Error" * 400,
        "A_" * 1000,
        "call " * 400,
        "could not fetch " * 120,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    for pattern in (provider_pattern, common_pattern, cited_pattern, setting_pattern, lifecycle_pattern):
        assert effort(partial(pattern, text)) < 4


def test_words_about_values_count_in_a_library_not_in_a_bare_error() -> None:
    library = type("GeometryError", (Exception,), {"__module__": "geometry"})
    assert classify(library("unsupported shape")).code.label == "ValidationError"
    assert classify(RuntimeError("unsupported shape")).code.label == "InternalError"


def test_a_builtins_name_in_a_librarys_text_may_be_the_librarys_own() -> None:
    library = type("ApiError", (Exception,), {"__module__": "box"})
    text = "ApiError(None, GetError('path', LookupError('not_found', None)))"
    assert classify(library(text)).code.label == "NotFound"
    assert classify(RuntimeError("handler failed: KeyError: not found")).code.label == "InternalError"


def test_only_the_beginning_of_a_text_is_read() -> None:
    assert common_pattern("x" * 2000 + " not found") is None
