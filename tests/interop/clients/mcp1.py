"""The client of mcp 1.x: <era> <requests as JSON> <URL or command>."""

import asyncio
import json
import sys
from importlib import import_module
from typing import Any

mcp: Any = import_module("mcp")
http: Any = import_module("mcp.client.streamable_http")


async def main(era: str, requests: str, *target: str) -> None:
    if target[1:]:
        transport = mcp.stdio_client(mcp.StdioServerParameters(command=target[0], args=[*target[1:]]))
    else:
        transport = http.streamable_http_client(target[0])
    async with transport as streams, mcp.ClientSession(*streams[:2]) as session:
        await session.initialize()
        await session.list_tools()
        print(json.dumps([await ask(session, *request) for request in json.loads(requests)]))


async def ask(session: Any, method: str, target: str, arguments: Any) -> Any:
    try:
        match method:
            case "tools/call":
                result = await session.call_tool(target, arguments)
            case "resources/read":
                result = await session.read_resource(target)
            case _:
                result = await session.get_prompt(target)
    except mcp.McpError as raised:
        return {"error": raised.error.model_dump()}
    return {"result": result.model_dump(mode="json", by_alias=True)}


asyncio.run(main(*sys.argv[1:]))
