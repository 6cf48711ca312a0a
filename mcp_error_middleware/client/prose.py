"""Text in, remote error out: ours read back, and what the SDKs write by themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

from mcp_error_middleware.client.remote import RemoteError, Source
from mcp_error_middleware.client.shapes import (
    described,
    done,
    read_object,
    service_error,
    status_line,
    wire_error,
)
from mcp_error_middleware.locales import LOCALES, phrases, sentences
from mcp_error_middleware.model import Retry
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import BY_LABEL, ErrorCode

_READ: Final = 1_000_000
"""Characters of a text that are looked at."""
_LONGEST: Final = 50_000
"""No text of ours is longer,"""
_MESSAGE: Final = 4_000
"""no message in it,"""
_DETAILS: Final = 10_000
"""and no line of details."""
_DECODER: Final = json.JSONDecoder()


def read_text(text: str) -> RemoteError | None:
    """The error in a text of any known form; None where it has none."""
    text = text[:_READ].strip()
    if text.startswith("{"):
        said = json_object(text)
        return read_object(said) if said is not None else None
    ours = (_ours(text) or _one_line(text)) if len(text) <= _LONGEST else None
    return ours or _of_sdk(text)


def failed_text(text: str) -> RemoteError:
    """A text that the channel it came through says is an error."""
    known = read_text(text)
    if known is None or known.code is None:
        known = _of_service(text) or known
    return known or _unknown_text(text)


def _of_service(text: str) -> RemoteError | None:
    text = _LABELLED.sub("", _unwrapped(text[:_READ].strip()), 1)
    if (status := status_line(text)) is not None:
        return service_error({"status": status, "message": text})
    said = _json(text) if text[:1] in ("{", "[") else None
    return service_error(said) if said is not None else None


_LABELLED: Final = re.compile(r"\A(?:\w{0,80}Error: )+", re.IGNORECASE)


def _unknown_text(text: str) -> RemoteError:
    return described(Source.TEXT, None, {}, text)


def json_object(text: str) -> dict[str, Any] | None:
    """The JSON object a text is."""
    said = _json(text)
    return said if isinstance(said, dict) else None


def _json(text: str) -> Any | None:
    try:
        return plain(json.loads(text))
    except (ValueError, RecursionError):
        return None


# --- ours ---------------------------------------------------------------------------------------

_STANDING: Final = re.compile(r"^\((\w+); (.*; )?error id ([^;()\n]+)\)$", re.MULTILINE)
_SECONDS: Final = re.compile(r"\b(?:after|wait) ([\d.e+-]+) s\b")
_CLAUSE: Final = re.compile(r"(?:(.+?) )?((?:must|is|has|does|fits) .+)|(.+?): (.+)")


def _ours(text: str) -> RemoteError | None:
    """A message, issues, details, the recovery and how things stand; later lines of each are set in."""
    # The last one: what is said before may quote another's.
    found = next(reversed([*_STANDING.finditer(text)]), None)
    code = BY_LABEL.get(found[1]) if found else None
    said = re.search(r"(?:^|\s)Error: ", text)
    if found is None or code is None or said is None or said.end() > found.start():
        return None
    message, *lines = re.split(r"\n(?!  )", text[said.end() : found.start()].rstrip("\n"))
    facts: dict[str, Any] = {}
    issues = [_issue(line[2:]) for line in lines if line.startswith("- ") and not line.startswith("- (+")]
    for line in lines:
        if line.startswith("Details: "):
            facts |= _details(line.removeprefix("Details: ")[:_DETAILS])
        elif line.startswith("Recovery: "):
            facts["recovery"] = _joined(line.removeprefix("Recovery: "))
    if issues := [*_clauses(message), *issues]:
        facts["issues"] = issues
    facts |= {"error_id": found[3], **_standing(found[2] or "")}
    return described(Source.PROSE, code, facts, _joined(message), number=code)


def _joined(text: str) -> str:
    return text.replace("\n  ", "\n")


def _issue(line: str) -> dict[str, str]:
    path, problem = ("", line[9:]) if line.startswith("(input): ") else _word(line, ": ")
    return {"path": str(path), "problem": _joined(problem)}


def _clauses(message: str) -> Iterator[dict[str, str]]:
    """The issues of a message that is a list of them."""
    label = next((label for label in _labels() if message.startswith(label)), None)
    if label is None:
        return
    for clause in message[:_MESSAGE].removeprefix(label).removesuffix(".").split("; "):
        if found := _CLAUSE.fullmatch(clause):
            yield {"path": found[1] or found[3] or "", "problem": found[2] or found[4]}


@cache
def _labels() -> tuple[str, ...]:
    """What a list of issues begins with, in every language."""
    return tuple(sentences(locale)["validation_failed"] for locale in LOCALES)


def _details(line: str) -> dict[str, Any]:
    details = {}
    while line and not line.startswith("(+"):
        key, line = _word(line, "=")
        value, line = _word(line, ", ")
        details[str(key)] = value
    return details


def _word(line: str, end: str) -> tuple[Any, str]:
    """A bare word or JSON, and what follows it."""
    bare, _, rest = line.partition(end)
    if bare.isidentifier() and bare not in ("true", "false", "null"):
        return bare, rest
    try:
        value, at = _DECODER.raw_decode(line)
    except (ValueError, RecursionError):
        return bare, rest
    if at < len(line) and not line.startswith(end, at):
        return bare, rest  # `true/` only begins as JSON does
    return plain(value), line[at:].removeprefix(end)


_RETRYING: Final = {
    "do not retry": Retry.NEVER,
    "verify before retrying": Retry.VERIFY_FIRST,
    "may be retried once verified": Retry.VERIFY_FIRST,
    "may be retried": Retry.SAFE,
    "retry after": Retry.AFTER,
}
_AGAIN: Final = frozenset(_RETRYING) - {"do not retry", "verify before retrying"}


def _standing(line: str) -> dict[str, Any]:
    """The reason, and whether and when to retry."""
    facts: dict[str, Any] = {"retryable": False, "retry": Retry.NEVER.value}
    if line.startswith("reason "):
        facts["reason"], line = _word(line.removeprefix("reason "), "; ")
    for phrase, retry in _RETRYING.items():
        if phrase in line:
            facts |= {"retryable": phrase in _AGAIN, "retry": retry.value}
            break
    if seconds := _SECONDS.search(line):
        facts["retry_after"] = seconds[1]
    return facts


# --- the message of a JSON-RPC error of ours, where that is all that was kept ----------------------

_WITH_ID: Final = re.compile(r"(.+) \(error id ([^;()\s]+)\)", re.DOTALL)


def _one_line(text: str) -> RemoteError | None:
    """The message, the next step and the error id."""
    found = _WITH_ID.fullmatch(text)
    if found is None:
        return None
    said, facts = found[1], {"error_id": found[2]}
    if after := _after().search(said):
        facts |= {"retry_after": after[after.lastindex or 0], "retryable": True}
    if ours := _by_message(said) or _by_hint(said):
        code, message, hint = ours
        return described(Source.PROSE, code, {**facts, "recovery": hint}, message)
    known = _of_sdk(said)
    return replace(known or _unknown_text(said), source=Source.PROSE, error_id=found[2])


def _by_message(said: str) -> tuple[ErrorCode, str, str] | None:
    """The code whose own message it begins with, that message, and the rest."""
    return next(
        (
            (code, message, said.removeprefix(message))
            for code, message, _ in _own_words()
            if said.startswith(message)
        ),
        None,
    )


def _by_hint(said: str) -> tuple[ErrorCode, str, str] | None:
    """The code whose own hint it ends with: less telling than a message, for some codes share one."""
    return next(
        ((code, said.removesuffix(hint), hint) for code, _, hint in _own_words() if said.endswith(hint)), None
    )


@cache
def _own_words() -> tuple[tuple[ErrorCode, str, str], ...]:
    """What each code says and suggests, in every language."""
    english = [(code, code.traits.message, code.traits.hint) for code in ErrorCode]
    others = [
        (BY_LABEL[label], said["message"], said["hint"])
        for locale in LOCALES
        for label, said in phrases(locale).items()
    ]
    return (*english, *others)


@cache
def _after() -> re.Pattern[str]:
    """How the seconds to wait are named, in every language."""
    templates = (sentences(locale)[name] for locale in LOCALES for name in ("retry_after_one", "retry_after"))
    around = (template.replace("{seconds}", "1").split("1") for template in templates)
    return re.compile("|".join(r"(\d+)".join(map(re.escape, parts)) for parts in around))


# --- the SDKs' ----------------------------------------------------------------------------------

_WRAPPED: Final = re.compile(r"Error (?:executing|calling) tool (?:'[^'\n]{0,200}'|[^\s:]{1,200})(?:: |$)")
_NUMBERED: Final = re.compile(r"(?:(?:McpError: )?MCP error (-?\d{1,9}):\s+)+")
_TOOLS: Final = 10

SENTENCES: Final[tuple[tuple[str, ErrorCode], ...]] = (
    (r"Unknown tool:? ", ErrorCode.INVALID_PARAMS),
    (r"Input validation error: ", ErrorCode.INVALID_PARAMS),
    (r"\d+ validation errors? for (?:call\[|\w+Arguments\b)", ErrorCode.INVALID_PARAMS),
    (r"Output validation error: ", ErrorCode.SERIALIZATION_ERROR),
    (r"Invalid structured content (?:for|returned by) tool ", ErrorCode.SERIALIZATION_ERROR),
    (
        r"Tool [^\n]{1,200} has an output schema but no structured content was provided",
        ErrorCode.SERIALIZATION_ERROR,
    ),
    (r"Rate limited by upstream API", ErrorCode.RATE_LIMITED),
    (r"Upstream request timed out", ErrorCode.TIMEOUT),
    (r"Tool '[^'\n]*' execution timed out after ", ErrorCode.TIMEOUT),
    (r"Timed out while waiting for response", ErrorCode.TIMEOUT),
)
"""How the SDKs' own sentences begin, and what they mean."""

_FIELD: Final = re.compile(r"^(\S+)\n  (.+?) \[type=(\w+)", re.MULTILINE)
_REQUIRED: Final = re.compile(r"'([^'\n]+)' is a required property")
_LISTED: Final = re.compile(r"(?<=: )\[\s*\{")
"""Where the list of problems begins that the TypeScript SDK puts at the end of its sentence."""
_UNKNOWN: Final = frozenset({"unexpected_keyword_argument", "extra_forbidden"})


def _of_sdk(text: str) -> RemoteError | None:
    if numbered := _NUMBERED.match(text):
        said = text[numbered.end() :].strip()
        data = {"issues": list(_fields(said))}
        return read_text(said) or wire_error({"code": int(numbered[1]), "message": said, "data": data})
    inner = _unwrapped(text)
    code = next((code for start, code in SENTENCES if re.match(start, inner)), None)
    if code is not None:
        return described(Source.SDK, code, done(code, {"issues": list(_fields(inner))}), inner)
    told = json_object(inner) if inner.startswith("{") else None
    known = read_object(told) if told is not None else None
    return known or (described(Source.SDK, None, {}, inner) if _WRAPPED.match(text) else None)


def _unwrapped(text: str) -> str:
    """Without the names of the tools it came through, as long as something else is said."""
    for _ in range(_TOOLS):
        if not (wrapped := _WRAPPED.match(text)) or not (inner := text[wrapped.end() :].strip()):
            break
        text = inner
    return text


def _fields(text: str) -> Iterator[Any]:
    """What pydantic, jsonschema and zod say is wrong, without the values."""
    for path, problem, kind in _FIELD.findall(text):
        if kind.startswith("missing"):
            problem = "is required"
        elif kind in _UNKNOWN:
            problem = "is not a known argument"
        yield {"path": path, "problem": problem.replace("Input should be", "must be")}
    for path in _REQUIRED.findall(text):
        yield {"path": path, "problem": "is required"}
    if (listed := _LISTED.search(text)) and isinstance(found := _json(text[listed.start() :]), list):
        yield from found
