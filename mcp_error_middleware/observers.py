"""Failure in, every observer told: they listen, they cannot steer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from weakref import ref

from mcp_error_middleware.classify import is_stop
from mcp_error_middleware.model import Failure, Observer
from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.told import stand_in

_LOG: Final = logging.getLogger("mcp_error_middleware")

_reported: dict[tuple[int, str], object] = {}
"""The observers that were reported, each as long as it lives."""
_REPORTED: Final = 1000


def tell(observer: Observer, failure: Failure, scrub: Callable[[str], str] = sanitize_text) -> None:
    """Let an observer know. One that raises is reported once and otherwise passed over."""
    try:
        observer(failure)
    except BaseException as error:  # an observer cannot steer
        if is_stop(error):
            raise
        with suppress(Exception):  # nor can what it says of itself, or a logger
            _report(getattr(observer, "__wrapped__", observer), error, scrub)


def _report(observer: Observer, error: BaseException, scrub: Callable[[str], str]) -> None:
    named = observer if isinstance(getattr(observer, "__qualname__", None), str) else type(observer)
    # By its name: what it holds is nobody's business.
    name = f"{named.__module__}.{named.__qualname__}"
    if _is_news(observer, name):
        _LOG.warning("observer %s raised and was passed over", name, exc_info=stand_in(error, scrub))


def _is_news(observer: Observer, name: str) -> bool:
    """Whether this very observer is reported for the first time."""
    # A method is another object each time it is asked for.
    owner = getattr(observer, "__self__", observer)
    key = id(owner), name
    if key in _reported:
        return False
    if len(_reported) >= _REPORTED:
        _reported.clear()
    try:
        _reported[key] = ref(owner, lambda _: _reported.pop(key, None))
    except TypeError:
        _reported[key] = owner
    return True
