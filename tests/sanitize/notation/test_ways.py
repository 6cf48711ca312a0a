"""Every way to put a value behind a name is the one that reads its example."""

from __future__ import annotations

import re

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.keys import Sensitive
from mcp_error_middleware.sanitize.notation.model import Name
from mcp_error_middleware.sanitize.notation.ways import WAYS, Way, value_of

NAMES = re.compile(
    r"(?P<secret>credentials)|(?P<foreign>salasana|пароль|密码|パスワード)"
    r"|(?P<password>passwords?|setPassword|get_password|api_key|seed phrase|requirepass)",
    re.IGNORECASE,
)


def _name(text: str) -> Name:
    found = NAMES.search(text)
    assert found
    kind = "secret" if found["secret"] else "password"
    return Name(*found.span(), Sensitive(kind, numeric=True, foreign=bool(found["foreign"])))


@pytest.mark.parametrize("way", WAYS, ids=[way.example[:40] for way in WAYS])
def test_every_way_is_the_one_that_reads_its_example(way: Way) -> None:
    name = _name(way.example)

    assert next(other for other in WAYS if other.match(way.example, name)) is way
    value = value_of(way.example, name)
    assert value
    assert way.example[value.start : value.end] in ("Otter-Lake9", "'Otter-Lake9', 'y'", "Otter-Lake9 y") or (
        "phrase" in way.example
    )


@pytest.mark.parametrize("way", WAYS, ids=[way.example[:40] for way in WAYS])
def test_what_is_put_behind_a_name_in_any_way_does_not_leave(way: Way) -> None:
    clean = sanitize_text(way.example)

    assert "Otter-Lake9" not in clean
    assert "army van" not in clean
