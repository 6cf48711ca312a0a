"""Databases' own codes: every row of every table."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.evidence.sql import (
    CLICKHOUSE,
    MONGO,
    MSSQL,
    MYSQL,
    ORACLE,
    SQLITE,
    SQLSTATES,
    sqlite_clue,
    sqlstate_clue,
)
from mcp_error_middleware.taxonomy import ErrorCode


def driver_error(module: str, *args: object, name: str = "OperationalError", **attributes: Any) -> Exception:
    exc: Exception = type(name, (Exception,), {"__module__": module})(*args)
    vars(exc).update(attributes)
    return exc


@pytest.mark.parametrize(("state", "code"), SQLSTATES.items())
def test_every_state_and_class_has_its_code(state: str, code: ErrorCode) -> None:
    clue = sqlstate_clue(state.ljust(5, "Z"))
    assert clue is not None
    assert clue.code is code


@pytest.mark.parametrize(
    "attributes",
    [{"sqlstate": "23505"}, {"pgcode": "23505"}, {"diag": SimpleNamespace(sqlstate="23505")}],
    ids=["sqlstate", "pgcode", "diag"],
)
def test_a_state_is_found_where_drivers_keep_it(attributes: dict[str, Any]) -> None:
    assert classify(driver_error("driver", **attributes)).code is ErrorCode.CONFLICT


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("42S02", ErrorCode.DATABASE_ERROR),
        ("23000", ErrorCode.VALIDATION_ERROR),
        ("28000", ErrorCode.UNAUTHORIZED),
        ("HYT00", ErrorCode.TIMEOUT),
        ("08S01", ErrorCode.SERVICE_UNAVAILABLE),
        ("IM002", ErrorCode.CONFIGURATION_ERROR),
    ],
)
def test_an_odbc_driver_puts_the_state_first(state: str, code: ErrorCode) -> None:
    assert classify(driver_error("pyodbc", state, "words")).code is code


@pytest.mark.parametrize("state", ["40001", "40P01", "55P03"])
def test_a_lost_race_may_be_run_again(state: str) -> None:
    verdict = classify(driver_error("asyncpg", sqlstate=state))
    assert (verdict.code, verdict.retryable) == (ErrorCode.CONFLICT, True)


TABLES = [("pymysql.err", MYSQL), ("pymssql", MSSQL)]


@pytest.mark.parametrize(
    ("module", "number", "code"), [(module, n, code) for module, table in TABLES for n, code in table.items()]
)
def test_every_number_a_driver_puts_first_has_its_code(module: str, number: int, code: ErrorCode) -> None:
    assert classify(driver_error(module, number, "words")).code is code


def numbers(table: Mapping[int, ErrorCode]) -> list[tuple[int, ErrorCode]]:
    return list(table.items())


@pytest.mark.parametrize(("number", "code"), numbers(ORACLE))
def test_every_oracle_number_has_its_code(number: int, code: ErrorCode) -> None:
    said = SimpleNamespace(message=f"ORA-{number:05}: words", full_code=f"ORA-{number:05}")
    assert classify(driver_error("oracledb.exceptions", said)).code is code


@pytest.mark.parametrize(("number", "code"), numbers(MONGO))
def test_every_mongo_number_has_its_code(number: int, code: ErrorCode) -> None:
    assert (
        classify(driver_error("pymongo.errors", "words", name="OperationFailure", code=number)).code is code
    )


@pytest.mark.parametrize(("number", "code"), numbers(CLICKHOUSE))
def test_every_clickhouse_number_has_its_code(number: int, code: ErrorCode) -> None:
    assert classify(driver_error("clickhouse_driver.errors", "words", code=number)).code is code
    assert (
        classify(driver_error("clickhouse_connect.x", f"returned 500\n Code: {number}. DB::X")).code is code
    )


def test_a_mysql_number_says_more_than_its_state() -> None:
    exc = driver_error("mysql.connector.errors", "1142 (42000): denied", errno=1142, sqlstate="42000")
    assert classify(exc).code is ErrorCode.FORBIDDEN


def test_a_number_of_another_vendor_is_not_mistaken() -> None:
    assert classify(driver_error("somewhere", 1062, "words")).code is ErrorCode.DATABASE_ERROR


def test_an_oracle_driver_speaks_for_itself_too() -> None:
    exc = driver_error("oracledb.exceptions", "DPY-6005: cannot connect to database")
    assert classify(exc).code is ErrorCode.SERVICE_UNAVAILABLE


def test_the_errors_inside_a_bulk_write_are_read() -> None:
    exc = driver_error(
        "pymongo.errors", "batch", name="BulkWriteError", code=65, details={"writeErrors": [{"code": 11000}]}
    )
    assert classify(exc).code is ErrorCode.CONFLICT


def test_a_label_of_mongo_makes_it_retryable() -> None:
    exc = driver_error(
        "pymongo.errors", name="OperationFailure", code=91, _error_labels={"RetryableWriteError"}
    )
    assert classify(exc).retryable is True


@pytest.mark.parametrize(("prefix", "code", "again"), SQLITE)
def test_every_name_of_sqlite_has_its_code(prefix: str, code: ErrorCode, again: bool | None) -> None:
    clue = sqlite_clue(f"{prefix}_X")
    assert clue is not None
    assert (clue.code, clue.retryable) == (code, again)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("INSERT INTO t VALUES (1, 'a')", ErrorCode.CONFLICT),
        ("INSERT INTO t VALUES (2, NULL)", ErrorCode.VALIDATION_ERROR),
        ("SELECT * FROM nowhere", ErrorCode.DATABASE_ERROR),
        ("SELEKT 1", ErrorCode.DATABASE_ERROR),
    ],
)
def test_sqlite_itself_is_understood(statement: str, code: ErrorCode) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT NOT NULL); INSERT INTO t VALUES (1, 'a')"
    )
    with pytest.raises(sqlite3.Error) as caught:
        connection.execute(statement)
    connection.close()
    assert classify(caught.value).code is code


def test_a_constraint_python_has_no_name_for_is_still_one() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x INT) STRICT")
    with pytest.raises(sqlite3.IntegrityError) as caught:
        connection.execute("INSERT INTO t VALUES ('a')")
    connection.close()
    assert classify(caught.value).code is ErrorCode.VALIDATION_ERROR


# --- where there is no code, the hierarchy and the text ---


def dbapi(name: str, text: str) -> Exception:
    base = type("DatabaseError", (Exception,), {})
    return type(name, (base,), {})(text)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("IntegrityError", "UNIQUE constraint failed: t.id", ErrorCode.CONFLICT),
        ("IntegrityError", "FOREIGN KEY constraint failed", ErrorCode.VALIDATION_ERROR),
        (
            "OperationalError",
            "could not connect to server: Connection refused",
            ErrorCode.SERVICE_UNAVAILABLE,
        ),
        ("OperationalError", 'password authentication failed for user "x"', ErrorCode.UNAUTHORIZED),
        ("OperationalError", "no such table: users", ErrorCode.DATABASE_ERROR),
        ("OperationalError", "returned response code 404", ErrorCode.DATABASE_ERROR),
        ("ParserException", "syntax error", ErrorCode.DATABASE_ERROR),
        ("NotSupportedError", "no", ErrorCode.DATABASE_ERROR),
        ("InternalError", "no", ErrorCode.DATABASE_ERROR),
        ("DataError", "no", ErrorCode.VALIDATION_ERROR),
        ("ProgrammingError", "not found", ErrorCode.DATABASE_ERROR),
    ],
)
def test_in_a_database_hierarchy_statements_are_the_servers(name: str, text: str, code: ErrorCode) -> None:
    assert classify(dbapi(name, text)).code is code


def test_a_refused_login_in_the_guise_of_a_lost_connection_is_one() -> None:
    exc = driver_error(
        "snowflake.connector", "250001 (08001): Incorrect username or password", sqlstate="08001"
    )
    assert classify(exc).code is ErrorCode.UNAUTHORIZED
