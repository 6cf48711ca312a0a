"""A request in; its span, its duration and its failure's record out.

What every adapter puts around a request, at its outermost seam:

    with operation(policy, lambda: call, meta) as request:
        result = await serve()
        request.is_error = says_so(result)
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter
from types import TracebackType
from typing import Any, Final

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import Span, SpanContext

from mcp_error_middleware.classify import is_stop, qualified_name
from mcp_error_middleware.model import Call, Failure, Observer
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.sanitize import Pattern, Scrubber
from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry import names, spans
from mcp_error_middleware.telemetry.metrics import Instruments, instruments
from mcp_error_middleware.telemetry.records import emit_exceptions
from mcp_error_middleware.telemetry.spans import Outcome
from mcp_error_middleware.told import stand_in

SIGNAL: Final = "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN"
"""Where exceptions are recorded: unset on the span, `logs` in log records, `logs/dup` in both."""

_LOG: Final = logging.getLogger("mcp_error_middleware")
_UNFIT: Final = "pydantic_core._pydantic_core.ValidationError"
_INVALID_PARAMS: Final = -32602
_REGISTERED: Final = frozenset({"tools/call", "prompts/get"})
"""What is named by what a server registered, and not by an address a client made up."""

_current: ContextVar[Operation | None] = ContextVar("mcp_error_middleware_operation", default=None)


def running() -> Operation | None:
    """The request being served; None in a task that outlives it."""
    found = _current.get()
    return found if found is not None and found.is_open else None


def begin() -> None:
    """Start the series that start at zero: a server that nobody has called yet is not one that is gone."""
    try:
        instruments()
    except Exception:  # noqa: BLE001 - a server can do without its measurements
        complain("operation")


def expect(tool: str) -> None:
    """Start the series of a tool that clients were shown, where somebody reads them."""
    try:
        if (made := instruments()).are_read:
            made.expect(tool)
    except Exception:  # noqa: BLE001 - what is measured must not matter to the measured
        complain("operation")


def recognise() -> None:
    """Say that the server has what the running request names, though it fails."""
    if (request := running()) is not None:
        request.is_known = True


class Operation:
    """One request, while it is served. Never raises; what goes wrong in here is told once."""

    __slots__ = (
        "_around",
        "_attached",
        "_begun",
        "_call",
        "_make_call",
        "_token",
        "failure",
        "is_error",
        "is_known",
        "is_open",
        "key",
        "meta",
        "policy",
        "span",
    )

    def __init__(
        self,
        policy: ErrorPolicy,
        call: Callable[[], Call],
        meta: Mapping[str, Any] | None = None,
        key: object = None,
        around: SpanContext | None = None,
    ) -> None:
        """`call` says what is asked for, where anybody wants to know.

        `around` is the span of the HTTP request, where the context says nothing of it.
        """
        self.policy = policy
        self._make_call = call
        self._call: Call | None = None
        self.meta = meta
        self.key = key
        self.span: Span = trace.INVALID_SPAN
        self.failure: Failure | None = None
        self.is_error = False
        self.is_known = False
        """Whether somebody found what the request names; what succeeds was found."""
        self.is_open = True
        self._around = around
        self._attached: Any = None

    def __enter__(self) -> Operation:
        self._token = _current.set(self)
        if self.policy.traces:
            try:
                self.span, context = spans.start(self.call, self.meta, self._around)
                self._attached = None if context is None else contexts.attach(context)
            except Exception:  # noqa: BLE001 - a request can do without its span
                complain("traces")
        self._begun = perf_counter()
        return self

    def call(self) -> Call:
        """What is asked for."""
        if self._call is None:
            call = self._make_call()
            alias = call.target and _alias(call.target, self.policy.extra_patterns, self.policy.extra_keys)
            self._call = call._replace(alias=alias) if alias else call
        return self._call

    def agreed(self, version: object) -> None:
        """Which version of the protocol client and server have just settled on."""
        if isinstance(version, str):
            self._call = self.call()._replace(protocol_version=version)
            self.span.set_attribute(names.PROTOCOL_VERSION, version)

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        seconds = perf_counter() - self._begun
        try:
            made = instruments() if self.policy.metrics else None
            is_measured = made is not None and made.are_read
            # How it ended is work to say, and often nobody listens.
            if is_measured or self.span.is_recording():
                self._tell(seconds, self._outcome(exc), made if is_measured else None)
        except Exception:  # noqa: BLE001 - what is measured must not matter to the measured
            complain("operation")
        finally:
            self._leave()

    def _tell(self, seconds: float, outcome: Outcome, made: Instruments | None) -> None:
        is_known = self.is_known or outcome is spans.SUCCESS
        if self.policy.traces:
            if is_known and self._call is not None and self._call.alias is not None:
                self._rename(self._call)
            if outcome is not spans.SUCCESS:
                spans.conclude(self.span, outcome)
        if made is not None:
            # While the span is current, so that the measurement leads to it.
            made.served(seconds, self.call(), outcome, self.failure, is_known=is_known)

    def _rename(self, call: Call) -> None:
        if call.method in _REGISTERED:
            spans.rename(self.span, call._replace(alias=None))

    def _leave(self) -> None:
        # A task that was started meanwhile may hold on to this, and must not hold on to an exception.
        self.is_open, self.failure = False, None
        try:
            _current.reset(self._token)
            if self._attached is not None:
                contexts.detach(self._attached)
                self.span.end()
        except Exception:  # noqa: BLE001 - closed from another context, or by a span processor that raises
            complain("traces")

    def note(self, failure: Failure) -> None:
        """What this request failed with."""
        if self.failure is not None and self.policy.metrics:
            instruments().strayed(self.failure)
        self.failure = failure

    def _outcome(self, exc: BaseException | None) -> Outcome:
        failure = self.failure
        if exc is not None:
            return self._raised(exc)
        if failure is None and not self.is_error:
            return spans.SUCCESS
        if self.call().method == "tools/call":
            return spans.tool_error(failure.message if failure else None)
        if failure is not None and failure.fault is not Fault.CALLER:
            # Of a notification, to which there is no answer that could carry a code.
            return Outcome(failure.code.label, None, failure.message)
        return spans.SUCCESS

    def _raised(self, exc: BaseException) -> Outcome:
        """The outcome of what leaves for the SDK to answer; a cancellation is none."""
        error, failure = getattr(exc, "error", None), self.failure
        code = getattr(error, "code", None)
        if isinstance(code, int):
            scrub = self.policy.scrubber.text
            said = failure.message if failure else scrub(str(getattr(error, "message", "")))
            return spans.rpc_error(code, said)
        unfit = qualified_name(type(exc)) == _UNFIT
        return spans.rpc_error(_INVALID_PARAMS, None) if unfit else spans.SUCCESS


operation = Operation


@lru_cache(maxsize=1024)
def _alias(target: str, patterns: tuple[Pattern, ...], keys: frozenset[str]) -> str | None:
    """What records call a target that a client may have put a secret into; None where it can stay."""
    clean = Scrubber(extra_patterns=patterns, extra_keys=keys).text(target)
    return None if clean == target else clean


@dataclass(frozen=True, slots=True)
class Noted:
    """An observer: puts a failure on the request's span, and in the request's measurements."""

    policy: ErrorPolicy
    signal: str | None = field(default_factory=lambda: os.environ.get(SIGNAL))

    def __call__(self, failure: Failure) -> None:
        request = running()
        if self.policy.traces:
            span = trace.get_current_span() if request is None else request.span
            if span.is_recording():
                spans.describe(span, failure, events=self.signal != "logs")
            if self.signal in ("logs", "logs/dup"):
                emit_exceptions(failure)
        if request is not None:
            request.note(failure)
        elif self.policy.metrics:
            instruments().strayed(failure)


@dataclass(frozen=True, slots=True)
class Counted:
    """An observer, what it could not take being counted."""

    observer: Observer
    sink: str = "observer"

    @property
    def __wrapped__(self) -> Observer:
        return self.observer

    def __call__(self, failure: Failure) -> None:
        try:
            self.observer(failure)
        except BaseException as error:
            if not is_stop(error):
                instruments().dropped(self.sink)
            raise


_complained: set[str] = set()


def complain(sink: str, why: str = "it raised", count: int = 1, *, raised: bool = True) -> None:
    """Count what a sink lost, and say so the first time; `raised`, if the exception being handled is why."""
    try:
        instruments().dropped(sink, count)
    except Exception:  # noqa: BLE001 - it may be the meter itself
        sink = "metrics"
    if sink not in _complained:
        _complained.add(sink)
        error = sys.exception() if raised else None
        told = stand_in(error) if error else None
        with suppress(Exception):  # nor need who writes the log be well
            _LOG.warning("a record for %s was lost: %s; more are only counted", sink, why, exc_info=told)
