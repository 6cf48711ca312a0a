"""A module in, the contracts it declares out, however wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_error_middleware.lint import Settings, lint

HEAD = "from mcp_error_middleware import Contract, ErrorCode, Mode, raises\n\n"
WORDS = "when='It is gone.', recovery='Call list_orders and use one id.'"
ENTRY = "'when': 'It is gone.', 'recovery': 'Call list_orders and use one id.'"


@pytest.mark.parametrize(
    ("declared", "rules"),
    [
        (f"class E(Contract):\n    gone = Mode(ErrorCode.NOT_FOUND, {WORDS})", []),
        (f"class E(Contract):\n    gone = Mode('not_found', {WORDS})", []),
        (f"class E(Contract):\n    gone = Mode(-32001, {WORDS})", []),
        (f"class E(Contract):\n    gone = Mode(code=CODE, {WORDS})", []),
        ("class E(Contract):\n    gone = Mode(**settings)", []),
        (f"class E(Contract):\n    gone = Mode(ErrorCode.NOT_THERE, {WORDS})", ["unknown-code"]),
        (f"class E(Contract):\n    gone = Mode('nope', {WORDS})", ["unknown-code"]),
        (f"class E(Contract):\n    gone = Mode(1.5, {WORDS})", ["mode-without-code"]),
        (f"class E(Contract):\n    gone = Mode([], {WORDS})", ["mode-without-code"]),
        ("class E(Contract):\n    gone = ErrorCode.NOT_FOUND\n    _note = 1", ["empty-contract"]),
        ("class E(Contract):\n    gone = 'x'", ["not-a-mode"]),
        ("class E(Contract):\n    pass", ["empty-contract"]),
        ("class E(Elsewhere, Contract):\n    pass", []),
        ("E = Contract.of([])", ["empty-contract"]),
        ("E = Contract.of({})", ["empty-contract"]),
        ("E = Contract.of('x')", ["not-a-contract"]),
        ("E = Contract.of(load())", []),
        ("E = Contract.of([1])", ["not-a-mode"]),
        ("E = Contract.of([entry()])", []),
        (f"E = Contract.of({{'gone': {{'code': 'NotFound', {ENTRY}}}}})", []),
        (f"E = Contract.of({{'Gone': {{'code': 'NotFound', {ENTRY}}}}})", ["reason-not-snake-case"]),
        (f"E = Contract.of([{{'reason': 'gone', {ENTRY}}}])", ["mode-without-code"]),
        (f"E = Contract.of([{{'code': 'NotFound', {ENTRY}}}])", ["mode-without-reason"]),
        ("E = Contract.of([{'reason': 'gone', **common}])", []),
        (
            f"E = Contract.of([{{'reason': 'gone', 'code': 'NotFound', {ENTRY}}}] * 1)",
            [],
        ),
        (
            "E = Contract.of({'gone': {'code': -32099, 'when': ' ', 'recovery': 'Go.', 'retryable': 1}})",
            ["mode-without-when", "retryable-not-boolean", "unknown-error-mode", "vague-recovery"],
        ),
        ("@mcp.tool\n@raises(ValueError)\ndef f(): pass", ["not-a-contract"]),
        ("@mcp.tool\n@raises(Elsewhere)\ndef f(): pass", []),
    ],
)
def test_a_declaration_is_judged(declared: str, rules: list[str], tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text(f"{HEAD}{declared}\n", "utf-8")

    report = lint(path, settings=Settings(select=("contracts",)), root=tmp_path)

    assert sorted(each.rule for each in report.findings) == rules
