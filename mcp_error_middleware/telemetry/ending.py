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
        works = [self._flush, *[self._ends(provider) for provider in self.providers]]
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def __call__(self) -> None:
        """Send what is queued; give up what takes too long."""
        if self._asked.is_set():
            return
        self._asked.set()
        self._join(self._threads)

    def flush(self) -> None:
        """Send what is queued, and go on."""
        if self._asked.is_set():
            return
        threads = [
            threading.Thread(target=_quietly, args=(provider.force_flush,), daemon=True)
            for provider in self.providers
        ]
        for thread in threads:
            thread.start()
        self._join(threads)

    def _join(self, threads: list[threading.Thread]) -> None:
        until = time.monotonic() + self.patience
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        if any(thread.is_alive() for thread in threads):
            _LOG.warning(
                "telemetry was not taken within %g seconds; what was queued is given up", self.patience
            )

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
