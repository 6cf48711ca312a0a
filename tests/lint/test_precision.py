"""What each rule on bodies finds beyond its page, and what looks like it but is right."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from mcp_error_middleware.lint import Settings, lint

HEAD = """
import asyncio, json, os, subprocess, sys, time, traceback
import httpx
import requests
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from mcp.shared.exceptions import McpError
from mcp.types import CallToolResult, ErrorData, TextContent

mcp = FastMCP("shop")

class OwnError(Exception): pass

"""


def found(rule: str, body: str, folder: Path, head: str = "@mcp.tool\nasync def tool(x):\n") -> bool:
    path = folder / "shop.py"
    path.write_text(HEAD + head + textwrap.indent(body, "    ") + "\n", "utf-8")
    return not lint(path, settings=Settings(select=(rule,)), root=folder).passed


CASES = [
    # An error that is caught in the same function says nothing to anybody.
    ("plain-exception", "raise RuntimeError", True),
    ("plain-exception", "raise ValueError('no')", False),
    ("plain-exception", "raise OwnError('no')", False),
    ("plain-exception", "try:\n    raise Exception('no')\nexcept Exception:\n    pass", False),
    ("plain-exception", "raise RuntimeError('this should never happen')", False),
    ("plain-exception", "if not x:\n    # should not happen\n    raise RuntimeError('no buckets')", False),
    ("plain-exception", "if not x:\n    # tell the caller\n    raise RuntimeError('no buckets')", True),
    ("lost-cause", "try: f()\nexcept KeyError as e: raise ToolError('no')", True),
    ("lost-cause", "try: f()\nexcept KeyError as e: raise ToolError('no') from None", False),
    ("lost-cause", "try: f()\nexcept KeyError as e: raise", False),
    ("lost-cause", "try: f()\nexcept KeyError as e: raise e", False),
    ("lost-cause", "try: f()\nfinally: raise ToolError('no')", False),
    ("lost-cause", "raise ToolError('no')", False),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError(e)", True),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError('no: ' + str(e))", True),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError('no: %s' % e)", True),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError('no: {}'.format(e))", True),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError(json.dumps(e.args))", True),
    (
        "stringified-error",
        "try: f()\nexcept Exception as e: raise McpError(ErrorData(code=-32603, message=f'no: {e}'))",
        True,
    ),
    ("stringified-error", "try: f()\nexcept ValueError as e: raise ToolError(str(e))", False),
    ("stringified-error", "try: f()\nexcept OwnError as e: raise ToolError(str(e))", False),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError(type(e).__name__)", False),
    ("stringified-error", "try: f()\nexcept Exception as e: raise ToolError(f'{clean(e)}')", False),
    ("stringified-error", "try: f()\nexcept Exception as e: raise mapped(e)", False),
    (
        "stringified-error",
        "try: f()\nexcept Exception as e: raise ToolError(f'{e.response.status_code}')",
        False,
    ),
    (
        "stringified-error",
        "try: f()\nexcept Exception as e:\n    text = f'no: {e}'\n    log(text)\n    raise ToolError(text)",
        True,
    ),
    (
        "stringified-error",
        "try: f()\nexcept Exception as e:\n    text = f'no: {e}'\n    text = 'no'\n    raise ToolError(text)",
        False,
    ),
    (
        "stringified-error",
        "text = 'no'\ntry: f()\nexcept Exception as e:\n    if x: text = str(e)\n    raise ToolError(text)",
        False,
    ),
    (
        "stringified-error",
        "try: f()\nexcept Exception as e:\n"
        "    return CallToolResult(content=[TextContent(type='text', text=f'no: {e}')], isError=True)",
        True,
    ),
    (
        "stringified-error",
        "try: f()\nexcept Exception as e:\n    log(e)\n"
        "    return CallToolResult(content=[TextContent(type='text', text=f'no: {x}')], isError=True)",
        False,
    ),
    (
        "returned-error",
        "try: y = f()\nexcept Exception as e: y = {'error': str(e)}\nreturn json.dumps(y)",
        True,
    ),
    ("returned-error", "try: y = f()\nexcept Exception as e: y = {'error': str(e)}\nreturn [g(y), x]", False),
    (
        "returned-error",
        "y = []\nfor each in x:\n    try: y.append(f(each))\n"
        "    except Exception as e: z = {'error': str(e)}\nreturn y",
        False,
    ),
    ("returned-error", "return {'error': 'no'}", True),
    ("returned-error", "text = f'Error: {x}'\nlog(text)\nreturn text", True),
    ("returned-error", "text = 'Error: nothing ran'\nif x: text = 'done'\nreturn text", False),
    (
        "returned-error",
        "text = 'Error: nothing ran'\ntry: text = await f()\nfinally: g()\nreturn text",
        False,
    ),
    ("returned-error", "answer = {'error': 'no'}\nanswer.update(x)\nreturn answer", False),
    ("returned-error", "return {'success': False, 'error': 'no', 'code': 3}", True),
    ("returned-error", "return {'isError': True, 'content': []}", True),
    ("returned-error", "return json.dumps({'error': f'no {x}'})", True),
    ("returned-error", "return [TextContent(type='text', text=f'Error: {x}')]", True),
    ("returned-error", "return 'Failed to ship'", True),
    ("returned-error", "try: f()\nexcept OSError as e: return str(e)", True),
    ("returned-error", "return {'error': None, 'result': 1}", False),
    ("returned-error", "return {'error': x, 'result': 1}", False),
    ("returned-error", "return {'rows': 1, 'error': 'too many rows were cut'}", False),
    ("returned-error", "return {'errors': []}", False),
    ("returned-error", "return 'Error budget of the month'", False),
    ("returned-error", "return 'No error'", False),
    ("returned-error", "raise ToolError('no')", False),
    ("returned-error", "return CallToolResult(content=[TextContent(type='text', text='Error: x')])", True),
    (
        "returned-error",
        "return CallToolResult(content=[TextContent(type='text', text='Error: x')], isError=True)",
        False,
    ),
    ("swallowed-cancellation", "try: await f()\nexcept BaseException: pass", True),
    ("swallowed-cancellation", "try: await f()\nexcept: return 1", True),
    ("swallowed-cancellation", "try: await f()\nexcept Exception: pass", False),
    ("swallowed-cancellation", "try: f()\nexcept BaseException: pass", False),
    ("swallowed-cancellation", "try: await f()\nexcept asyncio.CancelledError: raise\nexcept: pass", False),
    # The cancellation comes again behind the tidying up.
    (
        "swallowed-cancellation",
        "try: await f()\nexcept asyncio.CancelledError:\n    try: await g()\n"
        "    except asyncio.CancelledError: pass\n    raise",
        False,
    ),
    ("blind-except", "try: return await f()\nexcept Exception: return None", True),
    ("blind-except", "try: update_stats(x)\nexcept Exception: pass\nreturn await f()", False),
    (
        "blind-except",
        "for each in x:\n    if each:\n        try: f(each)\n        except Exception: pass",
        False,
    ),
    ("blind-except", "try: return await f()\nexcept: return {}", True),
    ("blind-except", "try: return await f()\nexcept KeyError: return None", False),
    ("blind-except", "try: f.close()\nexcept Exception: pass", False),
    ("blind-except", "try: return await f()\nexcept Exception as e:\n    log.error(e)\n    return []", True),
    ("blind-except", "try: await f()\nexcept Exception: pass\nreturn 'done'", True),
    ("blind-except", "try: y = f()\nexcept Exception: pass\nreturn y or g()", False),
    ("blind-except", "for each in x:\n    try: f(each)\n    except Exception: continue", False),
    ("blind-except", "try: return await f()\nexcept Exception: mend()\nreturn None", False),
    ("blocking-call", "requests.get('x')", True),
    ("blocking-call", "with requests.Session() as s:\n    s.get('x')", True),
    ("blocking-call", "subprocess.run(['x'])", True),
    ("blocking-call", "httpx.get('x')", True),
    ("blocking-call", "await asyncio.to_thread(requests.get, 'x')", False),
    ("blocking-call", "await asyncio.to_thread(lambda: requests.get('x'))", False),
    ("blocking-call", "async with httpx.AsyncClient() as c:\n    await c.get('x')", False),
    ("blocking-call", "await asyncio.sleep(1)", False),
    ("printed-output", "sys.stdout.write('x')", True),
    ("printed-output", "sys.stderr.write('x')", False),
    ("leaked-traceback", "try: f()\nexcept Exception: raise ToolError(traceback.format_exc())", True),
    (
        "leaked-traceback",
        "try: f()\nexcept Exception:\n    t = traceback.format_exc()\n    return {'t': t}",
        True,
    ),
    ("leaked-traceback", "try: f()\nexcept Exception: log(traceback.format_exc())", False),
    ("leaked-environment", "return json.dumps(dict(os.environ))", True),
    ("leaked-environment", "return f\"{os.getenv('API_KEY')}\"", True),
    ("leaked-environment", "return os.environ['HOME']", False),
    ("leaked-environment", "return call(os.environ['API_KEY'])", False),
    ("leaked-environment", "return 'set' if os.environ['API_KEY'] else 'unset'", False),
    ("process-exit", "sys.exit(1)", True),
    ("process-exit", "try: sys.exit(1)\nexcept SystemExit: pass", False),
    ("legacy-wire-code", "raise McpError(ErrorData(code=-32001, message='no'))", True),
    ("legacy-wire-code", "raise McpError(ErrorData(code=-32602, message='no'))", False),
    ("forbidden-wire-code", "raise McpError(ErrorData(code=-32002, message='no'))", True),
    ("forbidden-wire-code", "raise McpError(ErrorData(code=-32021, message='no'))", False),
    ("forbidden-wire-code", "raise McpError(ErrorData(code=1002, message='no'))", False),
]


@pytest.mark.parametrize(("rule", "body", "bad"), CASES)
def test_a_body_is_judged(rule: str, body: str, bad: bool, tmp_path: Path) -> None:
    assert found(rule, body, tmp_path) is bad


def test_a_plain_exception_that_a_caller_keeps_is_no_answer(tmp_path: Path) -> None:
    helper = "def helper():\n    raise Exception('no')\n\n@mcp.tool\nasync def tool(x):\n"

    assert found("plain-exception", "helper()", tmp_path, head=helper)
    assert found("plain-exception", "try: helper()\nexcept Exception: raise", tmp_path, head=helper)
    assert not found("plain-exception", "try: helper()\nexcept Exception: return 1", tmp_path, head=helper)
    assert found("plain-exception", "try: helper()\nexcept Exception: helper()", tmp_path, head=helper)


def test_a_task_of_its_own_may_end_when_it_is_cancelled(tmp_path: Path) -> None:
    loop = (
        "async def loop():\n    while True:\n        try: await f()\n"
        "        except asyncio.CancelledError: break\n\n@mcp.tool\nasync def tool(x):\n"
    )

    assert not found("swallowed-cancellation", "asyncio.create_task(loop())", tmp_path, head=loop)
    assert found("swallowed-cancellation", "await loop()", tmp_path, head=loop)


def test_a_blocking_call_is_fine_in_a_sync_tool(tmp_path: Path) -> None:
    assert not found("blocking-call", "time.sleep(1)", tmp_path, head="@mcp.tool\ndef tool(x):\n")


def test_an_error_a_helper_returns_is_judged_only_if_it_is_the_answer(tmp_path: Path) -> None:
    helper = "def helper():\n    return {'error': 'no'}\n\n@mcp.tool\ndef tool(x):\n"

    assert found("returned-error", "return helper()", tmp_path, head=helper)
    assert not found("returned-error", "result = helper()\nreturn 1", tmp_path, head=helper)


def test_a_resource_that_returns_a_document_about_errors_is_right(tmp_path: Path) -> None:
    head = "@mcp.resource('doc://errors')\ndef tool():\n"

    assert not found("returned-error", "return 'Error: what it means'", tmp_path, head=head)


# --- clients that wait ----------------------------------------------------------------------------

WAITING = [
    # PEP 249, whatever the module is called.
    "import psycopg2\nwith psycopg2.connect(DSN) as db, db.cursor() as rows:\n    rows.execute('select 1')",
    "import pymysql.cursors\ndb = pymysql.connect(host='h')",
    "import mysql.connector as driver\ndriver.connect(host='h')",
    "from mysql.connector import connect\nconnect(host='h')",
    "import psycopg\npsycopg.connect(DSN)",
    "import pyodbc\nrows = pyodbc.connect(DSN).cursor()\nrows.executemany('insert', [])",
    "import sqlalchemy as sa\nwith sa.create_engine(DSN).connect() as db:\n    db.execute('select 1')",
    "from sqlalchemy.orm import sessionmaker\nmade = sessionmaker(DSN)\nwith made() as s:\n    s.commit()",
    "from pymongo import MongoClient\nMongoClient(DSN)['shop'].orders.find_one({'id': x})",
    "import redis\nshelf = redis.Redis(host='h')\nreturn shelf.get(x).decode()",
    "import redis\npipe = redis.from_url(DSN).pipeline()\npipe.execute()",
    "import boto3\ns3 = boto3.client('s3')\nreturn s3.get_object(Bucket='b', Key=x)['Body'].read()",
    "import boto3\nboto3.resource('dynamodb').Table('orders').get_item(Key={'id': x})",
    "from openai import OpenAI\nllm = OpenAI()\nreturn llm.chat.completions.create(model='m', messages=[])",
    "import urllib3\npool = urllib3.PoolManager()\npool.request('GET', x)",
    "import requests\ns = requests.session()\nreturn s.post(x).json().get('price')",
    "import http.client\nline = http.client.HTTPSConnection('h')\nline.request('GET', '/')",
    "import smtplib\nwith smtplib.SMTP('h') as post:\n    post.send_message(x)",
]
"""What an async tool must not do, as its libraries' manuals write it."""

NOT_WAITING = [
    "import aiosqlite\nasync with aiosqlite.connect('x') as db:\n    await db.execute('select 1')",
    "import asyncpg\ndb = await asyncpg.connect(DSN)\nawait db.execute('select 1')",
    "import psycopg\ndb = await psycopg.AsyncConnection.connect(DSN)\nawait db.execute('select 1')",
    "from mysql.connector.aio import connect\ndb = await connect(host='h')\nawait db.commit()",
    "import oracledb\ndb = await oracledb.connect_async(DSN)\nc = db.cursor()\nawait c.execute('select 1')",
    "from sqlalchemy.ext.asyncio import create_async_engine\nengine = create_async_engine(DSN)\n"
    "async with engine.connect() as db:\n    await db.execute('select 1')",
    "from pymongo import AsyncMongoClient\nawait AsyncMongoClient(DSN).shop.orders.find_one({})",
    "from motor.motor_asyncio import AsyncIOMotorClient\nrows = AsyncIOMotorClient(DSN).shop.orders.find({})",
    "import redis.asyncio as redis\nshelf = redis.Redis()\nawait shelf.get(x)",
    "from redis import asyncio as aioredis\npipe = aioredis.from_url(DSN).pipeline()\nawait pipe.execute()",
    "import aioboto3\nasync with aioboto3.Session().client('s3') as s3:\n    await s3.get_object(Key=x)",
    "from openai import AsyncOpenAI\nawait AsyncOpenAI().chat.completions.create(model='m', messages=[])",
    # In a thread.
    "import sqlite3\nawait asyncio.to_thread(sqlite3.connect, 'x')",
    "import redis\nshelf = redis.Redis()\nawait asyncio.to_thread(shelf.get, x)",
    # What only makes something, or only looks at what is there already.
    "import redis\nshelf = redis.Redis()\nshelf.close()",
    "import boto3\nboto3.client('s3').generate_presigned_url('get_object')",
    "import requests\ns = requests.Session()\nreturn s.headers.get('x')",
    "from pymongo import MongoClient\norders = MongoClient(DSN).shop.get_collection('orders')",
    "import sqlite3\ndef row(r: sqlite3.Row): return r.keys()\nreturn row(x)",
    # A method of the same name of something else.
    "from shelves import Redis\nRedis().get(x)",
    "class Orders:\n    def execute(self): return 1\nreturn Orders().execute()",
    "return x.execute('select 1')",
]


@pytest.mark.parametrize("body", WAITING)
def test_a_client_that_waits_is_found_in_an_async_tool(body: str, tmp_path: Path) -> None:
    assert found("blocking-call", body, tmp_path)
    assert not found("blocking-call", body, tmp_path, head="@mcp.tool\ndef tool(x):\n")


@pytest.mark.parametrize("body", NOT_WAITING)
def test_what_only_looks_like_a_client_that_waits_is_let_be(body: str, tmp_path: Path) -> None:
    assert not found("blocking-call", body, tmp_path)


def test_a_client_kept_elsewhere_is_known_where_it_is_used(tmp_path: Path) -> None:
    shelf = (
        "import sqlite3\n\nclass Shelf:\n    def __init__(self):\n        self.db = sqlite3.connect('x')\n"
        "        self.rows = self.db.cursor()\n\nshelf = Shelf()\n\n"
        "def opened() -> sqlite3.Connection:\n    return shelf.db\n\n@mcp.tool\nasync def tool(x):\n"
    )

    assert found("blocking-call", "shelf.rows.execute('select 1')", tmp_path, head=shelf)
    assert found("blocking-call", "opened().execute('select 1')", tmp_path, head=shelf)
    assert not found("blocking-call", "shelf.rows.close()", tmp_path, head=shelf)


def test_the_queries_of_one_function_are_one_finding(tmp_path: Path) -> None:
    body = "db = sqlite3.connect('x')\ndb.execute('select 1')\ndb.execute('select 2')\ndb.commit()"
    path = tmp_path / "shop.py"
    path.write_text(f"{HEAD}import sqlite3\n@mcp.tool\nasync def tool(x):\n{textwrap.indent(body, '    ')}\n")

    (finding,) = lint(path, settings=Settings(select=("blocking-call",)), root=tmp_path).findings

    assert finding.message == (
        "sqlite3.connect blocks the event loop; use aiosqlite, or await asyncio.to_thread(...)."
    )
