"""What the conformance suite expects of a server: `python -m tests.interop.everything mcpserver installed`.

The suite dictates the names and the texts. Handlers take the stack's own `Context`, so the annotations here
are objects, not text.
"""
# pyright: reportInvalidTypeForm=false
# `context` is a class, but which one is known only when it runs.

import sys
from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

import fastmcp
from fastmcp.prompts import Message
from fastmcp.server.event_store import EventStore
from fastmcp.server.middleware.error_handling import ErrorHandlingMiddleware
from fastmcp.tools.function_tool import FunctionTool
from mcp import MCPError
from mcp.server import mcpserver
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.mcpserver.tools import Tool
from mcp_types import (
    AudioContent,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel, Field

from mcp_error_middleware import install
from tests.interop.serve import serve

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="


Register = Callable[..., Callable[[Any], Any]]
"""A stack's decorator: `tool`, `resource` or `prompt`."""


def text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def image() -> ImageContent:
    return ImageContent(type="image", data=PIXEL, mime_type="image/png")


def embedded(uri: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type="text/plain", text="Embedded.")
    return EmbeddedResource(type="resource", resource=contents)


# --- tools --------------------------------------------------------------------------------------


def tools(tool: Register, context: Any) -> None:
    @tool()
    def test_simple_text() -> str:
        return "This is a simple text response for testing."

    @tool()
    def test_image_content() -> list[ImageContent]:
        return [image()]

    @tool()
    def test_audio_content() -> list[AudioContent]:
        return [AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")]

    @tool()
    def test_embedded_resource() -> list[EmbeddedResource]:
        return [embedded("test://embedded-resource")]

    @tool()
    def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        return [text("Three kinds:"), image(), embedded("test://mixed-content-resource")]

    @tool()
    def test_error_handling() -> str:
        raise RuntimeError("This tool intentionally returns an error for testing")

    @tool()
    async def test_tool_with_logging(ctx: context) -> str:
        for step in ("started", "processing", "completed"):
            await ctx.info(f"Tool execution {step}")
        return "logged"

    tool(name="test_logging_tool")(test_tool_with_logging)

    @tool()
    async def test_tool_with_progress(ctx: context) -> str:
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100)
        return "done"

    @tool()
    async def test_reconnection(ctx: context) -> str:
        await ctx.close_sse_stream()
        return "reconnected"

    @tool()
    def test_x_mcp_header(
        region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "none",
    ) -> str:
        return region

    @tool()
    def test_missing_capability(ctx: context) -> str:
        if not declared(ctx, "sampling"):
            raise MCPError(
                code=-32021, message="sampling is required", data={"requiredCapabilities": {"sampling": {}}}
            )
        return "sampling is declared"


def declared(ctx: Any, capability: str) -> bool:
    client = ctx.session.client_params
    return client is not None and getattr(client.capabilities, capability) is not None


# --- what the server asks the client, in the older era ------------------------------------------


class Answer(BaseModel):
    response: str


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


CHOICES = [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]
ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2"]},
        "titledSingle": {"type": "string", "oneOf": CHOICES},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": CHOICES}},
    },
}


def questions(tool: Register, context: Any) -> None:
    @tool()
    async def test_sampling(prompt: str, ctx: context) -> str:
        message = SamplingMessage(role="user", content=text(prompt))
        result = await ctx.session.create_message(
            messages=[message], max_tokens=9, related_request_id=ctx.request_id
        )
        return f"LLM response: {result.content.text}"

    @tool()
    async def test_elicitation(message: str, ctx: context) -> str:
        return f"User response: {await ctx.elicit(message, Answer)}"

    @tool()
    async def test_elicitation_sep1034_defaults(ctx: context) -> str:
        return f"Elicitation completed: {await ctx.elicit('Who?', Defaults)}"

    @tool()
    async def test_elicitation_sep1330_enums(ctx: context) -> str:
        result = await ctx.session.elicit(
            message="Which?", requested_schema=ENUMS, related_request_id=ctx.request_id
        )
        return f"Elicitation completed: {result}"


# --- what a call still needs, in the newer era --------------------------------------------------


def ask(field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=f"Your {field}?", requested_schema=schema))


def sample(said: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=text(said))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=9))


NEEDS: Mapping[str, tuple[Mapping[str, InputRequest], str | None]] = {
    "elicitation": ({"user_name": ask("name")}, None),
    "sampling": ({"capital_question": sample("What is the capital of France?")}, None),
    "list_roots": ({"client_roots": ListRootsRequest()}, None),
    "request_state": ({"confirm": ask("ok", "boolean")}, "asked"),
    "tampered_state": ({"confirm": ask("ok", "boolean")}, "asked"),
    "multiple_inputs": (
        {"user_name": ask("name"), "greeting": sample("Greet."), "client_roots": ListRootsRequest()},
        "asked",
    ),
}
"""Tool to what it asks for, and the state it sends along."""

ROUNDS = ("step1", "step2")


def needs(tool: Register, prompt: Register, context: Any) -> None:
    for name, need in NEEDS.items():
        tool(name=f"test_input_required_result_{name}")(needing(context, *need))
    tool(name="test_streaming_elicitation")(needing(context, *NEEDS["elicitation"]))

    @tool()
    def test_input_required_result_multi_round(ctx: context) -> str | InputRequiredResult:
        state = ctx.request_state or ""
        answered = [*state.split(), *(ctx.input_responses or {})]
        for step in ROUNDS:
            if step not in answered:
                return InputRequiredResult(
                    input_requests={step: ask(step)}, request_state=" ".join(answered) or "none"
                )
        return "both steps are done"

    @tool()
    def test_input_required_result_capabilities(ctx: context) -> str | InputRequiredResult:
        wanted: dict[str, InputRequest] = {"sampling": sample("Greet."), "elicitation": ask("name")}
        allowed = {name: request for name, request in wanted.items() if declared(ctx, name)}
        return InputRequiredResult(input_requests=allowed, request_state="asked")

    prompt(name="test_input_required_result_prompt")(needing(context, {"user_context": ask("context")}, None))


def needing(context: Any, requests: Mapping[str, InputRequest], state: str | None) -> Any:
    def handler(ctx: context) -> str | InputRequiredResult:
        if requests.keys() <= (ctx.input_responses or {}).keys() and ctx.request_state == state:
            return "state-ok: all that was asked for is there"
        return InputRequiredResult(input_requests=dict(requests), request_state=state)

    return handler


# --- resources, prompts, completion -------------------------------------------------------------


def resources(resource: Register) -> None:
    @resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return b64decode(PIXEL)

    @resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        return f'{{"id": "{id}", "templateTest": true, "data": "Data for ID: {id}"}}'

    @resource("test://watched-resource")
    def watched() -> str:
        return "watched"


def prompts(prompt: Register, message: Any) -> None:
    @prompt()
    def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Any]:
        return [message(embedded(resourceUri)), message(text("Read the resource."))]

    @prompt()
    def test_prompt_with_image() -> list[Any]:
        return [message(image()), message(text("Look at the image."))]


async def complete(ref: Any, argument: Any, context: Any) -> Completion:
    return Completion(values=["paris", "park"], total=2, has_more=False)


# --- the two stacks -----------------------------------------------------------------------------

CONTACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {"$anchor": "addressDef", "type": "object", "properties": {"city": {"type": "string"}}}
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "phone": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["name"]}, {"required": ["phone"]}]}],
    "if": {"required": ["address"]},
    "then": {"required": ["name"]},
    "else": {},
    "additionalProperties": False,
}


def contact(name: str = "", address: Any = None, phone: str = "") -> str:
    return name


def on_mcpserver() -> Any:
    tool = Tool.from_function(contact, name="json_schema_2020_12_tool", description="A contact.")
    server: Any = mcpserver.MCPServer(
        "everything", version="1", tools=[tool.model_copy(update={"parameters": CONTACT})]
    )
    server.completion()(complete)
    low = server._lowlevel_server
    low.add_request_handler("logging/setLevel", SetLevelRequestParams, accepted)
    low.add_request_handler("resources/subscribe", SubscribeRequestParams, accepted)
    low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, accepted)
    server.tool(name="test_trigger_tool_change", description="Tells.")(tools_change)
    server.tool(name="test_trigger_prompt_change", description="Tells.")(prompts_change)
    return everything(server, mcpserver.Context, UserMessage)


async def tools_change(ctx: mcpserver.Context) -> str:
    await ctx.notify_tools_changed()
    return "told"


async def prompts_change(ctx: mcpserver.Context) -> str:
    await ctx.notify_prompts_changed()
    return "told"


async def accepted(ctx: Any, params: Any) -> EmptyResult:
    return EmptyResult()


def on_fastmcp() -> Any:
    server = fastmcp.FastMCP("everything", dereference_schemas=False)
    server.add_tool(
        FunctionTool(
            fn=contact, name="json_schema_2020_12_tool", description="A contact.", parameters=CONTACT
        )
    )
    server.completion(complete)
    return everything(server, fastmcp.Context, Message)


def everything(server: Any, context: Any, message: Any) -> Any:
    tool, prompt = (
        partial(add, description="Asked for by the suite.") for add in (server.tool, server.prompt)
    )
    tools(tool, context)
    questions(tool, context)
    needs(tool, prompt, context)
    resources(server.resource)
    prompts(prompt, message)
    return server


SERVERS = {"mcpserver": (on_mcpserver, {}), "fastmcp4": (on_fastmcp, {"host_origin_protection": True})}
"""Kind to builder, and what the stack's HTTP app wants told to mind the Host header."""


if __name__ == "__main__":
    kind, worn = sys.argv[1:]
    build, options = SERVERS[kind]
    server = build()
    if worn == "installed":
        install(server)
    if worn == "theirs":
        server.add_middleware(ErrorHandlingMiddleware())
    serve(server, event_store=EventStore(), retry_interval=100, **options)
