"""Private in, public out."""

from __future__ import annotations

from typing import Any, Final

from mcp_error_middleware.sanitize.limits import Limits
from mcp_error_middleware.sanitize.scrubber import WITHHELD, Scrubber, withheld_data
from mcp_error_middleware.sanitize.spans import Pattern, Span, View

DEFAULT: Final = Scrubber()


def sanitize_text(text: str) -> str:
    """The text without secrets, places and people."""
    return DEFAULT.text(text)


def sanitize_data(value: object) -> Any:
    """The value as JSON-able data, without secrets, places and people."""
    return DEFAULT.data(value)


__all__ = [
    "DEFAULT",
    "WITHHELD",
    "Limits",
    "Pattern",
    "Scrubber",
    "Span",
    "View",
    "sanitize_data",
    "sanitize_text",
    "withheld_data",
]
