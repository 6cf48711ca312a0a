"""Name types as JSON Schema does.

There are seven: string, number, integer, boolean, object, array and null. Validators refuse `"str"`, and some
vendors refuse the whole request.

Bad:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship an order.",
          "inputSchema": {
            "type": "object",
            "properties": {"order": {"type": "str", "description": "Its id."}}
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
            "properties": {"order": {"type": "string", "description": "Its id."}}
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief, walk

TYPES: Final = ("string", "number", "integer", "boolean", "object", "array", "null")


@rule(Severity.ERROR)
def check(definition: Definition) -> Iterator[Problem]:
    if definition.kind != "tool":
        return
    for part, schema in (
        ("inputSchema", definition.input_schema),
        ("outputSchema", definition.output_schema),
    ):
        for path, each in walk(schema):
            said = each.get("type", "null")
            if any(word not in TYPES for word in (said if isinstance(said, list) else [said])):
                message = f"JSON Schema has no type {brief(said)}; use one of {', '.join(TYPES)}."
                yield Problem(definition.at(part, *path, "type"), message)
