"""State in, what it points at out: a place in a text, a value that was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import integer
from mcp_error_middleware.taxonomy import ErrorCode

LINES: Final = tuple("lineno line line_number line_no linenum line_num start_line".split())
COLUMNS: Final = tuple("column col colno column_number col_offset pos position offset".split())

VALUES: Final = tuple("input_value invalid_value bad_value given_value actual_value expected_type".split())


def place_clue(state: Mapping[str, Any]) -> Clue | None:
    """Who names a line, or a row and column, has tried to read a text; who keeps a value, to use it."""
    line = _first(state, LINES)
    if line is not None or ("row" in state and _first(state, COLUMNS)):
        return Clue(ErrorCode.SERIALIZATION_ERROR, Weight.WEAK, "place", line or "row")
    value = next((name for name in VALUES if name in state), None)
    return Clue(ErrorCode.VALIDATION_ERROR, Weight.WEAK, "place", value) if value else None


def _first(state: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in state and integer(state[name]) is not None), None)
