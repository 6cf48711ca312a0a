from __future__ import annotations

import pytest

from tests.benchmarks.curves import exponent


def test_a_curve_that_grows_with_the_square_has_the_exponent_two() -> None:
    assert exponent({10: 100, 100: 10_000}) == pytest.approx(2)
