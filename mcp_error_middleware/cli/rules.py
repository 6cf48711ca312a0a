"""List the rules of the linter, or show the page of one.

Examples:
  mcp-error-middleware rules
  mcp-error-middleware rules lost-cause
  mcp-error-middleware rules --format markdown
"""

from __future__ import annotations

import argparse
import json

from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.lint import LintError, Rule, all_rules
from mcp_error_middleware.lint.settings import find_rule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `rules` takes."""
    parser.add_argument("rule", nargs="?", metavar="RULE", help="a rule's name or alias; all if left out")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text", help="how to list")


def run(arguments: argparse.Namespace) -> int:
    """Print the table, or one page."""
    if arguments.rule:
        return show(arguments.rule)
    rules = [*all_rules().values()]
    print({"text": _text, "markdown": _markdown, "json": _json}[arguments.format](rules))
    return 0


def show(word: str) -> int:
    """Print the page of a rule."""
    try:
        rule = find_rule(word)
    except LintError as error:
        raise UsageError(str(error)) from None
    aliases = f", also known as {', '.join(rule.aliases)}" if rule.aliases else ""
    print(f"{rule.name} ({rule.family}, {_traits(rule)}{aliases})\n")
    print(rule.page.rstrip())
    return 0


def _traits(rule: Rule) -> str:
    traits = [rule.severity.value, "fixable" * rule.fixable, "only with --strict" * rule.strict]
    return ", ".join(filter(None, traits))


def _text(rules: list[Rule]) -> str:
    width = max(len(rule.name) for rule in rules)
    lines: list[str] = []
    for rule in rules:
        if not lines or f"{rule.family}:" not in lines:
            lines += [""] * bool(lines) + [f"{rule.family}:"]
        aliases = f" [{', '.join(rule.aliases)}]" if rule.aliases else ""
        lines.append(f"  {rule.name:<{width}}  {_traits(rule)}: {rule.summary}{aliases}")
    return "\n".join(lines)


def _markdown(rules: list[Rule]) -> str:
    head = ["| rule | family | severity | fix | also known as | says |", "|---|---|---|---|---|---|"]
    rows = [
        f"| `{rule.name}` | {rule.family} | {rule.severity}{' (strict)' * rule.strict} | "
        f"{'yes' * rule.fixable} | {', '.join(f'`{alias}`' for alias in rule.aliases)} | {rule.summary} |"
        for rule in rules
    ]
    return "\n".join(head + rows)


def _json(rules: list[Rule]) -> str:
    return json.dumps(
        [
            {
                "name": rule.name,
                "family": rule.family,
                "severity": rule.severity.value,
                "aliases": rule.aliases,
                "fixable": rule.fixable,
                "strict": rule.strict,
                "summary": rule.summary,
            }
            for rule in rules
        ],
        indent=1,
    )
