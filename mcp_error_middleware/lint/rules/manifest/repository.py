"""Manifest in, problems with its repository out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import is_text, lacks, root
from mcp_error_middleware.lint.schema import brief

_SHAPES: Final[Mapping[str, re.Pattern[str]]] = {
    "github": re.compile(r"https?://(?:www\.)?github\.com/[\w.-]+/[\w.-]+/?"),
    "gitlab": re.compile(r"https?://(?:www\.)?gitlab\.com/[\w.-]+(?:/[\w.-]+)+/?"),
}


@rule(Severity.ERROR, "server-json-repository-type", name="misshapen-repository")
def misshapen(manifest: Manifest) -> Iterator[Problem]:
    """Make `repository` an object.

    Bad:

        {"repository": "https://github.com/ann/shop"}

    Good:

        {"repository": {"url": "https://github.com/ann/shop", "source": "github"}}
    """
    data = root(manifest)
    if "repository" in data and not isinstance(data["repository"], dict):
        message = f"repository is {brief(data['repository'])}; write an object with url and source."
        yield Problem(manifest.at("repository"), message)


@rule(Severity.ERROR, "server-json-repository-url", name="repository-without-url")
def without_url(manifest: Manifest) -> Iterator[Problem]:
    """Say where the repository is.

    Bad:

        {"repository": {"source": "github"}}

    Good:

        {"repository": {"url": "https://github.com/ann/shop", "source": "github"}}
    """
    for repository in _repository(manifest):
        why = "Nobody can find the repository; give its url, or leave repository out."
        yield from lacks(manifest, ("repository",), repository, "url", why)


@rule(Severity.ERROR, "server-json-repository-source", name="repository-without-source")
def without_source(manifest: Manifest) -> Iterator[Problem]:
    """Say which service hosts the repository.

    Bad:

        {"repository": {"url": "https://github.com/ann/shop"}}

    Good:

        {"repository": {"url": "https://github.com/ann/shop", "source": "github"}}
    """
    for repository in _repository(manifest):
        why = "A registry cannot tell who hosts the repository; give its source, such as github."
        yield from lacks(manifest, ("repository",), repository, "source", why)


@rule(Severity.ERROR, "landing-repo-root-shape", name="repository-not-at-its-source")
def not_at_its_source(manifest: Manifest) -> Iterator[Problem]:
    """Give the address of the repository at the service you name.

    Registries take https://github.com/owner/name for github, and the same for gitlab.

    Bad:

        {"repository": {"url": "git@github.com:ann/shop.git", "source": "github"}}

    Good:

        {"repository": {"url": "https://github.com/ann/shop", "source": "github"}}
    """
    for repository in _repository(manifest):
        url, shape = repository.get("url"), _SHAPES.get(str(repository.get("source")))
        if is_text(url) and shape is not None and not shape.fullmatch(url):
            message = (
                f"{brief(url)} is no repository there; write https://{repository['source']}.com/owner/name."
            )
            yield Problem(manifest.at("repository", "url"), message)


def _repository(manifest: Manifest) -> Iterator[dict[str, Any]]:
    found = root(manifest).get("repository")
    if isinstance(found, dict):
        yield found
