"""Output schema in, whether `structuredContent` may carry an error out; or the schema that lets it.

Some clients check `structuredContent` against the tool's advertised schema even where the call failed, and
throw the error away if it does not fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from mcp_error_middleware.render.formats import Format
from mcp_error_middleware.render.plain import plain

Schema = dict[str, Any]

_ERROR: Final[Mapping[str, Any]] = {
    "error": {
        "type": "object",
        "description": "Present only when the call failed.",
        "properties": {
            "code": {"type": "integer"},
            "name": {"type": "string"},
            "category": {"type": "string"},
            "message": {"type": "string"},
            "retryable": {"type": "boolean"},
            "error_id": {"type": "string"},
            "data": {"type": "object"},
        },
        "required": ["code", "name", "message", "retryable"],
    }
}

_CARRIED: Final[Mapping[str, Mapping[str, Any]]] = {
    Format.DEFAULT: _ERROR,
    Format.TOOLERROR: _ERROR,
    Format.ENVELOPE: {
        "success": {"const": False},
        "data": {"type": "object"},
        "error": {"type": "string"},
        "meta": {"type": "object"},
    },
}
"""What `structuredContent` holds where the call failed, key by key."""

_ANNOTATIONS: Final = frozenset(
    {
        "$schema", "$id", "$anchor", "$comment", "$defs", "definitions",
        "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
    }
)  # fmt: skip

_ASSERTIONS: Final = frozenset(
    {
        "required", "anyOf", "oneOf", "allOf", "not", "if", "then", "else",
        "$ref", "$dynamicRef", "$recursiveRef", "const", "enum",
        "patternProperties", "propertyNames", "minProperties", "maxProperties",
        "dependentRequired", "dependentSchemas", "dependencies",
    }
)  # fmt: skip
"""What a success must satisfy and an error may not."""


def structured_allowed(output_schema: object, *, format: Format | str = Format.DEFAULT) -> bool:
    """Whether an error fits: there is no schema, an open one, or one that was widened. False in doubt."""
    if output_schema is None:
        return True
    schema, carried = _copied(output_schema), _CARRIED.get(format, _ERROR)
    return schema is not None and (_is_open(schema, carried) or _is_widened(schema, carried))


def widen_schema(output_schema: Schema, *, format: Format | str = Format.DEFAULT) -> Schema:
    """The schema of a success or an error. The root stays an object that names every property.

    What cannot be widened so (a root that is no object) comes back as it is.
    """
    schema, carried = _copied(output_schema), _CARRIED.get(format, _ERROR)
    if schema is None:
        return output_schema
    if schema.get("type") != "object" or _is_open(schema, carried) or _is_widened(schema, carried):
        return schema
    widened: Schema = plain(_widened(schema, carried))
    return widened


def _copied(schema: object) -> Schema | None:
    """A plain copy, or None for what no client could have been sent."""
    try:
        copied = orjson.loads(orjson.dumps(schema))
    except Exception:  # noqa: BLE001 - cycles, foreign types, hostile objects
        return None
    return copied if isinstance(copied, dict) and isinstance(copied.get("properties", {}), dict) else None


def _is_open(schema: Schema, carried: Mapping[str, Any]) -> bool:
    known = _ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}
    return (
        all(key in known or key.startswith("x-") for key in schema)
        and schema.get("type", "object") == "object"
        and not schema.get("required")
        and schema.get("additionalProperties", True) in (True, {})
        and carried.keys().isdisjoint(schema.get("properties", ()))
    )


def _is_widened(schema: Schema, carried: Mapping[str, Any]) -> bool:
    forms, properties = schema.get("anyOf"), schema.get("properties", {})
    return (
        isinstance(forms, list)
        and len(forms) == 2
        and forms[1] in (_failure(carried, {}), _failure(carried, properties))
        and all(_admits(properties.get(key), part) for key, part in carried.items())
    )


def _admits(schema: object, part: object) -> bool:
    forms = schema.get("anyOf") if isinstance(schema, dict) else None
    return schema == part or (isinstance(forms, list) and part in forms)


def _widened(schema: Schema, carried: Mapping[str, Any]) -> Schema:
    properties = schema.get("properties", {})
    success = _success(schema, properties, carried)
    rest = {key: value for key, value in schema.items() if key not in _ASSERTIONS}
    if "patternProperties" in schema:
        # It looks at the patterns beside it, which went with the success.
        rest.pop("additionalProperties", None)
    both = {key: _either(properties, key, part) for key, part in carried.items()}
    return {
        **rest,
        "properties": {**properties, **both},
        "anyOf": [success, _failure(carried, properties)],
    }


def _success(schema: Schema, properties: Schema, carried: Mapping[str, Any]) -> Schema:
    success = {key: value for key, value in schema.items() if key in _ASSERTIONS}
    if "patternProperties" in schema:
        beside = ("properties", "additionalProperties")
        success |= {key: schema[key] for key in beside if key in schema}
    if own := {key: properties[key] for key in carried if key in properties}:
        success["properties"] = {**own, **success.get("properties", {})}
        return success
    if "not" in success:
        success = {"allOf": [success]}
    return {**success, "not": {"required": list(carried)}}


def _failure(carried: Mapping[str, Any], properties: Schema) -> Schema:
    failure: Schema = {"required": list(carried)}
    if not carried.keys().isdisjoint(properties):
        # The tool has such a property of its own; only here it must be ours.
        failure["properties"] = dict(carried)
    return failure


def _either(properties: Schema, key: str, part: object) -> object:
    return {"anyOf": [properties[key], part]} if key in properties else part
