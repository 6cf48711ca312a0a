from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.interop.conformance import Judge, court
from tests.interop.meetings import Meet, meetings
from tests.interop.packages import missing


@pytest.fixture(scope="session")
def installed() -> None:
    """Skip outside of `make interop`, where nothing may be missing."""
    if os.environ.get("INTEROP") != "all":
        pytest.skip("foreign clients and the conformance suite take minutes; run `make interop`")
    if reason := missing():
        pytest.fail(reason)


@pytest.fixture(scope="session")
def meet(installed: None) -> Iterator[Meet]:
    with meetings() as meet:
        yield meet


@pytest.fixture(scope="session")
def judge(installed: None) -> Iterator[Judge]:
    with court() as judge:
        yield judge
