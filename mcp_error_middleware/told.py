"""Exception in, what records may have of it out."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from mcp_error_middleware.classify import cause_of, qualified_name, safe_str, traceback_of
from mcp_error_middleware.sanitize import sanitize_text

_LINKS: Final = 20
_REJECTED: Final = re.compile(
    r"(?<=\[type=)([^\[\],\n]{1,100}, )input_value=(?:.*?, (?=input_type=[^\]\n]{1,200}\])|.*\Z)", re.DOTALL
)
"""What pydantic was given, to where it says of what type that was, or to where the text was cut."""
_INSTANCE: Final = "\n\nOn instance"
"""What jsonschema was given follows, to the end."""


class Scrubbed(Exception):
    """Stands for an exception in the log, with its places and the words it may have there."""


def words_of(exc: BaseException) -> str:
    """What it says, without the values that a validator rejected; not scrubbed yet."""
    return without_rejected(safe_str(exc))


def without_rejected(text: str) -> str:
    """A text without the values that pydantic or jsonschema rejected in it."""
    if "input_value=" in text:
        text = _REJECTED.sub(r"\1", text)
    return _without_instance(text) if _INSTANCE in text else text


def _without_instance(text: str) -> str:
    said, _, given = text.partition(_INSTANCE)
    value = given.partition(":\n")[2].strip()
    return f"the value{said[len(value) :]}" if value and said.startswith(value) else said


def stand_in(error: BaseException, scrub: Callable[[str], str] = sanitize_text) -> Scrubbed:
    """An exception and its causes, to be logged; what it was raised in the face of is left out."""
    link, told = error, list[Scrubbed]()
    while len(told) < _LINKS:
        said = Scrubbed(f"{qualified_name(type(link))}: {scrub(words_of(link))}")
        told.append(said.with_traceback(traceback_of(link)))
        if (below := cause_of(link)) is None:
            break
        link = below
    for above, cause in pairwise(told):
        above.__cause__ = cause
    return told[0]
