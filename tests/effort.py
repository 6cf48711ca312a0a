"""A piece of work in, what it costs out: so many times what counting to a million costs here and now."""

from __future__ import annotations

import time
from collections.abc import Callable


def effort(work: Callable[[], object]) -> float:
    """The processor's time for the work, beside the slower of two counts around it."""
    before = _spent(_count)
    spent = _spent(work)
    return spent / max(before, _spent(_count))


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _count() -> None:
    for _ in range(1_000_000):
        pass
