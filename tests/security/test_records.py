"""What a failure leaves behind: log lines, spans, log records, the desk, an explanation. No secret in any."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from functools import partial
from typing import Any

import orjson
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError

from mcp_error_middleware import Call, ErrorPolicy, install
from mcp_error_middleware.cli import main
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.sanitize import Pattern
from mcp_error_middleware.telemetry import names, observed
from mcp_error_middleware.telemetry.operation import operation
from tests.telemetry.recording import recording


class Refused(Exception):
    """A client's, with the answer of its upstream."""

    def __init__(self, code: str) -> None:
        super().__init__("refused")
        self.body = {"error": {"code": code}}


@pytest.mark.parametrize(
    ("exc", "secret"),
    [
        (Exception("connection to postgres://anna:hunter2Zq9@db.internal:5432 failed"), "hunter2zq9"),
        (Exception("cannot ship 4111 1111 1111 1111 from its current state"), "4111 1111"),
        (Refused("invalid_api_key password:hunter2Zq9"), "hunter2zq9"),
    ],
    ids=["a place", "a card", "an upstream's code"],
)
def test_what_decided_a_code_repeats_no_secret(
    exc: Exception, secret: str, capfd: pytest.CaptureFixture[str]
) -> None:
    desk, call = Desk(), Call(target="ship")
    with recording() as recorded:
        with operation(ErrorPolicy(), lambda: call):
            failure = observed(ErrorPolicy(console=False))(exc, call)
        spans, records = recorded.spans, recorded.records.get_finished_logs()
    desk.flush()

    assert failure.evidence is not None
    decided = f"{failure.evidence.source}: {failure.evidence.detail}"
    shown = desk.store.failure(failure.error_id)
    assert decided.startswith(("pattern: ", "provider: "))
    assert shown is not None
    assert (spans[0].attributes or {})[names.EVIDENCE] == decided
    assert (records[0].log_record.attributes or {})["evidence"] == decided
    assert shown["evidence"] == orjson.loads(capfd.readouterr().err)["evidence"] == decided
    assert secret not in decided.lower()
    assert secret not in "".join((spans[0].to_json(), records[0].to_json(), str(shown))).lower()


def test_an_explanation_repeats_no_secret_of_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "connection to postgres://anna:hunter2Zq9@db.internal:5432 failed"])

    shown = capsys.readouterr().out
    assert "pattern: connection to … failed" in shown
    assert "hunter2" not in shown.lower()


STAFF = Pattern("staff", re.compile(r"\bE-\d{4}\b"), ("e-",), "E-1234", "E-12")


@pytest.mark.parametrize(
    ("method", "asked"),
    [
        ("tools/call", "password=hunter2Zq9x"),
        ("prompts/get", "password=hunter2Zq9x"),
        ("tools/call", "desk of E-1234"),
        ("prompts/get", "desk of E-1234"),
        ("resources/read", "staff://E-1234"),
    ],
    ids=["tool", "prompt", "tool of ours", "prompt of ours", "resource of ours"],
)
def test_what_a_client_asks_for_is_scrubbed_by_the_policy_wherever_it_is_named(
    method: str, asked: str, capfd: pytest.CaptureFixture[str]
) -> None:
    server = MCPServer("office")

    @server.resource("staff://{number}")
    def member(number: str) -> str:
        raise ValueError(f"nobody has {number}")

    install(server, ErrorPolicy(console=False, extra_patterns=(STAFF,)))
    desk = Desk()

    async def ask() -> None:
        async with Client(server) as client:
            ways: dict[str, Any] = {"tools/call": client.call_tool, "prompts/get": client.get_prompt}
            with pytest.raises(MCPError):
                await ways.get(method, client.read_resource)(asked)

    with recording() as recorded:
        asyncio.run(ask())
        [span] = recorded.served(method)
        left = recorded.everything()
    desk.flush()

    line = orjson.loads(capfd.readouterr().err)
    kept = str([desk.store.failure(line["error_id"]), desk.store.targets()])
    for told in (span.name, span.to_json(), left, str(line), kept):
        assert "hunter2Zq9x" not in told
        assert "E-1234" not in told
    assert "[redacted:" in line["target"]


def test_what_a_client_calls_a_method_and_its_version_is_scrubbed_wherever_it_is_named(
    capfd: pytest.CaptureFixture[str],
) -> None:
    call = Call("shop/password=hunter2Zq9x\n\u202eevil", protocol_version="password=hunter2Zq9x")
    policy = ErrorPolicy(console=False)
    with recording() as recorded:
        with operation(policy, lambda: call):
            observed(policy)(KeyError("stock"), call)
        [span], left = recorded.spans, recorded.everything()

    line = orjson.loads(capfd.readouterr().err)
    assert line["method"] == span.name == (span.attributes or {})[names.METHOD]
    assert line["method"].isprintable()
    assert "hunter2Zq9x" not in left + str(line)


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


def test_a_session_whose_id_is_a_token_is_told_from_others_without_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    policy, desk = ErrorPolicy(console=False), Desk()
    ids = [JWT, JWT, f"{JWT}2", "3f9c2a7e1b40"]
    with recording() as recorded:
        for session_id in ids:
            call = partial(Call, target="price", session_id=session_id)
            with operation(policy, call):
                observed(policy)(KeyError("stock"), call())
        spans, left = recorded.spans, recorded.everything()
    desk.flush()

    lines = [orjson.loads(line) for line in capfd.readouterr().err.splitlines()]
    shown = [line["session_id"] for line in lines]
    assert shown == [(span.attributes or {})[names.SESSION] for span in spans]
    assert (shown[0] == shown[1], len(set(shown)), shown[3]) == (True, 3, ids[3])
    assert JWT not in left + str(lines) + str(desk.store.group(lines[0]["fingerprint"]))


def test_a_name_the_server_registered_stays_as_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    server, name = MCPServer("office"), "lookup_E-1234"

    @server.tool(name=name)
    def lookup(fail: bool) -> str:
        if fail:
            raise ValueError("nobody there")
        return "there"

    install(
        server, ErrorPolicy(console=False, extra_patterns=(replace(STAFF, regex=re.compile(r"E-\d{4}")),))
    )

    async def ask() -> None:
        async with Client(server) as client:
            for fail in (False, True):
                await client.call_tool(name, {"fail": fail})

    with recording() as recorded:
        asyncio.run(ask())
        served = recorded.served("tools/call")

    assert orjson.loads(capfd.readouterr().err)["target"] == name
    assert [span.name for span in served] == [f"tools/call {name}"] * 2
    assert [(span.attributes or {})[names.TOOL] for span in served] == [name] * 2


@pytest.mark.parametrize("given", ["request_id", "session_id", "correlation_id"])
def test_an_id_that_may_be_a_token_tells_a_call_from_others_and_no_more(
    given: str, capfd: pytest.CaptureFixture[str]
) -> None:
    token, policy = "sk-live-4eC39HqLyjWDarjtT1zdp7dc", ErrorPolicy(console=False)
    ids: dict[str, Any] = {given: token}
    desk, call = Desk(), Call(target="ship", **ids)
    with recording() as recorded:
        with operation(policy, lambda: call):
            failure = observed(policy)(KeyError("x"), call)
        said = recorded.everything()
    desk.flush()

    line = capfd.readouterr().err
    shown = desk.store.failure(failure.error_id)
    assert shown is not None
    assert re.fullmatch(rf"{given.removesuffix('_id')}-[0-9a-f]{{16}}", shown[given])
    assert shown[given] == orjson.loads(line)[given]
    assert shown[given] in said
    assert token not in said + line + str(shown)


def test_an_id_with_half_a_character_in_it_costs_no_batch_of_spans() -> None:
    call = Call(target="ship", request_id="a\ud800b")
    with recording() as recorded:
        with operation(ErrorPolicy(log=False), lambda: call):
            pass
        [span] = recorded.spans

    assert str((span.attributes or {})[names.REQUEST_ID]).encode()
