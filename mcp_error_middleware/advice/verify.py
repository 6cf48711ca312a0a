"""A tool that writes in, the tool that shows what it wrote out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, Final

from mcp_error_middleware.advice.nearest import words

READS: Final = frozenset(
    "browse calculate check compare count describe diff download estimate exists explain export fetch find "
    "get has head inspect is list locate lookup ls measure peek preview query read retrieve scan "
    "search show stat status summarize summarise tail test validate verify view which".split()
)
"""Verbs by which a tool says that it only looks."""

_WRITES: Final = frozenset(
    "accept add append apply approve archive assign ban buy cancel clear close confirm copy create "
    "decline delete deploy destroy disable dismiss drop edit empty enable erase execute finalize flush "
    "follow fork grant import insert install invite invoke kill launch lock mark merge modify move mute "
    "navigate notify patch pay pin place provision prune publish purge push put rebase refund register "
    "reject remove rename reopen replace rerun reset restart restore revert revoke rollback rotate run "
    "save scale send set ship star start stop submit subscribe sync terminate toggle trigger truncate "
    "unassign uninstall unlock unstar unsubscribe update upgrade upload upsert wipe write".split()
)
_EITHER: Final = frozenset(
    "block book charge click comment commit draft forward label like link open order post press reaction "
    "release reply request resolve respond schedule select share tag transfer transition tweet type vote "
    "watch".split()
)
"""Verbs in front, things elsewhere."""
_MAKES: Final = frozenset(
    "add append book comment create draft forward import insert invite order pay place post publish register "
    "reply send submit tweet upload".split()
)
"""Verbs after which there is something that was not there before, and has no id that anybody knows."""
_REMOVES: Final = frozenset(
    "cancel clear delete destroy drop empty erase flush prune purge remove terminate truncate uninstall "
    "wipe".split()
)
"""Verbs after which there is less."""
_ONE: Final = frozenset("describe fetch get inspect read retrieve show view".split())
"""Verbs by which a tool shows one thing."""
_MANY: Final = frozenset("browse find list ls query search".split())
"""And several."""
_IDS: Final = frozenset("id key name number ref uuid value".split())
_TOOLS: Final = 500
_FEW: Final = 3


def reads(name: str) -> bool:
    """Whether a tool that says nothing about its effects is named like one that only looks."""
    return _verb(name) in READS


def writes(name: str) -> bool:
    """Whether a tool is named like one that changes something."""
    return (verb := _verb(name)) in _WRITES or verb in _EITHER


def does_else(name: str, asked: str) -> bool:
    """Whether a tool changes something in a way that one who asked for `asked` cannot have meant."""
    verb = _verb(asked)
    if verb is None or not writes(name):
        return False
    return verb in READS or (verb in _REMOVES) != (_verb(name) in _REMOVES)


@lru_cache(maxsize=1024)
def _verb(name: str) -> str | None:
    parts = words(name)
    if parts[:1] and parts[0] in _EITHER:
        return parts[0]
    verb = next((part for part in parts if part in READS or part in _WRITES), None)
    return _besides(parts, verb) if verb in READS else verb


def _besides(parts: tuple[str, ...], verb: str | None) -> str | None:
    """The verb that counts, of a tool that does more than look: `get_and_delete`, `find_or_create`."""
    for before, part in pairwise(parts):
        if before in _JOINS and (part in _WRITES or part in _EITHER):
            return part
        if before == "check" and part in ("in", "off", "out"):
            return None
    return verb


_JOINS: Final = frozenset({"and", "or", "then"})


def verifier(
    tool: str,
    arguments: Iterable[str],
    tools: Mapping[str, Any],
    looks: Mapping[str, bool] = MappingProxyType({}),
) -> str | None:
    """Of these tools (name to input schema) the one that looks at what `tool` works on.

    What it works on is in its name or, of a `pay` or `send`, in the names of its arguments. `looks` is the
    word of those that say themselves whether they only look.
    """
    fields = frozenset(arguments)
    few = islice(tools.items(), _TOOLS)
    readers = {name: schema for name, schema in few if name != tool and looks.get(name, reads(name))}
    own = _nouns(tool) - _everywhere(tuple(islice(tools, _TOOLS))) or _nouns(tool)
    suited = _MANY if _verb(tool) in _MAKES else _ONE
    for about in (own, frozenset().union(*map(_nouns, fields)) - _IDS):
        near = [name for name in readers if not about.isdisjoint(_nouns(name))]
        if near:
            return max(near, key=lambda name: _fit(about, fields, suited, name, readers[name]))
    return None


@lru_cache(maxsize=64)
def _everywhere(names: tuple[str, ...]) -> frozenset[str]:
    """What most tools have in their names, such as the server's own: it tells none from another."""
    seen = Counter(noun for name in names for noun in _nouns(name))
    return frozenset(noun for noun, count in seen.items() if len(names) > _FEW and count > 0.8 * len(names))


def _fit(
    about: frozenset[str], fields: frozenset[str], suited: frozenset[str], name: str, schema: Any
) -> tuple[int, int, int, bool]:
    """How much two tools have in common: nouns first, then arguments, then no more words than needed.

    Of equals, the one that shows many for what was made, and one for what was changed.
    """
    nouns = _nouns(name)
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    shared = fields & frozenset(properties if isinstance(properties, Mapping) else ())
    return len(about & nouns), len(shared), -len(nouns), _verb(name) in suited


@lru_cache(maxsize=1024)
def _nouns(name: str) -> frozenset[str]:
    return frozenset(_singular(word) for word in words(name) if word not in READS and word not in _WRITES)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "uses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
