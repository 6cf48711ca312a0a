"""A server in, findings out: what would make its failures worse than they need to be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mcp_error_middleware.lint.engine import Progress, Report, run
from mcp_error_middleware.lint.known import not_allowed, not_known, read_baseline
from mcp_error_middleware.lint.model import (
    Catalogue,
    Definition,
    Finding,
    Location,
    Manifest,
    Problem,
    Rule,
    Severity,
    rule,
)
from mcp_error_middleware.lint.rules import all_rules
from mcp_error_middleware.lint.settings import LintError, Settings, read_settings

__all__ = [
    "Catalogue",
    "Definition",
    "Finding",
    "LintError",
    "Location",
    "Manifest",
    "Problem",
    "Report",
    "Rule",
    "Settings",
    "Severity",
    "all_rules",
    "lint",
    "read_settings",
    "rule",
]


def lint(
    *sources: object,
    settings: Settings | None = None,
    commands: Iterable[str] = (),
    root: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Lint files, folders, `module:object`, URLs, server objects, and servers that `commands` start.

    Files are read, never imported. `settings` come from the nearest `pyproject.toml` if not given. Raises
    LintError, with the way out, if a source cannot be had.
    """
    root = (root or Path.cwd()).resolve()
    settings = settings or read_settings(root)
    findings, gathered, definitions = run(sources, settings, commands=commands, root=root, progress=progress)
    kept = [*not_allowed(findings, root)]
    new = [*not_known(kept, read_baseline(Path(settings.baseline)))] if settings.baseline else kept
    files = len(gathered.files) + len(gathered.manifests) + len(gathered.unreadable)
    return Report(tuple(new), files, definitions, len(kept) - len(new))
