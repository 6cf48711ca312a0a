"""The nouns that travel, and the shapes of the functions that take them.

What a failure is made of are named tuples: a dozen of them are made for every one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple, Self, TypeAlias

from mcp_error_middleware.taxonomy import ErrorCode, Fault

_LONGEST: Final = 2_000
"""Characters of a name."""


class _Call(NamedTuple):
    method: str
    target: str | None
    """The tool's or prompt's name, or the resource's URI."""
    request_id: str | int | None
    session_id: str | None
    correlation_id: str | None
    protocol_version: str | None
    transport: str | None
    structured: bool
    """Whether `structuredContent` may carry the error: no client validates it against a closed schema."""
    alias: str | None
    """What records call the target, where a client put something into it that they may not have."""


class Call(_Call):
    """What was attempted."""

    __slots__ = ()

    def __new__(
        cls,
        method: str = "tools/call",
        target: str | None = None,
        request_id: str | int | None = None,
        session_id: str | None = None,
        correlation_id: str | None = None,
        protocol_version: str | None = None,
        transport: str | None = None,
        structured: bool = True,
        alias: str | None = None,
    ) -> Self:
        # Caches and records keep these, and a client may make them as long as it likes.
        if len(method) + len(target or "") + len(protocol_version or "") > _LONGEST:
            method, target = method[:_LONGEST], target and target[:_LONGEST]
            protocol_version = protocol_version and protocol_version[:_LONGEST]
        return tuple.__new__(
            cls,
            (
                method,
                target,
                request_id,
                session_id,
                correlation_id,
                protocol_version,
                transport,
                structured,
                alias,
            ),
        )

    @property
    def shown(self) -> str | None:
        """The target as records have it."""
        return self.target if self.alias is None else self.alias

    @property
    def tool(self) -> str | None:
        return self.target if self.method == "tools/call" else None


class Frame(NamedTuple):
    """One place a cause passed through."""

    file: str
    line: int
    function: str
    in_app: bool = True


Relation: TypeAlias = Literal["raised", "cause", "context", "suppressed", "member"]


class Cause(NamedTuple):
    """A link of the chain. For logs and spans, never rendered; its text is scrubbed."""

    type: str
    """Qualified: `httpx.ConnectTimeout`."""
    message: str
    relation: Relation = "raised"
    depth: int = 0
    frames: tuple[Frame, ...] = ()
    notes: tuple[str, ...] = ()


class Evidence(NamedTuple):
    """What decided, or could have decided, a verdict."""

    source: str
    """`explicit`, `rule`, `contract`, `http_status`, `sqlstate`, `errno`, `type`, `name`, `pattern`, ..."""
    detail: str
    """What was seen: `503`, `23505`, `httpx.ConnectTimeout`."""
    code: ErrorCode
    type: str = ""
    """The exception that carried it."""


class Verdict(NamedTuple):
    """The classifier's answer."""

    code: ErrorCode
    retryable: bool
    retry_after: float | None = None
    evidence: Evidence | None = None
    status: int | None = None
    """The upstream's HTTP status, where there was one."""


class Hint(NamedTuple):
    """The next step: one imperative sentence."""

    text: str
    source: str = "code"
    """`author`, `contract`, `user`, `evidence` or `code`."""


class Issue(NamedTuple):
    """One problem with one argument; never the rejected value."""

    path: str
    """`items[0].price`; empty for the whole."""
    problem: str
    """What was expected: `must be a whole number`."""

    @property
    def clause(self) -> str:
        """`price must be at least 1`."""
        if not self.path:
            return self.problem
        joint = " " if self.problem.startswith(("must ", "is ", "has ", "does ", "fits ")) else ": "
        return f"{self.path}{joint}{self.problem}"


class Condition(Issue):
    """One that a check of the author's found: no schema tells what would pass it."""

    __slots__ = ()


class Fingerprint(NamedTuple):
    """Failures that are the same share `exact`; failures of one sort share `family`."""

    exact: str
    family: str


UNGROUPED: Final = Fingerprint("", "")


class Retry(StrEnum):
    """What is known about sending the same call again."""

    SAFE = "safe"
    AFTER = "after"
    """Safe, once `retry_after` seconds have passed."""
    VERIFY_FIRST = "verify_first"
    """It may have been done already; look before doing it again."""
    NEVER = "never"
    """It would fail the same way."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed call, fully described, safe to show."""

    error_id: str
    call: Call
    code: ErrorCode
    message: str
    hint: Hint
    retryable: bool
    retry_after: float | None = None
    retry: Retry | None = None
    """With what is known of the tool's effects; None where nobody asked."""
    repeat: int = 1
    """The how-manieth time this session's very call failed this very way."""
    reason: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    """Declared by the author, scrubbed, JSON-safe, without the keys this record has fields for; and what the
    surroundings of the call suggest (`similar`, `example`, `verify_with`, ...)."""
    issues: tuple[Issue, ...] = ()
    status: int | None = None
    number: int | None = None
    """The number of the author's own SDK error, where that is not one of ours."""
    evidence: Evidence | None = None
    causes: tuple[Cause, ...] = ()
    fingerprint: Fingerprint = UNGROUPED
    redactions: Mapping[str, int] = field(default_factory=dict)
    """What was removed, by kind."""
    degraded: tuple[str, ...] = ()
    """Steps of triage that failed and were answered with the next best."""
    locale: str = "en"
    """The language of our own sentences in it."""
    time: float = 0.0
    exception: BaseException | None = field(default=None, repr=False, compare=False)
    """For observers, while they are told; never for a renderer."""

    @property
    def name(self) -> str:
        return self.code.label

    @property
    def fault(self) -> Fault:
        return self.code.traits.fault


class Body(str):
    """The start of an upstream's answer, scrubbed; how much of it may leave is the server's to say."""

    raw: bytes | str
    """What it is the start of. Never shown: a server that keeps more, or knows more secrets, scrubs anew."""

    def __new__(cls, text: str, raw: bytes | str = "") -> Self:
        body = super().__new__(cls, text)
        body.raw = raw
        return body


Classifier: TypeAlias = Callable[[BaseException], Verdict]
"""Exception in, verdict out."""

Rule: TypeAlias = Callable[[BaseException], "ErrorCode | Verdict | None"]
"""A user's own say about an exception; None passes it on."""

Observer: TypeAlias = Callable[[Failure], object]
"""Is told about a failure. Cannot steer; what it raises is reported once and dropped."""
