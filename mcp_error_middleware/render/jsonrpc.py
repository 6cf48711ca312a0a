"""Failure in, JSON-RPC error out."""

from __future__ import annotations

from typing import Any, Final

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render.error import error_object, shortened
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import ErrorCode, may_leave, wire_code

_MESSAGE: Final = 600
_INVALID_PARAMS: Final = -32602
_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")


def jsonrpc_error(failure: Failure, *, taxonomy_numbers: bool = False) -> dict[str, Any]:
    """`code`, `message` and `data`.

    `data` is the error object. What is in its own `data` is repeated beside it, where clients look for the
    keys an author sent before; ours win a clash. An author's own number is its `code` even where the
    envelope may not carry it.
    """
    error = error_object(failure)
    data = {**error["data"], **error}
    if failure.number is not None:
        data["code"] = failure.number
    if _is_missing_resource(failure) and failure.call.shown is not None:
        data["uri"] = plain(failure.call.shown)
    return {"code": _number(failure, taxonomy_numbers), "message": _message(error), "data": data}


def _number(failure: Failure, taxonomy_numbers: bool) -> int:
    version = failure.call.protocol_version
    if failure.number is not None and may_leave(failure.number, version):
        return failure.number
    if _is_missing_resource(failure):
        return _INVALID_PARAMS
    return wire_code(failure.code, version, taxonomy_numbers=taxonomy_numbers)


def _is_missing_resource(failure: Failure) -> bool:
    return failure.code is ErrorCode.NOT_FOUND and failure.call.method == "resources/read"


def _message(error: dict[str, Any]) -> str:
    """Many clients show a model nothing but this, so the next step and the error id are in it."""
    message, hint = (" ".join(text.split()) for text in (error["message"], error["data"]["recovery"]["hint"]))
    if hint not in message:
        # Whoever names nothing is told of nothing behind the colon.
        message = message.removesuffix(":")
        message += f"{'' if message.endswith(_ENDS) else '.'} {hint}"
    return f"{shortened(message, _MESSAGE)} (error id {error['error_id']})"
