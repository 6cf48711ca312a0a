"""Manifest in, problems with its versions out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import is_text, lacks, packages, root
from mcp_error_middleware.lint.schema import brief

_LONGEST: Final = 255
_RANGE: Final = re.compile(r"^\s*(?:[\^~<>=]|latest\s*$|(?:\d+\.)*[xX](?:\.|$))|\*|\|\||\s-\s|,")
_SEMVER: Final = re.compile(
    r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z.-]+)?"
)


@rule(Severity.ERROR, "server-json-version-required", name="unversioned-server")
def unversioned(manifest: Manifest) -> Iterator[Problem]:
    """Give the server's version.

    Bad:

        {"name": "io.github.ann/shop"}

    Good:

        {"name": "io.github.ann/shop", "version": "1.0.0"}
    """
    if isinstance(manifest.data, dict):
        why = "The server has no version; give the one you publish, such as 1.0.0."
        yield from lacks(manifest, (), manifest.data, "version", why)


@rule(Severity.ERROR, "server-json-version-length", name="long-version")
def long(manifest: Manifest) -> Iterator[Problem]:
    """Keep a version to 255 characters.

    Bad:

        {
          "version": "1.0.0-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        }

    Good:

        {"version": "1.0.0"}
    """  # noqa: E501 - the example has to be too long
    version = root(manifest).get("version")
    if isinstance(version, str) and len(version) > _LONGEST:
        message = f"The version has {len(version)} characters; registries take {_LONGEST}."
        yield Problem(manifest.at("version"), message)


@rule(Severity.ERROR, "server-json-version-no-range", name="version-range")
def range_(manifest: Manifest) -> Iterator[Problem]:
    """Name one version, not a range.

    Bad:

        {"version": "^1.0.0"}

    Good:

        {"version": "1.0.0"}
    """
    version = root(manifest).get("version")
    if isinstance(version, str) and _RANGE.search(version):
        message = f"{brief(version)} may mean several versions; name the one you publish."
        yield Problem(manifest.at("version"), message)


@rule(Severity.WARNING, "server-json-version-semver", name="version-not-semantic")
def not_semantic(manifest: Manifest) -> Iterator[Problem]:
    """Write the version as major.minor.patch.

    Registries sort by it; what is no semantic version is sorted by date.

    Bad:

        {"version": "1.0"}

    Good:

        {"version": "1.0.0-rc.1"}
    """
    version = root(manifest).get("version")
    if is_text(version) and not _RANGE.search(version) and not _SEMVER.fullmatch(version):
        message = f"{brief(version)} is no semantic version; write major.minor.patch, such as 1.0.0."
        yield Problem(manifest.at("version"), message)


@rule(
    Severity.WARNING,
    "server-json-version-sync",
    "server-json-package-version-sync",
    name="version-out-of-step",
)
def out_of_step(manifest: Manifest) -> Iterator[Problem]:
    """Publish one version: in `server.json`, in its packages and in `pyproject.toml`.

    Bad:

        {"version": "1.1.0", "packages": [{"identifier": "shop", "version": "1.0.0"}]}

    Good:

        {"version": "1.1.0", "packages": [{"identifier": "shop", "version": "1.1.0"}]}
    """
    version, project = root(manifest).get("version"), manifest.project_version
    if not is_text(version):
        return
    if project is not None and project != version:
        message = f"pyproject.toml says {brief(project)}, server.json {brief(version)}; make them one."
        yield Problem(manifest.at("version"), message)
    for path, package in packages(manifest):
        said = package.get("version")
        if is_text(said) and said not in (version, "latest"):
            message = f"The package is {brief(said)}, the server {brief(version)}; make them one."
            yield Problem(manifest.at(*path, "version"), message)
