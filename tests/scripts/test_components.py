import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

PROGRAMS = ("promtool", "prometheus", "amtool", "prometheus-alertmanager", "kubectl")


def components(tmp_path: Path, **scripts: str) -> subprocess.CompletedProcess[str]:
    """`scripts/components` on a machine with these programs besides those that Debian has."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {**dict.fromkeys(PROGRAMS, "exit 0"), **scripts}.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    return subprocess.run(
        ["sh", ROOT / "scripts/components"],
        env={"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
        cwd=os.fspath(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


GO = """
case "$1" in
env) echo go1.27.0 ;;
install) {install} ;;
*) exit 1 ;;
esac
"""


def test_what_the_proxy_does_not_give_cannot_be_had(tmp_path: Path) -> None:
    done = components(tmp_path, go=GO.format(install="exit 1"))

    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("components: the Go module proxy does not give")


def test_what_was_had_and_cannot_be_built_is_a_failure(tmp_path: Path) -> None:
    broken = (
        'mkdir -p "$GOBIN" && printf "#!/bin/sh\\nexit 1\\n" >"$GOBIN/builder" && chmod +x "$GOBIN/builder"'
    )
    done = components(tmp_path, go=GO.format(install=broken))

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "components: the collector cannot be built"
