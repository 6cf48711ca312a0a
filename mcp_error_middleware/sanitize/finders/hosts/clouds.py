"""Text in, machines, stores and accounts that somebody has in a cloud out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import (
    OTHERS,
    ascii_only,
)
from mcp_error_middleware.sanitize.spans import Pattern

_COLON: Final = "(?::|%3[aA])"
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


RENTED: Final = (
    Pattern(
        "host",
        ascii_only(
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
        ascii_only(
            r"(?<![\w.-])(?:gke-[a-z0-9-]{3,60}-[0-9a-f]{8}-[a-z0-9]{4}|aks-[a-z0-9]{1,20}-\d{8}-vmss[0-9a-z]{6})(?![\w-])"
        ),
        ("gke-", "aks-"),
        example="on node gke-prod-pool-1-3f2a9c1b-x8zq",
        near_miss="the gke-cluster and aks-nodes",
    ),
    Pattern(
        "arn",
        ascii_only(rf"(?<![A-Za-z0-9])arn{_COLON}aws[\w-]{{0,12}}{_COLON}[\w-]{{0,40}}{_COLON}[\w-]{{0,30}}{_COLON}\d{{12}}{_COLON}[^\s\"'<>,;)\]}}\\&{OTHERS}]{{1,500}}"),
        ("arn:aws", "arn%3aaws"),
        example="not authorized: arn:aws:iam::123456789012:role/deploy",
        near_miss="arn:aws:s3:::public-bucket/key",
    ),
    Pattern(
        "account",
        ascii_only(r"(?<!\d)\d{12}(?=\.dkr\.ecr\.|\.signin\.aws|\.\w{2,20}\.amazonaws\.com)"),
        (".dkr.ecr.", ".signin.aws", ".amazonaws.com"),
        example="pull 123456789012.dkr.ecr.us-east-1.amazonaws.com/app failed",
        near_miss="public.ecr.aws/nginx, item 123456789012",
    ),
    Pattern(
        "account",
        ascii_only(
            r"(?:amazonaws\.com/|(?i:\b(?:aws[ _-]?)?account(?:[ _-]?id)?)\b[\"'\s:=#(]{1,4})(\d{12})(?!\d)"
        ),
        ("amazonaws.com/", "account"),
        example="queue https://sqs.us-east-1.amazonaws.com/123456789012/jobs",
        near_miss="account 12345 not found",
    ),
    Pattern(
        "account",
        ascii_only(r"/subscriptions/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE),
        ("/subscriptions/",),
        example="no such group /subscriptions/8ab976e6-64bc-4b38-98f7-731e7a349970/resourceGroups/web",
        near_miss="GET /subscriptions/sub_42",
    ),
)  # fmt: skip

OWNED: Final = Pattern(
    "account",
    ascii_only(r"(?<=[A-Za-z]-)\d{12}(?=-(?:af|ap|ca|cn|eu|il|me|mx|sa|us)-(?:gov-)?[a-z]{4,9}-\d)"),
    ("-",),
    example="no such bucket cf-templates-123456789012-us-east-1",
    near_miss="order shop-123456789012-eu, us-east-1",
)
"""The account in a name that ends with a region."""
