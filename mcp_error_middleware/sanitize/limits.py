"""How much may leave."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What is cut, and where."""

    text: int = 2_000
    """Characters of one text."""
    body: int = 500
    """Bytes of a captured upstream body, as UTF-8; 0 keeps none of it."""
    depth: int = 6
    """Levels of nested data."""
    breadth: int = 50
    """Items of one list or mapping."""
    size: int = 16_000
    """Characters of all data together, roughly as JSON."""
    key: int = 100
    """Characters of one key."""
    reading: int = 2_500
    """Characters of a text that are looked at, or a quarter more than its limit; the rest is dropped."""
