"""Traceback in, frames out: where an exception passed through, without formatting a line of source."""

from __future__ import annotations

import os
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

# By id, since hashing a code object hashes its constants; the code is kept so that no other gets its id.
_frames: dict[tuple[int, int], tuple[CodeType, Frame]] = {}


def frames_of(traceback: TracebackType | None) -> tuple[Frame, ...]:
    """The frames from the outermost to the one that raised, at most `LIMIT` of the innermost."""
    walked: list[TracebackType] = []
    while traceback is not None and len(walked) < _WALKED:
        walked.append(traceback)
        traceback = traceback.tb_next
    return tuple([_frame(link) for link in walked[-LIMIT:]])


def _frame(link: TracebackType) -> Frame:
    code, line = link.tb_frame.f_code, link.tb_lineno
    if (known := _frames.get((id(code), line))) is not None:
        return known[1]
    if len(_frames) >= _CACHED:
        _frames.clear()
    frame = Frame(code.co_filename, line, _function(link), _is_in_app(code.co_filename))
    _frames[id(code), line] = code, frame
    return frame


def _function(link: TracebackType) -> str:
    module = link.tb_frame.f_globals.get("__name__")
    name = link.tb_frame.f_code.co_qualname
    return f"{module}.{name}" if isinstance(module, str) else name


def _is_in_app(file: str) -> bool:
    return not file.startswith(_NOT_THE_APP) and not any(mark in file for mark in _FOREIGN)
