"""One failing call, followed through every real program to whoever is told of it.

The tests run in this order on one stack: what must stay silent comes before the storm.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from dashboards.boards import BOARDS
from dashboards.grafana import FOLDER
from deploy.traffic import SILENT, WELL
from mcp_error_middleware.cli.demo.stories import STORIES, Story
from mcp_error_middleware.render.result import META_KEY
from mcp_error_middleware.telemetry import names
from tests.deploy.components import read
from tests.deploy.stack import JOB, Stack, eventually, fetch, running

pytestmark = pytest.mark.timeout(240)

QUERIES = {
    f"{board.name} {panel['title']} {target['refId']}": target["expr"]
    for board in BOARDS
    for panel in json.loads((FOLDER / f"{board.name}.json").read_text())["panels"]
    for target in panel.get("targets", ())
}
RULES = [rule for group in read("prometheus/rules.yml")["groups"] for rule in group["rules"]]
LOST = "job_exporter:otelcol_exporter_lost:sum"
"""What begins with the first loss."""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(tmp_path_factory.mktemp("stack")) as stack:
        yield stack


def calls(stack: Stack, *stories: Story, mode: str = "auto") -> None:
    """Call each once, whatever comes of it; a session ends with the last one where the mode has sessions."""

    async def call() -> None:
        async with Client(stack.server, mode=mode) as client:
            for story in stories:
                with suppress(MCPError):
                    await client.call_tool(story.tool, story.arguments)

    asyncio.run(call())


def traced(stack: Stack, story: Story) -> tuple[Any, str, str]:
    """The answer to a call made within a span of the caller's, and that span's trace and id."""
    trace_id, span_id = secrets.token_hex(16), secrets.token_hex(8)

    async def call() -> Any:
        async with Client(stack.server) as client:
            meta: Any = {"traceparent": f"00-{trace_id}-{span_id}-01"}
            return await client.call_tool(story.tool, story.arguments, meta=meta)

    return asyncio.run(call()), trace_id, span_id


def story(tool: str) -> Story:
    return next(story for story in STORIES if story.tool == tool)


def test_a_surge_of_caller_faults_is_noted_and_pages_nobody(stack: Stack) -> None:
    def noted() -> list[str]:
        calls(stack, *[story("refund")] * 10)
        return [line for line in stack.told() if "McpCallerErrorSurge" in line]

    lines = eventually(noted, "nobody was told of the surge", within=120)

    labels = {"job": JOB, "mcp_error_fault": "caller", "severity": "info"}
    assert lines[0] == f"notes firing McpCallerErrorSurge {json.dumps(labels, sort_keys=True)}"
    assert [line for line in stack.told() if line.startswith("pager")] == []


def test_the_trace_the_log_line_and_the_answer_are_of_one_failure(stack: Stack) -> None:
    answer, trace_id, parent = traced(stack, story("chain"))
    spans = eventually(lambda: stack.trace(trace_id), "Jaeger has no such trace")
    error = answer.meta[META_KEY]
    line = next(line for line in stack.lines() if line.get("error_id") == error["error_id"])
    (span,) = spans
    tags = {tag["key"]: tag["value"] for tag in span["tags"]}

    assert error["error_id"] in answer.content[0].text
    assert line["trace_id"] == trace_id
    assert line["span_id"] == span["spanID"]
    assert [(ref["refType"], ref["traceID"], ref["spanID"]) for ref in span["references"]] == [
        ("CHILD_OF", trace_id, parent)
    ]
    assert span["operationName"] == "tools/call chain"
    assert {name: tags.get(name) for name in TAGS} == TAGS
    assert tags[names.ERROR_ID] == error["error_id"]
    assert tags[names.FINGERPRINT] == line["fingerprint"]


TAGS = {
    "span.kind": "server",
    names.METHOD: "tools/call",
    names.TOOL: "chain",
    names.ERROR_TYPE: names.TOOL_ERROR,
    names.CODE: "ServiceUnavailable",
    names.FAULT: "upstream",
    names.CHAIN: '["Exception","RuntimeError","ConnectionRefusedError"]',
}


def test_the_whole_chain_is_on_the_span(stack: Stack) -> None:
    _, trace_id, _ = traced(stack, story("chain"))
    (span,) = eventually(lambda: stack.trace(trace_id), "Jaeger has no such trace")
    events = [{field["key"]: field["value"] for field in log["fields"]} for log in span["logs"]]

    assert [(event["event"], event[names.EXCEPTION_TYPE]) for event in events] == [
        ("exception", "Exception"),
        ("exception", "RuntimeError"),
        ("exception", "ConnectionRefusedError"),
    ]


def test_no_secret_reaches_jaeger_or_the_log(stack: Stack) -> None:
    _, trace_id, _ = traced(stack, story("secret"))
    spans = eventually(lambda: stack.trace(trace_id), "Jaeger has no such trace")

    assert "hunter2" not in json.dumps(spans)
    assert "sk-proj" not in json.dumps(spans)
    assert "hunter2" not in json.dumps(stack.lines())


def test_an_exemplar_leads_from_the_latency_of_a_call_to_its_trace(stack: Stack) -> None:
    _, trace_id, _ = traced(stack, WELL)
    metric = f'{names.DURATION.prometheus}_bucket{{gen_ai_tool_name="ship"}}'

    eventually(lambda: trace_id in stack.exemplars(metric), "Prometheus has no exemplar of the call")

    assert eventually(lambda: stack.trace(trace_id), "Jaeger has no trace of the exemplar")


def test_a_panels_link_finds_the_traces_behind_a_series(stack: Stack) -> None:
    _, trace_id, _ = traced(stack, story("slow"))
    eventually(lambda: stack.trace(trace_id), "Jaeger has no such trace")
    board = json.loads((FOLDER / "mcp-overview.json").read_text())
    codes = next(panel for panel in board["panels"] if panel["title"] == "Codes")
    expr = asked(codes["targets"][0]["expr"])

    def shown() -> list[dict[str, str]]:
        calls(stack, story("slow"))
        found = [one for one in stack.query(expr) if float(one["value"][1])]
        return [one["metric"] for one in found if one["metric"]["mcp_error_code"] == "Timeout"]

    series = eventually(shown, "Prometheus has no such series")
    values = {
        "${jaeger}/search": f"{stack.jaeger}/api/traces",
        **{f"${{__field.labels.{name}}}": value for name, value in series[0].items()},
        "${__from}": str(int((time.time() - 600) * 1000)),
        "${__to}": str(int(time.time() * 1000)),
    }
    link: str = codes["fieldConfig"]["defaults"]["links"][0]["url"]
    for name, value in values.items():
        link = link.replace(name, value)

    found = fetch(link)["data"]

    assert "$" not in link
    assert trace_id in {trace["traceID"] for trace in found}


def test_a_storm_of_one_code_pages_and_writes_a_ticket(stack: Stack) -> None:
    def paged() -> list[str]:
        calls(stack, *[story("bug")] * 10)
        lines = stack.told()
        pages = [line for line in lines if line.startswith("pager firing McpErrorBudgetBurn")]
        tickets = [line for line in lines if line.startswith("tickets firing McpErrorCodeRateHigh")]
        return pages if tickets else []

    lines = eventually(paged, "nobody was paged", within=120)

    assert '"mcp_error_fault": "server", "severity": "critical"' in lines[0]
    assert all('"mcp_error_fault": "caller"' not in line for line in lines)


def test_records_that_cannot_be_delivered_write_a_ticket(stack: Stack) -> None:
    def told() -> list[str]:
        calls(stack, *STORIES)
        return [line for line in stack.told() if "McpTelemetryDropped" in line]

    lines = eventually(told, "nobody was told of the lost records", within=120)

    labels = {"job": JOB, "mcp_telemetry_sink": "logs", "severity": "warning"}
    assert lines[0] == f"tickets firing McpTelemetryDropped {json.dumps(labels, sort_keys=True)}"


def test_every_instrument_reaches_prometheus(stack: Stack) -> None:
    calls(stack, *STORIES, *STORIES, SILENT, WELL, mode="legacy")

    for metric in names.METRICS:
        name = metric.prometheus + ("_count" if metric.kind == "histogram" else "")
        eventually(partial(stack.query, name), f"Prometheus has no {name}", within=20)


@pytest.mark.parametrize("expr", QUERIES.values(), ids=QUERIES)
def test_every_panel_has_data(stack: Stack, expr: str) -> None:
    eventually(partial(stack.query, asked(expr)), f"no data for {asked(expr)}", within=20)


def asked(expr: str) -> str:
    """As Grafana asks for it, of everything."""
    return re.sub(r"\$__(rate_interval|range)", "10m", expr).replace("$job", ".*").replace("$tool", ".*")


@pytest.mark.parametrize("expr", [rule["expr"] for rule in RULES])
def test_every_rule_can_be_asked_and_its_metrics_exist(stack: Stack, expr: str) -> None:
    stack.query(expr)

    for name in set(re.findall(r"(?:\w+:)*(?:mcp_server_|otelcol_\w+_queue_)\w+(?::\w+)*", expr)):
        assert stack.query(name), name


@pytest.mark.parametrize("name", sorted({rule["record"] for rule in RULES if "record" in rule} - {LOST}))
def test_every_recorded_series_has_data(stack: Stack, name: str) -> None:
    eventually(partial(stack.query, name), f"nothing is recorded as {name}", within=20)


def test_the_collector_is_asked_about_itself(stack: Stack) -> None:
    assert [each["value"][1] for each in stack.query('up{job="collector-itself"}')] == ["1"]


class Refusing(BaseHTTPRequestHandler):
    """Takes nothing, for good: nobody need try again."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_error(400)

    def log_message(self, format: str, *args: object) -> None: ...


def test_what_the_collector_cannot_hand_on_writes_a_ticket(stack: Stack) -> None:
    """The last one: Jaeger does not come back."""
    stack.stop("jaeger")

    def told() -> list[str]:
        calls(stack, WELL)
        return [line for line in stack.told() if "McpCollectorExportFailed" in line]

    with ThreadingHTTPServer(stack.jaegers_otlp, Refusing) as instead:
        Thread(target=instead.serve_forever, daemon=True).start()
        lines = eventually(told, "nobody was told of the lost spans", within=120)
        instead.shutdown()

    assert stack.query(LOST)
    labels = {"exporter": "otlphttp/jaeger", "job": "collector-itself", "severity": "warning"}
    assert lines[0] == f"tickets firing McpCollectorExportFailed {json.dumps(labels, sort_keys=True)}"
