"""Loopback servers that misbehave on request."""

from __future__ import annotations

import itertools
import json
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"

PATIENCE = 20.0
"""Seconds to wait for what will come: a busy machine must make no time-out of another case."""

Body = bytes | str | dict[str, Any] | list[Any] | None


@dataclass(frozen=True)
class Answer:
    """What the HTTP server says to a request."""

    status: int
    body: Body = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0

    def payload(self) -> tuple[bytes, str]:
        """Return the encoded body and its default content type."""
        if self.body is None:
            return b"", "text/plain"
        if isinstance(self.body, bytes):
            return self.body, "application/octet-stream"
        if isinstance(self.body, str):
            kind = "application/xml" if self.body.startswith("<?xml") else "text/plain"
            return self.body.encode(), kind
        return json.dumps(self.body).encode(), "application/json"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _find(self) -> Answer:
        answers: dict[str, Answer] = self.server.answers  # type: ignore[attr-defined]
        path = self.path.split("?", 1)[0]
        matching = [prefix for prefix in answers if path.startswith(prefix)]
        return answers[max(matching, key=len)] if matching else Answer(404, {"error": "no answer registered"})

    def _answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        if length:
            self.rfile.read(length)
        elif "chunked" in self.headers.get("transfer-encoding", ""):
            while size := int(self.rfile.readline().split(b";")[0], 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        answer = self._find()
        if answer.delay:
            time.sleep(answer.delay)
        content, kind = answer.payload()
        self.send_response(answer.status)
        names = {name.lower() for name in answer.headers}
        if "content-type" not in names:
            self.send_header("content-type", kind)
        if "content-length" not in names:
            self.send_header("content-length", str(len(content)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _answer

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


def _serve(answers: dict[str, Answer], context: ssl.SSLContext | None = None) -> int:
    server = _Server((HOST, 0), _Handler)
    server.answers = answers  # type: ignore[attr-defined]
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


@cache
def _shared() -> tuple[int, dict[str, Answer]]:
    answers: dict[str, Answer] = {}
    return _serve(answers), answers


_numbers = itertools.count(1)


def answering(
    status: int, body: Body = None, headers: Mapping[str, str] | None = None, *, delay: float = 0.0
) -> str:
    """Return a base URL (with a path) under which every request gets this answer."""
    port, answers = _shared()
    prefix = f"/c{next(_numbers)}"
    answers[f"{prefix}/"] = answers[f"{prefix}"] = Answer(status, body, headers or {}, delay)
    return f"http://{HOST}:{port}{prefix}"


def origin(routes: Mapping[str, Answer] | Answer) -> str:
    """Return an origin without a path, for clients that insist on one, answering by path prefix."""
    answers = {"/": routes} if isinstance(routes, Answer) else dict(routes)
    return f"http://{HOST}:{_serve(answers)}"


def origin_port(answer: Answer) -> int:
    """Return the port of an origin with one answer."""
    return _serve({"/": answer})


@cache
def self_signed() -> tuple[str, str]:
    """Return the paths of a self-signed certificate for localhost and of its key."""
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    folder = scratch()
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return str(folder / "cert.pem"), str(folder / "key.pem")


@cache
def untrusted_https() -> str:
    """Return an https origin whose certificate nobody trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*self_signed())
    return f"https://{HOST}:{_serve({'/': Answer(200, 'hello')}, context)}"


@cache
def _scratch_root() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="provoked-", ignore_cleanup_errors=True)


def scratch() -> Path:
    """Return a fresh directory, removed when the process ends."""
    return Path(tempfile.mkdtemp(dir=_scratch_root().name))


def remove_scratch() -> None:
    """Remove the scratch directories now, for a process about to end without finalisers."""
    _scratch_root().cleanup()


def http_date(seconds_from_now: float) -> str:
    """Return an HTTP date that far in the future."""
    return formatdate(time.time() + seconds_from_now, usegmt=True)


_reserved: list[socket.socket] = []


@cache
def closed_port() -> int:
    """Return a port on which nothing listens: bound for good, so that no other server gets it."""
    probe = socket.socket()
    probe.bind((HOST, 0))
    _reserved.append(probe)
    return probe.getsockname()[1]


def tcp(talk: Callable[[socket.socket], None]) -> int:
    """Serve raw TCP on a fresh port, one daemon thread per connection, and return the port."""
    listener = socket.create_server((HOST, 0), backlog=32)

    def converse(connection: socket.socket) -> None:
        with connection:
            try:
                talk(connection)
            except OSError:
                pass

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=converse, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


@cache
def hanging_port() -> int:
    """Return a port which accepts and then never says a word."""
    return tcp(lambda connection: time.sleep(20))


@cache
def slamming_port() -> int:
    """Return a port which accepts and closes at once, with a reset."""

    def slam(connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")

    return tcp(slam)


@cache
def closing_port() -> int:
    """Return a port which reads a little and then closes in good order without an answer."""
    return tcp(lambda connection: _read_some(connection))


@cache
def garbage_port() -> int:
    """Return a port which answers with something that is no protocol at all."""

    def babble(connection: socket.socket) -> None:
        _read_some(connection)
        connection.sendall(b"\x00\xffblub blub\r\n\r\n" * 4)

    return tcp(babble)


def _read_some(connection: socket.socket) -> bytes:
    connection.settimeout(0.3)
    try:
        return connection.recv(65536)
    except TimeoutError:
        return b""


def truncating_port() -> int:
    """Return a port which announces a long HTTP body and hangs up in the middle of it."""

    def truncate(connection: socket.socket) -> None:
        _read_some(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nonly this")

    return tcp(truncate)


def resp_port(reply: bytes, hello: bytes | None = None) -> int:
    """Return a fake redis which answers each command with this RESP reply."""

    def talk(connection: socket.socket) -> None:
        while request := connection.recv(65536):
            commands = request.count(b"\r\n*") + 1 if request.startswith(b"*") else 1
            if b"HELLO" in request and hello is None:
                connection.sendall(b"-ERR unknown command 'HELLO'\r\n")
            elif b"CLIENT" in request or b"SELECT" in request or b"HELLO" in request:
                connection.sendall((hello or b"+OK\r\n") * commands)
            else:
                connection.sendall(reply)

    return tcp(talk)
