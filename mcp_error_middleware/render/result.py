"""Failure in, result of a failed tool call out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render.envelope import envelope
from mcp_error_middleware.render.error import encoded, error_object
from mcp_error_middleware.render.formats import Format
from mcp_error_middleware.render.plain import dumps
from mcp_error_middleware.render.text import text_of
from mcp_error_middleware.render.toolerror import tool_error_json

META_KEY: Final = "io.github.mcp-error-middleware/error"
"""Where `_meta` holds the error object."""


def tool_result(failure: Failure, *, format: Format | str = Format.DEFAULT) -> dict[str, Any]:
    """A `CallToolResult` with `isError`, in the wire's spelling."""
    raw = encoded(failure)
    error = orjson.loads(raw)
    in_json = _IN_JSON.get(format)
    result: dict[str, Any] = {
        "content": [
            {"type": "text", "text": in_json(failure) if in_json else text_of(error, failure.locale)}
        ],
        "isError": True,
        "_meta": {META_KEY: error},
    }
    if failure.call.structured:
        result["structuredContent"] = (
            envelope(failure) if format == Format.ENVELOPE else {"error": orjson.loads(raw)}
        )
    return result


def merge_meta(existing: Mapping[str, Any] | None, failure: Failure) -> dict[str, Any]:
    """The `_meta` given, with the error object added, unless it has one already."""
    if existing and META_KEY in existing:
        return dict(existing)
    return {**(existing or {}), META_KEY: error_object(failure)}


def enrich_result(
    result: Mapping[str, Any], failure: Failure, *, format: Format | str = Format.DEFAULT
) -> dict[str, Any]:
    """An `isError` result somebody else made, with what it lacks; what it says stays.

    Where it has content of its own, `structuredContent` is not added: clients that prefer it would show
    it instead of that content.
    """
    enriched = {**result, "isError": True, "_meta": merge_meta(result.get("_meta"), failure)}
    if META_KEY in (result.get("_meta") or {}) or _says_something(result.get("content")):
        return enriched
    ours = tool_result(failure, format=format)
    enriched["content"] = ours["content"]
    if enriched.get("structuredContent") is None and "structuredContent" in ours:
        enriched["structuredContent"] = ours["structuredContent"]
    return enriched


def _says_something(content: Any) -> bool:
    return any(block.get("type") != "text" or block.get("text", "").strip() for block in content or ())


def _envelope_json(failure: Failure) -> str:
    return dumps(envelope(failure)).decode()


_IN_JSON: Final[Mapping[str, Callable[[Failure], str]]] = {
    Format.TOOLERROR: tool_error_json,
    Format.ENVELOPE: _envelope_json,
}
