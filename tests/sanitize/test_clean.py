from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.sanitize.clean import folded, printable


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred", "red"),
        ("a\x00b\x08c\x7f", "abc"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("sk-\u200bproj\u2060-\u00adabc", "sk-proj-abc"),
        ("ab\u200dcd\u200cef", "abcdef"),
        ("ab\u200b\u200dcd", "abcd"),
        ("user\u202egnp.exe", "usergnp.exe"),
        ("hidden\U000e0061\U000e0062", "hidden"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("\ufeffBOM", "BOM"),
    ],
)
def test_what_acts_on_a_terminal_or_hides_goes(text: str, clean: str) -> None:
    assert printable(text) == clean


@pytest.mark.parametrize(
    "text",
    ["👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "❤️ ok", "می‌خواهم", "क्‍ष", "Größe × ñ", "注文", "עברית"],
)
def test_marks_that_belong_to_a_script_or_an_emoji_stay(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ｐａｓｓｗｏｒｄ＝ａ１", "password=a1"),
        ("a\u00a0=\u3000b", "a = b"),
        ("𝐭𝐨𝐤𝐞𝐧", "token"),
        ("p\u0430ssw\u043erd", "password"),
        ("пароль и ещё", "пароль и ещё"),
        ("½ ﬁ Größe", "½ ﬁ Größe"),
    ],
)
def test_what_imitates_a_letter_is_read_as_that_letter(text: str, plain: str) -> None:
    assert folded(text) == plain


@given(st.text(st.characters(), max_size=200))
def test_what_is_folded_keeps_its_places(text: str) -> None:
    assert len(folded(text)) == len(text)


@given(st.text(st.characters(), max_size=200))
def test_what_is_printable_is_valid_and_stays_as_it_is(text: str) -> None:
    clean = printable(text)

    clean.encode()
    assert printable(clean) == clean
