"""Give no two tools, resources or prompts of a server the same name.

A client keeps one of them and never sees the other.

Bad:

    {
      "tools": [
        {"name": "ship", "description": "Ship an order.", "inputSchema": {"type": "object"}},
        {"name": "ship", "description": "Ship a box.", "inputSchema": {"type": "object"}}
      ]
    }

Good:

    {
      "tools": [
        {"name": "ship_order", "description": "Ship an order.", "inputSchema": {"type": "object"}},
        {"name": "ship_box", "description": "Ship a box.", "inputSchema": {"type": "object"}}
      ]
    }
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mcp_error_middleware.lint.model import Catalogue, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief


@rule(Severity.ERROR, "name-unique")
def check(catalogue: Catalogue) -> Iterator[Problem]:
    seen: dict[tuple[str, str], list[Definition]] = defaultdict(list)
    for definition in catalogue.definitions:
        # FastMCP serves versions of one tool under one name.
        if not isinstance(definition.name, str) or not definition.name or "version" in definition.parts:
            continue
        alike = seen[definition.kind, definition.name]
        if known := next(filter(definition.stands_beside, alike), None):
            message = (
                f"Another {definition.kind} is called {brief(definition.name)} too{_where(known)}, and a "
                "client sees only one of them; rename one."
            )
            yield Problem(definition.at("name"), message)
        alike.append(definition)


def _where(definition: Definition) -> str:
    place = definition.location
    return f" ({place.path}:{place.line})" if place.line else ""
