"""What a server said about a failed call, as the agent's side holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcp_error_middleware.model import Issue, Retry
from mcp_error_middleware.taxonomy import ErrorCode, ErrorType


class Source(StrEnum):
    """Where an error was read from."""

    META = "meta"
    """The error object in a result's `_meta`."""
    STRUCTURED = "structured"
    """The error object in `structuredContent`, or on its own."""
    PROSE = "prose"
    """The text block of the default format."""
    TOOLERROR = "toolerror"
    ENVELOPE = "envelope"
    JSONRPC = "jsonrpc"
    PROBLEM = "problem"
    HTTP = "http"
    """A status without a body that says more."""
    SDK = "sdk"
    """A sentence an SDK writes by itself."""
    TEXT = "text"
    """Text of no known form."""
    EXCEPTION = "exception"
    """Raised on this side: the server said nothing."""


@dataclass(frozen=True, slots=True)
class RemoteError:
    """One failed call. What the server did not say is None or empty."""

    message: str
    code: ErrorCode | None = None
    number: int | None = None
    """As the answer carried it: the taxonomy's, the author's, JSON-RPC's or an HTTP status."""
    hint: str | None = None
    retryable: bool = False
    retry_after: float | None = None
    retry: Retry = Retry.NEVER
    reason: str | None = None
    issues: tuple[Issue, ...] = ()
    error_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the author added."""
    source: Source = Source.TEXT

    @property
    def name(self) -> str | None:
        """The code's label: `NotFound`."""
        return None if self.code is None else self.code.label

    @property
    def type(self) -> ErrorType:
        """Which of six branches an agent takes; an error of no known form is internal."""
        return self.code.traits.type if self.code is not None else ErrorType.INTERNAL
