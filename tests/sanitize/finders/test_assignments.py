from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import Scrubber, sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("password=hunter2 rejected", "password=[redacted:password] rejected"),
        ("{'password': 'hunter2', 'user': 'bob'}", "{'password': '[redacted:password]', 'user': 'bob'}"),
        ('{"api_key":"abc123"}', '{"api_key":"[redacted:key]"}'),
        ('{\\"token\\": \\"abc\\", \\"a\\": 1}', '{\\"token\\": \\"[redacted:token]\\", \\"a\\": 1}'),
        ("a=1&token=abc123&b=2", "a=1&token=[redacted:token]&b=2"),
        ("Server=x;Password=hunter2;Encrypt=true", "Server=x;Password=[redacted:password];Encrypt=true"),
        ("<pwd>hunter2</pwd>", "<pwd>[redacted:password]</pwd>"),
        ("Authorization: Bearer abc123 was sent", "Authorization: Bearer [redacted:token] was sent"),
        ("the password is hunter2, try again", "the password is [redacted:password], try again"),
        ("--token abc123 --verbose", "--token [redacted:token] --verbose"),
        ("Cookie: a=b; c=d\nAccept: */*", "Cookie: [redacted:cookie]\nAccept: */*"),
        ("auth=('bob', 'hunter2')", "auth=([redacted:token])"),
        ("Cookie: a=b; c=d; path=/ was refused", "Cookie: [redacted:cookie]; path=/ was refused"),
        ("Cookie: a=b c=d was refused", "Cookie: [redacted:cookie]"),
        ("backup codes: 11855873, 58955993 were used", "backup codes: [redacted:code] were used"),
        ("tokens.yaml: password: hunter2", "tokens.yaml: password: [redacted:password]"),
        ("user / password: bob / hunter2, again", "user / password: [redacted:password], again"),
        ("auth-user-pass: bob / Otter527", "auth-user-pass: [redacted:password]"),
        ("password: hunter2 / again", "password: [redacted:password] / again"),
        ('["pwd":protected]=> string(7) "hunter2"', '["pwd":protected]=> string(7) "[redacted:password]"'),
        ("[pwd:A\\B:private] => hunter2", "[pwd:A\\B:private] => [redacted:password]"),
        ("CONFIG SET requirepass hunter2", "CONFIG SET requirepass [redacted:password]"),
        ("pwd = (known after apply)", "pwd = (known after apply)"),
        ('<input value="hunter two" name="pwd">', '<input value="[redacted:password]" name="pwd">'),
        ('<input value="hunter two" name="nick">', '<input value="hunter two" name="nick">'),
        ('{s:3:"pwd";s:7:"hunter2";}', '{s:3:"pwd";s:7:"[redacted:password]";}'),
        ('{<<"pwd">>,<<"hunter2">>}', '{<<"pwd">>,<<"[redacted:password]">>}'),
        ("ParameterKey=Pwd,ParameterValue=otter", "ParameterKey=Pwd,ParameterValue=[redacted:password]"),
        ('assert access_token === "otter"', 'assert access_token === "[redacted:token]"'),
        ('expected access_token: "otter"', 'expected access_token: "[redacted:token]"'),
        ('expected token: "otter"', 'expected token: "otter"'),
        ("map[client_secret:otter port:80]", "map[client_secret:[redacted:secret] port:80]"),
        ("client_secret: wrong port given", "client_secret: wrong port given"),
        ("Map(client_secret -> otter, a -> 1)", "Map(client_secret -> [redacted:secret], a -> 1)"),
        ("failed (api key: otter-22)", "failed (api key: [redacted:key])"),
        ("failed (sort key: otter-22)", "failed (sort key: otter-22)"),
        ("cookie: SameSite=None needs Secure", "cookie: SameSite=None needs Secure"),
        ("Cookie: path=a; sid=otter", "Cookie: [redacted:cookie]"),
        ("token_type=bearer expires_in=3600", "token_type=bearer expires_in=3600"),
        ("gpg key 6DDF17D1162387BE has expired", "gpg key 6DDF17D1162387BE has expired"),
        ("API key(s): otter22", "API key(s): [redacted:key]"),
        ("API key(s): 22", "API key(s): 22"),
        ("cookie=$cookie session=$session_id", "cookie=$cookie session=$session_id"),
    ],
)
def test_the_value_goes_and_everything_around_it_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


def test_more_names_than_any_message_has_go_as_one() -> None:
    assert sanitize_text("token: a1 " * 150) == "[redacted:secret]"


def test_a_value_cut_off_before_its_quote_goes_to_the_end() -> None:
    assert (
        sanitize_text('{"user": "bob", "password": "hunter two')
        == '{"user": "bob", "password": "[redacted:password]'
    )


def test_a_secret_glued_to_a_placeholder_goes_with_it() -> None:
    assert sanitize_text("password=[redacted:token]hunter2") == "password=[redacted:password]"


def test_names_only_this_server_knows_are_sensitive_in_text_too() -> None:
    scrubber = Scrubber(extra_keys=frozenset({"memberNumber"}))

    assert scrubber.text("member_number=42 and Member Number: abc") == (
        "member_number=42 and Member Number: [redacted:secret]"
    )
    assert scrubber.text("member_number=4711") == "member_number=[redacted:secret]"


@pytest.mark.parametrize(
    "text",
    [
        "full_key: \n    reference_type=Any",
        "password:\n  type: string\n  minLength: 8",
        "token:\nstatus=401",
        "secret:\n  name: tls-cert",
        "key:\n\nthird",
        "KEY 'first'\n\nthird",
    ],
)
def test_what_stands_on_the_lines_below_a_name_has_names_of_its_own(text: str) -> None:
    assert sanitize_text(text) == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("-Dpwd=hunter2 -Xmx512m -XX:+UseG1GC", "-Dpwd=[redacted:password] -Xmx512m -XX:+UseG1GC"),
        ("docker login --password-stdin ghcr.io failed", "docker login --password-stdin ghcr.io failed"),
        ("docker login --password-stdin hunter2", "docker login --password-stdin [redacted:password]"),
        ("gh auth login --with-token expects stdin", "gh auth login --with-token expects stdin"),
        ("chpasswd: pam_unix: token error", "chpasswd: pam_unix: token error"),
        ("chpasswd: Xk9f2Lm! is bad", "chpasswd: [redacted:password] is bad"),
        ("chpasswd: Harbor-Tiger-48", "chpasswd: [redacted:password]"),
        ("login -p Dr4g0nCloud30 -XDr4g0nCloud30", "login -p [redacted:password] [redacted:token]"),
        ("--password -Xabc123 failed", "--password [redacted:password] failed"),
        ("login failed for bob with -Xabc123F", "login failed for bob with [redacted:token]"),
    ],
)
def test_what_follows_the_value_of_an_option_is_another(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "to=https%3A%2F%2Fexample.com%2Fcb%3Faccess_token%3DV17UnYIzo51sX59Xfg8Y9yB9mA09q1qF%26page%3D2",
            "to=https%3A%2F%2Fexample.com%2Fcb%3Faccess_token%3D[redacted:token]%26page%3D2",
        ),
        (
            "x=%7B%22password%22%3A%22Lantern_moon18!%22%2C%22page%22%3A1%7D",
            "x=%7B%22password%22%3A%22[redacted:password]%22%2C%22page%22%3A1%7D",
        ),
        (
            "x=%7B%22api_key%22%3A%22w0UbaAlOBQXNEsYMnWzfygVXZQrBv6iN%22%2C%22lang%22%3A%22en%22%7D",
            "x=%7B%22api_key%22%3A%22[redacted:key]%22%2C%22lang%22%3A%22en%22%7D",
        ),
        (
            "u=https%3A%2F%2Fkim%3AVelvet_stone82!%40db.internal%2Flist",
            "u=https%3A%2F%2F[redacted:url-credentials]%40[redacted:host]%2Flist",
        ),
        (
            "login failed, next=https%3A%2F%2Fexample.com%2Fcb%3Fk%3DXk9f2Lm!z8%26page%3D2",
            "login failed, next=https%3A%2F%2Fexample.com%2Fcb%3Fk%3D[redacted:token]%26page%3D2",
        ),
        (
            "login failed, go=https%3A%2F%2Fexample.com%2F%3Fk%3D7Vj%23sEdr%3FaWe0%26b%3D1",
            "login failed, go=https%3A%2F%2Fexample.com%2F%3Fk%3D[redacted:token]%26b%3D1",
        ),
        (
            "login failed, x=%7B%22p%22%3A%22Harbor-Tiger-48%22%2C%22a%22%3A1%7D",
            "login failed, x=%7B%22p%22%3A%22[redacted:token]%22%2C%22a%22%3A1%7D",
        ),
        (
            "x=%7B%22csv%22%3A%22user%3Bpassword%5Cnbob%3BBadger%22%7D",
            "x=%7B%22csv%22%3A%22user%3Bpassword%5Cnbob%3B[redacted:password]%22%7D",
        ),
        ("login failed for bob with Xk%2f9!abcD", "login failed for bob with [redacted:token]"),
    ],
)
def test_of_what_is_encoded_for_a_link_the_rest_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean
