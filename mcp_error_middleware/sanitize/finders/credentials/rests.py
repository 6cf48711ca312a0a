"""Text in, what is left of a credential that was cut or misread out."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.credentials.values import (
    is_rest_of_token,
    is_secret,
)
from mcp_error_middleware.sanitize.spans import Pattern
from mcp_error_middleware.sanitize.words import (
    is_coined,
    is_harmless,
    is_opaque,
)

SHORTENED: Final = (
    Pattern(
        "token",
        lazy(r"[\"'][^\s\"']{0,40}(?:\.\.\.|…)([^\s\"'.…][^\s\"']{9,80})(?=[\"'])"),
        ("...", "…"),
        example="input_value={'bucket': 'reports', 'aw...jH6gV6aFwjc9EvVSce7h1w'}",
        near_miss="input_value={'ref': 'feature/x...release-2024.10', 'id': '8ab9...98f7-731e7a349970'}",
        check=is_rest_of_token,
    ),
    Pattern(
        "password",
        lazy(
            r"[\"'](?i:(?:\w{1,30}_)?(?:pass?|passw\w{0,3}|pwd?|secr?|secret?|tok\w{0,2}|api_?k?e?y?|cred\w{0,6}))"
            r"(?:\.\.\.|…)\w{0,20}[\"']?:[ ][\"']([^\"'\n]{4,100})[\"']"
        ),
        ("...", "…"),
        example="input_value={'host': 'db', 'pass...: 'Tangerine-44'}",
        near_miss="input_value={'host': 'db', 'page...: 'Tangerine-44'}",
        check=lambda value: not is_harmless(value),
    ),
)
"""What is left of a long value: its middle is cut out, and with it the name of the secret."""

HEADER: Final = Pattern(
    "secret",
    lazy(r"\bheader value:?[ ]b?['\"][ ]{0,4}([^\s'\"]{6,400})"),
    ("header value",),
    example="Invalid leading whitespace in header value: ' Otter-Lake9'",
    near_miss="Invalid header value: 'application/json', the header value 'gzip' is unknown",
    check=lambda value: any(map(str.isdigit, value)) and (is_coined(value) or is_opaque(value, 8)),
)
"""What a client would not send: of headers, those have odd values that say who somebody is."""

CONNINFO: Final = Pattern(
    "password",
    lazy(r"\bafter \"([^\"\n]{1,200})\" in connection info string"),
    ("connection info string",),
    example='missing "=" after "hunter2" in connection info string',
    near_miss='missing "=" after "dbname" in connection info string',
    check=lambda value: is_secret(value) and not value.isalpha(),
)
"""What libpq took for the name of an option: the rest of a password that has a space in it."""
