"""Give every tool, resource and prompt a name.

The name is how a client calls it. Without one the client drops it, or the whole list.

Bad:

    {"tools": [{"name": "", "description": "Ship an order.", "inputSchema": {"type": "object"}}]}

Good:

    {"tools": [{"name": "ship", "description": "Ship an order.", "inputSchema": {"type": "object"}}]}
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule


@rule(Severity.ERROR, "name-required")
def check(definition: Definition) -> Iterator[Problem]:
    name = definition.name
    if name is not UNKNOWN and not (isinstance(name, str) and name.strip()):
        message = f"This {definition.kind} has no name that a client could call; give it a non-empty string."
        yield Problem(definition.at("name"), message)
