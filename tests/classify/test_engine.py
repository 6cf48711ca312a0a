"""From an exception to a verdict: what decides, in which order, and that nothing can break it."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from types import MappingProxyType, SimpleNamespace
from typing import Any, NoReturn

import anyio
import httpx2
import pydantic
import pytest
from fastmcp.exceptions import NotFoundError
from fastmcp.exceptions import ToolError as FastToolError
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from starlette.exceptions import HTTPException

from mcp_error_middleware.classify import Classifier, Explanation, classify, engine, explain, patterns
from mcp_error_middleware.errors import BY_CODE, CodedError, McpError, NotFound, RateLimited
from mcp_error_middleware.model import Evidence, Verdict
from mcp_error_middleware.taxonomy import ErrorCode


class OrderNotFound(Exception):
    pass


class InvalidOrder(Exception):
    pass


class UpstreamDown(Exception):
    pass


def http(status: int, **attributes: Any) -> Exception:
    exc = Exception("upstream")
    vars(exc).update(status_code=status, **attributes)
    return exc


def chained(exc: BaseException, cause: BaseException) -> BaseException:
    exc.__cause__ = cause
    return exc


def in_context(exc: BaseException, context: BaseException, *, suppressed: bool = False) -> BaseException:
    exc.__context__ = context
    exc.__suppress_context__ = suppressed
    return exc


def label(exc: BaseException) -> str:
    return classify(exc).code.label


# --- explicit ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "cls"), BY_CODE.items())
def test_an_explicit_error_keeps_its_code(code: ErrorCode, cls: type[CodedError]) -> None:
    assert classify(cls("x")) == Verdict(
        code,
        code.traits.retryable,
        evidence=Evidence("explicit", code.label, code, f"mcp_error_middleware.errors.{cls.__name__}"),
    )


def test_an_explicit_error_says_whether_and_when_to_retry() -> None:
    verdict = classify(NotFound("x", retryable=True, retry_after=3))
    assert (verdict.retryable, verdict.retry_after) == (True, 3.0)


@pytest.mark.parametrize(
    ("said", "waits"),
    [(10**400, 604_800.0), (float("inf"), 604_800.0), (-5, 0.0), (float("nan"), None), (True, None)],
    ids=["larger than any float", "inf", "negative", "nan", "bool"],
)
def test_a_wait_nobody_can_wait_is_bounded_or_left_out(said: float, waits: float | None) -> None:
    verdict = classify(RateLimited("x", retry_after=said))
    assert (verdict.code, verdict.retry_after) == (ErrorCode.RATE_LIMITED, waits)


def test_an_explicit_error_is_not_overruled_by_its_cause() -> None:
    assert label(chained(NotFound("x"), http(503))) == "NotFound"


def test_an_explicit_error_inside_a_wrapper_counts() -> None:
    assert label(chained(RuntimeError("wrapped"), RateLimited("x"))) == "RateLimited"


def test_an_explicit_error_with_a_broken_code_is_internal() -> None:
    exc = NotFound("x")
    exc.code = 404  # type: ignore[assignment]
    assert label(exc) == "InternalError"


# --- wrappers ----------------------------------------------------------------------------------

WRAPPERS: list[Callable[[str], Exception]] = [Exception, RuntimeError, ToolError, FastToolError]


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=["Exception", "RuntimeError", "mcp", "fastmcp"])
@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        (http(404), "NotFound"),
        (TimeoutError(), "Timeout"),
        (ConnectionRefusedError(111, "x"), "ServiceUnavailable"),
        (KeyError("permission"), "InternalError"),
        (ValueError("bad date"), "ValidationError"),
        (OrderNotFound(), "NotFound"),
        (RuntimeError("rate limit exceeded"), "RateLimited"),
        (ExceptionGroup("g", [TimeoutError()]), "Timeout"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_wrapper_takes_the_code_of_its_cause(
    wrapper: Callable[[str], Exception], cause: Exception, expected: str
) -> None:
    assert label(chained(wrapper("it failed"), cause)) == expected


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        (http(503), "ServiceUnavailable"),
        (http(404), "NotFound"),
        (TimeoutError(), "Timeout"),
        (ConnectionResetError(), "ServiceUnavailable"),
        (KeyError("x"), "ValidationError"),
        (ValueError("x"), "ValidationError"),
        (OrderNotFound(), "ValidationError"),
        (RuntimeError("timed out"), "ValidationError"),
    ],
    ids=["503", "404", "timeout", "reset", "key", "value", "domain", "words"],
)
def test_a_bad_value_stays_one_unless_an_upstream_is_behind_it(cause: Exception, expected: str) -> None:
    assert label(chained(ValueError("x"), cause)) == expected


def test_a_bad_value_is_not_judged_by_what_was_being_handled() -> None:
    assert label(in_context(ValueError("x"), TimeoutError())) == "ValidationError"


def test_a_bad_value_yields_to_an_answer_that_was_being_handled_and_no_other_value_would_change() -> None:
    refused = {401: "Unauthorized", 429: "RateLimited", 503: "ServiceUnavailable", 404: "ValidationError"}
    assert {status: label(in_context(ValueError("x"), http(status))) for status in refused} == refused
    assert label(in_context(ValueError("x"), http(401), suppressed=True)) == "ValidationError"


def test_a_bad_value_that_only_repeats_an_upstreams_failure_is_that() -> None:
    timed_out = TimeoutError("timed out")
    assert label(in_context(ValueError("Failed to query: timed out"), timed_out)) == "Timeout"
    assert label(in_context(ValueError("The deadline is no date"), timed_out)) == "ValidationError"
    repeated = in_context(ValueError("Failed to query: timed out"), timed_out, suppressed=True)
    assert label(repeated) == "ValidationError"


def repeating(inner: BaseException, **how: Any) -> str:
    return label(in_context(ValueError(f"Failed to look: {inner}"), inner, **how))


def test_a_bad_value_that_only_repeats_a_failure_is_that() -> None:
    assert repeating(OrderNotFound("no order 7")) == "NotFound"
    assert repeating(FileExistsError(17, "File exists", "a.txt")) == "Conflict"
    assert repeating(ModuleNotFoundError("No module named 'boxes'")) == "ConfigurationError"
    assert repeating(http(404)) == "NotFound"
    assert repeating(TimeoutError()) == "Timeout"
    twice = in_context(ValueError("Could not: Failed to look: no order 7"), OrderNotFound("no order 7"))
    assert repeating(twice) == "NotFound"
    caused = chained(ValueError("Failed: no order 7"), OrderNotFound("no order 7"))
    assert label(caused) == "NotFound"


def test_a_bad_value_in_words_of_its_own_stays_one() -> None:
    assert label(in_context(ValueError("The path must be new"), FileExistsError(17, "File exists"))) == (
        "ValidationError"
    )
    assert repeating(OrderNotFound("no order 7"), suppressed=True) == "ValidationError"
    assert label(in_context(ValueError("Failed to look"), OrderNotFound())) == "ValidationError"


def test_what_did_not_read_or_was_no_key_is_the_callers_in_a_bad_value_that_repeats_it() -> None:
    for inner in (KeyError("paris"), IndexError("list index out of range"), ValueError("bad date")):
        assert repeating(inner) == "ValidationError"
    assert repeating(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")) == "ValidationError"


def test_what_is_wrapped_is_judged_by_its_text_where_its_class_says_little() -> None:
    def failed(text: str) -> BaseException:
        kind: type[Exception] = type("OperationalError", (Exception,), {"__module__": "shopdb"})
        return kind(text)

    def wrapped(inner: BaseException) -> set[str]:
        text = f"Error in orders: {inner}"
        return {
            label(in_context(RuntimeError(text), inner)),
            label(chained(RuntimeError(text), inner)),
            label(in_context(ValueError(text), inner)),
            label(chained(RuntimeError("No orders"), inner)),
        }

    assert wrapped(failed("connection failed: Connection refused")) == {"ServiceUnavailable"}
    assert wrapped(failed("the page is torn")) == {"DatabaseError"}


def test_a_name_given_on_purpose_says_more_than_the_slip_behind_it() -> None:
    assert label(chained(InvalidOrder("x"), KeyError("x"))) == "ValidationError"
    assert label(chained(InvalidOrder("x"), http(503))) == "ServiceUnavailable"
    assert label(chained(OrderNotFound("x"), http(503))) == "NotFound"


def test_a_library_that_caught_a_slip_and_spoke_is_heard() -> None:
    ours = type("ShopError", (Exception,), {"__module__": "shop"})
    for slip in (KeyError("x"), IndexError("list index out of range"), StopIteration()):
        assert label(chained(shutil.RegistryError("'x' is not a valid unit"), slip)) == "ValidationError"
        assert label(chained(shutil.RegistryError("oh no"), slip)) == "InternalError"
        assert label(chained(RuntimeError("'x' is not a valid unit"), slip)) == "InternalError"
        assert label(chained(ours("'x' is not a valid unit"), slip)) == "InternalError"
    down = chained(shutil.RegistryError("'x' is not a valid unit"), ConnectionRefusedError(111, "refused"))
    assert label(down) == "ServiceUnavailable"


def test_a_name_that_its_text_confirms_says_more_than_what_did_not_read() -> None:
    locked = type("CredentialsError", (Exception,), {"__module__": "safe"})
    unread = json.JSONDecodeError("Expecting value", "x", 0)
    assert label(in_context(locked("Invalid credentials"), unread)) == "Unauthorized"
    assert label(chained(locked("Invalid credentials"), unread)) == "Unauthorized"
    assert label(chained(locked("the file of them"), unread)) == "SerializationError"
    assert label(chained(locked("Invalid credentials"), http(503))) == "ServiceUnavailable"


def test_what_was_raised_while_handling_a_failure_takes_its_code() -> None:
    assert label(in_context(RuntimeError("could not load"), http(404))) == "NotFound"
    assert label(in_context(RuntimeError("could not load"), TimeoutError())) == "Timeout"
    assert label(in_context(RuntimeError("oops"), KeyError("x"))) == "InternalError"


def test_an_answer_that_does_not_read_is_judged_by_its_status() -> None:
    unread = json.JSONDecodeError("Expecting value", "<html>", 0)
    assert label(unread) == "SerializationError"
    assert label(in_context(unread, http(503))) == "ServiceUnavailable"
    assert label(in_context(unread, http(503), suppressed=True)) == "SerializationError"
    assert label(in_context(unread, KeyError("x"))) == "SerializationError"


@pytest.mark.parametrize("name", ["BadRequest", "BadResponse", "UnexpectedStatus"])
def test_a_status_in_words_says_more_than_that_the_answer_was_no_good(name: str) -> None:
    cls = type(name, (Exception,), {"__module__": "shop.client"})
    assert label(cls("(404) not_found; /orders/7")) == "NotFound"
    assert label(chained(RuntimeError("no order"), cls("(404) not_found; /orders/7"))) == "NotFound"
    assert label(cls("no")) in ("InvalidParams", "ServiceUnavailable")


def test_a_name_that_says_only_that_a_request_was_refused_leaves_the_rest_to_its_text() -> None:
    cls = type("InvalidRequestError", (Exception,), {"__module__": "shop.client"})
    said = {
        '{"detail": "Not found."}': "NotFound",
        "Too many requests": "RateLimited",
        "boxes must be positive": "InvalidParams",
        "not allowed in this shop": "InvalidParams",
    }
    assert {text: label(cls(text)) for text in said} == said


def test_a_suppressed_context_is_never_judged() -> None:
    assert label(in_context(RuntimeError("oops"), TimeoutError(), suppressed=True)) == "InternalError"


def test_the_text_of_the_raised_says_more_than_a_bug_it_was_raised_after() -> None:
    assert label(in_context(Exception("User not found"), KeyError("u7"))) == "NotFound"


def test_words_a_text_only_repeats_from_a_bug_do_not_count() -> None:
    bug = KeyError("permission denied")
    assert label(in_context(RuntimeError(f"failed: {bug}"), bug)) == "InternalError"


def test_the_text_of_a_cause_is_read_when_nothing_else_speaks() -> None:
    assert label(chained(RuntimeError("failed"), Exception("User not found"))) == "NotFound"


def test_a_bug_is_a_bug_whatever_is_behind_it() -> None:
    assert label(chained(TypeError("x"), http(503))) == "InternalError"
    assert label(in_context(AttributeError("x"), TimeoutError())) == "InternalError"


@pytest.mark.parametrize(
    "attribute",
    ["orig", "original_error", "original_exception", "inner_exception", "reason", "cause", "os_error"],
)
def test_an_exception_kept_in_an_attribute_is_found(attribute: str) -> None:
    exc = RuntimeError("wrapped")
    setattr(exc, attribute, TimeoutError())
    assert label(exc) == "Timeout"


def test_an_exception_among_the_arguments_is_found() -> None:
    assert label(RuntimeError("Connection", ConnectionResetError())) == "ServiceUnavailable"


def test_the_last_attempt_of_a_retry_is_found() -> None:
    for attempt in (
        SimpleNamespace(_exception=TimeoutError()),
        SimpleNamespace(value=(TimeoutError, TimeoutError(), None)),
    ):
        exc = RuntimeError("gave up")
        exc.last_attempt = attempt  # type: ignore[attr-defined]
        assert label(exc) == "Timeout"


# --- groups ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([TimeoutError(), TimeoutError()], "Timeout"),
        ([TimeoutError(), PermissionError()], "Timeout"),
        ([OrderNotFound(), KeyError()], "InternalError"),
        ([OrderNotFound(), http(429)], "RateLimited"),
        ([ValueError("x"), OrderNotFound()], "ValidationError"),
        ([Exception("boom"), OrderNotFound()], "NotFound"),
        ([Exception("boom")], "InternalError"),
        ([Exception("User not found")], "NotFound"),
        ([ExceptionGroup("h", [OrderNotFound()])], "NotFound"),
        ([NotFound("x")], "NotFound"),
    ],
    ids=["agree", "upstream", "server", "limit", "first", "explained", "boom", "text", "nested", "explicit"],
)
def test_the_most_telling_member_speaks_for_a_group(members: list[Exception], expected: str) -> None:
    assert label(ExceptionGroup("unhandled errors in a TaskGroup", members)) == expected


def test_cancelled_siblings_do_not_speak() -> None:
    group = BaseExceptionGroup("g", [asyncio.CancelledError(), OrderNotFound()])
    assert label(group) == "NotFound"
    assert label(BaseExceptionGroup("g", [asyncio.CancelledError()])) == "Timeout"


def test_a_real_task_group_is_understood() -> None:
    async def fail() -> NoReturn:
        raise http(403)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(fail)
            group.start_soon(anyio.sleep, 10)

    with pytest.raises(ExceptionGroup) as caught:
        anyio.run(main)
    assert label(caught.value) == "Forbidden"


# --- single types ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exc", "expected"),
    [
        (asyncio.CancelledError(), "Timeout"),
        (SystemExit(1), "InternalError"),
        (GeneratorExit(), "InternalError"),
        (KeyboardInterrupt(), "InternalError"),
        (MemoryError(), "InternalError"),
        (RecursionError(), "InternalError"),
        (SyntaxError("x"), "ValidationError"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "SerializationError"),
        (json.JSONDecodeError("x", "", 0), "SerializationError"),
        (subprocess.CalledProcessError(1, "x"), "InternalError"),
        (subprocess.TimeoutExpired("x", 1), "Timeout"),
        (ModuleNotFoundError("No module named 'x'"), "ConfigurationError"),
        (ImportError("cannot import name 'x'"), "InternalError"),
        (ImportError("Missing optional dependency 'x'. Use pip install x."), "ConfigurationError"),
        (HTTPException(404), "NotFound"),
        (HTTPException(429, headers={"Retry-After": "9"}), "RateLimited"),
        (MCPError(-32602, "x"), "InvalidParams"),
        (NotFoundError("x"), "NotFound"),
        (ToolError("Unknown tool: x"), "NotFound"),
        (FastToolError("rate limit exceeded"), "RateLimited"),
        (Exception(), "InternalError"),
        (ValueError("boxes must be positive"), "ValidationError"),
        (ValueError("No API key was provided"), "ConfigurationError"),
        (ValueError("set the SHOP_URL environment variable"), "ConfigurationError"),
        (ValueError("Request failed with status code 429: slow down"), "RateLimited"),
        (ValueError("Request failed with status code 401"), "Unauthorized"),
        (ValueError("boxes must be fewer than 429"), "ValidationError"),
        (ValueError("Unexpected error: None"), "InternalError"),
        (ValueError("I/O operation on closed file."), "InternalError"),
        (ValueError("SMTP_SENDER_EMAIL is not set"), "ConfigurationError"),
        (RuntimeError("A DSN is required to migrate: set SHOP_DB_URL"), "ConfigurationError"),
        (RuntimeError("Could not find 'uv' in PATH. Install it first."), "ConfigurationError"),
        (ValueError("A token is required. Set it in your environment."), "ConfigurationError"),
        (ValueError("The boxes are required. Set them in order."), "ValidationError"),
        (RuntimeError("No way to copy was found; try: sudo apt-get install xclip"), "ConfigurationError"),
        (RuntimeError("Java 17+ is required, but this is Java 11"), "ConfigurationError"),
        (ValueError("max() arg is an empty sequence"), "InternalError"),
        (ValueError("All arrays must be of the same length"), "InternalError"),
        (ValueError("boxes and labels must have the same length"), "ValidationError"),
        (ValueError("a coroutine was expected, got None"), "InternalError"),
        (ValueError("Command timed out after 5 seconds"), "Timeout"),
        (ValueError("timeout must be positive"), "ValidationError"),
        (ValueError("the API said {'code': 429, 'message': 'Too many requests'}"), "RateLimited"),
        (ValueError("Missing required database configuration"), "ConfigurationError"),
        (ValueError("index: HTTP error: All connection attempts failed"), "ServiceUnavailable"),
        (ValueError("Unexpected response from server: 7"), "ServiceUnavailable"),
        (ValueError("Order 7 has not been started"), "ValidationError"),
        (ValueError("timeout must be of TimeoutError"), "ValidationError"),
        (ValueError("fetch failed: ConnectTimeoutError('shop')"), "Timeout"),
        (ValueError("not a boxes value: TypeError('x')"), "ValidationError"),
        (ValueError("Could not fetch config for http://127.0.0.1:7860/"), "ServiceUnavailable"),
        (OSError("No wkhtmltopdf executable found"), "ConfigurationError"),
        (OSError("No pandoc was found: install it and add it to your PATH"), "ConfigurationError"),
        (FileNotFoundError("The Client Library could not be located"), "ConfigurationError"),
        (FileNotFoundError(2, "No such file or directory", "in your PATH"), "NotFound"),
        (RuntimeError("503 service_unavailable"), "ServiceUnavailable"),
        (OSError("image file is truncated (20 bytes not processed)"), "SerializationError"),
        (configparser.DuplicateSectionError("a"), "ConfigurationError"),
        (configparser.MissingSectionHeaderError("a.ini", 1, "x"), "SerializationError"),
        (Warning("permission denied"), "InternalError"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value)[:40],
)
def test_a_real_exception_gets_the_code_it_deserves(exc: BaseException, expected: str) -> None:
    assert label(exc) == expected


@pytest.mark.parametrize(
    ("module", "name", "expected"),
    [
        ("omegaconf.errors", "MissingMandatoryValue", "ConfigurationError"),
        ("configobj", "DuplicateError", "ConfigurationError"),
        ("configobj", "ConfigObjError", "ConfigurationError"),
        ("shop.config", "DuplicateError", "Conflict"),
        ("config", "DuplicateError", "Conflict"),
        ("confluent_kafka", "DuplicateError", "Conflict"),
        ("shop.tokenizer", "ShopError", "SerializationError"),
        ("shop.basket", "ShopError", "InternalError"),
    ],
)
def test_the_module_of_a_class_says_what_it_is_about(module: str, name: str, expected: str) -> None:
    assert label(type(name, (Exception,), {"__module__": module})("x")) == expected


def test_pydantic_speaks_of_values() -> None:
    class Model(pydantic.BaseModel):
        timeout: int

    with pytest.raises(pydantic.ValidationError) as caught:
        Model(timeout="permission denied")  # type: ignore[arg-type]
    assert label(caught.value) == "ValidationError"


def test_the_same_exception_gets_the_same_verdict() -> None:
    exc = chained(RuntimeError("x"), http(429, headers={"retry-after": "5"}))
    assert classify(exc) == classify(exc)


@pytest.mark.parametrize(
    ("attributes", "retryable"),
    [
        ({"retryable": True}, True),
        ({"is_retryable": lambda: True}, True),
        ({"transient": True}, True),
        ({}, False),
    ],
    ids=["flag", "method", "transient", "none"],
)
def test_a_library_knows_best_whether_to_retry(attributes: dict[str, Any], retryable: bool) -> None:
    assert classify(http(404, **attributes)).retryable is retryable


# --- explaining --------------------------------------------------------------------------------


def test_an_explanation_names_what_decided_and_what_lost() -> None:
    exc = chained(RuntimeError("User not found"), http(429, retry_after=9))
    code, name = ErrorCode.RATE_LIMITED, "Exception"
    explanation = explain(exc)
    assert explanation == Explanation(
        Verdict(code, True, 9.0, Evidence("http_status", "429", code, name), 429),
        (Evidence("pattern", "not found", ErrorCode.NOT_FOUND, "RuntimeError"),),
    )
    assert str(explanation).splitlines() == [
        "RateLimited, retryable after 9 s",
        "  decided by http_status: 429 on Exception -> RateLimited",
        "  also seen  pattern: not found on RuntimeError -> NotFound",
    ]


def test_an_explanation_leaves_out_what_was_suppressed_and_what_hangs_from_it() -> None:
    hidden = chained(TimeoutError("hidden"), http(503))
    exc = in_context(RuntimeError("oops"), hidden, suppressed=True)
    assert explain(exc).runners_up == ()
    group = BaseExceptionGroup("g", [exc, OrderNotFound()])
    assert [evidence.source for evidence in explain(group).runners_up] == []


def test_an_explanation_of_nothing_says_so() -> None:
    assert (
        str(explain(Exception("boom")))
        == "InternalError, not retryable\n  decided by fallback: - on Exception -> InternalError"
    )


# --- hostile objects ---------------------------------------------------------------------------


class Raising(Exception):
    def __getattribute__(self, name: str) -> NoReturn:
        raise SystemExit(name)


class RaisingText(Exception):
    def __str__(self) -> str:
        raise MemoryError

    __repr__ = __str__


class Everything(Exception):
    def __getattr__(self, name: str) -> Any:
        return self


class LyingClass(Exception):
    __class__ = NotFound  # type: ignore[assignment]
    status_code = property(lambda self: 1 / 0)


class Numbers(Exception):
    code = status = status_code = http_status = float("nan")
    retry_after = float("-inf")
    headers = 7
    response = "404"
    body = MappingProxyType({"error": {"error": {"error": None}}, 1: {2}})
    args = ((),)


class Meta(type):
    def __hash__(cls) -> int:
        raise RuntimeError("no")

    def __getattribute__(cls, name: str) -> Any:
        if name == "__mro__":
            raise RuntimeError("no")
        return super().__getattribute__(name)


class HostileMapping(dict[str, Any]):
    def __getitem__(self, key: str) -> NoReturn:
        raise GeneratorExit

    def get(self, *args: Any) -> NoReturn:
        raise GeneratorExit

    def values(self) -> NoReturn:
        raise GeneratorExit


def looped() -> BaseException:
    exc = RuntimeError("loop")
    exc.__cause__ = exc
    exc.error = exc  # type: ignore[attr-defined]
    return exc


def with_odd_keys() -> BaseException:
    exc = RuntimeError("keys")
    vars(exc)[7] = "x"  # type: ignore[index]
    return exc


def with_hostile_mappings() -> BaseException:
    exc = RuntimeError("body")
    exc.body = exc.errors = exc.response = HostileMapping(error="x")  # type: ignore[attr-defined]
    return exc


# Made only inside the test: pytest, too, trips over some of them.
HOSTILE: dict[str, Callable[[], BaseException]] = {
    "attributes raise": lambda: Raising("x"),
    "text raises": lambda: RaisingText("x"),
    "has every attribute": lambda: Everything("x"),
    "lies about its class": lambda: LyingClass("x"),
    "odd numbers": lambda: Numbers("x"),
    "odd metaclass": lambda: Meta("Odd", (Exception,), {})("x"),
    "loop": looped,
    "odd keys": with_odd_keys,
    "hostile mappings": with_hostile_mappings,
    "surrogates": lambda: Exception("\ud800" * 100),
    "bytes": lambda: Exception(b"\xff" * 100),
    "10 MB": lambda: Exception("x" * 10_000_000),
    "odd arguments": lambda: Exception(float("nan"), {1: 2}, [None]),
    "huge number": lambda: Exception(10**5000),
    "long name": lambda: type("N" * 10_000, (Exception,), {})("x"),
    "no name, odd module": lambda: type("", (Exception,), {"__module__": 7})("x"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_exception_still_gets_a_verdict(kind: str) -> None:
    exc = HOSTILE[kind]()
    group = BaseExceptionGroup("g", [exc, OrderNotFound()])
    for subject in (exc, chained(RuntimeError("x"), exc), in_context(RuntimeError("x"), exc), group):
        verdict = classify(subject)
        assert type(verdict) is Verdict
        assert verdict == classify(subject)
        assert str(explain(subject))


def test_groups_in_groups_do_not_multiply_the_work() -> None:
    exc: Exception = Exception("boom")
    for _ in range(60):
        exc = ExceptionGroup("g", [exc, Exception("boom")])
    assert label(exc) == "InternalError"


def test_a_very_long_chain_is_judged_by_its_beginning() -> None:
    exc: BaseException = RuntimeError("root")
    for _ in range(10_000):
        exc = chained(RuntimeError("x"), exc)
    assert label(exc) == "InternalError"
    assert label(chained(RuntimeError("x"), chained(OrderNotFound(), exc))) == "NotFound"


def test_classifying_at_the_edge_of_the_stack_does_not_raise() -> None:
    def deep() -> Verdict:
        try:
            return deep()
        except RecursionError as exc:
            return classify(chained(RuntimeError("x"), exc))

    assert deep().code is ErrorCode.INTERNAL_ERROR


def test_a_ctrl_c_is_never_swallowed() -> None:
    class Interrupting(Exception):
        @property
        def status_code(self) -> NoReturn:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        classify(Interrupting())


BASES = [Exception, ValueError, KeyError, OSError, RuntimeError, TimeoutError, UpstreamDown, ToolError]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.binary(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
ATTRIBUTES = st.sampled_from(
    """
    status_code status code response body error errors headers retry_after reason args0 details sqlstate errno
    retryable type meta extensions reply_code smtp_code
    """.split()
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(BASES), st.lists(VALUES, max_size=3), st.dictionaries(ATTRIBUTES, VALUES, max_size=4))
def test_whatever_an_exception_carries_it_gets_one_sane_verdict(
    base: type[Exception], args: list[Any], attributes: dict[str, Any]
) -> None:
    exc = base(*args)
    for name, value in attributes.items():
        if name != "errno":
            setattr(exc, name, value)
    verdict = classify(exc)
    assert verdict == classify(exc)
    assert isinstance(verdict.code, ErrorCode)
    assert type(verdict.retryable) is bool
    assert verdict.retry_after is None or 0 <= verdict.retry_after < float("inf")
    assert verdict.status is None or 400 <= verdict.status <= 599
    assert verdict.evidence is not None
    assert verdict.evidence.code is verdict.code


# --- cost --------------------------------------------------------------------------------------


def test_a_class_is_worked_out_once_and_memory_stays_bounded() -> None:
    from mcp_error_middleware.classify import chain, profile

    for number in range(profile.KEPT + 10):
        classify(type(f"Error{number}", (Exception,), {})("x"))
    assert len(profile._PROFILES) <= profile.KEPT
    assert len(chain._NAMES) <= chain._NAMES_KEPT


def test_importing_compiles_no_tables() -> None:
    script = (
        "from mcp_error_middleware.classify.names import _compiled;"
        " from mcp_error_middleware.classify.patterns.phrases import _COMPILED;"
        " print(len(_COMPILED), _compiled.cache_info().currsize)"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["0", "0"]


def test_a_classifier_is_a_value() -> None:
    assert Classifier() == Classifier(())
    assert hash(Classifier()) == hash(Classifier())


# --- the same failure again --------------------------------------------------------------------


def chain(text: str) -> Exception:
    exc = RuntimeError("lookup failed")
    exc.__cause__ = OSError(text)
    return exc


def test_a_chain_seen_before_gets_the_same_verdict_and_its_text_is_not_kept() -> None:
    first, second = (
        classify(chain("connection refused by hunter2")),
        classify(chain("connection refused by hunter2")),
    )

    assert first is second
    assert "hunter2" not in str(engine._KNOWN)


def test_other_words_are_another_failure() -> None:
    assert classify(chain("connection refused")).code is not classify(chain("no such order")).code


def test_where_the_evidence_decides_other_words_are_the_same_failure() -> None:
    def refused(order: int) -> Exception:
        exc = RuntimeError(f"lookup failed for order {order}")
        exc.__cause__ = ConnectionRefusedError(111, "Connection refused")
        return exc

    assert classify(refused(1)) is classify(refused(2))


def test_another_id_in_the_same_words_is_the_same_failure() -> None:
    first, second = ValueError("order ord_400001 has no boxes"), ValueError("order ord_400002 has no boxes")

    assert classify(first) is classify(second)


def test_a_wait_as_long_as_an_id_is_read_each_time() -> None:
    said = "rate limit exceeded, retry after {} ms"

    waits = [classify(RuntimeError(said.format(wait))).retry_after for wait in (120_000, 240_000)]

    assert waits == [120.0, 240.0]


def test_no_phrase_asks_for_a_number_that_is_taken_for_an_id() -> None:
    stated = (*patterns.PROVIDERS, *patterns.COMMON, *patterns.VALUES)
    confessed = (*patterns.MISUSE, *patterns.CONFESSIONS, *patterns.PLAIN, *patterns.LIFECYCLE)
    for pattern in (*stated, *confessed):
        assert not engine._AN_ID.search(pattern.literals + pattern.phrases), pattern.phrases


def test_what_a_text_repeats_of_another_is_remembered_apart_from_what_it_does_not() -> None:
    def chain(first: int, then: int) -> BaseException:
        error = RuntimeError(f"order {then} not found")
        error.__context__ = LookupError(f"order {first} not found")
        return error

    fresh = classify(chain(111111, 222222)).code
    engine._KNOWN.clear()
    repeated = classify(chain(222222, 222222)).code
    assert classify(chain(333333, 222222)).code is fresh is not repeated


def test_memory_changes_no_verdict() -> None:
    kinds = (Exception, RuntimeError, ValueError, KeyError, OSError, TimeoutError, ImportError)
    texts = (
        "connection refused",
        "rate limit exceeded, retry after 7 s",
        "rate limit exceeded, retry after 100000 s",
        "no such order",
        "pip install x",
        "Invalid response from the shop",
    )
    for outer, inner, said, below in product(kinds, kinds, texts, texts):
        exc = outer(said)
        exc.__cause__ = inner(below)
        assert classify(exc) == engine.Inquiry().answer(exc), (outer, inner, said, below)


def test_what_an_instance_carries_is_never_taken_from_memory() -> None:
    plain, limited = RuntimeError("call failed"), RuntimeError("call failed")
    limited.status_code = 429  # type: ignore[attr-defined]

    assert classify(plain).code is ErrorCode.INTERNAL_ERROR
    assert classify(limited).code is ErrorCode.RATE_LIMITED


def test_memory_is_bounded() -> None:
    for number in range(engine._REMEMBERED + 10):
        classify(chain(f"order {number}"))

    assert len(engine._KNOWN) <= engine._REMEMBERED


def test_a_wait_until_a_moment_is_shorter_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000.0
    said = json.dumps({"error": {"code": "rate_limit_exceeded", "retry_after": now + 60}})

    monkeypatch.setattr(time, "time", lambda: now)
    first = classify(Exception(said))
    monkeypatch.setattr(time, "time", lambda: now + 45)
    later = classify(Exception(said))

    assert (first.code, first.retry_after) == (ErrorCode.RATE_LIMITED, 60)
    assert later == first._replace(retry_after=15)


# --- whose turn it is ---------------------------------------------------------------------------


def test_an_answer_that_does_not_validate_is_the_upstreams() -> None:
    unfit = type("ValidationError", (ValueError,), {"__module__": "checks"})
    for words, label in (
        ("Invalid response from the model", "ServiceUnavailable"),
        ("could not place the order", "ValidationError"),
    ):
        exc = RuntimeError(words)
        exc.__cause__ = unfit("1 validation error")
        assert classify(exc).code.label == label


def test_what_is_looked_up_by_a_class_is_a_part_of_the_program() -> None:
    cls = type("ServiceNotFoundError", (Exception,), {"__module__": "wiring"})
    assert classify(cls(int)).code is ErrorCode.INTERNAL_ERROR
    assert classify(cls("orders")).code is ErrorCode.NOT_FOUND
    assert classify(cls("no loader for <class 'shop.Order'>")).code is ErrorCode.INTERNAL_ERROR
    assert classify(cls("no first class seat")).code is ErrorCode.NOT_FOUND


def test_a_part_of_a_settings_file_is_a_setting() -> None:
    with pytest.raises(KeyError) as caught:
        configparser.ConfigParser()["api"]
    assert label(caught.value) == repeating(caught.value) == "ConfigurationError"


def test_a_bad_value_that_repeats_how_an_answer_did_not_read_is_no_callers() -> None:
    def fetched(body: bytes) -> object:
        return httpx2.Response(200, content=body).json()

    def written(body: bytes) -> object:
        return json.loads(body)

    for read, expected in ((fetched, "SerializationError"), (written, "ValidationError")) * 2:
        with pytest.raises(ValueError, match="Expecting value") as caught:
            read(b"<html>")
        assert repeating(caught.value) == expected


def test_only_a_key_of_the_environment_is_a_setting() -> None:
    empty: dict[str, str] = {}
    for holder, label in ((os.environ, "ConfigurationError"), (empty, "InternalError")) * 2:
        with pytest.raises(KeyError) as caught:
            holder["NOT_SET_ANYWHERE"]
        assert classify(caught.value).code.label == label

        wrapper = RuntimeError("cannot connect")
        wrapper.__cause__ = caught.value
        assert classify(wrapper).code.label == label


def test_a_bad_value_is_the_callers_unless_its_text_confesses() -> None:
    said = {
        "Order 7 not found": "ValidationError",
        "Request failed with status code 500: {}": "InternalError",
        "Request failed with status code 402: no credits": "Forbidden",
        "Invalid API key provided.": "ConfigurationError",
        "a page has at most 500 rows, not 900 (500)": "ValidationError",
        "document closed or encrypted": "InternalError",
        "Make sure to initialize the SDK by calling setup().": "InternalError",
    }
    assert {text: classify(ValueError(text)).code.label for text in said} == said


def test_what_was_looked_up_or_came_to_an_end_is_told_by_its_text() -> None:
    said = {
        LookupError("Could not find a record for 'narnia'"): "NotFound",
        LookupError("<ContextVar name='order' at 0x7f>"): "InternalError",
        EOFError("connection closed by peer"): "ServiceUnavailable",
        EOFError("Ran out of input"): "SerializationError",
    }
    assert {exc: classify(exc).code.label for exc in said} == said


def test_an_expression_that_does_not_parse_is_a_bad_value() -> None:
    assert classify(type("ParseError", (Exception,), {"__module__": "numexpr"})("a+")).code.label == (
        "ValidationError"
    )
    assert classify(type("ParseError", (Exception,), {"__module__": "reports"})("a+")).code.label == (
        "SerializationError"
    )


def test_a_name_with_its_path_is_read_by_its_end() -> None:
    gone = type("vm.fault.ObjectNotFound", (Exception,), {"__module__": "machines"})
    assert label(gone()) == "NotFound"


def test_a_name_put_together_at_run_time_says_nothing() -> None:
    cls = type("ShopError.wrap(ValueError)", (TypeError,), {"__module__": "shop"})
    assert classify(cls("no spec")).code is ErrorCode.INTERNAL_ERROR


def test_the_body_behind_a_clients_own_words_is_read() -> None:
    cls = type("InternalServerError", (Exception,), {"__module__": "llm"})
    exc = cls('llm.InternalServerError: - {"type": "error", "error": {"type": "overloaded_error"}}')
    exc.__dict__.update(status_code=500)
    assert classify(exc).code is ErrorCode.SERVICE_UNAVAILABLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Collection [orders] already exists", "Conflict"),
        ("Collection [orders] does not exist.", "NotFound"),
        ("what already exists was read twice", "InternalError"),
        ("not found in the cache, so it was computed", "InternalError"),
    ],
)
def test_a_library_that_calls_everything_internal_may_say_one_plain_thing(text: str, expected: str) -> None:
    cls = type("InternalError", (Exception,), {"__module__": "vectors.errors"})
    assert label(cls(text)) == expected


def test_a_grammar_of_the_codes_own_is_its_bug_whatever_did_not_parse() -> None:
    grammar = type("GrammarError", (Exception,), {"__module__": "lark.exceptions"})("no such rule: order")
    cause = type("UnexpectedToken", (Exception,), {"__module__": "lark.exceptions"})("unexpected 'x'")
    assert label(chained(grammar, cause)) == "InternalError"


def test_a_parameter_that_a_statement_was_not_given_is_nobodys_input() -> None:
    base = type("DatabaseError", (Exception,), {"__module__": "olap"})
    cls = type("InvalidInputException", (base,), {"__module__": "olap"})
    assert label(cls("Values were not provided for the following prepared statement parameters: 1")) == (
        "InternalError"
    )


def test_the_body_that_a_bad_value_is_quoted_with_is_not() -> None:
    cls = type("PayloadError", (ValueError,), {"__module__": "shop"})
    exc = cls('invalid payload: {"error": {"code": "order_not_found"}}')
    exc.__dict__.update(payload=None)
    assert classify(exc).code is ErrorCode.VALIDATION_ERROR


def test_a_refusal_in_the_words_of_the_standard_is_one() -> None:
    exc = type("RefreshError", (Exception,), {"__module__": "oauth"})("invalid_grant: Token has expired.")
    exc.__dict__.update(status=400)
    assert classify(exc).code is ErrorCode.UNAUTHORIZED


def test_the_problems_of_a_validator_are_problems_of_values() -> None:
    cls = type("ValidationError", (Exception,), {"__module__": "ninja"})
    exc = cls([{"type": "int_parsing", "loc": ("query", "n"), "msg": "Input should be a valid integer"}])
    exc.__dict__.update(errors=exc.args[0])
    assert classify(exc).code is ErrorCode.VALIDATION_ERROR


def test_a_code_that_an_author_set_by_its_number_counts() -> None:
    error = McpError(ErrorCode.NOT_FOUND, "no such order")
    for code, label in ((-32003, "RateLimited"), (7, "InternalError"), ([], "InternalError")):
        error.__dict__["code"] = code
        assert classify(error).code.label == label


@pytest.mark.parametrize("toolkit", ["lark.exceptions", "pyparsing.exceptions", "sqlglot.errors"])
def test_what_does_not_fit_a_language_of_ones_own_is_a_bad_value(toolkit: str) -> None:
    for name in ("ParseError", "UnexpectedToken"):
        error = type(name, (Exception,), {"__module__": toolkit})("Unexpected token at line 1")
        assert classify(error).code is ErrorCode.VALIDATION_ERROR


def test_what_is_forbidden_for_now_is_limited() -> None:
    forbidden = type("ForbiddenError", (Exception,), {"__module__": "search.errors"})
    said = {
        "This request exceeds your plan's set usage limit. Please upgrade your plan.": "RateLimited",
        "Rate limit exceeded, retry in a minute": "RateLimited",
        "Please upgrade your plan to search images": "Forbidden",
        "Only owners may change the rate limit of a project": "Forbidden",
        "": "Forbidden",
    }
    assert {text: classify(forbidden(text)).code.label for text in said} == said


def test_a_status_for_whatever_is_refused_yields_to_a_limit_in_the_words_around_it() -> None:
    network = type("NetworkError", (Exception,), {"__module__": "exchange.errors"})
    protection = type("DDoSProtection", (network,), {"__module__": "exchange.errors"})
    answered = type("HTTPError", (OSError,), {"__module__": "requests.exceptions"})
    said = {
        (418, "exchange 418 {'msg': 'Way too many requests; banned until 5'}"): "RateLimited",
        (400, "exchange 400 {'msg': 'Too many requests'}"): "RateLimited",
        (400, "exchange 400 {'msg': 'no such market'}"): "InvalidParams",
        (404, "exchange 404: too many requests went nowhere"): "NotFound",
    }

    def raised(status: int, text: str) -> BaseException:
        cause = answered(f"{status} Client Error")
        cause.__dict__.update(response=SimpleNamespace(status_code=status, headers={}))
        error: BaseException = protection(text)
        error.__cause__ = cause
        return error

    assert {what: classify(raised(*what)).code.label for what in said} == said


# --- what is not what it looks like ------------------------------------------------------------


def named(name: str, module: str, *bases: type[Exception]) -> type[Exception]:
    return type(name, bases or (Exception,), {"__module__": module})


def answered(status: int) -> SimpleNamespace:
    return SimpleNamespace(status_code=status)


def test_the_number_of_a_remote_procedure_counts_before_its_message() -> None:
    cls = named("ProtocolError", "shop.rpc")
    assert label(cls((-32601, "Method not found"))) == label(cls(-32601, "no such call")) == "MethodNotFound"
    assert label(cls((-32601, 7))) == label(cls((-1, "Method"))) == "ServiceUnavailable"


def test_a_services_own_number_is_no_status_where_the_answer_is_behind_it() -> None:
    refused = named("ClientError", "shop.mail")("[406] inactive")
    vars(refused).update(error_code=406)
    behind = Exception("422 Client Error")
    vars(behind).update(response=answered(422))
    assert label(refused) == "InvalidRequest"
    assert label(in_context(refused, behind)) == "ValidationError"


def test_who_is_not_known_is_not_denied() -> None:
    said = {"error": "access_denied"}
    unknown, denied = http(401, body=said), http(403, body=said)
    assert (label(unknown), label(denied)) == ("Unauthorized", "Forbidden")


def test_an_answer_that_is_only_advised_was_never_given() -> None:
    cls = named("RemoteProtocolError", "shop.wire")
    for kept, expected in (("event_hint", "ServiceUnavailable"), ("event", "Forbidden")):
        broken = in_context(cls("Bad HTTP message"), cls("Bad HTTP message"))
        vars(broken)[kept] = answered(403)
        assert label(broken) == expected


def test_no_answer_within_a_time_is_a_timeout() -> None:
    silent = named("ClockError", "shop.ntp")("No response received from 127.0.0.1.")
    assert label(silent) == "ServiceUnavailable"
    assert label(in_context(silent, TimeoutError("timed out"))) == "Timeout"
    assert label(in_context(silent, KeyError("x"))) == "ServiceUnavailable"


def test_a_table_is_a_thing_to_look_for_unless_a_statement_names_it() -> None:
    assert label(named("TableNotFoundError", "lake")("orders")) == "NotFound"
    assert label(named("NoSuchTableError", "catalog.errors")("a.b")) == "NotFound"
    assert label(named("NoSuchTableError", "shop_sql.errors")("a.b")) == "DatabaseError"
    assert label(named("NoSuchColumnError", "lake")("a.b")) == "DatabaseError"


def test_a_family_named_after_configuration_may_speak_of_a_value() -> None:
    family = named("RequestSetupError", "shop.pay")
    assert label(named("IdentifierError", "shop.pay", family)("Invalid payment ID 'x'")) == "ValidationError"
    assert label(named("Trouble", "shop.pay", family)("Invalid payment ID 'x'")) == "ValidationError"
    assert label(named("Trouble", "shop.pay", family)("oops")) == "ConfigurationError"
    assert label(family("Invalid payment ID 'x'")) == "ConfigurationError"


def test_a_token_that_does_not_decrypt_is_no_good() -> None:
    assert label(named("DecryptError", "pyseto.exceptions")("Failed to decrypt.")) == "Unauthorized"
    assert label(named("DecryptError", "shop.vault")("Failed to decrypt.")) == "SerializationError"


def test_what_the_program_did_not_register_is_a_mistake_of_it() -> None:
    cls = named("NotRegistered", "shop.documents")
    missing = (
        "`Order` has not been registered. Importing the document class registers it, has it been imported?"
    )
    assert (label(cls(missing)), label(cls("device 7"))) == ("InternalError", "NotFound")


def test_code_that_used_other_code_wrongly_was_not_let_down_by_anybody() -> None:
    aborted = type("Abort", (Exception,), {"__module__": "post"})
    assert label(aborted("command SELECT illegal in state NONAUTH")) == "InternalError"
    assert label(aborted("the other side went away")) == "Timeout"


def test_who_may_not_connect_is_told_why() -> None:
    cls = named("MqttConnectError", "shop.bus")
    assert label(cls("[code:135] Not authorized")) == "Unauthorized"
    assert label(cls("[code:136] Server unavailable")) == "ServiceUnavailable"
    assert label(chained(cls("no"), TimeoutError())) == "Timeout"


def test_the_graph_api_is_told_by_its_numbers() -> None:
    said = {17: "RateLimited", 190: "Unauthorized", 200: "Forbidden", 100: "InvalidParams"}
    for number, expected in said.items():
        assert label(http(400, body={"error": {"type": "OAuthException", "code": number}})) == expected
    assert label(http(400, body={"error": {"type": "ShopException", "code": 17}})) == "InvalidParams"
