"""The fixtures: `failures`, what was triaged during the test; `mcp_faults`, what goes wrong during it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mcp_error_middleware.testing.faults import Faults
    from mcp_error_middleware.testing.recording import Failures

# What the fixtures need is imported by the first test that asks for one.


@pytest.fixture
def failures() -> Iterator[Failures]:
    """Every failure triaged during the test, of whichever server: `.last`, `.codes`, `.of(tool)`."""
    from mcp_error_middleware.testing.recording import recorded

    with recorded() as heard:
        yield heard


@pytest.fixture
def mcp_faults() -> Iterator[Faults]:
    """Faults for this test: `mcp_faults(server).tool("ship", raises=TimeoutError())`, `.upstream(503)`."""
    from mcp_error_middleware.testing.faults import Faults

    with Faults() as faults:
        yield faults
