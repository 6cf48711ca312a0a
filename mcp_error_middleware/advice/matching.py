"""A regular expression in, a short text that matches it out; None of one that is not simple."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 200
_NESTED: Final = 5

_GROUP: Final = re.compile(r"\((?:\?:|\?P?<\w+>)?([^()|]*)(?:\|[^()]*)?\)([?*]?)")
_ATOM: Final = re.compile(
    r"(?:\[(?P<any>(?:\\.|[^\]\\])+)\]|\\(?P<escaped>.)|(?P<plain>[^\\\[\](){}|*+?^$]))"
    r"(?:\{(?P<times>\d{1,3})(?:,\d*)?\}|(?P<few>[+*?]))?"
)
_CLASSES: Final = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}


def matching(pattern: str) -> str | None:
    """The shortest that is found by taking the first of whatever is allowed."""
    text, body = "", _without_groups(pattern.removeprefix("^").removesuffix("$"))
    while body and len(text) <= _LONGEST:
        if (atom := _ATOM.match(body)) is None or (character := _character(atom)) is None:
            return None
        text += character * _times(atom)
        body = body[atom.end() :]
    return text if text and len(text) <= _LONGEST and re.search(pattern, text) else None


def _without_groups(body: str) -> str:
    """The first alternative of each, and nothing of what is optional."""
    for _ in range(_NESTED):
        body, found = _GROUP.subn(lambda group: "" if group[2] else group[1], body)
        if not found:
            break
    return body


def _character(atom: re.Match[str]) -> str | None:
    if (inner := atom["any"]) is not None:
        if inner[0] == "^":
            return "a"
        return _escape(inner[1]) if inner[0] == "\\" else inner[0]
    if atom["escaped"] is not None:
        return _escape(atom["escaped"])
    return "a" if atom["plain"] == "." else atom["plain"]


def _escape(character: str) -> str | None:
    return _CLASSES.get(character) if character.isalnum() else character


def _times(atom: re.Match[str]) -> int:
    return int(atom["times"]) if atom["times"] else int(atom["few"] not in ("*", "?"))
