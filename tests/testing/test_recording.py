from __future__ import annotations

import threading
from typing import Any

import pytest

from mcp_error_middleware import Call, ErrorCode, ErrorPolicy, install
from mcp_error_middleware.telemetry import observed
from mcp_error_middleware.testing import Failures, Faults, recorded
from mcp_error_middleware.testing.memory import connected

TRIAGE = observed(ErrorPolicy(log=False, traces=False, metrics=False))


def test_failures_are_heard_in_order_and_found_by_target(failures: Failures) -> None:
    TRIAGE(TimeoutError(), Call(target="ship"))
    TRIAGE(KeyError("x"), Call(method="prompts/get", target="greet"))

    assert failures.codes == [ErrorCode.TIMEOUT, ErrorCode.INTERNAL_ERROR]
    assert (failures.of("ship"), failures.last) == ([failures[0]], failures[1])
    assert (len(failures), list(failures), failures[:1]) == (2, failures.heard, failures.heard[:1])


def test_a_failure_in_another_thread_is_heard(failures: Failures) -> None:
    thread = threading.Thread(target=TRIAGE, args=(TimeoutError(),))
    thread.start()
    thread.join()

    assert failures.codes == [ErrorCode.TIMEOUT]


def test_only_what_happens_inside_is_heard() -> None:
    with recorded() as failures:
        TRIAGE(TimeoutError())
        failures.clear()
        TRIAGE(KeyError())
    TRIAGE(TimeoutError())

    assert failures.codes == [ErrorCode.INTERNAL_ERROR]


def test_where_nothing_was_heard_the_last_failure_says_why() -> None:
    with pytest.raises(AssertionError, match=r"no failure was triaged; is the middleware installed"):
        _ = Failures().last


@pytest.mark.anyio
async def test_every_stack_is_heard(shop: Any, mcp_faults: Faults, failures: Failures) -> None:
    mcp_faults(install(shop, ErrorPolicy(log=False))).prompt("greet", raises=TimeoutError)
    async with connected(shop) as client:
        await client.ask("prompts/get", {"name": "greet", "arguments": {"name": "Anna"}})

    assert [failure.code for failure in failures.of("greet")] == [ErrorCode.TIMEOUT]
