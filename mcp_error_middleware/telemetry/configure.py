"""The standard OTEL_* variables in, exporters out: for servers that have no telemetry yet.

Nothing here happens unless it is asked for, and a provider that is set already stays.
"""

from __future__ import annotations

import atexit
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, Final

from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.ending import Ending, hurry, shutdown
from mcp_error_middleware.telemetry.said import say_once

EXPORTERS: Final = {
    "traces": ("otlp", "console", "none"),
    "metrics": ("otlp", "prometheus", "console", "none"),
    "logs": ("otlp", "console", "none"),
}
"""What `OTEL_<signal>_EXPORTER` may be; the first is the default, several are separated by commas."""

PROTOCOLS: Final = {
    "http/protobuf": ("opentelemetry.exporter.otlp.proto.http", "mcp-error-middleware[otlp]"),
    "grpc": ("opentelemetry.exporter.otlp.proto.grpc", "opentelemetry-exporter-otlp-proto-grpc"),
}
"""What `OTEL_EXPORTER_OTLP_PROTOCOL` may be: where its exporters are, and what to install for them."""

_OTLP: Final = {
    "traces": ("trace_exporter", "OTLPSpanExporter"),
    "metrics": ("metric_exporter", "OTLPMetricExporter"),
    "logs": ("_log_exporter", "OTLPLogExporter"),
}
_CONSOLE: Final = {
    "traces": ("opentelemetry.sdk.trace.export", "ConsoleSpanExporter"),
    "metrics": ("opentelemetry.sdk.metrics.export", "ConsoleMetricExporter"),
    "logs": ("opentelemetry.sdk._logs.export", "ConsoleLogRecordExporter"),
}

_Handler = Callable[[int, FrameType | None], object]
"""Of signals."""

_lock: Final = threading.Lock()
_providers: Final[list[Any]] = []


def configure(*, patience: float = 5.0) -> None:
    """Set up traces, metrics and logs as the OTEL_* variables say: by default OTLP over HTTP to this machine.

    A second time does nothing. What is still queued leaves when the process ends, by SIGTERM too; what a
    collector has not taken after `patience` seconds is given up.
    """
    with _lock:
        if _providers or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
            return
        # All of them before any is set: where one cannot be had, nothing is half done.
        made = list(_made())
        for provider, use in made:
            use(provider)
            _providers.append(provider)
        if not _providers:
            return
        Ending(tuple(_providers), patience)
        say_once()
    from mcp_error_middleware.telemetry.operation import begin

    begin()
    atexit.register(shutdown)
    _heed_sigterm()


# --- exporters ----------------------------------------------------------------------------------


def _exporters(sort: str) -> list[Any]:
    variable = f"OTEL_{sort.upper()}_EXPORTER"
    asked = os.environ.get(variable) or EXPORTERS[sort][0]
    wanted = dict.fromkeys(name.strip() for name in asked.split(","))
    if unknown := sorted(wanted.keys() - set(EXPORTERS[sort])):
        raise ValueError(f"{variable} is {unknown[0]!r}; use one of {', '.join(EXPORTERS[sort])}.")
    return [_exporter(sort, name) for name in wanted if name != "none"]


def _exporter(sort: str, name: str) -> Any:
    if name == "prometheus":
        return _prometheus()
    if name == "otlp":
        return _otlp(sort)
    module, exporter = _CONSOLE[sort]
    # Standard output is the wire of a stdio server.
    return getattr(import_module(module), exporter)(out=sys.stderr)


def _otlp(sort: str) -> Any:
    variables = f"OTEL_EXPORTER_OTLP_{sort.upper()}_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"
    variable = next(filter(os.environ.get, variables), None)
    protocol = os.environ[variable] if variable else "http/protobuf"
    if protocol not in PROTOCOLS:
        raise ValueError(f"{variable} is {protocol!r}; use one of {', '.join(PROTOCOLS)}.")
    _check_headers(f"OTEL_EXPORTER_OTLP_{sort.upper()}_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")
    if protocol != "grpc":
        _check_endpoint(f"OTEL_EXPORTER_OTLP_{sort.upper()}_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    package, extra = PROTOCOLS[protocol]
    module, exporter = _OTLP[sort]
    return getattr(_imported(f"{package}.{module}", "OTLP", extra), exporter)()


def _check_headers(*variables: str) -> None:
    """Refuse what the SDK would pass over with a warning that repeats it, and it is most often a token."""
    for variable in variables:
        entries = filter(str.strip, os.environ.get(variable, "").split(","))
        if not all("=" in entry for entry in entries):
            raise ValueError(f"{variable} has an entry that is not of the form name=value.")


def _check_endpoint(*variables: str) -> None:
    """Refuse an address that nothing could ever be sent to; gRPC alone takes one without a scheme."""
    variable = next(filter(os.environ.get, variables), None)
    if variable and not os.environ[variable].lower().startswith(("http://", "https://")):
        raise ValueError(f"{variable} does not begin with http:// or https://.")


def _prometheus() -> Any:
    """A reader, and the endpoint that serves it."""
    module = _imported("opentelemetry.exporter.prometheus", "Prometheus", "mcp-error-middleware[prometheus]")
    client = import_module("prometheus_client")
    host = os.environ.get("OTEL_EXPORTER_PROMETHEUS_HOST") or "localhost"
    port = os.environ.get("OTEL_EXPORTER_PROMETHEUS_PORT") or "9464"
    registry = client.CollectorRegistry()
    reader = module.PrometheusMetricReader(registry=registry, scope_info_enabled=False)
    try:
        client.start_http_server(int(port), host, registry)
    except (OSError, OverflowError, ValueError) as exc:
        raise ValueError(
            f"cannot serve metrics on {host}:{port} ({exc}); set OTEL_EXPORTER_PROMETHEUS_PORT to a free one."
        ) from exc
    return reader


def _imported(module: str, what: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError as exc:
        raise ImportError(
            f"{what} needs a package that is missing: pip install {shlex.quote(extra)}"
        ) from exc


# --- providers ----------------------------------------------------------------------------------

_Made = tuple[Any, Callable[[Any], None]]
"""A provider, and what sets it."""


def _made() -> Iterator[_Made]:
    """A provider for each signal that somebody wants and nobody has set."""
    # Metrics come last: they may open a port.
    made = {sort: _exporters(sort) for sort in ("traces", "logs", "metrics") if _is_free(sort)}
    try:
        for sort, exporters in made.items():
            if exporters:
                yield _MAKERS[sort](exporters)
    except ValueError as exc:
        raise ValueError(f"an OTEL_* variable has a value that cannot be used: {exc}") from exc


def _traces(exporters: list[Any]) -> _Made:
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

    from mcp_error_middleware.telemetry.delivery import spans_to

    provider = TracerProvider(shutdown_on_exit=False)
    for exporter in exporters:
        provider.add_span_processor(spans_to(exporter))
    return provider, trace.set_tracer_provider


def _logs(exporters: list[Any]) -> _Made:
    from opentelemetry import _logs
    from opentelemetry.sdk._logs import LoggerProvider

    from mcp_error_middleware.telemetry.delivery import records_to

    provider = LoggerProvider(shutdown_on_exit=False)
    for exporter in exporters:
        provider.add_log_record_processor(records_to(exporter))
    return provider, _logs.set_logger_provider


def _metrics(exporters: list[Any]) -> _Made:
    from opentelemetry import metrics
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
    from opentelemetry.sdk.metrics.view import View

    readers = [
        item if isinstance(item, MetricReader) else PeriodicExportingMetricReader(item) for item in exporters
    ]
    # Whatever is recorded, only the attributes we promise become labels.
    views = [View(instrument_name=item.name, attribute_keys=set(item.attributes)) for item in names.METRICS]
    return MeterProvider(readers, views=views, shutdown_on_exit=False), metrics.set_meter_provider


_MAKERS: Final = {"traces": _traces, "logs": _logs, "metrics": _metrics}


def _is_free(sort: str) -> bool:
    """Whether nobody has set a provider of this signal: the API then gives a stand-in."""
    from opentelemetry import _logs, metrics, trace

    providers = {
        "traces": trace.get_tracer_provider,
        "logs": _logs.get_logger_provider,
        "metrics": metrics.get_meter_provider,
    }
    provider = providers[sort]()
    return type(provider).__module__.startswith("opentelemetry.") and not hasattr(provider, "shutdown")


# --- the end ------------------------------------------------------------------------------------


def _heed_sigterm() -> None:
    """Send what is queued before SIGTERM ends the process, or before whoever else heeds it does."""
    if threading.current_thread() is not threading.main_thread():
        return
    heeded = signal.getsignal(signal.SIGTERM)
    if heeded is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    elif callable(heeded):
        signal.signal(signal.SIGTERM, partial(_pass_on, heeded))


def _end(number: int, frame: FrameType | None) -> None:
    shutdown()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _pass_on(heeded: _Handler, number: int, frame: FrameType | None) -> None:
    # First theirs: a worker of uvicorn's then has all the time of its shutdown to be heard.
    heeded(number, frame)
    hurry()
