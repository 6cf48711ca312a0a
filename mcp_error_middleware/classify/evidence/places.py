"""State in, whether it points into a text out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import integer
from mcp_error_middleware.taxonomy import ErrorCode

LINES: Final = tuple("lineno line line_number line_no linenum line_num start_line".split())
COLUMNS: Final = tuple("column col colno column_number col_offset pos position offset".split())


def place_clue(state: Mapping[str, Any]) -> Clue | None:
    """Who names the line, or the row and column, of a text has tried to read it."""
    line = _first(state, LINES)
    if line is None and not ("row" in state and _first(state, COLUMNS)):
        return None
    return Clue(ErrorCode.SERIALIZATION_ERROR, Weight.WEAK, "place", line or "row")


def _first(state: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in state and integer(state[name]) is not None), None)
