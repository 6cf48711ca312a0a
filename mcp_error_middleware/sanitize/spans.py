"""Text in, places to cut out: what every finder shares."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.public import without_public


class Span(NamedTuple):
    """A place in a text that must not leave, and what it is."""

    start: int
    end: int
    kind: str


Asked: TypeAlias = Mapping[bytes, tuple[str, ...]]
"""Words, and what is in every text in which they matter, in lower case: one of these at least."""


class View(NamedTuple):
    """One text, with what lets a finder see at a glance that it has nothing to look for.

    Marks, shape and runs are those of the text without what is plainly public in it.
    """

    text: str
    lower: str
    """The text in lower case, of the same length."""
    spoken: frozenset[bytes]
    """Those of the words asked for that are in the text."""
    marks: bytes
    """What is neither a letter, a digit nor the punctuation of a plain sentence."""
    shape: bytes
    """Digits as `0`, capitals as `A`."""
    digits: int
    runs: bytes
    """What tokens are made of as `x`."""
    is_long: bool
    """Whether enough token characters follow each other to be a token, not all of them small letters."""
    strings: Sequence[tuple[int, int]] = ()
    """Where texts are within the text that are looked at on their own."""

    @classmethod
    def of(cls, text: str, asked: frozenset[bytes]) -> View:
        raw, lower = text.encode(), text.lower()
        if len(lower) != len(text):
            lower = "".join(c.lower() if c.isascii() else c for c in text)
        spoken = asked.intersection(raw.translate(_WORDS).split())
        shape = raw.translate(_SHAPE)
        if "://" in text or ("-" in text and b"-0" in shape):
            raw = without_public(text).encode()
            shape = raw.translate(_SHAPE)
        runs = raw.translate(_RUNS)
        seen = (
            text,
            lower,
            spoken,
            raw.translate(None, _PLAIN),
            shape,
            shape.count(b"0"),
            runs,
            # `in` first takes it for a number, and pays for the error that it is none.
            runs.find(LONG) >= 0 and _has_token(shape),
            (),
        )
        # Its own constructor would take as long as half of this.
        return tuple.__new__(cls, seen)

    @property
    def has_place(self) -> bool:
        """Whether a colon is followed by a digit: a port, a line."""
        return b":0" in self.shape

    @property
    def has_number(self) -> bool:
        """Whether seven digits stand together, with nothing but what groups them in between."""
        return self.digits >= 7 and b"0000000" in self.shape.translate(None, b" .()/-")

    def speaks_of(self, words: frozenset[bytes]) -> bool:
        """Whether one of the words is in the text."""
        return not words.isdisjoint(self.spoken)

    def has_beside(self, asked: Asked) -> bool:
        """Whether one of the words is in the text, and with it something of what makes it worth a look."""
        for word in self.spoken:
            for part in asked.get(word, ()):
                # A hyphen of a public link makes no name of a machine.
                if b"-" in self.marks if part == "-" else part in self.lower:
                    return True
        return False


def _has_token(shape: bytes) -> bool:
    runs = shape.translate(_SPACED).split()
    return any(len(run) >= len(LONG) and (b"0" in run or b"A" in run) for run in runs)


LONG: Final = b"x" * 16
"""In the runs of a text in which a token may be."""
_DIGITS: Final = b"0123456789"
_CAPITALS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS: Final = _CAPITALS + _CAPITALS.lower() + bytes(range(128, 256))
_PLAIN: Final = _CAPITALS + _CAPITALS.lower() + _DIGITS + b" .,;!?_"
_SHAPE: Final = bytes(48 if c in _DIGITS else 65 if c in _CAPITALS else c for c in range(256))
_RUNS: Final = bytes(120 if c in _LETTERS + _DIGITS + b"_-.~+/=%" else 32 for c in range(256))
_SPACED: Final = bytes(c if _RUNS[c] == 120 and c != ord("=") else 32 for c in range(256))
"""What stands before a `=` is a name."""
# Words asked for are ASCII; what is not ends them: `«db.internal»`, `密码token`.
_WORDS: Final = bytes(
    c + 32 if c in _CAPITALS else c if c in _CAPITALS.lower() + _DIGITS else 32 for c in range(256)
)


def words(spoken: str) -> frozenset[bytes]:
    """Words as a view has them."""
    return frozenset(spoken.encode().split())


@dataclass(frozen=True, slots=True)
class Pattern:
    """One shape of secret, with its proof. What goes is group 1, or the whole match where there is none."""

    kind: str
    regex: re.Pattern[str]
    literals: tuple[str, ...]
    """One of them is in every match, in any case. Empty: always look."""
    example: str
    """A text this pattern finds something in."""
    near_miss: str
    """A text that looks alike and stays."""
    check: Callable[[str], bool] | None = None
    """A last look at what would go."""

    def __post_init__(self) -> None:
        # They are looked for in the text in lower case.
        object.__setattr__(self, "literals", tuple([literal.lower() for literal in self.literals]))

    def finds(self, text: str) -> bool:
        """Whether something of this text would go."""
        return bool(table((self,))(View.of(text, frozenset())))


Finder: TypeAlias = Callable[[View], Iterable[Span]]
"""Text in, places to cut out. May find the same place twice."""

MARK: Final = (
    r"\.{3}|…|[\[(<{]{1,2}[ ]?(?:\.{3}|…|(?:\+|and )?\d{0,9}[ ]?(?:more )?"
    r"(?i:truncated|cut|snip|trimmed|clipped|omitted|elided|bytes|char(?:acter)?s|more)\b)"
)
"""Where somebody left out the rest."""
CUT_OFF: Final = lazy(rf"[ ]?(?:{MARK})|\s*\Z")
"""The same behind what may be only the beginning of something; the text may just end there."""

PLACEHOLDER: Final = lazy(r"\[redacted:[a-z][a-z-]{0,30}\]")


def placeholder(kind: str) -> str:
    """What stands where something was removed."""
    return f"[redacted:{kind}]"


def matches(pattern: Pattern, text: str) -> Iterator[Span]:
    """Every place this pattern finds."""
    group = 1 if pattern.regex.groups else 0
    for match in pattern.regex.finditer(text):
        start, end = match.span(group)
        if end > start and (pattern.check is None or pattern.check(text[start:end])):
            yield Span(start, end, pattern.kind)


def table(patterns: Iterable[Pattern]) -> Finder:
    """A finder that runs a pattern only where one of its literals is in the text."""
    rows: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        for literal in pattern.literals or ("",):
            rows.setdefault(literal, []).append(pattern)

    def find(view: View) -> list[Span]:
        lower = view.lower
        wanted = {id(pattern): pattern for literal in rows if literal in lower for pattern in rows[literal]}
        return [span for pattern in wanted.values() for span in matches(pattern, view.text)]

    return find


def replaced(text: str, spans: Iterable[Span], tally: dict[str, int]) -> str:
    """The text with every place cut out and named; places that overlap are cut as one."""
    parts: list[str] = []
    done = 0
    is_json = '":' in text
    for span in merged(_beside_placeholders(text, spans)):
        start, end, kind = _with_braces(text, span) if is_json else span
        quote = _quote(text, start, end) if is_json else ""
        parts += text[done:start], quote, placeholder(kind), quote
        tally[kind] = tally.get(kind, 0) + 1
        done = end
    return "".join((*parts, text[done:]))


_KEY: Final = lazy(r"(\\{0,16}\")\s{0,20}:\s{0,20}(?:\[(?:[^\[\]{}\"\\]{0,200},)?\s{0,40})?\Z")
_NEXT: Final = lazy(r"\s{0,40}[,}\]]")


def _quote(text: str, start: int, end: int) -> str:
    """What the name of a number of JSON, or of numbers, has to be written in: what the key before it is."""
    key = _KEY.search(text, max(0, start - 300), start) if _NEXT.match(text, end) else None
    return key[1] if key else ""


def _with_braces(text: str, span: Span) -> Span:
    """With the braces of an object of JSON of which nothing is left."""
    start, end, kind = span
    if text[start : start + 1] == '"' and text[start - 1 : start] == "{" and text[end : end + 1] == "}":
        return Span(start - 1, end + 1, kind)
    return span


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same places without overlaps, in order; the one that starts first names the whole."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        last = out[-1] if out else None
        if last is None or span.start >= last.end:
            out.append(span)
        elif last.kind != "url-credentials":
            # `password@host` is no address, and a host no part of a password. The next round sees the rest.
            out[-1] = Span(last.start, max(last.end, span.end), last.kind)
    return out


def _beside_placeholders(text: str, spans: Iterable[Span]) -> Iterable[Span]:
    """The same places, none of them within a placeholder and none of them with a part of one.

    So every cut takes away something that was still there, and cutting comes to an end.
    """
    held = [match.span() for match in PLACEHOLDER.finditer(text)] if "[redacted:" in text else []
    return (placed for span in spans if (placed := _widened(span, held))) if held else spans


def _widened(span: Span, held: list[tuple[int, int]]) -> Span | None:
    start, end, kind = span
    for low, high in held[max(0, bisect_right(held, (start, start)) - 1) :]:
        if low >= end:
            break
        if low <= start and end <= high:
            return None
        if start < high:
            start, end = min(start, low), max(end, high)
    return Span(start, end, kind)
