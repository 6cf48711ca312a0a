from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "| user | password |\n| --- | --- |\n| bob | sunshine |",
            "| user | password |\n| --- | --- |\n| bob | [redacted:password] |",
        ),
        (
            " id | api_key \n----+---------\n 3  | sunshine\n(1 row)",
            " id | api_key \n----+---------\n 3  | [redacted:key]\n(1 row)",
        ),
        (
            "id,token,city\n3,sunshine,Rome\n4,moonlight,Bonn",
            "id,token,city\n3,[redacted:token],Rome\n4,[redacted:token],Bonn",
        ),
        ('"user","token"\n"bob","sunshine"', '"user","token"\n"bob","[redacted:token]"'),
        ("see user,token\nbob,sunshine", "see user,token\nbob,[redacted:token]"),
        ("bad rows:\nuser\tpassword\nbob\tsunshine", "bad rows:\nuser\tpassword\nbob\t[redacted:password]"),
    ],
)
def test_what_stands_below_the_name_of_a_secret_goes(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "| field | rule |\n| password | required |\n| email | optional |",
        "email, password, name\nmissing, empty, invalid",
        "Please check the password, then retry\nOr wait, and see",
        "a tuple of\nusername,password.\n\n:rtype: (str,str)",
        "id,token_type,city\n3,bearer,Rome",
        "user,password\nThe rest of the text is a sentence.",
        "user,password\nare required",
        "columns: id,token_type\n1,bearer",
        "Provide user,password,role\nor a token",
        "| field | rule |\n|---|---|\n| password | required |",
        "username,password\nusername,password",
    ],
)
def test_what_only_looks_like_a_table_of_secrets_stays(text: str) -> None:
    assert sanitize_text(text) == text
