"""Subject in, seconds to wait out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.classify.evidence.access import (
    called,
    either,
    entries,
    integer,
    is_list,
    is_mapping,
    is_text,
    item,
    number,
    read,
    text,
)
from mcp_error_middleware.classify.evidence.subject import HEADERS, WAITS, Subject

LONGEST: Final = 7 * 86_400.0
"""No wait is longer than a week."""

_MILLISECONDS: Final = ("retry-after-ms", "x-ms-retry-after-ms", "x-retry-after-ms")
_SECONDS: Final = ("retry-after", "x-retry-after", "x-ratelimit-reset-after", "x-ratelimit-retry-after")
_RESETS: Final = (
    "x-ratelimit-reset", "x-rate-limit-reset", "ratelimit-reset", "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens", "anthropic-ratelimit-requests-reset",
)  # fmt: skip
_DETAILS: Final = "grpc-status-details-bin"
_NAMES: Final = frozenset({*_MILLISECONDS, *_SECONDS, *_RESETS, _DETAILS, "x-ratelimit-remaining"})
_MOST_HEADERS: Final = 200
_KEYS: Final = ("retry_after", "retryAfter", "retry_after_seconds")

_DURATION: Final = r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$"
_SAID: Final = (
    r"(?:retry(?:ing)?|try again|available|wait)(?: again)?( after| in| for)?:? (?:at least |about )?"
    r"(\d{1,6}(?:\.\d{1,6})?) ?(ms|milliseconds?|m(?:in(?:ute)?s?)?|h(?:ours?)?|s(?:ec(?:ond)?s?)?)?\b"
)
_RETRY_INFO: Final = rb"google\.rpc\.RetryInfo\x12.\n.\x08([\x80-\xff]{0,4}[\x00-\x7f])"
_UNITS: Final = {"ms": 0.001, "mi": 60.0, "m": 60.0, "h": 3600.0, "s": 1.0}


def wait_of(subject: Subject, *, limited: bool) -> float | None:
    """How long the upstream asks to wait. When a limit resets counts only if it was the limit that failed."""
    return next((seconds for seconds in _waits(subject, limited=limited) if seconds is not None), None)


def _waits(subject: Subject, *, limited: bool) -> Iterator[float | None]:
    yield from map(seconds_in, subject.values(WAITS))
    for milliseconds in map(number, subject.values(("retry_after_ms",))):
        yield bounded(milliseconds / 1000) if milliseconds is not None else None
    for headers in _headers(subject):
        yield retry_after_from_headers(headers, resets=limited)
    for payload in subject.payloads:
        yield from _in_payload(payload)
    if limited:
        yield from map(seconds_in, subject.values(("seconds",)))


def retry_after_from_headers(headers: object, *, resets: bool = False) -> float | None:
    """Seconds from `Retry-After` and its cousins: a number, a duration or an HTTP date."""
    if not (found := _known_headers(headers)):
        return None
    for name in _MILLISECONDS:
        if (milliseconds := number(found.get(name))) is not None:
            return bounded(milliseconds / 1000)
    for name in _SECONDS:
        if (seconds := seconds_in(found.get(name))) is not None:
            return seconds
    if resets:
        for name in _RESETS:
            if (seconds := seconds_in(found.get(name))) is not None:
                return seconds
    return _from_details(found.get(_DETAILS))


def is_limit_used_up(subject: Subject) -> bool:
    """Whether the headers say that no request is left, or when to come back."""
    for headers in _headers(subject):
        found = _known_headers(headers)
        if number(found.get("x-ratelimit-remaining")) == 0 or "retry-after" in found:
            return True
    return False


def seconds_in(value: object) -> float | None:
    """Seconds from now: a number, a moment, a timedelta, `6m0s`, an HTTP date or an ISO date."""
    if value is None:
        return None
    if is_text(value):
        said = (text(value) or "").strip()[:64]
        plain = number(said)
        return _from_number(plain) if plain is not None else _from_words(said)
    if (plain := number(value)) is not None:
        return _from_number(plain)
    if (total := called(value, "total_seconds")) is not None:
        return bounded(number(total))
    if integer(read(value, "seconds")) is not None and read(value, "nanos") is not None:
        return bounded(read(value, "seconds") + (integer(read(value, "nanos")) or 0) / 1e9)
    if read(value, "tzinfo") is not None:
        moment = called(value, "timestamp")
        return bounded(moment - time.time()) if type(moment) is float else None
    return None


def seconds_said(said: str) -> float | None:
    """`Please try again in 20s`."""
    match = re.search(_SAID, said, re.IGNORECASE)
    if match is None or not (match[1] or match[3]):
        return None
    unit = (match[3] or "s").lower()
    return bounded(float(match[2]) * _UNITS.get(unit[:2], _UNITS[unit[0]]))


def bounded(seconds: float | None) -> float | None:
    """Between now and a week from now; a moment that has passed is now."""
    if seconds is None or seconds != seconds:
        return None
    # Compared first: a whole number may be too large for a float.
    return round(float(min(max(0.0, seconds), LONGEST)), 3)


def _from_number(value: float) -> float | None:
    # Seconds, unless it is so large that it must be a moment: in seconds, or in milliseconds.
    if value > 1e11:
        return bounded(value / 1000 - time.time())
    return bounded(value - time.time() if value > 1e9 else value)


def _from_words(said: str) -> float | None:
    if said[:1].isdigit() and (match := re.match(_DURATION, said)) and match[0]:
        hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
        return bounded(hours * 3600 + minutes * 60 + seconds + milliseconds / 1000)
    return _from_date(said)


def _from_date(said: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    for read_date in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read_date(said)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        zone = moment.tzinfo or UTC
        return bounded(moment.replace(tzinfo=zone).timestamp() - time.time())
    return None


def _from_details(value: object) -> float | None:
    """The whole seconds of a google.rpc.RetryInfo among the details of a gRPC status, as on the wire."""
    if type(value) is not bytes or (match := re.search(_RETRY_INFO, value, re.DOTALL)) is None:
        return None
    return bounded(float(sum((byte & 0x7F) << 7 * place for place, byte in enumerate(match[1]))))


# --- where they stand --------------------------------------------------------------------------


def _headers(subject: Subject) -> Iterator[Any]:
    for response in subject.responses:
        if is_mapping(response):
            yield item(item(response, "ResponseMetadata"), "HTTPHeaders")
            yield item(response, "headers")
            yield response
        yield read(response, "headers")
    yield from subject.values(HEADERS)
    yield either(subject.get("meta"), "headers")
    if "grpc.RpcError" in subject.bases:
        yield called(subject.exc, "trailing_metadata")


def _known_headers(headers: object) -> dict[str, Any]:
    """Those that speak of waiting, by lower-case name."""
    found: dict[str, Any] = {}
    try:
        for name, value in islice(_pairs(headers), _MOST_HEADERS):
            key = (text(name) or "").lower()
            if key in _NAMES:
                found.setdefault(key, value[0] if is_list(value) and value else value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - foreign code
        return found
    return found


def _pairs(headers: Any) -> Iterator[tuple[Any, Any]]:
    if headers is not None and not is_text(headers):
        yield from headers.items() if hasattr(headers, "items") else headers


def _in_payload(payload: object) -> Iterator[float | None]:
    if not is_mapping(payload) and not is_list(payload):
        return
    for part in (payload, item(payload, "error"), item(payload, "parameters")):
        if is_mapping(part):
            yield from (seconds_in(item(part, key)) for key in _KEYS)
            yield from map(_retry_info, entries(item(part, "details")))
        yield from map(_retry_info, entries(part))


def _retry_info(detail: object) -> float | None:
    """google.rpc.RetryInfo, as JSON and as a message."""
    return seconds_in(either(detail, "retryDelay") or either(detail, "retry_delay"))
