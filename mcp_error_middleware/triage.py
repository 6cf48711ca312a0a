"""Exception in, failure out: the one place where the steps meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from time import time as now
from typing import Any, Final, TypeVar, TypeVarTuple

from mcp_error_middleware.advice import (
    NOWHERE,
    Advice,
    Around,
    Repeats,
    advise,
    lacking,
    sharpened,
)
from mcp_error_middleware.blame import OF_ANYBODY, blamed, lacked
from mcp_error_middleware.classify import (
    Classifier,
    is_stop,
    mro_of,
    qualified_name,
    safe_str,
    state_of,
    traceback_of,
    walk,
)
from mcp_error_middleware.contracts import Contract, Mode, match
from mcp_error_middleware.errors import McpError, problems_of, worded
from mcp_error_middleware.fingerprint import fingerprint
from mcp_error_middleware.frames import frames_of
from mcp_error_middleware.hints import Hints
from mcp_error_middleware.ids import new_id
from mcp_error_middleware.issues import Given, issues_of, summary
from mcp_error_middleware.locales import phrases, say
from mcp_error_middleware.locales.translate import problem_in
from mcp_error_middleware.model import (
    UNGROUPED,
    Body,
    Call,
    Cause,
    Evidence,
    Failure,
    Hint,
    Issue,
    Verdict,
)
from mcp_error_middleware.observers import tell
from mcp_error_middleware.policy import ErrorPolicy, Exposure
from mcp_error_middleware.render.problem import code_url
from mcp_error_middleware.sanitize import Scrubber, sanitize_text
from mcp_error_middleware.taxonomy import ErrorCode, Fault
from mcp_error_middleware.told import holes_in, without_rejected, words_of
from mcp_error_middleware.wording import fact, is_inward, named, plainly

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_PROTOCOL_ERRORS: Final = frozenset({"mcp.shared.exceptions.MCPError", "mcp.shared.exceptions.McpError"})
"""What an SDK answers with a JSON-RPC error of the author's own number."""

DECLARED_TYPES: Final = _PROTOCOL_ERRORS | frozenset(
    {
        "mcp.server.mcpserver.exceptions.ToolError",
        "mcp.server.mcpserver.exceptions.ResourceError",
        "mcp.server.fastmcp.exceptions.ToolError",
        "mcp.server.fastmcp.exceptions.ResourceError",
        "fastmcp.exceptions.FastMCPError",
    }
)
"""The SDKs' classes for what an author says on purpose."""

UNCLASSIFIED: Final = Verdict(
    ErrorCode.INTERNAL_ERROR, False, evidence=Evidence("fallback", "", ErrorCode.INTERNAL_ERROR)
)

_STORES: Final = frozenset({"sqlstate", "mysql", "sqlite", "oracle", "mssql", "mongo"})
"""Evidence that only a data store gives."""

_OF_ARGUMENTS: Final = frozenset({ErrorCode.VALIDATION_ERROR, ErrorCode.INVALID_PARAMS})
"""What is said of a value that will not do."""

_FIELDS: Final = frozenset({"reason", "recovery", "retry_after", "issues"})
"""Keys of an author's data that a failure has fields for."""


@dataclass(frozen=True, slots=True)
class Triage:
    """Turns any exception into one `Failure` and tells the observers. Any thread; never raises.

    A step is swapped by its field: `Triage(classify=my_classifier)`. Where a step fails, the failure names it
    in `degraded` and the next best answer leaves.
    """

    policy: ErrorPolicy = field(default_factory=ErrorPolicy)
    classify: Callable[[BaseException], Verdict] = None  # type: ignore[assignment]
    scrub: Scrubber = None  # type: ignore[assignment]
    hint: Callable[..., Hint] = None  # type: ignore[assignment]
    repeats: Repeats = field(default_factory=Repeats)

    def __post_init__(self) -> None:
        policy = self.policy
        self._default("classify", lambda: Classifier(policy.rules))
        self._default("scrub", lambda: policy.scrubber)
        self._default("hint", lambda: _hints(policy))

    def _default(self, name: str, make: Callable[[], object]) -> None:
        if getattr(self, name) is None:
            object.__setattr__(self, name, make())

    def __call__(
        self,
        exc: BaseException,
        call: Call | None = None,
        *,
        contract: type[Contract] | None = None,
        around: Around = NOWHERE,
        verdict: Verdict | None = None,
    ) -> Failure:
        """The failure this exception is; `around` is what else is known about the call.

        `verdict` is the classifier's, where it has been asked already.
        """
        call = call or Call()
        contract = contract or self.policy.contracts.get(call.target or "")
        try:
            failure = self._failure(exc, call, contract, around, verdict)
        except BaseException as error:  # a failure of triage must not become a second failure of the call
            if is_stop(error):
                raise
            causes: tuple[Cause, ...] = _try([], "causes", (), self._causes, exc, {}, around)
            failure = _last_resort(exc, self._named(call, around, {}, []), causes)
        for observer in self.policy.observers:
            tell(observer, failure, self.scrub.text)
        return failure

    def _failure(
        self,
        exc: BaseException,
        call: Call,
        contract: type[Contract] | None,
        around: Around,
        verdict: Verdict | None,
    ) -> Failure:
        degraded: list[str] = []
        tally: dict[str, int] = {}
        verdict = verdict or _try(degraded, "classify", UNCLASSIFIED, self.classify, exc)
        place, speaker = _try(degraded, "speaker", (0, exc), _speaker, exc, verdict)
        mode: Mode | None = None
        if contract is not None:
            mode = _try(degraded, "contract", None, match, speaker, contract)
        causes: tuple[Cause, ...] = _try(degraded, "causes", (), self._causes, exc, tally, around)
        verdict = self._settled(verdict, speaker, mode, causes, around, degraded)
        said: dict[str, Any] = _try(degraded, "data", {}, self._said, speaker, tally)
        issues: tuple[Issue, ...] = ()
        if verdict.code in _OF_ARGUMENTS:
            issues = _try(degraded, "issues", (), self._issues, speaker, verdict, around, tally)
        traits = verdict.code.traits
        message = _try(
            degraded, "message", traits.message, self._message, speaker, verdict, issues, causes[place:]
        )
        hint = _try(degraded, "hint", Hint(traits.hint), self._hint, verdict, said, mode, call.tool, issues)
        advice = _try(
            degraded, "advice", Advice(hint), self._advice, verdict, call, around, hint, issues, causes
        )
        group = _try(degraded, "fingerprint", UNGROUPED, fingerprint, verdict.code, causes, call.target)
        return Failure(
            error_id=new_id(),
            call=self._named(call, around, tally, degraded),
            code=verdict.code,
            message=message,
            hint=advice.hint,
            retryable=verdict.retryable and not advice.forbids,
            # What may not be sent again needs no waiting, unless its author says so.
            retry_after=verdict.retry_after if verdict.retryable or is_declared(speaker) else None,
            retry=advice.retry,
            repeat=advice.repeat,
            reason=_reason(said),
            data=advice.facts | {key: value for key, value in said.items() if key not in _FIELDS},
            issues=issues,
            status=verdict.status,
            number=number_of(exc),
            evidence=_try(degraded, "evidence", None, self._evidence, verdict, tally),
            causes=causes,
            fingerprint=group,
            redactions=tally,
            degraded=tuple(degraded),
            locale=self.policy.locale,
            time=now(),
            exception=exc,
        )

    def _settled(
        self,
        verdict: Verdict,
        exc: BaseException,
        mode: Mode | None,
        causes: tuple[Cause, ...],
        around: Around,
        degraded: list[str],
    ) -> Verdict:
        """What the contract, the tool's schema and the arguments that were sent make of a verdict."""
        if mode is not None:
            verdict = _try(degraded, "contract", verdict, _promised, verdict, exc, mode)
        if around.schema and verdict.code is ErrorCode.INTERNAL_ERROR:
            verdict = _try(degraded, "schema", verdict, _lacking, verdict, exc, around)
        if verdict.code in OF_ANYBODY and self.policy.suggest:
            verdict = _try(degraded, "statement", verdict, self._blaming, verdict, exc, causes, around)
        return verdict

    def _causes(self, exc: BaseException, tally: dict[str, int], around: Around) -> tuple[Cause, ...]:
        scrub, links = self.scrub.text, [*walk(exc)]
        holes = holes_in([link.exc for link in links], Given(around.arguments, around.schema))
        return tuple(
            [
                Cause(
                    self._type(qualified_name(type(link)), tally),
                    scrub(words_of(link, holes), tally),
                    relation,
                    depth,
                    frames_of(traceback_of(link)),
                    self._notes(link, tally, holes) if "__notes__" in state_of(link) else (),
                )
                for link, relation, depth in links
            ]
        )

    def _named(self, call: Call, around: Around, tally: dict[str, int], degraded: list[str]) -> Call:
        """The call as records may name it; what has a schema is a tool of the server, no client's word."""
        target = call.target
        if target is None or call.alias is not None or around.schema is not None:
            return call
        shown = _try(degraded, "call", "", self.scrub.text, target, tally)
        return call if shown == target else call._replace(alias=shown)

    def _evidence(self, verdict: Verdict, tally: dict[str, int]) -> Evidence | None:
        """What decided; an upstream may say anything where it should give a code."""
        evidence = verdict.evidence
        if evidence is None:
            return None
        source, detail, code, name = evidence
        return Evidence(source, self.scrub.text(detail, tally), code, self._type(name, tally))

    def _type(self, name: str, tally: dict[str, int]) -> str:
        """A class's name; one that was made of an upstream's words is treated as those."""
        return name if _is_plain(name) else " ".join(self.scrub.text(name, tally).split())

    def _notes(self, exc: BaseException, tally: dict[str, int], holes: Mapping[str, str]) -> tuple[str, ...]:
        notes = state_of(exc)["__notes__"]
        if not isinstance(notes, list):
            return ()
        # As plain texts: a class of texts may have its own ways to be searched.
        said = [str.__getitem__(note, slice(None)) for note in notes[:10] if isinstance(note, str)]
        return tuple([self.scrub.text(without_rejected(note, holes), tally) for note in said])

    def _said(self, exc: BaseException, tally: dict[str, int]) -> dict[str, Any]:
        """The author's own data; what was not declared carries none."""
        data = getattr(exc if issubclass(type(exc), McpError) else error_of(exc), "data", None)
        if not data:
            return {}
        if type(data) is dict and type(data.get("body")) is Body:
            return self._with_body(data, tally)
        safe = self.scrub.data(data if isinstance(data, Mapping) else {"value": data}, tally)
        return safe if isinstance(safe, dict) else {"value": safe}

    def _with_body(self, data: dict[Any, Any], tally: dict[str, int]) -> dict[str, Any]:
        """Data with as much of an upstream's answer as this server keeps."""
        kept = self.scrub.body(data["body"].raw, tally)
        rest = self.scrub.data({key: value for key, value in data.items() if key != "body"}, tally)
        return {**rest, "body": kept} if kept else rest

    def _issues(
        self, exc: BaseException, verdict: Verdict, around: Around, tally: dict[str, int]
    ) -> tuple[Issue, ...]:
        if verdict.evidence is not None and verdict.evidence.source == "schema":
            issues = tuple(Issue(name, "is required") for name in lacking(around.schema, around.arguments))
        else:
            issues = issues_of(worded(exc), Given(around.arguments, around.schema))
        if not issues:
            return ()
        if self.policy.suggest and around.schema:
            issues = sharpened(issues, around.schema, around.arguments)
        scrub, locale = self.scrub.text, self.policy.locale
        # Each stays of its kind.
        return tuple(
            type(i)(scrub(i.path, tally), problem_in(locale, scrub(i.problem, tally))) for i in issues
        )

    def _blaming(
        self, verdict: Verdict, exc: BaseException, causes: tuple[Cause, ...], around: Around
    ) -> Verdict:
        """The verdict, unless an argument that may be named is what it is about."""
        name = blamed(verdict, exc, causes, around.arguments)
        if name is None or not self._may_say(name):
            return verdict
        return _of_caller(verdict, "statement", name)

    def _may_say(self, name: str) -> bool:
        return self.scrub.text(name) == name

    def _advice(
        self,
        verdict: Verdict,
        call: Call,
        around: Around,
        hint: Hint,
        issues: tuple[Issue, ...],
        causes: tuple[Cause, ...],
    ) -> Advice:
        policy, repeat = self.policy, 1
        if policy.notice_repeats and around.session is not None and call.tool is not None:
            repeat = self.repeats(around.session, call.tool, around.arguments, verdict.code)
        advice = advise(
            verdict,
            call,
            around,
            hint,
            issues,
            repeat,
            causes=[cause.type for cause in causes],
            suggest=policy.suggest,
            verify=policy.verify_writes,
            may_say=self._may_say,
            locale=policy.locale,
        )
        if policy.docs_url:
            advice.facts["help"] = code_url(policy.docs_url, verdict.code)
        return advice

    def _hint(
        self,
        verdict: Verdict,
        said: Mapping[str, Any],
        mode: Mode | None,
        tool: str | None,
        issues: tuple[Issue, ...],
    ) -> Hint:
        return self.hint(
            verdict,
            author=_recovery(said),
            contract=mode.recovery if mode else None,
            reason=_reason(said),
            tool=tool,
            issues=issues or (_of_fields(said["fields"]) if "fields" in said else ()),
        )

    def _message(
        self, exc: BaseException, verdict: Verdict, issues: tuple[Issue, ...], causes: tuple[Cause, ...]
    ) -> str:
        """What may be said: provenance first; the text itself is scrubbed already."""
        judged = verdict
        if (original := worded(exc)) is not exc:
            # A code that was put on it makes nothing it says fit to leave.
            exc, judged, causes = original, self.classify(original), causes[1:]
        if issues and not is_declared(exc):
            return summary(issues, self.policy.locale)
        words = _own_words(exc, causes)
        if self._may_leave(exc, verdict) and (judged is verdict or self._may_leave(exc, judged)):
            text = named(plainly(words), _first_said_by(exc, causes))
            if _says_anything(text) and text != verdict.code.traits.message:
                return text
        return self._template(verdict, fact(exc, words, self.policy.locale))

    def _template(self, verdict: Verdict, more: str | None = None) -> str:
        code, locale = verdict.code, self.policy.locale
        own = phrases(locale).get(code.label)
        message = own["message"] if own else code.traits.message
        if verdict.status is not None:
            more = say(locale, "answered", status=verdict.status)
        return f"{message} {more}" if more else message

    def _may_leave(self, exc: BaseException, verdict: Verdict) -> bool:
        exposure = self.policy.exposure
        if exposure is Exposure.ALL or is_declared(exc):
            return True
        is_callers = exposure is Exposure.CALLER and verdict.code.traits.fault is Fault.CALLER
        return is_callers and not _is_about_the_store(exc, verdict)


def _try(degraded: list[str], name: str, otherwise: T, step: Callable[[*Ts], T], *args: *Ts) -> T:
    """What the step gives; where it fails, the next best, and the failure says so."""
    try:
        return step(*args)
    except BaseException as error:  # a step may run foreign code
        if is_stop(error):
            raise
        degraded.append(name)
        return otherwise


def _speaker(exc: BaseException, verdict: Verdict) -> tuple[int, BaseException]:
    """Who speaks for the failure, and from where in the chain: for a group, or a wrapper that has no words of
    its own, the one that decided.
    """
    decided = verdict.evidence.type if verdict.evidence else None
    if decided and decided != qualified_name(type(exc)) and (_is_group(exc) or is_inward(safe_str(exc))):
        for place, link in enumerate(walk(exc)):
            if qualified_name(type(link.exc)) == decided and not _is_group(link.exc):
                return place, link.exc
    return 0, exc


def _is_group(exc: BaseException) -> bool:
    return issubclass(type(exc), BaseExceptionGroup)


@lru_cache(maxsize=1024)
def _is_plain(name: str) -> bool:
    """Whether Python itself would call a class so, and no word of it is a token."""
    if re.fullmatch(r"[\w.<>]+", name) is None:
        return False
    # By itself: with dots between them they would read as a host.
    return not re.search(r"\d", name) or all(sanitize_text(word) == word for word in name.split("."))


def _says_anything(text: str) -> bool:
    """Whether anything but what was cut out of it is left of a text."""
    if "[redacted:" in text:
        return any(map(str.isalnum, _CUT_OUT.sub("", text)))
    return bool(text) and not text.endswith(": unprintable>")


_CUT_OUT: Final = re.compile(r"\[redacted:[^\]]*\]")


def _own_words(exc: BaseException, causes: tuple[Cause, ...]) -> str:
    """What it says, from its place in the chain on; a group's own words are boilerplate."""
    return causes[0].message if causes and not _is_group(exc) else ""


def _first_said_by(exc: BaseException, causes: tuple[Cause, ...]) -> str:
    """The class that the words are of, where others only repeat them; none where an author chose them."""
    said = [cause.type for cause in causes if cause.message == causes[0].message]
    return "" if is_declared(exc) and len(said) == 1 else said[-1] if said else ""


def is_declared(exc: BaseException) -> bool:
    """Whether an author chose this text for the caller."""
    return _is_declared(type(exc))


def _remembered(judge: Callable[[type], bool]) -> Callable[[type], bool]:
    """As `lru_cache`, also of a class that refuses to be hashed or compared."""
    known = lru_cache(maxsize=2048)(judge)

    def asked(cls: type) -> bool:
        try:
            return known(cls)
        except BaseException as error:  # a metaclass is foreign code too
            if is_stop(error):
                raise
            return judge(cls)

    return asked


@_remembered
def _is_declared(cls: type) -> bool:
    return any(base is McpError or qualified_name(base) in DECLARED_TYPES for base in mro_of(cls))


@_remembered
def _is_of_a_store(cls: type) -> bool:
    return any(base.__name__ == "DatabaseError" for base in mro_of(cls))


@_remembered
def _is_protocol_error(cls: type) -> bool:
    return any(qualified_name(base) in _PROTOCOL_ERRORS for base in mro_of(cls))


def _is_about_the_store(exc: BaseException, verdict: Verdict) -> bool:
    """Whether the words are a data store's: tables and columns, which mean nothing to a caller.

    Unless it was the caller that named them.
    """
    source = verdict.evidence.source if verdict.evidence is not None else None
    if source == "statement":
        return False
    if source in _STORES:
        return True
    return _is_of_a_store(type(exc))


def _promised(verdict: Verdict, exc: BaseException, mode: Mode) -> Verdict:
    """The verdict with what the contract says about retrying, unless the author said it at the raise."""
    if mode.retryable is None or getattr(exc, "retryable", None) is not None:
        return verdict
    return verdict._replace(retryable=mode.retryable)


def _lacking(verdict: Verdict, exc: BaseException, around: Around) -> Verdict:
    """The verdict, unless it is about an argument that was not given."""
    name = None if is_declared(exc) else lacked(verdict, exc, around)
    return _of_caller(verdict, "schema", f"{name} is required") if name else verdict


def _of_caller(verdict: Verdict, source: str, detail: str) -> Verdict:
    code, raised = ErrorCode.VALIDATION_ERROR, verdict.evidence.type if verdict.evidence else ""
    return Verdict(code, False, evidence=Evidence(source, detail, code, raised))


def _hints(policy: ErrorPolicy) -> Hints:
    return Hints(policy.hints_by_reason, policy.hints_by_tool, policy.hints_by_code, policy.locale)


def error_of(exc: BaseException) -> Any:
    """The `ErrorData` of a protocol error, in either line of the SDK; None of any other exception."""
    return _try([], "", None, getattr, exc, "error", None) if _is_protocol_error(type(exc)) else None


def number_of(exc: BaseException) -> int | None:
    """The number of a protocol error."""
    if (error := error_of(exc)) is None:
        return None
    number = getattr(error, "code", None)
    # As a plain one: a class of numbers may have its own ways to compare.
    return int.__index__(number) if isinstance(number, int) else None


def _reason(said: Mapping[str, Any]) -> str | None:
    reason = said.get("reason")
    return reason if isinstance(reason, str) else None


def _of_fields(fields: object) -> tuple[Issue, ...]:
    return tuple(Issue(field, problem) for field, problem in problems_of(fields))


def _recovery(said: Mapping[str, Any]) -> str | None:
    if (recovery := said.get("recovery")) is None:
        return None
    hint = recovery.get("hint") if isinstance(recovery, Mapping) else recovery
    return hint if isinstance(hint, str) else None


def _last_resort(exc: BaseException, call: Call, causes: tuple[Cause, ...]) -> Failure:
    code = ErrorCode.INTERNAL_ERROR
    return Failure(
        error_id=new_id(),
        call=call,
        code=code,
        message=code.traits.message,
        hint=Hint(code.traits.hint),
        retryable=False,
        causes=causes,
        degraded=("triage",),
        time=now(),
        exception=exc,
    )
