"""The low-level `Server`: one handler for all tools, which is asked for one of them by name.

In mcp 2.x it is an entry of a table; in mcp 1.x the SDK keeps it in the closure of a handler of its own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from mcp_error_middleware.testing.seams import Kind, Undo, Wrap

_METHODS: Final = {"tool": "tools/call", "resource": "resources/read", "prompt": "prompts/get"}
_REQUESTS: Final = {
    "tool": "CallToolRequest",
    "resource": "ReadResourceRequest",
    "prompt": "GetPromptRequest",
}


def replace(server: Any, kind: Kind, name: str, wrap: Wrap) -> Undo:
    """Wrap the handler where it is asked for this name."""
    return (_entry if hasattr(server, "middleware") else _cell)(server, kind, name, wrap)


def _entry(server: Any, kind: Kind, name: str, wrap: Wrap) -> Undo:
    handlers, method = server._request_handlers, _METHODS[kind]
    if (entry := handlers.get(method)) is None:
        raise _without(kind)
    faulty = _for_name(entry.handler, wrap, lambda ctx, params: _is_same(_target(params), name))
    handlers[method] = dataclasses.replace(entry, handler=faulty)
    return lambda: handlers.__setitem__(method, entry)


def _cell(server: Any, kind: Kind, name: str, wrap: Wrap) -> Undo:
    request = getattr(import_module("mcp.types"), _REQUESTS[kind])
    if request not in server.request_handlers:
        raise _without(kind)
    handler = server.request_handlers[request]
    cells = dict(zip(handler.__code__.co_freevars, handler.__closure__ or (), strict=True))
    cell = cells["func"]
    original = cell.cell_contents
    cell.cell_contents = _for_name(original, wrap, lambda target, *_: _is_same(target, name))
    return lambda: setattr(cell, "cell_contents", original)


def _for_name(handler: Any, wrap: Wrap, is_meant: Callable[..., bool]) -> Callable[..., Any]:
    faulty = wrap(handler)

    async def chosen(*args: Any) -> Any:
        return await (faulty(*args) if is_meant(*args) else handler(*args))

    return chosen


def _target(params: Any) -> object:
    return getattr(params, "uri", None) or getattr(params, "name", None)


def _is_same(target: object, name: str) -> bool:
    # A URI that went through pydantic may have gained a slash.
    return str(target).rstrip("/") == name.rstrip("/")


def _without(kind: Kind) -> LookupError:
    return LookupError(f"the server has no handler for {_METHODS[kind]}")
