"""A server in, proof that nothing breaks it out; or a report of what did."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import secrets
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import anyio

from mcp_error_middleware.advice.example import example_of
from mcp_error_middleware.lint.live import is_server, no_server
from mcp_error_middleware.testing.answers import read_answer
from mcp_error_middleware.testing.faults import NOTHING, Fault
from mcp_error_middleware.testing.hostile import Biting, Output, Unprintable
from mcp_error_middleware.testing.leaks import find_leaks
from mcp_error_middleware.testing.memory import Connection, connected
from mcp_error_middleware.testing.recording import recorded
from mcp_error_middleware.testing.seams import Kind, replace, server_of
from mcp_error_middleware.testing.spec import find_problems

PATIENCE: Final = 5.0
"""Seconds for one answer."""
_DEATHS: Final = 8
"""After so many it is clear that the server does not live through this."""
_LINES: Final = 60


# --- ways to fail ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """One way for a handler to fail, with a planted secret in it."""

    name: str
    raises: Callable[[str], BaseException] | None = None
    returns: Callable[[str], object] | None = None

    def fault(self, canary: str) -> Fault:
        return Fault(
            raises=self.raises(canary) if self.raises else None,
            returns=self.returns(canary) if self.returns else NOTHING,
        )


def _chain(canary: str) -> BaseException:
    error, cause = RuntimeError(f"no sync for {canary}"), OSError(f"postgresql://app:{canary}@db/shop")
    error.__cause__, cause.__context__ = cause, KeyError(canary)
    return error


WAYS: Final = (
    Way("crash", lambda canary: RuntimeError(f"boom with {canary}")),
    Way("bug", lambda canary: KeyError(canary)),
    Way("chain", _chain),
    Way("group", lambda canary: ExceptionGroup(canary, [ValueError(f"token={canary}"), OSError(canary)])),
    Way("secret in a caller's error", lambda canary: ValueError(f"rejected: api_key={canary}")),
    Way("timeout", lambda canary: TimeoutError(f"no answer from {canary}")),
    Way("refused connection", lambda canary: ConnectionRefusedError(111, f"refused by {canary}")),
    Way("unprintable error", Unprintable),
    Way("hostile error", Biting),
    Way("broken text", lambda canary: RuntimeError(f"half \ud83d of {canary}")),
    Way("stray cancellation", lambda canary: asyncio.CancelledError(canary)),
    Way("exit", lambda canary: SystemExit(canary)),
    Way("generator exit", lambda canary: GeneratorExit(canary)),
    Way(
        "group with an exit",
        lambda canary: BaseExceptionGroup(canary, [SystemExit(canary), ValueError(canary)]),
    ),
    Way("bad output", returns=Output),
)
"""Each is tried on each tool, resource and prompt."""

GUARD: Final = Way("guard", lambda _: RuntimeError("stands in for the handler"))
"""So that arguments a server wrongly accepts do no harm."""


# --- what is broken -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target:
    """A tool, a resource, a template or a prompt, and a request that reaches it."""

    kind: Kind
    name: str
    method: str
    params: Mapping[str, Any]

    @property
    def asked_for(self) -> str:
        """The name in the request: of a template, one of its URIs."""
        return str(self.params.get("uri", self.name))


@dataclass(frozen=True, slots=True)
class Break:
    """One request to a server that is about to fail."""

    target: Target
    way: Way
    label: str
    params: Mapping[str, Any]
    reaches: bool = True
    """Whether the handler must have been reached."""

    def __str__(self) -> str:
        return f"{self.target.kind} {self.target.name}"


async def _targets(
    connection: Connection, given: Mapping[str, Mapping[str, Any]]
) -> list[tuple[Target, Any]]:
    """All there is, each with its input schema where it has one."""
    found: list[tuple[Target, Any]] = []
    for tool in await connection.list("tools/list", "tools"):
        name, schema = tool["name"], tool.get("inputSchema", {})
        arguments = given.get(name) or example_of(schema) or {}
        found.append((Target("tool", name, "tools/call", {"name": name, "arguments": arguments}), schema))
    resources = await connection.list("resources/list", "resources")
    templates = await connection.list("resources/templates/list", "resourceTemplates")
    uris = {resource["uri"]: resource["uri"] for resource in resources}
    for spelled in [template["uriTemplate"] for template in templates]:
        uris[spelled] = _filled(spelled, given.get(spelled, {}))
    found += [(Target("resource", name, "resources/read", {"uri": uri}), None) for name, uri in uris.items()]
    for prompt in await connection.list("prompts/list", "prompts"):
        name = prompt["name"]
        needed = [argument["name"] for argument in prompt.get("arguments") or () if argument.get("required")]
        arguments = given.get(name) or dict.fromkeys(needed, "1")
        found.append((Target("prompt", name, "prompts/get", {"name": name, "arguments": arguments}), None))
    return found


def _filled(template: str, given: Mapping[str, Any]) -> str:
    """A URI of this template."""
    bare = re.sub(r"\{[?&][^}]*\}", "", template)
    return re.sub(r"\{[+#./;]?(\w+)[^}]*\}", lambda found: str(given.get(found[1], 1)), bare)


def _breaks(found: Iterable[tuple[Target, Any]], canary: str) -> Iterator[Break]:
    for target, schema in found:
        for way in WAYS:
            yield Break(target, way, way.name, target.params)
        if schema is not None:
            for label, arguments in _bad_arguments(schema, target.params["arguments"], canary):
                params = {**target.params, "arguments": arguments}
                yield Break(target, GUARD, label, params, reaches=False)


def _bad_arguments(
    schema: Mapping[str, Any], good: Mapping[str, Any], canary: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Arguments that do not fit, with the secret for a value."""
    yield "unexpected argument", {**good, "not_an_argument": canary}
    if schema.get("required"):
        yield "missing arguments", {}
    for name, expected in schema.get("properties", {}).items():
        text_fits = not isinstance(expected, Mapping) or expected.get("type", "string") == "string"
        yield f"wrong type for {name}", {**good, name: {canary: canary} if text_fits else canary}


# --- what went wrong ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """One break that was not borne."""

    broken: str
    label: str
    problem: str


@dataclass(slots=True)
class Report:
    """What was tried, and what came of it. May be awaited, to no effect: it is finished."""

    breaks: int = 0
    findings: list[Finding] = field(default_factory=list)
    deaths: int = 0

    def __await__(self) -> Generator[None, None, Report]:
        yield from ()
        return self

    def __str__(self) -> str:
        if not self.findings:
            return f"unbroken by {self.breaks} breaks"
        failed = len({(finding.broken, finding.label) for finding in self.findings})
        head = f"the server is not unbreakable: {failed} of {self.breaks} breaks went wrong"
        if self.deaths >= _DEATHS:
            head += f"; after {self.deaths} ends of the session the rest was not tried"
        lines = list(self._lines())
        more = [f"  ... and {len(lines) - _LINES} lines more"] if len(lines) > _LINES else []
        return "\n".join([head, *lines[:_LINES], *more])

    def _lines(self) -> Iterator[str]:
        for broken in dict.fromkeys(finding.broken for finding in self.findings):
            yield f"  {broken}"
            yield from (f"    {one.label}: {one.problem}" for one in self.findings if one.broken == broken)


def assert_unbreakable(
    server: object,
    *,
    arguments: Mapping[str, Mapping[str, Any]] | None = None,
    patience: float = PATIENCE,
) -> Report:
    """Break every tool, resource and prompt in every way, and assert that the server bears it.

    Each answer must come, reveal nothing, be as the specification asks and carry an error id, and the session
    must go on. No handler is run: each is replaced while it is broken. `arguments` are for tools, prompts and
    templates, by name, whose arguments cannot be made up from what they advertise.

    Runs to its end in a thread and a loop of its own, so it can be called from any test, and awaited or not.
    """
    __tracebackhide__ = True
    if not is_server(found := server_of(server)):
        raise TypeError(no_server(found))
    state = _State(found, dict(arguments or {}), patience)
    with ThreadPoolExecutor(1, thread_name_prefix="assert_unbreakable") as thread:
        thread.submit(state.run).result()
    if not state.report.breaks:
        raise AssertionError("the server lists no tool, resource or prompt to break")
    if state.report.findings:
        raise AssertionError(str(state.report))
    return state.report


@dataclass(slots=True)
class _State:
    """One run, over as many sessions as it takes."""

    server: Any
    arguments: Mapping[str, Mapping[str, Any]]
    patience: float
    canary: str = field(default_factory=lambda: f"sk-live-{secrets.token_hex(12)}")
    report: Report = field(default_factory=Report)
    pending: deque[Break] | None = None
    current: Break | None = None

    def run(self) -> None:
        before = logging.root.manager.disable
        # SDKs paint every traceback; hundreds of them are no use to anybody.
        logging.disable()
        try:
            self._sessions()
        finally:
            logging.disable(before)

    def _sessions(self) -> None:
        while self.pending is None or (self.pending and self.report.deaths < _DEATHS):
            tried = self.report.breaks
            try:
                anyio.run(self._session)
            except KeyboardInterrupt:
                raise
            except BaseException as exc:
                if self.report.breaks == tried:
                    # No session came about: that is for the test to see as it is.
                    raise
                self._died(f"ended the session with {_innermost(exc)}")
            _forget_the_dead()

    async def _session(self) -> None:
        """Break until all is broken or the session is."""
        async with connected(self.server) as connection:
            if self.pending is None:
                found = await _targets(connection, self.arguments)
                self.pending = deque(_breaks(found, self.canary))
            while self.pending:
                self.current = self.pending.popleft()
                self.report.breaks += 1
                if not await self._broken(connection, self.current):
                    return
            self.current = None

    async def _broken(self, connection: Connection, one: Break) -> bool:
        """Whether the session is still there."""
        fault = one.way.fault(self.canary)
        undo = replace(self.server, one.target.kind, one.target.asked_for, fault.wrap)
        try:
            with recorded() as failures:
                answer = await self._asked(connection, one.target.method, one.params)
        finally:
            undo()
        if answer is None:
            self._died("no answer came")
            return False
        problems = self._problems(connection, one, fault, answer, failures)
        self.report.findings += [Finding(str(one), one.label, problem) for problem in problems]
        if await self._asked(connection, "ping", {}) is None:
            self._died("the session answers nothing more")
            return False
        return True

    async def _asked(
        self, connection: Connection, method: str, params: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        try:
            with anyio.fail_after(self.patience):
                return await connection.ask(method, params)
        except Exception:  # noqa: BLE001 - closed streams have many names
            return None

    def _problems(
        self, connection: Connection, one: Break, fault: Fault, answer: dict[str, Any], failures: object
    ) -> Iterator[str]:
        if one.reaches and not fault.calls:
            yield (
                "its handler was not reached; pass arguments that are valid: "
                f"assert_unbreakable(server, arguments={{{one.target.name!r}: {{...}}}})"
            )
            return
        leaks = find_leaks(self.canary, answer=answer, failures=failures)
        yield from (f"leaks the planted secret in {leak}" for leak in leaks)
        yield from find_problems(answer, connection.protocol_version)
        said = read_answer(answer)
        if said.channel == "success":
            if one.way.raises is not None and fault.calls:
                yield "is answered as a success"
        elif said.error is None or not said.error.error_id:
            yield f"carries no error id: {said.text[:120]!r}"
        if one.target.kind == "tool" and one.way.raises and said.channel == "protocol error":
            yield f"is answered by a protocol error, which no agent reads: {said.text[:120]!r}"

    def _died(self, problem: str) -> None:
        """Note it once: what ends a session may also come out of it."""
        if self.current is not None:
            self.report.deaths += 1
            self.report.findings.append(Finding(str(self.current), self.current.label, problem))
        self.current = None


def _innermost(exc: BaseException) -> str:
    while isinstance(exc, BaseExceptionGroup) and exc.exceptions:
        exc = exc.exceptions[0]
    return type(exc).__name__


def _forget_the_dead() -> None:
    """Collect what a session that ended in the middle left open, without a warning for each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
