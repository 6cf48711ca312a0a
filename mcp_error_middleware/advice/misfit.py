"""What reads like a slip of the code and the arguments of a call in, the argument that it is about out.

Arrays whose sizes do not go together, and formats that do not read, are mostly the code's own. Of arrays that
the caller sent, the text has the sizes; a template of the caller's was in the hands of what failed, as was a
text that a library could not take apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from mcp_error_middleware.advice.document import texts
from mcp_error_middleware.lazy import lazy

_LOOKED_AT: Final = 20
"""Arguments, and numbers in a text."""
_DEEP: Final = 5
_READ: Final = 1_000
"""Characters of a text, and numbers of an array."""

_OF_SIZES: Final = lazy(r"\b(?:shapes?|dimensions?|sizes?|lengths?|samples|arrays?|axis)\b")
_PLACEHOLDER: Final = lazy(r"\{[^{}]*[:!]|\{[^{}]*$|^[^{}]*\}|%\(|%[a-zA-Z]")
"""With more in it than a name, or not closed: a plain one, or a per cent sign, may be in any text."""
_OF_TEXTS: Final = (
    (lazy(r"\bformat\b|^expected '}'|^single '[{}]'", re.IGNORECASE), _PLACEHOLDER),
    (lazy(r"^(?:not enough|too many) values to unpack\b"), lazy(r"\S")),
)
"""What is said of texts, and what is in those that it may be said of."""
_FOUND: Final = lazy(r".*\bgot ", re.DOTALL)
_NUMBER: Final = lazy(r"(?<![\w.])-?\d{1,9}(?=[dD]?\b)")


def misfit(said: str, arguments: object, hands: Iterable[Iterable[object]]) -> str | None:
    """The name of the argument that is a text which did not read, or an array of the sizes in the text."""
    if not isinstance(arguments, Mapping):
        return None
    sent = [(name, value) for name, value in islice(arguments.items(), _LOOKED_AT) if isinstance(name, str)]
    for kind, written in _OF_TEXTS:
        if kind.search(said):
            held = {text for values in hands for text in texts(values) if written.search(text)}
            return next((name for name, value in sent if type(value) is str and value in held), None)
    if not _OF_SIZES.search(said):
        return None
    # What was found, where a text says that; else all it names, up to where it goes on to advise.
    line = _FOUND.sub("", said[:_READ].partition("\n")[0])
    named = {int(number) for number in islice(_NUMBER.findall(line), _LOOKED_AT)}
    sizes = {name: {*_sizes(value)} for name, value in sent if type(value) is list}
    # A side is counted from nothing.
    known = {0, *_numbers(value for _, value in sent)}.union(*sizes.values())
    if not named <= known:
        return None
    return next((name for name, own in sizes.items() if own & named), None)


def looked_up(missed: Iterable[object], arguments: object) -> str | None:
    """The name of the argument that a library did not have or take: the text that was the key, the number
    that was the index, or either in what it says. People count from one, and code from nothing.
    """
    if not isinstance(arguments, Mapping):
        return None
    missed = [*islice(missed, _LOOKED_AT)]
    keys = [key for key in missed if type(key) is str]
    said = " ".join(key[:_READ] for key in keys if " " in key)
    indexes = {index + more for index in missed if type(index) is int and index > 1 for more in (0, 1)}
    numbers = indexes.union(map(int, _NUMBER.findall(said)))
    for name, value in islice(arguments.items(), _LOOKED_AT):
        if any(_is_short(name, each) and (each in keys or repr(each) in said) for each in _few(value)):
            return str(name)
        if type(value) is int and value in numbers:
            return str(name)
    return None


def quoted(said: str, arguments: object) -> str | None:
    """The name of the argument whose very value is in the text, as Python writes it."""
    if not isinstance(arguments, Mapping):
        return None
    sent = islice(arguments.items(), _LOOKED_AT)
    return next((name for name, value in sent if _is_short(name, value) and repr(value) in said), None)


def _is_short(name: object, value: object) -> bool:
    return isinstance(name, str) and type(value) is str and 0 < len(value) < _READ


def _sizes(value: object) -> Iterator[int]:
    """How many there are along each side of an array and in all, and how many sides it has."""
    total, sides = 1, 0
    while type(value) is list and sides < _DEEP:
        yield len(value)
        total, sides = total * len(value), sides + 1
        value = value[0] if value else None
    yield from (total, sides)


def _numbers(values: Iterable[object]) -> Iterator[int]:
    """Those that were sent as such, also the few of a list."""
    return (each for value in values for each in _few(value) if type(each) is int)


def _few(value: object) -> Iterable[object]:
    """What is in a short list; anything else is one."""
    return value if type(value) is list and len(value) <= _DEEP else (value,)
