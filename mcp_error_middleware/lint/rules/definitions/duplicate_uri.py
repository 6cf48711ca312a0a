"""Give no two resources of a server the same URI.

A client that reads it gets one of them, and nobody says which.

Bad:

    {
      "resources": [
        {"name": "Orders", "description": "All orders.", "uri": "shop://orders"},
        {"name": "Open orders", "description": "Open orders.", "uri": "shop://orders"}
      ]
    }

Good:

    {
      "resources": [
        {"name": "Orders", "description": "All orders.", "uri": "shop://orders"},
        {"name": "Open orders", "description": "Open orders.", "uri": "shop://orders/open"}
      ]
    }
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mcp_error_middleware.lint.model import Catalogue, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief


@rule(Severity.ERROR)
def check(catalogue: Catalogue) -> Iterator[Problem]:
    seen: dict[str, list[Definition]] = defaultdict(list)
    for definition in catalogue.of("resource", "template"):
        uri = definition.uri
        if not isinstance(uri, str) or not uri or "version" in definition.parts:
            continue
        if any(map(definition.stands_beside, seen[uri])):
            message = f"Another resource has the URI {brief(uri)} too; give one of them its own."
            yield Problem(definition.at("uri"), message)
        seen[uri].append(definition)
