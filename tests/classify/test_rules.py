"""A user's own say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import ClassVar

import pytest

from mcp_error_middleware.classify import Classifier, by_pattern, by_predicate, by_type
from mcp_error_middleware.errors import NotFound
from mcp_error_middleware.model import Evidence, Rule, Verdict
from mcp_error_middleware.taxonomy import ErrorCode


class Sold(Exception):
    pass


class SoldOut(Sold):
    pass


HERE = f"{__name__}.Sold"


@pytest.mark.parametrize(
    ("rule", "detail"),
    [
        (by_type(Sold, ErrorCode.CONFLICT), HERE),
        (by_type(HERE, ErrorCode.CONFLICT), HERE),
        (by_pattern("none LEFT", ErrorCode.CONFLICT), "none LEFT"),
        (by_pattern(re.compile("None left"), ErrorCode.CONFLICT), "None left"),
        (by_predicate(callable, ErrorCode.CONFLICT), None),
        (by_predicate(bool, ErrorCode.CONFLICT), "bool"),
    ],
    ids=["class", "name", "pattern", "compiled pattern", "predicate that does not fit", "predicate"],
)
def test_a_rule_decides_what_it_fits(rule: Rule, detail: str | None) -> None:
    exc = SoldOut("None left")
    verdict = Classifier((rule,))(exc)
    if detail is None:
        assert verdict == Classifier()(exc)
    else:
        evidence = Evidence("rule", detail, ErrorCode.CONFLICT, f"{__name__}.SoldOut")
        assert verdict == Verdict(ErrorCode.CONFLICT, False, evidence=evidence)


def test_a_rule_may_say_whether_to_retry() -> None:
    rule = by_type(Sold, ErrorCode.CONFLICT, retryable=True)
    assert Classifier((rule,))(Sold()).retryable is True


def test_the_first_rule_that_fits_wins_and_one_that_raises_is_skipped() -> None:
    def broken(exc: BaseException) -> ErrorCode:
        raise RuntimeError("no")

    rules: tuple[Rule, ...] = (
        broken,
        lambda exc: None,
        lambda exc: ErrorCode.FORBIDDEN,
        lambda exc: ErrorCode.TIMEOUT,
    )
    assert Classifier(rules)(KeyError("x")).code is ErrorCode.FORBIDDEN


def test_a_rule_that_answers_nonsense_is_skipped() -> None:
    assert Classifier((lambda exc: 404,))(TimeoutError()).code is ErrorCode.TIMEOUT  # type: ignore[arg-type, return-value]


def test_a_rule_reaches_the_cause_of_a_wrapper() -> None:
    exc = RuntimeError("wrapped")
    exc.__cause__ = Sold()
    assert Classifier((by_type(Sold, ErrorCode.CONFLICT),))(exc).code is ErrorCode.CONFLICT


def test_an_explicit_error_is_beyond_rules() -> None:
    rule = by_type(Exception, ErrorCode.TIMEOUT)
    assert Classifier((rule,))(NotFound("x")).code is ErrorCode.NOT_FOUND


def test_a_rule_that_gives_a_code_leaves_the_facts_to_the_exception() -> None:
    exc = Sold()
    exc.retry_after = 12  # type: ignore[attr-defined]
    verdict = Classifier((lambda exc: ErrorCode.RATE_LIMITED,))(exc)
    assert (verdict.code, verdict.retry_after) == (ErrorCode.RATE_LIMITED, 12.0)


@pytest.mark.parametrize("kind", [SystemExit, asyncio.CancelledError, GeneratorExit])
def test_a_rule_that_would_end_the_process_leaves_the_rest_of_the_evidence(kind: type[BaseException]) -> None:
    class Busy(Exception):
        status_code = 429
        retry_after = 9

    def ending(exc: BaseException) -> ErrorCode:
        raise kind("enough")

    assert Classifier((ending,))(Busy()) == Classifier()(Busy())
    assert Classifier((ending,))(Busy()).retry_after == 9


def _busy() -> Exception:
    class Busy(Exception):
        status_code = 429
        headers: ClassVar = {"Retry-After": "30"}

    return Busy("slow down")


@pytest.mark.parametrize(
    "rule",
    [
        lambda exc: ErrorCode.SERVICE_UNAVAILABLE,
        by_type(Exception, ErrorCode.SERVICE_UNAVAILABLE),
        by_pattern("slow", ErrorCode.SERVICE_UNAVAILABLE),
        by_predicate(bool, ErrorCode.SERVICE_UNAVAILABLE),
        lambda exc: Verdict(ErrorCode.SERVICE_UNAVAILABLE, True),
    ],
    ids=["code", "type", "pattern", "predicate", "verdict"],
)
def test_a_rule_names_the_code_and_the_exception_the_wait_and_the_status(rule: Rule) -> None:
    verdict = Classifier((rule,))(_busy())
    assert (verdict.code, verdict.retryable) == (ErrorCode.SERVICE_UNAVAILABLE, True)
    assert (verdict.retry_after, verdict.status) == (30, 429)


def test_a_rule_that_names_a_wait_and_a_status_has_the_last_word() -> None:
    said = Verdict(ErrorCode.SERVICE_UNAVAILABLE, True, 5.0, status=503)
    assert Classifier((lambda exc: said,))(_busy()) == said


@pytest.mark.parametrize(
    ("make", "given", "words"),
    [
        (
            by_type,
            (Sold, "Forbidden"),
            "'Forbidden' is no code; use a member of ErrorCode: PARSE_ERROR, INVALID_",
        ),
        (by_type, (HERE, -32005), "-32005 is no code; use a member of ErrorCode: "),
        (by_pattern, ("none left", None), "None is no code; use a member of ErrorCode: "),
        (by_predicate, (bool, "Forbidden"), "'Forbidden' is no code; use a member of ErrorCode: "),
        (
            by_type,
            ((Sold, KeyError), ErrorCode.CONFLICT),
            "is no class; use one, or its qualified name, and a",
        ),
        (by_pattern, (re.compile(b"left"), ErrorCode.CONFLICT), "finds nothing in text; use a text, or a"),
        (by_pattern, (3, ErrorCode.CONFLICT), "3 finds nothing in text; use a text, or a compiled pattern"),
        (by_predicate, ("left", ErrorCode.CONFLICT), "'left' cannot be called; use a function that takes"),
    ],
    ids=str,
)
def test_a_rule_that_could_never_decide_is_refused_where_it_is_declared(
    make: Callable[..., Rule], given: tuple[object, object], words: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        make(*given)


def test_a_pattern_that_is_none_is_refused_where_it_is_declared() -> None:
    with pytest.raises(
        ValueError, match=r"^'left \(' is no pattern: .*; re\.escape\(\) makes one of any text$"
    ):
        by_pattern("left (", ErrorCode.CONFLICT)
