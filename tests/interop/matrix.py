"""What every stack answers and every client gets, as a page: `python -m tests.interop.matrix` renews it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from statistics import mode

from tests.interop.meetings import CLIENTS, MEETINGS, Arrived, Client, Meet, meetings
from tests.interop.packages import NEW, OLD, ROOT
from tests.interop.things import THINGS, Thing
from tests.stacks.faults import FAULTS, REQUESTS

PAGE = ROOT / "docs" / "matrix.md"
README = ROOT / "README.md"

STACKS = """\
# What is answered, and what arrives

Made from a run by `python -m tests.interop.matrix`; `make interop` says when it is stale.

## Every stack answers alike

What is sent when a tool raises the fault, or when a client asks for what no handler can serve, both as
`tests/stacks/faults.py` names them: a result with `isError`, or a JSON-RPC error with its number; and the
name of the code. A dash: the stack has no such thing, or leaves it to the author's handlers.
"""

ARRIVING = """\
## Every client gets it

What arrives in the client's program: over HTTP from MCPServer, both FastMCP lines and the FastMCP of mcp 1.x,
over stdio (Inspector: not tried) from MCPServer and FastMCP 3, in each era both sides speak. *Object*: the
error object (`code`, `name`, `retryable`, `error_id`, `data`, ...), in the result's `_meta` or in the
JSON-RPC error's `data`.
"""


def page(meet: Meet) -> str:
    return "\n".join([STACKS, *stacks(), "", ARRIVING, *arriving(meet), ""])


def stacks() -> list[str]:
    answers = {name: cells for python in (NEW, OLD) for name, cells in _asked(str(python)).items()}
    rows = [
        _row(fault.name, [_cell(cells.get(fault.name, ["–"])) for cells in answers.values()])
        for fault in (*FAULTS, *REQUESTS)
    ]
    return _table(("fault", "answer", *answers), rows)


def _row(name: str, cells: list[str]) -> tuple[str, ...]:
    answer = mode(cell for cell in cells if cell != "–")
    return (f"`{name}`", answer, *("✓" if cell == answer else cell for cell in cells))


def _asked(python: str) -> dict[str, dict[str, list[str]]]:
    done = subprocess.run(
        [python, "-m", "tests.interop.asked"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    answers: dict[str, dict[str, list[str]]] = json.loads(done.stdout)
    return answers


def arriving(meet: Meet) -> list[str]:
    rows = [(thing.name, *(_arriving(thing, client, meet) for client in CLIENTS)) for thing in THINGS]
    return _table(("what failed", *(client.name for client in CLIENTS)), rows)


def _arriving(thing: Thing, client: Client, meet: Meet) -> str:
    if thing.name in client.decides:
        return "its own answer"
    return _cell(_seen(meet(meeting)[thing.name]) for meeting in MEETINGS if meeting.client == client)


def _seen(answer: Arrived) -> str:
    if not answer.error:
        return "message"
    return f"{answer.number or 'text'}, object"


def _cell(seen: Iterable[str]) -> str:
    return " / ".join(sorted(set(seen)))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows)]


def in_readme(page: str, readme: str) -> str:
    """The README with the tables of the page at their places."""
    answered, arrived = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    return _replaced(_replaced(readme, "stacks", answered), "clients", arrived)


def _replaced(readme: str, name: str, table: str) -> str:
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = readme.partition(begin)
    return f"{before}{begin}\n\n{table}\n{end}{rest.partition(end)[2]}"


if __name__ == "__main__":
    with meetings() as meet:
        PAGE.write_text(page(meet))
    README.write_text(in_readme(PAGE.read_text(), README.read_text()))
