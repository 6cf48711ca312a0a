"""A URI template in, its variables or its fault out."""

from __future__ import annotations

import pytest

from mcp_error_middleware.lint.uri_template import fault, variables


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("shop://orders", []),
        ("shop://{order}/lines", ["order"]),
        ("shop://{path*}", ["path"]),
        ("shop://{+path}{?page,size}{&more}", ["path", "page", "size", "more"]),
        ("shop://{name:3}/{a.b}/{%41b}", ["name", "a.b", "%41b"]),
        ("shop://{été}", ["été"]),
    ],
)
def test_a_template_has_variables(template: str, names: list[str]) -> None:
    assert (fault(template), variables(template)) == ("", names)


@pytest.mark.parametrize(
    ("template", "wrong"),
    [
        ("shop://{id/data", "its braces do not match"),
        ("shop://id}/data", "its braces do not match"),
        ("shop://{{id}}", "its braces do not match"),
        ("shop://{}/data", "a variable has no name"),
        ("shop://{?}", "a variable has no name"),
        ("shop://{a,}", "a variable has no name"),
        ("shop://{a b}", "'a b' is no variable name"),
    ],
)
def test_what_is_no_template_has_a_fault(template: str, wrong: str) -> None:
    assert fault(template) == wrong
