"""Names that a low-level server's own code does not know, answered as the frameworks answer them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import anyio.lowlevel
import pytest
from mcp import types

from mcp_error_middleware import ErrorPolicy, Failure, NotFound, install
from tests.stacks.stacks import MCP_1, Stack

pytestmark = pytest.mark.anyio

UNKNOWN = [
    ValueError("Unknown {noun}: {name}"),
    ValueError("Unknown {noun} '{name}'. There are add, subtract."),
    RuntimeError("Error: unknown {noun} {name}"),
    ValueError("{noun} not found: {name}"),
    LookupError("The {noun} '{name}' was not found"),
    KeyError("no {noun} named '{name}'"),
    NotImplementedError("{noun} {name} is not supported"),
]
KNOWN = [
    RuntimeError("Error executing {noun} {name}: order not found"),
    ValueError("Unknown {noun}: another than {name}"),
    ValueError("Unknown {noun}"),
    NotFound("Unknown {noun}: {name}"),
]


def server_of(stack: Stack, error: Exception, *tools: str) -> Any:
    """A low-level server that knows what to say of a name, and nothing else."""
    if stack.kind != "lowlevel":
        pytest.skip("looks names up by itself")
    from mcp.server.lowlevel.server import Server

    def raised(noun: str, name: str) -> Exception:
        return type(error)(error.args[0].format(noun=noun, name=name))

    listed = [types.Tool.model_validate({"name": name, "inputSchema": {"type": "object"}}) for name in tools]
    if not MCP_1:

        async def list_tools(ctx: Any, params: Any) -> Any:
            return types.ListToolsResult(tools=listed)

        async def call_tool(ctx: Any, params: Any) -> Any:
            raise raised("tool", params.name)

        async def get_prompt(ctx: Any, params: Any) -> Any:
            raise raised("prompt", params.name)

        async def read_resource(ctx: Any, params: Any) -> Any:
            raise raised("resource", str(params.uri))

        return Server(
            "low",
            on_list_tools=list_tools,
            on_call_tool=call_tool,
            on_get_prompt=get_prompt,
            on_read_resource=read_resource,
        )
    server: Any = Server("low")

    @server.list_tools()  # type: ignore[untyped-decorator, unused-ignore]
    async def list_tools_1() -> Any:
        return listed

    @server.call_tool()  # type: ignore[untyped-decorator, unused-ignore]
    async def call_tool_1(name: str, arguments: dict[str, Any]) -> Any:
        raise raised("tool", name)

    @server.get_prompt()  # type: ignore[untyped-decorator, unused-ignore]
    async def get_prompt_1(name: str, arguments: Any) -> Any:
        raise raised("prompt", name)

    @server.read_resource()  # type: ignore[untyped-decorator, unused-ignore]
    async def read_resource_1(uri: Any) -> Any:
        raise raised("resource", str(uri))

    return server


def with_lists(server: Any, failure: BaseException | None = None) -> None:
    """Let it list a prompt, a resource and a form of resources; or fail to."""

    async def listed(kind: Any, key: str, *entries: dict[str, str]) -> Any:
        await anyio.lowlevel.checkpoint()
        if failure is not None:
            raise failure
        return kind.model_validate({key: entries})

    prompts = {"name": "greeting"}
    resources = {"name": "orders", "uri": "shop://orders"}
    templates = {"name": "order", "uriTemplate": "shop://order/{id}"}
    if not MCP_1:

        async def list_prompts(ctx: Any, params: Any) -> Any:
            return await listed(types.ListPromptsResult, "prompts", prompts)

        async def list_resources(ctx: Any, params: Any) -> Any:
            return await listed(types.ListResourcesResult, "resources", resources)

        async def list_templates(ctx: Any, params: Any) -> Any:
            return await listed(types.ListResourceTemplatesResult, "resourceTemplates", templates)

        params = types.PaginatedRequestParams
        server.add_request_handler("prompts/list", params, list_prompts)
        server.add_request_handler("resources/list", params, list_resources)
        server.add_request_handler("resources/templates/list", params, list_templates)
        return

    @server.list_prompts()  # type: ignore[untyped-decorator, unused-ignore]
    async def list_prompts_1() -> Any:
        return (await listed(types.ListPromptsResult, "prompts", prompts)).prompts

    @server.list_resources()  # type: ignore[untyped-decorator, unused-ignore]
    async def list_resources_1() -> Any:
        return (await listed(types.ListResourcesResult, "resources", resources)).resources

    @server.list_resource_templates()  # type: ignore[untyped-decorator, unused-ignore]
    async def list_templates_1() -> Any:
        found: Any = await listed(types.ListResourceTemplatesResult, "resourceTemplates", templates)
        return found.resourceTemplates


@pytest.mark.parametrize("error", UNKNOWN, ids=str)
async def test_a_name_the_author_does_not_know_is_the_requests_fault(stack: Stack, error: Exception) -> None:
    failures: list[Failure] = []
    server = install(server_of(stack, error), ErrorPolicy(log=False, observers=(failures.append,)))
    async with stack.connect(server) as ask:
        tool = await ask("tools/call", {"name": "divide", "arguments": {}})
        prompt = await ask("prompts/get", {"name": "greet"})
        resource = await ask("resources/read", {"uri": "shop://order/7"})
    answers = [tool, prompt, resource]
    assert [(answer.number, answer.error["name"], answer.error["message"]) for answer in answers] == [
        (-32602, "InvalidParams", "Unknown tool: divide"),
        (-32602, "InvalidParams", "Unknown prompt: greet"),
        (-32602, "NotFound", "Unknown resource: shop://order/7"),
    ]
    assert "List the tools" in tool.text
    assert "List the prompts" in prompt.text
    assert resource.error["uri"] == "shop://order/7"
    assert [len(failure.causes) > 1 for failure in failures] == [True] * 3


@pytest.mark.parametrize("name", ["", "n" * 5_000], ids=["none", "long"])
async def test_a_name_of_any_length_can_be_one_the_author_does_not_know(stack: Stack, name: str) -> None:
    server = install(server_of(stack, ValueError("unknown {noun}: {name}")), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": name, "arguments": {}})
    assert (answer.channel, answer.number, answer.error["name"]) == ("jsonrpc", -32602, "InvalidParams")


async def test_the_nearest_of_the_tools_that_were_listed_is_named(stack: Stack) -> None:
    server = install(server_of(stack, UNKNOWN[0], "add"), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        await ask("tools/list", {})
        answer = await ask("tools/call", {"name": "ad", "arguments": {}})
    assert (answer.number, answer.data["similar"]) == (-32602, ["add"])


async def similar(stack: Stack, server: Any, policy: ErrorPolicy | None = None) -> list[object]:
    """What is named instead of a tool, a prompt and a resource that are misspelt, by who listed nothing."""
    server = install(server, policy or ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answers = [
            await ask("tools/call", {"name": "subtrac", "arguments": {}}),
            await ask("prompts/get", {"name": "greting"}),
            await ask("resources/read", {"uri": "shop://ordrs"}),
        ]
    return [answer.data.get("similar") for answer in answers]


async def test_a_server_s_own_lists_are_asked_for_the_nearest_name(stack: Stack) -> None:
    server = server_of(stack, UNKNOWN[0], "subtract")
    with_lists(server)
    assert await similar(stack, server) == [["subtract"], ["greeting"], ["shop://orders"]]
    assert await similar(stack, server, ErrorPolicy(log=False, suggest=False)) == [None] * 3


@pytest.mark.parametrize("failure", [RuntimeError("no"), asyncio.CancelledError()], ids=repr)
async def test_a_list_that_fails_is_done_without(stack: Stack, failure: BaseException) -> None:
    server = server_of(stack, UNKNOWN[0], "subtract")
    with_lists(server, failure)
    assert await similar(stack, server) == [["subtract"], None, None]


async def test_a_list_that_takes_long_is_done_without(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_error_middleware.adapters.offered._PATIENCE", 0.0)
    server = server_of(stack, UNKNOWN[0], "subtract")
    with_lists(server)
    assert await similar(stack, server) == [["subtract"], None, None]


async def test_a_name_that_a_result_calls_unknown_has_a_nearest_one_too(stack: Stack) -> None:
    if stack.kind != "lowlevel":
        pytest.skip("looks names up by itself")
    from mcp.server.lowlevel.server import Server

    text = {"type": "text", "text": "Unknown tool: subtrac"}
    result = types.CallToolResult.model_validate({"isError": True, "content": [text]})
    listed = types.Tool.model_validate({"name": "subtract", "inputSchema": {"type": "object"}})
    if MCP_1:
        server: Any = Server("low")
        server.list_tools()(partial(_answered, [listed]))
        server.call_tool()(partial(_answered, result))
    else:
        tools = types.ListToolsResult(tools=[listed])
        server = Server(
            "low", on_list_tools=partial(_answered, tools), on_call_tool=partial(_answered, result)
        )
    async with stack.connect(install(server, ErrorPolicy(log=False))) as ask:
        answer = await ask("tools/call", {"name": "subtrac", "arguments": {}})
    assert (answer.channel, answer.error["data"]["similar"]) == ("result", ["subtract"])


async def _answered(answer: Any, *args: Any) -> Any:
    return answer


async def test_a_resource_of_a_form_that_is_listed_is_not_called_unknown_for_another(stack: Stack) -> None:
    server = server_of(stack, LookupError("there is none"))
    with_lists(server)
    server = install(server, ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("resources/read", {"uri": "shop://order/7"})
    assert "similar" not in answer.data


@pytest.mark.parametrize("error", KNOWN, ids=str)
async def test_what_says_something_else_is_the_tools_failure(stack: Stack, error: Exception) -> None:
    server = install(server_of(stack, error), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        answer = await ask("tools/call", {"name": "divide", "arguments": {}})
    assert answer.channel == "result"


async def test_a_tool_that_is_listed_is_known_whatever_it_says(stack: Stack) -> None:
    server = install(server_of(stack, UNKNOWN[0], "add"), ErrorPolicy(log=False))
    async with stack.connect(server) as ask:
        await ask("tools/list", {})
        answer = await ask("tools/call", {"name": "add", "arguments": {}})
    assert answer.channel == "result"


async def test_a_secret_in_an_unknown_uri_does_not_come_back(stack: Stack) -> None:
    server = server_of(stack, UNKNOWN[0]) if stack.kind == "lowlevel" else stack.server()
    async with stack.connect(install(server, ErrorPolicy(log=False))) as ask:
        answer = await ask("resources/read", {"uri": "orders://anna:hunter2x7@here/7?token=q7z9x8k2m4p6w1t3"})

    assert answer.error["uri"] == "orders://[redacted:url-credentials]@here/7?token=[redacted:token]"
    assert "hunter2x7" not in str(answer)
