"""Validation error in, issues out: where, and what was expected; never the rejected value."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from mcp_error_middleware.model import Issue

LIMIT = 20
"""More problems than this in one answer help nobody."""

_PHRASE = 200
_DEPTH = 6
_LOOKED_AT = 200


class Given(NamedTuple):
    """What a call was sent with, and the schema it should fit; None where nobody knows."""

    arguments: Any = None
    schema: Any = None


_NOTHING: Final = Given()


def issues_of(exc: BaseException, given: Given = _NOTHING) -> tuple[Issue, ...]:
    """The problems a validation error lists, or none. Never raises."""
    try:
        found = islice(_reader(type(exc))(exc, given), _LOOKED_AT)  # type: ignore[arg-type]
        return tuple(islice(dict.fromkeys(found), LIMIT))
    except Exception:  # noqa: BLE001 - somebody else's object
        return ()


def summary(issues: Sequence[Issue]) -> str:
    """All of it in one sentence."""
    more = f"; and {len(issues) - 5} more" if len(issues) > 5 else ""
    said = f"Validation failed: {'; '.join(issue.clause for issue in issues[:5])}{more}"
    return said if said.endswith("?") else f"{said}."


def path_text(parts: Iterable[object]) -> str:
    """`("items", 0, "price")` as `items[0].price`."""
    text = ""
    for part in islice(parts, 20):
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part!s:.80}" if text else f"{part!s:.80}"
    return text


# --- one of several forms -----------------------------------------------------------------------


def _likeliest(place: str, forms: Iterable[Sequence[Issue]]) -> Sequence[Issue]:
    """Of the forms a value may have, what keeps it from the one that it is nearest to.

    A form is nearer where the value is of its kind at all, and then where less is wrong. Of several equally
    near, what all of them object to.
    """
    ranked = [((any(issue.path == place for issue in form), len(form)), form) for form in forms]
    nearest = min(rank for rank, _ in ranked)
    near = [form for rank, form in ranked if rank == nearest]
    if len(near) == 1:
        return near[0]
    shared = [issue.path for issue in near[0] if all(any(i.path == issue.path for i in f) for f in near)]
    return [Issue(path, _either(path, near)) for path in dict.fromkeys(shared)] or near[0]


def _either(path: str, forms: Iterable[Sequence[Issue]]) -> str:
    problems = dict.fromkeys(issue.problem for form in forms for issue in form if issue.path == path)
    if all(problem.startswith("must be ") for problem in problems):
        return "must be " + " or ".join(problem.removeprefix("must be ") for problem in problems)
    return " or ".join(problems)


# --- pydantic, and what speaks like it (fastapi's RequestValidationError) -----------------------

_SAID_BETTER: Mapping[str, str] = {
    "missing": "is required",
    "missing_argument": "is required",
    "missing_keyword_only_argument": "is required",
    "missing_positional_only_argument": "is required",
    "extra_forbidden": "is not a known field",
    "unexpected_keyword_argument": "is not a known argument",
    "unexpected_positional_argument": "is not a known argument",
    "value_error.missing": "is required",
    # Its text may quote whatever the assertion compared.
    "assertion_error": "does not meet a condition",
    "none_required": "must be null",
    **dict.fromkeys(
        ("model_type", "model_attributes_type", "dataclass_type", "dict_type"), "must be an object"
    ),
}

_FROM_CONTEXT: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "string_pattern_mismatch": lambda said: f"must match the pattern {said['pattern']}",
    "string_too_short": lambda said: f"must have at least {said['min_length']} characters",
    "string_too_long": lambda said: f"must have at most {said['max_length']} characters",
    "too_short": lambda said: f"must have at least {said['min_length']} items",
    "too_long": lambda said: f"must have at most {said['max_length']} items",
    # Pydantic's own sentence quotes what was sent.
    "union_tag_invalid": lambda said: (
        f"must have {said['discriminator']} set to one of {said['expected_tags']}"
    ),
    "union_tag_not_found": lambda said: f"must have {said['discriminator']}",
}


def _pydantic(exc: Any, given: Given) -> Iterator[Issue]:
    unions: dict[str, dict[str, list[Issue]]] = {}
    for error in islice(_listed(exc), _LOOKED_AT):
        steps, union = _location(error, given.arguments)
        issue = Issue(path_text(steps), _pydantic_problem(error))
        if union is None:
            yield issue
        else:
            place, form = union
            unions.setdefault(path_text(place), {}).setdefault(form, []).append(issue)
    for path, forms in unions.items():
        yield from _likeliest(path, forms.values())


def _listed(exc: Any) -> Iterable[Mapping[str, Any]]:
    try:
        return exc.errors(include_url=False)  # type: ignore[no-any-return]
    except TypeError:
        return exc.errors()  # type: ignore[no-any-return]


_UNKNOWN: Final = object()


def _location(
    error: Mapping[str, Any], arguments: Any
) -> tuple[list[object], tuple[list[object], str] | None]:
    """Where it is; and where it went through a union, the place of that and pydantic's name for the form.

    Pydantic puts its names for function calls and forms between the steps, which no caller can see. What was
    sent tells them from the fields.
    """
    steps: list[object] = []
    union: tuple[list[object], str] | None = None
    value = arguments if isinstance(arguments, Mapping) else _UNKNOWN
    last = len(error["loc"]) - 1
    for at, part in enumerate(error["loc"]):
        missing = at == last and "missing" in str(error.get("type"))
        if isinstance(part, int) or (_is_field(part) and not (steps and _is_absent(part, value, missing))):
            steps.append(part)
            value = _inside(value, part)
        elif steps and union is None and _is_field(part):
            union = ([*steps], part)
    return steps, union


def _is_field(part: object) -> bool:
    return not any(mark in str(part) for mark in "[](){}")


def _is_absent(part: object, value: object, missing: bool) -> bool:
    """Whether the value, as far as it is known, has no such field."""
    if isinstance(value, Mapping):
        return part not in value and not missing
    return value is not _UNKNOWN


def _inside(value: Any, part: object) -> Any:
    if isinstance(value, Mapping):
        value = value.get(part, _UNKNOWN)
    elif isinstance(value, list) and isinstance(part, int) and part < len(value):
        value = value[part]
    else:
        return _UNKNOWN
    # SDKs read JSON that was sent as a text.
    return _UNKNOWN if isinstance(value, str) and value[:1] in ("{", "[") else value


def _pydantic_problem(error: Mapping[str, Any]) -> str:
    kind, said = str(error.get("type", "")), error.get("ctx")
    if better := _SAID_BETTER.get(kind):
        return better
    if said is not None and (say := _FROM_CONTEXT.get(kind)):
        return _phrase(say(said))
    text = str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")
    # What it met while it read on is about the value.
    text = text.partition(", ")[0] if "_parsing" in kind else text
    return _phrase(_without(error.get("input"), text))


def _without(value: object, text: str) -> str:
    """An author's own check may quote what it was given."""
    return text.replace(value, "…") if isinstance(value, str) and len(value) > _SHORT else text


_SHORT: Final = 5
"""Characters of a value that may be part of a sentence by chance."""


# --- jsonschema and its relatives ---------------------------------------------------------------


def _jsonschema(exc: Any, given: Given) -> Iterator[Issue]:
    while exc.parent is not None:
        exc = exc.parent
    for error in _beside(exc, given):
        yield from _of_error(error)


def _beside(exc: Any, given: Given) -> Sequence[Any]:
    """Every problem of the arguments, where it was they that the validator refused: it names but one."""
    if not isinstance(given.schema, Mapping):
        return [exc]
    try:
        library: Any = sys.modules["jsonschema"]
        validator = library.validators.validator_for(given.schema)(given.schema)
        found = list(islice(validator.iter_errors(given.arguments), LIMIT))
    except Exception:  # noqa: BLE001 - somebody else's schema
        return [exc]
    same = any(error.validator == exc.validator and error.path == exc.path for error in found)
    return found if same else [exc]


def _of_error(error: Any) -> Iterator[Issue]:
    place = list(error.absolute_path)
    forms: dict[object, list[Issue]] = {}
    for inner in islice(error.context, _LOOKED_AT):
        forms.setdefault(inner.relative_schema_path[0], []).extend(_of_error(inner))
    if forms:
        yield from _likeliest(path_text(place), forms.values())
    elif list(error.absolute_schema_path)[-2:-1] == ["propertyNames"]:
        yield Issue(path_text(place), "has a field whose name is not allowed")
    else:
        yield from _of_keyword(place, error.validator, error.validator_value, error.instance, error.schema)


def _fastjsonschema(exc: Any, _: Given) -> Iterator[Issue]:
    yield from _of_keyword(exc.path[1:], exc.rule, exc.rule_definition, exc.value, exc.definition)


def _of_keyword(
    place: Sequence[object], keyword: Any, value: Any, instance: Any, schema: Any
) -> Iterator[Issue]:
    """One problem per field, where it is fields that lack or are too many."""
    name = _BY_FIELD.get(keyword)
    named = list(name(value, instance, schema)) if name and isinstance(instance, Mapping) else []
    for field, problem in named:
        yield Issue(path_text([*place, field]), problem)
    if not named:
        yield Issue(path_text(place), _keyword(keyword, value))


def _missing(value: Any, instance: Mapping[Any, Any], _: Any) -> Iterator[tuple[Any, str]]:
    yield from ((field, "is required") for field in value if field not in instance)


def _dependent(value: Any, instance: Mapping[Any, Any], _: Any) -> Iterator[tuple[Any, str]]:
    for field, others in value.items():
        if field in instance and isinstance(others, list):
            yield from ((o, f"is required where {field!r} is given") for o in others if o not in instance)


def _unknown(_: Any, instance: Mapping[Any, Any], schema: Any) -> Iterator[tuple[Any, str]]:
    patterns = schema.get("patternProperties", {})
    for field in instance:
        if field not in schema.get("properties", {}) and not any(re.search(p, field) for p in patterns):
            yield field, "is not a known field"


_BY_FIELD: Mapping[str, Callable[[Any, Mapping[Any, Any], Any], Iterator[tuple[Any, str]]]] = {
    "required": _missing,
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "additionalProperties": _unknown,
}


def _keyword(keyword: Any, value: Any) -> str:
    """A schema keyword in words; the schema's own values are public, the instance is not."""
    say = _KEYWORDS.get(keyword)
    return say(value) if say else "is not allowed" if keyword is None else f"does not satisfy {keyword!r}"


def _options(value: Any) -> str:
    return ", ".join(repr(option) for option in islice(value, 10))


def _types(value: Any) -> str:
    return value if isinstance(value, str) else " or ".join(map(str, value))


_KEYWORDS: Mapping[str, Callable[[Any], str]] = {
    "type": lambda v: f"must be of type {_types(v)}",
    "enum": lambda v: f"must be one of {_options(v)}",
    "const": lambda v: f"must be {v!r}",
    "required": lambda v: f"must have {_options(v)}" if isinstance(v, list) else "is required",
    "minimum": lambda v: f"must be at least {v}",
    "maximum": lambda v: f"must be at most {v}",
    "exclusiveMinimum": lambda v: f"must be greater than {v}",
    "exclusiveMaximum": lambda v: f"must be less than {v}",
    "multipleOf": lambda v: f"must be a multiple of {v}",
    "minLength": lambda v: f"must have at least {v} characters",
    "maxLength": lambda v: f"must have at most {v} characters",
    "pattern": lambda v: f"must match the pattern {v}",
    "format": lambda v: f"must be a valid {v}",
    "minItems": lambda v: f"must have at least {v} items",
    "maxItems": lambda v: f"must have at most {v} items",
    "uniqueItems": lambda _: "must have no duplicate items",
    "additionalProperties": lambda _: "has a field that is not known",
    "unevaluatedProperties": lambda _: "has a field that is not known",
    "not": lambda _: "must not be of a form that is excluded",
    "contains": lambda _: "must have an item of the form that is asked for",
    "items": lambda _: "has more items than are allowed",
    "anyOf": lambda _: "fits none of the allowed forms",
    "oneOf": lambda _: "must fit exactly one of the allowed forms",
    "minProperties": lambda v: f"must have at least {v} fields",
    "maxProperties": lambda v: f"must have at most {v} fields",
}


# --- libraries that report a tree of messages (marshmallow, django, DRF, cerberus) --------------


def _tree(exc: Any, _: Given) -> Iterator[Issue]:
    for attribute in ("message_dict", "messages", "detail", "errors"):
        try:
            tree = getattr(exc, attribute)
        except Exception:  # noqa: BLE001, S112 - django's message_dict raises where there is none
            continue
        if isinstance(tree, Mapping | list | tuple):
            yield from _leaves(tree, ())
            return


def _leaves(tree: object, path: tuple[object, ...]) -> Iterator[Issue]:
    if len(path) > _DEPTH:
        return
    if isinstance(tree, Mapping):
        for key, branch in islice(tree.items(), LIMIT):
            own = () if key in ("_schema", "non_field_errors", "__all__") else (key,)
            yield from _leaves(branch, (*path, *own))
    elif isinstance(tree, list | tuple):
        for branch in islice(tree, LIMIT):
            yield from _leaves(branch, path)
    elif isinstance(tree, str):
        yield Issue(path_text(path), _phrase(str(tree)))


# --- libraries whose message names the place itself ---------------------------------------------


def _msgspec(exc: Any, _: Given) -> Iterator[Issue]:
    problem, _at, place = str(exc).partition(" - at `")
    yield Issue(place.rstrip("`").removeprefix("$").removeprefix("."), _phrase(problem.replace("`", "")))


def _voluptuous(exc: Any, _: Given) -> Iterator[Issue]:
    for error in islice(getattr(exc, "errors", None) or [exc], LIMIT):
        yield Issue(path_text(error.path), _phrase(error.error_message))


# --- which library it is ------------------------------------------------------------------------

Reader: TypeAlias = Callable[[Any, Given], Iterator[Issue]]

_READERS: Mapping[str, Reader] = {
    "pydantic": _pydantic,
    "pydantic_core": _pydantic,
    "fastapi": _pydantic,
    "jsonschema": _jsonschema,
    "fastjsonschema": _fastjsonschema,
    **dict.fromkeys(("marshmallow", "django", "rest_framework", "cerberus", "wtforms"), _tree),
    "msgspec": _msgspec,
    "voluptuous": _voluptuous,
}
"""By the package a class, or one it descends from, is of."""


@lru_cache(maxsize=2048)
def _reader(cls: type) -> Reader:
    packages = (base.__module__.partition(".")[0] for base in cls.__mro__)
    return next((_READERS[package] for package in packages if package in _READERS), lambda *_: iter(()))


def _phrase(text: str) -> str:
    """A clause that fits after a field's name."""
    clause = " ".join(text.split())[:_PHRASE].rstrip(".")
    return clause[:1].lower() + clause[1:] if clause[1:2].islower() else clause
