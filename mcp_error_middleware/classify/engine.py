"""Exception in, verdict out: evidence before text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from mcp_error_middleware.classify.chain import (
    LINKS,
    Link,
    args_of,
    behind,
    cause_of,
    context_of,
    is_stop,
    is_suppressed,
    members_of,
    qualified_name,
    safe_str,
    state_of,
    walk,
)
from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.evidence import NO_FACTS, PROBED, Facts, bounded, facts_of, seconds_said
from mcp_error_middleware.classify.evidence.access import entries, is_exception, is_mapping, is_text, read
from mcp_error_middleware.classify.evidence.origin import (
    is_of_a_program,
    is_of_an_answer,
    is_of_the_environment,
    settings_clue,
)
from mcp_error_middleware.classify.evidence.places import place_clue
from mcp_error_middleware.classify.evidence.purpose import program_clue, refusal
from mcp_error_middleware.classify.evidence.subject import is_object, kept_answers
from mcp_error_middleware.classify.patterns import (
    LENGTH,
    cited_pattern,
    common_pattern,
    confession,
    lifecycle_pattern,
    misuse_pattern,
    plain_pattern,
    provider_pattern,
    setting_pattern,
    status_pattern,
    value_pattern,
)
from mcp_error_middleware.classify.profile import Profile, fallback_code, in_context, is_internal, profile_of
from mcp_error_middleware.classify.types import GENERIC
from mcp_error_middleware.model import Evidence, Rule, Verdict
from mcp_error_middleware.taxonomy import ErrorCode, Fault, http_status_to_code

MEMBERS: Final = 20
"""How many members of a group are asked."""
RUNNERS_UP: Final = 20
"""How many an explanation names."""

EMBEDDED: Final = (
    "orig", "original_error", "original_exception", "original_exc", "original", "inner_exception", "inner",
    "last_exception", "exception", "exc", "error", "reason", "cause", "os_error", "wrapped", "underlying",
    "last_attempt", "errors", "exceptions", "source", "backend_error",
)  # fmt: skip
"""Where libraries keep the exception they wrap."""

SEVERITY: Final = {Fault.SERVER: 0, Fault.UPSTREAM: 1, Fault.CALLER: 2}
"""Of a group's members, whose failure speaks for all: what the caller cannot mend comes first."""

UPSTREAM: Final = frozenset({ErrorCode.SERVICE_UNAVAILABLE, ErrorCode.RATE_LIMITED, ErrorCode.TIMEOUT})

_NOT_SET_UP: Final = (
    r"(?:pip|conda|poetry|uv) (?:install|add)|optional dependency|is not installed|cannot open shared object"
    r"|\b[Pp]lease install\b|\bfind .{0,60}\blibrary\b"
    r"|\b[Nn]o (?:\w+ )?executable\b|\b(?:in|on|to) (?:your |the )?PATH\b"
    r"|(?i:library|executable|binary) (?:is |was |could )?not (?:be )?(?:found|located|determined|loaded)"
    r"|\b[Nn]o config(?:uration)? file\b"
    r"|(?i:config(?:uration)? file)\b.{0,80} (?:not found|missing|does not exist)"
    r"|(?i:no start line)\b"  # of a key or a certificate
)


class Finding(NamedTuple):
    """A clue, the exception that carried it, and what else that exception carries."""

    clue: Clue
    exc: BaseException
    facts: Facts = NO_FACTS
    verdict: Verdict | None = None
    """A rule's own, where it gave a whole one; a wait and a status it does not name are the exception's."""


class Explanation(NamedTuple):
    """A verdict, and what else was seen."""

    verdict: Verdict
    runners_up: tuple[Evidence, ...] = ()

    def __str__(self) -> str:
        verdict = self.verdict
        wait = f" after {verdict.retry_after:g} s" if verdict.retry_after is not None else ""
        lines = [f"{verdict.code.label}, {'retryable' if verdict.retryable else 'not retryable'}{wait}"]
        if verdict.evidence:
            lines.append(f"  decided by {_line(verdict.evidence)}")
        lines += [f"  also seen  {_line(evidence)}" for evidence in self.runners_up]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Classifier:
    """Exception in, verdict out. The user's rules come before everything but an explicit error."""

    rules: tuple[Rule, ...] = ()

    def __call__(self, exc: BaseException) -> Verdict:
        """The verdict; never raises."""
        try:
            profile = profile_of(type(exc))
            if profile.verdict is not None and not self.rules and _is_plain(exc, profile):
                return profile.verdict
            return self._examined(exc) if self.rules else self._remembered(exc)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - foreign code has many ways to fail; the host must not see one
            return _fallback(exc)

    def _remembered(self, exc: BaseException) -> Verdict:
        signature = _signature(exc)
        if signature is None:
            return self._examined(exc)
        shape, texts = signature
        if (verdict := _KNOWN.get(shape)) is not None:
            return verdict
        said = shape, _hashes(texts)
        if (verdict := _KNOWN.get(said)) is None:
            inquiry = Inquiry(self.rules)
            verdict = inquiry.answer(exc)
            if inquiry.is_timed or verdict.retry_after is not None:
                return verdict
            if len(_KNOWN) >= _REMEMBERED:
                _KNOWN.clear()
            _KNOWN[said if inquiry.has_read else shape] = verdict
        return verdict

    def _examined(self, exc: BaseException) -> Verdict:
        return Inquiry(self.rules).answer(exc)

    def explain(self, exc: BaseException) -> Explanation:
        """The verdict, which evidence decided, and what lost; never raises."""
        verdict = self(exc)
        seen: dict[Evidence, None] = {}
        try:
            for evidence in _everything(exc):
                seen.setdefault(evidence)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001, S110 - as above; what was seen until then still counts
            pass
        return Explanation(verdict, tuple(e for e in seen if e != verdict.evidence)[:RUNNERS_UP])


class Inquiry:
    """One look at one exception and its chain."""

    __slots__ = ("facts", "findings", "has_read", "is_timed", "rules")

    def __init__(self, rules: tuple[Rule, ...] = ()) -> None:
        self.rules = rules
        self.has_read = False
        """Whether a text was read to find what the evidence did not say."""
        self.is_timed = False
        """Whether the wait may be counted from now to a moment: later it is shorter."""
        self.facts: dict[int, Facts] = {}
        self.findings: dict[tuple[int, bool], Finding | None] = {}

    def answer(self, exc: BaseException) -> Verdict:
        """The verdict on the exception."""
        finding = self.found(exc)
        return _fallback(exc) if finding is None else self.verdict(exc, finding)

    def found(self, exc: BaseException, *, text: bool = True) -> Finding | None:
        """What the exception, or what is inside it, says: by evidence alone, or by texts as well."""
        key = id(exc), text
        if key not in self.findings:
            self.findings[key] = None  # a chain may lead back here
            if len(self.findings) <= 2 * LINKS:
                self.findings[key] = self._found(exc, text=text)
        return self.findings[key]

    def _found(self, exc: BaseException, *, text: bool) -> Finding | None:
        own, profile = self._own(exc), profile_of(type(exc))
        if profile.is_carrier and not own:
            return None
        if own and _decides(own, profile):
            return self._answered(exc, own, profile) or own
        inside, aside = self._inside(exc, own, profile)
        if text:
            inside, aside = self._heard(inside), self._heard(aside)
        is_unfit = inside is not None and inside.clue.code in _UNFIT
        self.has_read |= text and (inside is None or is_unfit)
        if text and inside and is_unfit and _is_about_an_answer(exc, inside):
            return Finding(_BAD_ANSWER, exc)
        if text and inside and inside.clue.source == "http_status" and inside.clue.code in _UNFIT_REQUESTS:
            # Many a service has one status for whatever it refuses.
            limit = _is_limit(safe_str(exc, LENGTH))
            inside = Finding(limit, exc, inside.facts) if limit else inside
        if inside or profile.is_soft:
            return inside or (_not_the_callers(exc) if text else None) or own
        if text and (said := _said(exc, own, aside)):
            if aside and (said.code, aside.clue.code) == (ErrorCode.SERVICE_UNAVAILABLE, ErrorCode.TIMEOUT):
                return aside  # which says why nothing came
            return Finding(said, exc, own.facts if own else self._facts(exc, profile))
        if own or aside or not text:
            return own or aside
        return next(filter(None, map(self.found, _below(exc))), None)

    def _heard(self, inner: Finding | None) -> Finding | None:
        """What is inside, as it would be judged by itself: a library's class that says little has a text."""
        if inner is None or inner.clue.weight >= Weight.BASE or not profile_of(type(inner.exc)).is_library:
            return inner
        self.has_read = True
        return self.found(inner.exc) or inner

    def _answered(self, exc: BaseException, own: Finding, profile: Profile) -> Finding | None:
        """What is behind a name that says only that something was no good, was missing or was lost."""
        if profile.is_vague and own.clue is profile.clue:
            said = _behind_a_vague_name(exc, own.clue.code)
            if said or not own.clue.detail.endswith("ConnectError"):
                return Finding(said, exc, own.facts) if said else None
        if own.clue is profile.clue and own.clue.code is ErrorCode.SERVICE_UNAVAILABLE:
            inner = (self.found(below, text=False) for below in _below(exc))
            return next((found for found in inner if found and found.clue.code is ErrorCode.TIMEOUT), None)
        handled = _handled(exc) if own.clue.code is ErrorCode.SERIALIZATION_ERROR else None
        finding = self.found(handled, text=False) if handled is not None else None
        return finding if finding and finding.facts.status else None

    def verdict(self, exc: BaseException, finding: Finding) -> Verdict:
        """The finding as an answer, with the wait and the status from further inside where it has none."""
        clue, facts = finding.clue, finding.facts
        if clue.code in UPSTREAM and facts.retry_after is None:
            facts = self._with_inner_facts(facts, exc, clue.code)
        wait = facts.retry_after
        self.is_timed = wait is not None
        if wait is None and clue.code is ErrorCode.RATE_LIMITED:
            self.has_read = True
            wait = seconds_said(safe_str(finding.exc, LENGTH))
        if own := finding.verdict:
            kept = wait if own.retry_after is None else own.retry_after
            return own._replace(retry_after=kept, status=own.status or facts.status)
        again = (facts.retryable, clue.retryable, clue.code.traits.retryable)
        return Verdict(
            clue.code,
            next(flag for flag in again if flag is not None),
            wait,
            Evidence(clue.source, clue.detail, clue.code, qualified_name(type(finding.exc))),
            facts.status,
        )

    def _own(self, exc: BaseException) -> Finding | None:
        """What the exception itself says: explicitly, by a rule, by its attributes, by its class."""
        profile = profile_of(type(exc))
        if profile.is_declared:
            return _declared(exc)
        if self.rules and (ruled := self._ruled(exc)):
            return ruled
        facts = self._facts(exc, profile)
        clue = facts.clue or profile.clue or place_clue(state_of(exc))
        if (
            clue
            and clue is profile.clue
            and clue.code is ErrorCode.NOT_FOUND
            and any(map(_names_a_class, args_of(exc)[:2]))
        ):
            # What is looked up by a class is a part of the program.
            clue = clue._replace(code=ErrorCode.INTERNAL_ERROR)
        return Finding(clue, exc, facts) if clue else None

    def _facts(self, exc: BaseException, profile: Profile) -> Facts:
        if (facts := self.facts.get(id(exc))) is None:
            facts = self.facts[id(exc)] = _facts(exc, profile)
        return facts

    def _with_inner_facts(self, facts: Facts, exc: BaseException, code: ErrorCode) -> Facts:
        """The wait a cause names counts for the error raised from it, if both are of one kind."""
        for link in _live_links(exc):
            inner = self._facts(link.exc, profile_of(type(link.exc)))
            same = inner.status is not None and http_status_to_code(inner.status) is code
            if same or inner.retry_after is not None:
                return facts._replace(retry_after=inner.retry_after, status=facts.status or inner.status)
        return facts

    def _ruled(self, exc: BaseException) -> Finding | None:
        for rule in self.rules:
            try:
                said = rule(exc)
                if said is not None:
                    verdict = said if isinstance(said, Verdict) else None
                    code = said.code if isinstance(said, Verdict) else ErrorCode(said)
                    clue = Clue(code, Weight.FIRM, "rule", getattr(rule, "__name__", "rule"))
                    return Finding(clue, exc, _facts(exc, profile_of(type(exc))), verdict)
            except BaseException as error:  # a rule that fails has nothing to say
                if is_stop(error):
                    raise
        return None

    def _inside(
        self, exc: BaseException, own: Finding | None, profile: Profile
    ) -> tuple[Finding | None, Finding | None]:
        """What says more than the exception itself; and what its context says, which its text may beat."""
        for inner in _wrapped(exc):
            finding = self.found(inner, text=False)
            if finding and _overrules(finding, own, exc):
                return finding, None
        if profile.is_soft:
            return self._refused(exc), None
        if merged := self._merged(exc):
            return merged, None
        context = _live_context(exc)
        finding = self.found(context, text=False) if context is not None else None
        if finding is None or not _overrules(finding, own, exc):
            return None, None
        return (finding, None) if finding.clue.weight > Weight.BASE else (None, finding)

    def _refused(self, exc: BaseException) -> Finding | None:
        """What was being handled, if it is an answer that no other value would change, or the failure that
        the text repeats: `Failed to query: {error}`.
        """
        inner = behind(exc)
        finding = self.found(inner, text=False) if inner is not None else None
        if inner is None or finding is None:
            return None
        if finding.facts.status and finding.clue.code in _ANSWERS:
            return finding
        if finding.clue.code is ErrorCode.SERIALIZATION_ERROR:
            # What a caller wrote may not read either, but no client was asked for it.
            is_told = profile_of(type(inner)).is_library and is_of_an_answer(inner)
        else:
            is_told = not _is_slip(finding)  # a key that was not there is often put in the caller's words
        if not is_told:
            return None
        self.has_read = True
        return finding if _repeats(exc, inner) else None

    def _merged(self, exc: BaseException) -> Finding | None:
        """The member that speaks for a group. Those that were only cancelled with the others do not."""
        members = members_of(exc)[:MEMBERS]
        awake = [member for member in members if not profile_of(type(member)).is_cancelled]
        found = filter(None, map(self.found, awake or members))
        return min(found, key=lambda finding: SEVERITY[finding.clue.code.traits.fault], default=None)


# --- the same failure again --------------------------------------------------------------------

_Signature: TypeAlias = tuple[tuple[object, ...], list[str]]

_KNOWN: dict[tuple[object, ...], Verdict] = {}
"""By shape where the texts were not read, else by shape and the hashes of the texts."""
_REMEMBERED: Final = 1024
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_DEEP: Final = 8
_AN_ID: Final = re.compile(r"[0-9]{6,}")
"""A number that tells one thing from the next, and is no code of anybody's: those have fewer digits."""


def _hashes(texts: list[str]) -> tuple[int, ...]:
    """What is kept of the texts of a chain: the same for every id, where the same is in the same places."""
    ids: dict[str, int] = {}

    def numbered(found: re.Match[str]) -> str:
        return f"#{ids.setdefault(found[0], len(ids))}"

    # To look for ids in a text of any length would cost more than it saves.
    return tuple(
        hash(text if len(text) > LENGTH else (_AN_ID.sub(numbered, text), len(text))) for text in texts
    )


def _signature(exc: BaseException) -> _Signature | None:
    """All that the verdict on a chain of builtins depends on: its shape, and its texts."""
    shape: list[object] = []
    texts: list[str] = []
    for _ in range(_DEEP):
        args, profile = args_of(exc), profile_of(type(exc))
        if (
            len(args) > _DEEP
            or profile.is_library
            or state_of(exc)
            or members_of(exc)
            or not _PLAIN.issuperset(map(type, args))
        ):
            return None
        shape.append(type(exc))
        if len(args) == 1 and type(args[0]) is str and not (profile.is_inspected or is_object(args[0])):
            texts.append(args[0])
        else:
            shape.append(hash(args))
        if profile.is_telling:
            shape.append(is_of_a_program(exc))
        elif profile.name == "KeyError" and is_of_the_environment(exc):
            shape.append(True)
        elif (spoken := _spoken(exc, profile)) is not None:
            shape.append(spoken)
        below = cause_of(exc)
        if below is None:
            shape.append(None)
            below = None if is_suppressed(exc) else context_of(exc)
        if below is None:
            return tuple(shape), texts
        exc = below
    return None


# --- one exception -----------------------------------------------------------------------------


def _is_plain(exc: BaseException, profile: Profile) -> bool:
    """Whether nothing on the exception or behind it could change what its class says."""
    if not profile.is_simple:
        return False
    if profile.looks_inside and (cause_of(exc) is not None or context_of(exc) is not None):
        return False
    if profile.is_reading and _handled(exc) is not None:
        return False
    if profile.name == "KeyError" and is_of_the_environment(exc):
        return False
    if profile.slip and refusal(exc, profile.slip) is not None:
        return False
    state = state_of(exc)
    if state and not PROBED.isdisjoint(state):
        return False
    if profile.is_bug or not (args := args_of(exc)):
        return True
    # The first argument may be the answer, or its body, or what the program was looked through for.
    first = args[0]
    return type(first) in _PLAIN and not is_object(first) and not _names_a_class(first)


def _facts(exc: BaseException, profile: Profile) -> Facts:
    state = state_of(exc)
    names = profile.attributes | PROBED.intersection(state) if state else profile.attributes
    # Without a number an OSError is not the operating system's, but somebody's choice of a class.
    is_told = profile.is_telling and (profile.is_library or len(args_of(exc)) == 1)
    may_miss = profile.is_import_error or is_told
    if may_miss and re.search(_NOT_SET_UP, safe_str(exc, LENGTH)):
        return Facts(Clue(ErrorCode.CONFIGURATION_ERROR, Weight.FIRM, "text", "not set up"))
    if (clue := settings_clue(exc, profile.bases)) is not None:
        return Facts(clue)
    if (clue := _spoken(exc, profile)) is not None:
        return Facts(clue, seen=(clue,))
    if not names and not profile.is_telling and (profile.is_bug or not _may_hold_facts(exc)):
        return NO_FACTS
    return facts_of(exc, names, profile.bases, profile.clue)


def _spoken(exc: BaseException, profile: Profile) -> Clue | None:
    """What was said on purpose by the type of a slip, or of a bad value."""
    if profile.slip:
        return refusal(exc, profile.slip)
    return program_clue(exc) if profile.name == "ValueError" else None


def _may_hold_facts(exc: BaseException) -> bool:
    """Database drivers put a number first, some clients the response, or its body, or keep it by any name."""
    args = args_of(exc)
    if len(args) > 1 or any(type(arg) is not str or is_object(arg) for arg in args):
        return True
    return next(kept_answers(exc), None) is not None


def _declared(exc: BaseException) -> Finding:
    code, wait, again = (read(exc, name) for name in ("code", "retry_after", "retryable"))
    # An author may have set it by its number.
    is_known = type(code) in (int, ErrorCode) and code in _NUMBERS
    code = ErrorCode(code) if is_known else ErrorCode.INTERNAL_ERROR
    facts = Facts(
        retry_after=bounded(wait) if type(wait) in (int, float) else None,
        retryable=again if type(again) is bool else None,
    )
    return Finding(Clue(code, Weight.FIRM, "explicit", code.label), exc, facts)


_NUMBERS: Final = frozenset(map(int, ErrorCode))


def _names_a_class(arg: object) -> bool:
    """Whether it is a class, or a text that names one as Python writes it."""
    return "<class '" in arg if type(arg) is str else issubclass(type(arg), type)


def _decides(finding: Finding, profile: Profile) -> bool:
    is_soft = profile.is_soft and finding.clue is profile.clue
    return finding.clue.weight >= Weight.BASE and not is_soft


def _overrules(finding: Finding, own: Finding | None, exc: BaseException) -> bool:
    """Whether what is inside says more than the exception around it.

    A bad value stays one unless an upstream's failure is behind it; a name given on purpose, even a weak
    one, says more than the slip it was raised from, and so does any error of a library that caught that slip.
    """
    profile = profile_of(type(exc))
    if profile.is_soft:
        return finding.clue.code in UPSTREAM or finding.facts.status is not None
    is_slip = _is_slip(finding)
    if own is None:
        is_bug = is_slip and profile_of(type(finding.exc)).is_bug
        return not (is_bug and profile.is_installed and profile.name not in GENERIC)
    return finding.clue.weight > own.clue.weight and not (is_slip or _is_confirmed(own, finding, exc))


def _is_slip(finding: Finding) -> bool:
    """Whether it is only a builtin's own word: that of a slip, or of a bad value."""
    profile = profile_of(type(finding.exc))
    return finding.clue is profile.clue and (profile.is_bug or profile.is_soft)


def _repeats(exc: BaseException, inner: BaseException) -> bool:
    """Whether the text of one has all of the other's in it, or ends where a text would be that is empty."""
    text, said = safe_str(exc, LENGTH), safe_str(inner, LENGTH)
    return said in text if len(said) > 3 else not said and text.rstrip().endswith(":")


def _is_confirmed(own: Finding, inside: Finding, exc: BaseException) -> bool:
    """Whether name and text agree on more than that something did not read: a wrong password looks so."""
    if inside.clue.code is not ErrorCode.SERIALIZATION_ERROR:
        return False
    said = common_pattern(safe_str(exc, LENGTH))
    return said is not None and said.code is own.clue.code


def _said(exc: BaseException, own: Finding | None, aside: Finding | None) -> Clue | None:
    """What the text says. Words it only repeats from its context do not count."""
    text = safe_str(exc, LENGTH)
    if aside and len(echoed := safe_str(aside.exc, LENGTH)) > 3:
        text = text.replace(echoed, " ")
    said, profile = provider_pattern(text), profile_of(type(exc))
    if own and own.clue.code is ErrorCode.CONFIGURATION_ERROR and own.clue.detail != type(exc).__name__:
        said = said or _fit_for_a_caller(text)
    if own and is_internal(own.clue):
        said = said or plain_pattern(text)
    if own and own.clue.code in UPSTREAM:
        said = said or misuse_pattern(text)
    if own and (own.clue.code is not ErrorCode.INTERNAL_ERROR or is_internal(own.clue)):
        return in_context(said, own.clue) if said else None
    is_wrapper = not profile.is_library or profile.name in GENERIC
    said = said or setting_pattern(text) or lifecycle_pattern(text)
    said = said or cited_pattern(text, builtins=is_wrapper) or common_pattern(text)
    return said or (value_pattern(text) if profile.is_library else None)


def _fit_for_a_caller(text: str) -> Clue | None:
    """What a text says of a value, where only a base's name speaks of configuration."""
    said = common_pattern(text)
    return said if said and said.code is ErrorCode.VALIDATION_ERROR else None


def _behind_a_vague_name(exc: BaseException, code: ErrorCode) -> Clue | None:
    text = safe_str(exc, LENGTH)
    if code is ErrorCode.VALIDATION_ERROR:
        said = provider_pattern(text)
        return said if said and said.code is ErrorCode.CONFIGURATION_ERROR else None
    if code is ErrorCode.FORBIDDEN:
        return _is_limit(text)
    if code is ErrorCode.NOT_FOUND:
        return _OF_THE_PROGRAM if re.search(_REGISTRY, text) else None
    refused = provider_pattern(text) or common_pattern(text)
    if code is ErrorCode.SERVICE_UNAVAILABLE and refused and refused.code is ErrorCode.UNAUTHORIZED:
        return refused
    if code is ErrorCode.INVALID_PARAMS and refused and refused.code in _REFUSALS:
        return refused
    # What came over the wire instead of an answer is quoted.
    return status_pattern(re.sub(r"\bb(['\"]).*?\1", "", text))


_REFUSALS: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED})
"""What a text may add to a name that says no more than that a request was refused."""

_REGISTRY: Final = (
    r"(?i)\bimport(?:ing|ed)?\b|\b(?:document|model|the) class\b|\bdecorat|\bcall \w+\.?register"
)
_OF_THE_PROGRAM: Final = Clue(ErrorCode.INTERNAL_ERROR, Weight.WEAK, "pattern", "a part of the program")


def _is_limit(text: str) -> Clue | None:
    """What a text says of a limit that was reached; there are limits of which people only speak."""
    said = provider_pattern(text) or common_pattern(text)
    return said if said and said.code is ErrorCode.RATE_LIMITED and re.search(_REACHED, text) else None


_REACHED: Final = r"(?i)exceed|reach|exhaust|too many|throttl|slow down|used up|out of|over quota|\bhit\b"


def _not_the_callers(exc: BaseException) -> Finding | None:
    """Some libraries raise a ValueError for what no value can mend: no connection, key or configuration."""
    text = safe_str(exc, LENGTH)
    answered = status_pattern(text)
    if answered is not None and (answered.code in _ANSWERS or re.search(_ANSWERED, text)):
        return Finding(answered, exc)
    if (provided := provider_pattern(text)) and provided.code in _NO_VALUE:
        return Finding(provided, exc)
    if (said := cited_pattern(text)) and said.code in _ANSWERS:
        return Finding(said, exc)
    if said := setting_pattern(text) or confession(text):
        return Finding(said, exc)
    # A library's own kind of it may be about anything that its caller did.
    said = (provided or common_pattern(text)) if profile_of(type(exc)).is_library else None
    return Finding(said, exc) if said and said.code in _CALLERS else None


_ANSWERED: Final = r"(?i)\b(?:status code|http (?:error|status)|(?:server|client) error)\b"
"""By which a number is a status; a round one stands in the texts of bad values for itself too."""


_CALLERS: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.CONFLICT})
_NO_VALUE: Final = frozenset({ErrorCode.SERVICE_UNAVAILABLE, ErrorCode.CONFIGURATION_ERROR})
_ANSWERS: Final = UPSTREAM | {ErrorCode.UNAUTHORIZED}
"""What a status says that no other value would change."""


def _is_about_an_answer(exc: BaseException, inside: Finding) -> bool:
    """Whether what did not validate was an upstream's answer, by the words of who asked for it."""
    return inside.facts.status is None and re.match(_ANSWER, safe_str(exc, 200)) is not None


_UNFIT: Final = frozenset({ErrorCode.VALIDATION_ERROR, ErrorCode.INVALID_PARAMS})
_UNFIT_REQUESTS: Final = _UNFIT | {ErrorCode.INVALID_REQUEST}
_ANSWER: Final = (
    r"(?i)\W?(?:(?:received|got) )?(?:an? )?(?:invalid|unexpected|malformed|bad|unusable|incomplete) "
    r"(?:\w+ ){0,3}(?:response|reply|answer|completion)s?\b"
)
_BAD_ANSWER: Final = Clue(ErrorCode.SERVICE_UNAVAILABLE, Weight.WEAK, "pattern", "an answer that is no good")


def _fallback(exc: BaseException) -> Verdict:
    code = fallback_code(type(exc))
    return Verdict(code, False, evidence=Evidence("fallback", "", code, qualified_name(type(exc))))


# --- what is inside ----------------------------------------------------------------------------


def _below(exc: BaseException) -> Iterator[BaseException]:
    yield from _wrapped(exc)
    yield from members_of(exc)[:MEMBERS]
    if (context := _live_context(exc)) is not None:
        yield context


def _wrapped(exc: BaseException) -> Iterator[BaseException]:
    """The cause, and the exceptions a library keeps in attributes and arguments."""
    if (cause := cause_of(exc)) is not None:
        yield cause
    state, attributes = state_of(exc), profile_of(type(exc)).attributes
    if state or attributes:
        for name in EMBEDDED:
            if name in state or name in attributes:
                yield from _exceptions_in(read(exc, name))
    yield from filter(is_exception, args_of(exc)[:3])


def _exceptions_in(value: Any) -> Iterator[BaseException]:
    if is_exception(value):
        yield value
    elif is_mapping(value):
        yield from filter(is_exception, list(value.values())[:MEMBERS])
    elif value is not None and not is_text(value):
        # A list; a finished future, as tenacity keeps its last attempt; an exc_info, as retrying does.
        parts = (*entries(value), read(value, "_exception"), *entries(read(value, "value")))
        yield from filter(is_exception, parts)


def _live_links(exc: BaseException) -> Iterator[Link]:
    """The chain without what was suppressed and what hangs from that."""
    hidden: int | None = None
    for link in walk(exc, MEMBERS):
        if hidden is None or link.depth <= hidden:
            hidden = link.depth if link.relation == "suppressed" else None
            if hidden is None:
                yield link


def _handled(exc: BaseException) -> BaseException | None:
    """What was being handled when something did not read.

    Python's own JSON reader hides the end of its loop, and with it what is behind.
    """
    context = context_of(exc)
    if context is None or not is_suppressed(exc):
        return context
    return context_of(context) if issubclass(type(context), StopIteration) else None


def _live_context(exc: BaseException) -> BaseException | None:
    """The context Python would show: none beside a cause, none that was suppressed."""
    return None if is_suppressed(exc) or cause_of(exc) is not None else context_of(exc)


# --- explaining --------------------------------------------------------------------------------


def _everything(exc: BaseException) -> Iterator[Evidence]:
    for link in _live_links(exc):
        profile = profile_of(type(link.exc))
        text = "" if profile.is_carrier else safe_str(link.exc, LENGTH)
        clues = (*_facts(link.exc, profile).seen, profile.clue, provider_pattern(text), common_pattern(text))
        for clue in filter(None, clues):
            yield Evidence(clue.source, clue.detail, clue.code, profile.name)


def _line(evidence: Evidence) -> str:
    carrier = f" on {evidence.type}" if evidence.type and evidence.type != evidence.detail else ""
    return f"{evidence.source}: {evidence.detail or '-'}{carrier} -> {evidence.code.label}"
