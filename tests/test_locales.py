from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable
from functools import partial
from string import Formatter
from typing import Any

import pydantic
import pytest

from mcp_error_middleware import (
    Conflict,
    ErrorPolicy,
    InvalidParams,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    Triage,
)
from mcp_error_middleware.adapters.seam import naming_urls
from mcp_error_middleware.advice import Around
from mcp_error_middleware.client import parse_error
from mcp_error_middleware.issues import Given, issues_of
from mcp_error_middleware.locales import LOCALES, kinds, phrases, problems, sentences
from mcp_error_middleware.locales.translate import problem_in
from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.render import error_text
from mcp_error_middleware.taxonomy import TRAITS, ErrorCode

OTHERS = sorted(set(LOCALES) - {"en"})


@pytest.mark.parametrize("locale", OTHERS)
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


# --- the sentences made from evidence -----------------------------------------------------------


def places(template: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(template) if name is not None})


@pytest.mark.parametrize("locale", OTHERS)
def test_every_language_has_every_sentence_with_the_same_places(locale: str) -> None:
    assert {name: places(said) for name, said in sentences(locale).items()} == {
        name: places(said) for name, said in sentences("en").items()
    }
    assert all(said.strip() for said in sentences(locale).values())


class Order(pydantic.BaseModel):
    amount: int
    boxes: int


class Answered(Exception):
    status_code = 503


SHOP: dict[str, Any] = {"create_order": {}, "list_orders": {}, "get_invoice": {}}


def raised(make: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it raises is what is wanted
        make()
    return caught.value


def repeated(triage: Triage, times: int, exc: Exception, tool: str = "ship_order", **known: Any) -> Failure:
    around = Around(session="s", arguments={}, tools=lambda: SHOP, **known)
    for _ in range(times - 1):
        triage(exc, Call(target=tool), around=around)
    return triage(exc, Call(target=tool), around=around)


def unlike_any(method: str, triage: Triage) -> Failure:
    return triage(NotFound("zzz"), Call(method, "zzz"), around=Around(names=lambda: tuple(SHOP)))


FAILURES: dict[str, Callable[[Triage], Failure]] = {
    "wait for one second": lambda triage: triage(RateLimited(retry_after=1)),
    "wait": lambda triage: triage(RateLimited(retry_after=30)),
    "temporary": lambda triage: triage(Conflict(retryable=True)),
    "issues": lambda triage: triage(raised(lambda: Order.model_validate({}))),
    "a misspelt field": lambda triage: triage(
        raised(lambda: Order.model_validate({"amount": 1, "boxs": 2})),
        around=Around(arguments={"amount": 1, "boxs": 2}, schema=Order.model_json_schema()),
    ),
    "many issues": lambda triage: triage(
        raised(lambda: pydantic.create_model("Many", **{f"f{n}": int for n in range(6)})()),  # type: ignore[call-overload]
    ),
    "an issue with the whole": lambda triage: triage(
        raised(lambda: pydantic.TypeAdapter(int).validate_python([]))
    ),
    "verify with a tool": lambda triage: triage(
        TimeoutError(), Call(target="create_order"), around=Around(tools=lambda: SHOP)
    ),
    "verify": lambda triage: triage(TimeoutError(), Call(target="send_mail")),
    "nearest names": lambda triage: triage(
        NotFound("create_orders"), Call(target="create_orders"), around=Around(names=lambda: tuple(SHOP))
    ),
    "two names as near": lambda triage: triage(
        NotFound("get_orderx"),
        Call(target="get_orderx"),
        around=Around(names=lambda: ("get_ordera", "get_orderb")),
    ),
    "a prompt's arguments": lambda triage: triage(InvalidParams("no"), Call("prompts/get", "greet")),
    "a program that failed": lambda triage: triage(subprocess.CalledProcessError(3, "tar")),
    "a sum": lambda triage: triage(raised(lambda: 1 // 0)),
    **{
        f"names of {method}": partial(unlike_any, method)
        for method in ("tools/call", "prompts/get", "resources/read", "completion/complete")
    },
    "second time, harmless": lambda triage: repeated(triage, 2, RateLimited(retry_after=2)),
    "second time": lambda triage: repeated(triage, 2, ValueError("no")),
    "third time": lambda triage: repeated(triage, 3, ValueError("no")),
    "third time, with another tool": lambda triage: repeated(triage, 3, ValueError("no"), "create_orders"),
    "third time, not found": lambda triage: repeated(triage, 3, NotFound("no")),
    "third time, upstream": lambda triage: repeated(triage, 3, RateLimited()),
    "third time, perhaps done": lambda triage: repeated(triage, 3, TimeoutError()),
    "third time, nobody knows": lambda triage: repeated(triage, 3, TimeoutError(), "send_mail"),
    "third time, arguments": lambda triage: repeated(triage, 3, ValueError("no"), schema={"type": "object"}),
    "third time, nothing like it": lambda triage: repeated(triage, 3, ValueError("no"), "zzz"),
    "no more quota": lambda triage: triage(RateLimited(retryable=False)),
    "permanent upstream failure": lambda triage: triage(ServiceUnavailable(retryable=False)),
    "an upstream's answer": lambda triage: triage(Answered()),
    "the user's turn": lambda triage: naming_urls(
        triage(NotFound("x")), {"elicitations": [{"url": "https://a.test"}, {"url": "https://b.test"}]}
    ),
}


def words(texts: Iterable[str]) -> set[str]:
    """Of a text, without names: of tools, fields, places and addresses."""
    return set(
        re.findall(r"[a-z]+", re.sub(r"\{\w+\}|\w+_\w+|https\S+|[a-z]\d", "", " ".join(texts).lower()))
    )


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("case", FAILURES)
def test_the_next_step_has_no_english_word(case: str, locale: str) -> None:
    own = words(sentences(locale).values()) | words(said["hint"] for said in phrases(locale).values())
    english = words(sentences("en").values()) | words(traits.hint for traits in TRAITS.values())
    hint = FAILURES[case](Triage(ErrorPolicy(locale=locale))).hint.text

    assert words([FAILURES[case](Triage()).hint.text]) <= english | {"amount", "boxes"}
    assert words([hint]) <= own | {"amount", "boxes"}
    assert not words([hint]) & (english - own)


def test_every_sentence_has_its_failure() -> None:
    failures = [fail(Triage()) for fail in FAILURES.values()]
    said = "\n".join(f"{failure.message}\n{failure.hint.text}" for failure in failures)

    assert [failure.degraded for failure in failures] == [()] * len(failures)
    assert [
        name
        for name, template in sentences("en").items()
        if not re.search(re.sub(r"\\{\w+\\}", ".+", re.escape(template)), said)
    ] == []


def test_what_was_seen_is_told_in_whole_sentences() -> None:
    german = {case: fail(Triage(ErrorPolicy(locale="de-AT"))).hint.text for case, fail in FAILURES.items()}

    assert german["wait for one second"] == "Wiederholen Sie denselben Aufruf nach 1 Sekunde."
    assert german["issues"] == "Berichtigen Sie amount, boxes wie beschrieben und rufen Sie erneut auf."
    assert german["nearest names"] == ("Verwenden Sie stattdessen create_order, falls Sie das gemeint haben.")
    assert german["two names as near"] == (
        "Verwenden Sie stattdessen get_ordera oder get_orderb, falls Sie das gemeint haben."
    )
    assert german["third time, with another tool"] == (
        "Halt: Genau dieser Aufruf ist 3-mal auf dieselbe Weise fehlgeschlagen. "
        "Verwenden Sie ein anderes Tool, etwa create_order, oder fragen Sie den Benutzer."
    )
    assert german["the user's turn"] == (
        "Bitten Sie den Benutzer, https://a.test und https://b.test zu öffnen, "
        "und rufen Sie dann das Tool erneut auf."
    )


def test_the_status_of_an_upstream_is_told_in_every_language() -> None:
    for locale in LOCALES:
        message = Triage(ErrorPolicy(locale=locale))(Answered()).message
        assert message.endswith(sentences(locale)["answered"].format(status=503))
        assert message != Triage()(Answered()).message or locale == "en"
    assert Triage(ErrorPolicy(locale="en-GB"))(Answered()).message == Triage()(Answered()).message


def test_names_that_look_like_places_stay_as_they_are() -> None:
    triage = Triage(ErrorPolicy(locale="de"))
    failure = triage(TimeoutError(), Call(target="create_{x}"), around=Around(tools=lambda: {"list_{x}": {}}))
    assert failure.hint.text.startswith("Rufen Sie zuerst list_{x} auf")


def test_an_authors_own_step_stays_as_it_is() -> None:
    failure = repeated(Triage(ErrorPolicy(locale="ja")), 3, NotFound("no", data={"recovery": "Call Anna."}))
    assert failure.hint.text.endswith("失敗しています。Call Anna.")


# --- what is wrong with an argument -------------------------------------------------------------


@pytest.mark.parametrize("locale", OTHERS)
def test_every_language_has_every_problem_with_the_same_places(locale: str) -> None:
    assert {name: places(said) for name, said in problems(locale).items()} == {
        name: places(said) for name, said in problems("en").items()
    }
    assert kinds(locale).keys() == kinds("en").keys()
    assert all(said.strip() for said in (*problems(locale).values(), *kinds(locale).values()))


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("name", problems("en"))
def test_every_problem_is_said_in_every_language(name: str, locale: str) -> None:
    filled = {"count": "3", "number": "7", "options": "'a', 'b' or 'c'", "problem": "is required"}
    template = problems("en")[name].replace("(s)", "s")
    problem = template.format_map({place: filled.get(place, "x-1") for place in places(template)})

    said = problem_in(locale, problem)
    assert said != problem
    assert said.startswith(problems(locale)[name].partition("{")[0])
    assert problem_in("en-GB", problem) == problem


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ("must have at least 1 character", "muss mindestens 1 Zeichen haben"),
        ("must be a valid integer", "muss eine ganze Zahl sein"),
        ("must be a valid integer, 'x, or y' or null", "muss eine ganze Zahl, 'x, or y' oder null sein"),
        ("must be a valid IPv4 address", "muss eine IPv4-Adresse sein"),
        ("must be a valid IPv4 network", "muss gültig sein: IPv4 network"),
        ("must be a valid email address: It has no @-sign", "muss eine E-Mail-Adresse sein"),
        ("must be 'a' or 'b'; did you mean 'b'?", "muss 'a' oder 'b' sein; meinten Sie 'b'?"),
        (
            "must be an object, not a text with JSON in it",
            "muss ein Objekt sein, nicht ein Text mit JSON darin",
        ),
        ("needs at least one price", "needs at least one price"),
        ("is required or must be null", "is required or must be null"),
        ("must be a finite number", "muss eine endliche Zahl sein"),
        ("must be iterable and callable", "must be iterable and callable"),
        ("must have no more than 1 decimal place", "darf höchstens 1 Nachkommastelle(n) haben"),
    ],
)  # fmt: skip
def test_a_problem_is_put_together_again_in_another_language(problem: str, said: str) -> None:
    assert problem_in("de", problem) == said


@pytest.mark.parametrize("locale", LOCALES)
def test_an_answer_about_arguments_is_read_back_in_every_language(locale: str) -> None:
    model = pydantic.create_model("Many", **{f"f{n}": int for n in range(7)})  # type: ignore[call-overload]
    for sent in ({f"f{n}": "hunter2" for n in range(7)}, {"f0": 1}, {}):
        exc = raised(lambda sent=sent: model(**sent))  # type: ignore[misc]
        failure = Triage(ErrorPolicy(locale=locale))(exc)
        back = parse_error(error_text(failure))

        assert back is not None
        assert back.issues == failure.issues
        assert [issue.path for issue in back.issues] == [issue.path for issue in issues_of(exc, Given(sent))]
        assert failure.message.startswith(sentences(locale)["validation_failed"])
