"""JSON schema in, one small value that fits it out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from itertools import count, islice, product
from types import MappingProxyType
from typing import Any, Final, TypeVar

import orjson

from mcp_error_middleware.advice.fits import Untold, fits
from mcp_error_middleware.advice.matching import matching
from mcp_error_middleware.advice.pointer import pointed
from mcp_error_middleware.lazy import lazy

T = TypeVar("T")

_DEPTH: Final = 8
_FIELDS: Final = 20
_STEPS: Final = 300
_LONGEST: Final = 200
_READ: Final = 2_000


class _NoExample(Exception):
    """The schema asks for something that cannot be made up."""


def example_of(
    schema: object,
    wanted: Iterable[str] = (),
    beside: Iterable[str] = (),
    chosen: Mapping[str, str] = MappingProxyType({}),
) -> Any | None:
    """A value with what is required and the fields wanted, or None where none can be vouched for.

    Of the options of a field, the one `chosen`; of several forms, the one with that, and of those that are
    wanted alike, the one with more of the fields `beside`.
    """
    try:
        value = _value(schema, _Root(schema, {*wanted}, frozenset(beside), chosen), "value", 0)
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
    chosen: Mapping[str, str]
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
    if given := _given(schema, root, name):
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


def _rank(option: Any, root: _Root) -> tuple[bool, int, int, int]:
    properties = _resolved(option, root).get("properties", {}) if isinstance(option, Mapping) else {}
    chosen = sum(_has(properties[name], value) for name, value in root.chosen.items() if name in properties)
    named = len(root.wanted.intersection(properties)), len(root.beside.intersection(properties))
    return option != {"type": "null"}, chosen, *named


def _has(form: Any, value: str) -> bool:
    """Whether a form names this as an option, or the only one."""
    return isinstance(form, Mapping) and (form.get("const") == value or value in form.get("enum", ()))


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
    """What both ask for, as far as one schema can say so; the value is held against the whole one anyway."""
    both = {**other, **one}
    for key in one.keys() & other.keys() & _MERGES.keys():
        both[key] = one[key] if one[key] == other[key] else _MERGES[key](one[key], other[key])
    return both


def _merged_types(one: Any, other: Any) -> list[Any]:
    return _some([kind for kind in _kinds(one) if kind in _kinds(other)])


def _kinds(said: Any) -> list[Any]:
    kinds = said if isinstance(said, list) else [said]
    return [*kinds, "integer"] if "number" in kinds else kinds


def _merged_options(one: Sequence[Any], other: Sequence[Any]) -> list[Any]:
    return _some([option for option in one if option in other])


def _some(found: list[Any]) -> list[Any]:
    if not found:
        raise _NoExample
    return found


def _no_other(one: Any, other: Any) -> Any:
    raise _NoExample


def _merged_forms(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The forms of fields; of one that both have, both."""
    return {**other, **one, **{name: _both(one[name], other[name]) for name in one.keys() & other.keys()}}


def _both(one: Any, other: Any) -> Any:
    if one in (True, other):
        return other
    return one if other is True else {"allOf": [one, other]}


def _paired(one: Sequence[Any], other: Sequence[Any]) -> list[Any]:
    return [_both(each, another) for each, another in islice(product(one, other), _FIELDS)]


_MERGES: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "type": _merged_types,
    "enum": _merged_options,
    "const": _no_other,
    "properties": _merged_forms,
    "patternProperties": _merged_forms,
    "required": lambda one, other: [*other, *one],
    "anyOf": _paired,
    "oneOf": _paired,
    "items": _both,
    "not": lambda one, other: {"anyOf": [one, other]},
    "multipleOf": max,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
"""Of what two schemas say of the same value, what meets both."""


def _given(schema: Mapping[str, Any], root: _Root, name: str) -> list[Any]:
    """The values the schema itself names, those that fit it, the best first; `null` is one too."""
    if "const" in schema:
        return [schema["const"]]
    named = [schema[key] for key in ("examples", "enum") if isinstance(schema.get(key), list)]
    # Nothing at all shows nothing.
    default = [schema["default"]] if schema.get("default") not in (None, "", [], {}) else []
    found = [value for values in (*named, default) for value in values if fits(value, schema, root.schema)]
    return sorted(found, key=lambda value: (value is None, value != root.chosen.get(name, value)))


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
    if least > _FIELDS:
        raise _NoExample
    fields = list(islice(dict.fromkeys([*asked, *properties, *_names(schema, root, least)]), least))
    others = schema.get("additionalProperties", True)
    if not fields:
        return (
            _one_field(schema, properties, root, depth) if properties else _map(schema, others, root, depth)
        )
    root.wanted -= wanted  # not once more within itself
    try:
        value = {field: _value(_form(schema, field), root, field, depth + 1) for field in fields}
    finally:
        root.wanted |= wanted
    more = _asked_besides(schema, value, root)
    return value if more is None else _object(more, root, name, depth + 1)


def _form(schema: Mapping[str, Any], field: str) -> Any:
    """What a field of this name has to be."""
    patterns = schema.get("patternProperties", {})
    forms = [form for pattern, form in patterns.items() if re.search(pattern, field)]
    forms += [form for name, form in schema.get("properties", {}).items() if name == field]
    return reduce(_both, forms) if forms else schema.get("additionalProperties", True)


_CONDITIONS: Final = "$conditions"
"""What has an `if`, of the parts of an `allOf`."""


def _asked_besides(
    schema: Mapping[str, Any], value: Mapping[str, Any], root: _Root
) -> Mapping[str, Any] | None:
    """The schema with what it asks for of a value such as this one; None where that is nothing more."""
    conditions = schema.get(_CONDITIONS) or ([schema] if "if" in schema else [])
    apart = ("if", "then", "else", *_DEPENDENT, _CONDITIONS)
    asked = {key: part for key, part in schema.items() if key not in apart}
    for condition in conditions:
        then = "then" if fits(value, condition["if"], root.schema) else "else"
        asked = _merged(_resolved(condition.get(then, {}), root), asked)
    needed = [part[field] for part in map(schema.get, _DEPENDENT) if part for field in value if field in part]
    for form in needed:
        asked = _merged({"required": form} if isinstance(form, list) else _resolved(form, root), asked)
    asked["required"] = [*asked.get("required", ()), *value]
    return None if not needed and not conditions else asked


_DEPENDENT: Final = ("dependentRequired", "dependentSchemas", "dependencies")


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
    name, form = named or (next(iter(_names(schema, root, 1)), None), others)
    if name is None or not isinstance(form, Mapping) or not form or not schema.get("maxProperties", 1):
        return {}
    try:
        return {name: _value(form, root, "value", depth + 1)}
    except _NoExample:
        return {}


def _names(schema: Mapping[str, Any], root: _Root, few: int) -> list[str]:
    """Names that the fields of an object may have, where they are not said."""
    if "propertyNames" not in schema:
        patterns = schema.get("patternProperties", {})
        if patterns and schema.get("additionalProperties") is False:
            return [name for pattern in patterns for name in islice(_matching(pattern, 0), few)]
        # Numbers, since nothing says so where a key has to be one.
        return [str(number) for number in range(1, few + 1)]
    named = _resolved(schema["propertyNames"], root)
    options = named.get("enum", [named["const"]] if "const" in named else [])
    if not options and "pattern" in named:
        options = islice(_matching(named["pattern"], named.get("minLength", 0)), few)
    return [option for option in options if isinstance(option, str)]


def _matching(pattern: str, least: int) -> Iterator[str]:
    """Texts that match, each longer than the one before."""
    while (text := matching(pattern, least)) is not None:
        yield text
        least = len(text) + 1


def _array(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> list[Any]:
    # One item says more than none, where none is asked for.
    least, most = schema.get("minItems", 0), schema.get("maxItems", _FIELDS)
    first = schema.get("prefixItems", [])
    asked = len(first) + schema.get("minContains", 1) if "contains" in schema else 0
    if max(least, asked) > min(most, _FIELDS):
        raise _NoExample
    made: list[Any] = []
    for _ in range(max(least, len(first), min(1, most), asked)):
        form = first[len(made)] if len(made) < len(first) else schema.get("items", True)
        if len(first) <= len(made) < asked:
            form = _both(form, schema["contains"])
        if made and schema.get("uniqueItems"):
            form = _both(form, {"not": {"enum": made}})
        try:
            made = [*made, _value(form, root, name, depth + 1)]
        except _NoExample:
            if least or first or asked:
                raise
            return []
    return made


_FORMATS: Final[Mapping[str, str]] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "base64": "ZXhhbXBsZQ==",
    "base64url": "ZXhhbXBsZQ==",
    "byte": "ZXhhbXBsZQ==",
    "email": "name@example.com",
    "hostname": "example.com",
    "idn-email": "name@example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv4network": "192.0.2.0/24",
    "ipv6": "2001:db8::1",
    "ipv6network": "2001:db8::/32",
    "ipvanyaddress": "192.0.2.1",
    "ipvanynetwork": "192.0.2.0/24",
    "iri": "https://example.com/",
    "iri-reference": "https://example.com/",
    "json-pointer": "/field",
    "name-email": "Name <name@example.com>",
    "path": "folder/file.txt",
    "regex": "[a-z]+",
    "relative-json-pointer": "0",
    "uri": "https://example.com/",
    "uri-reference": "https://example.com/",
    "uri-template": "https://example.com/{id}",
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
    if "contentSchema" in schema and schema.get("contentMediaType") == "application/json":
        return orjson.dumps(_value(schema["contentSchema"], root, name, depth + 1)).decode()
    if schema.get("minLength", 0) > _LONGEST or not _ENCODED.isdisjoint(schema):
        raise _NoExample
    return _fitting(_texts(schema, name), schema, root)


def _texts(schema: Mapping[str, Any], name: str) -> Iterator[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    if told := _TOLD.search(str(schema.get("description")), 0, _READ):
        yield told[2]
    if schema.get("format", "password") not in _FREE:
        if (known := _FORMATS.get(schema["format"])) is not None:
            yield known
    elif "pattern" in schema:
        yield from islice(_matching(schema["pattern"], least), _FIELDS)
    else:
        names = (name, *(f"{name}{number}" for number in range(2, _FIELDS)), "value")
        yield from (each.ljust(least, "x")[:most] for each in names)


def _fitting(candidates: Iterable[T], schema: Mapping[str, Any], root: _Root) -> T:
    found = (each for each in candidates if fits(each, schema, root.schema))
    if (first := next(found, None)) is None:
        raise _NoExample
    return first


def _number(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> float:
    if "multipleOf" in schema:
        return _multiple(schema, schema["multipleOf"], root)
    low, high = _bounds(schema)
    candidates: tuple[float, ...] = (1, low, high, (low + high) / 2, low + 1, high - 1, *range(2, _FIELDS))
    return _fitting(filter(math.isfinite, candidates), schema, root)


def _integer(schema: Mapping[str, Any], root: _Root, name: str, depth: int) -> int:
    step = schema.get("multipleOf", 1)
    # A whole number is a multiple of a half, too.
    return int(_multiple(schema, step if step == int(step) else 1, root))


def _multiple(schema: Mapping[str, Any], step: float, root: _Root) -> float:
    low, high = _bounds(schema)
    least = math.ceil(low / step) if math.isfinite(low) else 1
    most = math.floor(high / step) if math.isfinite(high) else least
    more = islice(count(least), _FIELDS)
    multiples = (1, *more, most, most - 1)
    return _fitting((multiple * step for multiple in multiples), schema, root)


def _bounds(schema: Mapping[str, Any]) -> tuple[float, float]:
    return (
        max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf)),
        min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf)),
    )


_OF_TYPE: Final[Mapping[str, Callable[[Mapping[str, Any], _Root, str, int], Any]]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "number": _number,
    "integer": _integer,
    "boolean": lambda *_: True,
    "null": lambda *_: None,
}
