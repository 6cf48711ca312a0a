"""Exceptions of HTTP and websocket clients."""

from __future__ import annotations

import asyncio

from . import case
from .servers import (
    HOST,
    PATIENCE,
    answering,
    closed_port,
    closing_port,
    garbage_port,
    hanging_port,
    http_date,
    tcp,
    truncating_port,
    untrusted_https,
)


@case("ServiceUnavailable", retryable=True)
def httpx_connection_refused():
    import httpx

    httpx.get(f"http://{HOST}:{closed_port()}/")


@case("Timeout", retryable=True)
def httpx_read_timeout():
    import httpx

    httpx.get(f"http://{HOST}:{hanging_port()}/", timeout=0.1)


@case("Timeout")
def httpx_pool_timeout():
    import httpx

    timeout = httpx.Timeout(5, pool=0.05)
    with httpx.Client(limits=httpx.Limits(max_connections=1), timeout=timeout) as client:
        with client.stream("GET", answering(200, "x" * 10)):
            client.get(answering(200))


@case("ServiceUnavailable")
def httpx_remote_protocol_error():
    import httpx

    httpx.get(f"http://{HOST}:{closing_port()}/", timeout=PATIENCE)


@case("ServiceUnavailable")
def httpx_tls_certificate_untrusted():
    import httpx

    httpx.get(untrusted_https())


@case("InternalError", also=("ValidationError", "InvalidParams", "InvalidRequest"))
def httpx_unsupported_protocol():
    import httpx

    httpx.get("files.example.com/a")


@case("Forbidden", retryable=False)
def httpx_status_403_whose_body_speaks_of_something_else():
    import httpx

    httpx.get(answering(403, {"error": "not found"})).raise_for_status()


@case("RateLimited", retryable=True)
def httpx_status_403_whose_body_speaks_of_a_limit():
    import httpx

    httpx.get(answering(403, {"error": "rate limit exceeded"})).raise_for_status()


@case("NotFound", retryable=False)
def httpx_status_404():
    import httpx

    httpx.get(answering(404, {"detail": "no such user"})).raise_for_status()


@case("RateLimited", retryable=True, retry_after=7)
def httpx_status_429_retry_after_seconds():
    import httpx

    httpx.get(answering(429, headers={"Retry-After": "7"})).raise_for_status()


@case("RateLimited", retryable=True, retry_after=120)
def httpx_status_429_retry_after_http_date():
    import httpx

    httpx.get(answering(429, headers={"Retry-After": http_date(120)})).raise_for_status()


@case("ServiceUnavailable", retryable=True, retry_after=30)
def httpx_status_503_maintenance():
    import httpx

    httpx.get(answering(503, "maintenance", {"Retry-After": "30"})).raise_for_status()


@case("InvalidRequest")
def httpx_status_410_gone():
    import httpx

    httpx.get(answering(410)).raise_for_status()


@case("ServiceUnavailable", also=("InternalError", "InvalidRequest"))
def httpx_too_many_redirects():
    import httpx

    url = answering(302, headers={"Location": "again"})
    httpx.get(f"{url}/", follow_redirects=True)


@case("SerializationError", also=("ServiceUnavailable",))
def httpx_json_of_html_page():
    import httpx

    httpx.get(answering(200, "<html>login</html>")).json()


@case("SerializationError", also=("ServiceUnavailable",))
def httpx_gzip_decoding_error():
    import httpx

    httpx.get(answering(200, "not gzip", {"Content-Encoding": "gzip"}))


@case("ServiceUnavailable", retryable=True)
def requests_connection_refused():
    import requests

    requests.get(f"http://{HOST}:{closed_port()}/")


@case("Timeout", retryable=True)
def requests_read_timeout():
    import requests

    requests.get(f"http://{HOST}:{hanging_port()}/", timeout=0.1)


@case("Timeout", retryable=True)
def requests_read_timeout_behind_retries():
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3 import Retry

    session = requests.Session()
    session.mount("http://", HTTPAdapter(max_retries=Retry(1, backoff_factor=0)))
    session.get(f"http://{HOST}:{hanging_port()}/", timeout=0.1)


@case("ServiceUnavailable")
def requests_tls_error():
    import requests

    requests.get(untrusted_https())


@case("Forbidden")
def requests_status_403():
    import requests

    requests.get(answering(403, {"message": "read only"})).raise_for_status()


@case("InternalError", also=("ServiceUnavailable",))
def requests_status_500():
    import requests

    requests.get(answering(500, "Traceback: connection timeout not found")).raise_for_status()


@case("SerializationError", also=("ServiceUnavailable",))
def requests_json_of_empty_body():
    import requests

    requests.get(answering(200)).json()


@case("ServiceUnavailable")
def requests_body_cut_short():
    import requests

    requests.get(f"http://{HOST}:{truncating_port()}/")


@case("ValidationError", also=("InvalidParams", "InvalidRequest", "InternalError"))
def requests_missing_schema():
    import requests

    requests.get("files.example.com/a")


@case("ServiceUnavailable", also=("RateLimited",))
def requests_retries_exhausted_on_503():
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util import Retry

    with requests.Session() as session:
        session.mount("http://", HTTPAdapter(max_retries=Retry(1, status_forcelist=[503], backoff_factor=0)))
        session.get(answering(503))


@case("ServiceUnavailable", retryable=True)
def urllib3_max_retries_on_refused():
    import urllib3

    urllib3.PoolManager().request("GET", f"http://{HOST}:{closed_port()}/", retries=1)


@case("Timeout", retryable=True)
def urllib3_read_timeout():
    import urllib3

    urllib3.PoolManager().request("GET", f"http://{HOST}:{hanging_port()}/", timeout=0.1, retries=False)


@case("Timeout", also=("ServiceUnavailable",))
def urllib3_max_retries_on_timeout():
    import urllib3

    urllib3.PoolManager().request("GET", f"http://{HOST}:{hanging_port()}/", timeout=0.1, retries=1)


@case("ServiceUnavailable")
def urllib3_incomplete_read():
    import urllib3

    urllib3.PoolManager().request("GET", f"http://{HOST}:{truncating_port()}/", retries=False)


@case("ValidationError", also=("InvalidParams", "InvalidRequest"))
def urllib3_location_parse_error():
    import urllib3

    urllib3.util.parse_url("http://[:::1]/")


@case("NotFound")
def urllib_status_404():
    import urllib.request

    urllib.request.urlopen(answering(404))


@case("RateLimited", retryable=True, retry_after=11)
def urllib_status_429():
    import urllib.request

    urllib.request.urlopen(answering(429, headers={"Retry-After": "11"}))


@case("ServiceUnavailable", retryable=True)
def urllib_connection_refused():
    import urllib.request

    urllib.request.urlopen(f"http://{HOST}:{closed_port()}/", timeout=1)


@case("Timeout", retryable=True)
def urllib_timeout():
    import urllib.request

    urllib.request.urlopen(f"http://{HOST}:{hanging_port()}/", timeout=0.1)


@case("ServiceUnavailable")
def http_client_bad_status_line():
    import http.client

    connection = http.client.HTTPConnection(HOST, garbage_port(), timeout=PATIENCE)
    connection.request("GET", "/")
    connection.getresponse()


@case("ServiceUnavailable", retryable=True)
def http_client_remote_disconnected():
    import http.client

    connection = http.client.HTTPConnection(HOST, closing_port(), timeout=PATIENCE)
    connection.request("GET", "/")
    connection.getresponse()


def _aiohttp_get(url: str, **options: object) -> None:
    import aiohttp

    async def fetch() -> None:
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            async with session.get(url, **options) as response:
                await response.json()

    asyncio.run(fetch())


@case("ServiceUnavailable", retryable=True)
def aiohttp_connection_refused():
    _aiohttp_get(f"http://{HOST}:{closed_port()}/")


@case("Timeout", retryable=True)
def aiohttp_total_timeout():
    import aiohttp

    _aiohttp_get(f"http://{HOST}:{hanging_port()}/", timeout=aiohttp.ClientTimeout(total=0.1))


@case("Timeout", retryable=True)
def aiohttp_socket_read_timeout():
    import aiohttp

    _aiohttp_get(f"http://{HOST}:{hanging_port()}/", timeout=aiohttp.ClientTimeout(sock_read=0.1))


@case("ServiceUnavailable", retryable=True)
def aiohttp_server_disconnected():
    _aiohttp_get(f"http://{HOST}:{closing_port()}/")


@case("ServiceUnavailable", retryable=True)
def aiohttp_bad_status_line():
    _aiohttp_get(f"http://{HOST}:{garbage_port()}/")


@case("ServiceUnavailable", retryable=True)
def aiohttp_bad_header():
    _aiohttp_get(answering(200, headers={"X-\0": "1"}))


@case("ServiceUnavailable")
def aiohttp_certificate_error():
    _aiohttp_get(untrusted_https())


@case("Unauthorized")
def aiohttp_status_401():
    _aiohttp_get(answering(401, headers={"WWW-Authenticate": "Bearer"}))


@case("RateLimited", retryable=True, retry_after=3)
def aiohttp_status_429():
    _aiohttp_get(answering(429, headers={"Retry-After": "3"}))


@case("SerializationError", also=("ServiceUnavailable",))
def aiohttp_content_type_error():
    _aiohttp_get(answering(200, "<html>", {"Content-Type": "text/html"}))


@case("ValidationError", also=("InvalidParams", "InvalidRequest"))
def aiohttp_invalid_url():
    _aiohttp_get("http://")


@case("ServiceUnavailable", retryable=True)
def httpcore_connect_error():
    import httpcore

    httpcore.request("GET", f"http://{HOST}:{closed_port()}/")


@case("ServiceUnavailable", retryable=True)
def pycurl_could_not_connect():
    import pycurl

    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, f"http://{HOST}:{closed_port()}/")
    curl.perform()


@case("Timeout", retryable=True)
def pycurl_operation_timed_out():
    import pycurl

    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, f"http://{HOST}:{hanging_port()}/")
    curl.setopt(pycurl.TIMEOUT_MS, 100)
    curl.perform()


@case("ServiceUnavailable", retryable=True)
def pycurl_answer_that_is_no_http():
    import pycurl

    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, f"http://{HOST}:{garbage_port()}/")
    curl.setopt(pycurl.TIMEOUT_MS, 5000)
    curl.perform()


@case("InternalError", also=("ValidationError", "InvalidParams", "InvalidRequest"))
def pycurl_protocol_that_is_not_supported():
    import pycurl

    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, "htp://127.0.0.1/")
    curl.perform()


@case("ServiceUnavailable", retryable=True)
def httplib2_connection_refused():
    import httplib2

    httplib2.Http(timeout=1).request(f"http://{HOST}:{closed_port()}/")


@case("Forbidden")
def websockets_handshake_rejected_403():
    from websockets.sync.client import connect

    connect(answering(403, "no").replace("http", "ws"))


@case("ServiceUnavailable")
def websockets_handshake_garbage():
    from websockets.sync.client import connect

    connect(f"ws://{HOST}:{garbage_port()}/", open_timeout=PATIENCE)


def _websocket_port(close_frame: bytes) -> int:
    import base64
    import hashlib
    import time

    def talk(connection):
        request = connection.recv(65536).decode()
        key = next(
            line.split(": ")[1]
            for line in request.split("\r\n")
            if line.lower().startswith("sec-websocket-key")
        )
        token = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
        accept = base64.b64encode(token).decode()
        connection.sendall(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        connection.sendall(close_frame)
        time.sleep(0.1)

    return tcp(talk)


@case("ServiceUnavailable", also=("InternalError",))
def websockets_closed_with_1011():
    from websockets.sync.client import connect

    with connect(
        f"ws://{HOST}:{_websocket_port(bytes([0x88, 6]) + (1011).to_bytes(2, 'big') + b'oops')}/"
    ) as client:
        client.recv(timeout=PATIENCE)


@case("ServiceUnavailable")
def websocket_client_connection_closed():
    import websocket

    port = _websocket_port(b"")
    client = websocket.create_connection(f"ws://{HOST}:{port}/", timeout=PATIENCE)
    client.recv()


@case("InternalError", also=("ServiceUnavailable",))
def zeep_soap_fault():
    _soap_fault("Server", "Object reference not set")


@case("InvalidParams", also=("ValidationError", "InvalidRequest"))
def zeep_soap_fault_of_the_client():
    _soap_fault("Client", "Missing element orderId")


def _soap_fault(whose, text):
    """The fault of a SOAP server, parsed by the SOAP 1.1 binding."""
    import zeep
    from lxml import etree
    from zeep.wsdl.bindings.soap import Soap11Binding

    envelope = etree.fromstring(
        '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>'
        f"<faultcode>soap:{whose}</faultcode><faultstring>{text}</faultstring>"
        "</soap:Fault></soap:Body></soap:Envelope>"
    )
    client = type("Client", (), {"wsdl": type("Wsdl", (), {"types": zeep.xsd.Schema()})()})
    binding = Soap11Binding(client.wsdl, "binding", "port", None, "document")
    binding.process_error(envelope, None)


@case("ServiceUnavailable", also=("InternalError",))
def gql_transport_query_error():
    from gql import Client, gql
    from gql.transport.requests import RequestsHTTPTransport

    body = {"errors": [{"message": "upstream exploded", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}]}
    Client(transport=RequestsHTTPTransport(url=answering(200, body))).execute(gql("{ viewer { login } }"))


@case("Unauthorized")
def gql_unauthenticated_in_a_200():
    from gql import Client, gql
    from gql.transport.requests import RequestsHTTPTransport

    body = {
        "errors": [{"message": "You must log in", "extensions": {"code": "UNAUTHENTICATED"}}],
        "data": None,
    }
    Client(transport=RequestsHTTPTransport(url=answering(200, body))).execute(gql("{ viewer { login } }"))


@case("ServiceUnavailable", also=("InternalError",))
def h2_stream_that_was_never_opened():
    from h2.connection import H2Connection

    connection = H2Connection()
    connection.initiate_connection()
    connection.end_stream(7)
