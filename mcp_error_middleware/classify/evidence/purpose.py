"""Builtin exception in, what it was raised on purpose to say out: by who raised it, and in what words.

A type alone may mislead both ways. Much that says `KeyError` is no slip but the refusal of a library that was
asked for what it does not have; some that says `ValueError` is about no value but what the code itself wrote.
"""

from __future__ import annotations

import os
import re
from dis import opname
from functools import lru_cache
from types import CodeType, TracebackType
from typing import Final

from mcp_error_middleware.classify.chain import args_of, behind, context_of, innermost, tracebacks_of
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.access import read
from mcp_error_middleware.classify.patterns.status import status_in
from mcp_error_middleware.taxonomy import ErrorCode

SLIPS: Final = tuple(
    """
    AssertionError AttributeError KeyError LookupError NameError NotImplementedError OverflowError SyntaxError
    TypeError
    """.split()
)
"""Builtins of slips in which somebody may have spoken on purpose."""


def refusal(exc: BaseException, slip: str) -> Clue | None:
    """What a library, or Python itself, refused by raising this builtin or a child of it."""
    text = _sentence(exc, slip)
    if text is None:
        return None
    if slip == "OverflowError":
        return _clue(ErrorCode.VALIDATION_ERROR, slip) if re.search(_NUMBER, text) else None
    is_type = slip == "TypeError"
    if is_type and not re.search(_UNSET, text):
        return None
    if slip == "AssertionError" and not re.search(_ANSWERED, text):
        return None
    raised = innermost(exc)
    if raised is None:
        return None
    if slip == "SyntaxError":
        return _clue(ErrorCode.INTERNAL_ERROR, slip) if _is_imported(exc, raised) else None
    if not is_raised(raised):
        is_lookup = slip in ("KeyError", "LookupError") and _operation(raised) not in _SUBSCRIPTS
        if text.startswith("unknown encoding: "):
            return _clue(ErrorCode.VALIDATION_ERROR, slip)
        return _clue(ErrorCode.NOT_FOUND, slip) if is_lookup and re.search(_MISSING, text) else None
    if not is_installed(raised.tb_frame.f_code.co_filename):
        # Nothing but a `raise` makes one of this very type.
        return _clue(ErrorCode.NOT_FOUND, slip) if type(exc) is LookupError else None
    if is_type:
        return _clue(ErrorCode.CONFIGURATION_ERROR, slip)
    if slip == "AssertionError":
        return status_in(text.lower())
    code = _refused(exc, slip, text, raised.tb_frame.f_code)
    return _clue(code, slip) if code else None


def program_clue(exc: BaseException) -> Clue | None:
    """Whether a bad value was found by a part of the standard library that only code hands values to, or is
    a slip of the program repeated.
    """
    if (slip := _repeated(exc)) is not None:
        return _clue(ErrorCode.INTERNAL_ERROR, slip)
    raised = innermost(exc)
    if raised is None:
        return None
    code, module = raised.tb_frame.f_code, raised.tb_frame.f_globals.get("__name__")
    if type(module) is not str or not _is_for_code(module) or code.co_name in _ASKED:
        return None
    text = _text(exc)
    if text is None or not is_raised(raised) or not any(part in text for part in _said_in(code)):
        return None
    return _clue(ErrorCode.INTERNAL_ERROR, module)


def _repeated(exc: BaseException) -> str | None:
    """The kind of slip that was being handled, if a bad value says no more than it: `failed: {error}`.

    A key or a number that did not do is often put in the caller's words so; and code that has no file may be
    the caller's.
    """
    inner = behind(exc)
    if inner is None or (kind := type(inner)) not in _REPEATED:
        return None
    said, raised = _text(inner), innermost(inner)
    if said is None or raised is None or raised.tb_frame.f_code.co_filename.startswith("<"):
        return None
    is_slip = _operation(raised) in _ATTRIBUTES or re.search(_OF_THE_INTERPRETER, said) is not None
    return kind.__name__ if is_slip and said in (_text(exc) or "") else None


_ATTRIBUTES: Final = frozenset({"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"})
"""Operations that fail by an attribute that is written in the code; `getattr` is a call."""
_REPEATED: Final = (AttributeError, NameError, TypeError, UnboundLocalError)
_OF_THE_INTERPRETER: Final = (
    r"^'NoneType' object |\btype 'NoneType'|\bunexpected keyword argument"
    r"|\brequired (?:positional|keyword-only) arg"
    r"|\btakes (?:no|\d+|from \d+ to \d+) (?:positional )?arguments?\b"
    r"|^name '\w+' is not defined|^cannot access (?:local|free) variable "
)


@lru_cache(maxsize=512)
def _is_for_code(module: str) -> bool:
    return re.match(_FOR_CODE, module) is not None


_FOR_CODE: Final = (
    r"(?:_?threading(?:_local)?|abc|asyncio|collections|concurrent|contextlib|copyreg|ctypes|dataclasses|enum"
    r"|functools|inspect|logging(?!\.config)|multiprocessing|operator|queue|sched|selectors|signal|socketserver"
    r"|subprocess|types|typing|unittest|warnings|weakref)(?:\.|$)"
)
_ASKED: Final = frozenset({"__new__", "_missing_", "readline"})
"""Functions in those which do look at a value from elsewhere: the member of an enum, a line that came in."""


def _refused(exc: BaseException, slip: str, text: str, code: CodeType) -> ErrorCode | None:
    if slip == "LookupError":
        return ErrorCode.NOT_FOUND
    if code.co_filename.endswith(_OF_SETTINGS):
        return ErrorCode.CONFIGURATION_ERROR
    parts = _said_in(code)
    if not any(part in text for part in parts):
        return None
    is_value = re.search(_VALUE, text) is not None
    if slip == "KeyError":
        if re.search(_OF_A_TABLE, text):
            return None
        return ErrorCode.VALIDATION_ERROR if is_value else ErrorCode.NOT_FOUND
    if not is_value or text in code.co_consts or re.search(_OF_CODE, text):
        return None  # it names nothing that was given, or a part of the code
    if issubclass(type(context_of(exc)), AttributeError) and slip == "AttributeError":
        return None  # the same slip in other words
    return ErrorCode.VALIDATION_ERROR


_UNSET: Final = (
    r"(?i)\b(?:api[_ -]?key|auth[_ -]?token|credentials?)\b.{0,80}\b(?:to|must) be (?:set|provided)\b"
)
"""What a client says that was given nothing to sign in with."""
_ANSWERED: Final = r"[Ss]tatus code\b|\bHTTP (?:error|status)\b"
"""What a client says that asserts which answer it got."""
_NUMBER: Final = (
    r"(?i)\btoo (?:large|big|small) to convert\b|\bconvert (?:float|negative|infinity)\b|\bout of range\b"
    r"|\b(?:greater|less|larger|smaller) than (?:the )?(?:maximum|minimum)\b|\binto an index-sized integer\b"
    r"|\bmust have magnitude\b|\bnot (?:fit|in range)\b"
)
"""Python's words for a number that no code made so large."""
_MISSING: Final = (
    r"(?i)\bnot found\b|\b(?:does not|doesn't) exist\b|\bno such\b|^unknown \w+(?: \w+)*:"
    r"|\bundefined \w+ name\b"
)
"""What a function that was not written in Python says of a name it looked up."""
_VALUE: Final = (
    r"(?i)\b(?:invalid|unknown|unsupported|unrecogni[sz]ed|malformed|illegal)\b"
    r"|\bnot (?:supported|available|valid)\b|\bexpected one of\b"
    r"|\b(?:cannot|can't|unable to) handle\b|\bmust be one of\b|\bdid you mean\b"
)
_OF_A_TABLE: Final = r"(?i)\b(?:column|index|axis|axes|label|level|dtype|dimension|variable|coordinate)s?\b"
_OF_CODE: Final = (
    r"(?i)attribut|method|propert|accessor|function|\bobject\b|\bmodule\b|subclass|implement|overrid|abstract"
    r"|\bplatform|\bbackend"
)


_OF_SETTINGS: Final = ("config.py", "settings.py", "environ.py")
"""Files that read how a program was set up."""


def _clue(code: ErrorCode, detail: str) -> Clue:
    return Clue(code, Weight.FIRM, "purpose", detail)


# --- who raised it -----------------------------------------------------------------------------


def is_raised(traceback: TracebackType) -> bool:
    """Whether a `raise` was running there, and no operation or function of C that failed."""
    return _operation(traceback) == "RAISE_VARARGS"


def _is_imported(exc: BaseException, raised: TracebackType) -> bool:
    """Whether a part of the program was being loaded there.

    Python hides how from what is told of it, unless somebody reads what is imported in its place.
    """
    if _operation(raised) == "IMPORT_NAME":
        return True
    names = (link.tb_frame.f_globals.get("__name__") for link in tracebacks_of(exc))
    return any(str(name).startswith("importlib.") for name in names)


def _operation(traceback: TracebackType) -> str:
    code, at = traceback.tb_frame.f_code.co_code, traceback.tb_lasti
    return opname[code[at]] if 0 <= at < len(code) else ""


_SUBSCRIPTS: Final = frozenset({"BINARY_SUBSCR", "DELETE_SUBSCR", "BINARY_OP"})
"""Operations that fail by naming the key, which may be a sentence itself."""
_INSTALLED: Final = r"^<frozen |[/\\](?:site|dist)-packages[/\\]|^" + re.escape(
    os.__file__.removesuffix("os.py")
)


@lru_cache(maxsize=512)
def is_installed(path: str) -> bool:
    """Whether a file is the standard library's or an installed package's."""
    return re.search(_INSTALLED, path) is not None


# --- in what words -----------------------------------------------------------------------------


def _sentence(exc: BaseException, slip: str) -> str | None:
    """What it says, unless it is no sentence, or the interpreter's own about a name."""
    if slip in ("AttributeError", "NameError") and read(exc, "name") is not None:
        return None
    text = _text(exc)
    return text if text is not None and (" " in text or slip == "LookupError") else None


def _text(exc: BaseException) -> str | None:
    args = args_of(exc)
    return args[0][:_LENGTH] if args and type(args[0]) is str else None


_LENGTH: Final = 2_000
_HOLE: Final = r"%[-#0-9.]*[srdxf]|\{[^{}]*\}"
"""Where a text has room for a value."""


@lru_cache(maxsize=256)
def _said_in(code: CodeType) -> tuple[str, ...]:
    """The longer pieces of text that a function is written with: what it says, it says in one of them."""
    texts = (const for const in code.co_consts if type(const) is str)
    pieces = (piece.strip() for text in texts for piece in re.split(_HOLE, text))
    return tuple(piece for piece in pieces if len(piece) >= _SAYING)


_SAYING: Final = 8
