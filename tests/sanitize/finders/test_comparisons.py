from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    "text",
    [
        '~ db_password = "Alpha-fox-1" -> "moonBronco1986" # forces replacement',
        'password: "Alpha-fox-1" => "sunshine" (forces new resource)',
        "password: sunshine -> moonlight",
        'password: "" -> "sunshine"',
        "password: null -> Sun-Shine1",
        '+ admin_password = (sensitive value) -> "Sun-Shine1"',
        '"token":"abc123DEF456" → "zzz999YYY888"',
        "passwords differ: Alpha-fox-1 vs Maple-anvil3 in config.json",
        "passwords do not match: 'Alpha-fox-1' != 'Maple-anvil3'",
        "expected password to equal 'Alpha-fox-1', but was 'Maple-anvil3'",
        'secret was "abc9zz7yy", is now "def8yy6xx"',
        "password updated: Alpha-fox-1 (was Maple-anvil3)",
        "password: 'Alpha-fox-1' -> 'Maple-anvil3' -> 'Birch-22x'",
    ],
)
def test_every_value_of_a_comparison_goes(text: str) -> None:
    clean = sanitize_text(text)

    secrets = "Alpha-fox-1 moonBronco1986 Sun-Shine1 sunshine moonlight Maple-anvil3 Birch-22x zzz999 def8yy"
    assert [word for word in secrets.split() if word in clean] == []


@pytest.mark.parametrize(
    "text",
    [
        "password -> string",
        "def check(password: str) -> bool: ...",
        "func token(secret: String) -> Data",
        "type mismatch: password: string != number",
        "expected password to equal confirmation",
        "expected password to be 'string', got 'number'",
        "expected password to be at least 12 characters, but was 8",
        "passwords differ: confirmation vs password",
        "password changed: please log in again",
        "password updated: 3 rows",
        "password: null -> required",
        "session_id: null -> undefined",
        "password rotated: yes (was no)",
        "max_tokens: 512 -> 2048",
    ],
)
def test_what_is_compared_without_a_value_stays(text: str) -> None:
    assert sanitize_text(text) == text


def test_what_is_around_the_values_stays() -> None:
    text = '~ master_password = "Alpha-fox-1" -> "moonBronco1986" # forces replacement'

    assert sanitize_text(text) == (
        '~ master_password = "[redacted:password]" -> "[redacted:password]" # forces replacement'
    )
