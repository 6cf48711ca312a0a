"""A word of the command line in, what it stands for out."""

from __future__ import annotations

import builtins
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points, version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from mcp_error_middleware.places import shown


class TargetError(Exception):
    """There is nothing that a word names; the message says the way out."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file or module, and the object in it that is meant."""

    word: str
    place: str
    name: str | None = None

    @classmethod
    def of(cls, word: str) -> Target:
        """`file.py`, `module`, either with `:object`, or the name of an installed command."""
        place, colon, name = word.rpartition(":")
        if colon and all(part.isidentifier() for part in name.split(".")):
            return cls(word, place, name)
        command = (
            None if _is_path(word) else next(iter(entry_points(group="console_scripts", name=word)), None)
        )
        return cls(word, command.module, command.attr) if command else cls(word, word)

    @property
    def file(self) -> Path | None:
        """The file it is, where it is one."""
        return Path(self.place).absolute() if _is_path(self.place) else None

    @property
    def is_command(self) -> bool:
        """Whether it is installed under this name."""
        return self.name is not None and ":" not in self.word

    @property
    def program(self) -> str:
        """What it calls itself where it explains its use."""
        return self.word if self.is_command else self.place

    @property
    def commands(self) -> str:
        """What is installed to start code of the package it is in; nothing, where it is in a file."""
        package = "" if self.file else self.place.partition(".")[0]
        installed = entry_points(group="console_scripts")
        return " or ".join(each.name for each in installed if each.module.partition(".")[0] == package)

    @property
    def folder(self) -> str:
        """Where Python would look first for what it imports."""
        return str(self.file.parent if self.file else Path.cwd())

    @property
    def source(self) -> Path | None:
        """The file its code is in, once it is loaded."""
        written = getattr(sys.modules.get(self.place), "__file__", None)
        return self.file or (Path(written) if written else None)

    def load(self) -> Any:
        """The object; or where none is named, all the names the target has once it has run as a program."""
        if (wrong := self._wrong_word() or self._wrong_file()) is not None:
            raise TargetError(wrong)
        if self.name is None:
            return _run(*self._program())
        module = _imported(self.file) if self.file else self._module()
        try:
            return attrgetter(self.name)(module)
        except AttributeError:
            offered = ", ".join(name for name in vars(module) if not name.startswith("_")) or "nothing"
            raise TargetError(f"{self.place} has no {self.name}; it has {offered}") from None

    def _wrong_word(self) -> str | None:
        """Why the word cannot name any code."""
        if "://" in self.word:
            return f"{self.word} is an address; give the file, module or command that starts the server"
        if not self.place:
            return f"{self.word!r} names no file and no module; give the one that has the server in it"
        if len(self.place.split()) > 1 and not (self.file and self.file.exists()):
            return (
                f"{self.place} is several words and no file; give only the file, module or command among "
                "them, and after -- what is for the server"
            )
        return None

    def _wrong_file(self) -> str | None:
        """Why there is no code in the file."""
        if self.file is None:
            return None
        if self.file.is_dir():
            inside = Path(self.place) / "server.py"
            return f"{self.place} is a folder; give the file in it that has the server, as in {inside}"
        if not self.file.is_file():
            return f"there is no file {self.place}; give the path of the file that has the server in it"
        if b"\0" in self.file.read_bytes():
            return f"{self.place} is no source of Python, as it has null bytes in it; save it as UTF-8"
        return None

    def _program(self) -> tuple[Any, str, ModuleSpec | None]:
        if self.file is not None:
            return compile(self.file.read_bytes(), str(self.file), "exec"), str(self.file), None
        spec = self._spec()
        main = spec if spec.submodule_search_locations is None else _found(f"{self.place}.__main__")
        code = main and _code(main)
        if main is None or code is None:
            module = f"the module that starts the server, as in {self.place}.server"
            instead = f"its command: {self.commands}" if self.commands else module
            raise TargetError(f"{self.place} cannot be run by itself; name {instead}")
        return code, main.origin or main.name, main

    def _spec(self) -> ModuleSpec:
        if (spec := _found(self.place)) is None:
            raise TargetError(
                f"there is no file, module or command {self.place}; give a path, or install it in "
                f"{sys.prefix}"
            )
        return spec

    def _module(self) -> ModuleType:
        self._spec()
        return import_module(self.place)


def _found(name: str) -> ModuleSpec | None:
    """Where a module is; raises what the packages around it raise, which are run on the way."""
    try:
        return find_spec(name)
    except ModuleNotFoundError as exc:
        # One that is there may miss another.
        if exc.name is not None and f"{name}.".startswith(f"{exc.name}."):
            return None
        raise
    except ValueError:
        return None


def _code(spec: ModuleSpec) -> Any:
    """What a module runs; None where it is not written in Python."""
    get_code = getattr(spec.loader, "get_code", None)
    return get_code and get_code(spec.name)


def _is_path(word: str) -> bool:
    # A module is named from the top: no dot comes first.
    return word.startswith(".") or word.endswith(".py") or "/" in word or "\\" in word or Path(word).is_file()


def _imported(file: Path) -> ModuleType:
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # A file may be called like a library that is in use.
    sys.modules.setdefault(file.stem, module)
    spec.loader.exec_module(module)
    return module


def _run(code: Any, file: str, spec: ModuleSpec | None) -> dict[str, Any]:
    """As the program of this process: libraries look its names up in `__main__`."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    vars(main).update(
        __file__=file, __spec__=spec, __package__=spec.parent if spec else "", __builtins__=builtins
    )
    exec(code, vars(main))  # noqa: S102 - it is what the user asked for
    return vars(main)


@contextmanager
def as_python_would(target: Target, arguments: Sequence[str]) -> Iterator[None]:
    """The arguments, the search path and the main module of `python target arguments`."""
    argv, path, main = sys.argv, sys.path, sys.modules["__main__"]
    sys.argv = [target.program, *arguments]
    # What lies about where a command is typed is none of its own.
    sys.path = path if target.is_command else [target.folder, *path]
    try:
        yield
    finally:
        sys.argv, sys.path, sys.modules["__main__"] = argv, path, main


def loaded(target: Target) -> Any:
    """The object, whatever its program does when it is imported; raises TargetError."""
    with as_python_would(target, ()):
        try:
            return target.load()
        except (TargetError, KeyboardInterrupt):
            raise
        except BaseException as exc:  # noqa: BLE001 - their program may end in any way
            raise TargetError(blamed(target, exc)) from None


# --- what is wrong with it ------------------------------------------------------------------------


def first(exc: BaseException) -> BaseException:
    """The exception itself, out of the groups that task groups put around it."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return exc


def blamed(target: Target, exc: BaseException) -> str:
    """One sentence about an exception that ended the target: what it says, less what lets one in, where, and
    what to do.
    """
    lines = "".join(traceback.format_exception_only(exc)).strip().splitlines()
    # A syntax error shows its line before it speaks; what others say at length begins with the point.
    said = lines[-1] if isinstance(exc, SyntaxError) else lines[0]
    return f"{target.word} ended with {shown(said)} ({_place(target, exc)}); {_step(exc)}"


def _step(exc: BaseException) -> str:
    if isinstance(exc, ModuleNotFoundError) and exc.name and not _is_there(exc.name.partition(".")[0]):
        return f"install {exc.name} in {sys.prefix}, or run this from the environment that has it"
    if isinstance(exc, ImportError) and "relative import" in str(exc):
        return "name it as the module it is in its package: package.module"
    if _is_about_the_sdk(exc):
        installed = version("mcp")
        other = "mcp>=2" if installed.startswith("1.") else "mcp<2"
        return f"if it was written for another line of mcp than {installed}: pip install '{other}'"
    return "mend that and start it again"


def _is_about_the_sdk(exc: BaseException) -> bool:
    """Whether the SDK does not have what was asked of it."""
    if isinstance(exc, ImportError):
        return (exc.name or "").partition(".")[0] == "mcp"
    asked = type(exc.obj) if isinstance(exc, AttributeError) else None
    return asked is not None and asked.__module__.partition(".")[0] == "mcp"


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:
        return True


def _place(target: Target, exc: BaseException) -> str:
    if isinstance(exc, SyntaxError) and exc.filename:
        return f"{exc.filename}:{exc.lineno}"
    frames = traceback.extract_tb(exc.__traceback__)
    # The deepest line of their own; a library's says little about what to change, and ours nothing.
    own = [frame for frame in frames if _is_theirs(target, frame.filename)]
    foreign = [frame for frame in frames if not _is_ours(frame.filename)]
    if not (own or foreign):
        return str(target.source or target.place)
    return f"{(own or foreign)[-1].filename}:{(own or foreign)[-1].lineno}"


def _is_ours(file: str) -> bool:
    return file.startswith("<frozen ") or Path(file).is_relative_to(Path(__file__).parent)


def _is_theirs(target: Target, file: str) -> bool:
    path = Path(file)
    if target.file is None:
        return target.place.partition(".")[0] in (path.stem, *path.parts)
    return path.is_relative_to(target.file.parent) and "site-packages" not in path.parts
