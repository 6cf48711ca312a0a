"""Verdict, call and surroundings in, advice out: what to do next, and the facts it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from mcp_error_middleware.advice.around import Around
from mcp_error_middleware.advice.example import example_of
from mcp_error_middleware.advice.nearest import meant, nearest
from mcp_error_middleware.advice.retry import Effects, retry_of
from mcp_error_middleware.advice.verify import verifier
from mcp_error_middleware.model import Call, Hint, Issue, Retry, Verdict
from mcp_error_middleware.taxonomy import ErrorCode, ErrorType, Fault

_EXAMPLE: Final = 500
"""Bytes of an example that are still a help."""


_LAST: Final = 3
"""The time a call fails the same way after which it should not be sent again."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a caller should know before the next step."""

    hint: Hint
    retry: Retry | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    """`similar`, `example`, `possibly_applied`, `verify_with`, `repeat`."""
    repeat: int = 1

    @property
    def stop(self) -> bool:
        """Whether repeating it has been tried often enough."""
        return self.repeat >= _LAST


def advise(
    verdict: Verdict,
    call: Call,
    around: Around,
    hint: Hint,
    issues: tuple[Issue, ...] = (),
    repeat: int = 1,
    *,
    suggest: bool = True,
    verify: bool = True,
    may_say: Callable[[str], bool] = bool,
) -> Advice:
    """The best next step from what is known; an author's or user's own hint stays first.

    `may_say` tells whether a name can be said to this caller.
    """
    retry = retry_of(verdict, around.effects(call.method, call.tool) if verify else _HARMLESS)
    facts: dict[str, Any] = {}
    said: str | None = None
    if retry is Retry.VERIFY_FIRST:
        said = _verify(call, around, facts)
    elif verdict.code in _UNKNOWN and around.schema is None and not issues:
        said = _unknown(verdict, call, around, facts, may_say if suggest else _nothing)
    elif suggest and issues and (example := _example(around.schema)) is not None:
        facts["example"] = example
    if said and hint.source in _REPLACEABLE:
        hint = Hint(said, "evidence")
    if repeat > 1:
        facts["repeat"] = repeat
        hint = Hint(_repeated(verdict, around, call, hint, retry, repeat, facts), "evidence")
        retry = Retry.NEVER if repeat >= _LAST else retry
    return Advice(hint, retry, facts, repeat)


_HARMLESS: Final = Effects(read_only=True)
_UNKNOWN: Final = frozenset({ErrorCode.INVALID_PARAMS, ErrorCode.NOT_FOUND, ErrorCode.VALIDATION_ERROR})
"""What servers say of a name they do not know."""
_NOUNS: Final = {"tools/call": "tools", "prompts/get": "prompts", "resources/read": "resources"}
_REPLACEABLE: Final = frozenset({"code", "evidence"})


def _verify(call: Call, around: Around, facts: dict[str, Any]) -> str:
    facts["possibly_applied"] = True
    arguments = around.arguments if isinstance(around.arguments, Mapping) else {}
    if tool := verifier(call.tool or "", arguments, around.tools()):
        facts["verify_with"] = tool
        return (
            f"Call {tool} first to see whether it was done already, and repeat the call only if it was not."
        )
    return "Find out first whether it was done already, and repeat the call only if it was not."


def _unknown(
    verdict: Verdict, call: Call, around: Around, facts: dict[str, Any], may_say: Callable[[str], bool]
) -> str | None:
    """What to ask for, where what was asked for is not among what there is."""
    names = around.names()
    if names and call.target not in names:
        return _instead(call, names, facts, may_say)
    if call.method == "prompts/get" and verdict.code is ErrorCode.INVALID_PARAMS:
        # It has no input schema to look at, as the code's own hint has it.
        return "List the prompts, and ask for one of them with the arguments it names."
    return None


def _nothing(name: str) -> bool:
    return False


def _instead(
    call: Call, names: tuple[str, ...], facts: dict[str, Any], may_say: Callable[[str], bool]
) -> str:
    if similar := tuple(filter(may_say, meant(call.target or "", names))):
        facts["similar"] = list(similar)
        return f"Use {_either(similar)} instead, if that is what you meant."
    return f"List the {_NOUNS.get(call.method, 'names')} and use one of them exactly as it is listed."


def _either(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _example(schema: object) -> Any | None:
    example = example_of(schema) if isinstance(schema, Mapping) else None
    return example if example is not None and len(orjson.dumps(example, default=str)) <= _EXAMPLE else None


def _repeated(
    verdict: Verdict,
    around: Around,
    call: Call,
    hint: Hint,
    retry: Retry,
    repeat: int,
    facts: Mapping[str, Any],
) -> str:
    if repeat < _LAST:
        again = "" if retry in (Retry.SAFE, Retry.AFTER) else ", so do not just send it again"
        return f"This very call failed the same way before{again}. {hint.text}"
    known = hint.source not in _REPLACEABLE
    step = hint.text if known else _alternative(verdict, around, call, facts)
    return f"Stop: this very call has failed {repeat} times the same way. {step}"


def _alternative(verdict: Verdict, around: Around, call: Call, facts: Mapping[str, Any]) -> str:
    """What is left to do once repeating has been tried."""
    if "possibly_applied" in facts:
        look = f"Call {facts['verify_with']} to see" if "verify_with" in facts else "Find out"
        return f"{look} whether it was done all the same, and tell the user."
    if verdict.code.traits.fault is not Fault.CALLER:
        return "Go on without it, or tell the user that it does not work at the moment."
    if verdict.code.traits.type is ErrorType.VALIDATION and around.schema is not None:
        return "Change the arguments, or ask the user for the right ones."
    tools = around.tools()
    others = [name for name in tools if name != call.tool]
    if verdict.code is ErrorCode.NOT_FOUND and (tool := verifier(call.tool or "", (), tools)):
        return f"Call {tool} to see what exists, or ask the user."
    if others and (near := nearest(call.tool or "", others)):
        return f"Use another tool, such as {_either(near)}, or ask the user."
    return "Ask the user how to go on."
