from __future__ import annotations

import gc
import logging
from contextvars import ContextVar

import pytest

from mcp_error_middleware import ErrorPolicy
from mcp_error_middleware.adapters.withheld import Withheld, Withholding
from mcp_error_middleware.telemetry import observed

_current: ContextVar[Withheld | None] = ContextVar("current", default=None)
_LOGGER = logging.getLogger("shop.framework")


class Layer:
    """A server, or what is on it."""


def _log_a_failure() -> None:
    try:
        raise KeyError("boxes")
    except KeyError:
        _LOGGER.exception("it failed")


def test_a_layer_that_begins_twice_and_ends_or_is_gone_leaves_nothing_behind() -> None:
    withholding, ended, gone = Withholding(_current, (_LOGGER.name,)), Layer(), Layer()
    for layer in (ended, gone, gone):
        withholding.begin(layer)
    assert len(_LOGGER.filters) == 1

    withholding.end(ended)
    assert len(_LOGGER.filters) == 1
    del layer, gone
    gc.collect()
    assert _LOGGER.filters == []


@pytest.mark.parametrize("is_told", [True, False])
def test_only_what_somebody_else_is_told_of_is_kept_back(
    caplog: pytest.LogCaptureFixture, is_told: bool
) -> None:
    withholding, layer = Withholding(_current, (_LOGGER.name,)), Layer()
    withholding.begin(layer)
    request = Withheld(policy=observed(ErrorPolicy(log=is_told)).policy)
    token = _current.set(request)
    _log_a_failure()
    assert len(caplog.records) == (not is_told)

    _current.reset(token)
    request.close()
    assert len(caplog.records) == 1
    withholding.end(layer)


def test_a_long_row_of_failures_is_not_kept_back_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    withholding, layer = Withholding(_current, (_LOGGER.name,)), Layer()
    withholding.begin(layer)
    token = _current.set(Withheld(policy=observed(ErrorPolicy()).policy))
    for _ in range(25):
        _log_a_failure()

    assert len(caplog.records) == 5
    _current.reset(token)
    withholding.end(layer)
