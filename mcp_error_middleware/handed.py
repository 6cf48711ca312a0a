"""Exception in, what the app had handed over to the very expression that failed out.

Libraries written in C have no frames, and so nothing of theirs says what they were given.
"""

from __future__ import annotations

from dis import Instruction, get_instructions
from types import CodeType
from typing import Final, TypeAlias

from mcp_error_middleware.classify.chain import tracebacks_of
from mcp_error_middleware.frames import is_in_app, is_transparent

_CODE: Final = 10_000
"""Bytes of a function that is read for it."""
_CACHED: Final = 1024

# By id, since hashing a code object hashes its constants; the code is kept so that no other gets its id.
_names: dict[tuple[int, int], tuple[CodeType, tuple[str, ...]]] = {}


def handed(exc: BaseException) -> list[object]:
    """Of the variables of the app, those that the expression took which failed.

    Not what it took for a call inside that one, which may have made anything of it but bytes.
    """
    last = None
    for link in tracebacks_of(exc):
        if not is_transparent(link.tb_frame.f_code.co_filename):
            last = link
    if last is None or not is_in_app(last.tb_frame.f_code.co_filename):
        return []
    code, values = last.tb_frame.f_code, last.tb_frame.f_locals
    known = _names.get((id(code), last.tb_lasti))
    names = known[1] if known else _read(code, last.tb_lasti)
    return [values[name] for name in names if name in values]


def _read(code: CodeType, at: int) -> tuple[str, ...]:
    if len(_names) >= _CACHED:
        _names.clear()
    names = _taken(code, at) if len(code.co_code) <= _CODE else ()
    _names[id(code), at] = code, names
    return names


def _taken(code: CodeType, at: int) -> tuple[str, ...]:
    """The variables that the expression takes which is at this instruction."""
    steps = [*get_instructions(code)]
    place = next((_place(step) for step in steps if step.offset == at), None)
    if place is None:
        return ()
    parts = [(step, within) for step in steps if (within := _place(step)) and _is_in(within, place)]
    others = [call for call in _calls(parts) if call != place]
    return tuple(
        name
        for step, within in parts
        if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and not any(_is_in(within, o) for o in others)
        for name in (step.argval if isinstance(step.argval, tuple) else (step.argval,))
    )


_Place: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


def _place(step: Instruction) -> _Place | None:
    """Where in the source an instruction begins and ends; a program may be run without that."""
    if step.positions is None:
        return None
    line, last, column, end = step.positions
    if line is None or last is None or column is None or end is None:
        return None
    return (line, column), (last, end)


def _is_in(inner: _Place, outer: _Place) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _calls(parts: list[tuple[Instruction, _Place]]) -> set[_Place]:
    """Every call among them but those that only encode a text."""
    encoded = [place for step, place in parts if step.argval == "encode"]
    calls = {place for step, place in parts if step.opname.startswith("CALL")}
    return {call for call in calls if not any(_is_in(e, call) and e[0] == call[0] for e in encoded)}
