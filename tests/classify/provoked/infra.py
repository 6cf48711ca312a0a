"""Exceptions of brokers, remote procedure calls, orchestration, shells and resilience helpers."""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import Any

from . import case
from .servers import (
    HOST,
    PATIENCE,
    Answer,
    answering,
    closed_port,
    closing_port,
    garbage_port,
    hanging_port,
    origin,
    scratch,
)
from .wire import lines


@cache
def _grpc_port() -> int:
    """Start a gRPC server whose methods fail with the status code they are named after."""
    from concurrent.futures import ThreadPoolExecutor

    import grpc

    class Failing(grpc.GenericRpcHandler):
        def service(self, call_details):
            name = call_details.method.rsplit("/", 1)[1]
            if name == "HANG":
                import time

                return grpc.unary_unary_rpc_method_handler(lambda request, context: time.sleep(0.4) or b"")
            if name == "MISSING":
                return None
            code = grpc.StatusCode[name]
            return grpc.unary_unary_rpc_method_handler(
                lambda request, context: context.abort(code, f"the server said {name.lower()}")
            )

    server = grpc.server(ThreadPoolExecutor(4), handlers=[Failing()])
    port = server.add_insecure_port(f"{HOST}:0")
    server.start()
    _servers.append(server)
    return port


_servers: list[Any] = []


def _grpc(name: str, port: int | None = None, timeout: float = PATIENCE) -> None:
    import grpc

    with grpc.insecure_channel(f"{HOST}:{port or _grpc_port()}") as channel:
        channel.unary_unary(f"/provoked.Service/{name}")(b"", timeout=timeout)


@case("InvalidParams", also=("ValidationError",), retryable=False)
def grpc_invalid_argument():
    _grpc("INVALID_ARGUMENT")


@case("NotFound", retryable=False)
def grpc_not_found():
    _grpc("NOT_FOUND")


@case("Conflict")
def grpc_already_exists():
    _grpc("ALREADY_EXISTS")


@case("Conflict", retryable=True)
def grpc_aborted():
    _grpc("ABORTED")


@case("Conflict", also=("InvalidRequest",))
def grpc_failed_precondition():
    _grpc("FAILED_PRECONDITION")


@case("ValidationError")
def grpc_out_of_range():
    _grpc("OUT_OF_RANGE")


@case("Forbidden")
def grpc_permission_denied():
    _grpc("PERMISSION_DENIED")


@case("Unauthorized")
def grpc_unauthenticated():
    _grpc("UNAUTHENTICATED")


@case("RateLimited", retryable=True)
def grpc_resource_exhausted():
    _grpc("RESOURCE_EXHAUSTED")


@case("Timeout", retryable=True)
def grpc_deadline_exceeded():
    _grpc("HANG", timeout=0.1)


@case("ServiceUnavailable", retryable=True)
def grpc_unavailable_nobody_listens():
    _grpc("NOT_FOUND", port=closed_port())


@case("InvalidRequest", also=("InternalError", "MethodNotFound"))
def grpc_unimplemented_method():
    _grpc("MISSING")


@case("InternalError", also=("ServiceUnavailable",))
def grpc_data_loss():
    _grpc("DATA_LOSS")


@case("NotFound")
def grpc_aio_not_found():
    import grpc.aio

    async def call():
        async with grpc.aio.insecure_channel(f"{HOST}:{_grpc_port()}") as channel:
            await channel.unary_unary("/provoked.Service/NOT_FOUND")(b"")

    asyncio.run(call())


@case("Forbidden")
def google_api_core_from_grpc_permission_denied():
    from google.api_core import grpc_helpers

    def call(*args, **kwargs):
        _grpc("PERMISSION_DENIED")

    grpc_helpers._wrap_unary_errors(call)()


def _quiet(name: str) -> None:
    logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@case("ServiceUnavailable", also=("Timeout",), retryable=True)
def kafka_python_bootstrap_timeout():
    import kafka

    _quiet("kafka")
    kafka.KafkaProducer(bootstrap_servers=f"{HOST}:{closed_port()}", bootstrap_timeout_ms=300)


def _kafka_code(code: int) -> None:
    """Raise what the client makes of an error code in a broker's response."""
    from kafka import errors

    raise errors.for_code(code)("[Error from the broker]")


@case("Forbidden")
def kafka_python_topic_authorization_failed():
    _kafka_code(29)


@case("NotFound", also=("ServiceUnavailable",))
def kafka_python_unknown_topic_or_partition():
    _kafka_code(3)


@case("ServiceUnavailable", retryable=True)
def kafka_python_leader_not_available():
    _kafka_code(5)


@case("Timeout", retryable=True)
def kafka_python_request_timed_out():
    _kafka_code(7)


@case("ServiceUnavailable", retryable=True)
def aiokafka_connection_error():
    import aiokafka

    _quiet("aiokafka")

    async def start():
        producer = aiokafka.AIOKafkaProducer(bootstrap_servers=f"{HOST}:{closed_port()}")
        try:
            await producer.start()
        finally:
            await producer.stop()

    asyncio.run(start())


@case("ServiceUnavailable", also=("Timeout",), retryable=True)
def confluent_kafka_transport_failure():
    from confluent_kafka.admin import AdminClient

    options = {"bootstrap.servers": f"{HOST}:{closed_port()}", "logger": logging.getLogger("confluent.quiet")}
    AdminClient(options).list_topics(timeout=0.3)


@case("ConfigurationError", also=("InvalidParams", "ValidationError", "InternalError"))
def confluent_kafka_unknown_configuration_property():
    from confluent_kafka import Producer

    Producer({"bootstrap.servers": HOST, "no.such.property": 1})


@case("InternalError", also=("RateLimited", "ServiceUnavailable"))
def confluent_kafka_local_queue_full():
    from confluent_kafka import Producer

    options = {"bootstrap.servers": f"{HOST}:{closed_port()}", "queue.buffering.max.messages": 1}
    producer = Producer({**options, "logger": logging.getLogger("confluent.quiet")})
    try:
        producer.produce("topic", b"1")
        producer.produce("topic", b"2")
    finally:
        producer.purge()


@case("ServiceUnavailable", retryable=True)
def kombu_operational_error():
    import kombu

    with kombu.Connection(f"amqp://u:p@{HOST}:{closed_port()}//", connect_timeout=1) as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0)


@case("SerializationError", also=("InternalError",))
def kombu_encode_error():
    from kombu.serialization import dumps

    dumps({"x": object()}, "json")


@case("ServiceUnavailable")
def pika_connection_refused():
    import pika

    _quiet("pika")
    pika.BlockingConnection(pika.ConnectionParameters(HOST, closed_port(), connection_attempts=1))


@case("ServiceUnavailable", retryable=True)
def celery_broker_unreachable():
    import celery

    app = celery.Celery(broker=f"amqp://u:p@{HOST}:{closed_port()}//")
    app.conf.update(broker_connection_timeout=1, broker_transport_options={"max_retries": 0})
    app.send_task("work", retry=False)


@case("InternalError", also=("ConfigurationError", "NotFound"))
def celery_task_not_registered():
    import celery

    celery.Celery().tasks["missing.task"]


@case("Timeout")
def celery_result_timeout():
    import celery

    app = celery.Celery(broker="memory://", backend="cache+memory://")
    app.AsyncResult("no-such-task").get(timeout=0.1, interval=0.05)


@case("Timeout", retryable=True)
def celery_task_failed_with_a_timeout():
    """The stored failure of a task is raised again by whoever asks for the result."""
    import celery

    app = celery.Celery(broker="memory://", backend="cache+memory://")
    app.backend.store_result("task-1", TimeoutError("the partner bank did not answer"), "FAILURE")
    app.AsyncResult("task-1").get(timeout=PATIENCE)


def _nats_port(reply: bytes) -> int:
    import json

    info = {"server_id": "x", "version": "2.10", "proto": 1, "max_payload": 1048576, "headers": True}
    return lines(
        lambda request: reply if b"PING" in request else b"", f"INFO {json.dumps(info)}\r\n".encode()
    )


@case("Timeout", retryable=True)
def nats_request_timeout():
    import nats

    port = _nats_port(b"PONG\r\n")

    async def ask():
        client = await nats.connect(f"nats://{HOST}:{port}", allow_reconnect=False, connect_timeout=PATIENCE)
        try:
            await client.request("service.echo", b"hello", timeout=0.1)
        finally:
            await client.close()

    asyncio.run(ask())


@case("ServiceUnavailable", retryable=True)
def paho_mqtt_connection_refused():
    import paho.mqtt.client

    paho.mqtt.client.Client(paho.mqtt.client.CallbackAPIVersion.VERSION2).connect(HOST, closed_port())


@case("ServiceUnavailable", also=("InternalError", "Timeout"), retryable=True)
def zmq_again():
    import zmq

    with zmq.Context() as context, context.socket(zmq.PULL) as puller:
        puller.recv(zmq.NOBLOCK)


def _kubernetes(status: int, reason: str, message: str, headers: dict[str, str] | None = None) -> None:
    from kubernetes import client

    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "reason": reason}
    url = answering(status, {**body, "code": status}, headers)
    client.CoreV1Api(client.ApiClient(client.Configuration(host=url))).read_namespaced_pod("web", "default")


@case("NotFound")
def kubernetes_pod_not_found():
    _kubernetes(404, "NotFound", 'pods "web" not found')


@case("Forbidden")
def kubernetes_forbidden():
    _kubernetes(403, "Forbidden", 'User "system:anonymous" cannot get resource "pods"')


@case("Conflict")
def kubernetes_conflict():
    _kubernetes(
        409, "Conflict", "the object has been modified; please apply your changes to the latest version"
    )


@case("ValidationError")
def kubernetes_invalid():
    _kubernetes(422, "Invalid", 'Pod "web" is invalid: spec.containers: Required value')


@case("ConfigurationError")
def kubernetes_no_configuration():
    from kubernetes import config

    config.load_kube_config(config_file="/nonexistent/kubeconfig")


@case("ConfigurationError")
def kubernetes_not_in_cluster():
    from unittest import mock

    from kubernetes import config

    with mock.patch.dict("os.environ", {"KUBERNETES_SERVICE_HOST": ""}):
        config.load_incluster_config()


@case("NotFound")
def docker_image_not_found():
    import docker

    url = origin(Answer(404, {"message": "No such image: nothing:latest"})).replace("http", "tcp")
    docker.DockerClient(base_url=url, version="1.44").images.get("nothing:latest")


@case("ServiceUnavailable")
def docker_daemon_not_running():
    import docker

    docker.DockerClient(base_url="unix:///nonexistent/docker.sock").ping()


@case("ServiceUnavailable")
def paramiko_garbage_banner():
    import paramiko

    _quiet("paramiko")
    with paramiko.SSHClient() as client:
        client.connect(
            HOST,
            garbage_port(),
            "u",
            "p",
            timeout=PATIENCE,
            banner_timeout=PATIENCE,
            look_for_keys=False,
            allow_agent=False,
        )


@case("ServiceUnavailable", retryable=True)
def paramiko_no_valid_connections():
    import paramiko

    with paramiko.SSHClient() as client:
        client.connect(HOST, closed_port(), "u", "p", timeout=1)


@cache
def _ssh_port() -> int:
    """Start an SSH server which refuses every password."""
    import paramiko

    from .servers import tcp

    _quiet("paramiko")
    key = paramiko.ECDSAKey.generate()

    def talk(connection):
        transport = paramiko.Transport(connection)
        transport.add_server_key(key)
        transport.start_server(server=paramiko.ServerInterface())
        transport.join(PATIENCE)

    return tcp(talk)


@case("Unauthorized")
def paramiko_authentication_failed():
    import paramiko

    with paramiko.SSHClient() as client:
        client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        client.connect(
            HOST, _ssh_port(), "u", "wrong", timeout=PATIENCE, look_for_keys=False, allow_agent=False
        )


@case("ServiceUnavailable", also=("ConfigurationError", "Forbidden", "Unauthorized"))
def paramiko_unknown_host_key():
    import paramiko

    with paramiko.SSHClient() as client:
        client.connect(HOST, _ssh_port(), "u", "p", timeout=PATIENCE, look_for_keys=False, allow_agent=False)


@case("Unauthorized")
def asyncssh_permission_denied():
    import asyncssh

    options = {"known_hosts": None, "username": "u", "password": "wrong", "client_keys": None, "config": None}

    async def connect():
        await asyncssh.connect(HOST, _ssh_port(), agent_path=None, **options)

    asyncio.run(connect())


@case("Timeout", also=("ServiceUnavailable",), retryable=True)
def dnspython_lifetime_timeout():
    import dns.resolver

    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = [HOST]
    resolver.port = closed_port()
    resolver.resolve("example.com", lifetime=0.3)


@case("NotFound", retryable=False)
def dnspython_nxdomain():
    import socket
    import threading

    import dns.message
    import dns.rcode
    import dns.resolver

    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((HOST, 0))

    def answer():
        data, client = server.recvfrom(4096)
        reply = dns.message.make_response(dns.message.from_wire(data))
        reply.set_rcode(dns.rcode.NXDOMAIN)
        server.sendto(reply.to_wire(), client)

    threading.Thread(target=answer, daemon=True).start()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = [HOST]
    resolver.port = server.getsockname()[1]
    resolver.resolve("no-such-name.example.", lifetime=1)


@case("Timeout", also=("Conflict",), retryable=True)
def filelock_timeout():
    import filelock

    path = scratch() / "x.lock"
    with filelock.FileLock(path, thread_local=False):
        filelock.FileLock(path, timeout=0.05, thread_local=False).acquire()


@case("ServiceUnavailable", retryable=True)
def pybreaker_circuit_open():
    import pybreaker

    breaker = pybreaker.CircuitBreaker(fail_max=1, throw_new_error_on_trip=False)

    @breaker
    def call():
        raise ConnectionError("down")

    try:
        call()
    except ConnectionError:
        pass
    call()


@case("ServiceUnavailable", retryable=True)
def tenacity_retry_error_over_refused_connection():
    import httpx
    import tenacity

    @tenacity.retry(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_none())
    def call():
        httpx.get(f"http://{HOST}:{closed_port()}/")

    call()


@case("NotFound")
def tenacity_reraise_of_404():
    import httpx
    import tenacity

    @tenacity.retry(stop=tenacity.stop_after_attempt(2), wait=tenacity.wait_none(), reraise=True)
    def call():
        httpx.get(answering(404)).raise_for_status()

    call()


@case("InternalError", also=("UnknownError", "ServiceUnavailable"))
def tenacity_retry_error_on_result():
    import tenacity

    @tenacity.retry(
        retry=tenacity.retry_if_result(lambda value: value is None), stop=tenacity.stop_after_attempt(1)
    )
    def call():
        return None

    call()


@case("Timeout", retryable=True)
def backoff_gives_up_on_timeout():
    import backoff
    import requests

    @backoff.on_exception(backoff.constant, requests.Timeout, max_tries=2, interval=0, jitter=None)
    def call():
        requests.get(f"http://{HOST}:{hanging_port()}/", timeout=0.1)

    call()


@case("InternalError", retryable=False)
def anyio_stream_that_was_closed_here():
    import anyio

    async def work() -> None:
        sending, receiving = anyio.create_memory_object_stream[int](1)
        receiving.close()
        sending.close()
        await sending.send(1)

    anyio.run(work)


@case("Timeout", retryable=True)
def anyio_fail_after():
    import anyio

    async def work():
        with anyio.fail_after(0.05):
            await anyio.sleep(5)

    anyio.run(work)


@case("Timeout", retryable=True)
def trio_too_slow():
    import trio

    async def work():
        with trio.fail_after(0.05):
            await trio.sleep(5)

    trio.run(work)


@case("ServiceUnavailable", also=("InternalError",))
def anyio_broken_resource():
    import anyio

    async def work():
        sender, receiver = anyio.create_memory_object_stream(1)
        receiver.close()
        await sender.send("anyone there?")

    anyio.run(work)


@case("NotFound", also=("InternalError", "ValidationError"))
def gitpython_not_a_repository():
    import git

    git.Repo(scratch())


@case("InternalError", also=("NotFound", "ServiceUnavailable"))
def gitpython_command_failed():
    import git

    git.Repo.init(scratch()).git.log("no-such-branch", "--")


@case("ServiceUnavailable")
def amqp_server_closed_connection():
    import amqp

    amqp.Connection(f"{HOST}:{closing_port()}", connect_timeout=PATIENCE).connect()


@case("ServiceUnavailable", also=("InternalError",))
def asyncio_stream_ends_within_a_line():
    async def read():
        reader, writer = await asyncio.open_connection(HOST, lines(lambda request: b"", b"VALUE a 0"))
        writer.write_eof()
        try:
            await reader.readuntil(b"\r\n")
        finally:
            writer.close()

    asyncio.run(read())
