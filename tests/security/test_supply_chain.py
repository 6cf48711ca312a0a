"""What is installed with the package, and what the package does by being imported."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))

FREE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|Unlicense|0BSD|Zlib|CNRI)",
    re.IGNORECASE,
)
"""Licences under which one may use a library in a product of one's own."""
BINDING = re.compile(r"\b(A?GPL|SSPL|BUSL|Commons Clause)", re.IGNORECASE)


# --- locks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_of_a_lock_is_pinned_with_its_hashes_and_names_no_address(lock: Path) -> None:
    text = re.sub(r"\\\n\s*", " ", lock.read_text("utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    loose = [
        line for line in lines if not re.match(r"[\w.\[\]-]+==\S+ (;.*?)?.*--hash=sha256:[0-9a-f]{64}", line)
    ]
    assert len(lines) > 20
    assert loose == []
    assert "://" not in text


# --- licences -----------------------------------------------------------------------------------


def _runtime() -> dict[str, Distribution]:
    """What is installed with the package, and with that, without extras."""
    found: dict[str, Distribution] = {}
    wanted = ["mcp-error-middleware"]
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        needed = map(Requirement, found[name].requires or ())
        wanted += [
            needs.name.lower() for needs in needed if not needs.marker or needs.marker.evaluate({"extra": ""})
        ]
    return found


def _licence(of: Distribution) -> str:
    said = [text for name in ("License-Expression", "License") for text in of.metadata.get_all(name) or ()]
    classifiers = [line for line in of.metadata.get_all("Classifier") or () if line.startswith("License")]
    return " ".join(text[:200] for text in [*said, *classifiers])


def test_every_library_that_is_installed_with_the_package_is_free_to_use() -> None:
    licences = {name: _licence(found) for name, found in _runtime().items()}
    assert len(licences) > 10
    assert {
        name: said for name, said in licences.items() if not FREE.search(said) or BINDING.search(said)
    } == {}


# --- the wheel ----------------------------------------------------------------------------------


def _built(folder: Path) -> Path:
    shutil.copytree(
        ROOT / "mcp_error_middleware",
        folder / "mcp_error_middleware",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
        check=True,
        capture_output=True,
        timeout=50,
    )
    (wheel,) = (folder / "dist").iterdir()
    return wheel


def test_a_wheel_is_the_same_whenever_and_wherever_it_is_built(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    (tmp_path / "one").mkdir()
    (tmp_path / "another").mkdir()
    one, another = _built(tmp_path / "one"), _built(tmp_path / "another")
    assert one.name == another.name
    assert one.read_bytes() == another.read_bytes()
    names = zipfile.ZipFile(one).namelist()
    assert {"mcp_error_middleware/py.typed", "mcp_error_middleware/desk/static/desk.js"} <= set(names)
    assert [
        name for name in names if not name.startswith(("mcp_error_middleware/", "mcp_error_middleware-"))
    ] == []


# --- importing ----------------------------------------------------------------------------------

WATCHED_IMPORT = """
import sys
seen = []
FORBIDDEN = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "urllib.Request")
sys.addaudithook(lambda event, args: seen.append(event) if event in FORBIDDEN else None)
import importlib, pkgutil, threading
import mcp_error_middleware
stacks = sorted({"mcp", "fastmcp", "starlette", "structlog", "opentelemetry.sdk"} & set(sys.modules))
for found in pkgutil.walk_packages(mcp_error_middleware.__path__, "mcp_error_middleware."):
    if found.name.rpartition(".")[2] not in ("mcp_v1", "__main__"):
        importlib.import_module(found.name)
print(seen, threading.active_count(), stacks)
"""


def test_importing_the_package_asks_nobody_starts_nothing_and_loads_no_stack(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHED_IMPORT],
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[] 1 []\n", "")
