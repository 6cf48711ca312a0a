import pytest

from mcp_error_middleware import NotFound, classify
from mcp_error_middleware.hints import Hints, from_evidence
from mcp_error_middleware.model import Hint, Issue, Verdict
from mcp_error_middleware.taxonomy import TRAITS, ErrorCode

RATE_LIMITED = Verdict(ErrorCode.RATE_LIMITED, True)


def test_the_authors_word_comes_first_then_the_contract_then_the_users_tables() -> None:
    hints = Hints(
        by_reason={"full": "by reason"}, by_tool={"fetch": "by tool"}, by_code={"RateLimited": "by code"}
    )

    assert hints(RATE_LIMITED, author="author", contract="contract", reason="full") == Hint(
        "author", "author"
    )
    assert hints(RATE_LIMITED, contract="contract", reason="full") == Hint("contract", "contract")
    assert hints(RATE_LIMITED, reason="full", tool="fetch") == Hint("by reason", "user")
    assert hints(RATE_LIMITED, reason="other", tool="fetch") == Hint("by tool", "user")
    assert hints(RATE_LIMITED, tool="other") == Hint("by code", "user")


def test_a_waiting_time_in_the_evidence_becomes_the_hint() -> None:
    verdict = Verdict(ErrorCode.RATE_LIMITED, True, retry_after=29.2)

    assert Hints()(verdict) == Hint("Retry the same call after 30 seconds.", "evidence")


def test_a_waiting_time_is_no_hint_where_retrying_cannot_help() -> None:
    verdict = Verdict(ErrorCode.RATE_LIMITED, False, retry_after=30)

    assert Hints()(verdict).text == "Do not retry; ask the user to raise the quota or the plan."


def test_a_conflict_that_will_pass_says_so() -> None:
    assert Hints()(Verdict(ErrorCode.CONFLICT, True)).source == "evidence"
    assert "Retry" in Hints()(Verdict(ErrorCode.CONFLICT, True)).text


def test_issues_are_named_by_their_fields() -> None:
    issues = (Issue("amount", "must be at least 1"), Issue("items[0].price", "is required"))

    assert from_evidence(Verdict(ErrorCode.VALIDATION_ERROR, False), issues) == (
        "Correct amount, items[0].price as described, then call again."
    )


def test_many_issues_stay_one_sentence() -> None:
    issues = tuple(Issue(f"field{n}", "is required") for n in range(9))

    assert from_evidence(Verdict(ErrorCode.VALIDATION_ERROR, False), issues) == (
        "Correct field0, field1, field2, field3, field4 and others as described, then call again."
    )


@pytest.mark.parametrize("code", ErrorCode)
@pytest.mark.parametrize("retryable", [True, False])
@pytest.mark.parametrize("retry_after", [None, 5])
@pytest.mark.parametrize("issues", [(), (Issue("", "is wrong"),), (Issue("a", "is wrong"),)])
def test_every_hint_is_one_sentence_of_at_least_five_words(
    code: ErrorCode, retryable: bool, retry_after: float | None, issues: tuple[Issue, ...]
) -> None:
    text = Hints()(Verdict(code, retryable, retry_after), issues=issues).text

    assert len(text.split()) >= 5
    assert text[0].isupper()
    assert text.endswith(".")
    assert text.count(".") == 1


def test_the_default_is_the_codes_own() -> None:
    for code, traits in TRAITS.items():
        assert Hints()(Verdict(code, traits.retryable)) == Hint(traits.hint, "code")


@pytest.mark.parametrize(
    ("value", "text"), [(0, "1 second"), (0.2, "1 second"), (1.5, "2 seconds"), (60, "60 seconds")]
)
def test_waiting_times_are_whole_seconds_rounded_up(value: float, text: str) -> None:
    verdict = Verdict(ErrorCode.RATE_LIMITED, True, retry_after=value)

    assert from_evidence(verdict) == f"Retry the same call after {text}."


def test_a_blank_recovery_is_none() -> None:
    hint = Hints(by_code={"NotFound": "List the orders and pick one."})(classify(NotFound("x")), author="  ")
    assert hint == Hint("List the orders and pick one.", "user")
