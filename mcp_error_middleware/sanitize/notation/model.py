"""A name in a text and the value that follows it."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from mcp_error_middleware.sanitize.keys import Sensitive


class Notation(Enum):
    """How sure the notation makes it that what follows is a value."""

    ASSIGNED = auto()
    """By a sign or in quotes: `password=x`, `"password": "x"`."""
    FLAGGED = auto()
    """`--password x`."""
    PAIRED = auto()
    """`('password', 'x')`."""
    LISTED = auto()
    """A colon and bare words: `password: x`; also how a sentence begins."""
    SAID = auto()
    """`the password is x`."""
    QUOTED = auto()
    """`with password "x"`."""
    BESIDE = auto()
    """`with password x`."""


class Name(NamedTuple):
    """A sensitive name in a text."""

    start: int
    end: int
    sensitive: Sensitive


class Value(NamedTuple):
    """What follows a name."""

    start: int
    end: int
    notation: Notation
