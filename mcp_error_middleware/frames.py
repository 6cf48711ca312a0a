"""Traceback in, frames out: where an exception passed through, without formatting a line of source."""

from __future__ import annotations

import os
import sys
import sysconfig
from types import CodeType, TracebackType
from typing import Final

from mcp_error_middleware.model import Frame

LIMIT: Final = 40
"""Frames kept of one traceback: the innermost ones, where the failure is."""

_WALKED: Final = 2000
_CACHED: Final = 4096
_FOREIGN: Final = ("site-packages", "dist-packages", "<frozen ")
_NOT_THE_APP: Final = (
    *{sysconfig.get_path(name) for name in ("stdlib", "platstdlib")},
    os.path.dirname(__file__),  # noqa: PTH120 - compared with what code objects carry: strings
)

# By id, because hashing a code object hashes all of its constants; the value keeps the object alive.
_places: dict[int, tuple[CodeType, str, str, bool]] = {}


def frames_of(traceback: TracebackType | None) -> tuple[Frame, ...]:
    """The frames from the outermost to the one that raised, at most `LIMIT` of the innermost."""
    walked: list[TracebackType] = []
    while traceback is not None and len(walked) < _WALKED:
        walked.append(traceback)
        traceback = traceback.tb_next
    return tuple(_frame(link) for link in walked[-LIMIT:])


def _frame(link: TracebackType) -> Frame:
    _, file, function, in_app = _place(link.tb_frame.f_code, link)
    return Frame(file, link.tb_lineno, function, in_app)


def _place(code: CodeType, link: TracebackType) -> tuple[CodeType, str, str, bool]:
    if (known := _places.get(id(code))) is not None:
        return known
    if len(_places) >= _CACHED:
        _places.clear()
    module = link.tb_frame.f_globals.get("__name__")
    function = f"{module}.{code.co_qualname}" if isinstance(module, str) else code.co_qualname
    place = _places[id(code)] = (code, code.co_filename, sys.intern(function), _is_in_app(code.co_filename))
    return place


def _is_in_app(file: str) -> bool:
    return not file.startswith(_NOT_THE_APP) and not any(mark in file for mark in _FOREIGN)
