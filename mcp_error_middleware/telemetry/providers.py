"""The question who traces and who measures, asked at every request: at a price that fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from opentelemetry import metrics, trace

T = TypeVar("T")


def _remembered(ask: Callable[[], T], name: str) -> Callable[[], T]:
    """The same question; the API's variable of that name answers it, or the first answer while that is empty.

    Until a provider is set, the API looks into the environment each time: the dearest part of a call.
    """
    space: dict[str, Any] = cast("Any", ask).__globals__
    stand_in: list[T] = []

    def asked() -> T:
        if (found := space.get(name)) is not None:
            return cast("T", found)
        # Another version may keep it elsewhere: then there is no such name.
        if stand_in and name in space:
            return stand_in[0]
        found = ask()
        if space.get(name, space) is None:
            stand_in[:] = [found]
        return found

    return asked


tracer_provider = _remembered(trace.get_tracer_provider, "_TRACER_PROVIDER")
meter_provider = _remembered(metrics.get_meter_provider, "_METER_PROVIDER")
