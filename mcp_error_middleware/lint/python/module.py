"""Text in, a module with its names and functions out."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from mcp_error_middleware.lint.model import Edit, Location

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Node = TypeVar("Node", bound=ast.AST)

Binding: TypeAlias = "str | Function | ast.ClassDef | ast.arg | ast.expr"
"""What a name stands for: the dotted path of an import, a function, a class, a parameter or a value."""

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES: Final = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
_BUILTINS: Final = frozenset(dir(builtins))


@dataclass(eq=False)
class Scope:
    """Names, and the scope around them."""

    names: dict[str, Binding] = field(default_factory=dict)
    around: Scope | None = None

    def binding(self, name: str) -> tuple[Binding, Scope] | None:
        """What a name stands for, and where it was bound."""
        scope: Scope | None = self
        while scope is not None:
            if (found := scope.names.get(name)) is not None:
                return found, scope
            scope = scope.around
        return None


@dataclass(eq=False)
class Module(Scope):
    """A parsed file."""

    path: Path = Path()
    shown: str = ""
    """The path as reports show it."""
    name: str = ""
    text: str = ""
    tree: ast.Module = field(default_factory=lambda: ast.Module([], []))
    functions: list[Function] = field(default_factory=list)
    classes: dict[str, tuple[ast.ClassDef, Scope]] = field(default_factory=dict)
    calls: list[tuple[ast.Call, Scope]] = field(default_factory=list)
    """Calls that are statements or assigned values: where servers are made and tools added."""

    @property
    def home(self) -> Path:
        """The folder its dotted name starts in."""
        return self.path.parents[self.name.count(".") + (self.path.name == "__init__.py")]

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def at(self, node: ast.AST) -> Location:
        """Where a node stands."""
        line, end = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
        column = self._column(line, getattr(node, "col_offset", 0))
        end_column = self._column(end, getattr(node, "end_col_offset", None) or 0)
        return Location(self.shown, line, column, end, end_column, self._line(line))

    def source(self, node: ast.AST) -> str:
        """The text of a node."""
        return ast.get_source_segment(self.text, node) or ""

    def edit(self, node: ast.AST, text: str) -> Edit:
        """Put text in a node's place."""
        place = self.at(node)
        return Edit((place.line, place.column), (place.end_line, place.end_column), text)

    def after(self, node: ast.AST, text: str) -> Edit:
        """Put text behind a node."""
        place = self.at(node)
        end = (place.end_line, place.end_column)
        return Edit(end, end, text)

    def importing(self, package: str, name: str) -> tuple[Edit, ...]:
        """Make a name known, if it is not."""
        if name in self.names:
            return ()
        line = next((node.lineno for node in self.tree.body if _is_import(node)), None)
        line = line or next((node.lineno for node in self.tree.body if not _is_docstring(node)), 1)
        return (Edit((line, 1), (line, 1), f"from {package} import {name}\n"),)

    def _line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def _column(self, line: int, offset: int) -> int:
        # Python counts bytes; people and editors count characters.
        text = self._line(line)
        return offset + 1 if text.isascii() else len(text.encode()[:offset].decode(errors="ignore")) + 1


@dataclass(eq=False)
class Function(Scope):
    """A function or method, with the scope its body sees."""

    node: FunctionNode = field(default_factory=lambda: _nothing())
    module: Module = field(default_factory=Module)
    cls: str = ""
    """The class it is a method of."""

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def is_async(self) -> bool:
        return isinstance(self.node, ast.AsyncFunctionDef)

    @property
    def parameters(self) -> list[ast.arg]:
        """All named ones, without `self`."""
        arguments = self.node.args
        named = [*arguments.posonlyargs, *arguments.args]
        static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in self.decorators)
        return [*named[1 if self.cls and not static else 0 :], *arguments.kwonlyargs]

    @property
    def decorators(self) -> list[ast.expr]:
        return self.node.decorator_list

    def nodes(self, kind: type[Node]) -> list[Node]:
        """The nodes of its own body, in order; not of functions inside of it."""
        return [node for node in self._by_kind[kind] if isinstance(node, kind)]

    def around_node(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Each node around one up to the function, innermost first, with the child that leads to it."""
        parent = self._parents.get(node)
        while parent is not None:
            yield parent, node
            node, parent = parent, self._parents.get(parent)

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        around: dict[ast.AST, ast.AST] = dict.fromkeys(self.node.body, self.node)
        for nodes in self._by_kind.values():
            around.update((child, node) for node in nodes for child in _children(node))
        return around

    @cached_property
    def _by_kind(self) -> dict[type, list[ast.AST]]:
        found: dict[type, list[ast.AST]] = defaultdict(list)
        waiting: list[ast.AST] = list(reversed(self.node.body))
        while waiting:
            node = waiting.pop()
            found[type(node)].append(node)
            if not isinstance(node, _SCOPES):
                waiting.extend(reversed(_children(node)))
        return found


def parse(text: str, path: Path, shown: str, name: str) -> Module:
    """The module of a file's text; raises SyntaxError, ValueError, RecursionError or MemoryError."""
    with warnings.catch_warnings():
        # What Python thinks of an escape sequence is for another linter to say.
        warnings.simplefilter("ignore")
        tree = ast.parse(text, str(path))
    module = Module(path=path, shown=shown, name=name, text=text, tree=tree)
    _read(tree.body, module, module, "")
    return module


# --- reading statements --------------------------------------------------------------------------


def _read(body: list[ast.stmt], scope: Scope, module: Module, cls: str) -> None:
    """Bind what the statements bind; expressions are not entered, so that a big module stays cheap."""
    for node in _statements(body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                _read_function(node, scope, module, cls)
            case ast.ClassDef():
                _read_class(node, scope, module, cls)
            case ast.Import(names=names):
                for each in names:
                    bound = each.asname or each.name.partition(".")[0]
                    scope.names[bound] = each.name if each.asname else bound
            case ast.ImportFrom():
                _read_import(node, scope, module)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    _bind(target, value, scope)
                _note_call(value, scope, module)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                _bind(target, value, scope)
                _note_call(value, scope, module)
            case ast.AnnAssign(target=ast.Name(id=bound), annotation=annotation):
                scope.names[bound] = ast.arg(bound, annotation)
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                _note_call(value, scope, module)
            case ast.For(target=ast.Name(id=bound), iter=ast.Tuple() | ast.List() as values):
                scope.names[bound] = values
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        _bind(item.optional_vars, item.context_expr, scope)
            case _:
                pass


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements and those inside of compound ones, but not of functions and classes."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            continue
        for name in ("finalbody", "orelse", "handlers", "cases", "body"):
            for inner in reversed(getattr(node, name, None) or ()):
                waiting.extend([inner] if isinstance(inner, ast.stmt) else reversed(inner.body))


def _read_function(node: FunctionNode, scope: Scope, module: Module, cls: str) -> None:
    function = Function(around=scope, node=node, module=module, cls=cls)
    arguments = node.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    function.names.update({each.arg: each for each in every if each is not None})
    module.functions.append(function)
    scope.names[f"{cls}.{node.name}" if cls else node.name] = function
    _read(node.body, function, module, "")


def _read_class(node: ast.ClassDef, scope: Scope, module: Module, cls: str) -> None:
    name = f"{cls}.{node.name}" if cls else node.name
    scope.names[name] = node
    module.classes[name] = (node, scope)
    # Methods do not see the class's names, but what is `self.x` is found through them.
    inside = Scope(around=scope)
    _read(node.body, inside, module, name)
    for bound, value in inside.names.items():
        scope.names.setdefault(bound if bound.startswith(f"{name}.") else f"{name}.{bound}", value)


def _read_import(node: ast.ImportFrom, scope: Scope, module: Module) -> None:
    package = node.module or ""
    if node.level:
        parts = module.name.split(".")
        is_package = module.path.name == "__init__.py"
        kept = parts[: len(parts) - node.level + is_package]
        package = ".".join([*kept, package] if package else kept)
    for each in node.names:
        if each.name != "*":
            scope.names[each.asname or each.name] = f"{package}.{each.name}" if package else each.name


def _bind(target: ast.expr, value: ast.expr, scope: Scope) -> None:
    match target:
        case ast.Name(id=name):
            scope.names[name] = value
        case ast.Attribute(value=ast.Name(id="self"), attr=attribute) if isinstance(scope, Function):
            if scope.cls and scope.around is not None:
                # Outside of the method its parameters are not known, but their types are.
                given = scope.names.get(value.id) if isinstance(value, ast.Name) else None
                meant = given if isinstance(given, ast.arg) else value
                scope.around.names.setdefault(f"{scope.cls}.{attribute}", meant)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            for number, element in enumerate(elements):
                _bind(element, values[number] if len(values) == len(elements) else value, scope)
        case _:
            pass


def _note_call(value: ast.expr, scope: Scope, module: Module) -> None:
    value = value.value if isinstance(value, ast.Await) else value
    if isinstance(value, ast.Call):
        module.calls.append((value, scope))


def _children(node: ast.AST) -> list[ast.AST]:
    return list(ast.iter_child_nodes(node))


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "module", None) != "__future__"


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _nothing() -> ast.FunctionDef:
    return ast.FunctionDef("", ast.arguments([], [], None, [], [], None, []), [], [])


# --- reading expressions -------------------------------------------------------------------------


def path_of(expression: ast.AST | None, scope: Scope, hops: int = 8) -> str:
    """The dotted path an expression names, through imports: `mcp.types.TextContent`; else nothing."""
    match expression:
        case ast.Name(id=name):
            return _path_of_name(name, scope, hops)
        case ast.Attribute(value=value, attr=attribute):
            head = path_of(value, scope, hops)
            return f"{head}.{attribute}" if head else ""
        case ast.Subscript(value=value):
            return path_of(value, scope, hops)
        case ast.Constant(value=str(text)) if text.isidentifier():
            return _path_of_name(text, scope, hops)
        case _:
            return ""


def _path_of_name(name: str, scope: Scope, hops: int) -> str:
    found = scope.binding(name)
    if found is None:
        return f"builtins.{name}" if name in _BUILTINS else ""
    match found[0]:
        case str(path):
            return path
        case Function(module=module, name=bound, cls=cls):
            return f"{module.name}.{cls}.{bound}" if cls else f"{module.name}.{bound}"
        case ast.ClassDef(name=bound):
            return f"{module_of(scope).name}.{bound}"
        case (ast.Name() | ast.Attribute()) as value if hops:
            return path_of(value, found[1], hops - 1)
        case _:
            return ""


def module_of(scope: Scope) -> Module:
    """The module a scope is in."""
    while not isinstance(scope, Module):
        assert scope.around is not None
        scope = scope.around
    return scope


def class_around(scope: Scope | None) -> str:
    """The class whose `self` a function sees."""
    while isinstance(scope, Function):
        if scope.cls:
            return scope.cls
        scope = scope.around
    return ""


def constant(expression: ast.AST | None, scope: Scope) -> object:
    """The value of a literal, or of a name bound to one; raises ValueError if it has to be run."""
    for _ in range(5):
        if not isinstance(expression, ast.Name) or (found := scope.binding(expression.id)) is None:
            break
        value, scope = found
        if not isinstance(value, ast.expr):
            break
        expression = value
    if expression is None:
        raise ValueError("nothing there")
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ValueError("not a literal") from None
