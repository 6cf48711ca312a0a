"""`python -m mcp_error_middleware`."""

import sys

from mcp_error_middleware.cli import main

sys.exit(main())
