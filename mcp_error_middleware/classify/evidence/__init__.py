"""Exception in, structured evidence out: codes and facts on the object itself, by duck typing."""

import re
from typing import Final, NamedTuple

from mcp_error_middleware.classify.chain import safe_str
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import called
from mcp_error_middleware.classify.evidence.http import status_clue, status_of
from mcp_error_middleware.classify.evidence.providers import provider_clue
from mcp_error_middleware.classify.evidence.rpc import amqp_clue, graph_clue, jsonrpc_clue, soap_clue
from mcp_error_middleware.classify.evidence.sql import database_clue
from mcp_error_middleware.classify.evidence.subject import FLAGS, PROBED, Subject
from mcp_error_middleware.classify.evidence.system import errno_clue, reply_clue
from mcp_error_middleware.classify.evidence.waits import (
    bounded,
    is_limit_used_up,
    retry_after_from_headers,
    seconds_said,
    wait_of,
)
from mcp_error_middleware.taxonomy import ErrorCode, Fault

__all__ = ["NO_FACTS", "PROBED", "Facts", "bounded", "facts_of", "retry_after_from_headers", "seconds_said"]


class Facts(NamedTuple):
    """What one exception carries."""

    clue: Clue | None = None
    status: int | None = None
    retry_after: float | None = None
    retryable: bool | None = None
    seen: tuple[Clue, ...] = ()
    """All clues, the deciding one among them."""


NO_FACTS: Final = Facts()

VAGUE: Final = frozenset({"400", "500"})
"""Statuses that say no more than whose fault it is."""

_LIMIT: Final = (
    r"rate.?limit\w* (?:was |is |has been )?(?:exceeded|reached|hit)|exceeded .{0,40}(?:rate.?limit|quota)"
    r"|too many requests|throttl(?:ed|ing)|quota exceeded|abuse detection"
)


def facts_of(exc: BaseException, names: frozenset[str], bases: frozenset[str], own: Clue | None) -> Facts:
    """The evidence in these attributes, weighed against what the class itself says."""
    if not names and (clue := errno_clue(exc, bases)):
        return Facts(clue, seen=(clue,))
    subject = Subject(exc, names, bases)
    status = status_of(subject)
    seen = _clues(subject, status)
    clue = _weighed(seen, own)
    decisive = clue or own
    limited = decisive is not None and decisive.code is ErrorCode.RATE_LIMITED
    return Facts(clue, status, wait_of(subject, limited=limited), _flag(subject), tuple(seen))


def _clues(subject: Subject, status: int | None) -> list[Clue]:
    found = [
        jsonrpc_clue(subject),
        amqp_clue(subject),
        graph_clue(subject),
        database_clue(subject),
        errno_clue(subject.exc, subject.bases),
        reply_clue(subject),
        provider_clue(subject),
        soap_clue(subject),
    ]
    if status:
        if status in (400, 403) and _is_limit(subject, status):
            found.insert(0, Clue(ErrorCode.RATE_LIMITED, Weight.FIRM, "http_limit", str(status)))
        found.append(status_clue(status))
    return [clue for clue in found if clue is not None]


def _weighed(seen: list[Clue], own: Clue | None) -> Clue | None:
    """The weightiest word, the provider's before the class's; against a status that says much, a firm one."""
    if not seen:
        return None
    status = next((clue for clue in seen if clue.source == "http_status"), None)
    words = [clue for clue in (*seen, own) if clue and clue is not status and _may_contradict(clue, status)]
    word = max(words, key=_weight, default=None)
    if status is None or (
        word and word.weight >= (Weight.TELLING if status.detail in VAGUE else Weight.FIRM)
    ):
        return word
    return status


def _may_contradict(clue: Clue, status: Clue | None) -> bool:
    """Whether a word may be held against a status at all.

    429 has one meaning only, and where 401 says that nobody knows who asks, nobody is denied anything. An
    upstream that answers 4xx blames the request, not us and, unless it says no more than 400 and its word is
    firm, not itself; one that answers 500 does not blame the caller, whatever its error is called.
    """
    if status is None or clue.code is status.code or clue.weight is Weight.BASE:
        return True
    fault, number = clue.code.traits.fault, status.detail
    if number == "429":
        return False
    if number == "401" and clue.code is ErrorCode.FORBIDDEN:
        return False
    if number == "500":
        return fault is not Fault.CALLER or clue.weight is Weight.FIRM
    unavailable = clue.code is ErrorCode.SERVICE_UNAVAILABLE and (
        number != "400" or clue.weight is not Weight.FIRM
    )
    return not (number.startswith("4") and (fault is Fault.SERVER or unavailable))


def _weight(clue: Clue) -> int:
    return clue.weight


def _is_limit(subject: Subject, status: int) -> bool:
    """A rate limit in the guise of a 403 or 400, as GitHub and Google send it."""
    if re.search(_LIMIT, safe_str(subject.exc, 2000), re.IGNORECASE):
        return True
    return status == 403 and is_limit_used_up(subject)


def _flag(subject: Subject) -> bool | None:
    if subject.names.isdisjoint(_FLAGS):
        return None
    for name in FLAGS:
        flag = subject.get(name)
        if name.startswith("is_") and callable(flag):
            flag = called(subject.exc, name)
        if flag is True or flag is False:
            return flag
    labels = subject.get("_error_labels")
    if (
        issubclass(type(labels), set | frozenset)
        and {"RetryableWriteError", "TransientTransactionError"} & labels
    ):
        return True
    return None


_FLAGS: Final = (*FLAGS, "_error_labels")
