"""Every block of the documentation is true, every table fresh, every link good.

A page is run as a reader would: a block with a title is a file, the other Python blocks are one program, then
the commands. A `text` or `json` block is what the block before it prints.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
import yaml

import mcp_error_middleware
from docs.tables import MARKED, TABLES, renewed
from mcp_error_middleware import client, testing
from mcp_error_middleware.taxonomy import BY_LABEL

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
PAGES: Final = sorted(DOCS.rglob("*.md"))
OLD: Final = ROOT / ".venv-old/bin/python"
"""Where the older lines of the SDKs are (`make stacks`)."""

BLOCK: Final = re.compile(r'^ *```(\w+)(?: title="([^"]+)")?\n(.*?)^ *```$', re.DOTALL | re.MULTILINE)
LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
IDS: Final = re.compile(r"\b[0-9a-f]{12,32}\b")
CUT: Final = "\x1e"
SHOWN: Final = ("text", "json")
PROGRAMS: Final = {"mcp-error-middleware": ("-m", "mcp_error_middleware"), "python": ()}
NOT_RUN: Final = ("pip install ", "docker compose ", "kubectl ")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    title: str
    text: str

    @property
    def is_program(self) -> bool:
        return self.language == "python" and not self.title


def blocks(page: Path) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(page.read_text("utf-8"))]


def name(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix("").as_posix()


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who does what a page says, in an empty folder."""

    folder: Path
    python: str

    def program(self, texts: list[str]) -> list[str]:
        """What each of the blocks prints."""
        source = self.folder / "program.py"
        source.write_text(f"print({CUT!r})\n".join(texts), "utf-8")
        done = self._run(source.name)
        assert done.returncode == 0, done.stderr
        return done.stdout.split(CUT + "\n")

    def command(self, line: str) -> str:
        """What a command prints; of `make` it is enough that there is such a target."""
        words = shlex.split(line)
        settings = dict(word.split("=", 1) for word in takewhile(lambda word: "=" in word, words))
        first, *rest = words[len(settings) :]
        if first == "make":
            subprocess.run(["make", *rest, "--dry-run"], cwd=ROOT, capture_output=True, check=True)
            return ""
        done = self._run(*PROGRAMS[first], *rest, **settings)
        # 1 is for a finding, which is then told.
        assert done.returncode == 0 or (done.returncode == 1 and done.stdout), done.stderr
        return done.stdout

    def _run(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        ours = ("MCP_ERRORS_", "OTEL_")
        environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return subprocess.run(
            [self.python, *words],
            cwd=self.folder,
            env={**environ, "PYTHONPATH": str(ROOT), **settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=55,
            check=False,
        )


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=name)
def test_a_page_is_true(page: Path, tmp_path: Path) -> None:
    found = blocks(page)
    is_old = page.stem == "mcp-1"
    if is_old and not OLD.exists():
        pytest.skip("the older SDKs are not there; run `make stacks`")
    reader = Reader(tmp_path, str(OLD) if is_old else sys.executable)
    for block in found:
        if block.title:
            (tmp_path / block.title).write_text(block.text, "utf-8")
    printed = {**run_programs(reader, found), **run_commands(reader, found)}

    for before, shown in pairwise(range(len(found))):
        if found[shown].language in SHOWN:
            assert same(found[shown].text) == same(printed[before]), found[before].text


def run_programs(reader: Reader, found: list[Block]) -> dict[int, str]:
    steps = {at: block.text for at, block in enumerate(found) if block.is_program}
    return dict(zip(steps, reader.program([*steps.values()]), strict=True)) if steps else {}


def run_commands(reader: Reader, found: list[Block]) -> dict[int, str]:
    steps = {at: block.text.splitlines() for at, block in enumerate(found) if block.language == "sh"}
    return {
        at: "".join(reader.command(line) for line in lines if not line.startswith(NOT_RUN))
        for at, lines in steps.items()
    }


def same(text: str) -> str:
    """Without the ids, which differ from run to run."""
    return IDS.sub("<id>", text).strip()


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    checked = {"python", "sh", "toml", "yaml", *SHOWN}

    assert {block.language for page in PAGES for block in blocks(page)} <= checked
    assert [name(page) for page in PAGES if fences(page) != 2 * len(blocks(page))] == []


def fences(page: Path) -> int:
    return len(re.findall(r"^ *```", page.read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_settings_can_be_read(page: Path) -> None:
    for block in blocks(page):
        if block.language == "toml":
            assert tomllib.loads(block.text)
        if block.language == "yaml":
            assert yaml.safe_load(block.text)
        if block.language == "json":
            assert json.loads(block.text)


@pytest.mark.parametrize("page", [page for page in PAGES if MARKED.search(page.read_text())], ids=name)
def test_a_table_is_made_from_the_code(page: Path) -> None:
    assert renewed(page.read_text("utf-8")) == page.read_text("utf-8"), "run `python -m docs.tables`"


@pytest.mark.parametrize("table", TABLES)
def test_every_row_of_a_table_says_something(table: str) -> None:
    rows = [line for line in TABLES[table]().splitlines() if line.startswith("| ")]

    assert [row for row in rows if row.endswith(("|  |", "| None |"))] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_link_leads_somewhere(page: Path) -> None:
    missing = [link for link in links(page) if not leads(page, link)]

    assert missing == []


def links(page: Path) -> Iterator[str]:
    prose = BLOCK.sub("", (ROOT / page).read_text("utf-8"))
    return (link for link in LINK.findall(prose) if not link.startswith("https://"))


def leads(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.is_file() and (not anchor or target.suffix != ".md" or anchor in anchors(target))


def anchors(page: Path) -> set[str]:
    """As the site makes them of headings."""
    text = page.read_text("utf-8")
    for included in re.findall(r'^--8<-- "(.+)"$', text, re.MULTILINE):
        text += (ROOT / included).read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {_anchor(heading) for heading in headings}


def _anchor(heading: str) -> str:
    if given := re.search(r"\{ ?#(\S+) ?\}$", heading):
        return given[1]
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def test_the_navigation_has_every_page_once() -> None:
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))

    assert sorted(pages_of(site["nav"])) == [page.relative_to(DOCS).as_posix() for page in PAGES]


def pages_of(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
        return
    for part in nav.values() if isinstance(nav, dict) else nav:
        yield from pages_of(part)


@pytest.mark.parametrize(
    "module", [mcp_error_middleware, client, testing], ids=lambda module: module.__name__
)
def test_the_reference_has_every_public_name(module: ModuleType) -> None:
    described = set(re.findall(r"^::: \S+\.(\w+)$", (DOCS / "reference.md").read_text("utf-8"), re.MULTILINE))

    assert set(module.__all__) - described - BY_LABEL.keys() == set()


@pytest.mark.parametrize(
    "page",
    [page.relative_to(ROOT).as_posix() for page in PAGES] + ["deploy/runbook.md", "CHANGELOG.md"],
)
def test_a_list_stands_apart_so_that_the_site_shows_one(page: str) -> None:
    prose = BLOCK.sub("", (ROOT / page).read_text("utf-8"))
    item = re.compile(r"(?:- |\d+\. )")
    run_together = [
        line
        for before, line in pairwise(prose.splitlines())
        if item.match(line) and before.strip() and not item.match(before) and not before.startswith("  ")
    ]

    assert run_together == []


def test_nothing_is_loaded_from_elsewhere() -> None:
    loaded = re.compile(r'(?:src|href)="https?:|@import|url\(https?:|!\[[^\]]*\]\(https?:')
    sources = [path for path in DOCS.rglob("*") if path.suffix in {".md", ".css", ".svg", ".html"}]

    assert [path.name for path in sources if loaded.search(path.read_text("utf-8"))] == []


def test_every_picture_is_shown() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)

    assert [path.name for path in (DOCS / "pictures").iterdir() if path.name not in text] == []


def test_every_middleware_that_is_offered_is_promised_and_explained() -> None:
    named = re.findall(r"\badapters(?:\.| import )([\w, ]*\w)", (ROOT / "README.md").read_text("utf-8"))
    offered = {f"adapters.{name}" for names in named for name in names.split(", ")}
    promise, reference = (
        (ROOT / "docs" / page).read_text("utf-8") for page in ("versions.md", "reference.md")
    )

    assert len(offered) == 3
    assert [each for each in offered if each not in promise] == []
    assert [each for each in offered if each not in reference] == []
