"""Exceptions of database drivers and ORMs."""

from __future__ import annotations

import asyncio
from typing import Any

from . import case, wire
from .servers import (
    HOST,
    PATIENCE,
    Answer,
    answering,
    closed_port,
    hanging_port,
    origin,
    origin_port,
    resp_port,
    scratch,
)
from .wire import mongo, postgres


def _sqlite(*statements: str) -> Any:
    import sqlite3

    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA foreign_keys = ON")
    for statement in statements:
        connection.execute(statement)
    return connection


@case("Conflict", retryable=False)
def sqlite_unique_violation():
    _sqlite("CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)")


@case("ValidationError")
def sqlite_foreign_key_violation():
    _sqlite(
        "CREATE TABLE a (id INTEGER PRIMARY KEY)",
        "CREATE TABLE b (a INTEGER REFERENCES a (id))",
        "INSERT INTO b VALUES (7)",
    )


@case("ValidationError")
def sqlite_not_null_violation():
    _sqlite("CREATE TABLE t (name TEXT NOT NULL)", "INSERT INTO t VALUES (NULL)")


@case("ValidationError")
def sqlite_check_violation():
    _sqlite("CREATE TABLE t (age INT CHECK (age >= 0))", "INSERT INTO t VALUES (-1)")


@case("DatabaseError")
def sqlite_no_such_table():
    _sqlite("SELECT * FROM unauthorized_timeouts")


@case("DatabaseError")
def sqlite_syntax_error():
    _sqlite("SELEKT 1")


@case("Conflict", also=("DatabaseError", "ServiceUnavailable"), retryable=True)
def sqlite_database_is_locked():
    import sqlite3

    path = scratch() / "x.db"
    first = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    first.execute("CREATE TABLE t (a)")
    first.execute("BEGIN EXCLUSIVE")
    sqlite3.connect(path, timeout=0.05).execute("INSERT INTO t VALUES (1)")


@case("DatabaseError")
def sqlite_file_is_not_a_database():
    import sqlite3
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        file.write(b"this is a text file, much longer than a header" * 50)
        file.flush()
        sqlite3.connect(file.name).execute("SELECT * FROM sqlite_master")


@case("InternalError", also=("DatabaseError",))
def sqlite_wrong_number_of_bindings():
    _sqlite().execute("SELECT ?, ?", (1,))


@case("DatabaseError")
def aiosqlite_no_such_column():
    import aiosqlite

    async def query():
        async with aiosqlite.connect(":memory:") as connection:
            await connection.execute("SELECT missing_column")

    asyncio.run(query())


@case("DatabaseError", also=("NotFound",))
def duckdb_catalog_error():
    import duckdb

    duckdb.connect().execute("SELECT * FROM missing_table")


@case("ValidationError")
def duckdb_conversion_error():
    import duckdb

    duckdb.connect().execute("SELECT 'abc'::INTEGER")


@case("Conflict")
def duckdb_primary_key_violation():
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO t VALUES (1), (1)")


@case("DatabaseError")
def duckdb_parser_error():
    import duckdb

    duckdb.connect().execute("SELEKT 1")


def _engine() -> Any:
    import sqlalchemy

    engine = sqlalchemy.create_engine("sqlite://", poolclass=sqlalchemy.pool.StaticPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE NOT NULL)")
        connection.exec_driver_sql("INSERT INTO users VALUES (1, 'a'), (2, 'b')")
    return engine


@case("Conflict")
def sqlalchemy_integrity_unique():
    with _engine().begin() as connection:
        connection.exec_driver_sql("INSERT INTO users VALUES (3, 'a')")


@case("ValidationError")
def sqlalchemy_integrity_not_null():
    with _engine().begin() as connection:
        connection.exec_driver_sql("INSERT INTO users VALUES (3, NULL)")


@case("DatabaseError")
def sqlalchemy_missing_table():
    with _engine().begin() as connection:
        connection.exec_driver_sql("SELECT * FROM accounts_forbidden")


@case("NotFound")
def sqlalchemy_no_result_found():
    with _engine().begin() as connection:
        connection.exec_driver_sql("SELECT * FROM users WHERE id = 99").one()


@case("InternalError", also=("DatabaseError",))
def sqlalchemy_multiple_results():
    with _engine().begin() as connection:
        connection.exec_driver_sql("SELECT * FROM users").one()


@case("Conflict")
def sqlalchemy_stale_data():
    import sqlalchemy
    from sqlalchemy import orm

    engine = _engine()
    registry = orm.registry()

    @registry.mapped
    class User:
        __table__ = sqlalchemy.Table("users", registry.metadata, autoload_with=engine)

    with orm.Session(engine) as session:
        user = session.get(User, 1)
        session.execute(sqlalchemy.text("DELETE FROM users WHERE id = 1"))
        user.email = "c"
        session.flush()


@case("ConfigurationError", also=("ValidationError", "InternalError", "DatabaseError"))
def sqlalchemy_unparsable_url():
    import sqlalchemy

    sqlalchemy.create_engine("not a url")


@case("ServiceUnavailable", also=("Timeout",), retryable=True)
def sqlalchemy_pool_exhausted():
    import sqlalchemy

    options = {"pool_size": 1, "max_overflow": 0, "pool_timeout": 0.05}
    engine = sqlalchemy.create_engine("sqlite://", poolclass=sqlalchemy.pool.QueuePool, **options)
    first = engine.connect()
    engine.connect()
    first.close()


@case("ServiceUnavailable", retryable=True)
def sqlalchemy_psycopg_connection_refused():
    import sqlalchemy

    sqlalchemy.create_engine(f"postgresql+psycopg://u:p@{HOST}:{closed_port()}/d").connect()


@case("ServiceUnavailable", retryable=True)
def psycopg_connection_refused():
    import psycopg

    psycopg.connect(host=HOST, port=closed_port(), user="u")


def _psycopg(sqlstate: str, message: str, **fields: str) -> None:
    import psycopg

    port = postgres(sqlstate, message, **fields)
    with psycopg.connect(
        host=HOST, port=port, user="u", dbname="d", sslmode="disable", autocommit=True
    ) as connection:
        connection.execute("SELECT 1")


@case("Conflict", retryable=False)
def psycopg_unique_violation():
    _psycopg(
        "23505",
        'duplicate key value violates unique constraint "users_email_key"',
        detail="Key (email)=(a@example.com) already exists.",
        constraint="users_email_key",
    )


@case("Conflict", retryable=True)
def psycopg_serialization_failure():
    _psycopg("40001", "could not serialize access due to concurrent update")


@case("Timeout")
def psycopg_statement_timeout():
    _psycopg("57014", "canceling statement due to statement timeout")


@case("Forbidden")
def psycopg_insufficient_privilege():
    _psycopg("42501", "permission denied for table users")


@case("DatabaseError")
def psycopg_undefined_table():
    _psycopg("42P01", 'relation "users" does not exist')


@case("Unauthorized")
def psycopg_wrong_password_at_startup():
    import psycopg

    port = postgres("28P01", 'password authentication failed for user "u"', at_startup=True)
    psycopg.connect(host=HOST, port=port, user="u", dbname="d", sslmode="disable")


def _psycopg2(sqlstate: str, message: str) -> None:
    import psycopg2

    connection = psycopg2.connect(
        host=HOST, port=postgres(sqlstate, message), user="u", password="p", dbname="d", sslmode="disable"
    )
    connection.cursor().execute("SELECT 1")


@case("ValidationError")
def psycopg2_foreign_key_violation():
    _psycopg2(
        "23503", 'insert or update on table "orders" violates foreign key constraint "orders_user_fkey"'
    )


@case("Conflict", retryable=True)
def psycopg2_deadlock_detected():
    _psycopg2("40P01", "deadlock detected")


@case("ServiceUnavailable", retryable=True)
def psycopg2_admin_shutdown():
    _psycopg2("57P01", "terminating connection due to administrator command")


@case("ServiceUnavailable", retryable=True)
def psycopg2_connection_refused():
    import psycopg2

    psycopg2.connect(host=HOST, port=closed_port(), user="u")


@case("ServiceUnavailable", retryable=True)
def psycopg2_too_many_clients_at_startup():
    import psycopg2

    port = postgres("53300", "sorry, too many clients already", at_startup=True)
    psycopg2.connect(host=HOST, port=port, user="u", dbname="d", sslmode="disable")


def _asyncpg(sqlstate: str, message: str, *, at_startup: bool = False, **fields: str) -> None:
    import asyncpg

    port = postgres(sqlstate, message, at_startup=at_startup, **fields)

    async def query() -> None:
        connection = await asyncpg.connect(
            host=HOST, port=port, user="u", password="p", database="d", ssl=False
        )
        try:
            await connection.fetch("SELECT 1")
        finally:
            connection.terminate()

    asyncio.run(query())


@case("Conflict")
def asyncpg_unique_violation():
    _asyncpg(
        "23505", "duplicate key value violates unique constraint", table="users", constraint="users_pkey"
    )


@case("ValidationError")
def asyncpg_invalid_text_representation():
    _asyncpg("22P02", 'invalid input syntax for type uuid: "timeout"')


@case("Conflict", retryable=True)
def asyncpg_lock_not_available():
    _asyncpg("55P03", 'could not obtain lock on row in relation "jobs"')


@case("Unauthorized")
def asyncpg_invalid_password():
    _asyncpg("28P01", 'password authentication failed for user "u"', at_startup=True)


@case("DatabaseError")
def asyncpg_syntax_error():
    _asyncpg("42601", 'syntax error at or near "SELEKT"')


@case("ServiceUnavailable", retryable=True)
def asyncpg_cannot_connect_now():
    _asyncpg("57P03", "the database system is starting up", at_startup=True)


@case("Timeout", retryable=True)
def asyncpg_connect_timeout():
    import asyncpg

    asyncio.run(
        asyncpg.connect(host=HOST, port=hanging_port(), user="u", database="d", ssl=False, timeout=0.1)
    )


def _pymysql(code: int, sqlstate: str, message: str, *, at_login: bool = False) -> None:
    import pymysql

    port = wire.mysql(code, sqlstate, message, at_login=at_login)
    pymysql.connect(host=HOST, port=port, user="u", password="p").query("SELECT 1")


@case("Conflict")
def pymysql_duplicate_entry():
    _pymysql(1062, "23000", "Duplicate entry 'a@example.com' for key 'users.email'")


@case("ValidationError")
def pymysql_foreign_key_fails():
    _pymysql(1452, "23000", "Cannot add or update a child row: a foreign key constraint fails")


@case("Conflict", retryable=True)
def pymysql_deadlock():
    _pymysql(1213, "40001", "Deadlock found when trying to get lock; try restarting transaction")


@case("Conflict", also=("Timeout",), retryable=True)
def pymysql_lock_wait_timeout():
    _pymysql(1205, "HY000", "Lock wait timeout exceeded; try restarting transaction")


@case("Unauthorized")
def pymysql_access_denied_for_user():
    _pymysql(1045, "28000", "Access denied for user 'u'@'127.0.0.1' (using password: YES)", at_login=True)


@case("ServiceUnavailable", retryable=True)
def pymysql_connection_refused():
    import pymysql

    pymysql.connect(host=HOST, port=closed_port(), user="u")


def _mysql_connector(code: int, sqlstate: str, message: str) -> None:
    import mysql.connector

    port = wire.mysql(code, sqlstate, message)
    options = {
        "host": HOST,
        "port": port,
        "user": "u",
        "password": "p",
        "use_pure": True,
        "ssl_disabled": True,
    }
    with mysql.connector.connect(**options) as connection:
        connection.cmd_query("SELECT 1")


@case("DatabaseError")
def mysql_connector_no_such_table():
    _mysql_connector(1146, "42S02", "Table 'd.users' doesn't exist")


@case("Conflict")
def mysql_connector_duplicate_entry():
    _mysql_connector(1062, "23000", "Duplicate entry '1' for key 'PRIMARY'")


@case("Forbidden")
def mysql_connector_command_denied():
    _mysql_connector(1142, "42000", "SELECT command denied to user 'u'@'127.0.0.1' for table 'payroll'")


@case("ServiceUnavailable", retryable=True)
def mysql_connector_connection_refused():
    import mysql.connector

    mysql.connector.connect(host=HOST, port=closed_port(), user="u", use_pure=True, connection_timeout=1)


def _mongo(reply: dict[str, Any]) -> Any:
    import pymongo
    from pymongo.server_api import ServerApi

    client = pymongo.MongoClient(
        HOST,
        mongo(reply),
        server_api=ServerApi("1"),
        serverSelectionTimeoutMS=1000,
        retryWrites=False,
        retryReads=False,
    )
    return client.shop.orders


@case("Conflict")
def pymongo_duplicate_key():
    errors = [{"index": 0, "code": 11000, "errmsg": "E11000 duplicate key error collection: shop.orders"}]
    _mongo({"ok": 1, "n": 0, "writeErrors": errors}).insert_one({"_id": 1})


@case("Unauthorized", also=("Forbidden",))
def pymongo_command_requires_authentication():
    _mongo(
        {"ok": 0, "code": 13, "codeName": "Unauthorized", "errmsg": "command find requires authentication"}
    ).find_one()


@case("Unauthorized")
def pymongo_authentication_failed():
    _mongo(
        {"ok": 0, "code": 18, "codeName": "AuthenticationFailed", "errmsg": "Authentication failed."}
    ).find_one()


@case("Timeout")
def pymongo_max_time_expired():
    _mongo(
        {"ok": 0, "code": 50, "codeName": "MaxTimeMSExpired", "errmsg": "operation exceeded time limit"}
    ).find_one()


@case("ValidationError")
def pymongo_document_failed_validation():
    errors = [{"index": 0, "code": 121, "errmsg": "Document failed validation"}]
    _mongo({"ok": 1, "n": 0, "writeErrors": errors}).insert_one({"_id": 1})


@case("Conflict", retryable=True)
def pymongo_write_conflict():
    _mongo(
        {
            "ok": 0,
            "code": 112,
            "codeName": "WriteConflict",
            "errmsg": "WriteConflict error: this operation conflicted with another operation.",
            "errorLabels": ["TransientTransactionError"],
        }
    ).find_one_and_update({}, {"$set": {"a": 1}})


@case("ServiceUnavailable", retryable=True)
def pymongo_not_primary():
    _mongo(
        {"ok": 0, "code": 10107, "codeName": "NotWritablePrimary", "errmsg": "not primary"}
    ).find_one_and_update({}, {"$set": {"a": 1}})


@case("ServiceUnavailable", also=("Timeout",), retryable=True)
def pymongo_server_selection_timeout():
    import pymongo

    pymongo.MongoClient(HOST, closed_port(), serverSelectionTimeoutMS=100).admin.command("ping")


@case("ValidationError", also=("SerializationError",))
def bson_invalid_object_id():
    import bson

    bson.ObjectId("not-an-object-id")


@case("SerializationError")
def bson_cannot_encode():
    import bson

    bson.encode({"x": object()})


def _redis(reply: bytes) -> Any:
    import redis

    return redis.Redis(host=HOST, port=resp_port(reply), protocol=2, retry=None, socket_timeout=PATIENCE)


@case("ServiceUnavailable", retryable=True)
def redis_connection_refused():
    import redis

    redis.Redis(host=HOST, port=closed_port(), retry=None).ping()


@case("Timeout", retryable=True)
def redis_socket_timeout():
    import redis

    redis.Redis(host=HOST, port=hanging_port(), retry=None, socket_timeout=0.1).ping()


@case("DatabaseError", also=("InternalError", "Conflict"))
def redis_wrong_type():
    _redis(b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n").get("list")


@case("ServiceUnavailable", retryable=True)
def redis_busy_loading():
    _redis(b"-LOADING Redis is loading the dataset in memory\r\n").get("a")


@case("Unauthorized")
def redis_authentication_required():
    _redis(b"-NOAUTH Authentication required.\r\n").get("a")


@case("Forbidden")
def redis_no_permission():
    _redis(b"-NOPERM User reader has no permissions to run the 'set' command\r\n").set("a", 1)


@case("DatabaseError", also=("InternalError", "ServiceUnavailable"))
def redis_out_of_memory():
    _redis(b"-OOM command not allowed when used memory > 'maxmemory'.\r\n").set("a", 1)


@case("Conflict", retryable=True)
def redis_watch_error():
    import redis

    from .servers import tcp

    def talk(connection):
        while request := connection.recv(65536):
            if b"EXEC" in request:
                connection.sendall(b"+OK\r\n+QUEUED\r\n*-1\r\n")
            else:
                connection.sendall(b"+OK\r\n" * max(1, request.count(b"*")))

    client = redis.Redis(host=HOST, port=tcp(talk), protocol=2, retry=None, socket_timeout=PATIENCE)
    with client.pipeline() as pipeline:
        pipeline.watch("a")
        pipeline.multi()
        pipeline.set("a", 1)
        pipeline.execute()


@case("Conflict", also=("Timeout",), retryable=True)
def redis_lock_not_acquired():
    with _redis(b"$-1\r\n").lock("job", blocking_timeout=0.05, sleep=0.02):
        pass


_ELASTIC = {"X-Elastic-Product": "Elasticsearch"}


def _elastic(status: int, kind: str, reason: str) -> Any:
    import elasticsearch

    body = {"error": {"type": kind, "reason": reason, "root_cause": []}, "status": status}
    return elasticsearch.Elasticsearch(answering(status, body, _ELASTIC), max_retries=0)


@case("NotFound")
def elasticsearch_index_not_found():
    _elastic(404, "index_not_found_exception", "no such index [orders]").get(index="orders", id="1")


@case("Conflict")
def elasticsearch_version_conflict():
    _elastic(409, "version_conflict_engine_exception", "version conflict").index(index="orders", document={})


@case("InvalidParams", also=("ValidationError",))
def elasticsearch_parsing_exception():
    _elastic(400, "parsing_exception", "unknown query [mach]").search(index="orders", query={"mach": {}})


@case("RateLimited", retryable=True)
def elasticsearch_circuit_breaker():
    _elastic(429, "circuit_breaking_exception", "[parent] Data too large").search(index="orders")


@case("ServiceUnavailable", retryable=True)
def elasticsearch_connection_refused():
    import elasticsearch

    elasticsearch.Elasticsearch(f"http://{HOST}:{closed_port()}", max_retries=0).info()


@case("Timeout", retryable=True)
def elasticsearch_connection_timeout():
    import elasticsearch

    elasticsearch.Elasticsearch(f"http://{HOST}:{hanging_port()}", max_retries=0, request_timeout=0.1).info()


def _opensearch(port: int, **options: Any) -> Any:
    import opensearchpy

    return opensearchpy.OpenSearch([{"host": HOST, "port": port}], max_retries=0, **options)


@case("Forbidden")
def opensearch_security_exception():
    body = {
        "error": {"type": "security_exception", "reason": "no permissions for [indices:data/read]"},
        "status": 403,
    }
    _opensearch(origin_port(Answer(403, body))).search(index="orders")


@case("NotFound")
def opensearch_document_missing():
    body = {"_index": "orders", "_id": "1", "found": False}
    _opensearch(origin_port(Answer(404, body))).get(index="orders", id="1")


@case("ServiceUnavailable", retryable=True)
def opensearch_connection_refused():
    _opensearch(closed_port()).info()


@case("ServiceUnavailable", retryable=True)
def neo4j_service_unavailable():
    import neo4j

    with neo4j.GraphDatabase.driver(f"bolt://{HOST}:{closed_port()}", auth=("u", "p")) as driver:
        driver.verify_connectivity()


def _neo4j_failure(code: str, message: str) -> None:
    """Raise what the driver makes of a FAILURE message."""
    from neo4j.exceptions import Neo4jError

    raise Neo4jError._hydrate_neo4j(code=code, message=message)


@case("Unauthorized")
def neo4j_authentication_failure():
    _neo4j_failure(
        "Neo.ClientError.Security.Unauthorized", "The client is unauthorized due to authentication failure."
    )


@case("Conflict")
def neo4j_constraint_violated():
    _neo4j_failure(
        "Neo.ClientError.Schema.ConstraintValidationFailed", "Node(1) already exists with label `User`"
    )


@case("Conflict", retryable=True)
def neo4j_deadlock_detected():
    _neo4j_failure("Neo.TransientError.Transaction.DeadlockDetected", "can't acquire ExclusiveLock")


@case("DatabaseError", also=("InternalError", "ValidationError"))
def neo4j_cypher_syntax_error():
    _neo4j_failure("Neo.ClientError.Statement.SyntaxError", "Invalid input 'MACH': expected 'MATCH'")


@case("ServiceUnavailable", retryable=True)
def cassandra_no_host_available():
    from cassandra.cluster import Cluster, ExecutionProfile

    Cluster(
        [HOST], port=closed_port(), connect_timeout=0.5, execution_profiles={"default": ExecutionProfile()}
    ).connect()


@case("ServiceUnavailable", retryable=True)
def oracledb_connection_refused():
    import oracledb

    oracledb.connect(user="u", password="p", dsn=f"{HOST}:{closed_port()}/orcl", tcp_connect_timeout=1)


@case("ServiceUnavailable", retryable=True)
def clickhouse_connection_refused():
    import clickhouse_connect

    clickhouse_connect.get_client(host=HOST, port=closed_port(), connect_timeout=1)


@case("DatabaseError", also=("InternalError", "NotFound", "ServiceUnavailable"))
def clickhouse_unknown_table():
    import clickhouse_connect

    text = "Code: 60. DB::Exception: Table default.hits does not exist. (UNKNOWN_TABLE)"
    answer = Answer(404, text, {"X-ClickHouse-Exception-Code": "60"})
    clickhouse_connect.get_client(host=HOST, port=origin_port(answer))


@case("NotFound")
def qdrant_collection_missing():
    from qdrant_client import QdrantClient

    body = {"status": {"error": "Not found: Collection `docs` doesn't exist!"}, "time": 0.0}
    client = QdrantClient(url=origin(Answer(404, body)), check_compatibility=False)
    client.get_collection("docs")


@case("NotFound")
def meilisearch_index_not_found():
    import meilisearch

    body = {
        "message": "Index `books` not found.",
        "code": "index_not_found",
        "type": "invalid_request",
        "link": "",
    }
    meilisearch.Client(origin(Answer(404, body))).get_index("books")


@case("Unauthorized")
def typesense_wrong_key():
    import typesense

    port = origin_port(
        Answer(401, {"message": "Forbidden - a valid `x-typesense-api-key` header must be sent."})
    )
    nodes = [{"host": HOST, "port": port, "protocol": "http"}]
    typesense.Client({"api_key": "k", "nodes": nodes, "num_retries": 0}).collections.retrieve()


@case("Unauthorized")
def influxdb_unauthorized():
    from influxdb_client import InfluxDBClient

    url = answering(401, {"code": "unauthorized", "message": "unauthorized access"})
    InfluxDBClient(url, token="t", org="o").query_api().query("from(bucket: 1)")


@case("NotFound")
def peewee_does_not_exist():
    import peewee

    class User(peewee.Model):
        name = peewee.TextField(unique=True)

        class Meta:
            database = peewee.SqliteDatabase(":memory:")

    User.create_table()
    User.get_by_id(9)


@case("Conflict")
def peewee_integrity_unique():
    import peewee

    class User(peewee.Model):
        name = peewee.TextField(unique=True)

        class Meta:
            database = peewee.SqliteDatabase(":memory:")

    User.create_table()
    User.create(name="a")
    User.create(name="a")


def _tortoise(work: Any) -> None:
    from tortoise import Tortoise, fields
    from tortoise.models import Model

    class Town(Model):
        name = fields.CharField(20, unique=True)

    import sys
    import types

    module = types.ModuleType("provoked_tortoise_models")
    Town.__module__ = module.__name__
    module.Town = Town  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module

    async def run() -> None:
        await Tortoise.init(db_url="sqlite://:memory:", modules={"models": [module.__name__]})
        try:
            await Tortoise.generate_schemas()
            await work(Town)
        finally:
            await Tortoise.close_connections()

    asyncio.run(run())


@case("NotFound")
def tortoise_does_not_exist():
    _tortoise(lambda town: town.get(name="Atlantis"))


@case("Conflict", also=("ValidationError",))
def tortoise_integrity_error():
    async def twice(town):
        await town.create(name="Bern")
        await town.create(name="Bern")

    _tortoise(twice)


def _snowflake(errno: int, sqlstate: str, message: str) -> None:
    """Raise through the driver's own error dispatch, as after a failed query."""
    from snowflake.connector.errors import Error, ProgrammingError

    Error.errorhandler_wrapper(
        None, None, ProgrammingError, {"msg": message, "errno": errno, "sqlstate": sqlstate, "sfqid": "01b2"}
    )


@case("DatabaseError", also=("NotFound", "Forbidden"))
def snowflake_object_does_not_exist():
    _snowflake(2003, "42S02", "SQL compilation error: Object 'SALES' does not exist or not authorized.")
