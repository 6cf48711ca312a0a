"""Failure in, HTTP problem out (RFC 9457), for plain routes."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render.error import OURS, error_object
from mcp_error_middleware.render.plain import dumps
from mcp_error_middleware.taxonomy import ErrorCode


def problem(failure: Failure, *, docs_url: str | None = None) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body; `docs_url` is where the codes are explained, by name."""
    traits = failure.code.traits
    error = error_object(failure)
    data = error.pop("data")
    seconds = math.ceil(data["retry_after"]) if "retry_after" in data else None
    body = {
        "type": code_url(docs_url, failure.code) if docs_url else "about:blank",
        "title": traits.name.replace("_", " ").capitalize() if docs_url else HTTPStatus(traits.status).phrase,
        "status": traits.status,
        "detail": error.pop("message"),
        "instance": f"urn:mcp-error-middleware:{quote(error['error_id'], safe='')}",
        "kind": traits.kind,
        **error,
        "reason": data.get("reason"),
        "recovery": data["recovery"],
        "retryAfter": seconds,
        "fields": _fields(data),
        "data": {key: value for key, value in data.items() if key not in OURS} or None,
    }
    headers = {"content-type": "application/problem+json"}
    if seconds is not None:
        headers["retry-after"] = str(seconds)
    return traits.status, headers, dumps({key: value for key, value in body.items() if value is not None})


def code_url(docs_url: str, code: ErrorCode) -> str:
    """Where a code is explained."""
    return f"{docs_url}{'' if docs_url.endswith(('/', '#', '=')) else '/'}{code.traits.name}"


def _fields(data: dict[str, Any]) -> dict[str, Any] | None:
    """What is wrong by field: the author's own list, or what validation found."""
    if isinstance(data.get("fields"), dict):
        named: dict[str, Any] = data.pop("fields")
        return named
    fields: dict[str, list[str]] = {}
    for issue in data.get("issues", ()):
        fields.setdefault(issue["path"], []).append(issue["problem"])
    return fields or None
