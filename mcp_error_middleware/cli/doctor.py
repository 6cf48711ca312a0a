"""Check an environment, and say how to mend it.

Looks at versions and pins that clash, at the MCP_ERRORS_* and OTEL_* variables, and, where one is named, at
whether a server is really hooked. Ends with 1 if something is broken.

Examples:
  mcp-error-middleware doctor
  mcp-error-middleware doctor shop.server:mcp
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.util import find_spec
from typing import Final, Literal

from packaging.requirements import Requirement
from packaging.version import Version

from mcp_error_middleware.cli.usage import object_target
from mcp_error_middleware.policy import ErrorPolicy, Exposure

NAME: Final = "mcp-error-middleware"

_FASTMCP: Final = "3.4"
"""The first FastMCP that has an adapter of its own."""
_STACKS: Final = ("mcp", "fastmcp", "starlette")
_EXPORTERS: Final = {
    "otlp": ("opentelemetry.exporter.otlp.proto.http", "otlp"),
    "prometheus": ("opentelemetry.exporter.prometheus", "prometheus"),
}
_EXPORTED: Final = ("OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_LOGS_EXPORTER")

_MARKS: Final = {"fine": "ok  ", "odd": "note", "broken": "BAD "}
_COLOURS: Final = {"fine": "32", "odd": "33", "broken": "31"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it is, and what to do about it."""

    state: Literal["fine", "odd", "broken"]
    what: str
    mend: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `doctor` takes."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help="module:object or file.py:object, to see whether it is hooked",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print every check."""
    checks = [*environment(os.environ)]
    if arguments.target:
        checks.append(hooked(arguments.target))
    for check in checks:
        print(_line(check, sys.stdout.isatty()))
    return 1 if any(check.state == "broken" for check in checks) else 0


def environment(environ: Mapping[str, str]) -> Iterator[Check]:
    """What can be seen without a server."""
    yield Check("fine", f"Python {sys.version.partition(' ')[0]} in {sys.prefix}")
    yield from _stacks()
    yield from _pins()
    yield from _policy(environ)
    yield from _telemetry(environ)


def _stacks() -> Iterator[Check]:
    found = [f"{name} {version(name)}" for name in _STACKS if _is_installed(name)]
    yield Check("fine", ", ".join(found))
    if not _is_installed("fastmcp"):
        yield Check("fine", "FastMCP is not installed; servers of the official SDK need no more")
    elif Version(have := version("fastmcp")) < Version(_FASTMCP):
        yield Check(
            "odd",
            f"FastMCP {have} is answered through mcp 1.x, without nearest names and examples",
            f"pip install 'fastmcp>={_FASTMCP}'",
        )


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _pins() -> Iterator[Check]:
    """What this package and its OpenTelemetry parts ask for, and is not there."""
    clashes = []
    for owner in (NAME, "opentelemetry-sdk", "opentelemetry-instrumentation-asgi", "mcp", "fastmcp"):
        for text in (requires(owner) or ()) if _is_installed(owner) else ():
            wanted = Requirement(text)
            if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
                continue
            have = version(wanted.name) if _is_installed(wanted.name) else None
            if have is None or not wanted.specifier.contains(have, prereleases=True):
                clashes.append((owner, wanted, have))
    for owner, wanted, have in clashes:
        yield Check(
            "broken",
            f"{owner} asks for {wanted.name}{wanted.specifier}, and {have or 'nothing'} is installed",
            f"pip install '{wanted.name}{wanted.specifier}'",
        )
    if not clashes:
        yield Check("fine", "no pins clash")


def _policy(environ: Mapping[str, str]) -> Iterator[Check]:
    try:
        policy = ErrorPolicy.from_env(environ)
    except ValueError as error:
        yield Check("broken", str(error), "correct or unset the variable")
        return
    if policy.exposure is Exposure.ALL:
        yield Check(
            "odd",
            "MCP_ERRORS_EXPOSURE=all lets every error text leave",
            "unset it anywhere but in development",
        )
    else:
        yield Check("fine", f"settings: exposure {policy.exposure}, format {policy.format}")


def _telemetry(environ: Mapping[str, str]) -> Iterator[Check]:
    asked = {word.strip() for name in _EXPORTED for word in environ.get(name, "").split(",")}
    if any(name.startswith("OTEL_EXPORTER_OTLP") for name in environ):
        asked.add("otlp")
    for exporter in sorted(asked & _EXPORTERS.keys()):
        module, extra = _EXPORTERS[exporter]
        if _can_import(module):
            yield Check("fine", f"telemetry goes out by {exporter}")
        else:
            yield Check(
                "broken",
                f"OTEL_* asks for {exporter}, and its exporter is not installed",
                f"pip install '{NAME}[{extra}]'",
            )
    if not asked & _EXPORTERS.keys():
        yield Check(
            "odd",
            "no exporter is asked for: spans and metrics go nowhere unless the server sets them up itself",
            "set OTEL_EXPORTER_OTLP_ENDPOINT and call mcp_error_middleware.telemetry.configure()",
        )
    if environ.get("WEB_CONCURRENCY", "1") not in ("", "1") and "prometheus" in asked:
        yield Check(
            "odd",
            "several workers behind one Prometheus port: each scrape reads another worker",
            "push by OTLP instead: OTEL_METRICS_EXPORTER=otlp",
        )


def _can_import(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def hooked(word: str) -> Check:
    """Whether the middleware is on this server."""
    from mcp_error_middleware.adapters.seam import is_installed
    from mcp_error_middleware.cli.run.serving import is_app, is_asgi, is_server
    from mcp_error_middleware.targets import loaded

    target = object_target(word)
    found = loaded(target)
    if is_installed(found):
        return Check("fine", f"{word} is hooked")
    if (wire := _asgi_layer(found)) is not None:
        what = f"{word} has the ASGI layer"
        mend = f"call install({target.name}) instead, or install(server) on the server inside"
        return (
            Check("fine", what)
            if wire
            else Check("odd", f"{what} alone: it never sees what a tool raised", mend)
        )
    if not (is_server(found) or is_app(found) or is_asgi(found)):
        what = f"{word} is of type {type(found).__qualname__}"
        return Check("broken", what, "name an MCP server or its app")
    mend = f"call install({target.name}), or start it with `{NAME} run`"
    return Check("broken", f"{word} is not hooked", mend)


def _asgi_layer(app: object) -> bool | None:
    """Whether the ASGI layer around an app reads answers too; None where there is no layer."""
    from mcp_error_middleware.adapters.asgi import ErrorMiddleware

    if isinstance(app, ErrorMiddleware):
        return app.wire
    layers = getattr(app, "user_middleware", ())
    own = next((layer for layer in layers if layer.cls is ErrorMiddleware), None)
    return None if own is None else bool(own.kwargs.get("wire"))


def _line(check: Check, colours: bool) -> str:
    mark = _MARKS[check.state]
    mark = f"\x1b[{_COLOURS[check.state]}m{mark}\x1b[0m" if colours else mark
    return f"{mark}  {check.what}" + (f"\n      -> {check.mend}" if check.mend else "")
