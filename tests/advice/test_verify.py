from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from mcp_error_middleware.advice import reads, verifier
from mcp_error_middleware.advice.verify import does_same, writes


@pytest.mark.parametrize(
    "name", ["get_order", "listOrders", "search-web", "invoice_status", "lookup_user", "is_open"]
)
def test_a_name_that_only_looks(name: str) -> None:
    assert reads(name)


@pytest.mark.parametrize(
    "name",
    [
        "create_order",
        "sendEmail",
        "pay",
        "update_status",
        "order_pizza",
        "transfer",
        "weather",
        "",
        "mark_all_notifications_read",
        "star_repository",
        "tweet_status",
        "watch_repository",
        "forward_message",
        "get_and_delete_message",
        "findOrCreateContact",
        "check_in_guest",
        "resolve_incident",
        "browser_select_option",
    ],
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


SERVICES = {
    "deploy_service": schema("service", "version", "env"),
    "rollback": schema("service", "env"),
    "scale": schema("service", "replicas"),
    "invite": schema("email"),
    "get_deployment": schema("service", "env"),
    "list_deployments": schema("env"),
    "list_invitations": schema("limit"),
}


def test_what_a_verb_makes_is_looked_up_by_its_name() -> None:
    assert verifier("deploy_service", ["service", "version", "env"], SERVICES) == "get_deployment"
    assert verifier("invite", ["email"], SERVICES) == "list_invitations"


def test_else_the_one_tool_that_takes_the_same_arguments_verifies() -> None:
    assert verifier("rollback", ["service", "env"], SERVICES) == "get_deployment"
    assert verifier("scale", ["service", "replicas"], SERVICES) == "get_deployment"
    assert verifier("scale", ["service", "replicas", "region"], SERVICES) is None
    assert verifier("rollback", ["service"], {**SERVICES, "get_logs": schema("service")}) is None
    assert verifier("reboot", ["id"], {"list_things": schema("id")}) is None


def test_without_a_reader_of_the_same_thing_there_is_none() -> None:
    assert verifier("send_email", ["to"], SHOP) is None
    assert verifier("send_email", ["to"], {"get_email": None}) == "get_email"


def test_a_write_is_one_by_its_first_verb() -> None:
    assert writes("createIssue")
    assert writes("slack_send_message")
    assert writes("post_message")
    assert not writes("get_post")
    assert not writes("weather")


REPOSITORIES = {
    "create_issue": schema("owner", "repo", "title", "body", "labels"),
    "update_issue": schema("owner", "repo", "issue_number", "state"),
    "add_issue_comment": schema("owner", "repo", "issue_number", "body"),
    "list_issues": schema("owner", "repo", "state", "labels"),
    "search_issues": schema("q", "sort"),
    "get_issue": schema("owner", "repo", "issue_number"),
    "get_issue_comments": schema("owner", "repo", "issue_number"),
    "create_or_update_file": schema("owner", "repo", "path", "content"),
    "get_file_contents": schema("owner", "repo", "path"),
    "merge_pull_request": schema("owner", "repo", "pull_number"),
    "list_pull_requests": schema("owner", "repo", "state"),
    "get_pull_request": schema("owner", "repo", "pull_number"),
    "get_pull_request_files": schema("owner", "repo", "pull_number"),
    "create_branch": schema("owner", "repo", "branch"),
    "list_branches": schema("owner", "repo"),
    "cancel_workflow_run": schema("owner", "repo", "run_id"),
    "list_workflows": schema("owner", "repo"),
    "get_workflow_run": schema("owner", "repo", "run_id"),
}
FILES = {
    "write_file": schema("path", "content"),
    "read_file": schema("path"),
    "search_files": schema("path", "pattern"),
    "list_directory": schema("path"),
    "create_directory": schema("path"),
}
CHANNELS = {
    "slack_post_message": schema("channel_id", "text"),
    "slack_list_channels": schema("limit"),
    "slack_get_channel_history": schema("channel_id", "limit"),
    "slack_get_users": schema("limit"),
}
CALENDAR: dict[str, Any] = {
    "create_event": {},
    "delete_event": {},
    "get_event": {},
    "search_events": {},
    "list_calendars": {},
}
ROWS: dict[str, Any] = {"insert_row": {}, "delete_rows": {}, "count_rows": {}, "get_rows": {}}


@pytest.mark.parametrize(
    ("server", "tool", "reader"),
    [
        (REPOSITORIES, "create_issue", "list_issues"),
        (REPOSITORIES, "update_issue", "get_issue"),
        (REPOSITORIES, "add_issue_comment", "get_issue_comments"),
        (REPOSITORIES, "merge_pull_request", "get_pull_request"),
        (REPOSITORIES, "create_branch", "list_branches"),
        (REPOSITORIES, "create_or_update_file", "get_file_contents"),
        (REPOSITORIES, "cancel_workflow_run", "get_workflow_run"),
        (FILES, "write_file", "read_file"),
        (FILES, "create_directory", "list_directory"),
        (CHANNELS, "slack_post_message", "slack_get_channel_history"),
        (CALENDAR, "create_event", "search_events"),
        (CALENDAR, "delete_event", "get_event"),
        (ROWS, "delete_rows", "get_rows"),
    ],
)  # fmt: skip
def test_on_servers_people_run_the_reader_somebody_would_choose_verifies(
    server: dict[str, Any], tool: str, reader: str
) -> None:
    assert verifier(tool, server[tool].get("properties", ()), server) == reader


CONTAINERS = {
    "create_payment_link": schema("price", "quantity"),
    "stop_container": schema("container_id"),
    "fetch_container_logs": schema("container_id"),
    "list_containers": schema("all"),
    "list_payment_intents": schema("customer"),
    "list_prices": schema("product"),
}


def test_what_was_made_is_found_by_a_list_or_a_search() -> None:
    tools = {"get_issue": schema("issue_key"), "get_comment": schema("issue_key"), "search": schema("jql")}
    assert verifier("create_issue", ["project"], tools) == "search"
    assert verifier("add_comment", ["issue_key", "text"], tools) == "get_comment"
    assert verifier("update_issue", ["project"], tools) == "get_issue"
    assert verifier("create_issue", ["project"], {**tools, "list_issues": schema()}) == "list_issues"


def test_a_reader_of_something_else_does_not_verify() -> None:
    assert verifier("stop_container", ["container_id"], CONTAINERS) == "list_containers"
    assert verifier("create_payment_link", ["price", "quantity"], CONTAINERS) is None


INCIDENTS: dict[str, Any] = {
    "update_incident": {},
    "resolve_incident": {},
    "read_and_archive_incident": {},
    "get_incident": {},
    "incident_timeline": {},
}


def test_no_tool_that_does_more_than_look_verifies() -> None:
    assert verifier("update_incident", (), INCIDENTS) == "get_incident"
    del (others := dict(INCIDENTS))["get_incident"]
    assert verifier("update_incident", (), others) is None


def test_a_tool_is_taken_at_its_word_before_its_name() -> None:
    assert verifier("update_incident", (), INCIDENTS, {"get_incident": False}) is None
    says = {"get_incident": False, "incident_timeline": True}
    assert verifier("update_incident", (), INCIDENTS, says) == "incident_timeline"


def test_names_of_fields_fill_no_memory_however_long_they_are() -> None:
    tools: dict[str, Any] = {"list_orders": {}, "get_customer": {}}
    tracemalloc.start()
    try:
        for number in range(5):
            assert verifier("send", [f"{number} " + "order " * 100_000], tools) == "list_orders"
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("remove_file", "delete_file"),
        ("fetchFiles", "read_file"),
        ("make_payment", "create_payment"),
        ("destroy-cluster", "cluster_delete"),
    ],
)
def test_another_word_for_the_same_deed_means_that_tool(asked: str, name: str) -> None:
    assert does_same(name, asked)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("remove_file", "delete_folder"),
        ("remove_file", "read_file"),
        ("enable_user", "lock_user"),
        ("run_job", "execute_job"),
        ("fetch", "read"),
        ("file", "read_file"),
        ("", ""),
    ],
)
def test_what_may_be_another_deed_is_not_the_same(asked: str, name: str) -> None:
    assert not does_same(name, asked)
