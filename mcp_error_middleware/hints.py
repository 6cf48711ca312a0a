"""Code and evidence in, next step out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_error_middleware.model import Hint, Issue, Verdict
from mcp_error_middleware.taxonomy import ErrorCode, Fault


@dataclass(frozen=True, slots=True)
class Hints:
    """Finds the next step: the author's word first, then the users' tables, then what the evidence says.

    Every table maps to one imperative sentence: `by_reason["no_match"]`, `by_tool["fetch"]`,
    `by_code["NotFound"]`.
    """

    by_reason: Mapping[str, str] = field(default_factory=dict)
    by_tool: Mapping[str, str] = field(default_factory=dict)
    by_code: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    """What the codes suggest in another language than English."""

    def __call__(
        self,
        verdict: Verdict,
        *,
        author: str | None = None,
        contract: str | None = None,
        reason: str | None = None,
        tool: str | None = None,
        issues: tuple[Issue, ...] = (),
    ) -> Hint:
        """The best hint there is; never empty."""
        if author and author.strip():
            return Hint(author, "author")
        if contract:
            return Hint(contract, "contract")
        if text := self._users(verdict.code, reason, tool):
            return Hint(text, "user")
        if text := from_evidence(verdict, issues):
            return Hint(text, "evidence")
        return Hint(self.own.get(verdict.code.label) or verdict.code.traits.hint, "code")

    def _users(self, code: ErrorCode, reason: str | None, tool: str | None) -> str | None:
        return (
            self.by_reason.get(reason or "") or self.by_tool.get(tool or "") or self.by_code.get(code.label)
        )


def from_evidence(verdict: Verdict, issues: tuple[Issue, ...] = ()) -> str | None:
    """What this failure's own facts suggest, beyond what its code does."""
    if issues:
        return _for_issues(issues)
    if verdict.retry_after is not None and verdict.retryable:
        return f"Retry the same call after {seconds(verdict.retry_after)}."
    expected = verdict.code.traits.retryable
    if verdict.retryable and not expected:
        return "Retry the same call after a short wait; the cause is temporary."
    if expected and not verdict.retryable:
        return _for_permanent(verdict.code)
    return None


def seconds(value: float) -> str:
    """A waiting time in whole seconds, rounded up."""
    whole = max(1, math.ceil(value))
    return "1 second" if whole == 1 else f"{whole} seconds"


def _for_issues(issues: tuple[Issue, ...]) -> str:
    paths = list(dict.fromkeys(issue.path for issue in issues if issue.path))
    if not paths:
        return "Correct the arguments as the message says, then call again."
    shown = ", ".join(paths[:5]) + (" and others" if len(paths) > 5 else "")
    return f"Correct {shown} as described, then call again."


def _for_permanent(code: ErrorCode) -> str:
    if code is ErrorCode.RATE_LIMITED:
        return "Do not retry; ask the user to raise the quota or the plan."
    if code.traits.fault is Fault.UPSTREAM:
        return "Do not retry; tell the user that the service cannot be reached as configured."
    return "Do not repeat this call; report the error id to the operator."
