from __future__ import annotations

import html
import json
from collections.abc import Callable

import pytest

from mcp_error_middleware.sanitize import Limits, Scrubber, sanitize_text
from mcp_error_middleware.sanitize.escapes import strings
from mcp_error_middleware.sanitize.spans import Span
from tests.sanitize.leaks import LEAKS
from tests.sanitize.test_scrubber import BENIGN


def _json(text: str) -> str:
    return json.dumps({"error": "out of stock", "detail": text, "code": 5})


def _twice(text: str) -> str:
    return json.dumps({"body": json.dumps({"detail": text}, ensure_ascii=False)})


def _repr(text: str) -> str:
    return f"RuntimeError({text!r})"


def _html(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def _log(text: str) -> str:
    return f"2025-01-02 03:04:05,678 ERROR [worker-3] {text}"


WRAPPERS = (_json, _twice, _repr, _html, _log)
WHOLE = Scrubber(Limits(text=8_000))


@pytest.mark.parametrize("wrapped", WRAPPERS)
def test_what_must_not_leave_does_not_leave_inside_another_text(wrapped: Callable[[str], str]) -> None:
    leaks = [text for secret, text in LEAKS if secret in WHOLE.text(wrapped(text))]

    assert leaks == []


@pytest.mark.parametrize("wrapped", WRAPPERS)
def test_what_is_harmless_is_harmless_inside_another_text(wrapped: Callable[[str], str]) -> None:
    damaged = [text for text in BENIGN if WHOLE.text(wrapped(text)) != wrapped(text)]

    assert damaged == []


@pytest.mark.parametrize("wrapped", [_json, _twice])
def test_json_stays_json_whatever_is_cut_out_of_its_strings(wrapped: Callable[[str], str]) -> None:
    for _, text in LEAKS:
        json.loads(WHOLE.text(wrapped(text)))


NUMBERS = [
    {"pin": 4711, "x": 1},
    {"a": {"password": 12345678, "b": [1, 2]}},
    {"cvv": 123, "card": 4111111111111111},
    {"cards": [1, 4111111111111111]},
    {"secret": [1, 2, 3]},
    {"secret": {"a": 1}},
    [{"otp": 999999.5}],
]


@pytest.mark.parametrize("said", NUMBERS, ids=repr)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_stays_json_whatever_numbers_are_cut_out_of_it(said: object, indent: int | None) -> None:
    plainly = json.dumps(said, indent=indent)
    for text in (plainly, json.dumps(said, separators=(",", ":"))):
        for wrapped in (text, _json(text), _twice(text)):
            json.loads(sanitize_text(wrapped))
    assert "[redacted:" in sanitize_text(plainly) or said == {"secret": {"a": 1}}
    assert sanitize_text(f"it said {plainly}") == f"it said {sanitize_text(plainly)}"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ('{"pin": 4711}', '{"pin": "[redacted:code]"}'),
        ("{'pin': 4711}", "{'pin': [redacted:code]}"),
        ('{"a": "password\\tvelvet99", "b": 1}', '{"a": "password\\t[redacted:password]", "b": 1}'),
        ('{"a": "contrase\\u00f1a: velvet99"}', '{"a": "contrase\\u00f1a: [redacted:password]"}'),
        ("'- name: DB_PASSWORD\\n  value: velvet'", "'- name: DB_PASSWORD\\n  value: [redacted:password]'"),
        ("&lt;pwd&gt;velvet&lt;/pwd&gt;", "&lt;pwd&gt;[redacted:password]&lt;/pwd&gt;"),
        ("'pwd' =&gt; 'velvet'", "'pwd' =&gt; '[redacted:password]'"),
        (
            '{"Arn":"arn:aws:iam::123456789012:user/x\\"","a":1}',
            '{"Arn":"[redacted:arn]\\"","a":1}',
        ),
        ("TypeError: smtp_pass velvet", "TypeError: smtp_pass [redacted:password]"),
        ("caf\\u00e9 \\\\u00e9\\\\u00e8", "caf\\u00e9 \\\\u00e9\\\\u00e8"),
        ('{"error": "wrong token", "detail": "late"}', '{"error": "wrong token", "detail": "late"}'),
        ('["wrong token", "order 42 is late"]', '["wrong token", "order 42 is late"]'),
    ],
)
def test_a_text_within_a_text_is_read_as_its_reader_will(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


def test_a_place_in_an_inner_text_is_found_where_it_is_written() -> None:
    text = '{"a": "x\\n\\u00e9 yzz"}'
    inner = strings(text).texts[0]

    assert inner.text == "x\né yzz"
    (span,) = inner.written([Span(2, 5, "odd")])
    assert text[span.start : span.end] == "\\u00e9 y"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("'\\ud83d\\ude00 is fine'", "😀 is fine"),
        ("'a\\x00b\\u200bc\\u00a0d here'", "abc d here"),
        (">a &amp;lt; b &#65; &#x42; here</", "a &lt; b A B here"),
        ("'C:\\dir is a \\d place'", "C:\\dir is a \\d place"),
        ("'\\ud83d is a half one'", " is a half one"),
    ],
)
def test_escapes_are_read_once(written: str, read: str) -> None:
    assert strings(written).texts[0].text == read


def test_a_place_is_cut_at_the_quote_of_its_string_and_goes_on_in_the_next_one() -> None:
    found = strings('["abc def", "ghi"]')

    assert list(found.within([Span(4, 15, "odd")])) == [Span(4, 9, "odd"), Span(13, 15, "odd")]
    assert list(strings('"a\\"b": 1').within([Span(1, 3, "odd")])) == [Span(1, 2, "odd")]
