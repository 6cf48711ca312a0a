"""Make the schema of arguments and results an object.

Arguments travel by name, so `inputSchema` says `"type": "object"`. Clients older than MCP 2026-07-28 ask the
same of `outputSchema`, and drop the whole list of tools where it is not so.

Bad:

    import mcp.types as types
    from mcp.server.lowlevel import Server

    server = Server("shop")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [
            types.Tool(
                name="ship",
                description="Ship orders.",
                inputSchema={"type": "array", "items": {"type": "string"}},
            )
        ]

Bad, as a server advertises it:

    {
      "tools": [
        {
          "name": "price",
          "description": "The price of an order.",
          "inputSchema": {"type": "object"},
          "outputSchema": {"type": "number"}
        }
      ]
    }

Good:

    import mcp.types as types
    from mcp.server.lowlevel import Server

    server = Server("shop")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [
            types.Tool(
                name="ship",
                description="Ship orders.",
                inputSchema={
                    "type": "object",
                    "properties": {"orders": {"type": "array", "items": {"type": "string"}}},
                },
            )
        ]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief


@rule(Severity.ERROR, "schema-is-object")
def check(definition: Definition) -> Iterator[Problem]:
    if definition.kind != "tool":
        return
    if definition.origin == "server" or definition.input_schema:
        yield from _problems(definition, "inputSchema", definition.input_schema)
    if definition.output_schema is not None:
        yield from _problems(definition, "outputSchema", definition.output_schema)


def _problems(definition: Definition, part: str, schema: Any) -> Iterator[Problem]:
    if schema is UNKNOWN:
        return
    said = schema.get("type") if isinstance(schema, dict) else schema
    if said != "object" or not isinstance(schema, dict):
        what = f"its type is {brief(said)}" if isinstance(schema, dict) else f"it is {brief(schema)}"
        message = (
            f'The {part} is no object schema ({what}); use {{"type": "object", "properties": ...}} and give '
            "what it holds a name."
        )
        yield Problem(definition.at(part), message)
