"""Real exceptions of real libraries, judged by people who did not know the classifier."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

from mcp_error_middleware.classify import classify, explain, walk

provoked = pytest.importorskip("tests.classify.provoked")
check = pytest.importorskip("tests.classify.provoked.check")

DISSENT = {
    "bare_exception_with_misleading_words": "a bare Exception has nothing but its words",
    "notion_conflict_error": "nothing on the wire says that this 409 may be retried",
    "typeguard_check_failed": "typeguard guards the types of code; a value checked by hand looks the same",
}
"""Cases where the label asks for what cannot be known."""


def params() -> list[object]:
    return [
        pytest.param(
            case,
            id=case.name,
            marks=[pytest.mark.xfail(reason=DISSENT[case.name])] if case.name in DISSENT else [],
        )
        for case in provoked.CASES
    ]


def lacks_library(case: Any, exc: BaseException) -> bool:
    absent = {link.exc.name for link in walk(exc) if isinstance(link.exc, ImportError)}
    # zoneinfo itself looks for tzdata, and two cases are about what nobody can import.
    return bool(absent - {"tzdata"}) and case.name not in ("missing_module_import", "import_name_gone")


def missing(reason: str) -> NoReturn:
    if os.environ.get("PROVOKED") == "all":
        pytest.fail(reason)
    pytest.skip(f"{reason}; get them all with: make provoked")


@pytest.fixture(scope="module", autouse=True)
def leftovers() -> Iterator[None]:
    """What the libraries leave open is theirs; let it go while warnings are still ignored."""
    yield
    gc.collect()
    gc.collect()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", params())
def test_a_provoked_exception_gets_the_code_it_deserves(case: Any) -> None:
    exc, problem = check.provoke(case)
    if problem or lacks_library(case, exc):
        missing(problem or "its library is not installed")
    verdict = classify(exc)
    assert verdict.code.label in (case.label, *case.also), str(explain(exc))
    if case.retryable is not None:
        assert verdict.retryable is case.retryable, str(explain(exc))
    if case.retry_after is not None:
        assert verdict.retry_after == pytest.approx(case.retry_after, abs=2.5)
