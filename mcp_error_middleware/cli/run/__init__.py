"""Start a server as it stands, with its failures answered.

TARGET is what starts the server today: a file, a module, a command, or an object or factory in one of them.
It is run as Python would run it, and its server gets the middleware when it starts; where it ends without
having started one, the server it defined is started. What comes after -- is for the server.

Examples:
  mcp-error-middleware run server.py
  mcp-error-middleware run server.py:create_server --transport http --port 8000
  mcp-error-middleware run package.module:app
  mcp-error-middleware run mcp-server-time -- --local-timezone UTC
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from mcp_error_middleware.cli.run.serving import Options, check_port
from mcp_error_middleware.cli.usage import UsageError, path, port
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.targets import Target
from mcp_error_middleware.telemetry import observed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `run` takes."""
    add_options(parser)
    parser.add_argument(
        "target",
        # Takes all that follows as it is, dashes included.
        nargs=argparse.PARSER,
        metavar="TARGET",
        help="file.py, file.py:object, module:object or a command; options, and after -- its own arguments",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the server is to be reached."""
    add = partial(parser.add_argument, default=argparse.SUPPRESS)
    add("--transport", choices=("stdio", "http", "sse"), help="default: the server's own choice, else stdio")
    add("--host", help="where HTTP is served (127.0.0.1)")
    add("--port", type=port, help="where HTTP is served (8000)")
    add("--path", type=path, help="where MCP is served (/mcp, or /sse)")
    add("--stateless", action="store_true", help="a session of its own for every HTTP request")
    add("--json-response", action="store_true", help="answer HTTP requests with JSON, not with a stream")


def run(arguments: argparse.Namespace) -> int:
    """Start it, and stay until it ends."""
    word, *rest = arguments.target
    ours, theirs = cut(rest)
    parser = argparse.ArgumentParser(
        prog="mcp-error-middleware run",
        usage="%(prog)s [options] TARGET [options] [-- arguments of the server]",
        add_help=False,
        allow_abbrev=False,
    )
    add_options(parser)
    _, unknown = parser.parse_known_args(ours, arguments)
    if unknown:
        raise UsageError(f"run does not know {unknown[0]}; what is for the server comes after --")
    try:
        triage = observed(ErrorPolicy.from_env())
    except ValueError as exc:
        raise UsageError(str(exc)) from None
    options = Options.of(arguments)
    check_port(options)
    # Here, so that the other commands need not wait for the SDKs.
    from mcp_error_middleware.cli.run.starting import start

    return start(Target.of(word), theirs, options, triage)


def cut(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What comes before the dashes, and what after."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]
