from __future__ import annotations

import io
import sys

import pytest

from mcp_error_middleware import Call, ErrorPolicy, Failure, Triage
from mcp_error_middleware.telemetry import observed
from mcp_error_middleware.telemetry.console import draw
from mcp_error_middleware.telemetry.logs import record


def _failure() -> Failure:
    error = RuntimeError("price lookup failed")
    error.__cause__ = ExceptionGroup(
        "both", [OSError("dsn postgresql://shop:hunter2@db/x"), KeyError("price")]
    )
    error.add_note("asked twice\nand again")
    return Triage()(error, Call(target="price"))


def test_the_cause_chain_is_drawn_as_a_tree() -> None:
    failure = _failure()

    drawn = draw("mcp.failure", record(failure)).splitlines()

    assert drawn[0] == f"{failure.name} in tools/call price: {failure.message}"
    assert drawn[1].startswith(f"  error id {failure.error_id}, ")
    assert drawn[-5:] == [
        "  RuntimeError: price lookup failed",
        "     note: asked twice",
        "     └─ caused by ExceptionGroup: both (2 sub-exceptions)",
        "        └─ OSError: dsn postgresql://[redacted:url-credentials]@[redacted:host]/x",
        "        └─ KeyError: 'price'",
    ]


def test_the_apps_own_place_is_shown_however_deep_in_a_library_it_was_raised() -> None:
    fields = record(_failure())
    cause = {**fields["causes"][0], "at": "shop.py:1 in price", "frames": ["shop.py:1 in price", *"abcd"]}

    drawn = draw("mcp.failure", {**fields, "causes": [cause]}).splitlines()

    assert [line.strip() for line in drawn if " at " in line] == ["at shop.py:1 in price", "at c", "at d"]


def test_a_count_is_one_line() -> None:
    fields = {
        "count": 7,
        "first_error_id": "a",
        "last_error_id": "b",
        "code": "Timeout",
        "method": "tools/call",
        "target": "price",
    }

    assert draw("mcp.failures", fields) == "Timeout in tools/call price: 7 more of the same, a to b\n"


def test_nothing_in_a_text_can_act_on_the_terminal() -> None:
    failure = Triage()(ValueError("\x1b[2Jgone"), Call(target="\x1b]0;title\x07price"))

    assert "\x1b" not in draw("mcp.failure", record(failure))
    assert draw("mcp.failure", record(failure), is_colourful=True).count("\x1b") == 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "console", "is_drawn", "is_colourful"),
    [
        (Terminal(), None, True, True),
        (Terminal(), False, False, False),
        (io.StringIO(), None, False, False),
        (io.StringIO(), True, True, False),
    ],
)
def test_a_person_at_a_terminal_gets_the_drawing_and_a_program_the_line(
    stream: io.StringIO,
    console: bool | None,
    is_drawn: bool,
    is_colourful: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream)
    observed(ErrorPolicy(console=console))(ValueError("odd"), Call(target="price"))

    said = stream.getvalue()
    assert said.startswith("{") is not is_drawn
    assert ("\x1b" in said) is is_colourful


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colours_gets_the_drawing_without(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Terminal()
    monkeypatch.setenv(variable, value)
    monkeypatch.setattr(sys, "stderr", stream)
    observed(ErrorPolicy())(ValueError("odd"), Call(target="price"))

    assert stream.getvalue().startswith("ValidationError in tools/call price: odd\n")
