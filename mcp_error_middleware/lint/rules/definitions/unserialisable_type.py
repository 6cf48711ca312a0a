"""Take only arguments that JSON can carry.

Arguments arrive as JSON. A callback, an open connection or an object of a plain class has no JSON Schema, and
the SDK fails when the tool is registered or listed.

Bad:

    from collections.abc import Callable

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    def ship(order: str, then: Callable[[str], None]) -> str:
        then(order)
        return order

Bad, a plain class:

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    class Box:
        def __init__(self, weight: float) -> None:
            self.weight = weight

    @mcp.tool
    def ship(box: Box) -> float:
        return box.weight

Good:

    from dataclasses import dataclass
    from datetime import date

    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @dataclass
    class Box:
        weight: float

    @mcp.tool
    def ship(box: Box, day: date) -> float:
        return box.weight
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler
from mcp_error_middleware.lint.python.schema import Reader
from mcp_error_middleware.lint.python.servers import PLAIN

FOREIGN: Final = frozenset(
    """typing.Callable collections.abc.Callable types.FunctionType types.ModuleType
    io.BytesIO io.StringIO typing.IO typing.TextIO typing.BinaryIO
    threading.Event asyncio.Event asyncio.Lock asyncio.Queue asyncio.Task queue.Queue
    logging.Logger sqlite3.Connection sqlite3.Cursor socket.socket
    requests.Session requests.Response httpx.Client httpx.AsyncClient httpx.Response aiohttp.ClientSession
    numpy.ndarray pandas.DataFrame pandas.Series PIL.Image.Image""".split()
)
"""Types people put there, that have no JSON Schema."""


@rule(Severity.ERROR, "schema-serializable")
def check(handler: Handler) -> Iterator[Problem]:
    function = handler.function
    if function is not handler.entry.function or handler.entry.kind not in PLAIN:
        return
    taken = Reader(handler.project).parameters(function, "")["properties"]
    for parameter in function.parameters:
        if parameter.arg not in taken or parameter.annotation is None:
            continue
        for name in _types(parameter.annotation):
            if handler.path(name) in FOREIGN or _is_plain_class(name, handler):
                message = (
                    f"JSON cannot carry a {ast.unparse(name)}; take a string, a number, a dataclass or a "
                    "pydantic model, and make the object inside."
                )
                yield handler.problem(parameter, message)


def _types(annotation: ast.expr) -> Iterator[ast.expr]:
    """The types a value may have; not what is only said about them."""
    match annotation:
        case ast.Name() | ast.Attribute():
            yield annotation
        case ast.BinOp(left=left, right=right):
            yield from _types(left)
            yield from _types(right)
        case ast.Subscript(value=value, slice=inner):
            name = ast.unparse(value).rpartition(".")[2]
            arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            yield value
            for each in {"Annotated": arguments[:1], "Literal": [], "Callable": []}.get(name, arguments):
                yield from _types(each)
        case _:
            pass


def _is_plain_class(name: ast.expr, handler: Handler) -> bool:
    path = handler.path(name)
    found = handler.project.find(path, handler.function.module) if path else None
    if not found or not isinstance(node := found[0], ast.ClassDef):
        return False
    hooks = any(isinstance(each, ast.FunctionDef) and "pydantic" in each.name for each in node.body)
    return not (node.bases or node.keywords or node.decorator_list or hooks)
