"""Providers in, everything they hold sent out, in the time there is."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from mcp_error_middleware.telemetry import forks
from mcp_error_middleware.telemetry.logs import flush as flush_logs

_LOG: Final = logging.getLogger("mcp_error_middleware")

_HASTE: Final = 1.0
"""Seconds that a server which is told to end may be kept for, and between two looks at what came since."""

_LOOKS: Final = 60
"""Who has not ended by then may not mean to."""

_endings: Final[list[Ending]] = []


def flush() -> None:
    """Send what is queued, and go on; for the end of an app, after which its server may just die."""
    flush_logs()
    for ending in _endings:
        ending.flush()


def shutdown() -> None:
    """Send what is queued and stop; what cannot be sent in time is given up."""
    for ending in _endings:
        ending()


def hurry() -> None:
    """Send what is queued, and what still comes: somebody else ends the process, and may just end it."""
    for ending in _endings:
        ending.hurry()


class Ending:
    """The last thing a process does about its telemetry; a second time does nothing.

    Its threads wait from the start: an interpreter on its way out starts none, and a signal may have
    interrupted one that holds a lock. All providers end at the same time, so that none waits for another.
    """

    def __init__(self, providers: tuple[Any, ...], patience: float) -> None:
        self.providers = providers
        self.patience = patience
        forks.begin(self)
        _endings.append(self)

    def begin(self) -> None:
        self._asked, self._flushed = threading.Event(), threading.Event()
        self._hurried, self._sent = threading.Event(), threading.Event()
        works = [self._flush, *[self._ends(provider) for provider in self.providers]]
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in (*self._threads, threading.Thread(target=self._go_on, daemon=True)):
            thread.start()

    def __call__(self) -> None:
        """Send what is queued; give up what takes too long."""
        if self._asked.is_set():
            return
        self._asked.set()
        self._join(self._threads)

    def hurry(self) -> None:
        """Send what is queued, and go on doing so; for a handler of signals, as a call is."""
        self._hurried.set()
        self._sent.wait(min(_HASTE, self.patience))

    def flush(self) -> bool:
        """Send what is queued, and go on; whether it was taken."""
        if self._asked.is_set():
            return False
        threads = [
            threading.Thread(target=_quietly, args=(provider.force_flush,), daemon=True)
            for provider in self.providers
        ]
        for thread in threads:
            thread.start()
        return self._join(threads)

    def _join(self, threads: list[threading.Thread]) -> bool:
        until = time.monotonic() + self.patience
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        if is_late := any(thread.is_alive() for thread in threads):
            _LOG.warning(
                "telemetry was not taken within %g seconds; what was queued is given up", self.patience
            )
        return not is_late

    def _go_on(self) -> None:
        self._hurried.wait()
        for _ in range(_LOOKS):
            _quietly(flush_logs)
            is_taken = self.flush()
            self._sent.set()
            if not is_taken or self._asked.wait(_HASTE):
                break

    def _flush(self) -> None:
        self._asked.wait()
        _quietly(flush_logs)
        self._flushed.set()

    def _ends(self, provider: Any) -> Any:
        def end() -> None:
            # What the log holds back becomes records first.
            self._flushed.wait()
            _quietly(provider.shutdown)

        return end


def _quietly(step: Callable[[], object]) -> None:
    with suppress(Exception):
        step()
