from __future__ import annotations

from pathlib import Path

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.finders.paths import own_roots


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("cannot read /home/alice/in/report.csv", "cannot read [redacted:path]/report.csv"),
        ("cannot read /home/alice/.ssh/id_rsa", "cannot read [redacted:path]"),
        ("cannot read '/Users/jane/My Files/a.txt'", "cannot read '[redacted:path]/a.txt'"),
        ("/Users/John Smith/x/a.txt is open", "[redacted:path]/a.txt is open"),
        ("open /etc/app/credentials.json", "open [redacted:path]"),
        ("see **/etc/app/a.yaml**", "see **[redacted:path]/a.yaml**"),
        ("file:///srv/{x}/a.yaml is a template", "[redacted:path]}/a.yaml is a template"),
        ("C:\\Users\\jane\\report.xlsx is open", "[redacted:path]\\report.xlsx is open"),
        ("\\\\files\\share\\report.xlsx", "[redacted:path]\\report.xlsx"),
    ],
)
def test_the_directories_go_and_a_plain_file_name_stays(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("moved C:\\in\\a.csv to /srv/x/b.csv", "moved [redacted:path]\\a.csv to [redacted:path]/b.csv"),
        ("C:\\in\\a.csv and D:\\out\\b.csv", "[redacted:path]\\a.csv and [redacted:path]\\b.csv"),
        ("cp C:\\in\\a.csv /srv/x/b.csv", "cp [redacted:path]\\a.csv [redacted:path]/b.csv"),
        ("\\\\FS\\fin\\a.xlsx to C:\\in\\b.exe", "[redacted:path]\\a.xlsx to [redacted:path]\\b.exe"),
        ("C:\\in\\a.csv to \\\\FS\\fin\\b.xlsx", "[redacted:path]\\a.csv to [redacted:path]\\b.xlsx"),
        ("C:\\Users\\Tom and Ann\\to do\\a.csv", "[redacted:path]\\a.csv"),
        ("C:\\Users\\Tom Ann /x/y/a.csv", "[redacted:path]/a.csv"),
    ],
)
def test_two_paths_in_one_sentence_are_two(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("文件/etc/shop/api.conf不存在", "文件[redacted:path]/api.conf不存在"),
        ("ファイル「/home/eve/.ssh/id_rsa」がありません", "ファイル「[redacted:path]」がありません"),
        ("文件：/etc/shop。请检查", "文件：[redacted:path]。请检查"),
        ("/home/kim/「重要」資料。次/x.pdf", "[redacted:path]/x.pdf"),
        ("/home/kim/計画書.pdf", "[redacted:path]"),
        ("文件/Users/kim/a.conf不存在", "文件[redacted:path]/a.conf不存在"),
    ],
)
def test_the_words_of_a_script_without_spaces_stay_beside_a_path(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "GET /v1/orders/42", "/api/users/{id}", "/items/0/price", "/data/attributes/name",
        "src/app.py", "./in.csv", "and/or", "1/2", "2024/01/02", "text/html", "GET /data/users",
        "https://example.com/home/user/x", "/dev/null",
        "GET /Users/2819c223-7f76-453a-919d-413861904646", "the route '/app/settings' is unknown",
        "C: is full", "/api/v1/report.csv", "see /docs/errors.html", "file:///{path} is a template",
        r"..\\packages\\shop\\lib is missing", "**/home/*.css", "**/tmp/x/**", "**/etc/a.yaml",
    ],
)  # fmt: skip
def test_paths_of_the_web_of_json_and_relative_ones_stay(text: str) -> None:
    assert sanitize_text(text) == text


def test_where_this_process_lives_is_no_path_of_the_web() -> None:
    assert own_roots(["/depot/shop/app.py", "/depot", "/api/server", "/", "C:\\shop", "shop"]) == {"depot"}


def test_a_path_in_the_home_of_this_process_goes_without_a_file_name() -> None:
    assert sanitize_text(f"{Path(__file__).parent}/x") == "[redacted:path]"


def test_a_share_ends_where_its_file_does() -> None:
    said = sanitize_text(r"Access to \\nas\hr department\report.xlsx failed with error 5")
    assert said == r"Access to [redacted:path]\report.xlsx failed with error 5"
