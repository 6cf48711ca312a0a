from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize.finders import ASKED
from mcp_error_middleware.sanitize.finders.calm import is_calm
from mcp_error_middleware.sanitize.spans import View


@pytest.mark.parametrize(
    ("text", "calm"),
    [
        ("Server error '503 Service Unavailable', see https://developer.mozilla.org/en-US/docs", True),
        ("Server error '503 Service Unavailable' of billing-3", False),
    ],
)
def test_a_hyphen_of_a_public_link_makes_no_machine_of_a_word(text: str, calm: bool) -> None:
    assert is_calm(View.of(text, ASKED)) is calm
