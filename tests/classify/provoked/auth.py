"""Exceptions about tokens, signatures, secrets and sessions."""

from __future__ import annotations

import time
from typing import Any

from . import case
from .servers import HOST, answering, closed_port

_KEY = "a-secret-which-is-long-enough-for-hs256"


def _token(**claims: Any) -> str:
    import jwt

    return jwt.encode(claims, _KEY, "HS256")


@case("Unauthorized", retryable=False)
def pyjwt_expired_signature():
    import jwt

    jwt.decode(_token(exp=int(time.time()) - 60), _KEY, ["HS256"])


@case("Unauthorized")
def pyjwt_invalid_signature():
    import jwt

    jwt.decode(_token(sub="1"), _KEY[::-1], ["HS256"])


@case("Unauthorized", also=("ValidationError",))
def pyjwt_decode_error():
    import jwt

    jwt.decode("not.a-token", _KEY, ["HS256"])


@case("Unauthorized", also=("Forbidden",))
def pyjwt_invalid_audience():
    import jwt

    jwt.decode(_token(aud="them"), _KEY, ["HS256"], audience="us")


@case("ServiceUnavailable", retryable=True)
def pyjwt_jwks_connection_error():
    import jwt

    jwt.PyJWKClient(f"http://{HOST}:{closed_port()}/jwks.json").get_signing_key_from_jwt(_token(sub="1"))


@case("Unauthorized")
def jose_expired_signature():
    from jose import jwt

    jwt.decode(_token(exp=int(time.time()) - 60), _KEY, algorithms=["HS256"])


@case("Unauthorized", also=("ValidationError",))
def authlib_bad_signature():
    from authlib.jose import jwt

    jwt.decode(_token(sub="1"), _KEY[::-1])


@case("Unauthorized")
def authlib_expired_token():
    from authlib.jose import jwt

    jwt.decode(_token(exp=int(time.time()) - 60), _KEY).validate()


@case("Unauthorized")
def authlib_oauth_invalid_grant():
    from authlib.integrations.requests_client import OAuth2Session

    url = answering(400, {"error": "invalid_grant", "error_description": "The refresh token is expired"})
    OAuth2Session("client", "secret").fetch_token(url, grant_type="password", username="u", password="p")


@case("Unauthorized")
def joserfc_bad_signature():
    from joserfc import jwt
    from joserfc.jwk import OctKey

    jwt.decode(_token(sub="1"), OctKey.import_key(_KEY[::-1]))


@case("Unauthorized")
def itsdangerous_bad_signature():
    import itsdangerous

    itsdangerous.Signer(_KEY).unsign("user:1.forged")


@case("Unauthorized")
def itsdangerous_signature_expired():
    import itsdangerous

    signer = itsdangerous.TimestampSigner(_KEY)
    signer.unsign(signer.sign("user:1"), max_age=-1)


@case("Unauthorized", also=("ValidationError",))
def cryptography_fernet_invalid_token():
    from cryptography.fernet import Fernet

    Fernet(Fernet.generate_key()).decrypt(b"forged")


@case("Unauthorized", also=("ValidationError",))
def cryptography_invalid_signature():
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    Ed25519PrivateKey.generate().public_key().verify(b"\0" * 64, b"message")


@case("Unauthorized", also=("ValidationError", "InternalError", "SerializationError"))
def cryptography_invalid_gcm_tag():
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    AESGCM(b"k" * 16).decrypt(b"n" * 12, b"tampered ciphertext bytes", None)


@case("Unauthorized")
def argon2_verify_mismatch():
    import argon2

    hasher = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    hasher.verify(hasher.hash("right"), "wrong")


@case("Unauthorized")
def oauthlib_token_expired():
    from oauthlib.oauth2 import BackendApplicationClient

    client = BackendApplicationClient(
        "id", token={"access_token": "a", "expires_at": 1.0, "token_type": "Bearer"}
    )
    client.add_token("https://example.com/", token_placement="auth_header")


@case("Unauthorized")
def requests_oauthlib_invalid_client():
    from unittest import mock

    from oauthlib.oauth2 import BackendApplicationClient
    from requests_oauthlib import OAuth2Session

    url = answering(401, {"error": "invalid_client", "error_description": "Client authentication failed"})
    with mock.patch.dict("os.environ", {"OAUTHLIB_INSECURE_TRANSPORT": "1"}):
        OAuth2Session(client=BackendApplicationClient("id")).fetch_token(
            url, client_id="id", client_secret="s"
        )


@case("Forbidden")
def hvac_permission_denied():
    import hvac

    url = answering(403, {"errors": ["permission denied"]})
    hvac.Client(url, token="t").secrets.kv.v2.read_secret_version("app", raise_on_deleted_version=True)


@case("NotFound")
def hvac_invalid_path():
    import hvac

    hvac.Client(answering(404, {"errors": []}), token="t").secrets.kv.v1.read_secret("missing")


@case("ServiceUnavailable", retryable=True)
def hvac_vault_sealed():
    import hvac

    hvac.Client(answering(503, {"errors": ["Vault is sealed"]}), token="t").secrets.kv.v1.read_secret("app")


@case("ServiceUnavailable", retryable=True)
def ldap3_server_down():
    import ldap3

    server = ldap3.Server(HOST, closed_port(), connect_timeout=1)
    ldap3.Connection(server, "cn=admin", "p", auto_bind=True)


@case("ConfigurationError", also=("InternalError",))
def keyring_no_backend():
    from keyring.backends.fail import Keyring

    Keyring().get_password("service", "user")
