"""The official SDK, mcp 2.x: `MCPServer` and the low-level `Server`.

Three seams, each public: the entry `get_request_handler` returns (the exact border of a handler, with the
response envelope still to come), `MCPServer.call_tool` (below which the SDK keeps a tool's exception), and
the middleware list (everything outside a handler).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn, TypeGuard

from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.server import MCPServer
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError
from mcp_types import CallToolResult, ErrorData, ListToolsResult
from pydantic import ValidationError

from mcp_error_middleware.adapters.seam import (
    NAMED_BY,
    advertised,
    correlation_id,
    is_of_output,
    is_open,
    is_ours,
    naming_urls,
    unfit,
    unwrapped,
)
from mcp_error_middleware.contracts import Contract, active, contract_of
from mcp_error_middleware.errors import InvalidParams
from mcp_error_middleware.model import Call
from mcp_error_middleware.render import (
    META_KEY,
    enrich_result,
    jsonrpc_error,
    tool_result,
)
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import URL_ELICITATION, may_leave
from mcp_error_middleware.triage import Triage

_MARK: Final = "_mcp_error_middleware"


_PROMPT_PROBLEMS: Final = ("Unknown prompt: ", "Missing required arguments: ")

_at_the_wire: ContextVar[Any] = ContextVar("mcp_error_middleware_request", default=None)
"""The request whose tool is about to be called; None inside the tool, so that nested calls keep raising."""


def install(target: Server[Any] | MCPServer[Any], triage: Triage) -> None:
    """Hook a server; a second time replaces the first one's triage."""
    uninstall(target)
    Hook(triage, *_layers(target)).attach()


def uninstall(target: Server[Any] | MCPServer[Any]) -> None:
    """Restore what was there before."""
    low, _ = _layers(target)
    if (hook := low.__dict__.get(_MARK)) is not None:
        hook.detach()


def _layers(target: Server[Any] | MCPServer[Any]) -> tuple[Server[Any], MCPServer[Any] | None]:
    if isinstance(target, MCPServer):
        return target._lowlevel_server, target
    handler = target.get_request_handler("tools/call")
    owner = getattr(handler and handler.handler, "__self__", None)
    return target, owner if isinstance(owner, MCPServer) else None


class _Answered(MCPError):
    """A protocol error of ours, on its way out."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One server's three seams."""

    triage: Triage
    low: Server[Any]
    high: MCPServer[Any] | None = None

    def attach(self) -> None:
        self.low.__dict__[_MARK] = self
        self.low.__dict__["get_request_handler"] = self.get_request_handler
        self.low.__dict__["get_notification_handler"] = self.get_notification_handler
        # Inside the SDK's span, so that it records what we answer instead of the raw text.
        self.low.middleware.insert(_after_telemetry(self.low.middleware), self)
        if self.high is not None:
            self.high.__dict__["call_tool"] = self.call_tool

    def detach(self) -> None:
        for name in (_MARK, "get_request_handler", "get_notification_handler"):
            self.low.__dict__.pop(name, None)
        self.low.middleware[:] = [layer for layer in self.low.middleware if layer is not self]
        if self.high is not None:
            self.high.__dict__.pop("call_tool", None)

    # --- the border of a handler ---

    def get_request_handler(self, method: str) -> Any:
        """The registered entry, its handler's failures answered."""
        entry = type(self.low).get_request_handler(self.low, method)
        return None if entry is None else replace(entry, handler=self._bordered(entry.handler))

    def _bordered(self, handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def bordered(ctx: Any, params: Any) -> Any:
            token = _at_the_wire.set(ctx)
            try:
                result = await handler(ctx, params)
                if isinstance(result, ErrorData):
                    raise MCPError.from_error_data(result)  # noqa: TRY301 - returned or raised, it is one failure
                return self._finished(ctx, result)
            except _Answered:
                raise
            except BaseException as exc:
                if not is_ours(exc):
                    raise
                return self._answer(self._call(ctx), exc)
            finally:
                _at_the_wire.reset(token)

        return bordered

    def get_notification_handler(self, method: str) -> Any:
        """The registered entry; what its handler raises is recorded and goes no further."""
        entry = type(self.low).get_notification_handler(self.low, method)
        if entry is None:
            return None
        handler = entry.handler

        async def bordered(ctx: Any, params: Any) -> None:
            try:
                await handler(ctx, params)
            except BaseException as exc:
                if not is_ours(exc):
                    raise
                self.triage(exc, self._call(ctx))

        return replace(entry, handler=bordered)

    # --- results ---

    def _finished(self, ctx: Any, result: Any) -> Any:
        try:
            if isinstance(result, CallToolResult) and result.is_error:
                return self._enriched(self._call(ctx), result)
            if isinstance(result, ListToolsResult) and self.triage.policy.widen_output_schema:
                return self._widened(result)
        except Exception:  # noqa: BLE001 - what it says already is enough
            return result
        return result

    def _enriched(self, call: Call, result: CallToolResult) -> CallToolResult:
        """A result that says it is an error, with the error object it lacks."""
        if META_KEY in (result.meta or {}):
            return result
        said = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        texts = (block["text"] for block in said["content"] if block.get("text"))
        failure = self.triage(ToolError(next(texts, "")), call)
        return CallToolResult.model_validate(enrich_result(said, failure, format=self.triage.policy.format))

    def _widened(self, result: ListToolsResult) -> ListToolsResult:
        policy = self.triage.policy
        tools = [
            tool.model_copy(update={"output_schema": advertised(tool.output_schema, policy)})
            for tool in result.tools
        ]
        return result.model_copy(update={"tools": tools})

    # --- a tool of MCPServer, where its exception still is one ---

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """`MCPServer.call_tool`, answering where a request called it and raising where code did."""
        assert self.high is not None
        original = type(self.high).call_tool
        ctx = _at_the_wire.get()
        if ctx is None or context is None:
            return await original(self.high, name, arguments, context)
        token = _at_the_wire.set(None)
        tool = self.high._tool_manager.get_tool(name)
        contract = self._contract(name, tool)
        try:
            with active(contract):
                return await original(self.high, name, arguments, context)
        except MCPError:
            raise
        except BaseException as exc:
            if not is_ours(exc):
                raise
            if tool is None:
                self._protocol_error(self._call(ctx), _unknown_tool(name))
            structured = is_open(tool.output_schema, self.triage.policy)
            return self._tool_answer(self._call(ctx, structured=structured), exc, contract)
        finally:
            _at_the_wire.reset(token)

    # --- everything outside a handler ---

    async def __call__(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        """Middleware: what the runner itself could not serve."""
        try:
            return await call_next(ctx)
        except MCPError:
            raise
        except BaseException as exc:
            if not is_ours(exc) or ctx.request_id is None or isinstance(exc, ValidationError):
                # A request that fits no schema: the SDK says so itself, without the values.
                raise
            self._protocol_error(self._call(ctx), exc)

    # --- answers ---

    def _answer(self, call: Call, exc: BaseException) -> Any:
        if _asks_for_urls(exc) and may_leave(URL_ELICITATION, call.protocol_version):
            raise exc
        if call.method == "tools/call" and (_asks_for_urls(exc) or not issubclass(type(exc), MCPError)):
            return self._tool_answer(call, exc)
        return self._protocol_error(call, exc)

    def _tool_answer(self, call: Call, exc: BaseException, contract: Any = None) -> CallToolResult:
        origin = unwrapped(exc, _is_wrapper)
        failure = self.triage(
            unfit("tool", origin) if is_of_output(origin) else origin, call, contract=contract
        )
        if _asks_for_urls(exc):
            failure = naming_urls(failure, plain(exc.data))
        return CallToolResult.model_validate(tool_result(failure, format=self.triage.policy.format))

    def _protocol_error(self, call: Call, exc: BaseException) -> NoReturn:
        failure = self.triage(_original(exc), call)
        error = jsonrpc_error(failure, taxonomy_numbers=self.triage.policy.taxonomy_numbers)
        raise _Answered(error["code"], error["message"], error["data"]) from exc

    def _contract(self, name: str, tool: Any) -> type[Contract] | None:
        declared = contract_of(tool.fn) if tool is not None else None
        return declared or self.triage.policy.contracts.get(name)

    def _call(self, ctx: Any, *, structured: bool = False) -> Call:
        params = ctx.params or {}
        target = params.get(NAMED_BY.get(ctx.method, ""))
        return Call(
            method=ctx.method,
            target=target if isinstance(target, str) else None,
            request_id=ctx.request_id,
            correlation_id=correlation_id(ctx.request),
            protocol_version=ctx.protocol_version,
            structured=structured,
        )


def _after_telemetry(layers: list[Any]) -> int:
    return next(
        (i + 1 for i, layer in enumerate(layers) if type(layer).__name__ == "OpenTelemetryMiddleware"), 0
    )


def _original(exc: BaseException) -> BaseException:
    """What a handler raised, under the protocol error or the ValueError the SDK made of it."""
    if isinstance(exc, MCPError):
        if isinstance(exc.__context__, ResourceError):
            return unwrapped(exc.__context__, _is_wrapper)
        if exc.__cause__ is not None and exc.message.startswith("Error completing argument "):
            return exc.__cause__
        return exc
    while type(exc) is ValueError and exc.__cause__ is not None and _only_repeats(exc, exc.__cause__):
        exc = exc.__cause__
    return InvalidParams(str(exc)) if _is_of_the_prompt_manager(exc) else exc


def _is_wrapper(exc: BaseException) -> bool:
    """Whether the SDK put this around what was raised; an author's own ToolError has other words."""
    if type(exc).__name__ in ("UnexpectedToolError", "UnexpectedResourceError"):
        return True
    return isinstance(exc, ToolError) and str(exc).startswith("Error executing tool ")


def _only_repeats(exc: ValueError, cause: BaseException) -> bool:
    text = str(exc)
    return text.startswith("Error rendering prompt ") or text == str(cause)


def _is_of_the_prompt_manager(exc: BaseException) -> bool:
    """Whether the SDK itself found no such prompt, or no such argument."""
    return type(exc) is ValueError and str(exc).startswith(_PROMPT_PROBLEMS)


def _asks_for_urls(exc: BaseException) -> TypeGuard[UrlElicitationRequiredError]:
    return issubclass(type(exc), UrlElicitationRequiredError)


def _unknown_tool(name: str) -> InvalidParams:
    return InvalidParams(
        f"Unknown tool: {name}", recovery="List the tools and call one of them by its exact name."
    )
