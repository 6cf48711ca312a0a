"""Failure in, record out: one sink per module."""

import logging
from collections.abc import Iterator
from dataclasses import replace

from mcp_error_middleware.model import Observer
from mcp_error_middleware.policy import ErrorPolicy, Exposure
from mcp_error_middleware.ready import get_ready
from mcp_error_middleware.telemetry.configure import configure
from mcp_error_middleware.telemetry.listeners import tell_listeners
from mcp_error_middleware.telemetry.logs import FailureLog, log_failure
from mcp_error_middleware.triage import Triage

__all__ = ["configure", "log_failure", "observed"]


def observed(policy: ErrorPolicy) -> Triage:
    """The triage of this policy, with the sinks it asks for among its observers."""
    if policy.exposure is Exposure.ALL:
        logging.getLogger("mcp_error_middleware").warning(
            "exposure is 'all': every error text leaves this server; use it for development only"
        )
    get_ready()  # whoever asks for it is about to serve
    return Triage(replace(policy, observers=tuple(_observers(policy))))


def _observers(policy: ErrorPolicy) -> Iterator[Observer]:
    from mcp_error_middleware.telemetry.operation import Counted, Noted, begin  # with it comes OpenTelemetry

    if policy.metrics:
        begin()
    yield from map(Counted, policy.observers)
    yield tell_listeners
    if policy.traces or policy.metrics:
        yield Noted(policy)
    if policy.log:
        yield Counted(FailureLog(policy.log_burst, policy.console), "log")
