"""A data store's refusal and the arguments of a call in, the argument that it is about out.

Many a tool hands a statement on that the caller wrote. What the store says of one it cannot read is then
the caller's to mend, and not the operator's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from mcp_error_middleware.advice.document import Held, texts
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
    r"|\b(?:relation|column|table|function)\b.{1,120} not found|must appear in the group by"
    r"|misuse of aggregate|wrong number of arguments to function|error in your sql"
    r"|\bno files found|cannot open file|\bone statement at a time"
    r"|\bbind(?:ing)?s? (?:parameter|variable|supplied)",
    re.IGNORECASE,
)
_OF_A_STATEMENT: Final = lazy(r"SQLITE_ERROR|(?:07|21|42)\w{3}")
"""Codes of a store that say of a statement that it makes no sense."""
_OF_A_TABLE: Final = lazy(
    r"\bno such table|\b(?:table|relation|view)\b.{1,120} (?:not exist|n't exist|not found)", re.IGNORECASE
)
_OF_A_SEARCH: Final = lazy(r"\bfts\d: |^unterminated string$")
"""What a store says of words to search for, which have a language of their own."""
_OF_A_TRANSACTION: Final = lazy(r"\btransaction|\bsavepoint", re.IGNORECASE)
_BLAMED: Final = lazy(
    r"""["'`]([^"'`\n(]{1,100})(?:\([^"'`\n]{0,100})?["'`]"""
    r"|(?<!-)\b(?:column name|aggregate function|table|column|function|view|relation|name|aggregate)"
    r"(?:: ([\w.]{1,100})| ([\w.]{2,100}))"
)
"""What of the statement a store names: in quotes, or behind its kind."""


def refused(
    said: Iterable[str], arguments: object, chain: Iterable[Held] = (), code: str | None = None
) -> str | None:
    """The name of the argument whose statement a store did not understand, by what the chain says and holds,
    and by the code that the store gave.
    """
    if not isinstance(arguments, Mapping):
        return None
    said = [*said]
    refusal = next(filter(_REFUSED.search, said), None)
    if refusal is None and said and code is not None and _OF_A_STATEMENT.fullmatch(code):
        refusal = None if _OF_A_TRANSACTION.search(said[-1]) else said[-1]
    if refusal is None:
        return None
    found = islice(_BLAMED.finditer(refusal), _LOOKED_AT)
    # A store names a table with the schema it is in.
    blamed = [each[each.lastindex or 0].lower().rpartition(".")[2] for each in found]
    held = {text for made_with, hands in chain for values in (made_with, *hands) for text in texts(values)}
    sent = islice(arguments.items(), _LOOKED_AT)
    return next((name for name, value in sent if _is_it(name, value, refusal, blamed, held)), None)


def _is_it(name: object, value: object, refusal: str, blamed: list[str], held: set[str]) -> bool:
    """Whether a store read this: a statement, misspelt as it may be, with what the store names in it, or what
    was handed over to be a part of one.
    """
    if not isinstance(name, str) or not isinstance(value, str):
        return False
    if value in held and _is_a_part(value.lower(), refusal, blamed):
        return True
    if not (_BEGINS.match(value) or _may_be_one(name if blamed else "", value, held)):
        return False
    statement = value[:_READ].lower()
    return not blamed or any(each and each in statement for each in blamed)


def _is_a_part(value: str, refusal: str, blamed: list[str]) -> bool:
    """Whether it is the name of a table, or words to search for that do not read.

    To a search `size:7` is about a column, and so is `7` in `covid-7`.
    """
    if _OF_A_TABLE.search(refusal):
        return value in blamed
    if _OF_A_SEARCH.search(refusal):
        return True
    return any(f"{each}:" in value or f"-{each}" in value for each in blamed)


def _may_be_one(name: str, value: str, held: set[str]) -> bool:
    """Whether what is called a statement, or was handed over, begins with a verb, or nearly; a search does
    not.
    """
    is_called_one = not _NAMES.isdisjoint(words(name))
    first = _FIRST.match(value) if is_called_one or value in held else None
    return first is not None and bool(nearest(first[1], _VERBS, 1))
