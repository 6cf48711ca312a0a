from __future__ import annotations

import pytest

from tests.stacks.stacks import STACKS, Stack


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=STACKS, ids=lambda stack: stack.name)
def stack(request: pytest.FixtureRequest) -> Stack:
    """Every stack there is in this environment."""
    found: Stack = request.param
    return found
