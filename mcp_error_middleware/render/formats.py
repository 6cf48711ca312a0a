"""The forms a tool's answer can take."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """What the text block of a failed tool call holds; `_meta` holds the error object in all of them."""

    DEFAULT = "default"
    """Plain prose."""
    TOOLERROR = "toolerror"
    """JSON: `type`, `message`, `recoverable`, `data`."""
    ENVELOPE = "envelope"
    """JSON: `success`, `data`, `error`, `meta` (response-v2)."""
