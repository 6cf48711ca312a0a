"""A module in, the contracts it declares out, however wrongly."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_error_middleware.errors import BY_CODE
from mcp_error_middleware.lint.model import UNKNOWN, Location, Unknown
from mcp_error_middleware.lint.python.module import Function, Module, Scope, constant, module_of, path_of
from mcp_error_middleware.lint.python.project import Project
from mcp_error_middleware.taxonomy import BY_LABEL, ErrorCode

PACKAGE: Final = "mcp_error_middleware"
CLASSES: Final = {cls.__name__: code for code, cls in BY_CODE.items()}
"""Class name to code."""
_BY_NAME: Final = {label.lower(): code for label, code in BY_LABEL.items()}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that is no code at all, as it is written."""

    text: str
    is_code_like: bool = False
    """A number or a name where a code belongs; just not one there is."""


@dataclass(frozen=True, slots=True)
class DeclaredMode:
    """One mode as it is written. An absent value is None, one that has to be run UNKNOWN."""

    reason: Any
    code: ErrorCode | Wrong | Unknown | None
    location: Location
    when: Any = None
    recovery: Any = None
    retryable: Any = None
    parts: dict[str, Location] = field(default_factory=dict)

    def at(self, part: str) -> Location:
        """Where one of its values stands, or else the mode."""
        return self.parts.get(part, self.location)


@dataclass(frozen=True, slots=True)
class DeclaredContract:
    """A contract as it is written."""

    name: str
    location: Location
    modes: tuple[DeclaredMode, ...] = ()
    strays: tuple[tuple[Location, str], ...] = ()
    """Entries that are no modes: where, and what stands there."""
    mistaken_for: str = ""
    """What stands where a contract belongs, if it is none."""
    complete: bool = True
    """Whether all modes are known, the inherited ones too."""

    def codes(self) -> set[object]:
        """What it declares; with UNKNOWN among them it may be more."""
        return {mode.code for mode in self.modes}

    def reasons_of(self, code: ErrorCode) -> list[str]:
        """The modes of a code."""
        return [str(mode.reason) for mode in self.modes if mode.code == code]


def declared(module: Module, project: Project) -> Iterator[DeclaredContract]:
    """Every contract a module declares."""
    for node, scope in module.classes.values():
        if is_contract(node, scope, project):
            yield from_class(node, scope, project)
    for call, scope in module.calls:
        if _is(path_of(call.func, scope), "Contract.of"):
            yield from_data(call, scope)
    for function in module.functions:
        for decorator in function.decorators:
            if isinstance(decorator, ast.Call):
                yield from _mistaken(decorator, function.around or module)


def contract_of(function: Function, project: Project) -> DeclaredContract | None:
    """The contract of a function that has `@raises(...)`."""
    scope = function.around or function.module
    for decorator in function.decorators:
        match decorator:
            case ast.Call(func=func, args=[given, *_]) if _is(path_of(func, scope), "raises"):
                return _named(given, scope, project)
            case _:
                pass
    return None


def is_contract(node: ast.ClassDef, scope: Scope, project: Project, hops: int = 8) -> bool:
    """Whether a class is a subclass of Contract."""
    return any(
        _is(path_of(base, scope), "Contract") or _is_contract_base(base, scope, project, hops)
        for base in node.bases
    )


def _is_contract_base(base: ast.expr, scope: Scope, project: Project, hops: int) -> bool:
    match project.find(path_of(base, scope), module_of(scope)) if hops else None:
        case (ast.ClassDef() as node, where):
            return is_contract(node, where, project, hops - 1)
        case _:
            return False


def _named(expression: ast.expr, scope: Scope, project: Project) -> DeclaredContract | None:
    found = project.find(path_of(expression, scope), module_of(scope))
    if found is None and isinstance(expression, ast.Name):
        found = scope.binding(expression.id)
    match found:
        case (ast.ClassDef() as node, where) if is_contract(node, where, project):
            return from_class(node, where, project)
        case (ast.Call() as call, where) if _is(path_of(call.func, where), "Contract.of"):
            return from_data(call, where)
        case _:
            return None


def _mistaken(decorator: ast.Call, scope: Scope) -> Iterator[DeclaredContract]:
    if not (_is(path_of(decorator.func, scope), "raises") and decorator.args):
        return
    given = decorator.args[0]
    is_exception = path_of(given, scope).removeprefix("builtins.") in _EXCEPTIONS
    if is_exception or isinstance(given, ast.List | ast.Tuple | ast.Dict | ast.Constant | ast.Set):
        text = ast.unparse(given)
        yield DeclaredContract(text, module_of(scope).at(given), mistaken_for=text)


_EXCEPTIONS: Final = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
) | {f"{PACKAGE}.{name}" for name in CLASSES}

# --- from a class --------------------------------------------------------------------------------


def from_class(node: ast.ClassDef, scope: Scope, project: Project, hops: int = 8) -> DeclaredContract:
    """The contract a class declares, with what it inherits."""
    module = module_of(scope)
    inherited, complete = _inherited(node, scope, project, hops)
    modes: list[DeclaredMode] = []
    strays: list[tuple[Location, str]] = []
    for each in node.body:
        match each:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if not name.startswith("_"):
                if isinstance(value, ast.Call) and _is(path_of(value.func, scope), "Mode"):
                    modes.append(_mode(name, value, scope))
                elif not isinstance(value, ast.Call | ast.Name | ast.Attribute):
                    strays.append((module.at(each), f"{name} = {ast.unparse(value)}"))
            case _:
                pass
    own = {mode.reason for mode in modes}
    kept = [mode for mode in inherited if mode.reason not in own]
    place = module.at(node)
    name_column = place.text.find(node.name) + 1 or place.column
    at_name = Location(
        place.path, place.line, name_column, place.line, name_column + len(node.name), place.text
    )
    return DeclaredContract(node.name, at_name, (*kept, *modes), tuple(strays), complete=complete)


def _inherited(
    node: ast.ClassDef, scope: Scope, project: Project, hops: int
) -> tuple[list[DeclaredMode], bool]:
    modes: list[DeclaredMode] = []
    for base in node.bases:
        if _is(path_of(base, scope), "Contract"):
            continue
        found = project.find(path_of(base, scope), module_of(scope)) if hops else None
        if not found or not isinstance(found[0], ast.ClassDef):
            return modes, False
        modes += from_class(found[0], found[1], project, hops - 1).modes
    return modes, True


def _mode(reason: str, call: ast.Call, scope: Scope) -> DeclaredMode:
    module = module_of(scope)
    said = {each.arg: each.value for each in call.keywords if each.arg}
    if call.args:
        said["code"] = call.args[0]
    unpacked = any(each.arg is None for each in call.keywords)
    values = dict.fromkeys(("when", "recovery", "retryable"), UNKNOWN if unpacked else None)
    values |= {name: _value(said[name], scope) for name in values if name in said}
    code = _code(said["code"], scope) if "code" in said else UNKNOWN if unpacked else None
    parts = {name: module.at(value) for name, value in said.items()}
    return DeclaredMode(reason, code, module.at(call), parts=parts, **values)


def _value(expression: ast.expr, scope: Scope) -> Any:
    try:
        return constant(expression, scope)
    except ValueError:
        return UNKNOWN


def _code(expression: ast.expr, scope: Scope) -> ErrorCode | Wrong | Unknown:
    path = path_of(expression, scope)
    if f".{path}".rpartition(".")[0].endswith(".ErrorCode"):
        name = path.rpartition(".")[2]
        return ErrorCode[name] if name in ErrorCode.__members__ else Wrong(ast.unparse(expression), True)
    try:
        value = constant(expression, scope)
    except ValueError:
        is_made_up = isinstance(expression, ast.List | ast.Dict | ast.Tuple | ast.JoinedStr)
        return Wrong(ast.unparse(expression)) if is_made_up else UNKNOWN
    return code_of(value)


def code_of(value: object) -> ErrorCode | Wrong:
    """The code a plain value means."""
    if isinstance(value, str):
        return _BY_NAME.get(value.replace("_", "").lower()) or Wrong(repr(value), True)
    if not isinstance(value, int) or isinstance(value, bool):
        return Wrong(repr(value))
    return ErrorCode(value) if value in ErrorCode.__members__.values() else Wrong(repr(value), True)


# --- from data -----------------------------------------------------------------------------------


def from_data(call: ast.Call, scope: Scope) -> DeclaredContract:
    """The contract `Contract.of(...)` makes of a literal."""
    module = module_of(scope)
    place = module.at(call)
    given = call.args[0] if call.args else None
    given = _literal(given, scope)
    match given:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            entries = [(_reason_of(each, scope), each) for each in elements]
        case ast.Dict(keys=keys, values=values):
            entries = [
                (_value(key, scope) if key else UNKNOWN, each) for key, each in zip(keys, values, strict=True)
            ]
        case ast.Constant() | ast.JoinedStr() | ast.Set():
            return DeclaredContract("Contract", place, mistaken_for=ast.unparse(given))
        case _:
            return DeclaredContract("Contract", place, complete=False)
    modes = [_mode_of(reason, each, scope) for reason, each in entries if isinstance(each, ast.Dict)]
    strays = [
        (module.at(each), ast.unparse(each))
        for _, each in entries
        if isinstance(each, ast.Constant | ast.List | ast.Tuple | ast.Set)
    ]
    complete = len(modes) == len(entries)
    return DeclaredContract("Contract", place, tuple(modes), tuple(strays), complete=complete or bool(strays))


def _literal(expression: ast.expr | None, scope: Scope) -> ast.expr | None:
    found = scope.binding(expression.id) if isinstance(expression, ast.Name) else None
    return found[0] if found and isinstance(found[0], ast.expr) else expression


def _reason_of(entry: ast.expr, scope: Scope) -> Any:
    if not isinstance(entry, ast.Dict):
        return None
    return next((_value(value, scope) for key, value in _items(entry) if key == "reason"), None)


def _items(entry: ast.Dict) -> Iterator[tuple[object, ast.expr]]:
    for key, value in zip(entry.keys, entry.values, strict=True):
        yield key.value if isinstance(key, ast.Constant) else UNKNOWN, value


def _mode_of(reason: Any, entry: ast.Dict, scope: Scope) -> DeclaredMode:
    module = module_of(scope)
    said = dict(_items(entry))
    # `**common` may bring any of them.
    absent = UNKNOWN if UNKNOWN in said else None
    values = dict.fromkeys(("when", "recovery", "retryable"), absent)
    values |= {name: _value(said[name], scope) for name in values if name in said}
    code = _code(said["code"], scope) if "code" in said else absent
    parts = {str(name): module.at(value) for name, value in said.items()}
    return DeclaredMode(
        reason if reason is not None else absent, code, module.at(entry), parts=parts, **values
    )


def _is(path: str, name: str) -> bool:
    """Whether a path is a name of ours."""
    return path.startswith(f"{PACKAGE}.") and f".{path}".endswith(f".{name}")
