"""A value and its JSON schema in, whether it fits out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from mcp_error_middleware.advice.pointer import pointed

_DEPTH: Final = 40


class Untold(Exception):
    """The schema asks for something that cannot be told from here."""


def fits(value: Any, schema: Any, root: Any, depth: int = 0) -> bool:
    """Whether a value is of this form, a part of `root`; what a format asks for is not looked at."""
    if isinstance(schema, bool):
        return schema
    if depth > _DEPTH or not isinstance(schema, Mapping):
        raise Untold
    part = _Part(value, schema, root, depth)
    return all(check(part, schema[keyword]) for keyword, check in _CHECKS.items() if keyword in schema)


class _Part(NamedTuple):
    """A value beside the part of a schema that is about it."""

    value: Any
    schema: Mapping[str, Any]
    root: Any
    depth: int

    def fits(self, schema: Any) -> bool:
        return fits(self.value, schema, self.root, self.depth + 1)

    def inside(self, value: Any, schema: Any) -> bool:
        return fits(value, schema, self.root, self.depth + 1)


_Check: TypeAlias = Callable[[_Part, Any], bool]


def _of(*kinds: type) -> Callable[[_Check], _Check]:
    """A check of values of these kinds; all others pass."""

    def narrowed(check: _Check) -> _Check:
        return lambda part, said: (
            not isinstance(part.value, kinds) or isinstance(part.value, bool) or check(part, said)
        )

    return narrowed


_numbers, _texts, _lists, _objects = _of(int, float), _of(str), _of(list), _of(dict)


def _is_of_type(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _TYPES[kind])


_TYPES: Final[Mapping[str, Any]] = {
    "array": list,
    "boolean": bool,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


def _written(value: Any) -> bytes:
    """The same for the same JSON value: to Python, `true` is 1; to JSON, 1.0 is."""
    return orjson.dumps(_whole(value), option=orjson.OPT_SORT_KEYS)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _reference(part: _Part, said: str) -> bool:
    if not said.startswith("#"):
        raise Untold
    return part.fits(pointed(said, part.root))


def _is_multiple(part: _Part, step: float) -> bool:
    return math.isfinite(times := part.value / step) and times == int(times)


def _properties(part: _Part, _: Any) -> bool:
    """`properties`, `patternProperties` and what is said of all the others."""
    named, patterns = part.schema.get("properties", {}), part.schema.get("patternProperties", {})
    for field, value in part.value.items():
        about = [form for pattern, form in patterns.items() if re.search(pattern, field)]
        about += [named[field]] if field in named else []
        if not all(part.inside(value, form) for form in about or [part.schema.get(_OTHERS, True)]):
            return False
    return True


_OTHERS: Final = "additionalProperties"


def _items(part: _Part, _: Any) -> bool:
    """`prefixItems`, and `items` of the rest; older schemas have a list of them there."""
    first, rest = part.schema.get("prefixItems", ()), part.schema.get("items", True)
    if isinstance(rest, list):
        first, rest = rest, part.schema.get("additionalItems", True)
    forms = [*first, *[rest] * (len(part.value) - len(first))]
    return all(part.inside(item, form) for item, form in zip(part.value, forms, strict=False))


def _contains(part: _Part, form: Any) -> bool:
    count = sum(part.inside(item, form) for item in part.value)
    return bool(part.schema.get("minContains", 1) <= count <= part.schema.get("maxContains", math.inf))


def _condition(part: _Part, form: Any) -> bool:
    return part.fits(part.schema.get("then" if part.fits(form) else "else", True))


def _dependent(part: _Part, said: Mapping[str, Any]) -> bool:
    """What a field asks for where it is given: other fields, or a form."""
    asked = [form for field, form in said.items() if field in part.value]
    return all(
        part.value.keys() >= set(form) if isinstance(form, list) else part.fits(form) for form in asked
    )


def _unevaluated(part: _Part, said: Any) -> bool:
    """What is said of all the fields of which nothing else is."""
    return all(part.inside(part.value[field], said) for field in part.value.keys() - _evaluated(part, 0))


def _evaluated(part: _Part, depth: int) -> set[str]:
    """The fields of which something is said beside it, or in a form that the value has."""
    schema = part.schema
    if depth > _DEPTH:
        raise Untold
    if _OTHERS in schema or (depth and "unevaluatedProperties" in schema):
        return set(part.value)
    patterns = [*schema.get("patternProperties", ())]
    named = {field for field in part.value if any(re.search(pattern, field) for pattern in patterns)}
    named |= schema.get("properties", {}).keys() & part.value.keys()
    for form in _forms(part):
        if isinstance(form, Mapping):
            named |= _evaluated(part._replace(schema=form), depth + 1)
    return named


def _forms(part: _Part) -> list[Any]:
    """The forms within a schema that the value has."""
    schema = part.schema
    if not _TOO_FAR.isdisjoint(schema):
        raise Untold
    forms = [*schema.get("allOf", ()), *([pointed(schema["$ref"], part.root)] if "$ref" in schema else ())]
    forms += [form for word in ("anyOf", "oneOf") for form in schema.get(word, ()) if part.fits(form)]
    if "if" in schema:
        holds = part.fits(schema["if"])
        forms += [schema["if"], schema.get("then", True)] if holds else [schema.get("else", True)]
    return forms


_TOO_FAR: Final = frozenset({"dependentSchemas", "dependencies"})


def _unevaluated_items(part: _Part, said: Any) -> bool:
    if said is not True and "items" not in part.schema:
        raise Untold
    return True


def _elsewhere(part: _Part, _: Any) -> bool:
    raise Untold


_CHECKS: Final[Mapping[str, _Check]] = {
    "$ref": _reference,
    "$dynamicRef": _elsewhere,
    "$recursiveRef": _elsewhere,
    "type": lambda part, said: any(
        _is_of_type(part.value, kind) for kind in (said if isinstance(said, list) else [said])
    ),
    "const": lambda part, said: _written(part.value) == _written(said),
    "enum": lambda part, said: _written(part.value) in map(_written, said),
    "allOf": lambda part, said: all(map(part.fits, said)),
    "anyOf": lambda part, said: any(map(part.fits, said)),
    "oneOf": lambda part, said: sum(map(part.fits, said)) == 1,
    "not": lambda part, said: not part.fits(said),
    "if": _condition,
    "minimum": _numbers(lambda part, said: bool(part.value >= said)),
    "maximum": _numbers(lambda part, said: bool(part.value <= said)),
    "exclusiveMinimum": _numbers(lambda part, said: bool(part.value > said)),
    "exclusiveMaximum": _numbers(lambda part, said: bool(part.value < said)),
    "multipleOf": _numbers(_is_multiple),
    "minLength": _texts(lambda part, said: bool(len(part.value) >= said)),
    "maxLength": _texts(lambda part, said: bool(len(part.value) <= said)),
    "pattern": _texts(lambda part, said: re.search(said, part.value) is not None),
    "items": _lists(_items),
    "prefixItems": _lists(_items),
    "contains": _lists(_contains),
    "minItems": _lists(lambda part, said: bool(len(part.value) >= said)),
    "maxItems": _lists(lambda part, said: bool(len(part.value) <= said)),
    "uniqueItems": _lists(
        lambda part, said: not said or len(set(map(_written, part.value))) == len(part.value)
    ),
    "unevaluatedItems": _lists(_unevaluated_items),
    "properties": _objects(_properties),
    "patternProperties": _objects(_properties),
    _OTHERS: _objects(_properties),
    "propertyNames": _objects(lambda part, said: all(part.inside(field, said) for field in part.value)),
    "required": _objects(lambda part, said: part.value.keys() >= set(said)),
    "minProperties": _objects(lambda part, said: bool(len(part.value) >= said)),
    "maxProperties": _objects(lambda part, said: bool(len(part.value) <= said)),
    "dependentRequired": _objects(_dependent),
    "dependentSchemas": _objects(_dependent),
    "dependencies": _objects(_dependent),
    "unevaluatedProperties": _objects(_unevaluated),
}
