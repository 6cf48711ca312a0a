"""`docs/lint-seeds.md` says of every id which rule it is, and is right."""

from __future__ import annotations

import re
from pathlib import Path

from mcp_error_middleware.lint import all_rules

PAGE = Path(__file__).parents[3] / "docs" / "lint-seeds.md"
ROW = re.compile(r"^\| `([a-z-]+)` \| (?:`([a-z-]+)` )?\| (\w*) ?\| (.*)\|$", re.MULTILINE)

IDS = frozenset(
    """
    format-parity format-parity-threw format-parity-walk-failed schema-is-object describe-on-fields
    schema-serializable schema-format-portability schema-anyof-needs-type schema-no-discriminator-keyword
    schema-no-defs schema-dialect-tag name-required name-format name-unique description-required
    handler-required auth-type auth-scope-format annotation-type annotation-coherence meta-ui-type
    meta-ui-resource-uri-required meta-ui-resource-uri-scheme app-tool-resource-pairing
    canvas-consumer-missing uri-template-required uri-template-valid resource-name-not-uri
    template-params-align generate-required server-json-type server-json-name-required
    server-json-name-length server-json-name-format server-json-description-required
    server-json-description-length server-json-version-required server-json-version-length
    server-json-version-no-range server-json-version-semver server-json-version-sync
    server-json-repository-type server-json-repository-url server-json-repository-source
    server-json-packages-type server-json-package-type server-json-package-registry
    server-json-package-identifier server-json-package-transport server-json-package-no-latest
    server-json-package-version-sync server-json-package-args-type server-json-runtime-args-type
    server-json-env-vars-type server-json-remotes-type server-json-remote-type
    server-json-remote-transport-type server-json-remote-no-stdio server-json-transport-type
    server-json-transport-type-value server-json-transport-url-required server-json-transport-url-format
    server-json-argument-type server-json-argument-type-value server-json-argument-name
    server-json-argument-value server-json-input-format server-json-env-var-type server-json-env-var-name
    server-json-env-var-description landing-shape landing-tagline-type landing-tagline-length
    landing-logo-type landing-logo-size landing-links-type landing-links-count landing-link-shape
    landing-link-href landing-link-label landing-repo-root-type landing-repo-root-shape
    landing-env-example-type landing-env-example-count landing-env-example-key landing-env-example-value
    landing-connect-snippets-type landing-connect-snippets-key landing-connect-snippets-value
    landing-connect-snippets-empty landing-theme-type landing-theme-accent landing-theme-accent-format
    prefer-mcp-error-in-handler prefer-error-factory preserve-cause-on-rethrow no-stringify-upstream-error
    error-contract-type error-contract-empty error-contract-entry-type error-contract-code-type
    error-contract-code-unknown error-contract-code-unknown-error error-contract-reason-required
    error-contract-reason-format error-contract-reason-unique error-contract-when-required
    error-contract-retryable-type error-contract-recovery-required error-contract-recovery-empty
    error-contract-recovery-min-words error-contract-conformance error-contract-prefer-fail
    enrichment-type enrichment-empty enrichment-field-type enrichment-output-collision
    enrichment-prefer-block enrichment-trailer-render enrichment-trailer-orphan
    enrichment-trailer-unknown-field capped-list-no-truncation
    """.split()
)
"""Every rule id of mcp-ts-core's linter."""


def test_every_id_has_its_line() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))

    assert sorted(id_ for id_, *_ in rows) == sorted(IDS)


def test_every_alias_has_its_line_and_every_line_its_rule() -> None:
    rows = {id_: (name, severity) for id_, name, severity, _ in ROW.findall(PAGE.read_text("utf-8"))}

    assert {id_: row for id_, row in rows.items() if row[0]} == {
        alias: (rule.name, rule.severity.value) for rule in all_rules().values() for alias in rule.aliases
    }


def test_an_id_without_a_rule_says_why() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))

    assert all(note.strip() for _, name, _, note in rows if not name)
