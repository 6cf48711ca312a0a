"""A name and its value in, whether the value must go out.

The surer the notation, the more goes: `password=sunshine` does, "password: must be long" does not.
"""

from __future__ import annotations

import re
from typing import Final

from mcp_error_middleware.lazy import lazy
from mcp_error_middleware.sanitize.keys import Sensitive, sensitivity
from mcp_error_middleware.sanitize.notation import UNSPACED, Name, Notation, Value, is_grouped
from mcp_error_middleware.sanitize.spans import MARK
from mcp_error_middleware.sanitize.words import (
    DESCRIBING,
    FOREIGN_DESCRIBING,
    PROSE,
    is_coined,
    is_field,
    is_foreign_state,
    is_harmless,
    is_known_field,
    is_made,
    is_opaque,
    is_placeholder,
    is_prose,
    wordiness,
)


def goes(text: str, name: Name, value: Value) -> bool:
    """Whether this value of a sensitive name is a secret."""
    said, spoken = text[value.start : value.end], text[name.start : name.end]
    if (
        not any(map(str.isalnum, said[:100]))
        or is_placeholder(said)
        or said.strip(" :?").lower() == spoken.lower()
        or _is_link(said)
        or (said.isalpha() and spoken.lower().endswith("string"))  # to connect takes more than one word
        or ("@" in said and "://" in said and value.notation in _UNASSIGNED)
        or (value.notation in _LOOSE and min(said) >= UNSPACED)
        or _INDEXED.match(text, value.start)
        or ("_" in said and _is_another(text, name, said, value))
        or (said in _SOURCES and spoken.endswith(("From", "_from")))
        or (_COORDINATE.match(text, name.end) and _GROUP.search(text, max(0, name.start - 60), name.start))
        or _LOOKED_UP.search(text, max(0, value.start - 24), value.start)
    ):
        return False
    if (name.sensitive.firm and is_grouped(said)) or _is_halves(name, said):
        return True
    is_loose = value.notation in _LOOSE or text[value.start - 1] == "`"
    if spoken.lower() == "pass" and is_loose and _AFTER_WORD.search(text, max(0, name.start - 2), name.start):
        return is_opaque(said, 6)  # the second pass: 0.5 s
    if _is_number(said):
        is_code = name.sensitive.kind == "code" and len(said) >= _CODE_LENGTH
        is_loose_name = name.sensitive.foreign and value.notation in _LOOSE
        is_counting = is_loose_name and not is_code and _COUNTED.match(text, value.end)
        return not is_counting and _number_goes(said, name.sensitive, value.notation)
    if not name.sensitive.firm:
        return _weak_goes(text, name, value)
    if name.sensitive.foreign and value.notation in _LOOSE:
        return _foreign_goes(text, name, value)
    return _JUDGES[value.notation](text, name, value)


def _is_halves(name: Name, said: str) -> bool:
    return name.sensitive.kind == "code" and _HALVES.fullmatch(said) is not None


def _foreign_goes(text: str, name: Name, value: Value) -> bool:
    """After a name in another language a word of that language may follow."""
    whole = text[value.start : value.end]
    said = whole.strip("?!.,¿¡،؛؟")
    if not said or max(said) >= UNSPACED or said.lower() in PROSE or is_foreign_state(said):
        return False
    if value.notation is not Notation.BESIDE and _GOES_ON.match(text, value.end):
        said = whole
    if is_password_like(said):
        return len(said) >= _FOREIGN_LENGTH or any(map(str.isalpha, said))
    if not said.isascii():
        return False
    if said not in (said.lower(), said.upper(), said.capitalize()) and is_opaque(said, 8):
        return True
    is_last = value.notation is Notation.SAID and not text[value.end : value.end + 40].strip("\"' \n")
    if is_last and len(said) > _SHORT and not said.endswith(FOREIGN_DESCRIBING):
        return True
    if len(said) < _FOREIGN_LENGTH:
        return False
    if value.notation is not Notation.BESIDE and not said.isalpha() and is_coined(said):
        return True
    if (judged := _FOUND_WRONG.match(text, value.end)) and is_foreign_state(judged["state"]):
        is_listed = value.notation is not Notation.BESIDE
        return (is_listed and bool(judged["verb"])) or (not said.isalpha() and is_coined(said))
    # Where that language is not written in our letters, what is written in them is no word of it.
    is_other = min(text[name.start : name.end]) >= _OTHER_SCRIPT
    return is_other or (value.notation is Notation.LISTED and not text[value.end : value.end + 40].strip())


def _is_another(text: str, name: Name, said: str, value: Value) -> bool:
    """Whether the value is the name of a value like it: `password == confirm_password`."""
    sign, spoken = text[name.end : value.start].strip(), text[name.start : name.end]
    owner, _, last = said.rpartition("_")
    is_like_it = last == spoken.lower().rpartition("_")[2] and owner in _RELATED
    return is_like_it and (sign in ("==", "===", "!=", "!==") or (sign == "=" and "_" in spoken))


_SOURCES: Final = frozenset(
    "aws azure cmd command config configmap consul env environment exec file gcp input keychain keyring"
    " literal prompt secret ssm stdin vault".split()
)
"""Where a secret may be from: `passwordFrom: env`."""
_RELATED: Final = frozenset(
    """
    actual confirm confirmation confirmed current entered expected given initial new old original other
    previous provided repeat repeated stored supplied
    """.split()
)
"""What tells one of two passwords from the other."""
_UNASSIGNED: Final = frozenset({Notation.BESIDE, Notation.FLAGGED})
"""What only stands behind a name: of a login in a URL there, its own finder tells what is private."""


def _is_link(said: str) -> bool:
    """A plain URL is for the finder of URLs."""
    return said.startswith(("http://", "https://", "<http://", "<https://")) and "@" not in said


def _is_number(said: str) -> bool:
    return len(said) < 40 and said.lstrip("-+#").replace(".", "", 1).replace(",", "").isdigit()


def _number_goes(said: str, sensitive: Sensitive, notation: Notation) -> bool:
    if not sensitive.numeric:
        return sensitive.firm and len(said) >= (6 if notation is Notation.BESIDE else 5)
    is_loose = not sensitive.firm or (notation is Notation.BESIDE and sensitive.kind != "code")
    return len(said) >= (4 if is_loose else 3)


_SURE: Final = frozenset({Notation.ASSIGNED, Notation.LISTED, Notation.PAIRED})


def _weak_goes(text: str, name: Name, value: Value) -> bool:
    """Names such as `key` or `session` need a value that looks like a secret."""
    said = text[value.start : value.end]
    if value.notation is Notation.ASSIGNED and text[value.start - 1] == "{":
        return False  # what is in it has names of its own
    if value.notation is Notation.ASSIGNED and text[value.start - 1] in "([":
        # auth=("user", "password")
        return text[name.start : name.end].lower().endswith("auth") and not is_harmless(said)
    if value.notation is Notation.BESIDE and name.sensitive.kind != "key":
        is_login = _LOGIN.fullmatch(said) and _is_chosen(said.partition(":")[2])
        is_chosen = name.sensitive.kind in _CHOSEN and (is_made(said) or is_opaque(said, 10))
        is_drawn = len(said) >= _LONG and _is_mixed(said) and is_made(said)
        return bool(is_login or _DIGEST.fullmatch(said) or is_chosen or is_drawn)
    if value.notation is Notation.QUOTED:
        is_rejected = name.sensitive.kind == "signature" and _is_turned_down(text, value)
        return (is_rejected or _is_used(text, name)) and is_opaque(said, 8)
    if value.notation is Notation.BESIDE:
        if _is_shown(text, value):
            return True
        is_led = _is_used(text, name) or _BLAMED.search(text, max(0, name.start - 14), name.start)
        return bool(is_led) and looks_secret(said, name.sensitive) and wordiness(said) < _NO_WORD
    if value.notation is Notation.FLAGGED:
        return bool(_DIGEST.fullmatch(said)) or is_made(said)
    return value.notation in _SURE and looks_secret(said, name.sensitive)


_CODE_LENGTH: Final = 4
_CHOSEN: Final = frozenset({"password", "code"})
"""What people make up themselves."""
_COUNTED: Final = lazy(r"[ ][^\W\d_]")
"""What is counted, behind its number: `8 caracteres`."""
_AFTER_WORD: Final = lazy(r"[A-Za-z][ ]\Z")
_LOOSE: Final = frozenset({Notation.LISTED, Notation.SAID, Notation.BESIDE})
_FIELD: Final = lazy(r"[A-Za-z]{1,9}|(?=.{1,20}$)[a-z]+(?:[_-][a-z]+){1,3}")
"""What is no token: a word, the name of a field."""
_FOREIGN_LENGTH: Final = 6
_SHORT: Final = 3
_GOES_ON: Final = lazy(r"(?<=[!?])[ ][a-zà-ÿ]")
"""What ends no sentence: `das Passwort lautet x! und wurde abgelehnt`."""
_FOUND_WRONG: Final = lazy(r"[ ](?P<verb>(?:is|ist|est|es|è|é|jest|är|er|on)[ ])?(?P<state>\w{3,30})")
"""`Wachtwoord: x is onjuist`"""
_INDEXED: Final = lazy(
    rf"(?<=[ ])[A-Za-z_][\w.]{{0,60}}(?!{MARK})"
    r"\[(?:[\w.-]{1,20}(?:[ ]?[-+*:][ ]?\w{1,40})?|[\"'][\w.-]{1,60}[\"'])\]"
)
"""What is code: `token = tokens[i + 1]`"""
_LOOKED_UP: Final = lazy(
    r"\.(?:get|getenv|getlist|pop|setdefault|r?split|r?partition|removeprefix|l?strip|header|cookie|param|query|env"
    r"|(?:from|by|read|load|fetch|find|get|lookup)_?(?:name|env|file|id|secret|key|path)?)\([\"']\Z"
)
"""`token = headers.get("x")`"""
_GROUP: Final = lazy(r"(?<![\w.-])[a-z][\w-]{0,40}(?:\.[a-z][\w-]{0,40}){1,6}:\Z")
_COORDINATE: Final = lazy(r"(?::[a-z][\w-]{0,30}){0,2}:v?\d{1,9}(?:\.\w[\w-]{0,30}){1,4}(?![\w:])")
"""A package as Maven and Gradle call it: `com.example:auth-token:jar:1.0.0`."""
_OTHER_SCRIPT: Final = "\u0370"
"""Where letters end that look like ours."""
_DIGEST: Final = lazy(r"[0-9a-f]{32,128}")
_LEAST: Final = {"signature": 12, "key": 16}
_OBJECT: Final = lazy(
    r"[0-9a-f-]{16,128}|[A-Z]{14}-[A-Z]{10}-[A-Z]|.*/.*|.*\.[a-z]{2,5}|[a-z][\w.-]*(?::[\w.=-]{1,20})+",
    re.IGNORECASE,
)
"""What the keys of caches and stores look like, and that of a molecule: an InChIKey."""


def looks_secret(said: str, sensitive: Sensitive) -> bool:
    """Whether the value of a name that may mean a secret is one."""
    if sensitive.kind == "key" and _OBJECT.fullmatch(said):
        return False
    return is_opaque(said, _LEAST.get(sensitive.kind, 8))


def _assigned_goes(text: str, name: Name, value: Value) -> bool:
    return not is_harmless(text[value.start : value.end])


def _flagged_goes(text: str, name: Name, value: Value) -> bool:
    said = text[value.start : value.end]
    if said.lower() in PROSE or _FLAG.fullmatch(said) or is_harmless(said):
        return False
    if text.endswith("stdin", name.start, name.end) and _PLACE.fullmatch(said):
        return False  # --password-stdin registry.example.com
    if _IDENTIFIER.search(said) and sensitivity(said) and _ANOTHER.match(text, value.end):
        return False  # --secret dbPassword x
    return not _is_metavariable(said, text[name.start : name.end].lower())


def _is_metavariable(said: str, spoken: str) -> bool:
    """What a help text calls the value of an option: `--api-key API_KEY`."""
    words = said.lower().split("_") if said.isupper() else [""]
    return all(word and (word in PROSE or word in spoken) for word in words)


def _paired_goes(text: str, name: Name, value: Value) -> bool:
    """Names also stand beside names: `missing: ('password', 'email')`."""
    said = text[value.start : value.end]
    is_pair = _PAIR_END.match(text, value.end) and (
        text[name.end] == "(" or _PAIRS.search(text, max(0, name.start - 6), name.start)
    )
    return not (is_known_field(said) if is_pair else is_field(said)) and not is_harmless(said)


_LABEL: Final = lazy(r"[a-z][a-z_]{2,20}")
_PROGRAM: Final = lazy(r"(?<![\w-])(?:ch|g|k|ldap|mk|smb|vnc)passwd\Z")
"""What writes where an error is from before it: `chpasswd: pam_unix: …`."""
_PAIRS: Final = lazy(r"(?:\[|\{|[)\]],)[ ]?[(\[][bu]?[\"']\Z")
_PAIR_END: Final = lazy(r"[\"'][ ]?[)\]]")
"""One of several: `[('login', 'bob'), ('password', 'x')]`."""


def _listed_goes(text: str, name: Name, value: Value) -> bool:
    """After a colon a sentence may begin; a password hardly looks like its first word."""
    said = text[value.start : value.end]
    if _word(said) in PROSE or _ERROR.fullmatch(said) or is_foreign_state(_word(said)):
        return False
    if text.startswith(": ", value.end) and _LABEL.fullmatch(said) and _PROGRAM.search(text[: name.end]):
        return False
    if name.sensitive.kind != "password" and said.isalpha() and not said.isascii():
        return False
    if not said.isalpha() or name.sensitive.kind == "password":
        return not is_harmless(said)
    if said.islower() and text.endswith("keys", 0, name.end):
        return False  # the names of some
    return not _SENTENCE.match(text, value.end)


def _said_goes(text: str, name: Name, value: Value) -> bool:
    said = text[value.start : value.end]
    word, is_password = _word(said), name.sensitive.kind == "password"
    is_term = all(part in PROSE for part in word.replace("_", "-").split("-"))
    if is_term or is_foreign_state(word) or not any(c.isalpha() for c in said):
        return False
    if said.isalpha() and not is_opaque(said, 8):
        is_whole = text[: value.start].split()[-1].lower() in _VERBS or _CLAUSE_END.match(text, value.end)
        return bool(is_password and is_whole and not word.endswith(DESCRIBING) and len(word) > 3)
    return is_opaque(said, 6) or (is_password and (is_password_like(said) or is_coined(said)))


def _quoted_goes(text: str, name: Name, value: Value) -> bool:
    """In quotes beside a bare word may be a name as well: `secret "tls-cert" not found`."""
    said, spoken = text[value.start : value.end], text[name.start : name.end]
    if is_harmless(said) or is_prose(said):
        return False
    is_one_word = spoken.isalpha() and spoken in (spoken.lower(), spoken.title())
    if name.sensitive.kind == "token" and _FIELD.fullmatch(said):
        return _is_used(text, name)
    if name.sensitive.kind == "password" or not is_one_word:
        return True
    is_mixed = any(map(str.isupper, said)) and any(map(str.islower, said))
    is_judged = _is_called_bad(text, name) or _is_turned_down(text, value)
    is_chosen = (is_mixed or is_judged) and is_coined(said) and any(map(str.isdigit, said))
    return _is_used(text, name) or is_opaque(said, 5) or " " in said or is_chosen


def _is_used(text: str, name: Name) -> bool:
    return bool(_USED.search(text, max(0, name.start - 8), name.start))


def _beside_goes(text: str, name: Name, value: Value) -> bool:
    said = text[value.start : value.end]
    if _word(said) in PROSE or (text.endswith(": ", 0, value.start) and _REASON.fullmatch(said)):
        return False
    if said.startswith("--") or _NEXT_NAME.match(said) or is_foreign_state(_word(said)):
        return False
    if _is_shown(text, value):
        return True
    if name.sensitive.kind == "password":
        is_secret = (is_opaque(said, 6) and is_password_like(said)) or _is_found_weak(text, name, value)
        is_label = text[name.start : name.end].lower() in _NO_WORDS and any(map(str.isdigit, said))
        is_last = _is_mixed(said) and bool(_CLAUSE_END.match(text, value.end))
        return is_secret or (is_coined(said) and (is_label or is_last or _is_handed(text, name, value)))
    if name.sensitive.kind == "secret" and (_LOGIN.fullmatch(said) or _DIGEST.fullmatch(said)):
        return True
    if not said.islower() and name.sensitive.kind == "secret" and is_coined(said) and _is_given(text, name):
        return True
    if _is_chosen(said) and _is_turned_down(text, value):
        return not (name.sensitive.kind == "secret" and _OBJECT_NAME.fullmatch(said))
    if _IDENTIFIER.search(text, name.start, name.end):
        return is_opaque(said, 6) and is_password_like(said)
    is_machines = len(said) >= _LONG and wordiness(said) < _NO_WORD
    is_digital = sum(c.isdigit() for c in said) >= 2
    return is_opaque(said, 8) and (is_digital or is_machines or bool(_BASE32.fullmatch(said)))


def _is_mixed(said: str) -> bool:
    """Whether there are capitals, small letters and digits in it."""
    return said.upper() != said != said.lower() and any(map(str.isdigit, said))


_NO_WORDS: Final = frozenset("passwd psk pw pwd pword".split())
"""Names that are no words of a sentence."""


def _is_shown(text: str, value: Value) -> bool:
    """Whether nobody would write this word, and the sentence is about being let in."""
    if not is_made(text[value.start : value.end]):
        return False
    start, far = max(0, value.start - _NEAR), value.end + _NEAR
    line = text.find("\n", value.end, far)
    start = max(start, text.rfind("\n", start, value.start) + 1)
    return _LET_IN.search(text, start, far if line < 0 else line) is not None


def _is_handed(text: str, name: Name, value: Value) -> bool:
    """Whether what is said around a password makes it one that somebody gave."""
    return bool(
        _is_given(text, name)
        or text.endswith(_HANDING, 0, value.start)
        or _is_line(text, name, value)
        or (text.endswith((": ", "; "), 0, name.start) and _CLAUSE_END.match(text, value.end))
        or (
            _is_singled_out(text, name, value) and _has_more_than_small_letters(text[value.start : value.end])
        )
        or (text[value.start - 1] in "([<" and text[value.end : value.end + 1] in (")", "]", ">"))
        or (text.endswith(", ", 0, value.start) and text.startswith(",", value.end))
        or _WEAK.match(text, value.end)
        or _IN_ANOTHER.match(text, value.end)
    )


_IN_ANOTHER: Final = lazy(r"[ ](?:non|nicht|n['’]est|não|nie|niet|ist|est|è|é|war|foi|fue|sono|é)[ ]")
"""How sentences in other languages go on: `la password x non è corretta`."""
_HANDING: Final = (
    " to ",
    " as ",
    " be ",
    " is ",
    " now ",
    "but was ",
    "got ",
    "have ",
    "want ",
    "received ",
    "... ",
)


def _is_given(text: str, name: Name) -> bool:
    return _HANDED.search(text, max(0, name.start - 80), name.start) is not None


def _has_more_than_small_letters(said: str) -> bool:
    return not said.islower() or any(map(str.isdigit, said))


def _is_chosen(said: str) -> bool:
    """Whether somebody may have chosen this as a password: words with a digit, or what is no word."""
    return is_opaque(said, 6) or (is_coined(said) and any(map(str.isdigit, said)))


def _is_called_bad(text: str, name: Name) -> bool:
    return _BLAMED.search(text, max(0, name.start - 14), name.start) is not None


def _is_line(text: str, name: Name, value: Value) -> bool:
    """Whether name and value are all there is in quotes: a line of a file, as a parser shows it."""
    is_first = name.start == 0 or text[name.start - 1] in "'\"`"
    return is_first and bool(_LINE_END.match(text, value.end))


_LINE_END: Final = lazy(r"(?:\\n|\n)?(?:['\"`]|\Z)")


def _is_singled_out(text: str, name: Name, value: Value) -> bool:
    """Whether the value is turned down, or the last word behind a name that is no word of a sentence."""
    is_last = _IDENTIFIER.search(text, name.start, name.end) and _CLAUSE_END.match(text, value.end)
    return bool(is_last) or _is_turned_down(text, value)


def _is_turned_down(text: str, value: Value) -> bool:
    """`password x rejected`, `password rejected: x`"""
    return text.endswith(": ", 0, value.start) or _TURNED_DOWN.match(text, value.end) is not None


def _is_found_weak(text: str, name: Name, value: Value) -> bool:
    """Whether something is said of the word that is said of passwords: `the password x was leaked`."""
    said = text[value.start : value.end]
    is_compound = is_field(said) or said.lower() in _KEPT or sensitivity(f"password_{said}") is None
    return (
        text[name.start : name.end].lower() == "password"
        and not is_compound
        and (bool(_WEAK.match(text, value.end)) or _is_blamed(text, name, value))
    )


def _is_blamed(text: str, name: Name, value: Value) -> bool:
    """`bad password (x)`, `invalid password x for user bob`"""
    is_bracketed = text[value.start - 1] == "(" and text.startswith(")", value.end)
    if not is_bracketed and not text.startswith((" for user ", " for account "), value.end):
        return False
    return bool(_BLAMED.search(text, max(0, name.start - 12), name.start))


def _word(said: str) -> str:
    return said.lower().strip("().!?,").replace("’", "'").removesuffix("'t")


def is_password_like(said: str) -> bool:
    """Whether a bare word has what people put into passwords."""
    return any(c.isdigit() or not (c.isalnum() or c in "-_.,'/:()" or c >= _OTHER_SCRIPT) for c in said)


_IDENTIFIER: Final = lazy(r"_|[a-z][A-Z]|[A-Za-z]-[A-Za-z]")
"""In a name that is no word of a sentence: `api_key`, `apiKey`."""
_ANOTHER: Final = lazy(r"[ ][^\s-]")
_FLAG: Final = lazy(r"--?[A-Za-z]|--[a-z][a-z-]{1,30}(?:=.*)?|-")
_PLACE: Final = lazy(
    r"(?:https?://)?(?:[a-z][a-z0-9-]{0,40}\.){1,5}(?:com|net|org|dev|cloud|app|[a-z]{2})(?:[:/][\w.:/-]{0,100})?"
)
"""Where somebody signs in."""
_ERROR: Final = lazy(
    r"[A-Za-z_.]{0,60}(?:Error|Exception|Failed|Failure|Timeout|Denied|Expired|Invalid|NotFound|Missing|Refused)"
)
_SENTENCE: Final = lazy(r"[,:]?[ ]+(?:[a-z]{1,20}\b(?![=:]\S|[ ][=-]>[ ])|[A-Z]\w{0,20}[ ][a-z])")
_BLAMED: Final = lazy(
    r"\b(?:invalid|wrong|bad|incorrect|unknown|expired|revoked|given|supplied|provided|entered|tried)[ ]\Z",
    re.IGNORECASE,
)
_HANDED: Final = lazy(
    r"(?:\b(?:with|using|and|invalid|wrong|bad|incorrect|given|supplied|provided|entered|tried|new|old|current|initial"
    r"|temporary|temp|default|admin|root)[ ](?:the[ ]|a[ ])?"
    r"|\b(?:user(?:name)?|usuario|usuário|utente|utilisateur|benutzer)[ ][^\s,;]{1,60}[,;]?[ ])\Z",
    re.IGNORECASE,
)
"""Before a password: `with password x`, `user bob, password x`."""
_TURNED_DOWN: Final = lazy(
    r"['\"`)]?[ ](?:(?:(?:is|was|has[ ]been)[ ])?"
    r"(?:not[ ](?:accepted|valid|recogni[sz]ed)|rejected|refused|denied|wrong|incorrect|invalid|expired"
    r"|revoked|mismatch)"
    r"|(?:could|can|does|did)(?:[ ]?not|n't)[ ](?:match|unlock|open|decrypt|verify|work))\b"
)
_LET_IN: Final = lazy(
    r"(?<![a-z])(?:(?:un|re)?authenticat|(?:un)?authori[sz]|log(?:ged|ging)?[ -]?in"
    r"|sign(?:ed|ing)?[ -]?in|revoked|forbidden|(?:access|permission)s?[ ](?:was[ ]|is[ ])?denied|401|403)",
    re.IGNORECASE,
)
_VERBS: Final = frozenset("is was are equals being now be to".split())
"""Ours; behind one of another language a word of that language follows."""
_CLAUSE_END: Final = lazy(r"[.,;)]?\s*$|[;,)]")
_OBJECT_NAME: Final = lazy(r"[a-z0-9.-]+")
"""How a store calls the secrets in it."""
_REASON: Final = lazy(r"[A-Za-z]{1,10}[-_]?\d{2,10}|[A-Za-z_]{1,30}=\S*")
"""Why a token was refused: `AADSTS70011`, `exp=1700000000`."""
_NEXT_NAME: Final = lazy(r"[A-Za-z_][\w.-]{1,40}=[^=]")
"""What has a value of its own."""
_HALVES: Final = lazy(r"(?:[A-Z]-)?\d{3}-\d{3}|\d{3,4}(?:[ -]\d{3,4}){1,3}")
"""A code in parts: `118-822`, `5885 5008`."""
_BASE32: Final = lazy(r"(?=[A-Z]{0,40}[2-7])[A-Z2-7]{16,64}")
_NEAR: Final = 200
_LONG: Final = 20
_NO_WORD: Final = 0.45
"""Less of a word than any word is."""
_WEAK: Final = lazy(
    r"['\")]?[ ](?:(?:has[ ]been|was|is)[ ](?:seen|found|listed|leaked|exposed|breached|compromised|pwned)\b"
    r"|appears[ ]in[ ]|is[ ](?:too[ ](?:short|common|simple|weak|easy)"
    r"|(?:very[ ]|a[ ])?(?:weak|common)\b|easily[ ])"
    r"|is[ ]not[ ](?:strong|long|complex)[ ]enough|(?:does[ ]not|doesn't|must)[ ](?:contain|include|meet)[ ])"
)
_KEPT: Final = frozenset(
    """
    archive backup export import page blob breach candidate cell combination composition dialog dump entropy
    generator hashes input leak notebook parser prompt record safe salt sheet spreadsheet variable wallet
    wordlist
    """.split()
)
"""What passwords are kept in or made by."""
_USED: Final = lazy(r"\b(?:with|using|by|of)[ ]$", re.IGNORECASE)
_LOGIN: Final = lazy(r"[\w.@-]{1,60}:(?!\d{1,5}$|//)[^\s:]{3,100}")

_JUDGES: Final = {
    Notation.ASSIGNED: _assigned_goes,
    Notation.FLAGGED: _flagged_goes,
    Notation.PAIRED: _paired_goes,
    Notation.LISTED: _listed_goes,
    Notation.SAID: _said_goes,
    Notation.QUOTED: _quoted_goes,
    Notation.BESIDE: _beside_goes,
}
