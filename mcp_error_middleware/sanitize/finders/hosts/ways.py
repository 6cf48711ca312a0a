"""Text in, hosts that somebody went to out: by a link, a shell, a mount, a login."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import (
    MACHINE,
    OTHERS,
    SCHEMES,
    SINGLE,
    ascii_only,
    is_machine,
    is_single_host,
)
from mcp_error_middleware.sanitize.spans import Pattern

LINKED: Final = Pattern(
    "host",
    ascii_only(
        rf"\b(?<!you meant )(?:{SCHEMES})://(?:[^\s/@\"'<>]{{1,200}}@)?({SINGLE}(?::\d{{1,5}})?)"
        rf"(?=[/?#\s\"'<>,;)\]}}{OTHERS}]|$|\.(?:\s|$))"
    ),
    ("://",),
    example="GET http://billing-api:8080/v1 failed",
    near_miss="see https://example.com/docs, notes://today and http://hostname:port/, you meant https://orders?",
    check=is_single_host,
)
"""A host in a link."""

MOUNTED: Final = Pattern(
    "host",
    ascii_only(rf"(?<![^\s'\"=(])({MACHINE}):(?=/\w)"),
    (":/",),
    example="mount web01:/export failed",
    near_miss="mount step-2:/x and C:/x, see https://example.com/x",
    check=is_machine,
)
"""A host before a path on it."""

REACHED: Final = Pattern(
    "host",
    ascii_only(rf"(?:\b(?:ssh|scp|sftp|rsync)\b[^\n]{{0,80}}?[ ][\w.-]{{1,40}}@)({MACHINE})(?=[:\s'\"),]|$)"),
    ("ssh ", "scp ", "sftp ", "rsync "),
    example="ssh deploy@web01 failed",
    near_miss="ssh git@example.com failed, and so did ssh git@localhost",
    check=is_single_host,
)
"""Where somebody went with a shell."""

BEFORE_ADDRESS: Final = Pattern(
    "host",
    ascii_only(rf"(?<![\w./-])({SINGLE})/(?=\[redacted:ip\]|(?:\d{{1,3}}\.){{3}}\d{{1,3}}:\d)"),
    ("/[redacted:ip]",),
    example="Connection refused: ledger/[redacted:ip]",
    near_miss="see the path/[redacted:path] of localhost/[redacted:ip]",
    check=is_single_host,
)
"""A host with its address behind it."""

BEHIND_LOGIN: Final = Pattern(
    "host",
    ascii_only(rf"\[redacted:url-credentials\]@(?://)?({MACHINE}(?::\d{{1,5}})?)(?=[\s/:?,;)\]'\"]|$)"),
    ("credentials]@",),
    example="tried [redacted:url-credentials]@etl-int-12:1521/DWH",
    near_miss="tried [redacted:url-credentials]@ORCL and [redacted:url-credentials]@db-1.example.com/x",
    check=is_single_host,
)
"""Where somebody signed in."""

SINGLE_LINK: Final = ascii_only(
    r"://(?:[^\s/@\"'<>]{1,200}@)?[A-Za-z_][A-Za-z0-9_-]{0,62}(?![A-Za-z0-9_-]|\.[^\s])"
)
"""A link to a host without a domain."""
