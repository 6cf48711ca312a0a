"""Small questions about nodes that several rules ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_error_middleware.lint.python.module import Function


def except_around(node: ast.AST, function: Function) -> ast.ExceptHandler | None:
    """The innermost `except` whose body a node is in."""
    for parent, child in function.around_node(node):
        if isinstance(parent, ast.ExceptHandler) and child is not parent.type:
            return parent
    return None


def try_of(handler: ast.ExceptHandler, function: Function) -> ast.Try | ast.TryStar | None:
    """The `try` an `except` belongs to."""
    for parent, _ in function.around_node(handler):
        if isinstance(parent, ast.Try | ast.TryStar):
            return parent
    return None


def mentions(expression: ast.AST, name: str | None) -> bool:
    """Whether an expression reads a variable."""
    return name is not None and any(
        isinstance(node, ast.Name) and node.id == name for node in ast.walk(expression)
    )


def beginning(expression: ast.AST | None) -> str:
    """The text a string expression begins with, as far as it is written."""
    match expression:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[first, *_]):
            return beginning(first)
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
            return beginning(left)
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return beginning(value)
        case _:
            return ""


def is_text(expression: ast.AST | None) -> bool:
    """Whether an expression makes a string, as far as can be told."""
    match expression:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod(), right=right):
            return is_text(left) or is_text(right)
        case ast.Call(func=ast.Name(id="str" | "repr")):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr="format" | "join")):
            return is_text(value)
        case _:
            return False


def own_nodes(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of statements, not of functions inside of them."""
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
