"""Take every variable of a URI template as a parameter of the same name.

A variable that the function does not take is lost, and the SDK refuses the resource when the server starts.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.resource("shop://orders/{orderId}")
    def order(order_id: str) -> str:
        return order_id

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.resource("shop://orders/{order_id}")
    def order(order_id: str) -> str:
        return order_id
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Definition, Problem, Severity, rule
from mcp_error_middleware.lint.schema import brief, properties
from mcp_error_middleware.lint.uri_template import fault, variables


@rule(Severity.ERROR, "template-params-align")
def check(definition: Definition) -> Iterator[Problem]:
    uri, schema = definition.uri, definition.input_schema
    if definition.kind != "template" or not isinstance(uri, str) or not isinstance(schema, dict):
        return
    taken = properties(schema)
    if fault(uri) or "properties" not in schema or schema.get("additionalProperties"):
        return
    for variable in dict.fromkeys(variables(uri)):
        if variable not in taken:
            parameters = ", ".join(map(brief, taken)) or "none"
            message = (
                f"The template has the variable {brief(variable)}, the function takes {parameters}; give "
                "both the same name."
            )
            yield Problem(definition.at("uri"), message)
