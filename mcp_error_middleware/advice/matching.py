"""A regular expression in, a short text that matches it out; None of one that is not simple."""

from __future__ import annotations

import re
from itertools import cycle, islice
from typing import Final

_LONGEST: Final = 200
_NESTED: Final = 5
_BODY: Final = 2_000
"""Characters of a pattern that are looked at."""

_AROUND: Final = re.compile(r"\A\(\?i\)|\(\?<?[=!][^()]*\)|\\b")
"""What a text is held against and none of its characters: the text is held against it in the end."""
_GROUP: Final = re.compile(
    r"\((?:\?:|\?P?<\w+>)?((?:\\.|[^()|\\])*)(?:\|(?:\\.|[^()\\])*)?\)(?:([?*])|\{(\d{1,2})(?:,\d{0,4})?\}|\+)?"
)
_ATOM: Final = re.compile(
    r"(?:\[(?P<any>(?:\\.|[^\]\\])+)\]|\\(?P<escaped>.)|(?P<plain>[^\\\[\](){}|*+?^$]))"
    r"(?:\{(?P<times>\d{1,3})(?:,(?P<most>\d{0,4}))?\}|(?P<few>[+*?]))?"
)
_CLASSES: Final = {"d": "1", "w": "aA1", "s": " ", "D": "a", "W": "-", "S": "aA1!"}


def matching(pattern: str, least: int = 0) -> str | None:
    """The shortest of so many characters or more that is found by taking the first of whatever is allowed."""
    parts: list[tuple[str, int, int]] = []
    body = _without_groups(_AROUND.sub("", pattern))
    while body and body[0] != "|" and len(parts) <= _LONGEST:
        if body[0] in _ENDS:
            body = body[1:]
            continue
        if (atom := _ATOM.match(body)) is None or not (characters := _characters(atom)):
            return None
        parts.append((characters, *_times(atom)))
        body = body[atom.end() :]
    # What looks ahead asks for some of each, as rules for passwords do.
    texts = [_lengthened(parts, least, kinds) for kinds in ((1, _KINDS) if "(?=" in pattern else (1,))]
    fit = (text for text in texts if 0 < len(text) <= _LONGEST and len(text) >= least)
    return next((text for text in fit if re.search(pattern, text)), None)


_ENDS: Final = ("^", "$")


_KINDS: Final = 8
"""Of the characters that are allowed in one place, those that are taken by turns."""


def _lengthened(parts: list[tuple[str, int, int]], least: int, kinds: int) -> str:
    """Each as often as it must be, and as often as it may be until there is enough."""
    lack, text = least - sum(times for _, times, _ in parts), ""
    for characters, times, most in parts:
        more = min(max(lack, 0), most - times)
        text += "".join(islice(cycle(characters[:kinds]), times + more))
        lack -= more
    return text


def _without_groups(body: str) -> str:
    """The first alternative of each, as often as it must be there."""
    for _ in range(_NESTED):
        body, found = _GROUP.subn(_repeated, body[:_BODY])
        if not found:
            break
    return body


def _repeated(group: re.Match[str]) -> str:
    times = 0 if group[2] else int(group[3] or 1)
    return group[1] * times if times * len(group[1]) <= _BODY else ""


def _characters(atom: re.Match[str]) -> str:
    """One of each kind that may be there, the first one first; nothing where that is not told."""
    if (inner := atom["any"]) is not None:
        found = [_escape(part[1]) if part[1:] else part for part in _OF_CLASS.findall(inner)]
        return _ANY if inner[0] == "^" else "".join(found) if found and found[0] else ""
    if atom["escaped"] is not None:
        return _escape(atom["escaped"])
    return _ANY if atom["plain"] == "." else atom["plain"]


_OF_CLASS: Final = re.compile(r"(\\.|[^\\])(?:-(?:\\.|[^\\]))?")
"""A character of a class, or the first one of a range."""
_ANY: Final = "aA1!"


def _escape(character: str) -> str:
    return _CLASSES.get(character, "") if character.isalnum() else character


def _times(atom: re.Match[str]) -> tuple[int, int]:
    """How often it must be there, and may be."""
    if atom["times"]:
        least = int(atom["times"])
        return least, least if atom["most"] is None else int(atom["most"] or _LONGEST)
    return int(atom["few"] not in ("*", "?")), _LONGEST if atom["few"] in ("*", "+") else 1
