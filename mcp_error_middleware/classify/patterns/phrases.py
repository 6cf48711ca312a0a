"""Rows of phrases in, clue out."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.taxonomy import ErrorCode


class Pattern(NamedTuple):
    """Phrases in a text that mean a code."""

    code: ErrorCode
    literals: str
    """Without one of these in the text the phrases are not tried; ` | ` between them."""
    phrases: str
    """One per line, or several with ` | ` between them; patterns over the text in lower case."""
    examples: tuple[str, ...]
    near_misses: tuple[str, ...] = ()
    retryable: bool | None = None


def first(table: tuple[Pattern, ...], lower: str, weight: Weight) -> Clue | None:
    """What the first row that matches a text in lower case says."""
    for literals, regex, pattern in compiled(table):
        for literal in literals:
            if literal in lower:
                if match := regex.search(lower):
                    return Clue(
                        pattern.code, weight, "pattern", _own_words(pattern, match), pattern.retryable
                    )
                break
    return None


def _own_words(pattern: Pattern, match: re.Match[str]) -> str:
    """What was found. Where a phrase has room for any word, that word may be anybody's, and goes."""
    again = _alternatives(pattern.phrases).match(match.string, match.start())
    if again is None or again.lastindex is None:
        return ""
    own = _vocabulary(split(pattern.phrases)[again.lastindex - 1])
    if own is None:
        return match[0].strip()
    said = (word if word in own else "…" for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?", match[0]))
    return " ".join(word for word, _ in groupby(said))


# --- compiled when first needed, not when imported ---------------------------------------------

Compiled: TypeAlias = tuple[tuple[tuple[str, ...], re.Pattern[str], Pattern], ...]
_COMPILED: Final[dict[int, Compiled]] = {}


def compiled(table: tuple[Pattern, ...]) -> Compiled:
    """A table with the patterns of its rows."""
    if (found := _COMPILED.get(id(table))) is None:
        found = tuple((tuple(split(p.literals)), re.compile("|".join(split(p.phrases))), p) for p in table)
        _COMPILED[id(table)] = found
    return found


def split(phrases: str) -> list[str]:
    """The phrases one by one, with what their short forms stand for."""
    # A token of a page, or of what comes next, is nobody's credential.
    phrases = phrases.replace("<whose>", r"((?!page|next|contin|sync|cursor|pagin)\w{1,30}<gap>)")
    phrases = phrases.replace(
        "<handle>", "(archive|cursor|dataset|document|file|handle|reader|stream|writer)"
    )
    phrases = phrases.replace(
        "<taken>",
        "(taken|used|registered|created|booked|reserved|claimed|sold|paid|shipped|cancell?ed|enrolled|subscribed|occupied)",
    )
    phrases = phrases.replace(
        "<part>", "(argument|attribute|element|field|input|key|option|parameter|propert(y|ie))s?"
    )
    phrases = phrases.replace("<gap>", r"[\s_-]{1,3}")
    return [part.strip() for line in phrases.strip().splitlines() for part in line.split(" | ")]


@cache
def _alternatives(phrases: str) -> re.Pattern[str]:
    """The phrases, each of them captured."""
    return re.compile("|".join(f"({quiet(phrase)})" for phrase in split(phrases)))


@cache
def _vocabulary(phrase: str) -> frozenset[str] | None:
    """The words of a phrase in which there may be others; None where there are no others."""
    phrase = re.sub(r"\(\?!.*\)", "", phrase)
    if not re.search(r"(?<!\\)\.|\\[dwDWS][*+{]|\[\^", phrase):
        return None
    plain = re.sub(r"\\.", " ", phrase)
    spelt = (plain, re.sub(r"\W\?", "", plain), re.sub(r"\w\?", "", plain))
    return frozenset(word for spelling in spelt for word in re.findall(r"[a-z][a-z0-9']*", spelling))


def quiet(phrase: str) -> str:
    """Without captures."""
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", phrase)
