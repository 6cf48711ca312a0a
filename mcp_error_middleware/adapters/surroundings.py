"""What an adapter knows around a call: the client, the tools it was shown, what they promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from mcp_error_middleware.adapters.seam import advertised
from mcp_error_middleware.adapters.tidy import tidied
from mcp_error_middleware.advice import NOWHERE, Around, only_looks, suspicion
from mcp_error_middleware.contracts import Contract
from mcp_error_middleware.drift import CONTRACT_KEY, in_words, modes_of
from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.policy import ErrorPolicy, Silent
from mcp_error_middleware.render import META_KEY, enrich_result, tool_result
from mcp_error_middleware.render.toolfailure import TOOL_FAILURE_KEY, tool_failure
from mcp_error_middleware.telemetry.operation import complain, expect, recognise
from mcp_error_middleware.telemetry.silent import told_of
from mcp_error_middleware.triage import Triage

_TOOLS: Final = 1_000


class Shown(NamedTuple):
    """A tool as a client sees it."""

    schema: Any = None
    annotations: Mapping[str, Any] = MappingProxyType({})
    promises: bool = False
    """Whether it has an output schema."""


@dataclass(slots=True)
class Client:
    """Whoever sits at the other end of a session."""

    number: int
    tools: Mapping[str, Shown] = field(default_factory=dict)
    """What it was last shown."""
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What else it could have asked for, by the method that was served last."""

    def show(self, tools: Mapping[str, Shown], *, more: bool = False) -> None:
        """Note a list of tools, or a further page of one."""
        known = dict(self.tools) if more else {}
        note(known, tools)
        self.tools = known


def note(known: dict[str, Shown], tools: Mapping[str, Shown]) -> None:
    """Add these, within bounds; the oldest give way."""
    known.update(tools)
    for name in list(known)[: max(0, len(known) - _TOOLS)]:
        known.pop(name, None)


_clients: Final[WeakKeyDictionary[Any, Client]] = WeakKeyDictionary()
_numbers: Final = count(1)


def client_at(session: Any) -> Client | None:
    """The client of a session, as long as that lives; a stateless server has a new one for every request."""
    try:
        end = _end(session)
        if (client := _clients.get(end)) is None:
            client = _clients[end] = Client(next(_numbers))
        return client
    except TypeError:  # nobody can hold on to it
        return None


def _end(session: Any) -> Any:
    """What one client's requests have in common."""
    connection = getattr(session, "_connection", None)
    if connection is None:
        return session
    # At 2026-07-28 every request has a connection of its own; those of one pipe share the way back.
    return connection.outbound if connection.has_standalone_channel else connection


def list_to(session: Any, known: dict[str, Shown], tools: Mapping[str, Shown], *, more: bool) -> None:
    """Note that a client was shown these: as its own list, and among what a server showed anybody."""
    note(known, tools)
    if (client := client_at(session)) is not None:
        client.show(tools, more=more)


def shown(tools: Iterable[Any], schema: str) -> dict[str, Shown]:
    """Tools by name; `schema` is the attribute that holds the input schema."""
    return {tool.name: as_shown(tool, schema) for tool in list(tools)[:_TOOLS]}


def as_shown(tool: Any, schema: str) -> Shown:
    """One of them."""
    return Shown(getattr(tool, schema), _annotations(tool), getattr(tool, "output_schema", None) is not None)


def _annotations(tool: Any) -> dict[str, Any]:
    said = getattr(tool, "annotations", None)
    return said.model_dump(by_alias=True, exclude_none=True) if said is not None else {}


def around(
    call: Call, session: Any, arguments: Any, server: Any = None, listed: Mapping[str, Shown] | None = None
) -> Around:
    """The surroundings of a call that failed; nothing, where they cannot be had.

    A framework of the official SDK shows the same to everyone, unless its author lists by hand; of any other
    server counts what it showed this client, and for the very tool what it showed anybody (`listed`).
    """
    try:
        found = _registered(server, call)
        if found is not None:
            recognise()
        mine, tools, looks = (listed or {}).get(call.tool or ""), None, None
        if _lists_by_itself(server, "list_tools"):
            mine = as_shown(found, "parameters") if found is not None and call.tool is not None else None
            tools, looks = partial(_schemas, server), partial(_registered_looks, server)
        names = partial(_offered, session, call) if server is None else partial(_names, server, call)
        return surroundings(call, session, arguments, mine, tools, names, looks)
    except Exception:  # noqa: BLE001 - the failure is answered without
        return NOWHERE


def _registered(server: Any, call: Call) -> Any:
    """The tool or prompt of this name that a framework of the official SDK has."""
    if server is None or call.target is None:
        return None
    if call.method == "prompts/get":
        return next((p for p in server._prompt_manager.list_prompts() if p.name == call.target), None)
    return server._tool_manager.get_tool(call.target) if call.tool is not None else None


def _schemas(server: Any) -> dict[str, Any]:
    return {tool.name: tool.parameters for tool in server._tool_manager.list_tools()[:_TOOLS]}


def _registered_looks(server: Any) -> dict[str, bool]:
    return _looks(shown(server._tool_manager.list_tools(), "parameters"))


def _looks(tools: Mapping[str, Shown]) -> dict[str, bool]:
    said = ((name, only_looks(tool.annotations)) for name, tool in tools.items())
    return {name: looks for name, looks in said if looks is not None}


def _names(server: Any, call: Call) -> tuple[str, ...]:
    if call.method == "prompts/get" and _lists_by_itself(server, "list_prompts"):
        return tuple(prompt.name for prompt in server._prompt_manager.list_prompts())
    if call.method == "resources/read" and _lists_by_itself(server, "list_resources"):
        manager = server._resource_manager
        templates = manager.list_templates()
        if any(template.matches(call.target or "") is not None for template in templates):
            return ()  # there is such a resource, and it failed
        return uris(manager.list_resources(), templates)
    return ()


def _offered(session: Any, call: Call) -> tuple[str, ...]:
    """What a server without a register offered this client last."""
    client = client_at(session)
    return client.offered.get(call.method, ()) if client is not None else ()


def uris(resources: Iterable[Any], templates: Iterable[Any]) -> tuple[str, ...]:
    """What can be read, as it is listed: by address, and by the form of an address."""
    return *(str(resource.uri) for resource in resources), *(template.uri_template for template in templates)


def _lists_by_itself(server: Any, name: str) -> bool:
    """Whether the list is the SDK's own, and no author's choice of what a client may see."""
    found = getattr(server, name, None)
    return getattr(found, "__module__", "").startswith("mcp.server.")


def surroundings(
    call: Call,
    session: Any,
    arguments: Any,
    mine: Shown | None = None,
    tools: Callable[[], Mapping[str, Any]] | None = None,
    names: Callable[[], tuple[str, ...]] = tuple,
    looks: Callable[[], Mapping[str, bool]] | None = None,
) -> Around:
    """What advice can rest on; of the tools, what the client was shown goes before what is said here."""
    client = client_at(session)
    known = client.tools if client is not None else {}
    mine = known.get(call.tool or "") or mine
    if mine is not None:
        recognise()
    else:
        mine = _UNSEEN
    tools = tools or (lambda: {name: tool.schema for name, tool in known.items()})
    return Around(
        arguments=arguments,
        session=client.number if client is not None else None,
        schema=mine.schema,
        annotations=mine.annotations,
        tools=tools,
        looks=looks or partial(_looks, known),
        names=(lambda: names() or tuple(tools())) if call.method == "tools/call" else names,
    )


_UNSEEN: Final = Shown()


# --- answers ------------------------------------------------------------------------------------


def failed(failure: Failure, policy: ErrorPolicy) -> dict[str, Any]:
    """The result of a failed tool call."""
    result = tool_result(failure, format=policy.format)
    if policy.draft_tool_failure:
        result["_meta"][TOOL_FAILURE_KEY] = tool_failure(failure)
    return result


def enriched(
    result: Mapping[str, Any],
    triage: Triage,
    said: Callable[[str], BaseException],
    call: Call,
    around: Around,
) -> dict[str, Any]:
    """An `isError` result somebody else made: fit to leave, with the error object it lacks.

    `said` makes the exception that stands for its text. Whoever made the object it has, has recorded it.
    """
    tidy = tidied(result, triage.scrub)
    if META_KEY in tidy["_meta"]:
        return tidy
    text = next((block["text"] for block in tidy["content"] if block.get("text")), "")
    failure = triage(said(text), call, around=around)
    return enrich_result(tidy, failure, format=triage.policy.format)


def as_listed(tool: Any, contract: type[Contract] | None, policy: ErrorPolicy, schema: str) -> Any:
    """A tool as clients are to see it; `schema` is the attribute that holds the output schema."""
    if policy.metrics:
        expect(tool.name)
    widened = {schema: advertised(getattr(tool, schema), policy)}
    return tool.model_copy(update={**widened, **_promised(contract, policy, tool)})


def _promised(contract: type[Contract] | None, policy: ErrorPolicy, tool: Any) -> dict[str, Any]:
    """What a list of tools says more about one whose contract is known: `meta`, `description`."""
    if contract is None:
        return {}
    said: dict[str, Any] = {}
    if policy.advertise_contracts:
        said["meta"] = {**(tool.meta or {}), CONTRACT_KEY: modes_of(contract)}
    if policy.describe_contracts:
        said["description"] = f"{tool.description or ''}\n\n{in_words(contract)}".strip()
    return said


def succeeded(triage: Triage, session: Any, tool: str | None, arguments: Any) -> None:
    """Note that a call went well, where others of this client have not."""
    if tool is None or not triage.repeats.has_failed(tool):
        return
    if (client := client_at(session)) is not None:
        triage.repeats.forget(client.number, tool, arguments)


def promised(session: Any, tool: str, listed: Mapping[str, Shown] | None = None) -> bool | None:
    """Whether a tool has an output schema, as this client was shown it, or anybody; None where nobody was."""
    client = client_at(session)
    known = (client.tools.get(tool) if client is not None else None) or (listed or {}).get(tool)
    return None if known is None else known.promises


# --- results that only look like success ----------------------------------------------------------


def suspected(call: Callable[[], Call], triage: Triage, result: Any, structured: Any) -> str | None:
    """What a successful result that reads like an error says, where it is to be one; recorded already."""
    if triage.policy.silent_failures is Silent.OFF:
        return None
    content = result.content
    text = getattr(content[0], "text", None) if len(content) == 1 else None
    if suspicion(None, text, structured) is None:
        return None
    found = suspicion(call().tool, text, structured)
    if found is None:
        return None
    try:
        told_of(call(), triage, found)
    except Exception:  # noqa: BLE001 - who writes the log has no say in the answer
        complain("log")
    return found.text if triage.policy.silent_failures is Silent.REWRITE else None
