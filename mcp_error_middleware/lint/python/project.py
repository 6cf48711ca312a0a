"""Dotted path in, the function, class or server it means out; modules are read when first needed."""

from __future__ import annotations

import ast
import io
import stat
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mcp_error_middleware.lint.python.module import (
    Binding,
    Function,
    Module,
    Scope,
    class_around,
    module_of,
    parse,
    path_of,
)

KEPT: Final = 200
"""Modules held in memory at once."""
LARGEST: Final = 2_000_000
"""Bytes; a file beyond is data, not code."""
_HOPS: Final = 8
_PYTHON: Final = f"{sys.version_info.major}.{sys.version_info.minor}"


class Unreadable(Exception):
    """A file that cannot be linted: why, and at which line."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.line = line
        self.column = column


@dataclass(slots=True, eq=False)
class Project:
    """The files of a run, as modules."""

    root: Path
    """What shown paths are relative to."""
    modules: dict[Path, Module | None] = field(default_factory=dict)
    _files: dict[Path, Path | None] = field(default_factory=dict)

    def load(self, path: Path) -> Module:
        """The module in a file; raises Unreadable."""
        text = read_text(path)
        try:
            return parse(text, path, shown(path, self.root), module_name(path))
        except SyntaxError as error:
            reason = (
                f"not valid Python {_PYTHON}: {error.msg}; if it is written for a newer one, run this with it"
            )
            raise Unreadable(reason, error.lineno or 0, error.offset or 0) from None
        except (RecursionError, MemoryError):
            raise Unreadable("it is nested too deeply for Python's parser; exclude it") from None
        except ValueError as error:
            raise Unreadable(f"Python cannot parse it: {error}") from None

    def module(self, path: Path) -> Module | None:
        """As `load`, remembered; None if it cannot be read."""
        if path not in self.modules:
            try:
                loaded = self.load(path)
            except Unreadable:
                loaded = None
            if len(self.modules) >= KEPT:
                del self.modules[next(iter(self.modules))]
            self.modules[path] = loaded
        return self.modules[path]

    # --- dotted paths ----------------------------------------------------------------------------

    def find(self, dotted: str, seen_from: Module) -> tuple[Binding, Scope] | None:
        """What a path means, if it is in a file of the same package as the module that names it."""
        for _ in range(_HOPS if dotted else 0):
            located = self._locate(dotted, seen_from)
            if located is None:
                return None
            module, rest = located
            bound = module.names.get(rest)
            if bound is None and "." in rest:
                return self._inherited(rest, module)
            if not isinstance(bound, str):
                return None if bound is None else (bound, module)
            # Imported from elsewhere, and known here by its name.
            dotted, seen_from = bound, module
        return None

    def _locate(self, dotted: str, seen_from: Module) -> tuple[Module, str] | None:
        parts = dotted.split(".")
        own = seen_from.name.split(".")
        if parts[: len(own)] == own and len(parts) > len(own):
            rest = ".".join(parts[len(own) :])
            if rest in seen_from.names or ("." in rest and rest.partition(".")[0] in seen_from.classes):
                return seen_from, rest
        for folder in self._folders(parts, seen_from):
            for length in range(len(parts) - 1, 0, -1):
                if (path := self._file(folder.joinpath(*parts[:length]))) and (module := self.module(path)):
                    return module, ".".join(parts[length:])
        return None

    def _file(self, stem: Path) -> Path | None:
        if stem not in self._files:
            self._files[stem] = _file(stem)
        return self._files[stem]

    def _folders(self, parts: list[str], seen_from: Module) -> Iterator[Path]:
        """Where a path may start: beside the package's top folder if it names it, or beside a script."""
        is_script = seen_from.home == seen_from.path.parent
        if is_script or parts[0] == seen_from.name.partition(".")[0]:
            yield seen_from.home

    def _inherited(self, rest: str, module: Module) -> tuple[Binding, Scope] | None:
        """A method found on a base class."""
        cls, _, attribute = rest.rpartition(".")
        for _ in range(_HOPS):
            if cls not in module.classes:
                return None
            node, scope = module.classes[cls]
            base = self._first_base(node, scope, module)
            if base is None:
                return None
            cls, module = base
            if (bound := module.names.get(f"{cls}.{attribute}")) is not None and not isinstance(bound, str):
                return bound, module
        return None

    def _first_base(self, node: ast.ClassDef, scope: Scope, module: Module) -> tuple[str, Module] | None:
        for base in node.bases:
            found = self.find(path_of(base, scope), module)
            if found and isinstance(found[0], ast.ClassDef):
                return found[0].name, module_of(found[1])
        return None

    # --- expressions -----------------------------------------------------------------------------

    def called(self, call: ast.Call, scope: Scope) -> Function | None:
        """The function of this package that a call runs, if that can be told."""
        return self.function(call.func, scope)

    def function(self, expression: ast.expr, scope: Scope, hops: int = _HOPS) -> Function | None:
        """The function of this package that an expression means."""
        match expression:
            case ast.Name(id=name):
                found = scope.binding(name)
                if found and isinstance(found[0], Function):
                    return found[0]
            case ast.Attribute(value=value, attr=attribute):
                if (cls := self.type_of(value, scope, hops)) and (
                    found := self.find(f"{cls}.{attribute}", module_of(scope))
                ):
                    return found[0] if isinstance(found[0], Function) else None
            case ast.Call(func=ast.Name(id="partial") | ast.Attribute(attr="partial"), args=[inner, *_]):
                return self.function(inner, scope, hops)
            case _:
                return None
        found = self.find(path_of(expression, scope), module_of(scope))
        return found[0] if found and isinstance(found[0], Function) else None

    def type_of(self, expression: ast.expr, scope: Scope, hops: int = _HOPS) -> str:
        """The dotted path of the class an expression is an instance of, if that can be told."""
        if not hops:
            return ""
        match expression:
            case ast.Name(id="self" | "cls") if cls := class_around(scope):
                return f"{module_of(scope).name}.{cls}"
            case ast.Name(id=name):
                return self._type_of_binding(scope.binding(name), scope, hops)
            case ast.Attribute(value=value, attr=attribute):
                if owner := self.type_of(value, scope, hops - 1):
                    found = self.find(f"{owner}.{attribute}", module_of(scope))
                    return self._type_of_binding(found, scope, hops)
                found = self.find(path_of(expression, scope), module_of(scope))
                return self._type_of_binding(found, scope, hops)
            case ast.Call(func=func):
                return self._type_of_call(func, scope, hops)
            case ast.Await(value=value):
                return self.type_of(value, scope, hops - 1)
            case _:
                return ""

    def origin_of(self, expression: ast.expr, scope: Scope, hops: int = _HOPS, own: str = "") -> str:
        """As `type_of`; and of what a foreign object gives, the way there: `sqlite3.connect.cursor`.

        `own` is the class that `self` is of, where the scope does not tell.
        """
        if not hops:
            return ""
        if known := self.type_of(expression, scope, hops):
            return known
        match expression:
            case ast.Name(id=name):
                return self._origin_of_binding(scope.binding(name), hops) or own * (name == "self")
            case ast.Attribute(value=value, attr=attribute):
                owner = self.origin_of(value, scope, hops - 1, own)
                dotted = f"{owner}.{attribute}" if owner else path_of(expression, scope)
                found = self.find(dotted, module_of(scope))
                return self._origin_of_binding(found, hops, owner) or dotted
            case ast.Call(func=inner) | ast.Subscript(value=inner):
                return self.origin_of(inner, scope, hops - 1, own)
            case _:
                return ""

    def _origin_of_binding(self, found: tuple[Binding, Scope] | None, hops: int, own: str = "") -> str:
        match found:
            case (ast.expr() as value, where):
                return self.origin_of(value, where, hops - 1, own)
            case (str(dotted), where) if hops:
                return self._origin_of_binding(self.find(dotted, module_of(where)), hops - 1)
            case _:
                return ""

    def _type_of_binding(self, found: tuple[Binding, Scope] | None, scope: Scope, hops: int) -> str:
        match found:
            case (str(dotted), _) if hops:
                return self._type_of_binding(self.find(dotted, module_of(scope)), scope, hops - 1)
            case (ast.arg(annotation=ast.expr() as annotation), where):
                return path_of(_plain(annotation), where)
            case (ast.expr() as value, where):
                return self.type_of(value, where, hops - 1)
            case _:
                return ""

    def _type_of_call(self, func: ast.expr, scope: Scope, hops: int) -> str:
        dotted = path_of(func, scope)
        function = self.function(func, scope, hops - 1)
        if function is None:
            return dotted
        returns = function.node.returns
        if returns is not None:
            return path_of(_plain(returns), function)
        return self.type_of(_returned(function), function, hops - 1)


def _plain(annotation: ast.expr) -> ast.expr:
    """`X` of `X | None`, `Optional[X]`, `Annotated[X, ...]`."""
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return left
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return inner
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, *_])):
            return inner
        case _:
            return annotation


def _returned(function: Function) -> ast.expr:
    values = [node.value for node in function.nodes(ast.Return) if node.value is not None]
    return values[-1] if values else ast.Constant(None)


# --- files ---------------------------------------------------------------------------------------


def read_text(path: Path) -> str:
    """A source file's text, its lines ended by newlines; raises Unreadable."""
    text, _ = read_source(path)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_source(path: Path) -> tuple[str, str]:
    """A source file's text as it stands, and the encoding it says it is in; raises Unreadable."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            # A pipe would be waited for.
            raise Unreadable("it is no regular file")
        if about.st_size > LARGEST:
            raise Unreadable(f"it is larger than {LARGEST // 1_000_000} MB; exclude it, it is hardly code")
        data = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding), encoding
    except (SyntaxError, UnicodeDecodeError):
        raise Unreadable("it is neither UTF-8 text nor in an encoding it names") from None
    except OSError as error:
        raise Unreadable(error.strerror or "it cannot be read") from None
    except ValueError:
        raise Unreadable("its name is none a file can have") from None


def module_name(path: Path) -> str:
    """The dotted name a file is imported by: the folders around it that are packages."""
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").exists() and folder != folder.parent:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.stem


def shown(path: Path, root: Path) -> str:
    """A path as a report shows it."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def _file(stem: Path) -> Path | None:
    files = (stem.with_name(f"{stem.name}.py"), stem / "__init__.py")
    return next((path for path in files if path.is_file()), None)
