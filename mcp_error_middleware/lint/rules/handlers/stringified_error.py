"""Do not put another error's text into an error for the agent.

The text of a caught error may hold hosts, paths, SQL or credentials, and as part of a declared message it
leaves the server. Say what happened in your own words and keep the error as the cause: the operator gets it
whole.

Bad:

    import httpx
    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> str:
        async with httpx.AsyncClient() as client:
            try:
                answer = await client.get(f"https://prices.example.com/{order}")
            except httpx.HTTPError as exc:
                raise ToolError(f"Upstream failed: {exc}") from exc
            return answer.text

Good:

    import httpx
    from fastmcp import FastMCP
    from mcp_error_middleware import ServiceUnavailable

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> str:
        async with httpx.AsyncClient() as client:
            try:
                answer = await client.get(f"https://prices.example.com/{order}")
            except httpx.HTTPError as exc:
                raise ServiceUnavailable("The price service is unavailable.") from exc
            return answer.text
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import except_around, value_at
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.module import module_of, path_of

_CALLERS: Final = frozenset(
    """builtins.ValueError builtins.KeyError builtins.IndexError builtins.LookupError builtins.UnicodeError
    builtins.UnicodeDecodeError builtins.TypeError json.JSONDecodeError
    json.decoder.JSONDecodeError binascii.Error""".split()
)
"""What Python raises about the caller's own input."""
_TO_TEXT: Final = frozenset(
    {"builtins.str", "builtins.repr", "builtins.format", "builtins.ascii", "json.dumps"}
)
_WORDS: Final = frozenset(
    {"args", "message", "msg", "detail", "details", "strerror", "reason", "text", "body"}
)


@rule(Severity.WARNING, "no-stringify-upstream-error")
def check(handler: Handler) -> Iterator[Problem]:
    for node in handler.nodes(ast.Raise):
        around = except_around(node, handler.function)
        if around is None or around.name is None or not isinstance(node.exc, ast.Call):
            continue
        if (
            handler.exposed
            and not _is_own(around, handler)
            and (where := _stringified(node.exc, around.name, handler)) is not None
        ):
            message = (
                f"The text of {around.name} leaves with this error; "
                f"say what happened in your own words and keep it as the cause (from {around.name})."
            )
            yield handler.problem(where, message)
    for result, name in _answered(handler):
        message = (
            f"The text of {name} leaves with this result; say what happened in your own words, and log it."
        )
        yield handler.problem(result, message)


def _answered(handler: Handler) -> Iterator[tuple[ast.expr, str]]:
    """Texts of a caught error in a result that is marked as one."""
    for node in handler.nodes(ast.Return) if handler.answers_tools else ():
        around = except_around(node, handler.function)
        if around is None or around.name is None or not _is_marked(node.value, handler):
            continue
        texts = (each for each in ast.walk(node) if isinstance(each, ast.expr))
        found = next((each for each in texts if _is_text_of(each, around.name, handler)), None)
        if found is not None and not _is_own(around, handler):
            yield found, around.name


def _is_marked(value: ast.expr | None, handler: Handler) -> bool:
    if not isinstance(value, ast.Call) or not handler.path(value.func).endswith("ToolResult"):
        return False
    marks = (each.value for each in value.keywords if each.arg in ("isError", "is_error"))
    return any(isinstance(each, ast.Constant) and each.value is True for each in marks)


def _is_own(around: ast.ExceptHandler, handler: Handler) -> bool:
    """Whether only errors are caught whose text this package, or the caller's input, wrote."""
    kinds = around.type.elts if isinstance(around.type, ast.Tuple) else [around.type]
    return all(kind is not None and _is_own_class(kind, handler) for kind in kinds)


def _is_own_class(kind: ast.expr, handler: Handler) -> bool:
    path = path_of(kind, handler.function)
    if path in _CALLERS:
        return True
    found = handler.project.find(path, module_of(handler.function)) if path else None
    return found is not None and isinstance(found[0], ast.ClassDef)


def _stringified(call: ast.Call, name: str, handler: Handler) -> ast.expr | None:
    """The argument that turns the error into text."""
    arguments = [*call.args, *(each.value for each in call.keywords if each.arg not in ("data", "cause"))]
    match arguments:
        case [ast.Name(id=read) as only] if read == name and _takes_text(call, handler):
            return only
    return next((argument for argument in arguments if _is_text_of(argument, name, handler)), None)


def _takes_text(call: ast.Call, handler: Handler) -> bool:
    """Whether what a class is given becomes its message."""
    root, _, cls = handler.path(call.func).partition(".")
    return root in ("builtins", "mcp", "fastmcp", "mcp_error_middleware") and not cls.endswith("ErrorData")


def _is_text_of(expression: ast.expr, name: str, handler: Handler) -> bool:
    match expression:
        case ast.JoinedStr(values=values):
            parts = [part.value for part in values if isinstance(part, ast.FormattedValue)]
            return any(_reads(part, name, handler) for part in parts)
        case ast.BinOp(op=ast.Add() | ast.Mod(), left=left, right=right):
            read = any(_reads(each, name, handler) for each in (left, *_operands(right)))
            return read or _is_text_of(left, name, handler)
        case ast.Attribute(value=ast.Name()):
            return _reads(expression, name, handler)
        case ast.Name(id=local) if local != name:
            given = value_at(expression, handler.function)
            return given is not None and _is_text_of(given, name, handler)
        case ast.Call(func=func, args=args, keywords=keywords):
            inner = [*args, *(each.value for each in keywords)]
            if handler.path(func) in _TO_TEXT or (isinstance(func, ast.Attribute) and func.attr == "format"):
                return any(_reads(each, name, handler) for each in inner)
            # An error inside of the error: McpError(ErrorData(message=f"... {exc}")).
            return any(_is_text_of(each, name, handler) for each in inner) and _takes_message(func, handler)
        case _:
            return False


def _takes_message(func: ast.expr, handler: Handler) -> bool:
    return handler.path(func).endswith((".ErrorData", ".TextContent"))


def _operands(right: ast.expr) -> list[ast.expr]:
    return right.elts if isinstance(right, ast.Tuple) else [right]


def _reads(expression: ast.expr, name: str, handler: Handler) -> bool:
    """Whether an expression is the error, its text or one of its texts."""
    match expression:
        case ast.Name(id=read):
            return read == name
        case ast.Attribute(value=ast.Name(id=read), attr=attribute):
            return read == name and attribute in _WORDS
        case ast.Subscript(value=value):
            return _reads(value, name, handler)
        case _:
            return _is_text_of(expression, name, handler)
