"""Issues and a tool's schema in, the same issues with what was probably meant out; never a rejected value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.advice.nearest import nearest, words
from mcp_error_middleware.advice.pointer import pointed
from mcp_error_middleware.model import Issue

_STEPS: Final = re.compile(r"[^.\[\]]+")
_UNKNOWN: Final = ("is not a known field", "is not a known argument")
_REQUIRED: Final = "is required"
_DEPTH: Final = 10
_SAID: Final = 20
"""As many as an answer lists."""


def sharpened(issues: Sequence[Issue], schema: object, arguments: object) -> tuple[Issue, ...]:
    """Each issue that will be said, with the nearest field or option where one is near."""
    said = issues[:_SAID]
    sharp = [_sharpened(issue, said, schema, arguments) for issue in said]
    once = [new for new, old in zip(sharp, issues, strict=False) if not _is_said_of_another(old, sharp)]
    return (*once, *issues[_SAID:])


def _is_said_of_another(issue: Issue, others: Sequence[Issue]) -> bool:
    """Whether the field is unknown because another one is missing, which says so."""
    if issue.problem not in _UNKNOWN:
        return False
    place, _, field = issue.path.rpartition(".")
    said = _misspelt(field)
    return any(other.path.rpartition(".")[0] == place and other.problem.startswith(said) for other in others)


def _sharpened(issue: Issue, issues: Sequence[Issue], schema: object, arguments: object) -> Issue:
    if issue.problem in _UNKNOWN:
        place, _, field = issue.path.rpartition(".")
        return _meaning(issue, nearest(field, _fields(at(schema, place)), 1))
    if issue.problem == _REQUIRED:
        place, _, field = issue.path.rpartition(".")
        sent = _unknown_among(_value(arguments, place), _fields(at(schema, place)))
        if given := nearest(field, sent, 1) or [name for name in sent if _abbreviates(name, field)]:
            return _meaning(Issue(issue.path, _misspelt(given[0])), [field])
        lacking = [other for other in issues if _is_beside(other, place)] if len(sent) == 1 else ()
        return Issue(issue.path, _misspelt(sent[0])) if len(lacking) == 1 else issue
    options = _options(at(schema, issue.path))
    value = _value(arguments, issue.path)
    return _meaning(issue, nearest(value, options, 1)) if options and isinstance(value, str) else issue


def _abbreviates(name: str, field: str) -> bool:
    short = "".join(words(name))
    return bool(short) and "".join(words(field)).startswith(short)


def _is_beside(issue: Issue, place: str) -> bool:
    """Whether it is another field of the same object that lacks."""
    return issue.problem == _REQUIRED and issue.path.rpartition(".")[0] == place


def _misspelt(field: str) -> str:
    return f"{_REQUIRED}, and {field!r} is not known"


def _meaning(issue: Issue, meant: Sequence[str]) -> Issue:
    return Issue(issue.path, f"{issue.problem}; did you mean {meant[0]!r}?") if meant else issue


def _unknown_among(value: object, known: Sequence[str]) -> list[str]:
    return [str(name) for name in value if name not in known] if isinstance(value, dict) and known else []


def lacking(schema: object, arguments: object) -> tuple[str, ...]:
    """What a tool requires and was not given."""
    required = schema.get("required") if isinstance(schema, dict) else None
    given = {} if arguments is None else arguments
    if not isinstance(required, list) or not isinstance(given, dict):
        return ()
    return tuple(name for name in required if isinstance(name, str) and name not in given)


def at(schema: object, path: str) -> Mapping[str, Any]:
    """The part of a schema that a path such as `items[0].price` is about; empty where it is not told."""
    root = schema
    for step in steps(path):
        part = _resolved(schema, root)
        schema = part.get("items") if step.isdecimal() else _properties(part).get(step)
    return _resolved(schema, root)


def steps(path: str) -> list[str]:
    """`items[0].price` as `items`, `0` and `price`."""
    return [path] if path.isidentifier() else _STEPS.findall(path)[:_DEPTH]


def _resolved(schema: object, root: object, depth: int = 0) -> Mapping[str, Any]:
    """Without references; where it has several forms, what is known of any of them."""
    if not isinstance(schema, dict) or depth > _NESTED:
        return {}
    if isinstance(reference := schema.get("$ref"), str):
        return _resolved(pointed(reference, root), root, depth + 1)
    if not any(word in schema for word in _FORMS):
        return schema
    forms = (form for word in _FORMS if isinstance(schema.get(word), list) for form in schema[word])
    parts = [schema, *(_resolved(form, root, depth + 1) for form in islice(forms, _SAID))]
    properties: dict[str, list[Any]] = {}
    for part in parts:
        for name, form in _properties(part).items():
            properties.setdefault(name, []).append(form)
    return {
        "properties": {
            name: {"anyOf": forms} if forms[1:] else forms[0] for name, forms in properties.items()
        },
        "items": next((part["items"] for part in parts if "items" in part), None),
        "enum": [option for part in parts for option in _options(part)],
    }


_FORMS: Final = ("allOf", "anyOf", "oneOf")
"""In one order, so that an answer is the same in every process."""
_NESTED: Final = 4


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def optional_fields(schema: object, depth: int = 0) -> Iterator[str]:
    """The names of the fields that some object in a schema may do without."""
    if isinstance(schema, list):
        for part in schema if depth < _DEPTH else ():
            yield from optional_fields(part, depth + 1)
    elif isinstance(schema, dict) and depth < _DEPTH:
        required = schema.get("required")
        yield from (n for n in _properties(schema) if not isinstance(required, list) or n not in required)
        for part in schema.values():
            yield from optional_fields(part, depth + 1)


def _fields(schema: Mapping[str, Any]) -> list[str]:
    return [str(name) for name in _properties(schema)]


def _options(schema: Mapping[str, Any]) -> list[str]:
    options = schema.get("enum", [schema.get("const")])
    return [option for option in options if isinstance(option, str)] if isinstance(options, list) else []


def _value(arguments: object, path: str) -> object:
    for step in steps(path):
        if isinstance(arguments, list) and step.isdecimal() and int(step) < len(arguments):
            arguments = arguments[int(step)]
        else:
            arguments = arguments.get(step) if isinstance(arguments, dict) else None
    return arguments
