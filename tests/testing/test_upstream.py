from __future__ import annotations

import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from mcp_error_middleware import classify
from mcp_error_middleware.testing import Faults

HTTPX = [name for name in ("httpx", "httpx2") if find_spec(name)]


class _Fine(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"fine")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A service that is well."""
    with HTTPServer(("127.0.0.1", 0), _Fine) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/prices"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("name", HTTPX)
def test_httpx_is_answered_as_often_as_asked(name: str, url: str, mcp_faults: Faults) -> None:
    httpx: Any = import_module(name)
    fault = mcp_faults.upstream(429, headers={"Retry-After": "7"}, body="slow down", match="/prices", times=1)
    with httpx.Client(trust_env=False) as client:
        refused, served = client.get(url), client.get(url)

    assert (refused.status_code, refused.text, served.text, fault.calls) == (429, "slow down", "fine", 1)
    with pytest.raises(httpx.HTTPStatusError) as caught:
        refused.raise_for_status()
    assert classify(caught.value).retry_after == 7


@pytest.mark.anyio
@pytest.mark.parametrize("name", HTTPX)
async def test_httpx_is_answered_asynchronously(name: str, url: str, mcp_faults: Faults) -> None:
    httpx: Any = import_module(name)
    mcp_faults.upstream(503, match=re.compile("prices$"), times=1)
    async with httpx.AsyncClient(trust_env=False) as client:
        refused, served = await client.get(url), await client.get(url)

    assert (refused.status_code, served.text) == (503, "fine")


@pytest.mark.parametrize("name", HTTPX)
def test_what_never_reaches_the_network_is_left_alone(name: str, mcp_faults: Faults) -> None:
    httpx: Any = import_module(name)
    fault = mcp_faults.upstream(503)
    transport = httpx.MockTransport(lambda request: httpx.Response(200))
    with httpx.Client(transport=transport) as client:
        assert client.get("http://upstream.test").status_code == 200
    assert fault.calls == 0


def test_requests_is_answered(url: str, mcp_faults: Faults) -> None:
    requests: Any = pytest.importorskip("requests")
    mcp_faults.upstream(404, headers={"X-Of": "test"}, body=b"{}", match=lambda asked: asked == url, times=1)
    with requests.Session() as session:
        session.trust_env = False
        refused, served = session.get(url), session.get(url)

    assert (refused.status_code, refused.reason, refused.headers["x-of"]) == (404, "Not Found", "test")
    assert (refused.json(), served.text) == ({}, "fine")
    assert classify(requests.HTTPError(response=refused)).code.label == "NotFound"


def test_urllib_is_answered(url: str, mcp_faults: Faults) -> None:
    mcp_faults.upstream(503, headers={"Retry-After": "3"}, body="down", times=1)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with pytest.raises(urllib.error.HTTPError) as caught:
        opener.open(url)
    with caught.value as refused:
        assert (refused.code, refused.reason, refused.read()) == (503, "Service Unavailable", b"down")
        assert classify(refused).retry_after == 3
    with opener.open(url) as served:
        assert served.read() == b"fine"


def test_a_service_may_not_answer_at_all(url: str, mcp_faults: Faults) -> None:
    mcp_faults.upstream(raises=ConnectionResetError)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    with pytest.raises(ConnectionResetError):
        opener.open(url)


def test_afterwards_the_network_is_as_it_was(url: str) -> None:
    before = urllib.request.AbstractHTTPHandler.do_open
    with Faults() as faults:
        faults.upstream(503)
        faults.upstream(502)
        assert urllib.request.AbstractHTTPHandler.do_open is not before

    assert urllib.request.AbstractHTTPHandler.do_open is before
