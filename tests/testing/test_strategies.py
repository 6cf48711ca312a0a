from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from mcp_error_middleware import Call, McpError
from mcp_error_middleware.render import tool_result
from mcp_error_middleware.testing.hostile import Lying
from mcp_error_middleware.testing.spec import find_problems
from mcp_error_middleware.testing.strategies import BUILTINS, chains, exceptions, groups, json_values
from mcp_error_middleware.triage import Triage

TRIAGE = Triage()


@given(exceptions)
def test_whatever_is_raised_becomes_one_compliant_answer(error: BaseException) -> None:
    failure = TRIAGE(error, Call(target="ship"))

    assert failure.degraded == ()
    assert find_problems(tool_result(failure)) == []


@given(json_values)
def test_json_values_can_be_written(value: Any) -> None:
    assert find_problems({"result": {"value": value}}) == []


@pytest.mark.parametrize("kind", [OSError, McpError, SystemExit, Lying, BaseExceptionGroup])
def test_every_kind_of_exception_can_come(kind: type[BaseException]) -> None:
    assert _found(exceptions, lambda error: issubclass(type(error), kind))


def test_chains_have_causes_and_groups_have_groups() -> None:
    simple = st.builds(KeyError)

    assert isinstance(_found(chains(simple), lambda error: error.__cause__ is not None).__cause__, KeyError)
    assert _found(groups(simple), lambda error: isinstance(error.exceptions[0], ExceptionGroup))


def _found(strategy: st.SearchStrategy[Any], is_meant: Callable[[Any], bool]) -> Any:
    drawn = settings(max_examples=5_000, phases=[Phase.generate], database=None)
    return find(strategy, is_meant, settings=drawn)


def test_the_builtin_exceptions_are_those_a_handler_may_raise() -> None:
    assert {ValueError, OSError, KeyError, StopIteration} <= set(BUILTINS)
    assert not {KeyboardInterrupt, UserWarning, UnicodeDecodeError, ExceptionGroup} & set(BUILTINS)
