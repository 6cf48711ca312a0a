"""How a call ended in, measurements out: the instruments of `names.METRICS`, with bounded labels.

Only the API: without a meter provider of the user's own nothing is measured.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any, Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.metrics import CallbackOptions, Meter, MeterProvider, Observation

from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.taxonomy import ErrorCode, Fault
from mcp_error_middleware.telemetry import forks, names
from mcp_error_middleware.telemetry.providers import meter_provider
from mcp_error_middleware.telemetry.spans import SUCCESS, Outcome, code_labels, network

METHODS: Final = frozenset(
    """
    completion/complete elicitation/create initialize logging/setLevel ping prompts/get prompts/list
    resources/list resources/read resources/subscribe resources/templates/list resources/unsubscribe
    roots/list sampling/createMessage server/discover subscriptions/listen
    tasks/cancel tasks/get tasks/list tasks/result tasks/update tools/call tools/list
    notifications/cancelled notifications/elicitation/complete notifications/initialized
    notifications/message notifications/progress notifications/tasks/status
    notifications/prompts/list_changed notifications/resources/list_changed
    notifications/resources/updated notifications/roots/list_changed notifications/tools/list_changed
    """.split()
)

VERSIONS: Final = frozenset("2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28".split())
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")

_UNSERVED: Final = frozenset({"-32601", "-32602"})
"""How a server answers what it has no handler for."""
_REFUSALS: Final = (ErrorCode.INVALID_PARAMS, ErrorCode.METHOD_NOT_FOUND)
"""Codes under which a server may say that it has nothing of that name."""

_PAGING: Final = tuple(code for code in ErrorCode if code.traits.fault is not Fault.CALLER)
_SERVED_TOO: Final = ("prompts/get", "resources/read")
"""Methods besides a tool's whose handlers are an author's and fail."""

_OUTSIDE: Final = trace.set_span_in_context(trace.INVALID_SPAN, Context())


@dataclass(frozen=True, slots=True)
class Bounded:
    """A label's values: the first so many; any other is `_OTHER`."""

    limit: int
    seen: set[str] = field(default_factory=set)
    form: re.Pattern[str] | None = None
    """What a value has to look like."""

    def __call__(self, value: str, *, is_known: bool = True) -> str:
        if value in self.seen:
            return value
        if not is_known or len(self.seen) >= self.limit or (self.form and not self.form.fullmatch(value)):
            return names.OTHER
        self.seen.add(value)
        return value


class Groups:
    """Failures by what they have in common, counted here: to tell OTel of each would cost more."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, ErrorCode], int] = defaultdict(int)
        forks.begin(self)

    def begin(self) -> None:
        self._lock = threading.Lock()

    def add(self, group: str, code: ErrorCode) -> None:
        """One more."""
        with self._lock:
            self._counts[group, code] += 1

    def show(self, meter: Meter, metric: names.Metric) -> None:
        """Have whoever reads this meter be told."""
        meter.create_observable_counter(metric.name, [self._counted], metric.unit, metric.description)

    def _counted(self, _: CallbackOptions) -> Iterable[Observation]:
        with self._lock:
            counts = self._counts.copy()
        return [Observation(count, _group_labels(*kind)) for kind, count in counts.items()]


class Instruments:
    """The instruments of one meter provider, and the label values they have seen."""

    def __init__(self, meter: Meter) -> None:
        self.are_read = type(meter).__name__ not in ("_ProxyMeter", "NoOpMeter")
        """Whether they are of a provider that was set, and not of the one that stands in for it."""
        self._made = {
            metric.name: _made(meter, metric) for metric in names.METRICS if metric is not names.FINGERPRINTS
        }
        self._groups = Groups()
        if self.are_read:
            # What stands in would make it first, and of two of a name OTel asks the first alone.
            self._groups.show(meter, names.FINGERPRINTS)
        self._duration = self._made[names.DURATION.name]
        self._well: dict[tuple[str | None, ...], Mapping[str, str]] = {}
        """The labels of what went well, by what was asked for."""
        self.methods = Bounded(100, set(METHODS))
        self.targets = {"tools/call": Bounded(200), "prompts/get": Bounded(200)}
        self.versions = Bounded(20, set(VERSIONS), _DATE)
        self.numbers = Bounded(50)
        self.kinds = Bounded(100)
        self.fingerprints = Bounded(200)
        # What callers get wrong, in as many words as they like, must not use up the room of ours.
        self.callers_fingerprints = Bounded(200)
        for code in ErrorCode:
            self._start(names.ERRORS, _error_labels(code, "tools/call", None))
        for method, code in product(_SERVED_TOO, _PAGING):
            self._start(names.ERRORS, _error_labels(code, method, None))
        for sink in ("observer", "log", "logs", "traces", "operation"):
            self._start(names.DROPPED, {names.SINK: sink})

    # --- what is recorded ---

    def count(self, metric: names.Metric, labels: Mapping[str, str], amount: int = 1) -> None:
        """Add to a counter; the labels are the caller's to bound."""
        self._made[metric.name].add(amount, labels)

    def _start(self, metric: names.Metric, labels: Mapping[str, str]) -> None:
        # Outside of every span: no trace has what has not happened.
        self._made[metric.name].add(0, labels, _OUTSIDE)

    def served(
        self,
        seconds: float,
        call: Call,
        outcome: Outcome,
        failure: Failure | None,
        *,
        is_known: bool = True,
    ) -> None:
        """One request, and what went wrong with it, if anything did.

        `is_known` says whether there is what it names: who fails may have been asked for anything.
        """
        asked = call.method, call.target, call.protocol_version, call.transport
        if outcome is SUCCESS and failure is None and (known := self._well.get(asked)) is not None:
            self._duration.record(seconds, known)
            return
        method, target = self._labels(call, outcome, failure, is_known)
        number = outcome.status_code and self.numbers(outcome.status_code)
        # The type is a number, `tool_error` or a code's name.
        kind = number if outcome.error_type == outcome.status_code else outcome.error_type
        version = call.protocol_version and self.versions(call.protocol_version)
        labels = _duration_labels(method, target, version, call.transport, number, kind)
        self._duration.record(seconds, labels)
        if failure is not None:
            self.failed(failure, method, target)
        elif outcome is SUCCESS and asked == (method, target, version, call.transport):
            # All of it is bounded.
            self._well[asked] = labels

    def failed(self, failure: Failure, method: str, target: str | None) -> None:
        """One failure: by code, by what it has in common with others, by what was removed from it."""
        code = failure.code
        bounded = self.callers_fingerprints if code.traits.fault is Fault.CALLER else self.fingerprints
        group = bounded(failure.fingerprint.exact)
        tool = target if method == "tools/call" else None
        self.count(names.ERRORS, _error_labels(code, method, tool))
        self._groups.add(group, code)
        if failure.repeat > 1:
            self.count(names.REPEATS, {names.CODE: code.label, names.TOOL: tool or names.OTHER})
        for kind, count in failure.redactions.items():
            self.count(names.REDACTIONS, {names.KIND: self.kinds(kind)}, count)

    def strayed(self, failure: Failure) -> None:
        """One failure that is not the outcome of a request."""
        self.failed(failure, self.methods(failure.call.method, is_known=False), None)

    def expect(self, tool: str) -> None:
        """Start the counters of a tool that clients were shown: its very first call may fail."""
        if tool not in (shown := self.targets["tools/call"]).seen and shown(tool) == tool:
            self._expect(tool)

    def session(self, seconds: float, call: Call) -> None:
        """One session, when it is over."""
        labels = network(call.transport)
        if call.protocol_version:
            labels[names.PROTOCOL_VERSION] = self.versions(call.protocol_version)
        self._made[names.SESSIONS.name].record(seconds, labels)

    def suspected(self, tool: str) -> None:
        """One result that says it succeeded and reads like an error."""
        self.count(names.SILENT_FAILURES, {names.TOOL: self.targets["tools/call"](tool)})

    def dropped(self, sink: str, count: int = 1) -> None:
        """Records that went nowhere."""
        self.count(names.DROPPED, {names.SINK: sink}, count)

    # --- labels ---

    def _labels(
        self, call: Call, outcome: Outcome, failure: Failure | None, is_known: bool
    ) -> tuple[str, str | None]:
        """What the method and the target are called.

        A method is known once a handler was found for it, of which a notification tells nothing.
        """
        is_served = call.request_id is not None and outcome.status_code not in _UNSERVED
        method = self.methods(call.method, is_known=is_served)
        is_refusal = outcome.status_code is not None and (failure is None or failure.code in _REFUSALS)
        bounded = self.targets.get(method)
        if bounded is None or call.target is None:
            return method, None
        before = len(bounded.seen)
        target = bounded(call.target, is_known=is_known and not is_refusal)
        if len(bounded.seen) > before and method == "tools/call":
            self._expect(target)
        return method, target

    def _expect(self, tool: str) -> None:
        """Start this tool's counters of what can page at zero, so that a rate sees the first failure too.

        Not those of the caller's mistakes: twice as many series, for what is watched over all tools together.
        """
        for code in _PAGING:
            self._start(names.ERRORS, _error_labels(code, "tools/call", tool))
        self._start(names.SILENT_FAILURES, {names.TOOL: tool})


def instruments() -> Instruments:
    """Those of the meter provider that is set now."""
    return _instruments(meter_provider())


@lru_cache(maxsize=8)
def _instruments(provider: MeterProvider) -> Instruments:
    return Instruments(provider.get_meter(names.SCOPE))


def _made(meter: Meter, metric: names.Metric) -> Any:
    if metric.kind == "counter":
        return meter.create_counter(metric.name, metric.unit, metric.description)
    return meter.create_histogram(
        metric.name, metric.unit, metric.description, explicit_bucket_boundaries_advisory=names.BUCKETS
    )


@lru_cache(maxsize=4096)
def _duration_labels(
    method: str,
    target: str | None,
    version: str | None,
    transport: str | None,
    number: str | None,
    kind: str | None,
) -> Mapping[str, str]:
    tool = target if method == "tools/call" else None
    labels = {
        names.METHOD: method,
        names.TOOL: tool,
        names.PROMPT: None if tool else target,
        names.OPERATION: names.EXECUTE_TOOL if tool else None,
        names.PROTOCOL_VERSION: version,
        names.STATUS_CODE: number,
        names.ERROR_TYPE: kind,
        **network(transport),
    }
    return {name: value for name, value in labels.items() if value is not None}


@lru_cache(maxsize=8192)
def _error_labels(code: ErrorCode, method: str, tool: str | None) -> Mapping[str, str]:
    labels = {**code_labels(code), names.METHOD: method}
    return {**labels, names.TOOL: tool} if tool is not None else labels


@lru_cache(maxsize=1024)
def _group_labels(group: str, code: ErrorCode) -> Mapping[str, str]:
    return {names.FINGERPRINT: group, **code_labels(code)}
