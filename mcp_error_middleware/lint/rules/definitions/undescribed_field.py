"""Describe every parameter and every field.

A model fills in arguments by what their descriptions say: the unit, the format, where an id comes from. What
the docstring says of a parameter counts; a constant speaks for itself.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def ship(order: str, weight: float) -> str:
        \"\"\"Ship an order.\"\"\"
        return order

Good:

    from typing import Annotated

    from fastmcp import FastMCP
    from pydantic import Field

    mcp = FastMCP("shop")

    @mcp.tool
    def ship(
        order: Annotated[str, Field(description="Its id, from list_orders.")],
        weight: Annotated[float, Field(description="In kilograms.", gt=0)],
    ) -> str:
        \"\"\"Ship an order.\"\"\"
        return order

Good, in the docstring:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def ship(order: str) -> str:
        \"\"\"Ship an order.

        :param order: Its id, from list_orders.
        \"\"\"
        return order
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Problem, Severity, rule
from mcp_error_middleware.lint.python.schema import documented_parameters
from mcp_error_middleware.lint.schema import Path, Schema, branches, brief, properties, resolved, walk

SHOWN: Final = 5
"""Fields of a result that one finding names."""


@rule(Severity.WARNING, "describe-on-fields")
def check(definition: Definition) -> Iterator[Problem]:
    if definition.kind not in ("tool", "prompt"):
        return
    unknown: list[Any] = [{}] if definition.origin == "source" else []
    for path in _undescribed(definition.input_schema, unknown):
        if not _is_documented(path, definition):
            message = f"{brief(path[-1])} has no description; say what it means, its unit or its format."
            yield Problem(definition.at("inputSchema", *path), message)
    paths = [*_undescribed(definition.output_schema, unknown)]
    if paths and not _is_wrapping(definition.output_schema):
        more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        names = ", ".join(brief(path[-1]) for path in paths[:SHOWN]) + more
        message = f"Fields of the result have no description: {names}; say what they mean."
        yield Problem(definition.at("outputSchema", *paths[0]), message)


def _undescribed(root: Any, unknown: list[Any]) -> Iterator[Path]:
    for path, schema in walk(root):
        for name, field in properties(schema).items():
            if field not in unknown and not _is_described(field, root):
                yield (*path, "properties", name)


def _is_described(field: Any, root: Any, depth: int = 3) -> bool:
    if not isinstance(field, dict):
        return True
    found = [field, resolved(field, root)]
    if any(each.get("description") or _is_constant(each) for each in found):
        return True
    return depth > 0 and any(
        isinstance(branch, dict) and branch.get("type") != "null" and _is_described(branch, root, depth - 1)
        for _, branch in branches(field)
    )


def _is_constant(field: Schema) -> bool:
    choices = field.get("enum")
    return "const" in field or (isinstance(choices, list) and len(choices) == 1)


def _is_documented(path: Path, definition: Definition) -> bool:
    """Whether the description says it: under `Args:`, or by a name that is no word of prose."""
    text, name = definition.description, str(path[-1])
    if len(path) != 2 or text is UNKNOWN or not isinstance(text, str):
        return text is UNKNOWN
    spoken = rf"(?<!\w){re.escape(name)}(?!\w)"
    if name.islower() and name.isalpha():
        # A word of prose, unless it is marked: `(dx, dy)`, `<stack>`, "`key` is", "key: the".
        spoken = rf"(?<=[<(\"'`*]){spoken}|{spoken}(?=[>)\"'`*]|\s?[:=(])"
    return name in documented_parameters(text) or re.search(spoken, text) is not None


def _is_wrapping(schema: Any) -> bool:
    """Whether an SDK made the object around a plain result."""
    return isinstance(schema, dict) and [*properties(schema)] == ["result"]
