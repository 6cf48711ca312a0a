"""The rules hold: in promtool's eyes, by the names of the telemetry, and beside the runbook."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry.names import METRICS, label
from tests.deploy.components import DEPLOY, read, run

RULES: list[dict[str, Any]] = [
    rule for group in read("prometheus/rules.yml")["groups"] for rule in group["rules"]
]
ALERTS = [rule for rule in RULES if "alert" in rule]
CASES: list[dict[str, Any]] = read("prometheus/rules_test.yml")["tests"]
URLS: dict[str, str] = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]["urls"]
RUNBOOK = (DEPLOY / "runbook.md").read_text()

SUFFIXES = ("", "_bucket", "_sum", "_count")
KNOWN_METRICS = {metric.prometheus + suffix for metric in METRICS for suffix in SUFFIXES}
KNOWN_LABELS = {label(name) for metric in METRICS for name in metric.attributes} | {"job", "le"}
COLLECTORS_LABELS = {"__name__", "exporter", "receiver"}


def test_promtool_finds_nothing_wrong() -> None:
    run("promtool", "check", "rules", "--lint-fatal", "prometheus/rules.yml")
    run("promtool", "check", "config", "prometheus/prometheus.yml")


def test_every_case_comes_out_as_written() -> None:
    run("promtool", "test", "rules", "prometheus/rules_test.yml")


def test_every_alert_has_a_case_where_it_fires_and_one_where_it_stays_silent() -> None:
    tests = [test for case in CASES for test in case.get("alert_rule_test", ())]
    fired = {_identity(t["alertname"], a["exp_labels"]) for t in tests for a in t["exp_alerts"]}
    silent = {test["alertname"] for test in tests if not test["exp_alerts"]}

    assert fired == {_identity(rule["alert"], rule["labels"]) for rule in ALERTS}
    assert silent == {rule["alert"] for rule in ALERTS}


def test_every_recorded_series_has_a_case() -> None:
    asked = " ".join(test["expr"] for case in CASES for test in case.get("promql_expr_test", ()))

    assert [rule["record"] for rule in RULES if "record" in rule and rule["record"] not in asked] == []


def test_every_metric_and_label_is_one_of_the_telemetry() -> None:
    recorded = {rule["record"] for rule in RULES if "record" in rule}
    metrics, labels = set[str](), set[str]()
    for rule in RULES:
        expr = re.sub(r'"[^"]*"', '""', rule["expr"])
        metrics |= set(re.findall(r"\b(?:\w+:)*mcp_server_\w+(?::\w+)*", expr))
        labels |= set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"\"", expr))
        for listed in re.findall(r"\b(?:by|on)\s*\(([^)]*)\)", expr):
            labels |= set(re.findall(r"\w+", listed))

    assert metrics <= KNOWN_METRICS | recorded
    assert labels <= KNOWN_LABELS | COLLECTORS_LABELS
    assert {metric.prometheus for metric in METRICS} - {"mcp_server_session_duration_seconds"} <= {
        re.sub("_(bucket|sum|count)$", "", name) for name in metrics
    }


def test_every_fault_a_rule_asks_for_is_one_of_the_taxonomy() -> None:
    asked = {
        fault
        for rule in RULES
        for faults in re.findall(r'mcp_error_fault=~?"([^"]*)"', rule["expr"])
        for fault in faults.split("|")
    }

    assert asked == set(Fault)


def test_a_rule_that_can_page_never_counts_caller_faults() -> None:
    paging = [rule for rule in ALERTS if rule["labels"]["severity"] == "critical"]

    assert {rule["alert"] for rule in paging} == {"McpErrorBudgetBurn", "McpMetricsAbsent"}
    assert all('"caller"' not in rule["expr"] for rule in paging)
    ratios = [rule for rule in RULES if ":ratio_rate" in rule.get("record", "")]
    assert ratios
    assert all('mcp_error_fault=~"server|upstream"' in rule["expr"] for rule in ratios)


def test_every_alert_links_to_its_own_heading_of_the_runbook_and_no_heading_is_left_over() -> None:
    headings = re.findall(r"^## (\w+)$", RUNBOOK, re.MULTILINE)

    assert sorted(headings) == sorted({rule["alert"] for rule in ALERTS})
    for rule in ALERTS:
        address, _, anchor = rule["annotations"]["runbook_url"].partition("#")
        assert address == f"{URLS['Repository']}/blob/main/deploy/runbook.md"
        assert anchor == rule["alert"].lower()


def test_what_the_package_links_to_is_in_its_repository() -> None:
    links = [url.removeprefix(URLS["Repository"]) for url in URLS.values()]

    assert links[0] == ""
    assert all((DEPLOY.parent / link.removeprefix("/blob/main/")).is_file() for link in links[1:])


def _identity(name: str, labels: dict[str, str]) -> tuple[str, str, str | None]:
    return name, labels["severity"], labels.get("window")
