"""Findings in, text out: for people, programs, code scanning and pull requests."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import quote

from mcp_error_middleware.lint.engine import Report
from mcp_error_middleware.lint.model import Finding, Location, Severity
from mcp_error_middleware.lint.rules import all_rules

WIDTH: Final = 160
"""Longest source line shown in full."""


def text(report: Report) -> str:
    """For people: each finding with its line and a caret, and a count."""
    return "\n".join([*(_shown(finding) for finding in report.findings), _summary(report)])


def _shown(finding: Finding) -> str:
    head = f"{_where(finding.location)}: {finding.severity} [{finding.rule}] {finding.message}"
    return "\n".join(map(_visible, [head, *_caret(finding.location)])) + "\n"


def _visible(line: str) -> str:
    """Without what would steer a terminal, or no encoding knows: names come from anywhere."""
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)


def _where(place: Location) -> str:
    position = f":{place.line}:{place.column}" if place.line else ""
    return f"{place.path}{position}" + (f" ({place.pointer})" if place.pointer else "")


def _caret(place: Location) -> list[str]:
    if not place.line or not place.text.strip() or len(place.text) > WIDTH:
        return []
    line = place.text.replace("\t", " ")
    end = place.end_column if place.end_line == place.line else len(line.rstrip()) + 1
    mark = " " * (place.column - 1) + "^" * max(1, end - place.column)
    number = str(place.line)
    return [f"{number} | {line}", f"{' ' * len(number)} | {mark}"]


def _summary(report: Report) -> str:
    counts = Counter(finding.severity for finding in report.findings)
    known = f", {report.known} known from the baseline" if report.known else ""
    seen = f"{counted(report.files, 'file')} and {counted(report.definitions, 'definition')}"
    if not report.findings:
        return f"No findings in {seen}{known}."
    found = ", ".join(counted(counts[each], each.value) for each in Severity if counts[each])
    fixable = sum(1 for finding in report.findings if finding.fix)
    offer = f"; --fix mends {fixable}" if fixable else ""
    return f"{found} in {seen}{known}{offer}."


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_json(report: Report) -> str:
    """For programs."""
    return json.dumps(
        {
            "passed": report.passed,
            "files": report.files,
            "definitions": report.definitions,
            "known": report.known,
            "findings": [_plain(finding) for finding in report.findings],
        },
        indent=1,
    )


def _plain(finding: Finding) -> dict[str, Any]:
    place = finding.location
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "pointer": place.pointer,
        "fixable": bool(finding.fix),
    }


def github(report: Report) -> str:
    """Annotations on a pull request."""
    return "\n".join(_annotation(finding) for finding in report.findings)


def _annotation(finding: Finding) -> str:
    place = finding.location
    values = {
        "file": place.path,
        "line": place.line or None,
        "col": place.column or None,
        "endLine": place.end_line or None,
        "title": finding.rule,
    }
    settings = ",".join(
        f"{key}={_property(str(value))}" for key, value in values.items() if value is not None
    )
    return f"::{finding.severity} {settings}::{_data(finding.message)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def sarif(report: Report) -> str:
    """SARIF 2.1.0, for code scanning."""
    names = sorted({finding.rule for finding in report.findings})
    driver = {
        "name": "mcp-error-middleware",
        "rules": [_described(name) for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, names.index(finding.rule)) for finding in report.findings],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=1)


def _described(name: str) -> dict[str, Any]:
    rule = all_rules().get(name)
    if rule is None:
        return {"id": name, "shortDescription": {"text": name}}
    return {
        "id": name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.page},
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {"tags": [rule.family]},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": finding.message},
        "locations": [_sarif_location(finding.location)],
    } | ({"fixes": [_sarif_fix(finding)]} if finding.fix else {})


def _sarif_fix(finding: Finding) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.start[0],
                "startColumn": edit.start[1],
                "endLine": edit.end[0],
                "endColumn": edit.end[1],
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in finding.fix
    ]
    changed = {"artifactLocation": {"uri": _uri(finding.location.path)}, "replacements": replacements}
    return {"description": {"text": finding.message}, "artifactChanges": [changed]}


def _sarif_location(place: Location) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.path)}}
    if place.line:
        physical["region"] = {
            "startLine": place.line,
            "startColumn": max(place.column, 1),
            "endLine": max(place.end_line, place.line),
            "endColumn": max(place.end_column, 1),
        }
    logical = {"logicalLocations": [{"fullyQualifiedName": place.pointer}]} if place.pointer else {}
    return {"physicalLocation": physical} | logical


def _uri(path: str) -> str:
    return path if path.startswith(("http://", "https://")) else quote(path, errors="replace")


FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
    "github": github,
}
