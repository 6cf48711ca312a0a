"""Validation error in, issues out: where, and what was expected; never the rejected value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from mcp_error_middleware.model import Issue

LIMIT = 20
"""More problems than this in one answer help nobody."""

_PHRASE = 200
_DEPTH = 6


def issues_of(exc: BaseException) -> tuple[Issue, ...]:
    """The problems a validation error lists, or none. Never raises."""
    try:
        return tuple(islice(_reader(type(exc))(exc), LIMIT))  # type: ignore[arg-type]
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
}


def _pydantic(exc: Any) -> Iterator[Issue]:
    for error in _listed(exc):
        yield Issue(path_text(_location(error)), _pydantic_problem(error))


def _listed(exc: Any) -> Iterable[Mapping[str, Any]]:
    try:
        return exc.errors(include_input=False, include_url=False)  # type: ignore[no-any-return]
    except TypeError:
        return exc.errors()  # type: ignore[no-any-return]


def _location(error: Mapping[str, Any]) -> Sequence[object]:
    """Without pydantic's names for function calls and union branches, which no caller can see."""
    return [part for part in error["loc"] if isinstance(part, int) or _is_field(str(part))]


def _is_field(part: str) -> bool:
    return not any(mark in part for mark in "[](){}")


def _pydantic_problem(error: Mapping[str, Any]) -> str:
    kind = str(error.get("type", ""))
    if better := _SAID_BETTER.get(kind):
        return better
    if kind == "assertion_error":
        # Its text may quote whatever the assertion compared.
        return "does not meet a condition"
    return _phrase(str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "must be"))


# --- jsonschema and its relatives ---------------------------------------------------------------


def _jsonschema(exc: Any) -> Iterator[Issue]:
    for error in [exc, *islice(_best(exc), 5)]:
        yield Issue(path_text(error.absolute_path), _jsonschema_problem(error))


def _jsonschema_problem(error: Any) -> str:
    value = error.validator_value
    if error.validator == "required" and isinstance(error.instance, Mapping):
        value = [name for name in value if name not in error.instance]
    return _keyword(error.validator, value)


def _best(exc: Any) -> Iterable[Any]:
    """What an anyOf / oneOf was about, one level down."""
    return exc.context or ()


def _fastjsonschema(exc: Any) -> Iterator[Issue]:
    yield Issue(path_text(exc.path[1:]), _keyword(exc.rule, exc.rule_definition))


def _keyword(keyword: str, value: Any) -> str:
    """A schema keyword in words; the schema's own values are public, the instance is not."""
    say = _KEYWORDS.get(keyword)
    return say(value) if say else f"does not satisfy {keyword!r}"


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
    "anyOf": lambda _: "fits none of the allowed forms",
    "oneOf": lambda _: "must fit exactly one of the allowed forms",
    "minProperties": lambda v: f"must have at least {v} fields",
    "maxProperties": lambda v: f"must have at most {v} fields",
}


# --- libraries that report a tree of messages (marshmallow, django, DRF, cerberus) --------------


def _tree(exc: Any) -> Iterator[Issue]:
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


def _msgspec(exc: Any) -> Iterator[Issue]:
    problem, _, place = str(exc).partition(" - at `")
    yield Issue(place.rstrip("`").removeprefix("$").removeprefix("."), _phrase(problem.replace("`", "")))


def _voluptuous(exc: Any) -> Iterator[Issue]:
    for error in islice(getattr(exc, "errors", None) or [exc], LIMIT):
        yield Issue(path_text(error.path), _phrase(error.error_message))


# --- which library it is ------------------------------------------------------------------------

_READERS: Mapping[str, Callable[[Any], Iterator[Issue]]] = {
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
def _reader(cls: type) -> Callable[[Any], Iterator[Issue]]:
    packages = (base.__module__.partition(".")[0] for base in cls.__mro__)
    return next((_READERS[package] for package in packages if package in _READERS), lambda _: iter(()))


def _phrase(text: str) -> str:
    """A clause that fits after a field's name."""
    clause = " ".join(text.split())[:_PHRASE].rstrip(".")
    return clause[:1].lower() + clause[1:] if clause[1:2].islower() else clause
