"""The official conformance suite cannot tell a server with the middleware from one without."""

from __future__ import annotations

import pytest

from tests.interop.conformance import Check, Judge
from tests.interop.meetings import LEGACY, MODERN

pytestmark = pytest.mark.timeout(300)

every_server = pytest.mark.parametrize("kind", ["mcpserver", "fastmcp4"])
every_version = pytest.mark.parametrize("version", [LEGACY, MODERN])

LACKING = {
    # FastMCP serves no subscriptions to clients of the older era.
    ("fastmcp4", LEGACY): {"resources-subscribe", "resources-unsubscribe"},
}


@every_version
@every_server
def test_the_suite_sees_no_difference(kind: str, version: str, judge: Judge) -> None:
    assert judge(kind, "installed", version) == judge(kind, "bare", version)


@every_version
@every_server
def test_what_the_suite_misses_is_what_the_sdk_lacks(kind: str, version: str, judge: Judge) -> None:
    checks = judge(kind, "installed", version)

    assert len(checks) > 80
    assert faulted(checks) == LACKING.get((kind, version), set())


def test_the_suite_sees_errors_in_the_wrong_channel(judge: Judge) -> None:
    faults = faulted(judge("fastmcp4", "theirs", MODERN))

    assert faults == {"sep-2164-resource-not-found", "tools-call-error"}


def faulted(checks: list[Check]) -> set[str]:
    return {scenario for scenario, _, status in checks if status in {"FAILURE", "WARNING"}}
