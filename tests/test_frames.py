import json
import sys
from typing import Any

import pytest

from mcp_error_middleware.frames import LIMIT, frames_of
from mcp_error_middleware.model import Frame


def raise_here() -> None:
    raise ValueError("here")


def test_frames_run_from_the_outermost_to_the_one_that_raised() -> None:
    with pytest.raises(ValueError, match="here") as raised:
        raise_here()
    frames = frames_of(raised.value.__traceback__)

    first_line = raise_here.__code__.co_firstlineno
    assert [frame.function.rpartition(".")[2] for frame in frames] == [
        "test_frames_run_from_the_outermost_to_the_one_that_raised",
        "raise_here",
    ]
    assert frames[-1] == Frame("tests/test_frames.py", first_line + 1, f"{__name__}.raise_here", True)


def test_the_standard_library_is_not_in_app() -> None:
    with pytest.raises(ValueError, match="Expecting") as raised:
        json.loads("{")
    frames = frames_of(raised.value.__traceback__)

    assert [frame.in_app for frame in frames] == [True, False, False, False]


def test_a_deep_recursion_keeps_its_innermost_frames() -> None:
    def descend(depth: int) -> None:
        if depth == 0:
            raise_here()
        descend(depth - 1)

    with pytest.raises(ValueError, match="here") as raised:
        descend(300)
    frames = frames_of(raised.value.__traceback__)

    assert len(frames) == LIMIT
    assert frames[-1].function == f"{__name__}.raise_here"


def test_a_frame_is_named_at_no_more_length_than_a_line_can_hold() -> None:
    code = compile("def here(): raise ValueError('here')", "x" * 100_000 + "/end.py", "exec")
    made: dict[str, Any] = {"__name__": "y" * 100_000}
    exec(code, made)
    with pytest.raises(ValueError, match="here") as raised:
        made["here"]()
    frame = frames_of(raised.value.__traceback__)[-1]

    assert (len(frame.file), len(frame.function)) == (500, 500)
    assert (frame.file[-7:], frame.function[-6:]) == ("/end.py", "y.here")


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("/home/anna/shop/srv/tools.py", "srv/tools.py"),
        ("C:\\Users\\anna\\shop\\srv\\tools.py", "srv/tools.py"),
        ("/home/bert/srv/shop/tools.py", "shop/tools.py"),
        ("/home/bert/srv/vendored/deep/down/tools.py", "deep/down/tools.py"),
        ("/home/bert/srvs/shop/tools.py", "shop/tools.py"),
        ("/tools.py", "/tools.py"),
        ("tools.py", "tools.py"),
        ("<frozen shop/srv/tools>", "<frozen shop/srv/tools>"),
    ],
)
def test_a_frame_is_named_by_a_path_that_says_nothing_about_the_machine(
    file: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", ["", "/", "/home/bert/srv/", "/home/bert/srv/vendored"])
    made: dict[str, Any] = {"__name__": "shop"}
    exec(compile("def here(): raise ValueError('here')", file, "exec"), made)
    with pytest.raises(ValueError, match="here") as raised:
        made["here"]()

    assert frames_of(raised.value.__traceback__)[-1].file == shown


def test_an_exception_that_was_never_raised_has_no_frames() -> None:
    assert frames_of(ValueError().__traceback__) == ()
