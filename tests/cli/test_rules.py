from __future__ import annotations

import json

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.lint import all_rules


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_every_rule_and_alias_is_listed(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--format", form]) == 0

    shown = capsys.readouterr().out
    words = [word for rule in all_rules().values() for word in (rule.name, *rule.aliases)]
    assert [word for word in words if word not in shown] == []


def test_programs_get_the_table_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "--format", "json"])

    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert listed.keys() == all_rules().keys()
    assert listed["lost-cause"] == {
        "name": "lost-cause",
        "family": "handlers",
        "severity": "warning",
        "aliases": ["preserve-cause-on-rethrow"],
        "fixable": True,
        "strict": False,
        "summary": "Keep the cause of a new error: `raise ... from exc`.",
    }


def test_one_page_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "lost-cause"]) == 0

    assert all_rules()["lost-cause"].page.rstrip() in capsys.readouterr().out


def test_a_rule_nobody_knows_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "nope"]) == 2

    assert "there is no rule 'nope'" in capsys.readouterr().err
