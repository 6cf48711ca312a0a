"""Class in, what all its instances share out; worked out once per class."""

import re
import sys
from dataclasses import dataclass
from typing import Final

from mcp_error_middleware.classify.chain import mro_of, qualified_name
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence.purpose import SLIPS, is_installed
from mcp_error_middleware.classify.evidence.sql import CLICKHOUSE_DRIVERS, ORACLE_DRIVERS
from mcp_error_middleware.classify.evidence.subject import PROBED
from mcp_error_middleware.classify.names import clue_in_name, words_of
from mcp_error_middleware.classify.types import BUGS, BUILTINS, GENERIC, SOFT, TYPES
from mcp_error_middleware.errors import McpError
from mcp_error_middleware.model import Evidence, Verdict
from mcp_error_middleware.taxonomy import ErrorCode, Fault

KEPT: Final = 2048
"""How many classes are remembered."""

TEXT_DRIVERS: Final = frozenset({*ORACLE_DRIVERS, *CLICKHOUSE_DRIVERS})
"""Drivers that give the database's number only in their text."""

STATEMENT_CODES: Final = frozenset(
    {
        ErrorCode.SERIALIZATION_ERROR,
        ErrorCode.NOT_FOUND,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.INVALID_PARAMS,
        ErrorCode.CONFIGURATION_ERROR,
        ErrorCode.INTERNAL_ERROR,
    }
)
"""What, said in a database's hierarchy, is said of a statement."""

CANCELLED: Final = frozenset({"asyncio.exceptions.CancelledError", "trio.Cancelled"})


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a class."""

    name: str
    bases: frozenset[str]
    """The qualified names along its MRO."""
    attributes: frozenset[str]
    """Those worth reading that the class itself defines."""
    clue: Clue | None
    is_bug: bool
    is_soft: bool
    slip: str
    """The builtin that makes it a bug, where it is one in which somebody may have spoken on purpose."""
    is_vague: bool
    """Named after an answer that was no good, whatever it said."""
    is_declared: bool
    is_cancelled: bool
    is_import_error: bool
    is_carrier: bool
    """Made to carry the text of a traceback from one process to another: none of it is evidence."""
    is_library: bool
    """Not a builtin."""
    is_installed: bool
    """Of an installed package or the standard library, and no author's own."""
    is_telling: bool
    """An instance may say more in its number or text than any attribute does."""
    is_inspected: bool
    """An instance's arguments are looked into, even where nothing but a text is among them."""
    is_simple: bool
    """Nothing but attributes set on an instance, a body in its message, and what is behind it, can change its
    verdict."""
    looks_inside: bool
    """What is behind an instance can."""
    is_reading: bool
    """About a text that does not read: it may hide which status the answer had."""
    verdict: Verdict | None
    """The answer for an instance that carries nothing of its own."""


_PROFILES: dict[type, Profile] = {}


def profile_of(cls: type[BaseException]) -> Profile:
    """What is known of the class, from memory if it was seen before."""
    if (profile := _PROFILES.get(cls)) is None:
        if len(_PROFILES) >= KEPT:
            _PROFILES.clear()
        profile = _PROFILES[cls] = _made(cls)
    return profile


def verdict_for(clue: Clue, name: str) -> Verdict:
    """What follows from a clue alone."""
    again = clue.code.traits.retryable if clue.retryable is None else clue.retryable
    return Verdict(clue.code, again, evidence=Evidence(clue.source, clue.detail, clue.code, name))


def _made(cls: type[BaseException]) -> Profile:
    name = qualified_name(cls)
    bases = frozenset(map(qualified_name, mro_of(cls)))
    is_carrier = re.search(_CARRIER, cls.__name__) is not None
    clue = None if is_carrier else class_clue(cls)
    verdict = verdict_for(clue, name) if clue and clue.weight >= Weight.BASE else None
    attributes = _attributes(cls)
    is_soft = clue is not None and clue.weight is Weight.BASE and clue.detail == SOFT
    is_telling = issubclass(cls, OSError) or any(base.partition(".")[0] in TEXT_DRIVERS for base in bases)
    is_inspected = is_telling or issubclass(cls, (McpError, ImportError))
    limited = verdict is not None and verdict.code is ErrorCode.RATE_LIMITED
    is_vague = verdict is not None and verdict.evidence is not None and _is_vague(verdict.evidence)
    return Profile(
        name=name,
        bases=bases,
        attributes=attributes,
        clue=clue,
        is_bug=clue is not None and clue.weight is Weight.BASE and clue.detail in BUGS,
        is_soft=is_soft,
        slip=clue.detail if clue is not None and clue.detail in SLIPS else "",
        is_vague=is_vague,
        is_declared=issubclass(cls, McpError),
        is_cancelled=not CANCELLED.isdisjoint(bases),
        is_library="." in name,
        is_installed=is_installed(_file_of(cls)),
        is_telling=is_telling,
        is_import_error=issubclass(cls, ImportError),
        is_carrier=is_carrier,
        is_inspected=is_inspected,
        is_simple=verdict is not None and not (attributes or is_inspected or limited or is_soft or is_vague),
        looks_inside=is_soft or (verdict is not None and verdict.code.traits.fault is Fault.UPSTREAM),
        is_reading=verdict is not None and verdict.code is ErrorCode.SERIALIZATION_ERROR,
        verdict=verdict,
    )


def _file_of(cls: type) -> str:
    module = sys.modules.get(str(cls.__module__))
    return str(getattr(module, "__file__", None))


_CARRIER: Final = r"(?:Remote|Child|Worker|With|Formatted)_?Traceback(?:Error|Text)?$"


def _is_vague(evidence: Evidence) -> bool:
    phrase = _VAGUE.get(evidence.code) if evidence.source == "name" else None
    return phrase is not None and re.search(phrase, words_of(evidence.detail)) is not None


_VAGUE: Final = {
    **dict.fromkeys(
        (ErrorCode.INVALID_PARAMS, ErrorCode.SERVICE_UNAVAILABLE),
        r"\b(?:requests?|responses?|status)$|^(?:\w+ )?connect$",
    ),
    ErrorCode.NOT_FOUND: r"\bregistered$",
    ErrorCode.VALIDATION_ERROR: r"\b(?:missing|required)\b",
    ErrorCode.FORBIDDEN: "",
}
"""Names that leave open which answer was no good or why nobody let it connect, whether a thing or a part of
the code is not registered, whether a value or a setting is missing, and whether it is not allowed at all or
not any more.
"""


def class_clue(cls: type[BaseException]) -> Clue | None:
    """The telling word nearest to the class along its MRO; without one, the weightiest."""
    best: Clue | None = None
    for base in mro_of(cls):
        clue = _clue_of(base)
        if clue and clue.detail in BUGS and _is_mixed_in(base, cls):
            is_key = base is KeyError and cls.__name__.endswith("KeyError")
            code = ErrorCode.NOT_FOUND if is_key else clue.code  # a family's own sort of key
            clue = clue._replace(code=code, weight=Weight.WEAK)
        if clue and (best is None or clue.weight > best.weight):
            best = clue
            if best.weight >= Weight.TELLING:
                break
    if best is None:
        return None
    if best.source == "name" and best.detail != cls.__name__:
        # A base's name says what its family is about, not what went wrong this time.
        best = best._replace(weight=Weight.WEAK)
    if _is_of_a_store(cls):
        return _in_database(best)
    if best.code is ErrorCode.SERIALIZATION_ERROR and (read := _read_by(qualified_name(cls))):
        return best._replace(code=read)
    if best.weight is Weight.WEAK and _is_of_a_language(best, cls):
        return best._replace(code=ErrorCode.VALIDATION_ERROR, retryable=None)
    if _is_of_configuration(cls):
        return _in_configuration(best)
    return _out_of_database(best, qualified_name(cls))


def _is_mixed_in(builtin: type, cls: type) -> bool:
    """Whether a library gave its own family of errors a builtin beside it, for those who catch that one.

    What goes by the builtin's own name is that builtin, with something added.
    """
    return cls.__name__ != builtin.__name__ and any(
        issubclass(base, Exception) and base.__module__ != "builtins" and not issubclass(base, builtin)
        for base in mro_of(cls)
    )


def is_internal(clue: Clue) -> bool:
    """Whether a name says in so many words that it was no caller's: everyday words do not overrule it."""
    return clue.source == "name" and "internal" in words_of(clue.detail).split()


def in_context(said: Clue, own: Clue) -> Clue | None:
    """What a text adds to a weak clue of the class: in a store, nothing about statements."""
    if own.code is ErrorCode.DATABASE_ERROR and said.code in STATEMENT_CODES:
        return None
    return said


def fallback_code(cls: type) -> ErrorCode:
    """What is left to say of a class that says nothing: a reader's own error is about what it read."""
    module = qualified_name(cls).rpartition(".")[0]
    if re.match(_SMALL, module + ".") and is_installed(_file_of(cls)):
        return ErrorCode.VALIDATION_ERROR
    is_reader = re.search(r"(?:pars|lex|tokeniz|scann|(?:de|en)cod|seriali[sz])er", module)
    return ErrorCode.SERIALIZATION_ERROR if is_reader else ErrorCode.INTERNAL_ERROR


def _is_of_a_store(cls: type) -> bool:
    return any(base.__name__ == "DatabaseError" or _is_of_a_reply(base) for base in mro_of(cls))


def _is_of_a_reply(base: type) -> bool:
    clue = TYPES.get(qualified_name(base))
    return clue is not None and clue.code is ErrorCode.DATABASE_ERROR and clue.weight is Weight.WEAK


def _in_database(clue: Clue) -> Clue:
    """In a PEP 249 hierarchy, what does not parse or does not exist is the statement's, not the caller's."""
    if clue.code in STATEMENT_CODES:
        return clue._replace(code=ErrorCode.DATABASE_ERROR)
    if clue.detail == "DataError":
        return clue._replace(code=ErrorCode.VALIDATION_ERROR)
    return clue


def _out_of_database(clue: Clue, name: str) -> Clue:
    """What means another thing where no database is: two words, and a table, which is a thing to look for."""
    code = _ELSEWHERE.get(clue.detail)
    if clue.code is ErrorCode.DATABASE_ERROR and _is_missing_table(clue) and not re.search(_STORES, name):
        code = ErrorCode.NOT_FOUND
    return clue if code is None else clue._replace(code=code, retryable=None)


def _is_missing_table(clue: Clue) -> bool:
    return re.search(r"\b(?:no such )?table\b", words_of(clue.detail)) is not None


_STORES: Final = (
    r"sql|db|orm|pony|peewee|psyc|oracle|cassandra|snowflake|clickhouse|django|tortoise|trino|presto"
)
"""In the names of those to which a table is a part of a statement."""


def _is_of_a_language(clue: Clue, cls: type) -> bool:
    """Whether a token is a word, and SQL no more than a language: to an installed library that reads them."""
    if re.search(r"\b(?:tokens?|sql\w*)\b", words_of(clue.detail)) is None:
        return False
    return re.match(_SMALL, qualified_name(cls)) is not None and is_installed(_file_of(cls))


def _read_by(name: str) -> ErrorCode | None:
    """What it is that does not read, to libraries that read but one small thing."""
    if re.match(_SMALL, name):
        return ErrorCode.VALIDATION_ERROR
    return ErrorCode.UNAUTHORIZED if re.match(_TOKENS, name) else None


_TOKENS: Final = (
    r"(?:\w*jwt|\w*jose|\w*paseto|pyseto|itsdangerous|branca|jwcrypto|joserfc|pymacaroons|oauthlib)\."
)
"""Libraries that read tokens: one that does not decode or decrypt is no good."""


def _is_of_configuration(cls: type) -> bool:
    if re.match(r"(?:(?!zeroconf)\w{2,}conf|\w+config|config\w{2,}|environs)\.", qualified_name(cls)):
        return True
    return any(re.fullmatch(r"Config(?:uration)?Error", base.__name__) for base in mro_of(cls)[1:])


def _in_configuration(clue: Clue) -> Clue:
    """To a library that reads configuration, what is missing, double or no good is a setting."""
    return clue._replace(code=ErrorCode.CONFIGURATION_ERROR) if clue.code in _OF_A_SETTING else clue


_SMALL: Final = (
    r"(?:date\w+|iso(?:date|duration)|\w*iso8601|arrow|pendulum|cron\w+|pytimeparse\d?"
    r"|\w*(?:expr|jmes|jsonpath|xpath|formula|(?<!retri)eval|rule)\w*|cel|celpy"
    r"|lark|pyparsing|parsimonious|parsita|parsy|ply|tatsu|textx|arpeggio|antlr4|funcparserlib|sqlglot|sqlparse)\."
)
"""Libraries that read dates, times, expressions, or a language of one's own: to them what does not parse is
one bad value, not a document.
"""

_OF_A_SETTING: Final = frozenset(
    {ErrorCode.VALIDATION_ERROR, ErrorCode.INVALID_PARAMS, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT}
)

_ELSEWHERE: Final = {
    "DataError": ErrorCode.VALIDATION_ERROR,
    "SerializationFailure": ErrorCode.SERIALIZATION_ERROR,
}


def _clue_of(base: type) -> Clue | None:
    name = qualified_name(base)
    if name in GENERIC:
        return None
    if base.__module__ == "builtins":
        return BUILTINS.get(name)
    if not issubclass(base, BaseException) or base.__name__.endswith(("Base", "Mixin")):
        return TYPES.get(name)
    *path, own = base.__name__.split(".")
    if not all(part.isidentifier() for part in (*path, own)):
        return TYPES.get(name)  # made up at run time, of the names of others
    return TYPES.get(name) or clue_in_name(own) or _clue_of_module(base)


def _clue_of_module(base: type) -> Clue | None:
    """What a class that is called no more than `Error` is about."""
    if base.__name__.lower() not in ("error", "exception"):
        return None
    clue = clue_in_name(base.__module__.rpartition(".")[2])
    return clue and clue._replace(weight=Weight.WEAK)


def _attributes(cls: type) -> frozenset[str]:
    own = [base for base in mro_of(cls) if base.__module__ != "builtins"]
    if any("__getattr__" in vars(base) or "__getattribute__" in vars(base) for base in own):
        return PROBED
    return PROBED.intersection(*[set().union(*map(vars, own))])
