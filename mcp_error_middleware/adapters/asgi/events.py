"""A stream of server-sent events in, the same stream with some of them rewritten out; or only looked at."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import orjson

_END: Final = re.compile(rb"\r\n\r\n|\n\n|\r\r|\n\r\n|\n\r(?=[^\n])")
_OVERLAP: Final = 3
"""As much of an event's end as a chunk's border may hide."""
_BOM: Final = b"\xef\xbb\xbf"
"""What a stream may begin with, and readers skip."""


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
    data = _data(event)
    new = None if data is None else rewrite(data)
    if new is None:
        return event
    end = b"\r\n" if b"\r\n" in event else b"\n"
    others = [line for line in _lines(event) if line and not line.startswith(b"data:")]
    return end.join([*others, b"data: " + new, b"", b""])


# --- whether a stream has answered ----------------------------------------------------------------

_ANSWER: Final = re.compile(
    rb'(?:event: ?message\r?\n)?data: ?\{"jsonrpc":"2\.0",'
    rb'"id":(?:-?\d{1,20}|"[^"\\]{0,200}"),"(?:result|error)":'
)
"""An answer as the SDKs begin it: then there is nothing to look for in the rest of it."""


@dataclass(slots=True)
class Watch:
    """Looks on as a stream passes, holds nothing back, and keeps no more than one unfinished event."""

    limit: int
    pending: bytes = b""
    is_settled: bool = False
    """An answer has passed, or may have: in an event too long to look at, or by resuming this stream."""

    def see(self, chunk: bytes) -> None:
        """Look at a piece of the stream."""
        if self.is_settled or (not self.pending and _ANSWER.match(chunk)):
            self.is_settled = True
            return
        data, start = self.pending + chunk, 0
        for end in _END.finditer(data, max(len(self.pending) - _OVERLAP, 0)):
            self._note(data[start : end.end()])
            start = end.end()
        self.pending = data[start:]
        if len(self.pending) > self.limit:
            self.is_settled, self.pending = True, b""

    def ending(self) -> bytes | None:
        """What ends the event that was begun, for one of ours to follow as this stream's last.

        None where the stream has said what it had to, or is in the middle of it.
        """
        self._note(self.pending)
        if self.is_settled or _data(self.pending) is not None:
            return None
        return b"\r\n\r\n" if self.pending else b""

    def _note(self, event: bytes) -> None:
        # After an event with an id a server may end a stream at will: the client comes back for the rest.
        is_resumable = any(line.startswith(b"id:") for line in _lines(event))
        self.is_settled = self.is_settled or is_resumable or _is_answer(_data(event) or b"")


def _lines(event: bytes) -> list[bytes]:
    return event.removeprefix(_BOM).splitlines()


def _data(event: bytes) -> bytes | None:
    found = [line[5:].removeprefix(b" ") for line in _lines(event) if line.startswith(b"data:")]
    return b"\n".join(found) if found else None


def _is_answer(data: bytes) -> bool:
    """Whether it has an answer in it; what nobody can read may be one."""
    if not data:
        return False
    try:
        said = orjson.loads(data)
    except orjson.JSONDecodeError:
        return True
    return any(_answers(message) for message in (said if isinstance(said, list) else [said]))


def _answers(message: object) -> bool:
    return (
        isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message)
    )
