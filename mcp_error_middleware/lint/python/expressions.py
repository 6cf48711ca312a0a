"""Small questions about nodes that several rules ask."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mcp_error_middleware.lint.python.module import Function, Scope, path_of


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


def value_at(name: ast.Name, function: Function) -> ast.expr | None:
    """What a local variable was last given before a place, in the same block or one around it."""
    for parent, child in function.around_node(name):
        for body in (getattr(parent, each, None) for each in ("body", "orelse", "finalbody")):
            if isinstance(body, list) and child in body:
                for before in reversed(body[: body.index(child)]):
                    if found := _given(before, name.id):
                        return found[0]
        if isinstance(parent, ast.ExceptHandler):
            return None
    return None


def _given(statement: ast.stmt, name: str) -> list[ast.expr | None]:
    """The value a statement gives a variable; None where that cannot be told."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return [value]
        case ast.AnnAssign(target=ast.Name(id=target), value=value) if target == name:
            return [value]
        case _:
            stores = (each for each in own_nodes([statement]) if isinstance(each, ast.Name))
            return (
                [None] if any(each.id == name and isinstance(each.ctx, ast.Store) for each in stores) else []
            )


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


# --- what a try keeps inside ---------------------------------------------------------------------


def is_caught(classes: Iterable[str], node: ast.AST, function: Function) -> bool:
    """Whether a `try` of the same function keeps an error that is all of these from leaving."""
    names = set(classes)
    for parent, child in function.around_node(node):
        if isinstance(parent, ast.Try | ast.TryStar) and child in parent.body:
            catching = next((each for each in parent.handlers if names & caught(each, function)), None)
            if catching is not None and not reraises(catching):
                return True
    return False


def caught(handler: ast.ExceptHandler, scope: Scope) -> set[str]:
    """The last names of the classes an `except` catches; a bare one catches BaseException."""
    if handler.type is None:
        return {"BaseException"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {(path_of(kind, scope) or ast.unparse(kind)).rpartition(".")[2] for kind in kinds}


def reraises(handler: ast.ExceptHandler) -> bool:
    """Whether an `except` lets through what it caught, at least sometimes."""
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise):
            if node.exc is None:
                return True
            if isinstance(node.exc, ast.Name) and node.exc.id == handler.name:
                return True
    return False
