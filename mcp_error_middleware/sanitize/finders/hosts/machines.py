"""Text in, machines with a number that something is said of out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import (
    MACHINE,
    ROLES,
    ascii_only,
    is_machine,
    is_single_host,
)
from mcp_error_middleware.sanitize.spans import Pattern, View, words

_NUMBERED_MACHINE: Final = (
    # A noun and a number may be anything: `job-42`.
    r"(?=[A-Za-z][A-Za-z0-9]{0,30}-(?:[A-Za-z0-9]{1,30}-|[A-Za-z]{1,30}\d))[A-Za-z][A-Za-z0-9-]{1,60}\d"
)
"""One with more parts than a thing has that is merely counted."""
NUMBERED: Final = (
    Pattern(
        "host",
        ascii_only(
            r"\b(?:to|on|by|from|at|getaddrinfo for|contact|contacting|ping|kdc|handshake with"
            rf"|certificate for)[ ]['\"]?({_NUMBERED_MACHINE})(?=[\s:,;)'\"]|\.?$|\.\s)",
            re.IGNORECASE,
        ),
        (
            "errno", "refused", "name resolution", "getaddrinfo", "name or service", "connect to",
            "not responding", "timed out", "disconnected", " 502", " 503", " 504", " port ",
            "econn", "no route to host", "noroutetohost", "unreachable", "unavailable", "handshake",
            "certificate", "ssh", "ping ", "kdc ", "closed by",
        ),
        example="[Errno 111] Unable to connect to port 22 on bastion-eu1",
        near_miss="[Errno 2] on port 22 of job-42, from model gpt-4o-mini-2 at us-east-1",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"\b(?!instance|target|agent)(?:{ROLES})[ ]['\"]?({_NUMBERED_MACHINE})"
            r"(?=[\s:,;)'\"]|\.?$|\.\s)",
            re.IGNORECASE,
        ),
        tuple(f"{role} " for role in ROLES.split("|")),
        example="replica pg-main-2 lags behind",
        near_miss="worker pool-2 is full, the agent gpt-4o-mini-2 of cluster us-east-1, node v18-lts",
        check=is_single_host,
    ),
)  # fmt: skip
"""A machine with a number in a sentence about machines, or about what befalls them."""

TROUBLED: Final = (
    Pattern(
        "host",
        ascii_only(
            rf"\b(?i:{ROLES}|connection[ ](?:to|from|with)|connect(?:ing|ed)?[ ](?:to|with)|ping)[ ]['\"]?"
            rf"({MACHINE})(?::\d{{2,5}})?['\"]?[ ](?:(?:is|was|has)[ ])?"
            r"(?i:not[ ]responding|unreachable|refused|timed[ ]out|down|unavailable|lost|disconnected"
            r"|went[ ]away|rebooted|died|failed)\b"
        ),
        (
            "not responding", "unreachable", "refused", "timed out", " down", "unavailable", "lost",
            "disconnected", "went away", "rebooted", "died", "failed",
        ),
        example="LDAP server SRV-AUTH2 is unreachable, connection to redis-master refused",
        near_miss="the server sub-process died, connection to read-only replica lost, node v18 failed",
        check=is_machine,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"\b(?i:connect(?:ing)?[ ]to)[ ]['\"]?({MACHINE})(?=['\"]?(?:\.?$|:[ ]))"
        ),
        ("connect to ", "connecting to "),
        example="could not connect to web01: gone",
        near_miss="connect to a host, cannot connect to multi-step, cannot connect to Concord232: gone",
        check=lambda name: is_machine(name) and (name.islower() or "-" in name),
    ),
)  # fmt: skip
"""A machine that something is wrong with."""

SPOKEN: Final = (
    words("errno getaddrinfo econnrefused resolution responding unreachable disconnected port timed route")
    | words(ROLES.replace("|", " "))
    | words("handshake certificate unavailable ping kdc ssh refused closed")
)
"""What machines are called, and what befalls them."""


def has_machine(view: View) -> bool:
    """Whether the text is about machines, and a word has a hyphen in it and a number at its end."""
    return bool(view.digits and view.speaks_of(SPOKEN) and _HYPHENED.search(view.shape))


_HYPHENED: Final = re.compile(rb"-[A-Za-z0-]{0,60}0(?![A-Za-z0_-])")
NUMBERED_WORD: Final = re.compile(rb"0(?<=[A-Za-z]0)0{0,9}(?:[^\w.]|$)")
