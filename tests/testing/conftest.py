from __future__ import annotations

from typing import Any

import pytest

from tests.testing.shops import SHOPS


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=SHOPS)
def shop(request: pytest.FixtureRequest) -> Any:
    """A bare shop of every stack there is in this environment."""
    return SHOPS[request.param]()
