"""A rule's page in, its bad and good files out."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from mcp_error_middleware.lint import Finding, Rule, Settings, lint
from mcp_error_middleware.lint.documents import is_listing

HEAD = re.compile(r"^(Bad|Good)\b[^\n]*:$", re.MULTILINE)


def blocks(rule: Rule) -> Iterator[tuple[str, str]]:
    """`Bad` or `Good`, and the text of each block."""
    page = textwrap.dedent(f"    {rule.page}") if "\n    " in rule.page and _is_indented(rule) else rule.page
    heads = [*HEAD.finditer(page)]
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(page)
        body = page[head.end() : end]
        lines = []
        for line in body.strip("\n").split("\n"):
            if line and not line.startswith("    "):
                break
            lines.append(line)
        yield head[1], textwrap.dedent("\n".join(lines)).strip() + "\n"


def _is_indented(rule: Rule) -> bool:
    """Whether it is the docstring of a function, whose lines but the first are indented."""
    rest = [line for line in rule.page.split("\n")[1:] if line.strip()]
    return all(line.startswith("    ") for line in rest)


def findings(rule: Rule, text: str, folder: Path) -> list[Finding]:
    """What one rule says of one file."""
    path = folder / file_name(text)
    path.write_text(text, "utf-8")
    settings = Settings(select=(rule.name,), strict=True)
    return [*lint(path, settings=settings, root=folder).findings]


def file_name(text: str) -> str:
    """The name under which the linter takes a text for what it is."""
    try:
        data = json.loads(text)
    except ValueError:
        return "shop.py"
    return "listing.json" if is_listing(data) else "server.json"
