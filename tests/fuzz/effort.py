"""How hard to try: a little in every run of the tests, a lot with `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

IS_LONG = os.environ.get("FUZZ") == "all"


def effort(examples: int, steps: int = 12) -> settings:
    """So many examples; fifty times as many in the long run."""
    return settings(
        max_examples=examples * (50 if IS_LONG else 1),
        stateful_step_count=steps * (4 if IS_LONG else 1),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        print_blob=True,
    )
