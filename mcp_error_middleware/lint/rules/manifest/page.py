"""Manifest in, problems with what a directory shows of the server out: title, website, icons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeGuard

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import members, root
from mcp_error_middleware.lint.schema import brief

_TITLE: Final = 100
_ICON: Final = 255


@rule(Severity.ERROR, "landing-tagline-type", "landing-tagline-length", name="unfit-title")
def unfit_title(manifest: Manifest) -> Iterator[Problem]:
    """Make the title a string of 1 to 100 characters.

    Bad:

        {"title": ""}

    Good:

        {"title": "The shop"}
    """
    data = root(manifest)
    title = data.get("title")
    if "title" in data and not (isinstance(title, str) and 0 < len(title) <= _TITLE):
        message = f"Directories cannot show this title; write 1 to {_TITLE} characters, or leave it out."
        yield Problem(manifest.at("title"), message)


@rule(Severity.ERROR, "landing-link-href", name="unfit-website")
def unfit_website(manifest: Manifest) -> Iterator[Problem]:
    """Make `websiteUrl` an address a browser can open.

    Bad:

        {"websiteUrl": "shop.example"}

    Good:

        {"websiteUrl": "https://shop.example/docs"}
    """
    data = root(manifest)
    if "websiteUrl" in data and not _starts(data["websiteUrl"], "https://", "http://"):
        message = f"No browser opens {brief(data['websiteUrl'])}; write the whole address, with https://."
        yield Problem(manifest.at("websiteUrl"), message)


@rule(Severity.ERROR, "landing-logo-type", "landing-logo-size", name="unfit-icon")
def unfit_icon(manifest: Manifest) -> Iterator[Problem]:
    """Give every icon an HTTPS address of at most 255 characters.

    Registries take no data: URIs and no files.

    Bad:

        {"icons": [{"src": "data:image/png;base64,iVBORw0KGgo="}]}

    Bad, no list:

        {"icons": "https://shop.example/icon.png"}

    Good:

        {"icons": [{"src": "https://shop.example/icon.png"}]}
    """
    data = root(manifest)
    if "icons" in data and not isinstance(data["icons"], list):
        yield Problem(manifest.at("icons"), "icons is no list; put what it holds into [ ].")
    for path, icon in members((), data, "icons"):
        source = icon.get("src") if isinstance(icon, dict) else None
        if not (_starts(source, "https://") and len(source) <= _ICON):
            message = f"Registries refuse this icon; give its src as https:// and at most {_ICON} characters."
            yield Problem(manifest.at(*path, "src"), message)


def _starts(value: Any, *beginnings: str) -> TypeGuard[str]:
    return isinstance(value, str) and value.lower().startswith(beginnings)
