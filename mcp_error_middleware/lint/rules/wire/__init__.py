"""Which numbers a JSON-RPC error may carry."""
