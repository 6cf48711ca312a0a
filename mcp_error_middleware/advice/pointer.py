"""A reference inside of a JSON document in, what it points at out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def pointed(reference: str, root: Any) -> Any:
    """What `#/$defs/order` is in this document; None where it has none, or points elsewhere."""
    if not reference.startswith("#"):
        return None
    for word in reference[1:].split("/")[1:]:
        name = word.replace("~1", "/").replace("~0", "~")
        root = root.get(name) if isinstance(root, Mapping) else None
    return root
