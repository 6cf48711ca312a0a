"""Where the value of a secret ends in, the other values it is compared with or became out.

`password = "x" -> "y"`, `passwords differ: x vs y`, `password updated: x (was y)`
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation import Notation, Value, value_at
from mcp_error_middleware.sanitize.words import PROSE, is_field, is_harmless, is_known_field, looks_chosen


class Link(NamedTuple):
    """What joins two values."""

    end: int
    is_sign: bool
    """Whether what follows can be nothing but a value."""


_SIGN: Final = lazy(
    r"(?:[\"'`”’)]{1,2}[ ]{0,2}|[ ]{1,2})"
    r"(?:(?:->|=>|→|⇒|!==?|<>|≠|={2,3})[ ]{0,2}|(?:vs\.?|versus)[ ])(?=[^\s\[(])"
)
"""Between a value and the next: `"x" -> "y"`, `x != y`, `x vs y`."""
_WORD: Final = lazy(
    r"[\"'`”’\])]{0,2}(?:[ ]\((?:(?:it|which)[ ])?|[,;]?[ ](?:(?:but|and)[ ])?(?:(?:it|which)[ ])?)"
    r"(?i:(?:is|was)[ ](?:now|previously|formerly)|was|now|new|old|previously|formerly|before|instead[ ]of"
    r"|rather[ ]than|(?:(?:was|has[ ]been)[ ])?(?:changed[ ]to|replaced[ ](?:by|with))|became"
    r"|(?:must[ ](?:not[ ])?)?(?:differs?|be[ ]different)[ ]from|(?:is[ ])?too[ ]similar[ ]to"
    r"|(?:but[ ])?(?:got|have|had|received|found|want(?:ed)?|expected|actual(?:ly)?))"
    r"[ ]?[:=]?[ ](?=\S)"
)
"""The same in words: `x (was y)`, `want x, have y`, `was x, is now y`."""
_NONE: Final = lazy(r"(?i:null|none|nil|unset|empty|sensitive(?: value)?|known after apply)")
"""A value that was none before it became one."""
_MOST: Final = 4


def others(text: str, value: Value, *, is_secret: bool) -> Iterator[tuple[int, int]]:
    """The other values of the same name, one after the other."""
    at = value.end
    if not (is_secret or _is_none(text, value)):
        return
    for _ in range(_MOST):
        link = _link(text, at)
        other = value_at(text, link.end, Notation.BESIDE) if link else None
        if link is None or other is None:
            return
        if _is_other(text, other, link):
            yield other.start, other.end
        at = other.end


def _is_none(text: str, value: Value) -> bool:
    said = text[value.start : value.end]
    return not said or _NONE.fullmatch(said) is not None


def _link(text: str, at: int) -> Link | None:
    if match := _SIGN.match(text, at):
        return Link(match.end(), True)
    match = _WORD.match(text, at)
    return Link(match.end(), False) if match else None


def _is_other(text: str, other: Value, link: Link) -> bool:
    said = text[other.start : other.end]
    if not any(map(str.isalnum, said)) or is_harmless(said) or said.lower().strip(".:!?") in PROSE:
        return False
    if is_known_field(said) or (other.notation is not Notation.QUOTED and is_field(said)):
        return False
    is_sure = link.is_sign or other.notation is Notation.QUOTED
    return is_sure or looks_chosen(said)
