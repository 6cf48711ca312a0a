import os
import subprocess
import sys

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.cli.demo.stories import STORIES
from mcp_error_middleware.cli.demo.telling import columns


@pytest.mark.parametrize(("stack", "transport"), [("mcpserver", "stdio"), ("fastmcp", "http")])
def test_the_stories_are_told_side_by_side(stack: str, transport: str) -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "mcp_error_middleware",
            "demo",
            "--once",
            "--stack",
            stack,
            "--transport",
            transport,
            "--only",
            "refund",
            "--only",
            "exit",
        ],
        env={**os.environ, "COLUMNS": "180"},
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    ).stdout

    assert "the agent, without" in told
    assert "Error: Order 'ord_999' was not found." in told
    assert ("the server process is dead" in told) is (transport == "stdio")
    assert "InternalError (server) SystemExit" in told


def test_an_unknown_story_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--only", "nonsense"]) == 2

    assert "use one of refund, ship, secret" in capsys.readouterr().err


def test_every_story_has_its_own_words() -> None:
    assert len({story.happens for story in STORIES}) == len(STORIES)


def test_two_texts_stand_side_by_side() -> None:
    assert columns("one two three", "four", 7) == [("one two", "four"), ("three", "")]
