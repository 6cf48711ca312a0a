from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.client import RemoteError, decide, parse_error
from mcp_error_middleware.render import META_KEY
from tests.fuzz.effort import effort
from tests.strategies import broken_text, hostile_values

KEYS = st.sampled_from(
    f"""
    isError content structuredContent _meta error result data code name message retry_after retryable
    recovery hint issues jsonrpc type text success {META_KEY}
    """.split()
)
ANSWERS: st.SearchStrategy[Any] = st.recursive(
    hostile_values | st.sampled_from([True, "2.0", "text", -32603, "NotFound"]),
    lambda inner: st.dictionaries(KEYS, inner, max_size=5) | st.lists(inner, max_size=3),
    max_leaves=12,
)


def is_sound(error: RemoteError | None) -> bool:
    return error is None or (isinstance(error.message, str) and decide(error) is not None)


@effort(80)
@given(ANSWERS)
def test_whatever_a_server_answers_is_an_error_with_a_next_step_or_none(answer: Any) -> None:
    assert is_sound(parse_error(answer))


@effort(40)
@given(broken_text | st.text(max_size=3_000))
def test_whatever_a_server_says_is_an_error_with_a_next_step_or_none(text: str) -> None:
    assert is_sound(parse_error(text))
    assert is_sound(parse_error(RuntimeError(text)))
    assert parse_error({"isError": True, "content": [{"type": "text", "text": text}]}) is not None
