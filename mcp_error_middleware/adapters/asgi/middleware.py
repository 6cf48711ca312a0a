"""The layer: passes everything on as it comes, and has the last word where an app has none."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import anyio
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mcp_error_middleware.adapters.asgi.answers import (
    Answers,
    cut_off,
    event,
    jsonrpc_body,
    unanswered,
    understood,
)
from mcp_error_middleware.adapters.asgi.events import EventFilter, Watch
from mcp_error_middleware.adapters.asgi.incoming import REQUEST_ID, Headers, Incoming, header, unpacked
from mcp_error_middleware.adapters.seam import current_correlation_id, is_ours
from mcp_error_middleware.errors import McpError, ParseError
from mcp_error_middleware.model import Failure
from mcp_error_middleware.render import problem
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.telemetry import chosen
from mcp_error_middleware.telemetry.ending import flush
from mcp_error_middleware.triage import Triage

_STREAM: Final = b"text/event-stream"
_JSON: Final = b"application/json"
_LENGTH: Final = frozenset({b"content-length"})
_OF_BODY: Final = _LENGTH | {b"content-type", b"transfer-encoding", b"content-digest", b"digest", b"etag"}
"""Headers that are about one body, and wrong for another."""
_TELLING: Final = re.compile(rb"error|exception|debug|message|reason|stack|warning", re.IGNORECASE)
"""In the names of headers that say what went wrong."""

_Body = tuple[bytes, bytes]
"""Its content type, and the body itself."""


@dataclass(frozen=True, slots=True)
class ErrorMiddleware:
    """Answers what no MCP hook sees: `app = ErrorMiddleware(app)`, or `app.add_middleware(ErrorMiddleware)`.

    MCP requests are answered with JSON-RPC errors, others with `problem+json`. Successful responses and
    streams pass byte for byte, as they come.
    """

    app: ASGIApp
    triage: Triage = field(default_factory=chosen)
    paths: tuple[str, ...] = ("/mcp", "/sse", "/messages")
    """Where MCP is served, in Starlette's syntax. A request that speaks MCP is known anywhere."""
    wire: bool = False
    """Sanitise errors inside of responses too, for servers that `install` cannot reach."""
    limit: int = 64 * 1024
    """Bytes of a request, a response or an event that may be held at once; longer ones pass."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "triage", chosen(self.triage))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, _flushing(send) if scope["type"] == "lifespan" else send)
            return
        incoming = Incoming.of(scope, receive, self.limit)
        if self.wire:
            # What is compressed cannot be read.
            scope["headers"] = unpacked(incoming.headers)
        outgoing = _Outgoing(self, incoming, send)
        token = current_correlation_id.set(incoming.correlation_id)
        try:
            await self.app(scope, incoming.peek, outgoing.send)
            await outgoing.finish()
        except BaseException as exc:
            if not is_ours(exc) or not await outgoing.fail(exc):
                raise
        finally:
            current_correlation_id.reset(token)


def _flushing(send: Send) -> Send:
    """The `send` of a lifespan: a server that a signal told to end dies of it once its app has said so."""

    async def flushing(message: Message) -> None:
        if message["type"].startswith("lifespan.shutdown."):
            with suppress(Exception):
                await anyio.to_thread.run_sync(flush)
        await send(message)

    return flushing


@dataclass(slots=True)
class _Outgoing:
    """The response to one request, on its way out."""

    layer: ErrorMiddleware
    incoming: Incoming
    to_server: Send
    handle: Callable[[Message], Awaitable[None]] | None = None
    """What is done with the pieces of this response's body."""
    start: Message | None = None
    """Held back, with the body so far, until it is known what leaves."""
    body: bytearray = field(default_factory=bytearray)
    is_whole: bool = False
    is_sent: bool = False
    watch: Watch | None = None
    """For an answer that is a stream, until it has one in it."""
    is_lost: bool = False
    """Nobody is listening any more."""
    events: EventFilter | None = None

    async def send(self, message: Message) -> None:
        """The app's `send`."""
        kind = message["type"]
        if kind == "http.response.start":
            await self._begin(message)
        elif kind == "http.response.body" and self.handle is not None:
            await self.handle(message)
        else:
            if self.start is not None:
                await self._release()
            await self._deliver(message)

    async def _begin(self, message: Message) -> None:
        headers = list(message.get("headers", ()))
        content_type = _essence(headers)
        if header(headers, REQUEST_ID) is None:
            headers.append((REQUEST_ID, self.incoming.correlation_id.encode()))
        if self.layer.wire and self._is_mcp():
            headers = list(_scrubbed(headers, self.layer.triage.scrub.text))
        message = {**message, "headers": headers}
        if self._is_held(message["status"], content_type, headers):
            self.start, self.handle = message, self._hold
            return
        if content_type == _STREAM:
            self._watch(headers)
        if self.handle is not None and self._is_mcp():
            # It may become longer.
            message["headers"] = _without(headers, _LENGTH)
        await self._deliver(message)

    def _is_held(self, status: int, content_type: bytes, headers: Headers) -> bool:
        if status < 400 and not self.layer.wire:
            return False
        if content_type == _STREAM or self.incoming.method == "HEAD" or _is_packed(headers):
            return False
        if status >= 400:
            return _is_bare(status, content_type) or self._is_mcp()
        return content_type == _JSON and self._is_mcp()

    def _watch(self, headers: Headers) -> None:
        if _is_packed(headers):
            return
        if self.incoming.method == "POST":
            self.watch = Watch(self.layer.limit)
        if self.layer.wire and self._is_mcp():
            self.events = EventFilter(self._answers().to_messages, self.layer.limit)
        if self.watch or self.events:
            self.handle = self._stream

    # --- bodies ---

    async def _hold(self, message: Message) -> None:
        self.body += message.get("body", b"")
        self.is_whole = not message.get("more_body", False)
        if len(self.body) > self.layer.limit:
            await self._release()
        elif self.is_whole and not self._may_be_followed_by_an_exception():
            await self._release(self._rewritten())

    def _may_be_followed_by_an_exception(self) -> bool:
        # What Starlette's own last resort sends, before it raises again.
        return self.start is not None and _is_bare(self.start["status"], _essence(self.start["headers"]))

    async def _release(self, new: _Body | None = None) -> None:
        """Let go of what was held, with another body where one is given."""
        if self.start is None:
            return
        start, self.start, self.handle = self.start, None, None
        if new is not None:
            start["headers"] = [*_without(start["headers"], _OF_BODY), *_typed(*new)]
        await self._deliver(start)
        sent = bytes(self.body) if new is None else new[1]
        if sent or self.is_whole:
            await self._deliver({"type": "http.response.body", "body": sent, "more_body": not self.is_whole})

    def _rewritten(self) -> _Body | None:
        if self.start is None or not self._is_mcp():
            return None
        status, headers, body = self.start["status"], self.start["headers"], bytes(self.body)
        if status >= 500 and self.incoming.is_garbled:
            # mcp 1.x takes what it cannot read for a failure of its own.
            self.start["status"] = ErrorCode.PARSE_ERROR.traits.status
            return _JSON, self._jsonrpc(self._failure(ParseError()))
        return self._refusal(status, headers, body) if status >= 400 else self._success(status, body)

    def _success(self, status: int, body: bytes) -> _Body | None:
        if status == 200 and not body.strip() and self._is_owed():
            return _JSON, self._jsonrpc(self._failure(unanswered()))
        answer = self._answers().to_messages(body)
        return None if answer is None else (_JSON, answer)

    def _refusal(self, status: int, headers: Headers, body: bytes) -> _Body | None:
        if _is_about_access(status, headers):
            return None
        answers = self._answers()
        if (answer := answers.to_refusal(status, _essence(headers), body, _seconds(headers))) is not None:
            return _JSON, answer
        if self.layer.wire and (clean := answers.scrubbed(body)) is not None:
            return header(headers, b"content-type") or b"text/plain", clean
        return None

    async def _stream(self, message: Message) -> None:
        chunk, is_last = message.get("body", b""), not message.get("more_body", False)
        if self.events is not None:
            chunk = self.events.feed(chunk) + (self.events.rest() if is_last else b"")
            if not chunk and not is_last:
                return
            message = {**message, "body": chunk}
        if self.watch is not None:
            self.watch.see(chunk)
            if is_last:
                message = {**message, "body": chunk + (self._last_word(cut_off()) or b"")}
            if is_last or self.watch.is_settled:
                self.watch = None
                self.handle = self._stream if self.events else None
        await self._deliver(message)

    def _last_word(self, exc: BaseException) -> bytes | None:
        """The answer a stream still owes; None where it owes none, or it is too late."""
        ending = self.watch.ending() if self.watch is not None else None
        if ending is None or not self._is_owed():
            return None
        return ending + event(self._jsonrpc(self._failure(exc)))

    async def _deliver(self, message: Message) -> None:
        self.is_sent = True
        try:
            await self.to_server(message)
        except BaseException:
            self.is_lost = True
            raise

    # --- ends ---

    async def finish(self) -> None:
        """The app has returned; what it owes an answer gets one."""
        if self.start is not None and not (self.is_whole or self.body) and self._is_owed():
            # A refusal keeps its status; a success without a body is none.
            self.is_whole = self.start["status"] >= 400
            self.start = self.start if self.is_whole else None
        if self.start is not None:
            await self._release(self._rewritten() if self.is_whole else None)
        elif not self.is_sent and not self.incoming.is_gone:
            await self.fail(unanswered())
        elif (word := self._last_word(cut_off())) is not None:
            await self._end(word)

    def _is_owed(self) -> bool:
        """Whether somebody waits for an answer to a request of this id."""
        return self.incoming.id is not None and not self.incoming.is_gone and self._is_mcp()

    async def _end(self, word: bytes) -> None:
        self.watch = None
        await self._deliver({"type": "http.response.body", "body": word, "more_body": False})

    async def fail(self, exc: BaseException) -> bool:
        """The app has raised; whether that is dealt with."""
        if self.is_lost or isinstance(exc, ClientDisconnect):
            return False
        if self._is_mcp():
            is_answered = await self._fail_mcp(exc)
        else:
            is_answered = await self._fail_plain(exc)
        # The server has to learn of it, to cut the connection; but a SystemExit would end it for everyone.
        return is_answered or not isinstance(exc, Exception)

    async def _fail_mcp(self, exc: BaseException) -> bool:
        if self.is_sent:
            if (word := self._last_word(exc)) is None:
                self._failure(exc)
                return False
            await self._end(word)
            return True
        failure = self._failure(exc)
        status = failure.code.traits.status if issubclass(type(exc), McpError) else 500
        await self._respond(status, _waiting(failure), _JSON, self._jsonrpc(failure))
        return True

    async def _fail_plain(self, exc: BaseException) -> bool:
        policy = self.layer.triage.policy
        failure = self.layer.triage(exc, self.incoming.plain_call())
        if self.is_sent or (isinstance(exc, Exception) and self._has_a_handler()):
            await self._release()
            return False
        status, headers, body = problem(failure, docs_url=policy.docs_url)
        content_type = headers.pop("content-type").encode()
        named = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self._respond(status, named, content_type, body)
        return True

    def _has_a_handler(self) -> bool:
        """Whether the author of the app has an answer of their own to any exception."""
        app = self.incoming.scope.get("app")
        handlers = getattr(app, "exception_handlers", {})
        return bool(getattr(app, "debug", False)) or 500 in handlers or Exception in handlers

    async def _respond(
        self, status: int, headers: list[tuple[bytes, bytes]], content_type: bytes, body: bytes
    ) -> None:
        self.start = None
        given = (REQUEST_ID, self.incoming.correlation_id.encode())
        headers = [*headers, *_challenge(status), *_typed(content_type, body), given]
        await self._deliver({"type": "http.response.start", "status": status, "headers": headers})
        await self._deliver({"type": "http.response.body", "body": body, "more_body": False})

    def _is_mcp(self) -> bool:
        return self.incoming.is_mcp(self.layer.paths)

    def _answers(self) -> Answers:
        return Answers(self.layer.triage, self.incoming.call)

    def _failure(self, exc: BaseException) -> Failure:
        return self.layer.triage(understood(exc), self.incoming.call())

    def _jsonrpc(self, failure: Failure) -> bytes:
        return jsonrpc_body(failure, taxonomy_numbers=self.layer.triage.policy.taxonomy_numbers)


def _essence(headers: Headers) -> bytes:
    """The content type without its parameters."""
    return (header(headers, b"content-type") or b"").partition(b";")[0].strip().lower()


def _is_packed(headers: Headers) -> bool:
    """Whether the body is compressed."""
    return header(headers, b"content-encoding") not in (None, b"", b"identity")


def _scrubbed(headers: Headers, scrub: Callable[[str], str]) -> Iterator[tuple[bytes, bytes]]:
    """The same, those that say what went wrong without what may not leave."""
    for name, value in headers:
        if _TELLING.search(name):
            yield name, scrub(value.decode("latin-1")).encode("latin-1", "replace")
        else:
            yield name, value


def _is_bare(status: int, content_type: bytes) -> bool:
    return status == 500 and content_type in (b"text/plain", b"text/html")


def _is_about_access(status: int, headers: Headers) -> bool:
    """Whether it is OAuth's word, which clients act on."""
    return status == 401 or (status == 403 and header(headers, b"www-authenticate") is not None)


def _challenge(status: int) -> list[tuple[bytes, bytes]]:
    """What a 401 has to name: the one scheme MCP knows, which makes no browser ask for a password."""
    return [(b"www-authenticate", b"Bearer")] if status == 401 else []


def _seconds(headers: Headers) -> float | None:
    value = header(headers, b"retry-after") or b""
    return float(value) if value.isdigit() and len(value) < 10 else None


def _waiting(failure: Failure) -> list[tuple[bytes, bytes]]:
    if failure.retry_after is None or not 0 <= failure.retry_after < 1e9:
        return []
    return [(b"retry-after", str(math.ceil(failure.retry_after)).encode())]


def _without(headers: Headers, names: frozenset[bytes]) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name.lower() not in names]


def _typed(content_type: bytes, body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
