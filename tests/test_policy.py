import re
from typing import Any

import pytest

from mcp_error_middleware.policy import ErrorPolicy, Exposure
from mcp_error_middleware.render import Format
from mcp_error_middleware.sanitize import Pattern
from mcp_error_middleware.triage import Triage


def test_the_environment_sets_every_plain_value() -> None:
    environ = {
        "MCP_ERRORS_EXPOSURE": "declared",
        "MCP_ERRORS_FORMAT": "toolerror",
        "MCP_ERRORS_TAXONOMY_NUMBERS": "true",
        "MCP_ERRORS_WIDEN_OUTPUT_SCHEMA": "1",
        "MCP_ERRORS_CAPTURE_BODY": "off",
        "MCP_ERRORS_BODY_LIMIT": "64",
        "MCP_ERRORS_TEXT_LIMIT": "300",
        "MCP_ERRORS_LOG": "false",
        "MCP_ERRORS_DOCS_URL": "https://example.com/errors",
        "HOME": "ignored",
    }

    assert ErrorPolicy.from_env(environ) == ErrorPolicy(
        exposure=Exposure.DECLARED,
        format=Format.TOOLERROR,
        taxonomy_numbers=True,
        widen_output_schema=True,
        capture_body=False,
        body_limit=64,
        text_limit=300,
        log=False,
        docs_url="https://example.com/errors",
    )


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert ErrorPolicy.from_env({"MCP_ERRORS_LOG": "", "MCP_ERRORS_EXPOSURE": ""}) == ErrorPolicy()


def test_nothing_in_the_environment_is_the_default() -> None:
    assert ErrorPolicy.from_env({}) == ErrorPolicy()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("EXPOSURE", "everything", "MCP_ERRORS_EXPOSURE is 'everything'; use one of declared, caller, all."),
        ("FORMAT", "xml", "MCP_ERRORS_FORMAT is 'xml'; use one of default, toolerror, envelope."),
        ("LOG", "maybe", "MCP_ERRORS_LOG is 'maybe'; use true or false."),
        ("BODY_LIMIT", "-1", "MCP_ERRORS_BODY_LIMIT is '-1'; use a whole number of zero or more."),
        ("BODY_LIMIT", "many", "MCP_ERRORS_BODY_LIMIT is 'many'; use a whole number of zero or more."),
    ],
)
def test_a_value_that_makes_no_sense_says_which_do(name: str, value: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ErrorPolicy.from_env({f"MCP_ERRORS_{name}": value})


def test_a_misspelt_setting_names_the_known_ones() -> None:
    with pytest.raises(
        ValueError,
        match=r"^MCP_ERRORS_EXPOSURES is not a setting; use one of MCP_ERRORS_ADVERTISE_CONTRACTS, ",
    ):
        ErrorPolicy.from_env({"MCP_ERRORS_EXPOSURES": "all"})


def test_plain_strings_are_as_good_as_the_enums() -> None:
    assert ErrorPolicy(exposure="all", format="envelope") == ErrorPolicy(  # type: ignore[arg-type]
        exposure=Exposure.ALL, format=Format.ENVELOPE
    )


def test_a_body_that_is_not_captured_has_no_room() -> None:
    assert ErrorPolicy(capture_body=False).limits.body == 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"hints_by_code": {"NOT_FOUND": "List the orders first."}},
            "'NOT_FOUND' in hints_by_code is no code",
        ),
        ({"contracts": {"ship": 5}}, "What contracts has for 'ship' is no contract"),
        ({"body_limit": -1}, "body_limit is -1; use a whole number"),
        ({"text_limit": "long"}, "text_limit is 'long'; use a whole number"),
        (
            {"extra_patterns": (Pattern("staff", re.compile(r"\bE-\d{4}\b"), ("X-",), "E-1234", "E-12"),)},
            "The pattern 'staff' does not find its example 'E-1234'; mend its regex, its literals",
        ),
        (
            {"extra_patterns": (Pattern("staff", re.compile(r"\bE-\d+\b"), ("E-",), "E-1234", "E-12"),)},
            "The pattern 'staff' finds its near miss 'E-12', which should stay; make its regex narrower",
        ),
    ],
    ids=lambda said: said if isinstance(said, str) else repr(said)[:40],
)
def test_a_setting_that_could_never_count_is_refused_with_what_to_write(
    settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        ErrorPolicy(**settings)


def test_the_literals_of_a_pattern_count_in_any_case() -> None:
    staff = Pattern("staff", re.compile(r"\bE-\d{4}\b"), ("E-",), "E-1234", "E-12")

    failure = Triage(ErrorPolicy(extra_patterns=(staff,)))(ValueError("no desk for E-1234"))

    assert failure.message == "no desk for [redacted:staff]"


async def _awaited(failure: object) -> None: ...


class _Awaited:
    async def __call__(self, failure: object) -> None: ...


AWAITED = _Awaited()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"exposure": "zzz"}, "exposure is 'zzz'; use one of declared, caller, all."),
        ({"format": 3}, "format is 3; use one of default, toolerror, envelope."),
        ({"silent_failures": None}, "silent_failures is None; use one of off, record, rewrite."),
        (
            {"locale": 3},
            "'3' is not a language of the built-in texts; use one of de, en, es, fr, ja, pt, zh.",
        ),
        ({"rules": (3,)}, "rules is (3,); use a tuple of functions that are called with an exception."),
        ({"observers": (3,)}, "observers is (3,); use a tuple of functions that are called with a failure."),
        (
            {"observers": len},
            f"observers is {len!r}; use a tuple of functions that are called with a failure.",
        ),
        (
            {"observers": (_awaited,)},
            f"observers has {_awaited!r} in it, which nobody would await; use a plain function.",
        ),
        (
            {"observers": (AWAITED,)},
            f"observers has {AWAITED!r} in it, which nobody would await; use a plain function.",
        ),
        ({"extra_patterns": ("E-",)}, "extra_patterns has 'E-' in it; use a Pattern."),
        ({"extra_patterns": None}, "extra_patterns is None; use a tuple of patterns."),
        ({"extra_keys": "pin"}, "extra_keys is 'pin'; use a set of names."),
        ({"extra_keys": {7}}, "extra_keys is {7}; use a set of names."),
        ({"capture_body": "false"}, "capture_body is 'false'; use True or False."),
        ({"console": "no"}, "console is 'no'; use True, False or None."),
        ({"body_limit": True}, "body_limit is True; use a whole number of zero or more."),
        ({"docs_url": 3}, "docs_url is 3; use a text or None."),
        ({"hints_by_reason": None}, "hints_by_reason is None; use a mapping of names to sentences."),
        (
            {"hints_by_tool": {"ship": 3}},
            "hints_by_tool is {'ship': 3}; use a mapping of names to sentences.",
        ),
        ({"hints_by_code": ["x"]}, "hints_by_code is ['x']; use a mapping of names to sentences."),
        ({"contracts": None}, "contracts is None; use a mapping of names to contracts."),
    ],
    ids=str,
)
def test_a_setting_of_the_wrong_kind_says_what_may_be_given(settings: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(words)}$"):
        ErrorPolicy(**settings)
