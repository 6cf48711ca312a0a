"""What a builtin was raised on purpose to say, and what is still a slip."""

from __future__ import annotations

import asyncio
import codecs
import concurrent.futures
import contextvars
import dataclasses
import datetime
import enum
import fractions
import importlib
import inspect
import logging
import math
import mmap
import multiprocessing
import multiprocessing.pool
import operator
import os
import subprocess
import time
import unicodedata
import zipfile
from collections import namedtuple
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from io import BytesIO
from pathlib import Path
from typing import Any, Never

import pytest
from starlette.config import Config

from mcp_error_middleware.classify import Classifier, classify, engine, explain

pwd = pytest.importorskip("pwd", reason="asks the accounts of a POSIX system")


def failure(act: Callable[[], Any]) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of whatever type
        act()
    return caught.value


def label(act: Callable[[], Any]) -> str:
    error = failure(act)
    assert classify(error) == Classifier()(error) == engine.Inquiry().answer(error)
    return classify(error).code.label


def raising(error: Exception) -> Callable[[], Never]:
    def act() -> Never:
        raise error

    return act


class Colour(enum.Enum):
    RED = 1


def archive() -> zipfile.ZipFile:
    empty = BytesIO()
    zipfile.ZipFile(empty, "w").close()
    return zipfile.ZipFile(empty)


def promised(error: Exception) -> Any:
    future: concurrent.futures.Future[Any] = concurrent.futures.Future()
    future.set_exception(error)
    return future.result()


def mutable() -> Any:
    return dataclasses.make_dataclass("Cart", [("items", list, [])])


def doubled() -> Any:
    @enum.unique
    class Size(enum.Enum):
        BIG = 1
        LARGE = 1  # noqa: PIE796

    return Size


async def foreign() -> None:
    elsewhere = asyncio.new_event_loop()
    try:
        await asyncio.wait_for(asyncio.gather(elsewhere.create_future(), elsewhere.create_future()), 1)
    finally:
        elsewhere.close()


def ended() -> Any:
    pool = multiprocessing.pool.ThreadPool(1)
    pool.close()
    return pool.apply(int, ("1",))


def test_what_a_library_looked_up_and_says_it_has_not_is_not_found() -> None:
    assert label(lambda: archive().getinfo("nope")) == "NotFound"
    assert label(lambda: pwd.getpwnam("nobody-of-that-name")) == "NotFound"
    assert label(lambda: unicodedata.lookup("NO SUCH CHARACTER")) == "NotFound"


def test_an_encoding_that_nobody_knows_is_a_bad_value() -> None:
    assert label(lambda: codecs.lookup("no-such-encoding")) == "ValidationError"


def test_a_setting_that_a_library_for_settings_misses_is_the_configurations() -> None:
    assert label(lambda: Config()("NO_SUCH_SETTING")) == "ConfigurationError"


def test_a_key_that_is_not_there_is_a_slip_however_it_is_spelt() -> None:
    nothing: dict[str, int] = {}
    assert label(lambda: nothing["port"]) == "InternalError"
    assert label(lambda: nothing["no such key is not found"]) == "InternalError"
    assert label(lambda: nothing.pop("the port")) == "InternalError"
    assert label(nothing.popitem) == "InternalError"
    assert label(lambda: Colour["BLUE"]) == "InternalError"


def test_what_a_handler_of_ones_own_raises_stays_a_slip() -> None:
    assert label(raising(KeyError("There is no order named 7"))) == "InternalError"
    assert label(raising(NotImplementedError("format 'x' not supported"))) == "InternalError"
    assert label(raising(AttributeError("unknown colour 'x'"))) == "InternalError"
    assert label(lambda: promised(KeyError("unknown city"))) == "InternalError"


def test_a_client_that_was_given_nothing_to_sign_in_with_is_not_set_up() -> None:
    said = "Could not find a way to sign in. Expected either api_key or auth_token to be set."
    client = library(f"def connect(): raise TypeError({said!r})")

    assert label(client["connect"]) == "ConfigurationError"
    assert label(raising(TypeError(said))) == "InternalError"


def test_a_client_that_asserts_which_answer_it_got_tells_its_status() -> None:
    said = "Unexpected response status code: 404. Expected 200 or 204."
    client = library(
        f"def get(): raise AssertionError({said!r})\ndef grow(): raise AssertionError('404 rings')"
    )

    assert label(client["get"]) == "NotFound"
    assert label(client["grow"]) == "InternalError"
    assert label(raising(AssertionError(said))) == "InternalError"


def library(source: str) -> dict[str, Any]:
    """The names of a module that looks as if it were installed."""
    names: dict[str, Any] = {"__name__": "shapes"}
    exec(compile(source, "/opt/lib/site-packages/shapes.py", "exec"), names)
    return names


SHAPES = """
def load(kind):
    raise NotImplementedError(f"file type {kind!r} is not supported")

def area(self):
    raise NotImplementedError("not supported by this shape")

def draw(method):
    raise NotImplementedError(f"method {method} not supported, implement it in a subclass")

def setting(name):
    raise AttributeError(f"Invalid setting for shapes: {name}")

def __getattr__(name):
    raise AttributeError(f"module 'shapes' has no attribute {name!r}")

def locale(name):
    raise NameError(f"Unknown locale {name!r}, did you mean one of: de, en?")

def drawn(name):
    raise NameError(f"{name!r} is not defined in this drawing")

def column(name):
    raise KeyError(f"Unknown column {name!r} in the shapes")

def country(name):
    raise LookupError(name)

def wrapped(name):
    raise KeyError(name)
"""


@pytest.mark.parametrize(
    ("function", "argument", "expected"),
    [
        ("load", "nope", "ValidationError"),
        ("area", "self", "InternalError"),
        ("draw", "line", "InternalError"),
        ("setting", "zz", "ValidationError"),
        ("__getattr__", "nope", "InternalError"),
        ("locale", "zz", "ValidationError"),
        ("drawn", "x", "InternalError"),
        ("column", "x", "InternalError"),
        ("country", "zz", "NotFound"),
        ("wrapped", "the key of this", "InternalError"),
    ],
)
def test_a_library_that_names_what_it_was_given_has_refused_it(
    function: str, argument: str, expected: str
) -> None:
    assert label(lambda: library(SHAPES)[function](argument)) == expected


def test_what_wraps_a_refusal_takes_its_code() -> None:
    def act() -> None:
        try:
            archive().getinfo("nope")
        except KeyError as error:
            raise RuntimeError("no report") from error

    assert label(act) == "NotFound"


def test_a_refusal_is_among_what_is_explained() -> None:
    error = failure(lambda: archive().getinfo("nope"))
    assert str(explain(error)).splitlines()[:2] == [
        "NotFound, not retryable",
        "  decided by purpose: KeyError -> NotFound",
    ]


def test_a_number_that_is_too_large_for_python_is_a_bad_value() -> None:
    assert label(lambda: datetime.timedelta(days=10**12)) == "ValidationError"
    assert label(lambda: int(float("inf"))) == "ValidationError"
    assert label(lambda: (300).to_bytes(1, "big")) == "ValidationError"
    assert label(lambda: (-1).to_bytes(1, "big")) == "ValidationError"
    assert label(lambda: datetime.date.max + datetime.timedelta(1)) == "ValidationError"
    assert label(lambda: time.localtime(1e20)) == "ValidationError"
    assert label(lambda: datetime.datetime.fromtimestamp(1e17, datetime.UTC)) == "ValidationError"
    assert label(lambda: time.localtime(1e17)) == "ValidationError"
    assert label(lambda: chr(10**30)) == "ValidationError"
    assert label(lambda: float(10**400)) == "ValidationError"
    assert label(lambda: fractions.Fraction(float("inf"))) == "ValidationError"


def test_a_sum_that_overflows_is_a_slip() -> None:
    assert label(lambda: math.exp(1000)) == "InternalError"
    assert label(lambda: 10.0 ** len("x" * 400)) == "InternalError"


@pytest.mark.parametrize(
    "act",
    [
        lambda: subprocess.run(["x"], capture_output=True, stdout=1, check=False),
        mutable,
        doubled,
        ended,
        lambda: asyncio.run(foreign()),
        lambda: concurrent.futures.ThreadPoolExecutor(0),
        lambda: inspect.Parameter("x-y", inspect.Parameter.KEYWORD_ONLY),
        lambda: namedtuple("Point", "1x"),
        lambda: logging.getLogger("shop").setLevel("NOPE"),
    ],
    ids=("subprocess", "dataclass", "enum", "pool", "loop", "executor", "signature", "namedtuple", "logging"),
)
def test_what_only_code_can_give_to_the_standard_library_is_no_callers(act: Callable[[], object]) -> None:
    assert label(act) == "InternalError"


UNPAIRED: Any = ["a"]


class Endless:
    def __len__(self) -> int:
        return -1


def unmapped() -> None:
    memory = mmap.mmap(-1, 8)
    memory.close()
    memory.read()


def elsewhere() -> None:
    variable = contextvars.ContextVar[int]("order")
    token = contextvars.copy_context().run(variable.set, 7)
    variable.reset(token)


@pytest.mark.parametrize(
    "act",
    [
        lambda: dict(UNPAIRED),
        lambda: str.format(*("{:d}", "x")),
        lambda: str.format(*("{:,}", "x")),
        lambda: str.format(*("{", "x")),
        lambda: str.format(*("{} {0}", "x")),
        lambda: operator.mod(*("%z", 1)),
        lambda: BytesIO().seek(0, 9),
        lambda: os.fdopen(0, "rb", encoding="utf-8"),
        lambda: os.fdopen(0, "rw"),
        lambda: type("Slots", (), {"__slots__": ("a",), "a": 1}),
        lambda: list(zip([1], [1, 2], strict=True)),
        lambda: len(Endless()),
        lambda: ().index(7),
        unmapped,
        elsewhere,
    ],
    ids=(
        "pairs", "code", "comma", "brace", "numbering", "percent", "whence", "binary", "mode", "slots", "zip",
        "length", "index", "mmap", "context",
    ),
)  # fmt: skip
def test_what_only_code_gets_wrong_in_the_language_is_no_callers(act: Callable[[], object]) -> None:
    assert label(act) == "InternalError"


def test_a_value_that_only_passed_through_the_standard_library_stays_the_callers() -> None:
    assert label(lambda: subprocess.run(["a\0b"], check=False)) == "ValidationError"
    assert label(lambda: Colour("blue")) == "ValidationError"
    assert label(lambda: promised(ValueError("Unknown city x"))) == "ValidationError"
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        assert label(lambda: pool.submit(int, "x").result()) == "ValidationError"
    assert label(raising(ValueError("Pool not running"))) == "ValidationError"


def test_the_text_of_a_traceback_is_no_evidence() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert label(lambda: pool.apply(int, ("x",))) == "ValidationError"
        assert label(lambda: pool.apply(math.sqrt, ("x",))) == "InternalError"
    with concurrent.futures.ProcessPoolExecutor(
        1, mp_context=multiprocessing.get_context("spawn")
    ) as executor:
        assert label(lambda: executor.submit(int, "x").result()) == "ValidationError"


def test_an_error_does_speak_where_its_traceback_may_not() -> None:
    carrier = type("RemoteTraceback", (Exception,), {"__module__": "shop"})
    error = RuntimeError("boom")
    error.__cause__ = carrier('"""\nConnectionRefusedError: connection refused\n"""')
    assert classify(error).code.label == "InternalError"
    error.__cause__ = ConnectionRefusedError(111, "connection refused")
    assert classify(error).code.label == "ServiceUnavailable"


def test_a_part_of_the_program_that_does_not_read_is_no_callers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tools_of_a_shop.py").write_text("def price(:\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert label(lambda: importlib.import_module("tools_of_a_shop")) == "InternalError"
    assert label(import_tools) == "InternalError"

    def read(loader: object, data: bytes, path: str, **options: Any) -> object:
        """As tools do that rewrite what is imported."""
        return compile(data, path, "exec", dont_inherit=True)

    monkeypatch.setattr(SourceFileLoader, "source_to_code", read)
    assert label(import_tools) == "InternalError"


def import_tools() -> None:
    import tools_of_a_shop  # type: ignore[import-not-found]  # noqa: F401


def test_code_that_the_caller_wrote_is_the_callers() -> None:
    assert label(lambda: eval("1 +")) == "ValidationError"
    assert label(lambda: compile("def price(:", "tools.py", "exec")) == "ValidationError"
    assert label(lambda: compile("if 1:\npass", "<string>", "exec")) == "ValidationError"


def test_a_bad_value_that_only_repeats_a_slip_of_the_program_is_one() -> None:
    def priced(order: Any) -> None:
        try:
            order.price()
        except (AttributeError, TypeError) as error:
            raise ValueError(f"Failed to price: {error}") from error

    def handled(order: Any) -> None:
        try:
            order.price()
        except AttributeError:
            raise ValueError("No such order")  # noqa: B904 - as people write it

    def got(order: Any, name: str) -> None:
        try:
            getattr(order, name)
        except AttributeError as error:
            raise ValueError(f"Failed to get: {error}") from error

    def unnamed() -> None:
        try:
            prices  # type: ignore[name-defined]  # noqa: B018 - the slip
        except NameError as error:
            raise ValueError(f"Failed to price: {error}") from error

    def of_the_callers(text: str) -> None:
        try:
            exec(text)
        except (AttributeError, NameError) as error:
            raise ValueError(f"Failed: {error}") from error

    def looked_up(name: str) -> None:
        try:
            getattr(math, name)
        except AttributeError as error:
            raise ValueError(f"Unknown function: {error}") from error

    class Order:
        def price(self, currency: str) -> None:
            pass

    assert label(lambda: priced(None)) == "InternalError"
    assert label(lambda: priced(Order())) == "InternalError"
    assert label(unnamed) == "InternalError"
    assert label(lambda: priced(7)) == "InternalError"
    assert label(lambda: got(7, "price")) == "ValidationError"
    assert label(lambda: handled(None)) == "ValidationError"
    assert label(lambda: of_the_callers("None.price()")) == "ValidationError"
    assert label(lambda: of_the_callers("prices")) == "ValidationError"
    assert label(lambda: looked_up("cube")) == "ValidationError"


def test_a_lookup_error_that_the_program_raises_says_that_something_is_not_there() -> None:
    def find(user: str) -> None:
        raise LookupError(f"no user {user!r}")

    assert label(lambda: find("ada")) == "NotFound"
    users: dict[str, str] = {}
    assert label(lambda: users["no user 'ada'"]) == "InternalError"
