"""A shop whose tools fail in many ways, over HTTP, with everything an operator can follow.

Where the telemetry goes is set by the standard OTEL_* variables.
"""

import os

from mcp_error_middleware import install, telemetry
from mcp_error_middleware.cli.demo.servers import UPSTREAM, mcpserver, serving_upstream


def reserve(words: str) -> str:
    """Report success with a text that says otherwise."""
    return f"Error: the index is not available, nothing reserved for {words}"


def main() -> None:
    """Serve until told to stop."""
    telemetry.configure()
    server = mcpserver()
    server.add_tool(reserve)
    install(server)
    with serving_upstream() as address:
        os.environ[UPSTREAM] = address
        server.run(
            "streamable-http",
            host=os.environ.get("HOST", "127.0.0.1"),
            port=int(os.environ.get("PORT", "8000")),
        )


if __name__ == "__main__":
    main()
