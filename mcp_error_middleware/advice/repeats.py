"""A failed call in, how often this very call has failed this very way out."""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import Final

import orjson

_LIMIT: Final = 4_096
_WINDOW: Final = 900.0


@dataclass(slots=True)
class Repeats:
    """Counts by session, tool and arguments; bounded, and forgetting after a quarter of an hour.

    Arguments are never kept, only a keyed digest that says nothing outside of this process.
    """

    limit: int = _LIMIT
    window: float = _WINDOW
    clock: Callable[[], float] = time.monotonic
    _key: bytes = field(default_factory=lambda: os.urandom(16), init=False, repr=False)
    _seen: OrderedDict[tuple[Hashable, str, bytes], tuple[Hashable, int, float]] = field(
        default_factory=OrderedDict, init=False, repr=False
    )
    _failed: set[tuple[Hashable, str]] = field(default_factory=set, init=False, repr=False)
    """The sessions and tools of it, so that a success needs no digest where nothing failed."""
    _tools: set[str] = field(default_factory=set, init=False, repr=False)
    """The tools alone, so that of most a success need not even know its session."""
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def __call__(self, session: Hashable, tool: str, arguments: object, code: Hashable) -> int:
        """1 for a failure that is new, 2 for its first repetition, and so on.

        Arguments that cannot be told apart are never the same.
        """
        if (digest := self._digest(arguments)) is None:
            return 1
        key, now = (session, tool, digest), self.clock()
        with self._lock:
            before, count, last = self._seen.pop(key, (code, 0, now))
            count = count + 1 if before == code and now - last <= self.window else 1
            self._seen[key] = (code, count, now)
            self._failed.add(key[:2])
            self._tools.add(tool)
            if len(self._seen) > self.limit:
                self._seen.popitem(last=False)
            if len(self._failed) > 2 * self.limit:
                self._failed = {known[:2] for known in self._seen}
                self._tools = {known[1] for known in self._seen}
        return count

    def has_failed(self, tool: str) -> bool:
        """Whether a call of this tool has, so that there may be something to forget."""
        return tool in self._tools

    def forget(self, session: Hashable, tool: str, arguments: object) -> None:
        """The call went well: what failed before does not count any more."""
        if (session, tool) in self._failed and (digest := self._digest(arguments)) is not None:
            with self._lock:
                self._seen.pop((session, tool, digest), None)

    def _digest(self, arguments: object) -> bytes | None:
        whole = _canonical(arguments)
        # In front of it, as to BLAKE2 that is as good as a key of its own, which takes a block more.
        return None if whole is None else blake2b(self._key + whole, digest_size=12).digest()


_ANY_KEYS: Final = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


def _canonical(arguments: object) -> bytes | None:
    """All of the arguments in one spelling; None for what JSON has no spelling for."""
    try:
        return orjson.dumps(arguments, option=_ANY_KEYS)
    except (TypeError, ValueError, RecursionError):
        pass
    try:
        # Numbers of any size, and halves of surrogate pairs.
        return json.dumps(arguments, sort_keys=True).encode()
    except (TypeError, ValueError, RecursionError):
        return None
