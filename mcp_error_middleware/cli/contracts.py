"""Compare what a server's tools promise about failing with a snapshot, or with how they failed.

  show      print the declared modes of every tool
  snapshot  write them to a file, to be kept with the source
  check     compare them with that file: ends with 1 if clients would notice a difference
  drift     compare them with a log: seen but undeclared, declared but never seen
  suggest   draft contracts from a log

Examples:
  mcp-error-middleware contracts snapshot shop.server:mcp --file contracts.json
  mcp-error-middleware contracts check shop.server:mcp --file contracts.json
  mcp-error-middleware contracts drift shop.server:mcp --log failures.jsonl
  mcp-error-middleware contracts suggest --log failures.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from mcp_error_middleware.cli.usage import UsageError, object_target
from mcp_error_middleware.drift import CONTRACT_KEY, Modes, Seen, changes, drift, seen_in, suggested
from mcp_error_middleware.lint.report import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `contracts` takes."""
    parser.add_argument("action", choices=[*ACTIONS])
    parser.add_argument("target", nargs="?", metavar="TARGET", help="module:object or file.py:object")
    parser.add_argument(
        "--file", metavar="FILE", default="contracts.json", help="the snapshot (contracts.json)"
    )
    parser.add_argument(
        "--log", metavar="FILE", help="JSON lines with failures, as the middleware writes them"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for."""
    return ACTIONS[arguments.action](arguments)


def _show(arguments: argparse.Namespace) -> int:
    for tool, modes in _promised(arguments).items():
        print(tool)
        for mode in modes:
            print(f"  {mode['reason']} ({mode['code']}): {mode['when']}")
    return 0


def _snapshot(arguments: argparse.Namespace) -> int:
    declared = _declared(arguments)
    try:
        Path(arguments.file).write_text(json.dumps(declared, indent=2, sort_keys=True) + "\n", "utf-8")
    except OSError as error:
        raise UsageError(f"{arguments.file} cannot be written: {error.strerror}") from None
    print(f"{arguments.file} holds the modes of {counted(len(declared), 'tool')}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    declared = _declared(arguments)
    found = changes(_kept(arguments.file), declared)
    for line in found:
        print(line)
    if found:
        again = f"mcp-error-middleware contracts snapshot {arguments.target} --file {arguments.file}"
        print(f"if that is meant, run: {again}")
    return 1 if found else 0


def _drift(arguments: argparse.Namespace) -> int:
    found = drift(_promised(arguments), _seen(arguments))
    for title, lines in (
        ("seen, but undeclared", found.undeclared),
        ("declared, but never seen", found.unseen),
    ):
        print(f"{title}:" if lines else f"{title}: nothing")
        for line in lines:
            print(f"  {line}")
    return 1 if found.undeclared else 0


def _suggest(arguments: argparse.Namespace) -> int:
    declared = _declared(arguments) if arguments.target else {}
    print(suggested(_seen(arguments), declared) or "# nothing was seen that is not declared")
    return 0


ACTIONS = {"show": _show, "snapshot": _snapshot, "check": _check, "drift": _drift, "suggest": _suggest}


def _declared(arguments: argparse.Namespace) -> dict[str, Modes]:
    """The modes of each tool that has any, as the server advertises them; what its author installed stays."""
    from mcp_error_middleware.adapters.seam import is_installed
    from mcp_error_middleware.install import install
    from mcp_error_middleware.lint import LintError
    from mcp_error_middleware.lint.live import listing_of, load

    if not arguments.target:
        raise UsageError(f"name the server: mcp-error-middleware contracts {arguments.action} module:object")
    object_target(arguments.target)
    try:
        server, _ = load(arguments.target)
        tools = listing_of(server if is_installed(server) else install(server))["tools"]
    except (LintError, TypeError) as error:
        raise UsageError(str(error)) from None
    advertised = {tool["name"]: (tool.get("_meta") or {}).get(CONTRACT_KEY) for tool in tools}
    return {name: modes for name, modes in advertised.items() if modes}


def _promised(arguments: argparse.Namespace) -> dict[str, Modes]:
    """The same, with a word where there is nothing to look at."""
    declared = _declared(arguments)
    if not declared:
        print(f"no tool of {arguments.target} declares how it can fail", file=sys.stderr)
    return declared


def _kept(path: str) -> Any:
    try:
        kept = json.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no {path}; write it with contracts snapshot") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        kept = None
    if not (isinstance(kept, dict) and all(map(_are_modes, kept.values()))):
        raise UsageError(f"{path} is no snapshot; write it again with contracts snapshot")
    return kept


def _are_modes(kept: object) -> bool:
    return isinstance(kept, list) and all(isinstance(mode, dict) and "reason" in mode for mode in kept)


def _seen(arguments: argparse.Namespace) -> Seen:
    if not arguments.log:
        raise UsageError("name the log: --log failures.jsonl")
    try:
        with Path(arguments.log).open("rb") as lines:
            seen = seen_in(lines)
    except OSError as error:
        raise UsageError(f"{arguments.log} cannot be read: {error.strerror}") from None
    if not seen.counts:
        print(f"{arguments.log} has no failures of tools or prompts in it", file=sys.stderr)
    return seen
