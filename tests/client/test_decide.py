from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.client import (
    Action,
    Decision,
    Patience,
    RemoteError,
    Retry,
    Source,
    decide,
    parse_error,
)
from mcp_error_middleware.taxonomy import ErrorCode


def answer(type: str, recoverable: bool = False, **data: Any) -> RemoteError:
    error = parse_error({"type": type, "message": "No.", "recoverable": recoverable, "data": data})
    assert error is not None
    return error


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (answer("TRANSIENT", recoverable=True), Action.RETRY),
        (answer("TRANSIENT", recoverable=False), Action.GIVE_UP),
        (answer("VALIDATION", recoverable=True), Action.FIX_INPUT),
        (answer("NOT_FOUND"), Action.WORK_AROUND),
        (answer("CONFLICT", recoverable=True, conflicts=[{"held_by": "agent-2"}]), Action.NEGOTIATE),
        (answer("CONFLICT", recoverable=True), Action.RETRY),
        (answer("CONFLICT"), Action.WORK_AROUND),
        (answer("PERMISSION"), Action.ESCALATE),
        (answer("INTERNAL"), Action.GIVE_UP),
        (answer("INTERNAL", recoverable=True), Action.RETRY),
        (answer("TRANSIENT", recoverable=True, retry="verify_first"), Action.VERIFY),
        (RemoteError("Error executing tool ship", source=Source.SDK), Action.GIVE_UP),
    ],
)
def test_the_kind_of_an_error_says_what_to_do(error: RemoteError, action: Action) -> None:
    assert decide(error).action is action


@pytest.mark.parametrize("code", ErrorCode, ids=lambda code: code.label)
def test_every_code_has_its_action(code: ErrorCode) -> None:
    error = parse_error({"name": code.label, "message": "No."})

    assert error is not None
    assert (
        decide(error, idempotent=True).action
        in {
            "caller": {Action.FIX_INPUT, Action.WORK_AROUND, Action.ESCALATE},
            "upstream": {Action.RETRY},
            "server": {Action.GIVE_UP},
        }[code.traits.fault]
    )


def test_a_wait_grows_and_is_spread() -> None:
    error = answer("TRANSIENT", recoverable=True)
    patient = Patience(attempts=10, first_wait=1, longest_wait=6)

    latest = [decide(error, n, patience=patient, random=lambda: 1.0).wait for n in range(1, 6)]
    soonest = [decide(error, n, patience=patient, random=lambda: 0.0).wait for n in range(1, 6)]

    assert latest == [1, 2, 4, 6, 6]
    assert soonest == [0.5, 1, 2, 3, 3]


def test_a_retry_never_comes_before_the_time_the_server_named() -> None:
    error = answer("TRANSIENT", recoverable=True, retry_after=20)

    assert decide(error, random=lambda: 0.0).wait == 20
    assert decide(error, random=lambda: 1.0).wait == 22


def test_a_server_that_asks_for_longer_than_allowed_is_not_called_again() -> None:
    decision = decide(answer("TRANSIENT", recoverable=True, retry_after=3600))

    assert decision == Decision(Action.GIVE_UP, "The server asks for 3600 s, longer than the 30 s allowed.")


def test_attempts_come_to_an_end() -> None:
    decision = decide(answer("TRANSIENT", recoverable=True), attempt=3)

    assert decision == Decision(Action.GIVE_UP, "It still fails after 3 attempts.")


def test_an_input_is_corrected_once() -> None:
    decision = decide(answer("VALIDATION"), attempt=2, fixes=1)

    assert decision == Decision(Action.GIVE_UP, "The corrected arguments are not valid either.")


def test_a_call_that_may_have_been_carried_out_is_repeated_only_where_that_does_no_harm() -> None:
    for recoverable in (True, False):
        error = answer("TRANSIENT", recoverable=recoverable, possibly_applied=True)

        assert decide(error) == Decision(Action.VERIFY, "The call may have been carried out.")
        assert decide(error, idempotent=True).action is Action.RETRY


@given(
    error=st.builds(
        RemoteError,
        message=st.text(),
        code=st.none() | st.sampled_from(ErrorCode),
        retryable=st.booleans(),
        retry_after=st.none() | st.floats(0, 604_800),
        retry=st.sampled_from(Retry),
        data=st.dictionaries(st.sampled_from(["conflicts", "other"]), st.integers() | st.lists(st.text())),
    ),
    attempt=st.integers(1, 10_000),
    fixes=st.integers(0, 5),
    idempotent=st.booleans(),
    spread=st.floats(0, 1, exclude_max=True),
)
def test_no_decision_exceeds_the_patience(
    error: RemoteError, attempt: int, fixes: int, idempotent: bool, spread: float
) -> None:
    decision = decide(error, attempt, fixes=fixes, idempotent=idempotent, random=lambda: spread)

    if decision.action is Action.RETRY:
        assert attempt < 3
        assert (error.retry_after or 0) <= decision.wait <= 30
        assert error.retry is not Retry.NEVER
        assert idempotent or error.retry is not Retry.VERIFY_FIRST
    else:
        assert decision.wait == 0


def test_a_wait_of_no_time_is_none_that_was_named() -> None:
    error = parse_error({"name": "RateLimited", "message": "No.", "retryable": True, "retry_after": -1})
    assert error is not None
    assert decide(error, random=lambda: 1.0) == Decision(Action.RETRY, "The cause is temporary.", 0.5)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"attempts": "x"}, "attempts is 'x'; use a whole number of at least 1"),
        ({"attempts": 0}, "attempts is 0; use a whole number of at least 1"),
        ({"fixes": -1}, "fixes is -1; use a whole number of at least 0"),
        ({"longest_wait": -3}, "longest_wait is -3; use a number of seconds that is not negative"),
        ({"first_wait": float("nan")}, "first_wait is nan; use a number of seconds that is not negative"),
        ({"deadline": "z"}, "deadline is 'z'; use a number of seconds that is not negative"),
    ],
)
def test_patience_that_makes_no_sense_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        Patience(**settings)
