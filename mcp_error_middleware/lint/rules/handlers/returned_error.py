"""Raise an error instead of returning it as if it were a result.

A returned `{"error": ...}` or "Error: ..." is a success to the client: the agent is not told that the call
failed, nothing counts it, and no recovery step reaches it. Raise, or return a CallToolResult with
`isError=True`.

Bad:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> dict:
        if order not in prices:
            return {"error": f"Order {order} was not found."}
        return {"price": prices[order]}

Bad, as text:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> str:
        try:
            return prices[order]
        except KeyError as exc:
            return f"Failed to look up {order}: {exc}"

Bad, as a result that does not say so:

    from mcp.server import Server
    from mcp.types import CallToolResult, TextContent

    async def call_tool(ctx, params):
        return CallToolResult(content=[TextContent(type="text", text="Error: unknown order")])

    server = Server("shop", on_call_tool=call_tool)

Good:

    from fastmcp import FastMCP
    from fastmcp.exceptions import ToolError

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> dict:
        if order not in prices:
            raise ToolError(f"Order {order} was not found.")
        return {"price": prices[order], "error": None}
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Edit, Problem, Severity, rule
from mcp_error_middleware.lint.python.expressions import (
    beginning,
    except_around,
    is_caught,
    is_text,
    mentions,
    value_at,
)
from mcp_error_middleware.lint.python.handler import Handler

_ERROR: Final = re.compile(
    r"""\W{0,4} (
        error\s*: | error\ \w+ing\b | failed\ to\ \w+ | (an\ )?error\ occurred
      | (an\ )?(api|http|database|network|connection|validation|internal|unexpected|unknown)\ error\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYS: Final = frozenset({"error", "err", "iserror", "is_error"})
_BESIDE: Final = frozenset(
    """error err iserror is_error success ok status message msg detail details code error_code error_type type
    hint suggestion suggestions traceback content timestamp exception reason""".split()
)
"""Keys a dictionary has that is an error and nothing else."""
_FAILED: Final = frozenset({"error", "failed", "failure"})
_COUNTS: Final = "A returned error counts as a success; raise it."
_TOOL_ERROR: Final = ("ToolError", "FastMCPError", "MCPServerError", "Exception", "BaseException")
_TOOL_ERRORS: Final = {"fastmcp": "fastmcp.exceptions", "mcp": "mcp.server.mcpserver.exceptions"}


@rule(Severity.WARNING, fixable=True)
def check(handler: Handler) -> Iterator[Problem]:
    if not handler.answers_tools:
        return
    for node in handler.nodes(ast.Return):
        around = except_around(node, handler.function)
        value = _unwrapped(node.value, handler)
        if _is_result(value, handler):
            assert isinstance(value, ast.Call)
            if _is_unmarked(value, handler, around):
                message = (
                    "This result says Error but not isError, so it counts as a success; add isError=True."
                )
                yield Problem(handler.at(value), message, _marked(value, handler))
        elif value is not None and _is_error(value, around, handler):
            yield Problem(handler.at(node), _COUNTS, _raised(node, value, around, handler))
    for assigned in _returned_later(handler):
        yield handler.problem(assigned, _COUNTS)


def _returned_later(handler: Handler) -> Iterator[ast.Assign]:
    """What an `except` puts in a variable that is the answer: `except E as e: result = {"error": str(e)}`."""
    returns = [(node.lineno, _unwrapped(node.value, handler)) for node in handler.nodes(ast.Return)]
    for node in handler.nodes(ast.Assign):
        around = except_around(node, handler.function)
        if around is None or node is not around.body[-1] or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, _unwrapped(node.value, handler)
        later = [each for line, each in returns if line > (around.end_lineno or 0)]
        is_answer = any(isinstance(each, ast.Name) and each.id == name for each in later[:1])
        if is_answer and value is not None and _is_error(value, around, handler):
            yield node


def _unwrapped(value: ast.expr | None, handler: Handler) -> ast.expr | None:
    """What is inside of `json.dumps(...)`, `str(...)` and a list of one."""
    for _ in range(4):
        match value:
            case ast.Call(func=func, args=[inner, *_]) if handler.path(func) in (
                "json.dumps",
                "builtins.str",
            ):
                value = inner
            case ast.List(elts=[inner]) | ast.Tuple(elts=[inner]):
                value = inner
            # Only text: what else a variable holds may change before it is returned.
            case ast.Name() if is_text(given := value_at(value, handler.function)):
                value = given
            case ast.Call(keywords=keywords) if handler.path(value.func).endswith(".TextContent"):
                value = next((each.value for each in keywords if each.arg == "text"), None)
            case _:
                break
    return value


def _is_error(value: ast.expr, around: ast.ExceptHandler | None, handler: Handler) -> bool:
    if isinstance(value, ast.Dict):
        return _is_error_dict(value, around)
    if not is_text(value):
        return isinstance(value, ast.Name) and around is not None and value.id == around.name
    said_error = bool(_ERROR.match(beginning(value)))
    return said_error or (around is not None and mentions(value, around.name))


def _is_error_dict(value: ast.Dict, around: ast.ExceptHandler | None) -> bool:
    said = {
        str(key.value).lower(): each
        for key, each in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant)
    }
    if len(said) < len(value.keys) or not said:
        return False
    if any(_is_true(said[key]) for key in ("iserror", "is_error") if key in said):
        return True
    tells = [said[key] for key in _KEYS & said.keys() if not _is_false(said[key])]
    is_failed = any(_is_false(said[key]) for key in ("success", "ok") if key in said)
    status = said.get("status")
    is_failed |= isinstance(status, ast.Constant) and str(status.value).lower() in _FAILED
    if not tells:
        return is_failed and around is not None
    written = any(is_text(each) or isinstance(each, ast.Dict) for each in tells)
    return is_failed or (said.keys() <= _BESIDE and (written or around is not None))


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


# --- CallToolResult ------------------------------------------------------------------------------


def _is_result(value: ast.expr | None, handler: Handler) -> bool:
    return isinstance(value, ast.Call) and handler.path(value.func).endswith(".CallToolResult")


def _is_unmarked(call: ast.Call, handler: Handler, around: ast.ExceptHandler | None) -> bool:
    said = {each.arg: each.value for each in call.keywords}
    if None in said or {"isError", "is_error"} & said.keys() or "content" not in said:
        return False
    text = _unwrapped(said["content"], handler)
    return text is not None and _is_error(text, around, handler)


def _marked(call: ast.Call, handler: Handler) -> tuple[Edit, ...]:
    last = call.keywords[-1]
    return (handler.function.module.after(last, ", isError=True"),)


# --- the raise in place of the return ------------------------------------------------------------


def _raised(
    node: ast.Return, value: ast.expr, around: ast.ExceptHandler | None, handler: Handler
) -> tuple[Edit, ...]:
    """A ToolError with the same text, where nothing in between would catch it or has read it."""
    text, package = _message(value), _package(handler)
    is_tool = handler.function is handler.entry.function and handler.entry.kind == "tool"
    if not (is_tool and text and package) or is_caught(_TOOL_ERROR, node, handler.function):
        return ()
    if around is not None and (around.name is None or mentions(text, around.name)):
        return ()
    module = handler.function.module
    if all(each is not text for each in ast.walk(node)) or _is_called(handler):
        return ()
    if "#" in module.source(node).replace(module.source(text), ""):
        # A comment would go with what is left out.
        return ()
    cause = f" from {around.name}" if around else ""
    raising = module.edit(node, f"raise ToolError({_source(text, handler)}){cause}")
    return (raising, *module.importing(package, "ToolError"))


def _is_called(handler: Handler) -> bool:
    """Whether its module calls it, too, and may look at what it returns."""
    return len(re.findall(rf"\b{handler.function.name}\(", handler.function.module.text)) > 1


def _package(handler: Handler) -> str:
    """Where the stack of a handler has its ToolError."""
    imported = [path for path in handler.function.module.names.values() if isinstance(path, str)]
    if any(path.startswith("mcp.server.fastmcp") for path in imported):
        return "mcp.server.fastmcp.exceptions"
    return _TOOL_ERRORS.get(handler.entry.stack, "")


def _message(value: ast.expr) -> ast.expr | None:
    """The text of an error that has nothing else to say."""
    if not isinstance(value, ast.Dict):
        return value if is_text(value) else None
    said = {
        key.value: each
        for key, each in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant)
    }
    text = said.get("error")
    return text if is_text(text) and said.keys() <= {"error", "success", "ok"} else None


def _source(text: ast.expr, handler: Handler) -> str:
    source = handler.function.module.source(text)
    return re.sub(r"^(f?[\"'])Error: ?", r"\1", source)
