"""Issues and a tool's schema in, the same issues with what was probably meant out; never a rejected value."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from mcp_error_middleware.advice.nearest import abbreviates, meant, nearest, option, stands_for, words
from mcp_error_middleware.advice.outline import Outline, outline_of, steps
from mcp_error_middleware.model import Issue

_NOT_KNOWN: Final = ("is not a known field", "is not a known argument")
_REQUIRED: Final = "is required"
_SAID: Final = 20
"""As many as an answer lists."""
_LISTED: Final = 140
"""Characters of the names that are listed."""
_NAME: Final = 80
"""Characters of a name in a path."""


def sharpened(issues: Sequence[Issue], schema: object, arguments: object) -> tuple[Issue, ...]:
    """Each issue that will be said, with the nearest field or option where one is near.

    Where fields lack, those that nobody knows are said too: they are probably what was meant.
    """
    said, outline = issues[:_SAID], outline_of(schema)
    # What is unknown may be said by one that lacks; then nothing more has to be found out about it.
    known = [_lacking(i, said, outline, arguments) if i.problem == _REQUIRED else i for i in said]
    once = [
        issue if old.problem == _REQUIRED else _sharpened(old, outline, arguments)
        for issue, old in zip(known, said, strict=True)
        if not _is_said_of_another(old, known)
    ]
    if places := dict.fromkeys([i.path.rpartition(".")[0] for i in known if i.problem == _REQUIRED]):
        others = (_unknown(i, outline, arguments) for i in _unsaid(places, known, outline, arguments))
        once += islice(others, max(_SAID - len(once), 0))
    if any(issue.problem in _NOT_KNOWN for issue in once):
        once = [*_beside_the_known(once, outline, arguments)]
    return (*once, *issues[_SAID:])


def _beside_the_known(issues: Sequence[Issue], outline: Outline, arguments: object) -> Iterator[Issue]:
    """The same; the first unknown field of each place with those that could be meant there instead."""
    paths, places = {issue.path for issue in issues}, set()
    for issue in issues:
        place = issue.path.rpartition(".")[0]
        if issue.problem not in _NOT_KNOWN or place in places:
            yield issue
            continue
        places.add(place)
        # What lacks is said to.
        free = [n for n in _free(outline, place, arguments) if (f"{place}.{n}" if place else n) not in paths]
        names = [repr(name) for name in free[:_SAID]]
        while len(", ".join(names)) > _LISTED:
            names.pop()
        yield Issue(issue.path, f"{issue.problem} (known: {', '.join(names)})") if names else issue


def _free(outline: Outline, place: str, arguments: object) -> list[str]:
    """The fields of a place that were not given."""
    given = _value(arguments, place)
    return [name for name in outline.at(place).fields if not (isinstance(given, dict) and name in given)]


def _unsaid(
    places: Iterable[str], issues: Sequence[Issue], outline: Outline, arguments: object
) -> Iterator[Issue]:
    """The unknown fields beside those that lack and have no other spelling, where no issue speaks of them."""
    for place in places:
        here = outline.at(place)
        if here.part.get("additionalProperties"):
            continue
        for field in _unknown_among(_value(arguments, place), here.fields):
            path = f"{place}.{field}" if place else field
            unknown = Issue(path, _NOT_KNOWN[0 if place else 1])
            if not any(i.path == path for i in issues) and not _is_said_of_another(unknown, issues):
                yield unknown


def _is_said_of_another(issue: Issue, others: Sequence[Issue]) -> bool:
    """Whether the field is unknown because another one is missing, which says so."""
    if issue.problem not in _NOT_KNOWN:
        return False
    place, _, field = issue.path.rpartition(".")
    said = _misspelt(field)
    return any(other.problem.startswith(said) and other.path.rpartition(".")[0] == place for other in others)


def _lacking(issue: Issue, issues: Sequence[Issue], outline: Outline, arguments: object) -> Issue:
    """A field that was not given, with what was sent for it."""
    place, _, field = issue.path.rpartition(".")
    if not (sent := _unknown_among(given := _value(arguments, place), outline.at(place).fields)):
        return issue
    # What belongs inside it is no other spelling of it.
    inside = outline.at(issue.path)
    sent = [name for name in sent if name not in inside.fields and not _wraps(given, name, outline, place)]
    if not sent:
        return issue
    lacking = [other.path.rpartition(".")[2] for other in issues if _is_beside(other, place)]
    if spelt := _other_spelling(field, sent, lacking):
        return Issue(issue.path, _asked(_misspelt(spelt), field))
    lone = len(sent) == len(lacking) == 1 and not _is_less(_inner(given, sent[0]), inside.part)
    return Issue(issue.path, _misspelt(sent[0])) if lone else issue


def _unknown(issue: Issue, outline: Outline, arguments: object) -> Issue:
    """A field that nobody knows, with what to do about it."""
    place, _, field = issue.path.rpartition(".")
    given = _value(arguments, place)
    if _wraps(given, field, outline, place):
        return Issue(issue.path, f"{issue.problem}, so move the fields inside it one level up")
    if inside := _inside(outline, place, field, given):
        return _meaning(issue, inside)
    free = _free(outline, place, arguments)
    near = meant(field, free) or [name for name in free if stands_for(field, name)]
    return _meaning(issue, near if len(near) == 1 else ())


def _sharpened(issue: Issue, outline: Outline, arguments: object) -> Issue:
    if issue.problem in _NOT_KNOWN:
        return _unknown(issue, outline, arguments)
    value = _value(arguments, issue.path)
    if not isinstance(value, str):
        return issue
    if value.lstrip()[:1] in _BRACKETS and _STRUCTURE.fullmatch(issue.problem):
        return Issue(issue.path, f"{issue.problem}, not a text with JSON in it")
    options = outline.at(issue.path).options
    return _meaning(issue, option(value, options)) if options else issue


def _is_less(value: object, part: Mapping[str, Any]) -> bool:
    """Whether it is a scalar where there should be an object or a list: rather something that goes inside."""
    return part.get("type") in ("array", "object") and not isinstance(value, dict | list)


_STRUCTURE: Final = re.compile(r"must be (?:an object|a valid list|of type (?:array|object))")
_BRACKETS: Final = ("{", "[")


def _inner(given: object, field: str) -> object:
    return given.get(field) if isinstance(given, dict) else None


def _wraps(given: object, field: str, outline: Outline, place: str) -> bool:
    """Whether an unknown field is there only to hold what belongs beside it: `{"arguments": {"city": ...}}`.

    No other spelling of a field that has the same inside.
    """
    if not isinstance(given, dict) or not isinstance(inside := given.get(field), dict):
        return False
    beside = outline.at(place).fields
    near = (outline.at(f"{place}.{name}" if place else name) for name in option(field, beside))
    return _holds(inside, [name for name in beside if name not in given]) and not any(
        _holds(inside, part.fields) for part in near
    )


def _holds(value: Mapping[Any, Any], names: Collection[str]) -> bool:
    return any(name in value for name in names)


def _inside(outline: Outline, place: str, field: str, given: object = None) -> list[str]:
    """The fields of this name in what is beside it: `customer.email` of an `email` sent on its own.

    Those that were given are not meant once more.
    """
    found = outline.at(place).inside.get(words(field), ())
    return [path for path in found if _value(given, path) is None]


def where(outline: Outline, issue: Issue) -> list[str]:
    """The steps to what was wrong and, of a field that is not known there, those to where it belongs."""
    place, _, field = issue.path.rpartition(".")
    belongs = [] if field in outline.at(place).fields else _inside(outline, place, field)[:1]
    # Of several forms it may be one's, and not that of the one that was meant.
    wrong = place if issue.problem.startswith(_NOT_KNOWN) else issue.path
    beside = _REQUIRED_WHERE.findall(issue.problem)
    return [*beside, *(step for found in (wrong, *belongs) for step in steps(found))]


_REQUIRED_WHERE: Final = re.compile(r"\Ais required where '(.+)' is given\Z")


def sent_at(arguments: object, path: str) -> list[object]:
    """The names of the fields that were sent at a path, and of those beside it."""
    places = [place for place in (path, path.rpartition(".")[0]) if place]
    sent = [value for place in places if isinstance(value := _value(arguments, place), dict)]
    return [name for value in sent for name in islice(value, _SAID)]


def options_sent(outline: Outline, arguments: object, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The fields with options at the top and beside what is at these paths, with the one sent, or meant."""
    for place in dict.fromkeys(["", *[path.rpartition(".")[0] for path in paths]]):
        given = _value(arguments, place)
        few = islice(given.items(), _SAID) if isinstance(given, dict) else ()
        for name, value in few:
            if name in outline.choices and isinstance(value, str):
                options = outline.at(f"{place}.{name}" if place else name).options
                if found := (value,) if value in options else option(value, options):
                    yield name, found[0]


def _other_spelling(field: str, sent: Sequence[str], lacking: Sequence[str]) -> str | None:
    """Which of the unknown fields this one was meant by, if by none of the others that lack as well."""
    if near := nearest(field, sent, 1):
        return near[0] if len(lacking) == 1 or meant(near[0], lacking) == (field,) else None
    cut = (name for name in sent if abbreviates(name, field))
    others = [other for other in lacking if other != field]
    return next((name for name in cut if not any(abbreviates(name, other) for other in others)), None)


def _is_beside(issue: Issue, place: str) -> bool:
    """Whether it is another field of the same object that lacks."""
    return issue.problem == _REQUIRED and issue.path.rpartition(".")[0] == place


def _misspelt(field: str) -> str:
    return f"{_REQUIRED}, and {field!r} is not known"


def _meaning(issue: Issue, meant: Sequence[str]) -> Issue:
    return Issue(issue.path, _asked(issue.problem, meant[0])) if meant else issue


def _asked(problem: str, name: str) -> str:
    return f"{problem}; did you mean {name!r}?"


def _unknown_among(value: object, known: Collection[str]) -> list[str]:
    """The first of the fields that were sent and are none of these; a client may send any number of them."""
    if not isinstance(value, dict) or not known:
        return []
    few = value if len(value) <= _SAID else islice((name for name in value if name not in known), _SAID)
    return [str(name)[:_NAME] for name in few if name not in known]


def lacking(schema: object, arguments: object) -> tuple[str, ...]:
    """What a tool requires and was not given."""
    required = schema.get("required") if isinstance(schema, dict) else None
    given = {} if arguments is None else arguments
    if not isinstance(required, list) or not isinstance(given, dict):
        return ()
    return tuple(name for name in required if isinstance(name, str) and name not in given)


def _value(arguments: object, path: str) -> object:
    for step in steps(path):
        if isinstance(arguments, dict):
            arguments = arguments.get(step)
        elif isinstance(arguments, list) and step.isdecimal() and int(step) < len(arguments):
            arguments = arguments[int(step)]
        else:
            return None
    return arguments
