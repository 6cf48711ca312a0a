"""What property tests are fed with."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mcp_error_middleware.model import Call, Failure, Hint, Issue
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.testing.hostile import Raising, cycle
from mcp_error_middleware.testing.strategies import broken_text, hostile_values, json_values, text

__all__ = ["Raising", "broken_text", "cycle", "hostile_values", "json_values", "text"]

words = st.from_regex(r"[a-z][a-z0-9_]{0,15}", fullmatch=True)
identifiers = st.text("0123456789abcdef", min_size=12, max_size=12)

VERSIONS = [None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2026-12-15"]


def calls(texts: st.SearchStrategy[str] = text) -> st.SearchStrategy[Call]:
    return st.builds(
        Call,
        method=st.sampled_from(["tools/call", "resources/read", "prompts/get", "own/method"]),
        target=st.none() | texts,
        request_id=st.none() | st.integers(0, 1000) | texts,
        correlation_id=st.none() | texts,
        protocol_version=st.sampled_from(VERSIONS),
        structured=st.booleans(),
    )


waits = st.none() | st.integers(0, 86_400) | st.floats(0, 86_400)


def failures(
    *,
    texts: st.SearchStrategy[str] = text,
    values: st.SearchStrategy[Any] = json_values,
    keys: st.SearchStrategy[Any] = text,
    waits: st.SearchStrategy[float | None] = waits,
    max_issues: int = 4,
) -> st.SearchStrategy[Failure]:
    """Failures as triage makes them, or worse where the arguments say so."""
    return st.builds(
        Failure,
        error_id=identifiers,
        call=calls(texts),
        code=st.sampled_from(ErrorCode),
        message=texts,
        hint=st.builds(Hint, texts),
        retryable=st.booleans(),
        retry_after=waits,
        reason=st.none() | words | texts,
        data=st.dictionaries(keys, values, max_size=4),
        issues=st.lists(st.builds(Issue, texts, texts), max_size=max_issues).map(tuple),
        status=st.none() | st.integers(400, 599),
        number=st.none() | st.integers(-32_800, -31_900) | st.integers(-10, 5_000),
    )


hostile_failures = failures(
    texts=broken_text,
    values=hostile_values,
    keys=broken_text
    | st.sampled_from(["reason", "recovery", "retry_after", "issues", "data", "name"])
    | st.integers(),
    waits=st.none() | st.floats(),
    max_issues=25,
)
"""What no sanitiser has seen."""
