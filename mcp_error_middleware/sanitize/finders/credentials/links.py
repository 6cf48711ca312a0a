"""Text in, secrets in links that are no part of a login out."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.finders.credentials.values import (
    is_secret,
)
from mcp_error_middleware.sanitize.spans import Pattern

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
        check=is_secret,
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
        lazy(
            r"(?:api\.telegram\.org/(?:file/)?bot|conda\.anaconda\.org/t/)([^\s\"'<>?#)\],;/]{6,600})",
            re.IGNORECASE,
        ),
        ("api.telegram.org", "conda.anaconda.org"),
        example="POST https://api.telegram.org/bot6857074576:AAMQBmNqxj/sendMessage failed",
        near_miss="see https://core.telegram.org/bots/api and https://conda.anaconda.org/conda-forge/noarch",
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
