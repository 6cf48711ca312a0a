"""What is wrong with an argument in, the same in another language out.

Libraries speak English, and so do we until nothing is left to find out; what no template says stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from mcp_error_middleware.locales import kinds, problems, say, sentences

_MEANT: Final = re.compile(r"(.+); did you mean (.+)\?", re.DOTALL)
_PLACES: Final = {"count": r"\d+", "number": r"\S+", "example": r"\S+", "kind": r"(?:(?! or )[^,'])+"}
_OPTION: Final = re.compile(r"((?:'(?:[^'\\]|\\.)*'|[^',])+?)(?:, | or |\Z)")


def problem_in(locale: str, problem: str) -> str:
    """`is required` as `ist erforderlich`."""
    if sentences(locale) is sentences("en"):
        return problem
    return _in(locale, problem)


@lru_cache(maxsize=1024)
def _in(locale: str, problem: str) -> str:
    if meant := _MEANT.fullmatch(problem):
        return f"{_in(locale, meant[1])}; {say(locale, 'did_you_mean', name=meant[2])}"
    # What a library adds to that is its own.
    kind = problem.removeprefix("must be ").partition(": ")[0]
    if kind in kinds(locale):
        return problems(locale)["be"].format(options=kinds(locale)[kind])
    for name, english in _english():
        if said := english.fullmatch(problem):
            if name == "be" and not _is_told(locale, said["options"]):
                return problem  # half a sentence in each language is no sentence
            return problems(locale)[name].format_map(_filled(locale, said.groupdict()))
    return problem


def _is_told(locale: str, options: str) -> bool:
    """Whether each is of a kind that is known, or a value of the schema's."""
    found = _OPTION.findall(options) or [options]
    return all(option in kinds(locale) or not _PROSE.match(option) for option in found)


_PROSE: Final = re.compile(r"[A-Za-z]+ [A-Za-z]|iterable\b|callable\b")
"""A value is quoted, or one word; several are a library's."""


def _filled(locale: str, places: Mapping[str, str]) -> dict[str, str]:
    filled = dict(places)
    if "problem" in places:
        filled["problem"] = _in(locale, places["problem"])
    if "options" in places:
        filled["options"] = _listed(locale, places["options"])
    return filled


def _listed(locale: str, options: str) -> str:
    """`'a', 'b' or a valid list`, each in its own words."""
    *others, last = [kinds(locale).get(option, option) for option in _OPTION.findall(options)] or [options]
    joint = say(locale, "or") if " or " in options else ", "
    return f"{', '.join(others)}{joint}{last}" if others else last


@cache
def _english() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _pattern(template)) for name, template in problems("en").items())


def _pattern(template: str) -> re.Pattern[str]:
    escaped = re.escape(template).replace(r"\(s\)", "s?")
    return re.compile(re.sub(r"\\\{(\w+)\\\}", lambda place: _place(place[1]), escaped), re.DOTALL)


def _place(name: str) -> str:
    return f"(?P<{name}>{_PLACES.get(name, '.+')})"
