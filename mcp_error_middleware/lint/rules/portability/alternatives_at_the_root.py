"""Keep alternatives out of the root of a tool's arguments.

Anthropic and OpenAI refuse `anyOf`, `oneOf`, `allOf`, `not` and `enum` at the top of `inputSchema`, and with
one such tool the whole request fails. Inside of a property they are fine.

Bad:

    {
      "tools": [
        {
          "name": "find",
          "description": "Find an order.",
          "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string", "description": "Its id."}},
            "anyOf": [{"required": ["id"], "type": "object"}]
          }
        }
      ]
    }

Good:

    {
      "tools": [
        {
          "name": "find",
          "description": "Find an order.",
          "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string", "description": "Its id."}},
            "required": ["id"]
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule

_REFUSED: Final = ("anyOf", "oneOf", "allOf", "not", "enum")


@rule(Severity.WARNING)
def check(definition: Definition) -> Iterator[Problem]:
    schema = definition.input_schema
    if definition.kind != "tool" or not isinstance(schema, dict):
        return
    for keyword in _REFUSED:
        if keyword in schema:
            message = (
                f"Anthropic and OpenAI refuse {keyword} at the root; make the properties optional and check "
                "in the tool which of them are there."
            )
            yield Problem(definition.at("inputSchema", keyword), message)
