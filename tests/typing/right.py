"""What a type checker must accept. Read by mypy and pyright, never run."""

from collections.abc import Mapping
from typing import Any, assert_type

from mcp_error_middleware.contracts import Contract, Mode, active, contract_of, match, raises, recovery_for
from mcp_error_middleware.errors import McpError, NotFound, RateLimited, ValidationError, is_mcp_error
from mcp_error_middleware.taxonomy import ErrorCode


class FetchErrors(Contract):
    no_match = Mode(
        ErrorCode.NOT_FOUND,
        when="No requested PMID returned data",
        recovery="Try pubmed_search_articles to discover valid PMIDs first.",
    )
    queue_full = Mode(
        ErrorCode.RATE_LIMITED,
        when="Local request queue is at capacity",
        recovery="Wait 30 seconds and retry, or reduce batch size.",
        retryable=True,
    )


class SearchErrors(FetchErrors):
    too_broad = Mode(
        ErrorCode.VALIDATION_ERROR,
        when="The query matches too many articles",
        recovery="Add a date range or a second term.",
    )


@raises(FetchErrors)
async def fetch(pmids: list[str]) -> int:
    try:
        return len(pmids)
    except KeyError as exc:
        raise FetchErrors.no_match.fail(f"None of {len(pmids)} PMIDs returned data", {"pmids": pmids}) from exc


class Service:
    @raises(SearchErrors)
    def search(self, query: str) -> str:
        if not query:
            raise SearchErrors.too_broad.fail(recovery="Say what to search for.", retryable=False)
        raise SearchErrors.queue_full.fail(data={"depth": 3}, retry_after=2.5)


async def the_signature_stays() -> None:
    assert_type(await fetch(["1"]), int)
    assert_type(Service().search("title"), str)


def contracts(reason: str, exc: BaseException) -> None:
    assert_type(FetchErrors.no_match, Mode)
    assert_type(SearchErrors.no_match.fail(), McpError)
    assert_type(FetchErrors.fail(reason, "text", {"a": 1}, retry_after=1), McpError)
    assert_type(FetchErrors.modes, Mapping[str, Mode])
    assert_type([mode.reason for mode in FetchErrors], list[str])
    assert_type(match(exc, contract_of(fetch)), Mode | None)
    data: dict[str, Any] = {"reason": reason, **FetchErrors.recovery_for(reason), **recovery_for(reason)}
    with active(Contract.of({"stale": {"code": "Conflict", "when": "It changed", "recovery": "Read it."}})):
        raise ValidationError("Expression is empty.", data)


def a_misspelt_string_cannot_be_seen() -> McpError:
    return FetchErrors.fail("no_mach")


def errors(value: object) -> None:
    if is_mcp_error(value, ErrorCode.RATE_LIMITED):
        assert_type(value.retry_after, float | None)
    assert_type(NotFound(resource="Order", id=7, reason="gone", recovery="List them.").data, dict[str, Any])
    raise RateLimited("Slow down.", retry_after=1.5, retryable=True)
