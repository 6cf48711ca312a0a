"""A number in, a failure out, raised as a server raises it; the number is in its messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2


def answer(order: int) -> str:
    return f"order ord_{order} costs 12"


def bad_value(order: int) -> str:
    raise ValueError(f"order ord_{order} has no boxes; ask for at least 1")


def refused(order: int) -> str:
    """Three links deep, through a handler, a service, a repository and a driver."""
    return _price(order)


def unavailable(order: int) -> str:
    """An upstream's own 503, as its client raises it."""
    request = httpx2.Request("GET", f"https://prices.example/orders/{order}")
    httpx2.Response(503, request=request, headers={"retry-after": "7"}).raise_for_status()
    return answer(order)


def long_answer(order: int) -> str:
    return f"order ord_{order}: " + "a box of tea, " * 7_000


TOOLS = (answer, bad_value, refused, unavailable, long_answer)

Workload = tuple[str, Callable[[int], dict[str, Any]]]
"""A tool and its arguments."""


def _order(number: int) -> dict[str, Any]:
    return {"order": number}


WORKLOADS: dict[str, Workload] = {
    "success": ("answer", _order),
    "ValueError": ("bad_value", _order),
    "three-deep chain": ("refused", _order),
    "HTTP 503": ("unavailable", _order),
}

ADVISED: dict[str, Workload] = {
    "success": WORKLOADS["success"],
    "success of 100 kB": ("long_answer", _order),
    "ValueError": WORKLOADS["ValueError"],
    "three-deep chain": WORKLOADS["three-deep chain"],
    "misspelt argument": ("answer", lambda number: {"ordr": number}),
    "unknown tool": ("anwser", _order),
}
"""What advice looks at."""


def shallow(order: int) -> str:
    """As deep, out of a single function."""
    try:
        try:
            raise ConnectionRefusedError(111, "Connection refused")
        except OSError as exc:
            raise RuntimeError(f"inventory lookup failed for order ord_{order}") from exc
    except RuntimeError as exc:
        raise Exception("could not price the order") from exc


def raised(fail: Callable[[int], str], order: int) -> BaseException:
    """The exception itself, with its traceback."""
    try:
        fail(order)
    except Exception as exc:
        return exc
    raise AssertionError("nothing was raised")


def _price(order: int) -> str:
    try:
        return _boxes(order)
    except RuntimeError as exc:
        raise Exception(f"could not price order ord_{order}") from exc


def _boxes(order: int) -> str:
    return _stock(order)


def _stock(order: int) -> str:
    try:
        return _query(order)
    except OSError as exc:
        raise RuntimeError(f"inventory lookup failed for order ord_{order}") from exc


def _query(order: int) -> str:
    return _connect(order)


def _connect(order: int) -> str:
    return _dial(order)


def _dial(order: int) -> str:
    raise ConnectionRefusedError(111, "Connection refused")
