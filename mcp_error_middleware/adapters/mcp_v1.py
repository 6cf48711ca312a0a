"""The official SDK, mcp 1.30 to 1.x: its own `FastMCP` and the low-level `Server`.

It has no middleware. The seams, all of one server object: the tables in which the dispatcher looks up the
handlers of requests and of notifications; `_make_error_result`, which the SDK calls while it handles a tool's
exception and of which only text remains; and `run`, whose streams show what the SDK refuses by itself.
"""

from __future__ import annotations

import sys
from collections import UserDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, Final, NoReturn

from anyio.lowlevel import checkpoint_if_cancelled

from mcp_error_middleware.adapters import mcp_v1_streams as streams
from mcp_error_middleware.adapters.offered import first_text, look_around
from mcp_error_middleware.adapters.seam import (
    MARK,
    NAMED_BY,
    NOUNS,
    Channel,
    around_of,
    channel,
    correlation_id,
    fitting,
    hostile,
    innermost,
    is_open,
    is_ours,
    is_sdks,
    naming_urls,
    protocol_error,
    refusal,
    session_id,
    transport_of,
    unfit,
    unwritable,
)
from mcp_error_middleware.adapters.steps import stepped
from mcp_error_middleware.adapters.surroundings import (
    Shown,
    around,
    as_listed,
    enriched,
    failed,
    list_to,
    shown,
    succeeded,
    suspected,
)
from mcp_error_middleware.adapters.tidy import asked_for
from mcp_error_middleware.adapters.withheld import Withheld, Withholding
from mcp_error_middleware.advice import Around
from mcp_error_middleware.classify import qualified_name, safe_str
from mcp_error_middleware.classify.chain import cause_of, context_of, traceback_of
from mcp_error_middleware.contracts import Contract, active, contract_of, current_contract
from mcp_error_middleware.errors import InvalidParams
from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import URL_ELICITATION, ErrorCode
from mcp_error_middleware.telemetry.operation import operation, recognise, running
from mcp_error_middleware.telemetry.sessions import follow
from mcp_error_middleware.triage import Triage, error_of, number_of

# By name: type checkers see the SDK's other line, where these are not.
_types: Any = import_module("mcp.types")
_version: Any = import_module("mcp.shared.version")
_request_ctx: ContextVar[Any] = import_module("mcp.server.lowlevel.server").request_ctx
FastMCP: Any = import_module("mcp.server.fastmcp.server").FastMCP
ToolError: Any = import_module("mcp.server.fastmcp.exceptions").ToolError
ProtocolError: Any = import_module("mcp.shared.exceptions").McpError

Handler = Callable[[Any], Awaitable[Any]]

_LISTS: Final = {
    "tools/list": _types.ListToolsRequest,
    "prompts/list": _types.ListPromptsRequest,
    "resources/list": _types.ListResourcesRequest,
    "resources/templates/list": _types.ListResourceTemplatesRequest,
}


_JSONSCHEMA: Final = "jsonschema.exceptions.ValidationError"

_MISSING: Final = "Missing required arguments: "
_UNFIT_PROMPT: Final = "Could not convert prompt result to message: "
_UNFIT_OUTPUT: Final = "Output validation error: "
_UNFIT: Final = (_UNFIT_PROMPT, "Unexpected return type from ")


def install(target: Any, triage: Triage) -> None:
    """Hook a server; a second time replaces the first one's triage."""
    uninstall(target)
    Hook(triage, *_layers(target)).attach()


def uninstall(target: Any) -> None:
    """Restore what was there before."""
    low, _ = _layers(target)
    if (hook := low.__dict__.get(MARK)) is not None:
        hook.detach()


def _layers(target: Any) -> tuple[Any, Any]:
    """The low-level server, and the SDK's `FastMCP` it is of, if any."""
    if isinstance(target, FastMCP):
        return target._mcp_server, target
    # The other FastMCP, version 2, has one as well.
    target = getattr(target, "_mcp_server", target)
    return target, next((owner for owner in _owners(target) if isinstance(owner, FastMCP)), None)


def _owners(low: Any) -> Iterator[object]:
    """Whose methods the handlers call: the SDK keeps each in a closure."""
    for handler in low.request_handlers.values():
        for cell in getattr(handler, "__closure__", None) or ():
            # An empty cell has no contents.
            with suppress(ValueError):
                yield getattr(cell.cell_contents, "__self__", None)


class Handlers(UserDict[type, Handler]):
    """A server's own table, whose handlers the dispatcher gets with their failures answered.

    The dispatcher asks by `get`; by index a handler is what its author registered. What is registered later
    lands in the server's own table too, by whichever reference.
    """

    def __init__(
        self,
        handlers: dict[type, Handler],
        bordered: Callable[[Handler, Any], Any],
        absent: Handler | None = None,
    ) -> None:
        """`absent` is asked where nobody registered a handler."""
        super().__init__()
        self.data = handlers
        self.bordered = bordered
        self.absent = absent

    def get(self, key: type, default: Any = None) -> Any:
        handler = self.data.get(key)
        return self.absent or default if handler is None else partial(self.bordered, handler)


@dataclass(slots=True, eq=False)
class _Request(Withheld):
    """What is being answered, and which result the SDK last made of which exception."""

    context: Any
    result: Any = None
    raised: BaseException | None = None


_request: ContextVar[_Request | None] = ContextVar("mcp_error_middleware_v1_request", default=None)
"""Set while a request of the wire is served; whoever finds it set is nested."""

_WITHHOLDING: Final = Withholding(_request, ("mcp.server.fastmcp.server",))
"""What the SDK reports of the exception of a prompt or resource."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One server's seams."""

    triage: Triage
    low: Any
    high: Any = None
    listed: dict[str, Shown] = field(default_factory=dict)
    """The tools that were shown to anybody."""
    answered: tuple[type[BaseException], ...] = ()
    """The answers of a layer further in."""

    def attach(self) -> None:
        self.low.__dict__[MARK] = self
        self.low.__dict__["_make_error_result"] = self.make_error_result
        self.low.request_handlers = Handlers(self.low.request_handlers, self.serve, self.refuse)
        self.low.notification_handlers = Handlers(self.low.notification_handlers, self.heed)
        streams.attach(self.low, self.triage)
        _WITHHOLDING.begin(self.low)

    def detach(self) -> None:
        streams.detach(self.low)
        _WITHHOLDING.end(self.low)
        for name in (MARK, "_make_error_result"):
            self.low.__dict__.pop(name, None)
        for name in ("request_handlers", "notification_handlers"):
            if isinstance(handlers := getattr(self.low, name), Handlers):
                setattr(self.low, name, handlers.data)

    # --- the border of a handler ---

    async def serve(self, handler: Handler, message: Any) -> Any:
        """Answer at the wire; what code asks a handler for keeps raising."""
        context, outer = _request_ctx.get(None), _request.get()
        if context is None or (outer is not None and outer.context is context):
            return await handler(message)
        try:
            answer = await traced(self.triage.policy, partial(self._serve, handler, context), message)
        except Exception:
            await checkpoint_if_cancelled()
            raise
        # The SDK has answered a cancelled request already; a second answer ends the server.
        await checkpoint_if_cancelled()
        return answer

    async def _serve(self, handler: Handler, context: Any, message: Any) -> Any:
        request = _Request(context, policy=self.triage.policy)
        contract = self._contract(message)
        token = _request.set(request)
        try:
            result = await stepped(_under(contract, handler, message))
        except BaseException as exc:
            if issubclass(type(exc), self.answered) or not is_ours(exc):
                raise
            raised = exc
            request.settle(exc)
        else:
            if request.raised is None or result is not request.result:
                if _says_so(result):
                    said = ToolError(first_text(result.root.content))
                    await self._look_around(context, message, said)
                return self._finished(context, message, result)
            raised = request.raised
        finally:
            _request.reset(token)
            request.close()
        await self._look_around(context, message, raised)
        return self._answer(context, message, raised, contract)

    async def refuse(self, message: Any) -> Any:
        """What the SDK says of a request that has no handler, with an operation around it."""
        return await traced(self.triage.policy, _unserved, message)

    async def heed(self, handler: Handler, message: Any) -> None:
        """Record what the handler of a notification raises; it goes no further."""
        http = streams.http_of_session()
        call = Call(
            _method(message), session_id=session_id(http), transport=transport_of(http), structured=False
        )
        with operation(self.triage.policy, lambda: call):
            try:
                await stepped(handler(message))
            except BaseException as exc:
                if not is_ours(exc):
                    raise
                self.triage(_original(exc), call)

    def make_error_result(self, error_message: str) -> Any:
        """`Server._make_error_result`, noting the exception that is being handled."""
        result = type(self.low)._make_error_result(self.low, plain(error_message))
        if (request := _request.get()) is not None:
            request.result, request.raised = result, _behind(error_message)
        return result

    def _contract(self, message: Any) -> type[Contract] | None:
        return self._promise(message.params.name) if _method(message) == "tools/call" else None

    def _promise(self, name: str) -> type[Contract] | None:
        tool = self.high._tool_manager.get_tool(name) if self.high is not None else None
        declared = contract_of(tool.fn) if tool is not None else None
        return declared or self.triage.policy.contracts.get(name)

    # --- results ---

    def _finished(self, context: Any, message: Any, result: Any) -> Any:
        if isinstance(result, _types.ErrorData):
            return self._answer(context, message, ProtocolError(result))
        method = _method(message)
        if not _says_so(result) and (broken := unwritable(method, result)) is not None:
            return self._answer(context, message, broken)
        if method == "tools/call" and _says_so(result):
            return self._enriched(context, message, result)
        try:
            if method == "tools/call":
                if (said := self._silent(context, message, result.root)) is not None:
                    return self._answer(context, message, ToolError(said))
                succeeded(self.triage, context.session, message.params.name, message.params.arguments)
            elif method == "tools/list":
                return self._listed(context, message, result)
        except Exception:  # noqa: BLE001 - what it says already is enough
            return result
        return result

    def _silent(self, context: Any, message: Any, result: Any) -> str | None:
        """What it says, if it reads like an error and is to be one."""
        if getattr(result, "isError", None) is None:
            return None
        return suspected(lambda: _call(context, message), self.triage, result, result.structuredContent)

    def _enriched(self, context: Any, message: Any, result: Any) -> Any:
        """A result that says it is an error, with the error object it lacks."""
        call, surroundings = _call(context, message), self._around(context, message)
        try:
            said = result.root.model_dump(mode="json", by_alias=True, exclude_none=True)
            return _result(enriched(said, self.triage, ToolError, call, surroundings))
        except Exception as exc:  # noqa: BLE001 - what could not be checked does not leave
            return self._answer(context, message, unfit("tool", exc))

    def _listed(self, context: Any, message: Any, result: Any) -> Any:
        """The tools as clients are to see them; noted, for what this one may be told later."""
        policy = self.triage.policy
        more = getattr(getattr(message, "params", None), "cursor", None) is not None
        list_to(context.session, self.listed, shown(result.root.tools, "inputSchema"), more=more)
        tools = [
            as_listed(tool, self._promise(tool.name), policy, "outputSchema") for tool in result.root.tools
        ]
        return _types.ServerResult(result.root.model_copy(update={"tools": tools}))

    def _may_structure(self, name: str | None) -> bool:
        # The SDK looks a tool up before it calls it; one it never saw may have any schema.
        tool = self.low._tool_cache.get(name)
        return tool is not None and is_open(tool.outputSchema, self.triage.policy)

    async def _look_around(self, context: Any, message: Any, exc: BaseException) -> None:
        if self.high is None:
            call, origin = _call(context, message), _original(exc)
            await look_around(self.triage, call, origin, context.session, self.listed, self._ask)

    async def _ask(self, method: str, cursor: str | None) -> Any:
        """One page of a list, from the author's own handler."""
        kind = _LISTS[method]
        handler = self.low.request_handlers.data.get(kind)
        if handler is None:
            return None
        params = None if cursor is None else _types.PaginatedRequestParams(cursor=cursor)
        return (await handler(kind(method=method, params=params))).root

    def _around(self, context: Any, message: Any) -> Around:
        arguments, call = (
            getattr(getattr(message, "params", None), "arguments", None),
            _call(context, message),
        )
        if call.tool is not None and call.tool in self.low._tool_cache:
            recognise()
        return around(call, context.session, arguments, self.high, self.listed)

    # --- answers ---

    def _answer(
        self, context: Any, message: Any, exc: BaseException, contract: type[Contract] | None = None
    ) -> Any:
        try:
            call, surroundings = _call(context, message), self._around(context, message)
            answer = self._answered(call, _fitting(call.method, _original(exc)), contract, surroundings)
        except Exception:  # noqa: BLE001 - a failure of ours must not become a second failure of the call
            answer = _protocol_error(-32603, ErrorCode.INTERNAL_ERROR.traits.message)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _answered(
        self, call: Call, origin: BaseException, contract: type[Contract] | None, around: Around
    ) -> Any:
        """What to return, or the exception to raise."""
        scrub, way = self.triage.scrub, channel(call, origin)
        if way is Channel.STEP:
            asked = error_of(origin)
            return _protocol_error(asked.code, scrub.text(plain(asked.message)), asked_for(asked.data, scrub))
        if (refused := _refusal(call, origin, around, self.triage.policy.locale)) is not None:
            return self._protocol_answer(call, refused, around)
        if way is Channel.PROTOCOL:
            return self._protocol_answer(call, origin, around)
        call = call._replace(structured=self._may_structure(call.tool))
        failure = self.triage(origin, call, contract=contract, around=around)
        if number_of(origin) == URL_ELICITATION:
            failure = naming_urls(failure, asked_for(error_of(origin).data, scrub))
        return _result(failed(failure, self.triage.policy))

    def _protocol_answer(self, call: Call, origin: BaseException, around: Around) -> BaseException:
        error = protocol_error(self.triage, origin, call, around)
        return _protocol_error(error["code"], error["message"], error["data"])


class Below(Hook):
    """Under FastMCP 3, whose own middleware sees neither what this SDK says of arguments and results nor the
    handlers that were registered with the SDK.
    """

    __slots__ = ()

    def _finished(self, context: Any, message: Any, result: Any) -> Any:
        return result


async def traced(policy: ErrorPolicy, handler: Handler, message: Any) -> Any:
    """What the handler returns, with one operation around the whole request."""
    context, outer = _request_ctx.get(None), running()
    if context is None or (outer is not None and outer.key is context):
        return await handler(message)
    call = _call(context, message)
    follow(policy, getattr(context.session, "_exit_stack", None), call)
    around = around_of(context.request)
    with operation(policy, lambda: call, _meta(context), context, around) as request:
        result = await handler(message)
        request.is_error = _says_so(result)
        return result


async def _unserved(message: Any) -> NoReturn:
    raise _protocol_error(-32601, "Method not found")


def _says_so(result: Any) -> bool:
    return getattr(getattr(result, "root", None), "isError", None) is True


async def _under(contract: type[Contract] | None, handler: Handler, message: Any) -> Any:
    if contract is current_contract.get():
        return await handler(message)
    with active(contract):
        return await handler(message)


# --- the request at hand ------------------------------------------------------------------------


def _call(context: Any, message: Any) -> Call:
    method = _method(message)
    target = getattr(getattr(message, "params", None), NAMED_BY.get(method, ""), None)
    return Call(
        method=method,
        target=None if target is None else str(target),
        request_id=context.request_id,
        session_id=session_id(context.request),
        correlation_id=correlation_id(context.request),
        protocol_version=_protocol_version(context),
        transport=transport_of(context.request),
        structured=False,
    )


def _meta(context: Any) -> Mapping[str, Any] | None:
    return getattr(context.meta, "model_extra", None)


def _method(message: Any) -> str:
    return getattr(message, "method", "")


def _protocol_version(context: Any) -> str:
    """What the SDK agreed to; without a session, what the request's own header says."""
    params = context.session.client_params
    headers: Any = getattr(context.request, "headers", {})
    asked: str = params.protocolVersion if params else headers.get("mcp-protocol-version")
    latest: str = _types.LATEST_PROTOCOL_VERSION
    return asked if asked in _version.SUPPORTED_PROTOCOL_VERSIONS else latest


def _result(said: dict[str, Any]) -> Any:
    return _types.ServerResult(_types.CallToolResult.model_validate(said))


def _protocol_error(code: int, message: str, data: Any = None) -> BaseException:
    raised: BaseException = ProtocolError(_types.ErrorData(code=code, message=message, data=data))
    return raised


# --- what the author raised ---------------------------------------------------------------------


def _behind(message: str) -> BaseException:
    """The exception the SDK is putting into these words; without one, they are about the tool's result."""
    exc = sys.exception()
    if exc is None or (message.startswith(_UNFIT_OUTPUT) and qualified_name(type(exc)) == _JSONSCHEMA):
        return unfit("tool", exc, ToolError)
    return exc


def _fitting(method: str, exc: BaseException) -> BaseException:
    """The exception, unless it is about what a handler returned, which no caller can mend."""
    if safe_str(exc).startswith(_UNFIT) and is_sdks(exc):
        return unfit(NOUNS.get(method, "handler"), exc)
    return fitting(method, exc, ToolError if method == "tools/call" else None)


def _original(exc: BaseException) -> BaseException:
    """The author's exception, under those the SDK raised while it handled it."""
    for _ in range(20):
        inner = cause_of(exc)
        inner = context_of(exc) if inner is None else inner
        if inner is None or not _is_made_of(exc, inner):
            break
        exc = inner
    handled = hostile(exc)
    return exc if handled is None else handled


def _is_made_of(exc: BaseException, inner: BaseException) -> bool:
    """Whether the SDK raised the one where it had caught the other."""
    raised, caught = innermost(exc), traceback_of(inner)
    if raised is None or caught is None or raised is not caught.tb_frame:
        return False
    return is_sdks(exc) and not safe_str(exc).startswith(_UNFIT_PROMPT)


def _refusal(call: Call, exc: BaseException, around: Around, locale: str) -> BaseException | None:
    """What says that no handler can serve the request, as the error it should be."""
    if call.method == "prompts/get" and is_sdks(exc) and (text := safe_str(exc)).startswith(_MISSING):
        return InvalidParams(text)
    return refusal(call, exc, around, locale)
