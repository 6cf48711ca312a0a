"""Entries in, every function that runs for them out: the subject of the rules on bodies."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from mcp_error_middleware.lint.model import Location, Problem
from mcp_error_middleware.lint.python.expressions import is_caught
from mcp_error_middleware.lint.python.module import Function, Node, Scope, path_of
from mcp_error_middleware.lint.python.project import Project
from mcp_error_middleware.lint.python.servers import Entry


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """A function that runs when a server is called: a handler, or one of the package that it reaches."""

    function: Function
    entry: Entry
    """The handler it runs for, or one of them."""
    project: Project
    answers: bool = False
    """Whether what it returns is the answer."""
    on_loop: bool = False
    """Whether it runs on the event loop."""
    exposed: bool = True
    """Whether an error it raises can leave the server: on some way to it, no `try` keeps it."""
    awaited: bool = True
    """Whether the request waits for it, and cancels it with itself; not if it only runs as a task."""

    def nodes(self, kind: type[Node]) -> list[Node]:
        """The nodes of its body."""
        return self.function.nodes(kind)

    def path(self, expression: ast.AST | None) -> str:
        """The dotted path an expression names."""
        return path_of(expression, self.function)

    def at(self, node: ast.AST) -> Location:
        """Where a node stands."""
        return self.function.module.at(node)

    def problem(self, node: ast.AST, message: str) -> Problem:
        """A problem at a node."""
        return Problem(self.at(node), message)

    @property
    def answers_tools(self) -> bool:
        """Whether what it returns is the answer to a tool call."""
        return self.answers and self.entry.answers_tools


_TRAITS: Final = ("answers", "on_loop", "exposed", "awaited")
"""What is true of a function if it is on one of the ways to it."""
_ABOVE: Final = ("Exception", "BaseException")
_SPAWNING: Final = frozenset({"create_task", "ensure_future", "run_coroutine_threadsafe", "start_soon"})


def handlers(found: Iterable[Entry], project: Project) -> list[Handler]:
    """The entries and what they reach inside of the package, once each."""
    reached: dict[Function, Handler] = {}
    waiting = [
        Handler(entry.function, entry, project, answers=True, on_loop=entry.function.is_async)
        for entry in found
    ]
    while waiting:
        handler = waiting.pop()
        known = reached.get(handler.function)
        if known is not None:
            traits = {name: getattr(known, name) or getattr(handler, name) for name in _TRAITS}
            if all(getattr(known, name) == value for name, value in traits.items()):
                continue
            handler = replace(known, **traits)
        reached[handler.function] = handler
        waiting.extend(_steps(handler))
    return list(reached.values())


def _steps(handler: Handler) -> Iterator[Handler]:
    function, project = handler.function, handler.project
    returned, spawned = set(_returned_calls(function)), set(_spawned_calls(function))
    for call in function.nodes(ast.Call):
        if (called := project.called(call, function)) is not None:
            awaited = handler.awaited and call not in spawned
            yield replace(
                handler,
                function=called,
                answers=handler.answers and call in returned,
                on_loop=called.is_async or handler.on_loop,
                exposed=handler.exposed and awaited and not is_caught(_ABOVE, call, function),
                awaited=awaited,
            )
        # Handed on to be called elsewhere: in a thread, by a pool, by a retry.
        for argument in call.args:
            if (
                isinstance(argument, ast.Name)
                and (handed := project.function(argument, function)) is not None
            ):
                yield replace(handler, function=handed, answers=False, on_loop=handed.is_async)
    if function is handler.entry.function:
        yield from _wrappers(handler)


def _wrappers(handler: Handler) -> Iterator[Handler]:
    """What the entry's own decorators put around it."""
    function = handler.function
    scope: Scope = function.around or function.module
    for decorator in function.decorators:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        outer = handler.project.function(target, scope)
        if outer is not None:
            for inner in outer.module.functions:
                if _is_inside(inner, outer):
                    yield replace(handler, function=inner, answers=True, on_loop=inner.is_async)


def _is_inside(inner: Function, outer: Function) -> bool:
    scope = inner.around
    while scope is not None:
        if scope is outer:
            return True
        scope = scope.around
    return False


def _spawned_calls(function: Function) -> Iterator[ast.Call]:
    """Coroutines that are made for a task of their own: `create_task(loop())`."""
    for call in function.nodes(ast.Call):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in _SPAWNING:
            yield from (argument for argument in call.args if isinstance(argument, ast.Call))


def _returned_calls(function: Function) -> Iterator[ast.Call]:
    for node in function.nodes(ast.Return):
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Call):
            yield value
