"""Failure in, `toolerror` JSON out: which of six branches an agent takes, and whether to retry."""

from __future__ import annotations

from mcp_error_middleware.model import Failure
from mcp_error_middleware.render.error import error_object
from mcp_error_middleware.render.plain import dumps


def tool_error_json(failure: Failure) -> str:
    """`type`, `message`, `recoverable` and `data` with everything else."""
    error = error_object(failure)
    return dumps(
        {
            "type": failure.code.traits.type,
            "message": error["message"],
            "recoverable": error["retryable"],
            "data": {
                **error["data"],
                "retry": error["retry"],
                "error_name": error["name"],
                "error_id": error["error_id"],
            },
        }
    ).decode()
