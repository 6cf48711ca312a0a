"""Bytes in, a broken promise or nothing out: what is promised for any input at all, one target a parser.

A coverage-guided fuzzer feeds them (`make guided`); what it found worth keeping is in `corpus/<target>/` and
runs with every test.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from mcp_error_middleware import sanitize_data, sanitize_text
from mcp_error_middleware.adapters.asgi.events import EventFilter
from mcp_error_middleware.client import decide, parse_error
from mcp_error_middleware.lint import Report, lint
from mcp_error_middleware.lint.settings import Settings
from mcp_error_middleware.sanitize import Limits

CORPUS = Path(__file__).parent / "corpus"

_LIMITS = Limits()
_SECRET = "AKIAQYLPMN5HHHFPZAM2"


def text(data: bytes) -> None:
    """Any text becomes a short one that stays as it is; a token among its words does not survive."""
    said = data.decode("utf-8", "surrogateescape")
    clean = sanitize_text(said)
    clean.encode()
    assert len(clean) <= _LIMITS.text
    assert sanitize_text(clean) == clean
    # A fuzzer learns what it is compared with, and then puts it inside of longer words.
    assert _SECRET in said or _SECRET not in sanitize_text(f"{said[:1000]} {_SECRET} {said[1000:]}")


def value(data: bytes) -> None:
    """Any JSON becomes JSON of a bounded size."""
    try:
        said = orjson.loads(data)
    except ValueError:
        return
    assert len(orjson.dumps(sanitize_data(said))) < 4 * _LIMITS.size


def answer(data: bytes) -> None:
    """Any answer of a server is an error with a next step, or none."""
    said = data.decode("utf-8", "replace")
    answers: list[object] = [said, RuntimeError(said), {"isError": True, "content": [{"text": said}]}]
    with suppress(ValueError):
        answers.append(orjson.loads(data))
    for error in map(parse_error, answers):
        assert error is None or (isinstance(error.message, str) and decide(error).why)


def events(data: bytes) -> None:
    """A stream arrives the same however it is cut, and what is not rewritten arrives as it was."""
    cut = data[0] if data else 0
    whole, halves = EventFilter(_quiet, 64), EventFilter(_quiet, 64)
    at_once = whole.feed(data) + whole.rest()
    in_two = halves.feed(data[:cut]) + halves.feed(data[cut:]) + halves.rest()
    assert at_once == data
    assert in_two == data


def source(data: bytes) -> None:
    """Any file is linted, or called unreadable."""
    with TemporaryDirectory() as folder:
        for name in ("server.py", "server.json"):
            path = Path(folder, name)
            path.write_bytes(data)
            assert isinstance(lint(str(path), settings=Settings(), root=Path(folder)), Report)


def _quiet(_: bytes) -> None:
    return None


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (text, value, answer, events, source)
}
