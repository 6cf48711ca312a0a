"""Text in, secrets that a statement, a setting or a line of code gives away out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.credentials.values import (
    has_mixture,
    is_phrase,
    is_secret,
)
from mcp_error_middleware.sanitize.spans import Pattern
from mcp_error_middleware.sanitize.words import (
    is_made,
)

STATEMENTS: Final = (
    Pattern(
        "password",
        lazy(
            r"\b(?:Secret(?:Str|Bytes|Value)|SecureString)(?:\(|[ ](?:value[ ])?(?:(?:is|was)[ ])?)"
            r"b?['\"]([^'\"\n]{1,400})"
        ),
        ("secretstr", "secretbytes", "secretvalue", "securestring"),
        example="SecretStr('hunter2') is not JSON serializable",
        near_miss="SecretStr('**********') is not JSON serializable",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"\bConvertTo-SecureString(?:[ ]-(?i:string|asplaintext|force))*[ ]"
            r"['\"]?((?<=['\"])[^'\"\n]{1,400}|(?<![-'\"])(?![$('\"-])[^\s'\"]{1,200})"
        ),
        ("securestring",),
        example='ConvertTo-SecureString -String "sunshine" -AsPlainText -Force failed',
        near_miss="ConvertTo-SecureString -String $password -Force, ConvertTo-SecureString is missing",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(r"\bAUTH['\"`],?[ ]with[ ]args[ ]beginning[ ]with:[ ](['\"`][^\n]{1,300}['\"`])"),
        ("with args beginning with",),
        example="unknown command `AUTH`, with args beginning with: `hunter2`",
        near_miss="unknown command `FOO`, with args beginning with: `bar`",
    ),
    Pattern(
        "password",
        lazy(r"[\"'](?i:auth)[\"'][ ](?:[\"'][^\"'\n]{1,80}[\"'][ ])?[\"']([^\"'\n]{1,200})[\"']"),
        ('auth" "', "auth' '"),
        example='1691412333.121 [0 lua] "AUTH" "shop" "sunshine"',
        near_miss='"AUTH" is the command, {"auth": "none"}',
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"\bAUTH['\"]?[ ,:]{1,3}['\"]?args['\"]?[ :=]{1,3}\[[ ]{0,2}"
            r"(?:['\"][^'\"\n]{1,80}['\"],[ ]{0,2})?['\"]([^'\"\n]{1,200})['\"][ ]{0,2}\]"
        ),
        ("args",),
        example="command: { name: 'AUTH', args: [ 'default', 'sunshine' ] }",
        near_miss="command: { name: 'GET', args: [ 'default', 'sunshine' ] }, AUTH args [ ]",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(r"\b(?i:log_?in|bind|authenticate)\([\w.@+\[\]:-]{1,80},[ ]?([^\s'\"(),]{6,100})\)"),
        ("login(", "log_in(", "bind(", "authenticate("),
        example="IMAP login(bob, Otter-Lake9) failed",
        near_miss="login(user, password), bind(socket, address) and authenticate(request, backend2)",
        check=lambda value: is_made(value) or (is_phrase(value) and not value.islower()),
    ),
    Pattern(
        "password",
        lazy(r"\bWIFI:[^\n]{0,120}?\bP:([^;\n]{1,100})"),
        ("wifi:",),
        example="bad code WIFI:S:cafe;T:WPA;P:blackcat13;;",
        near_miss="WIFI: no signal",
        check=is_secret,
    ),
    Pattern(
        "token",
        lazy(r"\b(?i:login|sign(?:ature)?)(?:=|['\"]?:[ ]?['\"]?)([0-9a-f]{32,128})(?!\w)"),
        ("login=", "sign:", 'sign":', "sign=", "login:"),
        example="sonar-scanner -Dsonar.login=9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b",
        near_miss="login=bob, login: 7, sign: positive",
    ),
    Pattern(
        "key",
        lazy(
            r"\b(?i:isakmp|tacacs|radius|ospf|eigrp|ntp|hsrp|standby|vrrp|ike|ipsec|aaa|wpa2?"
            r"|pre-shared-key)\b[^\n]{0,100}?"
            r"[ -](?i:key|psk|key-string|md5)[ ](?:(?:ascii(?:-text)?|hex(?:adecimal)?)[ ])?"
            r"(?:\d{1,2}[ ](?:md5[ ])?)?['\"]?"
            r"([^\s'\"]{4,100})"
        ),
        ("key ", "key-string ", "md5 ", "psk "),
        example="tacacs-server host 192.0.2.7 key 7 Otter-Lake9",
        near_miss="radius-server key is missing, ipsec: no key for peer-2, ntp key 12 is not trusted",
        check=lambda value: is_secret(value) and has_mixture(value),
    ),
    Pattern(
        "key",
        lazy(
            r"\b(?:auth[ ](?:md5|sha(?:-?\d{1,3})?)|priv[ ](?:des|3des|aes)(?:[ -]?\d{2,3})?)[ ]"
            r"['\"]?([^\s'\"]{6,100})",
            re.IGNORECASE,
        ),
        ("auth ", "priv "),
        example="snmp-server user bob grp v3 auth sha Otter-Lake9 priv aes 128 Maple-Anvil3",
        near_miss="auth sha256 failed, auth md5 mismatch-2",
        check=lambda value: is_secret(value) and has_mixture(value) and not value.islower(),
    ),
    Pattern(
        "secret",
        lazy(r"(?:::add-mask::|\bissecret=true\])([^\s'\"]{3,400})"),
        ("::add-mask::", "issecret=true]"),
        example="::add-mask::sunshine, ##vso[task.setvariable variable=x;issecret=true]sunshine",
        near_miss="::add-mask:: is a command, issecret=true] is missing",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(r"\bpass:([^\s'\"]{3,100})"),
        ("pass:",),
        example="openssl rsa -passin pass:hunter2",
        near_miss="pass: ok",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"(?:\bIDENTIFIED|(?i:\buser\b[^\n]{0,80}?\bidentified))"
            r"(?i: (?:with \S{1,60} )?(?:by|as) (?:password )?)['\"]([^'\"\n]{1,200})"
        ),
        ("identified ",),
        example="CREATE USER bob IDENTIFIED BY 'hunter2'",
        near_miss="identified by name",
    ),
    Pattern(
        "secret",
        lazy(r"\b(?i:snmp)[^\n]{0,40}?\b(?i:community)[ ]['\"]?([^\s'\"]{3,64})"),
        ("community ",),
        example="snmp-server community Otter-Lake9 RO",
        near_miss="SNMP community is missing, snmp-server community v2c",
        check=lambda value: is_secret(value) and has_mixture(value),
    ),
    Pattern(
        "password",
        lazy(r"\bSETUSER[ ][^\n]{1,120}?[ ]>([^\s'\"]{1,200})"),
        ("setuser ",),
        example="ACL SETUSER shop on >hunter2 ~*",
        near_miss="SETUSER needs a name -> see the manual",
        check=is_secret,
    ),
    Pattern(
        "key",
        lazy(r"\bappid['\"]?[ :=]{1,3}['\"]?([0-9a-f]{32})(?!\w)", re.IGNORECASE),
        ("appid",),
        example="no such subscription; appid 3f9c2a7e1b40d85c6e7f8091a2b3c4d5",
        near_miss="the appid 1234 is unknown",
    ),
)  # fmt: skip

CODES: Final = (
    Pattern(
        "code",
        lazy(
            r"(?<![\w.])(?:[A-Z]{1,3}-)?(\d{4,8})"
            r"(?=[ ]is[ ]your[ ][^\n.]{0,60}?\b(?:code|pin|otp|passcode)\b)",
            re.IGNORECASE,
        ),
        (" is your ",),
        example="123456 is your verification code",
        near_miss="4040 is the error code",
    ),
    Pattern(
        "code",
        lazy(
            r"\b(?:use|enter|type|with)[ ](?:the[ ]|this[ ])?(?:code|pin|otp)[ ]([A-Z0-9]{1,3}-?\d{3,8})\b"
            r"(?=[ ]to[ ](?:sign|log|verify|confirm|continue|unlock|complete|finish|proceed|reset|activate"
            r"|authenticate))",
            re.IGNORECASE,
        ),
        ("code ", "pin ", "otp "),
        example="Use code 123456 to sign in",
        near_miss="use code 1234567 of the catalogue",
    ),
)
"""Codes that let somebody in once."""
