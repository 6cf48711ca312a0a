"""A successful result in, what makes it read like an error out.

Precise rather than complete: a result is suspected only if there is nothing else in it. A job's status, a
line of a log file and a page about errors are results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from mcp_error_middleware.advice.nearest import words


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a result reads like an error, and what it says."""

    kind: str
    """`error_object`, `unsuccessful`, `error_text`, `traceback`, `error_page`."""
    text: str


_JSON: Final = 16_384
_TEXT: Final = 600
_LINES: Final = 6
_SAID: Final = 500

_SHOWS_TEXT: Final = frozenset(
    "log logs read file files cat grep tail head search find document documents docs page pages source code "
    "traceback trace traces issue issues message messages email emails mail transcript history "
    "event events explain echo convert format parse extract translate summarize shell exec bash terminal "
    "run command python sql repl eval crash crashes error errors exception exceptions diagnostics".split()
)
"""Words in the name of a tool whose job it is to show texts, those of errors too."""

_COMPANIONS: Final = frozenset(
    "code status statuscode status_code message msg detail details description reason type title error_code "
    "errorcode error_type errortype error_description error_message errormessage error_id errorid errors "
    "success ok iserror is_error request_id requestid trace_id traceid timestamp time path instance hint "
    "help documentation_url docs moreinfo more_info param retryable retry_after retryafter suggestion name "
    "stack traceback exception tool data result results output response value".split()
)
"""Keys that stand beside an error and are not what somebody asked for; empty, where they could be."""
_PAYLOAD: Final = frozenset({"data", "result", "results", "output", "response", "value"})
_ERROR_KEYS: Final = ("error", "errors", "exception", "error_message", "errorMessage")
_VERDICTS: Final = ("success", "ok", "succeeded")

_STARTS: Final = re.compile(
    r"\s*(?:(?P<traceback>Traceback \(most recent call last\):)"
    r"|(?P<page>(?i:<!doctype html|<html|<\?xml|<Error>))"
    r"|(?P<text>(?:(?i:(?:fatal |internal |unexpected |unhandled )?(?:error|exception|failure))"
    r"|(?:\w+\.)*[A-Z]\w*(?:Error|Exception))"
    r"(?: \(?\d{3}\)?| occurred| (?:executing|calling|running) [^:\n]{1,80})?:\s+(?!(?i:none|null|no|0)\b)"
    r"|(?i:failed to \w+|(?:an )?(?:internal |unexpected )?error occurred)))"
)
_PREFIX: Final = re.compile(r"\s*(?:error|exception|failure):\s+", re.IGNORECASE)
_PAGE: Final = re.compile(
    r"<title>\s*(?:[45]\d\d\b[^<]{0,60}|[^<]{0,40}\b(?:internal server error|bad gateway|service unavailable"
    r"|gateway time-?out|access denied|forbidden)[^<]{0,40})</title>|<Error>\s*<Code>\w+</Code>",
    re.IGNORECASE,
)


def suspicion(tool: str | None, text: str | None, structured: object = None) -> Suspicion | None:
    """What is suspect about the result: its structured content, or its only text."""
    if isinstance(structured, Mapping):
        return _object(_unwrapped(structured), tool)
    return _text(text, tool) if text else None


def _unwrapped(structured: Mapping[Any, Any]) -> Any:
    """SDKs put what is no object under `result`."""
    return structured["result"] if len(structured) == 1 and "result" in structured else structured


def _text(text: str, tool: str | None) -> Suspicion | None:
    if text[:1] == "{":
        return _object(_parsed(text), tool)
    if (start := _STARTS.match(text, 0, _SAID)) is None or (
        tool is not None and _SHOWS_TEXT & {*words(tool)}
    ):
        return None
    if start["traceback"]:
        return Suspicion("traceback", text.rstrip().rpartition("\n")[2][:_SAID])
    if start["page"]:
        page = _PAGE.search(text, 0, 2_000)
        return Suspicion("error_page", re.sub(r"<[^>]*>", " ", page[0]).strip()) if page else None
    if len(text) > _TEXT or text.count("\n") >= _LINES:
        return None
    return Suspicion("error_text", _PREFIX.sub("", text[:_SAID]))


def _parsed(text: str) -> Any:
    if len(text) > _JSON or text.rstrip()[-1:] != "}":
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _object(value: Any, tool: str | None) -> Suspicion | None:
    if isinstance(value, str):
        return _text(value, tool)
    if not isinstance(value, Mapping) or not 0 < len(value) <= 12:
        return None
    if not all(_is_companion(key, part) for key, part in value.items()):
        return None
    for key in _ERROR_KEYS:
        if said := _said(value.get(key)):
            return Suspicion("error_object", said)
    said = _said(value.get("message") or value.get("reason") or value.get("detail") or value.get("title"))
    if any(value.get(key) is False for key in _VERDICTS):
        return Suspicion("unsuccessful", said or "The result says that it did not succeed.")
    if said and _is_http_error(value):
        return Suspicion("error_object", said)
    return None


def _is_companion(key: Any, part: Any) -> bool:
    if key in _ERROR_KEYS:
        return True
    name = str(key).lower()
    return name in _COMPANIONS and not (name in _PAYLOAD and part not in (None, "", [], {}, False))


def _is_http_error(value: Mapping[Any, Any]) -> bool:
    status = value.get("status", value.get("statusCode", value.get("status_code", value.get("code"))))
    return str(status)[:1] in "45" and str(status).isdigit() and len(str(status)) == 3


def _said(part: Any) -> str | None:
    """The words of an error, in the shapes that people give one."""
    if isinstance(part, str):
        return part[:_SAID] or None
    if isinstance(part, Mapping):
        return next(
            (said for key in ("message", "detail", "error", "code") if (said := _said(part.get(key)))), None
        )
    return _said(part[0]) if isinstance(part, list) and part else None
