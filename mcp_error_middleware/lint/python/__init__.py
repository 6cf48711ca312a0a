"""Python source in, servers, handlers, definitions and contracts out; nothing is imported."""
