"""Manifest in, problems with its packages out."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import (
    lacks,
    members,
    no_list,
    no_objects,
    packages,
    root,
)


@rule(Severity.ERROR, "server-json-packages-type", name="packages-not-a-list")
def not_a_list(manifest: Manifest) -> Iterator[Problem]:
    """Make `packages` a list.

    Bad:

        {"packages": {"registryType": "pypi", "identifier": "shop"}}

    Good:

        {"packages": [{"registryType": "pypi", "identifier": "shop"}]}
    """
    yield from no_list(manifest, (), root(manifest), "packages")


@rule(Severity.ERROR, "server-json-package-type", name="misshapen-package")
def misshapen(manifest: Manifest) -> Iterator[Problem]:
    """Make every package an object.

    Bad:

        {"packages": ["shop"]}

    Good:

        {"packages": [{"registryType": "pypi", "identifier": "shop"}]}
    """
    yield from no_objects(manifest, members((), root(manifest), "packages"), "This package")


@rule(Severity.ERROR, "server-json-package-registry", name="package-without-registry")
def without_registry(manifest: Manifest) -> Iterator[Problem]:
    """Say which registry a package is in.

    Bad:

        {"packages": [{"identifier": "shop"}]}

    Good:

        {"packages": [{"registryType": "pypi", "identifier": "shop"}]}
    """
    for path, package in packages(manifest):
        why = "A client cannot tell where to get this package; give its registryType, such as pypi."
        yield from lacks(manifest, path, package, "registryType", why)


@rule(Severity.ERROR, "server-json-package-identifier", name="package-without-identifier")
def without_identifier(manifest: Manifest) -> Iterator[Problem]:
    """Name the package.

    Bad:

        {"packages": [{"registryType": "pypi"}]}

    Good:

        {"packages": [{"registryType": "pypi", "identifier": "shop"}]}
    """
    for path, package in packages(manifest):
        why = "A client cannot tell what to install; give the package's name as its identifier."
        yield from lacks(manifest, path, package, "identifier", why)


@rule(Severity.ERROR, "server-json-package-transport", name="package-without-transport")
def without_transport(manifest: Manifest) -> Iterator[Problem]:
    """Say how a package is spoken to.

    Bad:

        {"packages": [{"registryType": "pypi", "identifier": "shop"}]}

    Good:

        {"packages": [{"registryType": "pypi", "identifier": "shop", "transport": {"type": "stdio"}}]}
    """
    for path, package in packages(manifest):
        if package.get("transport") is None:
            message = 'A client cannot tell how to speak to it; add "transport": {"type": "stdio"}.'
            yield Problem(manifest.at(*path, "transport"), message)


@rule(Severity.ERROR, "server-json-package-no-latest", name="latest-package")
def latest(manifest: Manifest) -> Iterator[Problem]:
    """Pin a package's version.

    What "latest" means changes behind the back of everybody who installed it.

    Bad:

        {"packages": [{"registryType": "pypi", "identifier": "shop", "version": "latest"}]}

    Good:

        {"packages": [{"registryType": "pypi", "identifier": "shop", "version": "1.0.0"}]}
    """
    for path, package in packages(manifest):
        version = package.get("version")
        if isinstance(version, str) and version.strip().lower() == "latest":
            message = '"latest" is a different version tomorrow; name the one you publish.'
            yield Problem(manifest.at(*path, "version"), message)


@rule(Severity.ERROR, "server-json-package-args-type", name="package-arguments-not-a-list")
def arguments_not_a_list(manifest: Manifest) -> Iterator[Problem]:
    """Make `packageArguments` a list.

    Bad:

        {"packages": [{"packageArguments": "--port 80"}]}

    Good:

        {"packages": [{"packageArguments": [{"type": "named", "name": "--port", "value": "80"}]}]}
    """
    for path, package in packages(manifest):
        yield from no_list(manifest, path, package, "packageArguments")


@rule(Severity.ERROR, "server-json-runtime-args-type", name="runtime-arguments-not-a-list")
def runtime_arguments_not_a_list(manifest: Manifest) -> Iterator[Problem]:
    """Make `runtimeArguments` a list.

    Bad:

        {"packages": [{"runtimeArguments": "--python 3.12"}]}

    Good:

        {"packages": [{"runtimeArguments": [{"type": "named", "name": "--python", "value": "3.12"}]}]}
    """
    for path, package in packages(manifest):
        yield from no_list(manifest, path, package, "runtimeArguments")


@rule(Severity.ERROR, "server-json-env-vars-type", name="variables-not-a-list")
def variables_not_a_list(manifest: Manifest) -> Iterator[Problem]:
    """Make `environmentVariables` a list.

    Bad:

        {"packages": [{"environmentVariables": {"SHOP_KEY": "..."}}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_KEY", "description": "Your key."}]}]}
    """
    for path, package in packages(manifest):
        yield from no_list(manifest, path, package, "environmentVariables")
