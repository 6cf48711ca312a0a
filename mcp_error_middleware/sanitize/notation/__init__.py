"""A name in a text in, the value that follows it out, in whatever notation."""

from __future__ import annotations

from mcp_error_middleware.sanitize.notation.conditions import is_pointer
from mcp_error_middleware.sanitize.notation.model import Name, Notation, Value
from mcp_error_middleware.sanitize.notation.values import UNSPACED, is_grouped, value_at
from mcp_error_middleware.sanitize.notation.ways import value_of

__all__ = ["UNSPACED", "Name", "Notation", "Value", "is_grouped", "is_pointer", "value_at", "value_of"]
