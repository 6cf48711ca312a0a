"""What property tests are fed with."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mcp_error_middleware.model import Call, Failure, Hint, Issue
from mcp_error_middleware.taxonomy import ErrorCode

text = st.text(max_size=60)
"""Any text that UTF-8 can carry, newlines and control characters included."""

broken_text = st.text(st.characters(), max_size=60)
"""Lone surrogates too."""

words = st.from_regex(r"[a-z][a-z0-9_]{0,15}", fullmatch=True)
identifiers = st.text("0123456789abcdef", min_size=12, max_size=12)

json_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
)
json_values: st.SearchStrategy[Any] = st.recursive(
    json_scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)


class Raising:
    """Objects to everything."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def cycle() -> dict[str, Any]:
    loop: dict[str, Any] = {}
    loop["loop"] = [loop, loop]
    return loop


hostile_values: st.SearchStrategy[Any] = st.recursive(
    json_scalars
    | broken_text
    | st.floats()
    | st.integers()
    | st.binary(max_size=8)
    | st.dates()
    | st.uuids()
    | st.decimals()
    | st.builds(Raising)
    | st.builds(cycle)
    | st.builds(object)
    | st.just(5_000).map(lambda digits: 10**digits),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(broken_text | st.integers() | st.none(), inner, max_size=3)
    ),
    max_leaves=5,
)

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
