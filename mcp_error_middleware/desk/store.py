"""Failures in, groups and rates out: one SQLite database, in memory or in a file that workers share."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Final
from weakref import WeakSet

import orjson

from mcp_error_middleware.render import dumps

_LOG: Final = logging.getLogger("mcp_error_middleware.desk")

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS failures (
    error_id TEXT PRIMARY KEY, time REAL NOT NULL, fingerprint TEXT NOT NULL, target TEXT, session TEXT,
    body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS failures_of_group ON failures (fingerprint, time);
CREATE INDEX IF NOT EXISTS failures_by_time ON failures (time);
CREATE TABLE IF NOT EXISTS groups (
    fingerprint TEXT PRIMARY KEY, code TEXT NOT NULL, fault TEXT NOT NULL, type TEXT NOT NULL,
    message TEXT NOT NULL, first REAL NOT NULL, last REAL NOT NULL, count INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS slots (
    slot INTEGER NOT NULL, fingerprint TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (slot, fingerprint)) WITHOUT ROWID;
"""

SLOT: Final = 15
"""Seconds that are counted together."""

_WANTED: Final = f"""
    FROM slots JOIN groups USING (fingerprint)
    WHERE slot >= CAST(:since / {SLOT} AS INTEGER)
      AND :code IN ('', code) AND :fault IN ('', fault)
      AND (:target = '' OR fingerprint IN (SELECT fingerprint FROM failures WHERE target = :target))
      AND (:text = '' OR fingerprint IN
           (SELECT fingerprint FROM failures WHERE instr(lower(body), lower(:text))))
"""  # noqa: S608 - a number of ours
_GROUPS: Final = (
    "SELECT groups.*, sum(slots.count) AS recent"
    + _WANTED
    + "GROUP BY fingerprint ORDER BY recent DESC, last DESC LIMIT 200"
)
_RATES: Final = (
    f"SELECT slot * {SLOT} / :step * :step AS time, code, fault, sum(slots.count) AS count"
    + _WANTED
    + "GROUP BY 1, code, fault ORDER BY 1"
)
_MET_BY: Final = """
    SELECT fingerprint, json_group_array(DISTINCT target) AS targets, count(DISTINCT session) AS sessions
    FROM failures WHERE fingerprint IN (SELECT value FROM json_each(:fingerprints)) GROUP BY fingerprint
"""
_SESSIONS: Final = """
    SELECT session FROM failures WHERE fingerprint = :id AND session IS NOT NULL
    GROUP BY session ORDER BY max(time) DESC LIMIT :most
"""
_KEEP: Final = """
    INSERT OR REPLACE INTO failures
    VALUES (:error_id, :time, :fingerprint, :target, :session, :body)
"""
_COUNT: Final = """
    INSERT INTO groups VALUES (:fingerprint, :code, :fault, :type, :message, :time, :time, 1)
    ON CONFLICT (fingerprint) DO UPDATE
    SET count = count + 1, first = min(first, excluded.first), last = max(last, excluded.last),
        message = excluded.message
"""
_COUNT_SLOT: Final = f"""
    INSERT INTO slots VALUES (CAST(:time / {SLOT} AS INTEGER), :fingerprint, 1)
    ON CONFLICT (slot, fingerprint) DO UPDATE SET count = count + 1
"""  # noqa: S608 - a number of ours
_TOO_MANY: Final = """
    DELETE FROM failures WHERE rowid IN (
        SELECT rowid FROM (
            SELECT rowid, row_number() OVER (PARTITION BY fingerprint ORDER BY time DESC) AS place
            FROM failures)
        WHERE place > :per_group)
"""

_BARE: Final = re.compile(r"""b?'[^']*'|b?"[^"]*"|\([^()]*\)|[\w.-]*""")
"""A message that is only a key, a word, or nothing; it says little without the type of what was raised."""

_PAGE: Final = 4096
_RECENT: Final = 50
_NAMES: Final = 20
_PRUNE_EVERY: Final = 500


@dataclass(frozen=True, slots=True)
class Query:
    """Which failures somebody wants to see."""

    since: float = 0.0
    code: str = ""
    fault: str = ""
    target: str = ""
    text: str = ""


_stores: Final[WeakSet[Store]] = WeakSet()


@dataclass(eq=False, slots=True, weakref_slot=True)
class Store:
    """Keeps what failed, within bounds of age, number and size; counts are kept longer than the failures.

    A file that cannot be used, now or later, is given up for memory, and the log says so once. Any thread.
    """

    path: Path | None = None
    max_age: float = 7 * 86_400.0
    max_bytes: int = 256 * 1024 * 1024
    per_group: int = 100
    """Failures kept of one fingerprint, so that a storm does not drive out the rest."""
    degraded: bool = field(default=False, init=False)
    _connection: sqlite3.Connection = field(init=False, repr=False)
    _file: tuple[int, int] | None = field(default=None, init=False, repr=False)
    """Which one the connection leads to."""
    _lock: RLock = field(default_factory=RLock, init=False, repr=False)
    _added: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            self._connection = self._opened(self.path or ":memory:")
        except sqlite3.Error as error:
            self._give_up(error)
        _stores.add(self)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _used(self) -> sqlite3.Connection:
        """The connection, made anew where there is none any more, or none to the file of that name."""
        if self.path is not None and not self.degraded and self._file != _file(self.path):
            self._connection.close()
            self._connection = self._opened(self.path)
        return self._connection

    def _before_fork(self) -> None:
        """A connection to a file must not be open on both sides of a fork."""
        self._lock.acquire()
        if self.path is not None and not self.degraded:
            self._connection.close()
            self._file = None

    def _after_fork(self) -> None:
        self._lock.release()

    def _opened(self, path: Path | str) -> sqlite3.Connection:
        connection = sqlite3.connect(path, timeout=5, check_same_thread=False, isolation_level=None)
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA max_page_count = {max(64, self.max_bytes // _PAGE)}")
            connection.executescript(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        self._file = _file(path)
        return connection

    def _give_up(self, error: sqlite3.Error) -> None:
        _LOG.warning(
            "the desk cannot use %s (%s); failures are kept in memory from here on", self.path, error
        )
        self.degraded = True
        self._connection = self._opened(":memory:")

    # --- writing ---

    def add(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Keep these failures; never raises."""
        with self._lock:
            try:
                self._write_or_make_room(records)
            except sqlite3.Error as error:
                try:
                    self._write_in_memory(records, error)
                except sqlite3.Error as last:
                    _LOG.error("the desk lost %d failures: %s", len(records), last)

    def _write_or_make_room(self, records: Sequence[Mapping[str, Any]]) -> None:
        try:
            self._write(records)
        except sqlite3.Error as error:
            if _is_busy(error):
                self._write(records)
            else:
                self._write_after_pruning(records)

    def _write(self, records: Sequence[Mapping[str, Any]]) -> None:
        with self._transaction() as run:
            for record in records:
                self._insert(run, record)
        before, self._added = self._added, self._added + len(records)
        if before // _PRUNE_EVERY != self._added // _PRUNE_EVERY:
            self.prune()

    def _write_after_pruning(self, records: Sequence[Mapping[str, Any]]) -> None:
        """The file is full: half of it must do."""
        with self._transaction() as run:
            run("DELETE FROM failures WHERE time <= (SELECT avg(time) FROM failures)")
        self._write(records)

    def _write_in_memory(self, records: Sequence[Mapping[str, Any]], error: sqlite3.Error) -> None:
        with closing(self._connection):
            self._give_up(error)
        self._write(records)

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        connection = self._used()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection.execute
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _insert(self, run: Any, record: Mapping[str, Any]) -> None:
        causes: Sequence[Mapping[str, Any]] = record.get("causes", ())
        row = {
            **{name: record[name] for name in ("error_id", "time", "fingerprint", "code", "fault")},
            "message": title(record),
            "target": record.get("target"),
            "session": record.get("session_id"),
            "type": " ← ".join(cause["type"] for cause in causes[:4]),
            "body": dumps(record).decode(),
        }
        for statement in (_KEEP, _COUNT, _COUNT_SLOT):
            run(statement, row)

    def prune(self) -> None:
        """Forget what is too old, and of each group what is too much."""
        oldest = time.time() - self.max_age
        with self._transaction() as run:
            run("DELETE FROM failures WHERE time < ?", (oldest,))
            run("DELETE FROM slots WHERE slot < ?", (int(oldest // SLOT),))
            run("DELETE FROM groups WHERE last < ?", (oldest,))
            run(_TOO_MANY, {"per_group": self.per_group})

    # --- reading ---

    def version(self) -> str:
        """Changes whenever something was added, by any worker."""
        row = self._rows(
            "SELECT count(*) AS n, coalesce(sum(count), 0) AS total, max(last) AS last FROM groups"
        )
        return "-".join(str(part) for part in row[0])

    def failure(self, error_id: str) -> dict[str, Any] | None:
        """One failure by the id an agent quotes."""
        rows = self._rows("SELECT body FROM failures WHERE error_id = :id", id=error_id)
        return orjson.loads(rows[0]["body"]) if rows else None

    def group(self, fingerprint: str) -> dict[str, Any] | None:
        """One group, with its newest failures."""
        rows = self._rows("SELECT * FROM groups WHERE fingerprint = :id", id=fingerprint)
        if not rows:
            return None
        recent = self._rows(
            "SELECT body FROM failures WHERE fingerprint = :id ORDER BY time DESC LIMIT :most",
            id=fingerprint,
            most=_RECENT,
        )
        failures = [orjson.loads(row["body"]) for row in recent]
        met = self._rows(_SESSIONS, id=fingerprint, most=_NAMES)
        return {
            **dict(rows[0]),
            "failures": failures,
            **self._met_by([fingerprint]).get(fingerprint, {}),
            "session_ids": [row["session"] for row in met],
        }

    def groups(self, query: Query) -> list[dict[str, Any]]:
        """What failed most since the query's start, with the count."""
        rows = self._rows(_GROUPS, **asdict(query))
        met = self._met_by([row["fingerprint"] for row in rows])
        return [{**dict(row), **met.get(row["fingerprint"], {"targets": [], "sessions": 0})} for row in rows]

    def rates(self, query: Query, step: int = 60) -> list[dict[str, Any]]:
        """How many, by code and fault, in each `step` of seconds."""
        return [dict(row) for row in self._rows(_RATES, step=step, **asdict(query))]

    def targets(self) -> list[str]:
        """Every tool, prompt and resource that failed."""
        rows = self._rows(
            "SELECT DISTINCT target FROM failures WHERE target IS NOT NULL ORDER BY 1 LIMIT 500"
        )
        return [row["target"] for row in rows]

    def _met_by(self, fingerprints: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Which tools and how many sessions met each of these."""
        return {
            row["fingerprint"]: {"targets": _names(orjson.loads(row["targets"])), "sessions": row["sessions"]}
            for row in self._rows(_MET_BY, fingerprints=orjson.dumps(fingerprints).decode())
        }

    def _rows(self, sql: str, **values: object) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self._used().execute(sql, values).fetchall()
            except sqlite3.Error as error:
                if self.path is None or self.degraded or _is_busy(error):
                    raise
                self._give_up(error)
                return self._connection.execute(sql, values).fetchall()


def title(record: Mapping[str, Any]) -> str:
    """A failure in one line for an operator: what was raised, not what the agent was told."""
    raised: Mapping[str, Any] = next(iter(record.get("causes", ())), {})
    said: str = raised.get("message") or record["message"]
    if raised and _BARE.fullmatch(raised.get("message", "")):
        return f"{raised['type']}: {said}"
    return said


def _is_busy(error: sqlite3.Error) -> bool:
    """Whether another worker was writing, for longer than anybody waits."""
    return getattr(error, "sqlite_errorname", "") == "SQLITE_BUSY"


def _file(path: Path | str) -> tuple[int, int] | None:
    """Which file is there; None where there is none, or somebody has emptied it."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found.st_size else None


def _names(targets: Iterable[str | None]) -> list[str]:
    return sorted(target for target in targets if target)[:_NAMES]


# --- forks --------------------------------------------------------------------------------------

_waiting: Final[list[Store]] = []
"""Those that wait for a fork to be over."""


def _before_fork() -> None:
    for store in list(_stores):
        store._before_fork()
        _waiting.append(store)


def _after_fork() -> None:
    while _waiting:
        _waiting.pop()._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
