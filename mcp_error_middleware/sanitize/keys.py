"""A name in, what kind of secret it names out.

Names are taken apart into words, so that `DB_PASSWORD`, `dbPassword`, `db-password` and `db password`
are the same name, and `token_count`, `author` or `primary key` are not sensitive.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.clean import folded
from mcp_error_middleware.sanitize.spans import PLACEHOLDER


class Sensitive(NamedTuple):
    """What a name says about its value."""

    kind: str
    firm: bool = True
    """Whether any value that is not plainly a word goes; if not, only what looks like a secret."""
    numeric: bool = False
    """Whether a number is a secret, too."""
    foreign: bool = False
    """Whether the name is a word of another language; so may be what follows it."""


_PASSWORD: Final = Sensitive("password", numeric=True)
_SECRET: Final = Sensitive("secret")
_TOKEN: Final = Sensitive("token")
_KEY: Final = Sensitive("key")
_COOKIE: Final = Sensitive("cookie")
_CODE: Final = Sensitive("code", numeric=True)

FOREIGN: Final[dict[str, Sensitive]] = {
    **dict.fromkeys(
        (
            *"contraseña contrasenya hasło lösenord lösenordet şifre parolă heslo jelszó".split(),
            *"пароль парола лозинка κωδικός סיסמה slaptažodis lykilorð գաղտնաբառ პაროლი құпиясөз".split(),
            *"密码 密碼 口令 パスワード 비밀번호 암호 पासवर्ड পাসওয়ার্ড கடவுச்சொல் รหัสผ่าน".split(),
            "كلمة المرور", "كلمة السر", "رمز عبور", "پاس ورڈ", "mật khẩu", "kata sandi", "kata laluan",
            *"şifreniz şifresi şifreyi parolanız parolası пароля паролем паролю паролі hasła hasłem".split(),
            *"jelszava jelszavát contraseñas κωδικού slaptažodžio lösenordets".split(),
            *"salasanasi salasanan hesla heslem wachtwoorden".split(),
            "κωδικός πρόσβασης", "clave de acceso", "palavra-passe", "palabra de paso",
            *"passwort kennwort senha parola wachtwoord wagwoord adgangskode adgangskoden salasana".split(),
            *"passord passordet lozinka geslo parool pasahitza nenosiri passe mdp".split(),
            "phrase secrète", "phrase de passe", "frase secreta", "frase de paso", "frase segreta",
            "parola d'ordine", "clave secreta de acceso", "секретная фраза",
        ),
        _PASSWORD._replace(foreign=True),
    ),
    **dict.fromkeys(
        (
            *"验证码 驗證碼 认证码 認証コード 確認コード 인증번호 bestätigungscode verificatiecode".split(),
            *"anmeldecode sicherheitscode einmalcode zugangscode inloggningskod freischaltcode".split(),
            *"aktivierungscode prüfcode geheimzahl toegangscode beveiligingscode bevestigingscode".split(),
            *"verifieringskod bekräftelsekod säkerhetskod engangskode bekræftelseskode".split(),
            *"sikkerhetskode vahvistuskoodi turvakoodi пин-код пинкод 校验码 動態碼 动态码 安全码".split(),
            *"暗証番号 セキュリティコード 認証番号 確認番号 보안코드 확인코드".split(),
            "인증 코드", "확인 코드", "보안 코드", "mã xác nhận",
            *(f"{code} de {of}" for code in ("código", "codigo") for of in (
                "verificación", "verificacion", "verificação", "verificacao", "seguridad", "segurança",
                "seguranca", "acceso", "acesso", "confirmación", "confirmacion", "confirmação", "confirmacao",
                "activación", "ativação", "recuperación", "recuperação", "autenticación", "autenticação",
            )),
            *(f"code {of}" for of in (
                "de vérification", "de verification", "de sécurité", "de confirmation", "d'accès", "secret",
                "d'activation", "de récupération", "d'authentification", "à usage unique",
            )),
            *(f"codice di {of}" for of in ("verifica", "sicurezza", "accesso", "conferma", "attivazione")),
            *(f"код {of}" for of in (
                "подтверждения", "доступа", "безопасности", "активации", "восстановления", "авторизации",
            )),
            "ваш код", "одноразовый код", "kod weryfikacyjny", "kod dostępu", "doğrulama kodu",
            "güvenlik kodu", "codice otp", "código pin", "codigo pin", "code pin", "codice pin", "pin-code",
        ),
        _CODE._replace(foreign=True),
    ),
    **dict.fromkeys(
        "密钥 секрет секретом シークレット secreto segredo segreto geheimnis hemlighet".split(),
        _SECRET._replace(foreign=True),
    ),
    **dict.fromkeys(
        (
            *"秘密鍵 私钥 私鑰 비밀키 개인키 秘密キー".split(), "개인 키", "비밀 키",
            "clé privée", "clé secrète",
            "clave privada", "clave secreta", "chave privada", "chave secreta", "chiave privata",
            "chiave segreta", "privater schlüssel", "privaten schlüssel", "geheimer schlüssel",
            "geheimen schlüssel", "закрытый ключ", "секретный ключ", "приватный ключ", "klucz prywatny",
        ),
        _KEY._replace(foreign=True),
    ),
    **dict.fromkeys(
        (
            *"令牌 токен токена トークン 토큰 jeton".split(),
            "jeton d'accès", "token d'accès", "token de acceso", "token de acesso",
            "token di accesso", "token dostępu", "токен доступа", "sitzungs-id", "sitzungstoken",
            "sitzungskennung", "jeton de session", "identifiant de session", "token de sesión",
            "id de sesión", "token de sessão", "id de sessão", "identificador de sesión", "токен сессии",
            "идентификатор сессии", *"会话令牌 会话id セッションid セッショントークン 访问令牌".split(),
        ),
        _TOKEN._replace(foreign=True),
    ),
    **dict.fromkeys(
        (
            "api-schlüssel", "clé api", "clé d'api", "clave api", "clave de api", "chave api",
            "chave de api", "chiave api", "klucz api", "ключ api", "api-ключ", "api anahtarı", "api-nyckel",
            "api-nøkkel", "api-nøgle", "api-sleutel", "apiキー", "api キー", "api 키", "api密钥", "api 密钥",
        ),
        _KEY._replace(foreign=True),
    ),
}  # fmt: skip
"""Names in other languages than English; what follows them may be a word of that language."""

_WORDS: Final[dict[str, Sensitive]] = {
    **FOREIGN,
    **dict.fromkeys(
        """
        password passwd passphrase psk passcode passkey pwd pword psw pw pass requirepass masterauth
        passin passout mnemonic
        """.split(),
        _PASSWORD,
    ),
    **dict.fromkeys(
        """
        secret credential cred creds samlresponse samlrequest dsn connstr connectionstring
        apisecret appsecret
        """.split(),
        _SECRET,
    ),
    **dict.fromkeys(
        "token tkn authorization bearer jwt sessionid sessid jsessionid phpsessid csrf xsrf".split(), _TOKEN
    ),
    **dict.fromkeys(
        """
        apikey accesskey accesskeyid privatekey accountkey encryptionkey signingkey masterkey sharedkey
        sharedaccesskey subscriptionkey authkey appkey licensekey sshkey secretkey secretaccesskey
        storagekey
        """.split(),
        _KEY,
    ),
    **dict.fromkeys(("cookie", "setcookie"), _COOKIE),
    **dict.fromkeys(("otp", "totp", "cvv", "cvc", "mfacode", "authcode", "pincode"), _CODE),
    **dict.fromkeys(("cardnumber", "ccnumber", "creditcard"), Sensitive("card", numeric=True)),
    "ssn": Sensitive("ssn", numeric=True),
    **dict.fromkeys(
        "pin puk tan mtan itan smstan pushtan phototan chiptan".split(),
        Sensitive("code", firm=False, numeric=True),
    ),
    **dict.fromkeys(("assertion", "community"), Sensitive("secret", firm=False)),
    "clave": Sensitive("password", firm=False),
    **dict.fromkeys(
        ("sig", "signature", "hmac", "salt", "pepper", "sas"), Sensitive("signature", firm=False)
    ),
    **dict.fromkeys(
        ("auth", "authz", "authn", "oauth", "session", "sid", "tokens", "sess", "crumb", "pat"),
        Sensitive("token", firm=False),
    ),
    **dict.fromkeys(("key", "keys"), Sensitive("key", firm=False)),
}

_ENDINGS: Final = tuple(
    (word, _WORDS[word])
    for word in (
        "password", "passwd", "passphrase", "passwort", "secret", "token", "apikey", "accesskey", "secretkey",
        "privatekey", "sessionid", "sessid", "credential", "cookie", "pwd", "pw", "pass", "connectionstring",
        "kennwort", "wachtwoord", "lösenord", "passord", "adgangskode", "salasana",
    )
)  # fmt: skip
"""Words that stay sensitive with another glued before them: `PGPASSWORD`, `authtoken`, `Startkennwort`."""

_WHOLE: Final = frozenset(
    "passes bypass compass encompass trespass surpass overpass underpass lowpass highpass bandpass".split()
)
"""Words that end alike and mean something else."""

_CODE_OWNERS: Final = (
    "verification security auth authorization recovery backup pin otp mfa fa time activation access login "
    "confirmation sms invite invitation your unlock door gate entry factor signin reset passcode dein ihr "
    "votre"
)
_PAIRS: Final[dict[tuple[str, ...], Sensitive]] = {
    ("connection", "string"): _SECRET,
    ("connection", "str"): _SECRET,
    ("conn", "string"): _SECRET,
    ("conn", "str"): _SECRET,
    ("session", "id"): _TOKEN,
    ("session", "identifier"): _TOKEN,
    ("session", "cookie"): _COOKIE,
    ("secret", "id"): _SECRET,
    ("key", "material"): _KEY,
    ("routing", "key"): Sensitive("token", firm=False),
    ("code", "verifier"): _SECRET,
    ("saml", "response"): _SECRET,
    ("saml", "assertion"): _SECRET,
    ("card", "number"): Sensitive("card", numeric=True),
    ("card", "no"): Sensitive("card", numeric=True),
    ("credit", "card"): Sensitive("card", numeric=True),
    ("security", "number"): Sensitive("ssn", numeric=True),
    **{(word, "seed"): _SECRET for word in "totp otp hotp fa mfa authenticator wallet".split()},
    ("seed", "phrase"): _PASSWORD,
    ("recovery", "phrase"): _PASSWORD,
    ("mnemonic", "phrase"): _PASSWORD,
    ("secret", "phrase"): _PASSWORD,
    ("pass", "phrase"): _PASSWORD,
    ("key", "phrase"): _PASSWORD,
    ("pass", "word"): _PASSWORD,
    ("pass", "code"): _PASSWORD,
    ("security", "answer"): _PASSWORD,
    ("secret", "answer"): _PASSWORD,
    ("question", "answer"): _PASSWORD,
    ("maiden", "name"): _PASSWORD,
    ("community", "string"): _SECRET,
    ("snmp", "community"): _SECRET,
    ("server", "community"): _SECRET,
    **{(word, "code"): _CODE for word in _CODE_OWNERS.split()},
    **{(word, "codes"): _CODE for word in ("recovery", "backup")},
}

_KEY_OWNERS: Final = frozenset(
    """
    access account activation admin aes algolia anthropic api app application auth authentication
    authorization aws azure bot cipher client cloudflare cohere consumer crypto datadog decryption
    deepseek deploy elevenlabs encrypt encryption enc fal function functions gcp gemini github google
    groq hmac ingestion instrumentation integration jwt license licence mailgun maps master merchant
    mistral openai openrouter pagerduty pinecone private recovery rest root rsa sas secret segment
    sendgrid sentry server service session shared signing sign ssh ssl storage stripe subscription
    supabase team tls together twilio unseal vault voyage wallet webhook wifi wpa write xai
    """.split()
)
"""Words that make the key after them a secret; a primary, foreign, sort or cache key is none."""

_PLAIN_KEYS: Final = frozenset(
    """
    alternate arrow attribute cache candidate column composite condition config cursor dedup
    deduplication dict dictionary document duplicate enter entity entry environment escape etag event
    exclusion field file filter folder foreign function group hash header hot i18n id idempotency index
    item job join json label language locale lock lookup map mapping message meta metadata missing name
    natural node object option ordering param parameter parent partition path prefix primary problem
    product project prop property public query range record redis reference registry request required
    resource return routing row s3 schema search setting shard sort storage store surrogate tag task
    template tenant text thread topic translation tree type unique unknown user version
    """.split()
)
"""Words before a key that nothing is locked with."""

_KEY_IDS: Final = frozenset((("access", "key", "id"), ("private", "key", "id")))
"""The half of a credential that says whose it is."""

_PLAIN_TOKENS: Final = frozenset(
    """
    page next continuation sync cursor pagination resume idempotency unexpected stop eos bos pad unk
    mask special start end first last sep cls lexer syntax parse parser expected illegal max min num
    total previous prev
    """.split()
)
"""Words that make the token after them a mere position or a piece of syntax."""

_ABOUT: Final = frozenset(
    """
    type types count counts limit limits length len size sizes name names url urls uri endpoint expiry
    expires expiration expire expired exp ttl timeout policy policies status version format required
    enabled disabled min max minimum maximum strength age lifetime index mode method methods algorithm
    algo alg scheme path paths bucket budget quota usage used rate rates attempts attempt retries
    changed at on date time valid invalid error errors hint rule rules requirement requirements
    complexity score present set exists missing issuer audience scope scopes port prefix suffix field
    fields column columns arn ref label description position kind per window interval created updated in
    seconds minutes hours days ms id ids uuid number validator validation strategy grant samesite
    consent banner jar violation constraint ring pair pairs word words board space rotation reset resets
    management authentication middleware handler filter guard failure failures event events level tier
    price cost costs states active verified confirmed sent needed info details meta metadata schema
    model options settings state flow step steps screen template factor based mechanism regex
    encryption hashing hasher protected
    """.split()
)
"""Words that, at the end of a name, make it a name for something about the secret: `token_type`."""

_BESIDE: Final = frozenset(
    """
    user username owner server service host vault store manager config profile agent domain source
    region provider providers cache class plan page form file files
    """.split()
)
"""Words that may do so, or may only say whose secret it is: `PASSWORD_SERVICE`."""

_REFERRING: Final = ("existing", "secret")
"""How charts begin the names of what says where a secret is: `existingSecretPasswordKey`."""
_WRAPPERS: Final = frozenset(
    "value raw text plain plaintext env header param parameter string str base64 b64 data".split()
)
"""Words that add nothing at the end of a name."""

_MISSPELT: Final = lazy(r"p[as]{1,3}(?=[or]{0,2}w)[wor]{1,4}d|passwo?r(?:t|ds?)?")
"""`passwrd`, `pasword`, `passowrd`"""
_LAST: Final = lazy(r"[^\W\d_]+(?=[\W\d_]*\Z)")
_PARTS: Final = lazy(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")


@lru_cache(maxsize=4096)
def compact(name: str) -> str:
    """The name without case and separators."""
    return "".join(c for c in folded(name[:200]).lower() if c.isalnum())


def words_of(name: str) -> tuple[str, ...]:
    """The words a name is made of, in lower case."""
    return tuple(part.lower() for part in _PARTS.findall(folded(name)))


@lru_cache(maxsize=4096)
def sensitivity(name: str) -> Sensitive | None:
    """What kind of secret the name names, if it does."""
    name = PLACEHOLDER.sub("", name[-200:])
    if found := FOREIGN.get(name.lower()):
        return found
    words = _unwrapped(words_of(name))
    for end in range(len(words), 0, -1):
        if found := _ending(words[:end]):
            found = _tempered(found, words[end:])
            return found._replace(firm=False) if found and words[:2] == _REFERRING else found
    return _in_odd_capitals(folded(name))


def _in_odd_capitals(name: str) -> Sensitive | None:
    """`PaSsWoRd`"""
    last = found[0] if (found := _LAST.search(name)) else ""
    return None if last in (last.lower(), last.upper()) else _WORDS.get(last.lower())


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    while len(words) > 1 and words[-2:] not in _PAIRS and (words[-1].isdigit() or words[-1] in _WRAPPERS):
        words = words[:-1]
    return words


def _ending(words: tuple[str, ...]) -> Sensitive | None:
    """The secret these words name with their last."""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if found := _PAIRS.get((before, last)):
        return found
    if last in ("key", "keys"):
        is_owned = before in _KEY_OWNERS or (before and _word(before))
        return _KEY if is_owned else None if before in _PLAIN_KEYS else _WORDS["key"]
    if last in ("token", "tokens") and before in _PLAIN_TOKENS:
        return None
    return _KEY if words[-3:] in _KEY_IDS else _word(last)


def _tempered(found: Sensitive, behind: tuple[str, ...]) -> Sensitive | None:
    """What the words behind leave of it."""
    if not behind or behind[-1] not in _ABOUT | _BESIDE:
        return found
    return found._replace(firm=False) if behind[-1] in _BESIDE else None


def _word(word: str) -> Sensitive | None:
    if word in _WHOLE:
        return None
    found = _WORDS.get(word) or _WORDS.get(word.removesuffix("s"))
    if found is None and word[:1] == "p" and _MISSPELT.fullmatch(word):
        return _PASSWORD
    if found is None:
        found = next((s for ending, s in _ENDINGS if word.endswith((ending, ending + "s"))), None)
    return found
