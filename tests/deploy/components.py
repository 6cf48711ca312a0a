"""The real programs these tests run, or the reason why not."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
BUILT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "mcp-error-middleware", "components")


def program(name: str) -> str:
    """Where it is."""
    found = shutil.which(name, path=os.pathsep.join([str(BUILT), os.environ.get("PATH", os.defpath)]))
    return found or missing(f"{name} is not installed; `make e2e` gets it")


def package(name: str) -> Any:
    """A module that only these tests need."""
    try:
        return import_module(name)
    except ImportError:
        missing(f"{name} is not installed; `make e2e` gets it")


def missing(reason: str) -> NoReturn:
    """Skip, unless everything must be there."""
    if os.environ.get("E2E") == "all":
        pytest.fail(reason)
    pytest.skip(reason)


def documents(text: str) -> list[Any]:
    """What a YAML text says."""
    return list(yaml.safe_load_all(text))


def read(path: str) -> Any:
    """What a YAML file of `deploy` says."""
    return documents((DEPLOY / path).read_text())[0]


def run(name: str, *arguments: str | Path) -> str:
    """What the program says; it has to be content."""
    done = subprocess.run(
        [program(name), *arguments], cwd=DEPLOY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
