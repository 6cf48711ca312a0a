"""The code in, the tables of the pages out: `python -m docs.tables` renews them in place.

A table stands between `<!-- table: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields
from enum import Enum
from pathlib import Path
from typing import Any, Final

import yaml

from mcp_error_middleware import policy
from mcp_error_middleware.cli import COMMANDS
from mcp_error_middleware.drift import BASELINE
from mcp_error_middleware.lint import all_rules
from mcp_error_middleware.taxonomy import TRAITS, Fault
from mcp_error_middleware.telemetry import names

DOCS: Final = Path(__file__).parent
ROOT: Final = DOCS.parent
MARKED: Final = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(page: str) -> str:
    """The page with its tables made anew."""
    return MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", page)


def _table(head: str, rows: Iterable[Iterable[object]]) -> str:
    columns = head.split(" | ")
    lines = [f"| {head} |", f"|{'---|' * len(columns)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def codes() -> str:
    """The taxonomy, one row a code."""
    return _table(
        "name | code | fault | retry | HTTP | JSON-RPC | says",
        (
            (f"[`{t.label}`](#{t.name})", int(code), t.fault, _yes(t.retryable), t.status, t.wire, t.message)
            for code, t in TRAITS.items()
        ),
    )


def code_sections() -> str:
    """The taxonomy, one section a code."""
    return "\n\n".join(
        f"### {t.label} {{ #{t.name} }}\n\n{t.message}\n\n"
        f"Next step, unless something better is known: {t.hint}\n\n"
        f"Number {int(code)}, fault {t.fault}, category `{t.category}`, type `{t.type}`, kind `{t.kind}`."
        for code, t in TRAITS.items()
    )


def settings() -> str:
    """Every field of the policy."""
    said = _said(policy.ErrorPolicy)
    readable = policy._READERS
    return _table(
        "setting | default | variable | what it does",
        (
            (
                f"`{item.name}`",
                _default(item),
                f"`{variable}`" if (variable := policy.PREFIX + item.name.upper()) in readable else "",
                said.get(item.name, ""),
            )
            for item in fields(policy.ErrorPolicy)
        ),
    )


def _default(item: Any) -> str:
    if item.default is MISSING:
        return ""
    value = item.default.value if isinstance(item.default, Enum) else item.default
    return "" if value in ((), frozenset(), None) else f"`{str(value).lower()}`"


def _said(cls: type) -> dict[str, str]:
    """The docstrings under a class's fields; of fields that share one, the one under the last."""
    body = ast.parse(inspect.getsource(cls)).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    waiting: list[str] = []
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            waiting.append(node.target.id)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found |= dict.fromkeys(waiting[-1:], str(node.value.value).replace("\n    ", " "))
            waiting = []
    return found


def metrics() -> str:
    """Every instrument."""
    return _table(
        "metric | in Prometheus | what it is | by",
        (
            (f"`{m.name}`", f"`{m.prometheus}`", m.description, ", ".join(f"`{a}`" for a in m.attributes))
            for m in names.METRICS
        ),
    )


def rules() -> str:
    """Every rule of the linter, by family."""
    return "\n\n".join(_families())


def _families() -> Iterator[str]:
    found = [*all_rules().values()]
    for family in dict.fromkeys(rule.family for rule in found):
        rows = (
            (
                f"`{rule.name}`",
                f"{rule.severity}{', strict' * rule.strict}",
                "yes" * rule.fixable,
                rule.summary.replace("|", "\\|"),
            )
            for rule in found
            if rule.family == family
        )
        yield f"### {family}\n\n" + _table("rule | severity | fix | says", rows)


def commands() -> str:
    """Every command."""
    return _table(
        "command | what it does",
        ((f"`{name}`", (module.__doc__ or "").partition("\n")[0]) for name, module in COMMANDS.items()),
    )


def baseline() -> str:
    """The codes no contract needs to declare."""
    return ", ".join(f"`{label}`" for label in sorted(BASELINE))


def faults() -> str:
    """Which codes are whose."""
    return _table(
        "fault | codes",
        (
            (f"`{fault}`", ", ".join(f"`{t.label}`" for t in TRAITS.values() if t.fault is fault))
            for fault in Fault
        ),
    )


def dashboards() -> str:
    """Every dashboard, and the questions its rows answer."""
    boards = [json.loads(path.read_text("utf-8")) for path in sorted(ROOT.glob("dashboards/*.json"))]
    return _table(
        "dashboard | answers",
        (
            (board["title"], " ".join(row["title"] for row in board["panels"] if row["type"] == "row"))
            for board in boards
        ),
    )


def alerts() -> str:
    """Every alert, how loud it is, and where to read on."""
    groups = yaml.safe_load((ROOT / "deploy/prometheus/rules.yml").read_text("utf-8"))["groups"]
    loud: dict[str, dict[str, None]] = {}
    for rule in (rule for group in groups for rule in group["rules"] if "alert" in rule):
        loud.setdefault(rule["alert"], {})[rule["labels"]["severity"]] = None
    return _table(
        "alert | severity", ((f"[{name}](runbook.md#{name.lower()})", ", ".join(loud[name])) for name in loud)
    )


TABLES: Final[dict[str, Callable[[], str]]] = {
    make.__name__: make
    for make in (
        alerts,
        baseline,
        code_sections,
        codes,
        commands,
        dashboards,
        faults,
        metrics,
        rules,
        settings,
    )
}


def main() -> None:
    """Renew every page."""
    for page in DOCS.rglob("*.md"):
        if (text := page.read_text("utf-8")) != (new := renewed(text)):
            page.write_text(new, "utf-8")


if __name__ == "__main__":
    main()
