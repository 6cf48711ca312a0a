from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.finders.tokens import SHAPES, TOKENS
from mcp_error_middleware.sanitize.spans import Pattern

CONTEXTS = ["{}", '"{}"', "({})", "x={},", "<{}>", "https://example.com/{}/x", "{}.", "key:{}\n"]


@pytest.mark.parametrize("pattern", TOKENS, ids=[pattern.example[:40] for pattern in TOKENS])
def test_a_token_goes_wherever_it_stands(pattern: Pattern) -> None:
    token = max(pattern.example.split(), key=len)

    assert [context for context in CONTEXTS if token in sanitize_text(context.format(token))] == []


def test_no_prefix_is_listed_twice() -> None:
    prefixes = [prefix for shape in SHAPES for prefix in shape[0].split()]

    assert len(prefixes) == len(set(prefixes))
