import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.cli.demo import showing
from mcp_error_middleware.cli.demo.servers import STACKS, stacks_here
from mcp_error_middleware.cli.demo.showing import columns, operators_line, operators_text
from mcp_error_middleware.cli.demo.stories import STORIES
from mcp_error_middleware.cli.demo.telling import DEAD, Scene, Teller

OLD = Path(__file__).parents[2] / ".venv-old/bin/python"


def demo(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mcp_error_middleware", "demo", "--once", *arguments],
        env={**os.environ, "COLUMNS": "180"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.match(r"starting servers; \d+ stories to tell", done.stderr)
    return done.stdout


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("stack", "transport"), [*zip(stacks_here(), ("stdio", "http", "http"), strict=True)]
)
def test_the_stories_are_told_side_by_side(stack: str, transport: str) -> None:
    told = demo("--stack", stack, "--transport", transport, "--only", "refund", "--only", "exit")

    assert "the agent, without" in told
    assert "Error: Order 'ord_999' was not found." in told
    assert re.search(r"the operator, without: \d+ lines? without an id", told)
    assert "InternalError (server) SystemExit" in told
    assert transport == "http" or "the session is dead" in told
    assert re.search(r"with +2 of 2 +2 of 2 +0 of 2 +0 of 2 +2 of 2\n", told)


@pytest.mark.timeout(300)
def test_every_stack_there_is_has_its_rows() -> None:
    if not OLD.exists():
        pytest.skip("the older SDKs are not there; run `make stacks`")
    told = demo("--older", str(OLD), "--only", "secret", "--only", "ship")

    rows = re.findall(r"^(\S.*), stdio +without +(\d).*\n +with +(\d) of 3 +(\d) of 3 +(\d) of 3", told, re.M)
    assert [title for title, *_ in rows] == [stack.title for stack in STACKS.values()]
    assert {row[2:] for row in rows} == {("3", "3", "0")}


@pytest.mark.anyio
async def test_a_client_that_falls_with_its_transport_was_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Session:
        async def call_tool(self, *_: object) -> None:
            raise asyncio.CancelledError  # as a client's task group does where its reader crashed

    @asynccontextmanager
    async def falling(_: Teller) -> AsyncIterator[Session]:
        try:
            yield Session()
        except asyncio.CancelledError:
            raise ConnectionResetError from None

    monkeypatch.setattr(Teller, "_session", falling)
    log = tmp_path / "server.log"
    log.touch()

    told = await Teller("bare", Scene(), "", log, lambda: None).tell(STORIES[:2])

    assert [one.answer for one in told] == [DEAD, DEAD]


def test_a_stack_that_is_not_there_says_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    other = "fastmcp1" if version("mcp").startswith("2") else "mcpserver"

    assert main(["demo", "--stack", other]) == 2
    assert "is not installed here; there are" in capsys.readouterr().err


def test_an_unknown_story_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--only", "nonsense"]) == 2

    assert "use one of refund, ship, secret" in capsys.readouterr().err


@pytest.mark.timeout(120)
def test_the_desk_stays_open_with_traffic_on_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = ["demo", "--stack", "fastmcp", "--only", "refund", "--only", "bug", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "mcp_error_middleware", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = next(
            found[0] for line in process.stdout if (found := re.search(r"http://\S+/errors/", line))
        )
        while not (groups := overview(address)["groups"]):
            pass
        assert {group["code"] for group in groups} <= {"NotFound", "InternalError"}
    finally:
        process.terminate()
        _, said = process.communicate()
    # The frameworks' own tracebacks would bury what was told.
    assert re.fullmatch(r"starting servers; 4 stories to tell ...\n", said)


def overview(address: str) -> dict[str, list[dict[str, str]]]:
    with urllib.request.urlopen(f"{address}api/overview", timeout=30) as answer:
        found: dict[str, list[dict[str, str]]] = json.load(answer)
        return found


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    from mcp_error_middleware.cli.demo.live import _listening
    from mcp_error_middleware.cli.usage import UsageError

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken"):
            _listening(port)


def test_every_story_has_its_own_words() -> None:
    assert len({story.happens for story in STORIES}) == len(STORIES)


def test_two_texts_stand_side_by_side() -> None:
    assert columns("one two three", "four", 7) == [("one two", "four"), ("three", "")]


def test_an_operator_without_it_has_lines_and_their_last_words() -> None:
    log = '\x1b[31mTraceback\x1b[0m\n│ RuntimeError: hunter2 │\n╰────╯\nINFO: "POST /mcp HTTP/1.1" 200 OK\n'

    expected = "2 lines without an id, private text among them; the last: RuntimeError: hunter2"
    assert operators_text(log) == expected
    assert operators_text("INFO done") == "1 line without an id; the last: INFO done"
    assert operators_text("") == "nothing"
    assert operators_line("no JSON here") == "nothing"


def test_progress_is_one_line_on_a_terminal_that_goes_away(capsys: pytest.CaptureFixture[str]) -> None:
    progress = showing.Progress(2, is_terminal=True)
    progress.step()
    progress.clear()

    lines = capsys.readouterr().err.split("\r\x1b[K")
    assert lines == ["", "starting servers; 2 stories to tell ...", "1 of 2 stories told ...", ""]
