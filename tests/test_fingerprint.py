from collections.abc import Callable

import pytest
from pydantic import BaseModel, ConfigDict, validate_call

from mcp_error_middleware.errors import InvalidParams
from mcp_error_middleware.fingerprint import fingerprint, template
from mcp_error_middleware.model import Call, Cause, Fingerprint, Frame
from mcp_error_middleware.taxonomy import ErrorCode
from mcp_error_middleware.triage import Triage


def raised(function: Callable[..., object], *args: object) -> BaseException:
    try:
        function(*args)
    except Exception as exc:
        return exc
    raise AssertionError("nothing was raised")


def of(exc: BaseException) -> Fingerprint:
    return Triage()(exc, Call()).fingerprint


def compiled(source: str) -> Callable[..., object]:
    namespace: dict[str, object] = {"__name__": "shop"}
    exec(compile(source, "/srv/shop.py", "exec"), namespace)
    return namespace["order"]  # type: ignore[return-value]


BEFORE = "def order(id):\n    raise LookupError(f'order {id} missing')\n"
MOVED = "\n\n# a comment\n\ndef order(id):\n    id  # more\n    raise LookupError(f'order {id} missing')\n"
OTHER = "def order(id):\n    raise LookupError(f'customer {id} missing')\n"


def test_a_moved_line_and_another_id_stay_in_the_group() -> None:
    assert of(raised(compiled(BEFORE), 17)) == of(raised(compiled(MOVED), 4711))


def test_another_message_from_the_same_function_is_another_group_of_the_same_family() -> None:
    first, second = of(raised(compiled(BEFORE), 17)), of(raised(compiled(OTHER), 17))

    assert first.exact != second.exact
    assert first.family == second.family


def test_another_root_type_is_another_family() -> None:
    chained = "def order(id):\n    raise LookupError('x') from OSError('y')\n"

    assert of(raised(compiled(BEFORE), 1)).family != of(raised(compiled(chained), 1)).family


def test_the_file_a_function_lies_in_does_not_count() -> None:
    here = Cause("LookupError", "gone", frames=(Frame("/a/shop.py", 3, "shop.order"),))
    there = Cause("LookupError", "gone", frames=(Frame("/b/c/shop.py", 9, "shop.order"),))

    assert fingerprint(ErrorCode.NOT_FOUND, [here]) == fingerprint(ErrorCode.NOT_FOUND, [there])


def test_a_failure_without_causes_still_has_a_group() -> None:
    assert fingerprint(ErrorCode.NOT_FOUND, []) != fingerprint(ErrorCode.TIMEOUT, [])


@pytest.mark.parametrize(
    ("message", "same"),
    [
        ("order 17 is late", "order 4711 is late"),
        ("user 'anna' unknown", "user 'bob' unknown"),
        ("no file /srv/a/b.txt", "no file /opt/c.txt"),
        ("at 2024-01-02T03:04:05Z", "at 2026-11-30T13:14:15Z"),
        ("id 3f9c2a7e-1b40-4c7e-9d7a-0242ac120002", "id 00000000-0000-4000-8000-000000000000"),
        ("request req_8fA2 failed", "request req_9bC3 failed"),
    ],
)
def test_what_changes_from_call_to_call_does_not_count(message: str, same: str) -> None:
    assert template(message) == template(same)


def test_words_do_count() -> None:
    assert template("order is late") != template("order is early")


def test_the_length_of_a_list_in_a_message_does_not_count() -> None:
    assert template("[1, 2, 3] is too long") == template("[4, 5] is too long")


def test_how_deep_a_function_called_itself_does_not_count() -> None:
    def descend(depth: int) -> None:
        if depth == 0:
            raise ValueError("at the bottom")
        descend(depth - 1)

    def group(depth: int) -> Fingerprint:
        with pytest.raises(ValueError, match="bottom") as raised:
            descend(depth)
        return Triage()(raised.value).fingerprint

    assert group(1) == group(3) == group(30)


def test_a_name_that_a_client_made_up_opens_no_group() -> None:
    def group(name: str) -> str:
        return Triage()(InvalidParams(f"Unknown tool: {name}"), Call("tools/call", name)).fingerprint.exact

    assert group("anwser") == group("delete everything")


class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")
    boxes: int = 1
    weight: int = 1


@validate_call
def ship(boxes: int = 1, weight: int = 1) -> None: ...


@pytest.mark.parametrize("validate", [ship, Order])
def test_an_argument_that_a_client_made_up_opens_no_group(validate: Callable[..., object]) -> None:
    def given(*names: str) -> Fingerprint:
        return of(raised(lambda: validate(boxes="many", **dict.fromkeys(names, 1))))

    assert given("colour") == given("size") == given("x" * 150) != given()
    assert given("colour", "size") == given("material", "finish")


@pytest.mark.parametrize("validate", [ship, Order])
def test_an_argument_that_there_is_does_count(validate: Callable[..., object]) -> None:
    assert of(raised(lambda: validate(boxes="many"))) != of(raised(lambda: validate(weight="much")))
