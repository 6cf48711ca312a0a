"""Chains and groups of exceptions: causes, contexts, wrappers, nested groups."""

from __future__ import annotations

import asyncio
import json
import sqlite3

from . import case
from .servers import HOST, PATIENCE, answering, closed_port, hanging_port


def _http(status: int, **headers: str) -> None:
    import httpx

    httpx.get(answering(status, headers=headers)).raise_for_status()


def _refused() -> None:
    import httpx

    httpx.get(f"http://{HOST}:{closed_port()}/")


def _duplicate() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.execute("INSERT INTO t VALUES (1)")


class AppError(Exception):
    """An application's own wrapper, which says nothing by itself."""


@case("NotFound")
def runtime_error_from_http_404():
    try:
        _http(404)
    except Exception as error:
        raise RuntimeError("could not load the profile") from error


@case("RateLimited", retryable=True, retry_after=5)
def app_error_from_runtime_error_from_429():
    try:
        try:
            _http(429, **{"Retry-After": "5"})
        except Exception as error:
            raise RuntimeError("sync failed") from error
    except RuntimeError as error:
        raise AppError("nightly job failed") from error


@case("Conflict")
def app_error_from_unique_violation():
    try:
        _duplicate()
    except sqlite3.Error as error:
        raise AppError("could not register") from error


@case("ServiceUnavailable", retryable=True)
def exception_in_context_of_refused_connection():
    """No explicit cause: the wrapper was raised inside the handler."""
    try:
        _refused()
    except Exception:
        raise RuntimeError("could not load the profile")  # noqa: B904


@case("InternalError")
def bug_in_the_handler_of_a_timeout():
    """The handler's own bug is the failure; what it handled is only its context."""
    import httpx

    try:
        httpx.get(f"http://{HOST}:{hanging_port()}/", timeout=0.1)
    except httpx.TimeoutException as error:
        error.retry_in.seconds


@case("InternalError", also=("UnknownError",))
def runtime_error_with_suppressed_context():
    try:
        _http(404)
    except Exception:
        raise RuntimeError("profile unusable") from None


@case("ValidationError")
def value_error_with_suppressed_key_error():
    try:
        {"red": 1}["mauve"]
    except KeyError:
        raise ValueError("unknown colour: mauve") from None


@case("ValidationError", also=("SerializationError",))
def value_error_from_json_decode_error():
    try:
        json.loads("{broken")
    except json.JSONDecodeError as error:
        raise ValueError("the payload is not JSON") from error


@case("NotFound")
def specific_error_beats_its_cause():
    """A FileNotFoundError that was caused by a KeyError stays a missing file."""
    try:
        {}["report"]
    except KeyError as error:
        raise FileNotFoundError(2, "No such file or directory", "report.pdf") from error


@case("Timeout", retryable=True)
def group_of_one_timeout():
    async def slow():
        async with asyncio.timeout(0.05):
            await asyncio.sleep(5)

    async def work():
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(slow())

    asyncio.run(work())


@case("ServiceUnavailable", retryable=True)
def group_of_equal_refused_connections():
    problems = []
    for _ in range(3):
        try:
            _refused()
        except Exception as error:
            problems.append(error)
    raise ExceptionGroup("all replicas failed", problems)


@case("NotFound")
def nested_groups_around_one_404():
    try:
        _http(404)
    except Exception as error:
        raise ExceptionGroup("outer", [ExceptionGroup("inner", [error])])  # noqa: B904


@case("Forbidden")
def anyio_task_group_with_one_403():
    import anyio

    async def fail():
        _http(403)

    async def work():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(fail)

    anyio.run(work)


@case("InternalError", also=("NotFound", "Timeout", "ServiceUnavailable"))
def group_of_a_bug_and_a_404():
    problems = []
    for provoke in (lambda: _http(404), lambda: [][1]):
        try:
            provoke()
        except Exception as error:
            problems.append(error)
    raise ExceptionGroup("two tasks failed", problems)


@case("Unauthorized")
def runtime_error_from_a_group_with_one_401():
    try:
        try:
            _http(401)
        except Exception as error:
            raise ExceptionGroup("unhandled errors in a TaskGroup", [error]) from None
    except ExceptionGroup as group:
        raise RuntimeError("could not connect") from group


@case("Conflict", retryable=True)
def group_member_wraps_a_deadlock():
    import psycopg

    from .wire import postgres

    try:
        port = postgres("40P01", "deadlock detected")
        with psycopg.connect(
            host=HOST, port=port, user="u", dbname="d", sslmode="disable", autocommit=True
        ) as database:
            database.execute("UPDATE t SET a = 1")
    except psycopg.Error as error:
        wrapper = AppError("transfer failed")
        wrapper.__cause__ = error
        raise ExceptionGroup("batch", [wrapper]) from None


@case("RateLimited", retryable=True, retry_after=6)
def tenacity_retry_error_over_429():
    import tenacity

    @tenacity.retry(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_none())
    def call():
        _http(429, **{"Retry-After": "6"})

    call()


@case("ValidationError")
def thread_pool_future_passes_value_error_on():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(int, "twelve").result()


@case("InternalError", also=("ServiceUnavailable",))
def broken_process_pool():
    import multiprocessing
    import os
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        pool.submit(os._exit, 1).result(timeout=PATIENCE)


@case("Conflict")
def sqlalchemy_wraps_driver_wrapped_by_runtime_error():
    import sqlalchemy

    try:
        with sqlalchemy.create_engine("sqlite://").begin() as connection:
            connection.exec_driver_sql("CREATE TABLE t (id INTEGER PRIMARY KEY)")
            connection.exec_driver_sql("INSERT INTO t VALUES (1)")
            connection.exec_driver_sql("INSERT INTO t VALUES (1)")
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise RuntimeError("repository failure") from error


@case("ServiceUnavailable", retryable=True)
def cyclic_chain_of_wrappers_over_refused_connection():
    """A wrapper whose cause points back at it must not trap the walker."""
    try:
        _refused()
    except Exception as error:
        wrapper = RuntimeError("outer")
        deepest = error
        while deepest.__cause__ or deepest.__context__:
            deepest = deepest.__cause__ or deepest.__context__
        deepest.__context__ = wrapper
        raise wrapper from error


@case("ValidationError")
def exception_with_notes_that_mislead():
    try:
        int("seven")
    except ValueError as error:
        error.add_note("HTTP 503 Service Unavailable, rate limit, permission denied, not found")
        raise


@case("InternalError", also=("UnknownError",))
def bare_exception_with_misleading_words():
    raise Exception("something about a timeout in the permission module was not found")


@case("ConfigurationError")
def app_error_from_missing_credentials():
    import botocore.exceptions

    try:
        from . import clouds

        clouds.botocore_no_credentials()
    except botocore.exceptions.NoCredentialsError as error:
        raise AppError("upload failed") from error


@case("InternalError")
def generator_raised_stop_iteration():
    def generate():
        yield next(iter(()))

    list(generate())


@case("NotFound")
def aiohttp_group_in_chain_in_group():
    import aiohttp

    async def fetch():
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            async with session.get(answering(404)):
                pass

    async def middle():
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(fetch())
        except* aiohttp.ClientError as group:
            raise AppError("crawl failed") from group

    async def outer():
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(middle())

    asyncio.run(outer())


@case("ServiceUnavailable", retryable=True)
def body_of_a_503_that_does_not_read():
    import httpx

    response = httpx.get(answering(503, "<html>down</html>"))
    try:
        response.raise_for_status()
    except httpx.HTTPStatusError as error:
        raise RuntimeError(error.response.json()["message"]) from error


@case("InternalError")
def wrapper_that_cites_a_bug():
    try:
        {}["user not found"]
    except KeyError as error:
        raise RuntimeError(f"handler failed: {type(error).__name__}: {error}") from None


@case("RateLimited")
def wrapper_that_cites_a_status():
    class ApiError(Exception):
        pass

    try:
        raise ApiError(429, "later")
    except ApiError as error:
        raise RuntimeError(f"handler failed: {error!r}") from None


class ConnectionFailure(Exception):
    """A client's own name for whatever kept it from an answer."""


@case("Timeout", retryable=True)
def lost_connection_from_read_timeout():
    import httpx

    try:
        httpx.get(f"http://{HOST}:{hanging_port()}/", timeout=0.1)
    except httpx.HTTPError as error:
        raise ConnectionFailure("no answer") from error


class MissingRequiredAttribute(Exception):
    """A client's own name for an argument, or a setting, that it was not given."""


@case("ConfigurationError")
def missing_attribute_that_is_a_setting():
    raise MissingRequiredAttribute("client_id is missing; set it in app.ini or as an environment variable")


@case("ValidationError")
def missing_attribute_that_is_an_argument():
    raise MissingRequiredAttribute("name is missing")
