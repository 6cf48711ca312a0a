"""Remote error in, what to do next out."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mcp_error_middleware.client.remote import RemoteError
from mcp_error_middleware.model import Retry
from mcp_error_middleware.taxonomy import ErrorType


class Action(StrEnum):
    """What an agent can do about a failed call."""

    RETRY = "retry"
    """Send the same call again, after the wait."""
    FIX_INPUT = "fix_input"
    """Correct the arguments, then call again."""
    WORK_AROUND = "work_around"
    """Leave this item; list what exists or read the state, and choose again."""
    NEGOTIATE = "negotiate"
    """Ask those who hold the resource (`data["conflicts"]`) to release it."""
    VERIFY = "verify"
    """Read whether the call took effect; only if not, send it again."""
    ESCALATE = "escalate"
    """Ask the user."""
    GIVE_UP = "give_up"
    """Stop, and report the error id."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The next step, and why it is this one."""

    action: Action
    why: str
    wait: float = 0.0
    """Seconds before a retry."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an agent bears with one call."""

    attempts: int = 3
    """Calls in all."""
    fixes: int = 1
    """Of these, with corrected arguments."""
    first_wait: float = 0.5
    """Doubles with every retry where the server names no time."""
    longest_wait: float = 30.0
    """No single wait is longer; a server that asks for more is not called again."""
    deadline: float | None = 120.0
    """Seconds for everything together."""

    def __post_init__(self) -> None:
        for name, least in (("attempts", 1), ("fixes", 0)):
            if type(value := getattr(self, name)) is not int or value < least:
                raise ValueError(f"{name} is {value!r}; use a whole number of at least {least}")
        for name in ("first_wait", "longest_wait", "deadline"):
            value = getattr(self, name)
            if not (name == "deadline" and value is None) and not _is_time(value):
                raise ValueError(f"{name} is {value!r}; use a number of seconds that is not negative")


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


DEFAULT: Final = Patience()


def decide(
    error: RemoteError,
    attempt: int = 1,
    *,
    fixes: int = 0,
    idempotent: bool = False,
    patience: Patience = DEFAULT,
    random: Callable[[], float] = random.random,
) -> Decision:
    """What to do after the `attempt`-th call failed so.

    `fixes` counts the corrections made until now; `idempotent` says that a repeated call does no harm.
    """
    decision = _by_type(error, fixes, idempotent, patience)
    if decision.action not in (Action.RETRY, Action.FIX_INPUT):
        return decision
    if attempt >= patience.attempts:
        return Decision(Action.GIVE_UP, f"It still fails after {attempt} attempts.")
    return (
        decision if decision.action is Action.FIX_INPUT else _after_a_wait(error, attempt, patience, random)
    )


def _by_type(error: RemoteError, fixes: int, idempotent: bool, patience: Patience) -> Decision:
    kind = error.type
    if error.retry is Retry.VERIFY_FIRST and not idempotent:
        return Decision(Action.VERIFY, "The call may have been carried out.")
    if kind is ErrorType.VALIDATION:
        if fixes < patience.fixes:
            return Decision(Action.FIX_INPUT, "The arguments are not valid.")
        return Decision(Action.GIVE_UP, "The corrected arguments are not valid either.")
    if kind is ErrorType.PERMISSION:
        return Decision(Action.ESCALATE, "Only the user can grant this.")
    if kind is ErrorType.CONFLICT and error.data.get("conflicts"):
        return Decision(Action.NEGOTIATE, "Somebody else holds it.")
    # What may not be repeated unseen, though its cause is temporary, is harmless to repeat here.
    temporary = error.retryable or (error.retry is Retry.VERIFY_FIRST and kind is ErrorType.TRANSIENT)
    if temporary and error.retry is not Retry.NEVER:
        return Decision(Action.RETRY, "The cause is temporary.")
    if kind in (ErrorType.NOT_FOUND, ErrorType.CONFLICT):
        return Decision(Action.WORK_AROUND, "The same call will fail again.")
    return Decision(Action.GIVE_UP, "Nothing says that another call would fare better.")


def _after_a_wait(
    error: RemoteError, attempt: int, patience: Patience, random: Callable[[], float]
) -> Decision:
    asked = error.retry_after
    if asked is not None and asked > patience.longest_wait:
        why = f"The server asks for {asked:g} s, longer than the {patience.longest_wait:g} s allowed."
        return Decision(Action.GIVE_UP, why)
    # One that names no time at all is not to be called again at once by everybody.
    if not asked:
        doubled = min(patience.first_wait * 2.0 ** min(attempt - 1, 30), patience.longest_wait)
        return Decision(Action.RETRY, "The cause is temporary.", doubled * (0.5 + random() / 2))
    # Never before the time the server named, and not all callers at the same moment after it.
    wait = min(asked * (1 + random() / 10), patience.longest_wait)
    return Decision(Action.RETRY, "The server named the time.", wait)
