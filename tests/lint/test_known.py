"""What somebody has accepted is not reported again."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_error_middleware.lint import Finding, LintError, Location, Settings, Severity, lint
from mcp_error_middleware.lint.known import not_allowed, read_baseline, write_baseline

SHOP = """from fastmcp import FastMCP

mcp = FastMCP("shop")

@mcp.tool
def price(order: str) -> int:
    {above}
    raise Exception("no"){beside}
"""
WHY = "# mcp-lint: allow[{}] the caller cannot know"


def messages(folder: Path, text: str, **settings: str) -> list[str]:
    (folder / "shop.py").write_text(text, "utf-8")
    chosen = Settings(select=("plain-exception",), **settings)  # type: ignore[arg-type]
    return [each.message for each in lint(folder / "shop.py", settings=chosen, root=folder).findings]


@pytest.mark.parametrize(
    "word", ["plain-exception", "prefer-mcp-error-in-handler", "handlers", "lost-cause, plain-exception"]
)
def test_a_comment_with_a_reason_allows_a_line(word: str, tmp_path: Path) -> None:
    why = WHY.format(word)

    assert messages(tmp_path, SHOP.format(above="pass", beside=f"  {why}")) == []
    assert messages(tmp_path, SHOP.format(above=why, beside="")) == []


def test_a_comment_for_another_rule_allows_nothing(tmp_path: Path) -> None:
    assert len(messages(tmp_path, SHOP.format(above=WHY.format("lost-cause"), beside=""))) == 1


def test_a_comment_without_a_reason_allows_nothing_and_says_so(tmp_path: Path) -> None:
    (message,) = messages(tmp_path, SHOP.format(above="# mcp-lint: allow[plain-exception]", beside=""))

    assert message.endswith("(The comment here allows it without a reason; say why.)")


def test_a_comment_above_the_decorators_is_about_the_function_not_its_body(tmp_path: Path) -> None:
    text = SHOP.format(above="pass", beside="").replace("@mcp", f"{WHY.format('handlers')}\n@mcp")
    (tmp_path / "shop.py").write_text(text, "utf-8")
    on_def = Finding("lost-cause", Severity.WARNING, "", Location("shop.py", 7, 5, 7, 10))
    in_body = Finding("lost-cause", Severity.WARNING, "", Location("shop.py", 9, 5, 9, 10))

    assert [*not_allowed([on_def, in_body], tmp_path)] == [in_body]


def test_the_baseline_survives_new_lines_but_not_new_findings(tmp_path: Path) -> None:
    text = SHOP.format(above="pass", beside="")
    (tmp_path / "shop.py").write_text(text, "utf-8")
    chosen = Settings(select=("plain-exception",))
    baseline = tmp_path / "known.json"
    write_baseline(baseline, lint(tmp_path, settings=chosen, root=tmp_path).findings)

    assert messages(tmp_path, f"\n\n{text}", baseline=str(baseline)) == []
    assert len(messages(tmp_path, f'{text}    raise Exception("no")\n', baseline=str(baseline))) == 1


@pytest.mark.parametrize("content", ["", "[]", '{"findings": 1}', "{"])
def test_a_broken_baseline_says_how_to_get_a_new_one(content: str, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text(content, "utf-8")

    with pytest.raises(LintError, match=r"known\.json"):
        read_baseline(path)


def test_a_missing_baseline_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(LintError, match="--write-baseline"):
        read_baseline(tmp_path / "known.json")
