"""What a program left unstarted in, a server that is served out."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import anyio

from mcp_error_middleware.adapters.asgi import ErrorMiddleware
from mcp_error_middleware.cli.run.doors import Doors
from mcp_error_middleware.cli.run.serving import Options, is_app, is_asgi, is_server
from mcp_error_middleware.cli.usage import UsageError
from mcp_error_middleware.targets import Target, TargetError, as_python_would, blamed, first
from mcp_error_middleware.triage import Triage


def start(target: Target, arguments: Sequence[str], options: Options, triage: Triage) -> int:
    """Run the target until the server it starts, or stands for, ends; its exit code."""
    with as_python_would(target, arguments), Doors(triage, options).open() as doors:
        try:
            said = _start(target, doors)
        except (Exception, BaseExceptionGroup) as exc:
            error = first(exc)
            is_said = isinstance(error, UsageError | TargetError) or not isinstance(error, Exception)
            raise error if is_said else UsageError(blamed(target, error)) from exc
    # As the command that is installed for a function ends with what that returns.
    return said if isinstance(said, int) else 0


def _start(target: Target, doors: Doors) -> object:
    """What its function returned, where that served by itself, or is a command's and need not."""
    found = target.load()
    if doors.were_used:
        return None
    server = chosen(target, found) if target.name is None else made(target, found, doors.triage)
    if doors.were_used or (target.is_command and isinstance(server, int)):
        return server
    return anyio.run(_finish, target, server, doors)


def chosen(target: Target, names: Mapping[str, Any]) -> object:
    """The one server among the names of a file; of a file's apps only if there is none."""
    for is_one in (is_server, is_app):
        found = {name: value for name, value in names.items() if is_one(value)}
        for name in ("mcp", "server", "app"):
            if name in found:
                return found[name]
        if len({id(value) for value in found.values()}) > 1:
            several = " or ".join(f"{target.place}:{name}" for name in found)
            raise UsageError(f"{target.place} has several servers; name one: {several}")
        if found:
            return found.popitem()[1]
    raise UsageError(
        f"{target.place} started no MCP server and has none, by the name of mcp, server, app or any other; "
        f"if a function makes it, name that: {target.place}:create_server"
        + (f"; if its command starts it, that: {target.commands}" if target.commands else "")
    )


def made(target: Target, found: Any, triage: Triage) -> object:
    """A server, or what a factory says in the place of one; a function may also start it by itself."""
    if is_server(found) or is_app(found):
        return found
    if is_asgi(found):
        return ErrorMiddleware(found, triage)
    if not callable(found):
        raise UsageError(unfit(target, found))
    return found()


async def _finish(target: Target, found: Any, doors: Doors) -> object:
    """Serve it, in the event loop in which an async factory made it."""
    if inspect.isawaitable(found):
        found = await found
        if doors.were_used:
            return found
    if not (is_server(found) or is_app(found) or is_asgi(found)):
        raise UsageError(unfit(target, found))
    await doors.serve(found)
    return None


def unfit(target: Target, found: object) -> str:
    """Why it cannot be served."""
    return (
        f"{target.word} is of type {type(found).__qualname__}, and started no server; name an MCP server, "
        "an ASGI app, or a function that makes or runs one"
    )
