"""What tools promise and how they failed in, where the two differ out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any, Final

import orjson

from mcp_error_middleware.contracts import Contract
from mcp_error_middleware.taxonomy import BY_LABEL, ErrorCode

CONTRACT_KEY: Final = "io.github.mcp-error-middleware/errors"
"""The `_meta` key under which a tool advertises its modes."""

Modes = Sequence[Mapping[str, Any]]
"""A tool's modes as JSON: `reason`, `code`, `when`, `recovery`, `retryable`."""

BASELINE: Final = frozenset(
    code.label
    for code in (
        ErrorCode.INTERNAL_ERROR,
        ErrorCode.SERVICE_UNAVAILABLE,
        ErrorCode.TIMEOUT,
        ErrorCode.VALIDATION_ERROR,
        ErrorCode.INVALID_PARAMS,
        ErrorCode.SERIALIZATION_ERROR,
    )
)
"""Codes that any tool may fail with, whatever it promises."""

_EVENTS: Final = ("mcp.failure", "mcp.failures")
_METHODS: Final = ("tools/call", "prompts/get")
"""Of what has a name; a resource has whatever address a client asked for."""


def modes_of(contract: type[Contract]) -> list[dict[str, Any]]:
    """A contract as JSON, as clients see it."""
    return [
        {
            "reason": mode.reason,
            "code": mode.code.label,
            "when": mode.when,
            "recovery": mode.recovery,
            "retryable": mode.code.traits.retryable if mode.retryable is None else mode.retryable,
        }
        for mode in contract
    ]


def in_words(contract: type[Contract]) -> str:
    """The same for a description: one line a mode."""
    lines = [f"- {mode.reason} ({mode.code.label}): {mode.when.rstrip('.')}." for mode in contract]
    return "\n".join(["Fails with:", *lines])


@dataclass(frozen=True, slots=True)
class Seen:
    """How tools and prompts failed, by name, reason (empty where none was given) and code."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    messages: dict[tuple[str, str, str], str] = field(default_factory=dict)


def seen_in(lines: Iterable[str | bytes]) -> Seen:
    """The failures of tools and prompts in a log of JSON lines; other lines are passed over."""
    seen = Seen()
    for line in lines:
        try:
            said = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(said, dict) and said.get("event") in _EVENTS and _is_named(said):
            _note(seen, said)
    return seen


def _is_named(said: Mapping[str, Any]) -> bool:
    return said.get("method", _METHODS[0]) in _METHODS and isinstance(said.get("target"), str)


def _note(seen: Seen, said: Mapping[str, Any]) -> None:
    key = (said["target"], str(said.get("reason") or ""), str(said.get("code", "")))
    count = said.get("count", 1)
    seen.counts[key] += count if isinstance(count, int) else 1
    if isinstance(said.get("message"), str):
        seen.messages[key] = said["message"]


@dataclass(frozen=True, slots=True)
class Drift:
    """Where promises and failures differ."""

    undeclared: tuple[str, ...] = ()
    """Seen, and promised by no contract."""
    unseen: tuple[str, ...] = ()
    """Promised, and never seen."""


def drift(declared: Mapping[str, Modes], seen: Seen) -> Drift:
    """What was seen of the tools that promise something, against what they promise."""
    return Drift(tuple(_undeclared(declared, seen)), tuple(_unseen(declared, seen)))


def _undeclared(declared: Mapping[str, Modes], seen: Seen) -> Iterable[str]:
    for (tool, reason, code), count in sorted(seen.counts.items()):
        modes = declared.get(tool)
        if not modes:
            continue
        promised = _by_reason(modes).get(reason)
        if reason and promised is None:
            yield f"{tool}: {reason} ({code}), {_times(count)}"
        elif promised is not None and promised["code"] != code:
            yield f"{tool}: {reason} ({code}), which is declared as {promised['code']}, {_times(count)}"
        elif not reason and code not in BASELINE and code not in {mode["code"] for mode in modes}:
            yield f"{tool}: {code} without a reason, {_times(count)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _unseen(declared: Mapping[str, Modes], seen: Seen) -> Iterable[str]:
    met = {(tool, reason) for tool, reason, _ in seen.counts}
    for tool, modes in sorted(declared.items()):
        for mode in modes:
            if (tool, mode["reason"]) not in met:
                yield f"{tool}: {mode['reason']} ({mode['code']})"


def changes(before: Mapping[str, Modes], now: Mapping[str, Modes]) -> tuple[str, ...]:
    """What clients that rely on the older promises would notice."""
    found: list[str] = []
    for tool in sorted(before.keys() | now.keys()):
        was, now_is = _by_reason(before.get(tool, ())), _by_reason(now.get(tool, ()))
        found += [f"{tool}: {reason} is gone" for reason in was.keys() - now_is.keys()]
        found += [f"{tool}: {reason} is new" for reason in now_is.keys() - was.keys()]
        for reason in was.keys() & now_is.keys():
            old, new = was[reason], now_is[reason]
            found += [
                f"{tool}: {reason} has another {name}: {old.get(name)} became {new.get(name)}"
                for name in ("code", "retryable", "recovery", "when")
                if old.get(name) != new.get(name)
            ]
    return tuple(sorted(found))


def _by_reason(modes: Modes) -> dict[str, Mapping[str, Any]]:
    return {str(mode["reason"]): mode for mode in modes}


# --- a first draft ------------------------------------------------------------------------------


def suggested(seen: Seen, declared: Mapping[str, Modes] | None = None) -> str:
    """Contracts for what was seen, as source to be read and reworded."""
    declared = declared or {}
    tools: dict[str, dict[str, tuple[str, str]]] = {}
    for (tool, reason, code), _ in seen.counts.most_common():
        known = {mode["reason"] for mode in declared.get(tool, ())}
        if (reason or code not in BASELINE) and reason not in known and code in BY_LABEL:
            name = reason or BY_LABEL[code].traits.name
            tools.setdefault(tool, {}).setdefault(name, (code, seen.messages.get((tool, reason, code), "")))
    return "\n\n\n".join(_class(tool, modes) for tool, modes in sorted(tools.items()))


def _class(tool: str, modes: Mapping[str, tuple[str, str]]) -> str:
    name = "".join(part.title() for part in re.findall(r"[A-Za-z0-9]+", tool))
    name = name if name.isidentifier() else f"Tool{name}"
    lines = [f"class {name}Errors(Contract):", f'    """How {_plain(tool)} fails."""', ""]
    for reason, (code, message) in modes.items():
        traits = BY_LABEL[code].traits
        lines += [
            f"    {_identifier(reason)} = Mode(",
            f"        ErrorCode.{BY_LABEL[code].name},",
            f"        when={message or traits.message!r},",
            f"        recovery={traits.hint!r},",
            "    )",
        ]
    return "\n".join(lines)


def _plain(text: str) -> str:
    return re.sub(r"[^\w .:/-]", "", text)[:80]


def _identifier(reason: str) -> str:
    """The reason as one that a contract may declare."""
    name = "_".join(re.findall(r"[a-z0-9]+", reason.lower())) or "failed"
    taken = iskeyword(name) or hasattr(Contract, name) or not name.isidentifier()
    return f"reason_{name}" if taken else name
