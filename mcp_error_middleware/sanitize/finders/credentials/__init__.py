"""Text in, credentials that their notation gives away out: schemes, commands, keys, hashes, links."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.sanitize.finders import logins
from mcp_error_middleware.sanitize.finders.credentials.calls import CALLED, arguments
from mcp_error_middleware.sanitize.finders.credentials.commands import COMMANDS
from mcp_error_middleware.sanitize.finders.credentials.links import WEBHOOKS
from mcp_error_middleware.sanitize.finders.credentials.material import HASHES, KEY_BLOCKS, headless_keys
from mcp_error_middleware.sanitize.finders.credentials.pairs import LOGINS, SAID
from mcp_error_middleware.sanitize.finders.credentials.rests import CONNINFO, HEADER, SHORTENED
from mcp_error_middleware.sanitize.finders.credentials.schemes import SCHEMES
from mcp_error_middleware.sanitize.finders.credentials.statements import CODES, STATEMENTS
from mcp_error_middleware.sanitize.spans import Finder, Span, View, matches, table, words

CREDENTIALS: Final = (
    HEADER,
    CONNINFO,
    *SCHEMES,
    *COMMANDS,
    *STATEMENTS,
    *SAID,
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
    bundle kinit psk priv anaconda authtoken mask issecret
    """
)
_spoken_of: Final[Finder] = table((*SCHEMES, *COMMANDS, *STATEMENTS, *SAID, *CODES, *KEY_BLOCKS, *WEBHOOKS))
_unspoken: Final[Finder] = table((*COMMANDS, *STATEMENTS, *SAID))
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
            found += _unspoken(view)
        if view.is_long:
            found += _keys(view)
    if "$" in text or "{" in text:
        found += _hashes(view)
    if "@" in text or view.marks.count(b":") > 3:
        found += _logins(view)
    if ("'," in text or '",' in text or ", '" in text or ', "' in text) and any(
        name in view.lower for name in CALLED
    ):
        found += arguments(text)
    if "..." in text or "…" in text:
        found += _shortened(view)
    if "header value" in text:
        found += matches(HEADER, text)
    if "connection info string" in text:
        found += matches(CONNINFO, text)
    if "-----END " in text:
        found += headless_keys(text)
    return found
