"""A stream of server-sent events in, the same stream with some of them rewritten out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_END: Final = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n|\n\r(?=[^\n])")
_OVERLAP: Final = 3
"""As much of an event's end as a chunk's border may hide."""


@dataclass(slots=True)
class EventFilter:
    """Hands out whole events as they come; holds back only one that is not finished, up to a limit."""

    rewrite: Callable[[bytes], bytes | None]
    """An event's data in, its new data out; None leaves the event as it is."""
    limit: int
    pending: bytes = b""
    is_passing: bool = False
    """Inside of an event that is longer than the limit."""

    def feed(self, chunk: bytes) -> bytes:
        """What can be sent on."""
        data, start, out = self.pending + chunk, 0, []
        for end in _END.finditer(data, max(len(self.pending) - _OVERLAP, 0)):
            out.append(self._event(data[start : end.end()]))
            start = end.end()
        self.pending = data[start:]
        if self.is_passing or len(self.pending) > self.limit:
            self.is_passing = True
            out.append(self.pending[:-_OVERLAP])
            self.pending = self.pending[-_OVERLAP:]
        return b"".join(out)

    def rest(self) -> bytes:
        """What was held back, once nothing more comes."""
        rest, self.pending = self.pending, b""
        return rest if self.is_passing else rewritten(rest, self.rewrite)

    def _event(self, event: bytes) -> bytes:
        if self.is_passing:
            self.is_passing = False
            return event
        return rewritten(event, self.rewrite)


def rewritten(event: bytes, rewrite: Callable[[bytes], bytes | None]) -> bytes:
    """One event with other data, its remaining fields and its line ends as they were."""
    lines = event.splitlines()
    data = [line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:")]
    new = rewrite(b"\n".join(data)) if data else None
    if new is None:
        return event
    end = b"\r\n" if b"\r\n" in event else b"\n"
    others = [line for line in lines if line and not line.startswith(b"data:")]
    return end.join([*others, b"data: " + new, b"", b""])


def says_something(chunk: bytes) -> bool:
    """Whether there is more than comments, which keep a connection alive, in a piece of a stream."""
    return any(line and not line.startswith(b":") for line in chunk.splitlines())
