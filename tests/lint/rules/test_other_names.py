"""`docs/lint-seeds.md` says of every id which rule it is, and is right."""

from __future__ import annotations

import re
from pathlib import Path

from mcp_error_middleware.lint import all_rules

PAGE = Path(__file__).parents[3] / "docs" / "lint-seeds.md"
ROW = re.compile(r"^\| `([a-z-]+)` \| (?:`([a-z-]+)` )?\| (\w*) ?\| (.*)\|$", re.MULTILINE)


def test_every_alias_has_its_line_and_every_line_its_rule() -> None:
    rows = {id_: (name, severity) for id_, name, severity, _ in ROW.findall(PAGE.read_text("utf-8"))}

    assert {id_: row for id_, row in rows.items() if row[0]} == {
        alias: (rule.name, rule.severity.value) for rule in all_rules().values() for alias in rule.aliases
    }


def test_an_id_without_a_rule_says_why() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))

    assert len(rows) == 122
    assert all(note.strip() for _, name, _, note in rows if not name)
