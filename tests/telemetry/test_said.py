from __future__ import annotations

import logging

import pytest

from mcp_error_middleware.telemetry.said import AGAIN, Once


def test_a_thing_is_said_once_until_an_hour_is_over(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    logger = logging.getLogger("opentelemetry.exporter.of_a_test")
    logger.addFilter(Once(lambda: now))
    for now in (0.0, 5.0, AGAIN - 1, AGAIN, AGAIN + 5):
        logger.warning("Transient error, retrying in %.2fs.", now)
    logger.warning("Failed to export.")

    assert [record.getMessage() for record in caplog.records] == [
        "Transient error, retrying in 0.00s.",
        f"Transient error, retrying in {AGAIN:.2f}s.",
        "Failed to export.",
    ]


def test_things_without_end_are_not_all_remembered() -> None:
    once = Once()
    for at in range(10_000):
        assert once.filter(logging.makeLogRecord({"name": "shop", "msg": f"odd {at}"}))

    assert len(once._said) <= 1_000


def test_anything_may_be_said(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("opentelemetry.sdk.of_a_test")
    logger.addFilter(Once())
    for _ in range(2):
        logger.warning({"dropped": 3})

    assert [record.getMessage() for record in caplog.records] == ["{'dropped': 3}"]
