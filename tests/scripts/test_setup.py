import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def setup(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", ROOT / "scripts/setup", "requirements/demo.txt"],
        env={**os.environ, "VENV": str(tmp_path / "venv"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_python_it_says_which_one_is_needed(tmp_path: Path) -> None:
    done = setup(tmp_path, PYTHON="no-such-python")

    assert done.returncode == 1
    assert done.stderr.startswith("setup: no Python 3.11 or newer found; install one, or name it")


def test_without_a_package_index_or_a_cache_it_says_what_is_missing(tmp_path: Path) -> None:
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "UV_INDEX_URL": "http://127.0.0.1:9/",
        "UV_HTTP_RETRIES": "0",
    }

    done = setup(
        tmp_path,
        XDG_CACHE_HOME=str(tmp_path),
        UV_CACHE_DIR=str(tmp_path),
        PIP_RETRIES="0",
        PIP_FIND_LINKS="",
        **nowhere,
    )

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("setup: ")
    assert "connect once" in done.stderr.splitlines()[-1]
