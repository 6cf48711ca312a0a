"""Exceptions of the standard library."""

from __future__ import annotations

import os
import shutil
import tempfile

from . import case
from .servers import HOST, closed_port, hanging_port, scratch, slamming_port


@case("NotFound")
def open_missing_file():
    open("/nonexistent/report.pdf")


@case("NotFound")
def pathlib_stat_missing():
    (scratch() / "gone.txt").stat()


@case("Conflict")
def exclusive_create_of_existing_file():
    path = scratch() / "once.txt"
    path.write_text("first")
    path.open("x")


@case("Conflict")
def mkdir_existing_directory():
    scratch().mkdir()


@case("ValidationError")
def open_directory_as_file():
    open(tempfile.gettempdir())


@case("ValidationError")
def path_below_a_file():
    path = scratch() / "plain.txt"
    path.write_text("")
    os.listdir(path / "child")


@case("ValidationError")
def file_name_too_long():
    open(os.path.join(tempfile.gettempdir(), "x" * 300), "w")


@case("Forbidden")
def write_to_sealed_memory_file():
    import fcntl

    descriptor = os.memfd_create("sealed", os.MFD_ALLOW_SEALING)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
    os.write(descriptor, b"no")


@case("InternalError")
def disk_full():
    with open("/dev/full", "w", buffering=1) as full:
        full.write("does not fit\n")


@case("InternalError", also=("ServiceUnavailable",))
def broken_pipe_to_child():
    read_end, write_end = os.pipe()
    os.close(read_end)
    os.write(write_end, b"anyone?")


@case("InternalError", also=("Conflict", "ValidationError"))
def rmdir_not_empty():
    folder = scratch()
    (folder / "file").touch()
    folder.rmdir()


@case("ServiceUnavailable", retryable=True)
def socket_connection_refused():
    import socket

    socket.create_connection((HOST, closed_port()), timeout=0.5)


@case("Timeout", retryable=True)
def socket_read_timeout():
    import socket

    with socket.create_connection((HOST, hanging_port()), timeout=0.1) as connection:
        connection.recv(10)


@case("ServiceUnavailable", retryable=True)
def socket_connection_reset():
    import socket
    import time

    with socket.create_connection((HOST, slamming_port()), timeout=0.5) as connection:
        time.sleep(0.1)
        connection.sendall(b"hello")
        connection.recv(10)


@case("ServiceUnavailable")
def dns_name_does_not_resolve():
    import socket

    socket.getaddrinfo("no-such-host.invalid.", 443, flags=socket.AI_NUMERICHOST)


@case("ServiceUnavailable")
def tls_to_a_plain_text_port():
    import socket
    import ssl

    from .servers import garbage_port

    context = ssl.create_default_context()
    with socket.create_connection((HOST, garbage_port()), timeout=0.5) as connection:
        context.wrap_socket(connection, server_hostname="localhost")


@case("ServiceUnavailable")
def tls_certificate_not_trusted():
    import socket
    import ssl

    from .servers import untrusted_https

    port = int(untrusted_https().rsplit(":", 1)[1])
    with socket.create_connection((HOST, port), timeout=0.5) as connection:
        ssl.create_default_context().wrap_socket(connection, server_hostname="localhost")


@case("Timeout", retryable=True)
def asyncio_wait_for_timeout():
    import asyncio

    asyncio.run(asyncio.wait_for(asyncio.sleep(5), 0.05))


@case("Timeout", retryable=True)
def asyncio_timeout_block():
    import asyncio

    async def work():
        async with asyncio.timeout(0.05):
            await asyncio.sleep(5)

    asyncio.run(work())


@case("Timeout")
def future_result_timeout():
    from concurrent.futures import Future

    Future().result(timeout=0.05)


@case("InternalError", also=("Timeout", "ServiceUnavailable", "RateLimited"))
def queue_full():
    import queue

    small = queue.Queue(maxsize=1)
    small.put("a")
    small.put_nowait("b")


@case("InternalError", also=("ServiceUnavailable",))
def command_failed():
    import subprocess
    import sys

    subprocess.run([sys.executable, "-S", "-c", "raise SystemExit(3)"], check=True)


@case("Timeout")
def command_timed_out():
    import subprocess

    subprocess.run(["sleep", "5"], timeout=0.1)


@case("NotFound", also=("ConfigurationError",))
def executable_missing():
    import subprocess

    subprocess.run(["no-such-program-anywhere"])


@case("InternalError")
def type_error_unexpected_timeout_argument():
    def fetch(url):
        return url

    fetch("x", timeout=3)


@case("InternalError")
def key_error_saying_not_found():
    {}["not found"]


@case("InternalError")
def attribute_error_on_none_permission():
    None.permission_denied


@case("InternalError")
def index_error_plain():
    [][0]


@case("InternalError")
def assertion_saying_rate_limit():
    raise AssertionError("rate limit must be positive")


@case("InternalError")
def unbound_local():
    def broken():
        total += 1  # noqa: F821
        return total

    broken()


@case("InternalError")
def division_by_zero():
    1 / 0


@case("InternalError")
def recursion_without_end():
    def again():
        return again()

    again()


@case("InternalError")
def not_implemented_abstract_method():
    import numbers

    class Half(numbers.Complex):
        pass

    Half()


@case("InternalError")
def not_implemented_timezone_offset():
    import datetime

    datetime.tzinfo().utcoffset(None)


@case("InternalError")
def stop_iteration_of_empty_iterator():
    next(iter(()))


@case("InternalError")
def math_overflow():
    import math

    math.exp(10_000)


@case("InternalError", also=("ConfigurationError",))
def missing_module_import():
    import module_which_is_not_there  # noqa: F401


@case("InternalError", also=("ConfigurationError",))
def import_name_gone():
    from json import no_such_name  # noqa: F401


@case("ValidationError")
def int_of_words():
    int("twelve")


@case("ValidationError")
def value_error_permission_slip():
    raise ValueError(
        "permission slip is missing a signature: unauthorized trip, timeout of the bus not found"
    )


@case("ValidationError")
def date_from_bad_iso_string():
    import datetime

    datetime.date.fromisoformat("2024-13-45")


@case("ValidationError")
def strptime_mismatch():
    import datetime

    datetime.datetime.strptime("yesterday", "%Y-%m-%d")


@case("ValidationError")
def uuid_badly_formed():
    import uuid

    uuid.UUID("1234")


@case("ValidationError")
def ip_address_invalid():
    import ipaddress

    ipaddress.ip_address("300.1.2.3")


@case("ValidationError")
def decimal_invalid_operation():
    import decimal

    decimal.Decimal("12,50 EUR")


@case("ValidationError", also=("SerializationError",))
def regular_expression_unbalanced():
    import re

    re.compile("(unclosed")


@case("ValidationError")
def enum_value_unknown():
    import enum

    class Colour(enum.Enum):
        RED = "red"

    Colour("chartreuse")


@case("ValidationError", also=("NotFound", "InternalError"))
def zoneinfo_unknown_zone():
    import zoneinfo

    zoneinfo.ZoneInfo("Mars/Olympus_Mons")


@case("SerializationError")
def json_decode_error():
    import json

    json.loads('{"a": 1,}')


@case("InternalError", also=("SerializationError",))
def json_dump_of_a_set():
    import json

    json.dumps({"tags": {1, 2}})


@case("SerializationError")
def utf8_decode_error():
    b"caf\xe9 not found".decode("utf-8")


@case("SerializationError")
def ascii_encode_error():
    "naïve".encode("ascii")


@case("SerializationError")
def base64_incorrect_padding():
    import base64

    base64.b64decode("abcde", validate=True)


@case("SerializationError")
def struct_short_buffer():
    import struct

    struct.unpack("<Q", b"\x01\x02")


@case("SerializationError")
def zip_is_not_a_zip():
    import io
    import zipfile

    zipfile.ZipFile(io.BytesIO(b"this is a text file"))


@case("InternalError", also=("NotFound",))
def zip_member_missing():
    import io
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "a")
    zipfile.ZipFile(buffer).read("b.txt")


@case("SerializationError")
def tar_unreadable():
    import io
    import tarfile

    tarfile.open(fileobj=io.BytesIO(b"no tar here" * 100))


@case("SerializationError")
def gzip_bad_magic():
    import gzip

    gzip.decompress(b"plain text, not gzip")


@case("SerializationError")
def zlib_corrupt_stream():
    import zlib

    zlib.decompress(b"\x78\x9cbroken")


@case("SerializationError")
def pickle_truncated():
    import pickle

    pickle.loads(b"\x80\x04garbage")


@case("InternalError", also=("SerializationError",))
def pickle_of_a_lambda():
    import pickle

    pickle.dumps(lambda: None)


@case("SerializationError")
def csv_strict_quote_error():
    import csv

    list(csv.reader(['"a"b,c'], strict=True))


@case("SerializationError", also=("ConfigurationError",))
def toml_decode_error():
    import tomllib

    tomllib.loads("key = = 1")


@case("SerializationError")
def etree_mismatched_tag():
    import xml.etree.ElementTree

    xml.etree.ElementTree.fromstring("<a><b></a>")


@case("SerializationError")
def plist_invalid_file():
    import plistlib

    plistlib.loads(b"not a plist")


@case("ConfigurationError", also=("SerializationError",))
def configparser_no_section_header():
    import configparser

    configparser.ConfigParser().read_string("key = value")


@case("ConfigurationError")
def configparser_missing_option():
    import configparser

    parser = configparser.ConfigParser()
    parser.read_string("[database]\nhost = x")
    parser.get("database", "password")


@case("ConfigurationError")
def environment_variable_missing():
    os.environ["PROVOKED_API_TOKEN"]


@case("ServiceUnavailable", retryable=True)
def smtp_connection_closed_unexpectedly():
    import smtplib

    from .servers import closing_port

    smtplib.SMTP(HOST, closing_port(), timeout=1)


def _smtp_port(**replies: bytes) -> int:
    from .servers import tcp

    def talk(connection):
        connection.sendall(b"220 mail.example.com ESMTP\r\n")
        while line := connection.recv(4096):
            verb = line.split()[0].decode().lower()
            known = {"ehlo": b"250-mail.example.com\r\n250 AUTH PLAIN\r\n", "quit": b"221 bye\r\n"} | replies
            connection.sendall(known.get(verb, b"250 OK\r\n"))

    return tcp(talk)


@case("Unauthorized")
def smtp_authentication_failed():
    import smtplib

    port = _smtp_port(auth=b"535 5.7.8 Error: authentication failed\r\n")
    with smtplib.SMTP(HOST, port, timeout=1) as client:
        client.login("user", "wrong")


@case("ValidationError", also=("InvalidParams", "NotFound", "InvalidRequest"))
def smtp_recipient_refused():
    import smtplib

    port = _smtp_port(rcpt=b"550 5.1.1 user unknown\r\n")
    with smtplib.SMTP(HOST, port, timeout=1) as client:
        client.sendmail("a@example.com", ["b@example.com"], "Subject: x\n\nhello")


@case("ServiceUnavailable", retryable=True)
def smtp_recipient_greylisted():
    import smtplib

    port = _smtp_port(rcpt=b"451 4.7.1 greylisted, try again later\r\n")
    with smtplib.SMTP(HOST, port, timeout=1) as client:
        client.sendmail("a@example.com", ["b@example.com"], "hello")


def _ftp_port(**replies: bytes) -> int:
    from .servers import tcp

    def talk(connection):
        connection.sendall(b"220 ready\r\n")
        while line := connection.recv(4096):
            verb = line.split()[0].decode().lower()
            connection.sendall(
                replies.get(verb, b"331 password please\r\n" if verb == "user" else b"200 ok\r\n")
            )

    return tcp(talk)


@case("Unauthorized")
def ftp_login_incorrect():
    import ftplib

    client = ftplib.FTP(timeout=1)
    client.connect(HOST, _ftp_port(**{"pass": b"530 Login incorrect.\r\n"}))
    client.login("user", "wrong")


@case("NotFound", also=("ServiceUnavailable",))
def ftp_file_unavailable():
    import ftplib

    client = ftplib.FTP(timeout=1)
    client.connect(HOST, _ftp_port(size=b"550 No such file.\r\n"))
    client.size("missing.txt")


@case("Unauthorized")
def imap_login_failed():
    import imaplib

    from .servers import tcp

    def talk(connection):
        connection.sendall(b"* OK IMAP4rev1 ready\r\n")
        while line := connection.recv(4096):
            tag = line.split()[0]
            if b"CAPABILITY" in line:
                connection.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
            else:
                connection.sendall(tag + b" NO [AUTHENTICATIONFAILED] Authentication failed.\r\n")

    imaplib.IMAP4(HOST, tcp(talk), timeout=1).login("user", "wrong")


def _xmlrpc(body: str) -> object:
    import xmlrpc.client

    from .servers import Answer, origin

    answer = Answer(200, body, {"content-type": "text/xml"})
    return xmlrpc.client.ServerProxy(origin(answer)).records.fetch(1)


@case("InternalError", also=("ServiceUnavailable", "InvalidRequest"))
def xmlrpc_fault():
    members = (
        "<member><name>faultCode</name><value><int>1</int></value></member>"
        "<member><name>faultString</name><value><string>division by zero</string></value></member>"
    )
    _xmlrpc(
        f"<?xml version='1.0'?><methodResponse><fault><value><struct>{members}</struct></value></fault>"
        "</methodResponse>"
    )


@case("Unauthorized")
def xmlrpc_protocol_error_401():
    import xmlrpc.client

    from .servers import Answer, origin

    xmlrpc.client.ServerProxy(origin(Answer(401, "who are you?"))).records.fetch(1)


@case("InternalError", retryable=False)
def asyncio_queue_empty():
    import asyncio

    asyncio.Queue().get_nowait()


@case("InternalError", retryable=False)
def asyncio_queue_full():
    import asyncio

    queue = asyncio.Queue(maxsize=1)
    queue.put_nowait(1)
    queue.put_nowait(2)


@case("Unauthorized", also=("ConfigurationError",), retryable=False)
def pop_login_refused():
    import poplib

    from .servers import tcp

    def talk(connection):
        connection.sendall(b"+OK ready\r\n")
        while line := connection.recv(4096):
            refused = line.upper().startswith(b"PASS")
            connection.sendall(b"-ERR [AUTH] invalid login or password\r\n" if refused else b"+OK\r\n")

    client = poplib.POP3(HOST, tcp(talk), timeout=1)
    client.user("someone")
    client.pass_("wrong")


@case("InternalError")
def read_from_a_closed_file():
    import io

    file = io.StringIO("x")
    file.close()
    file.read()


# --- what no caller can mend, though it is called a bad value or a missing file ---


@case("ConfigurationError")
def program_that_is_not_installed():
    import subprocess

    subprocess.run(["no-such-program-7"], check=True)


@case("NotFound")
def program_started_in_a_missing_folder():
    import subprocess
    import sys

    subprocess.run([sys.executable, "-V"], cwd=scratch() / "gone", check=True)


@case("InternalError")
def archive_used_after_it_was_closed():
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(), "w") as archive:
        archive.writestr("a", "b")
    archive.read("a")


@case("InternalError")
def too_few_values_to_unpack():
    _, _ = "a".split(",")


@case("InternalError", also=("SerializationError",))
def answer_that_holds_itself():
    import json

    answer: list[object] = []
    answer.append(answer)
    json.dumps(answer)


@case("InternalError")
def signal_set_outside_of_the_main_thread():
    import signal
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(signal.signal, signal.SIGUSR1, signal.SIG_IGN).result()


@case("InternalError")
def run_what_is_no_coroutine():
    import asyncio

    asyncio.run(7)


@case("InternalError")
def more_tasks_done_than_were_queued():
    import asyncio

    asyncio.Queue().task_done()


@case("InternalError")
def moved_within_a_file_that_was_closed():
    with open("/dev/null") as file:
        pass
    file.seek(0)


@case("InternalError")
def text_written_after_its_buffer_was_detached():
    import io

    text = io.TextIOWrapper(io.BytesIO())
    text.detach()
    text.write("late")


@case("Conflict")
def shutil_move_onto_what_is_there():
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "old", "order"))
        os.makedirs(os.path.join(folder, "new", "order"))
        shutil.move(os.path.join(folder, "old", "order"), os.path.join(folder, "new"))
