import asyncio
import json
import re
import threading
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import orjson
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_error_middleware import (
    Call,
    Contract,
    ErrorCode,
    ErrorPolicy,
    Exposure,
    Failure,
    Hint,
    McpError,
    Mode,
    NotFound,
    RateLimited,
    Triage,
    ValidationError,
    by_type,
    guard,
)
from mcp_error_middleware import triage as triage_module
from mcp_error_middleware.advice import Around
from mcp_error_middleware.errors import BY_CODE, CodedError
from mcp_error_middleware.model import Issue
from mcp_error_middleware.render import error_object, error_text, tool_result
from mcp_error_middleware.sanitize import Scrubber
from mcp_error_middleware.telemetry.logs import record
from tests.stacks.faults import httpx

SECRET = "sk-proj-4f9aB2cD8eF1gH3iJ5kL7mN9oP1qR3sT5uV7wX9y"


def raised(exc: BaseException) -> BaseException:
    try:
        raise exc
    except BaseException as caught:
        return caught


# --- what text may leave ---


def test_declared_text_and_data_leave_scrubbed() -> None:
    failure = Triage()(
        NotFound(f"No order for key {SECRET}.", data={"order": "ord_9", "password": "hunter2"})
    )

    assert (failure.code, failure.data["order"]) == (ErrorCode.NOT_FOUND, "ord_9")
    assert failure.message.startswith("No order for key ")
    assert SECRET not in str(error_object(failure))
    assert "hunter2" not in str(error_object(failure))
    assert sum(failure.redactions.values()) >= 2


def test_the_text_of_an_undeclared_callers_fault_leaves_scrubbed() -> None:
    failure = Triage()(ValueError(f"boxes must be at least 1, key {SECRET}"))

    assert failure.code is ErrorCode.VALIDATION_ERROR
    assert failure.message.startswith("boxes must be at least 1, key ")
    assert SECRET not in failure.message


@pytest.mark.parametrize(
    "exc", [RuntimeError("db on host seven"), KeyError("seven"), ConnectionRefusedError(111, "seven")]
)
def test_the_text_of_an_upstreams_or_the_servers_fault_never_leaves(exc: Exception) -> None:
    failure = Triage()(exc)

    assert failure.message == failure.code.traits.message
    assert "seven" not in json.dumps(tool_result(failure))
    assert "seven" in str(record(failure)["causes"])


def test_undeclared_errors_carry_no_data() -> None:
    class Talkative(ValueError):
        data: ClassVar = {"internal": "yes"}

    assert Triage()(Talkative("x")).data == {}


def test_a_validation_error_leaves_rebuilt_without_the_value() -> None:
    class Order(pydantic.BaseModel):
        boxes: int

    with pytest.raises(pydantic.ValidationError) as caught:
        Order.model_validate({"boxes": "hunter2"})
    failure = Triage()(caught.value)

    assert failure.message == "Validation failed: boxes must be a valid integer."
    assert failure.hint == Hint("Correct boxes as described, then call again.", "evidence")
    assert "hunter2" not in json.dumps(tool_result(failure))


@pytest.mark.parametrize(
    ("exposure", "caller", "server"),
    [
        (
            Exposure.DECLARED,
            "A value is not valid for this operation.",
            "An internal error stopped the operation.",
        ),
        (Exposure.CALLER, "three boxes", "An internal error stopped the operation."),
        (Exposure.ALL, "three boxes", "'three boxes'"),
    ],
)
def test_exposure_draws_the_line(exposure: Exposure, caller: str, server: str) -> None:
    triage = Triage(ErrorPolicy(exposure=exposure))

    assert triage(ValueError("three boxes")).message == caller
    assert triage(KeyError("three boxes")).message == server


def test_an_upstreams_status_is_a_safe_fact() -> None:
    class StatusError(Exception):
        status_code = 503

    assert Triage()(StatusError("private")).message == (
        "A service this operation depends on is unavailable. The upstream service answered HTTP 503."
    )


def test_a_database_error_is_the_callers_fault_but_its_words_are_not_for_the_caller() -> None:
    import sqlite3

    db = sqlite3.connect(":memory:")
    db.execute("create table staff_salaries (email text unique)")
    db.execute("insert into staff_salaries values ('a')")
    with pytest.raises(sqlite3.IntegrityError) as caught:
        db.execute("insert into staff_salaries values ('a')")
    db.close()

    failure = Triage()(caught.value)

    assert failure.code is ErrorCode.CONFLICT
    assert "staff_salaries" not in failure.message


def test_a_group_speaks_through_the_member_that_decided() -> None:
    group = ExceptionGroup("unhandled errors in a TaskGroup", [ValueError("boxes must be positive")])

    assert Triage()(group).message == "boxes must be positive"
    assert Triage()(ExceptionGroup("unhandled", [ValueError("boxes")])).message == "boxes"


def test_a_rejected_argument_inside_a_group_is_told_as_one_outside() -> None:
    class Order(pydantic.BaseModel):
        boxes: int

    with pytest.raises(pydantic.ValidationError) as caught:
        Order(boxes="many")  # type: ignore[arg-type]
    failure = Triage()(ExceptionGroup("unhandled", [caught.value]))

    assert (failure.message, failure.issues) == (
        Triage()(caught.value).message,
        (Issue("boxes", "must be a valid integer"),),
    )


def test_what_an_author_declares_inside_a_task_group_leaves_as_if_there_were_no_group() -> None:
    class Prices(Contract):
        prices_down = Mode(
            ErrorCode.SERVICE_UNAVAILABLE,
            when="The price list is down.",
            recovery="Use the list of yesterday instead of this one.",
            retryable=False,
        )

    def told(exc: BaseException) -> tuple[object, ...]:
        failure = Triage()(exc, contract=Prices)
        return (
            failure.code, failure.message, failure.reason, failure.data, failure.hint,
            failure.retryable, failure.retry_after, failure.degraded,
        )  # fmt: skip

    error = Prices.prices_down.fail("No prices today.", {"list": 7}, retry_after=9)
    group = BaseExceptionGroup("unhandled", [asyncio.CancelledError(), ExceptionGroup("inner", [error])])

    assert told(error)[1:4] == ("No prices today.", "prices_down", {"list": 7})
    assert told(group) == told(error)


def test_a_guarded_failure_inside_a_group_stays_as_private_as_outside() -> None:
    def guarded() -> McpError:
        with pytest.raises(McpError) as caught, guard("prices", code=ErrorCode.NOT_FOUND):
            raise RuntimeError("the row of anna@example.com is gone")
        return caught.value

    assert Triage()(ExceptionGroup("unhandled", [guarded()])).message == Triage()(guarded()).message


def test_an_error_without_words_says_the_template() -> None:
    assert Triage()(ValueError()).message == "A value is not valid for this operation."


# --- contracts, hints, rules ---


class FetchErrors(Contract):
    queue_full = Mode(
        ErrorCode.RATE_LIMITED,
        when="The queue is full.",
        recovery="Wait 30 seconds, then ask for a smaller batch.",
        retryable=False,
    )


def test_service_code_that_names_a_reason_gets_the_contracts_recovery_and_retryability() -> None:
    failure = Triage()(RateLimited("Too much.", reason="queue_full"), contract=FetchErrors)

    assert failure.reason == "queue_full"
    assert failure.hint == Hint("Wait 30 seconds, then ask for a smaller batch.", "contract")
    assert failure.retryable is False


def test_a_contract_can_be_given_from_outside_by_the_tools_name() -> None:
    triage = Triage(ErrorPolicy(contracts={"fetch": FetchErrors}))

    failure = triage(RateLimited("Too much.", reason="queue_full"), Call(target="fetch"))

    assert failure.hint.source == "contract"


def test_the_author_at_the_raise_goes_before_the_contract() -> None:
    failure = Triage()(
        RateLimited(
            "Too much.", reason="queue_full", recovery="Come back tomorrow after nine.", retryable=True
        ),
        contract=FetchErrors,
    )

    assert failure.hint == Hint("Come back tomorrow after nine.", "author")
    assert failure.retryable is True


def test_a_users_rule_and_hint_are_heard() -> None:
    policy = ErrorPolicy(
        rules=(by_type(KeyError, ErrorCode.NOT_FOUND),),
        hints_by_code={"NotFound": "Look it up in the list first."},
    )

    failure = Triage(policy)(KeyError("x"))

    assert failure.code is ErrorCode.NOT_FOUND
    assert failure.hint == Hint("Look it up in the list first.", "user")


# --- the chain ---


def test_the_whole_chain_is_kept_scrubbed_with_its_relations() -> None:
    try:
        try:
            raise OSError(f"token={SECRET}")
        except OSError as exc:
            raise RuntimeError("middle") from exc
    except RuntimeError:
        try:
            raise ValueError("outer")
        except ValueError as exc:
            exc.add_note(f"seen with {SECRET}")
            failure = Triage()(exc)

    assert [(cause.type, cause.relation, cause.depth) for cause in failure.causes] == [
        ("ValueError", "raised", 0),
        ("RuntimeError", "context", 1),
        ("OSError", "cause", 2),
    ]
    assert SECRET not in str(record(failure))
    assert failure.causes[0].notes[0].startswith("seen with ")
    assert failure.causes[2].frames[-1].function.endswith("its_relations")


def test_a_chain_of_ten_thousand_is_bounded() -> None:
    exc: Exception = ValueError("root")
    for _ in range(10_000):
        outer = RuntimeError("wrapped")
        outer.__cause__ = exc
        exc = outer

    failure = Triage()(exc)

    assert len(failure.causes) <= 50
    assert failure.causes[-1].message == "root"


def test_a_cycle_ends() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first

    assert [cause.message for cause in Triage()(first).causes] == ["a", "b"]


@pytest.mark.parametrize("kind", [SystemExit, asyncio.CancelledError, GeneratorExit])
def test_a_step_that_would_end_the_process_is_only_a_step_that_failed(kind: type[BaseException]) -> None:
    def ending(_: object, **__: object) -> Any:
        raise kind("enough")

    assert Triage(classify=ending, hint=ending)(ValueError("boxes")).degraded == ("classify", "hint")


# --- never raises ---


def test_a_clock_that_somebody_broke_costs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", iter(()).__next__)
    failure = Triage()(NotFound("No such order."))
    assert (failure.message, failure.degraded) == ("No such order.", ())


def test_a_step_that_fails_is_named_and_the_next_best_answer_leaves() -> None:
    def broken(_: object, **__: object) -> Any:
        raise RuntimeError("no")

    failure = Triage(classify=broken, hint=broken)(ValueError("boxes"))

    assert failure.degraded == ("classify", "hint")
    assert failure.code is ErrorCode.INTERNAL_ERROR
    assert failure.hint.text == ErrorCode.INTERNAL_ERROR.traits.hint
    assert failure.message == "An internal error stopped the operation."


class RaisingStr(Exception):
    def __str__(self) -> str:
        raise RuntimeError("str is broken")

    __repr__ = __str__


class ExitingStr(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class NotAString(Exception):
    def __str__(self) -> str:
        return 7  # type: ignore[return-value]


class RaisingAttributes(Exception):
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class LyingClass(Exception):
    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore
        raise RuntimeError("who am I")


class LyingSubclass(NotFound):
    @property
    def data(self) -> Any:  # pyright: ignore
        raise RuntimeError("no data")

    @data.setter
    def data(self, value: Any) -> None: ...  # pyright: ignore


class EvilMeta(type):
    def __getattribute__(cls, name: str) -> Any:
        if name == "__mro__":
            raise RuntimeError("no mro")
        return super().__getattribute__(name)


class EvilClass(Exception, metaclass=EvilMeta):
    pass


class UnhashableMeta(type):
    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("no comparing")

    __hash__ = None  # type: ignore[assignment]


class UnhashableClass(Exception, metaclass=UnhashableMeta):
    pass


class Endless(dict[str, Any]):
    def items(self) -> Any:
        while True:
            yield "key", self


HOSTILE: dict[str, Callable[[], BaseException]] = {
    "raising str": RaisingStr,
    "exiting str": ExitingStr,
    "str that is no string": NotAString,
    "raising attributes": RaisingAttributes,
    "lying class": LyingClass,
    "raising data": lambda: LyingSubclass("x"),
    "raising mro": EvilClass,
    "unhashable class": UnhashableClass,
    "odd arguments": lambda: ValueError(object(), b"\xff", {"a": {1}}, float("nan")),
    "ten megabytes": lambda: ValueError("a/b@c:d=" * 1_250_000),
    "lone surrogate": lambda: ValueError("\ud800 broken"),
    "null bytes": lambda: ValueError("a\x00b\x1b[31m"),
    "cancelled": asyncio.CancelledError,
    "exit": lambda: SystemExit(3),
    "generator exit": GeneratorExit,
    "base group": lambda: BaseExceptionGroup("g", [SystemExit(1), ValueError("x")]),
    "deep data": lambda: NotFound("x", data=deep(500)),
    "endless data": lambda: NotFound("x", data={"a": Endless(b=1)}),
    "cyclic data": lambda: NotFound("x", data=cyclic()),
    "odd data": lambda: NotFound(
        "x", data={"n": float("nan"), "b": b"\xff", "o": object(), "l": threading.Lock()}
    ),
    "odd keys": lambda: NotFound("x", data={1: 2, None: 3, (1, 2): 4}),  # type: ignore[dict-item]
    "odd notes": lambda: with_notes(["fine", 7]),
    "recursion": RecursionError,
    "memory": MemoryError,
}


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def with_notes(notes: list[Any]) -> BaseException:
    exc = ValueError("x")
    exc.__notes__ = notes
    return exc


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_exception_becomes_a_correct_failure_all_the_same(
    make: Callable[[], BaseException],
) -> None:
    failure = Triage()(raised(make()))

    assert failure.message
    assert len(failure.hint.text.split()) >= 5
    assert len(failure.error_id) == 12
    answer = orjson.dumps(tool_result(failure))
    assert orjson.loads(answer)["isError"] is True
    error_text(failure).encode("utf-8")
    orjson.dumps(record(failure))
    assert failure.causes
    assert "triage" not in failure.degraded


TEXTS = st.text(max_size=200) | st.text(st.characters(categories=["Cs", "Cc", "Cf", "Lu"]), max_size=50)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
TYPES = st.sampled_from(
    [ValueError, RuntimeError, KeyError, OSError, TimeoutError, Exception, RaisingStr, ExitingStr]
)


@st.composite
def exceptions(draw: st.DrawFn, depth: int = 3) -> BaseException:
    if depth and draw(st.booleans()):
        exc: BaseException = (
            BaseExceptionGroup(draw(TEXTS), [draw(exceptions(depth - 1))])
            if draw(st.booleans())
            else NotFound(draw(TEXTS), data=draw(st.dictionaries(TEXTS, VALUES, max_size=4)))
        )
    else:
        exc = draw(TYPES)(*draw(st.lists(VALUES, max_size=3)))
    if depth and draw(st.booleans()):
        exc.__cause__ = draw(exceptions(depth - 1))
    if depth and draw(st.booleans()):
        exc.__context__ = draw(exceptions(depth - 1))
    return exc


@settings(deadline=None, max_examples=200)
@given(exceptions())
def test_any_exception_becomes_one_json_safe_failure(exc: BaseException) -> None:
    failure = Triage()(exc)

    assert failure.degraded == ()
    assert failure.causes[0].relation == "raised"
    assert orjson.loads(orjson.dumps(tool_result(failure)))["_meta"]
    orjson.dumps(record(failure))
    error_text(failure).encode("utf-8")


def test_one_triage_serves_many_threads() -> None:
    triage, failures = Triage(), list[Failure]()

    def work(n: int) -> None:
        failures.extend(
            triage(ValidationError(f"thread {n} call {m}"), Call(request_id=n)) for m in range(50)
        )

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({failure.error_id for failure in failures}) == 400
    assert all(f.message.startswith(f"thread {f.call.request_id} ") for f in failures)


numbers: st.SearchStrategy[Any] = st.one_of(
    st.integers(),
    st.integers(min_value=0, max_value=500).map(lambda digits: 10**digits),
    st.integers(min_value=0, max_value=500).map(lambda digits: -(10**digits)),
    st.floats(),
    st.booleans(),
    st.fractions(),
    st.builds(Fraction, st.just(1), st.integers(1, 500).map(lambda digits: 10**digits)),
    st.decimals(),
    st.just(Decimal("1e999999")),
    st.complex_numbers(),
)


@given(cls=st.sampled_from(list(BY_CODE.values())), wait=numbers, retryable=st.none() | st.booleans())
def test_an_error_keeps_its_code_whatever_it_says_about_waiting(
    cls: type[CodedError], wait: Any, retryable: bool | None
) -> None:
    for error in (
        cls("x", retryable=retryable, retry_after=wait),
        cls("x", {"retry_after": wait}, retryable=retryable),
    ):
        failure = Triage()(error)

        assert (failure.code, failure.message, failure.degraded) == (cls.CODE, "x", ())
        assert failure.retry_after is None or 0 <= failure.retry_after <= 7 * 86_400
        assert json.loads(orjson.dumps(error_object(failure)))["name"] == cls.CODE.label
        assert orjson.dumps(record(failure))


def test_where_triage_itself_fails_the_chain_is_in_the_record_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_: BaseException) -> int | None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(triage_module, "number_of", broken)

    failure = Triage()(KeyError("lost"))

    assert failure.degraded == ("triage",)
    assert [cause.type for cause in failure.causes] == ["KeyError"]


def test_a_scrubber_that_fails_leaves_no_name_a_client_made_up_in_the_records() -> None:
    class Broken(Scrubber):
        def text(self, text: str, tally: dict[str, int] | None = None) -> str:
            raise OSError("no scrubbing today")

    failure = Triage(scrub=Broken())(KeyError("x"), Call(target="password=hunter2"))

    assert "hunter2" not in str(record(failure))
    assert "call" in failure.degraded


# --- arguments nobody checked ---

ORDERED = Around(
    arguments={"ordr": "7"},
    schema={"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
)


def by_key(given: Any) -> Any:
    return given["order"]


def by_name(given: Any) -> Any:
    def ship(order: str) -> str:
        return order

    given.pop("ordr", None)
    return ship(**given)


@pytest.mark.parametrize("handler", [by_key, by_name])
def test_tripping_over_a_required_argument_that_is_missing_is_the_callers_fault(
    handler: Callable[[Any], Any],
) -> None:
    with pytest.raises((KeyError, TypeError)) as caught:
        handler(dict(ORDERED.arguments))

    failure = Triage()(caught.value, Call(target="ship"), around=ORDERED)

    assert failure.code is ErrorCode.VALIDATION_ERROR
    assert (
        failure.message
        == "Validation failed: order is required, and 'ordr' is not known; did you mean 'order'?"
    )
    assert failure.data["example"] == {"order": "order"}


@pytest.mark.parametrize(
    ("exc", "around"),
    [
        (KeyError("price"), ORDERED),
        (KeyError("order"), Around(arguments={"order": "7"}, schema=ORDERED.schema)),
        (KeyError("order"), Around(arguments={}, schema={"type": "object"})),
        (KeyError("order"), Around(arguments="order", schema=ORDERED.schema)),
    ],
)
def test_any_other_bug_stays_one(exc: Exception, around: Around) -> None:
    assert Triage()(exc, Call(target="ship"), around=around).code is ErrorCode.INTERNAL_ERROR


def test_a_rule_goes_before_what_a_schema_says() -> None:
    policy = ErrorPolicy(rules=(by_type("KeyError", ErrorCode.INTERNAL_ERROR),))

    assert Triage(policy)(KeyError("order"), around=ORDERED).code is ErrorCode.INTERNAL_ERROR


def test_what_may_not_be_sent_again_needs_no_waiting() -> None:
    request = httpx.Request("GET", "https://api.example.com/orders")
    refusal = httpx.Response(401, headers={"Retry-After": "30"}, request=request)

    failure = Triage()(httpx.HTTPStatusError("401 Unauthorized", request=request, response=refusal))

    assert (failure.code, failure.retryable, failure.retry_after) == (ErrorCode.UNAUTHORIZED, False, None)
    assert Triage()(RateLimited("Come back.", retry_after=30, retryable=False)).retry_after == 30


def test_a_hint_names_the_fields_that_an_author_named() -> None:
    failure = Triage()(ValidationError("No.", fields={"size": ["is too big"], "to": ["is required"]}))

    assert failure.hint.text == "Correct size, to as described, then call again."


def test_a_failure_has_an_id_of_its_own_where_the_system_has_no_chance_to_give(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def empty(size: int) -> bytes:
        raise OSError("no entropy")

    triage = Triage()
    monkeypatch.setattr("os.urandom", empty)
    ids = {triage(ValueError("boxes")).error_id for _ in range(100)}
    assert len(ids) == 100
    assert all(re.fullmatch("[0-9a-f]{12}", error_id) for error_id in ids)


def test_a_class_that_is_made_of_an_upstreams_words_is_treated_as_those() -> None:
    fault = type(f"RemoteFault\ntoken={SECRET}", (Exception,), {"__module__": "rpc"})

    failure = Triage()(fault("The ledger is closed."))

    assert failure.causes[0].type == "rpc.RemoteFault token=[redacted:token]"
    assert failure.evidence is not None
    assert SECRET not in failure.evidence.type + failure.evidence.detail + str(record(failure))


def test_a_class_that_is_named_by_a_token_is_not_called_so() -> None:
    token = f"ghp_{'a1B2c3D4' * 4}e5F6"
    fault = type(f"Fault_{token}", (Exception,), {"__module__": f"rpc_{token}"})

    failure = Triage()(fault("The ledger is closed."))

    assert token not in str(record(failure)) + str(failure.evidence)


@pytest.mark.parametrize("name", ["psycopg2.errors.UniqueViolation", "boto3.exceptions.S3UploadFailedError"])
def test_a_class_with_a_number_in_its_name_keeps_it(name: str) -> None:
    module, _, kind = name.rpartition(".")
    failure = Triage()(type(kind, (Exception,), {"__module__": module})("The ledger is closed."))

    assert failure.causes[0].type == name
