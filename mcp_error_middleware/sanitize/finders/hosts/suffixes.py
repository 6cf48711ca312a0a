"""Text in, hosts that the last part of their name gives away out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.hosts.names import (
    LABELS,
    PORT,
    ascii_only,
    is_host,
)
from mcp_error_middleware.sanitize.spans import Finder, Pattern, Span, View, table

_LABEL: Final = r"(?:[a-z0-9][a-z0-9_-]{0,62}\.)"
_PUBLIC: Final = "com|net|org|io|dev|cloud|co|ai|app|eu|de|uk|fr|us|local"
ZONES: Final = "private|prod|nonprod|staging|infra|vpc|mgmt|dmz|home|lab|intern"
"""Suffixes of hosts that are words of code, too: in a link, with a port, or behind a name with a hyphen."""
_ZONE_ENDS: Final = tuple(f".{zone}" for zone in ZONES.split("|"))
SUFFIXED: Final = Pattern(
    "host",
    ascii_only(
        rf"{LABELS}(?:internal|local|lan|corp|intra|intranet|localdomain|localhost|home\.arpa|consul|priv|svc){PORT}",
        re.IGNORECASE,
    ),
    (".internal", ".local", ".lan", ".corp", ".intra", ".home.arpa", ".consul", ".priv", ".svc"),
    example="cannot reach billing.prod.svc.cluster.local:8080",
    near_miss="threading.local() in org.acme.internal",
    check=is_host,
)
"""A host by the last part of its name, which modules and files may have as well."""

_OF_CODE: Final = lazy(
    r"(?<![A-Za-z])(?:modules?|packages?|sections?|attributes?|files?|config(?:uration)?|namespace|import(?:ed)?|member)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
_OF_HOSTS: Final = lazy(
    r"(?<![A-Za-z])(?:hosts?|hostnames?|servers?|machines?|nodes?|connect\w{0,4}|resolv\w{1,5}|dns|dial|lookup"
    r"|reach\w{0,4}|unreachable|ping|refused|time[ds]?[ -]?out|upstream|ports?|ssh|https?|getaddrinfo|network"
    r"|socket|proxy|tls|ssl|endpoints?|urls?|domains?|address|certificates?)(?![A-Za-z])",
    re.IGNORECASE,
)
_OF_SCRIPTS: Final = lazy(
    r"[ ]is[ ](?:undefined|null|not[ ](?:defined|a[ ]function|a[ ]constructor|iterable|callable))\b"
)
"""What is said of a member: `window.internal is undefined`."""
_MOST_PARTS: Final = 3


_suffix: Final[Finder] = table((SUFFIXED,))


def suffixed(view: View) -> Iterable[Span]:
    found, text = _suffix(view), view.text
    if found and (_OF_CODE.search(text) or _OF_SCRIPTS.search(text)) and not _OF_HOSTS.search(text):
        return [span for span in found if not _is_of_code(text, span)]
    return found


def _is_of_code(text: str, span: Span) -> bool:
    """Whether a short name is said to be a module, a section or a file."""
    name = text[span.start : span.end]
    if name.count(".") >= _MOST_PARTS or not name.replace(".", "").isalpha() or text[span.start - 1] in "/@":
        return False
    is_member = name.endswith((".internal", ".local")) and _OF_SCRIPTS.match(text, span.end)
    return bool(is_member or _OF_CODE.search(text, max(0, span.start - 30), span.end + 40))


ZONED: Final = (
    Pattern(
        "host",
        ascii_only(rf"{LABELS}[A-Za-z0-9-]{{1,50}}-internal\.(?:{_PUBLIC}){PORT}"),
        ("-internal.",),
        example="cannot reach db-7.eu.acme-internal.net",
        near_miss="see https://docs.acme-corp.com and the non-internal.py",
        check=is_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"\b(?i:host(?:name)?|resolve|lookup|ping|dial(?:[ ]tcp)?|reach|connect(?:ing|ed|ion)?[ ]to|ssh)"
            rf"[ :=]{{1,2}}['\"]?({_LABEL}{{1,10}}(?:{ZONES}){PORT})"
        ),
        _ZONE_ENDS,
        example="cannot resolve billing.staging",
        near_miss="the host says that the field user.private and the file app.staging are unknown",
        check=is_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"\b(?i:connect(?:ed|ing|ion)?|upstream|dial|resolv(?:e|ing)|lookup|dns|reach|host)\b[^\n]{0,60}?"
            rf"(?<![\w./-])({_LABEL}{{2,10}}(?:{ZONES}){PORT})"
        ),
        _ZONE_ENDS,
        example="upstream connect error: orders.prod.mesh.private",
        near_miss="the host says that the field user.private and the file app.staging are unknown",
        check=is_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"{LABELS}(?:internal|int|corp|intranet|intra|lan|priv|svc|cluster)\.(?:[\w-]{{1,63}}\.){{0,3}}"
            rf"(?:{_PUBLIC}){PORT}"
        ),
        (".internal.", ".int.", ".corp.", ".intranet.", ".intra.", ".lan.", ".priv.", ".svc.", ".cluster."),
        example="cannot reach jira.corp.example.com",
        near_miss="corp.example.com is public",
        check=is_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"(?:(?<=://)|(?<=@)|(?=[a-z0-9.]{{0,60}}-))(?:(?<=[/@])|(?<![\w.-]))(?:[a-z0-9][a-z0-9_-]{{0,62}}\.){{1,10}}"
            rf"(?:{ZONES}){PORT}"
            rf"|(?<![\w.-])(?:[a-z0-9][a-z0-9_-]{{0,62}}\.){{1,10}}(?:{ZONES}):\d{{2,5}}(?![\w(-]|\.\w)"
        ),
        _ZONE_ENDS,
        example="dial tcp: lookup mysql-2.private failed, so did web.prod:8080",
        near_miss="the field is user.private and the file app.staging",
        check=is_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"(?<![\w.-])(?:ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[a-z0-9.-]{1,80})?|internal-[a-z0-9-]{3,60}\.[a-z0-9.-]{3,80})"
        ),
        ("ip-", "internal-"),
        example="node ip-10-0-1-23.ec2.internal is down",
        near_miss="the ip-allow-list and internal-use only",
    ),
    Pattern(
        "host",
        ascii_only(r"(?<![\w./-])localhost:\d{2,5}(?!\d)"),
        ("localhost:",),
        example="connection to localhost:5432 refused",
        near_miss="runs on localhost only",
    ),
)  # fmt: skip
