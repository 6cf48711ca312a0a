"""A text in, the texts within it out, as their readers will have them, and where each of them is written.

What JSON, HTML and `repr` carry is a text of its own: it begins and ends with its quotes, and a line break,
a quote or a letter of another language is written in it as something else, once or several times over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import Span

_STRING: Final = lazy(
    r"(?<![\w\\])[bBrRuU]?(?:\"(?P<double>[^\"\\]*+(?:\\.[^\"\\]*+)*+)\""
    r"|'(?P<single>[^'\\]*+(?:\\.[^'\\]*+)*+)')(?![\w\"'])"
    r"|>(?P<content>[^<>]{1,4000}+)(?=</|<br)",
    re.DOTALL,
)
_PREFIX: Final = lazy(
    r"^(?:(?=[^\n]{0,60}\d\d:\d\d)[^\n\"'{}]{8,100}?\b"
    r"(?:[Ee]rror|ERROR|WARN(?:ING)?|INFO|DEBUG|CRITICAL|FATAL|SEVERE|NOTICE)\b"
    r"[\]:)]{0,3}(?:[ ]{1,4}\[[^\]\n]{0,60}\])*(?::[ ]|[ ]-[ ]|[ ])"
    r"|[A-Za-z_][\w.]{0,80}(?:Error|Exception|Failure|Warning|Fault):[ ]"
    r"|(?:[>\#]{1,3}|E[ ]{2}|[\w.-]{1,40}[ ]{1,8}\|)[ ])",
    re.MULTILINE,
)
"""What a log, a quotation or the name of an exception puts before a line."""
_CLOSED: Final = lazy(r"\s*(?:[,:;}\])]|\Z)")
"""What follows a string of JSON, of a list, of a call."""
_BACKSLASH: Final = (
    r"\\(?:u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<hex>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|(?P<char>[nrtbf\"'`/\\]))"
)
_ENTITY: Final = (
    r"&(?:(?P<name>quot|apos|lt|gt|nbsp|amp)|\#(?P<number>\d{2,6})|\#[xX](?P<code>[0-9a-fA-F]{2,5}));"
)
_IN_QUOTES: Final = lazy(_BACKSLASH)
_IN_TAGS: Final = lazy(_ENTITY)
_BROKEN: Final = lazy(rf"\\{{1,16}}(?:u[0-9a-fA-F]{{4}}|[nrtbf\"'`/\\])|{_ENTITY}")
"""What is one thing, however often it is escaped."""
_LETTERS: Final = lazy(r"\\u(?P<hex>00(?:3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[fF]))")
"""Letters that need no escape: what is written so is a name that somebody else will read."""
_PERCENT: Final = lazy(r"%(?:25){0,3}(?P<byte>2[0-9a-fA-F]|3[a-fA-F]|40|5[b-dfB-DF]|7[bdBD])")
"""Signs in a link, also of a link in a link."""
_OF_OTHERS: Final = (("\\u00", _LETTERS), ("%", _PERCENT))
"""What somebody else will read, behind the sign that there is any."""
_CHARS: Final = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " "}
_NAMES: Final = {"quot": '"', "apos": "'", "lt": "<", "gt": ">", "nbsp": " ", "amp": "&"}
_SHORTEST: Final = 8
_FAR: Final = 1 << 60
_MOST: Final = 24
"""More of them are no message; what is in them is looked at where they stand."""


class Inner(NamedTuple):
    """A text within another."""

    text: str
    start: int
    end: int
    """Where it is written, in the outer one."""
    starts: list[int]
    """Where in this text a stretch begins that is written as it is."""
    places: list[int]
    """The same in the outer text."""

    def written(self, spans: Iterable[Span]) -> Iterator[Span]:
        """The same places in the outer text."""
        return (Span(self._place(span.start), self._place(span.end), span.kind) for span in spans)

    def _place(self, at: int) -> int:
        n = bisect_right(self.starts, at) - 1
        return self.places[n] + at - self.starts[n]


class Strings(NamedTuple):
    """What is in quotes in a text, or between tags."""

    texts: list[Inner]
    """What may say more on its own than as a part of the text."""
    quoted: list[tuple[int, int]]
    """Where those of them are that are only a part of it."""
    closed: list[tuple[int, int]]
    """Where something is that ends with its quote, in order."""
    escapes: list[tuple[int, int]]
    """What is written as something else, in order."""

    def within(self, spans: Iterable[Span]) -> Iterator[Span]:
        """The same places, none of them with the quote of a string or with half an escape."""
        for span in spans:
            for start, end in self._parts(span.start, span.end):
                low, high = _around(self.escapes, start), _around(self.escapes, end)
                if (start := low[1] if low else start) < (end := high[0] if high else end):
                    yield Span(start, end, span.kind)

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        n = bisect_right(self.closed, (start, _FAR)) - 1
        if n < 0 or not (start < self.closed[n][1] < end):
            yield start, end
            return
        yield start, self.closed[n][1]
        # What goes on in the next string of a list goes there, too.
        for low, high in self.closed[n + 1 :]:
            if low >= end:
                break
            yield low, min(high, end)


def _around(bounds: list[tuple[int, int]], at: int) -> tuple[int, int] | None:
    """The one that this place is in the middle of."""
    n = bisect_right(bounds, (at, 0)) - 1
    return bounds[n] if n >= 0 and bounds[n][0] < at < bounds[n][1] else None


def strings(text: str) -> Strings:
    """What is in quotes, or between tags; the whole text, too, where it is escaped itself."""
    texts, closed = list[Inner](), list[tuple[int, int]]()
    kinds = [escape for mark, escape in (("\\", _IN_QUOTES), ("&", _IN_TAGS)) if mark in text]
    done, unread = 0, kinds
    for match in _STRING.finditer(text) if '"' in text or "'" in text or "</" in text else ():
        group = match.lastgroup or 0
        start, end = match.span(group)
        if _CLOSED.match(text, match.end()):
            closed.append((start, end))
        if end - start >= _SHORTEST and len(texts) < _MOST and _TELLING.match(text, start, end):
            texts.append(_read(text, start, end, _IN_TAGS if group == "content" else _IN_QUOTES))
        unread = [escape for escape in unread if not escape.search(text, done, start)]
        done = end
    quoted = [(inner.start, inner.end) for inner in texts]
    for escape in kinds if _WORD.search(text) else ():
        if escape not in unread or escape.search(text, done):
            texts.append(_read(text, 0, len(text), escape))
    for sign, escape in _OF_OTHERS:
        if sign in text and escape.search(text):
            texts.append(_read(text, 0, len(text), escape))
    # Line by line: a search would try every character.
    if any(map(_PREFIX.match, text.split("\n"))):
        texts.append(_read(text, 0, len(text), _PREFIX))
    return Strings(texts, quoted, closed, [match.span() for match in _BROKEN.finditer(text)] if kinds else [])


_WORD: Final = lazy(r"[^\W\d_]{4}|\\u[0-9a-fA-F]{4}")
_TELLING: Final = lazy(r"(?=[^\s\\&]*[\s\\&]).*?(?:[^\W\d_]{3}|\\u[0-9a-fA-F]{4})", re.DOTALL)
"""In a string that says more than a word."""


def _read(text: str, start: int, end: int, escape: re.Pattern[str]) -> Inner:
    """What is written here, with every escape read once."""
    parts: list[str] = []
    starts, places = [0], [start]
    done, length = start, 0
    for match in escape.finditer(text, start, end):
        low, high = match.span()
        char = _char(match)
        parts += text[done:low], char
        length += low - done
        starts += length, length + len(char)
        places += low, high
        length += len(char)
        done = high
    return Inner("".join((*parts, text[done:end])), start, end, starts, places)


def _char(match: re.Match[str]) -> str:
    if not (group := match.lastgroup):
        return ""
    said = match[group]
    if group == "char":
        return _CHARS.get(said, said)
    if group == "name":
        return _NAMES[said]
    if group == "low":
        return chr(0x10000 + ((int(match["high"], 16) & 0x3FF) << 10) + (int(said, 16) & 0x3FF))
    char = chr(min(int(said, 10 if group == "number" else 16), 0x10FFFF))
    return char if char.isprintable() or char == "\n" else " " if char.isspace() else ""
