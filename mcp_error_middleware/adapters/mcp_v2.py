"""The official SDK, mcp 2.x: `MCPServer` and the low-level `Server`.

Three seams, each public: the entry `get_request_handler` returns (the exact border of a handler, with the
response envelope still to come), `MCPServer.call_tool` and `read_resource` (below which the SDK keeps what
was raised), and the middleware list (everything outside a handler).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from types import MethodType
from typing import Any, Final, NoReturn, cast

from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.server import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ErrorData, ListToolsResult

from mcp_error_middleware.adapters.offered import first_text, look_around
from mcp_error_middleware.adapters.seam import (
    MARK,
    Channel,
    Traced,
    call_of,
    channel,
    fitting,
    is_open,
    is_ours,
    is_sdks,
    knows_structure,
    naming_urls,
    protocol_error,
    refusal,
    says_so,
    unfit,
    unkept,
    unwrapped,
    unwritable,
    warn_of_no_server,
)
from mcp_error_middleware.adapters.steps import stepped
from mcp_error_middleware.adapters.surroundings import (
    Shown,
    around,
    as_listed,
    enriched,
    failed,
    list_to,
    promised,
    shown,
    succeeded,
    suspected,
)
from mcp_error_middleware.adapters.tidy import asked_for
from mcp_error_middleware.advice import Around
from mcp_error_middleware.classify import safe_str
from mcp_error_middleware.contracts import Contract, active, contract_of, current_contract
from mcp_error_middleware.errors import InvalidParams
from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.taxonomy import SPEC_CODES, URL_ELICITATION, ErrorCode, may_leave
from mcp_error_middleware.telemetry import chosen
from mcp_error_middleware.triage import Triage, error_of, number_of

_UNFIT: Final = "Handler returned an invalid result"
_METHODS: Final = ("call_tool", "read_resource")
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
    if (hook := low.__dict__.get(MARK)) is not None:
        hook.detach()


def _layers(target: Server[Any] | MCPServer[Any]) -> tuple[Server[Any], MCPServer[Any] | None]:
    if isinstance(target, MCPServer):
        return target._lowlevel_server, target
    handler = target.get_request_handler("tools/call")
    owner = getattr(handler and handler.handler, "__self__", None)
    return target, owner if isinstance(owner, MCPServer) else None


class ErrorMiddleware:
    """What `install` does, as one of the SDK's own: `MCPServer("shop", middleware=[ErrorMiddleware()])`.

    No middleware sees what a tool of `MCPServer` raised, so this one hooks the server with its first message.
    """

    def __init__(self, triage: Triage | None = None, *, policy: ErrorPolicy | None = None) -> None:
        self.triage = chosen(triage, policy)

    async def __call__(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        """Hook the server, once; what somebody installed before stays."""
        server = _server_behind(call_next)
        if server is None or MARK in vars(server):
            return await call_next(ctx)
        install(server, self.triage)
        # This message's chain was made before.
        hook = vars(server)[MARK]
        return await Traced(self.triage.policy, answer=hook.answer)(ctx, call_next)


def _server_behind(call_next: Any) -> Server[Any] | None:
    """Whose chain it is: the SDK tells a middleware nothing of its server, but ends in a method of it."""
    while isinstance(call_next, partial):
        call_next = call_next.args[-1]
    for cell in getattr(call_next, "__closure__", None) or ():
        with suppress(ValueError):  # an empty cell has no contents
            if isinstance(server := getattr(cell.cell_contents, "server", None), Server):
                return server
    warn_of_no_server()
    return None


class _Answered(MCPError):
    """A protocol error of ours, on its way out."""


@dataclass(frozen=True, slots=True)
class _Surely:
    """Around the answer to what was raised: a failure of ours must not become a second one of the call."""

    raised: BaseException

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, _: Any) -> None:
        if (
            kind is None
            or exc is self.raised
            or issubclass(kind, _Answered)
            or not issubclass(kind, Exception)
        ):
            return
        raise _Answered(-32603, ErrorCode.INTERNAL_ERROR.traits.message) from exc


class _Said(CallToolResult):
    """A tool's error of ours: known by its class, which nothing that came over a wire has."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One server's three seams."""

    triage: Triage
    low: Server[Any]
    high: MCPServer[Any] | None = None
    entries: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """What is registered, and what we return for it."""
    declared: dict[str, tuple[Any, type[Contract] | None]] = field(default_factory=dict)
    """A tool's function, and the contract beside it."""
    listed: dict[str, Shown] = field(default_factory=dict)
    """The tools that were shown to anybody."""
    before: dict[str, Any] = field(default_factory=dict)
    """Others' overrides of the same methods of this one server."""

    def attach(self) -> None:
        self.low.__dict__[MARK] = self
        self.low.__dict__["get_request_handler"] = self.get_request_handler
        self.low.__dict__["get_notification_handler"] = self.get_notification_handler
        layers, policy = self.low.middleware, self.triage.policy
        place = _after_telemetry(layers)
        # The SDK's own span calls a caller's mistake an error, and cannot be told otherwise afterwards.
        count = min(place, 1) if policy.traces else 0
        Traced(policy, answer=self.answer).insert(layers, place - count, count)
        if self.high is not None:
            own = vars(self.high)
            self.before.update({name: own[name] for name in _METHODS if name in own})
            own.update({name: getattr(self, name) for name in _METHODS})

    def detach(self) -> None:
        for name in (MARK, "get_request_handler", "get_notification_handler"):
            self.low.__dict__.pop(name, None)
        Traced.remove(self.low.middleware)
        if self.high is not None:
            for name in _METHODS:
                vars(self.high).pop(name, None)
            vars(self.high).update(self.before)

    # --- the border of a handler ---

    def get_request_handler(self, method: str) -> Any:
        """The registered entry, its handler's failures answered."""
        entry = type(self.low).get_request_handler(self.low, method)
        if entry is None:
            return None
        known, ours = self.entries.get(method, (None, None))
        if known is not entry:
            ours = replace(entry, handler=self._bordered(entry.handler))
            self.entries[method] = entry, ours
        return ours

    def _bordered(self, handler: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def bordered(ctx: Any, params: Any) -> Any:
            token = _at_the_wire.set(ctx)
            try:
                result = await stepped(handler(ctx, params))
                if isinstance(result, ErrorData):
                    raise MCPError.from_error_data(result)  # noqa: TRY301 - returned or raised, it is one failure
                if not says_so(result) and (broken := self._broken(ctx, result)) is not None:
                    return self._answer(ctx, broken)
                if isinstance(result, CallToolResult) and result.is_error and type(result) is not _Said:
                    await self._look_around(ctx, ToolError(first_text(result.content)))
                return self._finished(ctx, result)
            except _Answered:
                raise
            except BaseException as exc:
                if not is_ours(exc):
                    raise
                await self._look_around(ctx, exc)
                return self._answer(ctx, exc)
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
                await stepped(handler(ctx, params))
            except BaseException as exc:
                if not is_ours(exc):
                    raise
                self.triage(exc, call_of(ctx))

        return replace(entry, handler=bordered)

    # --- results ---

    def _broken(self, ctx: Any, result: Any) -> BaseException | None:
        """The failure that a result is which nobody can send, or no client take."""
        if isinstance(result, CallToolResult) and result.structured_content is None:
            name = (ctx.params or {}).get("name", "")
            if promised(ctx.session, name, self.listed) and knows_structure(ctx.protocol_version):
                return unkept(result.content, ToolError)
        return unwritable(ctx.method, result)

    def _finished(self, ctx: Any, result: Any) -> Any:
        if type(result) is _Said:
            return result
        if says_so(result) and (ctx.method == "tools/call" or isinstance(result, CallToolResult)):
            return self._enriched(ctx, result)
        try:
            if isinstance(result, CallToolResult):
                said = suspected(lambda: call_of(ctx), self.triage, result, result.structured_content)
                if said is not None:
                    return self._tool_answer(ctx, call_of(ctx), ToolError(said))
                params = ctx.params or {}
                succeeded(self.triage, ctx.session, params.get("name"), params.get("arguments"))
            elif isinstance(result, ListToolsResult):
                return self._listed(ctx, result)
        except Exception:  # noqa: BLE001 - what it says already is enough
            return result
        return result

    def _enriched(self, ctx: Any, result: Any) -> CallToolResult:
        """A result that says it is an error, with the error object it lacks."""
        try:
            said = CallToolResult.model_validate(result).model_dump(
                mode="json", by_alias=True, exclude_none=True
            )
            call = call_of(ctx)
            return CallToolResult.model_validate(
                enriched(said, self.triage, ToolError, call, self._around(ctx, call))
            )
        except Exception as exc:  # noqa: BLE001 - what could not be checked does not leave
            return self._tool_answer(ctx, call_of(ctx), unfit("tool", exc))

    def _listed(self, ctx: Any, result: ListToolsResult) -> ListToolsResult:
        """The tools as clients are to see them; noted, for what this one may be told later."""
        policy = self.triage.policy
        more = bool((ctx.params or {}).get("cursor"))
        list_to(ctx.session, self.listed, shown(result.tools, "input_schema"), more=more)
        tools = [as_listed(tool, self._contract(tool.name), policy, "output_schema") for tool in result.tools]
        return result.model_copy(update={"tools": tools})

    # --- a tool of MCPServer, where its exception still is one ---

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """`MCPServer.call_tool`, answering where a request called it and raising where code did."""
        assert self.high is not None
        original = self.before.get("call_tool") or MethodType(type(self.high).call_tool, self.high)
        ctx = _at_the_wire.get()
        if ctx is None or context is None or ctx.method != "tools/call":
            return await original(name, arguments, context)
        token = _at_the_wire.set(None)
        tool = self.high._tool_manager.get_tool(name)
        contract = self._contract(name)
        try:
            if contract is current_contract.get():
                return await original(name, arguments, context)
            with active(contract):
                return await original(name, arguments, context)
        except BaseException as exc:
            if not is_ours(exc):
                raise
            with _Surely(exc):
                structured = tool is not None and is_open(tool.output_schema, self.triage.policy)
                call = call_of(ctx, structured=structured)
                if channel(call, exc) is not Channel.RESULT:
                    raise
                if tool is None:
                    self._protocol_error(ctx, _unknown_tool(name))
                return self._tool_answer(ctx, call, exc, contract)
        finally:
            _at_the_wire.reset(token)

    async def read_resource(self, uri: Any, context: Any = None) -> Any:
        """`MCPServer.read_resource`, likewise: answered before the SDK logs its traceback as it is."""
        assert self.high is not None
        original = self.before.get("read_resource") or MethodType(type(self.high).read_resource, self.high)
        ctx = _at_the_wire.get()
        if ctx is None or context is None or ctx.method != "resources/read":
            return await original(uri, context)
        token = _at_the_wire.set(None)
        try:
            return await original(uri, context)
        except ResourceError as exc:
            return self._answer(ctx, exc)
        finally:
            _at_the_wire.reset(token)

    # --- everything outside a handler ---

    def answer(self, ctx: Any, exc: BaseException) -> None:
        """Raise what is to leave instead of what the runner itself could not serve."""
        if isinstance(exc, _Answered) or not is_ours(exc) or ctx.request_id is None:
            return
        if _is_the_sdks_word(exc, ctx.protocol_version):
            self._step(exc)
        self._protocol_error(ctx, exc)

    # --- answers ---

    def _answer(self, ctx: Any, exc: BaseException) -> Any:
        with _Surely(exc):
            call = call_of(ctx)
            refused = refusal(call, exc, self._around(ctx, call), self.triage.policy.locale)
            if refused is not None:
                self._protocol_error(ctx, refused)
            match channel(call, exc):
                case Channel.STEP:
                    self._step(exc)
                case Channel.PROTOCOL:
                    self._protocol_error(ctx, fitting(ctx.method, _original(exc)))
            return self._tool_answer(ctx, call, exc)

    def _step(self, exc: BaseException) -> NoReturn:
        """Raise it with the number it has: no handler failed."""
        error, scrub = error_of(exc), self.triage.scrub
        raise _Answered(error.code, scrub.text(error.message), asked_for(error.data, scrub)) from exc

    def _tool_answer(self, ctx: Any, call: Call, exc: BaseException, contract: Any = None) -> CallToolResult:
        origin = unwrapped(exc, _is_wrapper)
        failure = self.triage(
            fitting(ctx.method, origin, ToolError), call, contract=contract, around=self._around(ctx, call)
        )
        if number_of(origin) == URL_ELICITATION:
            failure = naming_urls(failure, asked_for(error_of(origin).data, self.triage.scrub))
        return _Said.model_validate(failed(failure, self.triage.policy))

    def _protocol_error(self, ctx: Any, exc: BaseException) -> NoReturn:
        call = call_of(ctx)
        error = protocol_error(self.triage, _original(exc), call, self._around(ctx, call))
        raise _Answered(error["code"], error["message"], error["data"]) from exc

    def _contract(self, name: str) -> type[Contract] | None:
        tool = self.high._tool_manager.get_tool(name) if self.high is not None else None
        if tool is None:
            return self.triage.policy.contracts.get(name)
        function, declared = self.declared.get(name, (None, None))
        if function is not tool.fn:
            declared = contract_of(tool.fn) or self.triage.policy.contracts.get(name)
            self.declared[name] = tool.fn, declared
        return declared

    async def _look_around(self, ctx: Any, exc: BaseException) -> None:
        if self.high is None:
            ask = partial(self._ask, ctx)
            await look_around(self.triage, call_of(ctx), exc, ctx.session, self.listed, ask)

    async def _ask(self, ctx: Any, method: str, cursor: str | None) -> Any:
        """One page of a list, from the author's own handler."""
        entry = type(self.low).get_request_handler(self.low, method)
        if entry is None:
            return None
        params = {} if cursor is None else {"cursor": cursor}
        asked = replace(ctx, method=method, params=params)
        return await entry.handler(asked, entry.params_type.model_validate(params))

    def _around(self, ctx: Any, call: Call) -> Around:
        arguments = (ctx.params or {}).get("arguments")
        return around(call, ctx.session, arguments, self.high, self.listed)


def _is_the_sdks_word(exc: BaseException, version: str | None) -> bool:
    """Whether it is a step of the protocol, or the SDK's own about a request that no handler can serve."""
    number = number_of(exc)
    if number is None or _is_unfit(exc):
        return False
    may = may_leave(number, version)
    return may if number == URL_ELICITATION else is_sdks(exc) and (may or number in SPEC_CODES)


def _after_telemetry(layers: list[Any]) -> int:
    return next(
        (i + 1 for i, layer in enumerate(layers) if type(layer).__name__ == "OpenTelemetryMiddleware"), 0
    )


def _is_unfit(exc: BaseException) -> bool:
    """Whether the SDK could not send what a handler returned."""
    return issubclass(type(exc), MCPError) and cast("MCPError", exc).message == _UNFIT and is_sdks(exc)


def _original(exc: BaseException) -> BaseException:
    """What a handler raised, under the protocol error or the ValueError the SDK made of it."""
    if _is_unfit(exc):
        return unfit("handler", exc.__context__)
    if issubclass(type(exc), ResourceError):
        return unwrapped(exc, _is_wrapper)
    if issubclass(type(exc), MCPError):
        if not is_sdks(exc):
            return exc
        if exc.__cause__ is not None and safe_str(exc).startswith("Error completing argument "):
            return exc.__cause__
        return exc
    exc = unwrapped(exc, lambda link: type(link) is ValueError and is_sdks(link))
    return InvalidParams(safe_str(exc)) if _is_of_the_prompt_manager(exc) else exc


def _is_wrapper(exc: BaseException) -> bool:
    """Whether the SDK put this around what was raised; an author's own ToolError was raised elsewhere."""
    if type(exc).__name__ in ("UnexpectedToolError", "UnexpectedResourceError"):
        return True
    return issubclass(type(exc), ToolError) and is_sdks(exc)


def _is_of_the_prompt_manager(exc: BaseException) -> bool:
    """Whether the SDK itself found no such prompt, or no such argument."""
    return type(exc) is ValueError and is_sdks(exc) and safe_str(exc).startswith(_PROMPT_PROBLEMS)


def _unknown_tool(name: str) -> InvalidParams:
    return InvalidParams(f"Unknown tool: {name}")
