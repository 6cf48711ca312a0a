"""The client of FastMCP 4: <era> <requests as JSON> <URL or command>."""

import asyncio
import json
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import MCPError


async def main(era: str, requests: str, *target: str) -> None:
    server: Any = StdioTransport(target[0], [*target[1:]]) if target[1:] else target[0]
    async with Client(server, mode="legacy" if era == "2025-11-25" else era) as client:
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
    except MCPError as raised:
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
