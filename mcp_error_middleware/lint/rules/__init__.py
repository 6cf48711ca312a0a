"""Every rule there is: one per file, found by walking this package."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from mcp_error_middleware.lint.model import Rule


@cache
def all_rules() -> Mapping[str, Rule]:
    """Name to rule, by family and name."""
    found = sorted(_walk(), key=lambda rule: (rule.family, rule.name))
    return {rule.name: rule for rule in found}


def _walk() -> Iterator[Rule]:
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Rule):
                yield value
