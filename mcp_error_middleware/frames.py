"""Traceback in, frames out: where an exception passed through, without formatting a line of source."""

from __future__ import annotations

import os
import sys
from itertools import takewhile
from types import CodeType, FrameType, TracebackType
from typing import Final

from mcp_error_middleware.model import Frame

LIMIT: Final = 40
"""Frames kept of one traceback: the innermost ones, where the failure is."""

_WALKED: Final = 2000
_NAME: Final = 500
"""Characters of a file's or a function's name; code that was made at run time may have any."""
_CACHED: Final = 4096
_FOREIGN: Final = ("site-packages", "dist-packages", "<frozen ")
_COMPILED: Final = (".pyx", ".pxi", ".pxd")
"""Files of Cython, whose frames hold nothing, and are named by where it was built."""
_NOT_THE_APP: Final = (
    # A frozen application may have no file for it. Strings, since these are compared with code objects'.
    os.path.dirname(getattr(os, "__file__", __file__)),  # noqa: PTH120
    os.path.dirname(__file__),  # noqa: PTH120
)

# By id, since hashing a code object hashes its constants; the code is kept so that no other gets its id.
_frames: dict[tuple[int, int], tuple[CodeType, Frame]] = {}


def frames_of(traceback: TracebackType | None) -> tuple[Frame, ...]:
    """The frames from the outermost to the one that raised, at most `LIMIT` of the innermost."""
    frames: list[Frame] = []
    known_of, keep = _frames.get, frames.append
    while traceback is not None and len(frames) < _WALKED:
        code = traceback.tb_frame.f_code
        known = known_of((id(code), traceback.tb_lasti))
        keep(known[1] if known else _made(traceback, code))
        traceback = traceback.tb_next
    return tuple(frames[-LIMIT:])


def raised_in(traceback: TracebackType | None) -> list[FrameType]:
    """The innermost frames, as long as they are of the one library that raised it; none of the app's."""
    frames: list[FrameType] = []
    while traceback is not None and len(frames) < _WALKED:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    package = _package(frames[-1]) if frames else None
    return [
        *takewhile(
            lambda frame: _package(frame) == package and not is_in_app(frame.f_code.co_filename),
            reversed(frames[-LIMIT:]),
        )
    ]


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def _made(link: TracebackType, code: CodeType) -> Frame:
    if len(_frames) >= _CACHED:
        _frames.clear()
    file = code.co_filename
    frame = Frame(_shown(file)[-_NAME:], link.tb_lineno, _function(link)[-_NAME:], is_in_app(file))
    _frames[id(code), link.tb_lasti] = code, frame
    return frame


def _shown(file: str) -> str:
    """Where it is below what it is imported from; of what is below nothing, the last two parts.

    The rest says where that is on this machine, and whose.
    """
    if file.startswith("<"):
        return file
    path = file.replace("\\", "/")
    roots = [f"{root}".replace("\\", "/").rstrip("/") + "/" for root in sys.path]
    root = max((root for root in roots if root != "/" and path.startswith(root)), key=len, default="")
    return path[len(root) :] if root else "/".join(path.split("/")[-2:])


def _function(link: TracebackType) -> str:
    module = link.tb_frame.f_globals.get("__name__")
    name = link.tb_frame.f_code.co_qualname
    return f"{module}.{name}" if isinstance(module, str) else name


def is_in_app(file: str) -> bool:
    if file.startswith(_NOT_THE_APP) or file.endswith(_COMPILED):
        return False
    return not any(mark in file for mark in _FOREIGN)


def is_from_text(file: str) -> bool:
    """Whether code was made of a text while the program ran."""
    return file.startswith("<") and not file.startswith("<frozen ")


def is_transparent(file: str) -> bool:
    """Whether what its frames were given is only known by who called them."""
    return file.endswith(_COMPILED) or is_from_text(file)
