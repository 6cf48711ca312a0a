"""A word nobody knows in, the nearest real ones out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import Final, NamedTuple

_NAMES: Final = 1_000
_LENGTH: Final = 100
_ENOUGH: Final = 0.62
_APART: Final = 0.12

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def nearest(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The names somebody may have meant, best first; none where nothing is near."""
    return tuple([name for _, name in _nearest(word[:_LENGTH], tuple(islice(names, _NAMES)), limit)])


def meant(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Those that a misspelt word may be; where one is much nearer than others, not the others."""
    found = _nearest(word[:_LENGTH], tuple(islice(names, _NAMES)), limit)
    return tuple([name for score, name in found if score >= found[0][0] - _APART])


def option(value: str, options: Iterable[str]) -> tuple[str, ...]:
    """The option that a value was meant to be: another spelling of it, cut short or written out, misspelt.

    Nobody misses the first letter; what differs in that is another word, as `date` is beside `updated`. Where
    there are but two letters, another one makes another word.
    """
    known = tuple(islice(options, _NAMES))
    if value in known:
        return ()
    first = _joined(value)[:1]
    alike = [name for name in known if (spelt := _joined(name))[:1] == first and len(spelt) > 2]
    cut = [name for name in known if abbreviates(value, name, least=3)]
    return tuple(cut) if len(cut) == 1 else nearest(value, alike, 1)


def abbreviates(one: str, other: str, least: int = 1) -> bool:
    """Whether one of the two is the other cut short, or without its vowels: `repo`, `q`, `dst`.

    In the middle of a word only to `least` letters.
    """
    short, long = _spelling(one[:_LENGTH]), _spelling(other[:_LENGTH])
    if short.joined[:1] != long.joined[:1]:
        return False
    if len(short.joined) > len(long.joined):
        short, long = long, short
    whole, cut = short.words, short.joined
    if whole and long.words[: len(whole)] == whole:
        return True
    return len(cut) >= least and (long.joined.startswith(cut or " ") or _is_skeleton(cut, long.joined))


def stands_for(one: str, other: str) -> bool:
    """Whether a name is another one cut short; where it has two letters, it may be a word, such as `to`."""
    return abbreviates(one, other, least=1 if len(one) == 1 else 3)


def _is_skeleton(short: str, long: str) -> bool:
    if len(short) < 2 or short[0] != long[0] or not _VOWELS.isdisjoint(short[1:]):
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


_VOWELS: Final = frozenset("aeiou")


def _is_reverse(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names differ in a word that turns the meaning round: `enable_user` and `disable_user`."""
    ours = [word for word in one if word not in other]
    theirs = [word for word in other if word not in one]
    if not _NEGATING.isdisjoint(ours) or not _NEGATING.isdisjoint(theirs):
        return True
    return any(_are_opposites(word, against) for word in ours for against in theirs)


def _are_opposites(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return other in _OPPOSITES.get(one, ()) or (long.endswith(short) and long[: -len(short)] in _PREFIXES)


_NEGATING: Final = frozenset({"except", "non", "not", "without"})
_PREFIXES: Final = frozenset({"de", "dis", "in", "non", "un"})
_PAIRS: Final = [
    pair.split("/")
    for pair in (
        "accept/decline accept/reject add/remove after/before allow/block allow/deny approve/decline "
        "approve/reject asc/desc ascending/descending begin/end bottom/top buy/sell checkin/checkout "
        "close/open close/reopen create/delete destination/from destination/source disable/enable "
        "down/up download/upload dst/src end/start exclude/include export/import external/internal "
        "finish/start first/last from/target from/to grant/revoke height/width hide/show high/low "
        "in/out inbound/outbound input/output lat/lng lat/lon latitude/longitude left/right "
        "lower/upper max/min maximum/minimum merge/split new/old next/previous pause/resume "
        "pull/push read/write receive/send since/until source/target source/to start/stop"
    ).split()
]
"""Words that are nearer to each other in letters than in what they mean."""
_OPPOSITES: Final = {
    word: frozenset(other for pair in _PAIRS if word in pair for other in pair) - {word}
    for word in chain.from_iterable(_PAIRS)
}


@lru_cache(maxsize=256)
def _nearest(word: str, names: tuple[str, ...], limit: int) -> tuple[tuple[float, str], ...]:
    asked, joined, letters, spare = _spelling(word)
    parts, size = frozenset(asked), len(joined)
    near: list[tuple[float, str]] = []
    for name in names:
        spelt, together, others, extra = _spelling(name[:_LENGTH])
        score = 0.0
        if not parts.isdisjoint(spelt):
            score = 2 * len(parts.intersection(spelt)) / (len(asked) + len(spelt))
        total = size + len(together)
        # What is not even of the same letters needs no closer look.
        if 2 * (len(letters & others) + min(spare, extra)) >= _ENOUGH * total:
            score = max(score, 2 * _in_common(together, joined) / (total or 1))
        if score >= _ENOUGH and not _is_reverse(asked, spelt):
            near.append((score, name))
    near.sort(key=itemgetter(0), reverse=True)
    return tuple(near[:limit])


def _in_common(one: str, other: str) -> int:
    """The letters of the longest run that two texts have in common, and of those before and behind it.

    What `difflib` counts, which is made for longer ones.
    """
    if not one or not other:
        return 0
    end, at, length = len(one), 0, 0
    for start in range(end):
        while (stop := start + length + 1) <= end and one[start:stop] in other:
            at, length = start, length + 1
    if not length:
        return 0
    stop, place = at + length, other.index(one[at : at + length])
    return length + _in_common(one[:at], other[:place]) + _in_common(one[stop:], other[place + length :])


def words(name: str) -> tuple[str, ...]:
    """`getOrder-2`, `get_order_2` and `GET ORDER 2` are the same words; of a long name its first ones."""
    return _spelling(name[:_LENGTH]).words


def _joined(name: str) -> str:
    return _spelling(name[:_LENGTH]).joined


class _Spelling(NamedTuple):
    words: tuple[str, ...]
    joined: str
    letters: frozenset[str]
    spare: int
    """How many of its letters it has had before."""


@lru_cache(maxsize=4096)
def _spelling(name: str) -> _Spelling:
    found = tuple(map(str.lower, _WORDS.findall(name)))
    joined = "".join(found)
    letters = frozenset(joined)
    return _Spelling(found, joined, letters, len(joined) - len(letters))
