"""The package in, every pattern it compiles out; a pattern in, the texts it would find hardest out."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import mcp_error_middleware
from mcp_error_middleware.classify import names
from mcp_error_middleware.classify.patterns import TABLES
from mcp_error_middleware.classify.patterns.phrases import compiled

# As `re` itself reads a pattern; typeshed does not know it.
parser: Any = importlib.import_module("re._parser")

OTHER_LINE = frozenset({"mcp_error_middleware.adapters.mcp_v1", "mcp_error_middleware.__main__"})
"""Needs the older SDK; and the command itself."""

_LONG = 16
"""Repetitions from which a text can be made long by them."""


# --- every pattern ------------------------------------------------------------------------------


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(mcp_error_middleware.__path__, "mcp_error_middleware."):
        if found.name not in OTHER_LINE:
            yield importlib.import_module(found.name)


def every_pattern() -> dict[str, re.Pattern[Any]]:
    """By where each was found first; those that are compiled on demand too."""
    places = {
        f"{module.__name__}.{name}": value for module in modules() for name, value in vars(module).items()
    }
    places["classify.names"] = names._compiled()
    places["classify.patterns"] = [compiled(table) for table in TABLES]
    found: dict[tuple[object, int], tuple[str, re.Pattern[Any]]] = {}
    for where, value in places.items():
        for pattern in _inside(value):
            found.setdefault((pattern.pattern, pattern.flags), (where, pattern))
    return {f"{where} {source!r:.60}": pattern for (source, _), (where, pattern) in found.items()}


def _inside(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif type(value).__name__ == "_Lazy":
        yield re.compile(value.pattern, value.flags)
    elif depth < 5 and isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from _inside(item, depth + 1)
    elif depth < 5 and isinstance(value, dict):
        yield from _inside(list(value.values()), depth)
    elif depth < 5 and is_dataclass(value) and not isinstance(value, type):
        yield from _inside([getattr(value, field.name, None) for field in fields(value)], depth)


# --- what it would find hardest -----------------------------------------------------------------


def hard_texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """For each repetition: what leads to it, what it repeats, many times, and an end that does not fit."""
    tree = parser.parse(
        pattern.pattern, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    )
    for before, body in _repeats(list(tree)):
        unit = _sample(body) or "a"
        yield before + unit * (length // len(unit)) + "\x00"
        whole = before + unit * 3
        yield whole * (length // len(whole)) + "\x00"


def _repeats(nodes: list[Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Every long repetition, with a text that matches up to it."""
    for node in nodes:
        kind, value = str(node[0]), node[1]
        if kind.endswith("REPEAT"):
            if value[1] >= _LONG:
                yield before, value[2]
            yield from _repeats(list(value[2]), before)
        elif kind == "SUBPATTERN":
            yield from _repeats(list(value[-1]), before)
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from _repeats(list(branch), before)
        before += _sample([node])


def _sample(nodes: Any) -> str:
    """A text these nodes match; what only looks around takes none."""
    return "".join(_of(str(kind), value) for kind, value in nodes)


def _of(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind in ("NOT_LITERAL", "ANY"):
        return "b" if value == ord("a") else "a"
    if kind == "IN":
        return _member(value)
    if kind.endswith("REPEAT"):
        return _sample(value[2]) * int(max(value[0], min(1, value[1])))
    if kind == "SUBPATTERN":
        return _sample(value[-1])
    if kind == "ATOMIC_GROUP":
        return _sample(value)
    return _sample(value[1][0]) if kind == "BRANCH" else ""


def _member(items: Any) -> str:
    """A character of a set: as ordinary a one as there is."""
    source = "".join(_class_item(str(kind), value) for kind, value in items)
    matcher = re.compile(f"[{source}]")
    return next((char for char in "a0A -_./:=@'\"\n\x1b\u0430\ud800\u200b" if matcher.match(char)), "a")


_CATEGORIES = {
    "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W", "CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s", "CATEGORY_NOT_SPACE": r"\S",
}  # fmt: skip


def _class_item(kind: str, value: Any) -> str:
    if kind == "NEGATE":
        return "^"
    if kind == "RANGE":
        return f"{_code(value[0])}-{_code(value[1])}"
    return _CATEGORIES[str(value)] if kind == "CATEGORY" else _code(value)


def _code(value: int) -> str:
    return rf"\U{value:08x}"
