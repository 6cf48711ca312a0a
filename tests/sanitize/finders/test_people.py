from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.finders.people import luhn


@pytest.mark.parametrize("number", ["4111111111111111", "378282246310005", "6011000990139424"])
def test_the_check_digit_of_a_card_is_known(number: str) -> None:
    assert luhn(number)
    assert not luhn(number[:-1] + str((int(number[-1]) + 1) % 10))


def test_a_card_is_found_among_other_digits() -> None:
    assert sanitize_text("4111 1111 1111 1111 12/26 123") == "[redacted:card] 12/26 123"


def test_a_bank_account_is_found_before_other_words() -> None:
    assert sanitize_text("DE89 3704 0044 0532 0130 00 was closed") == "[redacted:iban] was closed"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("邮箱jane.doe@example.io已存在", "邮箱[redacted:email]已存在"),
        ("이메일 jane@example.co.kr은 사용 중", "이메일 [redacted:email]은 사용 중"),
        ("jane@2x.com and jane@2x.png.com", "[redacted:email] and [redacted:email]"),
        ("call 00442079460958 now", "call [redacted:phone] now"),
        ("用户@例子.公司 不存在", "[redacted:email] 不存在"),
        ("李雷@example.io 不存在", "[redacted:email] 不存在"),
        ("see https://example.com, jane@example.io", "see https://example.com, [redacted:email]"),
    ],
)
def test_only_what_belongs_to_somebody_goes(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "support@example.com",
        "pkg@1.2.3",
        "2024-05-01T10:00:00+02:00",
        "order 4111111111111112",
        "978-3-16-148410-0",
        "logo@2x.png",
        "sprite@1.5x.svg and icon@3x~ipad.png",
        "bad id 00300000003T2PG",
        "https://user:pass@example.com/ is how one is written",
    ],
)
def test_what_belongs_to_nobody_stays(text: str) -> None:
    assert sanitize_text(text) == text
