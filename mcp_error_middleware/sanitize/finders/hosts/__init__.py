"""Text in, internal hosts, private addresses and account numbers of clouds out; public ones stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.hosts.addresses import REVERSED, addresses
from mcp_error_middleware.sanitize.finders.hosts.clouds import OWNED, RENTED
from mcp_error_middleware.sanitize.finders.hosts.fields import FIELDS, SAID_OF_MACHINES
from mcp_error_middleware.sanitize.finders.hosts.machines import (
    NUMBERED,
    NUMBERED_WORD,
    TROUBLED,
    has_machine,
)
from mcp_error_middleware.sanitize.finders.hosts.pods import pods
from mcp_error_middleware.sanitize.finders.hosts.ports import LED_TO, PLACED, PORTED, SERVED
from mcp_error_middleware.sanitize.finders.hosts.suffixes import SUFFIXED, ZONED, ZONES, suffixed
from mcp_error_middleware.sanitize.finders.hosts.ways import (
    BEFORE_ADDRESS,
    BEHIND_LOGIN,
    LINKED,
    MOUNTED,
    REACHED,
    SINGLE_LINK,
)
from mcp_error_middleware.sanitize.spans import Asked, Finder, Span, View, matches, table, words

ASKED: Final[Asked] = {
    **{word: (f".{word.decode()}",) for word in words(
        "local lan corp int intra intranet localdomain arpa consul priv svc cluster"
    )},
    **{word: (f".{word.decode()}",) for word in words(ZONES.replace("|", " "))},
    b"internal": (".internal", "internal-", "-internal."),
    b"windows": (".windows.net",),
    b"azure": (".azure.com", ".azure.net"),
    **{word: (f".{word.decode()}.", f"{word.decode()}.") for word in words(
        "mongodb aivencloud neon psdb cockroachlabs redislabs upstash snowflakecomputing ondigitalocean"
        " clickhouse"
    )},
    **dict.fromkeys(words("redis elastic"), ("redis-cloud.com", "elastic-cloud.com")),
    b"localhost": ("localhost:", ".localhost"),
    b"ip": ("ip-",),
    b"host": ("host=", "host ", "host:", 'host"', "host'", "host_name", "host-name"),
    **dict.fromkeys(words("dbhost pghost mqhost mysqlhost smtphost ashost mshost gwhost"), ("host",)),
    b"hostname": ("hostname=", "hostname:", 'hostname"', "hostname'"),
    **{word: tuple(word.decode() + sign for sign in ("=", ":", '"', "'", "_name", "-name")) for word in words(
        "nodename servername machinename computername podname pod machine computer node"
    )},
    b"server": (
        "server=", "connection to server at", "connect to server", "server host", "server_name",
        "server-name", *SAID_OF_MACHINES,
    ),
    **dict.fromkeys(
        words(
            "errno getaddrinfo econnrefused resolution responding unreachable disconnected port timed"
            " 502 503 504"
        ),
        ("-",),
    ),
    b"gke": ("gke-",),
    b"aks": ("aks-",),
    b"user": ("'@'",),
    **dict.fromkeys(
        words("name nodename"), (": temporary failure in name", ": name or service", ": nodename nor")
    ),
    b"certificate": ("certificate is valid for",),
    **dict.fromkeys(
        words("connect connected connecting connection contact reach route dial upstream"),
        (
            " on '", ' on "', " at '", ' at "', "host ", "server ", "broker ", " refused", " port ", "errno",
            "connect to ", "connecting to ",
        ),
    ),
    **dict.fromkeys(words("source datasource"), ("source=",)),
    **dict.fromkeys(words("addr address"), ("addr=", "address=")),
    b"lookup": (" on ", ": no such"),
    b"resolve": ("resolve host", "failed to resolve"),
    b"translate": ("host name",),
    b"subscriptions": ("/subscriptions/",),
    b"dkr": (".dkr.ecr.",),
    b"signin": (".signin.aws",),
    **dict.fromkeys(words("enotfound eai unknownhostexception arn amazonaws"), ("",)),
    **dict.fromkeys(words("account accountid awsaccountid"), ("",)),
}  # fmt: skip
NAMED: Final = (*RENTED, *FIELDS, *ZONED, REVERSED)
HOSTS: Final = (
    LINKED,
    SERVED,
    *PORTED,
    LED_TO,
    MOUNTED,
    *PLACED,
    REACHED,
    BEFORE_ADDRESS,
    BEHIND_LOGIN,
    SUFFIXED,
    OWNED,
    *NAMED,
    *NUMBERED,
    *TROUBLED,
)
_named: Final[Finder] = table(NAMED)
_placed: Final[Finder] = table(PLACED)
_redacted: Final[Finder] = table((BEFORE_ADDRESS, BEHIND_LOGIN))
_reached: Final[Finder] = table((REACHED,))
_numbered: Final[Finder] = table(NUMBERED)
_troubled: Final[Finder] = table(TROUBLED)


def find(view: View) -> list[Span]:
    """Hosts, addresses and accounts that are not public."""
    text, marks = view.text, view.marks
    found = list(addresses(view)) if view.digits >= 4 or "::" in text else []
    if b"//" in marks and "://" in text and SINGLE_LINK.search(text):
        found += matches(LINKED, text)
    if b":/" in marks and text.count(":/") > text.count("://"):
        found += matches(MOUNTED, text)
    if view.has_place:
        found += _with_port(view)
    if "@" in text:
        found += _reached(view)
    if "[redacted:" in text:
        found += _redacted(view)
    is_about_machines = False
    if view.digits > 12 and b"-000000000000-" in view.shape:
        found += matches(OWNED, text)
    if b"-" in marks:
        is_about_machines = has_machine(view)
        if view.is_long:
            found += pods(text)
    if view.spoken and (is_about_machines or view.has_beside(ASKED)):
        found += _in_sentence(view, is_about_machines)
    if found and "%" in text:
        found = [span._replace(start=_behind_escape(text, span.start)) for span in found]
    return found


_HALF: Final = lazy(r"(?<=%)(?:40|2[fF]|3[aAdD])(?=[A-Za-z\d])")


def _behind_escape(text: str, start: int) -> int:
    """Where a host begins that half an escape was taken for a part of: `%40db.internal`."""
    half = _HALF.match(text, start)
    return half.end() if half else start


def _with_port(view: View) -> Iterator[Span]:
    if b":00" not in view.shape:
        return
    yield from _placed(view)
    if b"-" in view.marks:
        yield from matches(LED_TO, view.text)
    if b":000" in view.shape:
        for pattern in (SERVED, *PORTED):
            yield from matches(pattern, view.text)


def _in_sentence(view: View, is_about_machines: bool) -> Iterator[Span]:
    yield from _named(view)
    yield from suffixed(view)
    if is_about_machines:
        yield from _numbered(view)
    if b"-" in view.marks or NUMBERED_WORD.search(view.shape):
        yield from _troubled(view)
