"""Tell how an error would be classified (a message, a number, an exception), or show the page of a lint rule.

Of an error it says what decided, and what the agent would see.

Examples:
  mcp-error-middleware explain 503
  mcp-error-middleware explain -32602
  mcp-error-middleware explain "duplicate key value violates unique constraint"
  mcp-error-middleware explain httpx.ConnectTimeout "timed out"
  mcp-error-middleware explain lost-cause
"""

from __future__ import annotations

import argparse
import builtins
import sys
from contextlib import suppress
from importlib import import_module

from mcp_error_middleware.classify import explain
from mcp_error_middleware.cli import rules
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.lint import LintError
from mcp_error_middleware.lint.settings import find_rule
from mcp_error_middleware.render import error_text
from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.triage import Triage


class HTTPStatusError(Exception):
    """Stands for any client library's error with this HTTP status."""

    # Ours would be evidence of a kind that no client library gives.
    __module__ = "any_client"

    def __init__(self, status: int) -> None:
        super().__init__(f"HTTP {status}")
        self.status_code = status


class RPCError(Exception):
    """Stands for any client library's error with this JSON-RPC number."""

    __module__ = "any_client"

    def __init__(self, code: int) -> None:
        super().__init__(f"JSON-RPC error {code}")
        self.code = code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `explain` takes."""
    parser.add_argument(
        "subject",
        metavar="SUBJECT",
        help="an HTTP status, a JSON-RPC number, an exception's path, a message, or a rule",
    )
    parser.add_argument("message", metavar="MESSAGE", nargs="?", default="", help="the exception's message")


def run(arguments: argparse.Namespace) -> int:
    """Print the account."""
    if not arguments.message and is_rule(arguments.subject):
        return rules.show(arguments.subject)
    exc = exception_for(arguments.subject, arguments.message)
    print(sanitize_text(str(explain(exc))))
    print()
    print("the agent would see:")
    print(error_text(Triage()(exc)))
    return 0


def is_rule(word: str) -> bool:
    """Whether it is the name or an alias of a rule of the linter."""
    try:
        find_rule(word)
    except LintError:
        return False
    return True


def exception_for(subject: str, message: str = "") -> BaseException:
    """The exception a user means by a word on the command line."""
    if subject.isdecimal():
        if not 400 <= int(subject) <= 599:
            raise UsageError(f"{subject} is no HTTP status of an error; those are 400 to 599")
        return HTTPStatusError(int(subject))
    if subject.startswith("-") and subject[1:].isdecimal():
        return RPCError(int(subject))
    if (cls := imported(subject) or by_name(subject)) is not None:
        return constructed(cls, message)
    if not (said := f"{subject} {message}".strip()):
        raise UsageError("there is nothing to explain; give a message, an HTTP status or an exception")
    return Exception(said)


def imported(path: str) -> type[BaseException] | None:
    """The exception class of this import path, if it names one."""
    module, _, name = path.rpartition(".")
    if not name.isidentifier():
        return None
    try:
        found = getattr(import_module(module) if module else builtins, name, None)
    except Exception:  # noqa: BLE001 - whatever importing it does, it is then no class we can use
        return None
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def by_name(path: str) -> type[BaseException] | None:
    """A class that has no more than the name, for an import path of something that is not installed here."""
    *modules, name = path.split(".")
    if not modules or not name[:1].isupper() or not path.replace(".", "_").isidentifier():
        return None
    print(f"{path} cannot be imported here; this goes by its name alone", file=sys.stderr)
    return type(name, (Exception,), {"__module__": ".".join(modules)})


def constructed(cls: type[BaseException], message: str) -> BaseException:
    """An instance, also of a class whose constructor wants what a command line cannot give."""
    with suppress(Exception):
        return cls(message) if message else cls()
    try:
        exc = cls.__new__(cls)
    except Exception:  # noqa: BLE001 - nor can it be made empty
        exc = type(cls.__name__, (Exception,), {"__module__": cls.__module__})()
    exc.args = (message,)
    return exc
