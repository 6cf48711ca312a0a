"""Failure in, error object out: the facts, the same on every surface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from mcp_error_middleware.model import Failure, Retry
from mcp_error_middleware.render.plain import dumps, plain

OURS: Final = frozenset({"reason", "recovery", "retry_after", "issues", "issues_omitted"})
"""Keys of `data` that an author's own data cannot set."""

_MESSAGE: Final = 4_000
_HINT: Final = 1_000
_WORD: Final = 200
_ISSUES: Final = 20
"""More problems than this in one answer help nobody; the rest is counted."""
_FOREVER: Final = 1e9
_TEXT_ONLY: Final = frozenset({str})


def error_object(failure: Failure) -> dict[str, Any]:
    """`code`, `name`, `category`, `message`, `retryable`, `retry`, `error_id`; `data`, always with a hint."""
    error: dict[str, Any] = orjson.loads(encoded(failure))
    return error


def encoded(failure: Failure) -> bytes:
    """The error object as JSON. Each reading of it is a copy that nobody else holds."""
    traits = failure.code.traits
    return dumps(
        {
            "code": failure.code,
            "name": traits.label,
            "category": traits.category,
            "message": shortened(failure.message.strip() or traits.message, _MESSAGE),
            "retryable": failure.retryable,
            "retry": failure.retry or _retry(failure),
            "error_id": failure.error_id,
            "data": _data(failure),
        }
    )


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters; an ellipsis says that there were more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _data(failure: Failure) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if failure.reason:
        data["reason"] = shortened(failure.reason, _WORD)
    data["recovery"] = {"hint": shortened(failure.hint.text.strip() or failure.code.traits.hint, _HINT)}
    if (seconds := _seconds(failure.retry_after)) is not None:
        data["retry_after"] = seconds
    if failure.issues:
        data |= _issues(failure)
    if failure.status is not None:
        data["status"] = failure.status
    if failure.data:
        data |= _authors_own(failure.data)
    return data


def _retry(failure: Failure) -> Retry:
    if not failure.retryable:
        return Retry.NEVER
    return Retry.SAFE if failure.retry_after is None else Retry.AFTER


def _seconds(seconds: float | None) -> float | None:
    """A waiting time somebody can wait, whole where it is."""
    if seconds is None or not 0 <= seconds < _FOREVER:
        return None
    return int(seconds) if seconds == int(seconds) else round(seconds, 3)


def _issues(failure: Failure) -> dict[str, Any]:
    shown = [
        {"path": shortened(issue.path, _WORD), "problem": shortened(issue.problem.strip(), _WORD)}
        for issue in failure.issues[:_ISSUES]
    ]
    omitted = len(failure.issues) - len(shown)
    return {"issues": shown, "issues_omitted": omitted} if omitted else {"issues": shown}


def _authors_own(data: Mapping[str, Any]) -> dict[str, Any]:
    if type(data) is not dict or not _TEXT_ONLY.issuperset(map(type, data)):
        # A key may only turn into one of ours on its way to JSON.
        data = plain(data)
    return {key: value for key, value in data.items() if key not in OURS} if isinstance(data, dict) else {}
