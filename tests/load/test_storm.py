from __future__ import annotations

import anyio

from tests.load.storm import CODES, IS_LONG, Storm, watched

SESSIONS = 1_000 if IS_LONG else 100
CALLS = 65 if IS_LONG else 25
"""Of each session: four of five fail, so 52,000 failures in the long run and 2,000 in the short one."""


def test_a_storm_from_many_sessions_is_answered_counted_and_forgotten() -> None:
    with watched() as operator:
        storm = Storm(SESSIONS, CALLS, operator)
        anyio.run(storm.run)
        counted = operator.errors()

    each = SESSIONS * CALLS // len(CODES)
    expected = {code: each for code in CODES if code is not None}
    assert storm.crossed == []
    assert storm.succeeded == each
    assert dict(storm.codes) == dict(counted) == dict(operator.told.lines) == expected
    assert len(storm.ids) == sum(expected.values())
    assert operator.told.ids <= storm.ids
    assert operator.told.leaks == 0
    # A storm is a few lines and a count, not a line for each.
    assert 0 < operator.told.summaries <= len(expected) * 2 + SESSIONS // 10
    # A few are the process's own; those of other tests may go meanwhile.
    assert max(storm.alive) - storm.alive[0] < 5
    if IS_LONG:
        # From the second fifth on, with all caches full, nothing is added but the ids that are kept here.
        ids = len(storm.ids) * 3 // 5
        assert storm.blocks[-1] - storm.blocks[1] < ids + 1_000
        assert (storm.resident[-1] - storm.resident[1]) * 4_096 < 24 * 1024 * 1024
