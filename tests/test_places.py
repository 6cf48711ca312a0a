from __future__ import annotations

import pytest

from mcp_error_middleware.places import shown


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("http://anna:hunter2@127.0.0.1:8000/mcp?token=hunter2#hunter2", "http://127.0.0.1:8000/mcp"),
        ("HTTPS://hunter2@shop.example/mcp?tenant=7", "HTTPS://shop.example/mcp"),
        ("http://[::1]:8000/mcp?a=b", "http://[::1]:8000/mcp"),
        (
            "python -m shop --api-key=sk-live-4f9a8b7c6d5e4f3a2b1c password=hunter2",
            "python -m shop --api-key=… password=…",
        ),
        ("python -m shop --api-key hunter2 --port 8000", "python -m shop --api-key … --port 8000"),
        ("shop -p hunter2 -k 'hunter 2' --verbose", "shop -p … -k … --verbose"),
        ("shop -a=hunter2", "shop -a=…"),
        ("env API_TOKEN=hunter2 shop", "env API_TOKEN=… shop"),
        ("shop --header 'Authorization: Bearer hunter2abc'", "shop --header 'Authorization: Bearer …'"),
        (
            "shop --db 'postgres://anna:hunter2@db.internal/shop?x=1'",
            "shop --db 'postgres://db.internal/shop'",
        ),
    ],
)
def test_what_lets_one_in_is_not_part_of_the_place(word: str, name: str) -> None:
    assert shown(word) == name


@pytest.mark.parametrize(
    "word",
    [
        "http://10.0.0.3:8000/mcp",
        "https://mcp.shop.internal/@scope/sse",
        "/home/anna/shop/.venv/bin/python /srv/shop/server.py --root ./data",
        "npx -y @modelcontextprotocol/server-everything@2026.1.1 stdio",
        r"C:\Users\anna\shop.exe --verbose",
        "docker run -i -p 8000:8000 shop/server",
        "npx -p @shop/server shop -p 8000",
        "shop -a -p ./data",
        "shop.server:mcp",
        "MCPServer",
    ],
)
def test_where_a_server_is_stays_as_it_was_written(word: str) -> None:
    assert shown(word) == word
