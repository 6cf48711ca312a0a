"""Give every alternative its type.

Gemini refuses a tool if a branch of `anyOf` or `oneOf` does not say its `type`. A reference to a schema that
does is as good.

Bad:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship an order.",
          "inputSchema": {
            "type": "object",
            "properties": {"how": {"anyOf": [{"enum": ["air"]}, {"type": "null"}], "description": "How."}}
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
            "properties": {
              "how": {
                "anyOf": [{"type": "string", "enum": ["air"]}, {"type": "null"}],
                "description": "How."
              }
            }
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import branches, input_parts, resolved


@rule(Severity.WARNING, "schema-anyof-needs-type")
def check(definition: Definition) -> Iterator[Problem]:
    for path, schema in input_parts(definition):
        for below, branch in branches(schema):
            if _is_untyped(branch, definition):
                message = "Gemini refuses an alternative without a type; say which type it has."
                yield Problem(definition.at(*path, *below), message)


def _is_untyped(branch: Any, definition: Definition) -> bool:
    # From source, an empty branch is one nobody can tell, and unions inside of unions are flattened.
    if definition.origin == "source" and (branch == {} or "anyOf" in branch):
        return False
    return "type" not in resolved(branch, definition.input_schema)
