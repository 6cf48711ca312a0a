"""Do not let every error vanish.

An `except Exception` that does nothing turns a failure into an empty answer: the agent takes it for the
truth, and nobody is told. Catch what you expect, or let it go: the middleware answers it.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def orders(customer: str) -> list[str]:
        try:
            return database.orders(customer)
        except Exception:
            return []

Bad, what was to be done:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def ship(order: str) -> str:
        try:
            database.ship(order)
        except Exception:
            pass
        return "shipped"

Good:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def orders(customer: str) -> list[str]:
        try:
            return database.orders(customer)
        except LookupError:
            return []
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import own_nodes, try_of
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.module import path_of

_EVERYTHING: Final = frozenset({"builtins.Exception", "builtins.BaseException"})
_ASKING: Final = re.compile(r"^_*(is|has|can|may|check|ping|probe|health|try|safe|maybe)(_|$)", re.IGNORECASE)
"""Functions whose answer is whether something works."""
_LOGGING: Final = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print"}
)
_HELPING: Final = re.compile(
    r"close|clean|cancel|stop|kill|terminate|remove|unlink|rmtree|disconnect|release|rollback|shutdown|flush"
    r"|cache|progress|notify|emit|metric|track|telemetry",
    re.IGNORECASE,
)
"""Calls whose failure changes no answer."""


@rule(Severity.WARNING)
def check(handler: Handler) -> Iterator[Problem]:
    if _ASKING.match(handler.function.name):
        return
    for node in handler.nodes(ast.ExceptHandler):
        if _catches_everything(node, handler) and _does_nothing(node) and _loses_answer(node, handler):
            message = "Every error vanishes here; catch what you expect, and let the rest go."
            yield handler.problem(node.type or node, message)


def _catches_everything(node: ast.ExceptHandler, handler: Handler) -> bool:
    if node.type is None:
        return True
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(path_of(kind, handler.function) in _EVERYTHING for kind in kinds)


def _does_nothing(node: ast.ExceptHandler) -> bool:
    *before, last = node.body
    return all(map(_only_logs, before)) and (_is_empty_answer(last) or isinstance(last, ast.Pass))


def _only_logs(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    value = value.value if isinstance(value, ast.Await) else value
    return isinstance(value, ast.Call) and _called(value) in _LOGGING


def _is_empty_answer(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return(value=None):
            return True
        case ast.Return(value=ast.Constant(value=value)):
            return not value
        case ast.Return(value=ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Tuple(elts=[])):
            return True
        case _:
            return False


def _loses_answer(node: ast.ExceptHandler, handler: Handler) -> bool:
    """Whether an answer, or what was to be done for it, is missing afterwards."""
    tried = try_of(node, handler.function)
    inside = [*own_nodes(tried.body)] if tried else []
    answers = any(isinstance(each, ast.Return) and each.value is not None for each in inside)
    if _is_empty_answer(node.body[-1]):
        is_silent = len(node.body) == 1 and any(isinstance(each, ast.Await) for each in inside)
        return answers and (handler.answers or is_silent)
    # One that goes on after a try for a value has another way, and what more is done may be the answer.
    is_all = tried is not None and _is_all(tried, handler)
    return handler.answers and not answers and len(node.body) == 1 and is_all and _only_does(inside)


def _is_all(tried: ast.Try | ast.TryStar, handler: Handler) -> bool:
    """Whether the function does nothing more, in a loop or afterwards, than to say so."""
    around = [*handler.function.around_node(tried)]
    after = [
        later
        for parent, child in around
        for body in (getattr(parent, name, None) or [] for name in ("body", "orelse", "finalbody"))
        for later in (body[body.index(child) + 1 :] if child in body else [])
    ]
    loops = any(isinstance(parent, ast.For | ast.AsyncFor | ast.While) for parent, _ in around)
    return not loops and not any(isinstance(each, ast.Call) for each in own_nodes(after))


def _only_does(inside: list[ast.AST]) -> bool:
    """Whether something was to be done, and not only to tidy up."""
    stores = any(isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) for each in inside)
    calls = [_called(each) for each in inside if isinstance(each, ast.Call)]
    return bool(calls) and not stores and not any(map(_HELPING.search, calls))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
