"""Board in, Grafana's JSON out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry.names import CODE, DURATION, ERRORS, FAULT, TOOL, label

FOLDER: Final = Path(__file__).parent
COLUMNS: Final = 24
HEIGHT: Final = {"stat": 4, "table": 8, "timeseries": 8, "heatmap": 8}
"""Grid units."""

COLOURS: Final = {Fault.SERVER: "red", Fault.UPSTREAM: "blue", Fault.CALLER: "yellow"}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Query:
    """One PromQL expression and how its series are called."""

    expr: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture and what it tells."""

    title: str
    tells: str
    queries: tuple[Query, ...]
    kind: Literal["timeseries", "stat", "table", "heatmap"] = "timeseries"
    unit: str = "short"
    width: int = 12
    warn: float | None = None
    """From this value on it is red."""
    low: float | None = None
    """Below this value it is red."""
    by_fault: bool = False
    """Whether its series are the faults, each in its own colour."""
    traces: tuple[str, ...] = ()
    """The span attributes by which Jaeger finds the traces behind a series; its labels have the values."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question, and the panels that answer it."""

    question: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """One dashboard."""

    name: str
    title: str
    description: str
    rows: tuple[Row, ...]
    by_tool: bool = False
    """Whether it can be narrowed to some tools."""


def text(board: Board) -> str:
    """The file's content."""
    return json.dumps(dashboard(board), indent=2) + "\n"


def dashboard(board: Board) -> Json:
    """The board as Grafana's classic model."""
    return {
        "uid": board.name,
        "title": board.title,
        "description": board.description,
        "tags": ["mcp"],
        "schemaVersion": 41,
        "editable": False,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "browser",
        "links": [_links(), _runbook()],
        "annotations": {"list": [_alerts()]},
        "templating": {"list": _variables(board)},
        "panels": _panels(board),
    }


# --- around the panels --------------------------------------------------------------------------

RUNBOOK: Final = "https://github.com/mcp-error-middleware/mcp-error-middleware/blob/main/deploy/runbook.md"
DATASOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


def _links() -> Json:
    return {
        "type": "dashboards",
        "title": "MCP",
        "tags": ["mcp"],
        "asDropdown": False,
        "includeVars": True,
        "keepTime": True,
        "targetBlank": False,
        "icon": "external link",
        "tooltip": "",
        "url": "",
    }


def _runbook() -> Json:
    """What to do about an alert."""
    return {
        "type": "link",
        "title": "Runbook",
        "tags": [],
        "asDropdown": False,
        "includeVars": False,
        "keepTime": False,
        "targetBlank": True,
        "icon": "doc",
        "tooltip": "One heading per alert",
        "url": RUNBOOK,
    }


def _alerts() -> Json:
    """Marks on the time axis where an alert fired."""
    return {
        "name": "Alerts",
        "datasource": DATASOURCE,
        "enable": True,
        "iconColor": "red",
        "expr": 'ALERTS{alertname=~"Mcp.+", alertstate="firing", job=~"$job"}',
        "titleFormat": "{{alertname}}",
        "textFormat": " ".join(f"{{{{{name}}}}}" for name in ("job", label(FAULT), label(CODE), label(TOOL))),
    }


TOOLS: Final = f'label_values({DURATION.prometheus}_count{{job=~"$job"}}, {label(TOOL)})'


def _variables(board: Board) -> list[Json]:
    return [
        {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"},
        _choice("job", "Server", f"label_values({ERRORS.prometheus}, job)"),
        *([_choice("tool", "Tool", TOOLS)] if board.by_tool else []),
        {"name": "jaeger", "label": "Jaeger", "type": "textbox", "query": "http://localhost:16686"},
    ]


def _choice(name: str, title: str, query: str) -> Json:
    return {
        "name": name,
        "label": title,
        "type": "query",
        "datasource": DATASOURCE,
        "query": query,
        "refresh": 2,
        "sort": 1,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"text": ["All"], "value": ["$__all"]},
    }


# --- the panels ---------------------------------------------------------------------------------


def _panels(board: Board) -> list[Json]:
    """Every row's panels from left to right, a new line where the grid is full."""
    made: list[Json] = []
    y = 0
    for row in board.rows:
        made.append(_row(row, len(made) + 1, y))
        x, y, tallest = 0, y + 1, 0
        for panel in row.panels:
            if x + panel.width > COLUMNS:
                x, y, tallest = 0, y + tallest, 0
            height = HEIGHT[panel.kind]
            made.append(_panel(panel, len(made) + 1, {"h": height, "w": panel.width, "x": x, "y": y}))
            x, tallest = x + panel.width, max(tallest, height)
        y += tallest
    return made


def _row(row: Row, number: int, y: int) -> Json:
    return {
        "id": number,
        "type": "row",
        "title": row.question,
        "collapsed": False,
        "gridPos": {"h": 1, "w": COLUMNS, "x": 0, "y": y},
        "panels": [],
    }


def _panel(panel: Panel, number: int, place: Json) -> Json:
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.tells,
        "datasource": DATASOURCE,
        "gridPos": place,
        "fieldConfig": {"defaults": _field(panel), "overrides": _overrides(panel)},
        "options": OPTIONS[panel.kind],
        "targets": [_target(panel, query, "ABCDEFGH"[at]) for at, query in enumerate(panel.queries)],
        "transformations": TRANSFORMATIONS.get(panel.kind, []),
    }


def _field(panel: Panel) -> Json:
    field: Json = {"unit": panel.unit, "thresholds": {"mode": "absolute", "steps": _steps(panel)}}
    if panel.warn and panel.kind == "timeseries":
        field["custom"] = {"thresholdsStyle": {"mode": "dashed"}}
    if panel.kind == "table":
        # Prometheus extrapolates: 3.02 failures were 3.
        field["decimals"] = 0
    if panel.traces:
        field["links"] = [{"title": "Traces in Jaeger", "url": _search(panel), "targetBlank": True}]
    return field


def _steps(panel: Panel) -> list[Json]:
    if panel.low is not None:
        return [{"color": "red", "value": None}, {"color": "green", "value": panel.low}]
    if panel.warn:
        return [{"color": "green", "value": None}, {"color": "red", "value": panel.warn}]
    return [{"color": "text", "value": None}]


def _overrides(panel: Panel) -> list[Json]:
    hidden = {
        "matcher": {"id": "byName", "options": SERVICE},
        "properties": [{"id": "custom.hidden", "value": True}],
    }
    return [*(_colours() if panel.by_fault else ()), *([hidden] if panel.kind == "table" else ())]


def _colours() -> list[Json]:
    """Each fault as on the desk, however many of them there are."""
    return [
        {
            "matcher": {"id": "byRegexp", "options": f"/ {fault}$/"},
            "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}],
        }
        for fault, colour in COLOURS.items()
    ]


def _search(panel: Panel) -> str:
    """Jaeger's search page for the spans that have this series' values, in the time that is shown."""
    values = "__data.fields" if panel.kind == "table" else "__field.labels"
    tags = ",".join(f'"{name}":"${{{values}.{label(name)}}}"' for name in panel.traces)
    encoded = tags.replace('"', "%22").replace(":", "%3A").replace(",", "%2C")
    return (
        f"${{jaeger}}/search?service=${{{values}.{SERVICE}}}&tags=%7B{encoded}%7D"
        "&lookback=custom&start=${__from}000&end=${__to}000&limit=20"
    )


SERVICE: Final = "service"
"""What Jaeger calls a server: its job without the `service.namespace` that may stand before it."""


def _with_service(expr: str) -> str:
    return f'label_replace({expr}, "{SERVICE}", "$1", "job", "(?:[^/]*/)?(.+)")'


def _target(panel: Panel, query: Query, ref: str) -> Json:
    at_once = panel.kind in {"stat", "table"}
    return {
        "refId": ref,
        "datasource": DATASOURCE,
        "expr": _with_service(query.expr) if panel.traces else query.expr,
        "legendFormat": query.legend,
        "instant": at_once,
        "range": not at_once,
        "exemplar": panel.kind == "timeseries" and panel.unit == "s",
        "format": {"table": "table", "heatmap": "heatmap"}.get(panel.kind, "time_series"),
    }


OPTIONS: Final[dict[str, Json]] = {
    "timeseries": {
        "legend": {
            "displayMode": "table",
            "placement": "bottom",
            "calcs": ["lastNotNull", "max"],
            "showLegend": True,
        },
        "tooltip": {"mode": "multi", "sort": "desc"},
    },
    "stat": {
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
        "colorMode": "value",
        "graphMode": "none",
        "justifyMode": "auto",
        "orientation": "auto",
        "textMode": "auto",
    },
    "table": {"showHeader": True, "sortBy": [{"displayName": "Value", "desc": True}]},
    "heatmap": {
        "calculate": False,
        "cellGap": 1,
        "yAxis": {"unit": "s"},
        "color": {"mode": "scheme", "scheme": "Oranges", "steps": 64, "exponent": 0.5, "reverse": False},
        "tooltip": {"mode": "single", "yHistogram": False},
        "exemplars": {"color": "rgba(255,0,255,0.7)"},
    },
}

TRANSFORMATIONS: Final[dict[str, list[Json]]] = {
    "table": [{"id": "organize", "options": {"excludeByName": {"Time": True, "__name__": True}}}]
}
