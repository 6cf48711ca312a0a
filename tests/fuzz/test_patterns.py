from __future__ import annotations

import inspect
import re
import sys
import time
from typing import Any

import pytest

from mcp_error_middleware import classify, sanitize_text
from mcp_error_middleware.client import parse_error
from tests.fuzz.effort import IS_LONG
from tests.fuzz.patterns import every_pattern, hard_texts

PATTERNS = every_pattern()
LENGTH = 4_000
"""More of a text than the scrubber looks at."""
SQUARE = 40
"""Four times the text takes a linear pattern 4 times as long, a quadratic one 16, a cubic one 64."""
LONGEST = 0.15
"""Seconds of processor time for one text; ten times what the slowest takes."""


def seconds(run: Any) -> float:
    begun = time.thread_time()
    run()
    return time.thread_time() - begun


def _as_it_is_used(where: str, pattern: re.Pattern[Any]) -> Any:
    """One match from the start, where its module never asks for more; else all there are."""
    place = where.partition(" ")[0]
    module, _, name = place.rpartition(".")
    source = inspect.getsource(sys.modules[module]) if module in sys.modules else ""
    asked = set(re.findall(rf"\b{name}\.(\w+)", source))
    if asked and asked <= {"match", "fullmatch"}:
        return pattern.match
    return lambda text: sum(1 for _ in pattern.finditer(text))


def _texts(pattern: re.Pattern[Any], length: int) -> list[Any]:
    texts = list(hard_texts(pattern, length))
    return (
        [text.encode("utf-8", "replace") for text in texts] if isinstance(pattern.pattern, bytes) else texts
    )


def test_every_pattern_is_there_to_be_measured() -> None:
    assert len(PATTERNS) > 400


def test_no_pattern_takes_more_than_the_square_of_a_texts_length_on_what_is_hardest_for_it() -> None:
    slow = []
    for where, pattern in PATTERNS.items():
        use = _as_it_is_used(where, pattern)
        for short, long in zip(_texts(pattern, LENGTH // 4), _texts(pattern, LENGTH), strict=True):
            taken = seconds(lambda use=use, long=long: use(long))
            if (
                taken > LONGEST
                and taken / max(seconds(lambda use=use, short=short: use(short)), 1e-6) > SQUARE
            ):
                slow.append(f"{where}: {taken:.2f} s for {long[:40]!r}")
    assert slow == []


HARD = list(dict.fromkeys(text for pattern in PATTERNS.values() for text in hard_texts(pattern, LENGTH)))


@pytest.mark.parametrize(
    "read",
    [
        sanitize_text,
        lambda text: classify(RuntimeError(text)),
        lambda text: parse_error({"isError": True, "content": [{"type": "text", "text": text}]}),
    ],
    ids=["sanitize_text", "classify", "parse_error"],
)
def test_no_text_that_is_hard_for_a_pattern_holds_a_request_up(read: Any) -> None:
    slow = []
    for text in HARD if IS_LONG else HARD[::12]:
        # Once more before it counts: the first time may have compiled a hundred patterns.
        if (
            seconds(lambda text=text: read(text)) > LONGEST
            and seconds(lambda text=text: read(text)) > LONGEST
        ):
            slow.append(text[:60])
    assert slow == []


def test_imitated_letters_are_read_in_linear_time() -> None:
    """Each letter of a long run used to begin a search of its own."""
    text = "а" * LENGTH
    sanitize_text("а")
    assert min(seconds(lambda at=at: sanitize_text(text + str(at))) for at in range(3)) < LONGEST / 3
