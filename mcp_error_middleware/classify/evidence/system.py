"""Exception in, what the operating system, a mail server or libcurl said out."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.classify.chain import safe_str
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import ITEMS, entries, integer, is_mapping, item, read
from mcp_error_middleware.classify.evidence.origin import is_of_a_program
from mcp_error_middleware.classify.evidence.subject import Subject
from mcp_error_middleware.taxonomy import ErrorCode


def _numbers(names: str) -> tuple[int, ...]:
    """Only those this platform knows."""
    return tuple(number for name in names.split() if (number := getattr(errno, name, None)) is not None)


ERRNO: Final[Mapping[int, ErrorCode]] = {
    **dict.fromkeys(_numbers("ENOENT ENXIO ENODEV ESRCH"), ErrorCode.NOT_FOUND),
    **dict.fromkeys(_numbers("EACCES EPERM"), ErrorCode.FORBIDDEN),
    **dict.fromkeys(_numbers("EEXIST ENOTEMPTY EBUSY ETXTBSY EDEADLK"), ErrorCode.CONFLICT),
    **dict.fromkeys(
        _numbers("ENOTDIR EISDIR ENAMETOOLONG EINVAL ELOOP EFBIG E2BIG EILSEQ EDOM ERANGE EOVERFLOW EXDEV"),
        ErrorCode.VALIDATION_ERROR,
    ),
    **dict.fromkeys(
        _numbers(
            "ENOSPC EIO EMFILE ENFILE EROFS EDQUOT EBADF ENOMEM ENOTTY ENOSYS ESPIPE EADDRINUSE ENOEXEC"
        ),
        ErrorCode.INTERNAL_ERROR,
    ),
    **dict.fromkeys(_numbers("ETIMEDOUT ETIME"), ErrorCode.TIMEOUT),
    **dict.fromkeys(_numbers("EAFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT"), ErrorCode.CONFIGURATION_ERROR),
    **dict.fromkeys(
        _numbers(
            "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOTCONN EHOSTUNREACH ENETUNREACH ENETDOWN ENETRESET"
            " EHOSTDOWN ESHUTDOWN EADDRNOTAVAIL EPROTO EAGAIN EWOULDBLOCK EREMOTEIO ESTALE"
        ),
        ErrorCode.SERVICE_UNAVAILABLE,
    ),
    # Windows sockets, which Python leaves untranslated.
    10060: ErrorCode.TIMEOUT,
    10048: ErrorCode.INTERNAL_ERROR,
    **dict.fromkeys(
        (10049, 10050, 10051, 10052, 10053, 10054, 10057, 10058, 10061, 10064, 10065, 11001, 11002),
        ErrorCode.SERVICE_UNAVAILABLE,
    ),
}  # fmt: skip

WINERROR: Final[Mapping[int, ErrorCode]] = {
    **dict.fromkeys((2, 3, 15, 53, 67), ErrorCode.NOT_FOUND),
    **dict.fromkeys((5, 1314), ErrorCode.FORBIDDEN),
    **dict.fromkeys((32, 33, 80, 145, 183), ErrorCode.CONFLICT),
    **dict.fromkeys((87, 123, 161, 206, 267), ErrorCode.VALIDATION_ERROR),
    **dict.fromkeys((4, 14, 39, 112), ErrorCode.INTERNAL_ERROR),
    121: ErrorCode.TIMEOUT,
}
"""Where the Windows number says more than the errno it was translated to."""

SMTP: Final[Mapping[int, ErrorCode]] = {
    **dict.fromkeys((421, 450, 451, 452, 454, 554), ErrorCode.SERVICE_UNAVAILABLE),
    **dict.fromkeys((530, 534, 535, 538), ErrorCode.UNAUTHORIZED),
    **dict.fromkeys((500, 502, 503, 504, 555), ErrorCode.INVALID_REQUEST),
    **dict.fromkeys((501, 550, 551, 552, 553), ErrorCode.VALIDATION_ERROR),
}

CURL: Final[Mapping[int, ErrorCode]] = {
    **dict.fromkeys((1, 3), ErrorCode.VALIDATION_ERROR),
    9: ErrorCode.FORBIDDEN,
    28: ErrorCode.TIMEOUT,
    67: ErrorCode.UNAUTHORIZED,
    78: ErrorCode.NOT_FOUND,
    **dict.fromkeys((5, 6, 7, 16, 35, 47, 51, 52, 55, 56, 60, 92), ErrorCode.SERVICE_UNAVAILABLE),
}
"""libcurl's own numbers."""
_ANSWERED: Final = 56
"""That of an answer that could not be read."""

_NOT_ERRNO: Final = frozenset({"socket.gaierror", "socket.herror", "ssl.SSLError"})
"""OSErrors whose number is counted differently."""


def errno_clue(exc: BaseException, bases: frozenset[str]) -> Clue | None:
    """By errno, which only an OSError has: on other types the attribute of that name means something else."""
    if "OSError" not in bases or not _NOT_ERRNO.isdisjoint(bases):
        return None
    number = integer(_errno_of(exc))
    windows = integer(read(exc, "winerror"))
    code = WINERROR.get(windows) if windows is not None else None
    if code is None and number is not None:
        code = ERRNO.get(number)
    if code in _OF_A_FILE and is_of_a_program(exc):
        code = ErrorCode.CONFIGURATION_ERROR
    return Clue(code, Weight.FIRM, "errno", errno.errorcode.get(number or 0, str(number))) if code else None


_OF_A_FILE: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.FORBIDDEN})


def reply_clue(subject: Subject) -> Clue | None:
    """By the reply code of a mail server, or libcurl's number for what it got."""
    if subject.is_from("pycurl", "curl_cffi"):
        number = integer(subject.first) or integer(subject.get("code"))
        # It is also what came instead of HTTP that is of no supported protocol.
        is_received = number == 1 and "Received" in safe_str(subject.exc, 200)
        return _found("curl", _ANSWERED if is_received else number, CURL)
    if (refused := subject.get("recipients")) is not None:
        return _found("smtp", _reply_to_all(refused), SMTP)
    number = integer(subject.get("smtp_code"))
    if number is None and subject.is_from("aiosmtplib"):
        number = integer(subject.get("code"))
    return _found("smtp", number, SMTP)


def _reply_to_all(refused: Any) -> int | None:
    """The reply that every recipient got, if it was the same."""
    each = tuple(islice(refused.values(), ITEMS)) if is_mapping(refused) else refused
    replies = {integer(item(reply, 0)) or integer(read(reply, "code")) for reply in entries(each)}
    return replies.pop() if len(replies) == 1 else None


def _found(source: str, number: int | None, table: Mapping[int, ErrorCode]) -> Clue | None:
    code = table.get(number) if number is not None else None
    return Clue(code, Weight.FIRM, source, str(number)) if code else None


_errno_of = OSError.__dict__["errno"].__get__
