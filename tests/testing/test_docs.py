"""The page about testing is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.stacks.stacks import MCP_1
from tests.testing.test_plugin import ROOT, run

CONFTEST = """
import pytest
from hypothesis import HealthCheck, settings

# In an empty folder hypothesis first makes its tables of Unicode.
settings.register_profile("page", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("page")

@pytest.fixture
def anyio_backend():
    return "asyncio"
"""

PAGE = (ROOT / "docs" / "testing.md").read_text()


@pytest.mark.skipif(MCP_1, reason="the examples are of mcp 2.x")
def test_the_examples_pass(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "test_page.py").write_text("\n\n".join(blocks))
    (tmp_path / "conftest.py").write_text(CONFTEST)
    words = ("-m", "pytest", "-q", "-p", "mcp_error_middleware.testing.plugin", "-p", "anyio.pytest_plugin")

    said = run(*words, "test_page.py", cwd=tmp_path)

    assert f"{sum(block.count('def test_') for block in blocks)} passed" in said, said
