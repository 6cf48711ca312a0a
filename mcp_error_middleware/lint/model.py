"""The nouns of the linter: what rules look at, what they say, and what a rule is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Any, Final, Literal, TypeAlias, get_type_hints


class Severity(StrEnum):
    """How bad it is: an error breaks clients or the specification, a warning costs quality."""

    ERROR = "error"
    WARNING = "warning"


class Unknown(Enum):
    """A value the source does not tell without being run."""

    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        # `if not definition.description` is how a rule asks; what is unknown is never missing.
        return True


UNKNOWN: Final = Unknown.UNKNOWN

# --- where, and what about it --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place: in a file (lines and columns from 1, in characters), or in what a server advertises."""

    path: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    text: str = field(default="", compare=False)
    """The source line, for the caret."""
    pointer: str = ""
    """Which part: `tools/search.inputSchema.properties.q`, `packages[0].version`."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Text to put in place of what stands between two positions (line and column, both from 1)."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule yields: a place where it does not hold, why, and how to mend it."""

    location: Location
    message: str
    """One sentence or two; the last says the way out."""
    fix: tuple[Edit, ...] = ()
    """Edits that mend it without changing anything else; they are applied together or not at all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a rule does not hold."""

    rule: str
    severity: Severity
    message: str
    location: Location
    fix: tuple[Edit, ...] = ()


# --- what rules look at --------------------------------------------------------------------------

Kind: TypeAlias = Literal["tool", "resource", "template", "prompt"]
Origin: TypeAlias = Literal["source", "server"]
"""`source`: read from code, parts may be unknown. `server`: what a real server advertises, complete."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool, resource, resource template or prompt, however it became known."""

    kind: Kind
    name: Any
    """`None` if there is none; anything at all from a server's JSON."""
    location: Location
    origin: Origin = "source"
    title: Any = None
    description: Any = None
    input_schema: Any = None
    """JSON Schema of a tool's arguments, of a template's or a prompt's parameters. From source, a part whose
    type is not known is `{}`."""
    output_schema: Any = None
    """JSON Schema of a tool's structured result; `UNKNOWN` from source if it depends on the SDK."""
    annotations: Any = None
    """A tool's hints under their wire names: `readOnlyHint`, ..."""
    uri: Any = None
    """A resource's URI or a template's URI template."""
    mime_type: Any = None
    meta: Any = None
    """`_meta`."""
    stack: str = ""
    """`fastmcp`, `mcp` or nothing if not known."""
    server: str = ""
    """Which server it belongs to; definitions of one server have the same value."""
    parts: Mapping[str, Location] = field(default_factory=dict)
    """Where its parts stand in the source: `description`, `inputSchema.properties.q`, ..."""
    arguments: Any = None
    """A prompt's argument list as advertised."""
    version: Any = None
    """FastMCP's `version=`: definitions of one name may differ in it."""
    arms: frozenset[str] = frozenset()
    """The arms of branching statements it is written in."""

    def stands_beside(self, other: Definition) -> bool:
        """Whether both can be there at once: not the same place, nor arms of which only one may run."""
        nested = self.arms <= other.arms or other.arms <= self.arms
        return nested and (self.location != other.location or self.origin == "server")

    def at(self, *path: str | int) -> Location:
        """The place of a part; the nearest known one around it."""
        pointer = f"{self.pointer}.{dotted(path)}" if path else self.pointer
        return replace(_nearest(self.parts, path) or self.location, pointer=pointer)

    @property
    def pointer(self) -> str:
        """What it is called in a report: `tools/search`."""
        return f"{self.kind}s/{self.name if isinstance(self.name, str) and self.name else '?'}"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All definitions of one server."""

    server: str
    definitions: tuple[Definition, ...]
    location: Location

    def of(self, *kinds: Kind) -> tuple[Definition, ...]:
        """Those of these kinds."""
        return tuple(each for each in self.definitions if each.kind in kinds)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A `server.json`."""

    data: Any
    location: Location
    parts: Mapping[str, Location] = field(default_factory=dict)
    project_version: str | None = None
    """The version in the `pyproject.toml` beside it, if it is written there."""

    def at(self, *path: str | int) -> Location:
        """The place of a value; of what holds it if it is missing."""
        return replace(_nearest(self.parts, path) or self.location, pointer=dotted(path))


def _nearest(parts: Mapping[str, Location], path: tuple[str | int, ...]) -> Location | None:
    """Where a part stands, or else the smallest known one around it."""
    around = (parts.get(dotted(path[:length])) for length in range(len(path), 0, -1))
    return next((place for place in around if place is not None), None)


def dotted(path: Iterable[str | int]) -> str:
    """`("packages", 0, "version")` as `packages[0].version`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


# --- rules ---------------------------------------------------------------------------------------

Check: TypeAlias = Callable[[Any], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name reads well after the word "allow"."""

    name: str
    family: str
    severity: Severity
    subject: type
    """What `check` takes."""
    check: Check
    page: str
    """The docstring: a summary line, the reason, and bad and good code that a test runs."""
    aliases: tuple[str, ...] = ()
    """Names it has elsewhere; each works wherever a name does."""
    fixable: bool = False
    strict: bool = False
    """Whether it runs only if asked for: `--strict`, or `--select` with its name."""

    def __call__(self, subject: Any) -> Iterator[Finding]:
        for problem in self.check(subject):
            yield Finding(self.name, self.severity, problem.message, problem.location, problem.fix)

    @property
    def summary(self) -> str:
        return self.page.partition("\n")[0]


def rule(
    severity: Severity, *aliases: str, name: str = "", fixable: bool = False, strict: bool = False
) -> Callable[[Check], Rule]:
    """Make a rule of a check. Its name is its module's unless one is given, its family the folder's.

    What it looks at is the type of its parameter; its page is its docstring, or else its module's.
    """

    def declare(check: Check) -> Rule:
        *_, family, module = check.__module__.split(".")
        (subject, *_) = get_type_hints(check).values()
        page = check.__doc__ or sys.modules[check.__module__].__doc__ or ""
        named = name or module.replace("_", "-")
        return Rule(named, family, severity, subject, check, page, aliases, fixable, strict)

    return declare
