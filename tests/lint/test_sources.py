"""Words in, what there is to lint out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcp_error_middleware.lint import LintError, Location, Settings, lint
from mcp_error_middleware.lint.sources import gather


def test_a_folder_is_its_files_without_those_of_others(tmp_path: Path) -> None:
    for name in (
        "a.py",
        "b.txt",
        "server.json",
        "other.json",
        ".git/c.py",
        "env/d.py",
        "node_modules/e.py",
        "x/f.py",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", "utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()

    sources = gather([tmp_path], Settings(exclude=("x",)), tmp_path)

    assert sources.files == [tmp_path / "a.py"]
    assert [each.location.path for each in sources.manifests] == ["server.json"]


def test_a_file_named_twice_is_linted_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()

    assert gather([tmp_path, tmp_path / "a.py"], Settings(), tmp_path).files == [tmp_path / "a.py"]


def test_json_with_lists_is_what_a_server_advertises(tmp_path: Path) -> None:
    path = tmp_path / "listing.json"
    path.write_text('{"tools": [{"name": "ship"}, 7], "prompts": 3}', "utf-8")

    sources = gather([path], Settings(), tmp_path)

    assert [(each.kind, each.name, each.origin) for each in sources.definitions] == [
        ("tool", "ship", "server"),
        ("tool", None, "server"),
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not valid JSON: Expecting property name enclosed in double quotes"),
        (b"\xff", "it is neither UTF-8 text nor in an encoding it names"),
        (b"[" * 200_000, "not usable JSON: RecursionError"),
    ],
)
def test_broken_json_is_a_finding(content: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "server.json").write_bytes(content)

    (finding,) = lint(tmp_path, settings=Settings(select=("handlers",)), root=tmp_path).findings

    assert (finding.rule, finding.message) == ("unreadable-file", f"This file cannot be linted: {reason}.")


def test_an_unreadable_file_can_be_ignored(tmp_path: Path) -> None:
    (tmp_path / "server.json").write_text("{", "utf-8")

    assert lint(tmp_path, settings=Settings(ignore=("unreadable-file",)), root=tmp_path).passed


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("", "one of the places to lint is empty; name a file, a folder, module:object or a URL"),
        ("no/such/place", "no/such/place is neither a file, a folder, module:object nor an http(s) URL"),
        ("no_such_module:mcp", "there is no file, module or command no_such_module; give a path, or install"),
        (
            "no/such.py:mcp",
            "there is no file no/such.py; give the path of the file that has the server in it",
        ),
        ("json:nothing", "json has no nothing; it has "),
        ("json:dumps", "function is no MCP server"),
    ],
)
def test_a_word_that_means_nothing_is_refused_in_one_sentence(word: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LintError) as error:
        gather([word], Settings(), tmp_path)

    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


def test_a_module_that_exits_when_imported_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("raise SystemExit(3)", "utf-8")

    with pytest.raises(LintError, match=r"shop\.py:mcp ended with SystemExit: 3 \(.*shop\.py:1\); mend that"):
        gather([f"{tmp_path}/shop.py:mcp"], Settings(), tmp_path)


def test_a_module_that_fails_at_length_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("raise RuntimeError('one\\ntwo\\nthree')", "utf-8")

    with pytest.raises(LintError) as error:
        gather([f"{tmp_path}/shop.py:mcp"], Settings(), tmp_path)

    assert f"{tmp_path}/shop.py:mcp ended with RuntimeError: one (" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "shop.py")

    (finding,) = lint(tmp_path, settings=Settings(), root=tmp_path).findings

    assert finding.message == "This file cannot be linted: it is no regular file."


def test_a_link_that_leads_nowhere_or_to_itself_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.py").symlink_to("a.py")
    (tmp_path / "b.py").symlink_to("nowhere.py")
    (tmp_path / "folder").symlink_to(tmp_path)

    found = lint(tmp_path, settings=Settings(), root=tmp_path).findings

    assert [(each.rule, each.location.path) for each in found] == [
        ("unreadable-file", "a.py"),
        ("unreadable-file", "b.py"),
    ]


def test_a_place_in_a_listing_has_no_line() -> None:
    assert Location("http://127.0.0.1/mcp").line == 0
