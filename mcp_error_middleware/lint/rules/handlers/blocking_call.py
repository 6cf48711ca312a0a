"""Do not block the event loop.

While an async handler waits in a blocking call, no other request is answered, no ping, no cancellation. Use
the async way, or hand it to a thread: `await asyncio.to_thread(...)`.

Bad:

    import time
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def wait() -> str:
        time.sleep(5)
        return "done"

Bad, in a function that it calls:

    import requests
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    def fetch(order: str) -> str:
        return requests.get(f"https://prices.example.com/{order}", timeout=5).text

    @mcp.tool
    async def price(order: str) -> str:
        return fetch(order)

Bad, a client that has an async twin:

    import sqlite3
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> int:
        with sqlite3.connect("shop.db") as db:
            return db.execute("select price from orders where id = ?", (order,)).fetchone()[0]

Good:

    import asyncio
    import requests
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    def fetch(order: str) -> str:
        return requests.get(f"https://prices.example.com/{order}", timeout=5).text

    @mcp.tool
    async def price(order: str) -> str:
        await asyncio.sleep(1)
        return await asyncio.to_thread(fetch, order)

Good, the async twin:

    import aiosqlite
    from fastmcp import FastMCP

    mcp = FastMCP("shop")

    @mcp.tool
    async def price(order: str) -> int:
        async with aiosqlite.connect("shop.db") as db:
            rows = await db.execute("select price from orders where id = ?", (order,))
            return (await rows.fetchone())[0]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mcp_error_middleware.lint.model import Problem, Severity, rule
from mcp_error_middleware.lint.python.handler import Handler

_THREAD: Final = "await asyncio.to_thread(...)"
_DATABASES: Final[Mapping[str, str]] = {
    "MySQLdb": "aiomysql",
    "cx_Oracle": "oracledb.connect_async",
    "duckdb": "",
    "mariadb": "aiomysql",
    "mysql.connector": "mysql.connector.aio",
    "oracledb": "oracledb.connect_async",
    "psycopg": "psycopg.AsyncConnection",
    "psycopg2": "psycopg.AsyncConnection",
    "psycopg_pool": "psycopg_pool.AsyncConnectionPool",
    "pymssql": "",
    "pymysql": "aiomysql",
    "pyodbc": "aioodbc",
    "redshift_connector": "",
    "snowflake.connector": "",
    "sqlite3": "aiosqlite",
}
"""Modules that keep to PEP 249, and their async twins."""
_ANY_ASYNC: Final = "an async client such as httpx.AsyncClient"
_WEB: Final[Mapping[str, Sequence[str]]] = {
    "cloudscraper": (_ANY_ASYNC, "create_scraper"),
    "curl_cffi.requests": ("curl_cffi.requests.AsyncSession", "Session"),
    "httplib2": (_ANY_ASYNC, "Http"),
    "httpx": ("httpx.AsyncClient", "Client"),
    "niquests": ("niquests.AsyncSession", "Session", "session"),
    "requests": (_ANY_ASYNC, "Session", "session"),
    "urllib3": (_ANY_ASYNC, "PoolManager", "HTTPConnectionPool", "HTTPSConnectionPool"),
}
"""Modules that ask over HTTP, what to use in their place, and what they make clients by."""
_HTTP: Final = frozenset("get post put patch delete head options request send stream urlopen".split())
_SQL: Final = frozenset("execute executemany executescript callproc commit".split())
_ORM: Final = _SQL | frozenset(
    "exec scalar scalars flush refresh get all first one one_or_none count".split()
)
_MONGO: Final = frozenset(
    """
    aggregate bulk_write command count_documents create_index delete_many delete_one distinct
    estimated_document_count find find_one find_one_and_delete find_one_and_replace find_one_and_update
    insert_many insert_one list_collection_names list_database_names replace_one server_info update_many
    update_one
    """.split()
)
_SEARCH: Final = frozenset(
    "bulk count create delete exists get index info msearch ping scroll search update".split()
)
_MODELS: Final = frozenset("create delete generate list parse retrieve stream update".split())
_MAKING: Final = frozenset(
    """
    client close copy from_uri from_url ft generate_presigned_url get_paginator get_waiter json lock pipeline
    pubsub register_script resource ts
    """.split()
)
"""Methods that only make something else of the client."""


class Client(NamedTuple):
    """A library whose objects wait, and what to use in its place."""

    instead: str
    waits: frozenset[str] = frozenset()
    """The methods that wait; none named: all but those that only make something."""
    direct: bool = False
    """Whether only its own methods count, not those of what hangs from it: `session.headers.get`."""

    def is_waited_for(self, between: Sequence[str], method: str) -> bool:
        """Whether this method waits, of what one comes to between the library and it."""
        if self.waits:
            return method in self.waits and self.waits.isdisjoint(between) and not (self.direct and between)
        return not _makes(method) and all(map(_makes, between))


def _makes(method: str) -> bool:
    return method in _MAKING or method[:1].isupper()


def _or_thread(instead: str) -> str:
    return f"{instead}, or {_THREAD}" if instead else _THREAD


_CLIENTS: Final[Mapping[str, Client]] = {
    **{module: Client(_or_thread(instead), _SQL) for module, instead in _DATABASES.items()},
    **{
        made: Client(_or_thread("create_async_engine with AsyncSession"), _ORM)
        for made in (
            "sqlalchemy.create_engine",
            "sqlalchemy.orm.Session",
            "sqlalchemy.orm.scoped_session",
            "sqlalchemy.orm.sessionmaker",
            "sqlmodel.Session",
            "sqlmodel.create_engine",
        )
    },
    "pymongo": Client(_or_thread("pymongo.AsyncMongoClient"), _MONGO),
    **{
        made: Client(_or_thread("redis.asyncio.Redis"))
        for made in (
            "redis.Redis",
            "redis.RedisCluster",
            "redis.StrictRedis",
            "redis.client.Redis",
            "redis.from_url",
        )
    },
    **{made: Client(_or_thread("aioboto3")) for made in ("boto3.client", "boto3.resource", "boto3.Session")},
    **{
        f"{module}.{made}": Client(instead, _HTTP, direct=True)
        for module, (instead, *makers) in _WEB.items()
        for made in makers
    },
    **{
        f"http.client.{made}": Client(_ANY_ASYNC, frozenset({"request", "getresponse", "connect"}))
        for made in ("HTTPConnection", "HTTPSConnection")
    },
    **{
        f"smtplib.{made}": Client(
            _or_thread("aiosmtplib"), frozenset({"connect", "login", "send_message", "sendmail", "starttls"})
        )
        for made in ("SMTP", "SMTP_SSL")
    },
    "paramiko.SSHClient": Client(_or_thread("asyncssh"), frozenset({"connect", "exec_command"})),
    "neo4j.GraphDatabase": Client(
        "neo4j.AsyncGraphDatabase", frozenset({"execute_query", "execute_read", "execute_write", "run"})
    ),
    "elasticsearch.Elasticsearch": Client("elasticsearch.AsyncElasticsearch", _SEARCH),
    "opensearchpy.OpenSearch": Client("opensearchpy.AsyncOpenSearch", _SEARCH),
    "openai.OpenAI": Client("openai.AsyncOpenAI", _MODELS),
    "openai.AzureOpenAI": Client("openai.AsyncAzureOpenAI", _MODELS),
    "anthropic.Anthropic": Client("anthropic.AsyncAnthropic", _MODELS),
}
"""Libraries, and what they make clients by."""

_BLOCKING: Final[Mapping[str, str]] = {
    "time.sleep": "await asyncio.sleep(...)",
    "os.system": "await asyncio.create_subprocess_shell(...)",
    **{
        f"subprocess.{name}": "await asyncio.create_subprocess_exec(...)"
        for name in ("run", "call", "check_call", "check_output", "getoutput", "getstatusoutput")
    },
    "urllib.request.urlopen": "await asyncio.to_thread(...) or an async client",
    **{f"{module}.{verb}": instead for module, (instead, *_) in _WEB.items() for verb in _HTTP},
    **{f"{module}.connect": _CLIENTS[module].instead for module in _DATABASES},
    "socket.create_connection": "await asyncio.open_connection(...)",
    "builtins.input": "elicitation: await ctx.elicit(...)",
}
"""Functions that wait."""


@rule(Severity.WARNING)
def check(handler: Handler) -> Iterator[Problem]:
    if not handler.on_loop:
        return
    awaited = {node.value for node in handler.nodes(ast.Await)}
    told: set[str] = set()
    for call in handler.nodes(ast.Call):
        if call not in awaited and (found := _blocking(call, handler)) is not None:
            if found.library not in told:
                yield handler.problem(call, f"{found.shown} blocks the event loop; use {found.instead}.")
            # Whoever moves one query off the loop moves them all.
            told |= {found.library} - {""}


class _Call(NamedTuple):
    shown: str
    instead: str
    library: str = ""
    """Where one finding in a function is enough for all its calls."""


def _blocking(call: ast.Call, handler: Handler) -> _Call | None:
    path = handler.path(call.func)
    if (instead := _BLOCKING.get(path)) is not None:
        module = path.removesuffix(".connect")
        return _Call(path.removeprefix("builtins."), instead, module if module in _DATABASES else "")
    if not isinstance(call.func, ast.Attribute):
        return None
    owner = handler.project.origin_of(call.func.value, handler.function)
    return _of_client(f"{owner}.{call.func.attr}") if owner else None


def _of_client(path: str) -> _Call | None:
    steps = path.split(".")
    if any("async" in step.lower() or step == "aio" for step in steps):
        return None
    for length in range(len(steps) - 1, 0, -1):
        if (client := _CLIENTS.get(made := ".".join(steps[:length]))) is not None:
            if not client.is_waited_for(steps[length:-1], steps[-1]):
                return None
            return _Call(path, client.instead, "" if client.direct else made)
    return None
