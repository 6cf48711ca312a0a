"""Manifest in, problems with its transports out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import is_text, lacks, no_objects, packages, transports
from mcp_error_middleware.lint.schema import brief

_HTTP: Final = ("streamable-http", "sse")
_KNOWN: Final = ("stdio", *_HTTP)


@rule(Severity.ERROR, "server-json-transport-type", name="misshapen-transport")
def misshapen(manifest: Manifest) -> Iterator[Problem]:
    """Make `transport` an object.

    Bad:

        {"packages": [{"transport": "stdio"}]}

    Good:

        {"packages": [{"transport": {"type": "stdio"}}]}
    """
    for path, package in packages(manifest):
        if package.get("transport") is not None:
            part = (*path, "transport"), package["transport"]
            yield from no_objects(manifest, iter([part]), "The transport")


@rule(Severity.ERROR, "server-json-transport-type-value", name="unknown-transport")
def unknown(manifest: Manifest) -> Iterator[Problem]:
    """Use a transport that there is.

    Bad:

        {"packages": [{"transport": {"type": "http"}}]}

    Good:

        {"packages": [{"transport": {"type": "streamable-http", "url": "http://localhost:8000/mcp"}}]}
    """
    for path, package in packages(manifest):
        transport = package.get("transport")
        if isinstance(transport, dict) and transport.get("type") not in _KNOWN:
            message = f"No client speaks {brief(transport.get('type'))}; use one of {', '.join(_KNOWN)}."
            yield Problem(manifest.at(*path, "transport", "type"), message)


@rule(Severity.ERROR, "server-json-transport-url-required", name="transport-without-url")
def without_url(manifest: Manifest) -> Iterator[Problem]:
    """Say where an HTTP transport is.

    Bad:

        {"remotes": [{"type": "streamable-http"}]}

    Good:

        {"remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}]}
    """
    for path, transport in transports(manifest):
        if transport.get("type") in _HTTP:
            why = "A client cannot tell where to connect; give the url."
            yield from lacks(manifest, path, transport, "url", why)


@rule(Severity.WARNING, "server-json-transport-url-format", name="transport-url-not-http")
def url_not_http(manifest: Manifest) -> Iterator[Problem]:
    """Start the URL of a transport with http or https.

    Bad:

        {"remotes": [{"type": "sse", "url": "shop.example/sse"}]}

    Good:

        {"remotes": [{"type": "sse", "url": "https://shop.example/sse"}]}
    """
    for path, transport in transports(manifest):
        url = transport.get("url")
        # A variable may stand for the beginning too.
        if is_text(url) and not url.lower().startswith(("http://", "https://", "{")):
            message = f"{brief(url)} is no HTTP address; start it with https://."
            yield Problem(manifest.at(*path, "url"), message)
