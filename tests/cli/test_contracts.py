from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from mcp_error_middleware.cli import main

SHOP = """
from mcp.server.mcpserver import MCPServer
from mcp_error_middleware import Contract, ErrorCode, Mode, raises

class ShipErrors(Contract):
    no_stock = Mode(ErrorCode.{code}, when="Too few boxes.", recovery="Call stock_of first and ask for less.")

server = MCPServer("shop")

@server.tool()
@raises(ShipErrors)
def ship(order: str) -> str:
    return order
"""

LOG = [
    {
        "event": "mcp.failure",
        "target": "ship",
        "code": "Forbidden",
        "reason": "embargo",
        "message": "Not there.",
    },
    {"event": "mcp.failure", "target": "ship", "code": "InternalError", "message": "An internal error."},
]


@pytest.fixture
def shop(tmp_path: Path) -> str:
    (tmp_path / "contracts_shop.py").write_text(SHOP.format(code="CONFLICT"))
    (tmp_path / "failures.jsonl").write_bytes(b"\n".join(map(orjson.dumps, LOG)))
    return f"{tmp_path}/contracts_shop.py:server"


def test_a_snapshot_holds_until_a_promise_changes(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = f"{tmp_path}/contracts.json"
    assert main(["contracts", "snapshot", shop, "--file", file]) == 0
    assert main(["contracts", "check", shop, "--file", file]) == 0
    (tmp_path / "contracts_shop.py").write_text(SHOP.format(code="NOT_FOUND"))
    capsys.readouterr()
    assert main(["contracts", "check", shop, "--file", file]) == 1
    assert "ship: no_stock has another code: Conflict became NotFound" in capsys.readouterr().out


def test_declared_modes_are_shown(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contracts", "show", shop]) == 0
    assert capsys.readouterr().out == "ship\n  no_stock (Conflict): Too few boxes.\n"


def test_the_way_to_mean_it_names_the_same_file(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "promises.json"
    file.write_text("{}")

    assert main(["contracts", "check", shop, "--file", f"{file}"]) == 1
    assert capsys.readouterr().out == (
        "ship: no_stock is new\n"
        f"if that is meant, run: mcp-error-middleware contracts snapshot {shop} --file {file}\n"
    )


def test_contracts_passed_from_outside_are_shown_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = SHOP.replace("@raises(ShipErrors)\n", "").format(code="CONFLICT")
    source += """
from mcp_error_middleware import ErrorPolicy, install
install(server, ErrorPolicy(contracts={"ship": ShipErrors}))
"""
    (tmp_path / "outside_shop.py").write_text(source)

    assert main(["contracts", "show", f"{tmp_path}/outside_shop.py:server"]) == 0
    assert capsys.readouterr().out == "ship\n  no_stock (Conflict): Too few boxes.\n"


@pytest.mark.parametrize("kept", ["[]", '{"ship": 3}', '{"ship": [1]}', '{"ship": [{"code": "Conflict"}]}'])
def test_a_file_of_another_form_is_no_snapshot(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], kept: str
) -> None:
    (tmp_path / "kept.json").write_text(kept)

    assert main(["contracts", "check", shop, "--file", f"{tmp_path}/kept.json"]) == 2
    assert "is no snapshot; write it again with contracts snapshot" in capsys.readouterr().err


def test_a_server_without_promises_and_a_log_without_failures_are_pointed_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bare_shop.py").write_text(SHOP.replace("@raises(ShipErrors)\n", "").format(code="CONFLICT"))
    (tmp_path / "other.jsonl").write_text('{"event": "started"}\n')
    bare = f"{tmp_path}/bare_shop.py:server"

    assert main(["contracts", "show", bare]) == 0
    assert main(["contracts", "suggest", "--log", f"{tmp_path}/other.jsonl"]) == 0
    assert capsys.readouterr().err == (
        f"no tool of {bare} declares how it can fail\n"
        f"{tmp_path}/other.jsonl has no failures of tools or prompts in it\n"
    )


def test_drift_names_what_is_undeclared_and_what_was_never_seen(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["contracts", "drift", shop, "--log", f"{tmp_path}/failures.jsonl"]) == 1
    assert capsys.readouterr().out == (
        "seen, but undeclared:\n  ship: embargo (Forbidden), once\n"
        "declared, but never seen:\n  ship: no_stock (Conflict)\n"
    )


def test_a_contract_is_drafted_from_a_log(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["contracts", "suggest", shop, "--log", f"{tmp_path}/failures.jsonl"]) == 0
    drafted = capsys.readouterr().out
    assert drafted.startswith("class ShipErrors(Contract):")
    assert "ErrorCode.FORBIDDEN" in drafted


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["check"], "name the server: mcp-error-middleware contracts check module:object"),
        (["drift", "{shop}"], "name the log: --log failures.jsonl"),
        (
            ["check", "{shop}", "--file", "nowhere.json"],
            "there is no nowhere.json; write it with contracts snapshot",
        ),
        (["check", "{shop}", "--file", "{log}"], "is no snapshot; write it again with contracts snapshot"),
        (["check", "{shop}", "--file", "."], ". cannot be read: Is a directory"),
        (["show", "json"], "json names no object; add the server's name, as in json:server"),
        (["show", "json:dumps"], "cannot install on function"),
        (["suggest", "--log", "nowhere.jsonl"], "nowhere.jsonl cannot be read: No such file or directory"),
    ],
)
def test_bad_input_is_one_sentence(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    given = [word.format(shop=shop, log=f"{tmp_path}/failures.jsonl") for word in words]
    assert main(["contracts", *given]) == 2
    assert sentence in capsys.readouterr().err
