"""An upstream's HTTP answer in, the error to raise out.

    response = await client.get(url)
    if response.is_error:
        raise http_error_from_response(response, service="NCBI")

Works by duck typing for httpx, requests, urllib3 and aiohttp responses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_error_middleware.classify import classify, retry_after_from_headers
from mcp_error_middleware.errors import McpError, error_for
from mcp_error_middleware.model import Body, Verdict
from mcp_error_middleware.sanitize import Limits, Scrubber
from mcp_error_middleware.taxonomy import http_status_to_code

_READ: Final = 20_000
"""Bytes of a body in hand while a server decides how much of it may leave."""


def http_error_from_response(
    response: Any,
    *,
    service: str | None = None,
    data: Mapping[str, Any] | None = None,
    capture_body: bool = True,
    body_limit: int | None = None,
) -> McpError:
    """The error for an HTTP response of 400 or above: code, Retry-After and the start of its body, scrubbed.

    The code is the status's, unless the response tells more: a limit in a 403, a provider's own code in its
    body. It is the one that the exception of the response's library would get.

    A body that has not been read yet is left alone: with a stream, or with aiohttp, read it first
    (`await response.read()`). For endpoints whose bodies echo secrets pass `capture_body=False`. The policy's
    `capture_body` and `body_limit` hold for every answer; what is given here can only leave out more.
    """
    status = _status(response)
    facts: dict[str, Any] = {"status": status}
    if service:
        facts["service"] = service
    if (seconds := retry_after_from_headers(_headers(response))) is not None:
        facts["retry_after"] = seconds
    body = _body(response)
    if capture_body and body and (kept := _kept(body, body_limit)):
        facts["body"] = kept
    message = f"{service or 'The upstream service'} answered HTTP {status}."
    verdict = _verdict(status, _headers(response), body if body and len(body) <= _READ else None)
    error = error_for(verdict.code, message, data)
    if verdict.retryable is not verdict.code.traits.retryable:
        error.retryable = verdict.retryable
    error.data = {**facts, **error.data}
    return error


class _Answered(Exception):
    """A response, held as its library's exceptions hold it."""

    def __init__(self, status: int, headers: object, body: object) -> None:
        super().__init__()
        self.status_code, self.headers, self.body = status, headers, body


def _verdict(status: int, headers: object, body: object) -> Verdict:
    verdict = classify(_Answered(status, headers, body))
    if verdict.evidence is not None and verdict.evidence.source != "fallback":
        return verdict
    code = http_status_to_code(status)
    return Verdict(code, code.traits.retryable)


def _kept(body: bytes | str, limit: int | None) -> Body:
    text = Scrubber(Limits() if limit is None else Limits(body=limit)).body(body)
    return Body(text, body[:_READ] if limit is None else text)


def _status(response: Any) -> int:
    for name in ("status_code", "status"):
        status = getattr(response, name, None)
        if isinstance(status, int):
            return int(status)
    raise TypeError(
        f"{type(response).__name__} has neither status_code nor status; "
        "pass an httpx, requests, urllib3 or aiohttp response"
    )


def _headers(response: Any) -> Any:
    try:
        return response.headers
    except Exception:  # noqa: BLE001 - a foreign object; without its headers the error is still right
        return None


def _body(response: Any) -> bytes | str | None:
    """What has been read already: reading more could block, or belong to somebody else."""
    for name in ("_content", "_body", "content"):
        try:
            body = getattr(response, name)
        except AttributeError:
            continue
        except Exception:  # noqa: BLE001 - httpx says so where it is still on its way
            return None
        return body if isinstance(body, bytes | str) else None
    return None
