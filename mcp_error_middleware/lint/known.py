"""Findings in, those nobody has accepted yet out: comments in the source, and the baseline."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mcp_error_middleware.lint.model import Finding, Location
from mcp_error_middleware.lint.python.project import Unreadable, read_text
from mcp_error_middleware.lint.rules import all_rules
from mcp_error_middleware.lint.settings import LintError

_ALLOW: Final = re.compile(r"#\s*mcp-lint:\s*allow\[([^\]]*)\](.*)")

# --- comments ------------------------------------------------------------------------------------


def not_allowed(findings: Iterable[Finding], root: Path) -> Iterator[Finding]:
    """Those without a comment `# mcp-lint: allow[rule] reason` on a line of theirs, or alone above it."""
    lines: dict[str, list[str]] = {}
    for finding in findings:
        path = finding.location.path
        if path not in lines:
            lines[path] = _lines(root / path)
        reasons = [*_reasons(finding, lines[path])]
        if not any(reasons):
            yield finding if not reasons else replace(finding, message=f"{finding.message} {_SAY_WHY}")


_SAY_WHY: Final = "(The comment here allows it without a reason; say why.)"


def _reasons(finding: Finding, lines: list[str]) -> Iterator[str]:
    for line in _lines_of(finding.location, lines):
        if (comment := _ALLOW.search(line)) and finding.rule in _meant(comment[1]):
            yield comment[2].strip(" -:")


def _lines_of(place: Location, lines: list[str]) -> Iterator[str]:
    """Its own lines, the decorators above them, and a comment alone above those."""
    if not 0 < place.line <= len(lines):
        return
    yield from lines[place.line - 1 : place.end_line]
    for line in reversed(lines[: place.line - 1]):
        if line.lstrip().startswith(("@", "#")):
            yield line
        if not line.lstrip().startswith("@"):
            return


def _meant(words: str) -> set[str]:
    said = {word.strip() for word in words.split(",")}
    return said | {rule.name for rule in all_rules().values() if said & {rule.family, *rule.aliases}}


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).split("\n")
    except Unreadable:
        return []


# --- baseline ------------------------------------------------------------------------------------


def read_baseline(path: Path) -> Counter[str]:
    """How often each known finding occurs; raises LintError."""
    try:
        data: Any = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise LintError(f"there is no baseline {path}; write one with --write-baseline {path}") from None
    except (OSError, ValueError) as error:
        raise LintError(f"the baseline {path} cannot be read: {error}") from None
    entries = data.get("findings") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise LintError(f"{path} is no baseline; write one with --write-baseline {path}")
    return Counter(str(each.get("id")) for each in entries if isinstance(each, dict))


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Accept what is there now."""
    entries = [
        {"id": identity(each), "rule": each.rule, "path": each.location.path, "line": each.location.line}
        for each in findings
    ]
    path.write_text(json.dumps({"findings": entries}, indent=1) + "\n", "utf-8")


def not_known(findings: Iterable[Finding], baseline: Counter[str]) -> Iterator[Finding]:
    """Those beyond what the baseline holds."""
    left = Counter(baseline)
    for finding in findings:
        if left[identity(finding)] > 0:
            left[identity(finding)] -= 1
        else:
            yield finding


def identity(finding: Finding) -> str:
    """The same after lines were added above: the rule, the file, the text of the line and the part."""
    place = finding.location
    parts = (finding.rule, place.path, place.text.strip(), place.pointer)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
