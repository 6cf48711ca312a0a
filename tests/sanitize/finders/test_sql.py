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
    ("text", "clean"),
    [
        ("UPDATE t SET n = 'bob' WHERE id = 7: deadlock detected", "[redacted:sql]: deadlock detected"),
        (
            "bad grammar [UPDATE t SET n = 'b]b' WHERE id = 3]; nested exception is java.sql.SQLException",
            "bad grammar [[redacted:sql]]; nested exception is java.sql.SQLException",
        ),
        ("tried [DELETE FROM t WHERE n = 'bob'] three times", "tried [[redacted:sql]] three times"),
        ("CALL f('bob', 1): procedure does not exist", "[redacted:sql]: procedure does not exist"),
        ("GRANT ALL ON t TO 'bob'@'%'; ERROR 1064", "[redacted:sql]; ERROR 1064"),
        ("select a from t where b='x' and c='y' -- syntax error", "[redacted:sql] -- syntax error"),
        ("MATCH (u:User {name: 'bob'}) RETURN u: SyntaxException", "[redacted:sql]: SyntaxException"),
        (
            'CREATE USER kim IN ROLE staff; ERROR: role "kim" already exists',
            '[redacted:sql]; ERROR: role "kim" already exists',
        ),
        (
            "SELECT a FROM t WHERE b = ?: lock wait timeout exceeded",
            "[redacted:sql]: lock wait timeout exceeded",
        ),
        ("SELECT a FROM t: Table 'shop.t' doesn't exist", "[redacted:sql]: Table 'shop.t' doesn't exist"),
    ],
)
def test_what_is_said_of_a_statement_behind_it_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "UPDATE t SET n = 'otter: it is not valid' WHERE id = 3",
        "UPDATE t SET n = 'O'Brien: it is not otter' WHERE id = 3: deadlock detected",
        "UPDATE t SET n = 'O'Brien] otter' WHERE id = 3]; nested exception is java.sql.SQLException",
        "UPDATE t SET n = 'C:\\': it is not otter' WHERE id = 3: deadlock detected",
        'UPDATE t SET n = "x: it is not valid otter" WHERE id = 3',
        "UPDATE t SET n = $$x: it is not valid otter$$ WHERE id = 3",
        "UPDATE t SET n = 1: deadlock detected\n WHERE b = 'otter'",
        "SELECT a FROM t WHERE n = ? AND m = ?: bob, otter",
        "[SELECT a FROM t WHERE n = ? AND m = ?]; params [bob, otter]",
        "INSERT INTO t VALUES (%s, %s): error: invalid value otter2",
        "INSERT INTO t VALUES ('otter', 3): error: invalid value otter at line 2",
        'INSERT INTO t VALUES ($1): invalid input syntax for type integer: "otter2"',
        "SELECT a FROM t; DELETE FROM u WHERE n = otter",
        "SELECT a FROM t -- the value is 'otter'",
        "COPY t FROM stdin; ERROR: invalid input: otter",
        "INSERT INTO t VALUES (?): invalid value 'otter_lake' given",
        "INSERT INTO t VALUES ('an otter = x'): invalid value an otter = x",
        "[INSERT INTO t VALUES ('an otter = x')]; nested exception: invalid value an otter = x",
        "SELECT a FROM t WHERE b = ?: meet the otter at nine",
        "SELECT a FROM t -- the value is otter42",
    ],
)
def test_no_value_of_a_statement_is_taken_for_what_is_said_of_it(text: str) -> None:
    assert "otter" not in sanitize_text(text)


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
