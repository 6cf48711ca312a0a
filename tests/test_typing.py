"""What mypy and pyright say about `tests/typing`, line by line and rule by rule."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "tests" / "typing").glob("*.py"))
EXPECT = re.compile(r"# expect: (?P<rules>.+)$")

Report = list[tuple[str, int, str]]
"""File, line and rule of each complaint."""


def expected(*, pyright: bool) -> Report:
    """What the markers ask of one checker; pyright's rules all begin with `report`."""
    return [
        (file.name, number, rule)
        for file in FILES
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if (marker := EXPECT.search(line))
        for rule in marker["rules"].split(", ")
        if rule.startswith("report") is pyright
    ]


def run(module: str, *options: str) -> str:
    """The checker's output; a checker that does not run skips the test."""
    python = [sys.executable, "-m", module]
    if subprocess.run([*python, "--version"], capture_output=True, check=False).returncode:
        pytest.skip(f"{module} does not run here; install it with: pip install {module}")
    done = subprocess.run([*python, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(300)
def test_mypy_refuses_exactly_the_marked_lines(tmp_path: Path) -> None:
    options = ("--strict", "--follow-imports=silent", "--output=json", f"--cache-dir={tmp_path}")
    output = run("mypy", *options, *map(str, FILES))
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    errors = {
        (Path(each["file"]).name, each["line"], each["code"]) for each in found if each["severity"] == "error"
    }
    assert sorted(errors) == sorted(expected(pyright=False))


@pytest.mark.timeout(300)
def test_pyright_refuses_exactly_the_marked_lines(tmp_path: Path) -> None:
    # In a project of their own: the repository's excludes these files.
    for file in FILES:
        shutil.copy(file, tmp_path)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}), "utf-8")
    output = run("pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(tmp_path))
    found = json.loads(output)["generalDiagnostics"]
    errors = {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each.get("rule", "")) for each in found
    }
    assert sorted(errors) == sorted(expected(pyright=True))
