"""Text in, secrets among the arguments of a command out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.credentials.values import (
    has_mixture,
    is_no_port,
    is_secret,
)
from mcp_error_middleware.sanitize.spans import Pattern
from mcp_error_middleware.sanitize.words import (
    is_harmless,
    is_made,
    is_opaque,
)

_GAP: Final = r"(?:['\"]?,?[ ]['\"]?)"
"""Between the words of a command, or of a list of them."""
_REACH: Final = rf"\b[^\n|;]{{0,300}}?{_GAP}"
_COMMANDS: Final = {
    r"(?:sshpass|redis-cli|sqlcmd|bcp|mongo\w{0,8}|7z|unzip|zip)": "-[paP][ ]?",
    r"(?:docker|podman|az|helm[ ]registry)[ ]login": "-p[ ]?",
    r"ldap[a-z]{3,8}": "-w[ ]?",
    r"snmp[a-z]{3,10}": "-[cAX][ ]",
    r"ipmitool": "-P[ ]",
    r"openssl[ ]enc": "-[kK][ ]",
    r"ssh-keygen": "-[NP][ ]",
    r"signtool": "/p[ ]",
    r"net[ ]use": r"/user:\S{1,80}[ ]",
    r"htpasswd": (
        r"(?:-(?=\w{0,5}n)\w{0,5}b\w{0,5}[ ](?:\d{1,2}[ ])?\S{1,80}[ ]"
        r"|-(?!\w{0,5}n)\w{0,4}b\w{0,4}[ ]\S{1,100}[ ]\S{1,80}[ ])"
    ),
    r"(?:x|wl|sdl-)?freerdp\d?": "/p:",
    r"rabbitmqctl": r"(?:add_user|change_password)[ ]\S{1,80}[ ]",
    r"mc[ ](?:alias|config[ ]host)": r"(?:set|add)[ ]\S{1,80}[ ]https?://\S{1,200}[ ]\S{1,80}[ ]",
    r"mosquitto_passwd": r"-\w{0,4}b\w{0,4}[ ]\S{1,100}[ ]\S{1,80}[ ]",
    r"wpa_passphrase": r"\S{1,80}[ ]",
    r"chpasswd": r"(?:<<<[ ]?['\"]?|line[ ]\d{1,6}:[ ])[^\s:'\"]{1,80}:",
    r"user(?:add|mod)": "-p[ ]",
    r"schtasks": "/(?i:rp)[ ]",
    r"openssl[ ]passwd": r"-(?!salt|in\b|stdin)\w{1,6}[ ]",
    r"mkpasswd": r"(?:-m[ ]|--method=)\S{1,40}[ ]",
    r"(?:slap|ldap)passwd": r"-[as][ ]",
    r"smbpasswd": r"-U[ ]\S{1,80}[ ]",
    r"db2[ ]connect": r"using[ ]",
    r"(?:security[ ](?:unlock|add|create|set|import)[a-z-]{1,40}|keychain[ ]unlock)": "-[pPw][ ]",
    r"curl": r"(?:-E|--(?:proxy-)?cert)[ ][^\s:'\"]{1,100}:",
    r"bundle[ ]config": r"[\w-]{1,60}\.[\w.-]{1,60}[ ][^\s:/'\"]{1,60}:",
    r"nmcli": r"(?:[\w-]{1,40}\.psk|password)[ ]",
    r"ansible-vault": r"encrypt_string[ ]",
    r"auth-user-pass": r"[a-z][\w.@-]{0,60}[ ]",
    r"iwconfig": r"key[ ](?:s:)?",
    r"(?:yt-dlp|youtube-dl)": "-p[ ]",
    r"pdftk": r"(?:input|owner|user)_pw[ ]",
    r"net[ ]user": r"\S{1,80}[ ](?=\S{1,100}[ ]/add\b)",
    r"(?:composer|poetry)[ ]config": r"http-basic\.\S{1,100}[ ]\S{1,80}[ ]",
}
"""Commands, and what stands before the password they are given."""


def _spaced(commands: dict[str, str]) -> list[tuple[str, str]]:
    return [(name.replace("[ ]", _GAP), flag.replace("[ ]", _GAP)) for name, flag in commands.items()]


_READING: Final = (
    r"(?:-stdin\b|-pass(?:phrase|word)?-fd\b|sudo[ ](?:-\w{1,2}[ ])?-S|\b\w{0,8}passwd\b|\bkinit\b"
    r"|\bcryptsetup\b)"
)
"""What reads a secret from its standard input."""

COMMANDS: Final = (
    Pattern(
        "password",
        lazy(
            r"(?<![^\s'\"=(\[])(?:-u|--user|--proxy-user|--auth|-U)(?:[ =]|['\"],[ ]?)['\"]?"
            r"(?!\d{1,6}:\d{1,6}(?![\w.]))[^\s:%'\"/]{1,80}[:%](?!//)([^\s'\"]{1,200})"
        ),
        ("-u", "--proxy-user", "--auth"),
        example="curl -u admin:hunter2 failed",
        near_miss="docker run --user 1000 nginx, or -u 1000:1000, or --user <user:password>",
        check=lambda value: is_secret(value.removesuffix("&gt;").strip("<>[]")),
    ),
    Pattern(
        "password",
        lazy(
            r"(?<![\w.-])(?:https?|xhs?|hey|ab)[ '\",][^\n|;]{0,200}?(?<=[ '\"])-[aA](?:[ =]|['\"],[ ]?)?"
            r"['\"]?[^\s:'\"/-][^\s:'\"/]{0,80}:(?!//)([^\s'\"]{1,200})"
        ),
        ("-a",),
        example="http -a admin:hunter2 https://api.example.com/x failed",
        near_miss="rsync -a src:dest, use http -a for ids, ab -a x and https://example.com:8080 -a 1",
        check=is_no_port,
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b"
            r"[^\n|;]{0,300}?[ '\"]-p['\"]?([^\s'\"-][^\s'\"]{0,100})"
        ),
        ("mysql", "mariadb"),
        example="mysqldump -u root -pS3cret shop",
        near_miss="mysql -p shop",
    ),
    Pattern(
        "password",
        lazy(
            rf"\b(?:{'|'.join(name + _REACH + flag for name, flag in _spaced(_COMMANDS))})"
            r"['\"]?(?!\[redacted:)([^\s'\"-][^\s'\"]{0,200})"
        ),
        (
            "sshpass", "login", "redis-cli", "sqlcmd", "bcp", "mongo", "7z", "zip", "ldap", "snmp",
            "openssl", "ssh-keygen", "signtool", "net", "htpasswd", "rabbitmqctl",
            "freerdp", "ipmitool", "mosquitto", "wpa_passphrase", "composer", "poetry", "mc",
            "useradd", "usermod", "schtasks", "pdftk", "passwd", "db2 ", "security ", "keychain ", "curl",
            "bundle", "nmcli", "auth-user-pass", "encrypt_string", "iwconfig", "yt-dlp", "youtube-dl",
        ),
        example="docker login -u me -p hunter2 registry",
        near_miss="ldapsearch -x -b dc=example and docker login failed for -p flag",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(r"(?<!\S)-[AX][ ]['\"]?([^\s'\"-][^\s'\"]{7,60})(?=[^\n]{0,200}$)", re.MULTILINE),
        ("snmp",),
        example="snmpget -v3 -u mon -A 69ebfu3pi0c3 -X elz938rpnvbb host",
        near_miss="snmpget -v3 -A passphrase host",
        check=lambda value: is_opaque(value, 8),
    ),
    Pattern(
        "password",
        lazy(r"(?<!\S)-(?:p|P|pw|w|W)[ =]['\"]?([^\s'\"-][^\s'\"]{7,200})"),
        ("-p", "-w"),
        example="ipmitool -U admin -P tR4vQ9xZ2k status failed",
        near_miss="docker run -p 8080:8080 -w src/app2 nginx and pytest -p no:cacheprovider",
        check=is_made,
    ),
    Pattern(
        "password",
        lazy(
            # Behind `-p` and a space these have the name of the database.
            r"\b(?:mysql|mariadb)[\w-]{0,12}[ ][^\n|;]{0,400}+"
            r"|(?<![^\s'\"])(?:-u|-U|--user(?:name)?)(?:[ =]|['\"],[ ]?)"
            r"['\"]?[^\s'\"-][^\s'\"]{0,80}['\"]?,?[ ]"
            r"(?:[^\n|;]{0,120}?[ ])?['\"]?-(?:p|P|pw|w|W)(?:[ =]|['\"],[ ]?)['\"]?([^\s'\"-][^\s'\"]{2,200})"
        ),
        ("-u", "--user"),
        example="cqlsh -u app -p Quill-Otter db.example.com",
        near_miss="mysql -u app -p shop; docker run -u app -p 8080:80 -w /srv, psql -U app -p 5432",
        check=is_no_port,
    ),
    Pattern(
        "password",
        lazy(
            r"(?:\b(?:sqlplus|sqlldr|rman|impdp|expdp)\b[^\n|;]{0,80}?[ =]|\b(?i:userid)=)[A-Za-z]\w{0,30}/"
            r"([^\s/@'\"]{2,60})(?=[@\s]|$)"
        ),
        ("sqlplus", "sqlldr", "rman", "mpdp", "xpdp", "userid="),
        example="impdp app/hunter2 directory=x",
        near_miss="sqlplus is a client and userid=app",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"(?:\blftp\b[^\n|;]{0,80}?-u[ ][^\s,]{1,60}|\.logon[ ][^\s/]{1,100}/[^\s,]{1,60}),"
            r"([^\s'\";]{2,100})"
        ),
        ("lftp", ".logon"),
        example="lftp -u app,hunter2 f.example.com",
        near_miss="lftp -u app f.example.com",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:echo|printf|yes)[ ]{1,3}(?:-[ne]{1,2}[ ]|['\"]%s(?:\\{1,2}n)?['\"][ ])?"
            rf"['\"]?([^\s'\"|]{{1,200}})['\"]?[ ]?\|[ ]?(?=[^\n|]{{0,200}}{_READING})"
        ),
        ("echo ", "printf ", "yes "),
        example="echo hunter2 | docker login --username ci --password-stdin",
        near_miss="echo done | tee log",
        check=lambda value: is_secret(value) and len(value) > 2,
    ),
    Pattern(
        "password",
        lazy(rf"{_READING}[^\n|<]{{0,200}}<<<[ ]?['\"]?((?<=['\"])[^'\"\n]{{1,200}}|[^\s'\"]{{1,200}})"),
        ("<<<",),
        example='gpg --batch --passphrase-fd 0 <<< "correct horse" failed',
        near_miss="cat <<< text, gpg --passphrase-fd 0 <<< $PASS",
        check=is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"(?i:passw|passphrase|secret|token|api[_-]?key|credential)\S{0,60}[ ](?:[^\n|;]{0,120}?[ ])?"
            r"--(?:value|body|secret-string|plaintext|string-value)[ =]['\"]?([^\s'\"-][^\s'\"]{2,200})"
        ),
        ("--value", "--body", "--secret-string", "--plaintext", "--string-value"),
        example="gh secret set DB_PASSWORD --body hunter2",
        near_miss="the token list takes --value, and --body JSON",
        check=lambda value: is_secret(value) and not is_harmless(value),
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?i:put|set|setex|hset)[ ](?:\S{0,100}[/:._-])?"
            r"(?i:password|passwd|passphrase|secret|token|api[_-]?key)[ ]['\"]?([^\s'\"]{3,200})"
        ),
        ("put ", "set ", "setex "),
        example="etcdctl put /db/password hunter2: deadline exceeded",
        near_miss="put token back, set /db/password first",
        check=lambda value: is_secret(value) and has_mixture(value) and is_opaque(value.rstrip(":.,"), 6),
    ),
)  # fmt: skip
