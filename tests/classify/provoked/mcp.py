"""Exceptions of the MCP SDK and of FastMCP."""

from __future__ import annotations

import asyncio
from typing import Any

from . import case
from .servers import HOST, Answer, answering, closed_port, origin


def _sdk_server() -> Any:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError

    server = MCPServer("provoked")

    @server.tool()
    def fetch(url: str, limit: int = 1) -> str:
        import httpx

        return httpx.get(url).raise_for_status().text

    @server.tool()
    def crash() -> str:
        return {}["missing"]

    @server.tool()
    def refuse() -> str:
        raise ToolError("cannot do that on a Sunday")

    @server.resource("order://{number}")
    def order(number: str) -> str:
        raise ResourceNotFoundError(f"no order {number}")

    return server


@case("NotFound", also=("InvalidParams", "MethodNotFound"))
def mcp_server_unknown_tool():
    asyncio.run(_sdk_server().call_tool("no_such_tool", {}))


@case("ValidationError", also=("InvalidParams",))
def mcp_server_arguments_invalid():
    asyncio.run(_sdk_server().call_tool("fetch", {"limit": "many"}))


@case("NotFound")
def mcp_server_tool_crashes_over_http_404():
    asyncio.run(_sdk_server().call_tool("fetch", {"url": answering(404)}))


@case("RateLimited", retryable=True, retry_after=8)
def mcp_server_tool_crashes_over_http_429():
    asyncio.run(_sdk_server().call_tool("fetch", {"url": answering(429, headers={"Retry-After": "8"})}))


@case("ServiceUnavailable", retryable=True)
def mcp_server_tool_crashes_over_refused_connection():
    asyncio.run(_sdk_server().call_tool("fetch", {"url": f"http://{HOST}:{closed_port()}/"}))


@case("InternalError")
def mcp_server_tool_crashes_over_key_error():
    asyncio.run(_sdk_server().call_tool("crash", {}))


@case("InternalError", also=("InvalidRequest", "ValidationError"))
def mcp_server_deliberate_tool_error():
    asyncio.run(_sdk_server().call_tool("refuse", {}))


@case("NotFound")
def mcp_server_resource_not_found():
    async def read():
        list(await _sdk_server().read_resource("order://7"))

    asyncio.run(read())


async def _with_client(use: Any) -> None:
    from mcp import Client

    problem: Exception | None = None
    async with Client(_sdk_server()) as client:
        try:
            await use(client)
        except Exception as error:
            problem = error
    if problem is not None:
        raise problem


@case("InvalidParams", also=("NotFound",))
def mcp_client_receives_invalid_params():
    asyncio.run(_with_client(lambda client: client.read_resource("nothing://here")))


@case("InternalError", also=("ValidationError", "NotFound"))
def mcp_client_receives_internal_error():
    asyncio.run(_with_client(lambda client: client.get_prompt("no_such_prompt")))


def _wire_error(code: int, message: str, data: Any = None) -> None:
    """Raise what the client makes of a JSON-RPC error response."""
    from mcp_types import JSONRPCError

    from mcp import MCPError

    error = {"code": code, "message": message} | ({"data": data} if data is not None else {})
    response = JSONRPCError.model_validate({"jsonrpc": "2.0", "id": 1, "error": error})
    raise MCPError.from_jsonrpc_error(response)


@case("MethodNotFound")
def mcp_wire_method_not_found():
    _wire_error(-32601, "Method not found")


@case("ParseError")
def mcp_wire_parse_error():
    _wire_error(-32700, "Parse error: expected value at line 1")


@case("InvalidRequest")
def mcp_wire_invalid_request():
    _wire_error(-32600, "Invalid Request: timeout not found")


@case("InternalError")
def mcp_wire_internal_error():
    _wire_error(-32603, "Internal error")


@case("Timeout", retryable=True)
def mcp_wire_request_timeout():
    _wire_error(-32001, "Timed out while waiting for response to ClientRequest. Waited 5.0 seconds.")


@case("ServiceUnavailable", retryable=True)
def mcp_wire_connection_closed():
    _wire_error(-32000, "Connection closed")


@case("InvalidRequest")
def mcp_missing_client_capability():
    _wire_error(-32021, "Missing required client capability", {"requiredCapabilities": {"sampling": {}}})


@case("InvalidRequest", also=("Unauthorized",))
def mcp_url_elicitation_required():
    from mcp_types import ElicitRequestURLParams

    from mcp import UrlElicitationRequiredError

    params = ElicitRequestURLParams(message="Sign in", url="https://example.com/oauth", elicitation_id="1")
    raise UrlElicitationRequiredError([params])


@case("InvalidRequest")
def mcp_no_back_channel():
    from mcp.shared.exceptions import NoBackChannelError

    raise NoBackChannelError("sampling/createMessage")


@case("ServiceUnavailable", retryable=True)
def mcp_streamable_http_connection_refused():
    from mcp import Client

    async def connect():
        async with Client(f"http://{HOST}:{closed_port()}/mcp"):
            pass

    asyncio.run(connect())


@case("NotFound", also=("ConfigurationError",))
def mcp_stdio_command_missing():
    from mcp import StdioServerParameters, stdio_client

    async def start():
        async with stdio_client(StdioServerParameters(command="no-such-mcp-server")):
            pass

    asyncio.run(start())


@case("ValidationError", also=("Forbidden",))
def mcp_path_escape():
    from mcp.shared.path_security import safe_join

    safe_join("/srv/files", "../../etc/passwd")


def _fastmcp_server() -> Any:
    import fastmcp
    from fastmcp.exceptions import ToolError

    server = fastmcp.FastMCP("provoked")

    @server.tool
    def fetch(url: str, limit: int = 1) -> str:
        import httpx

        return httpx.get(url).raise_for_status().text

    @server.tool
    def crash() -> str:
        return {}["missing"]

    @server.tool
    def wrapped(url: str) -> str:
        import httpx

        try:
            return httpx.get(url).raise_for_status().text
        except httpx.HTTPError as error:
            raise ToolError("could not look it up") from error

    return server


@case("NotFound", also=("MethodNotFound", "InvalidParams"))
def fastmcp_unknown_tool():
    asyncio.run(_fastmcp_server().call_tool("no_such_tool", {}))


@case("ValidationError", also=("InvalidParams",))
def fastmcp_arguments_invalid():
    asyncio.run(_fastmcp_server().call_tool("fetch", {"url": "x", "limit": "many"}))


@case("Forbidden")
def fastmcp_tool_crashes_over_http_403():
    asyncio.run(_fastmcp_server().call_tool("fetch", {"url": answering(403)}))


@case("InternalError")
def fastmcp_tool_crashes_over_key_error():
    asyncio.run(_fastmcp_server().call_tool("crash", {}))


@case("Unauthorized")
def fastmcp_tool_error_from_http_401():
    asyncio.run(_fastmcp_server().call_tool("wrapped", {"url": answering(401)}))


@case("NotFound")
def fastmcp_unknown_resource():
    asyncio.run(_fastmcp_server().read_resource("nothing://here"))


@case("NotFound")
def fastmcp_unknown_prompt():
    asyncio.run(_fastmcp_server().render_prompt("no_such_prompt"))


@case("RateLimited", retryable=True)
def fastmcp_rate_limiting_middleware():
    from fastmcp.server.middleware.rate_limiting import RateLimitingMiddleware

    async def hammer():
        import fastmcp

        server = fastmcp.FastMCP("provoked")
        server.add_middleware(RateLimitingMiddleware(max_requests_per_second=0.01, burst_capacity=1))
        server.tool(lambda: "pong", name="ping")
        for _ in range(3):
            await server.call_tool("ping", {})

    asyncio.run(hammer())


@case("Forbidden", also=("Unauthorized",))
def fastmcp_insufficient_scope():
    from fastmcp.exceptions import InsufficientScopeError

    raise InsufficientScopeError(["orders:write"])


@case("InternalError", also=("NotFound", "ServiceUnavailable"))
def fastmcp_client_tool_error():
    from fastmcp import Client

    async def call():
        async with Client(_fastmcp_server()) as client:
            await client.call_tool("crash", {})

    asyncio.run(call())


@case("InternalError", also=("ServiceUnavailable", "Unauthorized"))
def fastmcp_client_learns_no_reason():
    from fastmcp import Client

    url = origin(Answer(401, {"error": "invalid_token"}, {"WWW-Authenticate": "Bearer"}))

    async def connect():
        async with Client(f"{url}/mcp"):
            pass

    asyncio.run(connect())
