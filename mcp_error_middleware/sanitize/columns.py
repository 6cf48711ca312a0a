"""A table in, what stands below the names of secrets out: of Markdown, of a database's client, of CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.sanitize import assignments
from mcp_error_middleware.sanitize.keys import Sensitive, sensitivity
from mcp_error_middleware.sanitize.lazy import lazy
from mcp_error_middleware.sanitize.spans import Span, View
from mcp_error_middleware.sanitize.words import is_field, is_harmless

_HEAD: Final = lazy(r"^[ ]*(?:\|[ ]*)?[\w .-]{1,40}(?:[|\t,;][\w .-]{1,40}){1,40}\|?[ ]*$")
_MOST_CELLS: Final = 41


def find(view: View) -> list[Span]:
    """The cells below the name of a secret."""
    text = view.text
    if "\n" not in text or not assignments.has_stem(view.lower):
        return []
    return list(_cells(text)) if "|" in text or "\t" in text or "," in text or ";" in text else []


def _cells(text: str) -> Iterator[Span]:
    named: dict[int, Sensitive] = {}
    separator, width, at = "", 0, 0
    for line in text.split("\n"):
        cells = line.split(separator, _MOST_CELLS) if separator else []
        if len(cells) == width and named:
            yield from _below(cells, named, at)
        elif len(line) < _LONG_LINE and _HEAD.match(line):
            separator = next(mark for mark in "|\t,;" if mark in line)
            cells = line.split(separator, _MOST_CELLS)
            width, named = len(cells), _names(cells)
        elif not _is_rule(line):
            named = {}
        at += len(line) + 1


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
        if n in named and said and not (is_harmless(said) or is_field(said) or " " in said):
            start = at + cell.index(said)
            yield Span(start, start + len(said), named[n].kind)
        at += len(cell) + 1
