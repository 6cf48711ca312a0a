"""Annotations in, the JSON Schema an SDK would make of them out; what cannot be told is `{}`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_error_middleware.lint.model import Location
from mcp_error_middleware.lint.python.module import Function, Scope, constant, module_of, path_of
from mcp_error_middleware.lint.python.project import Project

Schema = dict[str, Any]

_PLAIN: Final[dict[str, Schema]] = {
    "builtins.str": {"type": "string"},
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.bool": {"type": "boolean"},
    "builtins.dict": {"type": "object"},
    "builtins.list": {"type": "array", "items": {}},
    "builtins.tuple": {"type": "array", "items": {}},
    "builtins.set": {"type": "array", "items": {}, "uniqueItems": True},
    "builtins.bytes": {"type": "string", "format": "binary"},
    "typing.Dict": {"type": "object"},
    "typing.List": {"type": "array", "items": {}},
    "datetime.datetime": {"type": "string", "format": "date-time"},
    "datetime.date": {"type": "string", "format": "date"},
    "datetime.time": {"type": "string", "format": "time"},
    "datetime.timedelta": {"type": "string", "format": "duration"},
    "uuid.UUID": {"type": "string", "format": "uuid"},
    "pathlib.Path": {"type": "string", "format": "path"},
    "pydantic.EmailStr": {"type": "string", "format": "email"},
    "pydantic.AnyUrl": {"type": "string", "format": "uri"},
    "pydantic.HttpUrl": {"type": "string", "format": "uri"},
    "pydantic.AnyHttpUrl": {"type": "string", "format": "uri"},
}
_ARRAYS: Final = frozenset(
    "builtins.list builtins.set builtins.frozenset typing.List typing.Set typing.Sequence typing.Iterable "
    "collections.abc.Sequence collections.abc.Iterable".split()
)
_MAPPINGS: Final = frozenset(
    "builtins.dict typing.Dict typing.Mapping collections.abc.Mapping collections.abc.MutableMapping".split()
)
_FIELD_KEYS: Final = {
    "description": "description",
    "title": "title",
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "examples": "examples",
}
_INJECTED: Final = re.compile(r"(^|\.)(Context|Depends|Resolve|CurrentContext|ServerRequestContext)$")
_DEPTH: Final = 12


@dataclass(slots=True)
class Reader:
    """Reads annotations as seen from one scope, and remembers where each part stands."""

    project: Project
    parts: dict[str, Location] = field(default_factory=dict)
    reading: list[ast.ClassDef] = field(default_factory=list)
    """The classes around what is read now; one that holds itself is not entered again."""

    def parameters(self, function: Function, root: str) -> Schema:
        """The object schema of a function's parameters."""
        documented = documented_parameters(ast.get_docstring(function.node) or "")
        properties: Schema = {}
        required: list[str] = []
        for parameter, default in _with_defaults(function):
            if _is_injected(parameter, default, function):
                continue
            pointer = f"{root}.properties.{parameter.arg}"
            self.parts[pointer] = function.module.at(parameter)
            schema = self.schema(parameter.annotation, function, pointer)
            schema |= self._field(default, function)
            if parameter.arg in documented:
                schema.setdefault("description", documented[parameter.arg])
            properties[parameter.arg] = schema
            if default is None or _is_required_field(default, function):
                required.append(parameter.arg)
        schema = {"type": "object", "properties": properties} | ({"required": required} if required else {})
        return schema | ({"additionalProperties": True} if function.node.args.kwarg else {})

    def schema(self, annotation: ast.expr | None, scope: Scope, pointer: str, depth: int = _DEPTH) -> Schema:
        """The schema of one annotation."""
        if annotation is None or not depth:
            return {}
        match annotation:
            case ast.Constant(value=None):
                return {"type": "null"}
            case ast.Constant(value=str(text)):
                return self._quoted(text, scope, pointer, depth)
            case ast.BinOp(op=ast.BitOr()):
                branches = [self.schema(each, scope, pointer, depth - 1) for each in _union(annotation)]
                return {"anyOf": branches}
            case ast.Subscript(value=value, slice=inner):
                return self._generic(path_of(value, scope), inner, scope, pointer, depth)
            case _:
                return self._named(annotation, scope, pointer, depth)

    def _quoted(self, text: str, scope: Scope, pointer: str, depth: int) -> Schema:
        try:
            parsed = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            return {}
        return self.schema(parsed, scope, pointer, depth - 1)

    def _generic(self, path: str, inner: ast.expr, scope: Scope, pointer: str, depth: int) -> Schema:
        arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        name = path.rpartition(".")[2]
        if name == "Annotated" and arguments:
            schema = self.schema(arguments[0], scope, pointer, depth - 1)
            for extra in arguments[1:]:
                schema |= self._extra(extra, scope)
            return schema
        if name == "Literal":
            return _enum(arguments, scope)
        if name == "Optional":
            return {"anyOf": [self.schema(inner, scope, pointer, depth - 1), {"type": "null"}]}
        if name == "Union":
            return {"anyOf": [self.schema(each, scope, pointer, depth - 1) for each in arguments]}
        if path in _ARRAYS:
            items = self.schema(arguments[0], scope, f"{pointer}.items", depth - 1)
            return {"type": "array", "items": items}
        if path in _MAPPINGS:
            return {"type": "object"}
        return {}

    def _named(self, annotation: ast.expr, scope: Scope, pointer: str, depth: int) -> Schema:
        path = path_of(annotation, scope)
        if path in _PLAIN:
            return dict(_PLAIN[path])
        found = self.project.find(path, module_of(scope)) if path else None
        match found:
            case (ast.ClassDef() as node, where):
                return self._class(node, where, pointer, depth)
            case (ast.expr() as alias, where):
                return self.schema(alias, where, pointer, depth - 1)
            case _:
                return {}

    def _class(self, node: ast.ClassDef, scope: Scope, pointer: str, depth: int) -> Schema:
        bases = [path_of(base, scope) for base in node.bases]
        if any(base.startswith("enum.") for base in bases):
            values = [each.value for each in node.body if isinstance(each, ast.Assign)]
            return _enum(values, scope)
        is_record = any(base.endswith(("BaseModel", "TypedDict")) for base in bases)
        if not (is_record or any("dataclass" in ast.unparse(each) for each in node.decorator_list)):
            return {}
        if node in self.reading:
            return {"type": "object"}
        self.reading.append(node)
        fields = self._fields(node, scope, pointer, depth)
        self.reading.pop()
        return {"type": "object"} | fields

    def _fields(self, node: ast.ClassDef, scope: Scope, pointer: str, depth: int) -> Schema:
        properties: Schema = {}
        required: list[str] = []
        for each in node.body:
            if not (isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)):
                continue
            name = each.target.id
            if name.startswith("_") or "ClassVar" in ast.unparse(each.annotation) or name == "model_config":
                continue
            inner = f"{pointer}.properties.{name}"
            self.parts[inner] = module_of(scope).at(each)
            schema = self.schema(each.annotation, scope, inner, depth - 1)
            properties[name] = schema | self._field(each.value, scope)
            if each.value is None or _is_required_field(each.value, scope):
                required.append(name)
        described = {"description": text} if (text := ast.get_docstring(node)) else {}
        return described | {"properties": properties} | ({"required": required} if required else {})

    def _extra(self, value: ast.expr, scope: Scope) -> Schema:
        """What stands behind the type in `Annotated` says: `Field(...)`, or a bare string."""
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return {"description": value.value}
        return self._field(value, scope)

    def _field(self, value: ast.expr | None, scope: Scope) -> Schema:
        """What `Field(...)` says, or a name it is bound to."""
        match value:
            case ast.Name(id=name):
                return self._named_field(name, scope)
            case ast.Call(keywords=keywords) if path_of(value.func, scope).rpartition(".")[2] in (
                "Field",
                "Doc",
            ):
                said = {"description": _text(value.args[0], scope)} if _is_doc(value, scope) else {}
                return said | {
                    _FIELD_KEYS[each.arg]: _text(each.value, scope)
                    for each in keywords
                    if each.arg in _FIELD_KEYS
                }
            case _:
                return {}

    def _named_field(self, name: str, scope: Scope) -> Schema:
        found = scope.binding(name)
        if found and isinstance(found[0], str):
            found = self.project.find(found[0], module_of(scope))
            if found is None:
                # From another package: it may say anything.
                return {"description": name}
        return self._field(found[0], found[1]) if found and isinstance(found[0], ast.Call) else {}


def _with_defaults(function: Function) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    arguments = function.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = [None] * (len(positional) - len(arguments.defaults))
    defaults: dict[ast.arg, ast.expr | None] = {
        **dict(zip(positional, [*missing, *arguments.defaults], strict=True)),
        **dict(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)),
    }
    return ((parameter, defaults[parameter]) for parameter in function.parameters)


def _is_injected(parameter: ast.arg, default: ast.expr | None, scope: Scope) -> bool:
    """Whether the SDK fills it in, so that no client sees it."""
    names = [
        path_of(each, scope) or ast.unparse(each)
        for said in (parameter.annotation, default)
        for each in (ast.walk(said) if said is not None else ())
        if isinstance(each, ast.Name | ast.Attribute | ast.Constant)
    ]
    return any(_INJECTED.search(name.strip("'\"")) for name in names)


def _is_required_field(value: ast.expr, scope: Scope) -> bool:
    if not (isinstance(value, ast.Call) and path_of(value.func, scope).endswith("Field")):
        return False
    given = value.args[0] if value.args else None
    has_default = any(each.arg in ("default", "default_factory") for each in value.keywords)
    return not has_default and (given is None or (isinstance(given, ast.Constant) and given.value is ...))


def _is_doc(call: ast.Call, scope: Scope) -> bool:
    return bool(call.args) and path_of(call.func, scope).endswith("Doc")


def _text(value: ast.expr, scope: Scope) -> Any:
    """The literal; for what has to be run, its source: something is said, whatever it is."""
    try:
        return constant(value, scope)
    except ValueError:
        return ast.unparse(value)


def _union(annotation: ast.expr) -> list[ast.expr]:
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return [*_union(annotation.left), *_union(annotation.right)]
    return [annotation]


def _enum(values: list[ast.expr], scope: Scope) -> Schema:
    try:
        found = [constant(value, scope) for value in values]
    except ValueError:
        return {"type": "string"}
    kinds = {type(value) for value in found}
    named = {str: "string", int: "integer", bool: "boolean"}
    return {"enum": found} | ({"type": named[kinds.pop()]} if len(kinds) == 1 and kinds <= set(named) else {})


_SECTION: Final = re.compile(r"^\s*(Args|Arguments|Parameters|Params)\s*:?\s*$", re.IGNORECASE)
_LISTED: Final = re.compile(
    r"^\s*(?:[-*]\s+)?(?:`+|\*\*)?(\w+)(?:`+|\*\*)?\s*(?:\([^)]*\))?\s*(?::|-|–)\s*(\S.*)$"
)
_SPHINX: Final = re.compile(r"^\s*:param\s+(?:\S+\s+)?(\w+)\s*:\s*(.*)$")
_NUMPY: Final = re.compile(r"^(\w+)\s*:\s*\S")


def documented_parameters(docstring: str) -> dict[str, str]:
    """The parameters a docstring describes: Google's, NumPy's and Sphinx's ways."""
    found: dict[str, str] = {}
    inside = False
    for line in docstring.splitlines():
        if sphinx := _SPHINX.match(line):
            found[sphinx[1]] = sphinx[2]
        elif _SECTION.match(line):
            inside = True
        elif inside and (listed := _LISTED.match(line)):
            found.setdefault(listed[1], listed[2])
        elif inside and (numpy := _NUMPY.match(line)):
            found.setdefault(numpy[1], line)
    return found
