import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def audit(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts/audit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def database(folder: Path, *advisories: dict[str, Any]) -> Path:
    """An export as OSV makes it."""
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for advisory in advisories:
            archive.writestr(f"{advisory['id']}.json", json.dumps(advisory))
    return folder / "all.zip"


def advisory(name: str, *events: dict[str, str], **said: Any) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": list(events)}]
    affected = {"package": {"name": name, "ecosystem": "PyPI"}, "ranges": ranges}
    return {"id": "PYSEC-1", "summary": "Boxes open by themselves.", "affected": [affected], **said}


def locks(folder: Path, text: str) -> Path:
    (folder / "locks").mkdir()
    (folder / "locks/dev.txt").write_text(text)
    return folder / "locks"


def test_a_locked_version_between_introduction_and_fix_is_named_with_its_lock(tmp_path: Path) -> None:
    lock = locks(tmp_path, "Box_Lib==1.4.0 \\\n    --hash=sha256:00\nother==1.4.0\n")
    known = database(tmp_path, advisory("box-lib", {"introduced": "1.0"}, {"fixed": "1.4.1"}))

    done = audit(known, lock)

    assert done.stdout == "box-lib 1.4.0 (dev.txt): PYSEC-1 Boxes open by themselves.\n"
    assert done.returncode == 1


def test_a_version_before_or_after_is_let_through(tmp_path: Path) -> None:
    lock = locks(tmp_path, "box-lib==2.1 ; python_version < '3.12' \\\n")
    known = database(
        tmp_path,
        advisory("box-lib", {"introduced": "0"}, {"fixed": "2.1"}),
        advisory("box-lib", {"introduced": "2.2"}, id="PYSEC-2"),
        advisory("box-lib", {"introduced": "0"}, {"last_affected": "2.0"}, id="PYSEC-3"),
        advisory("box-lib", {"introduced": "0"}, id="PYSEC-4", withdrawn="2026-01-01T00:00:00Z"),
    )

    done = audit(known, lock)

    assert (done.returncode, done.stdout) == (0, "no locked version is named by an advisory\n")


def test_a_listed_version_is_affected_whatever_the_ranges_say(tmp_path: Path) -> None:
    lock = locks(tmp_path, "box-lib[extra]==1.0rc1\n")
    named = advisory("box-lib", {"introduced": "9"})
    named["affected"][0]["versions"] = ["1.0rc1"]

    assert audit(database(tmp_path, named), lock).returncode == 1


def test_our_own_locks_are_read(tmp_path: Path) -> None:
    done = audit(database(tmp_path, advisory("starlette", {"introduced": "0"})))

    assert "starlette " in done.stdout
    assert "dev.txt" in done.stdout


def test_without_a_database_it_says_what_it_needs() -> None:
    done = audit("nowhere.zip")

    assert done.returncode == 2
    assert "export of the OSV database" in done.stderr
