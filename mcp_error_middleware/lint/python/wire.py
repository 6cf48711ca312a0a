"""A handler in, the numbers its JSON-RPC errors carry out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.module import constant

_ERRORS: Final = frozenset({"McpError", "MCPError", "ErrorData"})
_ROOTS: Final = ("mcp.", "mcp_types.", "fastmcp.")
_NAMED: Final = {
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
}


def wire_codes(handler: Handler) -> Iterator[tuple[ast.expr, int]]:
    """Where a number is written, and the number."""
    for call in handler.nodes(ast.Call):
        path = handler.path(call.func)
        if path.startswith(_ROOTS) and path.rpartition(".")[2] in _ERRORS:
            value = next((each.value for each in call.keywords if each.arg == "code"), None)
            value = value or (call.args[0] if call.args else None)
            if value is not None and (number := _number(value, handler)) is not None:
                yield value, number


def _number(value: ast.expr, handler: Handler) -> int | None:
    path = handler.path(value)
    if path.startswith(_ROOTS):
        return _NAMED.get(path.rpartition(".")[2])
    try:
        found = constant(value, handler.function)
    except ValueError:
        return None
    return found if isinstance(found, int) and not isinstance(found, bool) else None
