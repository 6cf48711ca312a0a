"""Failure in, everyone in the process who asked to hear of failures told."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Final
from weakref import WeakMethod

from mcp_error_middleware.model import Failure, Observer
from mcp_error_middleware.observers import tell

_listeners: Final[list[Callable[[], Observer | None]]] = []


def listen(observer: Observer) -> Callable[[], None]:
    """Hear of every failure of every server in the process; what is returned ends it.

    A method is forgotten with its object.
    """
    listener: Callable[[], Observer | None] = (
        WeakMethod(observer) if isinstance(observer, MethodType) else lambda: observer
    )
    _listeners.append(listener)
    return lambda: _forget(listener)


def tell_listeners(failure: Failure) -> None:
    """An observer: passes it on."""
    for listener in tuple(_listeners):
        if (observer := listener()) is None:
            _forget(listener)
        else:
            tell(observer, failure)


def _forget(listener: Callable[[], Observer | None]) -> None:
    if listener in _listeners:
        _listeners.remove(listener)
