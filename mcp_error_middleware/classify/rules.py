"""A user's own say about an exception, as callables."""

from __future__ import annotations

import re
from collections.abc import Callable

from mcp_error_middleware.classify.chain import qualified_name, safe_str
from mcp_error_middleware.model import Evidence, Rule, Verdict
from mcp_error_middleware.taxonomy import ErrorCode

Test = Callable[[BaseException], object]


def by_type(wanted: type[BaseException] | str, code: ErrorCode, *, retryable: bool | None = None) -> Rule:
    """Exceptions of this class or a subclass; a qualified name (`stripe.error.CardError`) needs no import."""
    if isinstance(wanted, str):
        name = wanted
        return _rule(
            lambda exc: any(qualified_name(base) == name for base in type(exc).__mro__), code, retryable, name
        )
    if not isinstance(wanted, type):
        raise TypeError(
            f"{wanted!r} is no class; use one, or its qualified name, and a rule for each of several"
        )
    cls = wanted
    return _rule(lambda exc: issubclass(type(exc), cls), code, retryable, qualified_name(cls))


def by_predicate(test: Test, code: ErrorCode, *, retryable: bool | None = None) -> Rule:
    """Exceptions for which the function returns something true."""
    if not callable(test):
        raise TypeError(f"{test!r} cannot be called; use a function that takes the exception")
    return _rule(test, code, retryable, getattr(test, "__name__", "predicate"))


def by_pattern(pattern: str | re.Pattern[str], code: ErrorCode, *, retryable: bool | None = None) -> Rule:
    """Exceptions in whose text the pattern is found, in any case."""
    try:
        compiled = re.compile(pattern, re.IGNORECASE) if isinstance(pattern, str) else pattern
    except re.error as error:
        raise ValueError(f"{pattern!r} is no pattern: {error}; re.escape() makes one of any text") from None
    if not isinstance(getattr(compiled, "pattern", None), str):
        raise TypeError(f"{pattern!r} finds nothing in text; use a text, or a compiled pattern of text")
    return _rule(lambda exc: compiled.search(safe_str(exc)), code, retryable, compiled.pattern)


def _rule(test: Test, code: ErrorCode, retryable: bool | None, detail: str) -> Rule:
    if not isinstance(code, ErrorCode):
        raise TypeError(f"{code!r} is no code; use a member of ErrorCode: {', '.join(ErrorCode.__members__)}")
    again = code.traits.retryable if retryable is None else retryable

    def rule(exc: BaseException) -> Verdict | None:
        if not test(exc):
            return None
        return Verdict(code, again, evidence=Evidence("rule", detail, code, qualified_name(type(exc))))

    return rule
