from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from mcp_error_middleware import NotFound
from mcp_error_middleware.desk import Desk, Query, Store
from mcp_error_middleware.model import Call, Failure
from mcp_error_middleware.triage import Triage

SECRET = "hunter2-hunter2"


def failing(exc: BaseException, **call: Any) -> Failure:
    try:
        raise exc
    except BaseException as raised:
        return Triage()(raised, Call(**call))


def told(desk: Desk, *failures: Failure) -> Desk:
    for failure in failures:
        desk.observe(failure)
    desk.flush()
    return desk


def browser(desk: Desk, host: str = "localhost", client: str = "127.0.0.1") -> TestClient:
    app = Starlette(routes=[Mount("/errors", desk)])
    return TestClient(app, base_url=f"http://{host}", client=(client, 50_000))


@pytest.fixture
def shown() -> Iterator[tuple[TestClient, Failure]]:
    failure = failing(
        NotFound(f"Order 'ord_9' was not found, password={SECRET}"), target="get_order", session_id="s1"
    )
    with browser(told(Desk(), failure)) as client:
        yield client, failure


def test_the_overview_shows_what_failed(shown: tuple[TestClient, Failure]) -> None:
    client, failure = shown
    seen = client.get("/errors/api/overview").json()
    assert [group["code"] for group in seen["groups"]] == ["NotFound"]
    assert seen["groups"][0]["targets"] == ["get_order"]
    assert seen["storage"] == "memory"
    assert [(rate["code"], rate["count"]) for rate in seen["rates"]] == [("NotFound", 1)]
    assert client.get("/errors/api/overview?code=Timeout").json()["groups"] == []
    assert failure.fingerprint.exact == seen["groups"][0]["fingerprint"]


def test_the_id_an_agent_quotes_finds_what_it_saw_and_what_the_log_has(
    shown: tuple[TestClient, Failure],
) -> None:
    client, failure = shown
    found = client.get(f"/errors/api/failures/{failure.error_id}").json()
    assert f"error id {failure.error_id}" in found["answer"]
    assert found["causes"][0]["message"] == "Order 'ord_9' was not found, password=[redacted:password]"
    assert found["redactions"] == {"password": 1}


def test_no_secret_is_anywhere_on_the_desk(shown: tuple[TestClient, Failure]) -> None:
    client, failure = shown
    for path in ("overview", f"failures/{failure.error_id}", f"groups/{failure.fingerprint.exact}"):
        assert SECRET not in client.get(f"/errors/api/{path}").text


def test_a_failure_can_be_saved_for_a_bug_report(shown: tuple[TestClient, Failure]) -> None:
    client, failure = shown
    saved = client.get(f"/errors/api/failures/{failure.error_id}?download")
    assert saved.headers["content-disposition"] == f'attachment; filename="failure-{failure.error_id}.json"'
    assert saved.json()["error_id"] == failure.error_id


def test_a_permalink_opens_the_page_at_its_failure(shown: tuple[TestClient, Failure]) -> None:
    client, failure = shown
    answer = client.get(f"/errors/failures/{failure.error_id}", follow_redirects=False)
    assert answer.headers["location"] == f"/errors/#/failure/{failure.error_id}"


def test_an_unchanged_overview_is_not_sent_again(shown: tuple[TestClient, Failure]) -> None:
    client, _ = shown
    tag = client.get("/errors/api/overview").headers["etag"]
    again = client.get("/errors/api/overview", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_not_there_is_said_in_one_sentence(shown: tuple[TestClient, Failure]) -> None:
    client, _ = shown
    gone = client.get("/errors/api/failures/0123456789ab")
    assert (gone.status_code, gone.json()) == (
        404,
        {"error": "No failure 0123456789ab is kept; it may be too old."},
    )
    assert client.get("/errors/api/groups/none").status_code == 404
    assert client.get("/errors/static/..%2fdesk.py").status_code == 404
    assert client.get("/errors/api/overview?minutes=nonsense").status_code == 200


@pytest.mark.parametrize("path", ["", "static/desk.js", "static/desk.css", "static/icon.svg", "api/overview"])
def test_nothing_may_be_framed_sniffed_cached_or_run_from_elsewhere(
    shown: tuple[TestClient, Failure], path: str
) -> None:
    client, _ = shown
    headers = client.get(f"/errors/{path}").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("host", "client", "headers"),
    [
        ("localhost", "192.0.2.7", {}),
        ("evil.example", "127.0.0.1", {}),
        ("localhost.evil.example", "127.0.0.1", {}),
        ("localhost", "127.0.0.1", {"x-forwarded-for": "127.0.0.1"}),
        ("localhost", "127.0.0.1", {"forwarded": "for=127.0.0.1"}),
        ("localhost", "127.0.0.1", {"x-forwarded-proto": "https"}),
        ("localhost", "127.0.0.1", {"x-forwarded-host": "shop.example"}),
        ("localhost", "127.0.0.1", {"x-real-ip": "127.0.0.1"}),
        ("localhost", "127.0.0.1", {"via": "1.1 varnish"}),
        ("localhost", "127.0.0.1", {"cf-connecting-ip": "127.0.0.1"}),
        ("localhost", "127.0.0.1", {"host": "evil.example@localhost"}),
        ("localhost", "127.0.0.1", {"host": "[::1]evil.example"}),
        ("localhost", "127.0.0.1", {"host": "[::1"}),
        ("localhost", "127.0.0.1", {"host": "localhost:evil"}),
    ],
)
def test_without_a_token_only_this_machine_is_answered(
    host: str, client: str, headers: dict[str, str]
) -> None:
    with browser(Desk(), host, client) as visitor:
        for path in ("", "api/overview", "static/desk.js"):
            assert visitor.get(f"/errors/{path}", headers=headers).status_code == 403


def test_what_comes_over_a_unix_socket_is_a_proxy_and_needs_a_token() -> None:
    app = TestClient(Desk(), base_url="http://localhost", client=("127.0.0.1", 50_000))
    app._transport.client = None  # type: ignore[attr-defined]
    assert app.get("/api/overview").status_code == 403


@pytest.mark.parametrize("client", ["127.0.0.1", "::1"])
@pytest.mark.parametrize("host", ["localhost", "Localhost:8000", "127.0.0.1:8000", "[::1]", "[::1]:8000"])
def test_this_machine_is_answered_without_a_token(client: str, host: str) -> None:
    with browser(Desk(), client=client) as visitor:
        assert visitor.get("/errors/api/overview", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "sent", ["", "Bearer ", "Bearer wrong", "Bearer s3cret ", "s3cret", "Basic s3cret", "Bearer ß"]
)
def test_with_a_token_nobody_else_is_answered(sent: str) -> None:
    with browser(Desk(token="s3cret")) as visitor:
        answer = visitor.get("/errors/api/overview", headers={b"authorization": sent.encode()})
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_token_opens_the_desk_from_anywhere() -> None:
    with browser(Desk(token="s3cret"), "desk.example", "192.0.2.7") as visitor:
        assert (
            visitor.get("/errors/api/overview", headers={"authorization": "Bearer s3cret"}).status_code == 200
        )
        assert visitor.get("/errors/").status_code == 200


def test_the_desk_only_answers_questions(shown: tuple[TestClient, Failure]) -> None:
    client, _ = shown
    assert client.post("/errors/api/overview").status_code == 405
    assert client.delete("/errors/api/overview").status_code == 405


def test_a_failure_that_finds_no_room_is_counted_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, disk = Desk(), threading.Event()
    add = Store.add
    monkeypatch.setattr(Store, "add", lambda store, records: disk.wait() and add(store, records))
    failure = failing(NotFound("gone"))
    sent = desk._queue.maxsize + 2_000
    for _ in range(sent):
        desk.observe(failure)
    assert desk.dropped > 0
    disk.set()
    desk.flush()
    (group,) = desk.store.groups(Query())
    assert group["count"] + desk.dropped == sent


def test_a_desk_with_a_file_says_so(tmp_path: Path) -> None:
    with browser(Desk(tmp_path / "errors.db")) as client:
        assert client.get("/errors/api/overview").json()["storage"] == "file"


def test_a_thread_that_could_not_be_started_is_started_with_the_next_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    desk = Desk()
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            desk.observe(failing(NotFound("the first")))
    desk.observe(failing(NotFound("the second")))
    desk.flush()

    assert sum(group["count"] for group in desk.store.groups(Query())) == 2


def test_a_group_and_its_failures_have_the_same_title() -> None:
    failure = failing(KeyError("ord_9"))
    with browser(told(Desk(), failure)) as client:
        group = client.get(f"/errors/api/groups/{failure.fingerprint.exact}").json()

    assert (group["message"], group["failures"][0]["title"]) == ("KeyError: 'ord_9'", "KeyError: 'ord_9'")
