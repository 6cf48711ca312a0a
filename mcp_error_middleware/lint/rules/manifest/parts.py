"""A manifest in, its packages, transports, arguments and inputs out, each with its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, TypeGuard

from mcp_error_middleware.lint.model import Manifest, Problem

Path: TypeAlias = tuple[str | int, ...]
Part: TypeAlias = tuple[Path, Any]
Object: TypeAlias = tuple[Path, dict[str, Any]]


def root(manifest: Manifest) -> dict[str, Any]:
    """The manifest's object; an empty one if it is something else."""
    return manifest.data if isinstance(manifest.data, dict) else {}


def packages(manifest: Manifest) -> Iterator[Object]:
    """The packages that are objects."""
    return objects(members((), root(manifest), "packages"))


def remotes(manifest: Manifest) -> Iterator[Object]:
    """The remotes that are objects."""
    return objects(members((), root(manifest), "remotes"))


def transports(manifest: Manifest) -> Iterator[Object]:
    """How packages and remotes are spoken to: the transports that are objects."""
    for path, package in packages(manifest):
        yield from objects(iter([((*path, "transport"), package.get("transport"))]))
    yield from remotes(manifest)


def arguments(manifest: Manifest) -> Iterator[Part]:
    """Every entry of the packages' lists of arguments."""
    for path, package in packages(manifest):
        yield from members(path, package, "runtimeArguments")
        yield from members(path, package, "packageArguments")


def variables(manifest: Manifest) -> Iterator[Part]:
    """Every entry of the packages' lists of environment variables."""
    for path, package in packages(manifest):
        yield from members(path, package, "environmentVariables")


def inputs(manifest: Manifest) -> Iterator[Object]:
    """Everything a user may be asked for: arguments, variables, headers and what is inside of them."""
    asked = [*objects(arguments(manifest)), *objects(variables(manifest))]
    for path, transport in transports(manifest):
        asked += [*objects(members(path, transport, "headers")), (path, transport)]
    for path, each in asked:
        yield path, each
        inside = each.get("variables")
        for name, value in inside.items() if isinstance(inside, dict) else ():
            yield from objects(iter([((*path, "variables", name), value)]))


def members(path: Path, owner: dict[str, Any], name: str) -> Iterator[Part]:
    """The entries of a list; nothing if it is none."""
    listed = owner.get(name)
    for number, each in enumerate(listed if isinstance(listed, list) else ()):
        yield (*path, name, number), each


def objects(parts: Iterator[Part]) -> Iterator[Object]:
    """Those that are objects."""
    return ((path, each) for path, each in parts if isinstance(each, dict))


def is_text(value: Any) -> TypeGuard[str]:
    """Whether it is a string that says something."""
    return isinstance(value, str) and bool(value.strip())


def lacks(manifest: Manifest, path: Path, owner: dict[str, Any], name: str, why: str) -> Iterator[Problem]:
    """A problem if a text is missing."""
    if not is_text(owner.get(name)):
        yield Problem(manifest.at(*path, name), why)


def no_list(manifest: Manifest, path: Path, owner: dict[str, Any], name: str) -> Iterator[Problem]:
    """A problem if something is there and no list."""
    if name in owner and not isinstance(owner[name], list):
        yield Problem(manifest.at(*path, name), f"{name} is no list; put what it holds into [ ].")


def no_objects(manifest: Manifest, parts: Iterator[Part], what: str) -> Iterator[Problem]:
    """A problem for each part that is no object."""
    for path, each in parts:
        if not isinstance(each, dict):
            yield Problem(manifest.at(*path), f"{what} is no object; write {{ }} with its fields.")
