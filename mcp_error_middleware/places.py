"""What starts or finds a server in, how a report names it out: where it is, never what lets one in."""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.sanitize import Scrubber
from mcp_error_middleware.sanitize.finders import FINDERS, hosts, paths, people, sql, traces

_NO_SECRETS: Final = (paths.find, hosts.find, people.find, sql.find, traces.find)
"""A report is read where the server is: its paths and hosts are known there."""
_SCRUB: Final = Scrubber(finders=tuple(find for find in FINDERS if find not in _NO_SECRETS))
_CUT: Final = re.compile(r"\[redacted:[a-z-]+\]")
_URL: Final = re.compile(
    r"(?P<scheme>\b[a-z][a-z0-9+.-]*://)(?:[^\s'\"/?#]*@)?(?P<place>[^\s'\"?#]*)[^\s'\"]*", re.IGNORECASE
)

_SHORT: Final = re.compile(r"""((?<!\S)-[akp][ =])(?!['"]?[-@./~]|[\d.:]+(?!\S))(?:'[^']*'|"[^"]*"|\S+)""")
"""A password or key behind `-a`, `-k` or `-p`, where it is no option, path, package or port."""


def shown(text: str) -> str:
    """The text without secrets; of a URL, its scheme, host and path alone.

    What is cut is a `…`, whatever kind it was: with another key it is still the same place.
    """
    named = _SHORT.sub(r"\1…", _URL.sub(r"\g<scheme>\g<place>", text))
    return _CUT.sub("…", _SCRUB.text(named))
