from __future__ import annotations

from tests.benchmarks.__main__ import renewed

BEFORE = """\
# What it costs

Python 3.11

## Targets

|  | measured |
| --- | ---: |
| a call | 2 |
| a storm | 3 |

## Calls

2

## Storms

3
"""

MEASURED = """\
# What it costs

Python 3.12

## Targets

|  | measured |
| --- | ---: |
| a call | 1 |

## Calls

1

"""


def test_what_was_not_measured_anew_stays() -> None:
    assert renewed(BEFORE, MEASURED) == (
        BEFORE.replace("3.11", "3.12").replace("call | 2", "call | 1").replace("Calls\n\n2", "Calls\n\n1")
    )
