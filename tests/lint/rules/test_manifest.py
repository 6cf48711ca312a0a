"""A whole `server.json` is judged, each part by its own rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_error_middleware.lint import Settings, lint

SHOP: dict[str, Any] = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.github.ann/shop",
    "title": "The shop",
    "description": "Orders and stock of a shop.",
    "version": "1.0.0",
    "websiteUrl": "https://shop.example",
    "repository": {"url": "https://github.com/ann/shop", "source": "github"},
    "packages": [
        {
            "registryType": "pypi",
            "identifier": "shop",
            "version": "1.0.0",
            "transport": {"type": "streamable-http", "url": "{base_url}/mcp"},
            "runtimeArguments": [{"type": "named", "name": "--python", "value": "3.12"}],
            "packageArguments": [{"type": "positional", "valueHint": "folder", "format": "filepath"}],
            "environmentVariables": [{"name": "SHOP_KEY", "description": "Your key.", "isSecret": True}],
        }
    ],
    "remotes": [
        {
            "type": "streamable-http",
            "url": "https://{tenant}.shop.example/mcp",
            "variables": {"tenant": {"description": "Your tenant.", "default": "main"}},
            "headers": [{"name": "X-Key", "description": "Your key."}],
        }
    ],
}


def found(data: Any, folder: Path) -> list[tuple[str, str]]:
    path = folder / "server.json"
    path.write_text(json.dumps(data), "utf-8")
    report = lint(path, settings=Settings(select=("manifest",)), root=folder)
    return sorted((each.rule, each.location.pointer) for each in report.findings)


def changed(value: Any, *path: Any) -> Any:
    """The shop's manifest with one value changed."""
    data = json.loads(json.dumps(SHOP))
    part = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return data


def test_a_whole_manifest_is_right(tmp_path: Path) -> None:
    assert found(SHOP, tmp_path) == []


@pytest.mark.parametrize(
    ("data", "rules"),
    [
        (changed("shop", "name"), [("server-name-format", "name")]),
        (changed("a/" + "b" * 199, "name"), [("server-name-length", "name")]),
        (changed(3, "name"), [("unnamed-server", "name")]),
        (
            changed(">=1.0", "version"),
            [("version-out-of-step", "packages[0].version"), ("version-range", "version")],
        ),
        (changed("1.0.0", "packages", 0, "version"), []),
        (changed("latest", "packages", 0, "version"), [("latest-package", "packages[0].version")]),
        (changed(None, "packages", 0, "transport"), [("package-without-transport", "packages[0].transport")]),
        (changed([], "packages", 0, "transport"), [("misshapen-transport", "packages[0].transport")]),
        (
            changed({"type": "sse", "url": "localhost"}, "packages", 0, "transport"),
            [("transport-url-not-http", "packages[0].transport.url")],
        ),
        (changed({"type": "ws", "url": "https://a"}, "remotes", 0), [("local-remote", "remotes[0].type")]),
        (
            changed("int", "remotes", 0, "variables", "tenant", "format"),
            [("unknown-input-format", "remotes[0].variables.tenant.format")],
        ),
        (
            changed(1, "remotes", 0, "variables", "tenant", "default"),
            [("input-not-a-string", "remotes[0].variables.tenant.default")],
        ),
        (
            changed({}, "repository"),
            [
                ("repository-without-source", "repository.source"),
                ("repository-without-url", "repository.url"),
            ],
        ),
        (changed("x" * 101, "title"), [("unfit-title", "title")]),
        (changed({"src": "http://a"}, "icons"), [("unfit-icon", "icons")]),
    ],
)
def test_one_wrong_value_is_one_finding(data: Any, rules: list[tuple[str, str]], tmp_path: Path) -> None:
    assert found(data, tmp_path) == rules


@pytest.mark.parametrize("version", ["^1.0.0", "~1.0", ">=1", "1.x", "1.*", "*", "1 - 2", "1 || 2", "latest"])
def test_a_range_is_no_version(version: str, tmp_path: Path) -> None:
    assert ("version-range", "version") in found({"version": version}, tmp_path)


@pytest.mark.parametrize("version", ["1.0.0", "1.0.0-alpha.x", "2024.1.0-x-y", "1.0.0+build", "0.0.1rc1"])
def test_a_version_is_no_range(version: str, tmp_path: Path) -> None:
    assert ("version-range", "version") not in found({"version": version}, tmp_path)


def test_the_version_is_that_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nversion = '1.0.1'\n", "utf-8")

    assert found(SHOP, tmp_path) == [("version-out-of-step", "version")]
