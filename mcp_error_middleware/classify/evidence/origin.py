"""Exception in, what was being done when it was raised out: by the innermost frames of its traceback."""

from __future__ import annotations

from types import FrameType
from typing import Final

from mcp_error_middleware.classify.chain import innermost, tracebacks_of
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import read
from mcp_error_middleware.classify.evidence.purpose import is_installed
from mcp_error_middleware.taxonomy import ErrorCode

_NEAR: Final = 3
"""Frames from the one that raised it on outwards."""

_SETTINGS: Final = "pydantic_settings"
_UNFIT: Final = "pydantic_core._pydantic_core.ValidationError"


def is_of_a_program(exc: BaseException) -> bool:
    """Whether it was raised because a program could not be started, and not for the folder to start it in."""
    raised = innermost(exc)
    if raised is None:
        return False
    frame = raised.tb_frame
    if frame.f_code.co_name != "_execute_child" or _module(frame) != "subprocess":
        return False
    return bool(read(exc, "filename") != frame.f_locals.get("cwd"))


def is_of_the_environment(exc: BaseException) -> bool:
    """Whether it was raised because a variable of the environment, or of a settings file, is not set."""
    raised = innermost(exc)
    if raised is None:
        return False
    return raised.tb_frame.f_code.co_name == "__getitem__" and _module(raised.tb_frame) in _OF_SETTINGS


def is_of_an_answer(exc: BaseException) -> bool:
    """Whether what did not read was an answer that a client was asked for: `response.json()`."""
    codes = (link.tb_frame.f_code for link in tracebacks_of(exc))
    return any(code.co_name == "json" and is_installed(code.co_filename) for code in codes)


_OF_SETTINGS: Final = frozenset({"configparser", "os"})


def settings_clue(exc: BaseException, bases: frozenset[str]) -> Clue | None:
    """Whether what did not validate, or was not there, were the settings of the server."""
    if "KeyError" in bases and is_of_the_environment(exc):
        return Clue(ErrorCode.CONFIGURATION_ERROR, Weight.FIRM, "origin", "a setting")
    if _UNFIT not in bases or all(_module(frame).partition(".")[0] != _SETTINGS for frame in _frames(exc)):
        return None
    return Clue(ErrorCode.CONFIGURATION_ERROR, Weight.FIRM, "origin", _SETTINGS)


def _frames(exc: BaseException) -> list[FrameType]:
    """The innermost ones, the one that raised it first."""
    return [link.tb_frame for link in tracebacks_of(exc)][: -_NEAR - 1 : -1]


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))
