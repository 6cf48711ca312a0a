"""FastMCP 3 in, the same without spans of its own while a request of ours is served.

It makes one in every server a request passes through and one for every mount between them, each with the
exception as it was raised. Nothing can be told to leave them out but the names its functions call: so one
server, or one mount, gets copies of those functions that call other names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib import import_module
from types import FunctionType, MethodType
from typing import Any, Final

from opentelemetry.trace import INVALID_SPAN

from mcp_error_middleware.telemetry.operation import running

_CORES: Final = (
    "call_tool",
    "read_resource",
    "render_prompt",
    "list_tools",
    "list_resources",
    "list_resource_templates",
    "list_prompts",
)
"""The methods of a server that make a span."""

_MAKERS: Final = ("server_span", "delegate_span")
_MOUNTS: Final = "fastmcp.server.providers.fastmcp_provider"
_DEPTH: Final = 20


def quieten(server: Any) -> None:
    """Have this server, and all that are mounted in it now, make no span in a request of ours."""
    for found, mount in _tree(server):
        if mount is not None and type(mount) in (quiet := _quiet_mounts()):
            mount.__class__ = quiet[type(mount)]
        for name in _CORES:
            if name not in vars(found):
                vars(found)[name] = MethodType(_core(getattr(type(found), name)), found)


def restore(server: Any) -> None:
    """Give them their own functions back."""
    for found, mount in _tree(server):
        if mount is not None and (before := _loud_mounts().get(type(mount))) is not None:
            mount.__class__ = before
        for name in _CORES:
            if getattr(vars(found).get(name), "__func__", None) is _core(getattr(type(found), name)):
                del vars(found)[name]


def _tree(server: Any) -> Iterator[tuple[Any, Any]]:
    """A server without a mount, and every one below it with the mount that leads there."""
    waiting: list[tuple[Any, Any, int]] = [(server, None, 0)]
    seen: set[int] = set()
    while waiting:
        found, mount, depth = waiting.pop()
        if id(found) in seen or depth > _DEPTH:
            continue
        seen.add(id(found))
        if hasattr(found, "_mcp_server"):
            yield found, mount
        waiting += [_below(provider, depth) for provider in getattr(found, "providers", ())]


def _below(provider: Any, depth: int) -> tuple[Any, Any, int]:
    """What a provider leads to: out of its wrappings, the server it mounts or itself."""
    while (inner := getattr(provider, "_inner", None)) is not None:
        provider = inner
    server = getattr(provider, "server", None)
    return (provider, None, depth + 1) if server is None else (server, provider, depth + 1)


# --- copies ---------------------------------------------------------------------------------------


@cache
def _core(method: FunctionType) -> FunctionType:
    return _copied(method, _space(method.__globals__))


@cache
def _quiet_mounts() -> dict[type, type]:
    """The classes of mounts and of what they hand out, each as its own subclass."""
    module = vars(import_module(_MOUNTS))
    space = _space(module)
    own = [cls for cls in module.values() if isinstance(cls, type) and cls.__module__ == _MOUNTS]
    quiet: dict[type, type] = {}
    for cls in own:
        methods = {name: _copied(value, space) for name, value in vars(cls).items() if _makes(value, own)}
        quiet[cls] = space[cls.__name__] = type(cls)(
            cls.__name__, (cls,), {"__module__": cls.__module__, "__qualname__": cls.__qualname__, **methods}
        )
    return quiet


@cache
def _loud_mounts() -> dict[type, type]:
    return {quiet: loud for loud, quiet in _quiet_mounts().items()}


def _makes(value: object, classes: list[type]) -> bool:
    """Whether it makes a span, or something that will."""
    names = value.__code__.co_names if isinstance(value, FunctionType) else ()
    return any(name in names for name in (*_MAKERS, *[cls.__name__ for cls in classes]))


def _copied(function: FunctionType, space: dict[str, Any]) -> FunctionType:
    copy = FunctionType(
        function.__code__, space, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__doc__ = function.__qualname__, function.__doc__
    copy.__annotations__ = function.__annotations__
    return copy


def _space(names: dict[str, Any]) -> dict[str, Any]:
    """The names of a module, those that make spans being ours."""
    return {**names, **{name: _only_outside(names[name]) for name in _MAKERS if name in names}}


@cache
def _only_outside(span: Callable[..., AbstractContextManager[Any]]) -> Callable[..., Any]:
    """FastMCP's span, where no request is served: for calls from code."""

    @contextmanager
    def made(*args: Any, **kwargs: Any) -> Iterator[Any]:
        if running() is not None:
            yield INVALID_SPAN
            return
        with span(*args, **kwargs) as found:
            yield found

    return made
