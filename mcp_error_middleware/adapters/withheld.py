"""A framework's own log records about exceptions in; out again those of exceptions nobody answered for.

Such a record has the exception as it was raised, secrets and all, and its traceback costs more than the call.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final
from weakref import WeakKeyDictionary, finalize

from mcp_error_middleware.classify.chain import cause_of, walk
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.telemetry.listeners import tell_listeners
from mcp_error_middleware.telemetry.operation import Noted

_MOST: Final = 20
"""Records that are kept back of one request."""


@dataclass(slots=True, eq=False, kw_only=True)
class Withheld:
    """The records about the exceptions of one request, until it is answered."""

    policy: ErrorPolicy
    withheld: list[tuple[logging.LogRecord, BaseException]] | None = None
    is_open: bool = True

    def settle(self, exc: BaseException) -> None:
        """Drop the records of what was answered: the observers have it, with every cause."""
        # As a rule about what the framework wrapped; it takes time to look further down.
        for answered in chain((exc, cause_of(exc)), (link.exc for link in walk(exc))):
            if not self.withheld:
                break
            self.withheld = [(record, about) for record, about in self.withheld if about is not answered]

    def close(self) -> None:
        """Let go of the others: of failures somebody dealt with inside."""
        self.is_open = False
        for record, _ in self.withheld or ():
            with suppress(Exception):  # a handler may raise over what it is to write, and the answer is made
                logging.getLogger(record.name).handle(record)


@dataclass(frozen=True, slots=True)
class Withholding:
    """Keeps back what some loggers say of the request at hand, as long as any layer is at work."""

    current: ContextVar[Any]
    """What is being served: a `Withheld`, or nothing."""
    loggers: tuple[str, ...]
    at_work: WeakKeyDictionary[object, finalize[..., object]] = field(default_factory=WeakKeyDictionary)

    def begin(self, layer: object) -> None:
        self.end(layer)
        # A server nobody needs any more leaves nothing behind.
        gone = finalize(layer, self._set)
        gone.atexit = False
        self.at_work[layer] = gone
        self._set()

    def end(self, layer: object) -> None:
        if (gone := self.at_work.pop(layer, None)) is not None:
            gone.detach()
        self._set()

    def _set(self) -> None:
        is_needed = any(True for _ in self.at_work)
        for logger in map(logging.getLogger, self.loggers):
            logger.addFilter(self.filter) if is_needed else logger.removeFilter(self.filter)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record passes: one about an exception of a request waits for its answer."""
        request: Withheld | None = self.current.get()
        exc = sys.exception()
        if request is None or exc is None or not (request.is_open and _is_told(request.policy)):
            return True
        if request.withheld is None:
            request.withheld = []
        if len(request.withheld) >= _MOST:
            return True
        request.withheld.append((record, exc))
        return False


def _is_told(policy: ErrorPolicy) -> bool:
    """Whether anybody else is told of a failure."""
    return any(
        not isinstance(observer, Noted) and observer is not tell_listeners for observer in policy.observers
    )
