"""Failures in, as they happen, a sequence of them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import overload

from mcp_error_middleware.model import Failure
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.telemetry.listeners import listen


@dataclass(slots=True, eq=False)
class Failures(Sequence[Failure]):
    """What was triaged so far, of whichever server, in whichever thread."""

    heard: list[Failure] = field(default_factory=list)

    @property
    def last(self) -> Failure:
        if not self.heard:
            raise AssertionError("no failure was triaged; is the middleware installed on the server?")
        return self.heard[-1]

    @property
    def codes(self) -> list[ErrorCode]:
        return [failure.code for failure in self.heard]

    def of(self, target: str) -> list[Failure]:
        """Of one tool or prompt by its name, or of one resource by its URI."""
        return [failure for failure in self.heard if failure.call.target == target]

    def clear(self) -> None:
        self.heard.clear()

    @overload
    def __getitem__(self, index: int) -> Failure: ...

    @overload
    def __getitem__(self, index: slice) -> list[Failure]: ...

    def __getitem__(self, index: int | slice) -> Failure | list[Failure]:
        return self.heard[index]

    def __len__(self) -> int:
        return len(self.heard)


@contextmanager
def recorded() -> Iterator[Failures]:
    """Hear of every failure inside the block."""
    failures = Failures()
    # Not the method of the record itself: that would be forgotten with it.
    stop = listen(lambda failure: failures.heard.append(failure))
    try:
        yield failures
    finally:
        stop()
