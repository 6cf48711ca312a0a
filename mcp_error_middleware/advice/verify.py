"""A tool that writes in, the tool that shows what it wrote out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.advice.nearest import words

READS: Final = frozenset(
    "browse calculate check compare count describe diff download estimate exists explain export fetch find "
    "get has head inspect is list locate lookup ls measure peek preview query read resolve retrieve scan "
    "search select show stat status summarize summarise tail test validate verify view watch which".split()
)
"""Verbs by which a tool says that it only looks."""

_WRITES: Final = frozenset(
    "add append apply approve archive assign buy cancel clear close copy create delete deploy disable drop "
    "edit enable execute grant import insert install invite invoke launch merge modify move notify patch pay "
    "place publish push put refund register reject remove rename replace reset restart revoke run save send "
    "set ship start stop submit subscribe trigger update upload upsert write".split()
)
_EITHER: Final = frozenset("book charge commit order post release schedule transfer".split())
"""Verbs in front, things elsewhere."""
_IDS: Final = frozenset("id key name number ref uuid value".split())
_TOOLS: Final = 500


@lru_cache(maxsize=1024)
def reads(name: str) -> bool:
    """Whether a tool that says nothing about its effects is named like one that only looks."""
    parts = words(name)
    if not parts or parts[0] in _EITHER:
        return False
    return next((part for part in parts if part in READS or part in _WRITES), None) in READS


def verifier(tool: str, arguments: Iterable[str], tools: Mapping[str, Any]) -> str | None:
    """Of these tools (name to input schema) the one that looks at what `tool` works on.

    What it works on is in its name, or, of a `pay` or `send`, in the names of its arguments.
    """
    fields = frozenset(arguments)
    about = _nouns(tool) or frozenset().union(*map(_nouns, fields)) - _IDS
    scored = (
        (_fit(about, fields, name, schema), name)
        for name, schema in islice(tools.items(), _TOOLS)
        if name != tool and reads(name)
    )
    best = max(scored, default=((0, 0, 0), ""))
    return best[1] if best[0][0] else None


def _fit(about: frozenset[str], fields: frozenset[str], name: str, schema: Any) -> tuple[int, int, int]:
    """How much two tools have in common: nouns first, then arguments, then no more words than needed."""
    nouns = _nouns(name)
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    shared = fields & frozenset(properties if isinstance(properties, Mapping) else ())
    return len(about & nouns), len(shared), -len(nouns)


@lru_cache(maxsize=1024)
def _nouns(name: str) -> frozenset[str]:
    return frozenset(_singular(word) for word in words(name) if word not in READS and word not in _WRITES)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
