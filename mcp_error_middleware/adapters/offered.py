"""A request that failed on a low-level server in, what its client could have asked for out.

Such a server keeps no register that could be looked up: its lists are handlers, which may answer every client
differently. They are asked as this client would ask them, once a request has failed and only if it helps.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, TypeAlias

import anyio

from mcp_error_middleware.adapters.seam import is_ours, names_unknown
from mcp_error_middleware.adapters.steps import stepped
from mcp_error_middleware.adapters.surroundings import Client, Shown, client_at, list_to, shown
from mcp_error_middleware.advice import outcome_unknown
from mcp_error_middleware.classify import qualified_name, walk
from mcp_error_middleware.model import Call
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.triage import Triage

Ask: TypeAlias = Callable[[str, "str | None"], Awaitable[Any]]
"""One page of a list, by its method and cursor; None where the server has no such list."""

_PATIENCE: Final = 1.0
"""Seconds that an answer waits for it."""
_PAGES: Final = 10
_NAMES: Final = 1_000
_UNKNOWN: Final = frozenset({ErrorCode.INVALID_PARAMS, ErrorCode.NOT_FOUND, ErrorCode.VALIDATION_ERROR})


async def look_around(
    triage: Triage, call: Call, exc: BaseException, session: Any, known: dict[str, Shown], ask: Ask
) -> None:
    """Note what there is for the client of this session, so that the answer can name it."""
    client = client_at(session)
    if client is None or not isinstance(exc, Exception):
        return
    if call.tool is not None and len(client.tools) > 1:
        return  # it has seen them
    try:
        if _helps(triage, call, exc, known):
            with anyio.move_on_after(_PATIENCE):
                await stepped(_look(call, client, session, known, ask))
    except BaseException as error:  # the failure is answered without
        if not is_ours(error):
            raise


def first_text(content: Iterable[Any]) -> str:
    """What a result says that its author made an error of."""
    return next((text for block in content if (text := getattr(block, "text", None))), "")


def _helps(triage: Triage, call: Call, exc: Exception, known: dict[str, Shown]) -> bool:
    """Whether the answer would name it: instead of what is unknown, and to verify what may have been done."""
    verdict, policy = triage.classify(exc), triage.policy
    unknown = verdict.code in _UNKNOWN or names_unknown(call, exc)
    if policy.suggest and unknown and call.tool not in known:
        return True
    types = (qualified_name(type(link.exc)) for link in walk(exc))
    return policy.verify_writes and call.tool is not None and outcome_unknown(verdict, types, writes=True)


async def _look(call: Call, client: Client, session: Any, known: dict[str, Shown], ask: Ask) -> None:
    if call.tool is not None:
        tools = await _all(ask, "tools/list", "tools")
        schema = "input_schema" if hasattr(tools[0], "input_schema") else "inputSchema"
        list_to(session, known, shown(tools, schema), more=False)
    elif call.method == "prompts/get":
        prompts = await _all(ask, "prompts/list", "prompts")
        client.offered = {call.method: tuple(prompt.name for prompt in prompts)}
    elif call.method == "resources/read":
        resources = await _all(ask, "resources/list", "resources")
        templates = await _all(ask, "resources/templates/list", "resource_templates", "resourceTemplates")
        addresses = (str(resource.uri) for resource in resources)
        forms = [_either(template, "uri_template", "uriTemplate") for template in templates]
        client.offered = {call.method: _offered(call.target or "", addresses, forms)}


async def _all(ask: Ask, method: str, *names: str) -> list[Any]:
    """A list of this method, under one of these names, in as many pages as it has."""
    found: list[Any] = []
    cursor = None
    for _ in range(_PAGES):
        if (page := await ask(method, cursor)) is None:
            break
        found += _either(page, *names)
        if (cursor := _either(page, "next_cursor", "nextCursor")) is None:
            break
    return found[:_NAMES]


def _either(said: Any, *names: str) -> Any:
    """What is under the one of the SDK's names that it has: they are another's in mcp 1.x."""
    return next((getattr(said, name) for name in names if hasattr(said, name)), None)


def _offered(asked: str, addresses: Iterable[str], forms: list[str]) -> tuple[str, ...]:
    """What can be read; nothing where what was asked for is of one of the forms: that one failed."""
    if any(re.fullmatch(_EXPRESSION.sub(".+", re.escape(form)), asked) for form in forms):
        return ()
    return (*addresses, *forms)


_EXPRESSION: Final = re.compile(r"\\\{[^{}]{0,200}\\\}")
