"""Failure in, one JSON line on standard error out; of a storm of the same, a few lines and a count.

With a structlog set-up of your own the line goes through that instead, and with handlers on the logger
`mcp_error_middleware` or on the root logger through those. Standard output is never touched. A logger
provider that is set gets a record of each line, by a bridge of OTel's own among them or else from here.
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
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet

import orjson

from mcp_error_middleware.model import Call, Cause, Evidence, Failure, Frame
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
        "request_id": request_name(call.request_id),
        "session_id": call.session_id and id_name(call.session_id, "session"),
        "correlation_id": call.correlation_id and id_name(call.correlation_id, "correlation"),
        **trace_ids(),
        "reason": failure.reason,
        "retryable": failure.retryable,
        "retry_after": failure.retry_after,
        "status": failure.status,
        "evidence": evidence_name(failure.evidence),
        "fingerprint": failure.fingerprint.exact,
        "family": failure.fingerprint.family,
        "redactions": dict(failure.redactions) or None,
        "degraded": list(failure.degraded) or None,
        "causes": [_cause(cause) for cause in failure.causes],
    }
    return {name: value for name, value in fields.items() if value is not None}


def _target(call: Call) -> str | None:
    if (shown := call.shown) is None:
        return None
    return repeatable(shown) if call.method.startswith("resources/") else _cut(shown)


@lru_cache(maxsize=1024)
def repeatable(word: str) -> str:
    """What a client calls a thing, as a record may repeat it."""
    return _in_one_line(sanitize_text(word[:_TEXT]))


@lru_cache(maxsize=1024)
def id_name(given: str, kind: str) -> str:
    """An id a client sent; where that may be a token, no more than tells it from others of its kind."""
    if (name := repeatable(given)) == given:
        return name
    return f"{kind}-{sha256(given.encode('utf-8', 'replace')).hexdigest()[:16]}"


def request_name(request_id: str | int | None) -> str | int | None:
    """A request's id as a record may repeat it: a client may make it of anything."""
    if isinstance(request_id, str):
        return id_name(_cut(request_id), "request")
    # A number that JSON writers refuse is still an id.
    return request_id if request_id is None or request_id.bit_length() < 64 else hex(request_id)[:_TEXT]


def _cut(name: str) -> str:
    return _in_one_line(printable(name[:_TEXT]))


def _in_one_line(text: str) -> str:
    return text.replace("\n", " ")


def evidence_name(evidence: Evidence | None) -> str | None:
    """What decided the code."""
    if evidence is None or not evidence.detail:
        return evidence and evidence.source
    return f"{evidence.source}: {evidence.detail}"


def _cause(cause: Cause) -> dict[str, Any]:
    at, frames = _places(cause.frames)
    fields = {
        "type": cause.type,
        "message": cause.message,
        "relation": cause.relation,
        "depth": cause.depth,
        "notes": list(cause.notes) or None,
        "at": at,
        "frames": list(frames) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


@lru_cache(maxsize=1024)
def _places(frames: tuple[Frame, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The app's own innermost place, and every place from its outermost on; what is before is the SDK's."""
    places = tuple(f"{frame.file}:{frame.line} in {frame.function}" for frame in frames)
    own = [number for number, frame in enumerate(frames) if frame.in_app]
    return (places[own[-1]], places[own[0] :]) if own else (None, places)


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


_Kind = tuple[str, str | None]
"""What makes two of them the same."""


@dataclass(slots=True)
class _Storm:
    """Failures that are the same, since the first of them."""

    begun: float
    level: int
    event: str
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
        self._storms: dict[_Kind, _Storm] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __call__(self, failure: Failure) -> None:
        kind = failure.fingerprint.exact or failure.code.label, failure.reason
        level, last = LEVELS[failure.fault], {"last_error_id": failure.error_id}
        if not self.holds_back(kind, level, names.SUMMARY_EVENT, partial(_summary, failure), last):
            write(level, names.FAILURE_EVENT, record(failure), console=self.console)

    def holds_back(
        self,
        kind: _Kind,
        level: int,
        event: str,
        summary: Callable[[], dict[str, Any]],
        last: Mapping[str, Any] | None = None,
    ) -> bool:
        """Whether there were so many of a kind that this one is only counted: with the first's summary."""
        with self._lock:
            over = self._over()
            storm = self._storms.get(kind)
            if storm is None:
                storm = self._storms[kind] = _Storm(self.clock(), level, event)
            is_held = self._is_held(storm)
            if is_held:
                storm.summary = storm.summary or summary()
                storm.summary.update(last or {})
        for each in over:
            self._summarise(each)
        return is_held

    def flush(self, *, everything: bool = True) -> None:
        """Write the numbers of the storms that are over, or of every one."""
        with self._lock:
            self._timer = None
            over = self._over(everything=everything)
            if self._storms:
                self._await()
        for storm in over:
            self._summarise(storm)

    def _is_held(self, storm: _Storm) -> bool:
        if not self.burst or storm.written < self.burst:
            storm.written += 1
            return False
        storm.held += 1
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
            write(storm.level, storm.event, fields, console=self.console)


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
        if logger is None and _STDLIB.isEnabledFor(level):
            _write(level, event, fields, console)
    if not is_record:
        _emit(level, event, fields)


def _users_own(fields: Mapping[str, Any]) -> Any:
    """The logger of the user's own set-up, where there is one."""
    if (logger := _structlog(fields)) is not None:
        return logger
    handlers = _STDLIB.handlers + [each for each in _handlers(_STDLIB) if not _is_aside(each)]
    if fields.get("transport") == "stdio" and any(_beside(_stream(handler)) for handler in handlers):
        return None
    return _STDLIB if handlers else None


def _handlers(logger: Any) -> Iterator[logging.Handler]:
    """Whoever gets what this logger is told."""
    while isinstance(logger, logging.Logger):
        yield from logger.handlers
        logger = logger.parent if logger.propagate else None


def _is_aside(handler: logging.Handler) -> bool:
    """Whether it writes to a person, as those of the SDKs do, makes OTel's records, or watches a test.

    None of these is where the lines of a server are kept, and at a terminal a drawing is better. Nor is
    standard error: there we write a line that is JSON alone, and do not wait for a client that never reads.
    """
    stream = _stream(handler)
    with suppress(AttributeError, ValueError):  # no file, or closed
        if stream is sys.stderr or stream.isatty():
            return True
    return _is_of(handler, "rich.", "opentelemetry.", "_pytest.")


def _stream(handler: logging.Handler) -> Any:
    return getattr(handler, "stream", None)


def _is_of(it: object, *packages: str) -> bool:
    return any(base.__module__.startswith(packages) for base in type(it).__mro__)


def _hand_over(logger: Any, level: int, event: str, fields: Mapping[str, Any]) -> None:
    if logger is _STDLIB:
        text = _line(level, event, fields).decode().rstrip()
        logger.log(level, "%s", text, extra={"failure": fields})
        return
    # By name: not every kind of logger that structlog has can be asked for a level.
    log = getattr(logger, logging.getLevelName(level).lower())
    try:
        log(event, **_renamed(logger, fields))
    except KeyError:
        # Names of ours that the logger behind keeps for itself, such as `message`.
        log(event, failure=fields)


def _renamed(logger: Any, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields, none of them of the name that a processor gives the event."""
    taken = {getattr(processor, "to", None) for processor in getattr(logger, "_processors", None) or ()}
    if taken.isdisjoint(fields):
        return fields
    return {f"failure_{name}" if name in taken else name: value for name, value in fields.items()}


def _makes_records(logger: Any) -> bool:
    """Whether a bridge of OTel's own makes a record of what this logger gets."""
    below = getattr(logger, "_logger", logger)  # structlog's write by way of another
    bridges = (*(getattr(logger, "_processors", None) or ()), *_handlers(below))
    return any(_is_of(bridge, "opentelemetry.") for bridge in bridges)


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
_HELD: Final = 1_000_000
"""Bytes that wait for a reader who is slow."""


class _Pipes:
    """What was not written yet when a pipe became full; and one writer at a time."""

    def begin(self) -> None:
        self.rests: WeakKeyDictionary[Any, bytearray] = WeakKeyDictionary()
        self.lock = threading.Lock()


_pipes: Final = _Pipes()
forks.begin(_pipes)


def pour(stream: Any, line: bytes) -> None:
    """Write without ever waiting for a reader, and no line into another.

    What a full pipe does not take is written before the next line; where that is too much, the line is lost,
    and counted.
    """
    rests = _pipes.rests
    with _pipes.lock:
        rest = rests.pop(stream, bytearray()) if rests else bytearray()
        rest += line
        del rest[: _poured(stream, rest)]
        # A line that was begun has to be ended.
        if is_lost := _HELD < len(rest) >= len(line) > 0:
            del rest[-len(line) :]
        if rest:
            rests[stream] = rest
    if is_lost:
        from mcp_error_middleware.telemetry.metrics import instruments

        instruments().dropped("log")


def _poured(stream: Any, text: bytearray) -> int:
    """How much of it the stream took."""
    for start in range(0, len(text), _PIPE):
        if not _takes_more(stream):
            return start
        stream.write(text[start : start + _PIPE])
        stream.flush()
    return len(text)


def _takes_more(stream: Any) -> bool:
    try:
        poll = select.poll()
        poll.register(stream.fileno(), select.POLLOUT)
    except (AttributeError, OSError, ValueError):  # no pipe, or a system that cannot tell
        return True
    return bool(poll.poll(0))


def _line(level: int, event: str, fields: Mapping[str, Any]) -> bytes:
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    level_name = logging.getLevelName(level).lower()
    return _json({"timestamp": now, "level": level_name, "event": event, **fields}) + b"\n"


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
