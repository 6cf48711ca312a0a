"""What property tests are fed with: exceptions as handlers raise them, payloads as they put into them.

@given(exceptions)
def test_every_error_is_answered(error): ...
"""

from __future__ import annotations

import asyncio
import builtins
from itertools import pairwise
from typing import Any, Final

from hypothesis import strategies as st

from mcp_error_middleware.errors import BY_CODE, McpError
from mcp_error_middleware.testing.hostile import Biting, Lying, Raising, Unprintable, cycle

__all__ = [
    "broken_text",
    "builtin_exceptions",
    "chains",
    "declared_errors",
    "exceptions",
    "groups",
    "hostile_exceptions",
    "hostile_values",
    "json_scalars",
    "json_values",
    "text",
]

# --- payloads -------------------------------------------------------------------------------------

text: st.SearchStrategy[str] = st.text(max_size=60)
"""Any text that UTF-8 can carry, newlines and control characters included."""

broken_text: st.SearchStrategy[str] = st.text(st.characters(), max_size=60)
"""Lone surrogates too."""

json_scalars: st.SearchStrategy[bool | int | float | str | None] = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
)
json_values: st.SearchStrategy[Any] = st.recursive(
    json_scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)
"""What JSON can say."""


hostile_values: st.SearchStrategy[Any] = st.recursive(
    json_scalars
    | broken_text
    | st.floats()
    | st.integers()
    | st.binary(max_size=8)
    | st.dates()
    | st.uuids()
    | st.decimals()
    | st.builds(Raising)
    | st.builds(cycle)
    | st.builds(object)
    | st.just(5_000).map(lambda digits: 10**digits),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(broken_text | st.integers() | st.none(), inner, max_size=3)
    ),
    max_leaves=5,
)
"""What JSON cannot say: bytes, NaN, cycles, objects that raise when looked at."""


# --- exceptions -----------------------------------------------------------------------------------

_UNMADE: Final = (BaseExceptionGroup, UnicodeError, KeyboardInterrupt)
"""Made otherwise, not made of a text, or never a handler's to raise."""

BUILTINS: Final = tuple(
    cls
    for cls in vars(builtins).values()
    if isinstance(cls, type) and issubclass(cls, Exception) and not issubclass(cls, (*_UNMADE, Warning))
)

builtin_exceptions: st.SearchStrategy[Exception] = st.builds(
    lambda cls, message: cls(message), st.sampled_from(BUILTINS), broken_text
)
"""Every class Python has, with any text."""

declared_errors: st.SearchStrategy[McpError] = st.builds(
    lambda cls, message, data: cls(message, data),
    st.sampled_from(list(BY_CODE.values())),
    broken_text,
    st.dictionaries(broken_text, hostile_values, max_size=3),
)
"""Our typed errors, with any data."""


def _looped(error: Exception) -> Exception:
    other = RuntimeError("the cause of its own cause")
    error.__cause__, other.__cause__ = other, error
    return error


hostile_exceptions: st.SearchStrategy[BaseException] = st.one_of(
    st.builds(Unprintable, broken_text),
    st.builds(Lying, broken_text),
    st.builds(Biting, broken_text),
    st.builds(RuntimeError, hostile_values),
    st.builds(lambda: RuntimeError("x" * 100_000)),
    builtin_exceptions.map(_looped),
    st.builds(asyncio.CancelledError),
    st.builds(SystemExit, st.integers(0, 3) | broken_text),
    st.builds(GeneratorExit),
)
"""What fights back, or would end a process that does not contain it."""


def chains(
    links: st.SearchStrategy[Any] = builtin_exceptions | declared_errors,
) -> st.SearchStrategy[BaseException]:
    """As `raise ... from ...` and `raise` in an `except` leave them, up to four deep."""
    return st.lists(st.tuples(links, st.booleans()), min_size=2, max_size=4).map(_chained)


def _chained(links: list[tuple[BaseException, bool]]) -> BaseException:
    for (error, is_cause), (other, _) in pairwise(links):
        if is_cause:
            error.__cause__ = other
        else:
            error.__context__ = other
    return links[0][0]


def groups(
    members: st.SearchStrategy[Any] = builtin_exceptions | declared_errors,
) -> st.SearchStrategy[BaseExceptionGroup[Any]]:
    """As task groups raise them, nested too."""
    many = st.lists(st.recursive(members, _grouped, max_leaves=4), min_size=1, max_size=3)
    return st.builds(BaseExceptionGroup, broken_text, many)


def _grouped(members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(BaseExceptionGroup, broken_text, st.lists(members, min_size=1, max_size=3))


exceptions: st.SearchStrategy[BaseException] = st.one_of(
    builtin_exceptions, declared_errors, chains(), groups(), hostile_exceptions
)
"""Anything a handler may raise."""
