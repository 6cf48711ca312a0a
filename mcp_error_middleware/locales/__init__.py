"""A language in, what each code says and suggests in it out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

LOCALES: Final = ("de", "en", "es", "fr", "ja", "pt", "zh")


@cache
def phrases(locale: str) -> Mapping[str, Mapping[str, str]]:
    """By the code's name: its `message` and `hint`. Empty for English, which the taxonomy speaks."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    if language not in LOCALES:
        raise ValueError(
            f"{locale!r} is not a language of the built-in texts; use one of {', '.join(LOCALES)}."
        )
    if language == "en":
        return {}
    found: Mapping[str, Mapping[str, str]] = json.loads(
        files("mcp_error_middleware.locales").joinpath(f"{language}.json").read_text("utf-8")
    )
    return found
