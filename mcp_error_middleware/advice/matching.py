"""A regular expression in, a short text that matches it out; None of one that is not simple."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 200
_NESTED: Final = 5

_GROUP: Final = re.compile(r"\((?:\?:|\?P?<\w+>)?([^()|]*)(?:\|[^()]*)?\)([?*]?)")
_ATOM: Final = re.compile(
    r"(?:\[(?P<any>(?:\\.|[^\]\\])+)\]|\\(?P<escaped>.)|(?P<plain>[^\\\[\](){}|*+?^$]))"
    r"(?:\{(?P<times>\d{1,3})(?:,(?P<most>\d{0,4}))?\}|(?P<few>[+*?]))?"
)
_CLASSES: Final = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}


def matching(pattern: str, least: int = 0) -> str | None:
    """The shortest of so many characters or more that is found by taking the first of whatever is allowed."""
    parts: list[tuple[str, int, int]] = []
    body = _without_groups(pattern.removeprefix("^").removesuffix("$"))
    while body and len(parts) <= _LONGEST:
        if (atom := _ATOM.match(body)) is None or (character := _character(atom)) is None:
            return None
        parts.append((character, *_times(atom)))
        body = body[atom.end() :]
    text = _lengthened(parts, least)
    return text if 0 < len(text) <= _LONGEST and len(text) >= least and re.search(pattern, text) else None


def _lengthened(parts: list[tuple[str, int, int]], least: int) -> str:
    """Each as often as it must be, and as often as it may be until there is enough."""
    lack, text = least - sum(times for _, times, _ in parts), ""
    for character, times, most in parts:
        more = min(max(lack, 0), most - times)
        text += character * (times + more)
        lack -= more
    return text


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


def _times(atom: re.Match[str]) -> tuple[int, int]:
    """How often it must be there, and may be."""
    if atom["times"]:
        least = int(atom["times"])
        return least, least if atom["most"] is None else int(atom["most"] or _LONGEST)
    return int(atom["few"] not in ("*", "?")), _LONGEST if atom["few"] in ("*", "+") else 1
