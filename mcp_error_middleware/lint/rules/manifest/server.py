"""Manifest in, problems with the server's name and description out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import is_text, lacks, root
from mcp_error_middleware.lint.schema import brief

_NAME: Final = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_SHORTEST, _LONGEST = 3, 200
_DESCRIPTION: Final = 100


@rule(Severity.ERROR, "server-json-type", name="manifest-not-an-object")
def not_an_object(manifest: Manifest) -> Iterator[Problem]:
    """Make `server.json` an object.

    Bad:

        ["io.github.ann/shop"]

    Good:

        {"name": "io.github.ann/shop"}
    """
    if not isinstance(manifest.data, dict):
        message = (
            f"server.json is {brief(manifest.data)}; write an object with name, description and version."
        )
        yield Problem(manifest.at(), message)


@rule(Severity.ERROR, "server-json-name-required", name="unnamed-server")
def unnamed(manifest: Manifest) -> Iterator[Problem]:
    """Name the server.

    Bad:

        {"version": "1.0.0"}

    Good:

        {"name": "io.github.ann/shop"}
    """
    if isinstance(manifest.data, dict):
        why = "The server has no name; give it one such as io.github.you/server."
        yield from lacks(manifest, (), manifest.data, "name", why)


@rule(Severity.ERROR, "server-json-name-length", name="server-name-length")
def name_length(manifest: Manifest) -> Iterator[Problem]:
    """Keep the server's name between 3 and 200 characters.

    Bad:

        {"name": "s"}

    Good:

        {"name": "io.github.ann/shop"}
    """
    name = root(manifest).get("name")
    if is_text(name) and not _SHORTEST <= len(name) <= _LONGEST:
        message = f"The name has {len(name)} characters; registries take {_SHORTEST} to {_LONGEST}."
        yield Problem(manifest.at("name"), message)


@rule(Severity.ERROR, "server-json-name-format", name="server-name-format")
def name_format(manifest: Manifest) -> Iterator[Problem]:
    """Name the server by a domain of yours and one slash.

    Registries ask who owns the domain: `io.github.ann/shop` belongs to the GitHub account ann.

    Bad:

        {"name": "my shop"}

    Good:

        {"name": "io.github.ann/shop"}
    """
    name = root(manifest).get("name")
    if is_text(name) and not _NAME.fullmatch(name):
        message = f"{brief(name)} is no name a registry takes; write reverse.domain/server with one slash."
        yield Problem(manifest.at("name"), message)


@rule(Severity.ERROR, "server-json-description-required", name="undescribed-server")
def undescribed(manifest: Manifest) -> Iterator[Problem]:
    """Describe the server.

    Bad:

        {"name": "io.github.ann/shop", "description": ""}

    Good:

        {"name": "io.github.ann/shop", "description": "Orders and stock of a shop."}
    """
    if isinstance(manifest.data, dict):
        why = "The server has no description; say in a sentence what it is for."
        yield from lacks(manifest, (), manifest.data, "description", why)


@rule(Severity.WARNING, "server-json-description-length", name="long-server-description")
def long_description(manifest: Manifest) -> Iterator[Problem]:
    """Describe the server in 100 characters or fewer.

    Registries refuse or cut off what is longer.

    Bad:

        {
          "description": "Orders and stock of a shop, with prices, customers, parcels, invoices, returns, complaints and all the rest."
        }

    Good:

        {"description": "Orders and stock of a shop."}
    """  # noqa: E501 - the example has to be too long
    text = root(manifest).get("description")
    if isinstance(text, str) and len(text) > _DESCRIPTION:
        message = f"The description has {len(text)} characters; keep it to {_DESCRIPTION}."
        yield Problem(manifest.at("description"), message)
