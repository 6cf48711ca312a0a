"""The client of mcp 2.x: <era> <requests as JSON> <URL or command>."""

import asyncio
import json
import sys
from typing import Any

from mcp import Client, MCPError, StdioServerParameters


async def main(era: str, requests: str, *target: str) -> None:
    server = StdioServerParameters(command=target[0], args=[*target[1:]]) if target[1:] else target[0]
    async with Client(server, mode="legacy" if era == "2025-11-25" else era) as client:
        await client.list_tools()
        print(json.dumps([await ask(client, *request) for request in json.loads(requests)]))


async def ask(client: Client, method: str, target: str, arguments: Any) -> Any:
    try:
        match method:
            case "tools/call":
                result: Any = await client.call_tool(target, arguments)
            case "resources/read":
                result = await client.read_resource(target)
            case _:
                result = await client.get_prompt(target)
    except MCPError as raised:
        return {"error": raised.error.model_dump()}
    return {"result": result.model_dump(mode="json", by_alias=True)}


asyncio.run(main(*sys.argv[1:]))
