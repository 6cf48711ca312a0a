from __future__ import annotations

from typing import cast

import orjson
import pytest

from mcp_error_middleware import Contract, ErrorCode, Mode
from mcp_error_middleware.drift import Drift, changes, drift, in_words, modes_of, seen_in, suggested


class ShipErrors(Contract):
    no_stock = Mode(
        ErrorCode.CONFLICT, when="Too few boxes.", recovery="Call stock_of first and ask for less."
    )
    closed = Mode(
        ErrorCode.TIMEOUT, when="The depot is closed", recovery="Try again tomorrow.", retryable=False
    )


DECLARED = {"ship": modes_of(ShipErrors)}


def line(tool: str, code: str, reason: str | None = None, **more: object) -> bytes:
    return orjson.dumps({"event": "mcp.failure", "target": tool, "code": code, "reason": reason, **more})


def test_a_contract_is_told_in_json_and_in_words() -> None:
    assert modes_of(ShipErrors) == [
        {
            "reason": "no_stock",
            "code": "Conflict",
            "when": "Too few boxes.",
            "recovery": "Call stock_of first and ask for less.",
            "retryable": False,
        },
        {
            "reason": "closed",
            "code": "Timeout",
            "when": "The depot is closed",
            "recovery": "Try again tomorrow.",
            "retryable": False,
        },
    ]
    assert in_words(ShipErrors) == (
        "Fails with:\n- no_stock (Conflict): Too few boxes.\n- closed (Timeout): The depot is closed."
    )


def test_a_mode_that_was_seen_with_another_code_is_not_the_promised_one() -> None:
    seen = seen_in([line("ship", "Conflict", "closed"), line("ship", "Conflict", "no_stock")])
    assert drift(DECLARED, seen).undeclared == (
        "ship: closed (Conflict), which is declared as Timeout, once",
    )


def test_what_was_seen_is_compared_with_what_is_promised() -> None:
    seen = seen_in(
        [
            line("ship", "Conflict", "no_stock"),
            line("ship", "Forbidden", "embargo"),
            line("ship", "Forbidden", "embargo"),
            line("ship", "NotFound"),
            line("ship", "InternalError"),
            line("unpromised", "NotFound"),
        ]
    )
    assert drift(DECLARED, seen) == Drift(
        undeclared=("ship: NotFound without a reason, once", "ship: embargo (Forbidden), 2 times"),
        unseen=("ship: closed (Timeout)",),
    )


def test_contracts_are_drafted_for_what_has_a_name() -> None:
    seen = seen_in(
        [
            line("ship", "NotFound", method="tools/call"),
            line("greet", "Forbidden", method="prompts/get"),
            line("shop://orders/4", "NotFound", method="resources/read"),
        ]
    )
    assert seen.counts == {("ship", "", "NotFound"): 1, ("greet", "", "Forbidden"): 1}


def test_summaries_count_and_other_lines_are_passed_over() -> None:
    seen = seen_in(
        [
            b"INFO: started",
            b'{"event": "request"}',
            b"[1]",
            b'{"event": "mcp.failure"}',
            line("ship", "NotFound", event="mcp.failures", count=7),
        ]
    )
    assert seen.counts == {("ship", "", "NotFound"): 7}


@pytest.mark.parametrize(
    ("before", "found"),
    [
        (DECLARED, ()),
        ({}, ("ship: closed is new", "ship: no_stock is new")),
        ({**DECLARED, "bill": [{"reason": "unpaid"}]}, ("bill: unpaid is gone",)),
        (
            {"ship": [{**DECLARED["ship"][0], "code": "NotFound"}, DECLARED["ship"][1]]},
            ("ship: no_stock has another code: NotFound became Conflict",),
        ),
    ],
)
def test_a_snapshot_tells_what_clients_would_notice(
    before: dict[str, object], found: tuple[str, ...]
) -> None:
    assert changes(before, DECLARED) == found  # type: ignore[arg-type]


def test_a_draft_is_a_contract_that_can_be_declared() -> None:
    seen = seen_in(
        [
            line("ship-it", "Forbidden", "embargo", message='No "goods" go there.\n'),
            line("ship-it", "NotFound", message="Order 5 was not found."),
            line("ship-it", "InternalError"),
        ]
    )
    source = suggested(seen)
    made: dict[str, type[Contract]] = {}
    exec(source, {"Contract": Contract, "Mode": Mode, "ErrorCode": ErrorCode}, made)
    assert [(mode.reason, mode.code.label) for mode in made["ShipItErrors"]] == [
        ("embargo", "Forbidden"),
        ("not_found", "NotFound"),
    ]
    assert "Order 5 was not found." in source


def test_what_is_declared_is_not_suggested_again() -> None:
    assert suggested(seen_in([line("ship", "Conflict", "no_stock")]), DECLARED) == ""


@pytest.mark.parametrize("reason", ["Über Größe!", "class", "modes", "404", "a__b", "日本", "noMatch"])
def test_what_is_suggested_can_be_declared_whatever_the_reason(reason: str) -> None:
    line = orjson.dumps({"event": "mcp.failure", "target": "ship", "reason": reason, "code": "Conflict"})
    names = {"Contract": Contract, "Mode": Mode, "ErrorCode": ErrorCode}

    exec(suggested(seen_in([line])), names)

    (mode,) = cast("type[Contract]", names["ShipErrors"])
    assert mode.code is ErrorCode.CONFLICT
