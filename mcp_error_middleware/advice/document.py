"""What could not be read or computed and the arguments of a call in, the argument that it is out.

Whose document was broken, no parser can tell; but it, or its exception, still holds what it was given. What
the caller wrote is the caller's to mend; what was fetched or kept is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeAlias

from mcp_error_middleware.lazy import lazy

_LOOKED_AT: Final = 20
"""Arguments, and values that are held."""

_LONG: Final = 100_000
"""Bytes that are compared with what was sent."""

_WRITTEN: Final = lazy(r'(?!\w+:/|[\w.~-]*/)[^{}()\[\]<>=;|*+^"]*+[{}()\[\]<>=;|*+^"]')
"""A text in some language; a parser that fetches what it reads holds names, paths and addresses too."""

_TERM: Final = lazy(r"[-+*/%^(\[.]")
"""What a text has in it that can fail when it is computed."""

Held: TypeAlias = tuple[Iterable[object], Iterable[Iterable[object]]]
"""What an exception was made with, and what was in each of the hands that it passed through last."""


def unread(chain: Iterable[Held], arguments: object) -> str | None:
    """The name of the argument that a parser did not read, by what it and its exceptions hold."""
    if not isinstance(arguments, Mapping):
        return None
    sent: dict[str, str] = {
        value: name for name, value in islice(arguments.items(), _LOOKED_AT) if _is_text(name, value)
    }
    if not sent:
        return None
    for made_with, hands in chain:
        handed = [[*islice(values, _LOOKED_AT)] for values in hands]
        # Nobody makes bytes of a name to look under.
        kept = {*texts(made_with), *(text for values in handed for text in _decoded(values))}
        held = {text for values in handed for text in texts(values)}
        for value, name in sent.items():
            if value in kept or (value in held and _WRITTEN.match(value)):
                return name
    return None


def computed(hands: Iterable[Iterable[object]], arguments: object) -> str | None:
    """The name of the argument that is a term which could not be computed, by what is in these hands."""
    if not isinstance(arguments, Mapping):
        return None
    held = {text for values in hands for text in texts(values) if _TERM.search(text)}
    sent = islice(arguments.items(), _LOOKED_AT)
    return next((name for name, value in sent if _is_text(name, value) and value in held), None)


def _is_text(name: object, value: object) -> bool:
    return type(name) is str and type(value) is str and value != ""


def _decoded(values: Iterable[object]) -> Iterator[str]:
    """Those that are bytes, as the texts they were made of."""
    for value in values:
        if type(value) is bytes and len(value) <= _LONG:
            yield value.decode(errors="replace")


def texts(values: Iterable[object]) -> Iterator[str]:
    """Those of the first of them that are texts."""
    return (value for value in islice(values, _LOOKED_AT) if type(value) is str)
