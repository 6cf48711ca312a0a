"""Say what a list holds.

OpenAI and Gemini refuse an array without `items`. A tuple has `prefixItems` only, so take a list or an object
with a name for each part.

Bad:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship orders.",
          "inputSchema": {
            "type": "object",
            "properties": {"ids": {"type": "array", "description": "Orders."}}
          }
        }
      ]
    }

Good:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship orders.",
          "inputSchema": {
            "type": "object",
            "properties": {"ids": {"type": "array", "items": {"type": "string"}, "description": "Orders."}}
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import input_parts


@rule(Severity.WARNING)
def check(definition: Definition) -> Iterator[Problem]:
    for path, schema in input_parts(definition):
        said = schema.get("type")
        if (said == "array" or (isinstance(said, list) and "array" in said)) and "items" not in schema:
            message = "OpenAI and Gemini refuse an array without items; say what it holds."
            yield Problem(definition.at(*path), message)
