"""Do not use OpenAPI's `discriminator`.

It is no keyword of JSON Schema: OpenAI ignores it and Gemini does not know it. The constant in each branch
tells the variants apart.

Bad:

    {
      "tools": [
        {
          "name": "ship",
          "description": "Ship an order.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "how": {
                "description": "How.",
                "discriminator": {"propertyName": "by"},
                "oneOf": [{"type": "object", "properties": {"by": {"type": "string", "const": "air"}}}]
              }
            }
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
                "description": "How.",
                "oneOf": [{"type": "object", "properties": {"by": {"type": "string", "const": "air"}}}]
              }
            }
          }
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import input_parts


@rule(Severity.WARNING, "schema-no-discriminator-keyword")
def check(definition: Definition) -> Iterator[Problem]:
    for path, schema in input_parts(definition):
        if "discriminator" in schema:
            message = (
                "Vendors ignore or refuse discriminator; leave it out, the branches' constants are enough."
            )
            yield Problem(definition.at(*path, "discriminator"), message)
