"""Make the pictures of the operations pages from a run of the real programs: `python -m docs.pictures`.

The demo server is called for some minutes, an outage of its upstream in the middle, and sends what it
measures through the collector. The dashboard is drawn from what Prometheus answers to the panels' queries,
the trace from what Jaeger's API gives back: neither is a photograph of the programs' own pages.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Final

from mcp import Client
from mcp.shared.exceptions import MCPError

from dashboards.grafana import FOLDER as DASHBOARDS
from deploy.traffic import WELL
from mcp_error_middleware.cli.demo.stories import STORIES, Story
from tests.deploy.stack import Stack, eventually, fetch, running

PICTURES: Final = Path(__file__).parent / "pictures"
MINUTES: Final = 10.0
UNIT_X, UNIT_Y, GAP, HEAD = 50, 34, 8, 64
COLOURS: Final = ("#3c4bd1", "#e0525f", "#e0a526", "#2ba3c7", "#4f9d69", "#8e5bc0", "#7a8496", "#c2703d")
STYLE: Final = """
text{font:12px system-ui,sans-serif;fill:#1b2130}.soft{fill:#566075;font-size:11px}
.big{font-size:26px;font-weight:700}
.head{font-weight:700;font-size:15px}.title{font-weight:600}.card{fill:#fff;stroke:#dfe3ea}.grid{stroke:#e8ebf1}
.mono{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:11.5px}
"""


def svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    """A picture on light ground."""
    box = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    ground = f'<rect width="{width:g}" height="{height:g}" rx="10" fill="#f5f6f9"/>'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{escape(label)}">'
        f"<style>{STYLE}</style>{ground}\n{body}\n</svg>\n"
    )


def words(x: float, y: float, text: str, kind: str = "", **more: str) -> str:
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}"{given}>{escape(text)}</text>'


# --- a dashboard ----------------------------------------------------------------------------------


def asked(stack: Stack, board: Mapping[str, Any], begun: float, now: float) -> list[dict[str, Any]]:
    """Every panel with what Prometheus answers to its queries."""
    window = {"$job": ".*", "$__rate_interval": "1m", "$__range": f"{int(now - begun)}s"}
    panels = []
    for panel in board["panels"]:
        data = []
        for target in panel.get("targets", ()):
            expr = target["expr"]
            for name, value in window.items():
                expr = expr.replace(name, value)
            address = f"{stack.prometheus}/api/v1/query_range"
            answer = fetch(address, query=expr, start=begun, end=now, step=10)
            data.append({"legend": target.get("legendFormat", ""), "result": answer["data"]["result"]})
        unit = panel.get("fieldConfig", {}).get("defaults", {}).get("unit")
        panels.append(
            {
                "title": panel["title"],
                "type": panel["type"],
                "grid": panel["gridPos"],
                "unit": unit,
                "data": data,
            }
        )
    return panels


def dashboard_svg(title: str, panels: Sequence[Mapping[str, Any]], begun: float, now: float) -> str:
    """The board as its JSON lays it out."""
    rows = max(panel["grid"]["y"] + panel["grid"]["h"] for panel in panels)
    minutes = round((now - begun) / 60)
    parts = [
        words(GAP * 2, 28, title, "head"),
        words(GAP * 2, 48, f"{minutes} minutes of the demo server, drawn from Prometheus's answers", "soft"),
    ]
    for panel in panels:
        at = panel["grid"]
        x, y = at["x"] * UNIT_X + GAP, HEAD + at["y"] * UNIT_Y
        if panel["type"] == "row":
            parts.append(words(x + 4, y + 23, panel["title"], "head"))
            continue
        width, height = at["w"] * UNIT_X - GAP, at["h"] * UNIT_Y - GAP
        parts.append(f'<g transform="translate({x} {y})"><rect class="card" rx="8" ')
        parts[-1] += f'width="{width}" height="{height}"/>{words(10, 19, panel["title"], "title")}'
        parts += [*DRAWN[panel["type"]](panel, width, height, begun, now), "</g>"]
    return svg(24 * UNIT_X + GAP, HEAD + rows * UNIT_Y + GAP, title, parts)


def series_of(panel: Mapping[str, Any]) -> list[tuple[str, list[tuple[float, float]]]]:
    """Named lines, the highest first; what is nothing all the time is left out."""
    found = []
    for query in panel["data"]:
        for one in query["result"]:
            name = query["legend"]
            for label, value in one["metric"].items():
                name = name.replace("{{" + label + "}}", value)
            points = [(float(at), float(value)) for at, value in one["values"]]
            found.append((name or "all", [point for point in points if point[1] == point[1]]))
    return sorted(found, key=lambda line: -max((value for _, value in line[1]), default=0))


def _lines(panel: Mapping[str, Any], width: float, height: float, begun: float, now: float) -> Iterator[str]:
    lines = [line for line in series_of(panel) if any(value for _, value in line[1])][:6]
    if not lines:
        yield words(width / 2, height / 2 + 8, "none in this time", "soft", text_anchor="middle")
        return
    most = max(value for _, points in lines for _, value in points) * 1.05
    left, top, bottom = 52.0, 32.0, height - 40
    for share in (0.0, 0.5, 1.0):
        y = bottom - share * (bottom - top)
        yield f'<line class="grid" x1="{left}" x2="{width - 12}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield words(left - 6, y + 4, shown(most * share, panel["unit"]), "soft", text_anchor="end")
    for part in (0.0, 0.5, 1.0):
        time_of = datetime.fromtimestamp(begun + part * (now - begun), UTC).strftime("%H:%M")
        x = left + part * (width - 12 - left)
        yield words(x, bottom + 14, time_of, "soft", text_anchor="middle" if part < 1 else "end")
    place = left
    for (name, points), colour in zip(lines, COLOURS, strict=False):
        path = " ".join(
            f"{left + (at - begun) / (now - begun) * (width - 12 - left):.1f},"
            f"{bottom - value / most * (bottom - top):.1f}"
            for at, value in points
        )
        yield f'<polyline fill="none" stroke="{colour}" stroke-width="1.6" points="{path}"/>'
        if place < width - 90:
            short = name if len(name) < 26 else f"{name[:25]}…"
            yield f'<rect x="{place}" y="{height - 17}" width="9" height="9" rx="2" fill="{colour}"/>'
            yield words(place + 13, height - 9, short, "soft")
            place += 26 + 6.2 * len(short)


def _stat(panel: Mapping[str, Any], width: float, height: float, begun: float, now: float) -> Iterator[str]:
    lines = series_of(panel)
    last = lines[0][1][-1][1] if lines and lines[0][1] else None
    text = "none" if last is None else shown(last, panel["unit"])
    yield words(width / 2, height / 2 + 20, text, "big", text_anchor="middle")


def _table(panel: Mapping[str, Any], width: float, height: float, begun: float, now: float) -> Iterator[str]:
    rows = [one["metric"] for query in panel["data"] for one in query["result"]]
    if not rows:
        yield words(width / 2, height / 2 + 8, "none in this time", "soft", text_anchor="middle")
    for number, row in enumerate(rows[:9]):
        more = " ".join(row[name] for name in ("mcp_error_fault", "mcp_error_code") if name in row)
        yield words(12, 44 + 20 * number, f"{row.get('alertname', '')}  {more}"[:52], "mono")


def shown(value: float, unit: str | None) -> str:
    """As Grafana would write it, about."""
    match unit:
        case "percentunit":
            return f"{float(f'{100 * value:.3g}'):,g} %"
        case "s":
            return f"{1000 * value:.3g} ms"
        case "reqps" | "cps" | "ops":
            return f"{value:.2g}/s"
    return f"{value:.3g}"


DRAWN: Final = {"timeseries": _lines, "stat": _stat, "table": _table}


# --- a trace --------------------------------------------------------------------------------------


def trace_svg(spans: Sequence[Mapping[str, Any]]) -> str:
    """Spans below each other on one time axis, each with what it says about a failure."""
    ordered = sorted(spans, key=lambda span: span["startTime"])
    begun = ordered[0]["startTime"]
    whole = max(span["startTime"] + span["duration"] for span in ordered) - begun
    parts, y, left, width = [], 56.0, 330.0, 1000.0
    parts.append(words(16, 28, f"One trace of the demo server, {whole / 1000:.1f} ms", "head"))
    parts.append(words(16, 46, "drawn from what Jaeger's API gives back", "soft"))
    for span in ordered:
        tags = {tag["key"]: tag["value"] for tag in span["tags"]}
        failed = "mcp.error.code" in tags
        x = left + (span["startTime"] - begun) / whole * (width - left - 100)
        long = max(3.0, span["duration"] / whole * (width - left - 100))
        colour = COLOURS[1] if failed else COLOURS[3]
        parts.append(words(16, y + 22, span["operationName"], "title"))
        parts.append(
            f'<rect x="{x:.1f}" y="{y + 10}" width="{long:.1f}" height="16" rx="3" fill="{colour}"/>'
        )
        parts.append(words(x + long + 6, y + 22, f"{span['duration'] / 1000:.1f} ms", "soft"))
        y += 34
        for line in _said(span, tags):
            parts.append(words(36, y + 8, line, "mono"))
            y += 17
    return svg(width, y + 16, "A trace of one failing call", parts)


def _said(span: Mapping[str, Any], tags: Mapping[str, Any]) -> Iterator[str]:
    for name in ("error.type", "mcp.error.id", "mcp.error.code", "mcp.error.fault", "mcp.error.evidence"):
        if name in tags:
            yield f"{name} = {tags[name]}"
    for log in span["logs"]:
        fields = {field["key"]: field["value"] for field in log["fields"]}
        if "exception.type" in fields:
            yield f"exception  {fields['exception.type']}: {fields.get('exception.message', '')}"[:130]


# --- the run --------------------------------------------------------------------------------------


async def call(server: str, begun: float, end: float) -> None:
    """Mostly well; between four and six tenths of the time an upstream is down."""
    stories = [story for story in STORIES if story.tool not in ("exit", "cancelled")]
    down = Story("upstream", {"status": 503}, "an upstream is down")
    while time.time() < end:
        with suppress(Exception):
            async with Client(server) as client:
                for _ in range(60):
                    is_down = 0.4 < (time.time() - begun) / (end - begun) < 0.6
                    lot = random.random()
                    story = down if is_down and lot < 0.35 else random.choice(stories) if lot < 0.12 else WELL
                    with suppress(MCPError):
                        await client.call_tool(story.tool, story.arguments)
                    await asyncio.sleep(random.expovariate(4))


def traced(stack: Stack) -> list[dict[str, Any]]:
    """The spans of a call made within a span of the caller's."""
    trace_id = secrets.token_hex(16)

    async def once() -> None:
        async with Client(stack.server) as client:
            meta: Any = {"traceparent": f"00-{trace_id}-{secrets.token_hex(8)}-01"}
            await client.call_tool("chain", {}, meta=meta)

    asyncio.run(once())
    return eventually(lambda: stack.trace(trace_id), "Jaeger has no such trace")


def main() -> None:
    """Run the kit, and draw."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), paced=str) as stack:
        (PICTURES / "trace.svg").write_text(trace_svg(traced(stack)), "utf-8")
        begun = time.time()
        asyncio.run(call(stack.server, begun, begun + 60 * MINUTES))
        board = json.loads((DASHBOARDS / "mcp-overview.json").read_text("utf-8"))
        now = time.time()
        picture = dashboard_svg(board["title"], asked(stack, board, begun, now), begun, now)
        (PICTURES / "dashboard.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
