"""Text in, internal hosts, private addresses and account numbers of clouds out; public ones stay."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.notation import UNSPACED
from mcp_error_middleware.sanitize.spans import Asked, Finder, Pattern, Span, View, matches, table, words
from mcp_error_middleware.sanitize.words import is_prose


def _ascii(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern whose words end where a script begins that puts no space between its words and ours."""
    return lazy(source, flags | re.ASCII)


_OTHERS: Final = rf"{UNSPACED}-\uffef"
"""Letters of such scripts: `ホストdb-1に`."""

# --- addresses -----------------------------------------------------------------------------------

_V4: Final = _ascii(
    r"(?<![A-Za-z0-9.])((?:\d{1,3}\.){3}\d{1,3})"
    r"(?:/\d{1,2}(?!\d))?(?::\d{1,5})?(?![A-Za-z0-9]|\.\d)(?!(?<=[0-9])[_.-](?:\d{1,3}_)?"
    r"(?:all|amd64|arm64|armhf|i386|x86|x64|win|linux|darwin|macos|src|deb|rpm|tar|zip|tgz|gz|whl|exe|msi|dmg|jar)(?![a-z]))"
)
_NUMBERED: Final = _ascii(
    r"(?:(?<![a-z])(?:version|section|chapter|clause|release|firmware|build|ver|v)[ _]|§[ ]?)$", re.IGNORECASE
)
"""Before numbers with as many points as an address."""
_V6: Final = _ascii(
    r"(?<![\w:.])\[?((?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|::ffff|::1|0{1,4})(?::[0-9a-f]{0,4}){0,7}"
    r"(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?)(?:%\w{1,16})?(?:/\d{1,3})?(?:\](?::\d{1,5})?)?(?!\w|:\w)",
    re.IGNORECASE,
)
_PRIVATE: Final = tuple(
    ipaddress.ip_network(net)
    for net in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10",
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
"""Without the networks of documentation, which stand for public ones."""


def _is_private(address: str) -> bool:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return any(ip in net for net in _PRIVATE if net.version == ip.version)


def _is_private_reversed(labels: str) -> bool:
    """Whether these labels, the last part first, are an address or the beginning of one."""
    parts = labels.rstrip(".").split(".")[::-1]
    return _is_private(".".join((*parts, "0", "0", "0")[:4]))


def _addresses(view: View) -> Iterator[Span]:
    if view.digits >= 4 and b"0.0" in view.shape:
        for match in _V4.finditer(view.text):
            if _is_private(match[1]) and not _NUMBERED.search(
                view.text, max(0, match.start() - 12), match.start()
            ):
                yield Span(*match.span(), "ip")
    if "::" in view.text or view.text.count(":") > 6:
        for match in _V6.finditer(view.text):
            # A single colon behind the address belongs to the sentence.
            stray = match[1].endswith(":") and not match[1].endswith("::")
            if _is_private(match[1][:-1] if stray else match[1]):
                yield Span(match.start(), match.end() - stray, "ip")


# --- hosts ---------------------------------------------------------------------------------------

_LABELS: Final = r"(?<![\w.-])(?:[A-Za-z0-9_][A-Za-z0-9_-]{0,62}\.){1,10}"
_ZONED: Final = r"(?:[a-z0-9][a-z0-9_-]{0,62}\.)"
_PORT: Final = r"(?::\d{2,5})?(?![\w-]|\((?!\d{1,3}\.\d{1,3}\.|\[redacted:ip\])|\.\w)"
"""What is called is a function, but a host may have its address in brackets behind it."""
_SINGLE: Final = r"[A-Za-z_][A-Za-z0-9_-]{0,62}"
SCHEMES: Final = (
    r"https?|wss?|ftps?|sftp|ssh|tcp|udp|tls|grpcs?|h2c?|rediss?|amqps?|mqtts?|ldaps?|smtps?|imaps?|socks[45]h?|kafka|nats"
    r"|(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|clickhouse|cockroachdb|redshift|trino|presto|hive|db2"
    r"|mongodb|couchdb|couchbase|neo4j|bolt|pulsar)(?:\+\w{1,20})?|memcached?|stomp|cassandra"
    r"|elasticsearch|influxdb|zookeeper|etcd|consul|vault|smb|nfs|rsync|git|docker|rtsp|vnc|rdp|telnet"
)
"""Schemes with a host behind them; `notes://today` names a resource."""
_SERVICE_PORTS: Final = (
    "1433|1521|2181|2375|2376|2379|2380|3306|4222|5432|5433|5671|5672|5984|6379|6380|6432|7000|7687|8123|8200|8500|8529"
    "|9000|9042|9090|9092|9093|9200|9300|9411|9418|10250|11211|15672|16379|26257|26379|27017|27018|28015|50051|50070|61616"
)
_COLON: Final = "(?::|%3[aA])"
_PUBLIC: Final = "com|net|org|io|dev|cloud|co|ai|app|eu|de|uk|fr|us|local"
_ZONES: Final = "private|prod|nonprod|staging|infra|vpc|mgmt|dmz|home|lab|intern"
"""Suffixes of hosts that are words of code, too: in a link, with a port, or behind a name with a hyphen."""
_ZONE_ENDS: Final = tuple(f".{zone}" for zone in _ZONES.split("|"))
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


def _is_host(name: str) -> bool:
    suffix = name.partition(":")[0].rpartition(".")[2]
    return suffix in (suffix.lower(), suffix.upper()) and not name.lower().startswith(_NO_HOSTS)


def _is_single_host(name: str) -> bool:
    name = name.partition(":")[0].lower()
    return name not in _ANY_HOST and not _NO_MACHINE.fullmatch(name)


def _is_called(name: str) -> bool:
    """Whether a name in brackets is no word, but one of a machine."""
    return _is_machine(name) or (
        "_" in name and _is_single_host(name) and not is_prose(name.replace("_", " "))
    )


def _is_machine(name: str) -> bool:
    """Whether a name with a hyphen or a number says what a machine does, or which of several it is."""
    parts = _PARTS_OF_NAME.findall(name.lower())
    is_counted = name[-1].isdigit() and (len(parts) > 1 or len(parts[0]) > 1) and parts[0] not in _COUNTED
    return _is_single_host(name) and (is_counted or not _MACHINES.isdisjoint(parts))


_PARTS_OF_NAME: Final = _ascii(r"[a-z]+")
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
_NO_MACHINE: Final = _ascii(
    r"(?:my|your|example|gpt|claude|llama|gemini|gemma|mistral|qwen|deepseek|grok|utf|iso|sha|step|stage|phase|part)-.*"
    r"|(?:us|eu|ap|sa|ca|me|af|il)-(?:[a-z]{2,9}-)?[a-z]{4,9}-?\d"
)
"""What has a hyphen and a number, too: an example, a model, an encoding, a region."""


LINKED: Final = Pattern(
    "host",
    _ascii(
        rf"\b(?<!you meant )(?:{SCHEMES})://(?:[^\s/@\"'<>]{{1,200}}@)?({_SINGLE}(?::\d{{1,5}})?)"
        rf"(?=[/?#\s\"'<>,;)\]}}{_OTHERS}]|$|\.(?:\s|$))"
    ),
    ("://",),
    example="GET http://billing-api:8080/v1 failed",
    near_miss="see https://example.com/docs, notes://today and http://hostname:port/, you meant https://orders?",
    check=_is_single_host,
)
"""A host in a link."""

SERVED: Final = Pattern(
    "host",
    _ascii(
        rf"(?:(?<![\w./@:-])|(?<=//)|(?<=:@))(?=[a-z0-9_-]{{0,62}}[a-z])[a-z0-9_][a-z0-9_-]{{1,62}}:(?:{_SERVICE_PORTS})(?!:?\w|\.\d)"
        # No public domain has a hyphen or a digit in its last part.
        rf"|(?<![\w./@:-])(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,6}}(?=[a-z-]{{1,62}}[-0-9])[a-z][a-z0-9-]{{1,62}}"
        rf":(?:{_SERVICE_PORTS})(?!:?\w|\.\d)"
    ),
    (":",),
    example="dial redis-master:6379 refused",
    near_miss="line:5432x and at 10:5432",
)
"""A host known by the port of its service."""

_MACHINE: Final = r"(?=[A-Za-z]{1,40}[-\d])[A-Za-z][A-Za-z0-9_-]{1,62}"
"""A name with a hyphen or a number, as machines have them."""
_NUMBERED_MACHINE: Final = (
    # A noun and a number may be anything: `job-42`.
    r"(?=[A-Za-z][A-Za-z0-9]{0,30}-(?:[A-Za-z0-9]{1,30}-|[A-Za-z]{1,30}\d))[A-Za-z][A-Za-z0-9-]{1,60}\d"
)
"""One with more parts than a thing has that is merely counted."""
KEYS: Final = frozenset(
    "host hostname nodename servername machine machinename computer computername pod podname".split()
)
"""Names of fields that hold one, without case and separators."""
_ROLES: Final = (
    "node|worker|peer|replica|backend|upstream|target|executor|server|host|broker|member|leader|master|primary|secondary"
    "|follower|standby|namenode|datanode|proxy|agent|instance|shard|machine|coordinator|controller|scheduler|gateway|ipv4"
)
PORTED: Final = (
    Pattern(
        "host",
        _ascii(rf"\b(?:{_ROLES})(?:[ :]|=['\"]?)({_MACHINE}:\d{{4,5}})(?![\w:]|\.\d)"),
        (":",),
        example="node db-core-10:9100 went away",
        near_miss="node 16:9000 and server error:5000",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"(?:(?<![\w./@:-])|(?<=\w/)(?<![./]\w/))((?=[a-z0-9]{1,60}-)(?=[a-z-]{1,60}\d)[a-z][a-z0-9-]{1,62}:\d{4,5})"
            r"(?=[ ](?:(?:is|was|has|did|does)[ ])?(?:not[ ])?(?:refused|unreachable|timed[ ]out|went[ ]away"
            r"|(?i:down)\b|dead\b|unavailable|respond|reset|lost|closed|unhealthy|gone\b|lags))"
        ),
        (":",),
        example="the seed web-3:4100 is not responding",
        near_miss="step-2:8080 of the list",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"\b(?i:connect(?:ed|ing|ion)?|dial|upstream|reach)\b[^\n]{0,60}?(?<![\w./@:-])"
            r"((?=[A-Za-z-]{1,60}\d)(?=[A-Za-z0-9]{1,60}-)[A-Za-z][A-Za-z0-9-]{1,62}:\d{3,5})(?!:?\w|\.\d)"
        ),
        (":",),
        example="upstream connect error: orders-db-1:8080 reset",
        near_miss="step-2:8080 and iso-8859-1:8000",
        check=_is_single_host,
    ),
)
"""A host by what it is called, or by what is said of it."""

LED_TO: Final = Pattern(
    "host",
    _ascii(
        r"\b(?:to|from|at|on|via|by|against)[ ]((?=[a-z][a-z0-9]{0,30}-[a-z0-9]{1,30}-)(?=[a-z-]{1,60}\d)"
        r"[a-z][a-z0-9-]{3,62}:\d{2,5})(?!:?\w|\.\d)"
    ),
    (":",),
    example="the copy to ora-int-16:22 took 31 s",
    near_miss="from step-2:10 to step-3:20, back to us-east-1:42 and on 2024-05-06 at 10:15",
    check=_is_single_host,
)
"""A host that something goes to or comes from: a port, and as many parts as machines have in their names."""

MOUNTED: Final = Pattern(
    "host",
    _ascii(rf"(?<![^\s'\"=(])({_MACHINE}):(?=/\w)"),
    (":/",),
    example="mount web01:/export failed",
    near_miss="mount step-2:/x and C:/x, see https://example.com/x",
    check=_is_machine,
)
"""A host before a path on it."""

PLACED: Final = (
    Pattern(
        "host",
        _ascii(
            r"\b(?:E(?:CONN[A-Z]{3,8}|TIMEDOUT|HOSTUNREACH)|(?i:refused|timed[ ]out):)[ ]"
            rf"({_SINGLE}:\d{{2,5}})(?!:?\w|\.\d)"
        ),
        ("econn", "etimedout", "ehostunreach", "refused: ", "timed out: "),
        example="connect ETIMEDOUT web01:443",
        near_miss="connect ETIMEDOUT example.com:443, timed out: 30",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"(?<!\S)(?:<\d{{1,3}}>)?[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d ({_SINGLE})"
            r"(?= [\w/.-]{1,40}\[\d{1,8}\]: )",
            re.MULTILINE,
        ),
        ("]: ",),
        example="Nov  3 10:12:13 ledger sshd[812]: error: boom",
        near_miss="Nov  3 10:12:13 2024: boom",
        check=_is_single_host,
    ),
)
"""A host by what is said of its port, or at the time of a line of a log."""

REACHED: Final = Pattern(
    "host",
    _ascii(rf"(?:\b(?:ssh|scp|sftp|rsync)\b[^\n]{{0,80}}?[ ][\w.-]{{1,40}}@)({_MACHINE})(?=[:\s'\"),]|$)"),
    ("ssh ", "scp ", "sftp ", "rsync "),
    example="ssh deploy@web01 failed",
    near_miss="ssh git@example.com failed, and so did ssh git@localhost",
    check=_is_single_host,
)
"""Where somebody went with a shell."""

BEFORE_ADDRESS: Final = Pattern(
    "host",
    _ascii(rf"(?<![\w./-])({_SINGLE})/(?=\[redacted:ip\]|(?:\d{{1,3}}\.){{3}}\d{{1,3}}:\d)"),
    ("/[redacted:ip]",),
    example="Connection refused: ledger/[redacted:ip]",
    near_miss="see the path/[redacted:path] of localhost/[redacted:ip]",
    check=_is_single_host,
)
"""A host with its address behind it."""

BEHIND_LOGIN: Final = Pattern(
    "host",
    _ascii(rf"\[redacted:url-credentials\]@(?://)?({_MACHINE}(?::\d{{1,5}})?)(?=[\s/:?,;)\]'\"]|$)"),
    ("credentials]@",),
    example="tried [redacted:url-credentials]@etl-int-12:1521/DWH",
    near_miss="tried [redacted:url-credentials]@ORCL and [redacted:url-credentials]@db-1.example.com/x",
    check=_is_single_host,
)
"""Where somebody signed in."""

SUFFIXED: Final = Pattern(
    "host",
    _ascii(
        rf"{_LABELS}(?:internal|local|lan|corp|intra|intranet|localdomain|localhost|home\.arpa|consul|priv|svc){_PORT}",
        re.IGNORECASE,
    ),
    (".internal", ".local", ".lan", ".corp", ".intra", ".home.arpa", ".consul", ".priv", ".svc"),
    example="cannot reach billing.prod.svc.cluster.local:8080",
    near_miss="threading.local() in org.acme.internal",
    check=_is_host,
)
"""A host by the last part of its name, which modules and files may have as well."""

_OF_CODE: Final = lazy(
    r"(?<![A-Za-z])(?:modules?|packages?|sections?|attributes?|files?|config(?:uration)?|namespace|import(?:ed)?|member)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
_OF_HOSTS: Final = lazy(
    r"(?<![A-Za-z])(?:hosts?|hostnames?|servers?|machines?|nodes?|connect\w{0,4}|resolv\w{1,5}|dns|dial|lookup"
    r"|reach\w{0,4}|unreachable|ping|refused|time[ds]?[ -]?out|upstream|ports?|ssh|https?|getaddrinfo|network"
    r"|socket|proxy|tls|ssl|endpoints?|urls?|domains?|address|certificates?)(?![A-Za-z])",
    re.IGNORECASE,
)
_OF_SCRIPTS: Final = lazy(
    r"[ ]is[ ](?:undefined|null|not[ ](?:defined|a[ ]function|a[ ]constructor|iterable|callable))\b"
)
"""What is said of a member: `window.internal is undefined`."""
_MOST_PARTS: Final = 3


_suffix: Final[Finder] = table((SUFFIXED,))


def _suffixed(view: View) -> Iterable[Span]:
    found, text = _suffix(view), view.text
    if found and (_OF_CODE.search(text) or _OF_SCRIPTS.search(text)) and not _OF_HOSTS.search(text):
        return [span for span in found if not _is_of_code(text, span)]
    return found


def _is_of_code(text: str, span: Span) -> bool:
    """Whether a short name is said to be a module, a section or a file."""
    name = text[span.start : span.end]
    if name.count(".") >= _MOST_PARTS or not name.replace(".", "").isalpha() or text[span.start - 1] in "/@":
        return False
    is_member = name.endswith((".internal", ".local")) and _OF_SCRIPTS.match(text, span.end)
    return bool(is_member or _OF_CODE.search(text, max(0, span.start - 30), span.end + 40))


_STORES: Final = (
    r"[a-z0-9-]{4,20}\.(?:rds|redshift(?:-serverless)?|cache|es|docdb|neptune|memorydb|kafka|mq)\.amazonaws\.com"
    r"|(?:kafka|kafka-serverless|memorydb|mq|neptune)\.[a-z0-9-]{4,20}\.amazonaws\.com"
    r"|(?:database|redis\.cache|servicebus|kusto|search)\.windows\.net"
    r"|(?:documents|mongo\.cosmos|[a-z]{2,12}\.cosmos|(?:postgres|mysql|mariadb)\.database|redis)\.azure\.(?:com|net)"
    r"|mongodb\.net|aivencloud\.com|neon\.tech|psdb\.cloud|cockroachlabs\.cloud|redis-cloud\.com|redislabs\.com"
    r"|upstash\.io|snowflakecomputing\.com|db\.ondigitalocean\.com|clickhouse\.cloud|elastic-cloud\.com"
)
"""What the names of data stores end with that are rented; what stands before is the customer's."""
_NO_CUSTOMERS: Final = frozenset(
    "www docs doc status api console app portal help support example your my".split()
)


def _is_customers(name: str) -> bool:
    return name.partition(".")[0].lower() not in _NO_CUSTOMERS


_SAID_OF_MACHINES: Final = (
    "not exist (", "unreachable (", "connection failed (", "connection refused (", "connection timed out (",
)  # fmt: skip
"""Behind which the name of one may stand in brackets."""

NAMED: Final = (
    Pattern(
        "host",
        _ascii(
            rf"(?<![\w.-])((?:[a-z0-9*_][a-z0-9_-]{{0,62}}\.){{0,4}}[a-z0-9_-]{{1,63}})\.(?={_STORES})",
            re.IGNORECASE,
        ),
        (
            ".amazonaws.com", ".windows.net", ".azure.", ".mongodb.net", ".aivencloud.com", ".neon.tech",
            ".psdb.cloud", ".cockroachlabs.cloud", ".redis-cloud.com", ".redislabs.com", ".upstash.io",
            ".snowflakecomputing.com", ".ondigitalocean.com", ".clickhouse.cloud", ".elastic-cloud.com",
        ),
        example="no answer from shop.c9akciq32xyz.eu-central-1.rds.amazonaws.com",
        near_miss="see https://docs.database.windows.net and rds.eu-central-1.amazonaws.com",
        check=_is_customers,
    ),
    Pattern(
        "host",
        _ascii(
            r"(?<![A-Za-z0-9])(?:(?:host|node|server|machine|computer|pod)[_-]?name|host|pod|machine|computer)"
            rf"[\"']?[ ]?(?:=>|[:=])[ ]?(?:\{{[\"']name[\"']:[ ]?)?[\"']?(?:[a-z0-9-]{{1,60}}/)?({_MACHINE})"
            r"(?=[\"'\s,;)}\]&]|$)",
            re.IGNORECASE,
        ),
        ("host", "name", "pod", "machine", "computer"),
        example='{"hostname":"ingest-2","msg":"boom"}, Host: billing-int',
        near_miss='{"hostname": "required"}, Host: api2.example.com, host: not-set, pod: my-pod',
        check=lambda name: _is_single_host(name) and not is_prose(name),
    ),
    Pattern(
        "host",
        _ascii(rf"'[^'\s]{{0,80}}'@'({_MACHINE})'"),
        ("'@'",),
        example="Access denied for user 'shop'@'app-node-4' (using password: YES)",
        near_miss="Access denied for user 'shop'@'localhost' (using password: YES)",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(rf"\(['\"]({_MACHINE})['\"], ?\d{{2,5}}\)"),
        ("', ", '", ', "',", '",'),
        example="[Errno 113] No route to host: ('backup-nas1', 445)",
        near_miss="('item', 445) and ('backup-nas1', 'x')",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"(?<![\w.-])(?:gke-[a-z0-9-]{3,60}-[0-9a-f]{8}-[a-z0-9]{4}|aks-[a-z0-9]{1,20}-\d{8}-vmss[0-9a-z]{6})(?![\w-])"
        ),
        ("gke-", "aks-"),
        example="on node gke-prod-pool-1-3f2a9c1b-x8zq",
        near_miss="the gke-cluster and aks-nodes",
    ),
    Pattern(
        "host",
        _ascii(rf"{_LABELS}[A-Za-z0-9-]{{1,50}}-internal\.(?:{_PUBLIC}){_PORT}"),
        ("-internal.",),
        example="cannot reach db-7.eu.acme-internal.net",
        near_miss="see https://docs.acme-corp.com and the non-internal.py",
        check=_is_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"\b(?i:host(?:name)?|resolve|lookup|ping|dial(?:[ ]tcp)?|reach|connect(?:ing|ed|ion)?[ ]to|ssh)"
            rf"[ :=]{{1,2}}['\"]?({_ZONED}{{1,10}}(?:{_ZONES}){_PORT})"
        ),
        _ZONE_ENDS,
        example="cannot resolve billing.staging",
        near_miss="the host says that the field user.private and the file app.staging are unknown",
        check=_is_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"\b(?i:connect(?:ed|ing|ion)?|upstream|dial|resolv(?:e|ing)|lookup|dns|reach|host)\b[^\n]{0,60}?"
            rf"(?<![\w./-])({_ZONED}{{2,10}}(?:{_ZONES}){_PORT})"
        ),
        _ZONE_ENDS,
        example="upstream connect error: orders.prod.mesh.private",
        near_miss="the host says that the field user.private and the file app.staging are unknown",
        check=_is_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"{_LABELS}(?:internal|int|corp|intranet|intra|lan|priv|svc|cluster)\.(?:[\w-]{{1,63}}\.){{0,3}}"
            rf"(?:{_PUBLIC}){_PORT}"
        ),
        (".internal.", ".int.", ".corp.", ".intranet.", ".intra.", ".lan.", ".priv.", ".svc.", ".cluster."),
        example="cannot reach jira.corp.example.com",
        near_miss="corp.example.com is public",
        check=_is_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"(?:(?<=://)|(?<=@)|(?=[a-z0-9.]{{0,60}}-))(?:(?<=[/@])|(?<![\w.-]))(?:[a-z0-9][a-z0-9_-]{{0,62}}\.){{1,10}}"
            rf"(?:{_ZONES}){_PORT}"
            rf"|(?<![\w.-])(?:[a-z0-9][a-z0-9_-]{{0,62}}\.){{1,10}}(?:{_ZONES}):\d{{2,5}}(?![\w(-]|\.\w)"
        ),
        _ZONE_ENDS,
        example="dial tcp: lookup mysql-2.private failed, so did web.prod:8080",
        near_miss="the field is user.private and the file app.staging",
        check=_is_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"(?<![\w.-])(?:ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[a-z0-9.-]{1,80})?|internal-[a-z0-9-]{3,60}\.[a-z0-9.-]{3,80})"
        ),
        ("ip-", "internal-"),
        example="node ip-10-0-1-23.ec2.internal is down",
        near_miss="the ip-allow-list and internal-use only",
    ),
    Pattern(
        "host",
        _ascii(r"(?<![\w./-])localhost:\d{2,5}(?!\d)"),
        ("localhost:",),
        example="connection to localhost:5432 refused",
        near_miss="runs on localhost only",
    ),
    Pattern(
        "host",
        _ascii(rf"(?i:host)(?<!\w(?i:host))(?:name)?=['\"]?({_SINGLE})(?=[\s'\",;:){_OTHERS}]|$)(?!://)"),
        ("host=", "hostname="),
        example="could not connect with host=db-primary port=5432",
        near_miss="HTTPSConnectionPool(host='api.example.com', port=443)",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"\b(?:server|data ?source|addr(?:ess)?)=(?:tcp:)?(?=[a-z]{{1,40}}[-\d])({_SINGLE})(?=[;,:\\])",
            re.IGNORECASE,
        ),
        ("server=", "source=", "addr=", "address="),
        example="cannot open Server=prod-sql01;Database=shop;Encrypt=yes",
        near_miss="Server=sql.example.com;Database=shop",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"\b[Hh]ost[ ]['\"]?({_MACHINE})(?=['\"]|,?[ ](?:port[ ]\d"
            r"|(?:is[ ])?(?:down|unreachable|unknown)|not[ ]found|refused|timed[ ]out|did[ ]not))"
        ),
        ("host ",),
        example="host orders-db port 5432 refused",
        near_miss="host example not found, and host db2.example.com port 50000",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"\b(?i:connect(?:ed|ing|ion)?|contact|reach|route)[ ][^\n:]{0,40}?\b(?:host|server|broker)[ ]"
            r"(?:at[ ]|on[ ])?(?=[a-z-]{1,40}\d)([a-z][a-z0-9_-]{2,62})(?=:?[ ]|[,;)]|\.?(?:\s|$))"
        ),
        ("host ", "server ", "broker "),
        example="could not connect to host orders-db2: Connection refused",
        near_miss="could not connect to host db2.example.com, connect the server with http2.example",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(rf"\b(?i:connect(?:ing)?[ ]to[ ]host)[ ]({_SINGLE})(?=:\d)"),
        ("connect to host ", "connecting to host "),
        example="Cannot connect to host billing:80 ssl:default",
        near_miss="Cannot connect to host example.com:80 ssl:default",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"(?<![\w.-])({_MACHINE})"
            r": (?=(?i:temporary failure in name|name or service not known|nodename nor servname))"
        ),
        (": temporary failure in name", ": name or service", ": nodename nor"),
        example="ping: orders-db: Temporary failure in name resolution",
        near_miss="gaierror: Name or service not known",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"certificate is valid for [^\n]{1,300}, not "
            rf"({_MACHINE})(?![\w.-])"
        ),
        ("certificate is valid for",),
        example="x509: certificate is valid for example.com, not orders-db",
        near_miss="x509: certificate is valid for example.com, not www2.example.com",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"(?:\bENOTFOUND[ ]|\bEAI_AGAIN[ ]|UnknownHostException: "
            r"|\blookup[ ](?=\S{1,100}[ ]on[ ](?:\S{1,60}:\d|\[redacted)|\S{1,100}: no such)"
            r"|(?i:could not resolve host:? ['\"]?|failed to resolve (?:host )?['\"]"
            r"|could not translate host name ['\"]|unknown (?:\w{1,10} )?(?:server )?host ['\"]"
            r"|connection to server at ['\"]|connect to (?:server|host) ['\"]|server host ['\"]"
            r"|connect(?:ion)? to (?:[\w.-]{1,30} )?(?:server|host|instance|database|broker|cluster)"
            r" (?:on|at) ['\"]))"
            rf"({_SINGLE})(?=[\s'\",;:){_OTHERS}]|$)"
        ),
        (
            "enotfound", "eai_again", "unknownhost", " on ", ": no such", "resolve", "host name", "host '",
            'host "', "connection to ", "connect to",
        ),
        example="getaddrinfo ENOTFOUND db-primary",
        near_miss="could not resolve host: example.com",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            r"\b(?i:server|host)\b[^\n()]{0,60}?[ ]"
            rf"(?i:{'|'.join(said[:-2] for said in _SAID_OF_MACHINES)})[ ]"
            rf"\(({_SINGLE}(?::\d{{2,5}})?)(?=\)|[\\:][^\n()]{{1,60}}\))"
        ),
        _SAID_OF_MACHINES,
        example="Adaptive Server is unavailable or does not exist (ledger_db)",
        near_miss="the server does not exist (yet), server connection failed (db.example.com)",
        check=_is_called,
    ),
    Pattern(
        "ip",
        _ascii(r"(?<![\w.-])((?:\d{1,3}\.){1,4})in-addr\.arpa(?![\w-])"),
        (".in-addr.arpa",),
        example="PTR 14.3.0.10.in-addr.arpa NXDOMAIN",
        near_miss="PTR 8.8.8.8.in-addr.arpa NXDOMAIN",
        check=_is_private_reversed,
    ),
    Pattern(
        "arn",
        _ascii(rf"(?<![A-Za-z0-9])arn{_COLON}aws[\w-]{{0,12}}{_COLON}[\w-]{{0,40}}{_COLON}[\w-]{{0,30}}{_COLON}\d{{12}}{_COLON}[^\s\"'<>,;)\]}}\\&{_OTHERS}]{{1,500}}"),
        ("arn:aws", "arn%3aaws"),
        example="not authorized: arn:aws:iam::123456789012:role/deploy",
        near_miss="arn:aws:s3:::public-bucket/key",
    ),
    Pattern(
        "account",
        _ascii(r"(?<!\d)\d{12}(?=\.dkr\.ecr\.|\.signin\.aws|\.\w{2,20}\.amazonaws\.com)"),
        (".dkr.ecr.", ".signin.aws", ".amazonaws.com"),
        example="pull 123456789012.dkr.ecr.us-east-1.amazonaws.com/app failed",
        near_miss="public.ecr.aws/nginx, item 123456789012",
    ),
    Pattern(
        "account",
        _ascii(
            r"(?:amazonaws\.com/|(?i:\b(?:aws[ _-]?)?account(?:[ _-]?id)?)\b[\"'\s:=#(]{1,4})(\d{12})(?!\d)"
        ),
        ("amazonaws.com/", "account"),
        example="queue https://sqs.us-east-1.amazonaws.com/123456789012/jobs",
        near_miss="account 12345 not found",
    ),
    Pattern(
        "account",
        _ascii(r"/subscriptions/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE),
        ("/subscriptions/",),
        example="no such group /subscriptions/8ab976e6-64bc-4b38-98f7-731e7a349970/resourceGroups/web",
        near_miss="GET /subscriptions/sub_42",
    ),
)  # fmt: skip

OWNED: Final = Pattern(
    "account",
    _ascii(r"(?<=[A-Za-z]-)\d{12}(?=-(?:af|ap|ca|cn|eu|il|me|mx|sa|us)-(?:gov-)?[a-z]{4,9}-\d)"),
    ("-",),
    example="no such bucket cf-templates-123456789012-us-east-1",
    near_miss="order shop-123456789012-eu, us-east-1",
)
"""The account in a name that ends with a region."""

NUMBERED: Final = (
    Pattern(
        "host",
        _ascii(
            r"\b(?:to|on|by|from|at|getaddrinfo for|contact|contacting|ping|kdc|handshake with"
            rf"|certificate for)[ ]['\"]?({_NUMBERED_MACHINE})(?=[\s:,;)'\"]|\.?$|\.\s)",
            re.IGNORECASE,
        ),
        (
            "errno", "refused", "name resolution", "getaddrinfo", "name or service", "connect to",
            "not responding", "timed out", "disconnected", " 502", " 503", " 504", " port ",
            "econn", "no route to host", "noroutetohost", "unreachable", "unavailable", "handshake",
            "certificate", "ssh", "ping ", "kdc ", "closed by",
        ),
        example="[Errno 111] Unable to connect to port 22 on bastion-eu1",
        near_miss="[Errno 2] on port 22 of job-42, from model gpt-4o-mini-2 at us-east-1",
        check=_is_single_host,
    ),
    Pattern(
        "host",
        _ascii(
            rf"\b(?!instance|target|agent)(?:{_ROLES})[ ]['\"]?({_NUMBERED_MACHINE})"
            r"(?=[\s:,;)'\"]|\.?$|\.\s)",
            re.IGNORECASE,
        ),
        tuple(f"{role} " for role in _ROLES.split("|")),
        example="replica pg-main-2 lags behind",
        near_miss="worker pool-2 is full, the agent gpt-4o-mini-2 of cluster us-east-1, node v18-lts",
        check=_is_single_host,
    ),
)  # fmt: skip
"""A machine with a number in a sentence about machines, or about what befalls them."""

TROUBLED: Final = (
    Pattern(
        "host",
        _ascii(
            rf"\b(?i:{_ROLES}|connection[ ](?:to|from|with)|connect(?:ing|ed)?[ ](?:to|with)|ping)[ ]['\"]?"
            rf"({_MACHINE})(?::\d{{2,5}})?['\"]?[ ](?:(?:is|was|has)[ ])?"
            r"(?i:not[ ]responding|unreachable|refused|timed[ ]out|down|unavailable|lost|disconnected"
            r"|went[ ]away|rebooted|died|failed)\b"
        ),
        (
            "not responding", "unreachable", "refused", "timed out", " down", "unavailable", "lost",
            "disconnected", "went away", "rebooted", "died", "failed",
        ),
        example="LDAP server SRV-AUTH2 is unreachable, connection to redis-master refused",
        near_miss="the server sub-process died, connection to read-only replica lost, node v18 failed",
        check=_is_machine,
    ),
    Pattern(
        "host",
        _ascii(
            rf"\b(?i:connect(?:ing)?[ ]to)[ ]['\"]?({_MACHINE})(?=['\"]?(?:\.?$|:[ ]))"
        ),
        ("connect to ", "connecting to "),
        example="could not connect to web01: gone",
        near_miss="connect to a host, cannot connect to multi-step, cannot connect to Concord232: gone",
        check=lambda name: _is_machine(name) and (name.islower() or "-" in name),
    ),
)  # fmt: skip
"""A machine that something is wrong with."""

ASKED: Final[Asked] = {
    **{word: (f".{word.decode()}",) for word in words(
        "local lan corp int intra intranet localdomain arpa consul priv svc cluster"
    )},
    **{word: (f".{word.decode()}",) for word in words(_ZONES.replace("|", " "))},
    b"internal": (".internal", "internal-", "-internal."),
    b"windows": (".windows.net",),
    b"azure": (".azure.com", ".azure.net"),
    **{word: (f".{word.decode()}.", f"{word.decode()}.") for word in words(
        "mongodb aivencloud neon psdb cockroachlabs redislabs upstash snowflakecomputing ondigitalocean"
        " clickhouse"
    )},
    **dict.fromkeys(words("redis elastic"), ("redis-cloud.com", "elastic-cloud.com")),
    b"localhost": ("localhost:", ".localhost"),
    b"ip": ("ip-",),
    b"host": ("host=", "host ", "host:", 'host"', "host'", "host_name", "host-name"),
    b"hostname": ("hostname=", "hostname:", 'hostname"', "hostname'"),
    **{word: tuple(word.decode() + sign for sign in ("=", ":", '"', "'", "_name", "-name")) for word in words(
        "nodename servername machinename computername podname pod machine computer node"
    )},
    b"server": (
        "server=", "connection to server at", "connect to server", "server host", "server_name",
        "server-name", *_SAID_OF_MACHINES,
    ),
    **dict.fromkeys(
        words(
            "errno getaddrinfo econnrefused resolution responding unreachable disconnected port timed"
            " 502 503 504"
        ),
        ("-",),
    ),
    b"gke": ("gke-",),
    b"aks": ("aks-",),
    b"user": ("'@'",),
    **dict.fromkeys(
        words("name nodename"), (": temporary failure in name", ": name or service", ": nodename nor")
    ),
    b"certificate": ("certificate is valid for",),
    **dict.fromkeys(
        words("connect connected connecting connection contact reach route dial upstream"),
        (
            " on '", ' on "', " at '", ' at "', "host ", "server ", "broker ", " refused", " port ", "errno",
            "connect to ", "connecting to ",
        ),
    ),
    **dict.fromkeys(words("source datasource"), ("source=",)),
    **dict.fromkeys(words("addr address"), ("addr=", "address=")),
    b"lookup": (" on ", ": no such"),
    b"resolve": ("resolve host", "failed to resolve"),
    b"translate": ("host name",),
    b"subscriptions": ("/subscriptions/",),
    b"dkr": (".dkr.ecr.",),
    b"signin": (".signin.aws",),
    **dict.fromkeys(words("enotfound eai unknownhostexception arn amazonaws account accountid"), ("",)),
}  # fmt: skip
SPOKEN: Final = (
    words("errno getaddrinfo econnrefused resolution responding unreachable disconnected port timed route")
    | words(_ROLES.replace("|", " "))
    | words("handshake certificate unavailable ping kdc ssh refused closed")
)
"""What machines are called, and what befalls them."""
HOSTS: Final = (
    LINKED,
    SERVED,
    *PORTED,
    LED_TO,
    MOUNTED,
    *PLACED,
    REACHED,
    BEFORE_ADDRESS,
    BEHIND_LOGIN,
    SUFFIXED,
    OWNED,
    *NAMED,
    *NUMBERED,
    *TROUBLED,
)
_named: Final[Finder] = table(NAMED)
_placed: Final[Finder] = table(PLACED)
_redacted: Final[Finder] = table((BEFORE_ADDRESS, BEHIND_LOGIN))
_reached: Final[Finder] = table((REACHED,))
_numbered: Final[Finder] = table(NUMBERED)
_troubled: Final[Finder] = table(TROUBLED)
_SINGLE_LINK: Final = _ascii(
    r"://(?:[^\s/@\"'<>]{1,200}@)?[A-Za-z_][A-Za-z0-9_-]{0,62}(?![A-Za-z0-9_-]|\.[^\s])"
)
"""A link to a host without a domain."""


def find(view: View) -> list[Span]:
    """Hosts, addresses and accounts that are not public."""
    text, marks = view.text, view.marks
    found = list(_addresses(view)) if view.digits >= 4 or "::" in text else []
    if b"//" in marks and "://" in text and _SINGLE_LINK.search(text):
        found += matches(LINKED, text)
    if b":/" in marks and text.count(":/") > text.count("://"):
        found += matches(MOUNTED, text)
    if view.has_place:
        found += _with_port(view)
    if "@" in text:
        found += _reached(view)
    if "[redacted:" in text:
        found += _redacted(view)
    is_about_machines = False
    if view.digits > 12 and b"-000000000000-" in view.shape:
        found += matches(OWNED, text)
    if b"-" in marks:
        is_about_machines = has_machine(view)
        if view.is_long:
            found += _pods(text)
    if view.spoken and (is_about_machines or view.has_beside(ASKED)):
        found += _in_sentence(view, is_about_machines)
    if found and "%" in text:
        found = [span._replace(start=_behind_escape(text, span.start)) for span in found]
    return found


_HALF: Final = lazy(r"(?<=%)(?:40|2[fF]|3[aAdD])(?=[A-Za-z\d])")


def _behind_escape(text: str, start: int) -> int:
    """Where a host begins that half an escape was taken for a part of: `%40db.internal`."""
    half = _HALF.match(text, start)
    return half.end() if half else start


def _with_port(view: View) -> Iterator[Span]:
    if b":00" not in view.shape:
        return
    yield from _placed(view)
    if b"-" in view.marks:
        yield from matches(LED_TO, view.text)
    if b":000" in view.shape:
        for pattern in (SERVED, *PORTED):
            yield from matches(pattern, view.text)


def _in_sentence(view: View, is_about_machines: bool) -> Iterator[Span]:
    yield from _named(view)
    yield from _suffixed(view)
    if is_about_machines:
        yield from _numbered(view)
    if b"-" in view.marks or _NUMBERED_WORD.search(view.shape):
        yield from _troubled(view)


def has_machine(view: View) -> bool:
    """Whether the text is about machines, and a word has a hyphen in it and a number at its end."""
    return bool(view.digits and view.speaks_of(SPOKEN) and _HYPHENED.search(view.shape))


_HYPHENED: Final = re.compile(rb"-[A-Za-z0-]{0,60}0(?![A-Za-z0_-])")
_NUMBERED_WORD: Final = re.compile(rb"0(?<=[A-Za-z]0)0{0,9}(?:[^\w.]|$)")
_POD: Final = _ascii(
    r"-(?=[a-z]{0,9}\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9-])"
)
"""How the names of pods end: without the letters that make words."""
_ABOUT_POD: Final = _ascii(r"(?<!\bon )(?<!\bin )(?<!\bfrom )\b[Pp]ods?[ /](?:\\{0,7}['\"]|&quot;)?\Z")
"""Before a pod that the text is about, not one that it comes from: `pod x is not ready`."""

_TOLD_POD: Final = _ascii(
    r"\bkubectl(?:[ ]-{1,2}[\w-]{1,40}(?:[= ][\w.-]{1,60})?){0,3}[ ][a-z-]{2,20}"
    r"(?:[ ]-{1,2}[\w-]{1,40}(?:[= ][\w.-]{1,60})?){0,4}(?:[ ]pods?)?[ /]\Z"
)
"""Before a pod that a command is about: `kubectl logs -p x`."""


def _pods(text: str) -> Iterator[Span]:
    for tail in _POD.finditer(text):
        start, floor = tail.start(), max(0, tail.start() - 60)
        while start > floor and (text[start - 1].isalnum() or text[start - 1] == "-"):
            start -= 1
        is_subject = _ABOUT_POD.search(text, max(0, start - 12), start) or _TOLD_POD.search(
            text, max(0, start - 100), start
        )
        if start < tail.start() and not is_subject:
            yield Span(start, tail.end(), "host")
