"""Verdict, call and surroundings in, advice out: what to do next, and the facts it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import orjson

from mcp_error_middleware.advice.around import Around
from mcp_error_middleware.advice.example import example_of
from mcp_error_middleware.advice.nearest import meant, nearest
from mcp_error_middleware.advice.outline import Outline, outline_of
from mcp_error_middleware.advice.retry import Effects, outcome_unknown, retry_of
from mcp_error_middleware.advice.sharpen import options_sent, sent_at, where
from mcp_error_middleware.advice.verify import does_else, does_same, verifier
from mcp_error_middleware.locales import say
from mcp_error_middleware.model import Call, Condition, Hint, Issue, Retry, Verdict
from mcp_error_middleware.taxonomy import ErrorCode, ErrorType, Fault

_EXAMPLE: Final = 500
"""Bytes of an example that are still a help."""
_NAMES: Final = 1_000
_ISSUES: Final = 20
_NEAR: Final = 10
"""Names looked at closer."""
_FEW: Final = 3
"""Names said."""

_LAST: Final = 3
"""The time a call fails the same way after which it should not be sent again."""


@dataclass(slots=True)
class Advice:
    """What a caller should know before the next step."""

    hint: Hint
    retry: Retry | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    """`similar`, `example`, `possibly_applied`, `verify_with`, `repeat`."""
    repeat: int = 1
    writes: bool = False

    @property
    def forbids(self) -> bool:
        """Whether it may not be repeated as it is, even if the cause is temporary.

        It has been tried often enough, or is known to change something that may be changed already: who knows
        no more of `retry` than yes or no has to be told no.
        """
        return self.repeat >= _LAST or (self.writes and self.retry is Retry.VERIFY_FIRST)


def advise(
    verdict: Verdict,
    call: Call,
    around: Around,
    hint: Hint,
    issues: tuple[Issue, ...] = (),
    repeat: int = 1,
    *,
    causes: Sequence[str] = (),
    suggest: bool = True,
    verify: bool = True,
    may_say: Callable[[str], bool] = bool,
    locale: str = "en",
) -> Advice:
    """The best next step from what is known; an author's or user's own hint stays first.

    `causes` are the types along the chain; `may_say` tells whether a name can be said to this caller.
    """
    matters = verify and verdict.retryable and outcome_unknown(verdict, causes, writes=True)
    effects = around.effects(call.method, call.tool) if matters else _HARMLESS
    retry = retry_of(verdict, effects, causes)
    facts: dict[str, Any] = {}
    said: str | None = None
    if retry is Retry.VERIFY_FIRST:
        said = _verify(call, around, facts, locale)
    elif verdict.code in _UNKNOWN and around.schema is None and not issues:
        said = _unknown(verdict, call, around, facts, may_say if suggest else _nothing, locale)
    elif verdict.code is ErrorCode.METHOD_NOT_FOUND and call.tool is not None:
        # Whoever the tool asked has no such method; the caller asked for none.
        said = say(locale, "go_on")
    elif suggest and issues and (example := _example(around, issues)) is not None:
        facts["example"] = example
    if said and hint.source in _REPLACEABLE:
        hint = Hint(said, "evidence")
    if repeat > 1:
        facts["repeat"] = repeat
        hint = Hint(_repeated(verdict, around, call, hint, retry, repeat, facts, locale), "evidence")
        retry = Retry.NEVER if repeat >= _LAST else retry
    return Advice(hint, retry, facts, repeat, effects.writes)


_HARMLESS: Final = Effects(read_only=True)
_UNKNOWN: Final = frozenset({ErrorCode.INVALID_PARAMS, ErrorCode.NOT_FOUND, ErrorCode.VALIDATION_ERROR})
"""What servers say of a name they do not know."""
_LISTS: Final = {
    "tools/call": "list_tools",
    "prompts/get": "list_prompts",
    "resources/read": "list_resources",
}
_SCHEMALESS: Final = {"prompts/get": "prompt_arguments", "resources/read": "list_resources"}
_REPLACEABLE: Final = frozenset({"code", "evidence"})


def _verify(call: Call, around: Around, facts: dict[str, Any], locale: str) -> str:
    facts["possibly_applied"] = True
    arguments = around.arguments if isinstance(around.arguments, Mapping) else {}
    if tool := verifier(call.tool or "", arguments, around.tools(), around.looks()):
        facts["verify_with"] = tool
        return say(locale, "verify_with", tool=tool)
    return say(locale, "verify")


def _unknown(
    verdict: Verdict,
    call: Call,
    around: Around,
    facts: dict[str, Any],
    may_say: Callable[[str], bool],
    locale: str,
) -> str | None:
    """What to ask for, where what was asked for is not among what there is."""
    names = around.names()
    if names and call.target not in names:
        return _instead(call, names, facts, may_say, locale)
    # What has no input schema, of which the code's own hint speaks.
    said = _SCHEMALESS.get(call.method) if verdict.code is ErrorCode.INVALID_PARAMS else None
    return said and say(locale, said)


def _nothing(name: str) -> bool:
    return False


def _instead(
    call: Call,
    names: tuple[str, ...],
    facts: dict[str, Any],
    may_say: Callable[[str], bool],
    locale: str,
) -> str:
    asked = call.target or ""
    near = nearest(asked, names, _NEAR)
    similar = meant(asked, (name for name in near if may_say(name) and not does_else(name, asked)))
    same = (name for name in islice(names, _NAMES) if does_same(name, asked) and may_say(name))
    if similar := similar or tuple(islice(same, _FEW)):
        facts["similar"] = list(similar)
        return say(locale, "instead", names=_either(similar, locale))
    return say(locale, _LISTS.get(call.method, "list_names"))


def _either(names: tuple[str, ...], locale: str) -> str:
    *others, last = names
    return f"{', '.join(others)}{say(locale, 'or')}{last}" if others else last


def _example(around: Around, issues: Sequence[Issue]) -> Any | None:
    """One with the fields that were wrong, where they are optional or tell which form is meant.

    Where they do not tell, the names of those that were sent beside them do, and the options that the schema
    itself names: one of a text message has a number. None where a check refused the arguments that the schema
    knows nothing of: it might refuse the example.
    """
    if not _CONDITIONS.isdisjoint(map(type, issues)):
        return None
    outline = outline_of(around.schema)
    wrong = beside = chosen = _NONE
    few = issues[:_ISSUES]
    if optional := outline.optional:
        wrong = optional.intersection([step for issue in few for step in where(outline, issue)])
    if optional and outline.varies:
        beside = optional.intersection([n for issue in few for n in sent_at(around.arguments, issue.path)])
    if outline.choices:
        chosen = frozenset(options_sent(outline, around.arguments, [issue.path for issue in few]))
    written = _written(outline, wrong, beside, chosen)
    if written is None and (wrong or beside or chosen):
        written = _written(outline, _NONE, _NONE, _NONE)
    return orjson.loads(written) if written else None


_CONDITIONS: Final = frozenset({Condition})
_NONE: Final[frozenset[Any]] = frozenset()


@lru_cache(maxsize=256)
def _written(
    outline: Outline, wanted: frozenset[str], beside: frozenset[str], chosen: frozenset[tuple[str, str]]
) -> bytes | None:
    schema = outline.schema
    example = example_of(schema, wanted, beside, dict(chosen)) if isinstance(schema, Mapping) else None
    # One of nothing at all shows nothing.
    written = orjson.dumps(example, default=str) if example else b""
    return written if 0 < len(written) <= _EXAMPLE else None


def _repeated(
    verdict: Verdict,
    around: Around,
    call: Call,
    hint: Hint,
    retry: Retry,
    repeat: int,
    facts: Mapping[str, Any],
    locale: str,
) -> str:
    if repeat < _LAST:
        repeatable = retry in (Retry.SAFE, Retry.AFTER)
        return say(locale, "failed_before" if repeatable else "failed_before_so_change", step=hint.text)
    known = hint.source not in _REPLACEABLE
    step = hint.text if known else _alternative(verdict, around, call, facts, locale)
    return say(locale, "stop", count=repeat, step=step)


def _alternative(verdict: Verdict, around: Around, call: Call, facts: Mapping[str, Any], locale: str) -> str:
    """What is left to do once repeating has been tried."""
    if "verify_with" in facts:
        return say(locale, "still_verify_with", tool=facts["verify_with"])
    if "possibly_applied" in facts:
        return say(locale, "still_verify")
    if verdict.code.traits.fault is not Fault.CALLER:
        return say(locale, "go_on")
    if verdict.code.traits.type is ErrorType.VALIDATION and around.schema is not None:
        return say(locale, "change_arguments")
    tools = around.tools()
    others = [name for name in tools if name != call.tool and not does_else(name, call.tool or "")]
    shows = verdict.code.traits.type in (ErrorType.NOT_FOUND, ErrorType.CONFLICT)
    if shows and (tool := verifier(call.tool or "", (), tools, around.looks())):
        return say(locale, "see_what_exists", tool=tool)
    if near := nearest(call.tool or "", others):
        return say(locale, "another_tool", names=_either(near, locale))
    return say(locale, "ask_user")
