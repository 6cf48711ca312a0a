"""The desk in a real browser: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from opentelemetry.sdk.trace import TracerProvider
from starlette.applications import Starlette
from starlette.routing import Mount

from mcp_error_middleware import NotFound
from mcp_error_middleware.desk import Desk
from mcp_error_middleware.model import Call
from mcp_error_middleware.triage import Triage

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None and os.environ.get("BROWSER") != "all":
    pytest.skip("needs chromium: apt-get install chromium", allow_module_level=True)

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: make test installs it")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="make test installs it")

ATTACK = "<img src=x onerror=window.hacked=1> was not found"

SCREENS = [
    (width, height, scheme) for width, height in ((1400, 900), (390, 844)) for scheme in ("light", "dark")
]
LONG = "a_tool_whose_name_goes_on_and_on_" * 4


def fail(desk: Desk, exc: BaseException, tool: str) -> str:
    """One failure, on the desk; its id."""
    try:
        raise exc
    except BaseException as raised:
        failure = Triage()(raised, Call(target=tool, session_id="s1"))
    desk.observe(failure)
    desk.flush()
    return failure.error_id


@contextmanager
def serving(desk: Desk) -> Iterator[str]:
    """The desk's address, on a real server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = Starlette(routes=[Mount("/errors", desk)])
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}/errors/"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def desk() -> Iterator[tuple[Desk, str]]:
    desk = Desk(trace_url="http://localhost:16686/trace/{trace_id}")
    wrapped = RuntimeError("cannot price order 17")
    wrapped.__cause__ = ConnectionRefusedError(
        111, "connect postgresql://shop:hunter2@db.internal:5432 refused"
    )
    fail(desk, wrapped, "price_order")
    fail(desk, NotFound(ATTACK), "get_order")
    fail(desk, RuntimeError("x" * 600), LONG)
    with serving(desk) as address:
        yield desk, address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def screen_name(screen: tuple[int, int, str]) -> str:
    return f"{screen[0]} wide, {screen[2]}"


@pytest.fixture(params=[SCREENS[0], SCREENS[-1]], ids=screen_name)
def page(request: pytest.FixtureRequest, chromium: Any, desk: tuple[Desk, str]) -> Iterator[Any]:
    width, height, scheme = request.param
    page = chromium.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    complaints: list[str] = []
    page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(desk[1])
    page.wait_for_selector(".group")
    yield page
    assert complaints == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def problems(page: Any) -> list[tuple[str, str]]:
    """What axe-core finds: the rules of WCAG 2.2 AA and its best practices."""
    found = axe.Axe().run(page).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found]


@pytest.mark.parametrize("page", SCREENS, indirect=True, ids=screen_name)
def test_the_page_is_readable_by_everyone(page: Any) -> None:
    assert problems(page) == []
    page.click(".group.upstream")
    page.wait_for_selector("#detail h2")
    assert problems(page) == []
    page.keyboard.press("?")
    page.wait_for_selector("dialog#help[open]")
    assert problems(page) == []


def test_the_check_for_readers_can_fail(page: Any) -> None:
    page.evaluate("document.body.append(document.createElement('button'))")
    assert "button-name" in [rule for rule, _ in problems(page)]


def test_each_code_has_its_own_course_over_time(page: Any) -> None:
    rows = page.locator(".codes button")
    playwright.expect(rows.locator("span")).to_contain_text(["ServiceUnavailable"])
    assert rows.locator("svg rect").count() >= rows.count() >= 3
    assert page.inner_text("#pace") == "Failures per minute"
    page.select_option("#minutes", "15")
    playwright.expect(page.locator("#pace")).to_have_text("Failures per 15 seconds")


def test_the_chart_is_drawn_as_wide_as_it_is_shown(page: Any) -> None:
    chart = page.locator("#chart svg")
    for width in (page.viewport_size["width"], 700):
        page.set_viewport_size({"width": width, "height": 900})
        shown = page.evaluate("Math.round(document.getElementById('chart').clientWidth)")
        playwright.expect(chart).to_have_attribute("viewBox", re.compile(rf"^0 0 {shown} "))


def test_a_group_opens_with_its_causes_and_both_sides(page: Any) -> None:
    page.click(".group.upstream")
    page.wait_for_selector("#detail h2")
    assert [said.inner_text() for said in page.query_selector_all("#detail .type")] == [
        "RuntimeError",
        "ConnectionRefusedError",
    ]
    assert page.inner_text("#detail mark >> nth=0").startswith("[redacted:")
    assert "Recovery:" in page.inner_text("[aria-label='What the agent saw']")
    assert "hunter2" not in page.content()


def test_what_a_failure_says_is_shown_and_never_run(page: Any) -> None:
    assert ATTACK in page.inner_text(".group.caller")
    assert page.evaluate("window.hacked") is None


def test_filters_and_search_narrow_the_list(page: Any) -> None:
    groups = playwright.expect(page.locator(".group"))
    page.select_option("#fault", "caller")
    groups.to_have_count(1)
    page.select_option("#fault", "")
    page.fill("#text", "price_order")
    groups.to_have_text([re.compile("cannot price order 17")])
    page.fill("#text", "nothing like it")
    groups.to_have_count(0)


def test_filters_are_in_the_address_and_a_reload_keeps_them(page: Any, desk: tuple[Desk, str]) -> None:
    page.select_option("#target", LONG)
    playwright.expect(page.locator(".group")).to_have_count(1)
    page.reload()
    playwright.expect(page.locator(".group")).to_have_count(1)
    assert page.input_value("#target") == LONG
    page.goto(f"{desk[1]}?minutes=15&fault=upstream")
    playwright.expect(page.locator(".group.upstream").first).to_be_visible()
    assert page.locator(".group.caller").count() == 0
    assert page.input_value("#minutes") == "15"


def test_an_opened_failure_is_in_view(page: Any) -> None:
    page.locator(".group").last.click()
    page.wait_for_selector("#detail h2")
    playwright.expect(page.locator("#detail h2")).to_be_in_viewport()


def test_an_id_that_is_not_kept_is_said_in_view(chromium: Any, desk: tuple[Desk, str]) -> None:
    # Not in the fixture's page: a browser's console takes a 404 for an error.
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(desk[1])
    page.fill("#text", "0123456789ab")
    playwright.expect(page.get_by_text("No failure 0123456789ab is kept")).to_be_in_viewport()
    page.close()


def test_what_is_open_goes_on_counting(page: Any, desk: tuple[Desk, str]) -> None:
    page.click(".group.upstream >> nth=0")
    seen = page.locator("[data-of=count]")
    before = int(seen.inner_text().split()[0])
    fail_again(desk[0], page.get_attribute(".group[aria-current]", "data-fingerprint"))
    playwright.expect(seen).to_have_text(f"{before + 1} times")


def fail_again(desk: Desk, fingerprint: str) -> None:
    """The newest of a group, once more."""
    group = desk.store.group(fingerprint)
    assert group is not None
    desk.store.add([{**group["failures"][0], "error_id": secrets.token_hex(6), "time": time.time()}])


def test_a_new_failure_appears_by_itself_and_its_id_opens_it(page: Any, desk: tuple[Desk, str]) -> None:
    error_id = fail(desk[0], TimeoutError("late"), "pay")
    playwright.expect(page.locator("#groups")).to_contain_text("Timeout")
    page.fill("#text", error_id)
    page.wait_for_selector(f"#detail code >> text={error_id}")
    page.goto(f"{desk[1]}failures/{error_id}")
    page.wait_for_selector(f"#detail code >> text={error_id}")


def test_everything_can_be_done_from_the_keyboard(page: Any) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.className").startswith("group")
    page.keyboard.press("Enter")
    page.wait_for_selector("#detail h2")
    assert page.evaluate("document.activeElement.id") == "detail"
    page.keyboard.press("Escape")
    page.wait_for_selector("#detail", state="hidden")
    assert page.evaluate("document.activeElement.className").startswith("group")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog#help[open]")


def test_a_failure_within_a_trace_leads_to_it(page: Any, desk: tuple[Desk, str]) -> None:
    with TracerProvider().get_tracer("shop").start_as_current_span("tools/call pay") as span:
        error_id = fail(desk[0], TimeoutError("late"), "pay")
    page.goto(f"{desk[1]}failures/{error_id}")
    link = page.get_by_text("Open the trace")
    trace_id = f"{span.get_span_context().trace_id:032x}"
    playwright.expect(link).to_have_attribute("href", f"http://localhost:16686/trace/{trace_id}")
    playwright.expect(link).to_have_attribute("rel", "noreferrer")


def test_a_failure_is_saved_as_json(page: Any) -> None:
    page.click(".group.upstream")
    with page.expect_download() as saved:
        page.click("text=Export as JSON")
    assert saved.value.suggested_filename.startswith("failure-")


def test_a_desk_with_a_token_asks_for_it(chromium: Any) -> None:
    locked = Desk(token="s3cret")
    fail(locked, NotFound("gone"), "get_order")
    with serving(locked) as address:
        page = chromium.new_page()
        page.goto(address)
        page.fill("#token", "wrong")
        page.click("#door button")
        playwright.expect(page.locator("#door-said")).to_have_text("That was not it.")
        assert problems(page) == []
        page.fill("#token", "s3cret")
        page.click("#door button")
        page.wait_for_selector(".group")
        page.close()
