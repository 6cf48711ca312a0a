from __future__ import annotations

import re
import urllib.request
from pathlib import Path

from opentelemetry.sdk.metrics import Counter, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, PeriodicExportingMetricReader

from tests.deploy.components import package
from tests.deploy.stack import collecting, eventually


def test_what_is_sent_as_differences_adds_up_over_a_pause(tmp_path: Path) -> None:
    otlp = package("opentelemetry.exporter.otlp.proto.http.metric_exporter")
    with collecting(tmp_path) as (address, shown):
        exporter = otlp.OTLPMetricExporter(
            f"{address}/v1/metrics", preferred_temporality={Counter: AggregationTemporality.DELTA}
        )
        provider = MeterProvider([PeriodicExportingMetricReader(exporter, 3_600_000)])
        errors = provider.get_meter("shop").create_counter("mcp.server.errors")
        for count in (10, 0, 10):
            if count:
                errors.add(count)
            provider.force_flush()

        def seen() -> list[float]:
            with urllib.request.urlopen(shown, timeout=5) as answer:
                found = re.findall(r"^mcp_server_errors_total\S* (\S+)", answer.read().decode(), re.MULTILINE)
            return [float(value) for value in found]

        eventually(lambda: seen() == [20.0], "what was sent does not add up", within=15)
        provider.shutdown()
