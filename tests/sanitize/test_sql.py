from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("failed: SELECT * FROM users WHERE id = 5", "failed: [redacted:sql]"),
        ('{"query": "select id, name from users", "code": 5}', '{"query": "[redacted:sql]", "code": 5}'),
        ('{"e": "LINE 1: SELECT * FROM zz", "ok": false}', '{"e": "LINE 1: [redacted:sql]", "ok": false}'),
        ('INSERT INTO t VALUES (\'{"a": "x", "b": "y"}\')', "[redacted:sql]"),
        ("no: SELECT id\n  FROM t\n WHERE x = 1\nretry", "no: [redacted:sql]\nretry"),
        (
            "oops\n[SQL: INSERT INTO t VALUES (%s)]\n[parameters: ('bob', 42)]\n(Background on this error)",
            "oops\n[SQL: [redacted:sql]]\n[parameters: [redacted:sql]]\n(Background on this error)",
        ),
        (
            "[SQL: WITH x AS (SELECT 1) SELECT * FROM x]\n(Background on this error)",
            "[SQL: [redacted:sql]]\n(Background on this error)",
        ),
        ("running DELETE FROM t WHERE n = 'bob' failed: locked", "running [redacted:sql] failed: locked"),
        ("UPDATE t SET n = 'it failed: bob' WHERE id = 5", "[redacted:sql]"),
        ("DETAIL:  Key (name)=(bob) already exists.", "DETAIL:  Key (name)=([redacted:sql]) already exists."),
    ],
)
def test_a_statement_goes_and_the_message_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "select at least one item from the list",
        "Select a value from the dropdown and update it.",
        "please update the order where possible",
        "delete from cart",
        "insert into the basket",
        "Create table reservations first",
        "drop the table",
        "with select partners",
        "A hotel near 'Berlin' was not found",
    ],
)
def test_english_with_the_same_words_stays(text: str) -> None:
    assert sanitize_text(text) == text


def test_what_was_bound_goes_where_somebody_cut_it_off() -> None:
    said = 'executing a query with params ["bob", "S3cr'
    assert sanitize_text(said) == "executing a query with params [redacted:sql]"
