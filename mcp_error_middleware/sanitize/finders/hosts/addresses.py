"""Text in, private addresses out."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.sanitize.finders.hosts.names import ascii_only
from mcp_error_middleware.sanitize.spans import Pattern, Span, View

_V4: Final = ascii_only(
    r"(?<![A-Za-z0-9.])((?:\d{1,3}\.){3}\d{1,3})"
    r"(?:/\d{1,2}(?!\d))?(?::\d{1,5}|(\.\d{1,5}))?(?![A-Za-z0-9]|\.\d)(?!(?<=[0-9])[_.-](?:\d{1,3}_)?"
    r"(?:all|amd64|arm64|armhf|i386|x86|x64|win|linux|darwin|macos|src|deb|rpm|tar|zip|tgz|gz|whl|exe|msi|dmg|jar)(?![a-z]))"
)
_NUMBERED: Final = ascii_only(
    r"(?:(?<![a-z])(?:version|section|chapter|clause|release|firmware|build|ver|v)[ _]|§[ ]?)$", re.IGNORECASE
)
"""Before numbers with as many points as an address."""
_V6: Final = ascii_only(
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


REVERSED: Final = Pattern(
    "ip",
    ascii_only(r"(?<![\w.-])((?:\d{1,3}\.){1,4})in-addr\.arpa(?![\w-])"),
    (".in-addr.arpa",),
    example="PTR 14.3.0.10.in-addr.arpa NXDOMAIN",
    near_miss="PTR 8.8.8.8.in-addr.arpa NXDOMAIN",
    check=_is_private_reversed,
)


def addresses(view: View) -> Iterator[Span]:
    if view.digits >= 4 and b"0.0" in view.shape:
        for match in _V4.finditer(view.text):
            start, end = match.span()
            if match[2] and " > " not in (view.text[start - 3 : start], view.text[end : end + 3]):
                continue  # A fifth number is a port only in what was recorded on a wire: `10.0.0.5.443 > `
            if _is_private(match[1]) and not _NUMBERED.search(view.text, max(0, start - 12), start):
                yield Span(start, end, "ip")
    if "::" in view.text or view.text.count(":") > 6:
        for match in _V6.finditer(view.text):
            # A single colon behind the address belongs to the sentence.
            stray = match[1].endswith(":") and not match[1].endswith("::")
            if _is_private(match[1][:-1] if stray else match[1]):
                yield Span(match.start(), match.end() - stray, "ip")
