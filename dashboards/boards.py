"""What the dashboards show: each row a question, each panel a part of the answer."""

from __future__ import annotations

from typing import Final

from dashboards.grafana import Board, Panel, Query, Row
from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry.names import (
    CODE,
    DROPPED,
    DURATION,
    ERROR_TYPE,
    ERRORS,
    FAULT,
    FINGERPRINT,
    FINGERPRINTS,
    KIND,
    METHOD,
    REDACTIONS,
    REPEATS,
    SESSIONS,
    SILENT_FAILURES,
    SINK,
    STATUS_CODE,
    TOOL,
    Metric,
    label,
)

BUDGET: Final = 0.01
"""The share of calls that may fail by the server's or an upstream's fault; the rules say the same."""
OURS: Final = f'{label(FAULT)}=~"server|upstream"'
TOOLS: Final = f'{label(TOOL)}=~"$tool"'
EACH_TOOL: Final = f'{label(TOOL)}!=""'
CALLS: Final = f"{DURATION.prometheus}_count"

WHOSE: Final = {
    Fault.SERVER: ("Ours", "Calls that failed by a fault of the server itself."),
    Fault.UPSTREAM: ("An upstream's", "Calls that failed because something the server depends on did."),
    Fault.CALLER: ("The caller's", "Calls the caller has to change. They spend no budget and page nobody."),
}


# --- PromQL -------------------------------------------------------------------------------------


def series(name: str, *where: str) -> str:
    """One metric of the servers that are shown."""
    conditions = ", ".join(('job=~"$job"', *where))
    return f"{name}{{{conditions}}}"


def rate(metric: Metric | str, *by: str, where: tuple[str, ...] = ()) -> str:
    """Per second, by server and these attributes."""
    return f"{_sum(by)} (rate({_series(metric, where)}[$__rate_interval]))"


def increase(metric: Metric | str, *by: str, where: tuple[str, ...] = ()) -> str:
    """In the time that is shown, by server and these attributes."""
    return f"{_sum(by)} (increase({_series(metric, where)}[$__range]))"


def share(part: str) -> str:
    """A part by server and more, of the server's calls; of its failures, where it gets to no call at all."""
    return f"{part} / on (job) group_left () ({rate(CALLS)} > 0 or {rate(ERRORS)})"


def quantile(q: float, metric: Metric, *by: str, where: tuple[str, ...] = ()) -> str:
    """Seconds, by server and these attributes."""
    return f"histogram_quantile({q}, {rate(f'{metric.prometheus}_bucket', *by, 'le', where=where)})"


def top(count: int, expr: str) -> str:
    return f"topk({count}, {expr})"


def names(*attributes: str) -> str:
    """A legend of the values of these attributes."""
    return " ".join(f"{{{{{label(attribute)}}}}}" for attribute in ("job", *attributes))


def _sum(by: tuple[str, ...]) -> str:
    return f"sum by ({', '.join(['job', *map(label, by)])})"


def _series(metric: Metric | str, where: tuple[str, ...]) -> str:
    return series(metric if isinstance(metric, str) else metric.prometheus, *where)


# --- the boards ---------------------------------------------------------------------------------


def _share_of(fault: Fault) -> Panel:
    whose, tells = WHOSE[fault]
    expr = share(rate(ERRORS, FAULT, where=(f'{label(FAULT)}="{fault}"',)))
    warn = None if fault is Fault.CALLER else BUDGET
    return Panel(whose, tells, (Query(expr, names()),), "stat", "percentunit", 6, warn)


def _burn(window: str) -> Query:
    expr = f"{series(f'job_fault:mcp_server_errors:ratio_rate{window}')} / {BUDGET}"
    return Query(expr, f"{window} {names(FAULT)}")


OVERVIEW: Final = Board(
    "mcp-overview",
    "MCP / Overview",
    "Is it the caller, an upstream or us?",
    (
        Row(
            "Is it the caller, an upstream or us?",
            (
                Panel("Calls", "Requests of any method.", (Query(rate(CALLS), names()),), "stat", "reqps", 6),
                *(_share_of(fault) for fault in WHOSE),
                Panel(
                    "Failures by fault",
                    "Failed calls per second. Follow a line to its traces.",
                    (Query(rate(ERRORS, FAULT), names(FAULT)),),
                    unit="reqps",
                    traces=(FAULT,),
                    by_fault=True,
                ),
                Panel(
                    "Share of failed calls by fault",
                    "Of all calls.",
                    (Query(share(rate(ERRORS, FAULT)), names(FAULT)),),
                    unit="percentunit",
                    traces=(FAULT,),
                    by_fault=True,
                ),
            ),
        ),
        Row(
            "How fast is the error budget spent?",
            (
                Panel(
                    "Burn rate",
                    "1 spends the budget of a month in a month. McpErrorBudgetBurn pages from 14.4 over 1h "
                    "and 6 over 6h, and writes a ticket from 3 over 1d and 1 over 3d.",
                    tuple(_burn(window) for window in ("1h", "6h", "1d", "3d")),
                    warn=1,
                    traces=(FAULT,),
                ),
                Panel(
                    "Budget left",
                    "Of the time that is shown; below zero the objective is missed.",
                    (
                        Query(
                            f"1 - {increase(ERRORS, where=(OURS,))} / ({increase(CALLS)} > 0) / {BUDGET}",
                            names(),
                        ),
                    ),
                    "stat",
                    "percentunit",
                    4,
                    low=0,
                ),
                Panel(
                    "Alerts",
                    "What fires now; the runbook has a heading of the same name.",
                    (Query(series("ALERTS", 'alertname=~"Mcp.+"', 'alertstate="firing"')),),
                    "table",
                    width=8,
                ),
            ),
        ),
        Row(
            "What fails?",
            (
                Panel(
                    "Codes",
                    "The ten most frequent.",
                    (Query(top(10, rate(ERRORS, CODE, FAULT)), names(CODE, FAULT)),),
                    unit="reqps",
                    traces=(CODE,),
                ),
                Panel(
                    "Tools",
                    "The ten that fail most, by the server's or an upstream's fault.",
                    (Query(top(10, rate(ERRORS, TOOL, where=(OURS, EACH_TOOL))), names(TOOL)),),
                    unit="reqps",
                    traces=(TOOL,),
                ),
            ),
        ),
        Row(
            "Can these figures be trusted?",
            (
                Panel(
                    "Lost telemetry",
                    "Records a sink could not take. Anything but zero means holes in what is shown here.",
                    (Query(rate(DROPPED, SINK), names(SINK)),),
                    unit="cps",
                    warn=0.001,
                ),
                Panel(
                    "Silent failures",
                    "Results that say they succeeded and read like an error: failures no other panel counts.",
                    (Query(rate(SILENT_FAILURES, TOOL), names(TOOL)),),
                    unit="cps",
                ),
            ),
        ),
    ),
)

TOOL_BOARD: Final = Board(
    "mcp-tools",
    "MCP / Tools",
    "Which tool fails, why, and who waits for it?",
    (
        Row(
            "Which tools fail?",
            (
                Panel(
                    "Calls by tool",
                    "Per second.",
                    (Query(rate(CALLS, TOOL, where=(TOOLS, EACH_TOOL)), names(TOOL)),),
                    unit="reqps",
                ),
                Panel(
                    "Share of failed calls by tool",
                    "By the server's or an upstream's fault; McpToolErrorRatioHigh fires from 20%.",
                    (
                        Query(
                            f"{rate(ERRORS, TOOL, where=(OURS, TOOLS, EACH_TOOL))}"
                            f" / {rate(CALLS, TOOL, where=(TOOLS, EACH_TOOL))}",
                            names(TOOL),
                        ),
                    ),
                    unit="percentunit",
                    warn=0.2,
                    traces=(TOOL,),
                ),
            ),
        ),
        Row(
            "Why do they fail?",
            (
                Panel(
                    "Failures by tool and code",
                    "In the time that is shown.",
                    (Query(f"{increase(ERRORS, TOOL, CODE, FAULT, where=(TOOLS, EACH_TOOL))} > 0"),),
                    "table",
                    traces=(TOOL, CODE),
                ),
                Panel(
                    "Failures by tool and fault",
                    "Per second.",
                    (Query(rate(ERRORS, TOOL, FAULT, where=(TOOLS, EACH_TOOL)), names(TOOL, FAULT)),),
                    unit="reqps",
                    traces=(TOOL, FAULT),
                ),
            ),
        ),
        Row(
            "What do agents make of it?",
            (
                Panel(
                    "Repeats",
                    "Calls that failed again, with the same arguments, for the same code: an agent loops.",
                    (Query(rate(REPEATS, TOOL, CODE, where=(TOOLS,)), names(TOOL, CODE)),),
                    unit="cps",
                    traces=(TOOL, CODE),
                ),
                Panel(
                    "95th percentile by tool",
                    "One call in twenty takes longer; McpLatencyP95High fires from 5 seconds.",
                    (Query(quantile(0.95, DURATION, TOOL, where=(TOOLS, EACH_TOOL)), names(TOOL)),),
                    unit="s",
                    warn=5,
                    traces=(TOOL,),
                ),
            ),
        ),
    ),
    by_tool=True,
)

CODES: Final = Board(
    "mcp-codes",
    "MCP / Codes",
    "Why do calls fail?",
    (
        Row(
            "Why do calls fail?",
            (
                Panel(
                    "Failures by code, ours and upstream's",
                    "Per second; McpErrorCodeRateHigh fires where one code reaches 5% of the calls.",
                    (Query(rate(ERRORS, CODE, where=(OURS,)), names(CODE)),),
                    unit="reqps",
                    traces=(CODE,),
                ),
                Panel(
                    "Failures by code, the caller's",
                    "Per second. A change here is a changed client, prompt or schema.",
                    (Query(rate(ERRORS, CODE, where=(f'{label(FAULT)}="caller"',)), names(CODE)),),
                    unit="reqps",
                    traces=(CODE,),
                ),
                Panel(
                    "Failures by code and tool",
                    "In the time that is shown.",
                    (Query(f"{increase(ERRORS, CODE, FAULT, METHOD, TOOL)} > 0"),),
                    "table",
                    traces=(CODE,),
                ),
                Panel(
                    "Repeats by code",
                    "A code that is often repeated unchanged has a hint agents do not follow.",
                    (Query(rate(REPEATS, CODE), names(CODE)),),
                    unit="cps",
                    traces=(CODE,),
                ),
            ),
        ),
        Row(
            "What does the protocol say?",
            (
                Panel(
                    "Calls by error type",
                    "As OTel's MCP conventions count: a tool's failure is tool_error, a refusal has no type.",
                    (Query(rate(CALLS, ERROR_TYPE, where=(f'{label(ERROR_TYPE)}!=""',)), names(ERROR_TYPE)),),
                    unit="reqps",
                    traces=(ERROR_TYPE,),
                ),
                Panel(
                    "JSON-RPC errors",
                    "Answers that are not a result, by their number.",
                    (
                        Query(
                            rate(CALLS, METHOD, STATUS_CODE, where=(f'{label(STATUS_CODE)}!=""',)),
                            names(METHOD, STATUS_CODE),
                        ),
                    ),
                    unit="reqps",
                    traces=(STATUS_CODE,),
                ),
            ),
        ),
        Row(
            "What was kept from leaving?",
            (
                Panel(
                    "Redactions by kind",
                    "Pieces of text removed from errors. Nothing leaked; something puts them there.",
                    (Query(rate(REDACTIONS, KIND), names(KIND)),),
                    unit="cps",
                    width=24,
                ),
            ),
        ),
    ),
)

LATENCY: Final = Board(
    "mcp-latency",
    "MCP / Latency",
    "Who waits, how long, and for what?",
    (
        Row(
            "How long do callers wait?",
            (
                Panel(
                    "Durations",
                    "Each column a moment, each cell the calls that took so long.",
                    (
                        Query(
                            f"sum by (le) ({rate(f'{DURATION.prometheus}_bucket', 'le', where=(TOOLS,))})",
                            "{{le}}",
                        ),
                    ),
                    "heatmap",
                    "s",
                ),
                Panel(
                    "Percentiles",
                    "A diamond is one call: it leads to its trace.",
                    tuple(
                        Query(quantile(q, DURATION, where=(TOOLS,)), f"p{round(q * 100)} {names()}")
                        for q in (0.5, 0.95, 0.99)
                    ),
                    unit="s",
                ),
            ),
        ),
        Row(
            "For what?",
            (
                Panel(
                    "95th percentile by tool",
                    "One call in twenty takes longer.",
                    (Query(quantile(0.95, DURATION, TOOL, where=(TOOLS, EACH_TOOL)), names(TOOL)),),
                    unit="s",
                    warn=5,
                    traces=(TOOL,),
                ),
                Panel(
                    "95th percentile by method",
                    "One request in twenty takes longer.",
                    (Query(quantile(0.95, DURATION, METHOD), names(METHOD)),),
                    unit="s",
                    traces=(METHOD,),
                ),
            ),
        ),
        Row(
            "Do failures take longer?",
            (
                Panel(
                    "Mean duration, failed and not",
                    "Failures that take long are timeouts; failures that are quick are refusals.",
                    (
                        Query(
                            f"{rate(f'{DURATION.prometheus}_sum', ERROR_TYPE, where=(TOOLS,))}"
                            f" / {rate(CALLS, ERROR_TYPE, where=(TOOLS,))}",
                            names(ERROR_TYPE),
                        ),
                    ),
                    unit="s",
                ),
                Panel(
                    "Sessions",
                    "How long sessions last: the middle one.",
                    (Query(quantile(0.5, SESSIONS), names()),),
                    unit="s",
                ),
            ),
        ),
    ),
    by_tool=True,
)

FINGERPRINT_BOARD: Final = Board(
    "mcp-fingerprints",
    "MCP / Fingerprints",
    "Which failures are one and the same, and which are new?",
    (
        Row(
            "Which failures are one and the same?",
            (
                Panel(
                    "Most frequent",
                    "Failures that share their chain of types and places. A click leads to their traces.",
                    (Query(top(25, f"{increase(FINGERPRINTS, FINGERPRINT, CODE, FAULT)} > 0")),),
                    "table",
                    width=24,
                    traces=(FINGERPRINT,),
                ),
                Panel(
                    "Over time",
                    "The ten most frequent, per second.",
                    (
                        Query(
                            top(10, rate(FINGERPRINTS, FINGERPRINT, CODE)),
                            names(FINGERPRINT, CODE),
                        ),
                    ),
                    unit="cps",
                    width=24,
                    traces=(FINGERPRINT,),
                ),
            ),
        ),
        Row(
            "Which are new?",
            (
                Panel(
                    "First seen in the time that is shown",
                    "A new fingerprint right after a deployment came with it.",
                    (
                        Query(
                            f"{_sum((FINGERPRINT, CODE, FAULT))} ({series(FINGERPRINTS.prometheus)})"
                            f" unless on (job, {label(FINGERPRINT)})"
                            f" {series(FINGERPRINTS.prometheus)} offset $__range"
                        ),
                    ),
                    "table",
                    width=16,
                    traces=(FINGERPRINT,),
                ),
                Panel(
                    "Kinds of failure",
                    "How many fingerprints each server has. At 200 of callers' faults, and at 200 of all "
                    "others, the rest is counted together as _OTHER.",
                    (
                        Query(
                            f"count by (job, {label(FAULT)})"
                            f" ({_sum((FINGERPRINT, FAULT))} ({series(FINGERPRINTS.prometheus)}))",
                            names(FAULT),
                        ),
                    ),
                    width=8,
                    warn=200,
                    by_fault=True,
                ),
            ),
        ),
    ),
)

BOARDS: Final = (OVERVIEW, TOOL_BOARD, CODES, LATENCY, FINGERPRINT_BOARD)
