"""A function in, the coded errors that leave it out; through the functions it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_error_middleware.lint.model import Location
from mcp_error_middleware.lint.python.contracts import (
    CLASSES,
    PACKAGE,
    DeclaredContract,
    contract_of,
    is_contract,
)
from mcp_error_middleware.lint.python.expressions import is_caught
from mcp_error_middleware.lint.python.module import Function, Scope, constant, module_of, path_of
from mcp_error_middleware.lint.python.project import Project
from mcp_error_middleware.lint.python.servers import Entry
from mcp_error_middleware.taxonomy import ErrorCode

_DEPTH: Final = 20
_ABOVE: Final = ("McpError", "Exception", "BaseException")
"""What every error of ours is, too."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An error of ours raised on purpose."""

    location: Location
    code: ErrorCode | None
    """None where only its contract knows."""
    classes: tuple[str, ...]
    """Its class and what that is derived from, up to the one of its code."""
    reason: Any = None
    """What it says it is; None if nothing."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A handler with a contract, and what leaves it."""

    entry: Entry
    contract: DeclaredContract
    raised: tuple[Raised, ...]
    location: Location


def promises(entries: list[Entry], project: Project) -> Iterator[Promise]:
    """The entries that have a contract."""
    for entry in entries:
        if (contract := contract_of(entry.function, project)) is not None:
            leaving = Leaving(project)
            location = entry.function.module.at(entry.function.node)
            yield Promise(entry, contract, tuple(leaving.of(entry.function)), location)


@dataclass(slots=True)
class Leaving:
    """What leaves each function, found once."""

    project: Project
    known: dict[Function, tuple[Raised, ...]] = field(default_factory=dict)

    def of(self, function: Function, depth: int = _DEPTH) -> tuple[Raised, ...]:
        if function not in self.known:
            self.known[function] = ()
            if depth:
                self.known[function] = tuple(dict.fromkeys(self._found(function, depth)))
        return self.known[function]

    def _found(self, function: Function, depth: int) -> Iterator[Raised]:
        for node in function.nodes(ast.Raise):
            raised = raised_by(node, function, self.project)
            if raised is not None and not is_caught((*raised.classes, *_ABOVE), node, function):
                yield raised
        for call in function.nodes(ast.Call):
            called = self.project.called(call, function)
            for raised in self.of(called, depth - 1) if called is not None else ():
                if not is_caught((*raised.classes, *_ABOVE), call, function):
                    yield raised


def raised_by(node: ast.Raise, function: Function, project: Project) -> Raised | None:
    """What a raise statement raises, if it is an error of ours."""
    expression: ast.expr | None = node.exc
    if isinstance(expression, ast.Name) and (found := function.binding(expression.id)):
        expression = found[0] if isinstance(found[0], ast.expr) else expression
    if not isinstance(expression, ast.Call):
        return _of_class(node, path_of(expression, function), None, function, project)
    if isinstance(expression.func, ast.Attribute) and expression.func.attr == "fail":
        return _failed(node, expression, function, project)
    path, reason = path_of(expression.func, function), _reason(expression, function)
    if _own(path) in ("McpError", "error_for"):
        code = code_argument(expression, function)
        return Raised(function.module.at(node), code, (code.label,), reason) if code else None
    return _of_class(node, path, reason, function, project)


def _of_class(node: ast.Raise, path: str, reason: Any, function: Function, project: Project) -> Raised | None:
    classes = tuple(_classes(path, function, project))
    if not classes or classes[-1] not in CLASSES:
        return None
    return Raised(function.module.at(node), CLASSES[classes[-1]], classes, reason)


def _classes(path: str, scope: Scope, project: Project, hops: int = 8) -> Iterator[str]:
    """The names from a class to one of ours that it is derived from."""
    found = project.find(path, module_of(scope)) if hops else None
    if cls := _own(path):
        yield cls
    elif found and isinstance(found[0], ast.ClassDef) and found[0].bases:
        yield found[0].name
        yield from _classes(path_of(found[0].bases[0], found[1]), found[1], project, hops - 1)


def code_argument(call: ast.Call, scope: Scope) -> ErrorCode | None:
    """The code an `McpError(...)` is given, if it is written there."""
    value = next(
        (each.value for each in call.keywords if each.arg == "code"), call.args[0] if call.args else None
    )
    path = path_of(value, scope)
    name = path.rpartition(".")[2]
    if ".ErrorCode." in f".{path}" and name in ErrorCode.__members__:
        return ErrorCode[name]
    try:
        number = constant(value, scope)
    except ValueError:
        return None
    return next((code for code in ErrorCode if code == number), None)


def _reason(call: ast.Call, scope: Scope) -> Any:
    for each in call.keywords:
        if each.arg == "reason":
            return _text(each.value, scope)
        if each.arg == "data" and isinstance(each.value, ast.Dict):
            for key, value in zip(each.value.keys, each.value.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "reason":
                    return _text(value, scope)
    return None


def _text(value: ast.expr, scope: Scope) -> Any:
    try:
        return constant(value, scope)
    except ValueError:
        return ...


def _failed(node: ast.Raise, call: ast.Call, function: Function, project: Project) -> Raised | None:
    """`ShipErrors.no_stock.fail(...)` and `ShipErrors.fail("no_stock", ...)`."""
    assert isinstance(call.func, ast.Attribute)
    owner = call.func.value
    place = function.module.at(node)
    if _is_contract(owner, function, project):
        reason = _text(call.args[0], function) if call.args else ...
        return Raised(place, None, ("McpError",), reason)
    if isinstance(owner, ast.Attribute) and _is_contract(owner.value, function, project):
        return Raised(place, None, ("McpError",), owner.attr)
    return None


def _is_contract(expression: ast.expr, scope: Scope, project: Project) -> bool:
    match project.find(path_of(expression, scope), module_of(scope)):
        case (ast.ClassDef() as node, where):
            return is_contract(node, where, project)
        case _:
            return False


def _own(path: str) -> str:
    return path.rpartition(".")[2] if path.startswith(f"{PACKAGE}.") else ""
