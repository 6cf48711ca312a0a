from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.lint.report import FORMATS

BAD = """from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool
def price(order: str) -> int:
    try:
        return 1
    except KeyError:
        raise ValueError("no")
"""
GOOD = BAD.replace("KeyError:", "KeyError as exc:").replace('("no")', '("no") from exc')


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "shop.py"
    path.write_text(BAD, "utf-8")
    return path


def test_a_finding_ends_with_one(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "shop.py", "--select", "handlers"]) == 1

    assert capsys.readouterr().out == (
        "shop.py:11:9: warning [lost-cause] This loses its cause; write `raise ... from exc`.\n"
        '11 |         raise ValueError("no")\n'
        "   |         ^^^^^^^^^^^^^^^^^^^^^^\n"
        "\n"
        "1 warning in 1 file and 1 definition; --fix mends 1.\n"
    )


def test_no_finding_ends_with_zero(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", ".", "--select", "handlers", "--ignore", "lost-cause"]) == 0

    assert capsys.readouterr().out == "No findings in 1 file and 1 definition.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "nothing to lint"),
        (["nowhere"], "nowhere is neither a file"),
        (["ftp://shop.example"], "nor an http(s) URL"),
        ([".", "--select", "nope"], "there is no rule 'nope'"),
        ([".", "--baseline", "none.json"], "there is no baseline"),
        (["--explain", "nope"], "there is no rule 'nope'"),
    ],
)
def test_bad_input_ends_with_two_and_a_sentence(
    arguments: list[str], says: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", *arguments]) == 2

    shown = capsys.readouterr()
    assert says in shown.err
    assert shown.out == ""


def test_a_diff_is_shown_and_nothing_changed(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "shop.py", "--select", "lost-cause", "--diff"]) == 1

    assert shop.read_text("utf-8") == BAD
    assert '+        raise ValueError("no") from exc' in capsys.readouterr().out


def test_a_diff_of_nothing_says_so(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "shop.py", "--select", "undescribed-field", "--diff"]) == 1

    assert capsys.readouterr() == ("", "nothing for --fix to change; 1 finding in all\n")


def test_a_folder_with_nothing_in_it_is_pointed_out(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop.parent / "empty").mkdir()

    assert main(["lint", "empty"]) == 0
    assert "there was nothing to lint in any of these places" in capsys.readouterr().err


def test_what_can_be_mended_is_shown_and_mended(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "shop.py", "--select", "lost-cause", "--fix"]) == 0

    assert shop.read_text("utf-8") == GOOD
    shown = capsys.readouterr().err
    assert '+        raise ValueError("no") from exc\n' in shown
    assert shown.endswith("\nmended 1 in shop.py\n")


def test_a_baseline_is_written_and_used(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "shop.py", "--select", "handlers", "--write-baseline", "known.json"]) == 0
    assert main(["lint", "shop.py", "--select", "handlers", "--baseline", "known.json"]) == 0

    assert capsys.readouterr().out == (
        "known.json holds 1 known finding; use it with --baseline known.json\n"
        "No findings in 1 file and 1 definition, 1 known from the baseline.\n"
    )


def test_the_project_settings_count(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop.parent / "pyproject.toml").write_text(
        "[tool.mcp-error-middleware.lint]\nselect = ['handlers']\nignore = ['lost-cause']\n", "utf-8"
    )

    assert main(["lint", "."]) == 0


def test_json_is_all_there_is_on_stdout(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "shop.py", "--select", "handlers", "--format", "json"])

    assert [each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]] == ["lost-cause"]


def test_a_rule_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--explain", "preserve-cause-on-rethrow"]) == 0

    shown = capsys.readouterr().out
    assert shown.startswith(
        "lost-cause (handlers, warning, fixable, also known as preserve-cause-on-rethrow)\n\nKeep the cause"
    )


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Starts a server, and lets it into what it needs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(f"{BAD}\nmcp.run(show_banner=False)\n", "utf-8")
    return f"{sys.executable} shop.py --api-key={{key}} password=hunter2"


@pytest.mark.parametrize("format", FORMATS)
def test_no_report_holds_the_secrets_of_a_command(
    format: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = command.format(key="sk-live-4f9a8b7c6d5e4f3a2b1c")

    assert main(["lint", "--stdio", asked, "--select", "undescribed-field", "--format", format]) == 1

    said = capsys.readouterr().out
    assert "shop.py" in said
    assert not [secret for secret in ("4f9a8b7c", "hunter2") if secret in said]


def test_a_baseline_holds_no_secret_and_holds_after_a_key_was_changed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = command.format(key="sk-live-4f9a8b7c6d5e4f3a2b1c"), command.format(key="hunter3")

    assert main(["lint", "--stdio", before, "--write-baseline", "known.json"]) == 0
    assert main(["lint", "--stdio", after, "--baseline", "known.json"]) == 0
    assert not [secret for secret in ("4f9a8b7c", "hunter2") if secret in Path("known.json").read_text()]


def test_a_command_that_starts_nothing_is_named_without_its_secrets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lint", "--stdio", f"{sys.executable} -c pass --token hunter2"]) == 2

    said = capsys.readouterr().err
    assert "-c pass --token … does not answer" in said
    assert "hunter2" not in said
