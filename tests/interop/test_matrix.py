from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.interop.matrix import PAGE, page
from tests.interop.meetings import CLIENTS, SERVERS, Meet
from tests.interop.packages import HERE, NEW, OLD

VERSIONS = "from importlib.metadata import version; print(version('mcp'), version('fastmcp'))"


@pytest.mark.timeout(600)
def test_the_page_says_what_a_run_gives(meet: Meet) -> None:
    assert PAGE.read_text() == page(meet), "docs/matrix.md is stale; run `python -m tests.interop.matrix`"


def test_clients_and_servers_are_named_by_their_versions(installed: None) -> None:
    npm = json.loads((HERE / "package.json").read_text())["dependencies"]
    told = [npm[f"@modelcontextprotocol/{name}"] for name in ("sdk", "client", "inspector")]
    said = {party.name.split()[-1] for party in (*CLIENTS, *SERVERS)}

    assert said == {version.rpartition(".")[0] for version in (*told, *_versions(NEW), *_versions(OLD))}


def _versions(python: Path) -> list[str]:
    return subprocess.run([python, "-c", VERSIONS], capture_output=True, text=True, check=True).stdout.split()
