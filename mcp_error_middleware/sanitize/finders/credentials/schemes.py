"""Text in, what follows the name of a way to sign in out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.credentials.values import (
    is_basic,
    is_secret,
    is_token,
)
from mcp_error_middleware.sanitize.spans import Pattern
from mcp_error_middleware.sanitize.words import (
    is_opaque,
)

SCHEMES: Final = (
    Pattern(
        "token",
        lazy(r"\bbearer[ ]{1,4}['\"]?([\w.~+/=:-]{6,8000})", re.IGNORECASE),
        ("bearer ",),
        example="sent Bearer mF_9.B5f-4.1JqM",
        near_miss="Bearer authentication is required",
        check=is_token,
    ),
    Pattern(
        "token",
        lazy(r"\bbasic[ ]{1,4}['\"]?([A-Za-z0-9+/_-]{6,2000}={0,2})", re.IGNORECASE),
        ("basic ",),
        example="sent Basic dXNlcjpwYXNz",
        near_miss="Basic authentication and the Basic subscription",
        check=is_basic,
    ),
    Pattern(
        "token",
        lazy(
            r"\b(?:Token|ApiKey|Api-Key|APIKEY|SSWS|GenieKey|Splunk|Negotiate|NTLM|SharedKey(?:Lite)?|Zoho-oauthtoken|OAuth"
            r"|Bot)[ ]{1,4}(?:token=)?['\"]?([\w.~+/=:%-]{12,8000})"
        ),
        (
            "token ", "apikey ", "api-key ", "ssws ", "geniekey ", "splunk ", "negotiate ", "ntlm ",
            "sharedkey", "zoho-oauthtoken ", "oauth ", "bot ",
        ),
        example="sent Token 9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b",
        near_miss="Token authentication-required for Bot conversation-started",
        check=is_token,
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:AUTH(?: (?:PLAIN|LOGIN|CRAM-MD5|XOAUTH2))?|PASS|LOGIN [\w.@\"-]{1,80}) (?!LOGIN )"
            r"([^\s'\"/]{4,2000}+)(?![/'\"])"
        ),
        ("auth ", "pass ", "login "),
        example="AUTH PLAIN AGJvYgBodW50ZXIy was refused, so was PASS hunter22",
        near_miss="AUTH failed, LOGIN is required and PASS src/app.test.js",
        check=lambda value: is_secret(value) and is_opaque(value, 4),
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:HELLO \d )?AUTH (?:default|(?<=HELLO \d AUTH )[^\s'\"]{1,80}"
            r"|(?!PLAIN |LOGIN )[^\s'\"]{1,80}(?=[^\n]{4,240}WRONGPASS)) "
            r"([^\s'\"]{3,200})"
        ),
        ("auth ",),
        example="redis: AUTH default x-Files93 was refused",
        near_miss="AUTH failed: the default is off; AUTH default realm is missing",
        check=lambda value: is_secret(value) and not value.isalpha(),
    ),
    Pattern(
        "password",
        lazy(r"\bUSER \S{1,80}\s{1,4}(?:[^\n]{0,80}\n)?[^\w\n]{0,8}PASS ([^\s'\"]{1,200})"),
        ("pass ",),
        example="> USER bob\n> PASS Toyota_Corolla\n< 530 Login incorrect.",
        near_miss="USER and PASS are commands",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"(?:^\W{0,8}[A-Za-z]{0,4}\d{1,6} LOGIN \S{1,80} \"?|\bLOGIN \"?[^\s\"]{1,80}\"? \")"
            r"([^\s'\"]{1,200})",
            re.MULTILINE,
        ),
        ("login ",),
        example="a1 LOGIN bob schnitzel\na1 NO [AUTHENTICATIONFAILED]",
        near_miss="step 1: LOGIN and wait",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?i:nickserv|chanserv|authserv)\b[^\n]{0,40}?\b(?i:identify|ghost|recover|regain|release)[ ]"
            r"(?:[^\s'\"]{1,40}[ ](?=[^\s'\"]{0,60}[\d!@#$%^&*_]))?([^\s'\"<\\]{3,100})"
        ),
        ("serv",),
        example="PRIVMSG NickServ :IDENTIFY sunshine was refused",
        near_miss="NickServ: IDENTIFY failed, identify yourself",
        check=is_secret,
    ),
    Pattern(
        "token",
        lazy(r"\b(?:vault login|snyk auth)[ ]([^\s'\"-][^\s'\"]{8,200})"),
        ("vault login ", "snyk auth "),
        example="vault login 9f3Kx02LmQ8sVb failed",
        near_miss="vault login is required, vault login unavailable",
        check=lambda value: is_opaque(value, 9),
    ),
    Pattern(
        "token",
        lazy(
            r"(?:^|[\s$>'\"(`])[a-z][a-z0-9-]{1,30}[ ](?:login|auth|authtoken)[ ]"
            r"((?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[A-Za-z0-9_]{28,200})(?![\w.:/-]))"
        ),
        ("login ", "auth ", "authtoken "),
        example="wandb login 9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b failed",
        near_miss="no login 9944b091 and the auth 8ab976e6-64bc-4b38-98f7-731e7a349970",
        check=lambda value: is_opaque(value, 28),
    ),
    Pattern(
        "signature",
        lazy(
            r"AWS4-HMAC-SHA256[ ,]{1,4}"
            r"(Credential=\S{1,300}(?:,?\s{0,2}(?:SignedHeaders|Signature)=[^\s,]{1,300}){0,2})"
        ),
        ("aws4-hmac-sha256",),
        example="AWS4-HMAC-SHA256 Credential=AK/2024/s3/aws4_request, SignedHeaders=host, Signature=fe5f",
        near_miss="AWS4-HMAC-SHA256 is the algorithm",
    ),
    Pattern(
        "signature",
        lazy(
            r"(?:SharedAccessSignature[ ]|\bSAS[ ]|(?i:sas_?token)['\"]?[ ]?[:=][ ]?['\"]?)"
            r"(s[a-z]{1,2}=[^\s\"']{10,2000})"
        ),
        ("sharedaccesssignature ", "sas s", "token"),
        example="SharedAccessSignature sr=example.net&sig=abc%2Bdef%3D&se=1700000000&skn=root",
        near_miss="SharedAccessSignature is missing",
    ),
    Pattern(
        "secret",
        lazy(
            r"\b(?:Digest|OAuth|Hawk|MAC|Signature|Snowflake)[ ]"
            r"((?=(?:username|realm|oauth_\w{1,30}|id|keyId|Token)=\")"
            r"\w{1,40}=\"[^\"\n]{0,800}\"(?:,\s{0,4}\w{1,40}=(?:\"[^\"\n]{0,800}\"|[^\s\",]{1,200})){0,20})"
        ),
        ("digest ", "oauth ", "hawk ", "mac ", "signature ", "snowflake "),
        example='Digest username="bob", realm="x", nonce="1", response="6629fae49393a05397450978507c4ef1"',
        near_miss="Digest authentication with username",
    ),
)  # fmt: skip
"""What follows the name of a way to sign in."""
