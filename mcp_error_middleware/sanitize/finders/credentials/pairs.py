"""Text in, passwords beside whom they are for out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.credentials.values import (
    has_mixture,
    is_login,
    is_no_number,
    is_phrase,
    is_secret,
)
from mcp_error_middleware.sanitize.spans import Pattern
from mcp_error_middleware.sanitize.words import (
    is_opaque,
)

_LABELS: Final = (
    r"account|app|application|arn|client|cluster|code|correlation|device|digest|domain|email|err|errno|error"
    r"|etag|group|host|https?|id|image|key|line|login|md5|org|port|project|provider|realm|reason|ref|region"
    r"|request|role|scope|server|service|session|sha\d{1,3}|status|sub|tag|team|tenant|trace|type|urn|user"
    r"|username|version|workspace"
)
"""What is no user before a colon: `tenant:acme42`."""

SAID: Final = (
    Pattern(
        "password",
        lazy(r"\blogin[ ]{1,4}\S{1,100}[ ]{1,4}password[ ]{1,4}([^\s\"'<\\]{1,200})", re.IGNORECASE),
        ("login ",),
        example="machine api.example.com login bob password hunter2",
        near_miss="login and password are required",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"\buser(?:name)?[ ]{1,4}[^\s,;]{1,80}[ ,;]{1,4}(?:and[ ])?pass[ ]{1,4}([^\s'\",;]{1,200})",
            re.IGNORECASE,
        ),
        ("user",),
        example="signed in as user bob, pass Lisboa-21 on ftp",
        near_miss="the user must pass validation; user tests, pass 2 of 3",
        check=lambda value: is_secret(value) and has_mixture(value),
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?i:user(?:name)?/pass(?:word|wd)?|credentials?)(?:[ ](?:are|is|were|was))?[:=]?[ ][('\"]?"
            r"(?!(?:at|by|for|from|in|of|on|or|to|via)[ ])[\w.@-]{1,60}[ ]?[/:][ ]?"
            r"(?!https?:)([^\s'\",;]{4,200})"
        ),
        ("user/", "username/", "credential"),
        example="default credentials are admin / Regen-Bogen7",
        near_miss="credentials are read/write, username/password is required",
        check=lambda value: is_secret(value) and has_mixture(value),
    ),
    Pattern(
        "password",
        lazy(
            r"(?:\b(?i:tried|with|using|for|as|attempt|credentials?|log[io]n|(?:rejected|refused|failed|denied|incorrect):)"
            r"[ ]\(?|\()(?:user[ ]|user=)?[a-z][a-z0-9_.@-]{0,60}(?:[ ]?[/:][ ]?|,[ ](?:tried[ ])?)"
            r"((?=[^\s]{0,60}(?:\d|[a-z][!@#$%^&*][A-Z]))(?=[^\s]{0,60}(?:[a-z]\d{0,4}[._-]?[A-Z]|[!@#$%^&*]))"
            r"[^\s'\"`,;()\[\]{}<>/:=]{7,64})"
            r"(?=[)\s.,;]|$)"
        ),
        (
            "login", "logon", "log in", "logged in", "password", "credential", "auth", "sign", "identifiant",
            "credencia", "zugangsdaten",
        ),
        example="Login or password incorrect! (tried jonas / velvetRope3)",
        near_miss="login as a/b, with google / github2, login failed (tried utf-8 / latin-1)",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"(?:\b(?i:log[io]n)[ ](?!(?:and|as|at|by|for|from|in|is|on|or|the|to|via|was|with|using|page"
            r"|form|attempt|request|step|method|service|server|shell)[ ])[\w.@-]{1,60}[ ]"
            r"|\bfor[ ](?:[\w.+-]{1,60}@[\w.-]{1,80}|[a-z]{1,8}=[\w.,= -]{1,120}):)"
            r"((?=[^\s]{0,60}\d)[^\s'\"`,;()\[\]{}<>/:=]{6,64})"
            r"(?=[ ](?:failed|refused|rejected|denied|incorrect)|\)?\.?$)"
        ),
        ("login ", "logon ", "for "),
        example="login bob Otter-Lake9 failed, and so it did for bob@example.com:otter-lake9",
        near_miss="login was refused, login for attempt-2 failed, bind failed for cn=bob: 49",
        check=lambda value: is_secret(value) and has_mixture(value),
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?i:for|as|with|using|credentials?|(?:rejected|refused|failed|denied|incorrect|invalid):)[ ]"
            rf"['\"(]?(?:(?!(?:{_LABELS})\b)[a-z][a-z0-9_.-]{{0,40}}:|(?:admin|administrator|root|sa|postgres)/)"
            r"((?=[^\s]{0,40}\d)(?=[^\s]{0,40}[A-Za-z])[^\s'\"`,;()\[\]{}<>/:=.@]{6,64})(?=['\"),;]|\.?(?:\s|$))"
        ),
        ("login", "logon", "log in", "password", "credential", "auth", "sign in", "signin", "sign-in"),
        example="login failed: bob:hunter2",
        near_miss="login failed for user:bob42x and tenant:acme42, auth failed: code:AADSTS700016",
        check=lambda value: is_secret(value) and (is_opaque(value, 6) or is_phrase(value)),
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?i:log(?:ged|ging)?[ ]?in|logon|sign(?:ed|ing)?[ ]?in|authenticat(?:e|ed|ing))[ ]"
            r"(?:as|for)[ ](?:user[ ])?['\"]?[\w.@-]{1,60}['\"]?[ ](?:with|using)[ ]['\"]?"
            r"((?=[^\s]{0,60}\d)(?=[^\s]{0,60}[A-Za-z])[^\s'\"`,;()\[\]{}<>/:=\\]{6,64})(?=['\"`,;:.)\s]|$)"
        ),
        ("log", "sign", "authenticat"),
        example="could not log in as bob with hunter2: wrong password",
        near_miss="log in as admin with OAuth2, authenticate as bob using sha256 or step-2",
        check=lambda value: is_secret(value) and (is_opaque(value, 6) or is_phrase(value)),
    ),
)  # fmt: skip
"""In a sentence about signing in."""

LOGINS: Final = (
    Pattern(
        "password",
        lazy(r"(?<![\w.:])[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:([^\s:'\"]{3,100})"),
        (":",),
        example="pgpass line db.example.com:5432:shop:bob:hunter2",
        near_miss="ratio 16:9:4:3:2 and 12:30:45:000:10",
        check=is_no_number,
    ),
    Pattern(
        "url-credentials",
        lazy(
            r"(?:(?<![\w/@.:%-])|(?<=\w:/)|(?<=[\w\s\"'=]//))(?!mailto:|tel:|sips?:|acct:|xmpp:)"
            r"([A-Za-z][\w.%+-]{0,60}:[^\s:/@'\"\[\]]{1,100})"
            r"@(?!sha\d{3}:)(?=tcp\(|unix\(|\[?[A-Za-z0-9][\w.:-]{1,200}\]?[/:\s)'\"]|[A-Za-z0-9][\w.-]{1,200}$)"
        ),
        ("@",),
        example="dial app:hunter2@tcp(db.example.com:3306)/shop",
        near_miss="mail from: support@example.com as user:password@host, alpine:3.20@sha256:f770d9d7",
        check=is_login,
    ),
    Pattern(
        "url-credentials",
        lazy(r"\b(?:turns?|stuns?|sips?|xmpp|ftp):([\w.%+-]{1,60}:[^\s:/@'\"\[\]]{1,100})@(?=[\w\[])"),
        ("@",),
        example="turn:shop:Otter-Lake9@turn.example.com:3478 refused",
        near_miss="turn:turn.example.com:3478, sip:user:password@host",
        check=is_login,
    ),
    Pattern(
        "password",
        lazy(r"(?<=:)([0-9a-fA-F]{32}:[0-9a-fA-F]{32})(?=:::)"),
        (":::",),
        example="bob:1001:aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0:::",
        near_miss="a:b:::c",
    ),
    Pattern(
        "url-credentials",
        lazy(r"\bjdbc:oracle:\w{1,10}:([^\s/@]{1,60}/[^\s@]{1,100})@"),
        ("jdbc:oracle:",),
        example="jdbc:oracle:thin:scott/tiger@db.example.com:1521:xe",
        near_miss="jdbc:oracle:thin:@db.example.com:1521:xe",
    ),
    Pattern(
        "url-credentials",
        lazy(
            r"(?<![\w/.@-])([A-Za-z]\w{0,30}/[^\s/@:]{1,60})@(?!v?\d{1,4}(?:\.\d{1,4}){0,2}(?![.\d]))"
            r"(?://)?(?=[\w.-]{1,100}(?::\d{2,5}/\w|/\w{1,30}\b)|[A-Z]{2,20}\b)"
        ),
        ("@",),
        example="sqlplus scott/tiger@//db.example.com:1521/xe",
        near_miss="see docs/readme, npm/vue@3.4.21/dist and support@example.com",
    ),
)
"""User and password without the scheme of a URL."""
