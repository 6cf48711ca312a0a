"""What a type checker must refuse, each line by the rules it names. Read by mypy and pyright, never run."""

from mcp_error_middleware.contracts import Contract, Mode, raises
from mcp_error_middleware.errors import McpError, NotFound, RateLimited, ValidationError
from mcp_error_middleware.taxonomy import ErrorCode


class FetchErrors(Contract):
    no_match = Mode(ErrorCode.NOT_FOUND, when="Nothing matched", recovery="Search for valid ids first.")


class SearchErrors(FetchErrors):
    too_broad = Mode(ErrorCode.CONFLICT, when="Too many matches", recovery="Add a date range.")


def a_reason() -> None:
    FetchErrors.no_mach.fail()  # expect: attr-defined, reportAttributeAccessIssue
    SearchErrors.no_mach.fail()  # expect: attr-defined, reportAttributeAccessIssue
    FetchErrors.too_broad.fail()  # expect: attr-defined, reportAttributeAccessIssue
    FetchErrors.fail(7)  # expect: arg-type, reportArgumentType


def a_raise() -> None:
    FetchErrors.no_match.fail(7)  # expect: arg-type, reportArgumentType
    FetchErrors.no_match.fail("text", ["data"])  # expect: arg-type, reportArgumentType
    FetchErrors.no_match.fail(recovry="Wait.")  # expect: call-arg, reportCallIssue
    FetchErrors.no_match.fail(reason="other")  # expect: call-arg, reportCallIssue
    FetchErrors.no_match.fail(retryable="no")  # expect: arg-type, reportArgumentType
    FetchErrors.fail("no_match", recovry="Wait.")  # expect: call-arg, reportCallIssue
    FetchErrors.fail("no_match", retry_after="1 s")  # expect: arg-type, reportArgumentType
    raise FetchErrors.no_match  # expect: misc, reportGeneralTypeIssues


def a_mode() -> None:
    Mode("NotFound", when="Gone", recovery="Search.")  # expect: arg-type, reportArgumentType
    Mode(-32001, when="Gone", recovery="Search.")  # expect: arg-type, reportArgumentType
    Mode(ErrorCode.NOT_THERE, when="Gone", recovery="Search.")  # expect: attr-defined, reportAttributeAccessIssue
    Mode(ErrorCode.NOT_FOUND, when="Gone")  # expect: call-arg, reportCallIssue
    Mode(ErrorCode.NOT_FOUND, recovery="Search.")  # expect: call-arg, reportCallIssue
    Mode(ErrorCode.NOT_FOUND, "Gone", "Search.")  # expect: call-arg, reportCallIssue
    Mode(ErrorCode.NOT_FOUND, when="Gone", recovery="Search.", retryable="yes")  # expect: arg-type, reportArgumentType
    Mode(ErrorCode.NOT_FOUND, when="Gone", recovery="Search.", reason="gone")  # expect: call-arg, reportCallIssue
    FetchErrors.no_match.recovery = "Other."  # expect: misc, reportAttributeAccessIssue


@raises(NotFound)  # expect: arg-type, reportArgumentType
def a_declaration() -> None: ...


@raises(FetchErrors)
def declared(pmid: str) -> str:
    return pmid


def a_call() -> None:
    declared(7)  # expect: arg-type, reportArgumentType


def an_error() -> None:
    NotFound("gone", {}, recourse="Order")  # expect: call-arg, reportCallIssue
    RateLimited("slow", retry_after="1 s")  # expect: arg-type, reportArgumentType
    ValidationError("bad", fields=["name"])  # expect: arg-type, reportArgumentType
    McpError("NotFound", "gone")  # expect: arg-type, reportArgumentType
