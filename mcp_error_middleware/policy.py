"""Every setting, one frozen record."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from inspect import iscoroutinefunction
from typing import Any, Final

from mcp_error_middleware.contracts import Contract, is_contract
from mcp_error_middleware.locales import LOCALES, sentences
from mcp_error_middleware.model import Observer, Rule
from mcp_error_middleware.render import Format
from mcp_error_middleware.sanitize import Limits, Pattern, Scrubber
from mcp_error_middleware.taxonomy import BY_LABEL

PREFIX: Final = "MCP_ERRORS_"


class Exposure(StrEnum):
    """Whose text may leave, once scrubbed."""

    DECLARED = "declared"
    """Only what an author declared: typed errors, contracts, the SDKs' own error classes."""
    CALLER = "caller"
    """Also the text of undeclared errors that are the caller's to mend."""
    ALL = "all"
    """Everything. For development only."""


class Silent(StrEnum):
    """What to do about a successful result that reads like an error."""

    OFF = "off"
    RECORD = "record"
    """Tell the observers; the result stays."""
    REWRITE = "rewrite"
    """Answer with the failure it is."""


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """How failures are classified, what of them may leave, and in which form.

    The plain values can be set from the environment too: `body_limit` is `MCP_ERRORS_BODY_LIMIT`.
    """

    exposure: Exposure = Exposure.CALLER
    """Whose text may leave, scrubbed: what an author declared, also the caller's own mistakes, or all."""
    format: Format = Format.DEFAULT
    """What the text of a failed tool call is: prose, or the JSON of `toolerror` or `envelope`."""
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
    """Write one JSON line per failure to standard error, or to a logging set-up of your own."""
    log_burst: int = 10
    """Lines in full per minute for failures that are the same; the rest are counted in one. 0 logs all."""
    console: bool | None = None
    """Draw failures for a person instead; by default where standard error is a terminal."""
    traces: bool = True
    """Make one span per request by OTel's MCP conventions, in place of the SDK's own."""
    metrics: bool = True
    """Measure every request and count its failures, where a meter provider is set."""
    docs_url: str | None = None
    """Where the codes are explained; the code's name is appended (`help` in data, `problem+json` type)."""
    locale: str = "en"
    """The language of our own messages and hints: de, en, es, fr, ja, pt or zh."""

    suggest: bool = True
    """Name what was probably meant: fields, options, tools; with an example of valid arguments."""
    verify_writes: bool = True
    """Ask to verify before a write is repeated that may have been done."""
    notice_repeats: bool = True
    """Sharpen the hint when a session repeats a failed call unchanged, and say stop the third time."""
    silent_failures: Silent = Silent.RECORD
    """What to do about successful results that read like an error."""
    advertise_contracts: bool = True
    """Put the declared modes of a tool in its `_meta` when tools are listed."""
    describe_contracts: bool = False
    """And in its description."""
    draft_tool_failure: bool = False
    """Send the entry of the draft standard for tool failures too."""

    rules: tuple[Rule, ...] = ()
    """Asked before any other evidence but an explicit error."""
    hints_by_reason: Mapping[str, str] = field(default_factory=dict)
    """Your own next steps, by the `reason` that an error gives."""
    hints_by_tool: Mapping[str, str] = field(default_factory=dict)
    """Your own next steps, by tool name."""
    hints_by_code: Mapping[str, str] = field(default_factory=dict)
    """Keyed by label: `NotFound`."""
    contracts: Mapping[str, type[Contract]] = field(default_factory=dict)
    """By tool, prompt or resource name, for handlers that declare none beside them."""
    extra_patterns: tuple[Pattern, ...] = ()
    """Shapes of secrets that only this server knows."""
    extra_keys: frozenset[str] = frozenset()
    """Names of data whose values never leave, besides the built-in ones."""
    observers: tuple[Observer, ...] = ()
    """Told about every failure; they cannot change it."""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            object.__setattr__(self, name, _chosen(name, choices, getattr(self, name)))
        sentences(str(self.locale))
        for item in fields(self):
            _require_kind(item.name, str(item.type), getattr(self, item.name))
        _require_plain("rules", self.rules)
        _require_plain("observers", self.observers)
        for name in ("body_limit", "text_limit", "log_burst"):
            if not _is_size(size := getattr(self, name)):
                raise ValueError(f"{name} is {size!r}; use a whole number of zero or more.")
        if unknown := [label for label in self.hints_by_code if label not in BY_LABEL]:
            raise ValueError(f"{unknown[0]!r} in hints_by_code is no code; use one of {', '.join(BY_LABEL)}.")
        for pattern in self.extra_patterns:
            _prove(pattern)
        if wrong := [name for name, contract in self.contracts.items() if not is_contract(contract)]:
            raise ValueError(
                f"What contracts has for {wrong[0]!r} is no contract; use a subclass of Contract."
            )

    @property
    def limits(self) -> Limits:
        return Limits(text=self.text_limit, body=self.body_limit if self.capture_body else 0)

    @property
    def scrubber(self) -> Scrubber:
        return Scrubber(self.limits, self.extra_patterns, self.extra_keys)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> ErrorPolicy:
        """The policy the `MCP_ERRORS_*` variables describe; an unknown name or value says what is known.

        An empty variable is as good as none.
        """
        environ = os.environ if environ is None else environ
        given = {name: text for name, text in environ.items() if name.startswith(PREFIX)}
        if unknown := sorted(given.keys() - _READERS.keys()):
            raise ValueError(f"{unknown[0]} is not a setting; use one of {', '.join(sorted(_READERS))}.")
        set_ones = {name: text for name, text in given.items() if text}
        return cls(
            **{name.removeprefix(PREFIX).lower(): _read(name, text) for name, text in set_ones.items()}
        )


_CHOICES: Final[Mapping[str, type[StrEnum]]] = {
    "exposure": Exposure,
    "format": Format,
    "silent_failures": Silent,
}


def _chosen(name: str, choices: type[StrEnum], given: Any) -> StrEnum:
    try:
        return choices(given)
    except ValueError:
        raise ValueError(f"{name} is {given!r}; use one of {', '.join(choices)}.") from None


def _require_plain(name: str, functions: Collection[Callable[..., object]]) -> None:
    if waiting := [function for function in functions if _is_async(function)]:
        raise TypeError(f"{name} has {waiting[0]!r} in it, which nobody would await; use a plain function.")


def _is_async(function: Callable[..., object]) -> bool:
    return any(map(iscoroutinefunction, (function, type(function).__call__)))


def _require_kind(name: str, kind: str, given: object) -> None:
    """A wrong kind would be taken for something: the text "false" for true, a text for its letters."""
    fits, wanted = _KINDS.get(kind, (_is_anything, ""))
    if not fits(given):
        raise TypeError(f"{name} is {given!r}; use {wanted}.")


def _is_anything(_: object) -> bool:
    return True


def _is_size(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0


def _is_all(given: object, fits: Callable[[object], bool]) -> bool:
    return isinstance(given, Collection) and not isinstance(given, str | Mapping) and all(map(fits, given))


def _is_text(given: object) -> bool:
    return isinstance(given, str)


_KINDS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "bool": (lambda given: isinstance(given, bool), "True or False"),
    "bool | None": (lambda given: given is None or isinstance(given, bool), "True, False or None"),
    "str | None": (lambda given: given is None or _is_text(given), "a text or None"),
    "tuple[Rule, ...]": (
        lambda given: _is_all(given, callable),
        "a tuple of functions that are called with an exception",
    ),
    "tuple[Observer, ...]": (
        lambda given: _is_all(given, callable),
        "a tuple of functions that are called with a failure",
    ),
    "tuple[Pattern, ...]": (lambda given: _is_all(given, _is_anything), "a tuple of patterns"),
    "frozenset[str]": (lambda given: _is_all(given, _is_text), "a set of names"),
    "Mapping[str, str]": (
        lambda given: isinstance(given, Mapping) and all(map(_is_text, given.values())),
        "a mapping of names to sentences",
    ),
    "Mapping[str, type[Contract]]": (
        lambda given: isinstance(given, Mapping),
        "a mapping of names to contracts",
    ),
}
"""What each kind of setting may be, by its annotation."""


def _prove(pattern: Pattern) -> None:
    """A pattern that finds nothing would let everything through, and nobody would see."""
    if not isinstance(pattern, Pattern):
        raise TypeError(f"extra_patterns has {pattern!r} in it; use a Pattern.")
    if not pattern.finds(pattern.example):
        raise ValueError(
            f"The pattern {pattern.kind!r} does not find its example {pattern.example!r}; "
            "mend its regex, its literals or its check."
        )
    if pattern.finds(pattern.near_miss):
        raise ValueError(
            f"The pattern {pattern.kind!r} finds its near miss {pattern.near_miss!r}, which should stay; "
            "make its regex narrower, or name another near miss."
        )


def _read(name: str, text: str) -> Any:
    expected, read = _READERS[name]
    try:
        return read(text.strip())
    except (KeyError, ValueError):
        raise ValueError(f"{name} is {text!r}; use {expected}.") from None


def _flag(text: str) -> bool:
    return {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}[text.lower()]


def _language(text: str) -> str:
    sentences(text)
    return text


def _count(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number


_BY_TYPE: Final[Mapping[str, tuple[str, Any]]] = {
    "Exposure": (f"one of {', '.join(Exposure)}", Exposure),
    "Format": (f"one of {', '.join(Format)}", Format),
    "Silent": (f"one of {', '.join(Silent)}", Silent),
    "str": (f"one of {', '.join(LOCALES)}", _language),
    "bool": ("true or false", _flag),
    "bool | None": ("true or false", _flag),
    "int": ("a whole number of zero or more", _count),
    "str | None": ("a text", str),
}

_READERS: Final[Mapping[str, tuple[str, Any]]] = {
    PREFIX + item.name.upper(): _BY_TYPE[str(item.type)]
    for item in fields(ErrorPolicy)
    if str(item.type) in _BY_TYPE
}
