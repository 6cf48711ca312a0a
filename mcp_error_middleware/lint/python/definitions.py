"""Entries in, the definitions a client would see out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, Final

from mcp_error_middleware.lint.model import UNKNOWN, Definition, Kind, Location
from mcp_error_middleware.lint.python.arms import arms
from mcp_error_middleware.lint.python.expressions import own_nodes
from mcp_error_middleware.lint.python.module import Function, Module, Scope, constant, module_of, path_of
from mcp_error_middleware.lint.python.project import Project
from mcp_error_middleware.lint.python.schema import Reader
from mcp_error_middleware.lint.python.servers import PLAIN, Entry, keyword

_HINTS: Final = {
    "title": "title",
    "read_only_hint": "readOnlyHint",
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}
_TYPES: Final[dict[str, Kind]] = {
    "Tool": "tool",
    "Resource": "resource",
    "ResourceTemplate": "template",
    "Prompt": "prompt",
}
_TOOL: Final = frozenset({"mcp.Tool", "mcp.types.Tool", "mcp_types.Tool"})
_SCHEMA: Final = re.compile(r"inputSchema|input_schema")
_WIRE: Final = {
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
    "mime_type": "mimeType",
    "meta": "_meta",
    "uriTemplate": "uri",
    "uri_template": "uri",
}
"""Python's names of the parts of a definition that have another on the wire."""


def definitions(entry: Entry, project: Project) -> Iterator[Definition]:
    """What an entry defines: itself, or what a low-level list handler lists."""
    if entry.kind in PLAIN:
        yield _own(entry, project)
    elif entry.kind.startswith("list_"):
        yield from _listed(entry, project)


def _own(entry: Entry, project: Project) -> Definition:
    function, call, scope = entry.function, entry.call, entry.scope
    reader = Reader(project)
    described = _description(entry, scope, project)
    uri = _uri(entry, scope)
    kind: Kind = "template" if entry.kind == "resource" and _is_template(uri) else entry.kind  # type: ignore[assignment]
    place = _name_location(entry)
    return Definition(
        kind=kind,
        name=_name(entry, scope, project),
        location=place,
        title=_said(call, scope, "title"),
        description=described,
        input_schema=UNKNOWN if _is_wrapper(function) else reader.parameters(function, "inputSchema"),
        output_schema=_output(entry, scope, reader) if kind == "tool" else None,
        annotations=_annotations(keyword(call, "annotations"), scope),
        uri=uri,
        mime_type=_said(call, scope, "mime_type"),
        meta=_said(call, scope, "meta"),
        version=_said(call, scope, "version"),
        stack=entry.stack,
        server=entry.server,
        parts=reader.parts | _parts(entry),
        arms=arms(entry.call or function.node, module_of(scope)),
    )


def _listed(entry: Entry, project: Project) -> Iterator[Definition]:
    for call, scope in _made(entry, project):
        root, _, name = path_of(call.func, scope).rpartition(".")
        if name in _TYPES and root.startswith("mcp"):
            yield _low_level(call, _TYPES[name], entry.server, scope)


def _made(entry: Entry, project: Project) -> Iterator[tuple[ast.Call, Scope]]:
    """The calls in a list handler and in what it calls, and those behind the names it lists."""
    function = entry.function
    for call in function.nodes(ast.Call):
        yield call, function
        if (called := project.called(call, function)) is not None:
            yield from ((each, called) for each in called.nodes(ast.Call))
    for name in function.nodes(ast.Name):
        yield from _held(name, function, project)


def _held(name: ast.expr, scope: Scope, project: Project, hops: int = 3) -> Iterator[tuple[ast.Call, Scope]]:
    """The calls a name stands for: `SHIP = Tool(...)`, `TOOLS = [SHIP, Tool(...), *MORE]`."""
    name = name.value if isinstance(name, ast.Starred) else name
    found = project.find(path_of(name, scope), module_of(scope)) or (
        scope.binding(name.id) if isinstance(name, ast.Name) else None
    )
    match found if hops else None:
        case (ast.Call() as call, where):
            yield call, where
        case (ast.List(elts=values) | ast.Tuple(elts=values), where):
            for value in values:
                if isinstance(value, ast.Call):
                    yield value, where
                else:
                    yield from _held(value, where, project, hops - 1)
        case _:
            pass


def written(module: Module) -> Iterator[Definition]:
    """The tools a module makes with the protocol's own type; which server lists them is not known."""
    if not _SCHEMA.search(module.text):
        return
    for call, scope in _calls(module):
        if path_of(call.func, scope) in _TOOL and any(
            _SCHEMA.fullmatch(each.arg or "") for each in call.keywords
        ):
            yield _low_level(call, "tool", "", scope)


def _calls(module: Module) -> Iterator[tuple[ast.Call, Scope]]:
    for node in own_nodes(module.tree.body):
        if isinstance(node, ast.Call):
            yield node, module
    for function in module.functions:
        yield from ((call, function) for call in function.nodes(ast.Call))


def _low_level(call: ast.Call, kind: Kind, server: str, scope: Scope) -> Definition:
    module = module_of(scope)
    said = {each.arg: _literal(each.value, scope) for each in call.keywords if each.arg}
    unpacked = UNKNOWN if any(each.arg is None for each in call.keywords) else None
    return Definition(
        kind=kind,
        name=said.get("name", unpacked),
        location=module.at(call.func),
        title=said.get("title", unpacked),
        description=said.get("description", unpacked),
        input_schema=_either(said, "inputSchema", "input_schema", unpacked),
        output_schema=_either(said, "outputSchema", "output_schema", unpacked),
        annotations=_annotations(keyword(call, "annotations"), scope),
        uri=_either(said, "uri", "uriTemplate", said.get("uri_template", unpacked)),
        mime_type=_either(said, "mimeType", "mime_type", unpacked),
        meta=_either(said, "_meta", "meta", unpacked),
        stack="mcp",
        server=server,
        arms=arms(call, module),
        parts={
            pointer: module.at(node)
            for each in call.keywords
            if each.arg
            for pointer, node in _written(_WIRE.get(each.arg, each.arg), each.value)
        },
    )


def _written(pointer: str, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """A value and what is written inside of it, at the keys of dictionaries."""
    yield pointer, value
    match value:
        case ast.Dict(keys=keys, values=values):
            for key, inner in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield from _written(f"{pointer}.{key.value}", inner)
                    yield f"{pointer}.{key.value}", key
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for number, inner in enumerate(elements):
                yield from _written(f"{pointer}[{number}]", inner)
        case _:
            pass


def _either(said: dict[str, Any], first: str, second: str, otherwise: Any) -> Any:
    return said.get(first, said.get(second, otherwise))


def _said(call: ast.Call | None, scope: Scope, name: str, otherwise: Any = None) -> Any:
    """A keyword's value; what an absent one means; UNKNOWN if it has to be run."""
    value = keyword(call, name)
    if value is None:
        has_more = call is not None and any(each.arg is None for each in call.keywords)
        return otherwise if otherwise or not has_more else UNKNOWN
    try:
        said = constant(value, scope)
    except ValueError:
        return UNKNOWN
    return otherwise if said is None else said


def _name(entry: Entry, scope: Scope, project: Project) -> Any:
    said = _said(entry.call, scope, "name", "")
    if said == "" and (first := _positional(entry, project)):
        said = _literal(first[0], scope)
        said = said if isinstance(said, str) or said is UNKNOWN else ""
    if said == "" and keyword(entry.call, "name") is not None:
        return said
    return said or (UNKNOWN if _is_wrapper(entry.function) else entry.function.name)


def _description(entry: Entry, scope: Scope, project: Project) -> Any:
    written = ast.get_docstring(entry.function.node)
    # What is behind the name is the title or the description, by the SDK's version.
    hidden = _is_wrapper(entry.function) or len(_positional(entry, project)) > 1
    return _said(entry.call, scope, "description", written or (UNKNOWN if hidden else None))


def _positional(entry: Entry, project: Project) -> list[ast.expr]:
    """What a decorator is given by position: a name and what is behind it; not the function itself."""
    if entry.call is None or entry.kind == "resource":
        return []
    args = entry.call.args
    return args[1:] if args and project.function(args[0], entry.scope) is entry.function else args


def _is_wrapper(function: Function) -> bool:
    """Whether it shows the name, the docstring and the parameters of another function."""
    targets = (each.func if isinstance(each, ast.Call) else each for each in function.decorators)
    return any(path_of(each, function).rpartition(".")[2] == "wraps" for each in targets)


def _uri(entry: Entry, scope: Scope) -> Any:
    if entry.kind != "resource":
        return None
    value = keyword(entry.call, "uri") or (entry.call.args[0] if entry.call and entry.call.args else None)
    try:
        return constant(value, scope)
    except ValueError:
        return UNKNOWN


def _is_template(uri: Any) -> bool:
    return isinstance(uri, str) and "{" in uri


def _output(entry: Entry, scope: Scope, reader: Reader) -> Any:
    said = _said(entry.call, scope, "output_schema", "")
    if said != "":
        return said
    schema = reader.schema(entry.function.node.returns, entry.function, "outputSchema")
    return schema if schema.get("properties") else UNKNOWN


def _annotations(value: ast.expr | None, scope: Scope) -> Any:
    match value:
        case None:
            return None
        case ast.Call(keywords=keywords) if path_of(value.func, scope).endswith("ToolAnnotations"):
            return {
                _HINTS.get(each.arg, each.arg): _literal(each.value, scope) for each in keywords if each.arg
            }
        case ast.Dict(keys=keys, values=values):
            named = [
                (str(key.value), each)
                for key, each in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
            ]
            return {_HINTS.get(name, name): _literal(each, scope) for name, each in named}
        case _:
            return UNKNOWN


def _literal(value: ast.expr, scope: Scope) -> Any:
    try:
        return constant(value, scope)
    except ValueError:
        return UNKNOWN


def _name_location(entry: Entry) -> Location:
    """The `def` line, up to the end of the name."""
    module: Module = entry.function.module
    node = entry.function.node
    place = module.at(node)
    column = place.text.find(node.name, place.column - 1) + 1 or place.column
    return Location(place.path, place.line, column, place.line, column + len(node.name), place.text)


def _parts(entry: Entry) -> dict[str, Location]:
    if entry.call is None:
        return {}
    module = module_of(entry.scope)
    found = {_WIRE.get(each.arg, each.arg): module.at(each.value) for each in entry.call.keywords if each.arg}
    if entry.kind == "resource" and entry.call.args:
        found.setdefault("uri", module.at(entry.call.args[0]))
    return found
