"""Private in, public out: text, data and captured bodies.

    text -> printable -> finders name the places -> the places are cut -> again, until nothing is found

Finders see the same text and do not depend on each other; a place is cut if any of them names it, and so is
every other place that says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final, TypeVar

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize import echoes
from mcp_error_middleware.sanitize.clean import folded, printable
from mcp_error_middleware.sanitize.escapes import strings
from mcp_error_middleware.sanitize.finders import ASKED, FINDERS, TOKEN_FINDERS, assignments
from mcp_error_middleware.sanitize.finders.calm import is_calm
from mcp_error_middleware.sanitize.keys import compact
from mcp_error_middleware.sanitize.limits import Limits
from mcp_error_middleware.sanitize.spans import Finder, Pattern, Span, View, replaced, table
from mcp_error_middleware.sanitize.walk import CUT, Walk

WITHHELD: Final = "[redacted: this text could not be checked]"
"""What leaves where the scrubber itself failed."""

_ROUNDS: Final = range(6)
_DEPTH: Final = 3
"""Of texts within texts within texts."""
_own: Final = lru_cache(maxsize=64)(table)
_SHORT: Final = 1_000
"""Characters of a text that is remembered: what a validator says of a few fields has as many."""
_REMEMBERED: Final = 1024

_T = TypeVar("_T")


def withheld_data() -> dict[str, Any]:
    """What leaves where data could not be checked."""
    return {"redacted": "this data could not be checked"}


@dataclass(frozen=True, slots=True)
class Scrubber:
    """What may leave, and how much of it."""

    limits: Limits = field(default_factory=Limits)
    extra_patterns: tuple[Pattern, ...] = ()
    """Shapes of secrets only this server knows."""
    extra_keys: frozenset[str] = frozenset()
    """Names whose values go, whatever they are; case and separators do not matter."""
    finders: tuple[Finder, ...] = field(default=FINDERS, repr=False)
    _harmless: dict[str, None] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Short texts in which nothing was found; an error storm says the same thing over and over."""

    def text(self, text: str, tally: dict[str, int] | None = None) -> str:
        """The text without secrets, places and people, in at most `limits.text` characters."""
        if type(text) is not str or len(text) > _SHORT:
            return self._cut_to(text, self.limits.text, {} if tally is None else tally)
        if text in self._harmless:
            return text
        clean = self._cut_to(text, self.limits.text, {} if tally is None else tally)
        if clean == text:
            if len(self._harmless) >= _REMEMBERED:
                self._harmless.clear()
            self._harmless[text] = None
        return clean

    def data(self, value: object, tally: dict[str, int] | None = None) -> Any:
        """The value as plain JSON-able data, scrubbed, within the limits."""
        counts = {} if tally is None else tally
        try:
            keys = frozenset(map(compact, self.extra_keys))
            walk = Walk(partial(self._cut_to, tally=counts), self.limits, keys, counts)
            return walk.echoed(walk.value(value))
        except Exception:  # noqa: BLE001 - whatever went wrong, what is unchecked does not leave
            return _withheld(withheld_data(), counts)

    def body(self, raw: bytes | str, tally: dict[str, int] | None = None) -> str:
        """The start of an upstream's answer, in at most `limits.body` bytes."""
        counts, limit = {} if tally is None else tally, self.limits.body
        try:
            return self._body(raw, limit, counts) if limit > 0 else ""
        except Exception:  # noqa: BLE001 - as above
            return _withheld(_utf8(WITHHELD, limit), counts)

    def _cut_to(self, text: str, limit: int, tally: dict[str, int]) -> str:
        try:
            return self._text(text, limit, tally)
        except Exception:  # noqa: BLE001 - as above
            return _withheld(WITHHELD, tally)

    def _body(self, raw: bytes | str, limit: int, tally: dict[str, int]) -> str:
        if not isinstance(raw, str):
            raw = bytes(raw[: 4 * self._reading(limit)]).decode("utf-8", "replace")
        return self._cut(self._text(raw, limit, tally), limit, tally, _size)

    def _text(self, text: str, limit: int, tally: dict[str, int]) -> str:
        text = str.__str__(text)
        if len(text) > self.limits.reading and len(text) > (read := self._reading(limit)):
            text = _without_last_word(text[:read]) + CUT
        clean = self._scrubbed(printable(text), limit, tally)
        return clean if len(clean) <= limit else self._cut(clean, limit, tally, len)

    def _reading(self, limit: int) -> int:
        return max(self.limits.reading, limit + limit // 4)

    def _cut(self, text: str, limit: int, tally: dict[str, int], size: Callable[[str], int]) -> str:
        """The start of a scrubbed text. What a cut lays bare may be longer once named: then cut more."""
        if size(text) <= limit:
            return text
        for length in range(limit - size(CUT), 0, -max(limit // 8, 1)):
            start = text[:length] if size is len else _utf8(text, length)
            clean = self._scrubbed(printable(start) + CUT, limit, tally)
            if size(clean) <= limit:
                return clean
        return ""

    def _scrubbed(self, text: str, limit: int, tally: dict[str, int]) -> str:
        """Cut until nothing is found: what one cut brings together, the next round sees."""
        known: dict[str, list[Span]] = {}
        for _ in _ROUNDS:
            view = View.of(folded(text), ASKED)
            if not (spans := self._spans(view, known)):
                return text
            spans += echoes.find(view.text, spans)
            if (clean := replaced(text, spans, tally)) == text:
                return text
            # What is too long is cut now: to look at the rest again would be in vain.
            text = clean if len(clean) <= limit else _without_last_word(clean[: limit - 1]) + CUT
        return _withheld(WITHHELD, tally)

    def _spans(self, view: View, known: dict[str, list[Span]], depth: int = 0) -> list[Span]:
        """What is private in the text and in the texts within it, of which none is looked at twice."""
        if is_calm(view):
            if not view.is_long and self.finders is FINDERS and not (self.extra_patterns or self.extra_keys):
                return []
            return self._found(view, TOKEN_FINDERS if view.is_long else ())
        within = strings(view.text)
        view = view._replace(strings=within.quoted)
        spans = self._found(view, FINDERS)
        for inner in within.texts if depth < _DEPTH else ():
            if (found := known.get(inner.text)) is None:
                found = self._spans(View.of(folded(inner.text), ASKED), known, depth + 1)
                known[inner.text] = found
            spans += inner.written(found)
        return list(within.within(spans)) if within.closed or within.escapes else spans

    def _found(self, view: View, finders: tuple[Finder, ...]) -> list[Span]:
        spans: list[Span] = []
        for find in finders if self.finders is FINDERS else self.finders:
            if found := find(view):
                spans += found
        if self.extra_patterns:
            spans += _own(self.extra_patterns)(view)
        if self.extra_keys:
            spans += assignments.named(view, assignments.spelling(self.extra_keys))
        return spans


def _withheld(instead: _T, tally: dict[str, int]) -> _T:
    tally["unchecked"] = tally.get("unchecked", 0) + 1
    return instead


_LAST_WORD: Final = lazy(r"(?:[\w.~+/=%@:-]+|[\d ()+.-]+)\Z")


def _without_last_word(text: str) -> str:
    """What was cut off in the middle would pass the patterns in half."""
    last = _LAST_WORD.search(text, max(0, len(text) - 400))
    return text[: last.start()] if last else text


def _size(text: str) -> int:
    return len(text.encode())


def _utf8(text: str, limit: int) -> str:
    return text.encode()[: max(limit, 0)].decode("utf-8", "ignore")
