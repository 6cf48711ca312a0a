"""Every setting, one frozen record."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from mcp_error_middleware.contracts import Contract
from mcp_error_middleware.model import Observer, Rule
from mcp_error_middleware.render import Format
from mcp_error_middleware.sanitize import Limits, Pattern

PREFIX: Final = "MCP_ERRORS_"


class Exposure(StrEnum):
    """Whose text may leave, once scrubbed."""

    DECLARED = "declared"
    """Only what an author declared: typed errors, contracts, the SDKs' own error classes."""
    CALLER = "caller"
    """Also the text of undeclared errors that are the caller's to mend."""
    ALL = "all"
    """Everything. For development only."""


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """How failures are classified, what of them may leave, and in which form.

    The plain values can be set from the environment too: `body_limit` is `MCP_ERRORS_BODY_LIMIT`.
    """

    exposure: Exposure = Exposure.CALLER
    format: Format = Format.DEFAULT
    taxonomy_numbers: bool = False
    """Put the taxonomy's numbers in JSON-RPC envelopes towards peers older than 2026-07-28."""
    widen_output_schema: bool = False
    """Advertise every output schema as success-or-error, so that `structuredContent` can always carry it."""
    capture_body: bool = True
    """Keep the start of an upstream's error body, scrubbed."""
    body_limit: int = 500
    """Bytes of it."""
    text_limit: int = 2000
    """Characters of a message."""
    log: bool = True
    """Write one JSON line per failure to standard error, or to a structlog set-up of your own."""
    docs_url: str | None = None
    """Where the codes are explained; the code's name is appended (`problem+json` type)."""

    rules: tuple[Rule, ...] = ()
    """Asked before any other evidence but an explicit error."""
    hints_by_reason: Mapping[str, str] = field(default_factory=dict)
    hints_by_tool: Mapping[str, str] = field(default_factory=dict)
    hints_by_code: Mapping[str, str] = field(default_factory=dict)
    """Keyed by label: `NotFound`."""
    contracts: Mapping[str, type[Contract]] = field(default_factory=dict)
    """By tool, prompt or resource name, for handlers that declare none beside them."""
    extra_patterns: tuple[Pattern, ...] = ()
    extra_keys: frozenset[str] = frozenset()
    """Names of data whose values never leave, besides the built-in ones."""
    observers: tuple[Observer, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "exposure", Exposure(self.exposure))
        object.__setattr__(self, "format", Format(self.format))

    @property
    def limits(self) -> Limits:
        return Limits(text=self.text_limit, body=self.body_limit if self.capture_body else 0)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> ErrorPolicy:
        """The policy the `MCP_ERRORS_*` variables describe; an unknown name or value says what is known."""
        environ = os.environ if environ is None else environ
        given = {name: text for name, text in environ.items() if name.startswith(PREFIX)}
        if unknown := sorted(given.keys() - _READERS.keys()):
            raise ValueError(f"{unknown[0]} is not a setting; use one of {', '.join(sorted(_READERS))}.")
        return cls(**{name.removeprefix(PREFIX).lower(): _read(name, text) for name, text in given.items()})


def _read(name: str, text: str) -> Any:
    expected, read = _READERS[name]
    try:
        return read(text.strip())
    except (KeyError, ValueError):
        raise ValueError(f"{name} is {text!r}; use {expected}.") from None


def _flag(text: str) -> bool:
    return {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}[text.lower()]


def _count(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number


_BY_TYPE: Final[Mapping[str, tuple[str, Any]]] = {
    "Exposure": (f"one of {', '.join(Exposure)}", Exposure),
    "Format": (f"one of {', '.join(Format)}", Format),
    "bool": ("true or false", _flag),
    "int": ("a whole number of zero or more", _count),
    "str | None": ("a text", str),
}

_READERS: Final[Mapping[str, tuple[str, Any]]] = {
    PREFIX + item.name.upper(): _BY_TYPE[str(item.type)]
    for item in fields(ErrorPolicy)
    if str(item.type) in _BY_TYPE
}
