"""The client of FastMCP 3 or 4, whichever is installed: <era> <requests as JSON> <URL or command>."""

import asyncio
import json
import sys
from typing import Any

import mcp
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

IS_NEW = hasattr(mcp, "MCPError")
Refused: Any = getattr(mcp, "MCPError" if IS_NEW else "McpError")


async def main(era: str, requests: str, *target: str) -> None:
    server: Any = StdioTransport(target[0], [*target[1:]]) if target[1:] else target[0]
    mode: Any = {"mode": "legacy" if era == "2025-11-25" else era} if IS_NEW else {}
    async with Client(server, **mode) as client:
        await client.list_tools()
        print(json.dumps([await ask(client, *request) for request in json.loads(requests)]))


async def ask(client: Any, method: str, target: str, arguments: Any) -> Any:
    try:
        match method:
            case "tools/call":
                result = await client.call_tool(target, arguments, raise_on_error=False)
            case "resources/read":
                result = await client.read_resource(target)
            case _:
                result = await client.get_prompt(target)
    except Refused as raised:
        return {"error": raised.error.model_dump()}
    return {
        "result": {
            "isError": result.is_error,
            "content": [block.model_dump() for block in result.content],
            "structuredContent": result.structured_content,
            "_meta": result.meta,
        }
    }


asyncio.run(main(*sys.argv[1:]))
