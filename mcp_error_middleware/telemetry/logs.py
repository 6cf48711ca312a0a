"""Failure in, one JSON line on standard error out; of a storm of the same, a few lines and a count.

With a structlog set-up of your own the line goes through that instead, and with handlers on the logger
`mcp_error_middleware` through those. Standard output is never touched. A logger provider that is set gets a
record of each line, by a bridge of OTel's own among them or else from here.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet

import orjson

from mcp_error_middleware.model import Call, Cause, Failure
from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.clean import printable
from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry import forks, names
from mcp_error_middleware.telemetry.console import draw

LEVELS: Final[Mapping[Fault, int]] = {
    Fault.CALLER: logging.WARNING,
    Fault.UPSTREAM: logging.ERROR,
    Fault.SERVER: logging.ERROR,
}
"""Whose fault it is decides how loud the line is."""

WINDOW: Final = 60.0
"""Seconds in which failures that are the same count as one storm."""

_KINDS: Final = 1000
"""Storms that are followed at once; the oldest gives way."""

_STDLIB: Final = logging.getLogger(names.SCOPE)

_TEXT: Final = 500
"""Characters of what a client calls a thing."""


def log_failure(failure: Failure) -> None:
    """An observer: one line with the whole cause chain."""
    write(LEVELS[failure.fault], names.FAILURE_EVENT, record(failure))


def record(failure: Failure) -> dict[str, Any]:
    """The failure as the fields of a log line; only what is there."""
    call = failure.call
    fields = {
        "error_id": failure.error_id,
        "code": failure.code.label,
        "fault": failure.fault.value,
        "message": failure.message,
        "method": repeatable(call.method),
        "target": _target(call),
        "transport": call.transport,
        "request_id": _cut(call.request_id),
        "session_id": call.session_id and session_name(call.session_id),
        "correlation_id": call.correlation_id,
        **trace_ids(),
        "reason": failure.reason,
        "retryable": failure.retryable,
        "retry_after": failure.retry_after,
        "status": failure.status,
        "evidence": f"{failure.evidence.source}: {failure.evidence.detail}" if failure.evidence else None,
        "fingerprint": failure.fingerprint.exact,
        "family": failure.fingerprint.family,
        "redactions": dict(failure.redactions) or None,
        "degraded": list(failure.degraded) or None,
        "causes": [_cause(cause) for cause in failure.causes],
    }
    return {name: value for name, value in fields.items() if value is not None}


def _target(call: Call) -> str | int | None:
    if call.shown is not None and call.method.startswith("resources/"):
        return repeatable(call.shown)
    return _cut(call.shown)


@lru_cache(maxsize=1024)
def repeatable(word: str) -> str:
    """What a client calls a thing, as a record may repeat it."""
    return _in_one_line(sanitize_text(word[:_TEXT]))


@lru_cache(maxsize=1024)
def session_name(session_id: str) -> str:
    """Its id; where that may be a token, no more than tells the session from others."""
    if (name := repeatable(session_id)) == session_id:
        return name
    return f"session-{sha256(session_id.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _cut(name: str | int | None) -> str | int | None:
    if isinstance(name, str):
        return _in_one_line(printable(name[:_TEXT]))
    # A number that JSON writers refuse is still an id.
    return name if name is None or name.bit_length() < 64 else hex(name)[:_TEXT]


def _in_one_line(text: str) -> str:
    return text.replace("\n", " ")


def _cause(cause: Cause) -> dict[str, Any]:
    fields = {
        "type": cause.type,
        "message": cause.message,
        "relation": cause.relation,
        "depth": cause.depth,
        "notes": list(cause.notes) or None,
        "frames": [f"{frame.file}:{frame.line} in {frame.function}" for frame in cause.frames] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def trace_ids() -> dict[str, str]:
    """The ids of the span that is current, where somebody makes any."""
    trace = sys.modules.get("opentelemetry.trace")
    context = trace.get_current_span().get_span_context() if trace else None
    if trace is None or context is None or not context.is_valid:
        return {}
    return {
        "trace_id": trace.format_trace_id(context.trace_id),
        "span_id": trace.format_span_id(context.span_id),
    }


# --- storms -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Storm:
    """Failures that are the same, since the first of them."""

    begun: float
    level: int
    written: int = 0
    held: int = 0
    summary: dict[str, Any] = field(default_factory=dict)
    """Of those held back. Never a failure itself: that would keep its exception, and all it refers to."""


@dataclass(eq=False)
class FailureLog:
    """An observer: the first failures of a kind in full, the rest as a number once their minute is over."""

    burst: int = 10
    console: bool | None = None
    clock: Callable[[], float] = time.monotonic
    window: float = WINDOW

    def __post_init__(self) -> None:
        forks.begin(self)
        _logs.add(self)

    def begin(self) -> None:
        """With nothing seen yet."""
        self._storms: dict[tuple[str, str | None], _Storm] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __call__(self, failure: Failure) -> None:
        with self._lock:
            over = self._over()
            is_held = self._held(failure)
        for storm in over:
            self._summarise(storm)
        if not is_held:
            write(LEVELS[failure.fault], names.FAILURE_EVENT, record(failure), console=self.console)

    def flush(self, *, everything: bool = True) -> None:
        """Write the numbers of the storms that are over, or of every one."""
        with self._lock:
            self._timer = None
            over = self._over(everything=everything)
            if self._storms:
                self._await()
        for storm in over:
            self._summarise(storm)

    def _held(self, failure: Failure) -> bool:
        kind = failure.fingerprint.exact or failure.code.label, failure.reason
        storm = self._storms.setdefault(kind, _Storm(self.clock(), LEVELS[failure.fault]))
        if not self.burst or storm.written < self.burst:
            storm.written += 1
            return False
        storm.held += 1
        storm.summary = storm.summary or _summary(failure)
        storm.summary["last_error_id"] = failure.error_id
        self._await()
        return True

    def _over(self, *, everything: bool = False) -> list[_Storm]:
        """The storms to forget: those whose minute has passed, and the oldest of too many."""
        until, over = self.clock() - self.window, []
        while self._storms:
            key, storm = next(iter(self._storms.items()))
            if not everything and storm.begun > until and len(self._storms) <= _KINDS:
                break
            over.append(self._storms.pop(key))
        return over

    def _await(self) -> None:
        """See to it that a storm nobody adds to is told of as well."""
        if self._timer is None:
            self._timer = threading.Timer(self.window, partial(self.flush, everything=False))
            self._timer.daemon = True
            with suppress(RuntimeError):  # the interpreter is on its way out, and will flush
                self._timer.start()

    def _summarise(self, storm: _Storm) -> None:
        if storm.held:
            fields = {"count": storm.held, **storm.summary}
            write(storm.level, names.SUMMARY_EVENT, fields, console=self.console)


def _summary(failure: Failure) -> dict[str, Any]:
    fields = {
        "first_error_id": failure.error_id,
        "last_error_id": failure.error_id,
        "code": failure.code.label,
        "fault": failure.fault.value,
        "message": failure.message,
        "method": repeatable(failure.call.method),
        "target": _target(failure.call),
        "transport": failure.call.transport,
        "reason": failure.reason,
        "fingerprint": failure.fingerprint.exact,
        "family": failure.fingerprint.family,
    }
    return {name: value for name, value in fields.items() if value is not None}


_logs: WeakSet[FailureLog] = WeakSet()


@atexit.register
def flush() -> None:
    """Write what every log still holds back, and what is left of a line."""
    for log in list(_logs):
        log.flush()
    for stream in list(_pipes.rests):
        with suppress(Exception):  # closed meanwhile
            pour(stream, b"")


# --- where a line goes --------------------------------------------------------------------------


def write(level: int, event: str, fields: Mapping[str, Any], *, console: bool | None = None) -> None:
    """One line, through the user's own set-up or else to standard error; and one OTel log record."""
    logger, is_record = None, False
    try:
        if (logger := _users_own(fields)) is not None:
            is_record = _makes_records(logger)
            _hand_over(logger, level, event, fields)
    except Exception:  # noqa: BLE001 - a set-up that cannot take the line must not lose it
        _write(level, event, fields, console)
        _complain()
    else:
        if logger is None:
            _write(level, event, fields, console)
    if not is_record:
        _emit(level, event, fields)


def _users_own(fields: Mapping[str, Any]) -> Any:
    """The logger of the user's own set-up, where there is one."""
    if (logger := _structlog(fields)) is not None:
        return logger
    return _STDLIB if _STDLIB.handlers else None


def _hand_over(logger: Any, level: int, event: str, fields: Mapping[str, Any]) -> None:
    if logger is _STDLIB:
        text = _json({"event": event, **fields}).decode()
        logger.log(level, "%s", text, extra={"failure": fields})
    else:
        # By name: not every kind of logger that structlog has can be asked for a level.
        getattr(logger, logging.getLevelName(level).lower())(event, **fields)


def _makes_records(logger: Any) -> bool:
    """Whether a bridge of OTel's own makes a record of what this logger gets."""
    below = getattr(logger, "_logger", logger)  # structlog's write by way of another
    bridges = list(getattr(logger, "_processors", None) or ())
    while isinstance(below, logging.Logger):
        bridges += below.handlers
        below = below.parent if below.propagate else None
    return any(base.__module__.startswith("opentelemetry.") for it in bridges for base in type(it).__mro__)


def _complain() -> None:
    from mcp_error_middleware.telemetry.operation import complain  # with it comes OpenTelemetry

    with suppress(Exception):  # it is told by way of the same set-up
        complain("log", "the logging set-up of this process cannot take it; it is on standard error")


def _structlog(fields: Mapping[str, Any]) -> Any:
    """The logger of the user's own structlog set-up, never printing into a stdio server's messages."""
    structlog = sys.modules.get("structlog")
    if structlog is None or not structlog.is_configured():
        return None
    logger = structlog.get_logger(names.SCOPE).bind()
    if hasattr(type(logger), "sync_bl"):
        # One that has to be awaited has one beside it that has not.
        logger = logger.sync_bl
    output: Any = getattr(logger, "_logger", None)
    beside = _beside(getattr(output, "_file", None)) if fields.get("transport") == "stdio" else None
    return logger if beside is None else structlog.wrap_logger(type(output)(beside))


def _beside(file: object) -> Any:
    """Where to print instead of standard output; None for any other file."""
    for stdout in filter(None, (sys.stdout, sys.__stdout__)):
        if file is stdout:
            return sys.stderr
        if file is getattr(stdout, "buffer", stdout):
            return getattr(sys.stderr, "buffer", None)
    return None


def _write(level: int, event: str, fields: Mapping[str, Any], console: bool | None) -> None:
    stream: Any = sys.stderr
    if stream is None:
        return
    if stream.isatty() if console is None else console:
        stream.write(draw(event, fields, is_colourful=_is_colourful(stream)))
    elif getattr(stream, "buffer", None) is not None:
        # The line whole, whoever else writes.
        stream.flush()
        pour(stream.buffer, _line(level, event, fields))
    else:
        stream.write(_line(level, event, fields).decode())
    stream.flush()


def _is_colourful(stream: Any) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


_PIPE: Final = 4096
"""Bytes that a pipe which takes any takes whole."""


class _Pipes:
    """What is left of lines that were begun when their pipe became full; and one writer at a time."""

    def begin(self) -> None:
        self.rests: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()
        self.lock = threading.Lock()


_pipes: Final = _Pipes()
forks.begin(_pipes)


def pour(stream: Any, line: bytes) -> None:
    """Write without ever waiting for a reader, and no line into another.

    What a full pipe takes none of is lost, and counted; what it takes a part of is ended before the next.
    """
    rests = _pipes.rests
    with _pipes.lock:
        rest = _poured(stream, (rests.pop(stream, b"") if rests else b"") + line)
        is_lost = bool(line) and len(rest) >= len(line)
        if rest := rest[: len(rest) - len(line)] if is_lost else rest:
            rests[stream] = rest
    if is_lost:
        from mcp_error_middleware.telemetry.metrics import instruments

        instruments().dropped("log")


def _poured(stream: Any, text: bytes) -> bytes:
    """What the stream did not take."""
    for start in range(0, len(text), _PIPE):
        if not _takes_more(stream):
            return text[start:]
        stream.write(text[start : start + _PIPE])
        stream.flush()
    return b""


def _takes_more(stream: Any) -> bool:
    try:
        poll = select.poll()
        poll.register(stream.fileno(), select.POLLOUT)
    except (AttributeError, OSError, ValueError):  # no pipe, or a system that cannot tell
        return True
    return bool(poll.poll(0))


def _line(level: int, event: str, fields: Mapping[str, Any]) -> bytes:
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    line = {**fields, "event": event, "level": logging.getLevelName(level).lower(), "timestamp": now}
    return _json(line) + b"\n"


def _json(value: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(value, default=str)
    except TypeError:
        # Half a surrogate pair, in what nobody scrubbed.
        return json.dumps(value, default=str).encode()


def _emit(level: int, event: str, fields: Mapping[str, Any]) -> None:
    if "opentelemetry._logs" in sys.modules:
        from mcp_error_middleware.telemetry.records import emit_line

        emit_line(level, event, fields)
