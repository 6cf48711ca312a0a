from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize.keys import Sensitive, sensitivity, words_of

FIRM = """
password PASSWORD passwd pwd passphrase DB_PASSWORD dbPassword db-password db.password PGPASSWORD
userPassword passWord new_password password_confirmation password_hash PASSWORD_POSTGRES secret
client_secret ClientSecret webhookSecret secrets totp_secret secret_id token access_token accessToken
refresh-token id_token authToken TOKEN_GITHUB X-Vault-Token x-amz-security-token csrf_token JWT api_key
apiKey APIKey apikey x-api-key X-API-Key OPENAI_API_KEY OPENAI_KEY api_keys access_key accessKeyId
awsSecretAccessKey secret_key private_key privateKey AccountKey SharedAccessKey encryption_key
signing_key master_key unseal_key ssh_key license_key Ocp-Apim-Subscription-Key session_id sessionId
JSESSIONID PHPSESSID authorization Authorization Proxy-Authorization cookie Cookie set-cookie Set-Cookie
credential credentials dsn SENTRY_DSN connection_string connectionString otp verification_code
authorization_code cvv ssn card_number seed_phrase mnemonic Passwort contraseña пароль 密码 パスワード
PaSsWoRd pASSWORD db_pAsSwOrD ｐａｓｓｗｏｒｄ security_answer two_factor_code 验证码
db_passwrd pasword passowrd psswd passwrod snmp_community community_string wpa_key
activation_key ingestion_key
""".split()
WEAK = """
key sig signature X-Amz-Signature session sid connect.sid auth basic_auth tokens pin puk salt community
Jenkins-Crumb acmeKey geocoder_key
""".split()
PLAIN = """
author authority token_type token_count tokens_used max_tokens maxTokens next_page_token nextPageToken
continuation_token tokenizer secretary secret_name primary_key foreign_key sort_key partition_key
cache_key idempotency_key public_key keyword monkey hotkey key_id keyboard password_min_length
password_policy passwordStrength bypass passed compass pass_count cookie_policy session_timeout auth_url
authorization_url private_key_path SharedAccessKeyName status_code error_code username email user id
name code state hash digest checksum pinned signature_version card cardinality
passport passward pawned pasted powered communities
""".split()


@pytest.mark.parametrize("name", FIRM)
def test_a_name_of_a_secret_is_known_in_any_spelling(name: str) -> None:
    found = sensitivity(name)

    assert found is not None
    assert found.firm


@pytest.mark.parametrize("name", WEAK)
def test_a_name_that_may_mean_a_secret_asks_for_a_look_at_the_value(name: str) -> None:
    found = sensitivity(name)

    assert found is not None
    assert not found.firm


@pytest.mark.parametrize("name", PLAIN)
def test_a_name_about_a_secret_or_of_something_else_is_not_sensitive(name: str) -> None:
    assert sensitivity(name) is None


def test_the_kind_says_what_was_removed() -> None:
    assert sensitivity("db_password") == Sensitive("password", numeric=True)
    assert sensitivity("Set-Cookie") == Sensitive("cookie")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("awsSecretAccessKey", ("aws", "secret", "access", "key")),
        ("X-API-Key", ("x", "api", "key")),
        ("DB_PASSWORD_2", ("db", "password", "2")),
    ],
)
def test_a_name_is_taken_apart_into_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


def test_a_placeholder_is_no_name() -> None:
    assert sensitivity("[redacted:password]") is None
