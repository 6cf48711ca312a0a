from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text

PYTHON = """Traceback (most recent call last):
  File "/srv/app/a.py", line 42, in run
    charge(order)
    ~~~~~~^^^^^^^
  File "/srv/app/b.py", line 7, in charge
    raise ValueError("no")
ValueError: no such order"""


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (PYTHON, "[redacted:trace]\nValueError: no such order"),
        (PYTHON.replace("\n", "\\n"), "[redacted:trace]\\nValueError: no such order"),
        (
            "x.Error: no\n\tat a.b.C.d(C.java:1)\n\tat a.b.E.f(E.java:2)\nCaused by: x.Y: why\n\t... 3 more",
            "x.Error: no\n\t[redacted:trace]\nCaused by: x.Y: why\n\t[redacted:trace]",
        ),
        (
            "TypeError: no\n    at run (/app/x.js:1:2)\n    at async main (node:internal/y:3:4)",
            "TypeError: no\n    [redacted:trace]",
        ),
        (
            "panic: no\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a/b.go:1 +0x2",
            "panic: no\n\n[redacted:trace]",
        ),
        (
            '  + Exception Group Traceback (most recent call last):\n  |   File "/srv/a.py", line 6, in run\n'
            "  |     async with group:\n  | ExceptionGroup: two went wrong (1 sub-exception)",
            "  + [redacted:trace]\n  | ExceptionGroup: two went wrong (1 sub-exception)",
        ),
        ("NullPointerException at UserService.java:142", "NullPointerException at [redacted:trace]"),
        ("boom in lib/tasks/x.rake:9:in `run' again", "boom in [redacted:trace] again"),
    ],
)
def test_the_frames_go_as_one_and_the_message_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "meet at noon (12:30)",
        "at least one of (a, b)",
        "UserService.java: not found",
        'File "a.csv" is empty',
        "3 more\nitems",
        "a\n... 3 more items\nb",
        "Main.java:5: error: cannot find symbol",
        "error[E0308]: mismatched types\n --> src/main.rs:4:18\n  |",
        "src/Cart.kt:5:9: warning: unused",
    ],
)
def test_what_only_looks_like_a_frame_stays(text: str) -> None:
    assert sanitize_text(text) == text
