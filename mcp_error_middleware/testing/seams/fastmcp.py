"""FastMCP 3.4+ and 4: one more transform, which hands out a copy whose handler is another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import anyio
from fastmcp import FastMCP
from fastmcp.server.transforms import Transform

from mcp_error_middleware.testing.seams import Kind, Undo, Wrap, unknown

_ENTRIES: Final = {"tool": "_run", "resource": "_read", "prompt": "_render"}
"""What the server calls, for components that are no function: of another server, of an API."""


def replace(server: FastMCP[Any], kind: Kind, name: str, wrap: Wrap) -> Undo:
    """Wrap the function of a tool, resource, template or prompt, also of a mounted server."""
    # Looking up is asynchronous, and a test may or may not be.
    with ThreadPoolExecutor(1) as thread:
        if not thread.submit(anyio.run, _is_there, server, kind, name).result():
            raise unknown(kind, name, thread.submit(anyio.run, _names, server, kind).result())
    transform = _Replaced(kind, name, wrap)
    server._transforms.append(transform)
    return lambda: server._transforms.remove(transform)


async def _is_there(server: FastMCP[Any], kind: Kind, name: str) -> bool:
    if kind == "tool":
        return await server.get_tool(name) is not None
    if kind == "prompt":
        return await server.get_prompt(name) is not None
    found = await server.get_resource(name) or await server.get_resource_template(name)
    return found is not None or name in await _names(server, kind)


async def _names(server: FastMCP[Any], kind: Kind) -> list[str]:
    if kind == "tool":
        return [tool.name for tool in await server.list_tools()]
    if kind == "prompt":
        return [prompt.name for prompt in await server.list_prompts()]
    uris = [str(resource.uri) for resource in await server.list_resources()]
    return uris + [template.uri_template for template in await server.list_resource_templates()]


class _Replaced(Transform):
    """Changes one component wherever the server looks it up."""

    def __init__(self, kind: Kind, name: str, wrap: Wrap) -> None:
        self.kind, self.name, self.wrap = kind, name, wrap

    async def get_tool(self, name: str, call_next: Any, *, version: Any = None) -> Any:
        return self._changed("tool", await call_next(name, version=version), name)

    async def get_prompt(self, name: str, call_next: Any, *, version: Any = None) -> Any:
        return self._changed("prompt", await call_next(name, version=version), name)

    async def get_resource(self, uri: str, call_next: Any, *, version: Any = None) -> Any:
        return self._changed("resource", await call_next(uri, version=version), uri)

    async def get_resource_template(self, uri: str, call_next: Any, *, version: Any = None) -> Any:
        template = await call_next(uri, version=version)
        return self._changed("resource", template, uri, getattr(template, "uri_template", None))

    def _changed(self, kind: Kind, component: Any, *names: str | None) -> Any:
        if component is None or kind != self.kind or self.name not in names:
            return component
        if hasattr(component, "fn"):
            return component.model_copy(update={"fn": self.wrap(component.fn)})
        copy, entry = component.model_copy(), _ENTRIES[kind]
        vars(copy)[entry] = self.wrap(getattr(component, entry), convert=component.convert_result)
        return copy
