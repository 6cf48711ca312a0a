"""Validation error in, issues out: where, and what was expected; never the rejected value."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache, reduce
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias, get_args
from uuid import UUID

from mcp_error_middleware.locales import say, sentences
from mcp_error_middleware.model import Condition, Issue

LIMIT = 200
"""How many problems are looked at."""

_PHRASE = 200
_TEXT = 10_000
_DEPTH = 6


class Given(NamedTuple):
    """What a call was sent with, and the schema it should fit; None where nobody knows."""

    arguments: Any = None
    schema: Any = None


_NOTHING: Final = Given()

Sentence: TypeAlias = tuple[str, object]
"""What a check says, and what of what was sent may stand in it."""


def issues_of(exc: BaseException, given: Given = _NOTHING) -> tuple[Issue, ...]:
    """The problems a validation error lists, or none. Never raises."""
    try:
        return tuple(dict.fromkeys(islice(_library(type(exc)).issues(exc, given), LIMIT)))  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001 - somebody else's object
        return ()


def holes_of(exc: BaseException, given: Given = _NOTHING) -> dict[str, str]:
    """The sentences of a validation error that quote what was refused, each with the one to have instead."""
    args = exc.args
    library = _ATTRS if len(args) > 1 and _is_of_attrs(args[1]) else _library(type(exc))  # type: ignore[arg-type]
    holes: dict[str, str] = {}
    if library is _NONE:
        return holes
    for said, refused in islice(library.sentences(exc, given), LIMIT):
        if (clean := _without(refused, said)) != said:
            # Some write their sentences out as Python does.
            holes |= {said: clean, repr(said)[1:-1]: repr(clean)[1:-1]}
    return holes


def summary(issues: Sequence[Issue], locale: str = "en") -> str:
    """All of it in one sentence."""
    clauses = [issue.clause for issue in issues[:5]]
    if len(issues) > 5:
        # Nobody has counted further than to the limit.
        more = f"{len(issues) - 5}{'+' if len(issues) >= LIMIT else ''}"
        clauses.append(say(locale, "and_more", count=more))
    said = sentences(locale)["validation_failed"] + "; ".join(clauses)
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


def _likeliest(place: str, forms: Iterable[Sequence[Issue]], value: object = None) -> Sequence[Issue]:
    """Of the forms a value may have, what keeps it from the one that it is nearest to.

    A form is nearer where the value is of its kind at all, then where it says itself that it is of that form,
    where it has the fields that the form asks for, and where less is wrong. Of several equally near, what all
    of them object to.
    """
    ranked = [(_distance(place, form, value), form) for form in forms]
    of_kind = [form for (other_kind, *_), form in ranked if not other_kind]
    if tag := _tag_of_none(of_kind):
        return [Issue(tag, _either(tag, of_kind))]
    nearest = min(rank for rank, _ in ranked)
    near = [form for rank, form in ranked if rank == nearest]
    if len(near) == 1:
        return near[0]
    shared = [issue.path for issue in near[0] if all(any(i.path == issue.path for i in f) for f in near)]
    if not shared and all(len(form) == 1 for form in near):
        return [Issue("", " or ".join(dict.fromkeys(form[0].clause for form in near)))]
    return [Issue(path, _either(path, near)) for path in dict.fromkeys(shared)] or near[0]


def _distance(place: str, form: Sequence[Issue], value: object) -> tuple[bool, int, int, int]:
    given = {_spelling(name) for name in islice(value, LIMIT)} if isinstance(value, Mapping) else ()
    required = (issue.path.rpartition(".") for issue in form if issue.problem == "is required")
    # What lacks further inside tells no form from another that has no such inside.
    lacking = [field for inside, _, field in required if inside == place]
    return (
        any(issue.path == place for issue in form),
        sum(map(_is_tag, form)),
        sum(_spelling(field) not in given for field in lacking),
        len(form),
    )


def _tag_of_none(forms: Sequence[Sequence[Issue]]) -> str | None:
    """The field by which each of several forms says that the value is of another one."""
    tags = [{issue.path for issue in form if _is_tag(issue)} for form in forms]
    return min(set.intersection(*tags), default=None) if len(tags) > 1 else None


def _is_tag(issue: Issue) -> bool:
    """Whether the field may have one value alone, and has another."""
    return _ONE_VALUE.fullmatch(issue.problem) is not None


_ONE_VALUE: Final = re.compile(r"must be '[^']*'")


def _spelling(name: object) -> str:
    """The same for `firstName` and `first_name`."""
    return re.sub(r"[\W_]", "", str(name)[:_PHRASE]).lower()


def _either(path: str, forms: Iterable[Sequence[Issue]]) -> str:
    problems = dict.fromkeys(issue.problem for form in forms for issue in form if issue.path == path)
    if not all(problem.startswith("must be ") for problem in problems):
        return " or ".join(problems)
    *others, last = (problem.removeprefix("must be ") for problem in problems)
    return f"must be {', '.join(others)} or {last}" if others else f"must be {last}"


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
    "decimal_type": "must be a valid decimal",
    **dict.fromkeys(("int_from_float", "int_parsing_size"), "must be a valid integer"),
    "bytes_type": "must be a valid string",
    "json_type": "must be a string of JSON",
    "uuid_type": "must be a valid UUID",
    "path_type": "must be a valid path",
    "date_from_datetime_inexact": "must be a date without a time",
    **dict.fromkeys(("date_past", "datetime_past"), "must be in the past"),
    **dict.fromkeys(("date_future", "datetime_future"), "must be in the future"),
    **dict.fromkeys(("url_type", "url_parsing"), "must be a valid URL, such as https://example.com/"),
    "timezone_aware": "must have a time zone, such as 2026-01-31T12:00:00Z",
    "timezone_naive": "must have no time zone",
    **dict.fromkeys(
        ("tuple_type", "named_tuple_type", "set_type", "frozen_set_type", "deque_type", "iterable_type"),
        "must be a valid list",
    ),
    "sequence_str": "must be a valid list",
    "base64_decode": "must be a valid base64 string",
    **dict.fromkeys(
        ("datetime_parsing", "datetime_from_date_parsing", "datetime_type", "datetime_object_invalid"),
        "must be a valid date and time, such as 2026-01-31T12:00:00Z",
    ),
    **dict.fromkeys(
        ("date_parsing", "date_from_datetime_parsing", "date_type"),
        "must be a valid date, such as 2026-01-31",
    ),
    **dict.fromkeys(("time_parsing", "time_type"), "must be a valid time, such as 12:30:00"),
    **dict.fromkeys(("time_delta_parsing", "time_delta_type"), "must be a valid duration, such as PT1H30M"),
    **dict.fromkeys(
        ("model_type", "model_attributes_type", "dataclass_type", "dict_type"), "must be an object"
    ),
}

_FROM_CONTEXT: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "is_instance_of": lambda said: (
        "must be a valid list" if said["class"] == "Sequence" else f"must be an instance of {said['class']}"
    ),
    "uuid_version": lambda said: f"must be a valid UUID of version {said['expected_version']}",
    "string_pattern_mismatch": lambda said: f"must match the pattern {said['pattern']}",
    "string_too_short": lambda said: f"must have at least {_many(said['min_length'], 'character')}",
    "string_too_long": lambda said: f"must have at most {_many(said['max_length'], 'character')}",
    "greater_than_equal": lambda said: f"must be at least {_plain(said['ge'])}",
    "less_than_equal": lambda said: f"must be at most {_plain(said['le'])}",
    "too_short": lambda said: f"must have at least {_many(said['min_length'], 'item')}",
    "too_long": lambda said: f"must have at most {_many(said['max_length'], 'item')}",
    **dict.fromkeys(("literal_error", "enum"), lambda said: f"must be {_in_json(said['expected'])}"),
    # Pydantic's own sentence quotes what was sent.
    "union_tag_invalid": lambda said: f"must be {'' if _tag(said) else 'of '}one of {said['expected_tags']}",
    "union_tag_not_found": lambda said: "is required" if _tag(said) else "fits none of the allowed forms",
}


def _pydantic(exc: Any, given: Given) -> Iterator[Issue]:
    unions: dict[tuple[object, ...], dict[str, list[Issue]]] = {}
    for error in islice(_listed(exc), LIMIT):
        steps, union = _location(error, given.arguments)
        if not error["loc"]:
            steps = _argument(error.get("input"), given.arguments)
        if str(error.get("type")).startswith("union_tag_"):
            steps += _tag(error["ctx"])
        problem = _pydantic_problem(error)
        if error["loc"][-1:] == ("[key]",):
            problem = f"has a wrong name: it {problem}"
        issue = (Condition if _is_authors(error) else Issue)(path_text(steps), problem)
        if union is None:
            yield issue
        else:
            place, form = union
            unions.setdefault(tuple(place), {}).setdefault(form, []).append(issue)
    for way, forms in unions.items():
        yield from _likeliest(path_text(way), forms.values(), reduce(_inside, way, given.arguments))


def _argument(value: object, arguments: Any) -> list[object]:
    """The name of the argument that a value is, where it was looked at on its own."""
    sent = islice(arguments.items(), LIMIT) if isinstance(arguments, Mapping) else ()
    names: list[object] = [name for name, given in sent if type(given) is type(value) and given == value]
    return names if len(names) == 1 else []


def _tag(said: Mapping[str, Any]) -> list[str]:
    """The field that tells the forms of a union apart; none where a function does."""
    return re.findall(r"\A'([^']+)'\Z", str(said["discriminator"]))


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
        elif steps and union is None and part != "[key]":
            union = ([*steps], str(part))
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
    return _read(value) if isinstance(value, str) and value[:1] in ("{", "[") else value


def _read(text: str) -> Any:
    try:
        return json.loads(text) if len(text) <= _TEXT else _UNKNOWN
    except (ValueError, RecursionError):
        return text


def _pydantic_problem(error: Mapping[str, Any]) -> str:
    kind, said = str(error.get("type", "")), error.get("ctx")
    if kind in ("too_short", "too_long") and isinstance(error.get("input"), str | bytes):
        # Of what hides a text, such as `SecretStr`, pydantic counts items.
        kind = f"string_{kind}"
    if better := _SAID_BETTER.get(kind):
        return better
    if said is not None and (say := _FROM_CONTEXT.get(kind)):
        return _phrase(say(said))
    text = str(error["msg"]).removeprefix("Value error, ")
    text = _SHOULD.sub("must ", text)
    text = re.sub(r"\A(?:Input|value) is not a valid", "must be a valid", text)
    # What it met while it read on is about the value.
    text = text.partition(", ")[0] if "_parsing" in kind else text
    return _phrase(_without(_quoted_by(error), text))


def _quoted_by(error: Mapping[str, Any]) -> object:
    """What may stand in its sentence of what was sent; in pydantic's own that is the tag of a union alone."""
    said = error.get("ctx") or {}
    is_own = str(error.get("type")) in _pydantics_own() and "error" not in said
    return said.get("tag") if is_own else error.get("input")


def _pydantics_sentences(exc: Any, _: Given) -> Iterator[Sentence]:
    for error in _listed(exc):
        yield str(error["msg"]), _quoted_by(error)


def _in_json(options: str) -> str:
    """Options as Python writes them, with those that JSON has another word for in that."""
    return _PYTHONS.sub(lambda found: _WORDS_OF_JSON[found[0]], options)


_WORDS_OF_JSON: Final = {"None": "null", "True": "true", "False": "false"}
_PYTHONS: Final = re.compile(r"(?:(?<=, )|(?<= or )|\A)(?:None|True|False)(?=, | or |\Z)")


def _is_authors(error: Mapping[str, Any]) -> bool:
    """Whether it was a check that the schema says nothing of."""
    kind = str(error.get("type", ""))
    if kind in _pydantics_own():
        raised = kind in ("value_error", "assertion_error") and "error" in (error.get("ctx") or ())
        return raised or kind.endswith(("_past", "_future"))
    return bool(_pydantics_own())


_SHOULD: Final = re.compile(r"\A(?:Input|String|Data|URL|Decimal input) should ")
"""How pydantic's sentences begin: with what the field's name stands for."""


@lru_cache(maxsize=1)
def _pydantics_own() -> frozenset[str]:
    """The kinds whose sentences are pydantic's, with nothing in them but what the schema says."""
    return frozenset(get_args(getattr(sys.modules.get("pydantic_core.core_schema"), "ErrorType", None)))


# --- jsonschema and its relatives ---------------------------------------------------------------


def _jsonschema(exc: Any, given: Given) -> Iterator[Issue]:
    if not isinstance(exc.validator, str):
        return  # an author's own, of no keyword
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
    for inner in islice(error.context, LIMIT):
        forms.setdefault(inner.relative_schema_path[0], []).extend(_of_error(inner))
    if forms:
        yield from _likeliest(path_text(place), forms.values(), error.instance)
    elif list(error.absolute_schema_path)[-2:-1] == ["propertyNames"]:
        yield Issue(path_text(place), "has a field whose name is not allowed")
    else:
        yield from _of_keyword(place, error.validator, error.validator_value, error.instance, error.schema)


def _jsonschemas_sentences(exc: Any, _: Given) -> Iterator[Sentence]:
    yield exc.message, exc.instance


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
    options = list(islice(value, _FEW))
    more = f" and {len(value) - _FEW} more" if len(value) > _FEW else ""
    return ", ".join(map(_option, options)) + more


def _named(form: Any, sentence: str) -> str | None:
    """The sentence with the values that a form consists of, if it does."""
    if not isinstance(form, Mapping) or form.keys() not in ({"enum"}, {"const"}):
        return None
    options = form.get("enum") or [form.get("const")]
    return sentence.format(" or ".join(map(_option, options))) if len(options) <= _FEW else None


_FEW: Final = 10
"""Options that are said."""


def _only_one(forms: Sequence[Any]) -> str | None:
    """Which fields tell forms apart that differ in what they ask for."""
    asked: list[list[Any]] = [names for form in forms if (names := _asked(form))]
    named = dict.fromkeys(name for names in asked for name in names)
    apart = [name for name in named if not all(name in names for names in asked)]
    return f"must have only one of {_options(apart)}" if len(apart) == len(forms) == len(asked) else None


def _asked(form: Any) -> list[Any] | None:
    names = form.get("required") if isinstance(form, Mapping) else None
    return names if isinstance(names, list) else None


def _option(value: Any) -> str:
    return _WORDS_OF_JSON.get(repr(value), repr(value))


def _many(count: Any, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _plain(bound: Any) -> Any:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def _types(value: Any) -> str:
    return value if isinstance(value, str) else " or ".join(map(str, value))


_KEYWORDS: Mapping[str, Callable[[Any], str]] = {
    "type": lambda v: f"must be of type {_types(v)}",
    "enum": lambda v: f"must be one of {_options(v)}",
    "const": lambda v: f"must be {_option(v)}",
    "required": lambda v: f"must have {_options(v)}" if isinstance(v, list) else "is required",
    "minimum": lambda v: f"must be at least {v}",
    "maximum": lambda v: f"must be at most {v}",
    "exclusiveMinimum": lambda v: f"must be greater than {v}",
    "exclusiveMaximum": lambda v: f"must be less than {v}",
    "multipleOf": lambda v: f"must be a multiple of {v}",
    "minLength": lambda v: f"must have at least {_many(v, 'character')}",
    "maxLength": lambda v: f"must have at most {_many(v, 'character')}",
    "pattern": lambda v: f"must match the pattern {v}",
    "format": lambda v: f"must be a valid {v}",
    "minItems": lambda v: f"must have at least {_many(v, 'item')}",
    "maxItems": lambda v: f"must have at most {_many(v, 'item')}",
    "uniqueItems": lambda _: "must have no duplicate items",
    "additionalProperties": lambda _: "has a field that is not known",
    "unevaluatedProperties": lambda _: "has a field that is not known",
    "not": lambda v: _named(v, "must not be {}") or "must not be of a form that is excluded",
    "contains": lambda v: (
        _named(v, "must have an item that is {}") or "must have an item of the form that is asked for"
    ),
    "items": lambda _: "has more items than are allowed",
    "anyOf": lambda _: "fits none of the allowed forms",
    "oneOf": lambda v: _only_one(v) or "fits more than one of the forms of which it must fit exactly one",
    "minProperties": lambda v: f"must have at least {_many(v, 'field')}",
    "maxProperties": lambda v: f"must have at most {_many(v, 'field')}",
}


# --- libraries that report a tree of messages (marshmallow, django, DRF, cerberus) --------------


def _tree(exc: Any, given: Given) -> Iterator[Issue]:
    for path, (said, refused) in _found_in_tree(exc, given):
        yield Issue(path_text(path), _phrase(_without(refused, said)))


def _trees_sentences(exc: Any, given: Given) -> Iterator[Sentence]:
    yield from (sentence for _, sentence in _found_in_tree(exc, given))


def _found_in_tree(exc: Any, given: Given) -> Iterator[tuple[tuple[object, ...], Sentence]]:
    sent = getattr(exc, "data", None) or given.arguments
    for attribute in ("message_dict", "messages", "detail", "errors"):
        try:
            tree = getattr(exc, attribute)
        except Exception:  # noqa: BLE001, S112 - django's message_dict raises where there is none
            continue
        if isinstance(tree, Mapping | list | tuple):
            yield from ((path, (said, _refused(sent, path))) for path, said in _leaves(tree))
            return


def _leaves(tree: object, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], str]]:
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
        yield path, str(tree)


# --- libraries whose message names the place itself ---------------------------------------------


def _msgspec(exc: Any, given: Given) -> Iterator[Issue]:
    problem, place = _taken_apart(exc)
    for said, refused in _msgspecs_sentences(exc, given):
        # Its own sentence ends with what was sent.
        text = problem[: own.start(1)] if (own := _MSGSPECS_OWN.match(problem)) else _without(refused, said)
        yield Issue(place, _phrase(text.replace("`", "")))


def _msgspecs_sentences(exc: Any, given: Given) -> Iterator[Sentence]:
    problem, place = _taken_apart(exc)
    steps = [int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+", place)]
    own = _MSGSPECS_OWN.match(problem)
    yield problem, own[1].strip("'") if own else _refused(given.arguments, steps)


def _taken_apart(exc: Any) -> tuple[str, str]:
    problem, _at, place = str(exc).partition(" - at `")
    return problem, place.rstrip("`").removeprefix("$").removeprefix(".")


_MSGSPECS_OWN: Final = re.compile(r"Invalid (?:enum )?value\b ?(.*)", re.DOTALL)


def _voluptuous(exc: Any, given: Given) -> Iterator[Issue]:
    for error in _each(exc):
        refused = _refused(given.arguments, error.path)
        yield Issue(path_text(error.path), _phrase(_without(refused, error.error_message)))


def _voluptuous_sentences(exc: Any, given: Given) -> Iterator[Sentence]:
    yield from ((error.error_message, _refused(given.arguments, error.path)) for error in _each(exc))


def _each(exc: Any) -> Iterable[Any]:
    return islice(getattr(exc, "errors", None) or [exc], LIMIT)


# --- attrs, whose validators raise Python's own errors -------------------------------------------


def _is_of_attrs(arg: object) -> bool:
    cls = type(arg)
    return cls.__name__ == "Attribute" and cls.__module__ == "attr._make"


def _attrs_sentences(exc: Any, _: Given) -> Iterator[Sentence]:
    said, _attribute, _rule, *refused = exc.args
    yield said, refused


# --- without what was refused -------------------------------------------------------------------


def _without(value: object, text: str) -> str:
    """A check may quote what it was given: the sentence with a hole in the place of each scalar of it."""
    for said in sorted(_spellings(value), key=len, reverse=True):
        if said in text:
            text = _with_holes(text, said)
    return text


def _refused(sent: Any, path: Iterable[object]) -> Any:
    """What was sent at this place; all of it where there is none, as of a document made from it."""
    value = sent
    for part in path:
        value = _inside(value, part)
    return sent if value is _UNKNOWN else value


def _spellings(value: object) -> set[str]:
    return {said for scalar in islice(_scalars(value), LIMIT) for said in _spelt(scalar) if said}


def _scalars(value: object, depth: int = 0) -> Iterator[object]:
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple | set | frozenset):
        yield value
        return
    if depth < _DEPTH:
        for item in islice(value, LIMIT):
            yield from _scalars(item, depth + 1)


def _spelt(scalar: object) -> Iterator[str]:
    """How a scalar may stand in a sentence. Yes, no and nothing say nothing about anybody."""
    if isinstance(scalar, str):
        yield from (scalar, repr(scalar)[1:-1])
    elif type(scalar) in (date, datetime, UUID):
        yield f"{scalar}"
    elif type(scalar) in (int, float, Decimal):
        with suppress(ValueError, ArithmeticError):  # too long to be written, or not a number
            yield from (f"{scalar}", f"{scalar:,}", f"{scalar}".removesuffix(".0"))


def _with_holes(text: str, said: str) -> str:
    """Cut where the sentence speaks of the value, not where it is made of the same word or number."""
    if len(said) <= _LONGEST_NUMBER and _NUMBER.fullmatch(said):
        return re.sub(rf"(?<![\w.-])(?<!\d,){re.escape(said)}(?![\w-]|[.,]\d)", _number_cut, text)
    if said.lower() in _PLAIN or not any(map(str.isalnum, said)):
        return re.sub(rf"(?<=[{_QUOTES}]){re.escape(said)}(?=[{_QUOTES}])", "…", text)
    if len(said) <= _SHORT:
        return re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", "…", text)
    return text.replace(said, "…")


def _number_cut(found: re.Match[str]) -> str:
    start, end = found.span()
    before = _BOUND.search(found.string, max(0, start - _NEAR), start)
    return found[0] if before or _ONWARDS.match(found.string, end) else "…"


_SHORT: Final = 5
"""Characters of a value that may be part of a word by chance."""
_QUOTES: Final = "'\"`‘’“”«»"
_LONGEST_NUMBER: Final = 40
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
_NEAR: Final = 60
_BOUND: Final = re.compile(
    r"(?:[<>≤≥]=?|\b(?:than|least|most|exactly|above|below|over|under|after|before|until|from|to|between"
    r"|between \S{1,30} and|(?:not|cannot|can't|never) be|exceed|exceeds|have|contain|needs?|requires?"
    r"|(?:multiple|one|length) of|(?:max|maximum|min|minimum|limit)(?: of)?))\s*\Z",
    re.IGNORECASE,
)
"""What stands before a number of the rule's: a bound may be the very number that was refused."""
_ONWARDS: Final = re.compile(r"\s*(?:(?:to|-|–|\.\.) ?\d|or (?:more|fewer|less|greater|higher|lower)\b)")
"""What stands after one."""
_PLAIN: Final = frozenset(
    """
    a an the this that these those it its is are was were be been has have had do does did must should may
    can cannot could will would not no nor none null or and but if then than as at by for from in into of off
    on only out over per to too under until up with without within where when which who whose any all both
    each either every one two three first last least most more less fewer same other new old long short large
    small great greater big high low next end start before after above below between equal exact exactly
    value values field fields key keys name names item items list lists array object map set type kind number
    integer int float decimal string str text dict bytes character characters digit digits letter letters
    word words date dates time times datetime timezone year month day days hour hours minute second seconds
    email url uri uuid path file folder json bool boolean true false yes format pattern length size range
    limit minimum maximum min max valid invalid allowed known unknown required missing empty blank given
    expected found got input default id code
    """.split()
)
"""What sentences about values are made of: where such a word was sent, only quotes tell that it is meant."""


# --- which library it is ------------------------------------------------------------------------


class _Library(NamedTuple):
    """How the errors of a library are read."""

    issues: Callable[[Any, Given], Iterator[Issue]] = lambda *_: iter(())
    sentences: Callable[[Any, Given], Iterator[Sentence]] = lambda *_: iter(())


_NONE: Final = _Library()
_PYDANTIC: Final = _Library(_pydantic, _pydantics_sentences)
_ATTRS: Final = _Library(sentences=_attrs_sentences)
_TREE: Final = _Library(_tree, _trees_sentences)

_LIBRARIES: Mapping[str, _Library] = {
    **dict.fromkeys(("pydantic", "pydantic_core", "fastapi"), _PYDANTIC),
    "jsonschema": _Library(_jsonschema, _jsonschemas_sentences),
    "fastjsonschema": _Library(_fastjsonschema),
    **dict.fromkeys(("marshmallow", "django", "rest_framework", "cerberus", "wtforms"), _TREE),
    "msgspec": _Library(_msgspec, _msgspecs_sentences),
    "voluptuous": _Library(_voluptuous, _voluptuous_sentences),
}
"""By the package a class, or one it descends from, is of."""


@lru_cache(maxsize=2048)
def _library(cls: type) -> _Library:
    packages = (base.__module__.partition(".")[0] for base in cls.__mro__)
    return next((_LIBRARIES[package] for package in packages if package in _LIBRARIES), _NONE)


def _phrase(text: str) -> str:
    """A clause that fits after a field's name."""
    clause = " ".join(text.split()).rstrip(".")
    clause = clause if len(clause) <= _PHRASE else clause[: _PHRASE - 1] + "…"
    return clause[:1].lower() + clause[1:] if clause[1:2].islower() else clause
