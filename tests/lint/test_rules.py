"""Every rule's page is its test: its bad code is found, its good code is not, and what it fixes is good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_error_middleware.lint import Rule, Settings, all_rules, lint
from mcp_error_middleware.lint.fix import mended
from tests.lint.pages import blocks, findings

RULES = [*all_rules().values()]
BLOCKS = [
    pytest.param(rule, text, kind == "Bad", id=f"{rule.name}-{kind}-{number}")
    for rule in RULES
    for number, (kind, text) in enumerate(blocks(rule))
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_a_page_with_bad_and_good_code(rule: Rule) -> None:
    assert {kind for kind, _ in blocks(rule)} == {"Bad", "Good"}
    assert rule.summary.endswith(".")
    assert rule.name == rule.name.lower().replace("_", "-")


@pytest.mark.parametrize(("rule", "text", "bad"), BLOCKS)
def test_a_page_shows_what_the_rule_finds(rule: Rule, text: str, bad: bool, tmp_path: Path) -> None:
    found = findings(rule, text, tmp_path)

    assert {each.rule for each in found} == ({rule.name} if bad else set())


@pytest.mark.parametrize(("rule", "text", "bad"), [each for each in BLOCKS if each.values[0].fixable])  # type: ignore[union-attr]
def test_a_fix_leaves_nothing_to_find(rule: Rule, text: str, bad: bool, tmp_path: Path) -> None:
    found = findings(rule, text, tmp_path)
    for each in mended(found, tmp_path):
        each.write()
    left = lint(tmp_path / "shop.py", settings=Settings(select=(rule.name,)), root=tmp_path).findings

    assert len(left) == sum(1 for each in found if not each.fix)


def test_every_fixable_rule_fixes_a_bad_example(tmp_path: Path) -> None:
    fixing = {
        rule.name
        for rule in RULES
        for kind, text in blocks(rule)
        if kind == "Bad" and any(each.fix for each in findings(rule, text, tmp_path))
    }

    assert fixing == {rule.name for rule in RULES if rule.fixable}


def test_names_and_aliases_are_unique() -> None:
    words = [word for rule in RULES for word in (rule.name, *rule.aliases)]

    assert len(words) == len(set(words))


def test_no_example_breaks_another_rule_of_the_linter(tmp_path: Path) -> None:
    for rule in RULES:
        for number, (_, text) in enumerate(blocks(rule)):
            suffix = "json" if text.startswith(("{", "[", '"')) or _is_json(text) else "py"
            (tmp_path / f"{rule.name}_{number}.{suffix}").write_text(text, "utf-8")

    report = lint(*sorted(tmp_path.iterdir()), settings=Settings(strict=True), root=tmp_path)

    assert [each for each in report.findings if each.rule in ("rule-failed", "unreadable-file")] == []


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
