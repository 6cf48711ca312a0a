"""The chain of an exception: complete, in order, bounded, and deaf to lies."""

from __future__ import annotations

from typing import NoReturn

import pytest

from mcp_error_middleware.classify.chain import Link, is_stop, qualified_name, safe_str, walk
from tests.effort import effort


def raised(*, cause: BaseException | None = None, context: BaseException | None = None) -> RuntimeError:
    exc = RuntimeError("outer")
    exc.__context__ = context
    if cause is not None:
        exc.__cause__ = cause
    return exc


def told(exc: BaseException) -> list[tuple[str, str, int]]:
    return [(str(link.exc), link.relation, link.depth) for link in walk(exc)]


def test_a_lone_exception_is_its_own_chain() -> None:
    exc = ValueError("x")
    assert list(walk(exc)) == [Link(exc, "raised", 0)]


def test_a_cause_hides_the_context_beside_it() -> None:
    exc = raised(cause=ValueError("cause"), context=KeyError("context"))
    assert told(exc) == [("outer", "raised", 0), ("cause", "cause", 1)]


def test_a_context_is_followed_where_there_is_no_cause() -> None:
    assert told(raised(context=ValueError("inner"))) == [("outer", "raised", 0), ("inner", "context", 1)]


def test_a_suppressed_context_is_listed_and_marked() -> None:
    exc = raised(context=ValueError("inner"))
    exc.__suppress_context__ = True
    assert told(exc) == [("outer", "raised", 0), ("inner", "suppressed", 1)]


def test_members_of_a_group_come_with_their_own_causes_before_the_cause_of_the_group() -> None:
    group = ExceptionGroup("g", [raised(cause=ValueError("a")), KeyError("b")])
    group.__cause__ = OSError("c")
    assert told(group) == [
        ("g (2 sub-exceptions)", "raised", 0),
        ("outer", "member", 1),
        ("a", "cause", 2),
        ("'b'", "member", 1),
        ("c", "cause", 1),
    ]


def test_groups_inside_a_chain_are_opened_too() -> None:
    exc = raised(cause=ExceptionGroup("g", [ExceptionGroup("h", [ValueError("x")])]))
    assert [link.relation for link in walk(exc)] == ["raised", "cause", "member", "member"]


def test_what_names_itself_as_its_cause_keeps_the_one_it_had() -> None:
    def reraise(error: BaseException) -> None:
        raise error from error

    inner = raised(context=KeyError("inner"))
    with pytest.raises(type(inner)) as caught:
        reraise(inner)

    assert told(caught.value) == [("outer", "raised", 0), ("'inner'", "cause", 1)]


def test_a_loop_is_walked_once() -> None:
    one, two = ValueError("1"), ValueError("2")
    one.__cause__, two.__cause__ = two, one
    assert told(one) == [("1", "raised", 0), ("2", "cause", 1)]


def test_a_node_that_two_members_share_is_listed_once() -> None:
    shared = OSError("shared")
    group = ExceptionGroup("g", [raised(cause=shared), raised(cause=shared)])
    assert sum(link.exc is shared for link in walk(group)) == 1


def test_of_a_very_wide_group_the_first_members_are_kept_and_the_others_cost_nothing() -> None:
    group = ExceptionGroup("g", [ValueError(str(number)) for number in range(200_000)])
    assert [str(link.exc) for link in walk(group)][1:] == [str(number) for number in range(49)]
    assert effort(lambda: list(walk(group))) < 2


def test_of_a_very_long_chain_the_first_links_and_the_root_are_kept() -> None:
    exc: BaseException = ValueError("root")
    for number in range(9_999):
        outer = RuntimeError(str(number))
        outer.__cause__ = exc
        exc = outer
    assert effort(lambda: list(walk(exc))) < 20
    links = list(walk(exc))
    assert len(links) == 50
    assert links[-1].relation == "cause"
    assert (str(links[0].exc), str(links[-1].exc), links[-1].depth) == ("9998", "root", 9_999)


def test_a_chain_of_exactly_the_limit_is_kept_whole() -> None:
    assert [str(link.exc) for link in walk(raised(cause=ValueError("root")), limit=2)] == ["outer", "root"]


def test_a_class_cannot_lie_about_its_cause() -> None:
    class Liar(Exception):
        @property
        def __cause__(self) -> NoReturn:  # type: ignore[override]
            raise SystemExit

    liar = Liar("x")
    BaseException.__dict__["__cause__"].__set__(liar, ValueError("real"))
    assert [link.relation for link in walk(liar)] == ["raised", "cause"]


# --- names -------------------------------------------------------------------------------------


class Outer:
    class Inner(Exception):
        pass


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (ValueError, "ValueError"),
        (Outer.Inner, f"{__name__}.Outer.Inner"),
        (TimeoutError, "TimeoutError"),
        (type("Bare", (Exception,), {"__module__": None}), "Bare"),
    ],
)
def test_a_class_is_named_by_module_and_qualname_builtins_without(cls: type, name: str) -> None:
    assert qualified_name(cls) == name


def test_a_class_is_named_at_no_more_length_than_a_line_can_hold() -> None:
    assert len(qualified_name(type("x" * 100_000, (Exception,), {}))) == 500


def test_a_metaclass_that_fights_back_still_yields_a_name() -> None:
    class Meta(type):
        def __hash__(cls) -> int:
            raise RuntimeError("no")

    assert qualified_name(Meta("Odd", (Exception,), {})) == "Odd"


# --- texts -------------------------------------------------------------------------------------


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


class Quitter(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Mute(Exception):
    def __str__(self) -> str:
        return None  # type: ignore[return-value]


class LongText(str):
    __slots__ = ()

    def __getitem__(self, key: object) -> str:
        return "lie"

    def __len__(self) -> int:
        return -1


@pytest.mark.parametrize("cls", [Unprintable, Quitter, Mute])
def test_an_exception_that_cannot_be_printed_is_named_instead(cls: type[Exception]) -> None:
    assert safe_str(cls("x")) == f"<{__name__}.{cls.__name__}: unprintable>"


def test_a_ctrl_c_during_printing_is_not_swallowed() -> None:
    class Interrupted(Exception):
        def __str__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        safe_str(Interrupted())


@pytest.mark.parametrize(
    ("exc", "text"),
    [
        (Exception("abcdef"), "abc"),
        (Exception(), ""),
        (Exception(LongText("abcdef")), "abc"),
        (KeyError("k"), "'k'"),
        (OSError(2, "gone"), "[Er"),
        (Exception(b"ab"), "b'a"),
        (Exception(7), "7"),
        (Exception("\ud800x"), "\ud800x"),
    ],
)
def test_a_text_is_cut_and_is_a_plain_string(exc: Exception, text: str) -> None:
    assert safe_str(exc, 3) == text
    assert type(safe_str(exc, 3)) is str


@pytest.mark.parametrize(
    "value", [[0] * 5_000_000, "x" * 50_000_000, b"x" * 50_000_000, {"k": [1] * 5_000_000}]
)
def test_a_huge_value_is_not_written_out_only_to_be_cut(value: object) -> None:
    assert len(safe_str(Exception(value), 100)) <= 100
    assert effort(lambda: safe_str(Exception(value), 100)) < 20


def test_several_arguments_read_as_a_tuple() -> None:
    assert safe_str(Exception("a", 1)) == "('a', 1)"


def test_a_structure_that_is_wide_at_every_level_is_not_written_out_to_be_cut() -> None:
    wide: list[object] = [1] * 40
    for _ in range(6):
        wide = [wide] * 40

    assert safe_str(ValueError(wide)).startswith("[[[[[")
    assert safe_str(ValueError(wide, wide)).startswith("([[[[[")
    assert effort(lambda: safe_str(ValueError(wide, wide))) < 20


# --- what goes on up ---------------------------------------------------------------------------


def nested(exc: BaseException, levels: int, wide: int = 1) -> BaseException:
    for _ in range(levels):
        exc = BaseExceptionGroup("group", [exc] * wide)
    return exc


@pytest.mark.parametrize(("levels", "wide"), [(5_000, 1), (60, 2)])
def test_a_ctrl_c_is_found_however_deep_or_tangled_the_groups_around_it_are(levels: int, wide: int) -> None:
    assert is_stop(nested(KeyboardInterrupt(), levels, wide))
    assert not is_stop(nested(ValueError(), levels, wide))
