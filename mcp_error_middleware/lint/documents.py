"""JSON in, manifests and listings out, with the line of every value."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mcp_error_middleware.lint.model import Definition, Kind, Location, Manifest, dotted

LISTS: Final[Mapping[str, Kind]] = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "template",
    "prompts": "prompt",
}
"""The lists a server advertises, under their wire names."""


def is_listing(data: Any) -> bool:
    """Whether it is what a server advertises rather than a manifest."""
    return isinstance(data, dict) and any(isinstance(data.get(name), list) for name in LISTS)


def from_listing(listing: Mapping[str, Any], place: Location, server: str) -> Iterator[Definition]:
    """The definitions of `tools/list` and its like; entries that are no objects become nameless ones."""
    for key, kind in LISTS.items():
        entries = listing.get(key)
        for entry in entries if isinstance(entries, list) else ():
            yield _definition(kind, entry if isinstance(entry, dict) else {}, place, server)


def _definition(kind: Kind, entry: dict[str, Any], place: Location, server: str) -> Definition:
    return Definition(
        kind=kind,
        name=entry.get("name"),
        location=place,
        origin="server",
        title=entry.get("title"),
        description=entry.get("description"),
        input_schema=_arguments_schema(entry["arguments"])
        if "arguments" in entry
        else entry.get("inputSchema"),
        output_schema=entry.get("outputSchema"),
        annotations=entry.get("annotations"),
        uri=entry.get("uriTemplate") if kind == "template" else entry.get("uri"),
        mime_type=entry.get("mimeType"),
        meta=entry.get("_meta"),
        server=server,
        arguments=entry.get("arguments"),
    )


def _arguments_schema(arguments: Any) -> Any:
    """A prompt's arguments as the schema they amount to."""
    named = [each for each in arguments if isinstance(each, dict)] if isinstance(arguments, list) else []
    properties = {
        str(each.get("name")): {"type": "string"}
        | ({"description": each["description"]} if "description" in each else {})
        for each in named
    }
    return {"type": "object", "properties": properties}


def manifest(text: str, shown: str, path: Path | None = None) -> Manifest:
    """A `server.json`; raises ValueError if it is not JSON."""
    data = json.loads(text)
    lines = text.split("\n")
    place = Location(shown, 1, 1, 1, len(lines[0]) + 1, lines[0])
    parts = {
        pointer: Location(shown, line, column, line, column + length, lines[line - 1])
        for pointer, line, column, length in _positions(text)
    }
    return Manifest(data, place, parts, _project_version(path.parent) if path else None)


def _positions(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Pointer, line, column and length of each value of well-formed JSON."""
    decoder = json.JSONDecoder()
    path: list[str | int] = []
    index, line, start = 0, 1, 0
    expects_key = False
    while index < len(text):
        char = text[index]
        if char == "\n":
            line, start = line + 1, index + 1
        elif char in "{[":
            yield dotted(path), line, index - start + 1, 1
            path.append("" if char == "{" else 0)
            expects_key = char == "{"
        elif char in "}]":
            path.pop()
            expects_key = False
        elif char == ",":
            if path and isinstance(path[-1], int):
                path[-1] += 1
            else:
                expects_key = True
        elif char == '"' or char not in " \t\r:":
            value, end = decoder.raw_decode(text, index)
            if expects_key:
                path[-1], expects_key = str(value), False
            else:
                yield dotted(path), line, index - start + 1, end - index
            index = end
            continue
        index += 1


def _project_version(folder: Path) -> str | None:
    try:
        table = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    project = table.get("project")
    found = project.get("version") if isinstance(project, dict) else None
    return found if isinstance(found, str) else None
