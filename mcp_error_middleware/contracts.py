"""What a tool promises about how it fails: each mode declared once, raised by name.

    class FetchErrors(Contract):
        no_match = Mode(
            ErrorCode.NOT_FOUND,
            when="No requested PMID returned data",
            recovery="Try pubmed_search_articles to discover valid PMIDs first.",
        )

    @raises(FetchErrors)
    @mcp.tool
    async def fetch(pmids: list[str]) -> list[Article]:
        ...
        raise FetchErrors.no_match.fail(f"None of {len(pmids)} PMIDs returned data") from exc

The reason is an attribute, so a misspelt one is an error in every type checker. Service code that knows no
contract says `ValidationError("...", reason="empty_expression")` and gets the running tool's recovery.
"""

from __future__ import annotations

import re
import reprlib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypedDict, TypeGuard, TypeVar, Unpack, cast

from mcp_error_middleware.errors import BY_CODE, InternalError, McpError
from mcp_error_middleware.taxonomy import BY_LABEL, ErrorCode

Tool = TypeVar("Tool")


class ContractError(ValueError):
    """A contract is declared in a way that cannot hold; the message says how to mend it."""


class FailOptions(TypedDict, total=False):
    """What may be said at the raise beside message and data; it goes before the contract's word."""

    recovery: str | None
    retryable: bool | None
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to fail. Its reason is the name it is declared under."""

    code: ErrorCode
    _: KW_ONLY
    when: str
    """In which situation; the message where the raise brings none."""
    recovery: str
    """What the agent should do next: one imperative sentence."""
    retryable: bool | None = None
    """Whether the same call may succeed later; None leaves it to the code."""
    reason: str = field(default="", init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", _code(self.code))
        _require_text(self.when, "a `when`: one sentence that says in which situation it happens")
        _require_text(self.recovery, "a `recovery`: one sentence that says what the agent should do next")
        if not (self.retryable is None or isinstance(self.retryable, bool)):
            raise ContractError(f"`retryable` is {self.retryable!r}; use True, False or leave it out.")

    def __set_name__(self, owner: type, name: str) -> None:
        # The first name stays; Contract refuses a second. Raised here, Python 3.11 would wrap the refusal.
        if not self.reason:
            object.__setattr__(self, "reason", name)

    def fail(
        self,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        recovery: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
    ) -> McpError:
        """The error to raise: of the code's class, with the reason and the recovery in its data."""
        text = self.when if message is None else message
        error = BY_CODE[self.code](text, data, reason=self.reason or None, retry_after=retry_after)
        error.data["recovery"] = _recovery(recovery, error.data.get("recovery"), self.recovery)
        said = (retryable, error.data.get("retryable"), self.retryable)
        error.retryable = next((value for value in said if isinstance(value, bool)), None)
        return error


class _Body(dict[str, Any]):
    """The body of a contract: a mode cannot be written over unnoticed."""

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(self.get(name), Mode):
            raise ContractError(f"Reason {name!r} is declared twice; rename one of the two.")
        super().__setitem__(name, value)


class _Declaration(type):
    """Gives a contract its watchful body, and lets `for mode in FetchErrors` work."""

    modes: Mapping[str, Mode]

    @classmethod
    def __prepare__(cls, name: str, bases: tuple[type, ...], /, **options: Any) -> _Body:
        return _Body()

    def __iter__(cls) -> Iterator[Mode]:
        return iter(cls.modes.values())


class Contract(metaclass=_Declaration):
    """The modes of a tool. Subclass it and give each mode a name; iterate it to see them.

    A subclass has its parents' modes too. It may word a mode anew, but not change its code: what is raised
    from the parent must be what the subclass promises.
    """

    modes: ClassVar[Mapping[str, Mode]] = MappingProxyType({})
    """Reason to mode, the inherited ones first."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.modes = MappingProxyType(_declared(cls))
        if not cls.modes:
            raise ContractError(f"{cls.__name__} declares no mode; add one, or declare no contract.")

    @classmethod
    def fail(
        cls,
        reason: str,
        message: str | None = None,
        data: Mapping[str, Any] | None = None,
        **options: Unpack[FailOptions],
    ) -> McpError:
        """The error to raise for a reason that is only known at run time.

        No type checker can compare the string with the contract: where the reason is known, write
        `FetchErrors.no_match.fail(...)`.

        An undeclared reason is a bug, and is answered as one without hiding the failure at hand: with an
        InternalError that names the declared reasons and keeps what was said. It is returned like any other,
        so that `raise ... from exc` keeps the cause.
        """
        mode = _mode(cls, reason)
        if mode is None:
            return _undeclared(cls, reason, message, data, options)
        return mode.fail(message, data, **options)

    @classmethod
    def recovery_for(cls, reason: str) -> dict[str, dict[str, str]]:
        """`{"recovery": {"hint": ...}}` to spread into data; empty where the reason is not declared."""
        mode = _mode(cls, reason)
        return {"recovery": {"hint": mode.recovery}} if mode else {}

    @classmethod
    def of(
        cls, modes: Iterable[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]], name: str = "Contract"
    ) -> type[Contract]:
        """A contract from plain data, such as a JSON or TOML file.

        Either `{"no_match": {"code": ..., "when": ..., "recovery": ...}}` or a list of such entries, each
        with its `reason`. A code is a number, a label (`NotFound`), snake_case (`not_found`) or an ErrorCode.
        """

        def fill(body: dict[str, Any]) -> None:
            for reason, entry in _entries(modes):
                body[_reason(reason, name)] = _mode_from(reason, entry)

        return cast("type[Contract]", types.new_class(name, (cls,), exec_body=fill))


# --- beside the tool ---------------------------------------------------------------------------

_ATTRIBUTE: Final = "__mcp_contract__"
_INWARD: Final = ("__wrapped__", "__func__", "func", "fn")
"""Where decorators, methods, partials and the SDKs' tool objects keep the function."""
_REACH: Final = 64
"""Layers looked at; an object that invents its attributes has no end."""


def raises(contract: type[Contract]) -> Callable[[Tool], Tool]:
    """Declare how a tool fails. Returns the same object; the outermost declaration counts."""
    if not is_contract(contract):
        raise ContractError("raises() takes a contract: write @raises(FetchErrors) above the tool.")

    def declare(tool: Tool) -> Tool:
        try:
            setattr(_bearer(tool), _ATTRIBUTE, contract)
        except Exception as error:
            raise ContractError(
                f"An object of type {_kind(tool)} cannot carry a contract; "
                "name the tool in ErrorPolicy(contracts=...)."
            ) from error
        return tool

    return declare


def contract_of(tool: object) -> type[Contract] | None:
    """The contract declared on a function, or on what a decorator, partial, method or tool object hides."""
    layers = [tool]
    for layer in islice(layers, _REACH):
        if is_contract(found := _get(layer, _ATTRIBUTE)):
            return found
        layers += [inner for inner in _inside(layer) if all(inner is not known for known in layers)]
    return None


def match(exc: BaseException, contract: type[Contract] | None) -> Mode | None:
    """The declared mode this exception says it is. By reason alone: an explicit code stays the author's."""
    if contract is None or not issubclass(type(exc), McpError):
        return None
    return _mode(contract, _get(exc, "reason"))


# --- for service code --------------------------------------------------------------------------

current_contract: ContextVar[type[Contract] | None] = ContextVar("current_contract", default=None)
"""The contract of the call that is running."""


@contextmanager
def active(contract: type[Contract] | None) -> Iterator[None]:
    """Run a call under its contract."""
    token = current_contract.set(contract)
    try:
        yield
    finally:
        # In another context than the one it was set in, there is nothing of ours to undo.
        with suppress(ValueError):
            current_contract.reset(token)


def recovery_for(reason: str, contract: type[Contract] | None = None) -> dict[str, dict[str, str]]:
    """As `Contract.recovery_for`, for the running call unless a contract is given; always safe to spread."""
    contract = contract or current_contract.get()
    return contract.recovery_for(reason) if contract else {}


# --- declaration -------------------------------------------------------------------------------

_SNAKE: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_KEYS: Final = ("code", "when", "recovery", "retryable")
_CODES: Final = {label.lower(): code for label, code in BY_LABEL.items()}


def _declared(contract: type[Contract]) -> dict[str, Mode]:
    modes: dict[str, Mode] = {}
    for base in reversed(contract.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, Mode):
                _check_mode(contract, name, value, modes.get(name))
                modes[name] = value
            elif base is contract:
                _check_other(contract, name, value, modes)
    return modes


def _check_mode(contract: type[Contract], name: str, mode: Mode, inherited: Mode | None) -> None:
    where = f"{contract.__name__}.{_reason(name, contract.__name__)}"
    if mode.reason != name:
        raise ContractError(f"{where} is the mode {mode.reason!r} again; give it a Mode of its own.")
    if inherited is not None and inherited.code is not mode.code:
        raise ContractError(
            f"{where} is {inherited.code.label} in one class and {mode.code.label} in another; "
            "give the two different names."
        )


def _check_other(contract: type[Contract], name: str, value: object, modes: Mapping[str, Mode]) -> None:
    # A trailing comma makes a tuple of a Mode, and nobody would notice before the first failure.
    method = hasattr(type(value), "__get__") and name not in modes
    if not (name.startswith("_") or method):
        raise ContractError(
            f"{contract.__name__}.{name} is a {_kind(value)}, not a Mode; "
            "write Mode(...), or begin the name with an underscore."
        )


def _reason(name: object, contract: str) -> str:
    if not isinstance(name, str) or not _SNAKE.fullmatch(name):
        raise ContractError(
            f"{reprlib.repr(name)} in {contract} is not a reason; use snake_case, such as no_match."
        )
    if hasattr(Contract, name):
        raise ContractError(f"Reason {name!r} in {contract} is a name of Contract itself; choose another.")
    return name


def _entries(modes: object) -> Iterator[tuple[object, object]]:
    if isinstance(modes, Mapping):
        yield from modes.items()
        return
    if not isinstance(modes, Iterable):
        raise ContractError(f"A contract is a list or a mapping of modes, not {_kind(modes)}.")
    for entry in modes:
        if not isinstance(entry, Mapping):
            raise ContractError(f"A mode is a mapping with `reason`, {_keys(_KEYS)}, not {_kind(entry)}.")
        yield entry.get("reason"), {key: value for key, value in entry.items() if key != "reason"}


def _mode_from(reason: object, entry: object) -> Mode:
    if not isinstance(entry, Mapping):
        raise ContractError(f"Mode {reason!r} is a {_kind(entry)}, not a mapping with {_keys(_KEYS)}.")
    if unknown := [key for key in entry if key not in _KEYS]:
        raise ContractError(f"Mode {reason!r} has {_keys(unknown)}; it may have {_keys(_KEYS)}.")
    try:
        return Mode(
            entry.get("code", ""),
            when=entry.get("when", ""),
            recovery=entry.get("recovery", ""),
            retryable=entry.get("retryable"),
        )
    except ContractError as error:
        raise ContractError(f"Mode {reason!r}: {error}") from None


def _keys(names: Iterable[object]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _kind(value: object) -> str:
    return type(value).__name__


def _code(value: Any) -> ErrorCode:
    try:
        return _CODES[value.replace("_", "").lower()] if isinstance(value, str) else ErrorCode(value)
    except (KeyError, ValueError):
        raise ContractError(
            f"{reprlib.repr(value)} is no code; use a member of ErrorCode, such as ErrorCode.NOT_FOUND."
        ) from None


def _require_text(value: object, what: str) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ContractError(f"A mode needs {what}.")


# --- at the raise ------------------------------------------------------------------------------


def _mode(contract: type[Contract], reason: object) -> Mode | None:
    return contract.modes.get(reason) if isinstance(reason, str) else None


def _recovery(keyword: str | None, said: object, declared: str) -> dict[str, Any]:
    """The author's recovery, with a hint in any case: the keyword's, the data's or the contract's."""
    recovery = dict(said) if isinstance(said, Mapping) else {"hint": said}
    hints = (keyword, recovery.get("hint"), declared)
    return recovery | {"hint": next(hint for hint in hints if isinstance(hint, str) and hint.strip())}


def _undeclared(
    contract: type[Contract],
    reason: object,
    message: str | None,
    data: Mapping[str, Any] | None,
    options: FailOptions,
) -> McpError:
    bug = f"{contract.__name__} declares no reason {reprlib.repr(reason)}, only {', '.join(contract.modes)}"
    text = f"{bug}." if message is None else f"{bug}: {message}"
    error = InternalError(text, data, reason=reason if isinstance(reason, str) else None, **options)
    error.data["declared_reasons"] = list(contract.modes)
    return error


# --- looking at foreign objects ----------------------------------------------------------------


def is_contract(value: object) -> TypeGuard[type[Contract]]:
    """Whether it declares modes."""
    return issubclass(type(value), _Declaration) and value is not Contract


def _bearer(tool: object) -> object:
    """What keeps an attribute when a class or an SDK hands the tool on: the function inside."""
    inner = _get(tool, "__func__") or _get(tool, "fn")
    return inner if callable(inner) else tool


def _inside(layer: object) -> Iterator[object]:
    for name in _INWARD:
        if (inner := _get(layer, name)) is not None:
            yield inner
    if type(call := _get(type(layer), "__call__")) is types.FunctionType:
        yield call


def _get(obj: object, name: str) -> object:
    try:
        return getattr(obj, name, None)
    except Exception:  # noqa: BLE001 - a hostile attribute is an absent one
        return None
