"""Any value in, valid JSON out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

import orjson

T = TypeVar("T")

UNFIT: Final = "[not representable as JSON]"
"""Stands where a value was that JSON has no words for."""

_DEPTH: Final = 32
_NODES: Final = 2_000


def dumps(value: object) -> bytes:
    """The value as JSON in UTF-8. Never raises; what does not fit is replaced by the nearest that does."""
    try:
        return orjson.dumps(value)
    except Exception:  # noqa: BLE001 - lone surrogates, huge integers, cycles, odd keys and types
        return orjson.dumps(_Mender().mended(value))


def plain(value: object, most: float = math.inf) -> Any:
    """A deep copy made of nothing but dicts, lists, strings, numbers, booleans and None.

    Of what takes more than `most` bytes to write down, only as many parts as would be mended.
    """
    written = dumps(value)
    return orjson.loads(written) if len(written) <= most else _Mender().mended(value)


class _Mender:
    """Rebuilds a value that orjson refused, within a number of nodes and a depth."""

    __slots__ = ("room",)

    def __init__(self) -> None:
        self.room = _NODES

    def mended(self, value: object, depth: int = 0) -> Any:
        self.room -= 1
        if self.room < 0 or depth > _DEPTH:
            return "…"
        try:
            return self._mended(value, depth)
        except Exception:  # noqa: BLE001 - a hostile object; its neighbours are still worth saying
            return UNFIT

    def _mended(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, Mapping):
            items = self._while_room(value.items())
            return {self._key(key): self.mended(item, depth + 1) for key, item in items}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.mended(item, depth + 1) for item in self._while_room(value)]
        return _scalar(value)

    def _while_room(self, items: Iterable[T]) -> Iterator[T]:
        for item in items:
            yield item
            if self.room < 0:
                return

    def _key(self, key: object) -> str:
        try:
            return _text(key) if isinstance(key, str) else dumps(_scalar(key)).decode().strip('"')
        except Exception:  # noqa: BLE001 - as above
            return UNFIT


def _text(value: str) -> str:
    return str.encode(value, "utf-8", "replace").decode()


def _scalar(value: Any) -> Any:
    if type(value) is int and not -(1 << 63) <= value < 1 << 64:
        return str(value)
    if type(value) is float and not math.isfinite(value):
        return None
    return orjson.loads(orjson.dumps(value))
