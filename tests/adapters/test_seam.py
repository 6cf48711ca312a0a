"""Whose an exception is to answer, and what its answer may carry."""

from __future__ import annotations

import pytest

from mcp_error_middleware.adapters.seam import is_open, is_ours
from mcp_error_middleware.policy import ErrorPolicy


def grouped(exc: BaseException, levels: int, wide: int) -> BaseException:
    for _ in range(levels):
        exc = BaseExceptionGroup("group", [exc] * wide)
    return exc


@pytest.mark.parametrize(("levels", "wide"), [(0, 1), (3, 2), (5_000, 1), (60, 2)])
def test_it_takes_no_longer_to_tell_however_deep_or_tangled_the_groups_are(levels: int, wide: int) -> None:
    assert is_ours(grouped(SystemExit(1), levels, wide))
    assert not is_ours(grouped(KeyboardInterrupt(), levels, wide))
    assert not is_ours(
        BaseExceptionGroup("mixed", [ValueError(), grouped(KeyboardInterrupt(), levels, wide)])
    )


def test_what_refuses_to_say_its_class_is_ours_like_any_other() -> None:
    class Liar(BaseException):
        @property  # type: ignore[misc]
        def __class__(self) -> type:  # pyright: ignore
            raise RuntimeError("no class")

    assert is_ours(Liar())


def test_each_schema_is_judged_for_itself_and_by_the_policy_it_is_asked_with() -> None:
    open_one = {"type": "object", "properties": {"total": {"type": "integer"}}}
    closed = {**open_one, "required": ["total"]}
    widening, strict = ErrorPolicy(widen_output_schema=True), ErrorPolicy(widen_output_schema=False)

    # Twice, since what was found is kept.
    for _ in range(2):
        assert [is_open(schema, strict) for schema in (None, open_one, closed)] == [True, True, False]
        assert [is_open(schema, widening) for schema in (None, open_one, closed)] == [True, True, True]
