"""Subject in, HTTP status out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mcp_error_middleware.classify.chain import cause_of, context_of, mro_of, qualified_name
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import either, integer, is_mapping, item, read, text
from mcp_error_middleware.classify.evidence.subject import STATUSES, Subject
from mcp_error_middleware.taxonomy import http_status_to_code

NEVER_AGAIN: Final = frozenset({501, 505, 510, 511})
"""Statuses that will be the same next time, whatever their code's default."""

NOT_HTTP: Final = tuple(
    "aiosmtplib cimpl clickhouse_connect clickhouse_driver confluent_kafka curl_cffi grpc pymongo".split()
)
"""Packages whose `code` counts something else."""

_CODES: Final = ("code", "error_code", "_code", "_error_code")
_IN_RESPONSE: Final = ("status_code", "status", "statusCode", "code", "http_status")
_IN_PAYLOAD: Final = (
    "status", "code", "statusCode", "status_code", "http_status", "httpStatus", "http_code", "error_code",
    "cod",
)  # fmt: skip


def status_of(subject: Subject) -> int | None:
    """The upstream's HTTP status, if it was an error."""
    status = _status(subject)
    return None if status and subject.is_from("aiohttp") and _is_unread(subject) else status


def _is_unread(subject: Subject) -> bool:
    """Whether it was the answer that could not be read: aiohttp has a 400 for that, which nobody sent."""
    cause = cause_of(subject.exc)
    return any(_UNREAD in bases for bases in (subject.bases, map(qualified_name, mro_of(type(cause)))))


_UNREAD: Final = "aiohttp.http_exceptions.HttpProcessingError"


def _status(subject: Subject) -> int | None:
    for response in subject.responses:
        if status := _in_response(response):
            return status
    for value in subject.values(STATUSES):
        if status := as_status(value):
            return status
    if status := as_status(either(subject.get("meta"), "status")):
        return status
    if not (subject.is_from(*NOT_HTTP) or _is_told_behind(subject)):
        for value in (*subject.values(_CODES), *_spoken(subject)):
            if status := as_status(value):
                return status
    return next(filter(None, map(_in_payload, subject.payloads)), None)


def _is_told_behind(subject: Subject) -> bool:
    """Whether the answer itself is on the cause: the number here is the service's own then."""
    cause = cause_of(subject.exc) or context_of(subject.exc)
    return cause is not None and as_status(either(read(cause, "response"), "status_code")) is not None


@lru_cache(maxsize=256)
def status_clue(status: int) -> Clue:
    """What a status says when nothing says more."""
    again = False if status in NEVER_AGAIN else None
    return Clue(http_status_to_code(status), Weight.TELLING, "http_status", str(status), again)


def as_status(value: object) -> int | None:
    """400 to 599, also as an enum, as `"404"`, as `"404 Not Found"`, or with more digits: `"404006"`."""
    status = integer(value)
    if (
        status is None
        and (line := text(value))
        and (match := re.match(r"([45]\d\d)(?: [A-Za-z]|\d{3}$|$)", line[:20]))
    ):
        status = int(match[1])
    return status if status is not None and 400 <= status <= 599 else None


def _spoken(subject: Subject) -> Iterator[int]:
    """The numbers a class that speaks HTTP was made with: `ApiError(404, "no such page")`."""
    if any(type(arg) is int for arg in subject.args) and speaks_http(subject.bases):
        yield from (arg for arg in subject.args[:3] if type(arg) is int)


@lru_cache(maxsize=512)
def speaks_http(bases: frozenset[str]) -> bool:
    """Whether a class is named as what talks to a service over HTTP."""
    return any(re.search(_HTTP, base.rpartition(".")[2]) for base in bases)


_HTTP: Final = (
    r"(?i:http)|A[Pp][Ii](?![a-z])|REST|^(Status|Request|Response|Client|Service)(Error|Exception)$"
)


def _in_response(response: object) -> int | None:
    if is_mapping(response) and (
        status := as_status(item(item(response, "ResponseMetadata"), "HTTPStatusCode"))
    ):
        return status
    return next(filter(None, (as_status(either(response, name)) for name in _IN_RESPONSE)), None)


def _in_payload(payload: object) -> int | None:
    if not is_mapping(payload):
        return None
    for part in (payload, item(payload, "error")):
        if is_mapping(part) and (status := _first_status(part)):
            return status
    return None


def _first_status(part: object) -> int | None:
    return next(filter(None, (as_status(item(part, name)) for name in _IN_PAYLOAD)), None)
