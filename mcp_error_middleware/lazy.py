"""A pattern in, the same pattern out, compiled when it is first used: a text needs few of many."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, Final, cast

_METHODS: Final = (
    "findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match", "pattern", "search",
    "split", "sub",
)  # fmt: skip


class _Lazy:
    __slots__ = ("_flags", "_source", *_METHODS)

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        # Reached only until the slots are filled, by the first use of any of them.
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


_waiting: Final[list[_Lazy]] = []


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, later."""
    pattern = _Lazy(source, flags)
    _waiting.append(pattern)
    return cast("re.Pattern[str]", pattern)


def prepare() -> None:
    """Compile what has not been needed yet; what cannot be compiled says so where it is needed."""
    while _waiting:
        with suppress(re.error):
            _ = _waiting.pop().groups
