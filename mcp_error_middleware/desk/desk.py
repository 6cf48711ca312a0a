"""Failure in, a row on the page out; and the page itself."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Lock, Thread
from typing import Any, Final, TypeAlias

from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_error_middleware.desk.pages import pages
from mcp_error_middleware.desk.store import Store, title
from mcp_error_middleware.model import Failure
from mcp_error_middleware.render import error_text, jsonrpc_error
from mcp_error_middleware.telemetry import forks
from mcp_error_middleware.telemetry.listeners import listen
from mcp_error_middleware.telemetry.logs import record, trace_ids
from mcp_error_middleware.told import stand_in

_LOG: Final = logging.getLogger("mcp_error_middleware.desk")
_QUEUE: Final = 5_000
_BATCH: Final = 500

_Told: TypeAlias = "Queue[tuple[Failure, str | None]]"


@dataclass(eq=False)
class Desk:
    """An ASGI app that shows the failures of this process, and of all that share its file.

    Without a token it answers only to this machine. `trace_url` is where a trace can be read:
    `http://localhost:16686/trace/{trace_id}`.
    """

    path: str | os.PathLike[str] | None = None
    token: str | None = field(default=None, repr=False)
    trace_url: str | None = None
    max_age: float = 7 * 86_400.0
    """Seconds after which a failure is forgotten."""
    max_bytes: int = 256 * 1024 * 1024
    store: Store = field(init=False, repr=False)
    dropped: int = field(default=0, init=False)
    """Failures that came faster than they could be written."""

    def __post_init__(self) -> None:
        # An empty one, of a variable that is not set, would let everybody in.
        self.token = self.token or None
        path = Path(self.path) if self.path is not None else None
        self.store = Store(path, max_age=self.max_age, max_bytes=self.max_bytes)
        forks.begin(self)
        self._app: ASGIApp = pages(self)
        listen(self.observe)

    def begin(self) -> None:
        """With nothing to write yet."""
        self._queue: _Told = Queue(_QUEUE)
        self._lock = Lock()
        self._is_writing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def observe(self, failure: Failure) -> None:
        """An observer: never waits; what does not fit in the queue is counted."""
        try:
            # Without the exception: its frames hold on to whatever the handler had in hand.
            self._queue.put_nowait((replace(failure, exception=None), trace_ids().get("trace_id")))
        except Full:
            self.dropped += 1
        if not self._is_writing:
            self._start_writing()

    def _start_writing(self) -> None:
        with self._lock:
            if not self._is_writing:
                Thread(
                    target=_write, args=(self._queue, self.store), name="mcp-error-desk", daemon=True
                ).start()
                # Only now: where none could be started, the next failure tries again.
                self._is_writing = True

    def flush(self) -> None:
        """Wait until everything told so far is written."""
        self._queue.join()


def _write(told: _Told, store: Store) -> None:
    """As long as the process lives: take what there is, and write it down at once."""
    while True:
        batch = [told.get()]
        with suppress(Empty):
            while len(batch) < _BATCH:
                batch.append(told.get_nowait())
        try:
            store.add([_record(failure, trace_id) for failure, trace_id in batch])
        except Exception as error:  # noqa: BLE001 - nobody waits for this thread
            _LOG.error("the desk lost %d failures", len(batch), exc_info=stand_in(error))
        for _ in batch:
            told.task_done()


def _record(failure: Failure, trace_id: str | None) -> dict[str, Any]:
    """What the log has, and beside it what the agent saw."""
    logged = record(failure)
    return {
        **logged,
        "title": title(logged),
        "time": failure.time,
        "trace_id": trace_id,
        "hint": failure.hint.text,
        "answer": _answer(failure),
    }


def _answer(failure: Failure) -> str:
    if failure.call.method == "tools/call":
        return error_text(failure)
    error = jsonrpc_error(failure)
    return f"JSON-RPC error {error['code']}: {error['message']}"
