"""What the operating system says: every row."""

from __future__ import annotations

import errno
import os
import socket
import ssl

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.evidence.system import CURL, ERRNO, SMTP, WINERROR
from mcp_error_middleware.taxonomy import ErrorCode


@pytest.mark.parametrize(("number", "code"), ERRNO.items())
def test_every_errno_has_its_code(number: int, code: ErrorCode) -> None:
    verdict = classify(OSError(number, os.strerror(number)))
    assert verdict.code is code
    assert verdict.evidence is not None
    assert (verdict.evidence.source, verdict.evidence.detail) == (
        "errno",
        errno.errorcode.get(number, str(number)),
    )


@pytest.mark.parametrize(("number", "code"), WINERROR.items())
def test_every_windows_number_has_its_code(number: int, code: ErrorCode) -> None:
    exc = OSError(errno.EIO, "words")
    exc.winerror = number  # type: ignore[attr-defined, unused-ignore]
    assert classify(exc).code is code


@pytest.mark.parametrize(("number", "code"), SMTP.items())
def test_every_reply_of_a_mail_server_has_its_code(number: int, code: ErrorCode) -> None:
    exc = Exception("words")
    exc.smtp_code = number  # type: ignore[attr-defined]
    assert classify(exc).code is code


@pytest.mark.parametrize(("number", "code"), SMTP.items())
def test_a_mail_client_may_call_it_a_code(number: int, code: ErrorCode) -> None:
    exc = type("SMTPThing", (Exception,), {"__module__": "aiosmtplib.errors", "code": number})("words")
    assert (classify(exc).code, classify(exc).status) == (code, None)


@pytest.mark.parametrize(("number", "code"), CURL.items())
def test_every_number_of_libcurl_has_its_code(number: int, code: ErrorCode) -> None:
    exc = type("error", (Exception,), {"__module__": "pycurl"})(number, "words")
    assert classify(exc).code is code


def test_an_errno_counts_only_on_an_os_error() -> None:
    exc = Exception("words")
    exc.errno = errno.ENOENT  # type: ignore[attr-defined]
    assert classify(exc).code is ErrorCode.INTERNAL_ERROR


@pytest.mark.parametrize(
    ("exc", "retryable"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), True),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), False),
        (ssl.SSLEOFError(8, "EOF occurred in violation of protocol"), True),
    ],
    ids=["dns", "certificate", "eof"],
)
def test_numbers_that_are_counted_differently_are_no_errno(exc: OSError, retryable: bool) -> None:
    verdict = classify(exc)
    assert (verdict.code, verdict.retryable) == (ErrorCode.SERVICE_UNAVAILABLE, retryable)


@pytest.mark.parametrize(
    ("exc", "code"),
    [
        (FileNotFoundError("x"), ErrorCode.NOT_FOUND),
        (PermissionError("x"), ErrorCode.FORBIDDEN),
        (FileExistsError("x"), ErrorCode.CONFLICT),
        (IsADirectoryError("x"), ErrorCode.VALIDATION_ERROR),
        (TimeoutError("x"), ErrorCode.TIMEOUT),
        (ConnectionResetError("x"), ErrorCode.SERVICE_UNAVAILABLE),
        (BrokenPipeError("x"), ErrorCode.SERVICE_UNAVAILABLE),
        (OSError("x"), ErrorCode.INTERNAL_ERROR),
        (OSError("Connection refused"), ErrorCode.SERVICE_UNAVAILABLE),
        (OSError(99999, "x"), ErrorCode.INTERNAL_ERROR),
    ],
)
def test_without_a_number_the_type_and_then_the_text_decide(exc: OSError, code: ErrorCode) -> None:
    assert classify(exc).code is code
