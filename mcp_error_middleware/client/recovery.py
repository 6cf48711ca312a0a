"""A call in, its outcome out: retried, corrected or stopped as the server's errors say."""

from __future__ import annotations

import inspect
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import anyio

from mcp_error_middleware.classify import mro_of, qualified_name
from mcp_error_middleware.client.decide import DEFAULT, Action, Decision, Patience, decide
from mcp_error_middleware.client.parse import parse_error
from mcp_error_middleware.client.remote import RemoteError, Source
from mcp_error_middleware.taxonomy import ErrorCode

Arguments: TypeAlias = Mapping[str, Any]
Fix: TypeAlias = Callable[[RemoteError, Arguments], "Arguments | Awaitable[Arguments | None] | None"]
"""Corrects arguments that were refused; None where it knows no better ones."""

_MENDABLE: Final = frozenset({Action.FIX_INPUT, Action.WORK_AROUND})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call."""

    result: Any
    """What the client returned last; None where it raised."""
    error: RemoteError | None
    """None for a success."""
    decision: Decision | None
    """What is left to do about the error."""
    attempts: int
    arguments: Arguments
    """As last sent."""

    @property
    def ok(self) -> bool:
        return self.error is None


async def call_with_recovery(
    client: Any,
    tool: str,
    arguments: Arguments | None = None,
    *,
    fix: Fix | None = None,
    idempotent: bool = False,
    patience: Patience = DEFAULT,
    sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    random: Callable[[], float] = random.random,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Call a tool through any client that has `call_tool`: the official SDK's, 1.x and 2.x, and FastMCP's.

    A call that may have been carried out is sent again only if it is `idempotent`. Cancellation passes
    through, and so does an exception that tells nothing about the server.
    """
    ends = None if patience.deadline is None else clock() + patience.deadline
    effort = _Effort(client, tool, dict(arguments or {}), fix, idempotent, patience, random, clock, ends)
    while True:
        result, error = await effort.attempt()
        if error is None:
            return Outcome(result, None, None, effort.attempts, effort.sent)
        decision = effort.decision(error)
        if decision.action in _MENDABLE and await effort.mend(error):
            continue
        if decision.action is not Action.RETRY:
            return Outcome(result, error, decision, effort.attempts, effort.sent)
        await sleep(decision.wait)


@dataclass(slots=True)
class _Effort:
    """One call on its way: what is sent, and how often it has been tried."""

    client: Any
    tool: str
    sent: dict[str, Any]
    fix: Fix | None
    idempotent: bool
    patience: Patience
    random: Callable[[], float]
    clock: Callable[[], float]
    ends: float | None
    attempts: int = 0
    fixes: int = 0

    async def attempt(self) -> tuple[Any, RemoteError | None]:
        self.attempts += 1
        try:
            with anyio.fail_after(self._left()):
                result = await self.client.call_tool(self.tool, dict(self.sent), **_quietly(self.client))
        except Exception as exc:
            error = parse_error(exc)
            if error is None or _is_ours(error):
                raise
            return None, error
        return result, parse_error(result)

    def decision(self, error: RemoteError) -> Decision:
        decision = decide(
            error,
            self.attempts,
            fixes=self.fixes,
            idempotent=self.idempotent,
            patience=self.patience,
            random=self.random,
        )
        left = self._left()
        if decision.action is Action.RETRY and left is not None and decision.wait >= left:
            return Decision(Action.GIVE_UP, "The deadline comes before the next attempt.")
        return decision

    async def mend(self, error: RemoteError) -> bool:
        """Whether there are other arguments to try."""
        if self.fix is None or self.fixes >= self.patience.fixes or self.attempts >= self.patience.attempts:
            return False
        mended = self.fix(error, dict(self.sent))
        if inspect.isawaitable(mended):
            mended = await mended
        if mended is None or dict(mended) == self.sent:
            return False
        self.sent, self.fixes = dict(mended), self.fixes + 1
        return True

    def _left(self) -> float | None:
        return None if self.ends is None else max(self.ends - self.clock(), 0.0)


def _quietly(client: Any) -> dict[str, Any]:
    """FastMCP's client raises the first text and drops the rest, unless it is asked not to."""
    is_fastmcps = any(qualified_name(cls).startswith("fastmcp.") for cls in mro_of(type(client)))
    return {"raise_on_error": False} if is_fastmcps else {}


def _is_ours(error: RemoteError) -> bool:
    """Whether the exception is a bug on this side, which is no answer of the server's."""
    return error.source is Source.EXCEPTION and error.code is ErrorCode.INTERNAL_ERROR
