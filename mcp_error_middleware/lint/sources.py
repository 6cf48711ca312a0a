"""Words in, what there is to lint out: files, manifests, listings, servers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from mcp_error_middleware import places
from mcp_error_middleware.lint import live
from mcp_error_middleware.lint.documents import from_listing, is_listing, manifest
from mcp_error_middleware.lint.model import Definition, Location, Manifest
from mcp_error_middleware.lint.python.project import Unreadable, read_text, shown
from mcp_error_middleware.lint.settings import LintError, Settings

_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist", "venv"})
_OBJECT: Final = re.compile(r"(?:[\w.]+|.+\.py):[A-Za-z_][\w.]*")
_URL: Final = re.compile(r"https?://")


@dataclass(slots=True)
class Sources:
    """What there is to lint."""

    files: list[Path] = field(default_factory=list)
    manifests: list[Manifest] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    """What real servers advertise."""
    unreadable: list[tuple[Location, str]] = field(default_factory=list)


def gather(words: Iterable[object], settings: Settings, root: Path, commands: Iterable[str] = ()) -> Sources:
    """Everything the words mean; raises LintError for one that means nothing."""
    sources = Sources()
    for word in words:
        if isinstance(word, str | os.PathLike):
            _add(str(word), sources, settings, root)
        else:
            _advertised(live.listing_of(word), type(word).__name__, sources)
    for command in commands:
        _advertised(live.listing_from(command), command, sources)
    sources.files = list(dict.fromkeys(sources.files))
    return sources


def _add(word: str, sources: Sources, settings: Settings, root: Path) -> None:
    path = Path(word)
    if not word:
        # A variable that is not set; the folder it was typed in is hardly meant.
        raise LintError("one of the places to lint is empty; name a file, a folder, module:object or a URL")
    if _URL.match(word):
        _advertised(live.listing_at(word), word, sources)
    elif path.is_dir():
        for file in _walk(path.resolve(), settings, root):
            _add_file(file, sources, root)
    elif path.is_file():
        _add_file(path.resolve(), sources, root)
    elif _OBJECT.fullmatch(word):
        target, written_in = live.load(word)
        if written_in is not None and written_in.suffix == ".py":
            sources.files.append(written_in.resolve())
        _advertised(live.listing_of(target), word, sources)
    else:
        raise LintError(
            f"{places.shown(word)} is neither a file, a folder, module:object nor an http(s) URL; "
            "check the spelling"
        )


def _advertised(listing: dict[str, Any], who: str, sources: Sources) -> None:
    sources.definitions += from_listing(listing, Location(places.shown(who)), who)


def _walk(folder: Path, settings: Settings, root: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        here = Path(where)
        folders[:] = sorted(name for name in folders if not _is_skipped(here / name, settings, root))
        for name in sorted(names):
            if name.endswith(".py") or name == "server.json":
                path = here / name
                if not settings.excludes(shown(path, root)):
                    yield path


def _is_skipped(folder: Path, settings: Settings, root: Path) -> bool:
    if folder.name.startswith(".") or folder.name in _SKIPPED or (folder / "pyvenv.cfg").exists():
        return True
    return settings.excludes(shown(folder, root)) or settings.excludes(f"{shown(folder, root)}/")


def _add_file(path: Path, sources: Sources, root: Path) -> None:
    if path.suffix != ".json":
        sources.files.append(path)
        return
    name = shown(path, root)
    try:
        text = read_text(path)
        found = manifest(text, name, path)
    except Unreadable as error:
        sources.unreadable.append((Location(name), str(error)))
    except json.JSONDecodeError as error:
        place = Location(name, error.lineno, error.colno, error.lineno, error.colno + 1)
        sources.unreadable.append((place, f"not valid JSON: {error.msg}"))
    except (ValueError, RecursionError) as error:
        sources.unreadable.append((Location(name), f"not usable JSON: {type(error).__name__}"))
    else:
        if is_listing(found.data):
            sources.definitions += from_listing(found.data, replace(found.location, path=name), name)
        else:
            sources.manifests.append(found)
