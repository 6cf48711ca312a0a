from __future__ import annotations

import asyncio
import gc
import io
import logging
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import orjson
import pytest
import structlog
from opentelemetry import trace
from opentelemetry.sdk._logs import LoggingHandler
from rich.console import Console
from rich.logging import RichHandler

from mcp_error_middleware import Call, Contract, ErrorCode, ErrorPolicy, Failure, Mode, NotFound, Triage
from mcp_error_middleware.drift import Seen, modes_of, seen_in, suggested
from mcp_error_middleware.model import Frame
from mcp_error_middleware.telemetry import logs, observed, operation
from mcp_error_middleware.telemetry.logs import FailureLog, flush, log_failure, pour, record
from tests.telemetry.recording import Recording

SCRIPT = """
from mcp_error_middleware import Call, Triage
from mcp_error_middleware.telemetry.logs import log_failure
try:
    try:
        raise OSError("dsn postgresql://shop:hunter2@db.internal/x")
    except OSError as exc:
        raise RuntimeError("price lookup failed") from exc
except RuntimeError as exc:
    log_failure(Triage()(exc, Call(target="price", request_id=7)))
"""


def test_without_a_set_up_one_json_line_goes_to_standard_error_and_nothing_to_standard_output() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)

    line = orjson.loads(done.stderr)
    assert done.stdout == b""
    assert (line["event"], line["level"], line["target"], line["request_id"]) == (
        "mcp.failure",
        "error",
        "price",
        7,
    )
    assert [(cause["type"], cause["relation"]) for cause in line["causes"]] == [
        ("RuntimeError", "raised"),
        ("OSError", "cause"),
    ]
    assert b"hunter2" not in done.stderr


def test_a_structlog_set_up_of_the_users_own_gets_the_fields() -> None:
    with structlog.testing.capture_logs() as lines:
        log_failure(Triage()(NotFound("gone"), Call(target="price")))

    assert (lines[0]["event"], lines[0]["log_level"], lines[0]["code"]) == (
        "mcp.failure",
        "warning",
        "NotFound",
    )


@pytest.mark.parametrize(
    ("exc", "level"), [(ValueError("x"), "warning"), (TimeoutError(), "error"), (KeyError("x"), "error")]
)
def test_whose_fault_it_is_decides_how_loud_the_line_is(exc: Exception, level: str) -> None:
    with structlog.testing.capture_logs() as lines:
        log_failure(Triage()(exc))

    assert lines[0]["log_level"] == level


def test_only_what_is_there_is_logged() -> None:
    fields = record(Triage()(ValueError("x")))

    assert None not in fields.values()
    assert "session_id" not in fields


def test_a_line_names_the_span_it_was_written_in(recorded: Recording) -> None:
    with trace.get_tracer("shop").start_as_current_span("request") as span:
        fields = record(Triage()(ValueError("x")))

    context = span.get_span_context()
    assert fields["trace_id"] == f"{context.trace_id:032x}"
    assert fields["span_id"] == f"{context.span_id:016x}"


def test_outside_of_a_span_a_line_names_none() -> None:
    assert not {"trace_id", "span_id"} & record(Triage()(ValueError("x"))).keys()


def test_handlers_of_the_users_own_on_our_logger_get_the_line() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("mcp_error_middleware")
    logger.addHandler(handler)
    try:
        log_failure(Triage()(NotFound("gone"), Call(target="price")))
    finally:
        logger.removeHandler(handler)

    line = orjson.loads(stream.getvalue())
    assert (line["event"], line["code"], line["target"]) == ("mcp.failure", "NotFound", "price")


@pytest.fixture
def line() -> Iterator[io.StringIO]:
    """What a handler of the user's own on the root logger writes."""
    stream = io.StringIO()
    with behind(None, logging.StreamHandler(stream)):
        yield stream


def test_handlers_on_the_root_logger_get_the_whole_line(
    line: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    failure = Triage()(NotFound("gone"), Call(target="price"))
    log_failure(failure)

    said = orjson.loads(line.getvalue())
    assert list(said)[:3] == ["timestamp", "level", "event"]
    assert {**said, **record(failure)} == said
    assert capfd.readouterr().err == ""


def test_the_level_of_the_users_own_set_up_holds(capfd: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("mcp_error_middleware")
    logger.setLevel(logging.ERROR)
    try:
        log_failure(Triage()(ValueError("a caller's")))
        log_failure(Triage()(KeyError("ours")))
    finally:
        logger.setLevel(logging.NOTSET)

    assert orjson.loads(capfd.readouterr().err)["fault"] == "server"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_handler_that_writes_to_a_person_does_not_keep_the_line_from_standard_error(
    bridge: logging.Handler, capfd: pytest.CaptureFixture[str]
) -> None:
    """Those of the SDKs do, and a set-up of a developer's own; so does a bridge, to nobody's eyes."""
    terminal, drawn = Terminal(), io.StringIO()
    with (
        behind(None, logging.StreamHandler(terminal)),
        behind(None, RichHandler(console=Console(file=drawn))),
        behind(None, bridge),
    ):
        log_failure(Triage()(NotFound("gone"), Call(target="price")))

    assert orjson.loads(capfd.readouterr().err)["target"] == "price"
    assert terminal.getvalue() + drawn.getvalue() == ""


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_line_on_standard_error_is_json_whatever_else_is_formatted_there(
    transport: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor does a stdio server wait for a handler whose pipe its client may not read."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("shop %(message)s"))
    with behind(None, handler):
        log_failure(Triage()(NotFound("gone"), Call(transport=transport)))

    assert orjson.loads(capfd.readouterr().err)["code"] == "NotFound"


@pytest.mark.parametrize(("transport", "is_printed"), [("stdio", False), ("http", True)])
def test_handlers_that_print_never_print_into_the_messages_of_a_stdio_server(
    transport: str, is_printed: bool
) -> None:
    script = f"""
import logging, sys
from mcp_error_middleware import Call, NotFound, Triage
from mcp_error_middleware.telemetry.logs import log_failure
logging.basicConfig(stream=sys.stdout)
log_failure(Triage()(NotFound("gone"), Call(transport="{transport}")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    assert (b"mcp.failure" in done.stdout, b"mcp.failure" in done.stderr) == (is_printed, not is_printed)


def test_a_set_up_whose_records_keep_a_name_of_ours_for_themselves_gets_the_fields_as_one(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """As structlog documents it for formatters of the standard library's."""

    class Kept(logging.Handler):
        records: list[logging.LogRecord] = []  # noqa: RUF012

        def emit(self, record: logging.LogRecord) -> None:
            self.records.append(record)

    structlog.configure(
        processors=[structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    failure = Triage()(NotFound("gone"), Call(target="price"))
    with behind("mcp_error_middleware", Kept()):
        log_failure(failure)

    [item] = Kept.records
    assert (item.getMessage(), item.levelname) == ("mcp.failure", "WARNING")
    assert vars(item)["failure"] == record(failure)
    assert capfd.readouterr().err == ""


def test_a_set_up_that_gives_the_event_a_name_of_ours_loses_nothing() -> None:
    stream = io.StringIO()
    structlog.configure(
        processors=[structlog.processors.EventRenamer("message"), structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(stream),
    )
    log_failure(Triage()(NotFound("gone"), Call(target="price")))

    said = orjson.loads(stream.getvalue())
    assert (said["message"], said["failure_message"]) == ("mcp.failure", "gone")


def test_what_called_the_app_is_left_out_and_its_own_innermost_place_is_named() -> None:
    failure = Triage()(KeyError("x"))
    frames = (
        Frame("/site-packages/sdk.py", 1, "sdk.run", in_app=False),
        Frame("/shop/prices.py", 2, "prices.price"),
        Frame("/shop/rates.py", 3, "rates.fetch"),
        Frame("/site-packages/http.py", 4, "http.get", in_app=False),
    )
    [cause] = record(replace(failure, causes=(failure.causes[0]._replace(frames=frames),)))["causes"]

    assert cause["at"] == "/shop/rates.py:3 in rates.fetch"
    assert cause["frames"] == [
        "/shop/prices.py:2 in prices.price",
        "/shop/rates.py:3 in rates.fetch",
        "/site-packages/http.py:4 in http.get",
    ]


def test_a_logger_provider_gets_the_line_as_a_record(
    recorded: Recording, capfd: pytest.CaptureFixture[str]
) -> None:
    failure = Triage()(NotFound("gone"), Call(target="price"))
    log_failure(failure)

    [item] = recorded.records.get_finished_logs()
    assert item.log_record.event_name == "mcp.failure"
    assert item.log_record.body == "gone"
    assert item.log_record.severity_text == "WARN"
    assert item.log_record.attributes is not None
    assert item.log_record.attributes["error_id"] == failure.error_id
    assert orjson.loads(capfd.readouterr().err)["error_id"] == failure.error_id


def test_a_logger_provider_gets_a_record_beside_a_structlog_set_up(recorded: Recording) -> None:
    with structlog.testing.capture_logs() as lines:
        log_failure(Triage()(NotFound("gone")))

    assert len(lines) == 1
    assert [item.log_record.body for item in recorded.records.get_finished_logs()] == ["gone"]


@contextmanager
def behind(name: str | None, handler: logging.Handler) -> Iterator[None]:
    """A handler of a logger, for a while."""
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@pytest.fixture
def bridge(recorded: Recording) -> logging.Handler:
    with pytest.warns(DeprecationWarning, match="LoggingHandler"):
        return LoggingHandler()


@pytest.mark.parametrize(
    ("name", "is_ours"), [("mcp_error_middleware", False), (None, False), ("shop", True)]
)
def test_a_line_through_a_users_own_logger_is_one_record_whoever_makes_it(
    recorded: Recording, bridge: logging.Handler, name: str | None, is_ours: bool
) -> None:
    with behind("mcp_error_middleware", logging.NullHandler()), behind(name, bridge):
        log_failure(Triage()(NotFound("gone")))

    [item] = recorded.records.get_finished_logs()
    assert (item.log_record.body == "gone") is is_ours


def test_a_line_through_structlog_and_a_logger_behind_it_is_one_record(
    recorded: Recording, bridge: logging.Handler
) -> None:
    structlog.configure(
        logger_factory=structlog.stdlib.LoggerFactory(), processors=[structlog.processors.JSONRenderer()]
    )
    with behind(None, bridge):
        log_failure(Triage()(NotFound("gone")))

    [item] = recorded.records.get_finished_logs()
    assert orjson.loads(str(item.log_record.body))["event"] == "mcp.failure"


def test_a_line_that_otels_processor_takes_is_no_second_record(recorded: Recording) -> None:
    class Bridge:
        def __call__(self, logger: object, method: str, event: Any) -> Any:
            return event

    Bridge.__module__ = "opentelemetry.instrumentation.structlog"
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(io.StringIO()),
        processors=[Bridge(), structlog.processors.JSONRenderer()],
    )
    log_failure(Triage()(NotFound("gone")))

    assert recorded.records.get_finished_logs() == ()


@pytest.mark.parametrize("name", ["half \ud83d of it", "x" * 10_000_000], ids=["surrogate", "long"])
def test_what_a_client_calls_a_thing_cannot_spoil_the_line(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    log_failure(Triage()(NotFound("gone"), Call(target=name)))

    assert orjson.loads(capfd.readouterr().err.encode())["target"][:4] == name[:4]


def _raises(*_: Any) -> Any:
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    "processor",
    [_raises, structlog.stdlib.add_logger_name, structlog.stdlib.render_to_log_kwargs],
    ids=["raises", "asks for what the logger has not", "for another kind of logger"],
)
def test_a_line_that_a_set_up_cannot_take_is_on_standard_error_counted_and_told_once(
    processor: Any, recorded: Recording, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    operation._complained.discard("log")
    structlog.configure(processors=[processor])
    triage = observed(ErrorPolicy(console=False))
    failures = [triage(KeyError("x"), Call(target="price")) for _ in range(3)]

    lines = [orjson.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    assert [line["error_id"] for line in lines] == [failure.error_id for failure in failures]
    assert recorded.counts("mcp.server.telemetry.dropped") == [({"mcp.telemetry.sink": "log"}, 3)]
    assert [item.getMessage() for item in caplog.records] == [
        "a record for log was lost: the logging set-up of this process cannot take it; "
        "it is on standard error; more are only counted"
    ]


def test_a_handler_that_raises_does_not_lose_the_line(capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise RuntimeError("boom")

    logger, handler = logging.getLogger("mcp_error_middleware"), Broken()
    logger.addHandler(handler)
    try:
        log_failure(Triage()(NotFound("gone"), Call(target="price")))
    finally:
        logger.removeHandler(handler)

    assert orjson.loads(capfd.readouterr().err)["target"] == "price"


def test_a_logger_that_knows_no_levels_gets_the_line_too() -> None:
    stream = io.StringIO()
    structlog.configure(
        wrapper_class=structlog.BoundLogger,
        logger_factory=structlog.PrintLoggerFactory(stream),
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer()],
    )
    log_failure(Triage()(NotFound("gone"), Call(target="price")))

    line = orjson.loads(stream.getvalue())
    assert (line["event"], line["level"], line["target"]) == ("mcp.failure", "warning", "price")


def test_a_logger_that_has_to_be_awaited_gets_the_line_too(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        log_failure(Triage()(NotFound("gone"), Call(target="price")))

    structlog.configure(
        wrapper_class=structlog.stdlib.AsyncBoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        processors=[structlog.processors.JSONRenderer()],
    )
    asyncio.run(fail())

    [item] = caplog.records
    assert (item.levelname, orjson.loads(item.getMessage())["target"]) == ("WARNING", "price")


PRINTING = """
import structlog
from mcp_error_middleware import Call, NotFound, Triage
from mcp_error_middleware.telemetry.logs import log_failure
render = (lambda *_: b"seen") if "Bytes" in "{factory}" else (lambda *_: "seen")
structlog.configure(logger_factory=structlog.{factory}, processors=[render])
log_failure(Triage()(NotFound("gone"), Call(transport="{transport}")))
"""


@pytest.mark.parametrize("factory", ["PrintLoggerFactory()", "WriteLoggerFactory()", "BytesLoggerFactory()"])
@pytest.mark.parametrize(("transport", "is_printed"), [("stdio", False), ("http", True)])
def test_a_set_up_that_prints_never_prints_into_the_messages_of_a_stdio_server(
    factory: str, transport: str, is_printed: bool
) -> None:
    script = PRINTING.format(factory=factory, transport=transport)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)

    seen = (done.stdout.strip(), done.stderr.strip())
    assert seen == ((b"seen", b"") if is_printed else (b"", b"seen"))


# --- storms ---


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def _storm(count: int) -> list[Failure]:
    failure = Triage()(KeyError("x"), Call(target="price"))
    return [replace(failure, error_id=f"id{at}") for at in range(count)]


def _counted(lines: list[Any]) -> int:
    return sum(line.get("count", 1) for line in lines)


def test_of_a_storm_the_first_are_logged_in_full_and_the_rest_as_a_number() -> None:
    clock = Clock()
    log = FailureLog(burst=2, clock=clock)
    with structlog.testing.capture_logs() as lines:
        for failure in _storm(50):
            log(failure)
        clock.now = 61
        log.flush(everything=False)

    assert [line["event"] for line in lines] == ["mcp.failure", "mcp.failure", "mcp.failures"]
    assert lines[2] == {
        "event": "mcp.failures",
        "log_level": "error",
        "count": 48,
        "first_error_id": "id2",
        "last_error_id": "id49",
        "code": "InternalError",
        "fault": "server",
        "message": "An internal error stopped the operation.",
        "method": "tools/call",
        "target": "price",
        "fingerprint": lines[0]["fingerprint"],
        "family": lines[0]["family"],
    }


def test_a_storm_keeps_no_exception_alive() -> None:
    class Odd(Exception): ...

    log = FailureLog(burst=1)
    error = Odd("x")
    gone = weakref.ref(error)
    with structlog.testing.capture_logs():
        for _ in range(3):
            log(Triage()(error))
        del error
        gc.collect()
        assert gone() is None
        log.flush()


def test_the_next_failure_ends_a_storm_whose_minute_is_over() -> None:
    clock = Clock()
    log = FailureLog(burst=1, clock=clock)
    with structlog.testing.capture_logs() as lines:
        for failure in _storm(3):
            log(failure)
        clock.now = 61
        log(_storm(1)[0])

    assert [line["event"] for line in lines] == ["mcp.failure", "mcp.failures", "mcp.failure"]


def test_a_storm_that_is_over_is_told_of_without_another_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()
    written: list[str] = []

    def write(level: int, event: str, fields: Any, *, console: bool | None = None) -> None:
        written.append(event)
        if event == "mcp.failures":
            told.set()

    monkeypatch.setattr(logs, "write", write)
    log = FailureLog(burst=1, window=0.01)
    for failure in _storm(2):
        log(failure)

    assert told.wait(20)
    assert written == ["mcp.failure", "mcp.failures"]


def test_no_failure_is_ever_lost_from_the_count_however_many_kinds_there_are() -> None:
    log = FailureLog(burst=1)
    [failure] = _storm(1)
    with structlog.testing.capture_logs() as lines:
        for at in range(6_000):
            group = failure.fingerprint._replace(exact=f"kind{at % 1_500}")
            log(replace(failure, fingerprint=group))
        log.flush()

    assert _counted(lines) == 6_000
    assert len(log._storms) == 0


def test_a_burst_of_zero_logs_all() -> None:
    with structlog.testing.capture_logs() as lines:
        log = FailureLog(burst=0)
        for failure in _storm(50):
            log(failure)

    assert [line["event"] for line in lines] == ["mcp.failure"] * 50


STORM = """
from mcp_error_middleware import ErrorPolicy
from mcp_error_middleware.telemetry import logs, observed, operation
triage = observed(ErrorPolicy(log_burst=3))
for _ in range(20):
    triage(KeyError("x"))
"""


def test_what_is_held_back_is_written_when_the_process_ends() -> None:
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, check=True)

    lines = [orjson.loads(line) for line in done.stderr.splitlines()]
    assert [line["event"] for line in lines] == ["mcp.failure"] * 3 + ["mcp.failures"]
    assert _counted(lines) == 20


def test_a_log_that_cannot_be_written_fails_nothing_and_is_counted(
    recorded: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    triage = observed(ErrorPolicy())
    monkeypatch.setattr(sys, "stderr", Full())
    failure = triage(ValueError("odd"))

    assert failure.message == "odd"
    assert recorded.counts("mcp.server.telemetry.dropped") == [({"mcp.telemetry.sink": "log"}, 1)]


def test_without_a_standard_error_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)

    log_failure(Triage()(ValueError("x")))

    assert tuple(capfd.readouterr()) == ("", "")


def test_a_pipe_that_nobody_reads_never_makes_a_server_wait() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb"), os.fdopen(writer, "wb") as stream:
        for _ in range(200):
            pour(stream, b"x" * 5_000 + b"\n")
        os.set_blocking(reader, False)
        assert len(os.read(reader, 10_000_000)) < 200 * 5_001


def test_a_line_that_a_full_pipe_cut_is_ended_before_the_next_begins() -> None:
    fcntl: Any = pytest.importorskip("fcntl")
    reader, writer = os.pipe()
    if not hasattr(fcntl, "F_SETPIPE_SZ"):
        pytest.skip("pipes of a size of our own are Linux's")
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4 * 4096)
    os.set_blocking(reader, False)
    read, sent = b"", [orjson.dumps({"number": number, "text": "x" * 9_000}) for number in range(40)]
    with os.fdopen(reader, "rb"), os.fdopen(writer, "wb") as stream:
        for number, line in enumerate(sent):
            pour(stream, line + b"\n")
            if number % 3 == 0:
                # A reader that is slow, and never at the end of a line.
                read += os.read(reader, 7_000)
        while (more := _at_once(reader)) or logs._pipes.rests:
            read += more
            flush()

    assert read.endswith(b"\n")
    assert read.splitlines() == sent


def test_what_waits_for_a_slow_reader_is_bounded_and_the_rest_counted(recorded: Recording) -> None:
    reader, writer = os.pipe()
    sent = [orjson.dumps({"number": number, "text": "x" * 9_000}) for number in range(300)]
    read = b""
    with os.fdopen(reader, "rb"), os.fdopen(writer, "wb") as stream:
        for line in sent:
            pour(stream, line + b"\n")
        assert len(logs._pipes.rests[stream]) <= 1_000_000
        os.set_blocking(reader, False)
        while (more := _at_once(reader)) or logs._pipes.rests:
            read += more
            flush()

    lines = read.splitlines()
    assert lines == sent[: len(lines)]
    lost = len(sent) - len(lines)
    assert recorded.counts("mcp.server.telemetry.dropped") == [({"mcp.telemetry.sink": "log"}, lost)]
    assert 100 < len(lines) < 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks as POSIX does")
def test_a_forked_worker_does_not_tell_of_its_parents_storm_again() -> None:
    script = """
import os, sys
from mcp_error_middleware import Call, ErrorPolicy, telemetry
triage = telemetry.observed(ErrorPolicy(log_burst=2, console=False))
for _ in range(5):
    triage(KeyError("stock"), Call(target="price"))
if (child := os.fork()) == 0:
    triage(KeyError("stock"), Call(target="price"))
    sys.exit(0)
os.waitpid(child, 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50)

    lines = [orjson.loads(line) for line in done.stderr.splitlines()]
    assert [line.get("count") for line in lines] == [None, None, None, 3]


def _at_once(reader: int) -> bytes:
    try:
        return os.read(reader, 10_000_000)
    except BlockingIOError:
        return b""


def test_a_storm_of_declared_failures_reads_back_as_what_was_declared(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Shipping(Contract):
        sold_out = Mode(ErrorCode.CONFLICT, when="Nothing is left.", recovery="Choose another.")
        too_heavy = Mode(ErrorCode.CONFLICT, when="It weighs too much.", recovery="Send less.")

    log = FailureLog(burst=2, console=False)
    triage = Triage(ErrorPolicy(observers=(log,)))
    for mode in (Shipping.sold_out, Shipping.too_heavy) * 6:
        triage(mode.fail("Not this one."), Call(target="ship"), contract=Shipping)
    log.flush()

    seen = seen_in(capfd.readouterr().err.splitlines())
    assert dict(seen.counts) == {("ship", "sold_out", "Conflict"): 6, ("ship", "too_heavy", "Conflict"): 6}
    assert suggested(seen, {"ship": modes_of(Shipping)}).strip() == suggested(Seen(), {}).strip()
