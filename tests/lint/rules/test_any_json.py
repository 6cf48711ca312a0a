"""Whatever a server advertises or a manifest holds, no rule breaks on it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_error_middleware.lint import Catalogue, Definition, Location, Manifest, Rule, all_rules
from mcp_error_middleware.lint.documents import from_listing

WORDS = """name title description inputSchema outputSchema annotations uri uriTemplate mimeType _meta type
arguments object array string properties required items anyOf oneOf $ref $defs format enum const #/$defs/a ui
resourceUri readOnlyHint destructiveHint limit version latest packages transport url remotes headers variables
repository environmentVariables packageArguments positional named value canvas_id ui://a {a}""".split()

words = st.sampled_from(WORDS)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=25,
)
entries = st.lists(st.dictionaries(words, values, max_size=8) | values, max_size=3)
listings = st.fixed_dictionaries(
    {"tools": entries, "resources": entries, "resourceTemplates": entries, "prompts": entries}
)
HERE = Location("here")


def rules(subject: type) -> list[Any]:
    found = [rule for rule in all_rules().values() if rule.subject is subject]
    return [pytest.param(rule, id=rule.name) for rule in found]


def deep(depth: int = 1_000) -> Any:
    schema: Any = {"type": "array"}
    for _ in range(depth):
        schema = {"anyOf": [{"properties": {"a": schema}}]}
    return schema


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(listings)
def test_no_rule_breaks_on_what_a_server_advertises(listing: dict[str, Any]) -> None:
    every = [*from_listing(listing, HERE, "here")]
    for param in rules(Definition):
        for definition in every:
            assert all(each.message for each in param.values[0](definition))
    for param in rules(Catalogue):
        assert all(each.message for each in param.values[0](Catalogue("here", tuple(every), HERE)))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values | st.dictionaries(words, values, max_size=8))
def test_no_rule_breaks_on_a_manifest(data: Any) -> None:
    for param in rules(Manifest):
        assert all(each.message for each in param.values[0](Manifest(data, HERE, project_version="1.0.0")))


@pytest.mark.parametrize("rule", rules(Definition))
def test_no_rule_breaks_on_a_schema_a_thousand_deep(rule: Rule) -> None:
    entry = {"name": "ship", "description": "Ship.", "inputSchema": deep(), "outputSchema": deep()}
    (tool,) = from_listing({"tools": [entry]}, HERE, "here")

    assert len([*rule(tool)]) < 1_000
