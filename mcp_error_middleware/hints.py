"""Code and evidence in, next step out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mcp_error_middleware.locales import phrases, say
from mcp_error_middleware.model import Hint, Issue, Verdict
from mcp_error_middleware.taxonomy import ErrorCode


@dataclass(frozen=True, slots=True)
class Hints:
    """Finds the next step: the author's word first, then the users' tables, then what the evidence says.

    Every table maps to one imperative sentence: `by_reason["no_match"]`, `by_tool["fetch"]`,
    `by_code["NotFound"]`.
    """

    by_reason: Mapping[str, str] = field(default_factory=dict)
    by_tool: Mapping[str, str] = field(default_factory=dict)
    by_code: Mapping[str, str] = field(default_factory=dict)
    locale: str = "en"
    """The language of what is in none of the tables."""

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
        if text := from_evidence(verdict, issues, self.locale):
            return Hint(text, "evidence")
        return _of_code(verdict.code, self.locale)

    def _users(self, code: ErrorCode, reason: str | None, tool: str | None) -> str | None:
        if not (self.by_reason or self.by_tool or self.by_code):
            return None
        return (
            self.by_reason.get(reason or "") or self.by_tool.get(tool or "") or self.by_code.get(code.label)
        )


@lru_cache(maxsize=256)
def _of_code(code: ErrorCode, locale: str) -> Hint:
    own = phrases(locale).get(code.label)
    return Hint(own["hint"] if own else code.traits.hint, "code")


def from_evidence(verdict: Verdict, issues: tuple[Issue, ...] = (), locale: str = "en") -> str | None:
    """What this failure's own facts suggest, beyond what its code does."""
    if issues:
        return _for_issues(issues, locale)
    if verdict.evidence is not None and verdict.evidence.source == "statement":
        return say(locale, "correct", names=verdict.evidence.detail)
    if verdict.retry_after is not None and verdict.retryable:
        return _after(verdict.retry_after, locale)
    expected = verdict.code.traits.retryable
    if verdict.retryable and not expected:
        return say(locale, "temporary")
    if expected and not verdict.retryable:
        return say(locale, "raise_quota" if verdict.code is ErrorCode.RATE_LIMITED else "unreachable")
    return None


def _after(wait: float, locale: str) -> str:
    """In whole seconds, rounded up."""
    seconds = max(1, math.ceil(wait))
    return say(locale, "retry_after_one" if seconds == 1 else "retry_after", seconds=seconds)


def _for_issues(issues: tuple[Issue, ...], locale: str) -> str:
    paths = list(dict.fromkeys(issue.path for issue in issues if issue.path))
    if not paths:
        return say(locale, "correct_arguments")
    return say(locale, "correct_more" if len(paths) > 5 else "correct", names=", ".join(paths[:5]))
