"""A log line's fields in, lines for a person at a terminal out: the cause chain as a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mcp_error_middleware.sanitize.clean import printable
from mcp_error_middleware.telemetry import names

_COLOURS: Final = {"server": "31", "upstream": "33", "caller": "36"}
"""By fault: red, yellow, cyan."""

_RELATIONS: Final = {
    "raised": "",
    "cause": "caused by ",
    "context": "while handling ",
    "suppressed": "hiding ",
    "member": "",
}

_FRAMES: Final = 3
"""The innermost places of each link, one of them the app's own."""


def draw(event: str, fields: Mapping[str, Any], *, is_colourful: bool = False) -> str:
    """The failure, or the number of them, ready to be written."""
    paint = _painted if is_colourful else _plain
    lines = _DRAWN.get(event, _failure)(fields)
    colour = _COLOURS.get(str(fields.get("fault")), "0")
    # A name may hold a line end, and must not begin a line of ours.
    head, *rest = [printable(line).replace("\n", " ") for line in lines]
    return "\n".join((paint(head, colour), *rest, ""))


def _count(fields: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{fields['code']} {_place(fields)}: {fields['count']} more of the same, "
        f"{fields['first_error_id']} to {fields['last_error_id']}"
    )


def _silent(fields: Mapping[str, Any]) -> Iterator[str]:
    often = f", {fields['count']} times more" if "count" in fields else ""
    said = _first_line(fields["message"])
    yield f"{fields.get('target')} said it succeeded ({fields['kind']}){often}: {said}"


def _failure(fields: Mapping[str, Any]) -> Iterator[str]:
    yield f"{fields['code']} {_place(fields)}: {_first_line(fields['message'])}"
    retry = "may be retried" if fields.get("retryable") else "not to be retried unchanged"
    yield f"  error id {fields['error_id']}, {fields['fault']}'s fault, {retry}"
    for name, value in fields.items():
        if name in ("trace_id", "evidence", "reason", "redactions"):
            yield f"  {name.replace('_', ' ')} {value}"
    yield from _tree(fields.get("causes", ()))


_DRAWN: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]]] = {
    names.SUMMARY_EVENT: _count,
    names.SILENT_EVENT: _silent,
}


def _tree(causes: Any) -> Iterator[str]:
    for cause in causes:
        indent = "  " + "   " * cause["depth"]
        branch = "└─ " if cause["depth"] else ""
        relation, text = _RELATIONS[cause["relation"]], _first_line(cause["message"])
        yield f"{indent}{branch}{relation}{cause['type']}: {text}"
        room = indent + " " * len(branch)
        for frame in _shown(cause):
            yield f"{room}   at {frame}"
        for note in cause.get("notes", ()):
            yield f"{room}   note: {_first_line(note)}"


def _shown(cause: Mapping[str, Any]) -> list[str]:
    frames, own = cause.get("frames", ()), cause.get("at")
    if own is None or own in frames[-_FRAMES:]:
        return list(frames[-_FRAMES:])
    return [own, *frames[1 - _FRAMES :]]


def _place(fields: Mapping[str, Any]) -> str:
    target = fields.get("target")
    return f"in {fields['method']} {target}" if target else f"in {fields['method']}"


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _painted(text: str, colour: str) -> str:
    return f"\x1b[1;{colour}m{text}\x1b[0m"


def _plain(text: str, _: str) -> str:
    return text
