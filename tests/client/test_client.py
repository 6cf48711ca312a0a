import subprocess
import sys

from mcp_error_middleware import client


def test_the_names_are_there_and_sorted() -> None:
    assert client.__all__ == sorted(client.__all__)
    assert [name for name in client.__all__ if not hasattr(client, name)] == []


def test_importing_it_imports_no_stack() -> None:
    code = (
        "import sys, mcp_error_middleware.client\n"
        "stacks = {'mcp', 'mcp_types', 'fastmcp', 'starlette', 'pydantic', 'httpx', 'httpx2'}\n"
        "print(sorted(stacks & sys.modules.keys()))"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"
