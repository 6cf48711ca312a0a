from __future__ import annotations

import shutil
import subprocess

import pytest

from mcp_error_middleware.cli import COMMANDS, main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_completed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in [*COMMANDS, "transport", "strict", "snapshot"])


def test_bash_completes_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    if (bash := shutil.which("bash")) is None:
        pytest.skip("needs bash")
    main(["completion", "bash"])
    typed = "COMP_WORDS=(mcp-error-middleware lint --st); COMP_CWORD=2; "
    ask = typed + '_mcp_error_middleware; echo "${COMPREPLY[@]}"'
    done = subprocess.run(
        [bash, "-c", capsys.readouterr().out + ask], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.split() == ["--stdio", "--strict"]
