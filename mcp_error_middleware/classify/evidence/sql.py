"""Subject in, a database's own code out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import either, entries, integer, item, read, text
from mcp_error_middleware.classify.evidence.subject import Subject
from mcp_error_middleware.taxonomy import ErrorCode

CONFLICT, DATABASE, FORBIDDEN = ErrorCode.CONFLICT, ErrorCode.DATABASE_ERROR, ErrorCode.FORBIDDEN
INVALID, MISSING, TIMEOUT = ErrorCode.VALIDATION_ERROR, ErrorCode.NOT_FOUND, ErrorCode.TIMEOUT
UNAUTHORIZED, UNAVAILABLE = ErrorCode.UNAUTHORIZED, ErrorCode.SERVICE_UNAVAILABLE


def _coded(groups: Mapping[ErrorCode, str]) -> Mapping[str, ErrorCode]:
    return {word: code for code, words in groups.items() for word in words.split()}


def _numbered(groups: Mapping[ErrorCode, str]) -> Mapping[int, ErrorCode]:
    return {int(word): code for word, code in _coded(groups).items()}


SQLSTATES: Final = _coded(
    {
        CONFLICT: "23505 23P01 40001 40002 40003 40P01 55P03 55006 40",
        FORBIDDEN: "42501 0L 0P",
        INVALID: "22001 22003 22004 22007 22008 22012 22023 22025 23000 23001 23502 23503 23514 22 23 44",
        MISSING: "P0002",
        TIMEOUT: "57014 25P03 HYT00 HYT01",
        UNAUTHORIZED: "28000 28",
        UNAVAILABLE: """
            57P01 57P02 57P03 57P05 01002 08000 08001 08003 08004 08006 53100 53200 53300 53400 08 53 HV
            """,
        ErrorCode.CONFIGURATION_ERROR: "IM002",
        DATABASE: """
            42601 42602 42701 42702 42703 42704 42710 42723 42725 42803 42804 42809 42846 42883
            25001 25006 26000 54000 54001 54011 54023 55000 58000 58030
            02 03 07 0A 20 21 24 25 26 27 2B 2D 2F 34 37 38 39 3B 3D 3F 42 54 55 57 58 72 F0 IM P0 S0 S1 XX
            """,
    }
)
"""SQLSTATE and ODBC states: five characters the state, two its class."""

MYSQL: Final = _numbered(
    {
        CONFLICT: "1022 1062 1169 1205 1213 1586 3572",
        UNAUTHORIZED: "1045 1698 1862 2059",
        FORBIDDEN: "1044 1130 1142 1143 1227 1370 1410",
        TIMEOUT: "1317 1969 3024",
        UNAVAILABLE: """
            1040 1042 1043 1053 1152 1158 1159 1160 1161 1203 1226 2002 2003 2005 2006 2013 2055
            """,
        INVALID: "1048 1216 1217 1264 1265 1292 1364 1366 1367 1406 1411 1451 1452 1690 3140 3819 4025",
        DATABASE: "1046 1049 1050 1051 1054 1064 1136 1146 1149 1290 1305 1792 1836",
    }
)

MSSQL: Final = _numbered(
    {
        CONFLICT: "1205 1222 2601 2627 3960 41302",
        UNAUTHORIZED: "18452 18456 18486 18487 18488",
        FORBIDDEN: "229 230 262 300 916",
        TIMEOUT: "-2 20003",
        UNAVAILABLE: "53 233 4060 10053 10054 10060 20002 20009 20017 40197 40501 40613",
        INVALID: "220 241 242 245 515 547 2628 8114 8115 8152",
        DATABASE: "102 137 156 207 208 2812",
    }
)

ORACLE: Final = _numbered(
    {
        CONFLICT: "1 54 60 8177 30006",
        UNAUTHORIZED: "1005 1017 28000 28001",
        FORBIDDEN: "1031 1045 41900",
        TIMEOUT: "1013 3136 12170 12535",
        UNAVAILABLE: """
            28 1033 1034 1089 1090 3113 3114 3135 12154 12505 12514 12519 12520 12528 12537 12541 12543 12545
            12547 12571
            """,
        INVALID: "1400 1407 1438 1722 1830 1840 1843 1847 1858 2290 2291 2292 12899",
        MISSING: "1403",
        DATABASE: "900 904 911 936 942",
    }
)

MONGO: Final = _numbered(
    {
        CONFLICT: "48 68 85 86 112 225 244 251 11000 11001 12582",
        UNAUTHORIZED: "18 8000",
        FORBIDDEN: "13",
        TIMEOUT: "50 89 202 262 11601",
        UNAVAILABLE: "6 7 91 133 189 317 9001 10107 11600 11602 13435 13436",
        INVALID: "2 9 14 51 121 10334",
        MISSING: "26 27 43",
    }
)

CLICKHOUSE: Final = _numbered(
    {
        CONFLICT: "57 82",
        UNAUTHORIZED: "192 193 194 516",
        FORBIDDEN: "164 291 497",
        TIMEOUT: "159 160 209",
        ErrorCode.RATE_LIMITED: "201 202",
        UNAVAILABLE: "198 210 242 279",
        INVALID: "6 26 27 38 41 53 69 70 72 131 321 469",
        DATABASE: "16 36 42 43 46 47 60 62 81 241 252",
    }
)

# Deadlocks and lost races: the same call may win the next one.
_AGAIN: Final = frozenset({"40001", "40P01", "55P03"})
_MYSQL_AGAIN: Final = frozenset({1205, 1213, 3572})
_MSSQL_AGAIN: Final = frozenset({1205, 1222, 3960, 41302})
_ORACLE_AGAIN: Final = frozenset({54, 60, 8177, 30006})
_MONGO_AGAIN: Final = frozenset({112, 225, 244, 251})

SQLITE: Final[tuple[tuple[str, ErrorCode, bool | None], ...]] = (
    ("SQLITE_BUSY", CONFLICT, True),
    ("SQLITE_LOCKED", CONFLICT, True),
    ("SQLITE_CONSTRAINT_UNIQUE", CONFLICT, None),
    ("SQLITE_CONSTRAINT_PRIMARYKEY", CONFLICT, None),
    ("SQLITE_CONSTRAINT_ROWID", CONFLICT, None),
    ("SQLITE_CONSTRAINT", INVALID, None),
    ("SQLITE_MISMATCH", INVALID, None),
    ("SQLITE_TOOBIG", INVALID, None),
    ("SQLITE_INTERRUPT", TIMEOUT, None),
    ("SQLITE_AUTH", FORBIDDEN, None),
    ("SQLITE_PERM", FORBIDDEN, None),
    ("SQLITE_", DATABASE, None),
)
"""By prefix, the longer first."""
SQLITE_CONSTRAINT: Final = 19
"""The low byte of constraints newer than the names Python knows."""

_VAGUE: Final = frozenset({"08001", "08004", "23000", "58000", "72000", "S1000"})
"""States that databases use for anything of the sort."""

_ORA: Final = r"\bORA-(\d{5})\b"
_DPY: Final = r"\bDPY-(4011|4024|6\d{3})\b"
_CLICKHOUSE: Final = r"\b[Cc]ode: (\d{1,4})\b"

MYSQL_DRIVERS: Final = ("pymysql", "MySQLdb", "mysql", "aiomysql", "asyncmy", "mariadb", "cymysql")
MSSQL_DRIVERS: Final = ("pymssql", "_mssql", "pytds")
ORACLE_DRIVERS: Final = ("oracledb", "cx_Oracle")
CLICKHOUSE_DRIVERS: Final = ("clickhouse_driver", "clickhouse_connect", "asynch")
MONGO_DRIVERS: Final = ("pymongo", "mongoengine", "motor", "beanie", "bson")
ODBC_DRIVERS: Final = ("pyodbc", "aioodbc")


def database_clue(subject: Subject) -> Clue | None:
    """The name, number or state a database gave; a vendor's number says more than the state it maps to."""
    if name := text(subject.get("sqlite_errorname")):
        is_constraint = (integer(subject.get("sqlite_errorcode")) or 0) & 0xFF == SQLITE_CONSTRAINT
        return sqlite_clue(name) or (sqlite_clue("SQLITE_CONSTRAINT") if is_constraint else None)
    if subject.is_from("apsw"):
        return _apsw(subject)
    if clue := _vendor(subject):
        return clue
    state = _state(subject)
    return sqlstate_clue(state) if state else None


def sqlstate_clue(state: str) -> Clue | None:
    """What a five-character state says; None for one that says nothing."""
    code = SQLSTATES.get(state) or SQLSTATES.get(state[:2])
    if code is None:
        return None
    weight = Weight.WEAK if state in _VAGUE or state.startswith("XX") else Weight.FIRM
    again = True if state in _AGAIN or state[:2] == "40" else None
    return Clue(code, weight, "sqlstate", state, again)


def sqlite_clue(name: str) -> Clue | None:
    """What SQLite's name for an error says."""
    for prefix, code, again in SQLITE:
        if name.startswith(prefix):
            return Clue(code, Weight.FIRM, "sqlite", name, again)
    return None


def is_sqlstate(word: str) -> bool:
    """A known state, or five digits and capitals, both among them: five digits may be anybody's number."""
    if len(word) != 5:
        return False
    return word in SQLSTATES or re.fullmatch(r"(?=.*[A-Z])(\d\d|HY|IM|P0|XX)[0-9A-Z]{3}", word) is not None


def _state(subject: Subject) -> str | None:
    for value in subject.values(("sqlstate", "pgcode", "diag")):
        if state := text(value) or text(read(value, "sqlstate")):
            return state
    if (told := text(either(subject.first, "C"))) and is_sqlstate(told):
        return told  # the fields of a PostgreSQL error message, as they came
    first = text(subject.first)
    return first if first and len(first) == 5 and subject.is_from(*ODBC_DRIVERS) else None


def _vendor(subject: Subject) -> Clue | None:
    if subject.packages.isdisjoint(_DRIVERS):
        return None
    return next((reader(subject) for drivers, reader in _VENDORS if subject.is_from(*drivers)), None)


def _apsw(subject: Subject) -> Clue | None:
    """SQLite's own number, which this driver alone gives without its name."""
    number = integer(read(subject.exc, "result"))
    if number is None:
        return None
    if name := _SQLITE_EXTENDED.get(integer(read(subject.exc, "extendedresult")) or 0):
        return sqlite_clue(name)
    return sqlite_clue(_SQLITE_NUMBERS.get(number, "SQLITE_ERROR"))


_SQLITE_NUMBERS: Final = {
    3: "SQLITE_PERM",
    5: "SQLITE_BUSY",
    6: "SQLITE_LOCKED",
    9: "SQLITE_INTERRUPT",
    18: "SQLITE_TOOBIG",
    SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT",
    20: "SQLITE_MISMATCH",
    23: "SQLITE_AUTH",
}

_SQLITE_EXTENDED: Final = {
    1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
    2067: "SQLITE_CONSTRAINT_UNIQUE",
    2579: "SQLITE_CONSTRAINT_ROWID",
}


def _mysql(subject: Subject) -> Clue | None:
    number = integer(subject.first) or integer(subject.get("errno"))
    return _vendor_clue("mysql", number, MYSQL, _MYSQL_AGAIN)


def _mssql(subject: Subject) -> Clue | None:
    number = integer(subject.get("number")) or integer(subject.first) or integer(item(subject.first, 0))
    return _vendor_clue("mssql", number, MSSQL, _MSSQL_AGAIN)


def _oracle(subject: Subject) -> Clue | None:
    said = (text(read(subject.first, "message")) or text(subject.first) or "")[:500]
    if match := re.search(_ORA, said):
        return _vendor_clue("oracle", int(match[1]), ORACLE, _ORACLE_AGAIN)
    if match := re.search(_DPY, said):
        code = TIMEOUT if match[1] == "4024" else UNAVAILABLE
        return Clue(code, Weight.FIRM, "oracle", f"DPY-{match[1]}")
    return None


def _clickhouse(subject: Subject) -> Clue | None:
    number = integer(subject.get("code"))
    if number is None and (match := re.search(_CLICKHOUSE, (text(subject.first) or "")[:1000])):
        number = int(match[1])
    return _vendor_clue("clickhouse", number, CLICKHOUSE)


def _mongo(subject: Subject) -> Clue | None:
    errors = either(subject.get("details"), "writeErrors")
    inner = next((integer(either(error, "code")) for error in entries(errors)), None)
    for number in (inner, integer(subject.get("code"))):
        if clue := _vendor_clue("mongo", number, MONGO, _MONGO_AGAIN):
            return clue
    return None


def _vendor_clue(
    source: str, number: int | None, table: Mapping[int, ErrorCode], again: frozenset[int] = frozenset()
) -> Clue | None:
    if number is None or (code := table.get(number)) is None:
        return None
    return Clue(code, Weight.FIRM, source, str(number), True if number in again else None)


_VENDORS: Final = (
    (MYSQL_DRIVERS, _mysql),
    (MSSQL_DRIVERS, _mssql),
    (ORACLE_DRIVERS, _oracle),
    (CLICKHOUSE_DRIVERS, _clickhouse),
    (MONGO_DRIVERS, _mongo),
)
_DRIVERS: Final = frozenset[str]().union(*(drivers for drivers, _ in _VENDORS))
