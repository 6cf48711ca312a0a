"""Text in, places that must not leave out: one kind of place per file, none depends on what another found."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.sanitize.finders import (
    assignments,
    children,
    columns,
    credentials,
    encoded,
    entropy,
    forms,
    hosts,
    logins,
    paths,
    people,
    sql,
    tokens,
    traces,
    urls,
)
from mcp_error_middleware.sanitize.finders.hosts import machines
from mcp_error_middleware.sanitize.spans import Finder

FINDERS: Final[tuple[Finder, ...]] = (
    tokens.find,
    credentials.find,
    assignments.find,
    columns.find,
    children.find,
    forms.find,
    urls.find,
    paths.find,
    hosts.find,
    people.find,
    sql.find,
    traces.find,
    entropy.find,
    encoded.find,
    logins.find,
)
"""The names of what two of them find come from the first."""
TOKEN_FINDERS: Final[tuple[Finder, ...]] = (
    tokens.find,
    credentials.find,
    entropy.find,
    encoded.find,
    hosts.find,
)
"""What looks at a text that is calm, but for the tokens in it."""
ASKED: Final = frozenset[bytes]().union(
    assignments.SPOKEN,
    credentials.SPOKEN,
    logins.ASKED,
    sql.SPOKEN,
    hosts.ASKED,
    machines.SPOKEN,
    traces.ASKED,
)
"""The words that make a finder look."""
