"""A planted secret and places in, where it shows up out."""

from __future__ import annotations

import base64
import dataclasses
import html
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final
from urllib.parse import quote, quote_plus

from mcp_error_middleware.classify.evidence.access import called, is_exception, is_mapping, read, text
from mcp_error_middleware.model import Failure

SHORTEST: Final = 6
"""What is shorter is found by chance."""

_NODES: Final = 200_000
_PATH: Final = 20_000
_AROUND: Final = 30


def assert_no_leak(canary: str, *places: object, **named: object) -> None:
    """Assert that a planted secret is in none of the places, in no usual spelling.

    A place is anything: a result, an exception, failures, `caplog`, `capsys`, spans or their exporter, a
    response, any nested object. Those passed by name are called so in the report.
    """
    __tracebackhide__ = True
    if len(canary) < SHORTEST:
        raise ValueError(
            f"a canary of fewer than {SHORTEST} characters is found by chance; plant a longer one"
        )
    leaks = find_leaks(canary, *places, **named)
    if leaks:
        raise AssertionError(
            "\n".join([f"the planted secret {canary!r} leaks:", *(f"  {leak}" for leak in leaks)])
        )


def find_leaks(canary: str, *places: object, **named: object) -> list[str]:
    """One line for each text that holds it: where, how it is spelled, and what is around it."""
    roots = {**{type(place).__name__: place for place in places}, **named}
    if len(roots) < len(places) + len(named):
        roots = {**{f"place {i}": place for i, place in enumerate(places, 1)}, **named}
    forms = [(form, spelled) for form, spell in SPELLINGS.items() for spelled in spell(canary)]
    found = (_leak(path, said, forms) for name, root in roots.items() for path, said in _texts(root, name))
    return [leak for leak in found if leak]


def _leak(path: str, said: str, forms: Iterable[tuple[str, str]]) -> str | None:
    lowered = said.lower()
    for form, spelled in forms:
        where = said.find(spelled) if form == "base64" else lowered.find(spelled.lower())
        if where >= 0:
            around = said[max(0, where - _AROUND) : where + len(spelled) + _AROUND]
            return f"{path} ({form}): {around!r}"
    return None


# --- how a secret can be spelled ------------------------------------------------------------------


def _as_json(canary: str) -> list[str]:
    return [json.dumps(canary)[1:-1], json.dumps(canary, ensure_ascii=False)[1:-1]]


def _as_url(canary: str) -> list[str]:
    return [quote(canary), quote(canary, safe=""), quote_plus(canary)]


def _as_base64(canary: str) -> list[str]:
    """As it looks inside of a longer text, at each of three offsets, without the characters it shares."""
    found = []
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + canary.encode("utf-8", "replace")).decode()
        shared = {0: 0, 1: 2, 2: 3}[offset]
        tail = (len(canary.encode("utf-8", "replace")) + offset) % 3
        core = encoded.rstrip("=")[shared:]
        core = core[:-1] if tail else core
        found += [core, core.replace("+", "-").replace("/", "_")]
    return found


SPELLINGS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "as it is": lambda canary: [canary],
    "as JSON": _as_json,
    "URL-encoded": _as_url,
    "as HTML": lambda canary: [html.escape(canary)],
    "base64": _as_base64,
    "hex": lambda canary: [canary.encode("utf-8", "replace").hex()],
    "reversed": lambda canary: [canary[::-1]],
}
"""Upper and lower case are the same in all but base64."""


# --- every text of a place ------------------------------------------------------------------------


def _texts(root: object, name: str) -> Iterator[tuple[str, str]]:
    seen: dict[int, object] = {}
    left = [(name, root)]
    while left:
        path, value = left.pop()
        if (said := _said(value)) is not None:
            yield path, said
        elif id(value) not in seen:
            if len(seen) == _NODES or len(path) > _PATH:
                raise ValueError(
                    f"{name} holds too much to be searched; pass the part that leaves the server"
                )
            # Kept, so that no other object can get its id.
            seen[id(value)] = value
            parts = list(islice(_parts(value), _NODES))
            left += [(f"{path}{step}", part) for step, part in reversed(parts)]


def _said(value: Any) -> str | None:
    if type(value) in (int, float):
        # Python refuses to spell the largest, and nobody's secret is as long.
        return f"{value}" if type(value) is float or value.bit_length() < 4_000 else ""
    return text(bytes(value) if _is(value, bytearray, memoryview) else value)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if value is None or _is(value, bool, type, ModuleType, FunctionType, MethodType):
        return
    if is_exception(value):
        yield from _of_exception(value)
    elif is_mapping(value):
        for key, item in called(value, "items") or ():
            yield f" key {key!r:.60}" if type(key) is str else " key", key
            yield f"[{key!r:.60}]" if type(key) in (str, int) else "[…]", item
    elif _is(value, list, tuple, set, frozenset) and not hasattr(type(value), "_fields"):
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    else:
        special = next((parts(value) for fits, parts in _SPECIAL if fits(value)), None)
        yield from _attributes(value) if special is None else special


def _of_exception(exc: BaseException) -> Iterator[tuple[str, Any]]:
    yield " text", called(exc, "__str__")
    for name in ("args", "__notes__", "__cause__", "__context__", "exceptions"):
        yield f".{name}", read(exc, name)
    yield from ((f".{name}", value) for name, value in _own(exc).items())


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    slots = [name for cls in type(value).__mro__ for name in _names(cls.__dict__.get("__slots__", ()))]
    held = {name: read(value, name) for name in slots} | _own(value)
    held |= {name: read(value, name) for name in getattr(type(value), "_fields", ())}
    yield from ((f".{name}", part) for name, part in held.items())
    if held:
        return
    # Nothing of Python's to look into: a URL, a number, a container made in another language.
    yield " text", called(value, "__str__")
    if hasattr(type(value), "__iter__") and hasattr(type(value), "__len__"):
        yield from ((f"[{i}]", item) for i, item in enumerate(value))


def _is(value: object, *classes: type) -> bool:
    # Not by `isinstance`: an object may lie about its class, or raise.
    return issubclass(type(value), classes)


def _names(slots: Any) -> Iterable[str]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _own(value: Any) -> dict[str, Any]:
    own = read(value, "__dict__")
    return dict(own) if type(own) is dict else {}


def _of_record(record: logging.LogRecord) -> Iterator[tuple[str, Any]]:
    yield ".getMessage()", called(record, "getMessage")
    # What becomes of the exception is up to the formatter, and in the text.
    yield from ((f".{name}", value) for name, value in vars(record).items() if name != "exc_info")


def _of_failure(failure: Failure) -> Iterator[tuple[str, Any]]:
    # The exception is there for observers while they are told, and never rendered.
    names = (field.name for field in dataclasses.fields(failure) if field.name != "exception")
    return ((f".{name}", getattr(failure, name)) for name in names)


def _picked(*names: str) -> Callable[[Any], Iterator[tuple[str, Any]]]:
    return lambda value: ((f".{name}", read(value, name)) for name in names)


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda value: all(hasattr(type(value), name) for name in names)


_SPECIAL: Final[tuple[tuple[Callable[[Any], bool], Callable[[Any], Iterator[tuple[str, Any]]]], ...]] = (
    (lambda value: _is(value, Failure), _of_failure),
    (lambda value: _is(value, logging.LogRecord), _of_record),
    (_has("records", "text", "at_level"), _picked("text", "records")),
    (_has("readouterr"), lambda value: iter([(".readouterr()", value.readouterr())])),
    (_has("get_finished_spans"), lambda value: iter([("", value.get_finished_spans())])),
    (
        _has("attributes", "events", "resource", "status"),
        lambda span: iter(
            [
                *_picked("name", "attributes", "events", "links")(span),
                (".status.description", read(span.status, "description")),
                (".resource", read(span.resource, "attributes")),
            ]
        ),
    ),
    # Of a response, what came back; its request holds what the caller sent.
    (_has("raise_for_status"), _picked("headers", "content", "reason_phrase", "reason")),
)
"""What is asked for its texts in its own way: `caplog`, `capsys`, an exporter, a span, an HTTP response."""
