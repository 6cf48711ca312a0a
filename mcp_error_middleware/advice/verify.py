"""A tool that writes in, the tool that shows what it wrote out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, Final

from mcp_error_middleware.advice.nearest import abbreviates, nearest, words

READS: Final = frozenset(
    "browse calculate check compare count describe diff download estimate exists explain export fetch find "
    "get has head inspect is list locate lookup ls measure peek preview query read retrieve scan "
    "search show stat status summarize summarise tail test validate verify view which".split()
)
"""Verbs by which a tool says that it only looks."""

_WRITES: Final = frozenset(
    "accept activate add adjust allocate append apply approve archive assign attach ban buy cancel clear "
    "close confirm copy create deactivate decline decrement delete deploy destroy detach disable disconnect "
    "dismiss drop duplicate edit empty enable enqueue erase execute finalize flush follow fork grant import "
    "increment insert install invite invoke kill launch lock make mark merge migrate modify move mute "
    "navigate notify patch pay pin place promote provision prune publish purge push put reassign rebase "
    "redeploy refund register reindex reject remove rename renew reopen replace requeue rerun reschedule "
    "reset resize restart restore revert revoke rollback rotate run save scale send set ship star start stop "
    "submit subscribe suspend sync terminate toggle trigger truncate unarchive unassign unban unblock "
    "undeploy unfollow uninstall unlink unlock unmute unpin unpublish unstar unsubscribe update upgrade "
    "upload upsert wipe withdraw write".split()
)
_EITHER: Final = frozenset(
    "block book charge click comment commit deposit draft forward label like link open order pause post "
    "press reaction release reply request reserve resolve respond schedule select share swap tag transfer "
    "transition tweet type vote watch".split()
)
"""Verbs in front, things elsewhere."""
_MAKES: Final = frozenset(
    "add append book comment create draft forward import insert invite make order pay place post publish "
    "register reply send submit tweet upload".split()
)
"""Verbs after which there is something that was not there before, and has no id that anybody knows."""
_REMOVES: Final = frozenset(
    "cancel clear delete destroy drop empty erase flush prune purge remove terminate truncate undeploy "
    "uninstall unpublish wipe".split()
)
"""Verbs after which there is less."""
_ALIKE: Final = tuple(
    frozenset(verbs.split())
    for verbs in (
        "adjust change edit modify patch replace save set update upsert write",
        "accept approve confirm",
        "decline dismiss reject",
        "activate enable",
        "deactivate disable",
        "assign attach link",
        "detach unassign unlink",
        "move rename transfer",
        "deploy launch provision start",
        "kill stop",
        "restore revert rollback",
        "notify send",
    )
)
"""Verbs that change something in the same way."""
_RUNS: Final = frozenset({"execute", "invoke", "run"})
"""Verbs that leave open what is done."""
_ONE: Final = frozenset("describe fetch get inspect read retrieve show view".split())
"""Verbs by which a tool shows one thing."""
_MANY: Final = frozenset("browse find list ls query search".split())
"""And several."""
_IDS: Final = frozenset("id key name number ref uuid value".split())
_TOOLS: Final = 500
_FIELDS: Final = 50
_LENGTH: Final = 100
"""Characters of a field's name, which a client may make as long as it likes."""
_FEW: Final = 3


def reads(name: str) -> bool:
    """Whether a tool that says nothing about its effects is named like one that only looks."""
    return _verb(name) in READS


def writes(name: str) -> bool:
    """Whether a tool is named like one that changes something."""
    return (verb := _verb(name)) in _WRITES or verb in _EITHER


def does_else(name: str, asked: str) -> bool:
    """Whether a tool does something that one who asked for `asked` cannot have meant.

    Who names a thing alone did not mean to change it. Of two verbs, it is what they do and to what.
    """
    verb, does = _verb(asked), _verb(name)
    if does is None:
        return False
    if verb is None:
        return writes(name) and bool(_nouns(asked)) and _nouns(asked) <= _nouns(name)
    if verb in _RUNS or does in _RUNS:
        return verb in _REMOVES or does in _REMOVES
    if not _are_alike(_nouns(asked), _nouns(name)):
        return True
    if verb in words(name) and not _JOINS.isdisjoint(words(name)):
        return False  # `create_or_update_file` does both
    if _effect(verb) != _effect(does):
        return True
    return verb != does and _effect(verb) == "changes" and not any({verb, does} <= some for some in _ALIKE)


def does_same(name: str, asked: str) -> bool:
    """Whether a tool does to the same thing what another word says: `delete_file` of a `remove_file`.

    Verbs that change things do so in too many ways.
    """
    verb, does = _verb(asked), _verb(name)
    if verb is None or does is None or not _RUNS.isdisjoint((verb, does)):
        return False
    effect = _effect(verb)
    return effect == _effect(does) != "changes" and bool(_nouns(asked)) and _nouns(asked) == _nouns(name)


def _effect(verb: str) -> str:
    if verb in READS:
        return "looks"
    return "removes" if verb in _REMOVES else "makes" if verb in _MAKES else "changes"


def _are_alike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two names are about the same thing, as far as they say about what."""
    if not some or not others or not some.isdisjoint(others):
        return True
    return any(nearest(noun, others, 1) or any(abbreviates(noun, n, 3) for n in others) for noun in some)


@lru_cache(maxsize=1024)
def _verb(name: str) -> str | None:
    parts = words(name)
    if parts[:1] and parts[0] in _EITHER:
        # `order_update` changes an order.
        return parts[-1] if parts[-1] in _WRITES else parts[0]
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

    What it works on is in its name or, of a `pay` or `send`, what that makes or what its arguments are about;
    else a tool that is asked with the same arguments shows it. `looks` is the word of those that say
    themselves whether they only look.
    """
    fields = frozenset(name[:_LENGTH] for name in islice(arguments, _FIELDS))
    few = islice(tools.items(), _TOOLS)
    readers = {name: schema for name, schema in few if name != tool and looks.get(name, reads(name))}
    common = _everywhere(tuple(islice(tools, _TOOLS)))
    common = common if _nouns(tool) - common else frozenset()
    if near := _by_name(tool, fields, readers, common):
        own, many = _nouns(tool) - common, _verb(tool) in _MAKES
        return max(near, key=lambda name: _likeness(own, fields, many, name, readers[name]))
    return _by_arguments(tool, fields, readers)


def _by_name(
    tool: str, fields: frozenset[str], readers: Mapping[str, Any], common: frozenset[str]
) -> list[str]:
    """The readers of what a tool names, or of what its verb makes; `common` tells none from another."""
    verb, own = _verb(tool), _nouns(tool) - common
    near = [name for name in readers if _is_about(own, _nouns(name) - common)]
    near = near or [name for name in readers if not _made_by(verb).isdisjoint(_nouns(name))]
    found = any(_verb(name) in _MANY or fields & _properties(readers[name]) for name in near)
    if found or not near or verb not in _MAKES:
        return near
    # What was made has no id that anybody knows; a search finds it.
    return [name for name in readers if _verb(name) in _MANY and not _nouns(name) - common] or near


def _by_arguments(tool: str, fields: frozenset[str], readers: Mapping[str, Any]) -> str | None:
    """The reader that is asked with the same arguments, or is about what they are about."""
    own, verb = _nouns(tool), _verb(tool)
    if not own and (alike := _asked_alike(fields - _IDS, readers)):
        return alike
    about = frozenset().union(*map(_nouns, fields)) - _IDS
    named = [name for name in readers if not about.isdisjoint(_nouns(name))]
    # What is created is no part of what it is created from.
    if not named or (own and verb == "create"):
        return None
    return max(named, key=lambda name: _fit(about, fields, verb in _MAKES, name, readers[name]))


def _is_about(own: frozenset[str], nouns: frozenset[str]) -> bool:
    """Whether one of the two is about all that the other is: no `payment_link` is among `payment_intents`."""
    return not own.isdisjoint(nouns) and (own <= nouns or nouns <= own)


def _made_by(verb: str | None) -> frozenset[str]:
    """What there is after it: a `payment` of `pay`, an `invitation` of `invite`."""
    if verb is None:
        return frozenset()
    stem = verb.removesuffix("e")
    return frozenset({verb, f"{verb}ment", *(stem + ending for ending in ("ing", "ion", "ation"))})


def _asked_alike(fields: frozenset[str], readers: Mapping[str, Any]) -> str | None:
    """The one reader that takes most of these arguments, if there is one that takes half of them."""
    shared = {name: len(fields & _properties(schema)) for name, schema in readers.items()}
    most = max(shared.values(), default=0)
    best = [name for name, count in shared.items() if count == most]
    return best[0] if len(best) == 1 and most and 2 * most >= len(fields) else None


def _properties(schema: Any) -> frozenset[str]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return frozenset(properties if isinstance(properties, Mapping) else ())


@lru_cache(maxsize=64)
def _everywhere(names: tuple[str, ...]) -> frozenset[str]:
    """What most tools have in their names, such as the server's own: it tells none from another."""
    seen = Counter(noun for name in names for noun in _nouns(name))
    return frozenset(noun for noun, count in seen.items() if len(names) > _FEW and count > 0.8 * len(names))


def _likeness(
    about: frozenset[str], fields: frozenset[str], many: bool, name: str, schema: Any
) -> tuple[int, int, bool, int, bool]:
    """How much two tools have in common by their names: all that is in them, then their arguments."""
    common, shared, others, suited = _fit(about, fields, many, name, schema)
    return common, others, many and suited, shared, suited


def _fit(
    about: frozenset[str], fields: frozenset[str], many: bool, name: str, schema: Any
) -> tuple[int, int, int, bool]:
    """The same by what they are asked with: nouns first, then arguments, then no more words than needed.

    Of equals, the one that shows many for what was made, and one for what was changed.
    """
    nouns = _nouns(name)
    shared = fields & _properties(schema)
    return len(about & nouns), len(shared), -len(nouns), _verb(name) in (_MANY if many else _ONE)


@lru_cache(maxsize=1024)
def _nouns(name: str) -> frozenset[str]:
    return frozenset(_singular(word) for word in words(name) if word not in _NO_NOUNS)


_NO_NOUNS: Final = (
    READS | _WRITES | _JOINS | frozenset("a all an at by for from in of on the to with".split())
)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "uses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
