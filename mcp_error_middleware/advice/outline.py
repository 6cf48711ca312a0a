"""A tool's schema in, what may be at each place of its arguments out, found out once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.advice.nearest import words
from mcp_error_middleware.advice.pointer import pointed

_STEPS: Final = re.compile(r"[^.\[\]]+")
_DEPTH: Final = 10
_NESTED: Final = 4
_PARTS: Final = 20
_NAMES: Final = 1_000
_SCHEMAS: Final = 256
_PLACES: Final = 64
_PATH: Final = 200
"""Schemas, places of each, and characters of a path that are remembered."""

_FORMS: Final = ("allOf", "anyOf", "oneOf")
"""In one order, so that an answer is the same in every process."""


class Place:
    """What may be at one place: a part of the schema, without references; of several forms, all of them."""

    def __init__(self, part: Mapping[str, Any], root: object) -> None:
        self.part = part
        self._root = root
        self.fields = {str(name): form for name, form in properties(part).items()}

    @cached_property
    def options(self) -> list[str]:
        return _options(self.part)

    @cached_property
    def inside(self) -> Mapping[tuple[str, ...], list[str]]:
        """Where the fields are of what is at this place, and of the items of that, by their words."""
        found: dict[tuple[str, ...], list[str]] = {}
        for path, part in self._parts():
            for name in properties(part):
                found.setdefault(words(f"{name}"), []).append(f"{path}.{name}")
        return found

    def _parts(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for name, form in islice(self.fields.items(), _PARTS):
            yield f"{name}", (part := _resolved(form, self._root))
            if "items" in part:
                yield f"{name}[0]", _resolved(part["items"], self._root)


class Outline:
    """A whole schema."""

    def __init__(self, schema: object) -> None:
        self.schema = schema
        self._places: dict[str, Place] = {}

    def at(self, path: str) -> Place:
        """The place of a path such as `items[0].price`; one without anything where there is none."""
        if (place := self._places.get(path)) is not None:
            return place
        place = Place(_part(self.schema, path), self.schema)
        # A client may ask for any number of places that there are not.
        if place.part and len(path) <= _PATH:
            if len(self._places) >= _PLACES:
                self._places.clear()
            self._places[path] = place
        return place

    @cached_property
    def optional(self) -> frozenset[str]:
        """The names of the fields that may be left out, or that not every form has, wherever they are."""
        return frozenset(islice(_optional(self.schema), _NAMES))

    @cached_property
    def varies(self) -> bool:
        """Whether a value somewhere may be of more than one form, `null` aside."""
        return _varies(self.schema)

    @cached_property
    def choices(self) -> frozenset[str]:
        """The names of the fields that have options, wherever they are."""
        return frozenset(islice(_choices(self.schema, self.schema), _NAMES))


def outline_of(schema: object) -> Outline:
    """The one of this very object: a tool keeps its schema, and one that takes its place has another."""
    if (outline := _known.get(id(schema))) is None:
        if len(_known) >= _SCHEMAS:
            _known.clear()
        # It holds the schema, whose id is nobody else's as long as it is in here.
        outline = _known[id(schema)] = Outline(schema)
    return outline


_known: Final[dict[int, Outline]] = {}


def steps(path: str) -> tuple[str, ...]:
    """`items[0].price` as `items`, `0` and `price`."""
    if not path or path.isidentifier():
        return (path,) if path else ()
    return _steps(path)


@lru_cache(maxsize=256)
def _steps(path: str) -> tuple[str, ...]:
    return tuple(_STEPS.findall(path)[:_DEPTH])


def properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _part(root: object, path: str) -> Mapping[str, Any]:
    schema = root
    for step in steps(path):
        part = _resolved(schema, root)
        schema = part.get("items") if step.isdecimal() else properties(part).get(step)
    return _resolved(schema, root)


def _resolved(schema: object, root: object, depth: int = 0) -> Mapping[str, Any]:
    """Without references; where it has several forms, what is known of any of them."""
    if not isinstance(schema, dict) or depth > _NESTED:
        return {}
    if "$ref" in schema and isinstance(reference := schema["$ref"], str):
        return _resolved(pointed(reference, root), root, depth + 1)
    if schema.keys().isdisjoint(_FORMS):
        return schema
    forms = (form for word in _FORMS if isinstance(schema.get(word), list) for form in schema[word])
    parts = [schema, *(_resolved(form, root, depth + 1) for form in islice(forms, _PARTS))]
    of_fields: dict[str, list[Any]] = {}
    for part in parts:
        for name, form in properties(part).items():
            of_fields.setdefault(name, []).append(form)
    return {
        "properties": {
            name: {"anyOf": forms} if forms[1:] else forms[0] for name, forms in of_fields.items()
        },
        "items": next((part["items"] for part in parts if "items" in part), None),
        "enum": [option for part in parts for option in _options(part)],
    }


def _optional(schema: object, depth: int = 0) -> Iterator[str]:
    """The names of the fields that some object in a schema may do without, or that only a form of it has."""
    if isinstance(schema, list):
        for part in schema if depth < _DEPTH else ():
            yield from _optional(part, depth + 1)
    elif isinstance(schema, dict) and depth < _DEPTH:
        required = schema.get("required")
        yield from (n for n in properties(schema) if not isinstance(required, list) or n not in required)
        yield from (name for form in _several(schema) for name in properties(form))
        for part in schema.values():
            yield from _optional(part, depth + 1)


def _several(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The forms an object may have; those that a schema defines apart are mostly such."""
    listed = (schema.get(word) for word in ("anyOf", "oneOf"))
    forms = [form for found in listed if isinstance(found, list) for form in found]
    defined = schema.get("$defs")
    yield from (form for form in forms if isinstance(form, dict))
    yield from (
        (form for form in defined.values() if isinstance(form, dict)) if isinstance(defined, dict) else ()
    )


def _varies(schema: object, depth: int = 0) -> bool:
    if isinstance(schema, list):
        return depth < _DEPTH and any(_varies(part, depth + 1) for part in schema)
    if not isinstance(schema, dict) or depth >= _DEPTH:
        return False
    listed = [schema.get(word) for word in ("anyOf", "oneOf")]
    if any(len([form for form in forms if form != _NULL]) > 1 for forms in listed if isinstance(forms, list)):
        return True
    return any(_varies(part, depth + 1) for part in schema.values())


_NULL: Final = {"type": "null"}


def _choices(schema: object, root: object, depth: int = 0) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema if depth < _DEPTH else ():
            yield from _choices(part, root, depth + 1)
    elif isinstance(schema, dict) and depth < _DEPTH:
        yield from (name for name, form in properties(schema).items() if _options(_resolved(form, root)))
        for part in schema.values():
            yield from _choices(part, root, depth + 1)


def _options(schema: Mapping[str, Any]) -> list[str]:
    options = schema.get("enum", [schema.get("const")])
    return [option for option in options if isinstance(option, str)] if isinstance(options, list) else []
