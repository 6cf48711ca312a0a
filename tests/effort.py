"""A piece of work in, what it costs out: so many times what adding up a million numbers costs here."""

from __future__ import annotations

import time
from collections.abc import Callable


def effort(work: Callable[[], object]) -> float:
    """The processor's time for the work, beside the slower of two sums around it."""
    before = _spent(_sum)
    spent = _spent(work)
    return spent / max(before, _spent(_sum)) / 10


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _sum() -> None:
    sum(range(100_000))
