"""Any value in, JSON-able value out.

Nothing of an unknown object is called: no `__str__`, no `__repr__`, no iteration. What is known by its
real type is read through that type, so that a subclass or a lying `__class__` cannot interfere.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import numbers
import pathlib
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias, cast

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize import echoes
from mcp_error_middleware.sanitize.clean import folded
from mcp_error_middleware.sanitize.finders import people, sql, traces
from mcp_error_middleware.sanitize.finders.hosts.names import KEYS as HOSTS
from mcp_error_middleware.sanitize.judgement import looks_secret
from mcp_error_middleware.sanitize.keys import Sensitive, compact, sensitivity, words_of
from mcp_error_middleware.sanitize.limits import Limits
from mcp_error_middleware.sanitize.spans import PLACEHOLDER, View, placeholder, replaced
from mcp_error_middleware.sanitize.words import is_field, is_harmless

Scrub: TypeAlias = Callable[[str, int], str]
"""Text in, so many characters of it out, scrubbed."""

CUT: Final = "…"
"""Stands where something was too deep, too long or too much."""

_MARK: Final = lazy(rf"{CUT}?\(\+\d+ more\)|{CUT}(?:\(cycle\))?")
_MANY: Final = 1_000
"""As much of a container as is ever looked at."""

_LONGEST: Final = 300
"""Characters of an argument of a command."""

_LABELS: Final = frozenset(
    """
    name key header field param parameter property path loc variable attribute label env instancepath pointer
    location option flag element selector locator placeholder
    """.split()
)
_VALUES: Final = frozenset(
    """
    value val v input rejected rejectedvalue content data default actual got received given current old new
    raw text from to before after
    """.split()
)
_HEADS: Final = frozenset("columns columnnames colnames cols header headers fields fieldnames".split())
_ROWS: Final = frozenset("rows row data values records record results items".split())
"""What stands below them: `{"columns": ["user", "password"], "rows": [["bob", "x"]]}`."""
_MANIFEST: Final = frozenset(("data", "stringdata"))
"""Where a secret of Kubernetes is in its manifest."""
_STATEMENTS: Final = frozenset("sql query statement stmt sqltext querytext".split())
_FAILED: Final = frozenset("fail failed fails failures".split())
"""Beside them `pass` is how many there were."""
_BOUND: Final = frozenset(
    """
    params parameters parameter args arguments values bindings binds bindparams bindvalues queryparams
    sqlparams
    """.split()
)
"""What was bound to a statement beside it."""


@dataclass(slots=True)
class Walk:
    """One pass over one value."""

    scrub: Scrub
    limits: Limits
    extra_keys: frozenset[str]
    """Compact: lower case, no separators."""
    tally: dict[str, int]
    spent: int = 0
    owner: str = ""
    """The key whose value is walked."""
    open: set[int] = field(default_factory=set)
    """Containers being walked, by id: what is met again inside itself is a cycle."""
    cut: dict[str, str] = field(default_factory=dict)
    """What went because of its key, and of what kind it is."""

    def value(self, value: object, depth: int = 0) -> Any:
        """The value, JSON-able and scrubbed."""
        try:
            return self._value(value, depth)
        except Exception:  # noqa: BLE001 - a hostile object may raise anything
            self._count("unreadable")
            return self._text(type_name(value))

    def _value(self, value: object, depth: int) -> Any:
        if value is None or type(value) is bool:
            self.spent += 5
            return value
        if (text := _text_of(value)) is not None:
            return self._text(text)
        if (number := _number_of(value)) is not None:
            return self._number(number)
        if (parts := _parts(value)) is not None:
            return self._container(value, parts, depth)
        return self._text(type_name(value))

    def _text(self, text: str, most: int | None = None) -> str:
        # A short word alone is no secret; most keys are one.
        if len(text) < min(12, most or 12) and text.isidentifier() and text.isascii():
            return self._said(text)
        most = self.limits.text if most is None else most
        clean = self.scrub(text, most)
        # What was looked at counts, too, though little of it is left.
        self.spent += max(min(len(text), most) - len(clean), 0)
        return self._said(clean)

    def _said(self, text: str) -> str:
        self.spent += len(text) + 3
        return text

    def _number(self, value: int | float) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return self._said(str(value))
        if isinstance(value, int) and value.bit_length() > 1_024:
            return self._said(f"<int of {value.bit_length()} bits>")
        digits = str(value)
        # A card number is one without its spaces, too.
        clean = self.scrub(digits, self.limits.text) if len(digits) > 8 else digits
        self._said(clean)
        is_json = isinstance(value, float) or -(2**63) <= value < 2**64
        return value if is_json and clean == digits else clean

    def _container(self, value: object, parts: _Parts, depth: int) -> Any:
        if id(value) in self.open:
            return self._said(f"{CUT}(cycle)")
        if depth >= self.limits.depth:
            return self._said(CUT)
        self.spent += 2
        self.open.add(id(value))
        try:
            return self._mapping(parts, depth) if parts.named else self._list(parts, depth)
        finally:
            self.open.discard(id(value))

    def _mapping(self, parts: _Parts, depth: int) -> dict[str, Any] | str:
        head, cut = self._head(parts)
        pairs = [(_key_of(key), item) for key, item in head]
        if traces.is_frame(key for key, _ in pairs):
            return self._frame()
        about, owner, taken, names = _labelled(pairs), self.owner, _taken(pairs), self._heads(pairs)
        is_score = any(compact(key) in _FAILED and type(item) is int for key, item in pairs)
        out: dict[str, Any] = {}
        for n, (key, item) in enumerate(pairs):
            if self._is_full(item):
                cut = parts.length - n
                break
            clean = self._text(key, self.limits.key)
            found = self._sensitivity(clean, owner) or (about if _is_value(clean) else None)
            if is_score and type(item) is int and clean.lower() == "pass":
                found = None
            self.owner = clean
            if (kind := taken.get(compact(clean))) is not None:
                out[_free(clean, out)] = self._emptied(item, kind, depth + 1)
                continue
            if names and compact(clean) in _ROWS and type(item) in (list, tuple):
                out[_free(clean, out)] = self._rows(cast("list[object]", item), names, depth + 1)
                continue
            lead = None if found else _lead(clean, owner, item)
            out[_free(clean, out)] = (
                self._kept(item, found, depth) if lead is None else self._led(lead, cast("str | int", item))
            )
        if cut:
            out[self._said(CUT)] = self._said(f"(+{cut} more)")
        return out

    def _frame(self) -> str:
        self._count("trace")
        return self._said(placeholder("trace"))

    def _list(self, parts: _Parts, depth: int) -> list[Any]:
        head, cut = self._head(parts)
        items = [item for _, item in head]
        if items and all(type(item) is str for item in items) and traces.has_frame(map(str, items)):
            lines = self._text("\n".join(map(str, items))).split("\n")
            return [*lines, self._said(f"{CUT}(+{cut} more)")] if cut else lines
        out: list[Any] = []
        columns = self._columns(items)
        for n, item in enumerate(items):
            if self._is_full(item):
                cut = parts.length - n
                break
            if columns and n:
                row = zip(cast("list[object]", item), columns, strict=True)
                out.append([self._kept(cell, found, depth + 1) for cell, found in row])
                continue
            found = self._named_before(items, n)
            out.append(
                self._argument(items, n)
                if not found and _is_argument(items, n)
                else self._kept(item, found, depth)
            )
        return [*out, self._said(f"{CUT}(+{cut} more)")] if cut else out

    def _columns(self, items: list[object]) -> list[Sensitive | None]:
        """What the first row of a table makes of the others: `[["user", "password"], ["bob", "x"]]`."""
        if len(items) < 2 or any(type(row) not in (list, tuple) for row in items):
            return []
        names, *rows = cast("list[list[object]]", items)
        if len(names) > self.limits.breadth or any(len(row) != len(names) for row in rows):
            return []
        if not all(
            type(name) is str and " " not in name and (is_field(name) or sensitivity(name)) for name in names
        ):
            return []
        found = [self._sensitivity(cast("str", name)) for name in names]
        return found if any(found) else []

    def _heads(self, pairs: list[tuple[str, object]]) -> list[Sensitive | None]:
        """What the names of columns make of what stands in them, where one is the name of a secret."""
        for key, item in pairs:
            if type(item) not in (list, tuple) or compact(key) not in _HEADS:
                continue
            names = [_column(head) for head in islice(cast("list[object]", item), self.limits.breadth)]
            found = [self._sensitivity(name) if name else None for name in names]
            return found if any(found) else []
        return []

    def _rows(self, rows: list[object], names: list[Sensitive | None], depth: int) -> list[Any]:
        """The rows of a table, or the only one."""
        head, cut = self._head(_unnamed(rows, len(rows)))
        items = [item for _, item in head]
        if len(items) == len(names) and not any(type(item) in (list, tuple, dict) for item in items):
            return self._row(items, names, depth)
        out: list[Any] = []
        for n, item in enumerate(items):
            if self._is_full(item):
                cut = len(rows) - n
                break
            is_row = type(item) in (list, tuple) and len(cast("list[object]", item)) == len(names)
            out.append(
                self._row(cast("list[object]", item), names, depth + 1) if is_row else self.value(item, depth)
            )
        return [*out, self._said(f"{CUT}(+{cut} more)")] if cut else out

    def _row(self, cells: list[object], names: list[Sensitive | None], depth: int) -> list[Any]:
        return [self._kept(cell, found, depth) for cell, found in zip(cells, names, strict=True)]

    def _emptied(self, item: object, kind: str, depth: int) -> Any:
        """The same without any value in it; what they are called, and how many there are, stays."""
        if item is None or type(item) is bool or (type(item) is str and _is_empty(item)):
            return self.value(item, depth)
        parts = _parts(item) if depth < self.limits.depth else None
        if parts is None:
            self._count(kind)
            return self._said(placeholder(kind))
        head, cut = self._head(parts)
        out: dict[str, Any] = {}
        for n, (key, part) in enumerate(head):
            if self._is_full(part):
                cut = parts.length - n
                break
            name = self._text(_key_of(key), self.limits.key) if parts.named else str(n)
            out[_free(name, out)] = self._emptied(part, kind, depth + 1)
        if not parts.named:
            return [*out.values(), *([self._said(f"{CUT}(+{cut} more)")] if cut else [])]
        if cut:
            out[self._said(CUT)] = self._said(f"(+{cut} more)")
        return out

    def _argument(self, items: list[Any], n: int) -> str:
        """An argument, read behind its command and the flag before it: `["mysql", "-px"]`."""
        return self._behind(f"{items[0]} {items[n - 1]} " if n > 1 else f"{items[0]} ", items[n])

    def _led(self, lead: str, item: str | int) -> str | int:
        """A host or a phone number, which many a text could be, read as what its key says it is."""
        text = str(item)
        if (clean := self._behind(lead, text)) == text:
            return item
        if lead == _HOST and echoes.is_telling(text):
            self.cut[text] = "host"
        return clean

    def _behind(self, lead: str, text: str) -> str:
        """A text, read behind what tells what it is."""
        clean = self.scrub(lead + text, self.limits.text)
        return self._said(clean[len(lead) :]) if clean.startswith(lead) else self._text(text)

    def _head(self, parts: _Parts) -> tuple[list[tuple[object, object]], int]:
        """As many items as fit, and how many do not; one place is kept for saying so."""
        most = max(self.limits.breadth, 1)
        head = list(islice(parts.items, most + 1))
        if len(head) <= most:
            return head, 0
        return head[: most - 1], max(parts.length, most + 1) - most + 1

    def _is_full(self, item: object) -> bool:
        return self.spent > self.limits.size and not (type(item) is str and _MARK.fullmatch(item))

    def _kept(self, item: object, found: Sensitive | None, depth: int) -> Any:
        if found is None:
            return self.value(item, depth + 1)
        if not _goes_safely(item, found):
            kept = self.value(item, depth + 1)
            # A sentence about a secret is one only if it still is one without what was in it.
            if type(kept) is not str or not _goes_safely(kept, found):
                return kept
        self._count(found.kind)
        if found.firm and type(item) is str and echoes.is_telling(item):
            self.cut[item] = found.kind
        return self._said(placeholder(found.kind))

    def echoed(self, clean: Any) -> Any:
        """The same without what went because of its key and is said again elsewhere."""
        if not self.cut:
            return clean
        if type(clean) is str:
            for word, kind in self.cut.items():
                clean = (
                    replaced(clean, echoes.again(clean, word, kind), self.tally) if word in clean else clean
                )
            return clean
        if type(clean) is list:
            return [self.echoed(item) for item in clean]
        return {key: self.echoed(item) for key, item in clean.items()} if type(clean) is dict else clean

    def _named_before(self, items: list[object], n: int) -> Sensitive | None:
        """What the item before makes of this one: `["Authorization", "Bearer x"]`, `["--token", "x"]`."""
        before, item = items[n - 1] if n else None, items[n]
        if type(before) is not str or not _is_name(before) or any(c in before[:-1] for c in " =:"):
            return None
        if type(item) is not str:
            return self._sensitivity(before) if len(items) == 2 else None
        is_flag = before.startswith("-")
        if not is_flag and (is_field(item) or (len(items) > 2 and item.isalpha())):
            return None
        return self._sensitivity(before.lstrip("-"))

    def _sensitivity(self, key: str, owner: str = "") -> Sensitive | None:
        if self.extra_keys and compact(key) in self.extra_keys:
            return Sensitive("secret", numeric=True)
        found = sensitivity(key)
        # {"encryption": {"key": ...}} is no key of a store.
        is_owned = found and not found.firm and sensitivity(f"{owner} {key}") not in (None, found)
        return Sensitive("secret", firm=False) if is_owned else found

    def _count(self, kind: str) -> None:
        self.tally[kind] = self.tally.get(kind, 0) + 1


def _lead(key: str, owner: str, item: object) -> str | None:
    """What a key says of its value: `{"hostname": "x"}`, `{"host": {"name": "x"}}`, `{"phone": 5550123}`."""
    is_short = len(item) < _LONGEST if type(item) is str else type(item) is int and 0 < item < 10**15
    if not is_short:
        return None
    name = owner if key == "name" else key
    if compact(name) in HOSTS or words_of(name)[-1:] == ("host",):
        return _HOST
    if compact(name).startswith("awsaccount"):
        return _ACCOUNT
    *_, last = words_of(key.removesuffix("number").removesuffix("Number")) or ("",)
    return _PHONE if last in people.PHONES else None


_HOST: Final = "host: "
_ACCOUNT: Final = "account: "
_PHONE: Final = "phone: "


def _free(key: str, taken: dict[str, Any]) -> str:
    """The key, or a numbered one where two became the same."""
    n, free = 1, key
    while free in taken:
        n += 1
        free = f"{key} {n}"
    return free


def _labelled(pairs: list[tuple[str, object]]) -> Sensitive | None:
    """What `{"name": "Authorization", "value": ...}` or `{"loc": ["password"], "input": ...}` is about."""
    for key, item in pairs:
        if not _is_label(key):
            continue
        names = item[-3:] if isinstance(item, (list, tuple)) else (item,)
        for name in names:
            if (
                type(name) is str
                and _is_name(name)
                and (found := sensitivity(_FIELD.sub("", name)))
                and found.firm
            ):
                return found
    return None


_FIELD: Final = lazy(r"[ ](?:field|input|box|text ?box|entry)\Z")
"""What a label says beside the name: `{"element": "Password field", "text": ...}`."""


def _is_label(key: str) -> bool:
    """`{"name": ...}`, `{"ParameterKey": ...}`"""
    return compact(key) in _LABELS or words_of(key)[1:][-1:] in (("name",), ("key",))


def _is_value(key: str) -> bool:
    """`{"value": ...}`, `{"ParameterValue": ...}`"""
    return compact(key) in _VALUES or words_of(key)[-1:] == ("value",)


def _taken(pairs: list[tuple[str, object]]) -> dict[str, str]:
    """Keys all values of which go, by what stands beside them, and of what kind they are."""
    said = {compact(key): item for key, item in pairs if type(item) is str}
    if said.get("kind") == "Secret":
        return dict.fromkeys(_MANIFEST, "secret")
    statements = (said[key] for key in _STATEMENTS if key in said)
    return dict.fromkeys(_BOUND, "sql") if any(map(_is_statement, statements)) else {}


def _is_statement(text: str) -> bool:
    return bool(sql.find(View.of(folded(text[:_MANY]), sql.SPOKEN)))


def _column(head: object) -> str:
    """The name of a column, which may be described: `{"name": "password", "type": "text"}`."""
    if isinstance(head, dict):
        head = head.get("name")
    return head if type(head) is str and _is_name(head) else ""


def _is_empty(text: str) -> bool:
    return not text or bool(_MARK.fullmatch(text) or PLACEHOLDER.fullmatch(text))


def _is_argument(items: list[object], n: int) -> bool:
    near = (items[0], items[n - 1], items[n]) if n else ()
    if not all(type(word) is str and 0 < len(word) < _LONGEST for word in near):
        return False
    return any(str(word).startswith("-") for word in near[1:])


def _is_name(text: str) -> bool:
    return len(text) <= 40 and "[redacted:" not in text


def _goes_safely(item: object, found: Sensitive) -> bool:
    try:
        return _goes(item, found)
    except Exception:  # noqa: BLE001 - what cannot be looked at is not shown
        return True


def _goes(item: object, found: Sensitive, depth: int = 0) -> bool:
    """Whether the value of a sensitive key is a secret, and not a flag, a count or a sentence about it."""
    if item is None or type(item) is bool:
        return False
    if (text := _text_of(item)) is not None:
        if found.firm:
            return not is_harmless(text)
        return looks_secret(text, found) or (found.numeric and text.isdigit() and len(text) > 3)
    if (number := _number_of(item)) is not None:
        if found.numeric and not found.firm:
            return abs(number) >= 1_000  # {"pin": 17, "mode": "OUTPUT"}
        if found.numeric:
            return found.kind != "password" or abs(number) >= 100  # {"pass": 41, "fail": 1}
        return found.firm and abs(number) >= 10_000
    parts = _parts(item)
    if parts is None or depth > 4:
        return found.firm
    is_login = found.kind == "token" and not parts.named and parts.length == 2  # auth=["bob", "x"]
    if is_login and type(item) is tuple:
        found = found._replace(firm=True)
    return (found.firm or is_login) and any(
        _goes(part, found, depth + 1)
        for key, part in islice(parts.items, _MANY)
        if not (parts.named and _is_about(found, key))
    )


def _is_about(found: Sensitive, key: object) -> bool:
    """Whether it says something about a secret: `{"token": {"state": "old", "expires_at": "2026-11-01"}}`."""
    return found.kind in _KINDS and type(key) is str and sensitivity(f"{found.kind} {key}") is None


_KINDS: Final = frozenset("password secret token cookie".split())
"""Kinds that are named as their keys are."""


# --- what is known by its real type --------------------------------------------------------------


def _text_of(value: Any) -> str | None:
    """The text a value is or stands for."""
    cls = type(value)
    if issubclass(cls, str):
        return str.__str__(value)
    if issubclass(cls, enum.Enum):
        inner = value._value_
        return _text_of(inner) if type(inner) is not cls else None
    if issubclass(cls, (bytes, bytearray, memoryview)):
        return bytes(memoryview(value)[:8_192]).decode("utf-8", "replace")
    for known, read in _READERS:
        if issubclass(cls, known):
            return read(value)
    return None


_READERS: Final[tuple[tuple[type, Callable[[Any], str]], ...]] = (
    (datetime.datetime, datetime.datetime.isoformat),
    (datetime.date, datetime.date.isoformat),
    (datetime.time, datetime.time.isoformat),
    (datetime.timedelta, datetime.timedelta.__str__),
    (uuid.UUID, uuid.UUID.__str__),
    (decimal.Decimal, decimal.Decimal.__str__),
    (pathlib.PurePath, pathlib.PurePath.__str__),
)


def _number_of(value: Any) -> int | float | None:
    cls = type(value)
    if issubclass(cls, int):
        return int.__index__(value)
    if issubclass(cls, float):
        return float.__float__(value)
    if issubclass(cls, enum.Enum):
        inner = value._value_
        return _number_of(inner) if type(inner) is not cls else None
    if issubclass(cls, numbers.Real):
        # Of numpy, and of others that say so.
        return int(value) if issubclass(cls, numbers.Integral) else float(value)
    return None


def _key_of(key: object) -> str:
    if key is None or type(key) is bool:
        return {None: "null", True: "true", False: "false"}[key]  # as JSON spells them
    text = _text_of(key)
    if text is None:
        number = _number_of(key)
        return type_name(key) if number is None else str(number)
    return text


class _Parts(NamedTuple):
    """What a container holds."""

    items: Iterator[tuple[object, object]]
    length: int
    named: bool


def _parts(value: Any) -> _Parts | None:
    cls = type(value)
    if issubclass(cls, dict):
        return _Parts(iter(dict.items(value)), dict.__len__(value), True)
    if issubclass(cls, tuple) and (names := _names(_declared(cls, "_fields"))):
        return _Parts(zip(names, tuple.__iter__(value), strict=False), len(names), True)
    for known in (list, tuple, deque):
        if issubclass(cls, known):
            return _unnamed(known.__iter__(value), known.__len__(value))
    for known_set in (set, frozenset):
        if issubclass(cls, known_set):
            return _unnamed(sorted(known_set.__iter__(value), key=_order), known_set.__len__(value))
    return _record(value, cls) or _foreign_mapping(value, cls)


def _unnamed(items: Iterable[object], count: int) -> _Parts:
    return _Parts(((None, item) for item in items), count, False)


def _order(item: object) -> tuple[str, str]:
    return type(item).__name__, item if type(item) is str else ""


def _record(value: Any, cls: type) -> _Parts | None:
    """The fields of a dataclass, pydantic model, attrs class or msgspec struct."""
    for mark in (
        "__dataclass_fields__",
        "__pydantic_fields__",
        "model_fields",
        "__struct_fields__",
        "__attrs_attrs__",
    ):
        if names := _names(_declared(cls, mark)):
            return _Parts(((name, _read(value, name)) for name in names), len(names), True)
    return None


def _declared(cls: type, mark: str) -> object:
    return next((base.__dict__[mark] for base in cls.__mro__ if mark in base.__dict__), None)


def _names(declared: object) -> tuple[str, ...]:
    if not isinstance(declared, (dict, tuple, list)):
        return ()
    names = tuple(getattr(name, "name", name) for name in islice(declared, _MANY))
    return names if all(type(name) is str for name in names) else ()


def _read(value: object, name: str) -> object:
    try:
        return object.__getattribute__(value, name)
    except Exception:  # noqa: BLE001 - so may a property
        return None


def _foreign_mapping(value: Any, cls: type) -> _Parts | None:
    """Headers, proxies and the like: anything registered as a mapping."""
    if not issubclass(cls, Mapping):
        return None
    pairs = [(key, value[key]) for key in islice(value, _MANY)]
    return _Parts(iter(pairs), len(pairs), True)


def type_name(value: object) -> str:
    """`<module.Type>`: all that is said about an object nobody knows."""
    cls = type(value)
    try:
        module, name = type.__dict__["__module__"].__get__(cls), type.__dict__["__qualname__"].__get__(cls)
        return f"<{module}.{name}>" if type(module) is str else f"<{name}>"
    except Exception:  # noqa: BLE001 - even a type can lie
        return "<object>"
