"""Counted, not timed: the instructions of a failure against how much there is of something."""

from __future__ import annotations

import pytest

from tests.benchmarks.curves import MOST, exponent, grown
from tests.benchmarks.measure import can_count


@pytest.mark.timeout(600)
@pytest.mark.skipif(not can_count(), reason="valgrind, which counts instructions, is not installed")
def test_a_failure_costs_at_most_in_proportion_to_what_there_is() -> None:
    curves = grown(is_counting=True)
    assert {name: curve for name, curve in curves.items() if exponent(curve) > MOST} == {}


def test_a_curve_that_grows_with_the_square_has_the_exponent_two() -> None:
    assert exponent({10: 100, 100: 10_000}) == pytest.approx(2)
