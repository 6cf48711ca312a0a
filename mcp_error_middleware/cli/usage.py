"""Bad input, said in one sentence with the way out."""

from argparse import ArgumentTypeError

from mcp_error_middleware.targets import Target


class UsageError(Exception):
    """Ends a command with exit code 2."""


def object_target(word: str) -> Target:
    """What a word means that has to name an object."""
    target = Target.of(word)
    if target.name is None:
        raise UsageError(f"{word} names no object; add the server's name, as in {word}:server")
    return target


def port(text: str) -> int:
    """A port on the command line; 0 is a free one."""
    if not (text.isdecimal() and int(text) < 65536):
        raise ArgumentTypeError(f"{text} is no port; use 0 to 65535")
    return int(text)


def path(text: str) -> str:
    """The path of a URL on the command line."""
    if not text.startswith("/"):
        raise ArgumentTypeError(f"{text} does not begin with a slash; use /{text}")
    return text
