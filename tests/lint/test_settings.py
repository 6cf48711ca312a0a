"""`pyproject.toml` in, settings out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_error_middleware.lint import LintError, Settings, read_settings
from mcp_error_middleware.lint.settings import find_rule


def test_the_nearest_project_decides(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.mcp-error-middleware.lint]\nselect = ['handlers']\nignore = ['lost-cause']\nstrict = true\n"
        "exclude = ['tests']\nbaseline = 'known.json'\n",
        "utf-8",
    )
    (tmp_path / "src").mkdir()

    assert read_settings(tmp_path / "src") == Settings(
        ("handlers",), ("lost-cause",), True, ("tests",), str(tmp_path / "known.json")
    )


def test_a_project_without_a_table_has_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'shop'\n", "utf-8")

    assert read_settings(tmp_path) == Settings()


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (
            "selct = ['x']",
            "there is no setting 'selct'; use one of select, ignore, strict, exclude, baseline",
        ),
        ("select = 'x'", "'select' has to be a list of names"),
        ("ignore = [1]", "'ignore' has to be a list of names"),
        ("strict = 1", "'strict' has to be true or false"),
        ("baseline = []", "'baseline' has to be a path"),
        ("select = [", "cannot be read"),
    ],
)
def test_a_wrong_setting_is_said_in_one_sentence(table: str, says: str, tmp_path: Path) -> None:
    text = f"[tool.mcp-error-middleware.lint]\n{table}\n"
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")

    with pytest.raises(LintError) as error:
        read_settings(tmp_path)

    assert says in str(error.value)


def test_settings_that_are_no_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mcp-error-middleware]\nlint = 3\n", "utf-8")

    with pytest.raises(
        LintError, match=r"'lint' has to be a table; write \[tool.mcp-error-middleware.lint\]"
    ):
        read_settings(tmp_path)


def test_a_misspelt_name_is_told_the_right_one() -> None:
    with pytest.raises(LintError, match=r"there is no rule .lost-cuase.; did you mean lost-cause\?"):
        find_rule("lost-cuase")


def test_names_aliases_and_families_select() -> None:
    by_alias = Settings(select=("preserve-cause-on-rethrow",)).rules()
    family = {rule.name for rule in Settings(select=("wire",)).rules()}

    assert [rule.name for rule in by_alias] == ["lost-cause"]
    assert family == {
        "forbidden-wire-code",
        "http-status-wire-code",
        "legacy-wire-code",
        "misleading-method-not-found",
    }
    assert "lost-cause" not in {rule.name for rule in Settings(ignore=("handlers",)).rules()}


@pytest.mark.parametrize("settings", [Settings(select=("nope",)), Settings(ignore=("nope",))])
def test_a_name_nobody_has_is_refused(settings: Settings) -> None:
    with pytest.raises(LintError, match="there is no rule 'nope'"):
        settings.rules()


def test_a_rule_is_found_by_its_name_and_by_its_alias() -> None:
    assert find_rule("lost-cause") is find_rule("preserve-cause-on-rethrow")


@pytest.mark.parametrize(
    ("pattern", "path", "excluded"),
    [
        ("tests", "tests/test_a.py", True),
        ("tests", "src/tests/test_a.py", True),
        ("tests", "src/contests/a.py", False),
        ("*_pb2.py", "src/shop_pb2.py", True),
        ("src/old/", "src/old/a.py", True),
    ],
)
def test_folders_and_patterns_are_left_out(pattern: str, path: str, excluded: bool) -> None:
    assert Settings(exclude=(pattern,)).excludes(path) is excluded
