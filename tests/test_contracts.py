"""What a tool promises about how it fails."""

from __future__ import annotations

import asyncio
import copy
import functools
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextvars import Context, copy_context
from typing import Any
from unittest.mock import MagicMock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware.contracts import (
    Contract,
    ContractError,
    Mode,
    active,
    contract_of,
    current_contract,
    match,
    raises,
    recovery_for,
)
from mcp_error_middleware.errors import (
    BY_CODE,
    InternalError,
    McpError,
    NotFound,
    RateLimited,
    ValidationError,
)
from mcp_error_middleware.taxonomy import ErrorCode

SEARCH_FIRST = "Try pubmed_search_articles to discover valid PMIDs first."
WAIT = "Wait 30 seconds and retry, or reduce batch size."


class FetchErrors(Contract):
    no_match = Mode(ErrorCode.NOT_FOUND, when="No requested PMID returned data", recovery=SEARCH_FIRST)
    queue_full = Mode(
        ErrorCode.RATE_LIMITED, when="Local request queue is at capacity", recovery=WAIT, retryable=True
    )


def mode(code: Any = ErrorCode.CONFLICT, **changes: Any) -> Mode:
    return Mode(code, **{"when": "The record changed", "recovery": "Read the record again first.", **changes})


def said(error: McpError) -> tuple[type, str, dict[str, Any], bool | None]:
    return type(error), error.message, error.data, error.retryable


# --- raising -----------------------------------------------------------------------------------


def test_a_failure_carries_what_the_contract_says() -> None:
    assert said(FetchErrors.queue_full.fail()) == (
        RateLimited,
        "Local request queue is at capacity",
        {"reason": "queue_full", "recovery": {"hint": WAIT}},
        True,
    )


def test_the_author_adds_a_message_and_data() -> None:
    assert said(FetchErrors.no_match.fail("None of 3 PMIDs returned data", {"pmids": 3}, retry_after=5)) == (
        NotFound,
        "None of 3 PMIDs returned data",
        {"pmids": 3, "reason": "no_match", "recovery": {"hint": SEARCH_FIRST}, "retry_after": 5},
        None,
    )


def test_an_empty_message_is_the_authors_own() -> None:
    assert FetchErrors.no_match.fail("").message == ""


@given(
    st.dictionaries(
        st.sampled_from(["reason", "recovery", "retryable", "other"]) | st.text(max_size=8),
        st.none() | st.booleans() | st.text(max_size=8) | st.dictionaries(st.text(max_size=4), st.integers()),
    )
)
@settings(deadline=None)
def test_no_data_can_override_the_reason_or_take_the_hint_away(data: dict[str, Any]) -> None:
    before = copy.deepcopy(data)
    error = FetchErrors.queue_full.fail(data=data)
    assert error.reason == "queue_full"
    assert isinstance(error.data["recovery"]["hint"], str)
    assert error.data["recovery"]["hint"].strip()
    assert isinstance(error.retryable, bool)
    assert data == before


@pytest.mark.parametrize(
    ("data", "keyword", "expected"),
    [
        ({"recovery": {"hint": "Use ids 1-100."}}, None, {"hint": "Use ids 1-100."}),
        ({"recovery": "Use ids 1-100."}, None, {"hint": "Use ids 1-100."}),
        ({"recovery": {"docs": "/help"}}, None, {"docs": "/help", "hint": SEARCH_FIRST}),
        ({"recovery": {"hint": "Data.", "docs": "/help"}}, "Keyword.", {"hint": "Keyword.", "docs": "/help"}),
        ({"recovery": {"hint": " "}}, " ", {"hint": SEARCH_FIRST}),
        ({"recovery": {"hint": 7}}, None, {"hint": SEARCH_FIRST}),
        ({"recovery": None}, None, {"hint": SEARCH_FIRST}),
        (None, "Keyword.", {"hint": "Keyword."}),
    ],
)
def test_the_nearest_hint_counts(
    data: Mapping[str, Any] | None, keyword: str | None, expected: dict[str, str]
) -> None:
    assert FetchErrors.no_match.fail(data=data, recovery=keyword).data["recovery"] == expected


@pytest.mark.parametrize(
    ("keyword", "data", "expected"),
    [
        (None, None, True),
        (False, None, False),
        (None, {"retryable": False}, False),
        (True, {"retryable": False}, True),
        (None, {"retryable": "no"}, True),
    ],
)
def test_the_nearest_word_on_retrying_counts(
    keyword: bool | None, data: Mapping[str, Any] | None, expected: bool
) -> None:
    assert FetchErrors.queue_full.fail(data=data, retryable=keyword).retryable is expected


def test_the_cause_is_kept() -> None:
    cause = KeyError("pmid")
    with pytest.raises(NotFound) as caught:
        raise FetchErrors.no_match.fail() from cause
    assert caught.value.__cause__ is cause


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_fails_with_its_own_class(code: ErrorCode) -> None:
    assert type(mode(code).fail()) is BY_CODE[code]


def test_a_mode_outside_a_contract_has_no_reason_to_give() -> None:
    assert mode().fail(data={"reason": "own"}).data == {
        "reason": "own",
        "recovery": {"hint": "Read the record again first."},
    }


# --- raising by string -------------------------------------------------------------------------


def test_a_reason_known_at_run_time_fails_like_its_mode() -> None:
    options = ("3 waiting", {"depth": 3})
    by_name = FetchErrors.fail("queue_full", *options, recovery="Wait.", retryable=False, retry_after=9)
    by_mode = FetchErrors.queue_full.fail(*options, recovery="Wait.", retryable=False, retry_after=9)
    assert said(by_name) == said(by_mode)


def test_an_undeclared_reason_is_a_bug_that_does_not_hide_the_failure() -> None:
    error = FetchErrors.fail("no_mach", "None of 3 PMIDs returned data", {"pmids": 3}, retry_after=2)
    assert said(error) == (
        InternalError,
        "FetchErrors declares no reason 'no_mach', only no_match, queue_full: None of 3 PMIDs returned data",
        {
            "pmids": 3,
            "reason": "no_mach",
            "retry_after": 2,
            "declared_reasons": ["no_match", "queue_full"],
        },
        None,
    )


@pytest.mark.parametrize("reason", [None, ["no_match"], 7, pytest.param("x" * 10_000_000, id="huge")])
def test_a_reason_of_any_sort_gives_an_error_to_raise(reason: Any) -> None:
    error = FetchErrors.fail(reason)
    assert type(error) is InternalError
    assert len(error.message) < 200


# --- asking ------------------------------------------------------------------------------------


def test_a_contract_tells_its_modes() -> None:
    assert list(FetchErrors) == [FetchErrors.no_match, FetchErrors.queue_full]
    assert dict(FetchErrors.modes) == {
        "no_match": FetchErrors.no_match,
        "queue_full": FetchErrors.queue_full,
    }
    assert [each.reason for each in FetchErrors] == ["no_match", "queue_full"]


def test_a_contract_cannot_be_changed_through_its_modes() -> None:
    with pytest.raises(TypeError):
        FetchErrors.modes["other"] = mode()  # type: ignore[index]
    with pytest.raises(AttributeError):
        FetchErrors.no_match.recovery = "Other."  # type: ignore[misc]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_mode_survives_copying(duplicate: Callable[[Mode], Mode]) -> None:
    assert duplicate(FetchErrors.no_match) == FetchErrors.no_match


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("no_match", {"recovery": {"hint": SEARCH_FIRST}}), ("no_mach", {}), (None, {}), ([], {})],
)
def test_a_recovery_is_always_safe_to_spread(reason: Any, expected: dict[str, Any]) -> None:
    assert FetchErrors.recovery_for(reason) == expected
    assert recovery_for(reason, FetchErrors) == expected
    assert {"reason": reason, **recovery_for(reason)} == {"reason": reason}


# --- service code ------------------------------------------------------------------------------


def test_service_code_finds_the_recovery_of_the_running_call() -> None:
    with active(FetchErrors):
        assert recovery_for("no_match") == {"recovery": {"hint": SEARCH_FIRST}}
        with active(None):
            assert recovery_for("no_match") == {}
        assert current_contract.get() is FetchErrors
    assert recovery_for("no_match") == {}


def test_a_call_that_fails_leaves_no_contract_behind() -> None:
    with pytest.raises(LookupError), active(FetchErrors):
        raise LookupError
    assert current_contract.get() is None


def test_concurrent_calls_see_their_own_contract() -> None:
    class Other(Contract):
        no_match = mode(ErrorCode.NOT_FOUND, recovery="Ask somebody else about it.")

    async def call(contract: type[Contract]) -> dict[str, Any]:
        with active(contract):
            await asyncio.sleep(0)
            return await asyncio.to_thread(recovery_for, "no_match")

    async def both() -> list[dict[str, Any]]:
        return list(await asyncio.gather(call(FetchErrors), call(Other)))

    assert asyncio.run(both()) == [
        {"recovery": {"hint": SEARCH_FIRST}},
        {"recovery": {"hint": "Ask somebody else about it."}},
    ]


def test_leaving_in_another_context_is_harmless() -> None:
    call = active(FetchErrors)
    copy_context().run(call.__enter__)
    Context().run(call.__exit__, None, None, None)
    assert current_contract.get() is None


# --- matching ----------------------------------------------------------------------------------


class Uninitialised(NotFound):
    def __init__(self) -> None:
        """Forgets the base class."""


class Lying(Exception):
    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore
        return NotFound

    @property
    def reason(self) -> str:
        raise RuntimeError


class Hostile(NotFound):
    @property
    def reason(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("exc", "expected"),
    [
        (NotFound("gone", reason="no_match"), FetchErrors.no_match),
        (NotFound("gone", {"reason": "no_match"}), FetchErrors.no_match),
        (FetchErrors.queue_full.fail(), FetchErrors.queue_full),
        (ValidationError("another code, the same reason", reason="no_match"), FetchErrors.no_match),
        (NotFound("gone"), None),
        (NotFound("gone", reason="elsewhere"), None),
        (NotFound("gone", {"reason": ["no_match"]}), None),
        (KeyError("no_match"), None),
        (Uninitialised(), None),
        (Lying(), None),
        (Hostile(), None),
    ],
)
def test_an_error_is_the_mode_whose_reason_it_gives(exc: BaseException, expected: Mode | None) -> None:
    assert match(exc, FetchErrors) == expected
    assert match(exc, None) is None


# --- beside the tool ---------------------------------------------------------------------------


def traced(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


def hidden(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that keeps only `__wrapped__`."""

    def inner(*args: Any) -> Any:
        return function(*args)

    inner.__wrapped__ = function  # type: ignore[attr-defined]
    return inner


@raises(FetchErrors)
def fetch(pmids: list[str]) -> list[str]:
    return pmids


class Service:
    def undeclared(self) -> None: ...

    @raises(FetchErrors)
    def method(self) -> None: ...

    @raises(FetchErrors)
    @staticmethod
    def static() -> None: ...

    @raises(FetchErrors)
    @classmethod
    def of_class(cls) -> None: ...

    @staticmethod
    @raises(FetchErrors)
    def inner_static() -> None: ...

    @raises(FetchErrors)
    def __call__(self) -> None: ...


@raises(FetchErrors)
class DeclaredClass:
    def __call__(self) -> None: ...


class ToolObject:
    def __init__(self, fn: object) -> None:
        self.fn = fn


class Slotted:
    __slots__ = ("fn",)

    def __init__(self, fn: object) -> None:
        self.fn = fn


HIDDEN = {
    "function": fetch,
    "wrapped": traced(fetch),
    "wrapped twice, attributes lost": hidden(hidden(fetch)),
    "partial": functools.partial(fetch, []),
    "partial of a partial": functools.partial(functools.partial(traced(fetch)), []),
    "declared on a partial": raises(FetchErrors)(functools.partial(print)),
    "partial method": functools.partialmethod(fetch),
    "bound method": Service().method,
    "method": Service.method,
    "declared on a bound method": raises(FetchErrors)(Service().undeclared),
    "static method": Service.static,
    "static method object": Service.__dict__["static"],
    "static method declared inside": Service.inner_static,
    "class method": Service.of_class,
    "class method object": Service.__dict__["of_class"],
    "callable instance": Service(),
    "instance of a declared class": DeclaredClass(),
    "tool object": ToolObject(fetch),
    "tool object of a decorated partial": ToolObject(hidden(functools.partial(fetch))),
    "declared on a tool object": raises(FetchErrors)(Slotted(lambda: None)),
}


@pytest.mark.parametrize("tool", HIDDEN.values(), ids=HIDDEN)
def test_a_contract_is_found_through_what_hides_it(tool: object) -> None:
    assert contract_of(tool) is FetchErrors


def test_declaring_returns_the_same_function() -> None:
    def plain() -> None: ...

    assert raises(FetchErrors)(plain) is plain


def test_the_outermost_declaration_counts() -> None:
    class Other(Contract):
        stale = mode()

    assert contract_of(raises(Other)(hidden(fetch))) is Other
    assert contract_of(fetch) is FetchErrors


def test_a_contract_is_found_on_the_tools_of_fastmcp() -> None:
    pytest.importorskip("fastmcp")
    from fastmcp import FastMCP

    server: FastMCP[Any] = FastMCP("articles")

    @raises(FetchErrors)
    @server.tool
    async def after(pmid: str) -> str:
        return pmid

    @server.tool
    @raises(FetchErrors)
    def before(pmid: str) -> str:
        return pmid

    for name in ("after", "before"):
        assert contract_of(asyncio.run(server.get_tool(name))) is FetchErrors


def test_a_contract_is_found_on_the_tools_of_the_sdk() -> None:
    pytest.importorskip("mcp.server.mcpserver")
    from mcp.server.mcpserver.tools import Tool

    assert contract_of(Tool.from_function(fetch)) is FetchErrors
    assert (
        contract_of(raises(FetchErrors)(Tool.from_function(lambda pmid: pmid, name="plain"))) is FetchErrors
    )


class Inventive:
    """Has every attribute, each a new one."""

    def __getattr__(self, name: str) -> Inventive:
        return Inventive()


class Exploding:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class Circular:
    def __init__(self) -> None:
        self.__wrapped__ = self
        self.fn = self


def long_chain() -> object:
    return functools.reduce(lambda inner, _: ToolObject(inner), range(10_000), ToolObject(None))


@pytest.mark.parametrize("tool", [None, 7, "fetch", print, int, lambda: None, Contract, FetchErrors])
def test_an_object_without_a_contract_has_none(tool: object) -> None:
    assert contract_of(tool) is None


@pytest.mark.parametrize("make", [Inventive, Exploding, Circular, MagicMock, long_chain])
def test_a_hostile_object_has_no_contract(make: Callable[[], object]) -> None:
    assert contract_of(make()) is None


def test_an_attribute_that_is_no_contract_is_ignored() -> None:
    def tool() -> None: ...

    for value in ("FetchErrors", Contract, Inventive(), FetchErrors()):
        tool.__mcp_contract__ = value  # type: ignore[attr-defined]
        assert contract_of(tool) is None


@pytest.mark.parametrize("value", [None, "FetchErrors", FetchErrors(), Contract, fetch])
def test_only_a_contract_can_be_declared(value: Any) -> None:
    with pytest.raises(ContractError, match=r"^raises\(\) takes a contract: write @raises\(FetchErrors\)"):
        raises(value)


@pytest.mark.parametrize("tool", [len, 7, object()])
def test_what_cannot_carry_a_contract_says_so(tool: object) -> None:
    with pytest.raises(
        ContractError,
        match=r"^An object of type \w+ cannot carry a contract; name the tool in ErrorPolicy\(contracts",
    ):
        raises(FetchErrors)(tool)


# --- declaring ---------------------------------------------------------------------------------


def test_a_subclass_adds_its_modes_after_the_inherited_ones() -> None:
    class More(FetchErrors):
        stale = mode()

    assert list(More.modes) == ["no_match", "queue_full", "stale"]
    assert More.no_match is FetchErrors.no_match
    assert list(FetchErrors.modes) == ["no_match", "queue_full"]


def test_a_subclass_words_a_mode_anew_and_service_code_follows() -> None:
    class Careful(FetchErrors):
        no_match = mode(ErrorCode.NOT_FOUND, recovery="Ask the user for the title instead.")

    assert list(Careful.modes) == ["no_match", "queue_full"]
    assert match(FetchErrors.no_match.fail(), Careful) is Careful.no_match


def test_contracts_combine() -> None:
    class Write(Contract):
        stale = mode()

    class Both(FetchErrors, Write):
        """Nothing of its own."""

    assert set(Both.modes) == {"no_match", "queue_full", "stale"}


def test_two_parents_may_share_a_grandparent() -> None:
    class Left(FetchErrors):
        no_match = mode(ErrorCode.NOT_FOUND, recovery="Look to the left of it.")

    class Right(FetchErrors):
        stale = mode()

    class Both(Left, Right):
        """The nearest wording counts, as for any attribute."""

    assert Both.modes["no_match"] is Both.no_match is Left.no_match


def test_a_mode_is_shared_under_its_own_name() -> None:
    class Search(Contract):
        queue_full = FetchErrors.queue_full

    assert Search.modes == {"queue_full": FetchErrors.queue_full}


def test_methods_and_private_names_are_free() -> None:
    class Upstream(Contract):
        _LIMIT = 3
        down = mode(ErrorCode.SERVICE_UNAVAILABLE)

        @classmethod
        def for_status(cls, status: int) -> McpError:
            return cls.down.fail(f"HTTP {status}")

    assert list(Upstream.modes) == ["down"]
    assert Upstream.for_status(503).message == "HTTP 503"


def twice() -> None:
    class Copied(Contract):
        stale = mode()
        stale = mode(ErrorCode.NOT_FOUND)  # noqa: PIE794


def empty() -> None:
    class Empty(Contract):
        """Says nothing."""


def camel() -> None:
    class Camel(Contract):
        noMatch = mode()


def private() -> None:
    class Private(Contract):
        _stale = mode()


def reserved() -> None:
    class Reserved(Contract):
        fail = mode()  # type: ignore[assignment]  # pyright: ignore


def two_names() -> None:
    class Aliased(Contract):
        stale = mode()
        outdated = stale


def two_names_in_two_contracts() -> None:
    class Renamed(Contract):
        too_busy = FetchErrors.queue_full


def trailing_comma() -> None:
    class Comma(Contract):
        stale = (mode(),)


def hiding_a_mode() -> None:
    class Less(FetchErrors):
        no_match = None  # type: ignore[assignment]  # pyright: ignore


def hiding_a_mode_with_a_method() -> None:
    class Less(FetchErrors):
        def no_match(self) -> None: ...  # type: ignore[override]  # pyright: ignore


def another_code() -> None:
    class Changed(FetchErrors):
        no_match = mode(ErrorCode.FORBIDDEN)


def parents_at_odds() -> None:
    class Other(Contract):
        no_match = mode(ErrorCode.VALIDATION_ERROR)

    class Both(FetchErrors, Other): ...


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (twice, "Reason 'stale' is declared twice; rename one of the two."),
        (empty, "Empty declares no mode; add one, or declare no contract."),
        (camel, "'noMatch' in Camel is not a reason; use snake_case, such as no_match."),
        (private, "'_stale' in Private is not a reason; use snake_case, such as no_match."),
        (reserved, "Reason 'fail' in Reserved is a name of Contract itself; choose another."),
        (two_names, "Aliased.outdated is the mode 'stale' again; give it a Mode of its own."),
        (
            two_names_in_two_contracts,
            "Renamed.too_busy is the mode 'queue_full' again; give it a Mode of its own.",
        ),
        (
            trailing_comma,
            "Comma.stale is a tuple, not a Mode; write Mode(...), or begin the name with an underscore.",
        ),
        (
            hiding_a_mode,
            "Less.no_match is a NoneType, not a Mode; write Mode(...), or begin the name with an underscore.",
        ),
        (
            hiding_a_mode_with_a_method,
            "Less.no_match is a function, not a Mode; write Mode(...), or begin the name with an underscore.",
        ),
        (
            another_code,
            "Changed.no_match is NotFound in one class and Forbidden in another; "
            "give the two different names.",
        ),
        (
            parents_at_odds,
            "Both.no_match is ValidationError in one class and NotFound in another; "
            "give the two different names.",
        ),
    ],
)
def test_a_contract_that_cannot_hold_is_refused(declare: Callable[[], None], message: str) -> None:
    with pytest.raises(ContractError) as refused:
        declare()
    assert str(refused.value) == message


NO_WHEN = "A mode needs a `when`: one sentence that says in which situation it happens."
NO_RECOVERY = "A mode needs a `recovery`: one sentence that says what the agent should do next."


def no_code(shown: str) -> str:
    return f"{shown} is no code; use a member of ErrorCode, such as ErrorCode.NOT_FOUND."


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"when": ""}, NO_WHEN),
    ({"when": " \n"}, NO_WHEN),
    ({"when": None}, NO_WHEN),
    ({"recovery": ""}, NO_RECOVERY),
    ({"recovery": ["Wait."]}, NO_RECOVERY),
    ({"code": -32011}, no_code("-32011")),
    ({"code": "Missing"}, no_code("'Missing'")),
    ({"code": ""}, no_code("''")),
    ({"code": None}, no_code("None")),
    ({"code": []}, no_code("[]")),
    ({"code": True}, no_code("True")),
    ({"retryable": "yes"}, "`retryable` is 'yes'; use True, False or leave it out."),
    ({"retryable": 1}, "`retryable` is 1; use True, False or leave it out."),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES)
def test_a_mode_that_cannot_hold_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ContractError) as refused:
        mode(**changes)
    assert str(refused.value) == message


# --- from plain data ---------------------------------------------------------------------------

STALE = {"code": "Conflict", "when": "The record changed", "recovery": "Read the record again first."}


@pytest.mark.parametrize(
    "data",
    [
        {"stale": STALE},
        [{"reason": "stale", **STALE}],
        ({"reason": reason, **STALE} for reason in ["stale"]),
    ],
    ids=["mapping", "list", "generator"],
)
def test_a_contract_is_read_from_plain_data(data: Any) -> None:
    contract = Contract.of(data, "Written")
    (stale,) = contract
    assert (contract.__name__, stale.reason) == ("Written", "stale")
    assert stale == contract.modes["stale"]
    assert (stale.code, stale.when, stale.recovery, stale.retryable) == (
        ErrorCode.CONFLICT,
        STALE["when"],
        STALE["recovery"],
        None,
    )
    assert said(contract.fail("stale")) == said(contract.stale.fail())  # type: ignore[attr-defined]  # pyright: ignore


@pytest.mark.parametrize("code", ErrorCode)
def test_a_code_may_be_written_in_any_of_its_ways(code: ErrorCode) -> None:
    ways = [code, int(code), code.label, code.traits.name, code.name]
    modes = {f"way_{n}": {**STALE, "code": way, "retryable": False} for n, way in enumerate(ways)}
    assert [(each.code, each.retryable) for each in Contract.of(modes)] == [(code, False)] * len(ways)


def test_plain_data_extends_a_contract() -> None:
    assert list(FetchErrors.of({"stale": STALE}).modes) == ["no_match", "queue_full", "stale"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "Contract declares no mode; add one, or declare no contract."),
        ([], "Contract declares no mode; add one, or declare no contract."),
        (7, "A contract is a list or a mapping of modes, not int."),
        (
            "stale",
            "A mode is a mapping with `reason`, `code`, `when`, `recovery`, `retryable`, not str.",
        ),
        (
            {"stale": "Conflict"},
            "Mode 'stale' is a str, not a mapping with `code`, `when`, `recovery`, `retryable`.",
        ),
        (
            {"stale": {**STALE, "recovry": "Wait."}},
            "Mode 'stale' has `recovry`; it may have `code`, `when`, `recovery`, `retryable`.",
        ),
        ([STALE], "None in Contract is not a reason; use snake_case, such as no_match."),
        ({"Stale": STALE}, "'Stale' in Contract is not a reason; use snake_case, such as no_match."),
        ({"__slots__": STALE}, "'__slots__' in Contract is not a reason; use snake_case, such as no_match."),
        ({7: STALE}, "7 in Contract is not a reason; use snake_case, such as no_match."),
        ({"modes": STALE}, "Reason 'modes' in Contract is a name of Contract itself; choose another."),
        (
            [{"reason": "stale", **STALE}, {"reason": "stale", **STALE}],
            "Reason 'stale' is declared twice; rename one of the two.",
        ),
        ({"stale": {"code": "Conflict", "recovery": "Wait."}}, f"Mode 'stale': {NO_WHEN}"),
        *(({"stale": {**STALE, **changes}}, f"Mode 'stale': {text}") for changes, text in MISTAKES),
    ],
)
def test_plain_data_that_cannot_hold_is_refused(data: Any, message: str) -> None:
    with pytest.raises(ContractError) as refused:
        Contract.of(data)
    assert str(refused.value) == message


# --- alone -------------------------------------------------------------------------------------


def test_contracts_import_no_stack() -> None:
    stacks = "{'mcp', 'mcp_types', 'fastmcp', 'starlette', 'opentelemetry', 'structlog', 'pydantic', 'httpx'}"
    code = f"import sys, mcp_error_middleware.contracts; sys.exit(' '.join({stacks} & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
