"""An object in, the same object begun anew in every forked process out.

No thread outlives a fork, nor does whoever holds a lock; what a parent has queued is the parent's to send.
"""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakSet


class Begun(Protocol):
    """Something whose threads, locks and queues are all made by one method."""

    def begin(self) -> None: ...


_begun: Final[WeakSet[Begun]] = WeakSet()


def begin(it: Begun) -> None:
    """Begin, here and in every process forked from this one."""
    it.begin()
    _begun.add(it)


def _in_child() -> None:
    for it in list(_begun):
        it.begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
