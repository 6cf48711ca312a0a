"""Do not block the event loop.

While an async handler waits in a blocking call, no other request is answered, no ping, no cancellation. Use
the async way, or hand it to a thread: `await asyncio.to_thread(...)`.

Bad:

    import time
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def wait() -> str:
        time.sleep(5)
        return "done"

Bad, in a function that it calls:

    import requests
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    def fetch(order: str) -> str:
        return requests.get(f"https://prices.example.com/{order}", timeout=5).text

    @mcp.tool
    async def price(order: str) -> str:
        return fetch(order)

Good:

    import asyncio
    import requests
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    def fetch(order: str) -> str:
        return requests.get(f"https://prices.example.com/{order}", timeout=5).text

    @mcp.tool
    async def price(order: str) -> str:
        await asyncio.sleep(1)
        return await asyncio.to_thread(fetch, order)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler

_VERBS: Final = ("get", "post", "put", "patch", "delete", "head", "options", "request")
_BLOCKING: Final = {
    "time.sleep": "await asyncio.sleep(...)",
    "os.system": "await asyncio.create_subprocess_shell(...)",
    **{
        f"subprocess.{name}": "await asyncio.create_subprocess_exec(...)"
        for name in ("run", "call", "check_call", "check_output", "getoutput", "getstatusoutput")
    },
    "urllib.request.urlopen": "await asyncio.to_thread(...) or an async client",
    **{f"requests.{verb}": "an async client such as httpx.AsyncClient" for verb in _VERBS},
    **{f"requests.Session.{verb}": "an async client such as httpx.AsyncClient" for verb in _VERBS},
    **{f"httpx.{verb}": "httpx.AsyncClient" for verb in (*_VERBS, "stream")},
    **{f"httpx.Client.{verb}": "httpx.AsyncClient" for verb in _VERBS},
    "socket.create_connection": "await asyncio.open_connection(...)",
    "builtins.input": "elicitation: await ctx.elicit(...)",
}


@rule(Severity.WARNING)
def check(handler: Handler) -> Iterator[Problem]:
    if not handler.on_loop:
        return
    for call in handler.nodes(ast.Call):
        path = handler.path(call.func) or _method(call, handler)
        if (instead := _BLOCKING.get(path)) is not None:
            message = f"{path.removeprefix('builtins.')} blocks the event loop; use {instead}."
            yield handler.problem(call, message)


def _method(call: ast.Call, handler: Handler) -> str:
    if not isinstance(call.func, ast.Attribute):
        return ""
    owner = handler.project.type_of(call.func.value, handler.function)
    return f"{owner}.{call.func.attr}" if owner else ""
