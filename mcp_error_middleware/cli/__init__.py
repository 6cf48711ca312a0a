"""The command `mcp-error-middleware`: one module per sub-command."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from mcp_error_middleware.cli import completion, contracts, demo, doctor, explain, lint, rules, run
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.targets import TargetError

COMMANDS = {
    "run": run,
    "demo": demo,
    "lint": lint,
    "rules": rules,
    "contracts": contracts,
    "explain": explain,
    "doctor": doctor,
    "completion": completion,
}

_UNWRITABLE: Final = frozenset({errno.EBADF, errno.EIO, errno.ENOSPC})
"""How a full disk or a lost terminal answers."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 all well, 1 a finding, 2 bad input."""
    arguments = _parser().parse_args(argv)
    if sys.stdout is None:
        # Closed by whoever started it: what it ends with still tells.
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - to the end
    try:
        code = int(arguments.run(arguments))
        # A server that spoke over it may have closed it.
        if not sys.stdout.closed:
            sys.stdout.flush()
        return code
    except (UsageError, TargetError) as error:
        print(f"mcp-error-middleware: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # `| head` has seen enough.
        _drop_output()
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _drop_output()
        print(f"mcp-error-middleware: the output cannot be written: {error.strerror}", file=sys.stderr)
        return 2


def _drop_output() -> None:
    """What Python still wants to write at its end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    """Each command with its module's docstring as its help."""
    parser = argparse.ArgumentParser(
        prog="mcp-error-middleware",
        description="Every failure of an MCP server becomes an answer an agent can act on.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        summary, _, rest = (module.__doc__ or "").partition("\n")
        command = commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=rest,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def _version() -> str:
    try:
        return version("mcp-error-middleware")
    except PackageNotFoundError:
        return "(not installed)"
