"""A table in, what stands below the names of secrets out: of Markdown, of a database's client, of CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders import assignments
from mcp_error_middleware.sanitize.keys import Sensitive, sensitivity
from mcp_error_middleware.sanitize.spans import Span, View
from mcp_error_middleware.sanitize.words import is_harmless, is_known_field

_HEAD: Final = lazy(r"^[ ]*(?:\|[ ]*)?[\w .-]{1,40}(?:[|\t,;][\w .-]{1,40}){1,40}\|?[ ]*$")
_MOST_CELLS: Final = 41


def find(view: View) -> list[Span]:
    """The cells below the name of a secret."""
    text = view.text
    if "\n" not in text or not assignments.has_stem(view.lower):
        return []
    text = text if text.isascii() else text.translate(_DRAWN)
    return list(_cells(text)) if "|" in text or "\t" in text or "," in text or ";" in text else []


_DRAWN: Final = str.maketrans("│┃║┆┊─━═┼╋╬├┤┠┨╠╣", "|||||---+++||||||")
"""Lines of a table as they are typed."""


def _cells(text: str) -> Iterator[Span]:
    named: dict[int, Sensitive] = {}
    separator, width, at = "", 0, 0
    lines = text.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        cells = line.split(separator, _MOST_CELLS) if separator else []
        if len(cells) == width and named:
            yield from _below(cells, named, at)
        elif len(line) < _LONG_LINE and (head := _head(line, below)):
            separator, cells = head
            width, named = len(cells), _names(cells)
        elif not _is_rule(line):
            named = {}
        at += len(line) + 1


def _head(line: str, below: str) -> tuple[str, list[str]] | None:
    """What the columns are divided by, and their names; something else may stand before the first."""
    if "|" in line and _is_rule(below) and len(below) < _LONG_LINE:
        width = len(below.replace("+", "|").split("|"))
        first, *rest = line.split("|", _MOST_CELLS)[-width:]
        return "|", [*first.split()[-1:], *rest] if first.strip() and below[0] != "|" else ["", *rest]
    if line.startswith('"'):
        line = line.replace('"', "")
    if not _HEAD.match(line):
        line = _WORDS.split(line)[-1]
        if " " in below or not _HEAD.match(line):
            return None
    separator = next(mark for mark in "|\t,;" if mark in line)
    return separator, line.split(separator, _MOST_CELLS)


_WORDS: Final = lazy(r"[ \"'`>:]")
_LONG_LINE: Final = 400


def _names(cells: list[str]) -> dict[int, Sensitive]:
    """The columns of secrets. A line of a list has more words in its cells than a name has."""
    if any(len(cell.split()) > _MOST_WORDS for cell in cells):
        return {}
    found = ((n, sensitivity(cell.strip())) for n, cell in enumerate(cells) if cell.strip())
    return {n: sensitive for n, sensitive in found if sensitive and sensitive.firm}


_MOST_WORDS: Final = 2


def _is_rule(line: str) -> bool:
    """What stands between the head and the rows."""
    return bool(line) and not line.strip(" -+|:=")


def _below(cells: list[str], named: dict[int, Sensitive], at: int) -> Iterator[Span]:
    for n, cell in enumerate(cells):
        said = cell.strip(" \r\"'")
        if n in named and said and not (is_harmless(said) or is_known_field(said) or " " in said):
            start = at + cell.index(said)
            yield Span(start, start + len(said), named[n].kind)
        at += len(cell) + 1
