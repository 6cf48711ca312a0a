"""Failure in, record out: one sink per module."""

import logging
from dataclasses import replace

from mcp_error_middleware.policy import ErrorPolicy, Exposure
from mcp_error_middleware.telemetry.logs import log_failure
from mcp_error_middleware.triage import Triage

__all__ = ["log_failure", "observed"]


def observed(policy: ErrorPolicy) -> Triage:
    """The triage of this policy, with the sinks it asks for among its observers."""
    if policy.exposure is Exposure.ALL:
        logging.getLogger("mcp_error_middleware").warning(
            "exposure is 'all': every error text leaves this server; use it for development only"
        )
    if policy.log:
        policy = replace(policy, observers=(*policy.observers, log_failure))
    return Triage(policy)
