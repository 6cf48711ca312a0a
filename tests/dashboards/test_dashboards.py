"""The committed JSON is what the code says, what Grafana reads, and asks only for what is measured."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dashboards.boards import BOARDS, BUDGET, OURS
from dashboards.grafana import FOLDER, Board, text
from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry.names import FAULT, METRICS, label
from tests.deploy.components import DEPLOY, package, read

FILES = {path.stem: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
PANELS = [panel for board in FILES.values() for panel in board["panels"] if panel["type"] != "row"]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]]
RULES = (DEPLOY / "prometheus/rules.yml").read_text()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_committed_file_is_what_the_code_says(board: Board) -> None:
    committed = (FOLDER / f"{board.name}.json").read_text()

    assert committed == text(board), "stale: run `python -m dashboards`"


def test_no_file_is_left_over() -> None:
    assert set(FILES) == {board.name for board in BOARDS}


@pytest.mark.filterwarnings("ignore:Prefer using dashboardv2")
@pytest.mark.parametrize("name", FILES)
def test_grafanas_own_models_read_it_without_loss(name: str) -> None:
    package("grafana_foundation_sdk.cog.plugins").register_default_plugins()
    encoder = package("grafana_foundation_sdk.cog.encoder").JSONEncoder
    model = package("grafana_foundation_sdk.models.dashboard").Dashboard

    back = json.loads(json.dumps(model.from_json(FILES[name]), cls=encoder))

    assert within(FILES[name], back) == FILES[name]


def within(part: Any, whole: Any) -> Any:
    """The whole without what the part does not mention."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return {key: within(part[key], whole[key]) for key in part if key in whole}
    if isinstance(part, list) and isinstance(whole, list) and len(part) == len(whole):
        return [within(*pair) for pair in zip(part, whole, strict=True)]
    return whole


def test_every_metric_is_measured_or_recorded_and_every_measured_one_is_shown() -> None:
    asked = set(re.findall(r"(?:\w+:)*mcp_server_\w+(?::\w+)*", " ".join(EXPRESSIONS)))
    measured = {metric.prometheus for metric in METRICS}
    recorded = set(re.findall(r"record: (\S+)", RULES))

    assert {re.sub("_(bucket|sum|count)$", "", name) for name in asked - recorded} == measured
    assert asked & recorded


def test_every_label_is_one_of_the_telemetry() -> None:
    known = {label(name) for metric in METRICS for name in metric.attributes}
    known |= {"job", "le", "alertname", "alertstate"}
    asked = set[str]()
    for expr in EXPRESSIONS:
        bare = re.sub(r'"[^"]*"', '""', expr)
        asked |= set(re.findall(r"(\w+)(?:=~|!=|=)\"\"", bare))
        for listed in re.findall(r"\b(?:by|on) \(([^)]*)\)", bare):
            asked |= set(re.findall(r"\w+", listed))

    assert asked <= known


def test_a_link_to_jaeger_uses_only_labels_the_panel_has() -> None:
    linked = [panel for panel in PANELS if "links" in panel["fieldConfig"]["defaults"]]

    assert len(linked) >= 15
    for panel in linked:
        url = panel["fieldConfig"]["defaults"]["links"][0]["url"]
        wanted = set(re.findall(r"(?:labels|fields)\.(\w+)}", url))
        for target in panel["targets"]:
            has = target["expr"] + target["legendFormat"]
            assert [name for name in wanted if name not in has] == [], panel["title"]


def test_every_panel_says_what_it_tells_in_which_unit_and_for_which_servers() -> None:
    for panel in PANELS:
        assert panel["description"].endswith(".")
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert all('job=~"$job"' in target["expr"] for target in panel["targets"])


def test_each_fault_has_one_colour_wherever_the_faults_are_the_series() -> None:
    legend = f"{{{{job}}}} {{{{{label(FAULT)}}}}}"
    by_fault = [panel for panel in PANELS if [each["legendFormat"] for each in panel["targets"]] == [legend]]

    assert len(by_fault) >= 2
    for panel in by_fault:
        colours = {
            override["matcher"]["options"]: override["properties"][0]["value"]["fixedColor"]
            for override in panel["fieldConfig"]["overrides"]
        }
        assert colours == {"/ server$/": "red", "/ upstream$/": "blue", "/ caller$/": "yellow"}


def test_every_row_is_a_question() -> None:
    rows = [panel for board in FILES.values() for panel in board["panels"] if panel["type"] == "row"]

    assert [row["title"] for row in rows if not row["title"].endswith("?")] == []


def test_no_two_panels_of_a_board_overlap() -> None:
    for board in FILES.values():
        cells = [
            (x, y)
            for panel in board["panels"]
            for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
            for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
        ]
        assert len(cells) == len(set(cells))
        assert max(x for x, _ in cells) < 24


def test_the_budget_and_whose_fault_spends_it_are_those_of_the_rules() -> None:
    assert set(re.findall(r"> [\d.]+ \* ([\d.]+)$", RULES, re.MULTILINE)) == {str(BUDGET)}
    assert OURS in RULES
    assert set(re.search(r'"(.*)"', OURS)[1].split("|")) == set(Fault) - {Fault.CALLER}  # type: ignore[index]


def test_every_board_leads_to_the_others_and_to_the_runbook_of_the_alerts() -> None:
    runbooks = {url.partition("#")[0] for url in re.findall(r"runbook_url: (\S+)", RULES)}

    for board in FILES.values():
        others, runbook = board["links"]
        assert (others["type"], others["tags"]) == ("dashboards", board["tags"])
        assert {runbook["url"]} == runbooks


def test_grafana_finds_the_dashboards_and_the_sources_they_name() -> None:
    sources = read("grafana/datasources.yaml")["datasources"]
    exemplars = sources[0]["jsonData"]["exemplarTraceIdDestinations"]

    assert [(source["uid"], source["type"]) for source in sources] == [
        ("prometheus", "prometheus"),
        ("jaeger", "jaeger"),
    ]
    assert exemplars == [{"name": "trace_id", "datasourceUid": "jaeger"}]
