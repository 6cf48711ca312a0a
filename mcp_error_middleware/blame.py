"""Verdict and arguments in, the argument that what looks like a failure of the code is about out.

What a store, a parser or a library says of a text, a key or an array is the code's to answer for, unless the
caller sent the very thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcp_error_middleware.advice import Around, computed, lacking, looked_up, misfit, quoted, refused, unread
from mcp_error_middleware.classify import Link, args_of, safe_str, state_of, traceback_of, walk
from mcp_error_middleware.classify.chain import innermost
from mcp_error_middleware.classify.evidence.purpose import is_raised
from mcp_error_middleware.classify.types import BUGS
from mcp_error_middleware.frames import is_from_text, raised_in
from mcp_error_middleware.handed import handed
from mcp_error_middleware.model import Cause, Verdict
from mcp_error_middleware.taxonomy import ErrorCode

OF_ANYBODY: Final = frozenset(
    {ErrorCode.DATABASE_ERROR, ErrorCode.INTERNAL_ERROR, ErrorCode.SERIALIZATION_ERROR}
)
"""What may be said of a text, a key or an array, whoever sent it."""

_STATES: Final = frozenset({"sqlstate", "sqlite"})
"""Evidence that says of what kind a data store's trouble is."""
_LOOKUPS: Final = frozenset({"IndexError", "KeyError"})
"""Slips of code, unless they are a library's word for what the caller asked for."""
_SAID_SO: Final = frozenset({"explicit", "rule", "contract"})
"""Evidence that is somebody's word."""


def lacked(verdict: Verdict, exc: BaseException, around: Around) -> str | None:
    """The argument that the tool's schema requires, where a bug is that it was not given."""
    evidence = verdict.evidence
    if evidence is None or evidence.source in _SAID_SO:
        return None
    if not (missing := lacking(around.schema, around.arguments)):
        return None
    text = safe_str(exc)
    return next((name for name in missing if repr(name) in text), None)


def blamed(verdict: Verdict, exc: BaseException, causes: Iterable[Cause], arguments: object) -> str | None:
    """The argument that was not read, was not there or did not fit."""
    evidence = verdict.evidence
    if evidence is None or evidence.source in _SAID_SO:
        return None
    held = map(_held, walk(exc))
    match verdict.code:
        case ErrorCode.DATABASE_ERROR:
            state = evidence.detail if evidence.source in _STATES else None
            return refused((cause.message for cause in causes), arguments, held, state)
        case ErrorCode.SERIALIZATION_ERROR:
            return unread(held, arguments)
        case ErrorCode.INTERNAL_ERROR if evidence.detail in BUGS:
            return _asked(exc, arguments) or _computed(exc, arguments)
        case ErrorCode.INTERNAL_ERROR if issubclass(type(exc), ValueError):
            if evidence.source == "purpose":  # of a library that code alone hands values to, mostly its own
                return quoted(safe_str(exc), arguments)
            return misfit(safe_str(exc), arguments, _held(Link(exc))[1])
        case _:
            return None


def _asked(exc: BaseException, arguments: object) -> str | None:
    """The argument that a library did not have, or refused by its value."""
    chain = [link.exc for link in walk(exc)]
    name = looked_up((key for each in chain for key in _missed(each)), arguments)
    said = (safe_str(each) for each in chain if _is_refused(each))
    return name or next(filter(None, (quoted(text, arguments) for text in said)), None)


def _computed(exc: BaseException, arguments: object) -> str | None:
    return computed((hand for link in walk(exc) for hand in _computing(link)), arguments)


def _held(link: Link) -> tuple[Iterable[object], Iterable[Iterable[object]]]:
    """What an exception was made with, and what is in the hands of the library that raised it, or was handed
    to one that has no frames.
    """
    exc = link.exc
    kept = (*args_of(exc), *state_of(exc).values())
    held = (frame.f_locals.values() for frame in raised_in(traceback_of(exc)))
    return kept, (*held, handed(exc))


def _computing(link: Link) -> Iterable[Iterable[object]]:
    """What those held who computed what somebody wrote, and a slip is of that."""
    last = innermost(link.exc)
    if last is not None and is_from_text(last.tb_frame.f_code.co_filename):
        return (handed(link.exc),)
    return _held(link)[1] if issubclass(type(link.exc), ArithmeticError | NameError) else ()


def _missed(exc: BaseException) -> Iterable[object]:
    """What a library did not have, and the app asked it for."""
    if type(exc).__name__ not in _LOOKUPS or not (frames := raised_in(traceback_of(exc))):
        return ()
    code, values = frames[0].f_code, frames[0].f_locals
    asked = code.co_varnames[1:2] if code.co_name == "__getitem__" else ()
    return (*args_of(exc)[:1], *(values[name] for name in asked if name in values))


def _is_refused(exc: BaseException) -> bool:
    """Whether a library raised a slip on purpose; those of types are of code, and name types."""
    name = type(exc).__name__
    if name not in BUGS or name == "TypeError" or (last := innermost(exc)) is None:
        return False
    return is_raised(last) and bool(raised_in(traceback_of(exc)))
