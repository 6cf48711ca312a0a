"""JSON object in, remote error out: one reader per format. Values may be of any type, and may lie."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.evidence.access import integer
from mcp_error_middleware.classify.evidence.waits import seconds_in
from mcp_error_middleware.client.remote import RemoteError, Source
from mcp_error_middleware.issues import path_text
from mcp_error_middleware.model import Issue, Retry, Verdict
from mcp_error_middleware.render.error import OURS, shortened
from mcp_error_middleware.sanitize.clean import printable
from mcp_error_middleware.taxonomy import (
    BY_CATEGORY,
    BY_KIND,
    BY_LABEL,
    BY_REGISTRY,
    BY_TYPE,
    URL_ELICITATION,
    Category,
    ErrorCode,
    ErrorType,
    http_status_to_code,
)

T = TypeVar("T")

Said: TypeAlias = Mapping[str, Any]
"""A JSON object somebody sent: dicts, lists, strings, numbers, booleans and None."""
Reader: TypeAlias = Callable[[Said], "RemoteError | None"]

_SILENT: Final = "The call failed without saying why."
_TEXT: Final = 4_000
_WORD: Final = 200
_ISSUES: Final = 50

_WORDS: Final = frozenset(Retry)
_HINTS: Final = ("hint", "remediation", "suggestion")
_WAITS: Final = ("retry_after", "retryAfter", "retry_after_seconds", "retryAfterSeconds")
_IDS: Final = ("error_id", "errorId", "request_id", "requestId", "correlation_id", "correlationId")
_FIELDS: Final = OURS | {"retryable", "error_id"}
"""Keys the record has fields for."""


def read_object(said: Said) -> RemoteError | None:
    """The error in a JSON object of any known form."""
    found = next((error for read in _READERS if (error := read(said)) is not None), None)
    if found is not None and found.code is None and found.source is Source.JSONRPC:
        return service_error(said) or found
    return found


# --- the formats --------------------------------------------------------------------------------


def error_object(said: Said) -> RemoteError | None:
    """`code`, `name`, `message`, `retryable`, `error_id`, `data`: ours, and objects much like it."""
    return _object(said) if {"name", "retryable", "error_id"} & said.keys() else None


def _object(said: Said) -> RemoteError | None:
    number = integer(said.get("code"))
    code = _found(BY_LABEL, said.get("name")) or _numbered(number)
    if code is None:
        return None
    beside = {key: value for key, value in said.items() if key not in _OF_OBJECT}
    own = {key: said[key] for key in _OWN_WORD if key in said}
    facts = {**beside, **_dict(said.get("data")), **own}
    return described(Source.STRUCTURED, code, facts, said.get("message"), number=number)


_OF_OBJECT: Final = frozenset({"code", "name", "category", "message", "data"})
_OWN_WORD: Final = ("retryable", "error_id", "retry", "possibly_applied")
"""What an author's data cannot say in its place."""


def wire_error(said: Said) -> RemoteError | None:
    """A JSON-RPC error: `code`, `message` and `data`, which may hold the error object."""
    number, message, data = integer(said.get("code")), said.get("message"), said.get("data")
    if number is None or not isinstance(message, str):
        return None
    if isinstance(data, dict) and (ours := error_object(data)) is not None:
        return replace(ours, source=Source.JSONRPC)
    facts = data if isinstance(data, dict) else {} if data in (None, "") else {"data": data}
    # -32000 is anything: a lost connection as well as a server's word for what it has no other for.
    unsure, code = number == ErrorCode.SERVICE_UNAVAILABLE, _on_wire(number, message)
    return described(Source.JSONRPC, code, done(code, facts), message, number=number, unsure=unsure)


def tool_error(said: Said) -> RemoteError | None:
    """`type`, `message`, `recoverable`, `data`."""
    code = _found(_BY_TYPE, said.get("type"))
    if code is None or "message" not in said:
        return None
    facts = dict(_dict(said.get("data")))
    again = _flag(said.get("recoverable")) is True
    if (ours := _found(BY_LABEL, facts.pop("error_name", None))) is not None:
        return described(Source.TOOLERROR, ours, facts, said["message"], number=ours, again=again)
    # Others call recoverable what has to be changed first.
    again = again and code.traits.type not in (ErrorType.VALIDATION, ErrorType.NOT_FOUND)
    return described(Source.TOOLERROR, code, facts, said["message"], again=again)


_BY_TYPE: Final[Mapping[str, ErrorCode]] = {str(name): code for name, code in BY_TYPE.items()}


def envelope(said: Said) -> RemoteError | None:
    """`success: false`, `error`, `data` and `meta`; or no more than `error` and a `data` with its code."""
    data = dict(_dict(said.get("data")))
    failed = said.get("success", "error_code" not in data) is False
    if not failed or not (_text(said.get("error")) or "version" in _dict(said.get("meta"))):
        return None
    registered, category = data.pop("error_code", None), data.pop("error_type", None)
    ours = _found(BY_LABEL, data.pop("error_name", None))
    facts = _renamed(data, {"remediation": "recovery", "retry_after_seconds": "retry_after"})
    if isinstance(facts.get("details"), dict):
        facts = {**facts.pop("details"), **facts}
    if ours is not None:
        return described(Source.ENVELOPE, ours, facts, said.get("error"), number=ours)
    code = _registered(registered) or _found(BY_CATEGORY, category)
    if code and registered not in BY_REGISTRY:
        facts.setdefault("reason", registered)
    facts.setdefault("error_id", _dict(said.get("meta")).get("request_id"))
    return described(
        Source.ENVELOPE,
        code,
        facts,
        said.get("error"),
        again=code is not None and code.traits.category in _TEMPORARY,
        unsure=code is ErrorCode.INTERNAL_ERROR,
    )


_TEMPORARY: Final = frozenset({Category.RATE_LIMIT, Category.INTERNAL, Category.UNAVAILABLE})
"""What the envelope's own rules say to retry."""

_LIKE_REGISTRY: Final[tuple[tuple[str, ErrorCode], ...]] = (
    ("NOT_FOUND$", ErrorCode.NOT_FOUND),
    ("EXISTS$|CONFLICT", ErrorCode.CONFLICT),
    ("RATE_LIMIT|TOO_MANY|THROTTLED", ErrorCode.RATE_LIMITED),
    ("DENIED$|FORBIDDEN", ErrorCode.FORBIDDEN),
    ("EXPIRED$|UNAUTHORIZED|UNAUTHENTICATED", ErrorCode.UNAUTHORIZED),
    ("TIMEOUT|TIMED_OUT", ErrorCode.TIMEOUT),
    ("UNAVAILABLE", ErrorCode.SERVICE_UNAVAILABLE),
    ("^INVALID|^MISSING|VALIDATION|_REQUIRED$", ErrorCode.VALIDATION_ERROR),
)
"""How servers name codes of their own: `USER_NOT_FOUND`, `INVALID_EMAIL`."""


def problem(said: Said) -> RemoteError | None:
    """RFC 9457: `type`, `title`, `status`, `detail`, and the members of ours."""
    status = integer(said.get("status"))
    if status is None or not 400 <= status <= 599 or not {"title", "detail"} & said.keys():
        return None
    ours = _found(BY_LABEL, said.get("name"))
    beside = {key: value for key, value in said.items() if key not in _OF_PROBLEM}
    facts = {**_dict(said.get("data")), **_renamed(beside, {"retryAfter": "retry_after"})}
    facts["issues"] = [{"path": path, "problem": text} for path, text in _by_field(facts.pop("fields", None))]
    return described(
        Source.PROBLEM,
        ours or _found(BY_KIND, said.get("kind")) or http_status_to_code(status),
        facts,
        said.get("detail") or said.get("title"),
        number=said.get("code", status),
        unsure=ours is None and is_unsure(status),
    )


_OF_PROBLEM: Final = _OF_OBJECT | {"type", "title", "status", "detail", "instance", "kind"}


def tool_failure(said: Said, message: str) -> RemoteError:
    """The draft standard's entry in `_meta`, whose message is the result's text."""
    facts = _renamed(
        said, {"correlationId": "error_id", "agentGuidance": "recovery", "retryNotBefore": "retry_after"}
    )
    name, kind = facts.pop("code", None), facts.pop("class", None)
    code = _found(_BY_NAME, name)
    if code is None:
        facts["reason"] = name
        code = _found(_BY_CLASS, kind)
    return described(Source.META, code, facts, message, again=False)


_BY_NAME: Final[Mapping[str, ErrorCode]] = {code.traits.name: code for code in ErrorCode}
_BY_CLASS: Final[Mapping[str, ErrorCode]] = {
    "governance": ErrorCode.FORBIDDEN,
    "reliability": ErrorCode.SERVICE_UNAVAILABLE,
}


def wrapped(said: Said) -> RemoteError | None:
    """`{"error": ...}`: a JSON-RPC answer, `structuredContent`, or a web service's own habit."""
    error = said.get("error")
    if isinstance(error, dict):
        readers = (wire_error,) if "jsonrpc" in said else (_object, tool_error, wire_error)
        inner = next((found for read in readers if (found := read(error)) is not None), None)
        if inner is not None and ("jsonrpc" in said or not _is_http(inner)):
            return inner
        return service_error(said) or inner or described(Source.TEXT, None, error, _spoken(error))
    if isinstance(error, str) and error.strip():
        facts = {key: value for key, value in said.items() if key not in ("error", "error_description")}
        message = said.get("error_description") or error
        return service_error(said) or described(Source.TEXT, None, facts, message)
    # An answer that is one of JSON-RPC has failed, whatever it has for an error.
    return described(Source.JSONRPC, None, {}, None) if "jsonrpc" in said and error is not None else None


def _is_http(error: RemoteError) -> bool:
    """Whether its number is none of JSON-RPC's: a web service may say more beside it."""
    return error.code is None or 400 <= (error.number or 0) <= 599


def service_error(said: object) -> RemoteError | None:
    """The error of a web service, by the status, the code or the list of problems in it; prose is no code."""
    spoken, problems = _spoken(said), _problems(said)
    verdict = classify(_Answer(said))
    if not _is_named(verdict) and (status := status_line(spoken or "")) is not None:
        verdict = classify(_Answer({**_dict(said), "status": status}))
    code = verdict.code
    if not _is_named(verdict):
        if not problems:
            return None
        code = ErrorCode.VALIDATION_ERROR
    facts = dict(_dict(_dict(said).get("error")) or _dict(said))
    facts |= {"retryable": verdict.retryable, "retry_after": verdict.retry_after}
    if code.traits.type is ErrorType.VALIDATION:
        facts["issues"] = problems
    status = verdict.status
    unsure = status is not None and is_unsure(status)
    return described(Source.TEXT, code, facts, spoken, number=status, unsure=unsure)


def _is_named(verdict: Verdict) -> bool:
    """Whether it rests on a status, or on a code that is no sentence."""
    told = verdict.evidence
    named = told is not None and told.source in _STRUCTURED and " " not in told.detail
    return named or verdict.status is not None


def status_line(text: str) -> int | None:
    """The HTTP status that is all a text says: `Bad Gateway`, `502 Bad Gateway`, `HTTP 502: Bad Gateway`."""
    found = _STATUS_LINE.fullmatch(text.strip(" .")) if len(text) <= _WORD else None
    status = _REASON_PHRASES.get(found[2].lower()) if found else None
    return status if found and found[1] in (None, str(status)) else None


_STATUS_LINE: Final = re.compile(
    r"(?:(?:HTTP(?:/\d(?:\.\d)?)? )?(?:(?:status|error)(?: code)? )?([45]\d\d)[ :-]{1,3})?([A-Za-z' -]+)",
    re.IGNORECASE,
)
_REASON_PHRASES: Final = {status.phrase.lower(): int(status) for status in HTTPStatus if status >= 400}
"""What stands beside an HTTP status: where that is all that is said, it is the status."""
_STRUCTURED: Final = frozenset({"http_status", "provider", "grpc", "sqlstate"})
"""Evidence that somebody put there for programs."""


class _Answer(Exception):
    """What a service answered, held as its clients hold it."""

    def __init__(self, body: object) -> None:
        super().__init__(_spoken(body) or "")
        self.body = body


def _problems(said: object) -> list[Any]:
    """The list of a validator: each entry has a place and what is wrong there."""
    lists = (said, *(_dict(said).get(key) for key in ("issues", "detail", "errors")))
    return next(
        (found for found in lists if isinstance(found, list) and found and all(map(_is_placed, found))), []
    )


def _is_placed(entry: object) -> bool:
    return isinstance(_place(_dict(entry)), list) and _issue(entry) is not None


def _spoken(said: object, depth: int = 0) -> str | None:
    """The sentence in it, wherever services put that."""
    if isinstance(said, str):
        return said
    if isinstance(said, dict):
        parts: list[object] = [said.get(key) for key in _SPOKEN]
    else:
        parts = said[:_ISSUES] if isinstance(said, list) else []
    found = (_spoken(part, depth + 1) for part in parts if depth < _NESTED)
    return next(filter(None, found), None)


_NESTED: Final = 3
_SPOKEN: Final = (
    "message", "Message", "msg", "error_description", "detail", "reason", "description", "error", "Error",
    "errors", "errorMessages", "errorMessage", "err", "errmsg", "issues", "content", "text",
)  # fmt: skip


_READERS: Final[tuple[Reader, ...]] = (envelope, problem, error_object, tool_error, wire_error, wrapped)


# --- what they have in common --------------------------------------------------------------------


def described(
    source: Source,
    code: ErrorCode | None,
    facts: Said,
    message: object,
    *,
    number: object = None,
    again: bool | None = None,
    unsure: bool = False,
) -> RemoteError:
    """The record. `again` says whether to retry where the facts do not.

    `unsure`: for all that this answer says, the call may have been carried out.
    """
    if again is None:
        again = code is not None and code.traits.retryable
    told = _flag(facts.get("retryable"))
    retryable = again if told is None else told
    wait = _wait(facts)
    return RemoteError(
        message=_text(message) or (code.traits.message if code is not None else _SILENT),
        code=code,
        number=integer(number),
        hint=_hint(facts),
        retryable=retryable,
        retry_after=wait,
        retry=_retry(facts, retryable, wait, unsure=unsure or code is ErrorCode.TIMEOUT),
        reason=_text(facts.get("reason"), _WORD),
        issues=tuple(islice(_issues(facts), _ISSUES)),
        error_id=next((word for key in _IDS if (word := _text(facts.get(key), _WORD))), None),
        data={key: value for key, value in facts.items() if not _is_told(key, value)},
        source=source,
    )


def done(code: ErrorCode | None, facts: Said) -> Said:
    """The facts about a call; where only what it returned could not be told, it was carried out."""
    return {"retry": Retry.VERIFY_FIRST.value, **facts} if code is ErrorCode.SERIALIZATION_ERROR else facts


def is_unsure(status: int) -> bool:
    """Whether the call behind an HTTP status may have been carried out."""
    return status == 500 or (status > 501 and status != 503)


def _retry(facts: Said, retryable: bool, wait: float | None, *, unsure: bool) -> Retry:
    """The server's own word where it is careful; its permission only where nothing speaks against it."""
    told = facts.get("retry")
    if told == Retry.NEVER:
        return Retry.NEVER
    if told == Retry.VERIFY_FIRST or _flag(facts.get("possibly_applied")):
        return Retry.VERIFY_FIRST
    if not retryable:
        return Retry.NEVER
    if unsure and told not in (Retry.SAFE, Retry.AFTER):
        return Retry.VERIFY_FIRST
    return Retry.SAFE if wait is None else Retry.AFTER


def _is_told(key: str, value: object) -> bool:
    return key in _FIELDS or (key == "retry" and isinstance(value, str) and value in _WORDS)


def _wait(facts: Said) -> float | None:
    told = (facts[key] for key in _WAITS if facts.get(key) is not None)
    return next((seconds for value in told if (seconds := seconds_in(value)) is not None), None)


def _hint(facts: Said) -> str | None:
    recovery = facts.get("recovery")
    told = [_dict(recovery).get("hint"), recovery, *(facts.get(key) for key in _HINTS)]
    return next((text for value in told if (text := _text(value))), None)


def _issues(facts: Said) -> Iterator[Issue]:
    """`[{"path", "problem"}]`; of others `[{"path": [...], "message"}]`, `[{"loc", "msg"}]`, `{field: [...]}`
    and one field.
    """
    if isinstance(facts.get("issues"), list):
        yield from filter(None, map(_issue, facts["issues"]))
        return
    yield from (Issue(path, text) for path, text in _by_field(facts.get("fields")))
    if (path := _text(facts.get("field"), _WORD)) and (text := _text(facts.get("message"), _WORD)):
        yield Issue(path, text)


def _issue(said: object) -> Issue | None:
    entry = _dict(said)
    said_of_it = entry.get("problem") or entry.get("message") or entry.get("msg")
    path, text = _place(entry), _text(said_of_it, _WORD)
    place = path_text(path) if isinstance(path, list) else path if isinstance(path, str) else ""
    return Issue(place[:_WORD], text) if text else None


def _place(entry: Said) -> object:
    """Its path; a web framework's begins with the part of the request."""
    place = entry.get("loc", entry.get("path"))
    parts = isinstance(place, list) and len(place) > 1 and "loc" in entry and place[0] in _REQUEST
    return place[1:] if parts else place


_REQUEST: Final = ("body", "query", "path", "header", "cookie", "form")


def _by_field(fields: object) -> Iterator[tuple[str, str]]:
    for path, problems in _dict(fields).items():
        for told in problems if isinstance(problems, list) else [problems]:
            if text := _text(told, _WORD):
                yield path[:_WORD], text


# --- codes --------------------------------------------------------------------------------------


def _numbered(number: int | None) -> ErrorCode | None:
    return ErrorCode(number) if number in _NUMBERS else None


_NUMBERS: Final = frozenset(map(int, ErrorCode))


def _on_wire(number: int, message: str) -> ErrorCode | None:
    """What a JSON-RPC error's number means: to the protocol, to HTTP, or else to the taxonomy."""
    for meant, words, code in _MEANT:
        if number == meant and words in message.lower():
            return code
    if number in _SPEC:
        return _SPEC[number]
    return http_status_to_code(number) if 400 <= number <= 599 else _numbered(number)


_MEANT: Final = (
    (-32001, "timed out", ErrorCode.TIMEOUT),
    (-32001, "unauthorized", ErrorCode.UNAUTHORIZED),
    (-32002, "not found", ErrorCode.NOT_FOUND),
    (-32602, "structured content", ErrorCode.SERIALIZATION_ERROR),
    (-32602, "output validation error", ErrorCode.SERIALIZATION_ERROR),
)
"""Numbers the SDKs and the protocol's older versions use for something else than the taxonomy."""

_SPEC: Final = {
    -32020: ErrorCode.INVALID_REQUEST,
    -32021: ErrorCode.INVALID_REQUEST,
    -32022: ErrorCode.INVALID_REQUEST,
    URL_ELICITATION: ErrorCode.UNAUTHORIZED,
}


def _registered(name: object) -> ErrorCode | None:
    if not isinstance(name, str):
        return None
    alike = (code for pattern, code in _LIKE_REGISTRY if re.search(pattern, name[:_WORD]))
    return BY_REGISTRY.get(name) or next(alike, None)


# --- values of any type ---------------------------------------------------------------------------


def _found(table: Mapping[Any, T], key: object) -> T | None:
    return table.get(key) if isinstance(key, str) else None


def _flag(value: object) -> bool | None:
    """Yes or no, as people write it; None for neither."""
    return _FLAGS.get(str(value).lower()) if isinstance(value, bool | int | str) else None


_FLAGS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object, limit: int = _TEXT) -> str | None:
    if not isinstance(value, str):
        return None
    # A stranger's: half a character would raise where it is next written down, an escape act on a terminal.
    return printable("\n".join(shortened(value.strip(), limit).splitlines())).strip() or None


def _renamed(said: Said, names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): value for key, value in said.items()}
