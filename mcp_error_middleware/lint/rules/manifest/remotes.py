"""Manifest in, problems with its remotes out."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import (
    is_text,
    lacks,
    members,
    no_list,
    no_objects,
    remotes,
    root,
)
from mcp_error_middleware.lint.schema import brief


@rule(Severity.ERROR, "server-json-remotes-type", name="remotes-not-a-list")
def not_a_list(manifest: Manifest) -> Iterator[Problem]:
    """Make `remotes` a list.

    Bad:

        {"remotes": {"type": "streamable-http", "url": "https://shop.example/mcp"}}

    Good:

        {"remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}]}
    """
    yield from no_list(manifest, (), root(manifest), "remotes")


@rule(Severity.ERROR, "server-json-remote-type", name="misshapen-remote")
def misshapen(manifest: Manifest) -> Iterator[Problem]:
    """Make every remote an object.

    Bad:

        {"remotes": ["https://shop.example/mcp"]}

    Good:

        {"remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}]}
    """
    yield from no_objects(manifest, members((), root(manifest), "remotes"), "This remote")


@rule(Severity.ERROR, "server-json-remote-transport-type", name="remote-without-type")
def without_type(manifest: Manifest) -> Iterator[Problem]:
    """Say how a remote is spoken to.

    Bad:

        {"remotes": [{"url": "https://shop.example/mcp"}]}

    Good:

        {"remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}]}
    """
    for path, remote in remotes(manifest):
        why = "A client cannot tell how to speak to it; give its type, streamable-http or sse."
        yield from lacks(manifest, path, remote, "type", why)


@rule(Severity.ERROR, "server-json-remote-no-stdio", name="local-remote")
def local(manifest: Manifest) -> Iterator[Problem]:
    """Reach a remote over HTTP.

    A remote runs elsewhere, so it cannot speak stdio.

    Bad:

        {"remotes": [{"type": "stdio"}]}

    Good:

        {"remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}]}
    """
    for path, remote in remotes(manifest):
        if is_text(remote.get("type")) and remote["type"] not in ("streamable-http", "sse"):
            message = (
                f"A remote cannot speak {brief(remote['type'])}; use streamable-http, or move it to packages."
            )
            yield Problem(manifest.at(*path, "type"), message)
