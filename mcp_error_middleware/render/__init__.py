"""Failure in, wire shape out: a tool result, a JSON-RPC error, an HTTP problem.

Plain dicts, lists and strings, no SDK's types. Whatever the failure holds, what comes out is valid JSON.
"""

from mcp_error_middleware.render.envelope import (
    envelope,
    error_response,
    partial_success,
    success_response,
)
from mcp_error_middleware.render.error import error_object
from mcp_error_middleware.render.formats import Format
from mcp_error_middleware.render.jsonrpc import jsonrpc_error
from mcp_error_middleware.render.plain import dumps
from mcp_error_middleware.render.problem import problem
from mcp_error_middleware.render.result import META_KEY, enrich_result, merge_meta, tool_result
from mcp_error_middleware.render.schema import structured_allowed, widen_schema
from mcp_error_middleware.render.text import error_text
from mcp_error_middleware.render.toolerror import tool_error_json

__all__ = [
    "META_KEY",
    "Format",
    "dumps",
    "enrich_result",
    "envelope",
    "error_object",
    "error_response",
    "error_text",
    "jsonrpc_error",
    "merge_meta",
    "partial_success",
    "problem",
    "structured_allowed",
    "success_response",
    "tool_error_json",
    "tool_result",
    "widen_schema",
]
