import asyncio
import logging

import pytest

from mcp_error_middleware import ErrorCode, McpError, NotFound, ServiceUnavailable, ValidationError, guard


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


def test_without_a_code_the_exception_is_classified() -> None:
    with pytest.raises(ValidationError, match="boxes must be positive"), guard("ship"):
        raise ValueError("boxes must be positive")


def test_the_text_of_a_servers_own_fault_stays_inside() -> None:
    with pytest.raises(McpError) as raised, guard("ship"):
        raise KeyError("hunter2")

    assert raised.value.code is ErrorCode.INTERNAL_ERROR
    assert "hunter2" not in str(raised.value)


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
