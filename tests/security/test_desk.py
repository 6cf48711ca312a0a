"""What a visitor of the desk can try: guessing, another site's page, a page of ours made to run theirs."""

from __future__ import annotations

import hmac
import re
from importlib.resources import files
from typing import Any

import pytest
from starlette.testclient import TestClient

from mcp_error_middleware import Call, NotFound
from mcp_error_middleware.desk import Desk, pages
from mcp_error_middleware.desk.pages import HEADERS
from mcp_error_middleware.triage import Triage

TOKEN = {"authorization": "Bearer s3cret"}
ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "'-alert(1)-'",
]


def visitor(desk: Desk, host: str = "desk.example", client: str = "192.0.2.7") -> TestClient:
    return TestClient(desk, base_url=f"http://{host}", client=(client, 50_000))


def test_an_error_id_cannot_be_guessed_and_opens_nothing_by_itself() -> None:
    ids = {Triage()(NotFound("gone")).error_id for _ in range(2_000)}
    assert len(ids) == 2_000
    # 48 random bits: each position takes every value.
    assert all({error_id[at] for error_id in ids} == set("0123456789abcdef") for at in range(12))

    desk = Desk(token="s3cret")
    failure = Triage()(NotFound("gone"))
    desk.observe(failure)
    desk.flush()
    assert visitor(desk).get(f"/api/failures/{failure.error_id}").status_code == 401
    assert visitor(desk).get(f"/api/failures/{failure.error_id}", headers=TOKEN).status_code == 200


@pytest.mark.parametrize("given", ["", "s", "s3cre", "s3cret-and-more", "S3CRET"])
def test_a_token_is_compared_in_a_time_that_says_nothing(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[Any, Any]] = []

    def compare(one: Any, other: Any) -> bool:
        compared.append((one, other))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr(pages, "hmac", type("", (), {"compare_digest": staticmethod(compare)}))
    answer = visitor(Desk(token="s3cret")).get("/api/overview", headers={"authorization": f"Bearer {given}"})
    assert answer.status_code == 401
    assert compared == [(given.encode(), b"s3cret")]


def test_a_token_may_have_any_letters() -> None:
    sent = "Bearer größe…".encode()

    answer = visitor(Desk(token="größe…")).get("/api/overview", headers={b"authorization": sent})

    assert answer.status_code == 200


def test_an_empty_token_is_none() -> None:
    """As `os.environ.get("DESK_TOKEN", "")` gives where nothing is set."""
    desk = Desk(token="")
    assert visitor(desk).get("/api/overview", headers={"authorization": "Bearer "}).status_code == 403
    assert visitor(desk).get("/api/overview").status_code == 403
    assert visitor(desk, "localhost", "127.0.0.1").get("/api/overview").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/api/overview", "//api/overview", "/./api/overview", "/api/overview/", "/static/../api/overview"],
)
def test_no_spelling_of_a_path_goes_round_the_token(path: str) -> None:
    answer = visitor(Desk(token="s3cret")).get(path, follow_redirects=False)
    assert answer.status_code in (401, 404, 307)
    assert "groups" not in answer.text


@pytest.mark.parametrize(
    "asked",
    ["minutes=" + "9" * 5_000, "minutes=-1", "code=" + "x" * 60_000, "text=%00%ff", "target=' OR 1=1"],
)
def test_no_question_breaks_the_desk(asked: str) -> None:
    answer = visitor(Desk(token="s3cret")).get(f"/api/overview?{asked}", headers=TOKEN)
    assert (answer.status_code, answer.json()["groups"]) == (200, [])


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_another_sites_page_can_change_nothing(method: str) -> None:
    """There is nothing to change: the desk answers questions, and no cookie lets anybody in."""
    desk = Desk(token="s3cret")
    answer = visitor(desk).request(
        method, "/api/overview", headers={**TOKEN, "origin": "http://evil.example"}
    )
    assert answer.status_code == 405
    assert "set-cookie" not in answer.headers


def test_another_sites_page_can_read_nothing() -> None:
    answer = visitor(Desk(token="s3cret")).get(
        "/api/overview", headers={**TOKEN, "origin": "http://evil.example"}
    )
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    # Nor may its name point here.
    rebound = visitor(Desk(), "evil.example", "127.0.0.1").get("/api/overview")
    assert rebound.status_code == 403


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_failed_reaches_the_page_as_data_only(attack: str) -> None:
    desk = Desk(token="s3cret")
    failure = Triage()(NotFound(attack), Call(target=attack, session_id=attack))
    desk.observe(failure)
    desk.flush()
    client = visitor(desk)
    for path in (
        "/api/overview",
        f"/api/failures/{failure.error_id}",
        f"/api/groups/{failure.fingerprint.exact}",
    ):
        answer = client.get(path, headers=TOKEN)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert attack not in client.get("/").text
    echoed = client.get(f"/api/failures/{attack.replace('/', '')}", headers=TOKEN)
    assert (echoed.status_code, echoed.headers["content-type"]) == (404, "application/json")


def test_a_permalink_leads_nowhere_else() -> None:
    client = visitor(Desk(token="s3cret"))
    for error_id in ("%0d%0aset-cookie:x=1", "https:%2f%2fevil.example", "javascript:alert(1)"):
        answer = client.get(f"/failures/{error_id}", follow_redirects=False)
        assert answer.headers.get("location", "/#/failure/").startswith("/#/failure/")
        assert "set-cookie" not in answer.headers


def test_the_page_makes_no_markup_of_data_and_its_policy_would_not_let_it() -> None:
    script = files("mcp_error_middleware.desk").joinpath("static", "desk.js").read_text("utf-8")
    ways = r"(?:inner|outer|Adjacent)HTML|document\.write|\beval\(|new Function|srcdoc|\.on\w+ ?= ?[\"'`]"
    assert re.findall(ways, script) == []
    page = files("mcp_error_middleware.desk").joinpath("static", "index.html").read_text("utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)|\son\w+=|style=|javascript:", page) == []
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy.split("; "))
