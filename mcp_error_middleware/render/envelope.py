"""Failure in, `response-v2` envelope out; and the envelopes of calls that did not fail, or not wholly.

Two states only: success without an error, or no success with one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render.error import error_object
from mcp_error_middleware.render.plain import plain
from mcp_error_middleware.taxonomy import BY_REGISTRY, ErrorCode

VERSION: Final = "response-v2"


def envelope(failure: Failure) -> dict[str, Any]:
    """The failure as an envelope; `meta.request_id` is what the operator finds the call by."""
    error = error_object(failure)
    data = error["data"]
    remediation = data.pop("recovery")["hint"]
    seconds = data.pop("retry_after", None)
    said = {
        "error_code": _registered(failure),
        "error_type": error["category"],
        "error_name": error["name"],
        "error_id": error["error_id"],
        "retryable": error["retryable"],
        "retry": error["retry"],
        "details": data or None,
        "remediation": remediation,
        "retry_after_seconds": seconds,
    }
    return error_response(
        error["message"],
        {key: value for key, value in said.items() if value is not None},
        request_id=_request_id(failure),
    )


def success_response(
    data: Mapping[str, Any], *, warnings: Sequence[str] | None = None, request_id: str | None = None
) -> dict[str, Any]:
    """The operation succeeded; `warnings` are what did not prevent it."""
    return {"success": True, "data": dict(data), "error": None, "meta": _meta(request_id, warnings)}


def error_response(
    error: str, data: Mapping[str, Any] | None = None, *, request_id: str | None = None
) -> dict[str, Any]:
    """The operation failed; `error` says how."""
    message = error.strip() or ErrorCode.UNKNOWN_ERROR.traits.message
    return {"success": False, "data": dict(data or {}), "error": message, "meta": _meta(request_id)}


def partial_success(
    succeeded: Sequence[Any],
    failed: Sequence[Any],
    *,
    key: str = "processed",
    noun: str = "items",
    request_id: str | None = None,
) -> dict[str, Any]:
    """What became of many items. `key` is what happened to them, such as `deleted`.

    An error only where all failed; where some did, a success with a warning.
    """
    if not failed:
        return success_response({key: list(succeeded)}, request_id=request_id)
    if not succeeded:
        error = f"None of the {len(failed)} {noun} could be {key}."
        return error_response(error, {"failed": list(failed)}, request_id=request_id)
    return success_response(
        {key: list(succeeded), "failed": list(failed)},
        warnings=[f"{len(failed)} of {len(succeeded) + len(failed)} {noun} could not be {key}."],
        request_id=request_id,
    )


def _meta(request_id: str | None, warnings: Sequence[str] | None = None) -> dict[str, Any]:
    meta: dict[str, Any] = {"version": VERSION}
    if request_id is not None:
        meta["request_id"] = request_id
    if warnings:
        meta["warnings"] = list(warnings)
    return meta


def _registered(failure: Failure) -> str:
    """The registry's code: by the reason where that is one (`token_expired`), else by the code."""
    named = (failure.reason or "").upper()
    return named if named in BY_REGISTRY else failure.code.traits.registry


def _request_id(failure: Failure) -> Any:
    known = (failure.call.correlation_id, failure.call.request_id, failure.error_id)
    return plain(next(str(name) for name in known if name is not None))
