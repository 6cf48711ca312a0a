from __future__ import annotations

from mcp_error_middleware.advice import Repeats


def test_only_the_very_same_failure_counts_as_a_repetition() -> None:
    seen = Repeats()
    assert [seen("s1", "ship", {"order": 1, "by": "air"}, "NotFound") for _ in range(3)] == [1, 2, 3]
    assert seen("s1", "ship", {"by": "air", "order": 1}, "NotFound") == 4
    assert seen("s2", "ship", {"order": 1, "by": "air"}, "NotFound") == 1
    assert seen("s1", "bill", {"order": 1, "by": "air"}, "NotFound") == 1
    assert seen("s1", "ship", {"order": 2, "by": "air"}, "NotFound") == 1
    assert seen("s1", "ship", {"order": 1, "by": "air"}, "Timeout") == 1


def test_a_success_ends_a_row_of_failures() -> None:
    seen = Repeats()
    for _ in range(2):
        assert seen("s", "ship", {"order": 1}, "Timeout") == 1
        seen.forget("s", "ship", {"order": 1})
    seen("s", "ship", {"order": 2}, "Timeout")
    seen.forget("s", "ship", {"order": 1})
    assert seen("s", "ship", {"order": 2}, "Timeout") == 2


def test_an_old_failure_is_forgotten() -> None:
    now = [0.0]
    seen = Repeats(window=60, clock=lambda: now[0])
    seen("s", "ship", {}, "Timeout")
    now[0] = 61.0
    assert seen("s", "ship", {}, "Timeout") == 1


def test_a_flood_of_different_calls_takes_bounded_room() -> None:
    seen = Repeats(limit=10)
    for order in range(1_000):
        seen("s", "ship", {"order": order}, "Timeout")
    assert len(seen._seen) == 10


def test_arguments_are_never_kept() -> None:
    seen = Repeats()
    seen("s", "login", {"password": "hunter2"}, "Unauthorized")
    assert "hunter2" not in repr(list(seen._seen))


def test_arguments_nobody_can_read_are_counted_too() -> None:
    seen = Repeats()
    loop: dict[str, object] = {}
    loop["self"] = loop
    assert [seen("s", "ship", loop, "Timeout") for _ in range(2)] == [1, 2]
    assert seen("s", "ship", {"file": object()}, "Timeout") == 1
