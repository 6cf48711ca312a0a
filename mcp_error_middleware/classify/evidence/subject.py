"""One exception under examination: which attributes it has, and what hangs from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.classify.chain import args_of, state_of
from mcp_error_middleware.classify.evidence.access import PLAIN, either, integer, is_mapping, parsed, read

RESPONSES: Final = tuple("response http_response resp raw_response response_info rsp _response".split())
PAYLOADS: Final = tuple(
    """
    body json_body error errors error_details details data content http_body json_data response_body
    response_data payload extensions detail error_message result json _error _body
    """.split()
)
STATUSES: Final = tuple(
    """
    status_code http_status http_status_code status statusCode http_code response_code status_int
    http_error_code errcode _status _status_code _http_status
    """.split()
)
HEADERS: Final = tuple("headers response_headers http_headers hdrs".split())
NUMBERS: Final = tuple(
    """
    sqlstate pgcode diag sqlite_errorname sqlite_errorcode number errno smtp_code grpc_status_code meta
    _error_labels reply_code reply_text recipients
    """.split()
)
WORDS: Final = tuple(
    """
    reason error_code errorcode code error_name type default_code err_code code_name error_key subcode
    errorCode condition _code _error_code exception
    """.split()
)
FLAGS: Final = tuple(
    "retryable is_retryable retriable is_retriable transient is_transient should_retry".split()
)
WAITS: Final = tuple(
    """
    retry_after retry_after_seconds retryAfter retry_delay wait backoff back_off period_remaining
    """.split()
)

HELD: Final = 8
"""How many of an exception's own attributes are asked whether they are an answer."""

PROBED: Final = frozenset(
    {
        *RESPONSES,
        *PAYLOADS,
        *STATUSES,
        *HEADERS,
        *NUMBERS,
        *WORDS,
        *FLAGS,
        *WAITS,
        "retry_after_ms",
        "seconds",
    }
)
"""Every attribute that is ever read from an exception to find a code or a fact."""


class Subject:
    """An exception, its attributes worth reading, and what they hold."""

    __slots__ = ("args", "bases", "exc", "first", "names", "packages", "payloads", "responses")

    def __init__(self, exc: BaseException, names: frozenset[str], bases: frozenset[str]) -> None:
        self.args = args = args_of(exc)
        self.exc = exc
        self.names = names
        self.bases = bases
        self.packages = packages_of(bases)
        self.first: Any = args[0] if args else None
        """The first argument the exception was made with."""
        self.responses: tuple[Any, ...] = tuple(self._responses())
        """The upstream's answers that hang from the exception."""
        self.payloads: tuple[Any, ...] = tuple(self._payloads())
        """What the upstream said, as data."""

    def get(self, name: str) -> Any:
        """The attribute, if this exception has it."""
        return read(self.exc, name) if name in self.names else None

    def values(self, names: Iterable[str]) -> Iterator[Any]:
        """Those of these attributes that the exception has, in this order."""
        if self.names.isdisjoint(names):
            return
        for name in names:
            if name in self.names and (value := read(self.exc, name)) is not None:
                yield value

    def is_from(self, *packages: str) -> bool:
        """Whether the class, or one it descends from, is of one of these packages."""
        return not self.packages.isdisjoint(packages)

    def _responses(self) -> Iterator[Any]:
        """Each once: one that is kept under a usual name is among those that are kept, too."""
        seen: list[Any] = []
        for response in (*self.values(RESPONSES), *answers_in(self.args[:3]), *kept_answers(self.exc)):
            if all(response is not other for other in seen):
                seen.append(response)
                yield response

    def _payloads(self) -> Iterator[Any]:
        for response in self.responses:
            if is_mapping(response):
                yield response
            else:
                # Only what has been read already: `.content` and `.text` may wait for the network.
                yield from map(_as_data, filter(None, (read(response, "_content"), read(response, "data"))))
        yield from map(_as_data, self.values(PAYLOADS))
        if is_mapping(self.first):
            yield self.first
        elif is_object(self.first) or "ValueError" not in self.bases:
            # A bad value may be quoted in the message about it.
            yield from filter(is_mapping, (parsed(_body_in(self.first)),))


def kept_answers(exc: BaseException) -> Iterator[Any]:
    """The answers an exception keeps, whatever its author called them."""
    state = state_of(exc)
    return answers_in(value for name, value in islice(state.items(), HELD) if not name.endswith(_ADVICE))


_ADVICE: Final = ("hint", "default", "suggestion")
"""How what somebody might answer is called: nobody did."""


def answers_in(values: Iterable[Any]) -> Iterator[Any]:
    """Those of the values that have a status."""
    for value in values:
        if type(value) not in PLAIN and integer(either(value, "status_code")) is not None:
            yield value


@lru_cache(maxsize=512)
def packages_of(bases: frozenset[str]) -> frozenset[str]:
    """The packages that qualified names are of."""
    return frozenset(base.partition(".")[0] for base in bases)


def is_object(value: object) -> bool:
    """Whether a text looks like a JSON object: some clients raise the answer's body as their message."""
    return type(value) is str and value[:1] == "{"


def _body_in(value: object) -> str | None:
    """The JSON object that a text is, or ends in: `OverloadedError: 529 {"error": ...}`."""
    if type(value) is not str or (start := value.find("{", 0, _HEAD)) < 0:
        return None
    return value[start:]


_HEAD: Final = 200
"""Characters that may stand before an answer's body."""


def _as_data(value: object) -> Any:
    found = parsed(value)
    return value if found is None else found
