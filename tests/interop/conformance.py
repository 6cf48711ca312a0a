"""A server's URL in, the verdicts of the official conformance suite out."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.interop.meetings import served
from tests.interop.packages import HOME, NEW, NODE

SUITE = HOME / "node_modules/@modelcontextprotocol/conformance/dist/index.js"

Check = tuple[str, str, str]
"""Scenario, check, status."""
Judge = Callable[[str, str, str], list[Check]]
"""Kind of server, what it wears, version of the spec; as `everything.py` takes them."""


@contextmanager
def court() -> Iterator[Judge]:
    """Each server is started once, and judged once per version."""
    with ExitStack() as running:

        @cache
        def url(kind: str, worn: str) -> str:
            return running.enter_context(served(str(NEW), "-m", "tests.interop.everything", kind, worn))

        @cache
        def judge(kind: str, worn: str, version: str) -> list[Check]:
            return judged(url(kind, worn), version)

        yield judge


def judged(url: str, version: str) -> list[Check]:
    with TemporaryDirectory() as folder:
        subprocess.run(
            [NODE, SUITE, "server", "--url", url, "--suite", "all", "--spec-version", version, "-o", folder],
            cwd=folder,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return sorted(check for path in Path(folder).rglob("checks.json") for check in _checks(path))


def _checks(path: Path) -> list[Check]:
    scenario = re.sub(r"-\d{4}-\d\d-\d\dT.*", "", path.parent.name).removeprefix("server-")
    return [(scenario, check["id"], check["status"]) for check in json.loads(path.read_text())]
