"""Sources in, findings out."""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from mcp_error_middleware.lint.model import (
    Catalogue,
    Definition,
    Finding,
    Location,
    Manifest,
    Rule,
    Severity,
)
from mcp_error_middleware.lint.python.contracts import DeclaredContract, declared
from mcp_error_middleware.lint.python.definitions import definitions, written
from mcp_error_middleware.lint.python.handler import Handler, handlers
from mcp_error_middleware.lint.python.module import Module
from mcp_error_middleware.lint.python.project import Project, Unreadable, read_text, shown
from mcp_error_middleware.lint.python.raises import Promise, promises
from mcp_error_middleware.lint.python.servers import DECORATING, entries
from mcp_error_middleware.lint.settings import FAILED, UNREADABLE, Settings
from mcp_error_middleware.lint.sources import Sources, gather

Progress = Callable[[int, int], None]
"""Told how many files of how many are done."""

CHUNK: Final = 50
"""Files a process takes at once; fewer if they are large."""
CHUNK_BYTES: Final = 1_000_000
MANY: Final = 300
"""Files from which on more than one process pays."""
_CAN_SERVE: Final = re.compile(
    rf"[mM][cC][pP]|@[\w.]+\.(?:{'|'.join(sorted(DECORATING))})\b|\.add_(?:tool|prompt|re)"
)
"""What a file says that has to do with servers; it may import one that another file made."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found."""

    findings: tuple[Finding, ...]
    files: int = 0
    """Files looked at."""
    definitions: int = 0
    known: int = 0
    """Findings of the baseline, not reported again."""

    @property
    def passed(self) -> bool:
        return not self.findings


@dataclass(slots=True)
class Checked:
    """What one file gave."""

    findings: list[Finding] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)


def run(
    words: Iterable[object],
    settings: Settings,
    *,
    commands: Iterable[str] = (),
    root: Path | None = None,
    progress: Progress | None = None,
) -> tuple[list[Finding], Sources, int]:
    """All findings, those allowed by a comment left out; raises LintError for bad input."""
    root = root or Path.cwd()
    rules = settings.rules()
    sources = gather(words, settings, root, commands)
    found: list[Finding] = [
        Finding(UNREADABLE, Severity.ERROR, f"This file cannot be linted: {reason}.", place)
        for place, reason in sources.unreadable
    ]
    in_source: list[Definition] = []
    for checked in _each_file(sources.files, root, settings, progress):
        found += checked.findings
        in_source += checked.definitions
    for each in sources.manifests:
        found += apply(rules, Manifest, each)
    every = located(sources.definitions, _distinct(in_source))
    for definition in every:
        found += apply(rules, Definition, definition)
    for catalogue in catalogues(every):
        found += apply(rules, Catalogue, catalogue)
    kept = [each for each in _once(found) if each.rule != UNREADABLE or settings.reports(UNREADABLE)]
    return sorted(kept, key=lambda each: (each.location, each.rule)), sources, len(every)


def _distinct(found: list[Definition]) -> list[Definition]:
    """Each place once, with its server if one was found to list it."""
    known: dict[Location, Definition] = {}
    for each in found:
        if not (before := known.get(each.location)) or not before.server:
            known[each.location] = each
    return [*known.values()]


def _once(found: list[Finding]) -> Iterable[Finding]:
    """Each finding at the first of the ways that lead to its place: many tools may share a model."""
    first: dict[object, Finding] = {}
    for each in found:
        place = replace(each.location, pointer="") if each.location.line else each.location
        first.setdefault((each.rule, each.message, place), each)
    return first.values()


def apply(rules: Iterable[Rule], subject: type, value: Any) -> Iterator[Finding]:
    """What the rules for a kind of subject say of one; a rule that breaks says so and stops nothing."""
    for rule in rules:
        if rule.subject is subject:
            try:
                yield from rule(value)
            except Exception as error:  # noqa: BLE001 - one broken rule must not end the run
                message = f"The rule {rule.name} broke here ({type(error).__name__}); please report it."
                yield Finding(FAILED, Severity.WARNING, message, _place(value))


def _place(subject: Any) -> Location:
    found = getattr(subject, "location", None)
    if found is None and isinstance(subject, Handler):
        found = subject.at(subject.function.node)
    return found if isinstance(found, Location) else Location("?")


def catalogues(found: Iterable[Definition]) -> Iterator[Catalogue]:
    """Definitions by their server, where that is known."""
    by_server: dict[str, list[Definition]] = defaultdict(list)
    for definition in found:
        if definition.server:
            by_server[definition.server].append(definition)
    for server, own in by_server.items():
        yield Catalogue(server, tuple(own), own[0].location)


def located(advertised: list[Definition], written: list[Definition]) -> list[Definition]:
    """What servers advertise, at the places where it is written; and what only the source knows.

    What a server advertises is the truth: of the same definition, the source only says where it is. Of
    several of a name it is the one in the company of the most others that the server advertises.
    """
    named: dict[tuple[str, str], list[Definition]] = defaultdict(list)
    for definition in written:
        named[_key(definition)].append(definition)
    shared = Counter((each.server, one.server) for each in advertised for one in named.get(_key(each), ()))
    placed, taken = [], set()
    for each in advertised:
        candidates = named.get(_key(each), [each])
        source = max(candidates, key=lambda one: shared[each.server, one.server])
        placed.append(replace(each, location=source.location, parts=source.parts))
        taken.add(id(source))
    return [*placed, *(each for each in written if id(each) not in taken)]


def _key(definition: Definition) -> tuple[str, str]:
    return definition.kind, str(definition.name)


# --- Python files --------------------------------------------------------------------------------


def _each_file(
    files: list[Path], root: Path, settings: Settings, progress: Progress | None
) -> Iterator[Checked]:
    chunks = [*_chunks(files)]
    done = 0
    for number, results in enumerate(_results(chunks, root, settings)):
        done += len(chunks[number])
        if progress is not None:
            progress(done, len(files))
        yield from results


def _chunks(files: list[Path]) -> Iterator[list[Path]]:
    chunk: list[Path] = []
    size = 0
    for path in files:
        if chunk and (len(chunk) == CHUNK or size > CHUNK_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(path)
        size += path.stat().st_size if path.exists() else 0
    if chunk:
        yield chunk


def _results(chunks: list[list[Path]], root: Path, settings: Settings) -> Iterator[list[Checked]]:
    work = [(chunk, root, settings) for chunk in chunks]
    if sum(map(len, chunks)) < MANY or not _may_fork():
        yield from map(check_files, work)
        return
    workers = min(os.cpu_count() or 1, len(chunks), 8)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(check_files, work)


def _may_fork() -> bool:
    # A fork beside running threads may wait for ever for a lock that one of them held.
    return "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1


def check_files(work: tuple[list[Path], Path, Settings]) -> list[Checked]:
    """What the rules for source say of some files."""
    files, root, settings = work
    project = Project(root)
    rules = settings.rules()
    with _uncollected():
        return [_check_file(path, project, rules) for path in files]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector, which would look at each new tree again and again: twice as fast."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _check_file(path: Path, project: Project, rules: list[Rule]) -> Checked:
    try:
        if not _CAN_SERVE.search(read_text(path)):
            return Checked()
        module = project.modules.get(path) or project.load(path)
    except Unreadable as error:
        place = Location(shown(path, project.root), error.line, error.column, error.line, error.column + 1)
        message = f"This file cannot be linted: {error}."
        return Checked([Finding(UNREADABLE, Severity.ERROR, message, place)])
    project.modules[path] = module
    try:
        return _check_module(module, project, rules)
    except (RecursionError, MemoryError) as error:
        message = f"This file cannot be linted: it is nested too deeply ({type(error).__name__})."
        return Checked([Finding(UNREADABLE, Severity.ERROR, message, Location(module.shown))])


def _check_module(module: Module, project: Project, rules: list[Rule]) -> Checked:
    found = entries(module, project)
    checked = Checked()
    for entry in found:
        checked.definitions += definitions(entry, project)
    checked.definitions += written(module)
    for handler in handlers(found, project):
        checked.findings += apply(rules, Handler, handler)
    for contract in declared(module, project):
        checked.findings += apply(rules, DeclaredContract, contract)
    for promise in promises(found, project):
        checked.findings += apply(rules, Promise, promise)
    return checked
