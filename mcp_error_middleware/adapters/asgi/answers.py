"""What a transport said in, what a client can use out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Final

from mcp_error_middleware.adapters.asgi.incoming import loaded
from mcp_error_middleware.adapters.seam import naming_urls
from mcp_error_middleware.adapters.surroundings import failed
from mcp_error_middleware.adapters.tidy import asked_for, error_tidied, is_error_object, tidied
from mcp_error_middleware.classify import safe_str
from mcp_error_middleware.errors import InitializationFailed, InternalError, McpError
from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.render import META_KEY, dumps, enrich_result, jsonrpc_error
from mcp_error_middleware.taxonomy import (
    SPEC_CODES,
    STANDARD_WIRE_CODES,
    URL_ELICITATION,
    ErrorCode,
    http_status_to_code,
    may_leave,
    wire_code,
)
from mcp_error_middleware.triage import Triage

HINTS: Final = (
    (400, "Content-Type", "Send the body with the header Content-Type: application/json."),
    (400, "parse message", "Send one well-formed JSON-RPC message encoded as UTF-8."),
    (400, "Invalid session ID", "Open the event stream again, and send to the address that it names."),
    (400, "session_id", "Open the event stream first, and send to the address that it names."),
    (400, "ession ID", "Send initialize first, then repeat the request with the session id it answers with."),
    (400, "ost header", "Ask the operator to add this host name to the hosts the server allows."),
    (400, "rotocol version", "Send the version that initialize agreed on as MCP-Protocol-Version."),
    (
        400,
        "not a JSON-RPC message",
        "Send one JSON-RPC message: an object with jsonrpc, id, method and params.",
    ),
    (403, "rigin", "Ask the operator to add this origin to the origins the server allows."),
    (404, "find session", "Open the event stream again, and send to the address that it names."),
    (404, "ession", "Send initialize to open a new session, then repeat the request in it."),
    (405, "ession termination", "Stop using the session; the server ends it by itself."),
    (405, "", "Send MCP messages with POST."),
    (406, "", "Accept both application/json and text/event-stream."),
    (409, "SSE stream", "Use the stream this session has open already, or close it first."),
    (413, "", "Send a smaller request, or several."),
    (415, "", "Send the body with the header Content-Type: application/json."),
    (421, "", "Ask the operator to add this host name to the hosts the server allows."),
    (500, "Session terminated", "Send initialize to open a new session, then repeat the request in it."),
    (503, "Too many open sessions", "Wait a minute, then try again; end the sessions you do not need."),
)
"""Status, what the text has in it, and the next step; the first that fits."""

SDKS_OWN: Final = frozenset({"Session terminated before the request completed", "Too many open sessions"})
"""What an SDK says of its own faults; any other text of a server's fault may hold anything."""

_STEPS: Final = SPEC_CODES | {URL_ELICITATION}
"""Clients act on these by their data."""
_UNSAID: Final = "2025-03-26"
"""The protocol version of a peer whose requests name none."""
_CALLERS: Final = frozenset({-32700, -32600, -32601, -32602})

_EXACT: Final = 1 << 53
"""Whole numbers below are what they say, also as a float."""
_READ: Final = 10_000
"""Characters of a text that are looked at for rejected values; the scrubber leaves fewer."""
_DUMP: Final = re.compile(r" ?\[type=[^\n]*|\n[ \t]*For further information visit[^\n]*")
_ECHO: Final = re.compile(
    r"((?:In|Out)put validation error: )[^\n]*"
    r"(?= (?:is not|is too|is less|is greater|is valid|does not|do not|was expected|should|has|are) )"
)
_NOT_JSONRPC: Final = "The body is not a JSON-RPC message of a kind that is accepted here."


def understood(exc: BaseException) -> BaseException:
    """The exception, or what it means where only its words say so."""
    text = safe_str(exc) if isinstance(exc, RuntimeError) else ""
    if "ask group" not in text or "not initialized" not in text:
        return exc
    known = InitializationFailed(
        "The MCP app's session manager is not running, because its lifespan was never started.",
        recovery="Tell the operator to pass the MCP app's lifespan to the app that mounts it.",
    )
    known.__cause__ = exc
    return known


_UNANSWERED: Final = "The server ended its response without an answer."


def unanswered() -> McpError:
    """What it means that no answer began."""
    return InternalError(_UNANSWERED)


def cut_off() -> McpError:
    """What a stream means that ends before its answer: the server went away under a call that may be done."""
    error = InternalError(_UNANSWERED, retryable=True)
    error.__cause__ = ConnectionAbortedError()
    return error


def jsonrpc_body(failure: Failure, *, taxonomy_numbers: bool = False) -> bytes:
    """A whole JSON-RPC message for a failure."""
    error = jsonrpc_error(failure, taxonomy_numbers=taxonomy_numbers)
    return dumps({"jsonrpc": "2.0", "id": failure.call.request_id, "error": error})


def event(body: bytes) -> bytes:
    """The message as one event of a stream."""
    return b"event: message\r\ndata: " + body + b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to one call."""

    triage: Triage
    call: Callable[[], Call]

    def to_refusal(
        self, status: int, content_type: bytes, body: bytes, retry_after: float | None = None
    ) -> bytes | None:
        """An error response's body as a JSON-RPC error; None where it is right as it is."""
        return self._safely(lambda: self._to_refusal(status, content_type, body, retry_after))

    def to_messages(self, body: bytes) -> bytes | None:
        """JSON-RPC messages with their errors sanitised; None where there is nothing to do."""
        return self._safely(lambda: self._to_messages(body))

    def scrubbed(self, body: bytes) -> bytes | None:
        """The body of an error that is no JSON-RPC, without what may not leave; None where all of it may."""
        return self._safely(lambda: self._scrubbed(body))

    def _safely(self, work: Callable[[], bytes | None]) -> bytes | None:
        try:
            return work()
        except Exception:  # noqa: BLE001 - what could not be checked does not leave
            error = {"code": -32603, "message": ErrorCode.INTERNAL_ERROR.traits.message}
            return dumps({"jsonrpc": "2.0", "id": self.call().request_id, "error": error})

    # --- a transport that refuses ---

    def _to_refusal(
        self, status: int, content_type: bytes, body: bytes, retry_after: float | None
    ) -> bytes | None:
        if body.strip() and content_type == b"application/json":
            return self._to_json(status, loaded(body), retry_after)
        if status == 404 or not (content_type == b"" or content_type.startswith(b"text/") or not body):
            # A wrong path is no failure of MCP, and clients do their own reading of it.
            return None
        text = "" if content_type == b"text/html" else body.decode("utf-8", "replace")
        return self._refused(status, text, retry_after)

    def _to_json(self, status: int, said: Any, retry_after: float | None) -> bytes | None:
        if not isinstance(said, dict):
            return None
        if _is_error(said):
            repaired = self._repaired(said, status)
            return None if repaired is said else dumps(repaired)
        detail = said.get("detail")
        if not isinstance(detail, str) or status == 404:
            return None
        return self._refused(status, detail, retry_after)

    def _scrubbed(self, body: bytes) -> bytes | None:
        said, scrub = loaded(body), self.triage.scrub
        if said is None:
            text = body.decode("utf-8", "replace")
            clean = scrub.text(text)
            return None if clean == text else clean.encode()
        if isinstance(said, dict) and _is_error(said):
            return None
        tidy = scrub.data(said)
        return None if tidy == said else dumps(tidy)

    def _refused(self, status: int, text: str, retry_after: float | None) -> bytes:
        failure = self.triage(_refusal(status, text.strip(), retry_after), self.call())
        return jsonrpc_body(failure, taxonomy_numbers=self.triage.policy.taxonomy_numbers)

    # --- what a server on the other side of the wire said ---

    def _to_messages(self, body: bytes) -> bytes | None:
        if b'"error"' not in body and b'"isError"' not in body:
            return None
        if (said := loaded(body)) is None:
            # What could not be checked does not leave.
            return self._refused(500, "", None)
        messages = said if isinstance(said, list) else [said]
        done = [self._sanitised(message) for message in messages]
        if all(new is old for new, old in zip(done, messages, strict=True)):
            return None
        return dumps(done if isinstance(said, list) else done[0])

    def _sanitised(self, message: Any) -> Any:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return message
        if _is_error(message):
            return self._repaired(message, 200)
        result = message.get("result")
        if not isinstance(result, dict) or result.get("isError") is not True:
            return message
        tidy = self._tool_error(result)
        return message if tidy is result else {"jsonrpc": "2.0", "id": message.get("id"), "result": tidy}

    def _tool_error(self, result: dict[str, Any]) -> dict[str, Any]:
        tidy = tidied(result, self.triage.scrub, _without_values)
        if META_KEY in tidy["_meta"]:
            # Whoever made the object has recorded it.
            return result if tidy == result else tidy
        said = next((block["text"] for block in tidy["content"] if isinstance(block.get("text"), str)), "")
        verdict = self.triage.classify(RuntimeError(said))
        failure = self.triage(McpError(verdict.code, said or None), self.call())
        return enrich_result(tidy, failure, format=self.triage.policy.format)

    # --- a JSON-RPC error somebody else made ---

    def _repaired(self, message: dict[str, Any], status: int) -> dict[str, Any]:
        """The same id, and code where it may be; the message and data fit to leave; the next step added."""
        error, call = _typed(message["error"]), self._call()
        given = message.get("id")
        message_id = (
            call.request_id if given in (None, "server-error") and call.request_id is not None else given
        )
        number, version = error["code"], call.protocol_version
        if number == URL_ELICITATION and call.tool and not may_leave(number, version):
            return {"jsonrpc": "2.0", "id": message_id, "result": self._in_words(error, call)}
        repaired = {"jsonrpc": "2.0", "id": message_id, "error": self._error(error, call, status)}
        return message if repaired == message else repaired

    def _call(self) -> Call:
        call = self.call()
        return call._replace(protocol_version=call.protocol_version or _UNSAID)

    def _error(self, error: dict[str, Any], call: Call, status: int) -> dict[str, Any]:
        number, text, data = error["code"], str(error.get("message") or ""), error.get("data")
        scrub = self.triage.scrub
        if is_error_object(data):
            code = (
                number
                if may_leave(number, call.protocol_version)
                else wire_code(self._code(number, text, status))
            )
            return {"code": code, "message": scrub.text(text), "data": error_tidied(data, scrub.data)}
        if number in _STEPS:
            more = {"data": asked_for(data, scrub)} if "data" in error else {}
            return {"code": number, "message": scrub.text(text), **more}
        failure = replace(self.triage(self._spoken(number, text, status), call), number=number)
        tidy = jsonrpc_error(failure)
        return {**tidy, "data": {**self._own(data), **tidy["data"]}}

    def _in_words(self, error: dict[str, Any], call: Call) -> dict[str, Any]:
        """The result of a tool that asks for a URL, for peers that cannot be asked."""
        asked = McpError(ErrorCode.UNAUTHORIZED, str(error.get("message") or "") or None)
        failure = naming_urls(self.triage(asked, call), asked_for(error.get("data"), self.triage.scrub))
        return failed(failure, self.triage.policy)

    def _own(self, data: Any) -> dict[str, Any]:
        if data is None or data == "":
            return {}
        safe = self.triage.scrub.data(data if isinstance(data, dict) else {"value": data})
        return safe if isinstance(safe, dict) else {"value": safe}

    def _spoken(self, number: int, text: str, status: int) -> BaseException:
        """An exception of the same words, declared where the number says that they are for the caller."""
        if "input_value=" in text:
            text = _NOT_JSONRPC if status >= 400 else _without_values(text)
        outside = number != 0 and not -32768 <= number <= -32000
        if not (number in _CALLERS or outside or 400 <= status < 500 or text in SDKS_OWN):
            return RuntimeError(text)
        return McpError(self._code(number, text, status), text or None, recovery=_hint(status, text))

    def _code(self, number: int, text: str, status: int) -> ErrorCode:
        if number in STANDARD_WIRE_CODES and number != ErrorCode.INTERNAL_ERROR:
            return ErrorCode(number)
        return http_status_to_code(status) if status >= 400 else self.triage.classify(RuntimeError(text)).code


def _refusal(status: int, text: str, retry_after: float | None) -> McpError:
    """An HTTP error without JSON-RPC: its text if that is about the request, never if about the server."""
    code = ErrorCode.INVALID_REQUEST if status == 400 else http_status_to_code(status)
    if status >= 500 or "input_value=" in text:
        text = ""
    if not text and status < 500:
        text = _phrase(status)
    return McpError(code, text or None, recovery=_hint(status, text), retry_after=retry_after)


def _phrase(status: int) -> str:
    try:
        return f"{HTTPStatus(status).phrase}."
    except ValueError:
        return ""


def _hint(status: int, text: str) -> str | None:
    return next((hint for at, part, hint in HINTS if at == status and part in text), None)


def _is_error(said: dict[str, Any]) -> bool:
    return said.get("jsonrpc") == "2.0" and said.get("error") is not None


def _typed(error: Any) -> dict[str, Any]:
    """An error with a number for its code, whatever somebody took for one."""
    if not isinstance(error, dict):
        return {"code": int(ErrorCode.INTERNAL_ERROR), "message": error if isinstance(error, str) else ""}
    code = error.get("code")
    if type(code) is int:
        return error
    is_whole = isinstance(code, float) and code.is_integer() and abs(code) < _EXACT
    return {**error, "code": int(code or 0) if is_whole else int(ErrorCode.INTERNAL_ERROR)}


def _without_values(text: str) -> str:
    """Validation's text without what was rejected."""
    is_dump = "input_value=" in text
    text = _ECHO.sub(r"\1the value", text[:_READ])
    return _DUMP.sub("", text) if is_dump else text
