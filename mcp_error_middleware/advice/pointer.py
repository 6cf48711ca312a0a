"""A reference inside of a JSON document in, what it points at out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote


def pointed(reference: str, root: Any) -> Any:
    """What `#/$defs/order` is in this document; None where it has none, or points elsewhere."""
    if not reference.startswith("#/"):
        return root if reference == "#" else None
    for word in unquote(reference[2:]).split("/"):
        root = _inside(root, word.replace("~1", "/").replace("~0", "~"))
    return root


def _inside(part: Any, name: str) -> Any:
    if isinstance(part, list):
        return part[int(name)] if name.isdecimal() and int(name) < len(part) else None
    return part.get(name) if isinstance(part, Mapping) else None
