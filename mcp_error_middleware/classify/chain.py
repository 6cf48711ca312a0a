"""Exception in, the links of its chain out."""

import reprlib
import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final, NamedTuple

from mcp_error_middleware.model import Relation

LINKS: Final = 50
"""How many links of a chain are kept."""
HOPS: Final = 10_000
"""How far a longer chain is followed to find its root."""
TEXT: Final = 4_000
"""How many characters of a message are read."""

# Straight from the C slots: a subclass cannot lie about these, and reading them runs no foreign code.
_cause: Callable[[BaseException], BaseException | None] = BaseException.__dict__["__cause__"].__get__
context_of: Callable[[BaseException], BaseException | None] = BaseException.__dict__["__context__"].__get__
is_suppressed: Callable[[BaseException], bool] = BaseException.__dict__["__suppress_context__"].__get__
args_of: Callable[[BaseException], tuple[Any, ...]] = BaseException.__dict__["args"].__get__
state_of: Callable[[BaseException], dict[str, Any]] = BaseException.__dict__["__dict__"].__get__
traceback_of: Callable[[BaseException], TracebackType | None] = BaseException.__dict__[
    "__traceback__"
].__get__
mro_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_members: Callable[[BaseException], tuple[BaseException, ...]] = BaseExceptionGroup.__dict__[
    "exceptions"
].__get__


def cause_of(exc: BaseException) -> BaseException | None:
    """What it was raised from; `raise error from error` says nothing, and hides what was there before."""
    cause = _cause(exc)
    return context_of(exc) if cause is exc else cause


def behind(exc: BaseException) -> BaseException | None:
    """What it was raised from, or else what was being handled, as Python would show it."""
    cause = cause_of(exc)
    return cause if cause is not None or is_suppressed(exc) else context_of(exc)


def tracebacks_of(exc: BaseException) -> Iterator[TracebackType]:
    """Where it passed, from the outermost; not further than anybody looks."""
    traceback, left = traceback_of(exc), _WALKED
    while traceback is not None and left:
        yield traceback
        traceback, left = traceback.tb_next, left - 1


def innermost(exc: BaseException) -> TracebackType | None:
    """Where it was raised; none where that is too deep."""
    traceback, left = traceback_of(exc), _WALKED
    while traceback is not None and left:
        if (inner := traceback.tb_next) is None:
            return traceback
        traceback, left = inner, left - 1
    return None


_WALKED: Final = 2_000


class Link(NamedTuple):
    """One exception of a chain, and how it came to be there."""

    exc: BaseException
    relation: Relation = "raised"
    depth: int = 0


def walk(exc: BaseException, limit: int = LINKS) -> Iterator[Link]:
    """The chain, raised first, each exception once: members of a group, then the cause or else the context.

    A suppressed context is listed and marked. Of a chain longer than `limit` the first links and the root
    are kept.
    """
    seen: set[int] = set()
    waiting = [Link(exc)]
    while waiting:
        link = waiting.pop()
        if (key := id(link.exc)) in seen:
            continue
        below = _below(link)
        seen.add(key)
        if len(seen) >= limit:
            yield _root(below[0], seen) if below else link
            return
        yield link
        waiting += below


def members_of(exc: BaseException) -> tuple[BaseException, ...]:
    """The exceptions of a group; empty for any other exception."""
    return _members(exc) if issubclass(type(exc), BaseExceptionGroup) else ()


def _below(link: Link) -> list[Link]:
    """What hangs from a link, the last to be visited first."""
    exc, _, depth = link
    found = []
    if (cause := cause_of(exc)) is not None:
        found.append(Link(cause, "cause", depth + 1))
    elif (context := context_of(exc)) is not None:
        found.append(Link(context, "suppressed" if is_suppressed(exc) else "context", depth + 1))
    if issubclass(type(exc), BaseExceptionGroup):
        # Of thousands, no more than can be kept.
        found += [Link(member, "member", depth + 1) for member in reversed(_members(exc)[:LINKS])]
    return found


def _root(link: Link, seen: set[int]) -> Link:
    exc, relation, depth = link
    visited = set(seen)
    for _ in range(HOPS):
        visited.add(id(exc))
        cause = cause_of(exc)
        below = cause if cause is not None else context_of(exc)
        if below is None or id(below) in visited:
            break
        exc, relation, depth = below, "cause" if cause is not None else "context", depth + 1
    return Link(exc, relation, depth)


# --- names and texts ---------------------------------------------------------------------------

_NAME: Final = 500
"""Characters of a class's name; one that was made at run time may have any."""
_NAMES: dict[type, str] = {}
_NAMES_KEPT: Final = 4096


def qualified_name(cls: type) -> str:
    """`httpx.ConnectTimeout`; without the module for builtins."""
    try:
        if (name := _NAMES.get(cls)) is None:
            if len(_NAMES) >= _NAMES_KEPT:
                _NAMES.clear()
            name = _NAMES[cls] = _qualified(cls)
        return name
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - a metaclass is foreign code too
        return _name_of(cls)


_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
_qualname_of: Callable[[type], str] = type.__dict__["__qualname__"].__get__
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__


def _qualified(cls: type) -> str:
    module = _module_of(cls)
    known = issubclass(type(module), str) and module != "builtins"
    name = f"{module}.{_qualname_of(cls)}" if known else _qualname_of(cls)
    return name[:_NAME]


def safe_str(exc: BaseException, limit: int = TEXT) -> str:
    """The first `limit` characters of `str(exc)`, whatever its author did to `__str__`."""
    try:
        text = _plain(exc)
        if type(text) is str and len(text) <= limit:
            return text
        # Slicing through `str` itself: a subclass may lie about its length and its parts.
        return str.__getitem__(text, slice(0, limit))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - foreign code
        return f"<{qualified_name(type(exc))}: unprintable>"


_own_text: Callable[[BaseException], str] = BaseException.__str__


def _plain(exc: BaseException) -> str:
    """`str(exc)`, without writing out a large structure only to cut it."""
    args = args_of(exc)
    if type(exc).__str__ is not _own_text or not args:
        return str(exc)
    if len(args) == 1:
        return args[0] if type(args[0]) is str else _shown(args[0])
    brief = _Brief()
    return "(" + ", ".join(brief.repr(arg) for arg in args[:20]) + ")"


def _shown(value: object) -> str:
    kind = type(value)
    if issubclass(kind, str):
        return value  # type: ignore[return-value]
    if issubclass(kind, dict | list | tuple | set | frozenset | bytes | bytearray):
        return _Brief().repr(value)
    return str(value)


class _Brief(reprlib.Repr):
    """Bounded in all, too: forty in each of forty, five levels deep, are a hundred million."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 5
        self.maxdict = self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = 40
        self.maxstring = self.maxother = 1000
        self.room = TEXT

    def repr1(self, x: object, level: int) -> str:
        self.room -= 1
        return super().repr1(x, level) if self.room > 0 else "..."

    def repr_bytes(self, x: bytes | bytearray, level: int) -> str:
        return self.repr_instance(x[: self.maxother], level)

    repr_bytearray = repr_bytes


def is_stop(exc: BaseException) -> bool:
    """Whether what foreign code raised goes on up: the user's Ctrl-C, the cancellation of this very task."""
    return any(issubclass(type(one), KeyboardInterrupt) or _is_cancelling(one) for one in together(exc))


def together(exc: BaseException) -> Iterator[BaseException]:
    """The exception and all that are in it, each once: groups may share members, thousands deep."""
    seen: set[int] = set()
    waiting = [exc]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += members_of(one)


def _is_cancelling(exc: BaseException) -> bool:
    """Another task's cancellation may leak out of a future; nobody asked this one to stop."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None or not issubclass(type(exc), asyncio.CancelledError):
        return False
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0
