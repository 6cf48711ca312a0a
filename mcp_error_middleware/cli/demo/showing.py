"""What was told in, lines on a terminal out."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_error_middleware.cli.demo.stories import Story
from mcp_error_middleware.cli.demo.telling import Pair, Told

PRIVATE: Final = ("hunter2", "sk-proj-", "db.internal", "/home/shop", "Ignore your instructions")
"""What the stories have in them that is nobody else's business."""

_PAINT: Final = re.compile(r"\x1b\[[0-9;]*m")
_ACCESS: Final = re.compile(r'"[A-Z]+ \S+ HTTP/1\.[01]" \d{3}|^INFO: ')


@dataclass(slots=True)
class Progress:
    """How many stories are told so far; on a terminal in one line that goes away, else once at the start."""

    stories: int
    done: int = 0
    is_terminal: bool = field(default_factory=lambda: sys.stderr.isatty())

    def __post_init__(self) -> None:
        self._say(f"starting servers; {self.stories} stories to tell ...")

    def step(self) -> None:
        self.done += 1
        if self.is_terminal:
            self._say(f"{self.done} of {self.stories} stories told ...")

    def clear(self) -> None:
        if self.is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _say(self, text: str) -> None:
        start, end = ("\r\x1b[K", "") if self.is_terminal else ("", "\n")
        print(f"{start}{text}", end=end, file=sys.stderr, flush=True)


def show(pair: Pair, stories: Sequence[Story]) -> None:
    """Every story of one scene: side by side as the agent, below as the operator gets it."""
    print(f"\n=== {pair.scene.title} ===")
    for number, (story, without, with_it) in enumerate(
        zip(stories, pair.without, pair.with_it, strict=True), 1
    ):
        half = (_width() - 3) // 2
        print(f"\n{number}. {story.happens}: {story.tool}({json.dumps(story.arguments)})")
        print(f"{'the agent, without':<{half}} | the agent, with")
        for left, right in columns(without.answer, with_it.answer, half):
            print(f"{left:<{half}} | {right}")
        print(_cut(f"the operator, without: {operators_text(without.log)}"))
        print(f"the operator, with: {operators_line(with_it.log)}")


def show_table(pairs: Sequence[Pair]) -> None:
    """Every scene in two rows of counts."""
    heads = ("", "", "answered", "next step", "private text", "sessions lost", "in the log by id")
    rows: list[tuple[str, ...]] = [heads]
    for pair in pairs:
        rows.append((pair.scene.title, "without", *_counts(pair.without)))
        rows.append(("", "with", *_counts(pair.with_it)))
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    print("\n=== the same stories on every stack ===\n")
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _counts(told: Sequence[Told]) -> tuple[str, ...]:
    answered = [one for one in told if one.is_answered]
    hinted = [one for one in answered if re.search(r"^Recovery: |\(error id ", one.answer, re.MULTILINE)]
    private = [one for one in told if any(text in one.answer for text in PRIVATE)]
    found = [one for one in told if _record(one.log)]
    counts = (len(answered), len(hinted), len(private), len(told) - len(answered), len(found))
    return tuple(f"{count} of {len(told)}" for count in counts)


# --- what the operator has --------------------------------------------------------------------------


def operators_line(log: str) -> str:
    """The line the middleware wrote, in short."""
    if (record := _record(log)) is None:
        return "nothing"
    chain = " <- ".join(cause["type"] for cause in record["causes"])
    redacted = f", redacted {record['redactions']}" if "redactions" in record else ""
    what = f"{record['level']} {record['code']} ({record['fault']}) {chain}"
    return f"{what}, error id {record['error_id']}{redacted}"


def _record(log: str) -> dict[str, Any] | None:
    lines = [line for line in log.splitlines() if line.startswith('{"')]
    return json.loads(lines[-1]) if lines else None


def operators_text(log: str) -> str:
    """What a server says by itself, in short: how much of it, and the last words."""
    lines = [line for line in _PAINT.sub("", log).splitlines() if re.search(r"\w", line)]
    lines = [line for line in lines if not _ACCESS.search(line)]
    if not lines:
        return "nothing"
    private = ", private text among them" if any(text in log for text in PRIVATE) else ""
    last = lines[-1].strip(" │|╭╰─")
    count = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
    return f"{count} without an id{private}; the last: {last}"


def _cut(line: str) -> str:
    return textwrap.shorten(line, _width(), placeholder=" ...")


def _width() -> int:
    return max(60, min(shutil.get_terminal_size((150, 40)).columns, 180))


def columns(left: str, right: str, width: int) -> list[tuple[str, str]]:
    """Two texts side by side, wrapped."""
    wrapped = [
        [row for line in text.splitlines() for row in textwrap.wrap(line, width) or [""]]
        for text in (left, right)
    ]
    height = max(map(len, wrapped))
    first, second = (rows + [""] * (height - len(rows)) for rows in wrapped)
    return list(zip(first, second, strict=True))
