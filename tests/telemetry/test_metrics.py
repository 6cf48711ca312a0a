from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from opentelemetry import trace
from opentelemetry.metrics._internal import _ProxyMeterProvider
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from mcp_error_middleware import Call, ErrorCode, Failure, Triage
from mcp_error_middleware.taxonomy import Fault
from mcp_error_middleware.telemetry import names
from mcp_error_middleware.telemetry.metrics import Bounded, instruments
from mcp_error_middleware.telemetry.spans import SUCCESS, Outcome, rpc_error, tool_error
from tests.telemetry.recording import Recording

PRICE = Call("tools/call", "price", protocol_version="2025-11-25", transport="stdio")


def _failed(exc: Exception, call: Call = PRICE) -> Failure:
    return Triage()(exc, call)


def test_every_request_is_measured_in_the_buckets_of_the_conventions(recorded: Recording) -> None:
    instruments().served(0.3, PRICE, SUCCESS, None)
    instruments().served(0.4, PRICE, tool_error("odd"), _failed(KeyError("x")))

    labels = {
        names.METHOD: "tools/call",
        names.TOOL: "price",
        names.OPERATION: "execute_tool",
        names.PROTOCOL_VERSION: "2025-11-25",
        names.TRANSPORT: "pipe",
    }
    assert recorded.counts(names.DURATION.name) == [
        (labels, 1),
        ({**labels, names.ERROR_TYPE: "tool_error"}, 1),
    ]
    assert recorded.points(names.DURATION.name)[0].explicit_bounds == names.BUCKETS


def test_a_failure_is_counted_by_code_by_kind_and_by_what_was_removed(recorded: Recording) -> None:
    failure = _failed(ValueError("postgresql://shop:hunter2@db.internal/x"))
    instruments().served(0.1, PRICE, tool_error(failure.message), failure)

    code = {names.CODE: failure.code.label, names.FAULT: failure.fault.value}
    assert recorded.counts(names.ERRORS.name) == [
        ({**code, names.METHOD: "tools/call", names.TOOL: "price"}, 1)
    ]
    assert recorded.counts(names.FINGERPRINTS.name) == [
        ({names.FINGERPRINT: failure.fingerprint.exact, **code}, 1)
    ]
    assert {labels[names.KIND]: count for labels, count in recorded.counts(names.REDACTIONS.name)} == (
        failure.redactions
    )


def test_fingerprints_are_told_whoever_reads_them_however_often(recorded: Recording) -> None:
    failure = _failed(ValueError("odd"))
    for count in (1, 2):
        instruments().failed(failure, "tools/call", "price")
        told = [told for _, told in recorded.counts(names.FINGERPRINTS.name)]
        assert told == [count] == [told for _, told in recorded.counts(names.FINGERPRINTS.name)]


def test_fingerprints_are_told_where_the_provider_is_set_after_the_server_began() -> None:
    stand_in, reader = _ProxyMeterProvider(), InMemoryMetricReader()
    with patch("opentelemetry.metrics._internal._METER_PROVIDER", stand_in):
        instruments()
    provider = MeterProvider([reader])
    stand_in.on_set_meter_provider(provider)
    with patch("opentelemetry.metrics._internal._METER_PROVIDER", provider):
        instruments().failed(_failed(ValueError("odd")), "tools/call", "price")
        assert names.FINGERPRINTS.name in str(reader.get_metrics_data())
    provider.shutdown()


def test_every_code_starts_at_zero_and_what_can_page_does_for_every_tool_that_works(
    recorded: Recording,
) -> None:
    instruments().served(0.1, PRICE, SUCCESS, None)

    data = recorded.reader.get_metrics_data()
    assert data is not None
    [errors] = [
        metric
        for scope in data.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == names.ERRORS.name
    ]
    points: list[Any] = list(errors.data.data_points)
    seen = {(point.attributes[names.CODE], point.attributes.get(names.TOOL)): point.value for point in points}
    expected: dict[tuple[str, str | None], int] = {(code.label, None): 0 for code in ErrorCode}
    paging = [code for code in ErrorCode if code.traits.fault is not Fault.CALLER]
    assert seen == expected | {(code.label, "price"): 0 for code in paging}


def test_what_has_not_happened_leads_to_no_trace(recorded: Recording) -> None:
    with recorded.traces.get_tracer("shop").start_as_current_span("tools/call price"):
        instruments().served(0.1, PRICE, tool_error("odd"), _failed(KeyError("x")))

    led = {point.value for point in recorded.started(names.ERRORS.name) if point.exemplars}
    assert led == {1}
    assert not any(point.exemplars for point in recorded.started(names.SILENT_FAILURES.name))


def test_what_can_page_starts_at_zero_for_resources_and_prompts_too(recorded: Recording) -> None:
    instruments()

    started = {
        (point.attributes[names.METHOD], point.attributes[names.CODE])
        for point in recorded.started(names.ERRORS.name)
    }
    paging = {code.label for code in ErrorCode if code.traits.fault is not Fault.CALLER}
    assert {code for method, code in started if method == "resources/read"} == paging
    assert {code for method, code in started if method == "prompts/get"} == paging


def test_a_tool_that_was_shown_to_clients_starts_at_zero_before_its_first_call(recorded: Recording) -> None:
    for _ in range(2):
        instruments().expect("price")

    paging = {code.label for code in ErrorCode if code.traits.fault is not Fault.CALLER}
    started = [point for point in recorded.started(names.ERRORS.name) if names.TOOL in point.attributes]
    assert {(point.attributes[names.CODE], point.value) for point in started} == {(c, 0) for c in paging}


def test_no_list_of_tools_makes_series_without_end(recorded: Recording) -> None:
    for at in range(1_000):
        instruments().expect(f"tool{at}")

    tools = {point.attributes.get(names.TOOL) for point in recorded.started(names.ERRORS.name)}
    assert len(tools - {None}) == 200


def test_a_tools_silent_failures_start_at_zero_when_it_is_first_called(recorded: Recording) -> None:
    instruments().served(0.1, PRICE, SUCCESS, None)

    [point] = recorded.started(names.SILENT_FAILURES.name)
    assert (dict(point.attributes), point.value) == ({names.TOOL: "price"}, 0)


def test_a_name_the_server_refuses_is_no_label_until_a_handler_was_found_for_it(recorded: Recording) -> None:
    refused = rpc_error(-32602, "Unknown tool")
    instruments().served(0.1, PRICE, refused, None)
    instruments().served(0.1, PRICE, SUCCESS, None)
    instruments().served(0.1, PRICE, refused, None)

    assert [labels[names.TOOL] for labels, _ in recorded.counts(names.DURATION.name)] == [
        names.OTHER,
        "price",
        "price",
    ]


def test_a_method_nobody_serves_is_no_label(recorded: Recording) -> None:
    instruments().served(0.1, Call("made/up", request_id=1), rpc_error(-32601, "Method not found"), None)
    instruments().served(0.1, Call("shop/restock", request_id=2), SUCCESS, None)

    assert [labels[names.METHOD] for labels, _ in recorded.counts(names.DURATION.name)] == [
        names.OTHER,
        "shop/restock",
    ]


def test_a_method_that_is_only_unfit_or_a_notification_is_no_label_either(recorded: Recording) -> None:
    unfit = _failed(ValueError("no such request"), Call("made/up", request_id=1))
    instruments().served(0.1, unfit.call, rpc_error(-32602, unfit.message), unfit)
    instruments().served(0.1, Call("notifications/made/up"), SUCCESS, None)
    instruments().served(0.1, Call("notifications/initialized"), SUCCESS, None)

    assert [labels[names.METHOD] for labels, _ in recorded.counts(names.DURATION.name)] == [
        names.OTHER,
        names.OTHER,
        "notifications/initialized",
    ]


def test_what_a_client_says_its_protocol_version_is_becomes_a_label_only_in_the_form_of_one(
    recorded: Recording,
) -> None:
    for version in (
        "password=hunter2",
        "2099-01-01",
        *(f"2{at:03}-02-02" for at in range(100)),
        "2025-11-25",
    ):
        instruments().served(0.1, Call(target="price", protocol_version=version), SUCCESS, None)

    seen = [labels[names.PROTOCOL_VERSION] for labels, _ in recorded.counts(names.DURATION.name)]
    assert "password=hunter2" not in seen
    assert {"2099-01-01", "2025-11-25", names.OTHER} < set(seen)
    assert len(seen) < 20


@pytest.mark.parametrize(
    ("outcome", "tools"), [(SUCCESS, 201), (tool_error("odd"), 201), (rpc_error(-32602, "odd"), 1)]
)
def test_no_client_can_make_series_without_end(recorded: Recording, outcome: Outcome, tools: int) -> None:
    for at in range(1_000):
        call = Call("tools/call", f"tool{at}", protocol_version=f"2{at:03}-01-01")
        instruments().served(0.1, call, outcome, None)

    seen = [labels for labels, _ in recorded.counts(names.DURATION.name)]
    assert len({labels[names.TOOL] for labels in seen}) == tools
    assert len({labels[names.PROTOCOL_VERSION] for labels in seen}) == 16


def test_the_first_fingerprints_have_a_series_of_their_own(recorded: Recording) -> None:
    failure = _failed(KeyError("x"))
    for at in range(1_000):
        group = failure.fingerprint._replace(exact=f"kind{at}")
        instruments().failed(replace(failure, fingerprint=group), "tools/call", None)

    counts = {labels[names.FINGERPRINT]: count for labels, count in recorded.counts(names.FINGERPRINTS.name)}
    assert counts == {**{f"kind{at}": 1 for at in range(200)}, names.OTHER: 800}


def test_what_callers_get_wrong_in_a_thousand_ways_hides_no_new_failure_of_ours(recorded: Recording) -> None:
    wrong, ours = _failed(ValueError("odd")), _failed(KeyError("x"))
    for at in range(1_000):
        group = wrong.fingerprint._replace(exact=f"kind{at}")
        instruments().failed(replace(wrong, fingerprint=group), "tools/call", None)
    instruments().failed(ours, "tools/call", None)

    seen = {labels[names.FINGERPRINT] for labels, _ in recorded.counts(names.FINGERPRINTS.name)}
    assert len(seen) == 202
    assert ours.fingerprint.exact in seen


def test_a_number_of_the_authors_own_is_bounded_too(recorded: Recording) -> None:
    for code in range(1_000):
        instruments().served(0.1, Call("prompts/get", "greet"), rpc_error(code, "odd"), None)

    seen = {labels[names.STATUS_CODE] for labels, _ in recorded.counts(names.DURATION.name)}
    assert len(seen) == 51
    assert {labels[names.ERROR_TYPE] for labels, _ in recorded.counts(names.DURATION.name)} == seen


def test_a_measurement_leads_to_its_span(recorded: Recording) -> None:
    with trace.get_tracer("shop").start_as_current_span("request") as span:
        instruments().served(0.1, PRICE, SUCCESS, None)

    [point] = recorded.points(names.DURATION.name)
    assert [exemplar.trace_id for exemplar in point.exemplars] == [span.get_span_context().trace_id]


def test_a_label_holds_its_first_values_and_calls_the_rest_other() -> None:
    label = Bounded(2)

    assert [label(value) for value in "abcab"] == ["a", "b", names.OTHER, "a", "b"]


def test_what_is_measured_carries_only_the_labels_that_are_promised(recorded: Recording) -> None:
    failure = _failed(ValueError("postgresql://shop:hunter2@db.internal/x"))
    instruments().served(0.1, PRICE, tool_error("odd"), failure)
    instruments().served(0.1, Call("prompts/get", "greet"), rpc_error(-32603, "odd"), None)
    instruments().session(5, PRICE._replace(transport="http", protocol_version="2025-11-25"))
    instruments().dropped("traces")

    for metric in names.METRICS:
        for labels, _ in recorded.counts(metric.name):
            assert labels.keys() <= set(metric.attributes)
    [(session, _)] = recorded.counts(names.SESSIONS.name)
    assert session.keys() == set(names.SESSIONS.attributes)
