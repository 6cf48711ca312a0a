from __future__ import annotations

from unittest.mock import patch

import pytest
from opentelemetry import metrics, trace
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.trace import NoOpTracerProvider
from opentelemetry.util._once import Once

from mcp_error_middleware.telemetry.providers import _remembered, meter_provider, tracer_provider

_TRACES = "opentelemetry.trace._TRACER_PROVIDER"
_METERS = "opentelemetry.metrics._internal._METER_PROVIDER"


def test_a_provider_that_is_set_later_is_the_one_from_then_on() -> None:
    with patch(_TRACES, None), patch(_METERS, None):
        assert tracer_provider() is trace.get_tracer_provider()
        assert meter_provider() is metrics.get_meter_provider()
        with patch(_TRACES, NoOpTracerProvider()), patch(_METERS, NoOpMeterProvider()):
            assert type(tracer_provider()) is NoOpTracerProvider
            assert type(meter_provider()) is NoOpMeterProvider
        assert tracer_provider() is trace.get_tracer_provider()


def test_the_environment_is_asked_once_while_nobody_set_a_provider() -> None:
    with patch(_TRACES, None):
        asked = _remembered(trace.get_tracer_provider, "_TRACER_PROVIDER")
        first = asked()
        with patch("os.environ", None):
            assert asked() is first


def test_a_provider_that_the_environment_names_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_PYTHON_TRACER_PROVIDER", "default_tracer_provider")
    with patch(_TRACES, None), patch("opentelemetry.trace._TRACER_PROVIDER_SET_ONCE", Once()):
        asked = _remembered(trace.get_tracer_provider, "_TRACER_PROVIDER")
        assert type(asked()) is NoOpTracerProvider


def test_a_version_that_keeps_it_elsewhere_is_asked_every_time() -> None:
    asked = _remembered(trace.get_tracer_provider, "_ANOTHER_NAME")
    with patch(_TRACES, NoOpTracerProvider()):
        assert type(asked()) is NoOpTracerProvider
    with patch(_TRACES, None):
        assert asked() is trace.get_tracer_provider()
