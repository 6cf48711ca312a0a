"""What every adapter asks at the border: about an exception, about the request it came with."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache, partial
from types import FrameType
from typing import Any, Final

import anyio

from mcp_error_middleware.adapters.steps import current_task
from mcp_error_middleware.adapters.tidy import asked_for
from mcp_error_middleware.adapters.writable import half, mend
from mcp_error_middleware.advice import Around, Outline, outline_of, suspicion
from mcp_error_middleware.classify import mro_of, qualified_name, safe_str
from mcp_error_middleware.classify.chain import cause_of, context_of, together, traceback_of
from mcp_error_middleware.errors import InvalidParams, McpError, NotFound, SerializationError
from mcp_error_middleware.locales import say
from mcp_error_middleware.model import Call, Failure, Hint
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.render import jsonrpc_error, structured_allowed, widen_schema
from mcp_error_middleware.render.formats import Format
from mcp_error_middleware.taxonomy import SPEC_CODES, URL_ELICITATION, ErrorCode, may_leave
from mcp_error_middleware.telemetry.operation import operation
from mcp_error_middleware.telemetry.sessions import follow
from mcp_error_middleware.triage import Triage, error_of, number_of

NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The parameter that names what a method is about."""

NOUNS: Final = {"tools/call": "tool", "prompts/get": "prompt", "resources/read": "resource"}
"""What it is that the method asks for."""

MARK: Final = "_mcp_error_middleware"
"""The attribute by which a server or an app holds what was installed on it."""

_LAYERS: Final = frozenset(
    f"mcp_error_middleware.adapters.{stack}.ErrorMiddleware" for stack in ("fastmcp", "mcp_v2")
)
"""What an author may have put among a server's middleware instead."""

CORRELATION_ID: Final = "mcp_error_middleware.correlation_id"
"""Where an HTTP request's scope holds its id."""

AROUND: Final = "mcp_error_middleware.span"
"""Where an HTTP request's scope holds the context of the span around it."""

current_correlation_id: ContextVar[str | None] = ContextVar(CORRELATION_ID, default=None)
"""The id of the HTTP request being served, as the ASGI layer took or gave it."""


def is_installed(target: object) -> bool:
    """Whether a server or an app has the middleware already, or gets it with the first message."""
    target = part(target, "fastmcp") or target
    low = part(target, "_lowlevel_server") or part(target, "_mcp_server") or target
    layers = part(target, "middleware")
    return MARK in getattr(low, "__dict__", ()) or (
        # FastAPI has a method of that name.
        isinstance(layers, list)
        and any(qualified_name(base) in _LAYERS for layer in layers for base in mro_of(type(layer)))
    )


@cache
def warn_of_no_server() -> None:
    """Once: the middleware of one SDK was given to a server of another."""
    logging.getLogger("mcp_error_middleware").warning(
        "ErrorMiddleware cannot tell which server it is of, and answers nothing; call install(server) instead"
    )


def part(node: object, name: str) -> Any:
    """An attribute of somebody else's object, or None where it has none to give."""
    with suppress(Exception):
        return getattr(node, name, None)
    return None


def correlation_id(request: Any = None) -> str | None:
    """The id of an HTTP request, or of the one being served.

    The request's own comes first: handlers of mcp 1.x run in the context of their session's first request.
    """
    scope = getattr(request, "scope", None)
    found = scope.get(CORRELATION_ID) if isinstance(scope, dict) else None
    return found if isinstance(found, str) else current_correlation_id.get()


def around_of(request: Any) -> Any:
    """The context of the span around an HTTP request, where our ASGI layer saw one."""
    scope = getattr(request, "scope", None)
    return scope.get(AROUND) if isinstance(scope, dict) else None


def call_of(ctx: Any, *, structured: bool = False) -> Call:
    """What a request of mcp 2.x asks for, by the context its middleware gets."""
    method, request, params = ctx.method, ctx.request, ctx.params
    target = params.get(NAMED_BY.get(method, "")) if params else None
    return Call(
        method,
        target if isinstance(target, str) else None,
        ctx.request_id,
        None if request is None else session_id(request),
        current_correlation_id.get() if request is None else correlation_id(request),
        ctx.protocol_version,
        transport_of(request),
        structured,
    )


_ALONE: Final = nullcontext()


@dataclass(frozen=True, slots=True)
class Traced:
    """A layer of mcp 2.x: one operation around every message."""

    policy: ErrorPolicy
    around: Callable[[], AbstractContextManager[object]] = lambda: _ALONE
    answer: Callable[[Any, BaseException], object] = lambda ctx, exc: None
    """Raises what is to leave instead of an exception; or nothing, where that is right as it is."""
    displaced: tuple[Any, ...] = ()
    """What was in its place."""

    async def __call__(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        call = partial(call_of, ctx)
        mend(ctx.session)
        with self.around(), operation(self.policy, call, ctx.meta, ctx.session) as request:
            try:
                result = await call_next(ctx)
            except BaseException as exc:
                self.answer(ctx, exc)
                raise
            request.is_error = says_so(result)
            if ctx.method == "initialize":
                request.agreed(_version(result))
                connection = getattr(ctx.session, "_connection", None)
                follow(self.policy, getattr(connection, "exit_stack", None), request.call())
            return result

    def insert(self, layers: list[Any], place: int, count: int = 0) -> None:
        """Take the place of so many layers."""
        layers[place : place + count] = [replace(self, displaced=tuple(layers[place : place + count]))]

    @staticmethod
    def remove(layers: list[Any]) -> None:
        """Give the place back."""
        layers[:] = [
            kept for layer in layers for kept in (layer.displaced if isinstance(layer, Traced) else (layer,))
        ]


def _version(result: Any) -> object:
    """What an answer to `initialize` settles, as the model or as it leaves."""
    key = "protocolVersion"
    return result.get(key) if isinstance(result, dict) else getattr(result, "protocol_version", None)


def says_so(result: Any) -> bool:
    """Whether a result is an error, as the model or as it leaves."""
    found = result.get("isError") if isinstance(result, dict) else getattr(result, "is_error", None)
    return found is True


def session_id(request: Any) -> str | None:
    """The session an HTTP request belongs to, where there is one."""
    headers = getattr(request, "headers", None)
    found = headers.get("mcp-session-id") if headers is not None else None
    return found if isinstance(found, str) else None


def transport_of(request: Any) -> str:
    """What carried it: an HTTP request, or a pipe."""
    return "stdio" if request is None else "http"


def is_ours(exc: BaseException) -> bool:
    """Whether it is ours to answer: all but a genuine cancellation and the user's Ctrl-C."""
    return issubclass(type(exc), Exception) or all(map(_is_ours_alone, together(exc)))


def _is_ours_alone(exc: BaseException) -> bool:
    if issubclass(type(exc), (Exception, BaseExceptionGroup)):
        return True
    if issubclass(type(exc), KeyboardInterrupt):
        return False
    if issubclass(type(exc), GeneratorExit):
        # Outside of a task it is Python closing the coroutine, not the handler failing.
        return current_task() is not None or _in_trio()
    return not _is_cancellation(exc) or _nobody_cancelled_us()


def _is_cancellation(exc: BaseException) -> bool:
    if _in_trio():
        return qualified_name(type(exc)) == "trio.Cancelled"
    return issubclass(type(exc), asyncio.CancelledError)


def _nobody_cancelled_us() -> bool:
    """A cancellation that leaked out of someone else's task: nobody asked this one to stop."""
    task = current_task()
    return task is not None and task.cancelling() == 0 and anyio.current_effective_deadline() != -math.inf


def _in_trio() -> bool:
    # Who runs under it has imported it.
    trio = sys.modules.get("trio")
    return trio is not None and bool(trio.lowlevel.in_trio_task())


def unwrapped(exc: BaseException, is_wrapper: Callable[[BaseException], bool]) -> BaseException:
    """The exception under the SDK's own wrappers, as long as they have a cause."""
    for _ in range(20):
        if (cause := cause_of(exc)) is None or not is_wrapper(exc):
            break
        exc = cause
    return exc


# --- where an exception was raised ---------------------------------------------------------------


def innermost(exc: BaseException) -> FrameType | None:
    """The frame that raised it."""
    if (traceback := traceback_of(exc)) is None:
        return None
    while (deeper := traceback.tb_next) is not None:
        traceback = deeper
    return traceback.tb_frame


def frames_through(exc: BaseException) -> list[FrameType]:
    """The frames it passed through, the one that raised it last."""
    frames, traceback = [], traceback_of(exc)
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    return frames


def is_of(frame: FrameType | None, *packages: str) -> bool:
    """Whether it is in the code of one of these packages."""
    module = frame.f_globals.get("__name__") if frame else None
    return isinstance(module, str) and module.partition(".")[0] in packages


def is_sdks(exc: BaseException) -> bool:
    """Whether an SDK's own code raised it, be it of the server or of a client inside of a handler."""
    return is_of(innermost(exc), *_SDKS)


_SDKS: Final = ("mcp", "fastmcp")
"""Whose code is no author's."""


def fitting(
    method: str, exc: BaseException, said: Callable[[str], BaseException] | None = None
) -> BaseException:
    """What a handler raised; or what it is, if that is about what the handler returned or made to return."""
    frames = frames_through(exc)
    if not frames or (passed(frames, "convert_result") is None and not _is_of_a_type(frames)):
        return exc
    return unfit(NOUNS.get(method, "handler"), exc, said)


def _is_of_a_type(frames: list[FrameType]) -> bool:
    """Whether a type of the protocol refused what it was to hold: a result, a message, a block of content."""
    frame = frames[-1]
    if not is_of(frame, "pydantic") or passed(frames, "validate_client_request"):
        return False
    made = frame.f_locals.get("cls") or type(frame.f_locals.get("self"))
    return str(getattr(made, "__module__", "")).startswith(("mcp.types", "mcp_types"))


def passed(frames: list[FrameType], step: str) -> FrameType | None:
    """The step of an SDK that they came through, if they did."""
    for frame in frames:
        if frame.f_code.co_name == step and is_of(frame, *_SDKS, "mcp_types"):
            return frame
    return None


def unfit(
    noun: str, cause: BaseException | None, said: Callable[[str], BaseException] | None = None
) -> BaseException:
    """What a handler returned breaks its own promise; no caller can mend that.

    Where it is the text of an error, for which the promise had no room, it is that error: `said` makes it.
    """
    if said is not None and (text := _returned(cause)) is not None:
        return said(text)
    error = SerializationError(
        f"The {noun} returned something that is not of the form it promises.",
        # The code's own hint is about data that a caller supplied.
        recovery=ErrorCode.INTERNAL_ERROR.traits.hint,
    )
    error.__cause__ = cause
    return error


def knows_structure(version: str | None) -> bool:
    """Whether a peer of this protocol knows of structured content."""
    return (version or "") >= "2025-06-18"


def unkept(content: Iterable[Any], said: Callable[[str], BaseException]) -> BaseException:
    """The failure of a tool that promised structured content and has none: clients raise over that.

    What it returned instead may be the text of an error; `said` makes that one.
    """
    text = next((text for block in content if (text := getattr(block, "text", None))), None)
    return unfit("tool", None) if (error := _error_in(text)) is None else said(error)


def unwritable(method: str, result: object) -> BaseException | None:
    """The failure of a handler whose result no transport could send: half a character is in it."""
    if _is_plain(result) or (exc := half(result)) is None:
        return None
    return unfit(NOUNS.get(method, "handler"), exc)


def _is_plain(result: object) -> bool:
    """Whether it is texts in ASCII, as most are, which takes no time to see."""
    content, structured = getattr(result, "content", None), getattr(result, "structured_content", None)
    if type(content) is not list or type(structured) not in (dict, type(None)):
        return False
    for block in content:
        if not _is_ascii(getattr(block, "text", None)):
            return False
    return not structured or all(map(_is_ascii, structured.values()))


def _is_ascii(text: object) -> bool:
    return type(text) is str and text.isascii()


def _returned(cause: BaseException | None) -> str | None:
    """What the value that broke a promise says, if it reads like an error."""
    with suppress(Exception):  # whatever was returned is asked for its form
        value = getattr(cause, "instance", None)  # jsonschema's
        if cause is not None and (frame := passed(frames_through(cause), "convert_result")) is not None:
            _, returned, *_ = frame.f_code.co_varnames
            value = frame.f_locals[returned]
        if isinstance(value, list) and len(value) == 1:
            value = getattr(value[0], "text", value)
        return _error_in(value)
    return None


def _error_in(value: Any) -> str | None:
    """What a value says that came in the place of what was promised, if it reads like an error."""
    with suppress(Exception):  # as above
        if found := suspicion(None, value if isinstance(value, str) else None, value):
            return found.text
        # The SDK wraps what is no object.
        text = value.get("result") if isinstance(value, dict) else value
        return text if isinstance(text, str) and _SPEAKS_OF_ONE.match(text) else None
    return None


_SPEAKS_OF_ONE: Final = re.compile(
    r"\W{0,3}(?:errors?|fail(?:ed|ure)|exception|unable|cannot)\b.", re.IGNORECASE
)
"""Where no text was promised, it needs no more than to begin like an error."""


def hostile(exc: BaseException) -> BaseException | None:
    """The exception whose own `__str__`, or the like, raised this one while somebody looked at it."""
    frame, handled = innermost(exc), context_of(exc)
    return handled if frame is not None and handled is frame.f_locals.get("self") else None


# --- the channel --------------------------------------------------------------------------------


class Channel(Enum):
    """Where an exception of a handler belongs."""

    STEP = "a step of the protocol, with its own number"
    PROTOCOL = "a JSON-RPC error"
    RESULT = "the result of a tool"


def channel(call: Call, exc: BaseException) -> Channel:
    """How it is answered: by its number, and by whose code raised it.

    A protocol error that a tool's author raised is chosen; one of a client inside of the tool is a failure
    of the tool.
    """
    number = number_of(exc)
    if number == URL_ELICITATION and may_leave(number, call.protocol_version):
        return Channel.STEP
    if call.tool is None or number in SPEC_CODES:
        return Channel.PROTOCOL
    chosen = number is not None and number != URL_ELICITATION and not is_sdks(exc)
    return Channel.PROTOCOL if chosen else Channel.RESULT


def refusal(call: Call, exc: BaseException, around: Around, locale: str) -> McpError | None:
    """What a handler says of a name it does not know, as the error the protocol has for that.

    On a low-level server it is the author's code that looks names up. What is declared stays as it is, and a
    tool that is listed is known, whatever it says.
    """
    noun, target = NOUNS.get(call.method), call.target
    if around.schema is not None or not names_unknown(call, exc):
        return None
    # Where nothing is known of what there is, the code's own hint would speak of a tool's arguments.
    step = say(locale, "list_tools") if noun == "tool" and not around.names() else None
    error = (NotFound if noun == "resource" else InvalidParams)(f"Unknown {noun}: {target}", recovery=step)
    error.__cause__ = exc
    return error


def names_unknown(call: Call, exc: BaseException) -> bool:
    """Whether an exception says of the name that was asked for that there is none."""
    noun, target = NOUNS.get(call.method), call.target
    if noun is None or target is None or issubclass(type(exc), McpError) or number_of(exc) is not None:
        return False
    said = safe_str(exc)[: _SAID + len(target)]
    said = said.replace(target, _NAME) if target else said + _NAME
    return re.search(_UNKNOWN.format(noun=noun), said, re.IGNORECASE) is not None


_SAID: Final = 1_000
_NAME: Final = "\0"
_UNKNOWN: Final = (
    r"\b(?:unknown|no such|invalid|un(?:supported|recogni[sz]ed|defined)) {noun}(?: name)?\W{{0,3}}\0"
    r"|\b{noun} not (?:found|known|supported|recogni[sz]ed)\W{{0,3}}\0"
    r"|\b{noun}(?: named)?\W{{1,3}}\0\W{{1,3}}(?:(?:is|was) )?(?:unknown|not (?:found|known|defined|available"
    r"|registered|supported|recogni[sz]ed|implemented)|does(?: not|n't) exist)"
    r"|\bno {noun} (?:named |called |with (?:the )?name )?\W?\0"
)


def protocol_error(triage: Triage, exc: BaseException, call: Call, around: Around) -> dict[str, Any]:
    """The JSON-RPC error that a request ends with, recorded."""
    failure = triage(exc, call, around=around)
    if failure.number == 0 and is_sdks(exc):
        # A server of mcp 1.x, asked by a client of this one, says so of any exception.
        failure = replace(failure, number=None)
    error = jsonrpc_error(failure, taxonomy_numbers=triage.policy.taxonomy_numbers)
    if failure.number not in (None, error["code"]) and not is_sdks(exc):
        _warn_of(_place(exc, call), failure.number, error["code"])
    if error["code"] in SPEC_CODES:
        # Clients act on these, by their data.
        return error | {"message": failure.message, "data": asked_for(error_of(exc).data, triage.scrub)}
    return error


def _place(exc: BaseException, call: Call) -> str:
    """What its author can change, and nothing that a client sent: the function that raised it."""
    frame = innermost(exc)
    if frame is None or is_of(frame, "mcp_error_middleware"):  # returned, not raised
        return f"a handler of {call.method}"
    return f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}"


@lru_cache(maxsize=256)
def _warn_of(place: str, number: int, instead: int) -> None:
    """Once per place and number."""
    with suppress(Exception):  # whose log cannot be written still has an answer to give
        logging.getLogger("mcp_error_middleware").warning(
            "%s answers with error %d, a number the protocol keeps to itself; "
            "it leaves as %d, and stays in data",
            place,
            number,
            instead,
        )


# --- output schemas -----------------------------------------------------------------------------


def advertised(schema: Any, policy: ErrorPolicy) -> Any:
    """The output schema of a tool as clients are to see it."""
    return _advertised(schema, policy.format) if policy.widen_output_schema else schema


def _advertised(schema: Any, format: Format) -> Any:
    return widen_schema(schema, format=format) if schema else schema


def is_open(schema: Any, policy: ErrorPolicy) -> bool:
    """Whether `structuredContent` may carry the error of a tool with this output schema."""
    return _is_open(outline_of(schema), policy.format, policy.widen_output_schema)


@lru_cache(maxsize=256)
def _is_open(outline: Outline, format: Format, is_widened: bool) -> bool:
    schema = _advertised(outline.schema, format) if is_widened else outline.schema
    return structured_allowed(schema, format=format)


# --- URL elicitation ----------------------------------------------------------------------------


def naming_urls(failure: Failure, data: Any) -> Failure:
    """For peers that know no URL elicitation: the user can still open what the text names."""
    asked = data.get("elicitations") if isinstance(data, dict) else None
    urls = [str(item["url"]) for item in asked or () if isinstance(item, dict) and "url" in item]
    if not urls:
        return failure
    said = say(failure.locale, "open_urls", urls=say(failure.locale, "and").join(urls))
    return replace(failure, hint=Hint(said, "evidence"), data={**failure.data, "elicitations": asked})
