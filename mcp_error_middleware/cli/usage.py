"""Bad input, said in one sentence with the way out."""


class UsageError(Exception):
    """Ends a command with exit code 2."""
