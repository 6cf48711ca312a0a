"""An answer in, every place where it departs from the MCP specification out."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mcp_error_middleware.taxonomy import MODERN, may_leave
from mcp_error_middleware.testing.answers import message_of

_LABEL: Final = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_META_KEY: Final = re.compile(
    rf"(?:{_LABEL}(?:\.{_LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?"
)
_RESERVED: Final = re.compile(rf"{_LABEL}\.(?:mcp|modelcontextprotocol)(?:\.{_LABEL})*/.*")
_OF_THE_SPEC: Final = "io.modelcontextprotocol/"

_SINCE: Final = {
    "text": "",
    "image": "",
    "resource": "",
    "audio": "2025-03-26",
    "resource_link": "2025-06-18",
}
"""The protocol version each content block came with."""

_VERSION: Final = re.compile(r"\d{4}-\d\d-\d\d")

_RESULT_TYPES: Final = frozenset({"complete", "input_required", "task"})


def assert_spec_compliant(answer: object, protocol_version: str | None = None) -> None:
    """Assert that a result, a protocol error or a whole JSON-RPC message is as the specification asks.

    Without a version, as the newest one does.
    """
    __tracebackhide__ = True
    problems = find_problems(answer, protocol_version)
    if problems:
        said = f"not as MCP {protocol_version or 'in its newest version'} asks:"
        raise AssertionError("\n".join([said, *(f"  {problem}" for problem in problems)]))


def find_problems(answer: object, protocol_version: str | None = None) -> list[str]:
    """One line for each."""
    if protocol_version is not None and not _VERSION.fullmatch(protocol_version):
        raise ValueError(f"{protocol_version!r} is no version of the protocol; use one like {MODERN!r}")
    message = message_of(answer)
    if message is None:
        return [f"{type(answer).__name__} is no message of a server"]
    return list(_of_message(message, protocol_version or MODERN))


def _of_message(message: Mapping[str, Any], version: str) -> Iterator[str]:
    yield from _of_json(message)
    if "jsonrpc" in message:
        yield from _of_envelope(message)
    if "error" in message:
        yield from _of_error(message["error"], version)
    elif "result" in message:
        yield from _of_result(message["result"], version)
    elif "method" not in message:
        yield "has neither result nor error"


def _of_json(message: Mapping[str, Any]) -> Iterator[str]:
    try:
        json.dumps(message, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        yield f"cannot be written as JSON in UTF-8: {error}"


def _of_envelope(message: Mapping[str, Any]) -> Iterator[str]:
    if message["jsonrpc"] != "2.0":
        yield f"jsonrpc is {message['jsonrpc']!r}, not '2.0'"
    if "result" in message and "error" in message:
        yield "has both result and error"
    identity = message.get("id")
    if "result" in message and not _is_id(identity):
        yield f"id is {identity!r}; an answer carries the string or number of its request"
    # Of an error whose request could not be read, nobody knows the id.
    if "error" in message and identity is not None and not _is_id(identity):
        yield f"id is {identity!r}, neither a string nor a number"


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _of_error(error: object, version: str) -> Iterator[str]:
    if not isinstance(error, Mapping):
        yield "error is not an object"
        return
    code = error.get("code")
    if not isinstance(code, int) or isinstance(code, bool):
        yield f"error.code is {code!r}, not a whole number"
    elif not may_leave(code, version):
        yield f"error.code {code} is not for a server's own use in {version}"
    if not isinstance(error.get("message"), str):
        yield "error.message is not a string"
    if unknown := error.keys() - {"code", "message", "data"}:
        yield f"error has members JSON-RPC does not know: {', '.join(sorted(map(str, unknown)))}"


def _of_result(result: object, version: str) -> Iterator[str]:
    if not isinstance(result, Mapping):
        yield "result is not an object"
        return
    if "_meta" in result:
        yield from _of_meta(result["_meta"], "_meta")
    if result.get("resultType", "complete") not in _RESULT_TYPES:
        yield f"resultType {result['resultType']!r} is not known"
    for key, check in _CHECKS.items():
        if key in result:
            yield from check(result[key], version)
    if ("isError" in result or "structuredContent" in result) and "content" not in result:
        yield "a tool result has no content"
    if result.get("isError") is True and result.get("content") == []:
        yield "isError is true and content says nothing"


def _of_meta(meta: object, where: str) -> Iterator[str]:
    if not isinstance(meta, Mapping):
        yield f"{where} is not an object"
        return
    for key in meta:
        if not isinstance(key, str) or not _META_KEY.fullmatch(key):
            yield f"{where} key {key!r} is not of the form [prefix/]name"
        elif _RESERVED.fullmatch(key) and not key.startswith(_OF_THE_SPEC):
            yield f"{where} key {key!r} has a prefix that is reserved for MCP"


def _of_content(content: object, version: str) -> Iterator[str]:
    if not isinstance(content, list):
        yield "content is not a list"
        return
    for i, block in enumerate(content):
        yield from _of_block(block, f"content[{i}]", version)


def _of_block(block: object, where: str, version: str) -> Iterator[str]:
    if not isinstance(block, Mapping):
        yield f"{where} is not an object"
        return
    kind = block.get("type")
    if kind not in _SINCE or _SINCE[kind] > version:
        yield f"{where}.type {kind!r} is not one {version} knows"
        return
    yield from _of_meta(block.get("_meta", {}), f"{where}._meta")
    if kind == "resource":
        yield from _of_contents([block.get("resource")], version, f"{where}.resource")
        return
    for name in {"text": ["text"], "resource_link": ["uri", "name"]}.get(str(kind), ["data", "mimeType"]):
        if not isinstance(block.get(name), str):
            yield f"{where}.{name} is not a string"
        elif name == "data" and not _is_base64(block[name]):
            yield f"{where}.data is not base64"


def _of_contents(contents: object, version: str, where: str = "contents") -> Iterator[str]:
    if not isinstance(contents, list):
        yield f"{where} is not a list"
        return
    for part in contents:
        if not isinstance(part, Mapping) or not isinstance(part.get("uri"), str):
            yield f"{where} has a part without a uri"
        elif not isinstance(part.get("text"), str) and not _is_base64(part.get("blob")):
            yield f"{where} has a part with neither text nor a base64 blob"


def _of_messages(messages: object, version: str) -> Iterator[str]:
    if not isinstance(messages, list):
        yield "messages is not a list"
        return
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant"):
            yield f"messages[{i}].role is neither user nor assistant"
        else:
            yield from _of_block(message.get("content"), f"messages[{i}].content", version)


def _of_structured(structured: object, version: str) -> Iterator[str]:
    if not isinstance(structured, Mapping) and version < MODERN:
        yield f"structuredContent is not an object, as {version} asks"


def _of_flag(flag: object, version: str) -> Iterator[str]:
    if not isinstance(flag, bool):
        yield f"isError is {flag!r}, neither true nor false"


_CHECKS: Final[Mapping[str, Callable[[Any, str], Iterator[str]]]] = {
    "content": _of_content,
    "structuredContent": _of_structured,
    "isError": _of_flag,
    "contents": _of_contents,
    "messages": _of_messages,
}
"""What a result may hold, of a tool, a resource or a prompt."""


def _is_base64(value: object) -> bool:
    try:
        return isinstance(value, str) and base64.b64decode(value, validate=True) is not None
    except (binascii.Error, ValueError):
        return False
