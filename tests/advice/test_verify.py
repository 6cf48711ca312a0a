from __future__ import annotations

import pytest

from mcp_error_middleware.advice import reads, verifier


@pytest.mark.parametrize(
    "name", ["get_order", "listOrders", "search-web", "invoice_status", "lookup_user", "is_open"]
)
def test_a_name_that_only_looks(name: str) -> None:
    assert reads(name)


@pytest.mark.parametrize(
    "name", ["create_order", "sendEmail", "pay", "update_status", "order_pizza", "transfer", "weather", ""]
)
def test_a_name_that_may_change_something(name: str) -> None:
    assert not reads(name)


def schema(*fields: str) -> dict[str, object]:
    return {"type": "object", "properties": {field: {"type": "string"} for field in fields}}


SHOP = {
    "create_order": schema("customer", "sku"),
    "get_order": schema("order"),
    "list_orders": schema("customer"),
    "get_customer": schema("customer"),
    "send_email": schema("to"),
    "delete_order": schema("order"),
}


def test_the_reader_of_the_same_thing_with_the_same_arguments_verifies() -> None:
    assert verifier("create_order", ["customer", "sku"], SHOP) == "list_orders"
    assert verifier("delete_order", ["order"], SHOP) == "get_order"


def test_a_bare_verb_is_about_what_its_arguments_name() -> None:
    assert verifier("pay", ["order_id", "amount"], SHOP) == "list_orders"
    assert verifier("notify", ["customer"], SHOP) == "get_customer"
    assert verifier("run", ["id", "name"], SHOP) is None


def test_without_a_reader_of_the_same_thing_there_is_none() -> None:
    assert verifier("send_email", ["to"], SHOP) is None
    assert verifier("send_email", ["to"], {"get_email": None}) == "get_email"
