"""JSON schema in, one small value that fits it out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.advice.fits import Untold, fits
from mcp_error_middleware.advice.matching import matching
from mcp_error_middleware.advice.pointer import pointed
from mcp_error_middleware.lazy import lazy

_DEPTH: Final = 8
_FIELDS: Final = 20
_STEPS: Final = 300
_LONGEST: Final = 200
_READ: Final = 2_000


class _NoExample(Exception):
    """The schema asks for something that cannot be made up."""


def example_of(schema: object, wanted: Iterable[str] = (), beside: Iterable[str] = ()) -> Any | None:
    """A value with what is required and the fields wanted, or None where none can be vouched for.

    Of several forms that are wanted alike, the one with more of the fields `beside`.
    """
    try:
        value = _value(schema, _Root(schema, {*wanted}, frozenset(beside)), "value", 0)
        return value if fits(value, schema, schema) else None
    except (
        _NoExample,
        Untold,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        re.error,
    ):
        return None


@dataclass(slots=True)
class _Root:
    """The whole schema, and how much more of it may be looked at: unions of unions have no end."""

    schema: Any
    wanted: set[str]
    beside: frozenset[str]
    steps: int = _STEPS


def _value(schema: Any, root: _Root, name: str, depth: int) -> Any:
    root.steps -= 1
    if root.steps < 0:
        raise _NoExample
    if schema is True or schema == {}:
        return name
    if depth > _DEPTH or not isinstance(schema, Mapping):
        raise _NoExample
    schema = _resolved(schema, root)
    if given := _given(schema, root):
        return given[0]
    for choice in ("anyOf", "oneOf"):
        if options := schema.get(choice):
            rest = {key: part for key, part in schema.items() if key != choice}
            if tag := schema.get("discriminator", {}).get("propertyName"):
                # What tells the options apart has a default in each, and is needed all the same.
                rest["required"] = [*rest.get("required", ()), tag]
            return _first(options, rest, schema, root, name, depth)
    return _OF_TYPE[_type(schema)](schema, root, name, depth)


def _first(
    options: Sequence[Any],
    rest: Mapping[str, Any],
    whole: Mapping[str, Any],
    root: _Root,
    name: str,
    depth: int,
) -> Any:
    """Of the alternative with most of the fields wanted that is not null and can be met."""
    for option in sorted(options, key=lambda option: _rank(option, root), reverse=True):
        try:
            value = _value(_merged(rest, _resolved(option, root)), root, name, depth + 1)
        except _NoExample:
            continue
        if fits(value, whole, root.schema):
            return value
    raise _NoExample


def _rank(option: Any, root: _Root) -> tuple[bool, int, int]:
    properties = _resolved(option, root).get("properties", ()) if isinstance(option, Mapping) else ()
    named = len(root.wanted.intersection(properties)), len(root.beside.intersection(properties))
    return option != {"type": "null"}, *named


def _resolved(schema: Mapping[str, Any], root: _Root) -> Mapping[str, Any]:
    """Without `$ref` and `allOf`."""
    for _ in range(_DEPTH):
        if "$ref" in schema:
            rest = {key: part for key, part in schema.items() if key != "$ref"}
            if not schema["$ref"].startswith("#"):
                raise _NoExample
            schema = _merged(rest, pointed(schema["$ref"], root.schema))
        elif "allOf" in schema:
            rest = {key: part for key, part in schema.items() if key != "allOf"}
            parts = [_resolved(part, root) for part in schema["allOf"]]
            for part in parts:
                rest = _merged(rest, part)
            rest[_CONDITIONS] = [part for part in (schema, *parts) if "if" in part]
            schema = rest
        else:
            return schema
    raise _NoExample


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    if any(one[key] != other[key] for key in ("type", "enum", "const") if key in one and key in other):
        raise _NoExample
    both = {**other, **one}
    if "properties" in one and "properties" in other:
        both["properties"] = {**other["properties"], **one["properties"]}
    if "required" in one and "required" in other:
        both["required"] = [*other["required"], *one["required"]]
    return both


def _given(schema: Mapping[str, Any], root: _Root) -> list[Any]:
    """The values the schema itself names, those that fit it, the best first; `null` is one too."""
    if "const" in schema:
        return [schema["const"]]
    named = [schema[key] for key in ("examples", "enum") if isinstance(schema.get(key), list)]
    # Nothing at all shows nothing.
    default = [schema["default"]] if schema.get("default") not in (None, "", [], {}) else []
    found = [value for values in (*named, default) for value in values if fits(value, schema, root.schema)]
    return sorted(found, key=lambda value: value is None)


def _type(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind is None:
        kind = "object" if "properties" in schema else "array" if "items" in schema else "string"
    return str(kind)


def _object(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    wanted = root.wanted.intersection(properties)
    asked = dict.fromkeys([*schema.get("required", ()), *(key for key in properties if key in wanted)])
    least = max(len(asked), schema.get("minProperties", 0))
    fields = list(dict.fromkeys([*asked, *properties, *_names(schema, root)]))[:least]
    if len(fields) > _FIELDS:
        raise _NoExample
    others = schema.get("additionalProperties", True)
    if not fields:
        return (
            _one_field(schema, properties, root, depth) if properties else _map(schema, others, root, depth)
        )
    root.wanted -= wanted  # not once more within itself
    try:
        value = {field: _value(properties.get(field, others), root, field, depth + 1) for field in fields}
    finally:
        root.wanted |= wanted
    more = _asked_besides(schema, value, root)
    return value if more is None else _object(more, root, name, depth + 1)


_CONDITIONS: Final = "$conditions"
"""What has an `if`, of the parts of an `allOf`."""


def _asked_besides(
    schema: Mapping[str, Any], value: Mapping[str, Any], root: _Root
) -> Mapping[str, Any] | None:
    """The schema with what it asks for of a value such as this one; None where that is nothing more."""
    conditions = schema.get(_CONDITIONS) or ([schema] if "if" in schema else [])
    apart = ("if", "then", "else", "dependentRequired", _CONDITIONS)
    asked = {key: part for key, part in schema.items() if key not in apart}
    for condition in conditions:
        then = "then" if fits(value, condition["if"], root.schema) else "else"
        asked = _merged(_resolved(condition.get(then, {}), root), asked)
    dependent = schema.get("dependentRequired", {})
    needed = [other for field in value for other in dependent.get(field, ())]
    asked["required"] = [*asked.get("required", ()), *value, *needed]
    return None if value.keys() >= {*asked["required"]} and not conditions else asked


def _one_field(
    schema: Mapping[str, Any], properties: Mapping[str, Any], root: _Root, depth: int
) -> dict[str, Any]:
    """Inside something, one field says more than none; a plain one, since others have no end."""
    if depth == 0 or not schema.get("maxProperties", 1):
        return {}
    for field, form in islice(properties.items(), _FIELDS):
        with suppress(_NoExample):
            if value := _value(form, root, field, max(depth + 1, _DEPTH - 1)):
                return {field: value}
    return {}


def _map(schema: Mapping[str, Any], others: Any, root: _Root, depth: int) -> dict[str, Any]:
    """One entry says more than none, where it is known what an entry is."""
    named = next(
        ((n, form) for p, form in schema.get("patternProperties", {}).items() if (n := matching(p))), None
    )
    # A number, since nothing says so where a key has to be one.
    names = _names(schema, root) if "propertyNames" in schema else ["1"]
    name, form = named or (next(iter(names), None), others)
    if name is None or not isinstance(form, Mapping) or not form or not schema.get("maxProperties", 1):
        return {}
    try:
        return {name: _value(form, root, "value", depth + 1)}
    except _NoExample:
        return {}


def _names(schema: Mapping[str, Any], root: _Root) -> list[str]:
    """Names that the fields of an object may have, where it says which."""
    named = _resolved(schema["propertyNames"], root) if "propertyNames" in schema else {}
    options = named.get("enum", [named["const"]] if "const" in named else [])
    options = options or [
        matching(named["pattern"], named.get("minLength", 0)) if "pattern" in named else None
    ]
    return [option for option in options if isinstance(option, str)]


def _array(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> list[Any]:
    least = schema.get("minItems", 0)
    if least > 1 and (schema.get("uniqueItems") or least > _FIELDS):
        raise _NoExample
    if "prefixItems" in schema:
        first = schema["prefixItems"]
        if not least <= len(first) <= schema.get("maxItems", len(first)):
            raise _NoExample
        return [_value(item, root, name, depth + 1) for item in first]
    # One item says more than none, where none is asked for.
    few = max(least, min(1, schema.get("maxItems", 1)))
    try:
        return [_value(schema.get("items", True), root, name, depth + 1) for _ in range(few)]
    except _NoExample:
        if least:
            raise
        return []


_FORMATS: Final[Mapping[str, str]] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "name@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv4network": "192.0.2.0/24",
    "ipv6": "2001:db8::1",
    "ipv6network": "2001:db8::/32",
    "ipvanyaddress": "192.0.2.1",
    "ipvanynetwork": "192.0.2.0/24",
    "name-email": "Name <name@example.com>",
    "path": "folder/file.txt",
    "regex": "[a-z]+",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    **dict.fromkeys(("uuid", "uuid4"), "00000000-0000-4000-8000-000000000000"),
}
_FREE: Final = frozenset({"binary", "password"})
"""Formats that any text has."""


_ENCODED: Final = frozenset({"contentEncoding", "contentMediaType"})
"""What says that the text is something else, written down."""


_TOLD: Final = lazy(
    r"(?:\be\.g\.|\bfor example|\bexamples?:|\bsuch as)[,:]? ?([\"'`])(?=[^\"'`]*\w)([^\"'`\n]{1,80})\1",
    re.IGNORECASE,
)
"""An example in a description, where it is quoted."""


def _string(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    if least > _LONGEST or not _ENCODED.isdisjoint(schema):
        raise _NoExample
    told = _TOLD.search(str(schema.get("description")), 0, _READ)
    if told is not None and fits(told[2], schema, root.schema):
        return told[2]
    if "format" in schema:
        return name if schema["format"] in _FREE else _FORMATS[schema["format"]]
    if "pattern" not in schema:
        return name.ljust(least, "x")[:most]
    if (text := matching(schema["pattern"], least)) is None:
        raise _NoExample
    return text


def _number(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> float:
    if "multipleOf" in schema:
        return _multiple(schema, schema["multipleOf"])
    low, high = _bounds(schema)
    return _first_allowed(schema, (1, low, high, (low + high) / 2, low + 1, high - 1))


def _integer(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> int:
    step = schema.get("multipleOf", 1)
    if step != int(step):
        raise _NoExample
    return int(_multiple(schema, step))


def _multiple(schema: Mapping[str, Any], step: float) -> float:
    low, high = _bounds(schema)
    least = math.ceil(low / step) if math.isfinite(low) else 1
    most = math.floor(high / step) if math.isfinite(high) else least
    multiples = (1, least, least + 1, most, most - 1)
    return _first_allowed(schema, [multiple * step for multiple in multiples])


def _bounds(schema: Mapping[str, Any]) -> tuple[float, float]:
    return (
        max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf)),
        min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf)),
    )


def _first_allowed(schema: Mapping[str, Any], candidates: Sequence[float]) -> float:
    low, high = _bounds(schema)
    shut = (schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"))
    for value in candidates:
        if low <= value <= high and value not in shut and math.isfinite(value):
            return value
    raise _NoExample


_OF_TYPE: Final[Mapping[str, Callable[[Mapping[str, Any], _Root, str, int], Any]]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "number": _number,
    "integer": _integer,
    "boolean": lambda *_: True,
    "null": lambda *_: None,
}
