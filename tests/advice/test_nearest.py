from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.advice import nearest
from mcp_error_middleware.advice.nearest import _in_common, abbreviates, meant, option

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


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("enable_user", "disable_user"),
        ("undeploy_service", "deploy_service"),
        ("reopen_issue", "close_issue"),
        ("from_account", "to_account"),
        ("min_price", "max_price"),
        ("not_urgent", "urgent"),
        ("inactive", "active"),
        ("export_contacts", "import_contacts"),
    ],
)
def test_a_name_that_says_the_reverse_is_never_near(word: str, other: str) -> None:
    assert nearest(word, [other]) == nearest(other, [word]) == ()


@pytest.mark.parametrize("word", ["open_isue", "issue_open", "open-issues"])
def test_a_misspelt_name_is_not_taken_for_its_reverse(word: str) -> None:
    assert meant(word, ["close_issue", "open_issue"]) == ("open_issue",)


@pytest.mark.parametrize(
    ("value", "options", "meant"),
    [
        ("UTF8", ["utf-8", "latin-1"], "utf-8"),
        ("prod", ["dev", "staging", "production"], "production"),
        ("descending", ["asc", "desc"], "desc"),
        ("de-DE", ["de", "en"], "de"),
        ("opened", ["open", "closed", "all"], "open"),
        ("customer request", ["customer_request", "fraud"], "customer_request"),
    ],
)
def test_an_option_is_known_cut_short_written_out_or_misspelt(
    value: str, options: list[str], meant: str
) -> None:
    assert option(value, options) == (meant,)


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("date", ["created", "updated"]),
        ("write", ["overwrite", "append"]),
        ("unread", ["read", "starred"]),
        ("none", ["no", "yes"]),
        ("pro", ["production", "prospect"]),
        ("open", ["open", "opened"]),
        ("!", ["open"]),
        ("", ["open"]),
    ],
)
def test_a_value_that_is_another_word_is_no_misspelt_option(value: str, options: list[str]) -> None:
    assert option(value, options) == ()


def test_a_number_is_not_a_no() -> None:
    assert nearest("order_no", ["order_number"]) == ("order_number",)


def test_a_name_may_lack_its_vowels() -> None:
    assert abbreviates("dst", "destination")
    assert abbreviates("quantity", "qty")
    assert not abbreviates("cat", "contact")
    assert not abbreviates("", "contact")


@given(st.text("abcde", max_size=12), st.text("abcde", max_size=12))
def test_letters_are_counted_as_difflib_counts_them(one: str, other: str) -> None:
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    assert _in_common(one, other) == sum(block.size for block in blocks)


def test_a_prefix_turns_a_word_round_and_is_none_itself() -> None:
    assert nearest("unlocked", ["locked"]) == ()
    assert nearest("check_in", ["check_un"]) == ("check_un",)
