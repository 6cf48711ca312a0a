from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_error_middleware.cli import main

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
        "known.json holds 1 known findings; use it with --baseline known.json\n"
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
