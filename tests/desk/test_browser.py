"""The desk in a real browser: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
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

ATTACK = "<img src=x onerror=window.hacked=1> was not found"

CHECKS = """() => {
  const problems = [];
  const name = (e) => (e.getAttribute("aria-label") || e.textContent || e.title || "").trim()
    || (e.labels && e.labels.length ? e.labels[0].textContent : "");
  for (const e of document.querySelectorAll("button, a[href], input, select"))
    if (e.offsetParent && !name(e)) problems.push("no name: " + e.outerHTML.slice(0, 80));
  for (const e of document.querySelectorAll("img:not([alt])")) problems.push("no alt: " + e.outerHTML);
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push("twice: " + id);
  if (!document.documentElement.lang) problems.push("no lang");
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const f = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const [r, g, b, a = 1] = rgb(getComputedStyle(e).backgroundColor);
      if (a > 0.99) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.offsetParent || e.closest("option, .skip")) continue;
    const [one, other] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) problems.push(contrast.toFixed(1) + ": " + walker.currentNode.data.slice(0, 40));
  }
  return [...new Set(problems)];
}"""


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
    with serving(desk) as address:
        yield desk, address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[(1400, 900, "light"), (390, 844, "dark")], ids=["desktop, light", "phone, dark"])
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


def test_the_page_is_readable_by_everyone(page: Any) -> None:
    page.click(".group.upstream")
    page.wait_for_selector("#detail h2")
    assert page.evaluate(CHECKS) == []


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
    page.keyboard.press("Escape")
    page.wait_for_selector("#detail", state="hidden")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog#help[open]")


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
        page.fill("#token", "s3cret")
        page.click("#door button")
        page.wait_for_selector(".group")
        page.close()
