"""`MCPServer` of mcp 2.x and `FastMCP` of mcp 1.x: a handler is a field of what the server keeps by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_error_middleware.testing.seams import Kind, Undo, Wrap, unknown


def replace(server: Any, kind: Kind, name: str, wrap: Wrap) -> Undo:
    """Wrap the function of a tool, resource, template or prompt."""
    found = dict(_KEPT[kind](server))
    component = found.get(name) or next(_matching(found, name), None)
    if component is None:
        raise unknown(kind, name, list(found))
    if not hasattr(component, "fn"):
        return _shadow(component, read=wrap(component.read))
    return _shadow(component, fn=wrap(component.fn), **({"is_async": True} if kind == "tool" else {}))


def _tools(server: Any) -> Iterator[tuple[str, Any]]:
    return ((tool.name, tool) for tool in server._tool_manager.list_tools())


def _prompts(server: Any) -> Iterator[tuple[str, Any]]:
    return ((prompt.name, prompt) for prompt in server._prompt_manager.list_prompts())


def _resources(server: Any) -> Iterator[tuple[str, Any]]:
    manager = server._resource_manager
    yield from ((str(resource.uri), resource) for resource in manager.list_resources())
    yield from ((template.uri_template, template) for template in manager.list_templates())


_KEPT: Final = {"tool": _tools, "resource": _resources, "prompt": _prompts}


def _matching(found: dict[str, Any], uri: str) -> Iterator[Any]:
    """Templates this URI is one of."""
    return (template for template in found.values() if hasattr(template, "matches") and template.matches(uri))


def _shadow(component: Any, **fields: Any) -> Undo:
    """Set fields past the model's own checks."""
    own = vars(component)
    before = {name: own[name] for name in fields if name in own}
    own.update(fields)

    def undo() -> None:
        for name in fields:
            own.pop(name, None)
        own.update(before)

    return undo
