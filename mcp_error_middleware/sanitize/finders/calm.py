"""Text in, whether any finder could find something in it out: what is asked before they are."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.sanitize.finders import (
    assignments,
    children,
    credentials,
    hosts,
    logins,
    sql,
    tokens,
    traces,
)
from mcp_error_middleware.sanitize.finders.hosts import machines
from mcp_error_middleware.sanitize.spans import View

_LOUD: Final = (assignments.SPOKEN | credentials.SPOKEN) - assignments.STRINGS
"""Words that a finder asks for whatever else is in the text."""
_QUIET: Final = b"'\":()-[]<>=`*+|~^\n\t"


def is_calm(view: View) -> bool:
    """Whether there is nothing in the text that anything a finder looks for could begin with, but a token."""
    marks, digits = view.marks, view.digits
    if (marks and marks.translate(None, _QUIET)) or (view.spoken and _is_loud(view)):
        return False
    if not (marks or digits):
        return True
    if digits and tokens.has_famous(view.lower):
        return False
    if digits > 3 and (b"0.0" in view.shape or (digits > 6 and view.has_number)):
        return False
    return not (marks and _stirs(view)) and not assignments.has_stem(view.lower)


def _is_loud(view: View) -> bool:
    """Whether there are words that make a finder look, alone or with what is beside them."""
    spoken = view.spoken
    if not _LOUD.isdisjoint(spoken) or view.has_beside(hosts.ASKED) or view.has_beside(sql.ASKED):
        return True
    return (
        (not assignments.STRINGS.isdisjoint(spoken) and "str" in view.lower)
        or sql.has_statement(view)
        or (view.digits > 0 and view.speaks_of(logins.ASKED) and logins.has_long_word(view.shape))
    )


def _stirs(view: View) -> bool:
    """Whether the marks of the text are put together as something is that a finder looks for."""
    text, marks = view.text, view.marks
    return (
        view.has_place
        or b"('" in marks
        or "header value" in text
        or b'("' in marks
        or (b":" in marks and (marks.count(b":") > 3 or "::" in text))
        or (b"-" in marks and (credentials.has_option(text) or machines.has_machine(view)))
        or (b"(" in marks and "CALL " in text)
        or (b"=" in marks and (";" in text or "?" in text))
        or (
            b"\n" in marks
            and (":in " in text or children.MANIFEST in view.lower or view.has_beside(traces.ASKED))
        )
    )
