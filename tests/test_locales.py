from __future__ import annotations

import pytest

from mcp_error_middleware import ErrorPolicy, NotFound, Triage
from mcp_error_middleware.locales import LOCALES, phrases
from mcp_error_middleware.taxonomy import ErrorCode


@pytest.mark.parametrize("locale", sorted(set(LOCALES) - {"en"}))
def test_every_code_is_said_in_every_language(locale: str) -> None:
    said = phrases(locale)
    assert set(said) == {code.label for code in ErrorCode}
    assert all(set(both) == {"message", "hint"} and all(both.values()) for both in said.values())
    assert len({both["message"] for both in said.values()}) == len(ErrorCode)


def test_a_region_speaks_its_language() -> None:
    assert phrases("de_AT") is not None
    assert phrases("pt-BR") == phrases("pt")
    assert phrases("en-GB") == {}


def test_an_unknown_language_says_which_are_known() -> None:
    with pytest.raises(
        ValueError, match=r"'tlh' is not a language of the built-in texts; use one of de, en, es"
    ):
        phrases("tlh")


def test_an_error_raised_without_words_speaks_the_language_too() -> None:
    triage = Triage(ErrorPolicy(locale="de"))

    assert triage(NotFound()).message == phrases("de")["NotFound"]["message"]
    assert triage(NotFound("No such order.")).message == "No such order."
