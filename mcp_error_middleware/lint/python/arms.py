"""A node in, the arms of branching statements it stands in out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.python.module import Module

_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def arms(node: ast.AST, module: Module) -> frozenset[str]:
    """The arms that run if a node does; two nodes that each have one of their own may never both run."""
    return frozenset(f"{module.shown}:{arm}" for arm in _arms(node, module.tree.body))


def _arms(node: ast.AST, body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if _holds(statement, node):
            for number, inner in enumerate(_bodies(statement)):
                if any(_holds(each, node) for each in inner):
                    if isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.Match):
                        yield f"{statement.lineno}.{number}"
                    yield from _arms(node, inner)
            return
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], _LEAVING):
            # What stands behind an early return is its other arm.
            yield f"{statement.lineno}.1"


def _bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    match statement:
        case (
            ast.Try(body=body, orelse=orelse, handlers=handlers)
            | ast.TryStar(body=body, orelse=orelse, handlers=handlers)
        ):
            return [body + orelse, *(each.body for each in handlers)]
        case ast.Match(cases=cases):
            return [each.body for each in cases]
        case _:
            return [getattr(statement, "body", []), getattr(statement, "orelse", [])]


def _holds(statement: ast.stmt, node: ast.AST) -> bool:
    first = next(iter(getattr(statement, "decorator_list", [])), statement)
    return first.lineno <= getattr(node, "lineno", 0) <= (statement.end_lineno or statement.lineno)
