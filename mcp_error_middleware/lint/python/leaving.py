"""A handler in, every expression whose value leaves the server out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_error_middleware.lint.python.handler import Handler


def leaving(handler: Handler) -> Iterator[ast.AST]:
    """The nodes of what is returned as an answer or raised, and of the local variables in it.

    What is only compared, tested or handed to another function does not leave by itself.
    """
    seen: set[ast.AST] = set()
    waiting = [*_roots(handler)]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        waiting.extend(_parts(node, handler))


def _roots(handler: Handler) -> Iterator[ast.AST]:
    if handler.answers:
        yield from (node.value for node in handler.nodes(ast.Return) if node.value is not None)
    for node in handler.nodes(ast.Raise):
        if isinstance(node.exc, ast.Call):
            yield from (*node.exc.args, *(each.value for each in node.exc.keywords))


def _parts(node: ast.AST, handler: Handler) -> Iterator[ast.AST]:
    match node:
        case ast.Name(id=name):
            bound = handler.function.names.get(name)
            if isinstance(bound, ast.expr):
                yield bound
        case ast.Call(func=func, args=args, keywords=keywords):
            if _keeps_text(func, handler):
                yield from (*args, *(each.value for each in keywords))
                if isinstance(func, ast.Attribute):
                    yield func.value
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.Compare() | ast.Lambda() | ast.Subscript() | ast.Attribute():
            pass
        case _:
            yield from ast.iter_child_nodes(node)


def _keeps_text(func: ast.expr, handler: Handler) -> bool:
    """Whether what goes into a call comes out of it: conversions, containers, the SDK's own types."""
    path = handler.path(func)
    if path in ("json.dumps", "builtins.str", "builtins.repr", "builtins.dict", "builtins.list"):
        return True
    if isinstance(func, ast.Attribute) and func.attr in ("format", "join", "strip"):
        return True
    return path.startswith(("mcp.types.", "mcp_types.", "fastmcp.")) and path.rpartition(".")[2][:1].isupper()
