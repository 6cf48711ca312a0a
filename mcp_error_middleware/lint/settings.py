"""`pyproject.toml` in, settings out."""

from __future__ import annotations

import difflib
import fnmatch
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from mcp_error_middleware.lint.model import Rule
from mcp_error_middleware.lint.rules import all_rules

TABLE: Final = "mcp-error-middleware"

UNREADABLE: Final = "unreadable-file"
FAILED: Final = "rule-failed"
ENGINE: Final = frozenset({UNREADABLE, FAILED})
"""Findings the engine itself makes: a file it cannot read, a rule that broke."""


class LintError(Exception):
    """The linter cannot do what was asked; the message says the way out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run looks for. Names may be a rule's, an alias or a family's."""

    select: tuple[str, ...] = ()
    """Only these; all if empty."""
    ignore: tuple[str, ...] = ()
    strict: bool = False
    """Whether the rules run that have to be asked for."""
    exclude: tuple[str, ...] = ()
    """Paths and patterns of files to leave out."""
    baseline: str = ""
    """A file of known findings, not reported again."""

    def rules(self) -> list[Rule]:
        """The rules that run; raises LintError for a name nobody has."""
        chosen, ignored = _names(self.select), _names(self.ignore)
        return [
            rule
            for rule in all_rules().values()
            if rule.name not in ignored and (rule.name in chosen or not self.select)
            if not rule.strict or self.strict or rule.name in chosen
        ]

    def reports(self, engine_finding: str) -> bool:
        """Whether a finding of the engine's own is wanted."""
        return engine_finding not in _names(self.ignore)

    def excludes(self, path: str) -> bool:
        """Whether a file is left out."""
        return any(
            fnmatch.fnmatch(path, pattern) or f"/{path}".find(f"/{pattern.strip('/')}/") >= 0
            for pattern in self.exclude
        )


def read_settings(start: Path) -> Settings:
    """`[tool.mcp-error-middleware.lint]` of the nearest `pyproject.toml` upwards; raises LintError."""
    for folder in (start, *start.parents):
        if (path := folder / "pyproject.toml").is_file():
            return from_table(_table(path), str(path), folder)
    return Settings()


def from_table(table: Mapping[str, Any], where: str = "settings", folder: Path | None = None) -> Settings:
    """The settings a table holds; raises LintError."""
    known = {each.name: each for each in fields(Settings)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in known:
            raise LintError(f"{where}: there is no setting {key!r}; use one of {', '.join(known)}")
        kind, wanted = _WANTED.get(name, (list, "a list of names"))
        if not isinstance(value, kind) or any(not isinstance(each, str) for each in _members(value)):
            raise LintError(f"{where}: {key!r} has to be {wanted}")
        values[name] = tuple(value) if isinstance(value, list) else value
    settings = replace(Settings(), **values)
    if folder is not None and settings.baseline:
        settings = replace(settings, baseline=str(folder / settings.baseline))
    return settings


_WANTED: Final[Mapping[str, tuple[type, str]]] = {
    "strict": (bool, "true or false"),
    "baseline": (str, "a path"),
}


def _members(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _table(path: Path) -> Mapping[str, Any]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LintError(f"{path} cannot be read: {error}") from None
    for key in ("tool", TABLE, "lint"):
        inner = found.get(key, {})
        if not isinstance(inner, dict):
            raise LintError(f"{path}: {key!r} has to be a table; write [tool.{TABLE}.lint]")
        found = inner
    return found


def _names(said: Iterable[str]) -> set[str]:
    """The rules that names, aliases and families mean."""
    found: set[str] = set()
    for word in said:
        meant = {
            rule.name for rule in all_rules().values() if word in (rule.name, rule.family, *rule.aliases)
        } or ({word} & ENGINE)
        if not meant:
            raise _no_rule(word)
        found |= meant
    return found


def find_rule(word: str) -> Rule:
    """The rule of this name or alias; raises LintError."""
    for rule in all_rules().values():
        if word in (rule.name, *rule.aliases):
            return rule
    raise _no_rule(word)


def _no_rule(word: str) -> LintError:
    names = {name for rule in all_rules().values() for name in (rule.name, rule.family, *rule.aliases)}
    meant = "".join(f"did you mean {name}? " for name in difflib.get_close_matches(word, sorted(names), 1))
    return LintError(f"there is no rule {word!r}; {meant}`mcp-error-middleware rules` lists them")
