"""A tool that writes in, the tool that shows what it wrote out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.advice.nearest import words

READS: Final = frozenset(
    "browse calculate check compare count describe diff download estimate exists explain export fetch find "
    "get has head inspect is list locate lookup ls measure peek preview query read resolve retrieve scan "
    "search select show stat status summarize summarise tail test validate verify view which".split()
)
"""Verbs by which a tool says that it only looks."""

_WRITES: Final = frozenset(
    "accept add append apply approve archive assign ban buy cancel clear close confirm copy create decline "
    "delete deploy disable dismiss drop edit enable execute finalize follow fork grant import insert install "
    "invite invoke kill launch lock mark merge modify move mute navigate notify patch pay pin place "
    "provision publish push put rebase refund register reject remove rename reopen replace rerun reset "
    "restart restore revert revoke rollback rotate run save scale send set ship star start stop submit "
    "subscribe sync terminate toggle trigger unassign uninstall unlock unstar unsubscribe update upgrade "
    "upload upsert write".split()
)
_EITHER: Final = frozenset(
    "block book charge click comment commit draft forward label like link open order post press reaction "
    "release reply request respond schedule share tag transfer transition tweet type vote watch".split()
)
"""Verbs in front, things elsewhere."""
_MAKES: Final = frozenset(
    "add append book comment create draft forward import insert invite order pay place post publish register "
    "reply send submit tweet upload".split()
)
"""Verbs after which there is something that was not there before, and has no id that anybody knows."""
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


@lru_cache(maxsize=1024)
def _verb(name: str) -> str | None:
    parts = words(name)
    if parts[:1] and parts[0] in _EITHER:
        return parts[0]
    return next((part for part in parts if part in READS or part in _WRITES), None)


def verifier(tool: str, arguments: Iterable[str], tools: Mapping[str, Any]) -> str | None:
    """Of these tools (name to input schema) the one that looks at what `tool` works on.

    What it works on is in its name or, of a `pay` or `send`, in the names of its arguments.
    """
    fields = frozenset(arguments)
    readers = {name: schema for name, schema in islice(tools.items(), _TOOLS) if name != tool and reads(name)}
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
