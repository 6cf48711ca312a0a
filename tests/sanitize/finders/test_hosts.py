from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("http://billing-api:8080/v1/x failed", "http://[redacted:host]/v1/x failed"),
        ("billing.prod.svc.cluster.local:8080 failed", "[redacted:host] failed"),
        ("DB01.CORP.LOCAL failed", "[redacted:host] failed"),
        ("http://10.0.0.5:8080/v1/x failed", "http://[redacted:ip]/v1/x failed"),
        ("[fe80::1]:443 refused", "[redacted:ip] refused"),
        ("fd12::1: refused", "[redacted:ip]: refused"),
        ("IP 10.0.0.5.4431 > 8.8.8.8.53: UDP", "IP [redacted:ip] > 8.8.8.8.53: UDP"),
        ("IP 8.8.8.8.53 > 10.0.0.5.4431: UDP", "IP 8.8.8.8.53 > [redacted:ip]: UDP"),
        ("PGHOST=orders-db dbHost: orders-db", "PGHOST=[redacted:host] dbHost: [redacted:host]"),
        ("awsAccountId: 123456789012", "awsAccountId: [redacted:account]"),
        ("2035 at mq1.acme.corp(1414)", "2035 at [redacted:host]"),
        ("the certificate is for *.shop.internal", "the certificate is for [redacted:host]"),
        ("getaddrinfo ENOTFOUND mq-0.mq-headless", "getaddrinfo ENOTFOUND [redacted:host]"),
        ('host "mq-0.mq-headless" port 5672 refused', 'host "[redacted:host]" port 5672 refused'),
        ("arn:aws:iam::123456789012:role/x is missing", "[redacted:arn] is missing"),
    ],
)
def test_internal_hosts_and_private_addresses_go(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "203.0.113.7", "8.8.8.8:53", "2001:db8::1", "version 10.0.0.1", "api.example.com:443",
        "localhost", "0.0.0.0:80", "notes://today", "com.acme.internal", "std::vector::size",
        "https://host:port/", "00:1B:44:11:3A:B7", "12:30:45",
        "section 10.1.2.3.4: scope", ".env.local is missing",
        "GHOST=casper", "PGHOST=localhost", "dbHost: required", "cache.local(1414)",
        "getaddrinfo ENOTFOUND api-2.example.com", "getaddrinfo ENOTFOUND mail-2.xn--p1ai",
    ],
)  # fmt: skip
def test_what_is_public_or_no_host_stays(text: str) -> None:
    assert sanitize_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "window.internal is undefined",
        "kubectl logs -p web-7d9c8b6f5-x2k9p --since=1h",
        "kubectl exec -it web-7d9c8b6f5-x2k9p -- ls",
    ],
)
def test_members_and_what_a_command_is_about_stay(text: str) -> None:
    assert sanitize_text(text) == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("host db.internal is undefined", "host [redacted:host] is undefined"),
        ("billing.internal is unreachable", "[redacted:host] is unreachable"),
        ("kubectl get pods; on web-7d9c8b6f5-x2k9p", "kubectl get pods; on [redacted:host]"),
        (
            "kubectl exec pod -- probe failed on pod web-7d9c8b6f5-x2k9p: gone, on web-7d9c8b6f5-x2k9p",
            "kubectl exec pod -- probe failed on pod [redacted:host]: gone, on [redacted:host]",
        ),
        ("postgres%3A%2F%2Fdb.internal%2Fshop", "postgres%3A%2F%2F[redacted:host]%2Fshop"),
    ],
)
def test_hosts_that_look_like_them_go(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean
