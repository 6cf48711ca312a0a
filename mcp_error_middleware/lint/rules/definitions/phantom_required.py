"""Require only properties that there are.

A client that checks arguments against the schema can never satisfy a requirement that nothing describes.

Bad:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship an order.",
          "inputSchema": {
            "type": "object",
            "properties": {"order": {"type": "string", "description": "Its id."}},
            "required": ["order_id"]
          }
        }
      ]
    }

Good:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship an order.",
          "inputSchema": {
            "type": "object",
            "properties": {"order": {"type": "string", "description": "Its id."}},
            "required": ["order"]
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief, properties


@rule(Severity.WARNING)
def check(definition: Definition) -> Iterator[Problem]:
    schema = definition.input_schema
    if definition.kind != "tool" or not isinstance(schema, dict):
        return
    required = schema.get("required")
    described = properties(schema)
    for name in required if isinstance(required, list) and described else ():
        if isinstance(name, str) and name not in described:
            message = (
                f"{brief(name)} is required but not among the properties; describe it, or require it not."
            )
            yield Problem(definition.at("inputSchema", "required"), message)
