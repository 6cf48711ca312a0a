"""What the product says about its own troubles is written while a handler's exception is in hand."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

import pytest

from mcp_error_middleware import Call, ErrorPolicy, Failure, guard
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.sanitize import Pattern
from mcp_error_middleware.telemetry import observed
from mcp_error_middleware.telemetry import operation as operations
from mcp_error_middleware.telemetry.operation import complain

SECRET = "hunter2-correct-horse"


def _written(caplog: pytest.LogCaptureFixture) -> str:
    """As any formatter would."""
    return "\n".join(logging.Formatter().format(record) for record in caplog.records)


def test_an_observer_that_raises_does_not_spill_the_handlers_exception(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def observer(failure: Failure) -> None:
        try:
            raise LookupError("the queue is full")
        except LookupError as exc:
            raise RuntimeError("no observer today") from exc

    triage = observed(ErrorPolicy(log=False, observers=(observer,)))
    try:
        raise OSError(f"password={SECRET}")
    except OSError as exc:
        triage(exc, Call(target="ship"))

    written = _written(caplog)
    assert "no observer today" in written
    assert "the queue is full" in written
    assert SECRET not in written


def test_telemetry_that_raises_does_not_spill_the_handlers_exception(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_complained", set())
    try:
        raise OSError(f"password={SECRET}")
    except OSError:
        try:
            raise RuntimeError("the exporter broke")
        except RuntimeError:
            complain("traces")

    written = _written(caplog)
    assert "the exporter broke" in written
    assert SECRET not in written


def test_a_guard_logs_where_it_failed_and_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    @guard("orders.fetch")
    def fetch(password: str) -> None:
        try:
            raise KeyError(f"password={password}")
        except KeyError as exc:
            raise OSError(f"password={password}") from exc

    with pytest.raises(Exception, match="internal error"):
        fetch(SECRET)

    written = _written(caplog)
    assert "OSError: password=[redacted:password]" in written
    assert "test_logs.py" in written
    assert SECRET not in written


def test_an_observer_is_named_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    @dataclass
    class Pager:
        key: str

        def __call__(self, failure: Failure) -> None:
            raise RuntimeError("nobody is on call")

        def page(self, failure: Failure) -> None:
            raise RuntimeError("nobody is on call")

    pager = Pager(SECRET)
    triage = observed(ErrorPolicy(log=False, observers=(pager, Pager(SECRET).page)))
    triage(KeyError("x"), Call(target="ship"))

    written = _written(caplog)
    assert "Pager raised and was passed over" in written
    assert "Pager.page raised and was passed over" in written
    assert SECRET not in written


def test_a_desk_does_not_show_its_token() -> None:
    desk = Desk(token=SECRET)

    assert desk.token == SECRET
    assert SECRET not in repr(desk)
    assert SECRET not in repr([desk.observe])


def test_an_observer_that_repeats_a_secret_is_logged_without_it(caplog: pytest.LogCaptureFixture) -> None:
    def post(failure: Failure) -> None:
        try:
            raise LookupError(f"no route for {failure.exception}")
        except LookupError as exc:
            raise RuntimeError(f"cannot post {failure.exception}") from exc

    staff = Pattern("staff", re.compile(r"\bE-\d{4}\b"), ("e-",), "E-1234", "E-12")
    triage = observed(ErrorPolicy(log=False, observers=(post,), extra_patterns=(staff,)))
    triage(ValueError(f"E-1234 with password={SECRET}"), Call(target="ship"))

    written = _written(caplog)
    assert "RuntimeError: cannot post [redacted:staff] with password=[redacted:password]" in written
    assert "LookupError: no route for" in written
    assert "in post" in written
    assert SECRET not in written
    assert "E-1234" not in written


def test_telemetry_that_repeats_a_secret_is_logged_without_it(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_complained", set())
    try:
        raise RuntimeError(f"the collector refused password={SECRET}")
    except RuntimeError:
        complain("traces")

    assert "the collector refused" in _written(caplog)
    assert SECRET not in _written(caplog)
