"""Anything a client hands over in, the message the server sent out."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mcp_error_middleware.classify import mro_of, safe_str, walk
from mcp_error_middleware.classify.evidence.access import (
    either,
    is_exception,
    is_mapping,
    is_text,
    read,
    text,
)
from mcp_error_middleware.client import RemoteError, parse_error
from mcp_error_middleware.client.parse import OF_TOOL, PROTOCOL

Channel: TypeAlias = Literal["tool error", "protocol error", "success", "no answer"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said, in the terms of the wire."""

    message: Mapping[str, Any] | None
    """With a `result` or an `error`; None where the server said nothing."""
    error: RemoteError | None
    text: str
    """What an agent reads."""

    @property
    def result(self) -> Mapping[str, Any]:
        return self._part("result")

    @property
    def wire_error(self) -> Mapping[str, Any]:
        return self._part("error")

    @property
    def channel(self) -> Channel:
        if self.message is None:
            return "no answer"
        if "error" in self.message:
            return "protocol error"
        return "tool error" if self.result.get("isError") is True else "success"

    def _part(self, name: str) -> Mapping[str, Any]:
        part = (self.message or {}).get(name)
        return part if isinstance(part, Mapping) else {}


def read_answer(said: object) -> Answer:
    """Of a result, an exception, what `pytest.raises` caught, an HTTP response, a dict or a JSON text."""
    said = _caught(said)
    message = message_of(said)
    whole = said if message is None or is_exception(said) else {"jsonrpc": "2.0", **message}
    return Answer(message, parse_error(whole), _words(message, said))


def message_of(said: Any) -> dict[str, Any] | None:
    """The JSON-RPC message, or as much of it as the client left; None where there was none."""
    try:
        return _message(_caught(said))
    except Exception:  # noqa: BLE001 - what cannot even be looked at is no answer of a server
        return None


def _message(said: Any) -> dict[str, Any] | None:
    if is_exception(said):
        return _raised(said)
    if is_text(said):
        return _parsed(text(said) or "")
    if not is_mapping(said) and either(said, "status_code") is not None:
        return _parsed(_body(said))
    dumped = _dumped(said)
    return _enveloped(dumped) if isinstance(dumped, dict) else None


def _caught(said: Any) -> Any:
    """The exception `pytest.raises` caught."""
    return said.value if type(said).__name__ == "ExceptionInfo" else said


def _raised(exc: BaseException) -> dict[str, Any] | None:
    for link in walk(exc):
        names = {cls.__name__ for cls in mro_of(type(link.exc))}
        if names & PROTOCOL and (error := read(link.exc, "error")) is not None:
            return {"error": _dumped(error)}
        if names & OF_TOOL:
            block = {"type": "text", "text": safe_str(link.exc, 1_000_000)}
            return {"result": {"content": [block], "isError": True}}
        if (response := read(link.exc, "response")) is not None:
            return message_of(response)
    return None


def _body(response: Any) -> str:
    return next((found for name in ("content", "text", "body") if (found := text(read(response, name)))), "")


def _parsed(body: str) -> dict[str, Any] | None:
    """JSON, or the last message of an event stream."""
    for candidate in [body, *reversed(list(_events(body)))]:
        try:
            said = json.loads(candidate)
        except ValueError:
            continue
        return _enveloped(said) if isinstance(said, dict) else None
    return None


def _events(body: str) -> Iterator[str]:
    """The data of each, by the line ends of the standard and no others."""
    for event in body.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        yield "\n".join(line[5:] for line in event.split("\n") if line.startswith("data:"))


def _dumped(said: Any) -> Any:
    """As JSON would have it; models by the wire's names."""
    if hasattr(said, "model_dump"):
        return _of_model(said)
    if is_mapping(said):
        return {key: _dumped(value) for key, value in said.items()}
    if isinstance(said, list | tuple):
        return [_dumped(value) for value in said]
    if hasattr(said, "structured_content") and hasattr(said, "is_error"):
        # A result of FastMCP's own client, or on its way out of FastMCP's own server.
        named = {"_meta": said.meta, "structuredContent": said.structured_content, "isError": said.is_error}
        filled = {key: _dumped(value) for key, value in named.items() if value is not None}
        return {"content": _dumped(said.content), **filled}
    if dataclasses.is_dataclass(said) and not isinstance(said, type):
        return {field.name: _dumped(getattr(said, field.name)) for field in dataclasses.fields(said)}
    return said


def _of_model(said: Any) -> Any:
    try:
        return said.model_dump(mode="json", by_alias=True, exclude_none=True)
    except ValueError:
        # Of what no JSON can be made, the parts.
        return said.model_dump(by_alias=True, exclude_none=True)


def _enveloped(said: dict[str, Any]) -> dict[str, Any]:
    """A message: a bare result or a bare error gets its envelope."""
    if said.keys() & {"jsonrpc", "result", "method"} or isinstance(said.get("error"), dict):
        return said
    if "code" in said and "message" in said and "content" not in said:
        return {"error": said}
    return {"result": said}


def _words(message: Mapping[str, Any] | None, said: object) -> str:
    if message is None:
        return safe_str(said) if is_exception(said) else ""
    answer = Answer(message, None, "")
    if answer.wire_error:
        return f"{answer.wire_error.get('code')}: {answer.wire_error.get('message')}"
    blocks = answer.result.get("content")
    texts = (
        [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    )
    return "\n".join(block for block in texts if isinstance(block, str))
