"""What an exception says in, words an agent can act on out."""

from __future__ import annotations

import re
from subprocess import CalledProcessError
from types import NoneType
from typing import Any, Final

import orjson

from mcp_error_middleware.locales import say

_LABEL: Final = re.compile(r"(?:\[?error\]?:\s+)+(?=\S)", re.IGNORECASE)
"""What answers say in front of every message already."""
_MANUAL: Final = re.compile(
    r"\n[ \t]*For (?:more|further) information,? (?:check|see|visit):? https?://\S+[ \t]*"
    r"|\n\(Background on this error at: https?://\S+\)|\n\[(?:SQL|parameters): \[redacted:\w+\]\]"
)
"""Where a library's manual is, which no agent reads, and lines of which nothing is left."""
_SET: Final = re.compile(r"\{('[^'{}\n]{1,80}'(?:, '[^'{}\n]{1,80}'){0,20})\}")
"""A set of names as Python writes it, each time in another order."""
_ADDRESS: Final = re.compile(r"<[^<>\n]{1,200} at 0x[0-9A-Fa-f]{6,16}\b")
_OBJECT: Final = 2_000
_FLAGS: Final = frozenset({"error", "iserror", "is_error", "ok", "status", "success"})
"""Keys that say no more than that it failed."""
_DATA: Final = (str, bytes, int, float, NoneType, list, tuple, dict, set, frozenset, BaseException)
"""What tells something more behind a sentence."""
_WORDS: Final = frozenset({"detail", "error", "message", "msg", "reason"})

_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+")
_ENDINGS: Final = ("Error", "Exception")

_ARITHMETIC: Final = frozenset(
    {
        "0.0 cannot be raised to a negative power",
        "complex division by zero",
        "division by zero",
        "float division by zero",
        "float floor division by zero",
        "float modulo",
        "float modulo by zero",
        "int too large to convert to float",
        "integer division or modulo by zero",
        "integer modulo by zero",
        "math range error",
    }
)
"""What Python itself says of sums that cannot be done; nobody's data is in it."""


def plainly(text: str) -> str:
    """The words alone, of a text labelled as an error, or of an object with nothing else in it."""
    text = text.strip()
    if text[:1] == "{":
        text = _only_words(text) or text
    if "\n" in text:
        text = _MANUAL.sub("", text)
    if "{'" in text:
        text = _SET.sub(lambda found: ", ".join(sorted(found[1].split(", "))), text)
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def sentence_of(args: tuple[object, ...]) -> str | None:
    """What an exception says that was made with a sentence and objects, which only its library reads."""
    said = args[0] if len(args) > 1 else None
    if type(said) is not str or " " not in said:
        return None
    return None if all(issubclass(type(arg), _DATA) for arg in args) else said


def _only_words(text: str) -> str | None:
    if len(text) > _OBJECT:
        return None
    try:
        said: Any = orjson.loads(text)
    except ValueError:
        return None
    told = {key: value for key, value in said.items() if not _is_flag(key, value)}
    if len(told) != 1:
        return None
    key, words = told.popitem()
    return words.strip() if key.lower() in _WORDS and isinstance(words, str) and words.strip() else None


def _is_flag(key: str, value: object) -> bool:
    return key.lower() in _FLAGS and (isinstance(value, bool) or value in ("error", "fail", "failed"))


def named(text: str, cls: str) -> str:
    """A message that is a single word, such as a path, with what its class says of it: `No such path: /x`."""
    if len(text.split()) != 1 or len(words := _words(cls.rpartition(".")[2])) < 2:
        return text
    return f"{' '.join(words).capitalize()}: {text}"


def is_inward(text: str) -> bool:
    """Whether it shows an object as Python prints one, which tells nobody anything: `<Future at 0x7f..>`."""
    return "<" in text and _ADDRESS.search(text) is not None


def _words(name: str) -> list[str]:
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return [word.lower() for word in _CAMEL.findall(name)]


def fact(exc: BaseException, text: str, locale: str) -> str | None:
    """A sentence about a failure whose own words do not leave, without anything of the caller's or ours."""
    if issubclass(type(exc), CalledProcessError):
        status = getattr(exc, "returncode", None)
        return say(locale, "exit_status", status=status) if isinstance(status, int) else None
    if issubclass(type(exc), ArithmeticError) and (words := plainly(text)) in _ARITHMETIC:
        return say(locale, "python_says", words=words)
    return None
