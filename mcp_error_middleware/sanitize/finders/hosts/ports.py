"""Text in, hosts that their port gives away out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import (
    MACHINE,
    ROLES,
    SINGLE,
    ascii_only,
    is_single_host,
)
from mcp_error_middleware.sanitize.spans import Pattern

_SERVICE_PORTS: Final = (
    "1433|1521|2181|2375|2376|2379|2380|3306|4222|5432|5433|5671|5672|5984|6379|6380|6432|7000|7687|8123|8200|8500|8529"
    "|9000|9042|9090|9092|9093|9200|9300|9411|9418|10250|11211|15672|16379|26257|26379|27017|27018|28015|50051|50070|61616"
)
SERVED: Final = Pattern(
    "host",
    ascii_only(
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

PORTED: Final = (
    Pattern(
        "host",
        ascii_only(rf"\b(?:{ROLES})(?:[ :]|=['\"]?)({MACHINE}:\d{{4,5}})(?![\w:]|\.\d)"),
        (":",),
        example="node db-core-10:9100 went away",
        near_miss="node 16:9000 and server error:5000",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"(?:(?<![\w./@:-])|(?<=\w/)(?<![./]\w/))((?=[a-z0-9]{1,60}-)(?=[a-z-]{1,60}\d)[a-z][a-z0-9-]{1,62}:\d{4,5})"
            r"(?=[ ](?:(?:is|was|has|did|does)[ ])?(?:not[ ])?(?:refused|unreachable|timed[ ]out|went[ ]away"
            r"|(?i:down)\b|dead\b|unavailable|respond|reset|lost|closed|unhealthy|gone\b|lags))"
        ),
        (":",),
        example="the seed web-3:4100 is not responding",
        near_miss="step-2:8080 of the list",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            r"\b(?i:connect(?:ed|ing|ion)?|dial|upstream|reach)\b[^\n]{0,60}?(?<![\w./@:-])"
            r"((?=[A-Za-z-]{1,60}\d)(?=[A-Za-z0-9]{1,60}-)[A-Za-z][A-Za-z0-9-]{1,62}:\d{3,5})(?!:?\w|\.\d)"
        ),
        (":",),
        example="upstream connect error: orders-db-1:8080 reset",
        near_miss="step-2:8080 and iso-8859-1:8000",
        check=is_single_host,
    ),
)
"""A host by what it is called, or by what is said of it."""

LED_TO: Final = Pattern(
    "host",
    ascii_only(
        r"\b(?:to|from|at|on|via|by|against)[ ]((?=[a-z][a-z0-9]{0,30}-[a-z0-9]{1,30}-)(?=[a-z-]{1,60}\d)"
        r"[a-z][a-z0-9-]{3,62}:\d{2,5})(?!:?\w|\.\d)"
    ),
    (":",),
    example="the copy to ora-int-16:22 took 31 s",
    near_miss="from step-2:10 to step-3:20, back to us-east-1:42 and on 2024-05-06 at 10:15",
    check=is_single_host,
)
"""A host that something goes to or comes from: a port, and as many parts as machines have in their names."""

PLACED: Final = (
    Pattern(
        "host",
        ascii_only(
            r"\b(?:E(?:CONN[A-Z]{3,8}|TIMEDOUT|HOSTUNREACH)|(?i:refused|timed[ ]out):)[ ]"
            rf"({SINGLE}:\d{{2,5}})(?!:?\w|\.\d)"
        ),
        ("econn", "etimedout", "ehostunreach", "refused: ", "timed out: "),
        example="connect ETIMEDOUT web01:443",
        near_miss="connect ETIMEDOUT example.com:443, timed out: 30",
        check=is_single_host,
    ),
    Pattern(
        "host",
        ascii_only(
            rf"(?<!\S)(?:<\d{{1,3}}>)?[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d ({SINGLE})"
            r"(?= [\w/.-]{1,40}\[\d{1,8}\]: )",
            re.MULTILINE,
        ),
        ("]: ",),
        example="Nov  3 10:12:13 ledger sshd[812]: error: boom",
        near_miss="Nov  3 10:12:13 2024: boom",
        check=is_single_host,
    ),
)
"""A host by what is said of its port, or at the time of a line of a log."""
