"""Name in, whether a machine has it out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation import UNSPACED
from mcp_error_middleware.sanitize.words import is_prose


def ascii_only(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern whose words end where a script begins that puts no space between its words and ours."""
    return lazy(source, flags | re.ASCII)


OTHERS: Final = rf"{UNSPACED}-\uffef"
"""Letters of such scripts: `ホストdb-1に`."""

LABELS: Final = r"(?<![\w.-])(?:\*\.)?(?:[A-Za-z0-9_][A-Za-z0-9_-]{0,62}\.){1,10}"
PORT: Final = r"(?::\d{2,5}|\(\d{4,5}\))?(?![\w-]|\((?!\d{1,3}\.\d{1,3}\.|\[redacted:ip\])|\.\w)"
"""What is called is a function, but a host may have its address or its port in brackets behind it."""
SINGLE: Final = r"[A-Za-z_][A-Za-z0-9_-]{0,62}"
MACHINE: Final = r"(?=[A-Za-z]{1,40}[-\d])[A-Za-z][A-Za-z0-9_-]{1,62}"
"""A name with a hyphen or a number, as machines have them."""
QUALIFIED: Final = rf"(?:(?:[A-Za-z0-9][A-Za-z0-9-]{{0,62}}\.){{1,4}}(?!xn--))?{MACHINE}"
"""The same, also with other parts before it: no public domain has such a name in its last part."""
SCHEMES: Final = (
    r"https?|wss?|ftps?|sftp|ssh|tcp|udp|tls|grpcs?|h2c?|rediss?|amqps?|mqtts?|ldaps?|smtps?|imaps?|socks[45]h?|kafka|nats"
    r"|(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|clickhouse|cockroachdb|redshift|trino|presto|hive|db2"
    r"|mongodb|couchdb|couchbase|neo4j|bolt|pulsar)(?:\+\w{1,20})?|memcached?|stomp|cassandra"
    r"|elasticsearch|influxdb|zookeeper|etcd|consul|vault|smb|nfs|rsync|git|docker|rtsp|vnc|rdp|telnet"
)
"""Schemes with a host behind them; `notes://today` names a resource."""
ROLES: Final = (
    "node|worker|peer|replica|backend|upstream|target|executor|server|host|broker|member|leader|master|primary|secondary"
    "|follower|standby|namenode|datanode|proxy|agent|instance|shard|machine|coordinator|controller|scheduler|gateway|ipv4"
)
KEYS: Final = frozenset(
    "host hostname nodename servername machine machinename computer computername pod podname".split()
)
"""Names of fields that hold one, without case and separators."""
_NO_HOSTS: Final = (
    "threading.", "asyncio.", "_thread.", "py.", "self.", "this.", "com.", "org.", "net.", "io.", "java.",
    "sun.", "app.kubernetes.",
)  # fmt: skip
"""How names of code begin."""
_ANY_HOST: Final = frozenset(
    """
    a address conflict dependency domain endpoint example host hostname is localhost my-host myhost name
    server site the url was website your-host
    """.split()
)
"""What stands for a host, or is no host at all."""


_LEAST_PARTS: Final = 2
"""Points in a host with a port in brackets; with fewer it may be a function: `threading.local(1000)`."""


def is_host(name: str) -> bool:
    suffix = name.partition(":")[0].rpartition(".")[2]
    if name.endswith(")") and name.count(".") < _LEAST_PARTS:
        return False
    return suffix in (suffix.lower(), suffix.upper()) and not name.lower().startswith(_NO_HOSTS)


def is_single_host(name: str) -> bool:
    name = name.partition(":")[0].lower()
    return name not in _ANY_HOST and not _NO_MACHINE.fullmatch(name)


def is_called(name: str) -> bool:
    """Whether a name in brackets is no word, but one of a machine."""
    return is_machine(name) or ("_" in name and is_single_host(name) and not is_prose(name.replace("_", " ")))


def is_machine(name: str) -> bool:
    """Whether a name with a hyphen or a number says what a machine does, or which of several it is."""
    parts = _PARTS_OF_NAME.findall(name.lower())
    is_counted = name[-1].isdigit() and (len(parts) > 1 or len(parts[0]) > 1) and parts[0] not in _COUNTED
    return is_single_host(name) and (is_counted or not _MACHINES.isdisjoint(parts))


_PARTS_OF_NAME: Final = ascii_only(r"[a-z]+")
_MACHINES: Final = frozenset(
    """
    bastion db dc dns etl ftp gw kafka lb ldap mail master mongo mq mysql nas nfs ora pg postgres primary prod
    proxy rabbit redis replica smtp sql srv staging vm web
    """.split()
)
_COUNTED: Final = frozenset(
    """
    attempt batch build case chunk claude gpt group http ipv item job line order page part phase pool port
    process request retry run section shard sprint stage step task test thread try user ver version worker
    """.split()
)
"""What has a number because there are many of it, in one and the same place."""
_NO_MACHINE: Final = ascii_only(
    r"(?:my|your|example|gpt|claude|llama|gemini|gemma|mistral|qwen|deepseek|grok|utf|iso|sha|step|stage|phase|part)-.*"
    r"|(?:us|eu|ap|sa|ca|me|af|il)-(?:[a-z]{2,9}-)?[a-z]{4,9}-?\d"
)
"""What has a hyphen and a number, too: an example, a model, an encoding, a region."""
