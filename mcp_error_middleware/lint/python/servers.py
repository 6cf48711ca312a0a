"""A module in, the handlers it registers on MCP servers out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from mcp_error_middleware.lint.python.module import (
    Function,
    Module,
    Scope,
    constant,
    module_of,
    path_of,
)
from mcp_error_middleware.lint.python.project import Project

SDKS: Final = frozenset({"mcp", "fastmcp"})
"""Packages whose classes serve; FastMCP's and the official ones."""
PLAIN: Final = frozenset({"tool", "resource", "prompt"})
LOW_LEVEL: Final = frozenset(
    """call_tool list_tools list_resources list_resource_templates read_resource list_prompts get_prompt
    completion subscribe_resource unsubscribe_resource set_logging_level""".split()
)
_ADDING: Final = {"add_tool": "tool", "add_prompt": "prompt", "add_resource_fn": "resource"}
DECORATING: Final = PLAIN | LOW_LEVEL
"""The methods of servers that take the handler below them."""
_METHODS: Final = {
    "tools/call": "call_tool",
    "tools/list": "list_tools",
    "resources/read": "read_resource",
    "resources/list": "list_resources",
    "prompts/get": "get_prompt",
    "prompts/list": "list_prompts",
    "completion/complete": "completion",
}
_ANYTHING: Final = frozenset({"typing.Any", "builtins.object"})
_SERVERS_NAME: Final = re.compile(r"mcp|server", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A function that a server calls on a request."""

    function: Function
    kind: str
    """`tool`, `resource`, `prompt`, or what a low-level server calls it: `call_tool`, ..."""
    server: str = ""
    """Which server: the same for all entries of one."""
    stack: str = ""
    call: ast.Call | None = None
    """The decorator's or the registration's call, with its keywords."""
    scope: Scope = field(default_factory=Scope)
    """Where that call stands."""

    @property
    def answers_tools(self) -> bool:
        """Whether what it returns is the answer to a tool call."""
        return self.kind in ("tool", "call_tool")


def entries(module: Module, project: Project) -> list[Entry]:
    """Every handler a module registers, once each."""
    found: dict[Function, Entry] = {}
    for function in module.functions:
        for decorator in function.decorators:
            for entry in _decorated(function, decorator, project):
                found.setdefault(function, entry)
    for call, scope in module.calls:
        for entry in _registered(call, scope, project):
            found.setdefault(entry.function, entry)
    return list(found.values())


def _decorated(function: Function, decorator: ast.expr, project: Project) -> Iterator[Entry]:
    scope = function.around or function.module
    call = decorator if isinstance(decorator, ast.Call) else None
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    match target:
        case ast.Attribute(value=receiver, attr=kind) if kind in PLAIN or (kind in LOW_LEVEL and call):
            if (server := _server(receiver, scope, project)) is not None:
                yield Entry(function, kind, *server, call, scope)
        case ast.Name():
            root, _, rest = path_of(target, scope).partition(".")
            if root == "fastmcp" and (kind := rest.rpartition(".")[2]) in PLAIN:
                yield Entry(function, kind, _module_key(scope), "fastmcp", call, scope)
        case _:
            pass


def _registered(call: ast.Call, scope: Scope, project: Project) -> Iterator[Entry]:
    match call.func:
        case ast.Call(func=ast.Attribute(value=receiver, attr=kind)) as inner if kind in PLAIN:
            yield from _added(kind, receiver, call.args[:1], inner, scope, project)
        case ast.Attribute(value=receiver, attr=kind) if kind in PLAIN or kind in _ADDING:
            yield from _added(_ADDING.get(kind, kind), receiver, call.args[:1], call, scope, project)
        case ast.Attribute(attr="add_request_handler") if len(call.args) > 2:
            method = call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
            if named := _METHODS.get(str(method)):
                yield from _handler(named, call.args[2], call, scope, project)
        case _ if path_of(call.func, scope).partition(".")[0] in SDKS:
            for keyword in call.keywords:
                if keyword.arg and keyword.arg.removeprefix("on_") in LOW_LEVEL:
                    kind = keyword.arg.removeprefix("on_")
                    yield from _handler(kind, keyword.value, call, scope, project)
        case _:
            pass


def _added(
    kind: str, receiver: ast.expr, args: list[ast.expr], call: ast.Call, scope: Scope, project: Project
) -> Iterator[Entry]:
    server = _server(receiver, scope, project) if args else None
    if server is None:
        return
    for expression in _each(args[0], scope):
        made = expression if isinstance(expression, ast.Call) and expression.args else None
        if made is not None and path_of(made.func, scope).endswith(".from_function"):
            expression, call = made.args[0], made
        if (function := project.function(expression, scope)) is not None:
            yield Entry(function, kind, *server, call, scope)


def _each(expression: ast.expr, scope: Scope) -> list[ast.expr]:
    """The expression, what a variable holds, or what a loop's variable runs over."""
    found = scope.binding(expression.id) if isinstance(expression, ast.Name) else None
    match found[0] if found else None:
        case ast.Tuple(elts=values) | ast.List(elts=values):
            return values
        case ast.Call() as made:
            return [made]
        case _:
            return [expression]


def _handler(kind: str, value: ast.expr, call: ast.Call, scope: Scope, project: Project) -> Iterator[Entry]:
    if (function := project.function(value, scope)) is not None:
        yield Entry(function, kind, _module_key(scope), "mcp", call, scope)


def _server(receiver: ast.expr, scope: Scope, project: Project) -> tuple[str, str] | None:
    """The key and the stack of the server an expression means; None if it is none."""
    name = receiver.attr if isinstance(receiver, ast.Attribute) else getattr(receiver, "id", "")
    kind = project.type_of(receiver, scope)
    if kind and kind not in _ANYTHING:
        stack = _stack(kind, scope, project)
        return (_key(receiver, name, scope), stack) if stack else None
    # Where it comes from cannot be told; people call it what it is.
    return (_key(receiver, name, scope), "") if _SERVERS_NAME.search(name) else None


def _stack(cls: str, scope: Scope, project: Project, hops: int = 8) -> str:
    root = cls.partition(".")[0]
    if root in SDKS:
        return "fastmcp" if root == "fastmcp" else "mcp"
    found = project.find(cls, module_of(scope)) if hops else None
    if found and isinstance(found[0], ast.ClassDef):
        bases = (path_of(base, found[1]) for base in found[0].bases)
        return next(filter(None, (_stack(base, found[1], project, hops - 1) for base in bases if base)), "")
    # A class of another package, named as servers are.
    return "" if not re.search("MCP", cls.rpartition(".")[2]) else "mcp"


def _module_key(scope: Scope) -> str:
    module = module_of(scope)
    return f"{module.home}:{module.name}"


def _key(receiver: ast.expr, name: str, scope: Scope) -> str:
    """The same for all that speak of one server: its home and its dotted name there."""
    module = module_of(scope)
    found = scope.binding(receiver.id) if isinstance(receiver, ast.Name) else None
    match found:
        case (str(imported), _):
            return f"{module.home}:{imported}"
        case (_, Function(name=owner)):
            # A parameter or a local: one server per function that makes it.
            return f"{module.home}:{module.name}.{owner}.{name}"
        case _:
            return f"{module.home}:{module.name}.{name}"


def keyword(call: ast.Call | None, *names: str) -> ast.expr | None:
    """The value of the first of these keywords a call has."""
    if call is None:
        return None
    return next((each.value for name in names for each in call.keywords if each.arg == name), None)


def transports(module: Module) -> set[str]:
    """The transports a module starts its server with, as far as they are written there."""
    found = set()
    for call, scope in module.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("run", "run_async"):
            value = keyword(call, "transport") or (call.args[0] if call.args else None)
            try:
                found.add(str(constant(value, scope)) if value is not None else "stdio")
            except ValueError:
                found.add("stdio")
    return found
