"""A session in, its duration out when it is over."""

from __future__ import annotations

from contextlib import AsyncExitStack
from time import perf_counter
from weakref import WeakSet

from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.telemetry.metrics import instruments
from mcp_error_middleware.telemetry.operation import complain

_followed: WeakSet[AsyncExitStack] = WeakSet()


def follow(policy: ErrorPolicy, ending: object, call: Call) -> None:
    """Measure the session that began with this call, until what is called at its end is called."""
    if policy.metrics and isinstance(ending, AsyncExitStack) and ending not in _followed:
        _followed.add(ending)
        ending.callback(_over, perf_counter(), call)


def _over(begun: float, call: Call) -> None:
    try:
        instruments().session(perf_counter() - begun, call)
    except Exception:  # noqa: BLE001 - a session ends, measured or not
        complain("operation")
