from __future__ import annotations

from typing import Any

import pytest

from mcp_error_middleware import Conflict, InvalidParams, McpError, MethodNotFound, NotFound, classify
from mcp_error_middleware.advice import Advice, Around, Retry, advise
from mcp_error_middleware.model import Call, Condition, Hint, Issue, Verdict
from mcp_error_middleware.taxonomy import ErrorCode

HINT = Hint("Retry once after a short wait, or ask for less in one call.", "code")
TOOLS: dict[str, Any] = {
    "create_order": {"properties": {"sku": {}}},
    "list_orders": {"properties": {"sku": {}}},
    "get_invoice": {},
}


def advised(exc: BaseException, tool: str, hint: Hint = HINT, **said: Any) -> Advice:
    around = Around(tools=lambda: TOOLS, **said.pop("around", {}))
    return advise(classify(exc), Call(target=tool), around, hint, **said)


def test_a_write_without_an_answer_is_looked_up_before_it_is_repeated() -> None:
    look = "Call list_orders first to see whether it was done already"
    assert advised(TimeoutError(), "create_order") == Advice(
        Hint(f"{look}, and repeat the call only if it was not.", "evidence"),
        Retry.VERIFY_FIRST,
        {"possibly_applied": True, "verify_with": "list_orders"},
        writes=True,
    )


def test_without_a_tool_to_look_it_up_the_words_say_so() -> None:
    advice = advised(TimeoutError(), "send_mail")
    assert (
        advice.hint.text
        == "Find out first whether it was done already, and repeat the call only if it was not."
    )
    assert advice.facts == {"possibly_applied": True}


def test_a_method_that_whoever_a_tool_asked_does_not_have_is_not_the_caller_s_to_change() -> None:
    go_on = "Go on without it, or tell the user that it does not work at the moment."
    assert advised(MethodNotFound("Method not found"), "list_orders").hint.text == go_on
    assert advise(classify(MethodNotFound("x")), Call("shop/open"), Around(), HINT).hint is HINT


@pytest.mark.parametrize("annotations", [{"readOnlyHint": True}, {"idempotentHint": True}], ids=str)
def test_what_its_author_calls_repeatable_is_repeated(annotations: dict[str, bool]) -> None:
    assert advised(TimeoutError(), "send_mail", around={"annotations": annotations}).retry is Retry.SAFE


def test_an_annotation_goes_before_the_name() -> None:
    around = {"annotations": {"readOnlyHint": False}}
    assert advised(TimeoutError(), "get_invoice", around=around).retry is Retry.VERIFY_FIRST
    assert advised(TimeoutError(), "get_invoice").retry is Retry.SAFE


def test_who_knows_only_yes_or_no_is_told_no_where_a_write_may_have_been_done() -> None:
    destroys = {"annotations": {"destructiveHint": True}}
    careful = {"annotations": {"idempotentHint": True}}
    assert advised(TimeoutError(), "create_order").forbids
    assert advised(TimeoutError(), "work", around=destroys).forbids
    assert not advised(TimeoutError(), "work").forbids
    assert not advised(TimeoutError(), "create_order", around=careful).forbids
    assert not advised(ConnectionRefusedError(), "create_order").forbids


def test_a_connection_that_failed_leaves_open_whether_what_is_known_to_write_was_done() -> None:
    assert advised(ConnectionError("no answer"), "create_order").retry is Retry.VERIFY_FIRST
    assert advised(ConnectionError("no answer"), "work").retry is Retry.SAFE


def test_a_tool_that_says_it_destroys_is_not_taken_for_one_that_looks() -> None:
    around = {"annotations": {"destructiveHint": True}}
    assert advised(TimeoutError(), "get_invoice", around=around).retry is Retry.VERIFY_FIRST


def test_a_tool_that_says_it_changes_something_verifies_nothing() -> None:
    around = {"looks": lambda: {"list_orders": False}}
    assert advised(TimeoutError(), "create_order", around=around).facts == {"possibly_applied": True}


@pytest.mark.parametrize(
    ("asked", "names", "similar"),
    [
        ("get_order", ("delete_order", "create_order", "list_orders"), ["list_orders"]),
        ("delete_order", ("create_order", "remove_order"), ["remove_order"]),
        ("create_order", ("delete_order", "add_order"), ["add_order"]),
        ("delte_order", ("delete_order", "create_order"), ["delete_order"]),
        ("order_update", ("update_order", "create_order"), ["update_order"]),
        ("issues", ("get_issue", "close_issue"), ["get_issue"]),
        ("run_query", ("query", "delete_query"), ["query"]),
        ("list_repos", ("list_repositories", "list_users"), ["list_repositories"]),
        ("post_message", ("get_message", "send_message"), ["send_message"]),
        ("rename_file", ("write_file", "move_file", "copy_file"), ["move_file"]),
        ("edit_issue", ("close_issue", "update_issue"), ["update_issue"]),
        ("update_file", ("move_file", "create_or_update_file"), ["create_or_update_file"]),
    ],
)
def test_nobody_is_sent_to_a_tool_that_does_what_was_not_asked_for(
    asked: str, names: tuple[str, ...], similar: list[str]
) -> None:
    advice = advised(NotFound("Unknown tool"), asked, around={"names": lambda: names})
    assert advice.facts == {"similar": similar}


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("delete_order", ("get_order", "list_orders")),
        ("update_order", ("create_order", "get_order")),
        ("get_weather", ("get_alerts", "get_forecast")),
        ("undeploy_service", ("deploy_service",)),
        ("enable_user", ("disable_user",)),
    ],
)
def test_where_no_tool_does_what_was_asked_for_the_tools_are_to_be_listed(
    asked: str, names: tuple[str, ...]
) -> None:
    advice = advised(NotFound("Unknown tool"), asked, around={"names": lambda: names})
    assert advice.facts == {}
    assert advice.hint.text == "List the tools and use one of them exactly as it is listed."


def test_an_unknown_name_brings_the_nearest_real_ones() -> None:
    advice = advised(NotFound("Unknown tool"), "list_order", around={"names": lambda: tuple(TOOLS)})
    assert advice.facts == {"similar": ["list_orders"]}
    assert advice.hint.text == "Use list_orders instead, if that is what you meant."


def test_where_none_is_near_the_tools_that_do_the_same_are_named() -> None:
    names = ("delete_order", "list_orders", "get_stock")
    advice = advised(NotFound("Unknown tool"), "remove_order", around={"names": lambda: names})
    unseen = advised(
        NotFound("Unknown tool"), "remove_order", around={"names": lambda: names}, may_say=lambda _: False
    )
    assert advice.facts == {"similar": ["delete_order"]}
    assert unseen.facts == {}


def test_so_it_does_where_a_server_calls_it_a_wrong_value() -> None:
    advice = advised(ValueError("Unknown tool"), "list_order", around={"names": lambda: tuple(TOOLS)})
    assert advice.facts == {"similar": ["list_orders"]}


def test_a_wrong_value_given_to_a_known_tool_brings_no_other() -> None:
    advice = advised(ValueError("no such sku"), "list_orders", around={"names": lambda: tuple(TOOLS)})
    assert (advice.hint, advice.facts) == (HINT, {})


@pytest.mark.parametrize("names", [(), ("greet",)])
def test_a_prompt_has_no_schema_to_look_at(names: tuple[str, ...]) -> None:
    call, around = Call(method="prompts/get", target="greet"), Around(names=lambda: names)
    advice = advise(classify(InvalidParams("name is missing")), call, around, HINT)
    assert advice.hint.text == "List the prompts, and ask for one of them with the arguments it names."


def test_so_has_a_resource_none() -> None:
    call = Call(method="resources/read", target="shop://order/7")
    advice = advise(classify(InvalidParams("No.")), call, Around(), HINT)
    assert advice.hint.text == "List the resources and use one of them exactly as it is listed."


def test_wrong_arguments_bring_an_example() -> None:
    schema = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
    advice = advised(
        ValueError("x"), "create_order", issues=(Issue("sku", "is required"),), around={"schema": schema}
    )
    assert advice.facts == {"example": {"sku": "sku"}}


def test_an_example_without_any_field_is_none() -> None:
    schema = {"type": "object", "properties": {"mode": {"type": "string"}}}
    issue = Issue("mood", "is not a known argument")
    assert advised(ValueError("x"), "look", issues=(issue,), around={"schema": schema}).facts == {}


def test_an_example_has_the_optional_field_that_was_wrong() -> None:
    node = {"properties": {"day": {"format": "date"}, "next": {"$ref": "#/$defs/Node"}}}
    schema = {
        "type": "object",
        "properties": {
            "sku": {"type": "string"},
            "mode": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Node"}}, {"type": "null"}]},
        },
        "required": ["sku"],
        "$defs": {"Node": node},
    }

    def example(path: str) -> object:
        around = {"schema": schema}
        return advised(ValueError("x"), "look", issues=(Issue(path, "is wrong"),), around=around).facts[
            "example"
        ]

    assert example("sku") == {"sku": "sku"}
    assert example("mode") == {"sku": "sku", "mode": [{"day": "2026-01-31"}]}
    assert example("mode[0]") == {"sku": "sku", "mode": [{"day": "2026-01-31"}]}
    assert example("mode[0].dya") == {"sku": "sku", "mode": [{"day": "2026-01-31"}]}
    assert example("mode[0].day") == {"sku": "sku", "mode": [{"day": "2026-01-31"}]}
    assert example("mode[0].next.next.next.day") == {
        "sku": "sku",
        "mode": [{"day": "2026-01-31", "next": {"day": "2026-01-31"}}],
    }


def test_an_example_is_of_the_form_whose_fields_were_sent() -> None:
    card = {"properties": {"kind": {"const": "card"}, "number": {"type": "string"}}, "required": ["kind"]}
    iban = {"properties": {"kind": {"const": "iban"}, "bank": {"type": "string"}}, "required": ["kind"]}
    schema = {"type": "object", "properties": {"by": {"oneOf": [card, iban]}}, "required": ["by"]}

    def example(sent: object) -> object:
        around = {"schema": schema, "arguments": {"by": sent}}
        issues = (Issue("by.kind", "must be one of 'card', 'iban'"),)
        return advised(ValueError("x"), "look", issues=issues, around=around).facts["example"]

    assert example({"bank": "b", "kind": "sepa"}) == {"by": {"kind": "iban"}}
    assert example({"number": "4"}) == {"by": {"kind": "card"}}
    assert example("zzz") == {"by": {"kind": "card"}}


def test_an_example_shows_where_a_misplaced_field_belongs() -> None:
    filters = {"type": "object", "properties": {"assignee": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {"query": {"type": "string"}, "filters": filters},
        "required": ["query"],
    }
    issue = Issue("assignee", "is not a known argument; did you mean 'filters.assignee'?")
    advice = advised(ValueError("x"), "look", issues=(issue,), around={"schema": schema})

    assert advice.facts == {"example": {"query": "query", "filters": {"assignee": "assignee"}}}


def test_an_example_of_what_another_field_asks_for_shows_both() -> None:
    schema = {"properties": {"card": {}, "cvc": {}, "note": {}}, "dependentRequired": {"card": ["cvc"]}}
    issue = Issue("cvc", "is required where 'card' is given")

    advice = advised(ValueError("x"), "look", issues=(issue,), around={"schema": schema})

    assert advice.facts == {"example": {"card": "card", "cvc": "cvc"}}


@pytest.mark.parametrize("asked", ["copy_file", "open_file", "lock_file"])
def test_no_change_is_named_instead_of_another(asked: str) -> None:
    names = ("move_file", "write_file", "unlock_file")
    assert advised(NotFound("Unknown tool"), asked, around={"names": lambda: names}).facts == {}


def test_an_author_s_own_hint_stays() -> None:
    mine = Hint("Call the warehouse.", "contract")
    assert advised(TimeoutError(), "create_order", mine).hint == mine


def test_a_second_time_sharpens_the_hint_and_a_third_says_stop() -> None:
    second, third = (advised(TimeoutError(), "get_invoice", repeat=repeat) for repeat in (2, 3))
    assert second.hint.text == f"This very call failed the same way before. {HINT.text}"
    assert (second.retry, second.facts) == (Retry.SAFE, {"repeat": 2})
    assert third.hint.text == (
        "Stop: this very call has failed 3 times the same way. "
        "Go on without it, or tell the user that it does not work at the moment."
    )
    assert (third.retry, third.facts) == (Retry.NEVER, {"repeat": 3})


@pytest.mark.parametrize(
    ("exc", "tool", "alternative"),
    [
        (NotFound("gone"), "create_order", "Call list_orders to see what exists, or ask the user."),
        (Conflict("shipped"), "cancel_order", "Call list_orders to see what exists, or ask the user."),
        (
            ValueError("bad"),
            "create_orders",
            "Use another tool, such as create_order, or ask the user.",
        ),
        (ValueError("bad"), "get_orders", "Use another tool, such as list_orders, or ask the user."),
        (ValueError("bad"), "zzz", "Ask the user how to go on."),
    ],
    ids=repr,
)
def test_the_third_time_names_what_is_left(exc: McpError, tool: str, alternative: str) -> None:
    assert advised(exc, tool, repeat=3).hint.text.endswith(alternative)


def test_a_write_that_stays_without_an_answer_is_looked_up_even_when_it_should_stop() -> None:
    stop = "Stop: this very call has failed 3 times the same way."
    advice = advised(TimeoutError(), "create_order", repeat=3)
    assert (
        advice.hint.text
        == f"{stop} Call list_orders to see whether it was done all the same, and tell the user."
    )
    assert advice.retry is Retry.NEVER

    advice = advised(TimeoutError(), "send_mail", repeat=3)
    assert advice.hint.text == f"{stop} Find out whether it was done all the same, and tell the user."


def test_arguments_refused_again_and_again_are_the_users_to_give() -> None:
    around = {"schema": {"type": "object"}}
    advice = advised(ValueError("no such size"), "create_order", around=around, repeat=3)
    assert advice.hint.text.endswith("Change the arguments, or ask the user for the right ones.")


FORMS = {
    "type": "object",
    "properties": {
        "pet": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "cat"}, "meows": {"type": "integer"}},
                    "required": ["kind", "meows"],
                },
                {
                    "type": "object",
                    "properties": {"kind": {"const": "dog"}, "barks": {"type": "integer"}},
                    "required": ["kind", "barks"],
                },
            ]
        }
    },
    "required": ["pet"],
}


def example_for(issue: Issue) -> object:
    verdict = Verdict(ErrorCode.VALIDATION_ERROR, False)
    call = Call("tools/call", "adopt")
    return advise(verdict, call, Around(schema=FORMS), Hint("."), (issue,)).facts.get("example")


def test_the_example_is_of_the_form_that_was_meant() -> None:
    assert example_for(Issue("pet.barks", "is required")) == {"pet": {"kind": "dog", "barks": 1}}
    assert example_for(Issue("pet.meows", "is required")) == {"pet": {"kind": "cat", "meows": 1}}


MESSAGE = {
    "type": "object",
    "properties": {"by": {"enum": ["mail", "sms"]}, "to": {"type": "string"}},
    "required": ["by", "to"],
    "if": {"properties": {"by": {"const": "sms"}}},
    "then": {"properties": {"to": {"pattern": "^\\+\\d{3,}$"}}},
}


def example_of_message(sent: dict[str, Any], *issues: Issue) -> object:
    around = {"schema": MESSAGE, "arguments": sent}
    return advised(ValueError("x"), "look", issues=issues, around=around).facts["example"]


def test_an_example_has_the_options_that_were_sent_and_those_that_were_meant() -> None:
    wrong = Issue("to", "must match the pattern ^\\+\\d{3,}$")
    assert example_of_message({"by": "sms", "to": "bob"}, wrong) == {"by": "sms", "to": "+111"}
    assert example_of_message({"by": "mail", "to": 5}, wrong) == {"by": "mail", "to": "to"}
    unknown = Issue("by", "must be one of 'mail', 'sms'; did you mean 'sms'?")
    assert example_of_message({"by": "SMS", "to": "+123"}, unknown) == {"by": "sms", "to": "+111"}
    assert example_of_message({"by": "fax", "to": "+123"}, unknown) == {"by": "mail", "to": "to"}


def test_an_example_does_without_a_field_that_is_known_to_another_form_alone() -> None:
    last = {"properties": {"last": {"type": "string"}}, "required": ["last"], "additionalProperties": False}
    span = {"properties": {"start": {"type": "string"}, "end": {}}, "required": ["start", "end"]}
    schema = {"properties": {"range": {"oneOf": [last, span]}}, "required": ["range"]}
    around = {"schema": schema, "arguments": {"range": {"start": "1", "end": "2", "last": "3"}}}
    issue = Issue("range.last", "is not a known field")

    advice = advised(ValueError("x"), "look", issues=(issue,), around=around)
    assert advice.facts["example"] == {"range": {"start": "start", "end": "end"}}


def test_there_is_no_example_where_a_check_refused_what_the_schema_allows() -> None:
    assert example_for(Condition("pet.barks", "must be an even number")) is None
