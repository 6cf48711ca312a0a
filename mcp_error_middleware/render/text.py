"""Failure in, one block of plain prose out.

    Error: Order 'ord_999' was not found.
    Details: order=ord_999
    Recovery: Call list_orders and use an id from its result.
    (NotFound; do not retry unchanged; error id 3f9c2a7e1b40)

Says what the error object says, since some clients show a model nothing else. Never parses as JSON, since
others would take it for `structuredContent`. Bounded: what is left out is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_error_middleware.locales import sentences
from mcp_error_middleware.model import Failure, Issue, Retry
from mcp_error_middleware.render.error import OURS, error_object, shortened
from mcp_error_middleware.render.plain import dumps

_DETAIL: Final = 1_000
_DETAILS: Final = 3_000

_BARE: Final = re.compile(r"[^\W\d][\w./@\[\]-]*")
"""Strings that need no quotes to be told from what surrounds them."""
_LITERALS: Final = frozenset({"true", "false", "null"})


def error_text(failure: Failure) -> str:
    """The text block of a failed tool call."""
    return text_of(error_object(failure), failure.locale)


def text_of(error: Mapping[str, Any], locale: str = "en") -> str:
    """The same facts as this error object, in words; `locale` is the language of its sentences."""
    data = error["data"]
    lines = [f"Error: {_indented(error['message'])}"]
    if "issues" in data:
        lines += _issues(data, error["message"], sentences(locale)["validation_failed"])
    if not data.keys() <= OURS:
        lines.append(f"Details: {_details(data)}")
    lines.append(f"Recovery: {_indented(data['recovery']['hint'])}")
    lines.append(_standing(error))
    return "\n".join(lines)


def _indented(text: str) -> str:
    """Later lines are set in, so that no message can pass for another line of ours."""
    if text.isprintable():
        return text
    return "\n  ".join(line.strip() for line in text.splitlines() if line.strip())


def _issues(data: Mapping[str, Any], message: str, label: str) -> Iterator[str]:
    """One on each line, but for those that the message itself lists, as its label says."""
    is_list = message.startswith(label)
    for issue in data["issues"]:
        clause = Issue(issue["path"], issue["problem"]).clause
        if not (is_list and (f": {clause}" in message or f"; {clause}" in message)):
            path = _word(issue["path"]) if issue["path"] else "(input)"
            yield f"- {path}: {_indented(issue['problem'])}"
    if "issues_omitted" in data:
        yield f"- (+{data['issues_omitted']} more)"


def _details(data: Mapping[str, Any]) -> str:
    shown: list[str] = []
    room, omitted = _DETAILS, 0
    for key, value in data.items():
        if key in OURS:
            continue
        detail = shortened(f"{_word(key)}={_word(value)}", _DETAIL)
        room -= len(detail)
        if room >= 0:
            shown.append(detail)
        else:
            omitted += 1
    return ", ".join([*shown, f"(+{omitted} more)"] if omitted else shown)


def _standing(error: Mapping[str, Any]) -> str:
    data = error["data"]
    reason = f"; reason {_word(data['reason'])}" if "reason" in data else ""
    retrying = _retrying(error, data.get("retry_after"))
    return f"({error['name']}{reason}; {retrying}; error id {error['error_id']})"


_RETRYING: Final = {
    Retry.SAFE: "may be retried",
    Retry.AFTER: "may be retried",
    Retry.VERIFY_FIRST: "verify before retrying",
    Retry.NEVER: "do not retry unchanged",
}
"""By what the error object says."""


def _retrying(error: Mapping[str, Any], seconds: float | None) -> str:
    retry = error["retry"]
    if retry == Retry.AFTER and seconds is not None:
        return f"retry after {seconds} s"
    unsure = retry == Retry.VERIFY_FIRST and error["retryable"]
    said = "may be retried once verified" if unsure else _RETRYING[retry]
    return said if seconds is None else f"{said}; wait {seconds} s"


def _word(value: object) -> str:
    """A value in the middle of a sentence: JSON, without the quotes where nothing is lost."""
    if isinstance(value, str) and (value.isidentifier() or _BARE.fullmatch(value)) and value not in _LITERALS:
        return value
    return dumps(value).decode()
