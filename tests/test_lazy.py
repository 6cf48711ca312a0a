from __future__ import annotations

import re

import pytest

from mcp_error_middleware.lazy import lazy, prepare


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    broken = lazy("(")

    with pytest.raises(re.error):
        broken.search("x")


def test_a_pattern_then_does_what_a_compiled_one_does() -> None:
    pattern = lazy(r"(?P<n>\d)", re.IGNORECASE)

    assert pattern.sub("x", "a1b2") == "axbx"
    assert [match["n"] for match in pattern.finditer("a1b2")] == ["1", "2"]
    assert (pattern.groups, pattern.pattern) == (1, r"(?P<n>\d)")


def test_one_that_cannot_be_compiled_keeps_no_other_from_it() -> None:
    other, broken = lazy(r"\d"), lazy("(")

    prepare()

    assert other.search("7")
    with pytest.raises(re.error):
        broken.search("7")
