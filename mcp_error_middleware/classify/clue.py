"""What an exception gives away, and how much it weighs."""

from enum import IntEnum
from typing import NamedTuple

from mcp_error_middleware.taxonomy import ErrorCode


class Weight(IntEnum):
    """How much a clue decides."""

    WEAK = 1
    """Holds if nothing better is found inside the exception or in its text."""
    BASE = 2
    """What a builtin class says of all its subclasses."""
    TELLING = 3
    """Decides, but yields to an HTTP status that says more than 400."""
    FIRM = 4
    """Decides, even against the HTTP status it came with."""


class Clue(NamedTuple):
    """One piece of evidence, before it is known which exception carried it."""

    code: ErrorCode
    weight: Weight
    source: str
    detail: str
    retryable: bool | None = None
