from __future__ import annotations

import base64
import functools
import json
import sys
import tomllib
from collections.abc import Callable
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import msgspec
import orjson
import pytest
from fastmcp.exceptions import ToolError

from mcp_error_middleware.advice import Around, computed
from mcp_error_middleware.errors import SerializationError
from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.triage import Triage


def answer(exc: BaseException, triage: Triage | None = None, **arguments: Any) -> tuple[str, str]:
    call, around = Call(target="convert"), Around(arguments=arguments)
    failure = (triage or Triage())(exc, call, around=around)
    return failure.code.label, failure.hint.text


def raised(step: Callable[..., object], *args: object) -> BaseException:
    try:
        step(*args)
    except Exception as exc:
        return exc
    raise AssertionError("nothing was raised")


CORRECT = ("ValidationError", "Correct text as described, then call again.")

READERS = pytest.mark.parametrize(
    ("read", "text"),
    [
        (json.loads, '{"size": '),
        (orjson.loads, '{"size": '),
        (tomllib.loads, "size = ["),
        (ElementTree.fromstring, "<order><size></order>"),
    ],
    ids=["json", "orjson", "toml", "xml"],
)


@READERS
def test_a_text_of_the_caller_that_does_not_read_is_the_callers_to_mend(read: Any, text: str) -> None:
    assert answer(raised(read, text), text=text, strict=True) == CORRECT


@READERS
def test_a_text_from_elsewhere_that_does_not_read_is_not(read: Any, text: str) -> None:
    def fetch(order: str) -> object:
        fetched = text
        return read(fetched)

    for sent in ("ord_1", "[ord_1]", "https://orders.example/1"):
        label, hint = answer(raised(fetch, sent), text=sent)
        assert label == "SerializationError"
        assert "text" not in hint


def test_who_wraps_the_refusal_changes_nothing() -> None:
    def convert(text: str) -> object:
        try:
            return json.loads(text)
        except ValueError as exc:
            raise RuntimeError("could not convert") from exc

    assert answer(raised(convert, "{"), text="{") == CORRECT


def test_a_parser_that_fetches_holds_more_than_what_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    feeds = ModuleType("feeds")
    monkeypatch.setitem(sys.modules, "feeds", feeds)
    source = "class ParseError(Exception): ...\ndef parse(address):\n    raise ParseError('no feed')\n"
    exec(compile(source, "site-packages/feeds.py", "exec"), feeds.__dict__)

    for sent in ("https://news.example/feed?(1)", "feeds/today (1).xml", "today", "New York, USA"):
        assert answer(raised(feeds.parse, sent), text=sent)[0] == "SerializationError"
    assert answer(raised(feeds.parse, "<feed><item>"), text="<feed><item>") == CORRECT


def test_what_the_application_itself_holds_tells_nothing() -> None:
    class ParseError(Exception): ...

    def convert(text: str) -> object:
        raise ParseError("the answer of the store is damaged")

    assert answer(raised(convert, "{}"), text="{}")[0] == "SerializationError"


def test_what_its_author_says_of_a_document_stays() -> None:
    error = SerializationError("The order in the store is damaged.")
    error.__cause__ = raised(json.loads, "{")

    assert answer(error, text="{")[0] == "SerializationError"


def test_nothing_is_looked_for_where_nobody_wants_suggestions() -> None:
    triage = Triage(ErrorPolicy(suggest=False))

    assert answer(raised(json.loads, "{"), triage, text="{")[0] == "SerializationError"


def test_a_reader_without_frames_was_handed_what_it_did_not_read() -> None:
    def convert(text: str) -> object:
        return msgspec.json.decode(text.encode())

    def fetch(text: str) -> object:
        fetched = "{" + text
        return msgspec.json.decode(fetched)

    assert answer(raised(convert, "{"), text="{")[0] == "ValidationError"
    assert answer(raised(fetch, "{"), text="{")[0] == "SerializationError"


def test_a_text_of_the_caller_is_known_by_the_bytes_that_were_made_of_it() -> None:
    def unpack(text: str) -> bytes:
        return base64.b64decode(text, validate=True)

    assert answer(raised(unpack, "abc"), text="abc") == CORRECT
    assert answer(raised(unpack, "abc"), text="abcd")[0] == "SerializationError"


def test_a_parser_made_by_cython_was_given_what_the_app_handed_over() -> None:
    failed = type("DecodeError", (Exception,), {"__module__": "orders"})
    parser: dict[str, Any] = {"__name__": "orders", "DecodeError": failed}
    exec(compile("def parse(*_):\n    raise DecodeError('unclosed')\n", "src/orders.pyx", "exec"), parser)
    parse = functools.partial(parser["parse"])  # called from C, as what Cython makes is

    def convert(text: str) -> object:
        return parse(text)

    assert answer(raised(convert, "{size"), text="{size") == CORRECT
    assert answer(raised(convert, "{size"), text="{price")[0] == "SerializationError"


@pytest.mark.parametrize("term", ["1/0", "boxes + 1", "'a' + 1", "9.0**9999", "[][1]", "{}['a']", "None.x"])
def test_a_term_of_the_caller_that_cannot_be_computed_is_the_callers_to_mend(term: str) -> None:
    def calculate(expression: str) -> object:
        return eval(expression, {"__builtins__": {}})

    def wrapped(expression: str) -> object:
        try:
            return calculate(expression)
        except Exception as error:
            raise RuntimeError(f"calculation failed: {error}") from error

    told = ("ValidationError", "Correct expression as described, then call again.")
    assert answer(raised(calculate, term), expression=term) == told
    assert answer(raised(wrapped, term), expression=term) == told
    assert answer(raised(calculate, term), expression=f"{term} + 1")[0] == "InternalError"


def test_a_term_of_the_caller_may_be_computed_by_a_library() -> None:
    source = "def evaluate(term):\n    return divide(*map(int, term.split('/')))\n"
    library: dict[str, Any] = {"__name__": "sums"}
    exec(compile(source, "site-packages/sums.py", "exec"), library)
    exec(compile("def divide(a, b):\n    return a / b\n", "site-packages/sums.py", "exec"), library)

    def calculate(expression: str) -> object:
        return library["evaluate"](expression)

    def mean(name: str) -> float:
        return sum(()) / len(())

    def told(expression: str) -> object:
        try:
            return calculate(expression)
        except ArithmeticError as error:
            raise ToolError(f"calculation failed: {error}") from error

    assert answer(raised(calculate, "7/0"), expression="7/0")[0] == "ValidationError"
    assert answer(raised(told, "7/0"), expression="7/0")[0] == "ValidationError"
    assert answer(raised(told, "7/0"), name="7/1")[0] == "InternalError"
    assert answer(raised(mean, "7/0"), name="7/0")[0] == "InternalError"
    assert computed([["7/0"]], None) is None


def test_a_term_that_the_app_wrote_is_not_the_callers() -> None:
    def calculate(name: str) -> object:
        term = "1/0"
        return eval(term)

    assert answer(raised(calculate, "ord_1"), name="ord_1")[0] == "InternalError"
    assert answer(raised(calculate, "a.b"), name="a.b")[0] == "InternalError"
