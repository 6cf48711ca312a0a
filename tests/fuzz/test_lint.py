from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.lint import Report, Settings, lint
from tests.fuzz.effort import effort
from tests.strategies import json_values

LINES = st.sampled_from(
    """\
from mcp.server.mcpserver import MCPServer
server = MCPServer('shop')
@server.tool()
def ship(order: str) -> str:
async def ship(order):
    try:
        raise Exception(order)
    except Exception as exc:
        return f'error: {exc}'
    except:
        pass
class E(Contract):
    gone = Mode(ErrorCode.NOT_FOUND, when='x', recovery='')
raise E.gone.fail('x')
    raise McpError(-32002, 'x') from None
install(server)
    '''
match x:
    case _: ...
\x00
""".splitlines()
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("linted")


@effort(25)
@given(st.lists(LINES, max_size=20).map("\n".join) | st.text(max_size=200))
def test_any_source_is_linted_or_called_unreadable(folder: Path, source: str) -> None:
    path = folder / "server.py"
    path.write_bytes(source.encode("utf-8", "surrogatepass"))
    assert isinstance(lint(str(path), settings=Settings(), root=folder), Report)


@effort(25)
@given(
    st.dictionaries(st.sampled_from(["tools", "resources", "prompts", "name", "version"]), json_values)
    | st.lists(st.dictionaries(st.sampled_from(["name", "inputSchema", "errors"]), json_values)).map(
        lambda tools: {"tools": tools}
    )
)
def test_any_manifest_is_linted_or_called_unreadable(folder: Path, manifest: object) -> None:
    path = folder / "server.json"
    path.write_bytes(orjson.dumps(manifest))
    assert isinstance(lint(str(path), settings=Settings(), root=folder), Report)
