"""Foreign object in, plain value out: reading what may bite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeGuard

BODY: Final = 16_384
"""How much of an upstream's answer is read as JSON."""
ITEMS: Final = 20
"""How many entries of a list of errors are looked at."""


def read(obj: Any, name: str) -> Any:
    """The attribute, or None: missing, raising and misbehaving ones are all the same here."""
    try:
        return getattr(obj, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - foreign code
        return None


def item(obj: Any, key: Any) -> Any:
    """The entry of something like a mapping, or None."""
    if type(obj) is dict:
        return obj.get(key)
    if obj is None or is_text(obj) or not hasattr(type(obj), "__getitem__"):
        return None
    try:
        return obj[key]
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - foreign code
        return None


def either(obj: Any, name: str) -> Any:
    """The entry or the attribute of this name: payloads come as dicts and as objects."""
    if obj is None:
        return None
    return item(obj, name) if is_mapping(obj) else read(obj, name)


def called(obj: Any, name: str) -> Any:
    """What a method without arguments returns, or None. Only for methods known to do nothing else."""
    try:
        method = getattr(obj, name, None)
        return method() if callable(method) else None
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - foreign code
        return None


# By `type`, never by `isinstance`: an object may lie about its class.


def is_text(value: Any) -> bool:
    """A string or bytes."""
    return issubclass(type(value), (str, bytes))


def is_mapping(value: Any) -> bool:
    """A dict, or what was declared to be one."""
    kind: Any = type(value)
    return kind is dict or (kind not in PLAIN and _is_mapping(kind))


# An abstract class is slow to say who is one of it.
@lru_cache(maxsize=512)
def _is_mapping(kind: type) -> bool:
    return issubclass(kind, Mapping)


def is_list(value: Any) -> bool:
    """A list or tuple."""
    return issubclass(type(value), (list, tuple))


def is_exception(value: Any) -> TypeGuard[BaseException]:
    """An exception, not a class of them."""
    return issubclass(type(value), BaseException)


PLAIN: Final = frozenset({str, bytes, int, float, bool, list, tuple, type(None)})
"""Types whose values hold no attributes worth reading."""


def text(value: Any) -> str | None:
    """A string, also one in bytes; else None."""
    kind = type(value)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, bytes):
        return bytes.decode(value, "utf-8", "replace")
    return None


def integer(value: Any) -> int | None:
    """A whole number, also of an enum; a bool is none."""
    kind = type(value)
    return int.__index__(value) if issubclass(kind, int) and kind is not bool else None


def number(value: Any) -> float | None:
    """A number, also one in a string; a bool is none."""
    kind = type(value)
    if kind is bool or not issubclass(kind, (int, float, str, bytes)):
        return None
    try:
        return float(text(value) or value)
    except (ValueError, OverflowError):
        return None


def entries(value: Any) -> Iterator[Any]:
    """The first entries of a list or tuple; nothing of anything else."""
    if issubclass(type(value), list):
        yield from list.__getitem__(value, slice(0, ITEMS))
    elif issubclass(type(value), tuple):
        yield from tuple.__getitem__(value, slice(0, ITEMS))


def parsed(value: Any) -> Any:
    """The JSON in a short text; None if there is none."""
    if not is_text(value) or not 2 <= len(value) <= BODY:
        return None
    body = text(value)
    if not body or body.lstrip()[:1] not in ("{", "["):
        return None
    import json

    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
