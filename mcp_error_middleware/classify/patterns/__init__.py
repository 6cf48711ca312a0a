"""Text in, clue out: for exceptions whose type says too little.

Two tables, provider patterns before common ones; the first row that matches decides. The common ones stand in
another order than their words are usually listed in: what an upstream did (limit, time, outage) goes before
what it was doing, so that "The validation service timed out" is a Timeout and "Payment not allowed: rate
limit exceeded" is RateLimited.
"""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.names import clue_in_name
from mcp_error_middleware.classify.patterns.common import COMMON, VALUES
from mcp_error_middleware.classify.patterns.misuse import CONFESSIONS, LIFECYCLE, MISUSE, PLAIN
from mcp_error_middleware.classify.patterns.phrases import compiled, first
from mcp_error_middleware.classify.patterns.providers import PROVIDERS
from mcp_error_middleware.classify.patterns.status import status_in, status_regex
from mcp_error_middleware.classify.types import BUILTINS
from mcp_error_middleware.taxonomy import ErrorCode

__all__ = [
    "COMMON", "CONFESSIONS", "LENGTH", "LIFECYCLE", "MISUSE", "PLAIN", "PROVIDERS", "TABLES", "VALUES",
    "cited_pattern", "common_pattern", "confession", "lifecycle_pattern", "misuse_pattern",
    "plain_pattern", "prepare", "provider_pattern", "setting_pattern", "status_pattern", "value_pattern",
]  # fmt: skip

LENGTH: Final = 2_000
"""How many characters of a text are read."""

TABLES: Final = (PROVIDERS, COMMON, VALUES, MISUSE, CONFESSIONS, PLAIN, LIFECYCLE)


def provider_pattern(text: str) -> Clue | None:
    """What a provider's typical words in a text say."""
    lower = text[:LENGTH].lower()
    status = status_in(lower)
    if status is None or status.code in _VAGUE:
        return first(PROVIDERS, lower, Weight.TELLING) or status
    return status


def status_pattern(text: str) -> Clue | None:
    """What an HTTP status in a text says."""
    return status_in(text[:LENGTH].lower())


def common_pattern(text: str) -> Clue | None:
    """What everyday words in a text say."""
    return first(COMMON, text[:LENGTH].lower(), Weight.WEAK)


def plain_pattern(text: str) -> Clue | None:
    """What a text says that is one plain sentence about a thing that is there or not."""
    return first(PLAIN, text[:LENGTH].lower(), Weight.WEAK)


def value_pattern(text: str) -> Clue | None:
    """What words about values in the text of a library's error say."""
    return first(VALUES, text[:LENGTH].lower(), Weight.WEAK)


def confession(text: str) -> Clue | None:
    """Whether the text of a bad value says that it was nobody's fault but the code's."""
    lower = text[:LENGTH].lower()
    return first(MISUSE, lower, Weight.WEAK) or first(CONFESSIONS, lower, Weight.WEAK)


def misuse_pattern(text: str) -> Clue | None:
    """Whether a text says that code used other code wrongly."""
    return first(MISUSE, text[:LENGTH].lower(), Weight.WEAK)


def lifecycle_pattern(text: str) -> Clue | None:
    """Whether a text speaks of the order in which code has to use other code."""
    lower = text[:LENGTH].lower()
    return first(MISUSE, lower, Weight.WEAK) or first(LIFECYCLE, lower, Weight.WEAK)


def cited_pattern(text: str, *, builtins: bool = True) -> Clue | None:
    """What the name of another error in a text says: `sync failed: NotFoundError('no such index')`.

    In a library's own text a builtin's name may be the library's: `ApiError(LookupError('not_found'))`.
    """
    if "Error" not in text and "Exception" not in text:
        return None
    for match in re.finditer(_CITED, text[:LENGTH]):
        clue = (BUILTINS.get(match[0]) if builtins else None) or clue_in_name(match[0])
        if clue and clue.weight >= Weight.BASE:
            return Clue(clue.code, Weight.WEAK, "pattern", "the name of an error", clue.retryable)
    return None


_CITED: Final = (
    r"\b[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception)(?=[:(\]])|(?<=: )[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception)$"
)


def setting_pattern(text: str) -> Clue | None:
    """Whether a text misses what is spelt as a setting is: `SMTP_SENDER is not set`."""
    if re.search(_SETTING, text[:LENGTH]) is None:
        return None
    return Clue(ErrorCode.CONFIGURATION_ERROR, Weight.WEAK, "pattern", "a setting is missing")


_SETTING: Final = (
    r"\b[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,50}\W{1,3}(?:is |are |was )?"
    r"(?:not (?:set|defined|configured)|unset|missing|required|undefined|must be set)\b"
    r"|\b(?:[Mm]issing|[Ss]et|requires) \W?[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,50}\b"
    r"|\b(?:in|on|to) (?:your |the )?PATH\b|\bis not available on this (?:system|machine|host|platform)\b"
    r"|\b[Ss]et (?:it|this|them) (?:as|in|through|via) (?:an? |the |your )?(?:\.?env|config|setting)"
    r"|\b(?:apk|apt|apt-get|brew|choco|dnf|pacman|winget|yum) (?:add|install)\b"
    r"|\b(?:Python|Java|JDK|Node(?:\.js)?) \d[\d.]*(?:\+| or \w+) is required"
)


_VAGUE: Final = frozenset({ErrorCode.INVALID_PARAMS, ErrorCode.FORBIDDEN, ErrorCode.INTERNAL_ERROR})
"""What 400, 403 and 500 say; a provider's own words beside them say more."""


def prepare() -> None:
    """Compile what will be needed."""
    clue_in_name("")
    status_regex()
    for table in TABLES:
        compiled(table)
