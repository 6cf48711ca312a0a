"""What OTel's exporters say of themselves in, each thing once an hour out.

They try again every few seconds and say so each time: without a collector nothing else could be read.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

AGAIN: Final = 3600.0
"""Seconds until a thing may be said again."""

_KINDS: Final = 1000
_TALKATIVE: Final = ("opentelemetry.exporter.", "opentelemetry.sdk.")


class Once(logging.Filter):
    """Lets a message of a logger pass once in a while, whatever is filled in."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = (record.name, str(record.msg)), self._clock()
        if now - self._said.get(kind, -AGAIN) < AGAIN:
            return False
        if len(self._said) >= _KINDS:
            self._said.clear()
        self._said[kind] = now
        return True


def say_once() -> None:
    """Let the loggers that exporters have by now say each thing once."""
    once = Once()
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(_TALKATIVE):
            # At the logger itself: what a logger passes on, no filter of another is asked about.
            logging.getLogger(name).addFilter(once)
