"""What exceptions of servers that know nothing of us say, and what an agent reads."""

from __future__ import annotations

import json
from concurrent.futures import Future
from subprocess import CalledProcessError

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mcp_error_middleware import Conflict, Triage
from mcp_error_middleware.render import error_text
from tests.stacks.faults import httpx


class InvalidGitRepositoryError(ValueError):
    """As GitPython has one: the path is all it says."""


def said(exc: BaseException) -> str:
    return Triage()(exc).message


def caused(exc: Exception, cause: Exception) -> Exception:
    exc.__cause__ = cause
    return exc


@pytest.mark.parametrize(
    "text",
    [
        "Error: the id is invalid",
        "ERROR: the id is invalid",
        "Error: Error: the id is invalid",
        "[error]: the id is invalid",
        '{"status": "error", "message": "the id is invalid"}',
        '{"success": false, "error": "Error: the id is invalid"}',
        '{"error": true, "msg": "the id is invalid"}',
    ],
)
def test_that_it_is_an_error_is_said_once(text: str) -> None:
    failure = Triage()(ValueError(text))

    assert failure.message == "the id is invalid"
    assert error_text(failure).startswith("Error: the id is invalid\n")


@pytest.mark.parametrize(
    "text",
    [
        '{"error": "the id is invalid", "hint": "Call list_ids."}',
        '{"status": "error", "message": ""}',
        '{"message": ["the id is invalid"]}',
        '{"id": "invalid"}',
        "{not an object}",
        "{}",
        "Error:",
        "Errors: two ids are invalid",
        "Error budget: invalid",
        json.dumps({"message": "invalid " * 500}),
    ],
)
def test_what_says_more_stays_whole(text: str) -> None:
    assert said(ValueError(text)).startswith(text[:400])


def test_a_library_s_manual_is_not_recommended() -> None:
    request = httpx.Request("GET", "https://shop.example/orders/7")
    with pytest.raises(httpx.HTTPStatusError) as caught:
        httpx.Response(404, request=request).raise_for_status()

    assert "developer.mozilla.org" in str(caught.value)
    assert said(caught.value) == "Client error '404 Not Found' for url 'https://shop.example/orders/7'"


def test_a_path_alone_is_explained_by_its_class() -> None:
    assert said(InvalidGitRepositoryError("shop")) == "Invalid git repository: shop"
    assert said(InvalidGitRepositoryError("shop is bare")) == "shop is bare"
    assert said(FileNotFoundError("prices.csv")) == "File not found: prices.csv"
    assert said(ValueError("prices.csv")) == "prices.csv"


def test_a_path_alone_is_explained_where_it_is_cut_out_or_repeated_by_a_wrapper() -> None:
    def repeated(as_what: type[Exception]) -> Exception:
        return caused(as_what("/srv/shop/orders"), InvalidGitRepositoryError("/srv/shop/orders"))

    assert said(InvalidGitRepositoryError("/srv/shop/orders")) == "Invalid git repository: [redacted:path]"
    assert said(repeated(ToolError)) == "Invalid git repository: [redacted:path]"
    assert said(repeated(RuntimeError)) == "Invalid git repository: [redacted:path]"


def test_what_shows_an_object_leaves_the_word_to_the_cause() -> None:
    class GaveUpError(Exception):
        """As tenacity has one: it shows what it waited for."""

    odd = ValueError("boxes must be even, not 3")
    assert said(caused(GaveUpError(f"GaveUpError[{Future()!r}]"), odd)) == "boxes must be even, not 3"
    assert said(caused(GaveUpError("after <3 tries at noon>"), odd)) == "after <3 tries at noon>"


def test_what_an_author_declared_is_not_added_to() -> None:
    assert said(Conflict("taken")) == "taken"


def test_a_sum_that_cannot_be_done_is_named() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 / 0

    assert said(caught.value) == "An internal error stopped the operation. Python says: division by zero."
    assert said(ZeroDivisionError("the rate of anna is 0")) == "An internal error stopped the operation."


def test_how_a_program_ended_is_said_and_nothing_of_what_it_was_given() -> None:
    message = said(CalledProcessError(3, ["pay", "--pin", "hunter2"], stderr="hunter2 is wrong"))

    assert message == ("An internal error stopped the operation. A program it runs ended with exit status 3.")


def test_a_set_of_names_is_a_list_in_one_order() -> None:
    assert said(ValueError("Missing required arguments: {'name', 'age'}")) == (
        "Missing required arguments: 'age', 'name'"
    )
    assert said(ValueError("no such thing as {'name': 1}")) == "no such thing as {'name': 1}"
