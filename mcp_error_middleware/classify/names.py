"""Identifier in, clue out: the words a name is made of.

One table reads class names (`OrderNotFoundError`), providers' codes (`ThrottlingException`), statuses
(`DEADLINE_EXCEEDED`) and reasons (`quotaExceeded`) alike. An identifier is split into lower-case words, and
the first row that matches them decides, so a row stands before the more general ones: `TimeoutConfigError`
is about configuration, `LoginTimeout` about time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.taxonomy import ErrorCode, http_status_to_code

WEAK, TELLING, FIRM = Weight.WEAK, Weight.TELLING, Weight.FIRM

LENGTH: Final = 120
"""An identifier is not longer than this; a sentence is not one."""


class Row(NamedTuple):
    """Phrases that mean a code."""

    code: ErrorCode
    weight: Weight
    phrases: str
    """One per line, or several with ` | ` between them; patterns over space-joined words, whole words only.
    `<thing>` stands for the words of that name in `VOCABULARY`."""
    examples: str
    retryable: bool | None = None


VOCABULARY: Final[Mapping[str, str]] = {
    "part": """
        module library extension backend driver plugin executable binary program interpreter engine browser
        handler hook converter serializer codec adapter command
        """,
    "size": r"""
        size length depth width window content payload body file message nesting string header
        tokens? chars? character dimension input context row field memo
        """,
    "request": r"""
        requests? calls? attempts? tries logins? messages? queries tasks? emails? jobs? operations? updates
        """,
    "limit": r"limits? caps? throughput capacity budget allowance credits?",
    "bad": "invalid bad wrong incorrect expired revoked missing malformed incomplete immature inactive",
    "secret": r"tokens? credentials? (api|access).?keys?(.id)? passwords? passphrases? signatures? jwts?",
    "spoilt": r"""
        expired revoked invalid incorrect missing required rejected failed mismatch does.not.match verif\w+
        not.(yet.)?valid not.provided not.found
        """,
    "party": "account user project app api service all.access",
    "server": "host server brokers? leader coordinator nameserver peer replica primary master",
    "servers": r"""
        brokers nodes servers hosts nameservers replicas upstreams responders connections? leader master
        """,
    "argument": r"""
        values? fields? arguments? params? parameters? input attributes? propert(y|ies) options? required body
        header
        """,
    "row": r"""
        results? match(es|ing) records? rows? objects? documents? entry entries items? files?
        candidates? node path
        """,
    "entity": """
        topic user channel group member resource entity object id file path bucket queue project
        account customer message tool job task session device peer chat webhook guild role
        interaction product order item ticket document page model database index collection endpoint
        repository repo branch ref commit
        """,
    "finished": r"""
        closed done finished disconnected shut consumed final\w+ ended read called awaited set built bound
        """,
    "small": r"""
        location url uri address host port version date time datetime expression argument number
        duration cron unit selector path colou?r phone.?number email template pattern regex option
        param parameter query filter interval command schema opt
        """,
    "form": """
        field param parameter argument input value request data schema model form message body query property
        """,
    "odd": "bad invalid unexpected unknown empty incomplete malformed truncated chunked",
    "dependency": r"dependenc\w+ packages? librar\w+ extras? backend driver",
    "format": r"""
        json xml yaml toml csv html ini pdf bson cbor avro msgpack protobuf parquet hdf.5 rtf svg
        zstd lz.4 lzma bz.2 brotli snappy zlib zip tar gzip rar png jpeg gif tiff webp exif
        ion edn ubjson thrift orc feather flatbuffers?
        wav flac ogg mp.[34] ical\w* vcard gpx geo.?json der pem
        """,
    "encoded": r"zip.?(file)? gzip tar utf.?\d* unicode base.?\d+ encoding bytes? archive image",
    "measure": r"""
        time.?zone locale unit currency country language encoding fields? columns? options?
        arguments? operator function keyword
        """,
}
"""Words that stand for one another; a dot stands for a space inside one."""

ROWS: Final[tuple[Row, ...]] = (
    # --- mistakes in code ---
    Row(
        ErrorCode.INTERNAL_ERROR,
        FIRM,
        r"""
        not implemented | type (check|hint)\w* | typing$ | call hint\w* | ^assert\w* | assert\w* failed
        invariant | contract violat\w* | (illegal|invalid|wrong|bad) state(?! transition) | bug$ | unwrap\w*
        """,
        "NotImplementedByBackend TypeCheckError AssertionFailed UnwrapError",
    ),
    # What others ran out of.
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        TELLING,
        r"""
        (cluster|server|service|broker|node|worker|remote) (is )?(out of memory|memory limit\w*)
        (disk|storage|volume|file ?system) (is )?full
        """,
        "CLUSTER_OUT_OF_MEMORY DiskFullError",
    ),
    Row(
        ErrorCode.INTERNAL_ERROR,
        TELLING,
        r"""
        local protocol
        (response|output|result|return) (\w+ )?(validation|schema)\w*
        (multiple|too many) (results?|objects?|records?|rows?|documents?|matches)
        multiple \w+ (found|returned)
        (called|child|sub) ?process | process (execution|exited|failed|expired|died|crashed)
        command (failed|execution)
        (unexpected|non ?zero|bad) exit | exit (code|status) | return code | out of memory | memory limit\w*
        (model|schema|class|type|dataclass) definition$
        missing (\w+ ){0,2}(annotations?|docstring|decorator|type ?hints?) | un ?annotated
        not (yet )?(fitted|trained|built|compiled|entered|awaited|finished|finali[sz]ed|bound)
        (cursor|file|archive|handle|reader|writer|iterator|loop|client) (is |already )?closed | closed client
        (stream|body|response|iterator|content) (is |already )?(consumed|exhausted)
        (reset|call|set ?up|fit|commit|flush|open|close) (is )?needed
        circular (dependency|import|injection|wiring) | no (factory|binding|provider)$
        already (configured|initiali[sz]ed)$
        (scheduler|loop|server|worker|reactor|engine) (is )?already (running|started|installed)$
        (unsatisfied|unresolv\w+|ambiguous) (binding|injection|provider|dependency|type)
        (invalid|bad) definition$
        """,
        """
        ResponseValidationError MultipleResultsFound MultipleObjectsReturned CalledProcessError
        ErrorReturnCode_1 OutOfMemoryError NotFittedError StreamConsumed CursorClosedError ResetNeeded
        ClosedClientError LocalProtocolError CircularDependency NoFactoryError SchedulerAlreadyRunning
        MissingReturnAnnotationError
        """,
    ),
    # --- what the server was not given ---
    Row(
        ErrorCode.CONFIGURATION_ERROR,
        TELLING,
        r"""
        unsupported (server|product|platform|environment|browser) | platform not supported
        mis ?config\w* | configs? | conf | configuration\w* | improperly | settings?
        ^env(ironment)?$ | env(ironment)? ?var\w* | env(ironment)? (\w+ )?not set
        (?<!already )configured$
        connection (string|uri|url) | dsn | not (installed|configured) | no keyring
        no (such )?(module|plugin|driver) | no backend$ | missing (\w+ )?(plugin|driver|module)$
        (missing|optional|unmet|unsatisfied|unresolved) (\w+ )?<dependency>
        ^dependency$ | dependency (missing|not found) | package (not available|unavailable|missing)
        <part> (is )?(not (found|available|registered)|missing)
        (?!backend|engine)<part> (is )?unavailable
        (?<!not )(request|client|api|sdk|server|app|project) set ?up$
        (no|default|partial|incomplete) (\w+ )?credentials? | no (region|api ?key|auth handler)
        credentials? (not (found|set|provided)|unavailable|retrieval)
        """,
        """
        ImproperlyConfigured TimeoutConfigError NoCredentialsError MissingDependencyError DriverNotFound
        RequestSetupError
        """,
    ),
    # --- limits of size are the caller's, limits of rate the upstream's ---
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"""
        (invalid|bad|illegal|unsupported|unknown|missing) (\w+ ){0,2}time ?outs?
        time ?out (format|value|type|pars\w+)
        decompression bomb | too (large|long|big|deep|short|small|few|old|wide|complex)
        <size> (limits? )?(exceeded|over(flow|run))
        (size|length|depth|body|payload|file size) limits? | (parser|buffer|recursion|nesting) limits? reached
        max(imum)? (size|length|depth|tokens?|payload) | min(imum)? (size|length|amount|price|quantity)
        """,
        "InvalidTimeout EntityTooLarge context_length_exceeded MaxLengthError OrderMinAmountError",
    ),
    Row(
        ErrorCode.NOT_FOUND,
        TELLING,
        # What a noun is about is not what went wrong: `timeout_rule_missing`.
        r"(time ?outs?|deadline|rate ?limit|quota|throttl\w*|retry) (\w+ ){1,2}(missing|not found|unknown)$",
        "TimeoutPolicyMissing rate_limit_rule_not_found",
    ),
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        TELLING,
        r"""
        too many (connections?|clients?|redirects?|streams?|open \w+|files open|failures|errors|retries)
        max(imum)? (connections?|clients?|redirects?) (exceeded|reached)
        (connections?|pool|worker\w*) exhausted
        """,
        "TooManyRedirects ConnectionPoolExhausted",
    ),
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        WEAK,
        r"""
        max(imum)? (retr\w+|attempts?|tries|calls?) | exceeded (max )?retr\w+
        retr(y|ies)( attempts?)? (exceeded|exhausted|limit|failed)
        """,
        "MaxRetryError RetriesExhausted",
    ),
    Row(
        ErrorCode.RATE_LIMITED,
        FIRM,
        r"""
        insufficient quota | quota insufficient | billing hard limit\w*
        (out of|no) credits? | out of (quer(y|ies)|requests|calls|searches|quota)$
        """,
        "insufficient_quota OutOfCredits OutOfQueriesError",
        retryable=False,
    ),
    Row(ErrorCode.TIMEOUT, FIRM, r"(soft |hard )?time limit\w*", "SoftTimeLimitExceeded"),
    Row(
        ErrorCode.RATE_LIMITED,
        FIRM,
        r"""
        rate ?limit\w* | rate (exceeded|control\w*|(is )?too \w+) | retry after
        (bucket|queue|bulkhead|backlog) (is )?full | throttl\w* | quotas? | flood\w* | slow ?down
        back ?pressure | cool ?down | resources? ?exhausted | rejected execution
        too ?many ?(\w+ ){0,2}<request>
        <limit> (was |is )?(exceeded|exhausted|reached|hit)
        (exceeded|over) (\w+ )?(limits?|budget) | max(imum)? concurren\w+
        concurren\w+ (reached|exceeded)
        (request|usage|call|daily|hourly|monthly|spend\w*|concurren\w+|user|api|account|plan|hit) limits?
        """,
        """
        RateLimitError ThrottlingException TooManyRequests quotaExceeded FloodWaitError LimitExceededException
        RESOURCE_EXHAUSTED ProvisionedThroughputExceededException
        """,
    ),
    Row(
        ErrorCode.TIMEOUT,
        FIRM,
        r"""
        time ?outs? | timed ?out | deadline\w* | max time ms expired | too slow | max(imum)? wait\w*
        (time|duration) (is |was )?(exceeded|exhausted|expired|elapsed)
        """,
        "ConnectTimeout TimedOut DEADLINE_EXCEEDED socket_timeout MaxTimeMSExpired MaxDurationExceeded",
    ),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"too many \w+ | (max(imum)?|minimum) (\w+ ){1,2}(exceeded|reached|required)",
        "TooManyFieldsSent MAX_ELEMENTS_EXCEEDED",
    ),
    # --- tokens of a text, before tokens of a user ---
    Row(
        ErrorCode.SERIALIZATION_ERROR,
        TELLING,
        r"""
        unexpected (token|char\w*|eof|end|input|byte|symbol|indent)\w*(?! while reading)
        unterminated | premature (eof|end) | tokeni[sz]\w* | bad tokens | lex(er|ing|ical)?
        (header|footer|marker|magic|boundary|delimiter) not found
        """,
        "UnexpectedToken UnexpectedEOF LexerError HeaderNotFoundError",
    ),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"(invalid|bad|expired|unknown) (\w+ )?(next|page|pagination|continuation|sequence|sync) tokens?",
        "InvalidNextTokenException ExpiredSyncToken",
    ),
    # --- who is asking ---
    Row(ErrorCode.FORBIDDEN, FIRM, r"unauthori[sz]ed (operation|action)", "UnauthorizedOperation"),
    Row(
        ErrorCode.UNAUTHORIZED,
        FIRM,
        r"""
        unauthori[sz]ed | unauthenticated
        not (authenticated|logged ?in|signed ?in|authed) | authenticat\w* | log ?in
        logged ?out | sign ?in | re ?auth\w* | auth (failed|failure|required|denied|expired)
        (no|invalid|not|bad|missing) auth(ed|ori[sz]ation)? | <bad> (\w+ ){0,2}?<secret>
        unknown (api|access) key
        passwords? (\w+ )?(needed|reset|change)( required)? | not decrypted | sso
        request (has |is )?expired | (clock|time) (too )?skew\w*
        <bad> (session$|session (key|id|token)|grant$|auth|issuer|audience|otp|code verifier)
        (<secret>|sessions?|otp|claims?) (has |is |was |have )?<spoilt> | ldap (\w+ )?bind
        (consent|interaction|account selection) required | unrecognized client | invalid client
        (tokens?|jwts?|credentials?|api ?keys?) validation
        ^signature$ | (jwt|jws|jwe) (pars\w+|decod\w+) | mfa | two factor | missing required claim
        invalid claim | (no|without) (\w+ )?tokens?( (is |was )?(provided|given|set|supplied|sent|found))?$
        """,
        """
        UnauthorizedError AuthenticationFailed NotLoggedIn InvalidTokenError ExpiredSignatureError
        TokenExpired LoginRequired invalid_api_key InvalidClientTokenId SignatureDoesNotMatch
        InvalidAccessKeyId access_token_not_found TokenValidationError NoAccessTokenProvided
        """,
    ),
    Row(ErrorCode.UNAUTHORIZED, TELLING, r"not authori[sz]ed", "NotAuthorizedException"),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"""
        forbidden (extra|keys?|fields?|values?|char\w*) | (null|none)( value)?( is)? not allowed
        char\w* (is |are )?not (allowed|permitted)
        weak password | password (is )?(too )?weak
        (extra|unexpected) (\w+ )?(keys?|fields?|arguments?|params?|propert(y|ies)|attributes?|columns?)
        (invalid|unknown) payment
        payment method
        """,
        "ForbiddenExtraKeysError NullValueNotAllowed",
    ),
    Row(
        ErrorCode.FORBIDDEN,
        FIRM,
        r"""
        forbidden | permissions?
        (access|request|operation) (was |is )?(denied|forbidden|restricted|refused) | denied
        (insufficient|missing|no|invalid|lacking) (\w+ )?(scopes?|privileges?|access|rights?|roles?)
        privilege[ds]? | not permitted | authori[sz]ation\w*(?! (already|quota|not found))
        access ?control | acl | opt in required | gated\w*
        <party> (\w+ )?(is )?(disabled|suspended|paused|inactive|deactivated|banned|blocked|locked)
        banned | suspended | locked ?out | paywall | (payments?|billing)( (required|due|failed|\w+ed))?$
        subscription (required|expired|inactive) | card (declined|expired) | declined?
        insufficient credits?
        """,
        """
        PermissionDenied AccessDeniedException ForbiddenError insufficientPermissions missing_scope
        AuthorizationError PaymentRequired card_declined GatedRepoError
        """,
    ),
    # --- how one may ask ---
    Row(
        ErrorCode.INVALID_REQUEST,
        FIRM,
        r"""
        method not allowed | not acceptable | unsupported media type | length required
        expectation failed | range not satisfiable | precondition required | misdirected request
        upgrade required | fields? too large | unavailable for legal reasons | ^gone$
        """,
        "MethodNotAllowed UnsupportedMediaType Gone",
    ),
    Row(ErrorCode.METHOD_NOT_FOUND, FIRM, r"method not found | (unknown|no such) method", "MethodNotFound"),
    Row(
        ErrorCode.CONFLICT,
        TELLING,
        r"(invalid|illegal|no) (\w+ )?transition | transition (is )?(not \w+|failed|denied)",
        "InvalidTransition InvalidStateTransition TransitionNotAllowed",
    ),
    Row(
        ErrorCode.FORBIDDEN,
        TELLING,
        r"""
        not allowed | blocked | restricted | security( violation| check| policy)?$ | csrf | ssrf
        not (an? |in )?(owner|member|admin|approved|channel|confirmed|activated|granted|eligible|invited)
        (admin|owner|role|membership|premium|plan) required | limited access | unwilling \w+
        cant (update|delete|edit|remove|add|invite|kick|archive|post|send|join|leave|create|change) \w+
        private (video|account|profile|channel|chat|playlist|repo\w*) | <entity> (is )?private
        not (writable|writeable|deletable|editable)$
        """,
        """
        OperationNotAllowed SecurityError NotOwner not_in_channel cant_delete_message CHAT_ADMIN_REQUIRED
        BadNotWritable
        """,
    ),
    # --- parts of the machinery that are not there ---
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        TELLING,
        r"""
        <server>( name)? (not (found|available|known|resolved)|unknown|unavailable)
        unknown (host|server|broker|leader) | no (\w+ )?<servers> | name not (known|resolved) | dns lookup
        no (\w+ )?(broker|node|server|host|replica|connection|shard|worker|endpoint|backend) (is )?available
        (leader|master|primary) (not \w+|stepped down) | not (the |writable )?(leader|master|primary)
        no route to host | not enough (replicas|nodes|brokers|servers|members|workers)
        no such (stream|connection|socket) | no server$ | stand ?by$ | drain(ing|ed)$
        """,
        "HostNotFound ServerNotFoundError NoBrokersAvailable UnknownHostError DrainingError",
    ),
    Row(
        ErrorCode.DATABASE_ERROR,
        TELLING,
        r"""
        (table|relation) (not found|does not exists?|missing) | no such (table|column|function)
        undefined (table|column|function|object) | (sql|cypher|query|database|statement) syntax
        (invalid|bad|corrupt|broken) (database|db)$
        """,
        "TableNotFound NoSuchColumnError CypherSyntaxError UndefinedTable",
    ),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"""
        <argument> (is |are )?missing | missing <argument>
        (field|attribute|property|option) (does not exist|not found)
        no such (option|argument|param\w*|field|attribute|property) | no valid \w+
        (invalid|bad|wrong) check ?(sum|digit) | (non ?exist\w*|ambiguous|imaginary) (date|time)\w*
        """,
        "ParameterMissing FieldDoesNotExist MissingField NoSuchOption InvalidChecksum",
    ),
    Row(
        ErrorCode.NOT_FOUND,
        FIRM,
        r"""
        not ?found | no ?such | (does|do|did|is|was) ?no?t ?exists? | not exists? | non ?exist\w*
        doesnt ?exist | (no|zero) (\w+ )?<row> | no \w+ (match|found)
        (cannot|could not|unable to) find
        \w+ (is )?missing$
        missing (resource|object|file|record|document|entity|item|blob|bucket|page|attachment|asset)$
        (media|video|content|comment|post|page|item|product) (is )?unavailable
        (manifest|blob|<entity>) unknown$ | <entity> (is )?gone$
        (is|was|been) (deleted|removed)$ | not occupied
        (resource|object|message|file|item|record|row) (deleted|gone)$
        unknown <entity>s?(?! (types?|formats?|extension|names?|version|epoch))
        """,
        """
        NotFound NoSuchKey DoesNotExist ObjectDoesNotExist NoResultFound resource_missing OrderMissing
        UnknownTopicOrPartitionError index_not_found_exception ResourceGone ObjectDeletedError
        """,
    ),
    Row(
        ErrorCode.NOT_FOUND,
        TELLING,
        r"""
        (not |un)registered | not (an? )?\w+ (repo|repository)
        (?<!host)(?<!http)(?<!whois)(?<!dns) lookup$
        """,
        "NotRegistered NotGitRepository JobLookupError",
    ),
    Row(ErrorCode.NOT_FOUND, WEAK, r"no data$", "NoDataError"),
    # --- somebody else was there first ---
    Row(
        ErrorCode.CONFLICT,
        FIRM,
        r"""
        (optimistic|stale|revision|etag|cas|generation|lease)( \w+)? (lock\w*|mismatch|conflict\w*|lost|data)
        (?<!protocol )version( \w+)? (mismatch|conflict\w*|check) | bad version | stale\w*
        (?<!not )modified | (was|has|resource|document|record) changed
        """,
        "OptimisticLockError VersionMismatch StaleDataError CasMismatchException",
    ),
    Row(
        ErrorCode.CONFLICT,
        FIRM,
        r"""
        deadlock\w* | (un)?lock(s|ed|ing)? | serialization failure | (write|transaction|txn) conflict\w*
        (transaction|txn) (retry|aborted|cancell?ed) | operation aborted
        (?<!load )(?<!rebalance )(?<!reassignment )(?<!shutdown )(?<!election )in ?progress
        being (created|deleted|updated|provisioned) | retry transaction | could not serialize
        (prior|previous|another|other|pending) (\w+ )?(not (yet )?(complete\w*|finished|done)|pending|running)
        """,
        """
        DeadlockDetected LockError WriteConflict SerializationFailure PriorRequestNotComplete OperationAborted
        """,
        retryable=True,
    ),
    Row(
        ErrorCode.CONFLICT,
        FIRM,
        r"""
        already (?!<finished>)\w+ | duplicat\w* | conflict\w* | exists | unique(ness)? | in use
        not empty | concurrency | simultaneous
        concurren\w* (\w+ )?(modif\w+|updates?|writes?|access|append\w*|delete\w*|transaction)
        condition\w* (check )?(not met|failed) | conditional\w* | dependency violation
        failed dependency | incorrect (\w+ )?state | (invalid|wrong) (\w+ ){1,3}state$
        \w+ taken$ | occupied | resource busy | busy (group|key|resource)
        ^idempoten\w*( keys?)?$ | idempoten\w* (\w+ )?(mismatch|reused?|used)
        collision | dirty | unmerged | archived
        """,
        """
        AlreadyExists DuplicateKeyError ConflictError ResourceExistsError ConcurrentModification
        BucketNotEmpty ConditionalCheckFailedException ResourceInUseException UniqueViolation
        SimultaneousRequestError
        """,
    ),
    Row(ErrorCode.CONFLICT, TELLING, r"pre ?conditions?", "FAILED_PRECONDITION"),
    Row(ErrorCode.CONFLICT, WEAK, r"integrity", "IntegrityError"),
    # --- starting ---
    Row(
        ErrorCode.INITIALIZATION_FAILED,
        TELLING,
        r"""
        (not )?initiali[sz]\w* | init$ | start ?up | ^set ?up | bootstrap\w* | not started
        (session|browser|process|container|instance|worker|kernel|vm) (was )?not (created|launched|spawned)
        """,
        "InitializationError StartupFailed SetupError SessionNotCreatedException",
    ),
    Row(ErrorCode.VALIDATION_ERROR, WEAK, r"constraints?", "ConstraintError ConstraintValidationFailed"),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"<form> (\w+ )?(validation|validator|invalid)",
        "RequestValidationError SchemaValidationError WebSocketRequestValidationError",
    ),
    # --- the network and what is behind it ---
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        FIRM,
        r"""
        service ?unavailable | unavailable | bad gateway | overload\w* | circuit\w* | breaker
        maintenance | upstream | insufficient (\w+ )?(capacity|resources?|storage)
        (not enough|no|insufficient) (\w+ )?(disk )?space
        (server|system|service|cluster) (is )?(busy|down|unreachable|shut\w*|disconnected|closed|stopped)
        outage | ^\w+ (is )?down$ | (at|during|in) shut ?down | shutting down
        (load|rebalance|reassignment|election|fail ?over|shut ?down) in ?progress | rebalanc\w+
        temporar\w*(?! redirect) | try again( later)? | (is|still|model|server) loading
        not ready | backend error | warm(ing)? ?up
        """,
        """
        ServiceUnavailable BadGatewayError overloaded_error CircuitBreakerError ServerBusy
        ServerDisconnectedError VaultDown InsufficientInstanceCapacity
        """,
    ),
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        TELLING,
        r"""
        (certs?|certificate\w*|ssl|tls|x509)( cert(ificate)?)? (verif\w+|expired|invalid|mismatch)
        certificates? | (bad|invalid|untrusted|self signed|expired) (\w+ )?cert(ificate)?
        host ?key | (?<!invalid )(?<!bad )host ?name
        """,
        "SSLCertVerificationError CertificateError BadHostKeyException",
        retryable=False,
    ),
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        TELLING,
        r"""
        (dis|re)?connect(s|ed|ion|ions|ing|or|ivity|error)?(?! execut\w*) | unreachable | network(?! x\b)
        (name|host) ?resol\w* | nxdomain | ssl | tls | handshake | sockets? | gateway | h[au]ng ?up
        communicat\w+
        transient | eof while reading | auto reconnect | broken (\w+ )?(pipe|pool|connection)
        (channel|stream|pipe|session|socket) (is )?(closed|reset|broken|error) | incomplete read
        partial read | remote protocol | not (responding|reachable)
        no (response|reply|answer) | model behaviou?r | protocol syntax
        <odd> (\w+ )?(responses?|reply|status|answer|handshake|encoding)( line| code)?
        """,
        "ConnectionError NetworkError SSLError BadStatusLine NotConnectedError InvalidResponseError",
    ),
    Row(
        ErrorCode.UNAUTHORIZED,
        TELLING,
        r"""
        ^verif(y|ication)$ | verif(y|ication) (mismatch|failed) | not verified
        (signature|token|jwt|otp|code|password|user|e?mail|phone|identity|hash|webhook) verif(y|ication)
        """,
        "VerificationError VerifyMismatchError WebhookVerificationError",
    ),
    # --- data that does not read; a small value of a known sort is rather not valid ---
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"""
        <small> (pars(e|er|ing)|decode|syntax|format) | pars(e|er|ing) syntax
        (key|value|name|field|string|message|text) (length|size|characters?|type)$
        """,
        "LocationParseError TemplateSyntaxError NumberParseException KeyLengthError",
    ),
    Row(
        ErrorCode.SERIALIZATION_ERROR,
        TELLING,
        r"""
        (de|en|trans)cod(e|er|ed|ing|eerror) | (de|un)?seriali[sz]\w* | serde | pars(e|er|ing|eerror)
        (un)?marshal\w* | (un)?pickl\w* | codec | corrupt\w* | (un)?pack(er|ing|ed)?
        (de|un)?compress\w* | decrypt\w* | truncated | checksum | crc | (?<!unsupported )content type
        <format> (syntax|format|read|load|dump|structure|stream)\w*
        (bad|invalid|malformed|illegal|not|broken) (<format>|<encoded>)(?! (patch|pointer|path|schema|query))
        unexpected <format>
        bad ?(zip|gzip|tar) ?file | (zip|gzip) ?file
        (bad|not|invalid) (an? )?\w+( \d)?( \w+)? file | unidentified image
        (extra|trailing|leftover) data
        (mapping|tag|anchor|alias|token|keys?|sequence|node|element|char\w*|doctype|dtd) disallowed
        """,
        """
        JSONDecodeError ParseError SerializationError UnpicklingError XMLSyntaxError BadZipFile
        InvalidJSONError DecompressionError UnidentifiedImageError PdfStreamError DecryptError
        UnknownContentType FlowMappingDisallowed
        """,
    ),
    Row(
        ErrorCode.SERIALIZATION_ERROR,
        TELLING,
        r"^(<format>|unicode|utf 8|asn 1)$",
        "YAMLError CSVError ZstdError",
    ),
    # --- what was asked for makes no sense ---
    Row(
        ErrorCode.INVALID_PARAMS,
        TELLING,
        r"bad ?requests? | invalid ?(requests?|params?|parameters?|arguments?) | suspicious \w+",
        "BadRequestError INVALID_ARGUMENT invalid_request_error",
    ),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"(<measure>|(file |data )?type|format|extension) (is )?not supported",
        "LanguageNotSupportedException",
    ),
    Row(
        ErrorCode.INVALID_REQUEST,
        TELLING,
        r"""
        unsupported (operation|method|feature|protocol|version|command|action|capability|api)
        unsupported (grant|response) \w+ | unknown (command|operation|procedure|action)
        (is )?not supported | unimplemented | disallowed | deprecated | discontinued | decommissioned
        """,
        "UnsupportedOperation UNIMPLEMENTED FeatureNotSupported",
    ),
    Row(
        ErrorCode.VALIDATION_ERROR,
        TELLING,
        r"""
        ^(\w+ )?schemas?$ | unsupported (file )?(format|type|extension|encoding)
        validat\w* | unprocessable\w* | violat\w* | out ?of ?(range|bounds) | bad (user )?input
        dimension\w* | insufficient (funds|balance|stock|inventory|amount|margin|liquidity)
        out of stock | shortage | unknown <measure> | content (filter|policy|moderat\w+)\w* | circular \w+
        cyclic \w+ | undefined (units?|variable|name|field|symbol)
        incompatible (types?|dtypes?|units?|frequency|shapes?|dimensions?|schemas?|formats?)
        (invalid|bad|malformed|illegal) <small> | syntax$ | illegal char\w* | (x|json) ?path eval\w*
        """,
        """
        ValidationError UnprocessableEntity OUT_OF_RANGE InsufficientFundsError ForeignKeyViolation InvalidURI
        LiquidSyntaxError InvalidVersion
        """,
    ),
    # --- what may still be said of the rest ---
    Row(
        ErrorCode.INTERNAL_ERROR,
        WEAK,
        r"(illegal|invalid) operation | (queue|stack|heap|buffer) (is )?empty | grammar(?! pars)",
        "InvalidOperation QueueEmpty GrammarError",
    ),
    Row(ErrorCode.TIMEOUT, WEAK, r"cancel\w* | abort\w* | interrupted | killed", "AbortError Cancelled"),
    Row(
        ErrorCode.UNAUTHORIZED,
        WEAK,
        r"""
        auth | oauth( \d)? | jwt | jws | jwe | jose | credentials? | api keys? | tokens? | saml | oidc | sasl
        kerberos
        """,
        "OAuthError APIKeyError",
    ),
    Row(
        ErrorCode.VALIDATION_ERROR,
        WEAK,
        r"""
        invalid\w* | malformed | illegal | required | missing | unsupported | mismatch\w* | values?
        arguments? | params? | parameters? | input | wrong | incorrect | empty | undefined
        (dis)?ambigu\w+ | rejected | refused | unknown \w+ | bad \w+ | unrecogni[sz]ed | usage | options?
        conversion | coerc\w* | cast\w* | dimension\w* | format | syntax | compil\w+ | shape
        expression | insufficient
        negative | overflow | underflow | units? | locale | time ?zone
        date | regex | pattern | schema | incompatible | unacceptable | not valid | bounds? | range
        expired | mandatory | unpermitted | no (text|title|name|value) | identifiers?
        (symbol|variable|reference) resolution
        (is|not) an? directory | ^(\w+ )?(ur[il]|address|duration|charset|integer)$
        (un|in)feasible | unbounded | singular | fields? | (?<!content )types?$ | match
        """,
        "InvalidChoice UndefinedError RequiredError SymbolResolutionError IdentifierError AddressError",
    ),
    Row(
        ErrorCode.SERVICE_UNAVAILABLE,
        WEAK,
        r"""
        ^server$ | server (side|failure) | protocol | ssh | sftp | ftp | smtp | imap | amqp | mqtt
        ldap | nats | dns | transport | web ?socket | brokers? | proxy | remote | cluster | leader
        response | retr(y|iable|yable) | again | redirect(s|ion)? | reset | back ?off
        payload | streams? | lost | closed?
        broken | terminated | stalled | shut ?down | stopped | end of \w+ | eof | offline
        crash\w* | worker | busy | not available | downstream | external (service|api|system|provider)
        (dependency|backend) fail\w*
        """,
        "ServerError ProtocolError SSHException DNSException TransportError WorkerLostError",
    ),
    Row(ErrorCode.FORBIDDEN, TELLING, r"disabled | not enabled", "FeatureDisabled"),
    Row(ErrorCode.FORBIDDEN, WEAK, r"captcha | challenge | access$", "CaptchaError AccessError"),
    Row(
        ErrorCode.DATABASE_ERROR,
        WEAK,
        r"""
        database | db | sql\w* | operational | programming | interface | transactions?
        ^quer(y|ies)$ | query (failed|execution) | storage | persistence | statement | cursor
        migration | bulk \w+ | write (concern|failure) | ^data$
        """,
        "DatabaseError OperationalError TransactionError",
    ),
    Row(ErrorCode.INTERNAL_ERROR, WEAK, r"internal", "INTERNAL_SERVER_ERROR"),
)

_STATUS: Final = re.compile(r"(?<!\b[a-z] )\b(40[0-9]|41[0-8]|42[1-9]|431|451|50[0-8])$")
_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_SUFFIXES: Final = frozenset(
    {"error", "errors", "exception", "exceptions", "exc", "exn", "warning", "fault", "err", "result"}
)


@lru_cache(maxsize=4096)
def clue_in_name(identifier: str, source: str = "name") -> Clue | None:
    """What the words of an identifier say, if they say anything."""
    if len(identifier) > LENGTH:
        return None
    words = words_of(identifier)
    if status := _STATUS.search(words):
        return Clue(http_status_to_code(int(status[1])), TELLING, source, identifier)
    for pattern, row in _compiled():
        if pattern.search(words):
            return Clue(row.code, row.weight, source, identifier, row.retryable)
    return None


def words_of(identifier: str) -> str:
    """`HTTPTooManyRequestsError` -> `http too many requests`."""
    split = [word.lower() for word in _WORD.findall(identifier.replace("OAuth", "Oauth"))]
    while len(split) > 1 and split[-1] in _SUFFIXES:
        split.pop()
    return " ".join(split)


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], Row], ...]:
    return tuple((re.compile(rf"\b(?:{_alternatives(row.phrases)})(?!\w)"), row) for row in ROWS)


def _alternatives(phrases: str) -> str:
    lines = [line.strip() for line in phrases.strip().splitlines()]
    return re.sub(r"<(\w+)>", _vocabulary, "|".join(lines).replace(" | ", "|"))


def _vocabulary(thing: re.Match[str]) -> str:
    return "(?:" + "|".join(VOCABULARY[thing[1]].split()).replace(".", " ") + ")"
