"""The ways to fail that the demo tells of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Story:
    """One way to fail: a tool, what it is called with, and what happens in it."""

    tool: str
    arguments: dict[str, Any]
    happens: str


STORIES: Final = (
    Story("refund", {"order": "ord_999"}, "the tool raises a typed error with a recovery step"),
    Story("ship", {"order": "ord_1", "boxes": 0}, "the tool raises a plain ValueError"),
    Story("ship", {"order": "ord_1", "boxes": "hunter2"}, "the client sends a wrong argument"),
    Story("secret", {}, "a crash whose text holds a password, a key and a path"),
    Story("chain", {}, "a three-deep chain; the root is a refused connection"),
    Story("group", {}, "two tasks of a group fail"),
    Story("upstream", {"status": 429}, "an upstream answers 429 with Retry-After"),
    Story("upstream", {"status": 503}, "an upstream answers 503"),
    Story("upstream", {"status": 401}, "an upstream no longer takes the server's key"),
    Story("prices", {}, "an upstream answers with a page that speaks to the agent, not with JSON"),
    Story("slow", {}, "an upstream never answers"),
    Story("register", {"email": "anna@example.com"}, "a unique constraint of the database"),
    Story("report", {}, "a file that is not there"),
    Story("bug", {}, "a plain bug"),
    Story("nothing", {}, "a tool that does not exist"),
    Story("cancelled", {}, "a cancellation leaks out of another task"),
    Story("exit", {}, "library code calls sys.exit()"),
)
