"""A word nobody knows in, the nearest real ones out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from itertools import islice
from typing import Final

_NAMES: Final = 1_000
_LENGTH: Final = 100
_ENOUGH: Final = 0.62
_APART: Final = 0.12

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def nearest(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The names somebody may have meant, best first; none where nothing is near."""
    return tuple(name for _, name in _nearest(word[:_LENGTH], tuple(islice(names, _NAMES)), limit))


def meant(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Those that a misspelt word may be; where one is much nearer than others, not the others."""
    found = _nearest(word[:_LENGTH], tuple(islice(names, _NAMES)), limit)
    return tuple(name for score, name in found if score >= found[0][0] - _APART)


@lru_cache(maxsize=256)
def _nearest(word: str, names: tuple[str, ...], limit: int) -> tuple[tuple[float, str], ...]:
    meant = words(word)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2("".join(meant))
    scored = ((_likeness(matcher, meant, words(name[:_LENGTH])), name) for name in names)
    return tuple(nlargest(limit, (pair for pair in scored if pair[0] >= _ENOUGH), key=lambda pair: pair[0]))


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """`getOrder-2`, `get_order_2` and `GET ORDER 2` are the same words."""
    return tuple(map(str.lower, _WORDS.findall(name)))


def _likeness(matcher: SequenceMatcher[str], meant: tuple[str, ...], name: tuple[str, ...]) -> float:
    shared = len(set(meant) & set(name))
    alike = 2 * shared / (len(meant) + len(name) or 1)
    matcher.set_seq1("".join(name))
    if matcher.real_quick_ratio() < _ENOUGH or matcher.quick_ratio() < _ENOUGH:
        return alike
    return max(alike, matcher.ratio())
