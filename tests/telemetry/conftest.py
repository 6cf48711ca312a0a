from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog

from tests.telemetry.recording import Recording, recording


@pytest.fixture
def recorded() -> Iterator[Recording]:
    with recording() as running:
        yield running


@pytest.fixture(autouse=True)
def no_set_up() -> Iterator[None]:
    """As in a process that has not configured structlog."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
