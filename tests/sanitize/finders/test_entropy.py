from __future__ import annotations

import random
import string

import pytest

from mcp_error_middleware.sanitize import sanitize_text
from mcp_error_middleware.sanitize.finders.entropy import is_random

BASE62 = string.ascii_letters + string.digits


@pytest.mark.parametrize("alphabet", [BASE62, BASE62 + "+/"], ids=["base62", "base64"])
@pytest.mark.parametrize("length", [40, 43, 64, 88])
def test_random_strings_are_seen(alphabet: str, length: int) -> None:
    dice = random.Random(length)
    runs = ["".join(dice.choices(alphabet, k=length)) for _ in range(500)]
    missed = [run for run in runs if not is_random(run)]

    assert missed == []


@pytest.mark.parametrize(
    "run",
    [
        "d41d8cd98f00b204e9800998ecf8427e",
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000",
        "cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "InternalServerErrorExceptionMapperFactoryBean2",
        "my-very-long-kebab-case-branch-name-for-feature-1234",
        "CAca2da5c284cb4e14673a0e03c122ab50",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ],
)
def test_names_digests_and_public_identifiers_are_not_random(run: str) -> None:
    assert not is_random(run)


def test_the_id_of_a_file_stays_where_a_file_is_spoken_of() -> None:
    file = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms"

    assert sanitize_text(f"File {file} was not found") == f"File {file} was not found"
    assert (
        sanitize_text(f"https://docs.example.com/d/{file}/edit") == f"https://docs.example.com/d/{file}/edit"
    )
    assert sanitize_text(f"rejected {file}") == "rejected [redacted:token]"


def test_a_token_in_the_path_of_a_url_goes_alone() -> None:
    token = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1"

    assert (
        sanitize_text(f"https://example.com/share/{token}/view")
        == "https://example.com/share/[redacted:token]/view"
    )
