"""Objects that fight back when somebody looks at them."""

from __future__ import annotations

from typing import Any


class Raising:
    """Objects to everything."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def cycle() -> dict[str, Any]:
    """A value that holds itself."""
    loop: dict[str, Any] = {}
    loop["loop"] = [loop, loop]
    return loop


class Unprintable(RuntimeError):
    """Cannot be put into words; says so with what it was to say."""

    def __str__(self) -> str:
        raise ValueError(*self.args)

    __repr__ = __str__


class Lying(RuntimeError):
    """Says it is of another class."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return KeyError


class Biting(RuntimeError):
    """Raises when an attribute is read."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__class__", "__dict__"):
            return super().__getattribute__(name)
        raise LookupError(f"no {name} here")


class Output:
    """Nothing a handler could return."""

    def __init__(self, said: str) -> None:
        self._said = said

    def __str__(self) -> str:
        raise ValueError(self._said)

    __repr__ = __str__
