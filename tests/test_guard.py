import asyncio
import gc
import inspect
import logging
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager

import pytest
from fastmcp.exceptions import ToolError
from pydantic import BaseModel

from mcp_error_middleware import (
    Conflict,
    ErrorCode,
    ErrorPolicy,
    Exposure,
    McpError,
    NotFound,
    ServiceUnavailable,
    Triage,
    ValidationError,
    guard,
)


def test_what_fails_inside_is_logged_and_leaves_with_the_given_code(caplog: pytest.LogCaptureFixture) -> None:
    with (
        pytest.raises(ServiceUnavailable) as raised,
        guard(
            "orders.fetch",
            code=ErrorCode.SERVICE_UNAVAILABLE,
            context={"order": "ord_1", "api_key": "hunter2"},
        ),
    ):
        raise OSError("disk on fire")

    record = caplog.records[0]
    assert isinstance(raised.value.__cause__, OSError)
    assert (record.levelno, record.getMessage()) == (
        logging.ERROR,
        "orders.fetch failed: OSError: disk on fire",
    )
    assert record.__dict__["context"]["order"] == "ord_1"
    assert "hunter2" not in str(record.__dict__["context"])
    assert record.exc_info is not None


def test_no_value_that_a_validator_rejected_is_logged_nor_one_it_was_raised_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Order(BaseModel):
        boxes: int

    def read() -> None:
        try:
            Order.model_validate({"boxes": "as many as Anna has"})
        except ValueError as exc:
            raise RuntimeError("no order") from exc

    for step in (read, lambda: Order.model_validate({"boxes": "as many as Anna has"})):
        with pytest.raises(McpError):
            guard("ship")(step)()

    assert "boxes\n  Input should be a valid integer" in caplog.text
    assert "[type=int_parsing, input_type=str]" in caplog.text
    assert "{'boxes'" not in caplog.text
    assert "input_value" not in caplog.text


def test_without_a_code_the_exception_is_classified() -> None:
    with pytest.raises(ValidationError) as raised, guard("ship"):
        raise ValueError("boxes must be positive")

    assert Triage()(raised.value).message == "boxes must be positive"


def test_the_text_of_a_servers_own_fault_stays_inside() -> None:
    with pytest.raises(McpError) as raised, guard("ship"):
        raise KeyError("hunter2")

    assert raised.value.code is ErrorCode.INTERNAL_ERROR
    assert "hunter2" not in str(raised.value)


def told(error: BaseException, exposure: Exposure = Exposure.CALLER) -> str:
    return Triage(ErrorPolicy(exposure=exposure))(error).message


@pytest.mark.parametrize("exposure", [Exposure.DECLARED, Exposure.CALLER])
def test_a_stores_words_do_not_become_the_authors_by_being_guarded(exposure: Exposure) -> None:
    store = sqlite3.connect(":memory:")
    store.execute("create table users (email unique)")

    @guard("save")
    def save(email: str) -> None:
        store.execute("insert into users values (?)", (email,))

    save("a@b.example")
    with pytest.raises(Conflict) as raised:
        save("a@b.example")
    store.close()

    assert told(raised.value, exposure) == str(raised.value) == ErrorCode.CONFLICT.traits.message


def test_a_given_code_makes_no_text_fit_to_leave() -> None:
    with pytest.raises(ValidationError) as raised, guard("ship", code=ErrorCode.VALIDATION_ERROR):
        raise RuntimeError("shard-7 of users_internal is broken")

    assert told(raised.value) == ErrorCode.VALIDATION_ERROR.traits.message
    assert told(raised.value, Exposure.ALL) == "shard-7 of users_internal is broken"


def test_the_words_of_what_a_code_calls_an_upstreams_fault_stay_inside() -> None:
    with pytest.raises(ServiceUnavailable) as raised, guard("fetch", code=ErrorCode.SERVICE_UNAVAILABLE):
        raise ValueError("page 3 of users_internal has no rows")

    assert told(raised.value) == ErrorCode.SERVICE_UNAVAILABLE.traits.message


def test_only_declared_text_leaves_a_guard_where_only_declared_text_may() -> None:
    with pytest.raises(ValidationError) as undeclared, guard("ship"):
        raise ValueError("boxes must be positive")
    with pytest.raises(McpError) as declared, guard("ship"):
        raise ToolError("boxes must be positive")

    assert told(undeclared.value, Exposure.DECLARED) == ErrorCode.VALIDATION_ERROR.traits.message
    assert told(declared.value, Exposure.DECLARED) == "boxes must be positive"


def test_a_guarded_validators_answer_is_rebuilt_without_the_value_it_refused() -> None:
    class Order(BaseModel):
        boxes: int

    with pytest.raises(ValidationError) as raised, guard("ship"):
        Order.model_validate({"boxes": "hunter2"})

    assert told(raised.value) == "Validation failed: boxes must be a valid integer."


def test_an_error_that_has_a_code_leaves_as_it_is() -> None:
    error = NotFound("no such order")

    with pytest.raises(NotFound) as raised, guard("ship", code=ErrorCode.TIMEOUT):
        raise error

    assert raised.value is error


def test_a_mapper_decides_what_is_raised_instead() -> None:
    mapped = guard("ship", mapper=lambda exc: LookupError(f"mapped {exc}"))

    with pytest.raises(LookupError, match="mapped x") as raised, mapped:
        raise ValueError("x")

    assert isinstance(raised.value.__cause__, ValueError)


def test_a_critical_failure_is_logged_as_one_without_a_stack_if_so_asked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    critical = guard("ship", critical=True, include_stack=False, input={"password": "hunter2"})

    with pytest.raises(McpError), critical:
        raise ValueError("x")

    record = caplog.records[0]
    assert record.levelno == logging.CRITICAL
    assert not record.exc_info
    assert "hunter2" not in str(record.__dict__["input"])


def test_it_decorates_functions_and_coroutines_alike() -> None:
    @guard("sync", code=ErrorCode.TIMEOUT)
    def fails() -> int:
        raise ValueError("x")

    @guard("async", code=ErrorCode.TIMEOUT)
    async def fails_later() -> int:
        await asyncio.sleep(0)
        raise ValueError("x")

    @guard("fine")
    async def works() -> int:
        return 1

    with pytest.raises(McpError):
        fails()
    with pytest.raises(McpError):
        asyncio.run(fails_later())
    assert asyncio.run(works()) == 1
    assert fails.__name__ == "fails"


def test_async_with_is_the_same() -> None:
    async def scenario() -> None:
        async with guard("ship"):
            raise TimeoutError

    with pytest.raises(McpError) as raised:
        asyncio.run(scenario())
    assert raised.value.code is ErrorCode.TIMEOUT


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_what_is_no_failure_passes_untouched_and_unlogged(
    stop: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(stop), guard("ship"):
        raise stop

    assert not caplog.records


def test_a_coroutine_from_a_function_that_is_not_async_is_guarded_too() -> None:
    async def fetch() -> None:
        raise ConnectionRefusedError

    class Fetcher:
        async def __call__(self) -> None:
            raise ConnectionRefusedError

    for function in (lambda: fetch(), Fetcher()):
        with pytest.raises(ServiceUnavailable) as raised:
            asyncio.run(guard("orders.fetch")(function)())
        assert isinstance(raised.value.__cause__, ConnectionRefusedError)


def test_a_context_that_is_no_mapping_does_not_lose_the_log_line(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(McpError), guard("orders.fetch", context=5):  # type: ignore[arg-type]
        raise RuntimeError("boom")

    assert [record.getMessage() for record in caplog.records] == ["orders.fetch failed: RuntimeError: boom"]


# --- generators -----------------------------------------------------------------------------------


def test_a_generator_that_fails_on_the_way_is_logged_and_named(caplog: pytest.LogCaptureFixture) -> None:
    @guard("orders.stream", code=ErrorCode.SERVICE_UNAVAILABLE)
    def orders() -> Iterator[int]:
        yield 1
        raise OSError("disk on fire")

    rows = orders()
    assert inspect.isgeneratorfunction(orders)
    assert next(rows) == 1
    with pytest.raises(ServiceUnavailable) as raised:
        next(rows)
    assert isinstance(raised.value.__cause__, OSError)
    assert [r.getMessage() for r in caplog.records] == ["orders.stream failed: OSError: disk on fire"]


def echo(log: list[object]) -> Generator[object, object, str]:
    """Says back what it is sent, and writes down how it was treated."""
    said: object = "ready"
    try:
        while said != "enough":
            try:
                said = yield said
            except KeyError as thrown:
                said = f"caught {thrown}"
        return "done"
    finally:
        log.append("closed")


def test_a_guarded_generator_is_driven_like_a_bare_one(caplog: pytest.LogCaptureFixture) -> None:
    def driven(generator: Generator[object, object, str]) -> list[object]:
        def outer() -> Generator[object, object, None]:
            heard.append((yield from generator))

        heard: list[object] = []
        through = outer()
        heard += [next(through), through.send("a"), through.throw(KeyError("b")), next(through)]
        with pytest.raises(StopIteration):
            through.send("enough")
        return heard

    bare: list[object] = []
    guarded: list[object] = []
    heard = driven(echo(bare))
    assert heard == ["ready", "a", "caught 'b'", None, "done"]
    assert driven(guard("echo")(echo)(guarded)) == heard
    assert bare == guarded == ["closed"]
    assert not caplog.records


def test_closing_a_guarded_generator_closes_what_it_guards(caplog: pytest.LogCaptureFixture) -> None:
    log: list[object] = []
    generator = guard("echo")(echo)(log)
    next(generator)
    generator.close()
    assert log == ["closed"]
    assert not caplog.records


def test_a_generator_that_manages_a_context_still_does(caplog: pytest.LogCaptureFixture) -> None:
    @contextmanager
    @guard("connection")
    def connection() -> Iterator[str]:
        yield "open"

    with connection() as state:
        assert state == "open"
    with pytest.raises(ServiceUnavailable), connection():
        raise ConnectionRefusedError
    assert len(caplog.records) == 1


def test_an_asynchronous_generator_that_fails_on_the_way_is_logged_and_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @guard("orders.stream", code=ErrorCode.SERVICE_UNAVAILABLE)
    async def orders() -> AsyncIterator[int]:
        yield 1
        await asyncio.sleep(0)
        raise OSError("disk on fire")

    async def scenario() -> None:
        rows = aiter(orders())
        assert await anext(rows) == 1
        with pytest.raises(ServiceUnavailable) as raised:
            await anext(rows)
        assert isinstance(raised.value.__cause__, OSError)

    assert inspect.isasyncgenfunction(orders)
    asyncio.run(scenario())
    assert [r.getMessage() for r in caplog.records] == ["orders.stream failed: OSError: disk on fire"]


async def echo_later(log: list[object]) -> AsyncGenerator[object, object]:
    """Says back what it is sent, and writes down how it was treated."""
    said: object = "ready"
    try:
        while said != "enough":
            await asyncio.sleep(0)
            try:
                said = yield said
            except KeyError as thrown:
                said = f"caught {thrown}"
    finally:
        await asyncio.sleep(0)
        log.append("closed")


def test_a_guarded_asynchronous_generator_is_driven_like_a_bare_one(caplog: pytest.LogCaptureFixture) -> None:
    async def driven(generator: AsyncGenerator[object, object]) -> list[object]:
        heard = [await anext(generator), await generator.asend("a"), await generator.athrow(KeyError("b"))]
        with pytest.raises(StopAsyncIteration):
            await generator.asend("enough")
        return heard

    async def scenario() -> None:
        bare: list[object] = []
        guarded: list[object] = []
        heard = await driven(echo_later(bare))
        assert heard == ["ready", "a", "caught 'b'"]
        assert await driven(guard("echo")(echo_later)(guarded)) == heard
        assert bare == guarded == ["closed"]

    asyncio.run(scenario())
    assert not caplog.records


def test_what_is_thrown_into_a_generator_and_not_caught_is_its_failure() -> None:
    async def scenario() -> None:
        generator = guard("echo")(echo_later)([])
        await anext(generator)
        with pytest.raises(ValidationError) as raised:
            await generator.athrow(ValueError("x"))
        assert isinstance(raised.value.__cause__, ValueError)

    asyncio.run(scenario())


def test_closing_a_guarded_asynchronous_generator_closes_what_it_guards(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        log: list[object] = []
        async with aclosing(guard("echo")(echo_later)(log)) as generator:
            assert await anext(generator) == "ready"
            assert log == []
        assert log == ["closed"]

    asyncio.run(scenario())
    assert not caplog.records


@pytest.mark.parametrize("kept", [True, False])
def test_an_asynchronous_generator_nobody_closed_is_closed_by_the_loop(
    kept: bool, caplog: pytest.LogCaptureFixture
) -> None:
    log: list[object] = []

    async def scenario() -> list[object]:
        generator = guard("echo")(echo_later)(log)
        assert await anext(generator) == "ready"
        if kept:
            return [generator]
        del generator
        gc.collect()
        for _ in range(10):
            await asyncio.sleep(0)
        return []

    asyncio.run(asyncio.wait_for(scenario(), 10))
    assert log == ["closed"]
    assert not caplog.records


def test_a_cancelled_asynchronous_generator_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    closed: list[object] = []

    @guard("wait")
    async def waits() -> AsyncIterator[int]:
        try:
            await asyncio.Event().wait()
            yield 1
        finally:
            closed.append("closed")

    async def scenario() -> None:
        task = asyncio.ensure_future(anext(aiter(waits())))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert closed == ["closed"]
    assert not caplog.records


def test_an_asynchronous_generator_that_manages_a_context_still_does() -> None:
    @asynccontextmanager
    @guard("connection")
    async def connection() -> AsyncIterator[str]:
        yield "open"

    async def scenario() -> None:
        async with connection() as state:
            assert state == "open"
        with pytest.raises(ServiceUnavailable):
            async with connection():
                raise ConnectionRefusedError

    asyncio.run(scenario())


def test_a_method_that_yields_is_guarded_with_its_object() -> None:
    class Shop:
        orders = (1, 2)

        @guard("orders.all")
        def all(self) -> Iterator[int]:
            yield from self.orders

    assert list(Shop().all()) == [1, 2]


def test_a_mapper_may_leave_an_exception_as_it_is_or_to_the_guard() -> None:
    original = ValueError("boxes")
    with pytest.raises(ValueError, match="boxes") as unchanged, guard("x", mapper=lambda exc: exc):
        raise original
    with pytest.raises(ValidationError) as named, guard("x", mapper=lambda exc: None):
        raise original

    assert (unchanged.value, original.__cause__) == (original, None)
    assert named.value.__cause__ is original


def test_an_exception_that_lies_about_its_class_is_named_like_any_other() -> None:
    class Liar(Exception):
        @property  # type: ignore[misc]
        def __class__(self) -> type:  # pyright: ignore
            raise RuntimeError("no class")

    with pytest.raises(NotFound) as named, guard("x", code=ErrorCode.NOT_FOUND):
        raise Liar

    assert type(named.value.__cause__) is Liar


def test_a_guard_set_up_wrongly_says_so_where_it_is_written() -> None:
    with pytest.raises(TypeError, match=r'guard takes the name of an operation first, .*: guard\("name"\)\.'):
        guard(print)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'NotFound' is not an ErrorCode; use one of its members"):
        guard("x", code="NotFound")  # type: ignore[arg-type]
