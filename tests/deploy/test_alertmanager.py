"""Alert in, the one who is told out."""

import pytest

from tests.deploy.components import run


def test_amtool_finds_nothing_wrong() -> None:
    run("amtool", "check-config", "alertmanager.yml")


@pytest.mark.parametrize(
    ("labels", "receiver"),
    [
        (["severity=critical", "mcp_error_fault=server"], "pager"),
        (["severity=critical", "mcp_error_fault=upstream"], "pager"),
        (["severity=critical"], "pager"),
        (["severity=warning", "mcp_error_fault=server"], "tickets"),
        (["severity=info", "mcp_error_fault=server"], "notes"),
        (["severity=info", "mcp_error_fault=caller"], "notes"),
        # Whatever a rule somebody adds may call it.
        (["severity=critical", "mcp_error_fault=caller"], "notes"),
        (["severity=warning", "mcp_error_fault=caller"], "notes"),
        ([], "tickets"),
    ],
)
def test_an_alert_reaches(labels: list[str], receiver: str) -> None:
    told = run("amtool", "config", "routes", "test", "--config.file=alertmanager.yml", *labels)

    assert told.split() == [receiver]
