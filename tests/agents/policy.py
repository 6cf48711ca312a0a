"""An agent without a model: one fixed way to act on errors, which knows no task and no server.

It sees what its client forwards, the list of tools, and what it was asked to do.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from mcp_error_middleware.client import Action, RemoteError, decide, parse_error
from mcp_error_middleware.model import Issue
from tests.agents.views import View

CALLS = 6
"""More than this for one task is a loop."""


@dataclass(frozen=True)
class Step:
    """One call to make."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Ending:
    """How the agent left its task."""

    action: Action | None
    """None where the last call succeeded."""
    calls: int
    error: RemoteError | None = None


@dataclass
class Agent:
    """Calls, reads, decides, calls again."""

    client: Any
    view: View
    sleep: Callable[[float], Awaitable[object]]
    knows: Mapping[str, Any]
    """What the user told it besides the arguments."""
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    calls: int = 0

    async def solve(self, step: Step) -> Ending:
        self.tools = {tool["name"]: tool for tool in map(_wire, await _listed(self.client))}
        fixes, error = 0, None
        for attempt in range(1, CALLS):
            error = parse_error(self.view(await self.call(step)))
            if error is None:
                return Ending(None, self.calls)
            decision = decide(error, attempt, fixes=fixes, idempotent=self.is_read(step.tool), random=_half)
            if decision.action is Action.RETRY:
                await self.sleep(decision.wait)
                continue
            better = await self.better(step, error, decision.action) if fixes == 0 else None
            if better is None:
                return Ending(decision.action, self.calls, error)
            step, fixes = better, 1
        return Ending(Action.GIVE_UP, self.calls, error)

    async def call(self, step: Step) -> Any:
        self.calls += 1
        try:
            return await getattr(self.client, "call_tool_mcp", self.client.call_tool)(
                step.tool, dict(step.arguments)
            )
        except Exception as exc:
            return exc

    def is_read(self, tool: str) -> bool:
        annotations = self.tools.get(tool, {}).get("annotations") or {}
        return annotations.get("readOnlyHint") is True

    async def better(self, step: Step, error: RemoteError, action: Action) -> Step | None:
        """The call as the error says it should have been."""
        changed: Step | None = step
        if action is Action.FIX_INPUT:
            changed = self.renamed(step) or self.corrected(step, error)
        elif action in (Action.WORK_AROUND, Action.VERIFY):
            changed = await self.informed(step, error)
        return None if changed == step else changed

    def renamed(self, step: Step) -> Step | None:
        """A tool that exists, where this one does not."""
        if step.tool in self.tools:
            return None
        alike = get_close_matches(step.tool, self.tools, n=1)
        return replace(step, tool=alike[0]) if alike else None

    def corrected(self, step: Step, error: RemoteError) -> Step:
        arguments = dict(step.arguments)
        for issue in error.issues:
            if issue.problem.startswith("is required"):
                arguments = self.filled(arguments, issue.path)
            elif issue.path in arguments:
                arguments[issue.path] = _as_said(arguments[issue.path], issue)
        schema = self.tools[step.tool]["inputSchema"]["properties"]
        return replace(step, arguments={key: value for key, value in arguments.items() if key in schema})

    def filled(self, arguments: Mapping[str, Any], path: str) -> dict[str, Any]:
        """A missing argument: one that was misspelt, or else what the user told."""
        alike = get_close_matches(path, [key for key in arguments if key != path], n=1)
        if alike and alike[0] not in self.knows:
            return {path if key == alike[0] else key: value for key, value in arguments.items()}
        return {**arguments, path: self.knows[path]} if path in self.knows else dict(arguments)

    async def informed(self, step: Step, error: RemoteError) -> Step | None:
        """What the tool named by the hint tells, in place of the arguments the hint names."""
        words = re.findall(r"\w+", error.hint or "")
        named = [word for word in words if word in self.tools and word != step.tool]
        if not named:
            return None
        wanted = self.tools[named[0]]["inputSchema"].get("properties", {})
        known = {key: value for key, value in step.arguments.items() if key in wanted}
        answer = await self.call(Step(named[0], known))
        if isinstance(answer, Exception) or parse_error(answer) is not None:
            return None
        wrong = {key: value for key, value in step.arguments.items() if key in words}
        return replace(step, arguments={**step.arguments, **_updated(wrong, answer.content[0].text)})


def _as_said(value: Any, issue: Issue) -> Any:
    """The nearest value to this one that the problem allows."""
    if options := re.findall(r"'([^']*)'", issue.problem):
        return next(iter(get_close_matches(str(value), options, n=1)), options[0])
    if re.search(r"\b(?:integer|whole number|number)\b", issue.problem):
        return next((int(digits) for digits in re.findall(r"\d+", str(value))), value)
    return value


def _updated(arguments: Mapping[str, Any], text: str) -> dict[str, Any]:
    """With values from a text of `key: value` and words: by key, else the word most alike."""
    pairs = dict(re.findall(r"(\w+): (\w+)", text))
    words = re.findall(r"[\w./-]+", text)
    updated = dict(arguments)
    for key, value in arguments.items():
        if key in pairs:
            updated[key] = type(value)(pairs[key])
        elif isinstance(value, str) and (alike := get_close_matches(value, words, n=1)):
            updated[key] = alike[0]
    return updated


async def _listed(client: Any) -> Any:
    listed = await client.list_tools()
    return getattr(listed, "tools", listed)


def _wire(tool: Any) -> dict[str, Any]:
    said: dict[str, Any] = tool.model_dump(by_alias=True)
    return said


def _half() -> float:
    return 0.5
