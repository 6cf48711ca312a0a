"""Scope and body in, what is known of the request out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import orjson
from starlette.routing import compile_path
from starlette.types import Message, Receive, Scope

from mcp_error_middleware.adapters.seam import AROUND, CORRELATION_ID, NAMED_BY, current_correlation_id
from mcp_error_middleware.ids import new_id
from mcp_error_middleware.model import Call
from mcp_error_middleware.telemetry.spans import outside

REQUEST_ID: Final = b"x-request-id"

_SANE: Final = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_WORD: Final = 200

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(slots=True)
class Incoming:
    """One HTTP request, and its body as far as the app has read it and it fits in `room`."""

    scope: Scope
    receive: Receive
    room: int
    method: str
    path: str
    headers: list[tuple[bytes, bytes]]
    correlation_id: str
    read: list[bytes] = field(default_factory=list)
    is_read: bool = False
    parsed: dict[str, Any] | None = None
    is_gone: bool = False
    """Whether the app was told that nobody waits any more."""

    @classmethod
    def of(cls, scope: Scope, receive: Receive, limit: int) -> Incoming:
        """The request as it comes in; routing changes the scope afterwards."""
        headers = scope["headers"] = list(scope["headers"])
        given = _sane(header(headers, REQUEST_ID))
        correlation_id = given or current_correlation_id.get() or new_id(16)
        scope[CORRELATION_ID] = correlation_id
        _note_span(scope)
        return cls(scope, receive, limit, scope["method"], _path(scope), headers, correlation_id)

    async def peek(self) -> Message:
        """`receive`, unchanged; what passes is remembered."""
        if AROUND not in self.scope:
            _note_span(self.scope)
        message = await self.receive()
        if message["type"] == "http.request":
            chunk = message.get("body", b"")
            self.room -= len(chunk)
            if self.room >= 0:
                self.read.append(chunk)
                self.is_read = not message.get("more_body", False)
            else:
                self.read.clear()
                self.is_read = False
        elif message["type"] == "http.disconnect":
            self.is_gone = True
        return message

    @property
    def message(self) -> dict[str, Any]:
        """The JSON-RPC message of the body; empty where there is none, or not all of it is known."""
        if not self.is_read:
            return {}
        if self.parsed is None:
            said = loaded(b"".join(self.read))
            self.parsed = said if isinstance(said, dict) else {}
        return self.parsed

    @property
    def is_garbled(self) -> bool:
        """Whether the body, as far as it is known, is nothing that JSON's own rules let pass."""
        try:
            json.loads(b"".join(self.read) or b"{}")
        except (ValueError, RecursionError):
            return self.is_read
        return False

    @property
    def id(self) -> str | int | None:
        """The JSON-RPC id, where it is known."""
        found = self.message.get("id")
        return found if isinstance(found, str | int) and not isinstance(found, bool) else None

    def is_mcp(self, paths: Iterable[str]) -> bool:
        """Whether MCP is served at its path, or it speaks MCP itself."""
        return (
            any(pattern(path).fullmatch(self.path) for path in paths)
            or _speaks(self.headers)
            or self.message.get("jsonrpc") == "2.0"
        )

    def call(self) -> Call:
        """What was attempted, for a request that is MCP."""
        method, params = self.message.get("method"), self.message.get("params")
        method = method if isinstance(method, str) else ""
        target = params.get(NAMED_BY.get(method, "")) if isinstance(params, dict) else None
        return Call(
            method=method[:_WORD] or self.method,
            target=target[:_WORD] if isinstance(target, str) else None,
            request_id=self.id,
            session_id=_text(header(self.headers, b"mcp-session-id")),
            correlation_id=self.correlation_id,
            protocol_version=_text(header(self.headers, b"mcp-protocol-version")),
            transport="http",
            structured=False,
        )

    def plain_call(self) -> Call:
        """What was attempted, for any other: by route or function, since a path may hold secrets."""
        route = getattr(self.scope.get("route"), "path", None)
        name = route or getattr(self.scope.get("endpoint"), "__qualname__", None)
        return Call(
            method=self.method,
            target=name if isinstance(name, str) else None,
            correlation_id=self.correlation_id,
            transport="http",
            structured=False,
        )


@lru_cache(maxsize=256)
def pattern(path: str) -> re.Pattern[str]:
    """A path in Starlette's syntax as a pattern; one slash at the end makes no difference."""
    regex, _, _ = compile_path(path.rstrip("/"))
    return re.compile(regex.pattern.removesuffix("$") + "/?")


def header(headers: Headers, name: bytes) -> bytes | None:
    """The first value of that name."""
    for key, value in headers:
        if key.lower() == name:
            return value
    return None


def unpacked(headers: Headers) -> list[tuple[bytes, bytes]]:
    """The same request for an answer that is not compressed."""
    kept = [(name, value) for name, value in headers if name.lower() != b"accept-encoding"]
    return [*kept, (b"accept-encoding", b"identity")]


def _path(scope: Scope) -> str:
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return path[len(root) :] if root and path.startswith(root + "/") else path


def _note_span(scope: Scope) -> None:
    """For handlers that run in the context of another request."""
    if (around := outside()) is not None:
        scope[AROUND] = around


def _sane(value: bytes | None) -> str | None:
    """An id that can be written to a header and a log as it is."""
    return value.decode() if value is not None and _SANE.fullmatch(value) else None


def _text(value: bytes | None) -> str | None:
    return value[:_WORD].decode("latin-1") if value else None


def _speaks(headers: Headers) -> bool:
    # Clients send mcp-protocol-version to OAuth's well-known paths too, but accept no stream there.
    names = {key.lower() for key, _ in headers}
    if b"mcp-session-id" in names or b"mcp-method" in names:
        return True
    return b"mcp-protocol-version" in names and b"text/event-stream" in (header(headers, b"accept") or b"")


def loaded(body: bytes) -> Any:
    """The JSON in a body, also where it is looser than the standard; None where there is none."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
