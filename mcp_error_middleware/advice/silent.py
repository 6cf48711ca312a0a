"""A successful result in, what makes it read like an error out.

Precise rather than complete: a result is suspected only if there is nothing else in it. A job's status, a
line of a log file and a page about errors are results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import orjson

from mcp_error_middleware.advice.nearest import words
from mcp_error_middleware.advice.verify import writes
from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.taxonomy import BY_LABEL


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a result reads like an error, and what it says."""

    kind: str
    """`error_object`, `unsuccessful`, `error_text`, `traceback`, `error_page`."""
    text: str


_JSON: Final = 16_384
_TEXT: Final = 600
_PAGES: Final = 3_000
_LINES: Final = 6
_FEW: Final = 12
"""Keys of an object that is nothing but an error."""
_SAID: Final = 500

_SHOWS_TEXT: Final = frozenset(
    "abstract answer ask bash build cat cell chat code codes command compile complete console crash "
    "crashes crawl curl debug debugger define definition diagnostics dictionary diff echo encyclopedia "
    "error errors eslint eval evaluate exception exceptions exec explain expression extract failure "
    "failures find format generate glossary grep head help hover http lint linter log logs mypy notebook "
    "ocr output paraphrase parse ping plan prompt pylint pyright python read recall rephrase repl rewrite "
    "run scrape script search shell source sql stacktrace stderr stdout suggest summarize summary syntax "
    "tail terminal terraform trace traceback traces transcribe transcript translate typecheck validate "
    "validation validator verify wiki wikipedia".split()
)
"""Words in the name of a tool whose job it is to show texts, those of errors too."""
_TEXTS: Final = frozenset(
    "alert alerts article articles body breakpoint bug bugs caption captions changelog clipboard comment "
    "comments commit commits content contents doc docs document documents dom email emails event events faq "
    "feed file files fortune gist gists headline headlines history html incident incidents issue issues "
    "joke kv lyrics mail markdown memories memory message messages news note notes notification "
    "notifications page pages paste poem post posts problem problems quote quotes redis review reviews "
    "selection snippet snippets story string strings subject task tasks template text texts thread "
    "threads ticket tickets title translation tweet tweets url urls value variable warning warnings".split()
)
"""What people write, and a tool may show; one that changes it has nothing to show."""
_WHOLE: Final = frozenset({"download", "fetch", "get", "load", "request"})
"""Verbs that, without a noun, are of whatever there is."""
_RAW: Final = frozenset(
    "bash cat command curl echo eval exec head http log logs python read repl script shell source stderr "
    "stdout tail terminal".split()
)
"""Words in the name of a tool whose text is somebody else's, JSON or not;"""
_RAW_TEXTS: Final = frozenset("body file files gist kv output paste redis url urls value".split())
"""and things of which that holds unless it changes them."""
_JUDGES: Final = frozenset(
    "analyse analyze anomaly assert audit availability available build can check checks code codes "
    "compare compile crash crashes curl deliveries delivery deployment detect diagnose dry error errors "
    "evaluate event exception exceptions execution executions exists failure failures game grade guess "
    "has health healthcheck http is job jobs lint linter log logs match moderate monitor notification "
    "notifications ping pipeline play probe pytest response roll scan simulate solve status task tasks "
    "test tests trace traces typecheck uptime validate validation validator verify webhook workflow".split()
)
"""Words in the name of a tool whose job it is to say that something else is wrong, or went wrong."""
_RECORDS: Final = frozenset(
    "bug bugs color colors colour colours column columns config configuration dead flag flags i18n incident "
    "incidents l10n locale locales palette preferences row rows schema settings strings table theme "
    "translation translations".split()
)
"""Words in the name of a tool whose objects have an `error` as one of their fields, or for a name."""
_SHOW_ERRORS: Final = _JUDGES | _RECORDS
_OWN: Final = frozenset(
    "error exception error_message errorMessage message code detail details type hint name".split()
)
"""Keys of an object in which such a tool speaks of itself."""

_COMPANIONS: Final = frozenset(
    "cod code status statuscode status_code message msg detail details description reason type title "
    "error_code errorcode error_type errortype error_description error_message errormessage error_id "
    "errorid errors success ok iserror is_error request_id requestid trace_id traceid timestamp time path "
    "instance hint help jsonrpc documentation_url docs moreinfo more_info param retryable retry_after "
    "retryafter suggestion name __type doc_url stack traceback exception tool data result results output "
    "response value".split()
)
"""Keys that stand beside an error and are not what somebody asked for; empty, where they could be."""
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {}, 0)
_PAYLOAD: Final = frozenset({"data", "result", "results", "output", "response", "value"})
_ERROR_KEYS: Final = (
    "error", "exception", "error_message", "errorMessage", "error message", "errorMessages", "errors",
    "fault",
)  # fmt: skip
_VERDICTS: Final = ("success", "ok", "succeeded")
_KINDS: Final = ("error_type", "errorType", "error_code", "errorCode")
_STATUSES: Final = ("status", "statusCode", "status_code", "cod", "result")
_FAILED: Final = ("error", "fail", "failed", "failure")
_CAPITALS: Final = frozenset({"Error", "Message", "Error Message"})
_TELLING: Final = frozenset(
    {*_ERROR_KEYS, *_VERDICTS, *_KINDS, *_STATUSES, "isError", "code", "__type", "message", "detail"}
    | _CAPITALS
)
"""Keys one of which every error has."""

_PHRASES: Final = "|".join(status.phrase for status in HTTPStatus if status >= 400)
_PHRASE: Final = lazy(rf"(?:{_PHRASES})\.?", re.IGNORECASE)
_WORDS: Final = lazy(
    r"(?!(?:no|none|null|nil|n/a|ok|false|no errors?|text|str(?:ing)?|int(?:eger)?|bool(?:ean)?|number|float"
    r"|(?:var)?char(?:\(\d+\))?|object|array)\W*\Z|none\b|(?:https?:/|/|\#)\S*\Z).*?[^\W\d_]{2}",
    re.I | re.S,
)
"""What says something, which a number, a colour, a path, the name of a type and "none" do not."""
_FAILING: Final = lazy(
    r"(?i:\b(?:not?|\w+n't|cannot|unable|fail(?:s|ed|ure|ing)?|invalid|illegal|malformed|missing|lacks?"
    r"|required?|requires|must|should|denied|forbidden|unauthori[sz]ed|refused|rejected|declined|reset"
    r"|abort(?:ed)?|cancell?ed|interrupted|disconnected|time(?:d[ -]?)?out|expired|exceed(?:s|ed)?"
    r"|exhausted|unknown|unexpected|unsupported|unavailable|unreachable|undefined|unhandled|unresolved"
    r"|unprocessable|duplicate|conflict|locked|closed|bad|wrong|incorrect|too|out of|already|corrupt(?:ed)?"
    r"|broken|disabled|limit(?:ed)?|quota|error|errno|status code|expect(?:ed|ing)|by zero|full"
    r"|overflow|mismatch|down|offline|lost|internal|blocked|throttled|violat(?:es|ion)|insufficient"
    r"|ambiguous|(?:returned|answered|responded with) [45]\d\d)\b)"
    r"|\bE[A-Z]{4,}\b|\w(?:Error|Exception)\b|\bHTTPS?\b|\A'[^'\n]+'\s*\Z"
    r"|\A\(?[45]\d\d\)?(?:\W|\Z)(?!\s*(?-i:[a-z]))|[45]\d\d (?:Client|Server)\b"
)
"""Words by which one tells that it went wrong; titles, definitions and states of things do without."""

_BROKEN: Final = lazy(
    r"(?i:\bno such\b|\bnot (?:found|exist|allow|authori|support|avail|set|valid)|\bcannot\b"
    r"|\bcould ?n[o']t\b|\bunable\b|\bfail|\binvalid\b|error|\berrno\b|\bdenied\b|\brefused\b|\btimed? ?out\b"
    r"|\bunexpected\b|\bunknown\b|\breturned [45]\d\d\b)|\w(?:Error|Exception)\b"
)
"""The same of an exception and a failure, which rules and guarantees have too."""

_STARTS: Final = lazy(
    # What is set in is part of something longer. Most results are told by their first letters: looked at as
    # they are, before anything is compared in either case.
    r"[\r\n]*(?:(?P<loose>\[(?i:error)\]:?[ ]|(?:[Ee]rror|ERROR)(?:[ ]?[-–—][ ]|[.!][ ]|:(?=\w)))"
    r"|(?P<traceback>Traceback \(most recent call last\):)"
    r"|(?P<page><(?i:!doctype html|html|\?xml|Error>))"
    r"|(?P<text>(?:[^\w\s<{\[]{1,3}\s*|)(?:"
    r"(?:(?=[EFef])(?P<bare>(?i:(?:fatal |)(?:error|exception|failure)))"
    r"|(?=[ACDHINQRSTUVacdhinqrstuv])(?i:(?:api|authentication|connection|database|http|internal|network|query|request|server|timeout"
    r"|unexpected|unhandled|validation) (?:error|exception|failure))"
    r"|[A-Z]\w*(?:Error|Exception)"
    r"|(?=\w++\.)[\w.]+\.(?:[A-Z]\w*(?:Error|Exception)|(?:errors?|exceptions)\.[A-Z]\w*))"
    r"(?P<more> \(?\d{3}\)?| occurred| in [\w.]*_[\w.]*|(?: response)? from (?:the )?\w+(?: \(\w+\))?"
    r"| (?:while )?(?!handling|reporting|logging|tracking|checking)\w+ing\b[^:\n]{0,80})?"
    r"\*{0,2}:\*{0,2}\s+"
    # Nothing, or a measured quantity.
    r"(?!(?i:(?:none|null|0)\b|no\b(?![ ](?!errors?\b)\w))"
    r"|±|[-+]?(?![45]\d\d\b)\d[\d.,]*\s*(?:%|$|[a-zµ°]{1,3}\b|[,;(]))"
    r"|(?=[45]|[Aa][CNPUcnpu]|[Bb][Aa]|[Cc][Oo]|[Dd][Aa]|[Ee][ACEHNPRTXacehnprtx]|[Ff][Aa]|[Gg][Aa]|[Hh][Tt]"
    r"|[Ii][Nn]|[Oo][Pp]|[Pp]erm|[Qq][Uu]|[Rr][AEae]|[Ss][EOeo]|[Tt]ool|[Tt]here |[Uu][NPnp])"
    r"(?i:(?:(?:api|api call|authentication|authorization|connection|database|execution|operation|query"
    r"|request|tool|tool execution|upload) )?failed(?: with error)?:\s+(?!\d|none\b|no\s*$)"
    r"|something went wrong(?:[:.!,]|\s*$| (?:while|when)\b)"
    r"|(?:access denied|connection (?:refused|reset by peer|timed out)|request timed out"
    r"|unauthorized)[.!]?\s*$"
    r"|rate limit (?:exceeded|reached)(?:[:.!,]|\s*$)"
    r"|error code: [45]\d\d - "
    r"|failed to \w+[^.\n:;?]{0,120}(?:(?P<to>:\s)|[.!]?\s*$)"
    r"|permission denied(?::\s(?!\d)|[.!]?\s*$)"
    r"|invalid (?:api key|access token|credentials)\b[^.\n]{0,40}[.!]?\s*$"
    r"|e(?:conn(?:refused|reset|aborted)|timedout|hostunreach|notfound|ai_again|acces|perm|noent): "
    r"|there was an error \w+ing\b"
    r"|(?:unable to|could not|couldn't) \w+[^.\n:;?]{0,80}:\s"
    r"|(?:sorry,? )?(?:an )?(?:internal |unexpected )?error (?:has )?occurred(?: \(\w+\))?"
    r"(?:[:.!,]|\s*$| (?:while|during|when|trying)\b)"
    r"|request failed with status (?:code )?\d{3}"
    rf"|(?:http(?:/\d(?:\.\d)?)? )?[45]\d\d:? (?:{_PHRASES})[.!]?\s*$|[45]\d\d (?:client|server) error: "
    r"|(?:internal server error|bad gateway|service unavailable|gateway timeout)[.!]?\s*$)"
    r"|(?P<work>[A-Z]\w++(?: (?!failed)\w++)?+ failed: (?!\d)))))"
)
_BEGINNINGS: Final = frozenset(
    start
    for word in "access an api authentication bad connection could database eacces eai_again econnrefused "
    "ehostunreach enotfound eperm error etimedout exception execution failed fatal gateway http internal "
    "network operation permission query rate request server something sorry there timeout tool traceback "
    "unable upload validation".split()
    for start in (word[:2], word[:2].upper(), word[:2].title(), word[0] + word[1].upper())
)
"""How the first words of those begin, in either case."""
_PREFIX: Final = lazy(r"\A\s*(?:[^\w\s<{\[]{1,3}\s*)?(?:error|exception|failure):\s+", re.IGNORECASE)
_TITLE: Final = lazy(
    rf"<title>\s*(?:[^<|]{{0,60}}\| )?(?:[45]\d\d(?:[\s:–-]+(?:{_PHRASES}))?|{_PHRASES})\s*</title>"
    r"|<Error>\s*<Code>\w+</Code>",
    re.IGNORECASE,
)
"""That of a page which is about nothing else."""
_SHORT_TITLE: Final = lazy(
    r"<title>\s*(?:[45]\d\d\b[^<]{0,60}|[^<]{0,40}\b(?:internal server error|bad gateway|service unavailable"
    r"|gateway time-?out|access denied|http status [45]\d\d)[^<]{0,40})</title>",
    re.IGNORECASE,
)
"""That of a page which, short as it is, has no room for anything else."""


def suspicion(tool: str | None, text: str | None, structured: object = None) -> Suspicion | None:
    """What is suspect about the result: its structured content, or its only text.

    None for the tool: if one of any name said it.
    """
    value: Any = structured if isinstance(structured, dict) else text
    if isinstance(value, dict) and len(value) == 1 and "result" in value:
        # Where SDKs put what is no object.
        value = value["result"]
        if isinstance(value, list):
            value = _of_blocks(value)
    if isinstance(value, str):
        return None if _is_told(value) else _text(value, tool)
    return _row(value, tool) if isinstance(value, list) else _object(value, tool)


def _row(rows: list[Any], tool: str | None) -> Suspicion | None:
    """The one row of a list, where it has nothing but an error and the rows of this tool are no errors."""
    row = rows[0] if len(rows) == 1 else None
    if not isinstance(row, Mapping) or not row.keys() <= set(_ERROR_KEYS):
        return None
    return _object(row, tool) if _SHOW_ERRORS.isdisjoint(words(tool or "")) else None


def _of_blocks(result: list[Any]) -> Any:
    """What a list of blocks says, if that is what it is: they put that there too."""
    block = result[0] if len(result) == 1 else None
    return block.get("text") if isinstance(block, Mapping) and block.get("type") == "text" else result


def _text(text: str, tool: str | None) -> Suspicion | None:
    if text[:1] == "{":
        return None if _is_raw(tool) else _object(_parsed(text), tool)
    if (start := _STARTS.match(text, 0, _SAID)) is None or _shows_text(tool):
        return None
    if start["traceback"]:
        return Suspicion("traceback", text.rstrip().rpartition("\n")[2][:_SAID])
    if start["page"]:
        page = _TITLE.search(text, 0, 2_000) or (len(text) < _PAGES and _SHORT_TITLE.search(text)) or None
        return Suspicion("error_page", re.sub(r"<[^>]*>", " ", page[0]).strip()) if page else None
    is_long = len(text) > _TEXT or text.count("\n") >= _LINES
    if is_long and not (start["more"] and _only_says(tool)):
        return None
    if start["work"] and not _only_says(tool):
        return None
    failing = _FAILING if (start["bare"] or "error").lower().endswith("error") else _BROKEN
    if not _is_plain(start, tool) and not failing.search(text[start.end() :]):
        return None
    return Suspicion("error_text", _PREFIX.sub("", text[:_SAID]))


def _is_told(text: str) -> bool:
    """Whether its first letters tell that it is none of those, as they do of most results."""
    first = text[:2]
    if first in _BEGINNINGS or not first.isalpha():
        return False
    if (end := text.find(":", 0, _SAID)) < 0:
        return True
    # A class may have any name, and so may the work of `Import failed: ...`.
    label = text[:end]
    return not ("rror" in label or "xception" in label or label.endswith(" failed"))


def _is_plain(start: re.Match[str], tool: str | None) -> bool:
    """Whether it begins as nothing else does; `Error: A Memoir` does not, unless one who writes says it."""
    if start["loose"] or start["work"]:
        return False
    return not (start["to"] or (start["bare"] and not start["more"])) or _only_says(tool)


def _only_says(tool: str | None) -> bool:
    """Whether it has nothing to show, and a text of it is about what it did; an unknown one may."""
    return tool is None or writes(tool)


def _shows_text(tool: str | None) -> bool:
    return _is_of(tool, _SHOWS_TEXT, _TEXTS)


def _is_raw(tool: str | None) -> bool:
    return _is_of(tool, _RAW, _RAW_TEXTS)


def _is_of(tool: str | None, always: frozenset[str], unless_it_writes: frozenset[str]) -> bool:
    if tool is None:
        return False
    named = frozenset(words(tool))
    if not named.isdisjoint(always) or (named and named <= _WHOLE):
        return True
    return not named.isdisjoint(unless_it_writes) and not writes(tool)


def _parsed(text: str) -> Any:
    if len(text) > _JSON or text.rstrip()[-1:] != "}":
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _object(value: Any, tool: str | None) -> Suspicion | None:
    if not isinstance(value, Mapping) or not 0 < len(value) <= _FEW:
        return None
    if _TELLING.isdisjoint(value):
        return None
    if value.get("isError") is True:
        return Suspicion("error_object", _said(value.get("content")) or _UNSAID)
    if not _CAPITALS.isdisjoint(value):
        value = {str(key).lower(): part for key, part in value.items()}
    if "jsonrpc" in value:
        value = {key: part for key, part in value.items() if key != "id"}
    named = words(tool or "")
    if not _RECORDS.isdisjoint(named):
        return _refused(value)
    judges = not _JUDGES.isdisjoint(named)
    if judges and not _OWN.issuperset(value):
        return None
    if not all(_is_companion(key, part) for key, part in value.items()):
        return _refused(value)
    if _succeeded(value):
        return None
    for key in _ERROR_KEYS:
        if said := _said(value.get(key)):
            return Suspicion("error_object", said)
    if said := _said_of_fields(value.get("errors")):
        return Suspicion("error_object", said)
    return None if judges else _unsuccessful(value)


def _refused(value: Mapping[Any, Any]) -> Suspicion | None:
    """One that says that it failed, or how, and why; what was asked for may stand beside that."""
    if not (said := _said(value.get("error"))):
        return None
    failed = any(_is_false(value.get(key)) for key in _VERDICTS) or any(value.get(key) for key in _KINDS)
    failed = failed or (isinstance(value["error"], Mapping) and _is_http_error(value["error"].get("code")))
    if not failed or _succeeded(value):
        return None
    beside = {key: part for key, part in value.items() if key != "error"}
    # Something longer, or the record of what happened at another time.
    if any(isinstance(part, Mapping | list) or _is_of_a_record(str(key)) for key, part in beside.items()):
        return None
    return Suspicion("error_object", said)


def _succeeded(value: Mapping[Any, Any]) -> bool:
    """Whether it says so itself, whatever else it says."""
    return any(value.get(key) and not _is_false(value[key]) for key in _VERDICTS)


def _is_false(part: object) -> bool:
    return part is False or (isinstance(part, str) and part.lower() == "false")


def _is_of_a_record(key: str) -> bool:
    return key in ("hash", "id", "level", "state", "status") or key.endswith("_at")


def _unsuccessful(value: Mapping[Any, Any]) -> Suspicion | None:
    said = next((said for key in _SAYING if (said := _said(value.get(key)))), None)
    if any(_is_false(value.get(key)) for key in _VERDICTS):
        return Suspicion("unsuccessful", said or _UNSAID)
    if not said:
        return None
    # What has a status may be a thing in that state: a printer, a parcel.
    failed = _is_marked(value) or (_is_bad_status(value) and _FAILING.search(said))
    if failed or (len(value) == 1 and _PHRASE.fullmatch(said)):
        return Suspicion("error_object", said)
    return None


def _is_marked(value: Mapping[Any, Any]) -> bool:
    """Whether it has what services put beside the message of an error."""
    kind = value.get("__type")
    return (
        value.get("error") is True
        or _is_http_error(value.get("error"))
        or "documentation_url" in value
        or value.keys() >= {"code", "details", "hint"}
        or (isinstance(value.get("detail"), list) and len(value) == 1)
        or (isinstance(kind, str) and kind.endswith(("Error", "Exception")))
    )


_SAYING: Final = ("message", "msg", "reason", "detail", "title")


_UNSAID: Final = "The result says that it did not succeed."


def _is_companion(key: Any, part: Any) -> bool:
    if key in _ERROR_KEYS:
        return True
    name = str(key).lower()
    if name == "name":
        # An error's; anything else has a name because it is something.
        return isinstance(part, str) and (part.endswith(("Error", "Exception")) or part in BY_LABEL)
    if name == "object":
        return bool(part == "error")
    if part is not False and (part in _EMPTY or _is_hollow(part)):
        return True
    return name in _COMPANIONS and not (name in _PAYLOAD and not _is_false(part) and part not in _FAILED)


def _is_hollow(part: Any) -> bool:
    """Whether it names what was asked for, and has none of it."""
    return isinstance(part, Mapping) and len(part) <= _FEW and all(inner is None for inner in part.values())


def _is_bad_status(value: Mapping[Any, Any]) -> bool:
    """An HTTP status, in words or as a number; a text under `code`, and a title's, may be anybody's."""
    status = next((value[key] for key in _STATUSES if key in value), None)
    if status is None and not ("title" in value or isinstance(value.get("code"), str)):
        status = value.get("code")
    without = any(value.get(key, "") is None for key in _PAYLOAD)
    return status in ("error", "fail") or (status in _FAILED and without) or _is_http_error(status)


def _is_http_error(status: object) -> bool:
    return isinstance(status, int | str) and re.fullmatch(r"[45]\d\d", str(status)) is not None


def _said_of_fields(errors: Any) -> str | None:
    """What is wrong with the first field, of an object that says it of each."""
    few = isinstance(errors, Mapping) and len(errors) <= _FEW
    problems = [_said(problem) for problem in errors.values()] if few else []
    return problems[0] if problems and all(said and _FAILING.search(said) for said in problems) else None


def _said(part: Any) -> str | None:
    """The words of an error, in the shapes that people give one."""
    if isinstance(part, str):
        return part[:_SAID] if _WORDS.match(part, 0, _SAID) else None
    if isinstance(part, Mapping):
        return next(
            (
                said
                for key in ("message", "Message", "msg", "detail", "error", "text", "faultstring", "code")
                if (said := _said(part.get(key)))
            ),
            None,
        )
    return _said(part[0]) if isinstance(part, list) and part else None
