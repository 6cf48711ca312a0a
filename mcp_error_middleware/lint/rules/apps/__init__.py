"""Tools with a page of their own: MCP Apps."""
