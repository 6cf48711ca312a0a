"""FastMCP 3.4+ and 4: one middleware, outermost, that answers what a request's handler raised.

FastMCP wraps an exception before any middleware sees it, and logs it; the cause is the author's, the log line
a second one. What an author raised and what the framework made of it are told apart by where it was raised.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final
from weakref import WeakKeyDictionary

import anyio
from fastmcp import FastMCP
from fastmcp.exceptions import DisabledError, NotFoundError, ToolError
from fastmcp.exceptions import McpError as ProtocolError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import Tool, ToolResult
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp.types import ErrorData

from mcp_error_middleware.adapters.seam import (
    NAMED_BY,
    advertised,
    correlation_id,
    hostile,
    innermost,
    is_of,
    is_open,
    is_ours,
    naming_urls,
    unwrapped,
)
from mcp_error_middleware.classify import walk
from mcp_error_middleware.contracts import Contract, active, contract_of, current_contract
from mcp_error_middleware.errors import InvalidParams, Timeout
from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.render import (
    META_KEY,
    enrich_result,
    jsonrpc_error,
    tool_result,
)
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import URL_ELICITATION, ErrorCode, may_leave
from mcp_error_middleware.telemetry import observed
from mcp_error_middleware.triage import Triage

_NOUNS: Final = {"tools/call": "tool", "prompts/get": "prompt"}
_COMPONENTS: Final = ("tools/", "prompts/", "resources/")

_SPEC_CODES: Final = frozenset({-32020, -32021, -32022})
_TIMED_OUT: Final = -32000

_PATIENCE: Final = 1.0
"""Seconds a failed call waits for its tool to be looked up, where that asks another server."""
_CACHED: Final = 1024

_SDK_1: Final = not hasattr(ProtocolError, "from_error_data")


def install(target: FastMCP[Any], triage: Triage) -> None:
    """Put the middleware outermost; a second time replaces the first one's triage."""
    uninstall(target)
    target.middleware.insert(0, _Installed(triage))


def uninstall(target: FastMCP[Any]) -> None:
    """Take it off; one the author added stays."""
    target.middleware[:] = [layer for layer in target.middleware if not isinstance(layer, _Installed)]


class ErrorMiddleware(Middleware):
    """Answers every failure of a request: `mcp.add_middleware(ErrorMiddleware())`.

    It answers for what is inside of it; `install` puts it outside of everything.
    """

    def __init__(self, triage: Triage | None = None, *, policy: ErrorPolicy | None = None) -> None:
        self.triage = triage or observed(policy or ErrorPolicy.from_env())
        self._contracts: WeakKeyDictionary[Any, dict[str, type[Contract] | None]] = WeakKeyDictionary()
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(_withhold)

    async def __call__(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Any:
        """Answer at the wire; nested calls and calls from code keep raising."""
        wire = context.fastmcp_context and context.fastmcp_context.request_context
        outer = _request.get()
        if wire is None or (outer is not None and outer.is_of(wire)):
            return await self._under_contract(context, call_next, outer)
        # FastMCP's own line about a failure can only go where somebody else is told of it.
        request = _Request(wire.session, wire.request_id, told=bool(self.triage.policy.observers))
        token = _request.set(request)
        try:
            result = await self._under_contract(context, call_next, request)
        except BaseException as exc:
            if not is_ours(exc):
                raise
            answer = await self._answer(context, exc, request)
        else:
            return self._finished(context, result)
        finally:
            _request.reset(token)
            request.close()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _finished(self, context: MiddlewareContext[Any], result: Any) -> Any:
        if context.method == "tools/list":
            return self._listed(result)
        if isinstance(result, ToolResult) and result.is_error:
            return self._enriched(context, result)
        return result

    def _listed(self, tools: Any) -> Any:
        self._contracts.clear()
        if not self.triage.policy.widen_output_schema:
            return tools
        try:
            return [
                tool.model_copy(update={"output_schema": advertised(tool.output_schema, self.triage.policy)})
                for tool in tools
            ]
        except Exception:  # noqa: BLE001 - a narrower schema is better than no list
            return tools

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
        except Exception:  # noqa: BLE001 - a failure of ours must not become a second failure of the call
            return _protocol_error(context, -32603, ErrorCode.INTERNAL_ERROR.traits.message)
        request.settle(exc)
        return answer

    async def _answered(self, context: MiddlewareContext[Any], exc: BaseException, request: _Request) -> Any:
        call, origin = _call(context), original(exc)
        if context.type == "notification":
            self.triage(origin, call)
            return None
        if (error := _error(origin)) is not None and _is_right_as_it_is(context, origin, call):
            return _protocol_error(context, error.code, error.message, plain(error.data))
        if (refusal := _refusal(call, exc, origin)) is not None:
            return self._protocol_answer(context, refusal, call)
        name = _tool_name(context)
        if name is None or _is_for_the_protocol(origin):
            return self._protocol_answer(context, origin, call)
        tool = await _tool(_server(context), name) if isinstance(exc, Exception) else None
        return self._tool_answer(replace(call, structured=self._may_structure(tool)), origin, tool, request)

    def _tool_answer(
        self, call: Call, origin: BaseException, tool: Tool | None, request: _Request
    ) -> ToolResult:
        contract = request.contract or (contract_of(tool) if tool is not None else None)
        failure = self.triage(_timeout(origin), call, contract=contract)
        if _number(origin) == URL_ELICITATION:
            failure = naming_urls(failure, plain(getattr(_error(origin), "data", None)))
        said = tool_result(failure, format=self.triage.policy.format)
        return ToolResult(
            content=said["content"][0]["text"],
            structured_content=said.get("structuredContent"),
            meta=said["_meta"],
            is_error=True,
        )

    def _protocol_answer(
        self, context: MiddlewareContext[Any], origin: BaseException, call: Call
    ) -> BaseException:
        failure = self.triage(origin, call)
        error = jsonrpc_error(failure, taxonomy_numbers=self.triage.policy.taxonomy_numbers)
        if error["code"] in _SPEC_CODES and (own := _error(origin)) is not None:
            # Clients act on these, by their data.
            return _protocol_error(context, error["code"], failure.message, plain(own.data))
        return _protocol_error(context, error["code"], error["message"], error["data"])

    def _enriched(self, context: MiddlewareContext[Any], result: ToolResult) -> ToolResult:
        """A result that says it is an error, with the error object it lacks."""
        if META_KEY in (result.meta or {}):
            return result
        try:
            content = [block.model_dump(mode="json", by_alias=True) for block in result.content]
            texts = (block["text"] for block in content if block.get("text"))
            failure = self.triage(ToolError(next(texts, "")), _call(context))
            said = enrich_result(
                {"content": content, "_meta": result.meta}, failure, format=self.triage.policy.format
            )
            return _copied(result, said)
        except Exception:  # noqa: BLE001 - what it says already is enough
            return result

    def _may_structure(self, tool: Tool | None) -> bool:
        return tool is not None and is_open(tool.output_schema, self.triage.policy)


class _Installed(ErrorMiddleware):
    """The one `install` put there."""


# --- the request at hand ------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Request:
    """What is being answered, and FastMCP's log records about its exceptions until it is."""

    session: object
    id: object
    told: bool
    contract: type[Contract] | None = None
    withheld: list[tuple[logging.LogRecord, BaseException]] | None = None
    is_open: bool = True

    def is_of(self, wire: Any) -> bool:
        return wire.session is self.session and wire.request_id == self.id

    def settle(self, exc: BaseException) -> None:
        """Drop the records of what was answered: the observers have it, with every cause."""
        if self.withheld:
            answered = {id(link.exc) for link in walk(exc)}
            self.withheld = [(record, about) for record, about in self.withheld if id(about) not in answered]

    def close(self) -> None:
        """Let go of the others: of failures somebody dealt with inside."""
        self.is_open = False
        for record, _ in self.withheld or ():
            logging.getLogger(record.name).handle(record)


_request: ContextVar[_Request | None] = ContextVar("mcp_error_middleware_fastmcp_request", default=None)
"""Set while a request of the wire is served; whoever finds it set is nested."""

_LOGGERS: Final = ("fastmcp.server.server", "fastmcp.prompts.function_prompt")
"""Where FastMCP reports a handler's exception, as a traceback that costs more than the call."""
_WITHHELD: Final = 20


def _withhold(record: logging.LogRecord) -> bool:
    """Filter: keep a record about an exception back until its request is answered; others pass."""
    request, exc = _request.get(), sys.exception()
    if request is None or exc is None or not (request.told and request.is_open):
        return True
    if request.withheld is None:
        request.withheld = []
    if len(request.withheld) >= _WITHHELD:
        return True
    request.withheld.append((record, exc))
    return False


def _call(context: MiddlewareContext[Any]) -> Call:
    wire = context.fastmcp_context and context.fastmcp_context.request_context
    message, key = context.message, NAMED_BY.get(context.method or "", "")
    target = message.get(key) if isinstance(message, dict) else getattr(message, key, None)
    return Call(
        method=context.method or "",
        target=None if target is None else str(target),
        request_id=getattr(wire, "request_id", None),
        correlation_id=correlation_id(getattr(wire, "request", None)),
        protocol_version=_protocol_version(wire),
        transport=getattr(context.fastmcp_context, "transport", None),
        structured=False,
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


async def _tool(server: Any, name: str) -> Tool | None:
    with suppress(Exception), anyio.move_on_after(_PATIENCE):
        tool: Tool | None = await server.get_tool(name)
        return tool
    return None


# --- what the author raised ---------------------------------------------------------------------

_SDKS: Final = ("fastmcp", "mcp")


def original(exc: BaseException) -> BaseException:
    """The author's exception, under what the framework raised from it."""
    exc = unwrapped(exc, _is_sdks)
    handled = hostile(exc)
    return exc if handled is None else handled


def _is_sdks(exc: BaseException) -> bool:
    """Whether the framework's own code raised it."""
    return is_of(innermost(exc), *_SDKS)


def _error(exc: BaseException) -> ErrorData | None:
    """What a protocol error says; None of any other exception."""
    return getattr(exc, "error", None) if issubclass(type(exc), ProtocolError) else None


def _number(exc: BaseException) -> int | None:
    error = _error(exc)
    return None if error is None else error.code


def _timeout(exc: BaseException) -> BaseException:
    """A tool's own `timeout=`, which the framework reports as a closed connection."""
    if _number(exc) != _TIMED_OUT or "timed out" not in str(exc) or not _is_sdks(exc):
        return exc
    timeout = Timeout(str(exc))
    timeout.__cause__ = exc
    return timeout


# --- the channel --------------------------------------------------------------------------------


def _is_right_as_it_is(context: MiddlewareContext[Any], exc: BaseException, call: Call) -> bool:
    """Whether no handler failed: it is a step of the protocol, or the SDK's word on a request without one."""
    number = _number(exc) or 0
    may = may_leave(number, call.protocol_version)
    if number == URL_ELICITATION or not _is_sdks(exc):
        return number == URL_ELICITATION and may
    outside = isinstance(context.message, dict) or not call.method.startswith(_COMPONENTS)
    return number in _SPEC_CODES or (outside and may)


def _refusal(call: Call, exc: BaseException, origin: BaseException) -> BaseException | None:
    """Why FastMCP called no handler: there is none of that name, or a prompt lacks an argument."""
    noun = _NOUNS.get(call.method)
    if noun is None or not (_is_sdks(exc) and _is_sdks(origin)):
        return None
    if issubclass(type(exc), NotFoundError | DisabledError):
        return InvalidParams(f"Unknown {noun}: {call.target}")
    return InvalidParams(str(origin)) if noun == "prompt" and type(origin) is ValueError else None


def _is_for_the_protocol(exc: BaseException) -> bool:
    """Whether a tool's failure is a JSON-RPC error, because its author or the spec says so."""
    number = _number(exc)
    if number is None or number == URL_ELICITATION:
        return False
    return number in _SPEC_CODES or not _is_sdks(exc)


def _protocol_error(
    context: MiddlewareContext[Any], code: int, message: str, data: Any = None
) -> BaseException:
    error = ErrorData(code=code, message=message, data=data)
    if _SDK_1 and context.method == "tools/call":
        return _LetThrough(error)
    make: Any = getattr(ProtocolError, "from_error_data", ProtocolError)
    raised: BaseException = make(error)
    return raised


class _LetThrough(UrlElicitationRequiredError):
    """Any error at all: the one class that mcp 1.x does not flatten into the text of a tool's result."""

    def __init__(self, error: ErrorData) -> None:
        Exception.__init__(self, error.message)
        self.error = error
        self._elicitations = []


# --- results that say they are errors -------------------------------------------------------------


def _copied(result: ToolResult, said: dict[str, Any]) -> ToolResult:
    raw = getattr(result, "_raw_mcp_result", None)
    if raw is not None and result.content:
        # Kept by a proxy to be sent on as it came.
        return ToolResult.from_mcp_result(raw.model_copy(update={"meta": said["_meta"]}))
    return ToolResult(
        content=result.content or said["content"][0]["text"],
        structured_content=result.structured_content or said.get("structuredContent"),
        meta=said["_meta"],
        is_error=True,
    )
