from __future__ import annotations

import re

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.finders import credentials, hosts, people, sql, tokens, traces
from mcp_error_middleware.sanitize.spans import Pattern, Span, View, matches, merged, replaced, table, words

PATTERNS = (
    *tokens.TOKENS,
    tokens.FAMOUS,
    *credentials.CREDENTIALS,
    people.MAIL,
    people.CUT_MAIL,
    *people.NUMBERS,
    *hosts.HOSTS,
    *sql.DETAILS,
    *traces.PLACES,
)


@pytest.mark.parametrize("pattern", PATTERNS, ids=[p.example[:40] for p in PATTERNS])
def test_every_pattern_finds_its_example_and_leaves_its_near_miss(pattern: Pattern) -> None:
    assert list(matches(pattern, pattern.example))
    assert sanitize_text(pattern.example) != pattern.example
    assert not list(matches(pattern, pattern.near_miss))
    assert sanitize_text(pattern.near_miss) == pattern.near_miss


@pytest.mark.parametrize("pattern", PATTERNS, ids=[p.example[:40] for p in PATTERNS])
def test_every_literal_is_lower_case_and_one_is_in_the_example(pattern: Pattern) -> None:
    assert all(literal == literal.lower() for literal in pattern.literals)
    assert any(literal in pattern.example.lower() for literal in pattern.literals or ("",))


@pytest.mark.parametrize("pattern", PATTERNS, ids=[p.example[:40] for p in PATTERNS])
def test_no_pattern_repeats_without_bound_what_it_repeats_already(pattern: Pattern) -> None:
    """A quantifier without an upper bound inside another one is how matching time explodes."""
    assert not re.search(r"[^\\][*+]\)(?:[*+]|\{\d+,\})(?!\+)", pattern.regex.pattern)


def test_places_that_overlap_are_cut_as_one_and_named_by_the_first() -> None:
    spans = [Span(4, 9, "token"), Span(2, 6, "path"), Span(12, 14, "ip"), Span(14, 16, "card")]

    assert merged(spans) == [Span(2, 9, "path"), Span(12, 14, "ip"), Span(14, 16, "card")]


def test_a_cut_is_named_and_counted() -> None:
    tally = {"ip": 1}

    assert replaced("from 10.0.0.1 to 10.0.0.2", [Span(5, 13, "ip"), Span(17, 25, "ip")], tally) == (
        "from [redacted:ip] to [redacted:ip]"
    )
    assert tally == {"ip": 3}


def test_only_the_first_group_of_a_pattern_goes() -> None:
    pattern = Pattern("staff", re.compile(r"staff no (\d+)"), ("staff",), "staff no 7", "staff")

    assert table([pattern])(View.of("ask staff no 42 now", words(""))) == [Span(13, 15, "staff")]


def test_a_pattern_without_literals_always_looks() -> None:
    pattern = Pattern("staff", re.compile(r"E\d+"), (), "E7", "E")

    assert table([pattern])(View.of("ask E42", words(""))) == [Span(4, 7, "staff")]


def test_a_view_keeps_places_where_lower_case_is_longer() -> None:
    view = View.of("İ password=x", words("password"))

    assert len(view.lower) == len(view.text)
    assert view.spoken == words("password")
