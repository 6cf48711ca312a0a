"""What a handler's body does with failures."""
