"""A JSON Schema in, its parts out; any JSON is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from mcp_error_middleware.advice.pointer import pointed
from mcp_error_middleware.lint.model import Definition

Path: TypeAlias = tuple[str | int, ...]
Schema: TypeAlias = Mapping[str, Any]

_BY_NAME: Final = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTED: Final = ("prefixItems", "anyOf", "oneOf", "allOf")
_SINGLE: Final = (
    "items",
    "additionalItems",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
)
DEEPEST: Final = 64
LARGEST: Final = 10_000
"""Parts; beyond, nobody reads the findings."""
_HOPS: Final = 16
SHOWN: Final = 60
"""Characters of a value in a message."""


def walk(schema: Any) -> Iterator[tuple[Path, Schema]]:
    """A schema and every schema inside of it, in the order they are written, with their paths."""
    waiting: list[tuple[Path, Any]] = [((), schema)]
    for _ in range(LARGEST):
        if not waiting:
            return
        path, part = waiting.pop()
        if isinstance(part, dict):
            yield path, part
            if len(path) < DEEPEST:
                waiting.extend(reversed([*_inside(path, part)]))


def _inside(path: Path, schema: Schema) -> Iterator[tuple[Path, Any]]:
    for keyword, value in schema.items():
        if keyword in _BY_NAME and isinstance(value, dict):
            yield from (((*path, keyword, name), part) for name, part in value.items())
        elif isinstance(value, list) and (keyword in _LISTED or keyword == "items"):
            yield from (((*path, keyword, number), part) for number, part in enumerate(value))
        elif keyword in _SINGLE:
            yield (*path, keyword), value


def resolved(schema: Any, root: Any) -> Schema:
    """What a schema's reference points at inside of the same document; nothing if that cannot be had."""
    for _ in range(_HOPS):
        if not isinstance(schema, dict):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        schema = pointed(reference, root)
    return {}


def branches(schema: Schema) -> Iterator[tuple[Path, Any]]:
    """The alternatives a schema gives, with their paths below it."""
    for keyword in ("anyOf", "oneOf"):
        listed = schema.get(keyword)
        for number, branch in enumerate(listed if isinstance(listed, list) else ()):
            yield (keyword, number), branch


def properties(schema: Any) -> Schema:
    """The schemas of an object's properties, by name."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def input_parts(definition: Definition) -> Iterator[tuple[Path, Schema]]:
    """The schemas inside of what a tool takes, with their paths from the definition."""
    if definition.kind == "tool":
        yield from ((("inputSchema", *path), part) for path, part in walk(definition.input_schema))


def brief(value: Any) -> str:
    """A value as a message may show it, whatever it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= SHOWN else f"{value[:SHOWN]}...")
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    return "a list" if isinstance(value, list) else "an object"
