"""Exception in, what records may have of it out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, Final

from mcp_error_middleware.classify import args_of, cause_of, is_stop, qualified_name, safe_str, traceback_of
from mcp_error_middleware.classify.chain import TEXT
from mcp_error_middleware.issues import Given, holes_of
from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.wording import sentence_of

_LINKS: Final = 20
_NONE: Final[Mapping[str, str]] = {}
_REJECTED: Final = re.compile(
    r"(\[type=[^\[\],\n]{1,100}, )input_value=(?:.*?, (?=input_type=[^\]\n]{1,200}\])|.*\Z)", re.DOTALL
)
"""What pydantic was given, to where it says of what type that was, or to where the text was cut."""
_TELLING: Final = 100
"""Characters by which a text is known."""
_INSTANCE: Final = "\n\nOn instance"
"""What jsonschema was given follows, to the end."""


class Scrubbed(Exception):
    """Stands for an exception in the log, with its places and the words it may have there."""


def holes_in(links: Iterable[BaseException], given: Given | None = None) -> dict[str, str]:
    """The sentences of a chain that quote what a validator rejected, each with the one to have instead.

    What wraps an error often says again what it said.
    """
    holes: dict[str, str] = {}
    given = given or Given()
    for exc in links:
        try:
            holes |= holes_of(exc, given)
        except BaseException as error:  # somebody else's object
            if is_stop(error):
                raise
    return holes


def words_of(exc: BaseException, holes: Mapping[str, str] | None = None) -> str:
    """What it says, without the values that a validator rejected; not scrubbed yet."""
    return without_rejected(_said_by(exc), holes_in([exc]) if holes is None else holes)


def _said_by(exc: BaseException) -> str:
    if (rule := _rule_of(exc)) is not None:
        return rule
    whole = safe_str(exc)
    start = whole[:1]
    if start in ("'", '"') and type(exc).__str__ is KeyError.__str__:
        said = _only_text(exc)
        # A sentence is no key, to be quoted.
        return said[:TEXT] if said and said.count(" ") > 1 else whole
    if start != "(" or (said := sentence_of(args_of(exc))) is None:
        return whole
    # Unless it has other words than what it was made with.
    return said[:TEXT] if whole.startswith(f"({said!r}"[:_TELLING]) else whole


def _only_text(exc: BaseException) -> str | None:
    args = args_of(exc)
    return args[0] if len(args) == 1 and type(args[0]) is str else None


def _rule_of(exc: BaseException) -> str | None:
    """What jsonschema says and by which rule, without the schema and the value that it writes out as well."""
    if qualified_name(type(exc)) != "jsonschema.exceptions.ValidationError":
        return None
    found: Any = exc
    try:
        if not isinstance(found.validator, str):
            return None
        said, value = found.message, repr(found.instance)
        said = f"the value{said[len(value) :]}" if said.startswith(value) else said
        place = "".join(f"[{step!r}]" for step in [*found.relative_schema_path][:-1])
        return f"{said}\n\nFailed validating {found.validator!r} in schema{place}"[:TEXT]
    except BaseException as error:
        if is_stop(error):
            raise
        return None


def without_rejected(text: str, holes: Mapping[str, str] = _NONE) -> str:
    """A text without the values that pydantic or jsonschema rejected in it, and with what stands for those
    sentences in it that quote one.
    """
    is_cut = len(text) >= TEXT
    if "input_value=" in text:
        text = _REJECTED.sub(r"\1", text)
    if _INSTANCE in text:
        text = _without_instance(text)
    if not holes:
        return text
    for said in (longest_first := sorted(holes, key=len, reverse=True)):
        text = text.replace(said, holes[said])
    # One that was cut in its middle is at the end.
    return text[: -len(longest_first[0])] if is_cut else text


def _without_instance(text: str) -> str:
    said, _, given = text.partition(_INSTANCE)
    value = given.partition(":\n")[2].strip()
    return f"the value{said[len(value) :]}" if value and said.startswith(value) else said


def stand_in(error: BaseException, scrub: Callable[[str], str] = sanitize_text) -> Scrubbed:
    """An exception and its causes, to be logged; what it was raised in the face of is left out."""
    links = [error]
    while len(links) < _LINKS and (below := cause_of(links[-1])) is not None:
        links.append(below)
    holes = holes_in(links)
    told = [Scrubbed(f"{qualified_name(type(link))}: {scrub(words_of(link, holes))}") for link in links]
    for said, link in zip(told, links, strict=True):
        said.__traceback__ = traceback_of(link)
    for above, cause in pairwise(told):
        above.__cause__ = cause
    return told[0]
