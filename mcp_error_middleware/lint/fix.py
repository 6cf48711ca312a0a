"""Findings in, mended text out."""

from __future__ import annotations

import ast
import difflib
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp_error_middleware.lint.model import Edit, Finding
from mcp_error_middleware.lint.python.project import read_source


@dataclass(frozen=True, slots=True)
class Mended:
    """A file before and after."""

    path: Path
    shown: str
    before: str
    after: str
    fixes: int
    """Findings that are gone."""
    encoding: str = "utf-8"

    def diff(self) -> str:
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{self.shown}",
            f"b/{self.shown}",
        )
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )

    def write(self) -> None:
        # Bytes, so that a file keeps the line ends it has.
        self.path.write_bytes(self.after.encode(self.encoding))


def mended(findings: Iterable[Finding], root: Path) -> Iterator[Mended]:
    """Each file that has a fix; one that would not parse afterwards is left as it is."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.fix:
            by_path[finding.location.path].append(finding)
    for shown, own in by_path.items():
        before, encoding = read_source(root / shown)
        after, fixes = apply_edits(before, own)
        if after != before and _parses(after):
            yield Mended(root / shown, shown, before, after, fixes, encoding)


def apply_edits(text: str, findings: Iterable[Finding]) -> tuple[str, int]:
    """The text with the fixes that do not overlap, and how many those are."""
    # Python ends lines here only; str.splitlines also does at form feeds and their like.
    lines = [*io.StringIO(text, newline="")]
    taken: list[Edit] = []
    fixes = 0
    for finding in findings:
        new = [edit for edit in finding.fix if edit not in taken]
        if not any(_overlap(edit, other) for edit in new for other in taken):
            taken += new
            fixes += 1
    newline = "\r\n" if "\r\n" in text else "\n"
    for edit in sorted(taken, reverse=True):
        start, end = _offset(lines, edit.start), _offset(lines, edit.end)
        text = text[:start] + edit.text.replace("\n", newline) + text[end:]
    return text, fixes


def _overlap(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end


def _offset(lines: list[str], position: tuple[int, int]) -> int:
    line, column = position
    return sum(map(len, lines[: line - 1])) + column - 1


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
