"""A data store's refusal and the arguments of a call in, the argument that it is about out.

Many a tool hands a statement on that the caller wrote. What the store says of one it cannot read is then
the caller's to mend, and not the operator's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from mcp_error_middleware.advice.nearest import nearest, words
from mcp_error_middleware.lazy import lazy

_LOOKED_AT: Final = 20
_READ: Final = 20_000
"""Arguments and names in a refusal, and characters of each statement."""

_NAMES: Final = frozenset({"sql", "query", "queries", "statement", "statements", "stmt", "cypher", "cql"})
_VERBS: Final = tuple(
    "alter analyze call create delete describe drop explain insert match merge pragma replace return select "
    "show truncate unwind update values with".split()
)
_FIRST: Final = lazy(r"[\s(]{0,100}(\w{2,20})\s")
_BEGINS: Final = lazy(
    r"[\s(]{0,100}(?:select\s(?=[\s\S]{1,400}?\bfrom\s|\s*[\d'*(:]|\w+\()|(?:delete\s+from|pragma|explain)\s"
    r"|(?:insert|merge|replace)\s+(?:\w+\s+){0,2}into\s|update\s+\S+\s+set\s|values\s*\("
    r"|(?:alter|create|drop|truncate)\s+(?:\w+\s+){0,3}(?:table|view|index|schema|database|function|type)\s"
    r"|with\s+(?:recursive\s+)?\w+\s*(?:\([^()]{0,400}\)\s*)?as\s*\()",
    re.IGNORECASE,
)
"""How statements begin, and few sentences with the same words."""

_REFUSED: Final = lazy(
    r"syntax error|parse error|parser error|binder error|catalog error|incomplete input|unterminated"
    r"|unrecognized token|no such (?:table|column|function|view|index|collation)"
    r"|(?:unknown|invalid|undefined|ambiguous) (?:column|table|function|identifier|object|field|database)"
    r"|(?:relation|column|table|function|schema|view|type|operator)\b.{1,120} (?:does not|doesn't) exist"
    r"|\b(?:column|table|function)\b.{1,120} not found|must appear in the group by|misuse of aggregate"
    r"|wrong number of arguments to function|error in your sql",
    re.IGNORECASE,
)
_BLAMED: Final = lazy(
    r"""["'`]([^"'`\n]{1,100})["'`]"""
    r"|\b(?:table|column|function|view|relation|name|aggregate):? ([\w.]{2,100})"
)
"""What of the statement a store names: in quotes, or behind its kind."""


def refused(said: Iterable[str], arguments: object) -> str | None:
    """The name of the argument whose statement a store did not understand, by what the chain says."""
    refusal = next(filter(_REFUSED.search, said), None)
    if refusal is None or not isinstance(arguments, Mapping):
        return None
    found = islice(_BLAMED.finditer(refusal), _LOOKED_AT)
    # A store names a table with the schema it is in.
    blamed = [(each[1] or each[2]).lower().rpartition(".")[2] for each in found]
    sent = islice(arguments.items(), _LOOKED_AT)
    return next((name for name, value in sent if _is_it(name, value, blamed)), None)


def _is_it(name: object, value: object, blamed: list[str]) -> bool:
    """Whether a store read this: a statement, misspelt as it may be, with what the store names in it."""
    if not isinstance(name, str) or not isinstance(value, str):
        return False
    if not blamed:
        return _BEGINS.match(value) is not None
    if not (_BEGINS.match(value) or _may_be_one(name, value)):
        return False
    statement = value[:_READ].lower()
    return any(each and each in statement for each in blamed)


def _may_be_one(name: str, value: str) -> bool:
    """Whether an argument that is called a statement begins, or nearly, with a verb; a search does not."""
    first = None if _NAMES.isdisjoint(words(name)) else _FIRST.match(value)
    return first is not None and bool(nearest(first[1], _VERBS, 1))
