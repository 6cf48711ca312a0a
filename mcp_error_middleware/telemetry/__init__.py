"""Failure in, record out: one sink per module."""

import logging
import reprlib
from collections.abc import Iterator
from dataclasses import replace

from mcp_error_middleware.model import Observer
from mcp_error_middleware.policy import ErrorPolicy, Exposure
from mcp_error_middleware.ready import get_ready
from mcp_error_middleware.telemetry.configure import configure
from mcp_error_middleware.telemetry.listeners import tell_listeners
from mcp_error_middleware.telemetry.logs import FailureLog, log_failure
from mcp_error_middleware.triage import Triage

__all__ = ["chosen", "configure", "log_failure", "observed"]


def chosen(triage: Triage | None = None, policy: ErrorPolicy | None = None) -> Triage:
    """The one given, or that of the policy, or of the environment; a TypeError for anything else."""
    if policy is not None and triage is not None:
        raise TypeError("pass policy or triage, not both; a triage has its own: Triage(policy)")
    if not isinstance(policy, ErrorPolicy | None):
        raise TypeError(f"policy is {policy!r}; pass an ErrorPolicy, as in ErrorPolicy(exposure='declared')")
    if not isinstance(triage, Triage | None):
        raise TypeError(f"triage is {reprlib.repr(triage)}; pass a Triage, as in Triage(policy)")
    return triage or observed(policy or ErrorPolicy.from_env())


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
