"""The table of types: every row is reached, and says what the name does not."""

from __future__ import annotations

import builtins
import importlib
import sys

import pytest

from mcp_error_middleware.classify import classify
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.names import clue_in_name
from mcp_error_middleware.classify.profile import class_clue
from mcp_error_middleware.classify.types import BUGS, BUILTINS, GENERIC, TYPES
from mcp_error_middleware.taxonomy import ErrorCode


def stand_in(name: str) -> type[Exception]:
    module, _, qualname = name.rpartition(".")
    return type(qualname.rpartition(".")[2], (Exception,), {"__module__": module, "__qualname__": qualname})


def real(name: str) -> type[BaseException] | None:
    """The class itself, where its module is part of Python."""
    parts = name.split(".")
    if parts[0] not in sys.stdlib_module_names:
        return None
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part, None)  # type: ignore[assignment]
        return found  # type: ignore[return-value]
    return None


@pytest.mark.parametrize(("name", "clue"), TYPES.items())
def test_a_class_of_a_listed_name_gets_its_row(name: str, clue: Clue) -> None:
    found = class_clue(stand_in(name))
    assert found is not None
    assert (found.code, found.detail, found.retryable) == (clue.code, name, clue.retryable)


@pytest.mark.parametrize("name", sorted(n for n in TYPES if n.split(".")[0] in sys.stdlib_module_names))
def test_a_listed_name_of_the_standard_library_is_that_of_a_class(name: str) -> None:
    cls = real(name)
    if not isinstance(cls, type):
        pytest.skip("not in this version of Python or on this platform")
    found = class_clue(cls)
    assert found is not None
    assert found.code is TYPES[name].code


@pytest.mark.parametrize(("name", "clue"), TYPES.items())
def test_a_row_says_what_its_name_does_not(name: str, clue: Clue) -> None:
    named = clue_in_name(name.rpartition(".")[2])
    assert named is None or named[:2] != clue[:2] or named.retryable != clue.retryable


@pytest.mark.parametrize(("name", "clue"), BUILTINS.items())
def test_a_builtin_says_its_code_of_itself_and_of_subclasses(name: str, clue: Clue) -> None:
    cls: type[BaseException] = getattr(builtins, name)
    assert class_clue(cls) == clue
    assert class_clue(type("Thing", (cls,), {})) == clue


@pytest.mark.parametrize("name", sorted(GENERIC))
def test_a_generic_type_says_nothing(name: str) -> None:
    assert class_clue(getattr(builtins, name, None) or stand_in(name)) is None


@pytest.mark.parametrize("name", sorted(BUGS))
@pytest.mark.parametrize(
    "words",
    [
        "unexpected keyword argument 'timeout'",
        "permission denied",
        "rate limit exceeded",
        "not found",
        "Connection refused",
        "status code 404",
        "invalid token",
    ],
)
def test_the_words_of_a_bug_never_matter(name: str, words: str) -> None:
    exc = getattr(builtins, name)(words)
    assert classify(exc).code is ErrorCode.INTERNAL_ERROR


@pytest.mark.parametrize("base", [KeyError, IndexError, AttributeError, TypeError])
def test_a_telling_name_counts_for_more_than_the_bug_it_descends_from(base: type[Exception]) -> None:
    assert classify(type("OrderNotFound", (base,), {})("7")).code is ErrorCode.NOT_FOUND
    assert classify(type("OrderThing", (base,), {})("not found")).code is ErrorCode.INTERNAL_ERROR


def test_a_builtin_beside_a_librarys_own_family_does_not_make_a_bug() -> None:
    family = type("ShopError", (Exception,), {"__module__": "shop"})
    for bases in ((family, KeyError), (AttributeError, family)):
        cls = type("Thing", bases, {"__module__": "shop"})
        assert classify(cls("order 7 not found")).code is ErrorCode.NOT_FOUND
        assert classify(cls("oops")).code is ErrorCode.INTERNAL_ERROR
    dressed = type("NameError", (NameError, family), {"__module__": "builtins"})
    assert classify(dressed("timeout")).code is ErrorCode.INTERNAL_ERROR


def test_everyday_words_do_not_make_an_internal_error_the_callers() -> None:
    cls = type("ShopInternalError", (Exception,), {"__module__": "shop"})
    assert classify(cls("invalid merge behaviour")).code is ErrorCode.INTERNAL_ERROR
    assert classify(cls("connection refused")).code is ErrorCode.SERVICE_UNAVAILABLE


def test_builtins_weigh_less_than_names_and_more_than_weak_ones() -> None:
    faint = {name for name, clue in BUILTINS.items() if clue.weight is Weight.WEAK}
    assert faint == {"EOFError", "LookupError"}
    assert {clue.weight for name, clue in BUILTINS.items() if name not in faint} == {Weight.BASE}
    assert Weight.WEAK < Weight.BASE < Weight.TELLING < Weight.FIRM


def test_what_a_reader_of_configuration_misses_is_a_setting() -> None:
    base = type("ConfigError", (Exception,), {})
    assert classify(type("NotFoundError", (base,), {})("a not found")).code is ErrorCode.CONFIGURATION_ERROR


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("dateparsing.parser", ErrorCode.VALIDATION_ERROR),
        ("iso8601.iso8601", ErrorCode.VALIDATION_ERROR),
        ("yamlish.parser", ErrorCode.SERIALIZATION_ERROR),
        ("update.parser", ErrorCode.SERIALIZATION_ERROR),
    ],
)
def test_a_date_that_does_not_parse_is_a_bad_value(module: str, code: ErrorCode) -> None:
    cls = type("ParserError", (ValueError,), {"__module__": module})
    assert classify(cls("Unknown string format")).code is code


def test_a_store_that_is_out_of_memory_is_not_our_bug() -> None:
    base = type("ResponseError", (Exception,), {"__module__": "redis.exceptions"})
    verdict = classify(type("OutOfMemoryError", (base,), {})("command not allowed"))
    assert verdict.code is ErrorCode.DATABASE_ERROR
