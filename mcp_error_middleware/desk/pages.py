"""Request in, page or JSON out; only to whom the desk answers."""

from __future__ import annotations

import hmac
import ipaddress
import re
import time
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_error_middleware.desk.store import SLOT, Query
from mcp_error_middleware.taxonomy import ErrorCode

if TYPE_CHECKING:
    from mcp_error_middleware.desk.desk import Desk

HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_STATIC: Final = {
    "index.html": "text/html",
    "desk.js": "text/javascript",
    "desk.css": "text/css",
    "icon.svg": "image/svg+xml",
}
_LONGEST: Final = 200
_RANGES: Final = (15, 60, 360, 1_440, 10_080)
"""Minutes that a page may look back; bars are chosen so that each range has about sixty."""
_PROXIED: Final = ("forwarded", "x-forwarded-", "x-real-ip", "via", "cf-", "true-client-ip", "x-client-ip")
_LOCAL: Final = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?", re.IGNORECASE)


def pages(desk: Desk) -> ASGIApp:
    """The desk's routes, behind its door."""
    return _Door(
        desk.token, Router([Route(path, get, methods=["GET"]) for path, get in _routes(desk).items()])
    )


class _Door:
    """Lets in who has the token, or without one who sits at this machine."""

    def __init__(self, token: str | None, app: ASGIApp) -> None:
        self.token, self.app = token, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if not self._may_enter(scope):
            await _refusal(self.token)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _may_enter(self, scope: Scope) -> bool:
        if self.token is None:
            return _is_at_this_machine(scope)
        # The page itself says nothing; it asks for the token and sends it with every request for data.
        return "/api/" not in scope["path"] or _has(self.token, Headers(scope=scope))


def _is_at_this_machine(scope: Scope) -> bool:
    """Whether the request came straight from a program here, by one of this machine's own names."""
    headers = Headers(scope=scope)
    # Proxies say whom they speak for, or else speak the old version that no browser does.
    if any(name.startswith(_PROXIED) for name in headers) or scope.get("http_version") == "1.0":
        return False
    # Another name in Host would be a web page that had its own name point here.
    return _is_loopback(scope) and _LOCAL.fullmatch(headers.get("host", "")) is not None


def _is_loopback(scope: Scope) -> bool:
    # Without an address it came over a Unix socket, and who uses one is a proxy.
    host, *_ = scope.get("client") or ("",)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _has(token: str, headers: Headers) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    # The bytes that were sent, whatever letters they are.
    return scheme.lower() == "bearer" and hmac.compare_digest(
        given.encode("latin-1"), token.encode("utf-8", "replace")
    )


def _refusal(token: str | None) -> Response:
    if token is None:
        return _text("The desk answers only to this machine; give it a token to read it from elsewhere.", 403)
    response = _text("The desk asks for its token: Authorization: Bearer <token>.", 401)
    response.headers["www-authenticate"] = "Bearer"
    return response


def _text(text: str, status: int) -> Response:
    return Response(f"{text}\n", status, HEADERS, "text/plain")


def _json(value: Any, status: int = 200, headers: Mapping[str, str] = HEADERS) -> Response:
    return Response(orjson.dumps(value, default=str), status, headers, "application/json")


def _routes(desk: Desk) -> dict[str, Callable[..., Any]]:
    store = desk.store

    async def page(request: Request) -> Response:
        if not request.url.path.endswith("/"):
            return RedirectResponse(request.url.path + "/", headers=HEADERS)
        return _static("index.html")

    async def static(request: Request) -> Response:
        return _static(request.path_params["name"])

    async def overview(request: Request) -> Response:
        version = await run_in_threadpool(store.version)
        tag = f'"{version}-{int(time.time() // SLOT)}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={**HEADERS, "etag": tag})
        return _json(await run_in_threadpool(_overview, desk, request), headers={**HEADERS, "etag": tag})

    async def group(request: Request) -> Response:
        found = await run_in_threadpool(store.group, request.path_params["fingerprint"])
        return _json(found) if found else _json({"error": "No failure of this group is kept."}, 404)

    async def failure(request: Request) -> Response:
        error_id = request.path_params["error_id"]
        found = await run_in_threadpool(store.failure, error_id)
        if found is None:
            return _json({"error": f"No failure {error_id[:_LONGEST]} is kept; it may be too old."}, 404)
        if "download" in request.query_params:
            saved = f'attachment; filename="failure-{found["error_id"]}.json"'
            return _json(found, headers={**HEADERS, "content-disposition": saved})
        return _json(found)

    async def permalink(request: Request) -> Response:
        root = request.scope.get("root_path", "")
        return RedirectResponse(f"{root}/#/failure/{request.path_params['error_id']}", headers=HEADERS)

    return {
        "/": page,
        "/static/{name}": static,
        "/api/overview": overview,
        "/api/groups/{fingerprint}": group,
        "/api/failures/{error_id}": failure,
        "/failures/{error_id}": permalink,
    }


def _static(name: str) -> Response:
    if (kind := _STATIC.get(name)) is None:
        return _text("There is no such file.", 404)
    return Response(
        files("mcp_error_middleware.desk").joinpath("static", name).read_bytes(),
        headers=HEADERS,
        media_type=kind,
    )


def _overview(desk: Desk, request: Request) -> dict[str, Any]:
    asked = request.query_params
    given = asked.get("minutes", "")[:9]
    minutes = int(given) if given.isdecimal() else 60
    minutes = min((one for one in _RANGES if one >= minutes), default=_RANGES[-1])
    step = max(SLOT, minutes)
    now = time.time()
    words = {name: asked.get(name, "")[:_LONGEST] for name in ("code", "fault", "target", "text")}
    query = Query(since=now - minutes * 60, **words)
    return {
        "now": now,
        "minutes": minutes,
        "step": step,
        "groups": desk.store.groups(query),
        "rates": desk.store.rates(query, step),
        "targets": desk.store.targets(),
        "codes": [code.label for code in ErrorCode],
        "dropped": desk.dropped,
        "storage": _storage(desk),
        "trace_url": desk.trace_url,
    }


def _storage(desk: Desk) -> str:
    if desk.store.degraded:
        return "memory (the file cannot be used)"
    return "memory" if desk.path is None else "file"
