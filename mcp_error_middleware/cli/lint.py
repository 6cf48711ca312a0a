"""Find what would make a server's failures worse than they need to be, before it runs.

Takes files and folders (read, never imported), `module:object` (a server, imported), URLs of running servers,
and server.json. Settings: [tool.mcp-error-middleware.lint] in pyproject.toml. A line is let through by the
comment `# mcp-lint: allow[rule] reason`. Ends with 0 if nothing was found, 1 if something was, 2 if it could
not be run.

Examples:
  mcp-error-middleware lint src
  mcp-error-middleware lint shop.server:mcp --strict
  mcp-error-middleware lint --stdio "python -m shop"
  mcp-error-middleware lint src --diff
  mcp-error-middleware lint src --format sarif > lint.sarif
  mcp-error-middleware lint --explain lost-cause
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TextIO

from mcp_error_middleware.cli import rules as rules_command
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.lint import LintError, Report, Settings, lint, read_settings
from mcp_error_middleware.lint.fix import mended
from mcp_error_middleware.lint.known import write_baseline
from mcp_error_middleware.lint.report import FORMATS, counted

_LONG: Final = 2.0
"""Seconds after which a run shows how far it is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `lint` takes."""
    several = partial(parser.add_argument, action="append", default=[])
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help="file, folder, module:object or URL")
    several("--stdio", metavar="COMMAND", help="lint the server this command starts")
    several("--select", metavar="RULE", help="only this rule or family")
    several("--ignore", metavar="RULE", help="not this rule or family")
    parser.add_argument("--strict", action="store_true", help="also the rules that have to be asked for")
    several("--exclude", metavar="PATTERN", help="leave these files out")
    parser.add_argument("--format", choices=[*FORMATS], default="text", help="how to report")
    parser.add_argument("--baseline", metavar="FILE", help="do not report the findings in this file")
    parser.add_argument("--write-baseline", metavar="FILE", help="accept what is found now")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change")
    parser.add_argument("--fix", action="store_true", help="show the changes, and make them")
    parser.add_argument("--explain", metavar="RULE", help="show a rule's page")


def run(arguments: argparse.Namespace) -> int:
    """Lint, and report in the way that was asked for."""
    if arguments.explain:
        return rules_command.show(arguments.explain)
    if not arguments.sources and not arguments.stdio:
        raise UsageError("nothing to lint; name a file, a folder, module:object or a URL, or --stdio COMMAND")
    try:
        settings = _settings(arguments)
        report = _linted(arguments, settings)
    except LintError as error:
        raise UsageError(str(error)) from None
    if arguments.write_baseline:
        return _accept(Path(arguments.write_baseline), report)
    if arguments.diff:
        return _show_diff(report)
    if arguments.fix and _fix(report):
        report = _linted(arguments, settings)
    if not (report.files or report.definitions):
        print("mcp-error-middleware: there was nothing to lint in any of these places", file=sys.stderr)
    _say(FORMATS[arguments.format](report))
    return 0 if report.passed else 1


def _say(text: str, stream: TextIO | None = None) -> None:
    """Print what not every terminal can show."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)


def _settings(arguments: argparse.Namespace) -> Settings:
    """The project's settings, and what the command line adds to them."""
    own = read_settings(Path.cwd())
    baseline = "" if arguments.write_baseline else arguments.baseline or own.baseline
    return replace(
        own,
        select=_words(arguments.select) or own.select,
        ignore=own.ignore + _words(arguments.ignore),
        strict=own.strict or arguments.strict,
        exclude=own.exclude + _words(arguments.exclude),
        baseline=baseline,
    )


def _words(said: list[str]) -> tuple[str, ...]:
    return tuple(word.strip() for each in said for word in each.split(",") if word.strip())


def _linted(arguments: argparse.Namespace, settings: Settings) -> Report:
    progress = _Progress() if sys.stderr.isatty() else None
    with _quiet():
        report = lint(*arguments.sources, settings=settings, commands=arguments.stdio, progress=progress)
    if progress is not None:
        progress.end()
    return report


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what an SDK logs of a server that fails: the report says it in one sentence."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _accept(path: Path, report: Report) -> int:
    try:
        write_baseline(path, report.findings)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path} holds {counted(len(report.findings), 'known finding')}; use it with --baseline {path}")
    return 0


def _show_diff(report: Report) -> int:
    changes = [*mended(report.findings, Path.cwd())]
    for each in changes:
        _say(each.diff().removesuffix("\n"))
    if not changes:
        found = counted(len(report.findings), "finding")
        print(f"nothing for --fix to change; {found} in all", file=sys.stderr)
    return 0 if report.passed else 1


def _fix(report: Report) -> int:
    fixes = 0
    for each in mended(report.findings, Path.cwd()):
        _say(each.diff().removesuffix("\n"), sys.stderr)
        each.write()
        fixes += each.fixes
        print(f"mended {each.fixes} in {each.shown}", file=sys.stderr)
    return fixes


class _Progress:
    """A bar on the terminal's last line, once a run takes long."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self.started > _LONG:
            self.shown = True
            bar = "#" * (30 * done // total)
            print(f"\r[{bar:<30}] {done}/{total} files", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.shown:
            print(f"\r{'':60}\r", end="", file=sys.stderr, flush=True)
