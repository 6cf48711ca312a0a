"""Chain in, stable group out.

Two failures are the same (`exact`) when the same types came through the same functions with the same
message but for its ids, times and paths; they are of one sort (`family`) when the same root type came out
of the same function. Line numbers, file paths and values do not count, so that a moved line or another
customer's id opens no new group.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby

from mcp_error_middleware.model import Cause, Fingerprint, Frame
from mcp_error_middleware.taxonomy import ErrorCode

_MESSAGE = 200
_FRAMES = 5
_NAME = 3
"""Letters by which a name is told from a part of any word."""

_QUOTED = re.compile(r"'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"")
_PUNCTUATION = ".,;:!?()[]<>"
_OF_PYDANTIC = re.compile(r"\d+ validation errors? for ")
_INVENTED = re.compile(
    r"^\S[^\n]*(?:(?=\n  (?:Unexpected keyword argument|Extra inputs are not permitted) \[)|\Z)", re.MULTILINE
)
"""A place that a caller made up, in what pydantic says; or any that the text ends in: it was cut there."""


def fingerprint(code: ErrorCode, causes: Sequence[Cause], target: str | None = None) -> Fingerprint:
    """The group of a failure, from its code and its chain; `target` may be anybody's invention."""
    if not causes:
        return Fingerprint(_digest(code.label), _digest(code.label))
    root = _root(causes)
    places = _places(causes[0].frames)
    origin = places if root is causes[0] else _places(root.frames) or places
    family = (code.label, root.type, *origin[-1:])
    exact = (*family, *[cause.type for cause in causes[:10]], *places, template(root.message, target))
    return Fingerprint(_digest(*exact), _digest(*family))


def template(message: str, target: str | None = None) -> str:
    """The message without what changes from call to call: quoted values, ids, numbers, times, paths."""
    text = message[:_MESSAGE]
    if _OF_PYDANTIC.match(text):
        text = _INVENTED.sub("*", message[: 2 * _MESSAGE])[:_MESSAGE]
    is_named = target and len(target) >= _NAME and target in text
    return _template(text, target if is_named else None)


# What a driver says at the root of a chain, it says again.
@lru_cache(maxsize=1024)
def _template(text: str, target: str | None) -> str:
    if target:
        text = text.replace(target, "*")
    if "'" in text or '"' in text:
        text = _QUOTED.sub("*", text)
    words = [word if word.isalpha() or _is_word(word) else "*" for word in text.split()]
    said = " ".join(words)
    while "* *" in said:  # lists differ in length
        said = said.replace("* *", "*")
    return said


def _is_word(text: str) -> bool:
    return text.strip(_PUNCTUATION).replace("_", "").isalpha()


def _root(causes: Sequence[Cause]) -> Cause:
    """The deepest link that is no sibling: groups count by their first member."""
    root = causes[0]
    for cause in causes[1:]:
        if cause.depth <= root.depth or cause.relation == "suppressed":
            break
        root = cause
    return root


@lru_cache(maxsize=1024)
def _places(frames: tuple[Frame, ...]) -> tuple[str, ...]:
    """The innermost functions of the app; where it has none in it, of anybody."""
    of_the_app = [frame.function for frame in frames if frame.in_app]
    # How deep a function called itself does not count either.
    functions = [function for function, _ in groupby(of_the_app or [frame.function for frame in frames])]
    return tuple(functions[-_FRAMES:])


@lru_cache(maxsize=1024)
def _digest(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()
