"""Text in, hosts that stand where an error names one out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import (
    MACHINE,
    OTHERS,
    QUALIFIED,
    SINGLE,
    ascii_only,
    is_called,
    is_single_host,
)
from mcp_error_middleware.sanitize.spans import Pattern
from mcp_error_middleware.sanitize.words import is_prose

SAID_OF_MACHINES: Final = (
    "not exist (", "unreachable (", "connection failed (", "connection refused (", "connection timed out (",
)  # fmt: skip
"""Behind which the name of one may stand in brackets."""

FIELDS: Final = (
    Pattern(
        "host",
        ascii_only(
            r"(?:(?<![A-Za-z0-9])(?:(?:host|node|server|machine|computer|pod)[_-]?name|host|pod|machine|computer)"
            r"|(?-i:(?<=[A-Z])HOST|(?<=[a-z])Host))"
            rf"[\"']?[ ]?(?:=>|[:=])[ ]?(?:\{{[\"']name[\"']:[ ]?)?[\"']?(?:[a-z0-9-]{{1,60}}/)?({QUALIFIED})"
            r"(?=[\"'\s,;)}\]&]|$)",
            re.IGNORECASE,
        ),
        ("host", "name", "pod", "machine", "computer"),
        example='{"hostname":"ingest-2","msg":"boom"}, Host: billing-int, PGHOST=pg-2',
        near_miss='{"hostname": "required"}, Host: api2.example.com, host: not-set, pod: my-pod',
        check=lambda name: is_single_host(name) and not is_prose(name),
    ),
    Pattern(
        "host",
        ascii_only(rf"'[^'\s]{{0,80}}'@'({MACHINE})'"),
        ("'@'",),
        example="Access denied for user 'shop'@'app-node-4' (using password: YES)",
        near_miss="Access denied for user 'shop'@'localhost' (using password: YES)",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(rf"\(['\"]({MACHINE})['\"], ?\d{{2,5}}\)"),
        ("', ", '", ', "',", '",'),
        example="[Errno 113] No route to host: ('backup-nas1', 445)",
        near_miss="('item', 445) and ('backup-nas1', 'x')",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(rf"(?i:host)(?<!\w(?i:host))(?:name)?=['\"]?({QUALIFIED}|{SINGLE})(?=[\s'\",;:){OTHERS}]|$)(?!://)"),
        ("host=", "hostname="),
        example="could not connect with host=db-primary port=5432",
        near_miss="HTTPSConnectionPool(host='api.example.com', port=443)",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"\b(?:server|data ?source|addr(?:ess)?)=(?:tcp:)?(?=[a-z]{{1,40}}[-\d])({SINGLE})(?=[;,:\\])",
            re.IGNORECASE,
        ),
        ("server=", "source=", "addr=", "address="),
        example="cannot open Server=prod-sql01;Database=shop;Encrypt=yes",
        near_miss="Server=sql.example.com;Database=shop",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"\b[Hh]ost[ ]['\"]?({QUALIFIED})(?=['\"]|,?[ ](?:port[ ]\d"
            r"|(?:is[ ])?(?:down|unreachable|unknown)|not[ ]found|refused|timed[ ]out|did[ ]not))"
        ),
        ("host ",),
        example="host orders-db port 5432 refused",
        near_miss="host example not found, and host db2.example.com port 50000",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"\b(?i:connect(?:ed|ing|ion)?|contact|reach|route)[ ][^\n:]{0,40}?\b(?:host|server|broker)[ ]"
            r"(?:at[ ]|on[ ])?(?=[a-z-]{1,40}\d)([a-z][a-z0-9_-]{2,62})(?=:?[ ]|[,;)]|\.?(?:\s|$))"
        ),
        ("host ", "server ", "broker "),
        example="could not connect to host orders-db2: Connection refused",
        near_miss="could not connect to host db2.example.com, connect the server with http2.example",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(rf"\b(?i:connect(?:ing)?[ ]to[ ]host)[ ]({SINGLE})(?=:\d)"),
        ("connect to host ", "connecting to host "),
        example="Cannot connect to host billing:80 ssl:default",
        near_miss="Cannot connect to host example.com:80 ssl:default",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"(?<![\w.-])({QUALIFIED})"
            r": (?=(?i:temporary failure in name|name or service not known|nodename nor servname))"
        ),
        (": temporary failure in name", ": name or service", ": nodename nor"),
        example="ping: orders-db: Temporary failure in name resolution",
        near_miss="gaierror: Name or service not known",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"certificate is valid for [^\n]{1,300}, not "
            rf"({MACHINE})(?![\w.-])"
        ),
        ("certificate is valid for",),
        example="x509: certificate is valid for example.com, not orders-db",
        near_miss="x509: certificate is valid for example.com, not www2.example.com",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"(?:\bENOTFOUND[ ]|\bEAI_AGAIN[ ]|UnknownHostException: "
            r"|\blookup[ ](?=\S{1,100}[ ]on[ ](?:\S{1,60}:\d|\[redacted)|\S{1,100}: no such)"
            r"|(?i:could not resolve host:? ['\"]?|failed to resolve (?:host )?['\"]"
            r"|could not translate host name ['\"]|unknown (?:\w{1,10} )?(?:server )?host ['\"]"
            r"|connection to server at ['\"]|connect to (?:server|host) ['\"]|server host ['\"]"
            r"|connect(?:ion)? to (?:[\w.-]{1,30} )?(?:server|host|instance|database|broker|cluster)"
            r" (?:on|at) ['\"]))"
            rf"({QUALIFIED}|{SINGLE})(?=[\s'\",;:){OTHERS}]|$)"
        ),
        (
            "enotfound", "eai_again", "unknownhost", " on ", ": no such", "resolve", "host name", "host '",
            'host "', "connection to ", "connect to",
        ),
        example="getaddrinfo ENOTFOUND db-primary",
        near_miss="could not resolve host: example.com",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"\b(?i:server|host)\b[^\n()]{0,60}?[ ]"
            rf"(?i:{'|'.join(said[:-2] for said in SAID_OF_MACHINES)})[ ]"
            rf"\(({SINGLE}(?::\d{{2,5}})?)(?=\)|[\\:][^\n()]{{1,60}}\))"
        ),
        SAID_OF_MACHINES,
        example="Adaptive Server is unavailable or does not exist (ledger_db)",
        near_miss="the server does not exist (yet), server connection failed (db.example.com)",
        check=is_called,
    ),
)  # fmt: skip
