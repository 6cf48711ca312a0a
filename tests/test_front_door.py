import subprocess
import sys

import mcp_error_middleware
from mcp_error_middleware.taxonomy import ErrorCode

PROMISED = {
    "ErrorCode",
    "ErrorPolicy",
    "McpError",
    "classify",
    "explain",
    "install",
    "sanitize_data",
    "sanitize_text",
    "uninstall",
    *(code.label for code in ErrorCode),
}


def test_the_promised_names_are_there_and_the_list_is_sorted() -> None:
    assert set(mcp_error_middleware.__all__) >= PROMISED
    assert mcp_error_middleware.__all__ == sorted(mcp_error_middleware.__all__)
    assert [name for name in mcp_error_middleware.__all__ if not hasattr(mcp_error_middleware, name)] == []


def test_importing_it_imports_no_stack() -> None:
    code = (
        "import sys, mcp_error_middleware\n"
        "stacks = {'mcp', 'mcp_types', 'fastmcp', 'starlette', 'pydantic', 'opentelemetry'}\n"
        "print(sorted(stacks & sys.modules.keys()))"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"
