"""The codes and their traits: the table is complete, and says what its sources say."""

from __future__ import annotations

import re

import pytest

from mcp_error_middleware.taxonomy import (
    BY_CATEGORY,
    BY_KIND,
    BY_LABEL,
    BY_REGISTRY,
    BY_TYPE,
    MODERN,
    STANDARD_WIRE_CODES,
    TRAITS,
    Category,
    ErrorCode,
    ErrorKind,
    ErrorType,
    Fault,
    http_status_to_code,
    may_leave,
    wire_code,
)

NUMBERS = {
    "ParseError": -32700,
    "InvalidRequest": -32600,
    "MethodNotFound": -32601,
    "InvalidParams": -32602,
    "InternalError": -32603,
    "ServiceUnavailable": -32000,
    "NotFound": -32001,
    "Conflict": -32002,
    "RateLimited": -32003,
    "Timeout": -32004,
    "Forbidden": -32005,
    "Unauthorized": -32006,
    "ValidationError": -32007,
    "ConfigurationError": -32008,
    "InitializationFailed": -32009,
    "DatabaseError": -32010,
    "SerializationError": -32070,
    "UnknownError": -32099,
}

STATUSES = {
    400: "InvalidParams",
    401: "Unauthorized",
    **dict.fromkeys((402, 403), "Forbidden"),
    404: "NotFound",
    **dict.fromkeys((408, 425, 504), "Timeout"),
    **dict.fromkeys((409, 423, 424), "Conflict"),
    422: "ValidationError",
    **dict.fromkeys((420, 429), "RateLimited"),
    **dict.fromkeys((405, 406, 410, 412, 415, 416, 417, 428, 431, 451, 418, 499), "InvalidRequest"),
    **dict.fromkeys((500, 501), "InternalError"),
    **dict.fromkeys((502, 503, 505, 507, 511, 520, 529, 599), "ServiceUnavailable"),
}

REGISTRY = {
    "VALIDATION_ERROR", "INVALID_FORMAT", "MISSING_REQUIRED", "VALUE_OUT_OF_RANGE",
    "AUTHENTICATION_REQUIRED", "INVALID_CREDENTIALS", "TOKEN_EXPIRED",
    "PERMISSION_DENIED", "QUOTA_EXCEEDED",
    "RESOURCE_NOT_FOUND", "RESOURCE_ALREADY_EXISTS", "RESOURCE_CONFLICT",
    "RATE_LIMIT_EXCEEDED",
    "INTERNAL_ERROR", "SERVICE_UNAVAILABLE", "DEPENDENCY_FAILED",
}  # fmt: skip

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2026-12-15", None]
FORBIDDEN = {-32002, -32042, -32070, -32099}


def is_modern(version: str | None) -> bool:
    return version is None or version >= "2026-07-28"


# --- the table ---------------------------------------------------------------------------------


def test_numbers_and_labels_are_the_taxonomys_own() -> None:
    assert {code.label: int(code) for code in ErrorCode} == NUMBERS


def test_every_code_has_its_row() -> None:
    assert set(TRAITS) == set(ErrorCode)
    assert all(code.traits is TRAITS[code] for code in ErrorCode)


@pytest.mark.parametrize("code", ErrorCode)
def test_every_column_is_filled_in(code: ErrorCode) -> None:
    columns = code.traits._asdict()
    assert {name: type(value) for name, value in columns.items()} == {
        "label": str,
        "category": Category,
        "type": ErrorType,
        "kind": ErrorKind,
        "fault": Fault,
        "retryable": bool,
        "status": int,
        "wire": int,
        "registry": str,
        "hint": str,
        "message": str,
    }
    assert all(value != "" for value in columns.values())


@pytest.mark.parametrize("code", ErrorCode)
def test_every_hint_is_one_sentence_of_five_words_or_more(code: ErrorCode) -> None:
    hint = code.traits.hint
    assert re.fullmatch(r"[A-Z][^.!?\n]*\.", hint)
    assert len(hint.split()) >= 5


@pytest.mark.parametrize("code", ErrorCode)
def test_every_message_is_one_sentence(code: ErrorCode) -> None:
    assert re.fullmatch(r"[A-Z][^.!?\n]*\.", code.traits.message)


@pytest.mark.parametrize("code", ErrorCode)
def test_every_number_is_one_its_channel_knows(code: ErrorCode) -> None:
    assert code.traits.wire in STANDARD_WIRE_CODES
    assert 400 <= code.traits.status <= 599
    assert code.traits.registry in BY_REGISTRY


@pytest.mark.parametrize("code", ErrorCode)
def test_names_are_spelt_alike(code: ErrorCode) -> None:
    assert code.traits.name == code.name.lower()
    assert code.traits.name.replace("_", "") == code.label.lower()


def test_upstream_faults_are_the_retryable_ones() -> None:
    upstream = {"ServiceUnavailable", "RateLimited", "Timeout"}
    assert {code.label for code in ErrorCode if code.traits.fault is Fault.UPSTREAM} == upstream
    assert {code.label for code in ErrorCode if code.traits.retryable} == upstream


def test_server_faults_are_the_ones_nobody_outside_can_mend() -> None:
    assert {code.label for code in ErrorCode if code.traits.fault is Fault.SERVER} == {
        "InternalError",
        "UnknownError",
        "DatabaseError",
        "ConfigurationError",
        "InitializationFailed",
        "SerializationError",
    }


def test_a_row_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        ErrorCode.NOT_FOUND.traits.status = 500  # type: ignore[misc]
    with pytest.raises(TypeError):
        TRAITS[ErrorCode.NOT_FOUND] = TRAITS[ErrorCode.CONFLICT]  # type: ignore[index]


# --- the other vocabularies --------------------------------------------------------------------


def test_a_label_leads_back_to_its_code() -> None:
    assert dict(BY_LABEL) == {code.label: code for code in ErrorCode}


def test_every_type_has_a_code_of_that_type() -> None:
    assert {type_: code.traits.type for type_, code in BY_TYPE.items()} == {t: t for t in ErrorType}


def test_every_kind_has_a_code_of_that_kind() -> None:
    assert {kind: code.traits.kind for kind, code in BY_KIND.items()} == {k: k for k in ErrorKind}


def test_every_category_has_a_code_of_that_category() -> None:
    assert {category: code.traits.category for category, code in BY_CATEGORY.items()} == {
        c: c for c in Category
    }


def test_every_value_of_a_vocabulary_is_used() -> None:
    rows = TRAITS.values()
    assert {row.type for row in rows} == set(ErrorType)
    assert {row.kind for row in rows} == set(ErrorKind)
    assert {row.category for row in rows} == set(Category)
    assert {row.fault for row in rows} == set(Fault)


def test_the_vocabularies_are_the_sources_own() -> None:
    assert set(BY_REGISTRY) == REGISTRY
    assert {t.value for t in ErrorType} == {
        "NOT_FOUND", "CONFLICT", "VALIDATION", "PERMISSION", "TRANSIENT", "INTERNAL",
    }  # fmt: skip
    assert {k.value for k in ErrorKind} == {
        "validation", "not_found", "unauthorized", "forbidden",
        "conflict", "rate_limit", "external", "internal",
    }  # fmt: skip
    assert {c.value for c in Category} == {
        "validation", "authentication", "authorization", "not_found",
        "conflict", "rate_limit", "internal", "unavailable",
    }  # fmt: skip


def test_a_kind_travels_in_the_envelope_its_source_gives_it() -> None:
    assert {kind.value: wire_code(code) for kind, code in BY_KIND.items()} == {
        "validation": -32602,
        "unauthorized": -32600,
        "forbidden": -32600,
        "not_found": -32602,
        "conflict": -32600,
        "rate_limit": -32603,
        "external": -32603,
        "internal": -32603,
    }


def test_a_kind_answers_with_the_status_its_source_gives_it() -> None:
    source = {
        "validation": 400,
        "unauthorized": 401,
        "forbidden": 403,
        "not_found": 404,
        "conflict": 409,
        "rate_limit": 429,
        "external": 502,
        "internal": 500,
    }
    # Two codes speak more exactly than their kind: a broken rule is 422 (bad arguments stay 400), and a
    # service that is down is 503, which says that waiting helps.
    exact = {"validation": 422, "external": 503}
    assert {kind.value: code.traits.status for kind, code in BY_KIND.items()} == source | exact
    assert ErrorCode.INVALID_PARAMS.traits.status == source["validation"]


# --- HTTP statuses -----------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "label"), STATUSES.items())
def test_a_status_has_the_code_of_the_status_table(status: int, label: str) -> None:
    assert http_status_to_code(status).label == label


@pytest.mark.parametrize("status", [-1, 0, 99, 100, 200, 204, 301, 399, 600, 999])
def test_what_is_no_error_status_is_an_internal_error(status: int) -> None:
    assert http_status_to_code(status) is ErrorCode.INTERNAL_ERROR


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((400, 422), ErrorType.VALIDATION),
        ((403,), ErrorType.PERMISSION),
        ((404,), ErrorType.NOT_FOUND),
        ((409,), ErrorType.CONFLICT),
        ((429, *range(502, 600)), ErrorType.TRANSIENT),
    ],
)
def test_a_status_has_the_type_of_the_toolerror_table(statuses: tuple[int, ...], expected: ErrorType) -> None:
    assert {http_status_to_code(status).traits.type for status in statuses} == {expected}


@pytest.mark.parametrize("status", [500, 501])
def test_an_upstreams_own_bug_is_internal_although_the_toolerror_table_says_transient(status: int) -> None:
    # The two tables disagree. The status table knows this very status, the other only "5xx"; and a call
    # that met a bug, or something not implemented, meets it again.
    assert http_status_to_code(status).traits.type is ErrorType.INTERNAL


@pytest.mark.parametrize("code", ErrorCode)
def test_a_codes_own_status_leads_to_the_same_type(code: ErrorCode) -> None:
    back = http_status_to_code(code.traits.status).traits.type
    # A server that did not start answers 503 to whoever asks from outside; to its own caller it is a bug.
    assert back is (ErrorType.TRANSIENT if code is ErrorCode.INITIALIZATION_FAILED else code.traits.type)


# --- numbers on the wire -----------------------------------------------------------------------


@pytest.mark.parametrize("version", ["", "DRAFT-2026-v1", "2027-01-01"])
def test_a_version_that_is_not_known_to_be_old_is_modern(version: str) -> None:
    assert not may_leave(-32001, version)


@pytest.mark.parametrize("taxonomy_numbers", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("code", ErrorCode)
def test_no_envelope_ever_carries_a_forbidden_number(
    code: ErrorCode, version: str | None, taxonomy_numbers: bool
) -> None:
    number = wire_code(code, version, taxonomy_numbers=taxonomy_numbers)
    assert type(number) is int
    assert number not in FORBIDDEN
    assert number != -32601
    assert may_leave(number, version)
    if is_modern(version) or not taxonomy_numbers:
        assert not -32099 <= number <= -32000


@pytest.mark.parametrize("version", VERSIONS)
def test_the_taxonomys_numbers_leave_only_when_asked_for_and_only_to_old_peers(version: str | None) -> None:
    numbers = {code.label: wire_code(code, version, taxonomy_numbers=True) for code in ErrorCode}
    standard = {code.label: wire_code(code, version) for code in ErrorCode}
    own = {
        label: number
        for label, number in NUMBERS.items()
        if -32019 <= number <= -32000 and number not in FORBIDDEN
    }
    assert numbers == (standard if is_modern(version) else standard | own)
    assert len(own) == 10


@pytest.mark.parametrize("version", VERSIONS)
def test_a_method_not_found_by_a_handler_is_an_invalid_request(version: str | None) -> None:
    assert wire_code(ErrorCode.METHOD_NOT_FOUND, version) == -32600


def test_the_modern_version_is_the_one_that_divided_the_numbers_up() -> None:
    assert MODERN == "2026-07-28"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "number",
    [-32700, -32600, -32601, -32602, -32603, -32769, -31999, -31003, -1, 0, 1, 401, 1003],
)
def test_standard_numbers_and_application_numbers_always_leave(number: int, version: str | None) -> None:
    assert may_leave(number, version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "number",
    [-32768, -32699, -32604, -32599, -32100, -32002, -32070, -32099, -32023, -32024, -32027, -32029, -32043],
)
def test_undefined_and_retired_numbers_never_leave(number: int, version: str | None) -> None:
    assert not may_leave(number, version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("number", [-32000, -32001, -32003, -32010, -32011, -32019])
def test_legacy_numbers_leave_to_old_peers_only(number: int, version: str | None) -> None:
    assert may_leave(number, version) is not is_modern(version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("number", [-32020, -32021, -32022])
def test_numbers_the_modern_specification_defines_leave_to_modern_peers_only(
    number: int, version: str | None
) -> None:
    assert may_leave(number, version) is is_modern(version)


@pytest.mark.parametrize("version", VERSIONS)
def test_url_elicitation_leaves_only_to_the_version_that_had_it(version: str | None) -> None:
    assert may_leave(-32042, version) is (version == "2025-11-25")
