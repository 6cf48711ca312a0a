from __future__ import annotations

import pytest

from mcp_error_middleware.advice import nearest
from mcp_error_middleware.advice.nearest import meant

TOOLS = ("get_order", "list_orders", "cancel_order", "search_customers", "send_email", "createInvoice")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("get_ordr", "get_order"),
        ("getOrder", "get_order"),
        ("orders_list", "list_orders"),
        ("GET-ORDER", "get_order"),
        ("create_invoice", "createInvoice"),
        ("search_customer", "search_customers"),
        ("sendEmail", "send_email"),
    ],
)
def test_the_name_that_was_meant_comes_first(word: str, meant: str) -> None:
    assert nearest(word, TOOLS)[0] == meant


@pytest.mark.parametrize("word", ["", "weather", "x", "日本語", "zzzzzzzzzzzzzzzz", "a" * 100_000])
def test_where_nothing_is_near_nothing_is_suggested(word: str) -> None:
    assert nearest(word, TOOLS) == ()


def test_no_more_names_than_asked_for() -> None:
    assert nearest("order", [f"order_{n}" for n in range(5_000)], limit=2) == ("order_0", "order_1")


def test_a_misspelt_name_is_not_one_that_only_shares_a_prefix() -> None:
    kube = ("kubectl_get", "kubectl_logs", "kubectl_generic", "kubectl_scale")
    assert meant("kubectl_gett", kube) == ("kubectl_get",)
    assert len(nearest("kubectl_gett", kube)) == 3


def test_where_several_are_as_near_all_are_named() -> None:
    assert meant("order", ("order_1", "order_2", "reorder")) == ("order_1", "order_2", "reorder")
    assert meant("weather", TOOLS) == ()
