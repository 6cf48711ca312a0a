from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.keys import Sensitive
from mcp_error_middleware.sanitize.notation import Name, Notation, value_of

PASSWORD = Sensitive("password", numeric=True)


def _value(text: str, name: str = "pwd", sensitive: Sensitive = PASSWORD) -> tuple[str, Notation] | None:
    start = text.index(name)
    value = value_of(text, Name(start, start + len(name), sensitive))
    return (text[value.start : value.end], value.notation) if value else None


@pytest.mark.parametrize(
    ("text", "value", "notation"),
    [
        ("pwd=a1", "a1", Notation.ASSIGNED),
        ("pwd = a1", "a1", Notation.LISTED),
        ("pwd: a1", "a1", Notation.LISTED),
        ("pwd: 'a 1'", "a 1", Notation.ASSIGNED),
        ('"pwd": "a 1", "b": 2', "a 1", Notation.ASSIGNED),
        ("'pwd' => 'a1'", "a1", Notation.ASSIGNED),
        ("b'pwd': b'a1'", "a1", Notation.ASSIGNED),
        ('\\"pwd\\": \\"a1\\"', "a1", Notation.ASSIGNED),
        ("&quot;pwd&quot;:&quot;a1&quot;", "a1", Notation.ASSIGNED),
        ("pwd%3Da1%26b%3D2", "a1", Notation.ASSIGNED),
        ("user[pwd]=a1&b=2", "a1", Notation.ASSIGNED),
        ("pwd=a,b;c&d next", "a,b;c&d", Notation.ASSIGNED),
        ("pwd=a1, b=2", "a1", Notation.ASSIGNED),
        ("pwd=a1;b=2", "a1", Notation.ASSIGNED),
        ("(pwd=a1)", "a1", Notation.ASSIGNED),
        ("pwd='it's' next", "it's", Notation.ASSIGNED),
        ('pwd="a\\"b" next', 'a\\"b', Notation.ASSIGNED),
        ('"pwd": "never closed', "never closed", Notation.ASSIGNED),
        ("pwd: {a: 1}", "a: 1", Notation.ASSIGNED),
        ("<pwd>a1</pwd>", "a1", Notation.ASSIGNED),
        ("<x:pwd type='t'>a1</x:pwd>", "a1", Notation.ASSIGNED),
        ('<add name="pwd" value="a1"/>', "a1", Notation.ASSIGNED),
        ('{"name": "pwd", "value": "a1"}', "a1", Notation.ASSIGNED),
        ('name="pwd"\n\na1\n--x', "a1", Notation.ASSIGNED),
        ("('pwd', 'a1')", "a1", Notation.PAIRED),
        ("--pwd a1 --x", "a1", Notation.FLAGGED),
        ("pwd is a1.", "a1", Notation.SAID),
        ("pwd for bob is a1", "a1", Notation.SAID),
        ("pwd for bob: a1", "a1", Notation.LISTED),
        ("pwd 'a1' x", "a1", Notation.QUOTED),
        ("pwd a1 x", "a1", Notation.BESIDE),
        ("pwd (a1) x", "a1", Notation.BESIDE),
        ("pwd:\n  a1", "a1", Notation.BESIDE),
        ("pwd: |\n  a1", "a1", Notation.LISTED),
        ("pwd: !!str a1", "a1", Notation.LISTED),
        ("{name: pwd, value: a1}", "a1", Notation.ASSIGNED),
        ("pwd|a1", "a1", Notation.PAIRED),
        ("pwd\ta1", "a1", Notation.PAIRED),
        ("set pwd to a1", "a1", Notation.BESIDE),
        ("pwd: correct horse battery staple", "correct horse battery staple", Notation.ASSIGNED),
        ("pwd=[redacted:x]a1", "[redacted:x]a1", Notation.ASSIGNED),
    ],
)
def test_a_value_is_found_in_every_notation(text: str, value: str, notation: Notation) -> None:
    assert _value(text) == (value, notation)


@pytest.mark.parametrize("text", ["pwd", "pwd=", "pwd=[redacted:x]", "pwd: <your password>", "pwd/x"])
def test_where_nothing_follows_there_is_no_value(text: str) -> None:
    assert _value(text) is None


def test_a_header_keeps_the_name_of_its_scheme() -> None:
    token = Sensitive("token")

    assert _value("Authorization: Bearer a1 x", "Authorization", token) == ("a1", Notation.LISTED)
    assert _value('Authorization: Digest u="b", r="c"\nx', "Authorization", token) == (
        'Digest u="b", r="c"',
        Notation.ASSIGNED,
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Cookie: a=b; c=d\nx", "a=b; c=d"),
        (
            "Cookie: a=b; Expires=Wed, 1 May 2024 10:00:00 GMT; c=d is old",
            "a=b; Expires=Wed, 1 May 2024 10:00:00 GMT; c=d",
        ),
        ("Cookie: a=b; Expires=Wed, 1 May 2024 10:00:00 GMT; Secure is old", "a=b"),
        ("Cookie: a=b; path=/; c=d; lang=de; theme=dark", "a=b; path=/; c=d"),
        (
            "Cookie: a=b; lang=7f3a9c2d1e",
            "a=b; lang=7f3a9c2d1e",
        ),
        ("Cookie: a=b c=d is odd", "a=b c=d is odd"),
    ],
)
def test_cookies_end_where_no_other_can_follow(text: str, value: str) -> None:
    assert _value(text, "Cookie", Sensitive("cookie")) == (value, Notation.ASSIGNED)


def test_where_a_secret_is_missing_what_it_is_missing_from_is_not_it() -> None:
    text = "password\n  Field required [type=missing, input_value={'username': 'guest'}, input_type=dict]"
    assert sanitize_text(text) == text
