"""Text in, credentials that their notation gives away out: schemes, flags, key blocks, hashes, webhooks."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize import logins
from mcp_error_middleware.sanitize.spans import Finder, Pattern, Span, View, matches, table, words
from mcp_error_middleware.sanitize.words import (
    PROSE,
    is_coined,
    is_example_login,
    is_field,
    is_harmless,
    is_made,
    is_opaque,
    is_placeholder,
    looks_chosen,
    wordiness,
)


def _is_token(value: str) -> bool:
    return value.lower() not in PROSE and is_opaque(value, 8)


def _is_basic(value: str) -> bool:
    """Whether the value is base64 of `user:password`."""
    try:
        return ":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return is_opaque(value, 16)


def _is_secret(value: str) -> bool:
    # Where the text is quoted in another, the end of the quotation follows.
    is_word = value.lower().partition("&quot;")[0].partition("<")[0].rstrip(".,:;!?)\\") in PROSE
    return not is_word and not is_placeholder(value) and any(map(str.isalnum, value))


def _is_login(value: str) -> bool:
    return not is_example_login(value)


def _has_mixture(value: str) -> bool:
    """Whether there is a letter in it, and something that people put into passwords."""
    rest = value.strip(".:!?)").lower()
    return len(rest) > 4 and rest.upper() != rest and bool(_PUT_IN.search(rest))


_PUT_IN: Final = lazy(r"[\d!@#$%^&*+~=?]")


def _is_phrase(value: str) -> bool:
    """Whether several words and a number are put together: `Dragon-river-68`."""
    return is_coined(value) and len(_WORDS.findall(value)) > 1


_WORDS: Final = lazy(r"[A-Z]?[a-z]{2,}")


def _is_no_number(value: str) -> bool:
    return not value.isdigit() and _is_secret(value)


def _is_no_port(value: str) -> bool:
    return _is_secret(value) and not _PORT_OR_PATH.match(value)


_PORT_OR_PATH: Final = lazy(r"[\d:.,-]+(?:/\w{3})?(?:$|[<\\&])|[./~]")


def _is_rest_of_token(value: str) -> bool:
    is_long = len(value) >= 16 or len({c.isupper() for c in value if c.isalpha()}) > 1
    return is_long and is_opaque(value, 10) and wordiness(value) < 0.45 and not _REST_OF_ID.fullmatch(value)


_REST_OF_ID: Final = lazy(r"[0-9a-f-]+|\d{4}-\d\d-\d\dT[\d:.Z+-]+")


SCHEMES: Final = (
    Pattern(
        "token",
        lazy(r"\bbearer[ ]{1,4}['\"]?([\w.~+/=:-]{6,8000})", re.IGNORECASE),
        ("bearer ",),
        example="sent Bearer mF_9.B5f-4.1JqM",
        near_miss="Bearer authentication is required",
        check=_is_token,
    ),
    Pattern(
        "token",
        lazy(r"\bbasic[ ]{1,4}['\"]?([A-Za-z0-9+/_-]{6,2000}={0,2})", re.IGNORECASE),
        ("basic ",),
        example="sent Basic dXNlcjpwYXNz",
        near_miss="Basic authentication and the Basic subscription",
        check=_is_basic,
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
        check=_is_token,
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
        check=lambda value: _is_secret(value) and is_opaque(value, 4),
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
        check=lambda value: _is_secret(value) and not value.isalpha(),
    ),
    Pattern(
        "password",
        lazy(r"\bUSER \S{1,80}\s{1,4}(?:[^\n]{0,80}\n)?[^\w\n]{0,8}PASS ([^\s'\"]{1,200})"),
        ("pass ",),
        example="> USER bob\n> PASS Toyota_Corolla\n< 530 Login incorrect.",
        near_miss="USER and PASS are commands",
        check=_is_secret,
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
        check=_is_secret,
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
        check=_is_secret,
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

FLAGS: Final = (
    Pattern(
        "password",
        lazy(
            r"(?<![^\s'\"=(\[])(?:-u|--user|--proxy-user|--auth|-U)(?:[ =]|['\"],[ ]?)['\"]?"
            r"[^\s:%'\"/]{1,80}[:%](?!//)([^\s'\"]{1,200})"
        ),
        ("-u", "--proxy-user", "--auth"),
        example="curl -u admin:hunter2 failed",
        near_miss="docker run --user 1000 nginx, or --user <user:password>",
        check=lambda value: _is_secret(value.removesuffix("&gt;").strip("<>[]")),
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
        check=_is_no_port,
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
            r"['\"]?([^\s'\"-][^\s'\"]{0,200})"
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
        check=_is_secret,
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
            r"(?<![^\s'\"])(?:-u|-U|--user(?:name)?)(?:[ =]|['\"],[ ]?)"
            r"['\"]?[^\s'\"-][^\s'\"]{0,80}['\"]?,?[ ]"
            r"(?:[^\n|;]{0,120}?[ ])?['\"]?-(?:p|P|pw|w|W)(?:[ =]|['\"],[ ]?)['\"]?([^\s'\"-][^\s'\"]{2,200})"
        ),
        ("-u", "--user"),
        example="cqlsh -u app -p Quill-Otter db.example.com",
        near_miss="docker run -u app -p 8080:80 -w /srv, psql -U app -p 5432",
        check=_is_no_port,
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
        check=_is_secret,
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
        check=_is_secret,
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
        check=lambda value: _is_secret(value) and len(value) > 2,
    ),
    Pattern(
        "password",
        lazy(rf"{_READING}[^\n|<]{{0,200}}<<<[ ]?['\"]?((?<=['\"])[^'\"\n]{{1,200}}|[^\s'\"]{{1,200}})"),
        ("<<<",),
        example='gpg --batch --passphrase-fd 0 <<< "correct horse" failed',
        near_miss="cat <<< text, gpg --passphrase-fd 0 <<< $PASS",
        check=_is_secret,
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:Secret(?:Str|Bytes|Value)|SecureString)(?:\(|[ ](?:value[ ])?(?:(?:is|was)[ ])?)"
            r"b?['\"]([^'\"\n]{1,400})"
        ),
        ("secretstr", "secretbytes", "secretvalue", "securestring"),
        example="SecretStr('hunter2') is not JSON serializable",
        near_miss="SecretStr('**********') is not JSON serializable",
        check=_is_secret,
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
        check=_is_secret,
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
        check=_is_secret,
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
        check=_is_secret,
    ),
    Pattern(
        "password",
        lazy(r"\b(?i:log_?in|bind|authenticate)\([\w.@+\[\]:-]{1,80},[ ]?([^\s'\"(),]{6,100})\)"),
        ("login(", "log_in(", "bind(", "authenticate("),
        example="IMAP login(bob, Otter-Lake9) failed",
        near_miss="login(user, password), bind(socket, address) and authenticate(request, backend2)",
        check=lambda value: is_made(value) or (_is_phrase(value) and not value.islower()),
    ),
    Pattern(
        "password",
        lazy(r"\bWIFI:[^\n]{0,120}?\bP:([^;\n]{1,100})"),
        ("wifi:",),
        example="bad code WIFI:S:cafe;T:WPA;P:blackcat13;;",
        near_miss="WIFI: no signal",
        check=_is_secret,
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
        check=lambda value: _is_secret(value) and _has_mixture(value),
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
        check=lambda value: _is_secret(value) and _has_mixture(value) and not value.islower(),
    ),
    Pattern(
        "password",
        lazy(r"\bpass:([^\s'\"]{3,100})"),
        ("pass:",),
        example="openssl rsa -passin pass:hunter2",
        near_miss="pass: ok",
        check=_is_secret,
    ),
    Pattern(
        "password",
        lazy(r"\blogin[ ]{1,4}\S{1,100}[ ]{1,4}password[ ]{1,4}([^\s\"'<\\]{1,200})", re.IGNORECASE),
        ("login ",),
        example="machine api.example.com login bob password hunter2",
        near_miss="login and password are required",
        check=_is_secret,
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
        check=lambda value: _is_secret(value) and _has_mixture(value),
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
)  # fmt: skip
"""Arguments of commands, and of files and statements that read alike."""

_LABELS: Final = (
    r"account|app|application|arn|client|cluster|code|correlation|device|digest|domain|email|err|errno|error"
    r"|etag|group|host|https?|id|image|key|line|login|md5|org|port|project|provider|realm|reason|ref|region"
    r"|request|role|scope|server|service|session|sha\d{1,3}|status|sub|tag|team|tenant|trace|type|urn|user"
    r"|username|version|workspace"
)
"""What is no user before a colon: `tenant:acme42`."""

STORED: Final = (
    Pattern(
        "password",
        lazy(
            r"(?i:passw|passphrase|secret|token|api[_-]?key|credential)\S{0,60}[ ](?:[^\n|;]{0,120}?[ ])?"
            r"--(?:value|body|secret-string|plaintext|string-value)[ =]['\"]?([^\s'\"-][^\s'\"]{2,200})"
        ),
        ("--value", "--body", "--secret-string", "--plaintext", "--string-value"),
        example="gh secret set DB_PASSWORD --body hunter2",
        near_miss="the token list takes --value, and --body JSON",
        check=lambda value: _is_secret(value) and not is_harmless(value),
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
        check=lambda value: _is_secret(value) and _has_mixture(value) and is_opaque(value.rstrip(":.,"), 6),
    ),
    Pattern(
        "secret",
        lazy(r"\b(?i:snmp)[^\n]{0,40}?\b(?i:community)[ ]['\"]?([^\s'\"]{3,64})"),
        ("community ",),
        example="snmp-server community Otter-Lake9 RO",
        near_miss="SNMP community is missing, snmp-server community v2c",
        check=lambda value: _is_secret(value) and _has_mixture(value),
    ),
    Pattern(
        "password",
        lazy(r"\bSETUSER[ ][^\n]{1,120}?[ ]>([^\s'\"]{1,200})"),
        ("setuser ",),
        example="ACL SETUSER shop on >hunter2 ~*",
        near_miss="SETUSER needs a name -> see the manual",
        check=_is_secret,
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
        check=lambda value: _is_secret(value) and _has_mixture(value),
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
        check=_is_secret,
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
        check=lambda value: _is_secret(value) and _has_mixture(value),
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
        check=lambda value: _is_secret(value) and (is_opaque(value, 6) or _is_phrase(value)),
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
        check=lambda value: _is_secret(value) and (is_opaque(value, 6) or _is_phrase(value)),
    ),
    Pattern(
        "key",
        lazy(r"\bappid['\"]?[ :=]{1,3}['\"]?([0-9a-f]{32})(?!\w)", re.IGNORECASE),
        ("appid",),
        example="no such subscription; appid 3f9c2a7e1b40d85c6e7f8091a2b3c4d5",
        near_miss="the appid 1234 is unknown",
    ),
)  # fmt: skip
"""What is put into a store under the name of a secret, or beside whom it is for."""

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

KEY_BLOCKS: Final = (
    Pattern(
        "pem",
        lazy(
            r"-----BEGIN [A-Z0-9 ]{0,40}(?:KEY|CERTIFICATE|MESSAGE|PARAMETERS)(?: BLOCK)?-----"
            r"(?!(?:[ ][a-z]{2,20}){1,8}+[.,;:)]?\Z)"
            r"(?=(?:\s|\\+[nr]){0,8}(?:[A-Za-z0-9+/=]{8}|[A-Z][A-Za-z-]{1,20}:))"
            r"(?:(?!-----END)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,60}(?:-----)?)?"
        ),
        ("-----begin ",),
        example="-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
        near_miss="starts with -----BEGIN PRIVATE KEY----- and a line",
    ),
    Pattern(
        "key",
        lazy(
            r"(?<![A-Za-z0-9])(?:MII[A-Za-z0-9+/]{40,8000}={0,2}|b3BlbnNzaC1rZXkt[A-Za-z0-9+/\s]{20,8000}={0,2})"
        ),
        ("mii", "b3blbnnzac1rzxkt"),
        example="key MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
        near_miss="MIIT confirmed the rule",
    ),
    Pattern(
        "key",
        lazy(r"PuTTY-User-Key-File-\d:[\s\S]{0,20000}"),
        ("putty-user-key-file",),
        example="PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIDs",
        near_miss="the PuTTY key file",
    ),
)

HASHES: Final = (
    Pattern(
        "password",
        lazy(
            r"(?<![\w$])\$(?:2[abxy]?|[15-9]|14|y|gy|P|H|S|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20}"
            r"|krb5[a-z]{2,8})\$[\w./$=,+*:@-]{8,3000}"
        ),
        ("$",),
        example="hash $2b$12$abcdefghijklmnopqrstuuJ8Jz5y8Yx1nqQ0i6y3zG9vQm5vO5m6e",
        near_miss="costs $2 or $1",
    ),
    Pattern(
        "password",
        lazy(
            r"\b(?:pbkdf2[:_]\w{3,10}|scrypt|bcrypt(?:_sha256)?|argon2)(?::\d{1,8}){0,3}\$[\w+/=.$:,-]{16,300}"
        ),
        ("pbkdf2", "scrypt", "bcrypt", "argon2"),
        example="pbkdf2_sha256$600000$abcSALT$9oYJ8qk0pC3lWb4bX1g0m3xZt7s=",
        near_miss="hashed with bcrypt or argon2",
    ),
    Pattern(
        "password",
        lazy(r"\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT)\}[A-Za-z0-9+/=$.]{12,200}"),
        ("{ssha", "{sha", "{md5", "{smd5", "{crypt"),
        example="userPassword {SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
        near_miss="the {SHA} scheme",
    ),
)

LOGINS: Final = (
    Pattern(
        "password",
        lazy(r"(?<![\w.:])[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:([^\s:'\"]{3,100})"),
        (":",),
        example="pgpass line db.example.com:5432:shop:bob:hunter2",
        near_miss="ratio 16:9:4:3:2 and 12:30:45:000:10",
        check=_is_no_number,
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
        check=_is_login,
    ),
    Pattern(
        "url-credentials",
        lazy(r"\b(?:turns?|stuns?|sips?|xmpp|ftp):([\w.%+-]{1,60}:[^\s:/@'\"\[\]]{1,100})@(?=[\w\[])"),
        ("@",),
        example="turn:shop:Otter-Lake9@turn.example.com:3478 refused",
        near_miss="turn:turn.example.com:3478, sip:user:password@host",
        check=_is_login,
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

WEBHOOKS: Final = (
    Pattern(
        "token",
        lazy(
            r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/"
            r"|discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/"
            r"|webhook\.office\.com/webhookb2/|outlook\.office(?:365)?\.com/webhook/"
            r"|hooks\.zapier\.com/hooks/catch/|maker\.ifttt\.com/\S{0,80}/key/"
            r"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/|webhook\.site/"
            r"|hook\.[a-z0-9.]{0,12}make\.com/|events\.pagerduty\.com/integration/"
            r"|/hooks/(?=[a-z0-9]{26}))"
            r"([^\s\"'<>?#)\],;]{6,600})",
            re.IGNORECASE,
        ),
        ("hook", "maker.ifttt", "events.pagerduty"),
        example="POST https://hooks.slack.com/services/T0/B0/abcdefghijklmnop failed",
        near_miss="see https://slack.com/help and /hooks/list",
        check=_is_secret,
    ),
    Pattern(
        "token",
        lazy(r"/private-([0-9a-f]{16,64})/"),
        ("/private-",),
        example="https://calendar.google.com/calendar/ical/shop/private-3f9c2a7e1b40d85c6e7f8091a2b3c4d5/basic.ics",
        near_miss="see /private-networks/ and /private-beta/",
    ),
    Pattern(
        "token",
        lazy(r"api\.telegram\.org/(?:file/)?bot([^\s\"'<>?#)\],;/]{6,600})", re.IGNORECASE),
        ("api.telegram.org",),
        example="POST https://api.telegram.org/bot6857074576:AAMQBmNqxj/sendMessage failed",
        near_miss="see https://core.telegram.org/bots/api",
    ),
    Pattern(
        "key",
        lazy(
            r"(?:\.infura\.io/(?:ws/)?v3|\.alchemy(?:api)?\.(?:com|io)/(?:nft/)?v[23]|\.quiknode\.pro"
            r"|\.getblock\.io|rpc\.ankr\.com/\w{1,20})/([\w-]{20,64})"
        ),
        (".infura.io", ".alchemy", ".quiknode.pro", ".getblock.io", "rpc.ankr.com"),
        example="https://mainnet.infura.io/v3/3f9c2a7e1b40d85c6e7f8091a2b3c4d5 is over its limit",
        near_miss="see https://docs.infura.io/v3/getting-started",
    ),
)

SHORTENED: Final = (
    Pattern(
        "token",
        lazy(r"[\"'][^\s\"']{0,40}(?:\.\.\.|…)([^\s\"'.…][^\s\"']{9,80})(?=[\"'])"),
        ("...", "…"),
        example="input_value={'bucket': 'reports', 'aw...jH6gV6aFwjc9EvVSce7h1w'}",
        near_miss="input_value={'ref': 'feature/x...release-2024.10', 'id': '8ab9...98f7-731e7a349970'}",
        check=_is_rest_of_token,
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
    check=lambda value: _is_secret(value) and not value.isalpha(),
)
"""What libpq took for the name of an option: the rest of a password that has a space in it."""

CREDENTIALS: Final = (
    HEADER,
    CONNINFO,
    *SCHEMES,
    *FLAGS,
    *STORED,
    *CODES,
    *KEY_BLOCKS,
    *HASHES,
    *LOGINS,
    *WEBHOOKS,
    *SHORTENED,
)

SPOKEN: Final = words(
    """
    bearer basic token apikey key ssws geniekey splunk negotiate ntlm sharedkey sharedkeylite oauthtoken
    oauth bot digest hawk mac signature snowflake auth login logon identified pass sharedaccesssignature sas
    putty begin hmac hook hooks webhook webhooks webhookb2 telegram ifttt pagerduty
    credential credentials secret password passwd setuser passphrase infura alchemy alchemyapi quiknode
    getblock ankr xfreerdp wlfreerdp freerdp wifi
    echo mysql mysqldump mysqladmin mariadb signtool net htpasswd rabbitmqctl code pin otp passcode
    secretstr secretbytes secretvalue securestring appid sqlplus sqlldr impdp expdp lftp userid
    unauthorized identifiants credenciales credenciais zugangsdaten mc wpa mosquitto composer poetry vault
    pdftk chpasswd schtasks community nickserv chanserv authserv
    cryptsetup vncpasswd smbpasswd mkpasswd slappasswd ldappasswd snyk db2 nmcli iwconfig ical ics
    bundle kinit psk priv
    """
)
_spoken_of: Final[Finder] = table((*SCHEMES, *FLAGS, *STORED, *CODES, *KEY_BLOCKS, *WEBHOOKS))
_flags: Final[Finder] = table((*FLAGS, *STORED))
_keys: Final[Finder] = table(KEY_BLOCKS)
_hashes: Final[Finder] = table(HASHES)
_logins: Final[Finder] = table(LOGINS)
_shortened: Final[Finder] = table(SHORTENED)


def has_option(text: str) -> bool:
    """Whether a word begins as the options of a command do."""
    return " -" in text or "'-" in text or '"-' in text


def find(view: View) -> list[Span]:
    """Credentials that their notation gives away."""
    text = view.text
    found: list[Span] = []
    if view.spoken and view.speaks_of(SPOKEN):
        found += _spoken_of(view)
    else:
        if (
            "authentication " in view.lower
            or any(phrase in view.lower for phrase in logins.PHRASES)
            or (b"-" in view.marks and has_option(text))
        ):
            found += _flags(view)
        if view.is_long:
            found += _keys(view)
    if "$" in text or "{" in text:
        found += _hashes(view)
    if "@" in text or view.marks.count(b":") > 3:
        found += _logins(view)
    if ("'," in text or '",' in text) and any(name in view.lower for name in _CALLED):
        found += _arguments(text)
    if "..." in text or "…" in text:
        found += _shortened(view)
    if "header value" in text:
        found += matches(HEADER, text)
    if "connection info string" in text:
        found += matches(CONNINFO, text)
    if "-----END " in text:
        found += _headless_keys(text)
    return found


_CALL: Final = lazy(
    r"(?i:(?P<sure>log_?in|logon|sign_?in|basic_?auth|credentials?|authenticator|auth_?provider|pw_set"
    r"|simple_bind(?:_s)?)\("
    r"|(?P<third>pdo|mysqli(?:_connect)?|getconnection|ldap_bind)\("
    r"|(?:authenticate|auth|connect|create_?connection|__construct|sequelize)\("
    r"|(?:login|logon|basic_?auth)[ ])(?=(?:[\w.]{1,40},[ ]?){0,2}[\"'])"
)
"""What signs somebody in; the password is not the first thing it is told."""
_CALLED: Final = (
    "login", "log_in", "logon", "signin", "sign_in", "basicauth", "basic_auth", "credential", "authenticat",
    "auth(", "pw_set", "connect(", "connection(", "__construct", "sequelize", "pdo(", "mysqli",
    "getconnection(", "bind(", "bind_s(", "provider(",
)  # fmt: skip
_ARGUMENT: Final = lazy(
    r"\s{0,4}(?:[bBuU]?(?P<quote>[\"'])(?P<value>(?:\\.|(?!(?P=quote))[^\n\\]){0,300})(?P=quote)|[\w.]{1,60})"
    r"\s{0,4}(?P<more>,)?"
)
_MOST_ARGUMENTS: Final = 8


def _arguments(text: str) -> Iterator[Span]:
    """Passwords among the arguments of a call: `login("bob", "x")`."""
    for call in _CALL.finditer(text):
        at, is_third = call.end(), call["third"] is not None
        is_sure = is_third or call["sure"] is not None
        for n in range(_MOST_ARGUMENTS):
            argument = _ARGUMENT.match(text, at)
            if not argument:
                break
            at, value = argument.end(), argument["value"]
            if n > is_third and value and _is_argument(value, is_sure=is_sure, is_third=n > 1):
                yield Span(*argument.span("value"), "password")
            if not argument["more"]:
                break


def _is_argument(value: str, *, is_sure: bool, is_third: bool) -> bool:
    if is_harmless(value) or is_field(value) or "://" in value:
        return False
    # Behind a place and a user comes the password: `pg_connect("db1", "shop", "x")`.
    return is_sure or is_opaque(value, 6) or (is_third and looks_chosen(value))


_KEY_END: Final = lazy(r"-----END [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)(?: BLOCK)?-----")
_KEY_LINES: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\ \n\t-")


def _headless_keys(text: str) -> Iterator[Span]:
    """The lines before the end of a key whose beginning was cut off."""
    done = 0
    for end in _KEY_END.finditer(text):
        start = end.start()
        while start > done and text[start - 1] in _KEY_LINES:
            start -= 1
        if text.find("-----BEGIN ", start, end.start()) < 0:
            yield Span(start, end.end(), "pem")
        done = end.end()
