"""An HTTP call of this process in, an answer nobody sent out."""

from __future__ import annotations

import http
import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from email.message import Message
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeAlias, cast
from urllib.response import addinfourl

Match: TypeAlias = str | re.Pattern[str] | Callable[[str], bool] | None


@dataclass(slots=True, eq=False)
class Upstream:
    """How another service answers."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    match: Match = None
    raises: BaseException | type[BaseException] | None = None
    times: int | None = None
    calls: int = 0
    """How often it has."""

    def answers(self, url: str) -> bool:
        """Whether this call is answered here; if so, it counts. Raises what it is to raise."""
        if (self.times is not None and self.calls >= self.times) or not _fits(self.match, url):
            return False
        self.calls += 1
        if self.raises is not None:
            raise fresh(self.raises)
        return True

    @property
    def reason(self) -> str:
        known = self.status in http.HTTPStatus._value2member_map_
        return http.HTTPStatus(self.status).phrase if known else ""


def fresh(raises: BaseException | type[BaseException]) -> BaseException:
    """To be raised, without the traceback of the last time."""
    # Neither by `isinstance` nor by its own methods: an exception may be hostile to being looked at.
    if issubclass(type(raises), type):
        return cast(type[BaseException], raises)()
    return BaseException.with_traceback(cast(BaseException, raises), None)


def _fits(match: Match, url: str) -> bool:
    if match is None:
        return True
    if isinstance(match, str):
        return match in url
    return bool(match.search(url) if isinstance(match, re.Pattern) else match(url))


def plant(upstream: Upstream) -> Callable[[], None]:
    """Answer in the place of every library there is; what is returned ends it."""
    undo = ExitStack()
    for module, patch in _LIBRARIES:
        if find_spec(module) is not None:
            for cls, name, method in patch(import_module(module), upstream):
                undo.callback(setattr, cls, name, getattr(cls, name))
                setattr(cls, name, method)
    return undo.close


Patch: TypeAlias = tuple[type, str, Callable[..., Any]]
"""A class, the name of its method that goes to the network, and what is called instead."""


def _httpx(httpx: Any, upstream: Upstream) -> Iterator[Patch]:
    def response(request: Any) -> Any:
        return httpx.Response(
            upstream.status, headers=upstream.headers, content=upstream.body, request=request
        )

    send, asend = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport.handle_async_request

    def handle_request(self: Any, request: Any) -> Any:
        return response(request) if upstream.answers(str(request.url)) else send(self, request)

    async def handle_async_request(self: Any, request: Any) -> Any:
        return response(request) if upstream.answers(str(request.url)) else await asend(self, request)

    yield httpx.HTTPTransport, "handle_request", handle_request
    yield httpx.AsyncHTTPTransport, "handle_async_request", handle_async_request


def _requests(requests: Any, upstream: Upstream) -> Iterator[Patch]:
    original = requests.adapters.HTTPAdapter.send

    def send(self: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
        if not upstream.answers(request.url):
            return original(self, request, *args, **kwargs)
        response = requests.Response()
        response.status_code, response.reason = upstream.status, upstream.reason
        response.headers.update(upstream.headers)
        response.raw = io.BytesIO(upstream.body)
        response.url, response.request, response.connection = request.url, request, self
        return response

    yield requests.adapters.HTTPAdapter, "send", send


def _urllib(request: Any, upstream: Upstream) -> Iterator[Patch]:
    original = request.AbstractHTTPHandler.do_open

    def do_open(self: Any, http_class: Any, req: Any, **kwargs: Any) -> Any:
        if not upstream.answers(req.full_url):
            return original(self, http_class, req, **kwargs)
        headers = Message()
        for name, value in upstream.headers.items():
            headers[name] = value
        response: Any = addinfourl(io.BytesIO(upstream.body), headers, req.full_url, upstream.status)
        response.msg = upstream.reason
        return response

    yield request.AbstractHTTPHandler, "do_open", do_open


_LIBRARIES: Final[tuple[tuple[str, Callable[[Any, Upstream], Iterator[Patch]]], ...]] = (
    ("httpx", _httpx),
    ("httpx2", _httpx),
    ("requests", _requests),
    ("urllib.request", _urllib),
)
