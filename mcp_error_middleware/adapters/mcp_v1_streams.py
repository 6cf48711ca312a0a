"""A session's streams of mcp 1.x in; the same out, with an answer to what the SDK refuses by itself.

Before it looks for a handler the SDK checks every request against its types. What does not fit it refuses
with three words to the client, and to the log with all the values that were sent.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MethodType
from typing import Any, Final, NoReturn, get_args

import anyio

from mcp_error_middleware.adapters.seam import NAMED_BY, around_of, correlation_id, session_id, transport_of
from mcp_error_middleware.adapters.writable import whole
from mcp_error_middleware.errors import InvalidParams, ParseError
from mcp_error_middleware.model import Call
from mcp_error_middleware.render import jsonrpc_error
from mcp_error_middleware.telemetry.operation import operation
from mcp_error_middleware.triage import Triage

# By name: type checkers see the SDK's other line, where these are not.
_types: Any = import_module("mcp.types")
_message: Any = import_module("mcp.shared.message")

_ANSWERS: Final = (_types.JSONRPCResponse, _types.JSONRPCError)

_RUN: Final = "run"
_REFUSED: Final = "Invalid request parameters"
_NOT_READY: Final = "before initialization"
_LOG_LINES: Final = ("Failed to validate request: ", "Failed to validate notification: ")


def attach(low: Any, triage: Triage) -> None:
    """Have the sessions this server runs from now on answered so."""
    detach(low)
    vars(low)[_RUN] = Run(low, triage, vars(low).get(_RUN))


def detach(low: Any) -> None:
    """Give the server its own `run` back."""
    if isinstance(run := vars(low).get(_RUN), Run):
        del vars(low)[_RUN]
        if run.before is not None:
            vars(low)[_RUN] = run.before


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """`Server.run`, with streams of ours around those it is given."""

    low: Any
    triage: Triage
    before: Any = None
    """Another's override of the same method."""

    async def __call__(self, read_stream: Any, write_stream: Any, *args: Any, **kwargs: Any) -> Any:
        run = self.before or MethodType(type(self.low).run, self.low)
        reading = Reading(read_stream, self.triage)
        with _withholding(reading):
            return await run(reading, Writing(write_stream, reading), *args, **kwargs)


class _Stream:
    """A stream, used as any other."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    async def __aenter__(self) -> Any:
        await self.stream.__aenter__()
        return self

    async def __aexit__(self, *args: Any) -> Any:
        return await self.stream.__aexit__(*args)


class Reading(_Stream):
    """What comes in. The SDK deals with one message before it takes the next: refusals are about the last."""

    def __init__(self, stream: Any, triage: Triage) -> None:
        super().__init__(stream)
        self.triage = triage
        self.last: Any = None

    def __aiter__(self) -> Reading:
        return self

    async def __anext__(self) -> Any:
        message = await self.stream.__anext__()
        if isinstance(message, Exception):
            # It quotes what it could not read.
            return ParseError("a line that is not a JSON-RPC message")
        self.last = message
        return message

    def refuses(self, said: Any) -> bool:
        """Whether this is the SDK's own word on the last request."""
        error, last = getattr(said, "error", None), getattr(self.last, "message", None)
        if error is None or last is None or (error.message, error.data) != (_REFUSED, ""):
            return False
        return bool(said.id == getattr(last.root, "id", None))

    def answer(self) -> Any:
        """What to say instead."""
        try:
            self._refuse(self.last.message.root, sys.exception())
        except _Refused as refused:
            return refused.error

    def _refuse(self, request: Any, exc: BaseException | None) -> NoReturn:
        call = self._call(request)
        with self._operation(request, call):
            raise _Refused(self._error(request, call, exc))

    def greets(self, said: Any) -> AbstractContextManager[object]:
        """The operation of an `initialize` this is the answer to: the SDK asks no handler for it."""
        request = getattr(getattr(self.last, "message", None), "root", None)
        if getattr(request, "method", None) != "initialize" or type(said) is not _types.JSONRPCResponse:
            return nullcontext()
        if said.id != getattr(request, "id", None):
            return nullcontext()
        return self._operation(
            request, self._call(request)._replace(protocol_version=said.result.get("protocolVersion"))
        )

    def _operation(self, request: Any, call: Call) -> AbstractContextManager[object]:
        meta = (request.params or {}).get("_meta")
        sent = meta if isinstance(meta, dict) else None
        return operation(self.triage.policy, lambda: call, sent, around=around_of(self._http()))

    def _error(self, request: Any, call: Call, exc: BaseException | None) -> Any:
        kind = _kinds().get(request.method)
        if kind is None:
            return _types.ErrorData(code=-32601, message="Method not found", data=call.method)
        failure = self.triage(_meant(kind, request, exc), call)
        return _types.ErrorData(
            **jsonrpc_error(failure, taxonomy_numbers=self.triage.policy.taxonomy_numbers)
        )

    def note(self, exc: BaseException | None) -> None:
        """Record a notification that the SDK drops."""
        message = getattr(self.last, "message", None)
        if message is not None and exc is not None:
            call = self._call(message.root)
            with operation(self.triage.policy, lambda: call):
                self.triage(_meant(None, message.root, exc), call)

    def _call(self, message: Any) -> Call:
        params, http = message.params or {}, self._http()
        target = params.get(NAMED_BY.get(message.method, ""))
        return Call(
            method=message.method,
            target=target if isinstance(target, str) else None,
            request_id=getattr(message, "id", None),
            session_id=session_id(http),
            correlation_id=correlation_id(http),
            transport=transport_of(http),
            structured=False,
        )

    def _http(self) -> Any:
        return getattr(self.last.metadata, "request_context", None)


class _Refused(Exception):
    """What is answered, as an operation is told of it."""

    def __init__(self, error: Any) -> None:
        super().__init__()
        self.error = error


class Writing(_Stream):
    """What goes out."""

    def __init__(self, stream: Any, reading: Reading) -> None:
        super().__init__(stream)
        self.reading = reading

    async def send(self, item: Any) -> None:
        said = item.message.root
        with self.reading.greets(said):
            try:
                await self.stream.send(self._answered(self._whole(item)))
            except anyio.get_cancelled_exc_class():
                if not isinstance(said, _ANSWERS):
                    raise
                # Cancelled while its answer waits to be read, a request ends the session; so it does not.
                raise anyio.ClosedResourceError from None

    def _whole(self, item: Any) -> Any:
        """What is said unasked, so that it can be written."""
        said = item.message.root
        params = getattr(said, "params", None)
        if params is None or (mended := whole(params)) is params:
            return item
        return _said(said, {"params": mended}, item)

    def _answered(self, item: Any) -> Any:
        said = item.message.root
        if type(said) is not _types.JSONRPCError or not self.reading.refuses(said):
            return item
        try:
            return _said(said, {"error": self.reading.answer()}, item)
        except Exception:  # noqa: BLE001 - then the SDK's word has to do
            return item


def _said(said: Any, instead: Mapping[str, Any], item: Any) -> Any:
    message = _types.JSONRPCMessage(said.model_copy(update=dict(instead)))
    return _message.SessionMessage(message, item.metadata)


def _meant(kind: Any, message: Any, exc: BaseException | None) -> BaseException:
    """Why it was refused, in terms of the one type it should have had."""
    if isinstance(exc, RuntimeError) and _NOT_READY in str(exc):
        return InvalidParams(
            "The session has not been initialized.",
            recovery="Send initialize, then notifications/initialized, then repeat the request.",
        )
    try:
        # Of a union's error every other member has a part.
        (kind or _types.ClientNotification).model_validate(message.model_dump(by_alias=True, mode="json"))
    except ValueError as error:
        return error
    return exc or InvalidParams("The request does not fit what its method takes.")


@cache
def _kinds() -> Mapping[str, Any]:
    """The type of a request, by its method."""
    found = get_args(_types.ClientRequest.model_fields["root"].annotation)
    return {get_args(kind.model_fields["method"].annotation)[0]: kind for kind in found}


# --- the SDK's own log line -----------------------------------------------------------------------

_reading: ContextVar[Reading | None] = ContextVar("mcp_error_middleware_v1_reading", default=None)
"""Set in the tasks of a session of ours."""

_sessions: Final[set[int]] = set()


def http_of_session() -> Any:
    """An HTTP request of the session at work, for handlers the SDK tells nothing; None on a pipe."""
    reading = _reading.get()
    return reading._http() if reading is not None and reading.last is not None else None


@contextmanager
def _withholding(reading: Reading) -> Iterator[None]:
    """While it runs, the lines that quote what was refused are not written."""
    root, token = logging.getLogger(), _reading.set(reading)
    root.addFilter(_withhold)
    _sessions.add(id(reading))
    try:
        yield
    finally:
        _sessions.discard(id(reading))
        if not _sessions:
            root.removeFilter(_withhold)
        _reading.reset(token)


def _withhold(record: logging.LogRecord) -> bool:
    """Filter: a request is answered and recorded by us; a notification is recorded here."""
    reading = _reading.get()
    if reading is None or not isinstance(record.msg, str) or not record.msg.startswith(_LOG_LINES):
        return True
    if record.msg.startswith(_LOG_LINES[1]):
        reading.note(sys.exception())
    return False
