"""FastMCP 3.4+ and 4: one middleware, outermost, that answers what a request's handler raised.

FastMCP wraps an exception before any middleware sees it, and logs it; the cause is the author's, the log line
a second one. What an author raised and what the framework made of it are told apart by where it was raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from inspect import signature
from types import FrameType, NoneType
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

import anyio
from fastmcp import FastMCP, telemetry
from fastmcp.exceptions import DisabledError, NotFoundError, ToolError
from fastmcp.exceptions import McpError as ProtocolError
from fastmcp.exceptions import ValidationError as Invalid
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.server.telemetry import get_auth_span_attributes
from fastmcp.tools.base import Tool, ToolResult
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp.types import CallToolResult, ErrorData
from opentelemetry.trace import Span
from pydantic_core import InitErrorDetails
from pydantic_core import ValidationError as PydanticError

from mcp_error_middleware.adapters.seam import (
    MARK,
    NAMED_BY,
    NOUNS,
    Channel,
    Traced,
    channel,
    correlation_id,
    fitting,
    frames_through,
    hostile,
    innermost,
    is_of,
    is_open,
    is_ours,
    is_sdks,
    knows_structure,
    naming_urls,
    passed,
    protocol_error,
    session_id,
    unfit,
    unkept,
    unwrapped,
    unwritable,
    warn_of_no_server,
)
from mcp_error_middleware.adapters.spanless import quieten, restore
from mcp_error_middleware.adapters.steps import stepped
from mcp_error_middleware.adapters.surroundings import (
    as_listed,
    as_shown,
    client_at,
    enriched,
    failed,
    promised,
    shown,
    succeeded,
    surroundings,
    suspected,
    uris,
)
from mcp_error_middleware.adapters.tidy import asked_for
from mcp_error_middleware.adapters.withheld import Withheld, Withholding
from mcp_error_middleware.advice import NOWHERE, Around, outcome_unknown
from mcp_error_middleware.classify import qualified_name, traceback_of, walk
from mcp_error_middleware.classify.chain import cause_of
from mcp_error_middleware.contracts import Contract, active, contract_of, current_contract
from mcp_error_middleware.errors import InvalidParams, Timeout
from mcp_error_middleware.model import Call, Verdict
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.taxonomy import SPEC_CODES, URL_ELICITATION, ErrorCode, may_leave
from mcp_error_middleware.telemetry import chosen
from mcp_error_middleware.telemetry.operation import Operation, operation, recognise, running
from mcp_error_middleware.triage import Triage, error_of, number_of

if "is_error" not in signature(ToolResult).parameters:
    # A result of theirs cannot say that it is one; `install` then serves by the SDK under it.
    raise ImportError("this middleware needs FastMCP 3.4 or newer; install(server) serves older ones too")

_COMPONENTS: Final = ("tools/", "prompts/", "resources/")

_TIMED_OUT: Final = -32000

_PATIENCE: Final = 1.0
"""Seconds a failed call waits for its tool to be looked up, where that asks another server."""
_CACHED: Final = 1024

_SDK_1: Final = not hasattr(ProtocolError, "from_error_data")
_suppressed: Any = getattr(telemetry, "suppress_fastmcp_telemetry", nullcontext)


def install(target: FastMCP[Any], triage: Triage) -> None:
    """Put the middleware outermost; a second time replaces the first one's triage."""
    uninstall(target)
    target.middleware.insert(0, _Installed(triage))
    _trace(target, triage)


def uninstall(target: FastMCP[Any]) -> None:
    """Take it off; one the author added stays."""
    for layer in [layer for layer in target.middleware if isinstance(layer, _Installed)]:
        target.middleware.remove(layer)
        _WITHHOLDING.end(layer)
    _untrace(target)


class ErrorMiddleware(Middleware):
    """Answers every failure of a request: `mcp.add_middleware(ErrorMiddleware())`.

    It answers for what is inside of it; `install` puts it outside of everything.
    """

    def __init__(self, triage: Triage | None = None, *, policy: ErrorPolicy | None = None) -> None:
        self.triage = chosen(triage, policy)
        self._contracts: WeakKeyDictionary[Any, dict[str, type[Contract] | None]] = WeakKeyDictionary()
        self._bare: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
        _WITHHOLDING.begin(self)

    async def __call__(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Any:
        """Answer at the wire; nested calls and calls from code keep raising."""
        if not issubclass(type(context), MiddlewareContext):
            warn_of_no_server()
            return await call_next(context)
        wire = context.fastmcp_context and context.fastmcp_context.request_context
        outer = _request.get()
        if wire is None or (outer is not None and outer.is_of(wire)):
            return await self._under_contract(context, call_next, outer)
        with self._operation(context, wire) as request:
            _enrich(request.span, _server(context))
            answer = await self._serve(context, call_next, wire)
            request.is_error = isinstance(answer, ToolResult) and bool(answer.is_error)
            if isinstance(answer, BaseException):
                raise answer
            return answer

    def _operation(self, context: MiddlewareContext[Any], wire: Any) -> Any:
        """The one that runs, if a layer further out began it."""
        request = running()
        if request is not None and (request.key is wire or request.key is wire.session):
            return nullcontext(request)
        with suppress(Exception):  # then FastMCP's own span is the one
            _trace(_server(context), self.triage)
        meta, policy = getattr(wire.meta, "model_extra", wire.meta), self.triage.policy
        request = operation(policy, partial(_call, context), meta, wire.session)
        return _alone(request) if policy.traces else request

    async def _serve(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any], wire: Any) -> Any:
        """What to return, or the exception to raise."""
        # FastMCP's own line about a failure can only go where somebody else is told of it.
        request = _Request(wire.session, wire.request_id, policy=self.triage.policy)
        token = _request.set(request)
        try:
            result = await stepped(self._under_contract(context, call_next, request))
        except BaseException as exc:
            if not is_ours(exc):
                raise
            return await self._answer(context, exc, request)
        else:
            broken = _broken(context, result)
            # A class of results of its own is no answer yet, but a question to the client.
            if broken is None and type(result) is ToolResult and result.structured_content is None:
                broken = await self._unkept(context, result, wire)
            if broken is not None:
                return await self._answer(context, broken, request)
            try:
                return self._finished(context, result, request)
            except Exception as exc:  # noqa: BLE001 - what could not be checked does not leave
                return await self._answer(context, unfit("tool", exc), request)
        finally:
            _request.reset(token)
            request.close()

    async def _unkept(
        self, context: MiddlewareContext[Any], result: ToolResult, wire: Any
    ) -> BaseException | None:
        """The failure of a tool without the structured content that it promises."""
        name = _tool_name(context)
        if name is None or result.is_error or not knows_structure(_protocol_version(wire)):
            return None
        try:
            # What was shown may have been replaced since.
            if promised(wire.session, name) is False or not await self._promises(_server(context), name):
                return None
            return unkept(result.content, ToolError)
        except Exception:  # noqa: BLE001 - a success stays one
            return None

    async def _promises(self, server: Any, name: str) -> bool:
        """Whether a tool has an output schema, which clients ask for once they have its result."""
        bare = self._bare.setdefault(server, set())
        if name in bare:
            return False
        tool = await _component(server, "get_tool", name)
        if tool is not None and tool.output_schema is not None:
            return True
        if len(bare) >= _CACHED:
            bare.clear()
        bare.add(name)
        return False

    def _finished(self, context: MiddlewareContext[Any], result: Any, request: _Request) -> Any:
        if context.method == "tools/list":
            return self._listed(context, result)
        if isinstance(result, ToolResult):
            if result.is_error:
                return self._enriched(context, result)
            try:
                return self._well(context, result, request)
            except Exception:  # noqa: BLE001 - a success stays one
                return result
        return result

    def _well(self, context: MiddlewareContext[Any], result: ToolResult, request: _Request) -> ToolResult:
        """A successful result; or what it says, if it reads like an error and is to be one."""
        call = partial(_call, context)
        if (said := suspected(call, self.triage, result, result.structured_content)) is not None:
            return self._tool_answer(call(), ToolError(said), None, request, _around(context, call()))
        arguments = getattr(context.message, "arguments", None)
        succeeded(self.triage, _session(context), _tool_name(context), arguments)
        return result

    def _listed(self, context: MiddlewareContext[Any], tools: Any) -> Any:
        """The tools as clients are to see them; noted, for what this one may be told later."""
        self._contracts.clear()
        self._bare.clear()
        try:
            if (client := client_at(_session(context))) is not None:
                client.show(shown(tools, "parameters"))
            return [self._shown(tool) for tool in tools]
        except Exception:  # noqa: BLE001 - less said is better than no list
            return tools

    def _shown(self, tool: Tool) -> Tool:
        policy = self.triage.policy
        contract = contract_of(tool) or policy.contracts.get(tool.name)
        listed: Tool = as_listed(tool, contract, policy, "output_schema")
        return listed

    # --- contracts ---

    async def _under_contract(
        self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any], request: _Request | None
    ) -> Any:
        name = _tool_name(context)
        if name is None:
            return await call_next(context)
        contract = await self._contract(context, name)
        if request is not None and request.contract is None:
            request.contract = contract
        if contract is current_contract.get():
            return await call_next(context)
        with active(contract):
            return await call_next(context)

    async def _contract(self, context: MiddlewareContext[Any], name: str) -> type[Contract] | None:
        try:
            server = _server(context)
            known = self._contracts.setdefault(server, {})
            if name not in known:
                contract = await _declared(server, name) or self.triage.policy.contracts.get(name)
                if len(known) >= _CACHED:
                    known.clear()
                known[name] = contract
            return known[name]
        except Exception:  # noqa: BLE001 - a call can do without
            return None

    # --- answers ---

    async def _answer(self, context: MiddlewareContext[Any], exc: BaseException, request: _Request) -> Any:
        """What to return, or the exception to raise. Never raises."""
        try:
            answer = await self._answered(context, exc, request)
        except BaseException as error:  # a failure of ours must not become a second failure of the call
            if not is_ours(error):
                raise
            return _protocol_error(context, -32603, ErrorCode.INTERNAL_ERROR.traits.message)
        request.settle(exc)
        return answer

    async def _answered(self, context: MiddlewareContext[Any], exc: BaseException, request: _Request) -> Any:
        tool = _called(exc)
        call, origin = _call(context, structured=self._may_structure(tool)), original(exc)
        if context.type == "notification":
            self.triage(origin, call)
            return None
        if _is_right_as_it_is(context, origin, call):
            error, scrub = error_of(origin), self.triage.scrub
            return _protocol_error(
                context, error.code, scrub.text(error.message), asked_for(error.data, scrub)
            )
        if (refusal := _refusal(call, exc, origin)) is not None:
            return self._protocol_answer(context, refusal, call, await _choice(context, call))
        name, ran = _tool_name(context), tool
        tool = await self._found(context, call, exc, ran)
        if name is None or channel(call, origin) is Channel.PROTOCOL:
            is_unknown = call.method == "resources/read" and _found_none(exc, origin)
            around = await _choice(context, call) if is_unknown else _around(context, call)
            if not isinstance(context.message, dict):
                origin = fitting(call.method, origin)
            return self._protocol_answer(context, origin, call, around)
        if tool is not ran and self._may_structure(tool):
            call = call._replace(structured=True)
        around, verdict = _around(context, call, tool), None
        origin = fitting(call.method, _timeout(origin), ToolError)
        if _knows_no_tools(context):
            with suppress(Exception):  # then triage says so
                verdict = self.triage.classify(origin)
            if verdict is not None and outcome_unknown(verdict, _types_of(origin), writes=True):
                # How to verify is worth a look.
                around = await _choice(context, call)
        return self._tool_answer(call, origin, tool, request, around, verdict)

    async def _found(
        self, context: MiddlewareContext[Any], call: Call, exc: BaseException, found: Any
    ) -> Any:
        """The tool or prompt a request names, where there is one."""
        get = _GETTERS.get(call.method) if isinstance(exc, Exception) else None
        if found is None and get is not None and not isinstance(context.message, dict):
            found = await _component(_server(context), get, call.target)
        if found is not None:
            recognise()
        return found

    def _tool_answer(
        self,
        call: Call,
        origin: BaseException,
        tool: Tool | None,
        request: _Request,
        around: Around,
        verdict: Verdict | None = None,
    ) -> ToolResult:
        contract = request.contract or contract_of(getattr(tool, "fn", tool))
        failure = self.triage(origin, call, contract=contract, around=around, verdict=verdict)
        if number_of(origin) == URL_ELICITATION:
            failure = naming_urls(failure, asked_for(error_of(origin).data, self.triage.scrub))
        said = failed(failure, self.triage.policy)
        result = ToolResult(content=said["content"][0]["text"], meta=said["_meta"], is_error=True)
        # Not as an argument, of which FastMCP makes JSON once more.
        result.structured_content = said.get("structuredContent")
        return result

    def _protocol_answer(
        self, context: MiddlewareContext[Any], origin: BaseException, call: Call, around: Around
    ) -> BaseException:
        error = protocol_error(self.triage, origin, call, around)
        return _protocol_error(context, error["code"], error["message"], error["data"])

    def _enriched(self, context: MiddlewareContext[Any], result: ToolResult) -> ToolResult:
        """A result that says it is an error, with the error object it lacks."""
        call = _call(context)
        content = [block.model_dump(mode="json", by_alias=True) for block in result.content]
        said = {"content": content, "_meta": result.meta, "structuredContent": result.structured_content}
        return _copied(result, enriched(said, self.triage, ToolError, call, _around(context, call)))

    def _may_structure(self, tool: Tool | None) -> bool:
        return tool is not None and is_open(tool.output_schema, self.triage.policy)


class _Installed(ErrorMiddleware):
    """The one `install` put there."""


# --- spans --------------------------------------------------------------------------------------


def _trace(server: Any, triage: Triage) -> None:
    """Have one span per request, ours: FastMCP's own records every exception as it was raised."""
    low, policy = server._mcp_server, triage.policy
    if _SDK_1:
        if MARK not in vars(low):
            _v1().Below(triage, low, answered=(_Answered, _LetThrough)).attach()
            if policy.traces:
                quieten(server)
                handlers = low.request_handlers
                handlers.bordered = partial(_quietened, server, handlers.bordered)
    elif not any(isinstance(layer, Traced) for layer in low.middleware):
        Traced(policy, _suppressed if policy.traces else nullcontext).insert(low.middleware, 0)


def _untrace(server: Any) -> None:
    low = server._mcp_server
    if not _SDK_1:
        Traced.remove(low.middleware)
        return
    _v1().uninstall(low)
    restore(server)


async def _quietened(server: Any, serve: Any, handler: Any, message: Any) -> Any:
    # What was mounted since.
    quieten(server)
    return await serve(handler, message)


def _v1() -> Any:
    """The adapter of the SDK under FastMCP 3, which the one under FastMCP 4 is not."""
    return import_module("mcp_error_middleware.adapters.mcp_v1")


@contextmanager
def _alone(request: Operation) -> Iterator[Operation]:
    """The operation, its span the only one."""
    with _suppressed(), request:
        yield request


def _enrich(span: Span, server: Any) -> None:
    """Say on our span what FastMCP would say on its own."""
    if not span.is_recording():
        return
    try:
        span.set_attribute("fastmcp.server.name", server.name)
        if caller := get_auth_span_attributes():
            span.set_attributes(caller)
    except Exception:  # noqa: BLE001 - whose token it is may be hard to say
        return


# --- the request at hand ------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Request(Withheld):
    """What is being answered."""

    session: object
    id: object
    contract: type[Contract] | None = None

    def is_of(self, wire: Any) -> bool:
        return wire.session is self.session and wire.request_id == self.id


_request: ContextVar[_Request | None] = ContextVar("mcp_error_middleware_fastmcp_request", default=None)
"""Set while a request of the wire is served; whoever finds it set is nested."""

_WITHHOLDING: Final = Withholding(_request, ("fastmcp.server.server", "fastmcp.prompts.function_prompt"))
"""What FastMCP reports of a handler's exception."""


def _call(context: MiddlewareContext[Any], *, structured: bool = False) -> Call:
    wire = context.fastmcp_context and context.fastmcp_context.request_context
    message, key = context.message, NAMED_BY.get(context.method or "", "")
    target = message.get(key) if isinstance(message, dict) else getattr(message, key, None)
    request = getattr(wire, "request", None)
    return Call(
        context.method or "",
        None if target is None else str(target),
        getattr(wire, "request_id", None),
        session_id(request),
        correlation_id(request),
        _protocol_version(wire),
        getattr(context.fastmcp_context, "transport", None),
        structured,
    )


def _protocol_version(wire: Any) -> str | None:
    if _SDK_1:
        return getattr(getattr(wire.session, "client_params", None), "protocolVersion", None)
    return getattr(wire, "protocol_version", None)


def _tool_name(context: MiddlewareContext[Any]) -> str | None:
    """The tool about to be called; None for any other request, and for one that never got that far."""
    if context.method != "tools/call" or isinstance(context.message, dict):
        return None
    name = context.message.name
    return name if isinstance(name, str) else None


def _server(context: MiddlewareContext[Any]) -> Any:
    return context.fastmcp_context and context.fastmcp_context.fastmcp


async def _declared(server: Any, name: str) -> type[Contract] | None:
    """The contract beside the tool: in this very server, so no other is asked and no permission checked."""
    tool = await server.local_provider.get_tool(name)
    return None if tool is None else contract_of(tool)


def _session(context: MiddlewareContext[Any]) -> Any:
    wire = context.fastmcp_context and context.fastmcp_context.request_context
    return getattr(wire, "session", None)


def _around(context: MiddlewareContext[Any], call: Call, tool: Tool | None = None, names: Any = ()) -> Around:
    """What is known about a request that failed; nothing, where that cannot be had."""
    try:
        mine = as_shown(tool, "parameters") if tool else None
        arguments = getattr(context.message, "arguments", None)
        return surroundings(call, _session(context), arguments, mine, names=lambda: tuple(names))
    except Exception:  # noqa: BLE001 - the failure is answered without
        return NOWHERE


_PLAIN: Final = (NoneType, str, bytes, int, float, list, tuple)


def _broken(context: MiddlewareContext[Any], result: Any) -> BaseException | None:
    """The failure that a result is which nobody can send."""
    method = context.method or ""
    if method == "tools/call" and isinstance(result, _PLAIN):
        # What a careless middleware returned in the tool's place.
        return unfit("tool", None)
    return (
        None if method not in NAMED_BY or getattr(result, "is_error", False) else unwritable(method, result)
    )


def _types_of(exc: BaseException) -> Iterator[str]:
    return (qualified_name(type(link.exc)) for link in walk(exc))


def _knows_no_tools(context: MiddlewareContext[Any]) -> bool:
    """Whether the client of this session was shown nothing yet."""
    client = client_at(_session(context))
    return client is None or len(client.tools) < 2


_LISTS: Final = {"tools/call": "list_tools", "prompts/get": "list_prompts"}


async def _choice(context: MiddlewareContext[Any], call: Call) -> Around:
    """What this client could have asked for instead."""
    names: Sequence[str] = ()
    with suppress(Exception), anyio.move_on_after(_PATIENCE):
        server = _server(context)
        if call.method == "resources/read":
            names = uris(await server.list_resources(), await server.list_resource_templates())
        else:
            listed = await getattr(server, _LISTS[call.method])()
            names = [component.name for component in listed]
            if call.tool is not None and (client := client_at(_session(context))) is not None:
                client.show(shown(listed, "parameters"))
    return _around(context, call, names=names)


def _called(exc: BaseException) -> Tool | None:
    """The tool that raised it, by the outermost of FastMCP's frames that ran one."""
    traceback = traceback_of(exc)
    while traceback is not None:
        frame, traceback = traceback.tb_frame, traceback.tb_next
        if frame.f_code is _CALL_TOOL and (tool := frame.f_locals.get("tool")) is not None:
            return tool if isinstance(tool, Tool) else None
    return None


_CALL_TOOL: Final = FastMCP.call_tool.__code__
_GETTERS: Final = {"tools/call": "get_tool", "prompts/get": "get_prompt"}


async def _component(server: Any, get: str, name: str | None) -> Any:
    with suppress(Exception), anyio.move_on_after(_PATIENCE):
        return await getattr(server, get)(name)
    return None


# --- what the author raised ---------------------------------------------------------------------


def original(exc: BaseException) -> BaseException:
    """The author's exception, under what the framework raised from it."""
    origin = unwrapped(exc, is_sdks)
    if (handled := hostile(origin)) is not None:
        return handled
    # By its type: what it says of its class may raise.
    if issubclass(type(origin), PydanticError):
        return _of_argument(cast("PydanticError", origin), _frames_to(origin, exc))
    return _of_arguments(origin) if type(origin) is TypeError else origin


def _frames_to(origin: BaseException, exc: BaseException | None) -> list[FrameType]:
    """The frames of what was raised last, then those of what is under it."""
    frames: list[FrameType] = []
    while exc is not None:
        frames += frames_through(exc)
        exc = None if exc is origin else cause_of(exc)
    return frames


def _of_argument(exc: PydanticError, frames: list[FrameType]) -> BaseException:
    """With the argument's name as its caller knows it, which only the framework can tell."""
    with suppress(Exception):  # a kind of error that only its author can make
        if (frame := passed(frames, "_convert_string_arguments")) is not None:
            return _refused(exc, exc.title, _located(exc, frame.f_locals))
        forwarding = [f for f in frames if f.f_code.co_name == "_forward" and is_of(f, "fastmcp")]
        if forwarding and all(is_of(f, *_FRAMEWORK) for f in frames[frames.index(forwarding[-1]) :]):
            return _refused(exc, exc.title, _renamed(exc, forwarding))
    return exc


_FRAMEWORK: Final = ("fastmcp", "pydantic", "anyio")
"""Whose code stands between a tool and its arguments, and no author's."""


def _of_arguments(exc: BaseException) -> BaseException:
    """What a transformed tool lacks or does not know; the framework says it as a bug would be said."""
    frame = innermost(exc)
    if frame is None or frame.f_code.co_name != "_forward" or not is_of(frame, "fastmcp"):
        return exc
    with suppress(Exception):  # of another version, which has other words
        known, required, sent = (frame.f_locals[n] for n in ("valid_args", "new_required", "provided_args"))
        lacks = [_problem("missing_argument", (name,)) for name in sorted(required - sent)]
        others = [_problem("unexpected_keyword_argument", (name,)) for name in sorted(sent - known)]
        return _refused(exc, "arguments", [*lacks, *others])
    return exc


def _refused(exc: BaseException, title: str, problems: Iterable[InitErrorDetails]) -> BaseException:
    refused = PydanticError.from_exception_data(title, [*problems], "json")
    refused.__cause__ = exc
    return refused


def _problem(
    kind: str, place: tuple[int | str, ...], input: object = None, ctx: Any = None
) -> InitErrorDetails:
    return InitErrorDetails(type=kind, loc=place, input=input, ctx=ctx or {})


def _renamed(exc: PydanticError, forwarding: list[FrameType]) -> Iterator[InitErrorDetails]:
    """Its problems by the names that transformed tools gave to the arguments of their parents."""
    renamed = [{old: new for new, old in f.f_locals["new_to_old"].items()} for f in reversed(forwarding)]
    for each in exc.errors():
        place = each["loc"]
        for names in renamed:
            place = (names.get(place[0], place[0]), *place[1:]) if place else place
        yield _problem(each["type"], place, each["input"], each.get("ctx"))


def _located(exc: PydanticError, tried: Mapping[str, Any]) -> Iterator[InitErrorDetails]:
    problems = exc.errors()
    if problems[0]["type"] == "json_invalid":
        # It was taken as it came, then as JSON: that it is no JSON says less.
        try:
            tried["adapter"].validate_python(tried["param_value"])
        except PydanticError as first:
            problems = first.errors()
    for each in problems:
        place = (tried["param_name"], *each["loc"])
        yield _problem(each["type"], place, each["input"], each.get("ctx"))


def _timeout(exc: BaseException) -> BaseException:
    """A tool's own `timeout=`, which the framework reports as a closed connection."""
    if number_of(exc) != _TIMED_OUT or "timed out" not in str(exc) or not is_sdks(exc):
        return exc
    timeout = Timeout(str(exc))
    timeout.__cause__ = exc
    return timeout


# --- the channel --------------------------------------------------------------------------------


def _is_right_as_it_is(context: MiddlewareContext[Any], exc: BaseException, call: Call) -> bool:
    """Whether no handler failed: it is a step of the protocol, or the SDK's word on a request without one."""
    number = number_of(exc)
    if number is None:
        return False
    if number == URL_ELICITATION or not is_sdks(exc):
        return channel(call, exc) is Channel.STEP
    outside = isinstance(context.message, dict) or not call.method.startswith(_COMPONENTS)
    return number in SPEC_CODES or (outside and may_leave(number, call.protocol_version))


def _refusal(call: Call, exc: BaseException, origin: BaseException) -> BaseException | None:
    """Why FastMCP called no handler: there is none of that name, or a prompt lacks an argument."""
    noun = NOUNS.get(call.method)
    if noun in ("tool", "prompt") and _found_none(exc, origin):
        return InvalidParams(f"Unknown {noun}: {call.target}")
    is_prompts = noun == "prompt" and type(origin) in _LACKING and is_sdks(exc) and is_sdks(origin)
    return InvalidParams(str(origin)) if is_prompts else None


_LACKING: Final = frozenset((ValueError, Invalid))
"""What FastMCP raises for an argument that a prompt lacks; it was a plain ValueError up to 4.1.2."""


def _found_none(exc: BaseException, origin: BaseException) -> bool:
    """Whether FastMCP itself says that there is nothing of that name."""
    return issubclass(type(exc), NotFoundError | DisabledError) and is_sdks(exc) and is_sdks(origin)


def _protocol_error(
    context: MiddlewareContext[Any], code: int, message: str, data: Any = None
) -> BaseException:
    error = ErrorData(code=code, message=message, data=data)
    if _SDK_1 and context.method == "tools/call":
        return _LetThrough(error)
    make: Any = getattr(_Answered, "from_error_data", _Answered)
    raised: BaseException = make(error)
    return raised


class _Answered(ProtocolError):
    """A protocol error of ours, on its way out."""


class _LetThrough(UrlElicitationRequiredError):
    """Any error at all: the one class that mcp 1.x does not flatten into the text of a tool's result."""

    def __init__(self, error: ErrorData) -> None:
        Exception.__init__(self, error.message)
        self.error = error
        self._elicitations = []


# --- results that say they are errors -------------------------------------------------------------


def _copied(result: ToolResult, said: dict[str, Any]) -> ToolResult:
    tidy = CallToolResult.model_validate(said)
    raw = getattr(result, "_raw_mcp_result", None)
    if raw is not None and result.content:
        # Kept by a proxy to be sent on as it came.
        name = "structuredContent" if _SDK_1 else "structured_content"
        changed = {"content": tidy.content, name: said.get("structuredContent"), "meta": said["_meta"]}
        return ToolResult.from_mcp_result(raw.model_copy(update=changed))
    return ToolResult(
        content=tidy.content,
        structured_content=said.get("structuredContent"),
        meta=said["_meta"],
        is_error=True,
    )
