"""Failure in, OTel log records out; without a logger provider of the user's own, nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from opentelemetry import _logs as logs
from opentelemetry._logs import Logger, SeverityNumber

from mcp_error_middleware.model import Failure
from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.spans import exception


def emit_line(level: int, event: str, fields: Mapping[str, Any]) -> None:
    """A log line as a record."""
    if (logger := _logger()) is not None:
        severity = SeverityNumber.ERROR if level >= logging.ERROR else SeverityNumber.WARN
        attributes = {name: value for name, value in fields.items() if name != "message"}
        _emit(logger, event, severity, fields["message"], attributes)


def emit_exceptions(failure: Failure) -> None:
    """One record for each link of the chain."""
    if (logger := _logger()) is not None:
        severity = SeverityNumber.WARN if failure.fault is Fault.CALLER else SeverityNumber.ERROR
        for cause in failure.causes:
            attributes = {**exception(cause), names.ERROR_ID: failure.error_id}
            _emit(logger, names.EXCEPTION_LOG, severity, cause.message, attributes)


def _logger() -> Logger | None:
    logger = logs.get_logger(names.SCOPE)
    return logger if logger.enabled() else None


def _emit(
    logger: Logger, event: str, severity: SeverityNumber, body: str, attributes: Mapping[str, Any]
) -> None:
    logger.emit(
        event_name=event,
        severity_number=severity,
        severity_text=severity.name,
        body=body,
        attributes=attributes,
    )
