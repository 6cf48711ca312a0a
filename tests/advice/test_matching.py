from __future__ import annotations

import re

import pytest

from mcp_error_middleware.advice.matching import matching


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^[A-Z]{3}$", "AAA"),
        (r"^[A-Z]+-\d+$", "A-1"),
        (r"\d{4}-\d{2}", "1111-11"),
        (r"^ord_[a-z0-9]{1,8}$", "ord_a"),
        (r"^(low|high)$", "low"),
        (r"^v\d+(\.\d+)*$", "v1"),
        (r"^(?:[a-z]+/)?[a-z]+$", "a"),
        (r"^https?://.+$", "http://a"),
        (r"^[\w.-]+@[\w.-]+$", "a@a"),
        (r"^#[0-9A-Fa-f]{6}$", "#000000"),
        (r"^[^@\s]+@[^@\s]+$", "a@a"),
        (r"^(ab){2}$", "abab"),
        (r"^(\d{3}-){2}\d{4}$", "111-111-1111"),
        (r"^([a-z]+\.)+[a-z]{2,}$", "a.aa"),
        (r"^foo$|^bar$", "foo"),
        (r"^[|,]$", "|"),
        (r"^(?!.*--)[a-z][a-z0-9-]{2,30}$", "aaa"),
        (r"(?i)^abc$", "abc"),
        (r"\bfoo\b", "foo"),
        (r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$", "aA1!aA1!"),
        (r"^(?=.*\d)(?=.*[@$!])[A-Za-z\d@$!%*?&]{8,}$", "Aa1@$!%*"),
        (r"^(?=.*1)[A-Z1]{3}$", "A1A"),
        (r"^(\(\d+\))?\[x\]$", "[x]"),
    ],
)
def test_a_simple_pattern_has_a_text_that_matches_it(pattern: str, text: str) -> None:
    assert matching(pattern) == text
    assert re.search(pattern, text)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^$",
        r"^(?=.*\d).+$",
        r"^[^a]$",
        r"\p{L}+",
        r"^(a)\1$",
        r"^(ab){2}c{2}d{3}$x",
        r"a{999}",
        r"^a$b",
        "[",
    ],
)
def test_any_other_has_none(pattern: str) -> None:
    assert matching(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "least", "text"),
    [
        (r"^[a-z]+$", 3, "aaa"),
        (r"^[A-Z]{2,9}-\d*$", 5, "AAAA-"),
        (r"^[A-Z]{1,2}-\d?-x{3,}$", 9, "AA-1-xxxx"),
        (r"^[A-Z]{2}$", 3, None),
        (r"^a+$", 201, None),
    ],
)
def test_it_is_as_long_as_it_has_to_be_where_it_may_be(pattern: str, least: int, text: str | None) -> None:
    assert matching(pattern, least) == text
