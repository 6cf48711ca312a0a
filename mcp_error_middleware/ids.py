"""A size in, an id out that nobody has and nobody can guess."""

from __future__ import annotations

import os
from random import getrandbits
from typing import Final

_AT_ONCE: Final = 64
_waiting: Final[dict[int, list[str]]] = {}
"""By their size, ids that nobody has yet."""


def new_id(size: int = 6) -> str:
    """So many random bytes, in hex.

    Many are drawn at once: who asks the system lets go of the interpreter's lock, and where another thread is
    at work gets it back milliseconds later.
    """
    waiting = _waiting.setdefault(size, [])
    try:
        return waiting.pop()
    except IndexError:
        first, *others = _drawn(size)
        waiting.extend(others)
        return first


def _drawn(size: int) -> list[str]:
    try:
        drawn = os.urandom(size * _AT_ONCE).hex()
    except Exception:  # noqa: BLE001 - an answer needs a name more than a name needs to be a secret
        return [f"{getrandbits(8 * size):0{2 * size}x}"]
    return [drawn[start : start + 2 * size] for start in range(0, len(drawn), 2 * size)]


if hasattr(os, "register_at_fork"):
    # Parent and child would give the same.
    os.register_at_fork(after_in_child=_waiting.clear)
