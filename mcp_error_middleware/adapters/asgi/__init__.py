"""Any ASGI app in, the same app with its failures answered out.

The only layer that sees what no MCP hook does: exceptions that escape an app, transports that refuse a
request in plain text, streams that end without an answer. `ErrorMiddleware(app)` wraps one by hand;
`install` finds the MCP servers of a Starlette app as well.
"""

from mcp_error_middleware.adapters.asgi.apps import install, uninstall
from mcp_error_middleware.adapters.asgi.middleware import ErrorMiddleware

__all__ = ["ErrorMiddleware", "install", "uninstall"]
