"""Fake database servers which let everybody in and fail each command, in the real protocols."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from typing import Any

from .servers import tcp


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionError("client went away")
        data += more
    return data


def postgres(sqlstate: str, message: str, *, at_startup: bool = False, **fields: str) -> int:
    """Return the port of a PostgreSQL which answers queries, or the very startup, with this SQLSTATE."""
    letters = {"detail": "D", "hint": "H", "schema": "s", "table": "t", "column": "c", "constraint": "n"}
    pairs = [("S", "FATAL" if at_startup else "ERROR"), ("V", "FATAL" if at_startup else "ERROR")]
    pairs += [("C", sqlstate), ("M", message), *((letters[name], value) for name, value in fields.items())]

    def packet(kind: bytes, payload: bytes) -> bytes:
        return kind + struct.pack("!i", len(payload) + 4) + payload

    error = packet(b"E", b"".join(f"{letter}{value}\0".encode() for letter, value in pairs) + b"\0")
    ready = packet(b"Z", b"I")

    def talk(connection: socket.socket) -> None:
        while True:
            length, code = struct.unpack("!ii", _exactly(connection, 8))
            _exactly(connection, length - 8)
            if code in (80877103, 80877104):
                connection.sendall(b"N")
                continue
            break
        if at_startup:
            connection.sendall(error)
            return
        settings = {
            "server_version": "16.4",
            "server_encoding": "UTF8",
            "client_encoding": "UTF8",
            "standard_conforming_strings": "on",
            "integer_datetimes": "on",
            "TimeZone": "UTC",
        }
        statuses = b"".join(packet(b"S", f"{name}\0{value}\0".encode()) for name, value in settings.items())
        connection.sendall(packet(b"R", struct.pack("!i", 0)) + statuses)
        connection.sendall(packet(b"K", struct.pack("!ii", 1, 1)) + ready)
        failed = False
        while True:
            kind = _exactly(connection, 1)
            payload = _exactly(connection, struct.unpack("!i", _exactly(connection, 4))[0] - 4)
            if kind == b"Q" and payload.upper().startswith((b"BEGIN", b"ROLLBACK", b"SET")):
                connection.sendall(packet(b"C", payload.split()[0].rstrip(b";\0") + b"\0") + ready)
            elif kind == b"Q":
                connection.sendall(error + ready)
            elif kind == b"P":
                connection.sendall(error)
                failed = True
            elif kind == b"S":
                connection.sendall(ready)
                failed = False
            elif kind == b"X":
                return
            elif not failed:
                connection.sendall(error)
                failed = True

    return tcp(talk)


def mysql(code: int, sqlstate: str, message: str, *, at_login: bool = False) -> int:
    """Return the port of a MySQL which answers queries, or the login, with this error."""

    def packet(number: int, payload: bytes) -> bytes:
        return struct.pack("<I", len(payload))[:3] + bytes([number]) + payload

    error = b"\xff" + struct.pack("<H", code) + b"#" + sqlstate.encode() + message.encode()
    fine = b"\x00\x00\x00\x02\x00\x00\x00"
    capabilities = 0x00000001 | 0x00000008 | 0x00000200 | 0x00002000 | 0x00008000 | 0x00080000 | 0x00020000
    greeting = (
        b"\x0a8.0.36\0"
        + struct.pack("<I", 1)
        + b"abcdefgh\0"
        + struct.pack("<H", capabilities & 0xFFFF)
        + b"\x2d\x02\x00"
        + struct.pack("<H", capabilities >> 16)
        + b"\x15"
        + b"\0" * 10
        + b"ijklmnopqrst\0"
        + b"mysql_native_password\0"
    )

    def receive(connection: socket.socket) -> tuple[int, bytes]:
        header = _exactly(connection, 4)
        return header[3], _exactly(connection, int.from_bytes(header[:3], "little"))

    def talk(connection: socket.socket) -> None:
        connection.sendall(packet(0, greeting))
        number, _ = receive(connection)
        connection.sendall(packet(number + 1, error if at_login else fine))
        while not at_login:
            number, payload = receive(connection)
            harmless = payload[:1] != b"\x03" or payload[1:4].upper() in (b"SET", b"ROL")
            connection.sendall(packet(number + 1, fine if harmless else error))

    return tcp(talk)


def mongo(reply: dict[str, Any]) -> int:
    """Return the port of a MongoDB which greets properly and answers other commands with this document."""
    import bson

    hello = {"ok": 1, "isWritablePrimary": True, "maxWireVersion": 21, "minWireVersion": 0, "readOnly": False}
    sizes = {"maxBsonObjectSize": 16777216, "maxMessageSizeBytes": 48000000, "maxWriteBatchSize": 100000}

    def talk(connection: socket.socket) -> None:
        while True:
            length, request, _, opcode = struct.unpack("<iiii", _exactly(connection, 16))
            body = _exactly(connection, length - 16)
            start = 5 if opcode == 2013 else body.index(b"\0", 4) + 9
            size = struct.unpack_from("<i", body, start)[0]
            command = next(iter(bson.decode(body[start : start + size])))
            document = bson.encode(hello | sizes if command.lower() in ("hello", "ismaster") else reply)
            if opcode == 2013:
                payload, answer_opcode = struct.pack("<i", 0) + b"\0" + document, 2013
            else:
                payload, answer_opcode = struct.pack("<iqii", 8, 0, 0, 1) + document, 1
            connection.sendall(struct.pack("<iiii", len(payload) + 16, 1, request, answer_opcode) + payload)

    return tcp(talk)


def lines(answer: Callable[[bytes], bytes], greeting: bytes = b"") -> int:
    """Return the port of a line protocol server."""

    def talk(connection: socket.socket) -> None:
        if greeting:
            connection.sendall(greeting)
        while request := connection.recv(65536):
            connection.sendall(answer(request))

    return tcp(talk)
