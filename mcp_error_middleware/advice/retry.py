"""Verdict and a tool's effects in, whether the same call may be sent again out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.model import Retry, Verdict
from mcp_error_middleware.taxonomy import ErrorCode


class Effects(NamedTuple):
    """What a tool does to the world, as its annotations say or its name suggests."""

    read_only: bool = False
    idempotent: bool = False
    writes: bool = False
    """Whether it is known to change something; of many a tool nothing is known."""

    @property
    def repeatable(self) -> bool:
        return self.read_only or self.idempotent


def retry_of(verdict: Verdict, effects: Effects, causes: Iterable[str] = ()) -> Retry:
    """The advice for this failure of a tool with these effects; `causes` are the types along its chain."""
    if not verdict.retryable:
        return Retry.NEVER
    if not effects.repeatable and outcome_unknown(verdict, causes, writes=effects.writes):
        return Retry.VERIFY_FIRST
    return Retry.SAFE if verdict.retry_after is None else Retry.AFTER


def outcome_unknown(verdict: Verdict, causes: Iterable[str] = (), *, writes: bool = False) -> bool:
    """Whether the work may have been done although no answer came: a timeout, a connection that was lost.

    Of what is known to write, also where a connection failed and nothing says that nothing had been sent.

    What decided may be as vague as `requests.ConnectionError`; then its causes tell how the connection ended.
    """
    if verdict.code not in _OPEN:
        return False
    if verdict.status is not None:
        return verdict.status in _UNANSWERED
    seen = f"{verdict.evidence.type} {verdict.evidence.detail}" if verdict.evidence else ""
    if _was_never_sent(seen):
        return False
    chain = [seen, *causes]
    if verdict.code is ErrorCode.TIMEOUT or any(map(_was_lost, chain)):
        return True
    return writes and _VAGUE.match(seen) is not None and not any(map(_was_never_sent, chain))


_VAGUE: Final = lazy(r"(?:[\w.]+\.)?(?:Client)?ConnectionError ")


# The names of types, mostly, of which there are few.
@lru_cache(maxsize=512)
def _was_never_sent(seen: str) -> bool:
    return _NEVER_SENT.search(seen) is not None


@lru_cache(maxsize=512)
def _was_lost(seen: str) -> bool:
    return _LOST.search(seen) is not None


_OPEN: Final = frozenset({ErrorCode.TIMEOUT, ErrorCode.SERVICE_UNAVAILABLE, ErrorCode.INTERNAL_ERROR})
"""Codes that do not tell it; an internal error only where a lost connection is behind it."""
_UNANSWERED: Final = frozenset({408, 499, 502, 504, 520, 522, 524})
"""HTTP statuses by which somebody on the way gave up waiting."""

_NEVER_SENT: Final = lazy(
    r"connect_?(?:ion_?)?time_?(?:d_?)?out|connect_?error|refused|pool_?time_?out|gaierror|resol(?:ve|ution)"
    r"|dns|new_?connection|unreachable|no_?route|certificate|ssl_?cert|econnrefused|acquire|queue_?full"
    r"|circuit|server_?selection",
    re.IGNORECASE,
)
"""The call failed before anything could reach the other side."""

_LOST: Final = lazy(
    r"reset|abort|broken_?pipe|disconnect|incomplete|remote_?protocol|read_?error|write_?error|closed"
    r"|end_?of_?stream|eof|lost|protocol_?error|chunked|bad_?status_?line|bad_?http_?message|line_?too_?long"
    r"|payload_?error",
    re.IGNORECASE,
)
"""The connection went away while the other side was at work."""
