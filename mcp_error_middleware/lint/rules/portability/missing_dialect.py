"""Say which JSON Schema a schema is written in.

MCP means 2020-12 where nothing is said; older clients mean draft-07. `$schema` settles it.

Bad:

    {"tools": [{"name": "ship", "description": "Ship all.", "inputSchema": {"type": "object"}}]}

Good:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship all.",
          "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule


@rule(Severity.WARNING, "schema-dialect-tag", strict=True)
def check(definition: Definition) -> Iterator[Problem]:
    # From source, only the SDK knows whether it adds one.
    if definition.kind != "tool" or definition.origin == "source":
        return
    for part, schema in (
        ("inputSchema", definition.input_schema),
        ("outputSchema", definition.output_schema),
    ):
        if isinstance(schema, dict) and not isinstance(schema.get("$schema"), str):
            message = 'Older clients take this for draft-07; add "$schema" with the 2020-12 dialect.'
            yield Problem(definition.at(part), message)
