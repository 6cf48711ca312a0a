"""What a user gets: the built package, alone in a clean environment, with each combination of stacks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
SMOKE: Final = Path(__file__).with_name("smoke.py")
IS_ASKED: Final = os.environ.get("RELEASE") == "all"
RIGHT: Final = ["NotFound", "InternalError", "ValidationError"]

pytestmark = pytest.mark.timeout(300)


@dataclass(frozen=True, slots=True)
class Combination:
    """Stacks that are installed together, by their newest and their lowest versions."""

    wanted: tuple[str, ...]
    newest: str
    lowest: str
    stacks: frozenset[str]


COMBINATIONS: Final = {
    "mcp 2": Combination(("mcp>=2",), "dev", "lowest-mcp2", frozenset({"mcpserver", "lowlevel"})),
    "mcp 2 and FastMCP 4": Combination(
        ("mcp>=2", "fastmcp>=4"), "dev", "lowest-fastmcp4", frozenset({"mcpserver", "fastmcp", "lowlevel"})
    ),
    "mcp 1": Combination(("mcp<2",), "old", "lowest-mcp1", frozenset({"fastmcp1", "lowlevel1"})),
    "mcp 1 and FastMCP 3": Combination(
        ("mcp<2", "fastmcp<4"), "old", "lowest-mcp1", frozenset({"fastmcp1", "fastmcp3", "lowlevel1"})
    ),
}


def _uv() -> str:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = [shutil.which("uv"), *map(str, (cache / "mcp-error-middleware").glob("uv-*/bin/uv"))]
    return next((one for one in found if one), "uv")


def _pythons() -> Iterator[str]:
    """One of each supported version, as far as this machine has them."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for minor in (11, 12, 13):
        name = f"python3.{minor}"
        found = [shutil.which(name), *map(str, kept.glob(f"3.{minor}.*/bin/{name}"))]
        yield from [one for one in found if one and _runs(one)][:1]


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


PYTHONS: Final = [*_pythons()] if IS_ASKED else [sys.executable]


def run(*command: str, cwd: Path, **environment: str) -> str:
    ours = ("MCP_ERRORS_", "OTEL_", "PYTHONPATH")
    outer = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        command, cwd=cwd, env={**outer, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist and the wheel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", str(folder), cwd=ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("*.whl")
    return found


def environment(folder: Path, python: str, wheel: Path, lock: str, *wanted: str) -> Path:
    """A clean one; its Python."""
    run(_uv(), "venv", "-q", "--python", python, str(folder / "env"), cwd=folder)
    made = folder / "env/bin/python"
    install = [_uv(), "pip", "install", "-q", "--python", str(made), "-c", str(lock), str(wheel), *wanted]
    # From the cache alone if it can be, as in scripts/setup.
    if subprocess.run([*install, "--offline"], capture_output=True, check=False).returncode:
        run(*install, cwd=folder)
    return made


@pytest.mark.skipif(not IS_ASKED, reason="run `make release`")
@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: Path(python).name)
@pytest.mark.parametrize("versions", ["newest", "lowest"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_wheel_works_alone(name: str, versions: str, python: str, wheel: Path, tmp_path: Path) -> None:
    combination = COMBINATIONS[name]
    lock = ROOT / f"requirements/{getattr(combination, versions)}.txt"
    made = environment(tmp_path, python, wheel, str(lock), *combination.wanted)

    said = run(
        str(made), "-I", "-W", "error::DeprecationWarning:mcp_error_middleware", str(SMOKE), cwd=tmp_path
    )

    report: dict[str, Any] = json.loads(said.splitlines()[-1])
    assert Path(report["from"]).is_relative_to(tmp_path)
    assert report["answers"] == dict.fromkeys(combination.stacks, RIGHT)
    assert report["desk"] == 200
    command = run(str(made.with_name("mcp-error-middleware")), "explain", "429", cwd=tmp_path)
    assert "RateLimited" in command


def test_every_lowest_version_is_the_one_pyproject_names() -> None:
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    floors = {
        needed.name: specifier.version
        for needed in map(Requirement, project["dependencies"])
        for specifier in needed.specifier
        if specifier.operator == ">=" and needed.name != "mcp"
    }
    locked = (ROOT / "requirements/lowest-mcp1.txt").read_text("utf-8")
    assert {name for name, floor in floors.items() if f"\n{name}=={floor}" not in locked} == set()


def test_the_types_of_everything_public_are_known(wheel: Path, tmp_path: Path) -> None:
    pyright = Path(sys.executable).with_name("pyright")
    if not pyright.exists():
        pytest.skip("pyright is not installed; make dev installs it")
    lock = str(ROOT / "requirements/dev.txt")
    made = environment(tmp_path, sys.executable, wheel, lock, "mcp>=2", "fastmcp>=4", "hypothesis")
    done = subprocess.run(
        [str(pyright), "--verifytypes", "mcp_error_middleware", "--ignoreexternal", "--outputjson"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{made.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(done.stdout)["typeCompleteness"]
    assert told["packageName"] == "mcp_error_middleware"
    assert told["exportedSymbolCounts"]["withKnownType"] > 500
    assert told["completenessScore"] > 0.98


def test_the_sdist_builds_the_same_wheel_and_has_what_its_tests_need(
    dist: Path, wheel: Path, tmp_path: Path
) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again"), cwd=source)

    (again,) = (tmp_path / "again").iterdir()
    assert again.read_bytes() == wheel.read_bytes()
    needed = ("Makefile", "tests/release/smoke.py", "requirements/dev.txt", "scripts/setup", "docs/index.md")
    assert [name for name in needed if not (source / name).exists()] == []


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (path,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = archive.read(path).decode()
    for line in ("License-Expression: MIT", "Requires-Python: >=3.11", "Classifier: Typing :: Typed"):
        assert f"{line}\n" in metadata
    assert "# mcp-error-middleware" in metadata
