"""A language in, what we say in it out: each code's own words, and the sentences made from evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

LOCALES: Final = ("de", "en", "es", "fr", "ja", "pt", "zh")


@cache
def phrases(locale: str) -> Mapping[str, Mapping[str, str]]:
    """By the code's name: its `message` and `hint`. Empty for English, which the taxonomy speaks."""
    found: Mapping[str, Mapping[str, str]] = _table(_language(locale))["codes"]
    return found


@cache
def sentences(locale: str) -> Mapping[str, str]:
    """By their names: templates with places such as `{tool}`."""
    found: Mapping[str, str] = _table(_language(locale))["sentences"]
    return found


@cache
def problems(locale: str) -> Mapping[str, str]:
    """By their names: what can be wrong with an argument, as templates."""
    found: Mapping[str, str] = _table(_language(locale))["problems"]
    return found


@cache
def kinds(locale: str) -> Mapping[str, str]:
    """By their English names: what an argument can be expected to be."""
    found: Mapping[str, str] = _table(_language(locale))["kinds"]
    return found


def say(locale: str, sentence: str, /, **places: object) -> str:
    """A sentence with its places filled: `say("en", "verify_with", tool="list_orders")`."""
    return sentences(locale)[sentence].format_map(places)


def _language(locale: str) -> str:
    language = locale.replace("_", "-").partition("-")[0].lower()
    if language not in LOCALES:
        raise ValueError(
            f"{locale!r} is not a language of the built-in texts; use one of {', '.join(LOCALES)}."
        )
    return language


@cache
def _table(language: str) -> Any:
    return json.loads(files("mcp_error_middleware.locales").joinpath(f"{language}.json").read_text("utf-8"))
