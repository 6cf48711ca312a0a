"""Every code block of the README is true."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.taxonomy import TRAITS
from tests.interop.matrix import in_readme

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
SHELL = [line for language, block in BLOCKS if language == "sh" for line in block.splitlines()]


def test_the_python_blocks_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    for signal in ("TRACES", "METRICS", "LOGS"):
        monkeypatch.setenv(f"OTEL_{signal}_EXPORTER", "none")
    blocks = [block for language, block in BLOCKS if language == "python"]
    namespace: dict[str, Any] = {"__name__": "readme"}

    for block in blocks:
        exec(compile(block, "README.md", "exec"), namespace)

    assert len(blocks) >= 7


@pytest.mark.parametrize("command", [line for line in SHELL if line.startswith("make ")])
def test_a_make_command_names_a_target(command: str) -> None:
    found = subprocess.run(
        [*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("command", [line for line in SHELL if line.startswith("mcp-error-middleware ")])
def test_a_command_of_ours_works(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = re.findall(r'"[^"]*"|\S+', command.removeprefix("mcp-error-middleware "))

    assert main([word.strip('"') for word in words]) == 0
    assert capsys.readouterr().out


def test_every_shell_line_is_of_a_known_kind() -> None:
    kinds = ("make ", "mcp-error-middleware ", "pip install mcp-error-middleware")

    assert [line for line in SHELL if not line.startswith(kinds)] == []


def test_the_matrix_is_the_one_of_the_docs() -> None:
    page = (ROOT / "docs" / "matrix.md").read_text()
    assert in_readme(page, README) == README, "run `python -m tests.interop.matrix`"


def test_the_table_of_codes_is_the_taxonomy() -> None:
    assert taxonomy_table() in README


def taxonomy_table() -> str:
    rows = [
        f"| `{t.label}` | {int(code)} | {t.fault} | {'yes' if t.retryable else 'no'} | {t.status} | {t.wire} "
        f"| {t.message} |"
        for code, t in TRAITS.items()
    ]
    return "\n".join(
        ["| name | code | fault | retry | HTTP | JSON-RPC | says |", "|---|---|---|---|---|---|---|", *rows]
    )
