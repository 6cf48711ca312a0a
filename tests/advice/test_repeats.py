from __future__ import annotations

import pytest

from mcp_error_middleware.advice import Repeats


def test_only_the_very_same_failure_counts_as_a_repetition() -> None:
    seen = Repeats()
    assert [seen("s1", "ship", {"order": 1, "by": "air"}, "NotFound") for _ in range(3)] == [1, 2, 3]
    assert seen("s1", "ship", {"by": "air", "order": 1}, "NotFound") == 4
    assert seen("s2", "ship", {"order": 1, "by": "air"}, "NotFound") == 1
    assert seen("s1", "bill", {"order": 1, "by": "air"}, "NotFound") == 1
    assert seen("s1", "ship", {"order": 2, "by": "air"}, "NotFound") == 1
    assert seen("s1", "ship", {"order": 1, "by": "air"}, "Timeout") == 1
    assert [tool for tool in ("ship", "bill", "find") if seen.has_failed(tool)] == ["ship", "bill"]


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "x" * 1_000_000 + "a"}, {"text": "x" * 1_000_000 + "b"}),
        ({"id": 2**64 + 1}, {"id": 2**64 + 2}),
        ({"id": -(2**90)}, {"id": -(2**91)}),
        ({"text": "\ud83d" + "a"}, {"text": "\ud83d" + "b"}),
    ],
    ids=["far in", "a great number", "a small one", "half a pair"],
)
def test_arguments_that_differ_anywhere_are_no_repetition(one: object, other: object) -> None:
    seen = Repeats()
    assert [seen("s", "ship", arguments, "Timeout") for arguments in (one, other, one, other)] == [1, 1, 2, 2]
    seen.forget("s", "ship", one)
    assert [seen("s", "ship", arguments, "Timeout") for arguments in (one, other)] == [1, 3]


def test_arguments_nobody_can_tell_apart_are_no_repetition() -> None:
    seen = Repeats()
    loop: dict[str, object] = {}
    loop["self"] = loop
    for arguments in (loop, {"file": object()}, {"id": 10**5_000}):
        assert [seen("s", "ship", arguments, "Timeout") for _ in range(2)] == [1, 1]
        seen.forget("s", "ship", arguments)
    assert not seen.has_failed("ship")
