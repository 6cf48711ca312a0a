from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from mcp_error_middleware.advice import Around, looked_up, misfit, quoted
from mcp_error_middleware.model import Call
from mcp_error_middleware.policy import ErrorPolicy
from mcp_error_middleware.triage import Triage


def answer(exc: BaseException, policy: ErrorPolicy | None = None, **arguments: Any) -> tuple[str, str]:
    call, around = Call(method="tools/call", target="fit"), Around(arguments=arguments)
    failure = Triage(policy or ErrorPolicy())(exc, call, around=around)
    return failure.code.label, failure.hint.text


def raised(step: Callable[..., object], **arguments: Any) -> BaseException:
    try:
        step(**arguments)
    except Exception as exc:
        return exc
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("said", "arguments", "name"),
    [
        (
            "operands could not be broadcast together with shapes (2,) (3,) ",
            {"a": [5, 6], "b": [7, 8, 9]},
            "a",
        ),
        ("shapes (1,2) and (1,2) not aligned: 2 (dim 1) != 1 (dim 0)", {"m": [[5, 6]]}, "m"),
        (
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            "(n?,k),(k,m?)->(n?,m?) (size 1 is different from 2)",
            {"m": [[5, 6]]},
            "m",
        ),
        ("cannot reshape array of size 4 into shape (3,5)", {"m": [[1, 2], [3, 4]], "shape": [3, 5]}, "m"),
        (
            "Found input variables with inconsistent numbers of samples: [2, 3]",
            {"x": [5, 5], "y": [6] * 3},
            "x",
        ),
        (
            "Expected 2D array, got 1D array instead:\narray=[7 8 9].\nReshape it with (1, -1)",
            {"x": [7, 8]},
            "x",
        ),
    ],
)
def test_arrays_of_the_sizes_in_the_text_are_the_callers(
    said: str, arguments: dict[str, Any], name: str
) -> None:
    told = ("ValidationError", f"Correct {name} as described, then call again.")

    assert answer(ValueError(said), limit=50, **arguments) == told


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"a": 3, "b": 4},
        {"a": [1, 2]},
        {"a": [7, 8, 9]},
        {"a": "(3,) (4,)"},
        {"a": {"b": [1, 2, 3]}},
    ],
)
def test_arrays_of_other_sizes_are_the_codes_own(arguments: dict[str, Any]) -> None:
    said = "operands could not be broadcast together with shapes (3,) (4,)"

    assert answer(ValueError(said), **arguments)[0] == "InternalError"


def test_a_mistake_that_names_no_size_stays_one() -> None:
    assert answer(ValueError("The truth value of a Series is ambiguous."), a=[1, 2])[0] == "InternalError"
    assert answer(ValueError("All arrays must be of the same length"), a=[1], b=[1, 2])[0] == "InternalError"


@pytest.mark.parametrize("template", ["{name:d}", "{name", "name}"])
def test_a_template_of_the_callers_that_does_not_read_is_the_callers(template: str) -> None:
    def greet(template: str) -> str:
        return template.format(name="Ann")

    told = ("ValidationError", "Correct template as described, then call again.")
    assert answer(raised(greet, template=template), template=template) == told


@pytest.mark.parametrize("template", ["%(name)z", "%(name"])
def test_a_template_of_the_older_kind_is_too(template: str) -> None:
    def greet(template: str) -> str:
        return template % {"name": "Ann"}

    assert answer(raised(greet, template=template), template=template)[0] == "ValidationError"


@pytest.mark.parametrize("name", ["Ann", "50% off", "a {b} c"])
def test_a_format_of_the_codes_own_is_not(name: str) -> None:
    def greet(name: str) -> str:
        form = "{:d}"
        return form.format(name)

    assert answer(raised(greet, name=name), name=name)[0] == "InternalError"


def test_what_is_no_bad_value_is_not_looked_at() -> None:
    said = "operands could not be broadcast together with shapes (2,) (3,)"

    assert answer(TypeError(said), a=[5, 6], b=[7, 8, 9])[0] == "InternalError"
    assert answer(ValueError(said), ErrorPolicy(suggest=False), a=[5, 6], b=[7, 8, 9])[0] == "InternalError"


@pytest.mark.parametrize("arguments", [None, [], {7: [1, 2]}, {"a": []}, {"a": [[[[[[[]]]]]]]}])
def test_arguments_of_any_kind_are_survived(arguments: object) -> None:
    assert misfit("shapes (2,) (3,)", arguments, [[object()]]) is None


def test_a_text_of_the_callers_that_a_library_could_not_take_apart_is_the_callers() -> None:
    source = "def split(text):\n    first, last = text.split('-')\n    return first, last\n"
    ranges: dict[str, Any] = {"__name__": "ranges"}
    exec(compile(source, "site-packages/ranges.py", "exec"), ranges)

    def read(range: str) -> object:
        return ranges["split"](range)

    def split(range: str) -> object:
        first, last = range.split("-")
        return first, last

    told = ("ValidationError", "Correct range as described, then call again.")
    for sent in ("7", "7-8-9"):
        assert answer(raised(read, range=sent), range=sent) == told
        assert answer(raised(read, range=sent), other=sent + "-")[0] == "InternalError"
        assert answer(raised(split, range=sent), range=sent)[0] == "InternalError"


def test_a_value_of_the_callers_that_only_code_hands_over_is_the_callers() -> None:
    def listen(level: str) -> None:
        logging.getLogger("shop").setLevel(level)

    told = ("ValidationError", "Correct level as described, then call again.")
    assert answer(raised(listen, level="LOUD"), level="LOUD") == told
    others: tuple[dict[str, Any], ...] = ({"level": "loud"}, {"level": 7}, {"level": ""}, {})
    for sent in others:
        assert answer(raised(listen, level="LOUD"), **sent)[0] == "InternalError"
    assert quoted("Unknown level: 'LOUD'", None) is None


def test_what_a_library_did_not_have_is_the_callers_if_it_was_what_they_sent() -> None:
    source = (
        "def column(name):\n    return {'price': 7}[name]\n"
        "def page(number):\n    raise IndexError(f'page {number} not in document')\n"
        "def pick(names):\n    raise KeyError(f'None of {names} are in the columns')\n"
        "def apply(how, to=None):\n"
        "    if to: return to.mean\n"
        "    raise AttributeError(f'{how!r} is not a valid function')\n"
        "def fill(how, holes=7):\n    raise TypeError(f'{how!r} takes 3 arguments')\n"
        "class Lines:\n    def __getitem__(self, at):\n        raise IndexError('index out of range')\n"
        "def line(number, lines=12):\n    raise IndexError('index out of range')\n"
    )
    table: dict[str, Any] = {"__name__": "tables"}
    exec(compile(source, "site-packages/tables.py", "exec"), table)

    def total(column: str) -> object:
        try:
            return table["column"](column)
        except KeyError as error:
            raise RuntimeError(f"No total: {error}") from error

    def text(page: int) -> object:
        return table["page"](page)

    def verse(line: int) -> object:
        return table["Lines"]()[line - 1]

    def own(column: str) -> object:
        return {"price": 7}[column]

    told = ("ValidationError", "Correct column as described, then call again.")
    assert answer(raised(total, column="size"), column="size") == told
    assert answer(raised(text, page=9), page=9)[0] == "ValidationError"

    def pick(columns: list[str]) -> object:
        return table["pick"](columns)

    def apply(how: str, **to: Any) -> object:
        return table["apply"](how, **to)

    assert answer(raised(pick, columns=["size"]), columns=["size"])[0] == "ValidationError"
    assert answer(raised(pick, columns=["size"]), columns=["sizes"])[0] == "InternalError"
    assert answer(raised(apply, how="mean"), how="mean")[0] == "ValidationError"
    assert answer(raised(apply, how="mean", to="7"), how="mean")[0] == "InternalError"
    assert answer(raised(lambda how: table["fill"](how), how="mean"), how="mean", n=3)[0] == "InternalError"
    assert answer(raised(verse, line=9), line=9)[0] == "ValidationError"
    assert answer(raised(verse, line=9), line=10)[0] == "InternalError"
    assert answer(raised(verse, line=1), line=1)[0] == "InternalError"
    assert answer(raised(lambda limit: table["line"](1), limit=12), limit=12)[0] == "InternalError"
    assert answer(raised(total, column="size"), column="sizes")[0] == "InternalError"
    assert answer(raised(text, page=9), page=8, all=True)[0] == "InternalError"
    assert answer(raised(own, column="size"), column="size")[0] == "InternalError"
    assert looked_up(["size"], None) is None
