from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mcp_error_middleware.desk import Query, Store

NOW = 1_800_000_000.0


def failed(number: int, **said: Any) -> dict[str, Any]:
    """A record as the desk writes it."""
    return {
        "error_id": f"{number:012x}",
        "time": NOW,
        "code": "NotFound",
        "fault": "caller",
        "message": "Order 'ord_9' was not found.",
        "method": "tools/call",
        "target": "get_order",
        "session_id": "s1",
        "fingerprint": "f1",
        "causes": [
            {"type": "NotFound", "message": "Order 'ord_9' was not found.", "relation": "raised", "depth": 0}
        ],
        **said,
    }


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made = Store(tmp_path / "errors.db" if request.param == "file" else None, max_age=1e12)
    yield made
    made.close()


def test_failures_are_grouped_by_fingerprint_and_counted_since_the_start_asked_for(store: Store) -> None:
    store.add([failed(1, time=NOW - 7_200), failed(2, session_id="s2", target="track"), failed(3)])
    assert store.groups(Query(since=NOW - 3_600)) == [
        {
            "fingerprint": "f1",
            "code": "NotFound",
            "fault": "caller",
            "type": "NotFound",
            "message": "Order 'ord_9' was not found.",
            "first": NOW - 7_200,
            "last": NOW,
            "count": 3,
            "recent": 2,
            "targets": ["get_order", "track"],
            "sessions": 2,
        }
    ]


@pytest.mark.parametrize(
    ("raised", "said", "title"),
    [
        ("KeyError", "'ord_9'", "KeyError: 'ord_9'"),
        ("KeyError", "('ord_9', 2)", "KeyError: ('ord_9', 2)"),
        ("KeyError", "b'a key'", "KeyError: b'a key'"),
        ("ValueError", "7", "ValueError: 7"),
        ("TimeoutError", "", "TimeoutError: The operation took too long."),
        ("ValueError", "'ord_9' is not 'ord_8'", "'ord_9' is not 'ord_8'"),
        ("ValueError", "no boxes", "no boxes"),
    ],
)
def test_a_message_that_says_little_by_itself_is_titled_with_its_type(
    store: Store, raised: str, said: str, title: str
) -> None:
    cause = {"type": raised, "message": said, "relation": "raised", "depth": 0}
    store.add([failed(1, message="The operation took too long.", causes=[cause])])

    assert [group["message"] for group in store.groups(Query())] == [title]


def test_a_group_names_the_sessions_that_met_it_last_ones_first(store: Store) -> None:
    store.add([failed(number, session_id=f"s{number % 30}", time=NOW + number) for number in range(60)])
    store.add([failed(99, session_id=None)])
    group = store.group("f1")
    assert group is not None
    assert group["sessions"] == 30
    assert group["session_ids"] == [f"s{number}" for number in range(29, 9, -1)]


def test_a_group_is_first_seen_when_its_oldest_failure_was_whenever_that_arrives(store: Store) -> None:
    store.add([failed(1, time=NOW), failed(2, time=NOW - 60), failed(3, time=NOW - 30)])
    (group,) = store.groups(Query())
    assert (group["first"], group["last"]) == (NOW - 60, NOW)


def test_an_error_id_finds_its_failure(store: Store) -> None:
    store.add([failed(1), failed(2, reason="gone")])
    assert store.failure(f"{2:012x}") == failed(2, reason="gone")
    assert store.failure("nobody") is None


def test_a_group_has_its_newest_failures_first(store: Store) -> None:
    store.add([failed(number, time=NOW + number) for number in range(60)])
    group = store.group("f1")
    assert group is not None
    assert [one["error_id"] for one in group["failures"]] == [f"{number:012x}" for number in range(59, 9, -1)]
    assert store.group("nobody") is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query(), {"f1", "f2"}),
        (Query(code="Timeout"), {"f2"}),
        (Query(fault="caller"), {"f1"}),
        (Query(target="pay"), {"f2"}),
        (Query(text="ORD_9"), {"f1"}),
        (Query(text="%"), set()),
        (Query(text="' OR 1=1 --"), set()),
        (Query(code="Timeout", target="get_order"), set()),
    ],
)
def test_filters_narrow_the_groups(store: Store, query: Query, found: set[str]) -> None:
    store.add(
        [
            failed(1),
            failed(
                2,
                fingerprint="f2",
                code="Timeout",
                fault="upstream",
                target="pay",
                message="Late.",
                causes=[],
            ),
        ]
    )
    assert {group["fingerprint"] for group in store.groups(query)} == found


def test_rates_are_counted_by_time_code_and_fault(store: Store) -> None:
    store.add(
        [
            failed(1),
            failed(2, time=NOW + 59),
            failed(3, time=NOW + 60),
            failed(4, fingerprint="f2", code="Timeout", fault="upstream"),
        ]
    )
    assert store.rates(Query()) == [
        {"time": NOW, "code": "NotFound", "fault": "caller", "count": 2},
        {"time": NOW, "code": "Timeout", "fault": "upstream", "count": 1},
        {"time": NOW + 60, "code": "NotFound", "fault": "caller", "count": 1},
    ]
    assert sum(rate["count"] for rate in store.rates(Query(), step=3_600)) == 4
    assert [(rate["time"] - NOW, rate["count"]) for rate in store.rates(Query(code="NotFound"), step=15)] == [
        (0, 1),
        (45, 1),
        (60, 1),
    ]


def test_a_storm_keeps_its_count_and_drives_nothing_else_out(store: Store) -> None:
    store.add([failed(0, fingerprint="f0")])
    store.add([failed(number, time=NOW + number) for number in range(1, 2_001)])
    store.prune()
    groups = {group["fingerprint"]: group["count"] for group in store.groups(Query())}
    assert groups == {"f0": 1, "f1": 2_000}
    assert store.failure(f"{0:012x}") is not None
    assert len(store._rows("SELECT 1 FROM failures")) == store.per_group + 1


def test_what_is_too_old_is_forgotten() -> None:
    store = Store(max_age=60)
    store.add([failed(1, time=time.time() - 120), failed(2, fingerprint="f2", time=time.time())])
    store.prune()
    assert [group["fingerprint"] for group in store.groups(Query())] == ["f2"]
    assert store.failure(f"{1:012x}") is None


def test_workers_share_a_file_and_a_restart_keeps_it(tmp_path: Path) -> None:
    one, other = Store(tmp_path / "errors.db", max_age=1e12), Store(tmp_path / "errors.db", max_age=1e12)
    before = other.version()
    one.add([failed(1)])
    assert other.version() != before
    assert other.failure(f"{1:012x}") == failed(1)
    one.close()
    other.close()
    assert Store(tmp_path / "errors.db").failure(f"{1:012x}") == failed(1)


def test_a_file_that_is_no_database_is_given_up_for_memory_with_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "errors.db").write_bytes(b"this is not a database" * 500)
    with caplog.at_level(logging.WARNING):
        store = Store(tmp_path / "errors.db")
        store.add([failed(1)])
        store.add([failed(2)])
    assert store.degraded
    assert store.failure(f"{2:012x}") == failed(2)
    assert len(caplog.records) == 1


def test_a_file_that_breaks_while_in_use_is_given_up_for_memory(tmp_path: Path) -> None:
    store = Store(tmp_path / "errors.db")
    store.add([failed(number) for number in range(50)])
    store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "errors.db").write_bytes(b"\x00" * 100_000)
    store.add([failed(99)])
    assert store.failure(f"{99:012x}") == failed(99)


def test_a_file_that_can_no_longer_be_read_is_given_up_with_one_line_that_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path / "errors.db")
    store.add([failed(1)])
    store._connection.execute("DROP TABLE failures")
    with caplog.at_level(logging.WARNING):
        assert store.targets() == []
        store.add([failed(2)])
        assert store.failure(f"{2:012x}") == failed(2)
    assert store.degraded
    assert [said.getMessage() for said in caplog.records] == [
        f"the desk cannot use {tmp_path / 'errors.db'} (no such table: failures); "
        "failures are kept in memory from here on"
    ]


def test_a_full_file_makes_room_for_what_is_new(tmp_path: Path) -> None:
    store = Store(tmp_path / "errors.db", max_age=1e12, max_bytes=64 * 4096)
    for number in range(400):
        store.add([failed(number, fingerprint=f"f{number}", time=NOW + number, note="x" * 2_000)])
    assert not store.degraded
    assert store.failure(f"{399:012x}") is not None
    assert (tmp_path / "errors.db").stat().st_size <= 64 * 4096


def test_a_worker_that_waits_for_another_forgets_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "errors.db", max_age=1e12)
    store.add([failed(number, time=NOW + number) for number in range(40)])
    other = sqlite3.connect(tmp_path / "errors.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waits: list[str] = []

    def tired_once(statement: str) -> None:
        """Lets go when the store begins a second time."""
        waits.append(statement)
        if waits.count("BEGIN IMMEDIATE") == 2:
            other.execute("COMMIT")

    store._connection.execute("PRAGMA busy_timeout = 0")
    store._connection.set_trace_callback(tired_once)
    store.add([failed(99)])
    other.close()

    assert not store.degraded
    assert all(store.failure(f"{number:012x}") for number in (0, 39, 99))


def test_a_folder_that_does_not_exist_is_given_up_for_memory(tmp_path: Path) -> None:
    assert Store(tmp_path / "nowhere" / "errors.db").degraded


@pytest.mark.parametrize("gone", ["deleted", "emptied", "replaced"])
def test_a_file_that_is_taken_away_under_a_worker_is_begun_anew(tmp_path: Path, gone: str) -> None:
    path = tmp_path / "errors.db"
    store = Store(path)
    store.add([failed(1)])
    if gone == "emptied":
        path.write_bytes(b"")
    else:
        for file in tmp_path.iterdir():
            file.unlink()
    if gone == "replaced":
        Store(path).close()

    store.add([failed(2)])

    other = Store(path)
    assert (store.degraded, other.degraded) == (False, False)
    assert other.failure(f"{2:012x}") == store.failure(f"{2:012x}") == failed(2)


FORKED = """
import os
from mcp_error_middleware import Call, ErrorPolicy, telemetry
from mcp_error_middleware.desk import Desk, Query, Store
desk = Desk("errors.db")
triage = telemetry.observed(ErrorPolicy(log=False))

def fail(times):
    for _ in range(times):
        triage(KeyError("stock"), Call(target="price"))

children = []
for _ in range(3):
    # Some of these wait to be written when the fork comes.
    fail(10)
    if (child := os.fork()) == 0:
        fail(20)
        desk.flush()
        os._exit(0)
    children.append(child)
desk.flush()
# As the parent of workers does that ends before them; and another begins.
desk.store.close()
Store("errors.db").add([])
for child in children:
    os.waitpid(child, 0)
print(sum(group["count"] for group in Desk("errors.db").store.groups(Query())))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks as POSIX does")
def test_what_forked_workers_are_told_is_written_once_and_where_everybody_reads(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKED], cwd=tmp_path, capture_output=True, text=True, timeout=50
    )

    assert (done.stdout, done.stderr) == (f"{3 * 10 + 3 * 20}\n", "")


def test_one_odd_failure_takes_no_other_with_it(store: Store) -> None:
    store.add([failed(1), failed(2, correlation_id="half \ud800", request_id=10**40), failed(3)])

    assert [store.failure(f"{number:012x}") is not None for number in (1, 2, 3)] == [True, True, True]
