"""Subject in, the provider's own word for what went wrong out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from mcp_error_middleware.classify.chain import safe_str
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import (
    called,
    entries,
    is_exception,
    is_list,
    is_mapping,
    is_text,
    item,
    read,
    text,
)
from mcp_error_middleware.classify.evidence.sql import is_sqlstate, sqlstate_clue
from mcp_error_middleware.classify.evidence.subject import WORDS, Subject
from mcp_error_middleware.classify.names import LENGTH, clue_in_name
from mcp_error_middleware.taxonomy import ErrorCode

CANDIDATES: Final = 24
"""How many words of a payload are weighed."""
DEEPEST: Final = 3
"""How far down in a payload they are looked for."""

GRPC: Final[dict[str, ErrorCode]] = {
    "CANCELLED": ErrorCode.TIMEOUT,
    "UNKNOWN": ErrorCode.INTERNAL_ERROR,
    "INVALID_ARGUMENT": ErrorCode.INVALID_PARAMS,
    "DEADLINE_EXCEEDED": ErrorCode.TIMEOUT,
    "NOT_FOUND": ErrorCode.NOT_FOUND,
    "ALREADY_EXISTS": ErrorCode.CONFLICT,
    "PERMISSION_DENIED": ErrorCode.FORBIDDEN,
    "RESOURCE_EXHAUSTED": ErrorCode.RATE_LIMITED,
    "FAILED_PRECONDITION": ErrorCode.CONFLICT,
    "ABORTED": ErrorCode.CONFLICT,
    "OUT_OF_RANGE": ErrorCode.VALIDATION_ERROR,
    "UNIMPLEMENTED": ErrorCode.INVALID_REQUEST,
    "INTERNAL": ErrorCode.INTERNAL_ERROR,
    "UNAVAILABLE": ErrorCode.SERVICE_UNAVAILABLE,
    "DATA_LOSS": ErrorCode.INTERNAL_ERROR,
    "UNAUTHENTICATED": ErrorCode.UNAUTHORIZED,
}
"""The canonical statuses, as gRPC and Google's JSON spell them."""

_VAGUE: Final = frozenset({"UNKNOWN", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "INTERNAL"})
"""Those beside which a more precise word is often said."""
_AGAIN: Final = frozenset({"ABORTED", "UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"})

POSTGREST: Final[tuple[tuple[str, ErrorCode], ...]] = (
    ("PGRST116", ErrorCode.NOT_FOUND),
    ("PGRST0", ErrorCode.SERVICE_UNAVAILABLE),
    ("PGRST1", ErrorCode.INVALID_PARAMS),
    ("PGRST2", ErrorCode.DATABASE_ERROR),
    ("PGRST3", ErrorCode.UNAUTHORIZED),
)
"""By prefix, the longest first."""

_PHRASES: Final = frozenset(status.phrase for status in HTTPStatus)

_IDENTIFIER: Final = r"[A-Za-z_][\w.:#/-]*(?: [\w.:#/-]+){0,4}$"
_ENDS: Final = r"[#:/]"
"""Of a problem's address, as of a shape's, only the last part names the problem."""
_ATTRIBUTES: Final = ("grpc_status_code", "error", "status", "reply_text", "exception", *WORDS)
_OAUTH: Final = (
    r"(?:invalid_(?:client|grant|token)|unauthorized_client|access_denied|expired_token|insufficient_scope)\b"
)
"""What the standard calls a refusal, at the head of a message."""
_KEYS: Final = (
    "reason", "code", "Code", "error_code", "errorCode", "codeName", "__type", "type", "error_type", "status",
    "name", "errcode", "key", "title",
)  # fmt: skip
_NESTED: Final = (
    "errors",
    "details",
    "error_details",
    "writeErrors",
    "error",
    "Error",
    "extensions",
    "fault",
)


def provider_clue(subject: Subject) -> Clue | None:
    """The most telling of the words the provider used."""
    best: Clue | None = None
    for count, word in enumerate(_words(subject)):
        if count == CANDIDATES:
            break
        clue = clue_in_word(word)
        if clue and (best is None or clue.weight > best.weight or _is_repeated(best, clue)):
            best = clue
            if clue.weight is Weight.FIRM and word not in _PHRASES:
                break
    return best


def _is_repeated(best: Clue, clue: Clue) -> bool:
    """Whether the best so far only says a status in words, where another word says as much."""
    return best.detail in _PHRASES and clue.weight is best.weight


def clue_in_word(word: str) -> Clue | None:
    """What one code, status or reason of a provider says."""
    if code := GRPC.get(word):
        weight = Weight.TELLING if word in _VAGUE else Weight.FIRM
        return Clue(code, weight, "grpc", word, True if word in _AGAIN else None)
    if is_sqlstate(word):
        return sqlstate_clue(word)
    for prefix, code in POSTGREST:
        if word.startswith(prefix):
            return Clue(code, Weight.FIRM, "provider", word)
    clue = clue_in_name(word, "provider") if re.match(_IDENTIFIER, word) else None
    if clue and " " in word and clue.code is not ErrorCode.RATE_LIMITED:
        # Prose, no code: it explains the status it came with and does not overrule it.
        return clue._replace(weight=min(clue.weight, Weight.TELLING))
    return clue


def _words(subject: Subject) -> Iterator[str]:
    for payload in subject.payloads:
        yield from _in_payload(payload)
    if match := re.match(_OAUTH, safe_str(subject.exc, LENGTH)):
        yield match[0]
    names = _ATTRIBUTES
    if subject.is_from("aiohttp"):
        # It warns whoever reads its `code`; its `status` has been read.
        names = tuple(name for name in names if name != "code")
    for value in subject.values(names):
        yield from _as_word(value)
    yield from _by_method(subject)


def _by_method(subject: Subject) -> Iterator[str]:
    """Codes behind methods that only look up a field."""
    if "grpc.RpcError" in subject.bases:
        yield from _as_word(called(subject.exc, "code"))
    if type(subject.first).__name__ == "KafkaError":
        yield from _as_word(called(subject.first, "name"))


def _in_payload(payload: Any, depth: int = 0) -> Iterator[str]:
    if is_mapping(payload):
        yield from _in_mapping(payload, depth)
    elif is_list(payload):
        for entry in entries(payload) if depth < DEEPEST else ():
            yield from _in_payload(entry, depth + 1)
    elif depth == 0 and not is_text(payload) and not is_exception(payload):
        yield from _as_word(read(payload, "code"))


def _in_mapping(payload: Any, depth: int) -> Iterator[str]:
    if item(payload, "loc") is not None and item(payload, "msg") is not None:
        return  # one of a validator's problems: its type names a kind of value, not what went wrong
    for key in _NESTED:
        if (value := item(payload, key)) is not None:
            if depth < DEEPEST:
                yield from _in_payload(value, depth + 1)
            yield from _as_word(value)
    # A text there is prose, a list the problems of one request.
    if depth < DEEPEST and is_mapping(detail := item(payload, "detail")):
        yield from _in_mapping(detail, depth + 1)
    for key in _KEYS:
        if (value := item(payload, key)) is not None:
            yield from _as_word(value)


def _as_word(value: Any) -> Iterator[str]:
    """A string, or the name of an enum's member."""
    word = text(value)
    if word is None and hasattr(type(value), "__members__"):
        word = text(read(value, "name"))
    if word and len(word) <= LENGTH:
        yield re.split(_ENDS if word.startswith(("urn:", "http")) else "#", word.strip())[-1].partition(": ")[
            0
        ]
