from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from mcp_error_middleware.advice import Around, refused
from mcp_error_middleware.errors import DatabaseError
from mcp_error_middleware.model import Call
from mcp_error_middleware.triage import Triage


def run(statement: str) -> None:
    with closing(sqlite3.connect(":memory:")) as store:
        store.execute("CREATE TABLE orders (id INTEGER)")
        store.execute(statement)


def answer(exc: BaseException, **arguments: Any) -> tuple[str, str, str]:
    failure = Triage()(exc, Call(method="tools/call", target="ask"), around=Around(arguments=arguments))
    return failure.code.label, failure.message, failure.hint.text


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("selec * from orders", 'near "selec": syntax error'),
        ("select price from orders", "no such column: price"),
        ("select * from ordrs", "no such table: ordrs"),
        ("select median(id) from orders", "no such function: median"),
        ("insert into orders values", "incomplete input"),
    ],
)
def test_what_a_store_says_of_the_callers_own_statement_is_for_the_caller(statement: str, said: str) -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        run(statement)

    told = ("ValidationError", said, "Correct sql as described, then call again.")
    assert answer(caught.value, limit=5, sql=statement) == told


def test_what_a_store_says_of_the_servers_own_statement_is_not() -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        run("select * from prices")

    for sent in ({"query": "cheap shoes"}, {"sql": "select * from orders"}, {"order": "prices"}, {}):
        label, message, _ = answer(caught.value, **sent)
        assert label == "DatabaseError"
        assert "prices" not in message


def test_a_wrapper_of_the_refusal_speaks_for_itself() -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        run("selec 1")
    wrapper = RuntimeError(f"Database error: {caught.value}")
    wrapper.__cause__ = caught.value

    label, message, _ = answer(wrapper, query="selec 1")
    assert (label, message) == ("ValidationError", 'Database error: near "selec": syntax error')


def test_what_an_author_declares_stays_as_declared() -> None:
    error = DatabaseError("no such table: orders")

    assert answer(error, sql="select * from orders")[0] == "DatabaseError"


@pytest.mark.parametrize(
    "said",
    [
        'relation "ordrs" does not exist\nLINE 1: select * from ordrs',
        'column "ordrs" does not exist',
        "Table 'shop.ordrs' doesn't exist",
        "Unknown column 'ordrs' in 'field list'",
        "Catalog Error: Table with name ordrs does not exist!",
        "You have an error in your SQL syntax near 'ordrs' at line 1",
        "Syntax error: failed at position 15 ('ordrs')",
    ],
)
def test_stores_of_other_makes_are_understood(said: str) -> None:
    assert refused([said], {"statement": "select * from ordrs"}) == "statement"


@pytest.mark.parametrize(
    "said", ["database disk image is malformed", "could not extend file: No space left on device", "boom"]
)
def test_what_is_no_refusal_of_a_statement_is_nobodys_but_the_stores(said: str) -> None:
    assert refused([said], {"sql": "select * from orders"}) is None


@pytest.mark.parametrize("arguments", [None, [], "select 1", {"sql": 7}, {7: "select ordrs"}])
def test_arguments_of_any_kind_are_survived(arguments: object) -> None:
    assert refused(["no such table: ordrs"], arguments) is None


@pytest.mark.parametrize("name", ["sql" + "x" * 1_000_000, "sql postgres://ann:hunter2@db/shop"])
def test_a_name_that_must_not_be_repeated_is_not(name: str) -> None:
    label, _, hint = answer(sqlite3.OperationalError("no such table: ordrs"), **{name: "select * from ordrs"})
    assert label == "DatabaseError"
    assert name not in hint


def test_few_of_the_names_in_a_refusal_are_looked_for() -> None:
    refusal = "syntax error at " + ", ".join(f"'part {number:02}'" for number in range(100))
    assert refused([refusal], {"sql": "selec part 07"}) == "sql"
    assert refused([refusal], {"sql": "selec part 77"}) is None


@pytest.mark.parametrize(
    "sent",
    [
        {"query": "prices of last week"},
        {"note": "select one of the prices"},
        {"question": "Show me prices by region"},
        {"text": "Update the prices, please"},
    ],
)
def test_what_people_ask_for_is_no_statement(sent: dict[str, str]) -> None:
    assert refused(["no such table: prices"], sent) is None


@pytest.mark.parametrize(
    "statement",
    [
        "select * from prices",
        "select p.id from prices p",
        " (SELECT id, max(x)\nFROM prices)",
        "with p as (select * from prices) select 1 from p",
        "update prices set x = 1",
        "INSERT OR IGNORE INTO prices VALUES (1)",
        "delete from prices",
        "drop table prices ",
        "explain select 1 from prices",
    ],
)
def test_a_statement_is_one_whatever_it_is_sent_as(statement: str) -> None:
    assert refused(["no such table: prices"], {"x": statement}) == "x"


@contextmanager
def store() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE orders (id INTEGER, size INTEGER)")
        yield made


def execute(statement: str) -> object:
    with store() as orders:
        return orders.execute(statement)


def raised(step: Callable[..., object], *args: object) -> BaseException:
    try:
        step(*args)
    except Exception as exc:
        return exc
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("select id from orders union select id, size from orders", "SELECTs to the left and right of UNION"),
        ("select id, size from orders order by 9", "1st ORDER BY term out of range"),
        ("select * from orders where id = ?", "Incorrect number of bindings supplied"),
        ("select 1; select 2", "You can only execute one statement at a time."),
        ("insert into orders values (1)", "table orders has 2 columns but 1 values were supplied"),
        ("select id from orders where max(id) > 1", "misuse of aggregate function max()"),
        ("select * from orders having id", "HAVING clause on a non-aggregate query"),
        ("select id from orders a, orders b", "ambiguous column name: id"),
    ],
)
def test_a_statement_that_reads_but_makes_no_sense_is_the_callers_too(statement: str, said: str) -> None:
    label, message, hint = answer(raised(execute, statement), sql=statement)

    assert (label, hint) == ("ValidationError", "Correct sql as described, then call again.")
    assert message.startswith(said)


def test_the_state_of_a_transaction_is_no_matter_of_the_statement() -> None:
    def ask(sql: str) -> None:
        with store() as orders:
            orders.execute("commit")

    assert answer(raised(ask, "select * from orders"), sql="select * from orders")[0] == "DatabaseError"


class RefusedError(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__("that cannot be done")
        self.sqlstate = sqlstate


def test_a_state_says_of_a_statement_what_the_text_does_not() -> None:
    for state, label in [
        ("42P10", "ValidationError"),
        ("21000", "ValidationError"),
        ("XX000", "DatabaseError"),
    ]:
        assert answer(RefusedError(state), sql="select * from orders order by 9")[0] == label


def test_what_was_handed_to_the_store_is_a_statement_whatever_it_is_called() -> None:
    def ask(text: str) -> object:
        with store() as orders:
            return orders.execute(text)

    for text, said in [
        ("selec id from orders", 'near "selec": syntax error'),
        ("select id where", "incomplete input"),
    ]:
        told = ("ValidationError", said, "Correct text as described, then call again.")
        assert answer(raised(ask, text), text=text) == told


def test_what_was_handed_beside_the_servers_own_statement_is_none() -> None:
    def ask(text: str) -> object:
        with store() as orders:
            return orders.execute("selec * from orders where size = ? and id = ?", (text, 7))

    for text in ("show sizes", "selec", "7"):
        assert answer(raised(ask, text), text=text)[0] == "DatabaseError"


def test_a_table_that_the_caller_named_is_the_callers() -> None:
    def describe(table: str) -> object:
        with store() as orders:
            return orders.execute(f"select * from {table}")

    told = ("ValidationError", "no such table: ordrs", "Correct table as described, then call again.")
    assert answer(raised(describe, "ordrs"), table="ordrs") == told
    # By chance of the same name as what was asked for.
    assert answer(raised(describe, "ordrs"), note="ordr")[0] == "DatabaseError"


def test_a_value_that_was_written_into_a_statement_without_quotes_is_the_servers_mistake() -> None:
    def find(name: str) -> object:
        with store() as orders:
            return orders.execute(f"select * from orders where id = {name}")

    for name in ("bob", "O'Brien"):
        assert answer(raised(find, name), name=name)[0] == "DatabaseError"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("covid-19", "no such column: 19"),
        ("place:berlin", "no such column: place"),
        ('"new york', "unterminated string"),
        ("york AND AND", 'fts5: syntax error near "AND"'),
    ],
)
def test_words_to_search_for_that_do_not_read_are_the_callers(words: str, said: str) -> None:
    def search(words: str) -> object:
        with closing(sqlite3.connect(":memory:")) as notes:
            notes.execute("CREATE VIRTUAL TABLE notes USING fts5(text)")
            return notes.execute("select * from notes where notes match ?", (words,)).fetchall()

    told = ("ValidationError", said, "Correct words as described, then call again.")
    assert answer(raised(search, words), words=words, limit=9) == told
    assert answer(raised(search, words), place=words.upper() + "s")[0] == "DatabaseError"


@pytest.mark.parametrize(
    "said",
    [
        """Binder Error: No function matches the given name and argument types 'median(VARCHAR)'.""",
        'IO Error: No files found that match the pattern "orders.csv"',
    ],
)
def test_what_a_store_says_in_quotes_is_looked_for_up_to_a_parenthesis(said: str) -> None:
    assert refused([said], {"sql": "select median(x) from 'orders.csv'"}) == "sql"
    assert refused([said], {"sql": "select mode(x) from 'prices.parquet'"}) is None
