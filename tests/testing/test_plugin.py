from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mcp_error_middleware.testing as testing

ROOT = Path(__file__).parents[2]

SUITE = """
import asyncio
from mcp_error_middleware import ErrorCode, ErrorPolicy
from mcp_error_middleware.telemetry import observed

TRIAGE = observed(ErrorPolicy(log=False, traces=False, metrics=False))

def test_failures(failures):
    TRIAGE(TimeoutError())
    assert failures.codes == [ErrorCode.TIMEOUT]

def test_of_another_test_nothing_is_left(failures):
    assert list(failures) == []

def test_faults(mcp_faults):
    assert mcp_faults.upstream(503, match="upstream.test").calls == 0

def test_that_asks_for_nothing():
    asyncio.run(asyncio.sleep(0))
"""


def run(*words: str, cwd: Path = ROOT) -> str:
    env = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": ""}
    found = subprocess.run(
        [sys.executable, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    return found.stdout + found.stderr


def test_the_fixtures_work_without_any_other_plugin(tmp_path: Path) -> None:
    (tmp_path / "test_shop.py").write_text(SUITE)

    said = run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "mcp_error_middleware.testing.plugin",
        "-W",
        "error",
        "test_shop.py",
        cwd=tmp_path,
    )

    assert "4 passed" in said


def test_the_plugin_brings_nothing_with_it_that_the_package_does_not() -> None:
    code = (
        "import sys, mcp_error_middleware, pytest; before = set(sys.modules)\n"
        "import mcp_error_middleware.testing.plugin\n"
        "print(sorted(name for name in set(sys.modules) - before if 'testing' not in name))"
    )

    assert run("-c", code).strip() == "[]"


def test_the_package_itself_brings_neither_pytest_nor_hypothesis() -> None:
    code = (
        "import sys, mcp_error_middleware, mcp_error_middleware.testing as testing\n"
        "for name in testing.__all__: getattr(testing, name)\n"
        "print(sorted({'pytest', 'hypothesis', 'fastmcp'} & sys.modules.keys()))"
    )

    assert run("-c", code).strip() == "[]"


def test_the_promised_names_are_there_and_the_list_is_sorted() -> None:
    assert testing.__all__ == sorted(testing.__all__)
    assert [name for name in testing.__all__ if not hasattr(testing, name)] == []
    assert not hasattr(testing, "assert_nothing")
