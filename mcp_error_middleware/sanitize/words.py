"""A value in, whether it is plainly not a secret out.

A name such as `password` is followed by a secret in one message and by a sentence in the next
("password: must be at least 8 characters"). What tells them apart is the value.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.spans import PLACEHOLDER

PROSE: Final = frozenset(
    """
    a about above absent accept accepted access account accounts across active actually add added
    additional after again against ago all allow allowed alphabetic alphanumeric already also approval
    although always am an and another any anymore api app applied apply are array as ascii ask assigned at
    attempt attempts await authenticate authenticated authentication authorization authorized auto
    available away bad base64 based basic be bearer because been before begin being below between
    blank bool boolean both but by bytes call called came can can't cancelled cannot case change changed
    changing char character characters chars check checked choose claim client code column
    combination common complete complexity compromised config configuration configured confirm
    confirmation confirmed consider consist contact contain contained containing contains context
    could create created credential credentials current currently custom day days deactivated decode
    decoded default define defined delete deleted denied deny deprecated detected did different
    digest digit digits disabled dict do does done double due during each either else email empty
    enabled encoded encoding encrypted end endpoint enough ensure enter entered entry equal error
    errors even every exactly exceed exceeded exceeds exist existing exists expect expected expire
    expired expires expiring expiry fail failed failing fails failure false few field fields file
    filter first fix float follow following for forbidden format formatted forgotten found four from
    generate generated get give given go got granted greater grant had hash hashed has have having
    header headers here hex hidden how however http https id identical identifier if ignored illegal
    immediately in include included including incorrect incorrectly input insecure insert instead
    insufficient int integer internal into invalid invalidated is issue issued it its json jwt just
    keep key keys kind known last later latest least left length less letter letters level like limit line
    list locked log logged login long longer lower lowercase made make malformed manager many mark
    masked match matched matches matching max maximum may maybe mean message method min minimum
    minute minutes mismatch mismatched missing mixed more most multiple must name named near need
    needed needs neither never new next no non none nor not nothing now null number numbers numeric
    oauth oauth2 object of off old omit omitted on once one ones only operation option optional or
    other our out outdated over page param parameter parameters parse parsed part pass passed
    password passwords passphrase path pattern pending per permission permissions permitted place please
    position possible prefix present previous previously profile properly property protected provide
    provided provider public query range re read received recent recently recognised recognized
    redacted reenter refresh refreshed refused register registered reject rejected remain remaining
    remove removed renew renewed repeat repeated replace replaced request requested requests require
    required requirement requirements requires reset resource response retry return returned reuse
    reused revoked right role rotate rotated rule rules same satisfy scope scopes second seconds
    secret secrets section secure security see seem seems select send sent server service session
    set setting settings several shall should show shown sign signature signed signing similar
    simple since single size so some something soon space spaces special specified specify start
    started state status still stop stored str string strings strong stronger sub submitted such
    suffix supplied support supported switch symbol symbols take taken than that the their them then
    there these they this those three through time timed times to together token tokens too true try
    turned twice two type types unable unauthenticated unauthorized undefined under unexpected
    unique unknown unless unrecognised unrecognized unset unsupported until up update updated upper
    uppercase url use used user username users uses using utf-8 utf8 valid validate validated
    validation value values variable verification verified verify version via view violates
    violation wait warning was way we weak week were what when where whether which while whitespace
    who whose why will with within without word words would write wrong yes yet you your zero
    attribute attributes httponly lax samesite strict
    accepts confirms conflicts expects ignores overrides reads takes unchanged untouched wants
    aren couldn didn doesn don hasn haven isn shouldn t wasn weren won
    abstract administrator agreement alg algorithm analysis anonymous apparently appear appears arg
    argument arguments aud audience authority automatically bind blacklisted body bucket budget
    button cache cached certificate challenge choice class clear cloud cluster clock collection
    command comparison compatible component computed condition connection consent constant
    constraint consumed cookie cookies copy corrupt corrupted correct count counted csrf data database date
    dates deleting describe description details device dictionary digested directory disallowed
    discarded document domain dot duplicate duplicated dynamic element eof escape event example
    exception excluded expiration explicit external extra factor feature final fine fit flag flow
    forced form forms forward full function future general global good group half handler helper
    hint history host hour hours identity idp important inactive inclusive index info information
    inline instance interface introspection issuer item items java jti kid language layer ldap
    leading leaked library loaded local location lookup main managed mandatory manual map mapped
    mapping member metadata mfa missed mode model module month months mutable namespace native
    negative node nonce nonempty normal note notice obsolete obtain obtained older onto open
    operator order origin otherwise overflow override owner package padding pair parser partial
    partially parties payload pending period placeholder plain plaintext policy port positive
    preferred presented private problem process processed prod production project prompt proof
    protocol provisioned punctuation purpose push question quota quoted random rate raw reached
    reason record redirect region regular regenerate relative released reload reserved resolve
    resolved resource restricted result results retrieve revision root route row runtime saml sample
    schema scheme seconds seed sensitive separate sequence shape shared short shorter side signer
    site skipped slot sms source specific stale standard static statement step storage store stream
    strength subject subscription success successful successfully sure suspended syntax system table
    tag target task team template temporarily temporary tenant test text third throttled throughout
    timeout timestamp today totp trailing transport tried trusted ttl tuple twelve unavailable
    uncaught unencrypted unicode unreadable unsafe unsigned unverified usage vault viewer visible void whole
    windows workspace year years
    """.split()
)
"""Words that follow a name in a sentence about it, and are nobody's password."""

STATES: Final = frozenset(
    """
    absent any bad basic bearer blank bool boolean bytes changed char chars correct denied digest
    disabled empty enabled error errors expired expires failed failure false field found hash hidden
    identical illegal include incorrect inherit input int integer invalid jwt ldap length locked long
    malformed masked match matched mismatch mismatched missing must n/a na nan inf -inf
    nil no none not null number oauth
    oauth2 object off ok omit omitted on optional password pending present protected provided read redacted
    refused rejected same-origin
    removed required reset revoked saml secret set short str string text token too true unauthorized
    undefined unknown unset unsupported valid value varchar write wrong yes
    """.split()
)
"""What a password is said to be where it stands alone: `password=missing`."""

FOREIGN_STATES: Final = frozenset(
    """
    abgelaufen bitte erforderlich falsch fehlerhaft fehlt geändert gesperrt inkorrekt leer nicht pflichtfeld
    schwach stimmt ungueltig ungültig unbekannt vergessen zurückgesetzt wiederholen
    fout leeg onjuist ongeldig ontbreekt onbekend vereist vergeten verlopen verplicht
    caducada caducado debe debil demasiado desconocida erronea errónea expirada incorrecta incorrecto invalida
    invalido inválida obligatoria obligatorio olvidada requerida requerido vacía vacia
    ausente curta deve errada esquecida expirada fraca incorreta inválida obrigatoria obrigatória vazia
    attuale chiave dimenticata errata mancante obbligatoria richiesta scaduta troppo vuota
    absent court courte expiré faible incorrect invalide manquant obligatoire oublié requis vide
    bledne błędne nieprawidlowe nieprawidłowe puste wygaslo wymagane
    fel felaktigt forkert glemt glömt krävs kræves mangler måste ogiltigt paakraevet saknas ugyldig ugyldigt
    kohustuslik vale pakollinen pakollista puuttuu vaaditaan virheellinen väärä unohtunut
    gecersiz geçersiz gerekli hatali hatalı yanlis yanlış zorunlu
    incorecta invalida obligatorie uitata hibas hibás ervenytelen érvénytelen neplatne neplatné spatne špatné
    obvezno obavezno obligatori povinne povinné neispravna neteisingas
    khong không salah tidak
    """.split()
)
"""The same in other languages: `Passwort: ungültig`."""

_FOREIGN_STEMS: Final = tuple(
    """
    abgelauf abgelehnt benötigt erforder fehl fehlend gesperrt geschützt gültig ungült ungult widerruf
    zurückge zuruckge vorhanden verboten deaktiv verloren verletzt
    verlop ongeldig onjuist ontbre onvold ingetrokken geweiger geblok vervall vereist verplicht
    caduc expir incorr incorect inval invál venci revoc revoq revog révoq bloqu requer requier
    obligat obrigat obblig mancan manqu faltan falta errat erron errón erroné scad rifiut
    rechaz rejeit rejet refus non-valid nicht-
    wygas nieważ niewaz niepraw nieprawid błęd zablok brak odrzuc
    ogiltig utgång utgatt utløp udløb ugyldig forkert feilakt saknas mangler kräv
    vanhentun virheel puuttu
    süresi gecersiz geçersiz gerekli
    lejár érvényt neplatn vyprš chyb
    недейств неверн истек истёк отсутств просроч отозван неправ обязат недійс
    kedaluwarsa kadaluarsa kosong wajib
    """.split()
)
"""How such words begin, whatever they end with."""

FOREIGN_PROSE: Final = frozenset(
    """
    mag niet zijn moet worden moeten wordt een het dit ist nicht muss müssen darf sein werden wird zu zum der
    das und oder mit von kein keine nur noch bitte sehr ne peut doit être est pas les une du des et ou trop
    très sont dans avec votre vous pour puede pueden debe deben ser es el los las una muy con por para está
    están no não pode podem deve devem são os um uma muito com por foi está non può possono deve devono essere
    il lo gli una troppo molto con per sono è nie może musi być jest są się zbyt dla måste inte får är vara
    skal ikke være må kan ikke med till för ej ole voi täytyy olla saa liian değil olmalı için bir çok tidak
    harus boleh bukan yang untuk nu poate trebuie este sunt nem lehet kell není musí nesmí být
    """.split()
)
"""Words that a sentence in another language cannot do without, and no list of words has."""

_FOREIGN_LOOKS: Final = frozenset(
    """
    corta corto larga largo debil fuerte segura seguro simple facil igual comun fraca fraco forte curta curto
    longa longo court long longue faible commun debole breve lunga semplice uguale kurz lang schwach stark
    einfach gleich leer nodig kort zwak sterk anders identisch wrong gesetzt gespeichert bekannt sicher
    voltooi suksesvol succesvol
    privada secreta secreto correcta correcto correta correto corretta corretto correct correcte richtig juist
    valida valido valide vacio vazio vuoto vide secret
    """.split()
)
"""What a password is said to be like."""


FOREIGN_DESCRIBING: Final = (
    "ijd", "igd", "erd", "end", "ado", "ada", "ido", "ida", "ato", "ata", "uto", "uta", "ert", "elt", "eno",
    "ano", "ena", "ana", "bar", "lich", "ig", "isch", "oso", "osa", "ivo", "iva", "ble", "bile", "ante",
    "ente", "oria", "orio", "aire", "oire", "ieu", "ct", "cta", "cto", "sso", "ssa", "ren", "ten", "nen",
    "den", "ssen", "ttu", "tty", "dret",
)  # fmt: skip
"""How such words end in other languages."""


def is_foreign_state(word: str) -> bool:
    """Whether a word of another language says how something is."""
    word = word.lower()
    return (
        word in FOREIGN_STATES
        or word in FOREIGN_PROSE
        or word in _FOREIGN_LOOKS
        or word.startswith(_FOREIGN_STEMS)
    )


FIELDS: Final = frozenset(
    """
    address addresses age amount avatar birthday body category city company country created currency
    customer deleted department description email emails employee first gender given image items job
    label language last locale mail middle nickname order orders phone postal price product quantity
    street surname tags tax tenant timezone title total updated username users website zip
    """.split()
)
"""Names that stand in one list with `password`."""

_MASK: Final = lazy(
    r"[*•●.xX#_–—…-]{2,}|[*…?-]|[A-Za-z]{1,8}[-_]?[xX]{3,}|(?:[a-z]{1,5}[-_]){0,2}[A-Za-z]{0,4}[-_]?(?:\.{3}|…)\w{0,4}"
    r"|[A-Za-z]{0,8}[-_]?(?:[a-z]{1,8}_)?[*•]{3,}\w{0,4}"
)
_REFERENCE: Final = lazy(
    r"\$\{\{?(?:[ ]?[A-Za-z_][\w.]{0,60}(?::[-?][^\s}]{0,60})?[ ]?\}{0,2})?"  # ${TOKEN}, also without its end
    r"|(?:self|this|settings|config|cfg|options|args|params|secrets|vars?|local|app|ctx|request|user|form)"
    r"\.[a-z_.]{0,60}(?i:pass|passwd|password|pwd|token|secret|key|data|value|text)"  # settings.api_key
    r"|[a-z_][A-Za-z_.]{0,60}\(\)?"  # get_token(), also without its end
    r"|(?:[A-Z][A-Z0-9]{0,20}_){1,5}(?:PASS|PASSWD|PASSWORD|PWD|TOKEN|SECRET|KEY)"  # DB_PASSWORD
    r"|(?:(?:[a-z_]\w{0,40}\.){1,4}\w{1,40}|[A-Z][A-Za-z0-9]{1,30}[a-z0-9][A-Z][a-z]{2}\w{0,40}|[a-z]{2,20}_[a-z_]{2,40})"
    r"\([^\"']{0,80}"  # secrets.token_hex(16), also without its end
    r"|n?(?:var)?char\(\d{1,5}\)?"
    r"|(?:X-)?Api-Key"
    r"|(?:Secret(?:Str|Bytes|Value)|SecureString|String)\??"  # a type
    r"|(?:Optional|Annotated|Union|Literal|Sequence|Mapping|Iterable|[Dd]ict|[Ll]ist|[Tt]uple|[Ss]et)\[[\w.:{\[]{1,60}"
    r"|(?:vault|op|env|ssm|sops):[\w./#${}-]{1,200}|os\.(?:environ|getenv)\S{0,80}|\w{1,20}\.env\.\w{1,60}"
    r"|\$(?:[A-Z][A-Z_]{1,60}|[a-z_]{0,30}"
    r"(?:pass|token|secret|key|pw|value|cred|cookie|session)[a-z_]{0,30})"  # $TOKEN
    r"|\{\{?[ ]?[\w.]{0,60}[ ]?\}\}?"  # {token}, {{ token }}
    r"|[a-z][\w-]{0,40}\.(?:crt|key|pem|json|ya?ml|txt|conf)"  # tls.crt
    r"|\$\([^\s)]{0,60}\)?"  # $(get-token), also without its end
    r"|%[sdr]|%\(\w{1,30}\)[sdr]|%[A-Z_]{2,40}%"
    r"|<[A-Za-z][\w ./|-]{0,60}>?"  # <your token>
    r"|~?(?:[a-z_]{2,20}\.){1,6}[A-Z][A-Za-z]{4,40}"  # a type: auth.Credentials
    r"|\[[A-Za-z][A-Za-z ]{0,40}\]|\(\w[A-Za-z ]{0,40}\)"  # [REDACTED], (hidden)
    r"|(?i:(?:your|insert|enter)[-_ ](?:[a-z]{1,12}[-_ ]){0,4}[a-z]{1,12}"
    r"|redacted|hidden|masked|filtered|removed)"
)
_WORD: Final = lazy(r"[A-Za-z]+(?:['’][a-z]{1,3})?")
_SPLIT: Final = lazy(r"[\s,;:.!?()\[\]{}\"'`/|<>=+*&…–—-]+")


def is_placeholder(value: str) -> bool:
    """Whether the value only stands for one: a mask, a variable, a redaction, what may be in it."""
    forms = (PLACEHOLDER, _MASK, _REFERENCE, _CHARACTERS)
    return any(form.fullmatch(value) for form in forms)


_CHARACTERS: Final = lazy(r"(?:(?:a-z|A-Z|0-9|a-f|A-F)[\\._+/=@-]{0,4}){2,4}")
"""As a pattern has them: `A-Za-z0-9_`."""


def is_example_login(info: str) -> bool:
    """Whether `user:password` is only how one is written, or hides its password."""
    user, colon, password = info.partition(":")
    return is_placeholder(password if colon else user) or bool(_EXAMPLE_LOGIN.fullmatch(info))


_EXAMPLE_LOGIN: Final = lazy(
    r"<?(?:user|username|login|usr|name|db_?user|u)>?:<?(?:password|passwd|pass|pwd|secret|pw|p)>?",
    re.IGNORECASE,
)


def is_prose(value: str) -> bool:
    """Whether the value says something about a secret instead of being one."""
    words = [word for word in _SPLIT.split(value.lower()) if word]
    if not words or len(value) > 600:
        return not words
    known = sum(word in PROSE or (word.isdigit() and len(word) < 4) for word in words)
    if known == len(words):
        return any(word in PROSE for word in words)
    return (
        len(words) >= 4 and known >= 0.6 * len(words) and all(_WORD.fullmatch(w) or len(w) < 4 for w in words)
    )


def is_field(value: str) -> bool:
    """Whether the value is the name of a field, not a value."""
    names = [word for word in _NAMED.split(value) if word]
    if len(names) > 1 and "_" in value and value.islower() and not any(map(str.isdigit, value)):
        return wordiness(value) > 0.55
    return all(word.lower() in PROSE or word.lower() in FIELDS for word in names)


def is_known_field(value: str) -> bool:
    """The same, where only words count that fields are known to be named with."""
    return all(word.lower() in PROSE or word.lower() in FIELDS for word in _NAMED.split(value) if word)


_NAMED: Final = lazy(r"[_.\s-]|(?<=[a-z])(?=[A-Z])")


def is_harmless(value: str) -> bool:
    """Whether what was assigned to a sensitive name may stay."""
    value = unquote(value).strip() if "%2" in value else value.strip()
    if not value or is_placeholder(value):
        return True
    words = value.rstrip(".!").split()
    if len(words) == 1 and words[0].lower() in STATES:
        return True
    if _SCHEMA.match(value):
        return not _HOLDS_VALUE.search(value)
    return len(words) > 1 and is_prose(value)


_SCHEMA: Final = lazy(
    r"[\"']?(?:type[\"']?[ ]?:[ ]?[\"']?(?:string|integer|number|object|array|boolean|null)\b"
    r"|(?:(?:min|max)_?(?:imum|length)|pattern|format|required|write_?only|nullable)[\"']?[ ]?:)",
    re.IGNORECASE,
)
"""What a field may hold, not what it holds: `{"type": "string", "minLength": 8}`."""
_HOLDS_VALUE: Final = lazy(r"value|input|default|example|const|enum|data", re.IGNORECASE)


_SHORT_NAMES: Final = lazy(
    r"(?i:sha|md|v|utf|oauth|base|aes|rsa|hs|rs|es|ps|http|ipv|step|field|line"
    r"|ed|pkcs|pbes|col|row|rule|test|type|part|p|q|x|id)-?\d{1,5}"
)
_NOT_OPAQUE: Final = lazy(
    r"\d[\d.,:/_-]*[A-Za-z%]{0,3}"  # numbers, dates, versions, sizes
    r"|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-][\d:]+)?"
    r"|[A-Za-z]+(?:[-_.'/][A-Za-z]+)*"  # words, names, slugs
    r"|[A-Za-z_][\w.]*\([^()]*\)"  # calls
    r"|[A-Za-z_][\w.]*(?:\[\d{1,6}\])+"  # items of a list
)
_MADE: Final = lazy(r"[\d!@#$%^&*~+=?]")
_PIECES: Final = lazy(r"[-_./:]")
_WORDY: Final = lazy(r"[A-Za-z]+\d{0,4}|\d*")


def is_opaque(value: str, least: int) -> bool:
    """Whether the value looks made by a machine (or a careful person), not written as words."""
    if (
        len(value) < least
        or any(c.isspace() for c in value)
        or "[redacted:" in value
        or is_placeholder(value)
    ):
        return False
    if _NOT_OPAQUE.fullmatch(value) or _SHORT_NAMES.fullmatch(value) or not _MADE.search(value):
        return _is_scrambled(value, 16)
    pieces = _PIECES.split(value)
    return (
        len(pieces) == 1 or not all(_WORDY.fullmatch(piece) for piece in pieces) or _is_scrambled(value, 16)
    )


def is_coined(value: str) -> bool:
    """Whether words are put together as in passwords, not as in terms: `amber-moon`, not `case-sensitive`."""
    if not _COINED.fullmatch(value) or _SHORT_NAMES.fullmatch(value):
        return False
    pieces = _COINED_PIECES.findall(value)
    first, last = pieces[0].lower(), pieces[-1].lower()
    if value != value.lower() or any(map(str.isdigit, value)):
        return not all(len(piece) < 3 or piece.lower() in PROSE | _TERMS for piece in pieces)
    return not (first in PROSE or last in PROSE or last in FIELDS or last.endswith(DESCRIBING))


def looks_chosen(value: str) -> bool:
    """Whether it looks like what somebody chose, or was given, for a secret, and like no word or slug."""
    is_odd = not value.islower() or any(map(str.isdigit, value))
    return is_opaque(value, 6) or (is_odd and is_coined(value))


_COINED: Final = lazy(
    r"(?=.{0,80}[\d./_-]|.{0,80}[a-z][A-Z])(?=(?:[^A-Za-z]*[A-Za-z]){5})[^\W_][\w./!@#$%^&*-]{4,80}"
)
_COINED_PIECES: Final = lazy(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+")
_TERMS: Final = frozenset("aes argon auth bcrypt cli hmac md pbkdf rsa scrypt sha sso ssl tls utf".split())
DESCRIBING: Final = (
    "ed", "ing", "able", "ible", "ly", "ive", "ous", "ful", "less", "ent", "ant", "al", "ic", "ary", "en",
    "id", "ory", "own",
)  # fmt: skip
"""How words end that say what something is like."""


def is_made(value: str) -> bool:
    """Whether a bare word has the mixture of characters that only passwords and tokens have."""
    tests = (str.islower, str.isupper, str.isdigit, "!#$%^*~?".__contains__)
    is_mixed = any(map(str.isdigit, value)) and sum(any(map(test, value)) for test in tests) > 2
    return is_mixed and is_opaque(value, 8) and wordiness(value) < 0.45


def _is_scrambled(value: str, least: int) -> bool:
    """Whether the letters are put together as in no word."""
    if len(value) < least and (len(value) < 8 or value in (value.lower(), value.upper(), value.capitalize())):
        return False
    return wordiness(value) < 0.45


def wordiness(value: str) -> float:
    """The share of neighbours that words put side by side: about 0.9 of a name, 0.2 of a token."""
    common = seen = 0
    for pair in map("".join, pairwise(value)):
        if pair.isalpha():
            if not (pair[0].islower() and pair[1].isupper()):
                seen += 1
                common += pair.lower() in _PAIRS
        elif pair.isalnum() and not pair.isdigit():
            seen += 1
    return common / seen if seen else 1.0


_PAIRS: Final = frozenset(
    """
    in er re te ti on ed at es en ng co nt de st le al or se ar ra li an io ri it ec me ta tr ns di
    ve et pe si ro nd ca ct ac ce pr ic is ne la un ly as ma el pa ea ll fi lo rs na nc ex ge ss ch
    he ts th il mp su om to bl ur ut po pl ou em im ab rt ni mi ie ol ad ha id ig ap am ep op od ck
    ai sp ef os no us oc cl ia sh ul mo iv ty ke if sc ot fo da hi ho so pt rm iz ow ir tt ee ag ci
    sa cr ze vi va pp fe tu um ev be rr ff qu ub pi ip up ba cu ib rd do yp ry oo gi gr ls eg ds ru
    ov bi rc lt ua uc nf bo du ue ld lu au tl bu fa ui wa gn xp
    """.split()
)
