"""Text in, clue out: for exceptions whose type says too little.

Two tables, provider patterns before common ones; the first row that matches decides. The common ones stand in
another order than their words are usually listed in: what an upstream did (limit, time, outage) goes before
what it was doing, so that "The validation service timed out" is a Timeout and "Payment not allowed: rate
limit exceeded" is RateLimited.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

from mcp_error_middleware.classify.clue import Clue, Weight
from mcp_error_middleware.classify.names import clue_in_name
from mcp_error_middleware.classify.types import BUILTINS
from mcp_error_middleware.taxonomy import ErrorCode, http_status_to_code

LENGTH: Final = 2_000
"""How many characters of a text are read."""


class Pattern(NamedTuple):
    """Phrases in a text that mean a code."""

    code: ErrorCode
    literals: str
    """Without one of these in the text the phrases are not tried; ` | ` between them."""
    phrases: str
    """One per line, or several with ` | ` between them; patterns over the text in lower case."""
    examples: tuple[str, ...]
    near_misses: tuple[str, ...] = ()
    retryable: bool | None = None


STATUS: Final = r"""
    \b(status([ _-]?code)?|response code|error( code| status)?)<is><number>
    \bhttp(/\d(\.\d)?)?( error| status( code)?| response)?<is><number>
    \b(returned|responded|answered|got|received)( with| an?)?( error| http| status| code)*<is><number>
    \btoo many <number> error responses
    ^(error:? )?\(?<number>\)?:? ?(client|server) error\b
    \(<number>\)$ | ^\(<number>\)
    (fetch|get|post|request|download|upload|response|api|call)\b.{0,60}: <number>$
    \b(get|head|post|put|patch|delete) \S{1,200} ?(->|=>|→) ?<number>
    \w(error|exception)\(<number> | \(<number>, ?['"{\[]
    \b<number>\W{1,3}(bad request|unauthorized|payment required|forbidden|not found|method not allowed)
    \b<number>\W{1,3}(not acceptable|request time-?out|conflict|gone|precondition failed|payload too large)
    \b<number>\W{1,3}(unsupported media|unprocessable|locked|too many requests|internal server error)
    \b<number>\W{1,3}(not implemented|bad gateway|service unavailable|gateway time-?out)
    ^<number>:? [a-z]+(_[a-z]+)+\b
"""
"""An HTTP status in words."""

PROVIDERS: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.RATE_LIMITED,
        "throttl | toomanyrequests | slowdown",
        r"throttlingexception | toomanyrequestsexception | \bslowdown\b | \bthrottlederror\b",
        ("An error occurred (ThrottlingException)", "TooManyRequestsException: slow down"),
        ("throttle valve",),
    ),
    Pattern(
        ErrorCode.FORBIDDEN,
        "accessdenied | unauthorizedoperation",
        r"accessdenied | unauthorizedoperation",
        ("An error occurred (AccessDenied)", "UnauthorizedOperation: no"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "resourcenotfound | nosuch | model_not_found",
        r"resourcenotfoundexception | \bnosuch(key|bucket|entity)\b | model_not_found",
        ("ResourceNotFoundException: table", "model_not_found"),
    ),
    Pattern(
        ErrorCode.RATE_LIMITED,
        "insufficient_quota",
        r"insufficient_quota",
        ("insufficient_quota",),
        retryable=False,
    ),
    Pattern(
        ErrorCode.RATE_LIMITED,
        "quota | limit",
        r"""
        quota exceeded | exceeded .{0,40}\bquota | \[overquota\]
        (request|rate|usage) limit (was |is )?(reached|exceeded)
        exceed(s|ed|ing)? .{0,40}\b(request|rate|usage) limits?\b
        """,
        (
            "Quota exceeded for model",
            "You exceeded your current quota",
            "User request limit reached",
            "This request exceeds your plan's set usage limit",
        ),
        ("quota of 5 set", "the usage limit is 40"),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "context_length | context length | context window",
        r"context_length_exceeded | maximum context length | context window",
        ("context_length_exceeded", "This model's maximum context length is 8192 tokens"),
    ),
    # --- what the server was not given ---
    Pattern(
        ErrorCode.CONFIGURATION_ERROR,
        """
        environment variable | env var | envvar | config | install | api key | api_key | apikey
        auth key | auth_key | credentials | connection string | optional dependency | executable | settings
        is required | library | binary | your path | system path | please | download | backend | shared object
        dlopen
        """,
        r"""
        environment variables?\b | \benv ?vars?\b | not (been )?configured | misconfigur
        (package|library|toolchain|extension) is required | on your (system )?path\b
        (could not|cannot|unable to) find .{0,60}\b(library|executable|binary)\b
        requires .{1,60} to be installed | (please|need to) install\b | ^install \S{1,60} (for|to|on)\b
        (requires|ensure) (that )?.{1,60} is installed | must be installed\b | (pip|conda) install
        \bnot installed
        missing optional dependency | \bnot executable\b | please (use|run) .{0,60}\bdownload
        to download the (\w+ )?(data|resource|model|corpus|corpora)\b
        (unable to|could not|failed to) configure\b
        (invalid|missing|bad|incomplete) (\w+ ){0,2}(config\w*|settings)\b
        config(uration)? (error|(was |is )?(invalid|missing|not found))\b
        (not found|missing|^no .{1,60}found) in (the |your )?(\w+ )?(config(uration)?|settings)\b
        config(uration)? file .{0,80}(not found|missing) | executable (doesn't|does not) exist
        no executable (was )?found | executable (\w+ )?(was )?not found
        \b(no|missing) (\w+ )?api[ _]key
        (could not|unable to) (find|load|locate|determine) (\w+ )?credentials
        (api|auth)[ _]key (\w+ ){0,3}(must (not )?be|not set|is missing|is required|not (provided|configured))
        (must|please) (provide|set|specify|supply|pass) (an? |your |the )?(\w+ )?(api[ _]?key|credentials)
        api[ _]key (can|may) be (generated|obtained|created|found) (at|in|on|under)\b
        \bno \w*backend (is |was )?(selected|available|installed|found|configured|specified)
        cannot open shared object | \bdlopen\(
        \bno credentials | connection string (is|was|must|cannot|has)\b
        (invalid|missing|malformed|bad|no) connection string\b
        """,
        (
            "OPENAI_API_KEY environment variable is not set",
            "Slack is not configured",
            "Please pip install openpyxl",
            "Unable to locate credentials",
            "Invalid dict settings: invalid_syntax",
            "Missing required database configuration",
            "'cryptography' package is required for caching_sha2_password",
            "Install 'email_validator' for email validation support.",
            "Provider configuration not found for shop",
            "No 'script_location' key found in configuration.",
            "Connection string is either blank or malformed.",
            "No LazBackend selected, cannot compress",
        ),
        ("the environment is variable", "apply the configuration"),
    ),
    # --- files that are not what they seem ---
    Pattern(
        ErrorCode.SERIALIZATION_ERROR,
        """
        magic | file signature | not a | not seem | corrupt | truncated | format | file type | image type
        archive | decod | decompress | decrypt | invalid | empty | not enough | read less | routines
        start line
        """,
        r"""
        bad magic | magic (bytes?|number) | file signature not found | (invalid|bad|wrong) file signature
        (unknown|unrecogni[sz]ed) (file|image|archive) (format|type)\b
        unsupported format, or corrupt
        not an? (valid )?(\w+ )?(zip|gzip|tar|pdf|image|archive|hdf5|parquet|xlsx?|docx?|excel|json|xml)\b
        not (appear to be |seem to be )?an? (valid )?(\w+ ){1,3}(file|font)\b
        (data|file) format error | not recogni[sz]ed as .{0,40}format | format not recogni[sz]ed
        (cannot|could not|unable to) (work out|determine|identify|guess) (the )?(file|image) (type|format)
        (cannot|could not|unable to) detect (the )?(file|image) (type|format)
        decod(er|ing) failed | decompress\w* failed | decrypt\w* failed | failed to decrypt
        invalid (data|byte|file|archive|image) (stream|header|structure) | invalid file, or
        corrupt(ed)? (\w+ )?(file|data|image|archive|stream)
        truncated (file|data|image|stream|input)
        \b(is|are|was|were|be|been|seems) (corrupt(ed)?|truncated)\b
        not enough (bytes|data) | read less than | empty (csv|json|xml|file|document|archive|image)\b
        (pem|asn\.?1)( encoding)? routines | no start line
        """,
        (
            "File is not a zip file",
            "Bad magic number",
            "Unsupported format, or corrupt file",
            "decoder failed",
            "PDFium: Data format error",
            "Invalid file signature 'this'",
            "NetCDF: Unknown file format",
        ),
        ("not a valid reason", "Invalid file name: a stream of words"),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "query field | unknown | variable",
        r"cannot query field | unknown (argument|type|fragment) [\"'] | variable [\"']\$\w+[\"'] (got|of)",
        ("Cannot query field 'b' on type 'Q'.", "Variable '$id' of required type 'ID!' was not provided."),
        ("a variable 'x' of the sort",),
    ),
    # --- stores ---
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        "parameter | number of bindings",
        r"""
        not provided for .{0,40}\b(statement|query) parameters? | \b(statement|query) parameters? not provided
        \b(parameter|placeholder)s? count mismatch\b | \bincorrect number of bindings\b
        """,
        (
            "Values were not provided for the following prepared statement parameters: 1",
            "Parameter count mismatch: 2 for 1",
        ),
        ("the query parameter city was not provided",),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "deadlock | could not serialize | is locked | lock wait | obtain lock | conflict",
        r"""
        deadlock (detected|found|victim) | could not serialize access | lock wait timeout
        (database|table|schema)( \w+)? is locked | could not obtain lock | write ?conflict
        """,
        (
            "deadlock detected",
            "database is locked",
            "could not serialize access due to concurrent update",
        ),
        ("the deadlock film",),
        retryable=True,
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "unique | duplicate | already exists with",
        r"""
        unique( key| index)? (constraint|violation) | duplicate (key|entry) | violates unique
        already exists with label | unique_violation
        """,
        (
            "UNIQUE constraint failed: users.email",
            "duplicate key value violates unique constraint",
        ),
        ("a unique opportunity",),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "constraint | violates",
        r"""
        foreign key constraint | not[- ]null constraint | check constraint | violates (foreign|not|check)
        constraint (failed|violation)
        """,
        ("FOREIGN KEY constraint failed", "violates not-null constraint"),
        ("under time constraints",),
    ),
    Pattern(
        ErrorCode.UNAUTHORIZED,
        """
        jwt | authenticat | access denied for user | login | password | noauth | wrongpass
        authorization viol | pg_hba | role
        """,
        r"""
        jwt (is )?expired | invalid jwt | authentication failed | access denied for user
        login (failed|incorrect)
        (incorrect|invalid|wrong|bad)( (user ?(name|id)?|login|e-?mail)( or|/| and))? password
        (requires|needs) an? password | password (is )?(required|needed)
        no password supplied | ^noauth\b | ^wrongpass\b | not authenticated | authorization violation
        (user( ?name)?|login)( and| or|/) password (is |are |were )?(not accepted|incorrect|invalid|rejected)
        no pg_hba\.conf entry | fatal: +role .{1,80} does not exist
        """,
        (
            "JWT expired",
            'password authentication failed for user "x"',
            "NOAUTH Authentication required.",
        ),
        ("password reset mail sent",),
    ),
    Pattern(
        ErrorCode.FORBIDDEN,
        "level security | permission denied | insufficient privilege | noperm",
        r"row[ -]level security | permission denied | insufficient privileges? | ^noperm\b | \[noperm\]",
        (
            "new row violates row-level security policy",
            "permission denied for table users",
        ),
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        loading | masterdown | clusterdown | tryagain | readonly | moved | ask | busy | unkillable | oom
        misconf
        """,
        r"""
        ^(loading \w+ is loading|masterdown|clusterdown|tryagain|readonly you|moved \d|ask \d)\b
        ^(busy|unkillable|oom|misconf)\b
        """,
        (
            "LOADING Redis is loading the dataset in memory",
            "CLUSTERDOWN Hash slot not served",
        ),
        ("not busy",),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "busygroup | busykey | [alreadyexists]",
        r"^(busygroup|busykey)\b | \[alreadyexists\]",
        ("BUSYGROUP Consumer Group name already exists",),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "noscript | nogroup | [nonexistent] | 550",
        r"^(noscript|nogroup)\b | \[nonexistent\] | ^550[ -].{0,60}\b(no such|not found|not exist)",
        ("NOSCRIPT No matching script", "select failed: [NONEXISTENT] Unknown Mailbox: Archive"),
    ),
    Pattern(
        ErrorCode.DATABASE_ERROR,
        "wrongtype",
        r"^wrongtype\b",
        ("WRONGTYPE Operation against a key",),
    ),
    Pattern(
        ErrorCode.DATABASE_ERROR,
        """
        no such | relation | undefined table | unknown column | sql syntax | table | db::exception | database
        at or near
        read-only | readonly | read only | opening
        """,
        r"""
        no such (table|column) | (relation|database) .{1,80} does not exist | unknown column | undefined table
        error in your sql syntax | syntax error at or near\b | \bdb::exception\b
        \btable .{1,80} (doesn't|does not) exist
        \bread[ -]?only (database|replica|transaction|connection|mode)\b | database is read[ -]?only
        (open|opening) (the |target )*database | \bnot a database\b
        """,
        ("no such table: users", 'relation "users" does not exist', "attempt to write a readonly database"),
        ("no such luck",),
    ),
    # --- the network ---
    Pattern(
        ErrorCode.TIMEOUT,
        "etimedout | err_timed_out | timeout | timed out | time-out | canceling statement",
        r"""
        \btime-?out (while|waiting|during)
        \betimedout\b | \berr_timed_out\b | canceling statement due to | time-?out expired
        (connect(ion)?|statement|query|read|write|lock|gateway|request|operation) timed out
        (connect(ion)?|statement|query|read|write|lock|gateway|request|operation) timeout\b(?! must| should)
        """,
        (
            "connect ETIMEDOUT 10.0.0.1:443",
            "connection timeout",
            "canceling statement due to statement timeout",
        ),
        ("connection timeout must be positive",),
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        "certificate",
        r"""
        certificate[ _]verify[ _]failed | self[- ]signed certificate
        certificate (has expired|is not trusted|verification|problem)
        """,
        ("[SSL: CERTIFICATE_VERIFY_FAILED]",),
        ("birth certificate required",),
        retryable=False,
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        econn | err_ | connection | connect | eai_again | enotfound | dns | name or service | name resolution
        getaddrinfo | nodename | unreachable | no route to host | broken pipe | gone away | too many clients
        max retries | handshake | resolve host | empty reply | disconnected | :// | to reach | to contact
        server | api | service | upstream | provider | backend | response | reply | answer | eof while
        """,
        r"""
        \beconn(refused|reset|aborted)\b | \berr_(connection_\w+|name_not_resolved|internet_disconnected)
        connection (was |is |has been |attempt )?(refused|reset|aborted|closed|lost|failed|terminated|dropped)
        \bno (response|reply|answer) (was )?received\b | connection attempts failed
        unexpected eof while reading
        connection (error|broken|timed out) | connection to .{1,100} (refused|failed|lost|closed)
        (lost|closed?|terminated|unexpectedly|refused) (the |its )?connection
        (cannot|could not|can't|couldn't|unable to|failed to|error) (re)?connect(ing)?
        failed to (establish|open) (a )?(new )?connection | too many (connections|clients)
        \bmax_connections\b(?!\W{1,3}(must|should|is|has)\b)
        \benotfound\b | \beai_again\b | \bdns (lookup|resolution|error|failure|server|query)
        \bdns name (does|could|was|is|can)( ?not|n't)
        \bdns\b[^a-z]*(fail|$) | name or service not known | name resolution | getaddrinfo
        nodename nor servname | (host|network|server|destination)( is)? unreachable | no route to host
        (could not|couldn't|cannot|failed to) resolve host | empty reply from server
        broken pipe | server has gone away | max retries exceeded | (ssl|tls) handshake(?! has)
        (socket|client|server|database|device|broker|session) (is |was )?not connected\b | ^not connected\b
        (server|peer|client|remote) (has )?disconnected | (failed|unable) to (reach|contact)\b
        (server|api|service|upstream|provider|backend) (returned|sent) (an? )?(invalid|malformed|unexpected)
        (server|api|service|upstream|provider|backend) did(n't| not) (return|respond|answer)
        (invalid|malformed|unexpected|bad|empty) (\w+ )?(response|reply|answer) (from|received|returned)\b
        (unexpected|unsupported|wrong) response content[- ]type\b
        ^(response|reply|answer) from .{1,200} (has|is|was) (an? )?(unsupported|unexpected|invalid|wrong)\b
        (could not|cannot|can't|unable to|failed to|error) (fetch|download|retriev|reach|access)\w* .{0,60}https?://
        """,
        (
            "connect ECONNREFUSED 127.0.0.1:5432",
            "Connection reset by peer",
            "getaddrinfo ENOTFOUND api.example.com",
            "DNS lookup failed",
            "could not connect to server",
            "Name or service not known",
            "Could not fetch config for http://127.0.0.1:7860/",
            "Invalid response from API server",
            "Server did not return a reference",
            "Response from the index has unsupported Content-Type 'image/png'",
        ),
        (
            "see https://example.com",
            "DNSSEC field",
            "the connection between both events",
            "connection string is empty",
        ),
    ),
)

COMMON: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.RATE_LIMITED,
        """
        rate limit | rate-limit | ratelimit | rate_limit | too many requests | throttl | quota | slow down
        out of | used up
        """,
        r"""
        rate[ _-]?limit(s|ed|ing)?\b(?! (config|setting|header|value|must|of \d+ is)) | too many requests
        throttl(ed|ing) | quota (has been |was |is )?(exceeded|exhausted|reached) | (out of|over|no) quota
        slow down | \b(run|ran|are|is) out of (\w+ )?(credits?|requests|calls|quota)\b
        \bused up (all |your )+(\w+ )?(credits?|requests|calls|quota)\b
        """,
        (
            "Rate limit exceeded",
            "Too many requests, slow down",
            "Request was throttled",
            "You have run out of API credits for the current minute",
        ),
        ("rate limit must be positive", "out of stock"),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "timeout | time-out",
        r"""
        (invalid|bad|negative|unknown|unsupported|missing) (\w+ )?time-?out
        time-?out (\w+ )?(must|should|needs|cannot|can't|value|is required|has to)
        """,
        ("invalid timeout: -1", "timeout must be positive"),
        ("timeout after 30 s",),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "timeout | time out | timed out | timed-out | time-out | deadline | took too long",
        r"time[ -]?outs?\b | timed[ -]out | deadline[ _](was |is )?exceeded | took too long",
        ("The validation service timed out", "deadline exceeded", "ReadTimeout"),
        ("the deadline is on Friday",),
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        unavailable | gateway | upstream | overloaded | maintenance | offline | unreachable | down | circuit
        busy
        """,
        r"""
        service (is |was )?(temporarily )?(unavailable|unreachable|down) | temporarily unavailable
        bad gateway | upstream (\w+ )?(error|failed|failure|unavailable|returned)
        (is|are) (currently )?down\b
        (server|service|system|api|model|engine) (is |are )?(currently )?(overloaded|busy|offline|unreachable)
        (server|service|system|api|model|engine) (is |are )?(currently )?unavailable
        under maintenance | circuit (breaker )?([\w.-]{1,40} )?(is )?open
        (currently|temporarily) (unavailable|overloaded)
        """,
        ("Service Unavailable", "502 bad gateway", "upstream error", "Circuit shop is open"),
        ("upstream branch merged", "item is unavailable in blue"),
    ),
    Pattern(
        ErrorCode.UNAUTHORIZED,
        """
        authori | unauthenticated | logged | token | credential | api key | api_key | api-key | authenticat
        access key | access_key | access-key
        signature | session | log in | login | sign in
        """,
        r"""
        unauthori[sz]ed | unauthenticated | not\s+authori[sz]ed | \bnot\b.{0,20}\blogged.{0,4}\bin\b
        (invalid|expired|bad|revoked|missing|incorrect)<gap><whose>?(token|credentials?)\b
        (invalid|expired|bad|revoked|missing|incorrect)<gap><whose>?(api|access)[ _-]key\b
        (invalid|expired|bad|missing)<gap><whose>?signature\b
        (token|session|credential|api[ _-]key)s? (has |have |is |was |are )?(expired|revoked|invalid)
        authentication (is )?(required|failed|error|failure) | (failed|unable) to authenticate
        log ?in required | (could not|cannot) (validate|verify) (the )?credentials
        must (be logged in|log ?in|authenticate) | please (log|sign) in
        """,
        ("Unauthorized", "User is not logged in", "invalid token", "Your token has expired"),
        (
            "unexpected token at line 3",
            "the author is unknown",
            "invalid page_token: x",
            "not in stage a; only logged models in b",
        ),
    ),
    Pattern(
        ErrorCode.FORBIDDEN,
        """
        permission | forbidden | denied | allowed | permitted | privilege | scope | payment required
        entitled | upgrade your | your
        """,
        r"""
        forbidden | access.{0,40}denied | permission denied | denied (access|permission)
        not (be )?(allowed|permitted)\b | payment required
        (insufficient|no|lacks?|missing|without|requires?|needs?|have|has) (the |a )?(\w+ )?permissions?\b
        (insufficient|no|lacks?|missing|without|requires?|needs?) (the |a )?(\w+ )?(privileges?|scopes?)\b
        permissions? (is |are )?(required|needed|to|for|error)\b | \bpermissions?["'.:!]
        \bpermissions?$ | \bnot entitled to\b | \bupgrade your (\w+ )?(plan|account|subscription)\b
        \bnot (included|available|supported) (in|on|by|for|with) your (\w+ )?(plan|subscription|tier)\b
        """,
        (
            "Forbidden",
            "Access is denied",
            "You need permission to edit",
            "Operation not allowed",
            "Missing permission: x",
            "You are not entitled to this data. Please upgrade your plan",
        ),
        ("permission slip printed", "allowed values: a, b"),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "already | duplicate | unique constraint | exists in | exists at",
        r"""
        already (exists?|in use|(been )?<taken>\b) | unique constraint
        \bduplicate[sd]?\b | ^an? \w+ exists (in|at)\b
        """,
        (
            "User already exists",
            "Slot is already booked",
            "duplicate order",
            "A group exists in store memory at path a",
        ),
        ("already on its way", "Whether a group exists in the store is not known"),
    ),
    # What a text opens with is what it is about.
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        "invalid",
        r"^\W?invalid\b(?! (json|xml|yaml|toml|csv|utf))",
        ("Invalid projection: crs not found",),
        ("the sum is invalidated", "Invalid JSON in the answer"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "found | no such | exist | find | locate | unknown | match any | available for | open | repository",
        r"""
        \bnot[ _-]?(be )?found\b | \bno such\b | no longer exists? | \bno (\w+ ){1,3}(was |were )?found\b
        (doesn't|does not|didn't|did not|don't|do not) exists?
        (couldn't|could not|cannot|can't|unable to) (find|locate)
        \bunknown (tool|resource|prompt|user|customer|order|id)\b | (does not|did not|doesn't) match any\b
        \bno (\w+ )?(information|data|results?|records?) (is |are )?available for\b
        (cannot|can't|couldn't|could not|unable to|failed to) open (the )?file\b
        ['"][^'"]{1,80}['"] could not be opened\b
        (cannot|can't|couldn't|could not|unable to|failed to) open (\w+ )?['"]?[\w./-]{1,80}\.\w{2,5}\b
        \bneither .{1,80} could be opened\b | \bnot an? (\w+ )?repository\b
        """,
        (
            "User not found",
            "no such file",
            "The page doesn't exist",
            "Couldn't find order 7",
            "Unknown tool: x",
            "No information available for that address.",
            "Could not open model.txt",
            "fatal: not a git repository",
        ),
        ("found nothing wrong", "cannot open the discussion"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "no ",
        r"""
        ^no (\w+ ){1,2}(with|by|under|has|having) (\w+ )?(id|name|number|key|code|slug|e-?mail|title|uuid)\b
        ^no (matching )?(results?|matches|records?|entries|items?) (for|with|in)\b
        """,
        ("No order with id 7", "No results for that city"),
        ("no order was ever given with id cards", "no item is missing"),
    ),
    Pattern(
        ErrorCode.SERIALIZATION_ERROR,
        "json | xml | yaml | toml | csv | utf | pars | decod | serializ | unmarshal | encod | unexpected",
        r"""
        (invalid|malformed|bad|broken|unexpected|not valid) (json|xml|yaml|toml|csv|utf-?8)
        (parse|parsing|decod(e|ing)|encoding|(de)?serializ(e|ation)) (error|failed|failure) | parse ?exception
        (failed|unable|could not|cannot|can't) (to )?(parse|decode|(de|un)?serialize|unmarshal|encode)
        is not (valid )?json | not json serializable | unexpected (token|character|eof|end of)\b
        (error|exception) (while |when |during )?(parsing|(de|en)coding|(de)?serializ\w+)
        """,
        ("got invalid JSON", "failed to parse the answer", "cannot decode byte"),
        ("decode the mystery",),
    ),
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        """
        invalid | validation | malformed | bad request | wrong format | missing | required | mandatory | must
        insufficient | out of stock | only | be empty | be blank | be negative
        """,
        r"""
        (?<![./])\binvalid | \bvalidation\b | malformed | bad request | wrong format
        \bis (required|mandatory)\b
        (can't|cannot|can not|should not|may not) be (empty|blank|negative)\b
        missing\s+(required|param|field|input|value|arg) | missing \S{1,40} (argument|parameter|field)\b
        \b(argument|parameter|field) (is )?missing\b
        \bmust (not )?(be|have|contain|start|end|match|consist|include|evaluate)\b
        \binsufficient (\w+ )?(funds|balance|stock|inventory)\b | \bout of stock\b
        ^only .{1,60} (is|are) (allowed|supported|accepted|permitted)\b
        """,
        (
            "Invalid email",
            "schema validation failed",
            "missing required field",
            "query argument missing in arguments",
            "wrong format",
            "DNSSEC field invalid",
            "Only SELECT statements are allowed",
            "City name can't be empty",
        ),
        ("nothing is missing", "if only he were allowed"),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "conflict | mismatch | modif | stale | state | changed since",
        r"""
        \bconflict(s|ing|ed)?\b | version mismatch | modified by another | concurrent modif | \bstale\b
        (was|has been|have been) modified\b(?! (to|in|so)\b) | \bchanged since\b
        (can't|cannot) .{1,60} (from|in) (the |its )?(current )?state\b
        """,
        (
            "Edit conflict",
            "version mismatch",
            "Can't trigger event ship from state draft!",
            "It has been modified",
        ),
        ("stalemate",),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "abort | cancel",
        r"\babort(ed)?\b | \bcancell?ed\b",
        ("The operation was aborted", "Request cancelled"),
        ("cancellation policy",),
    ),
    Pattern(ErrorCode.VALIDATION_ERROR, "zod", r"\bzod(error)?\b", ("ZodError: expected string",)),
    # --- the same in de, es, fr, ja, pt and zh ---
    Pattern(
        ErrorCode.RATE_LIMITED,
        """
        viele anfragen | demasiadas | requêtes | requisições | muitas solicitações | リクエスト
        请求过 | 请求太 | 请求次数
        """,
        r"""
        \bzu viele anfragen\b | \bdemasiadas (solicitudes|peticiones|requisições)\b | \btrop de requêtes\b
        \bmuitas (requisições|solicitações)\b | リクエスト(が多すぎ|.{0,3}の上限に達し)
        请求(次数)?(过于频繁|过多|太频繁|太多)
        """,
        (
            "Zu viele Anfragen",
            "Demasiadas solicitudes",
            "Trop de requêtes",
            "リクエストが多すぎます",
            "Muitas requisições",
            "请求过于频繁",
        ),
        ("viele Anfragen kamen an", "demasiadas páginas", "リクエストが届きました", "请求过滤器"),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "zeit | tiempo | délai | tempo | タイムアウト | 超时",
        r"""
        \bzeitüberschreitung\b | \bzeitlimit (wurde )?überschritten\b
        \btiempo de espera (agotado|excedido)\b | \bagotó el tiempo\b
        \bdélai (d'attente )?(est |a été )?(dépassé|expiré)
        \btempo (limite |de espera )*(esgotado|excedido)\b
        タイムアウト(しま|した|が発生|になり|$)
        (请求|连接|操作|响应|等待|执行|读取)(已)?超时(?!时间|设置|值)
        """,
        (
            "Zeitüberschreitung bei der Anfrage",
            "Tiempo de espera agotado",
            "Délai d'attente dépassé",
            "接続がタイムアウトしました",
            "Tempo limite excedido",
            "请求超时",
        ),
        ("zeitlich passt es", "tiempo de espera: 3", "タイムアウトは正の値です", "请求超时时间必须为正"),
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        nicht erreichbar | nicht verfügbar | antwortet nicht | verbindung | se puede conectar | ne répond pas
        no está disponible | no disponible | conexión | indisponible
        injoignable | connexion | indisponível | conexão | サービス | サーバ | 接続 | 不可用 | 连接
        """,
        r"""
        \bnicht erreichbar\b | \bantwortet nicht\b | \bno se puede conectar\b | \bne répond pas\b
        \b(dienst|server|service) (ist )?(\w+ )?nicht verfügbar\b
        \bverbindung (\w+ ){0,3}(abgelehnt|verweigert|fehlgeschlagen|abgebrochen|unterbrochen)\b
        \b(servicio|servidor) no (está )?disponible\b | \bconexión (rechazada|fallida|perdida)\b
        \b(service|serveur) (est )?(\w+ )?(indisponible|injoignable)\b | \bconnexion (refusée|perdue|échouée)
        \béchec de (la )?connexion\b
        \b(serviço|servidor) (está )?(\w+ )?indisponível | \bconexão (recusada|perdida)\b
        (サービス|サーバー?)[はが]?(現在|一時的に)?(利用できません|応答しません)
        接続(できません|に失敗|が拒否) | 服务(器)?(暂时?|当前)?不可用 | 无法连接 | 连接(失败|被拒绝)
        """,
        (
            "Dienst nicht erreichbar",
            "Le serveur ne répond pas",
            "Servicio no disponible",
            "Service temporairement indisponible",
            "サービスは現在利用できません",
            "Serviço indisponível",
            "服务暂时不可用",
            "Verbindung abgelehnt",
        ),
        (
            "Größe nicht verfügbar",
            "color no disponible",
            "connexion requise",
            "接続は3本です",
            "连接两个城市",
        ),
    ),
    Pattern(
        ErrorCode.UNAUTHORIZED,
        """
        anmeldung | authentifizierung | angemeldet | autenticación | authentification | autenticação | 認証
        ログイン | 认证 | 登录 | 身份验证
        """,
        r"""
        \b(anmeldung|authentifizierung) (ist )?fehlgeschlagen\b | \bnicht angemeldet\b
        \bautenticación (fallida|requerida)\b | \b(error|fallo) de autenticación\b
        \béchec d(e l)?['’]authentification\b | \bauthentification (a )?(échoué|requise)
        \bfalha (na|de) autenticação | \bautenticação (falhou|necessária)
        認証(に失敗|が必要|エラー) | ログイン(に失敗|が必要) | (认证|身份验证|登录)失败 | 未登录
        """,
        (
            "Anmeldung fehlgeschlagen",
            "Error de autenticación",
            "Échec de l'authentification",
            "認証に失敗しました",
            "Falha na autenticação",
            "身份验证失败",
        ),
        ("Anmeldung zum Kurs", "la autenticación es rápida", "認証の方法", "登录页面"),
    ),
    Pattern(
        ErrorCode.FORBIDDEN,
        """
        zugriff | berechtigung | denegado | permiso | accès | acesso | permissão | アクセス
        権限 | 访问 | 权限
        """,
        r"""
        \bzugriff (wurde )?verweigert\b | \bkeine berechtigung\b | \b(acceso|permiso) denegado\b
        \bno tienes? permisos?\b | \bnão tem permissão | \baccès (refusé|interdit|non autorisé)
        \bacesso negado\b | \b(sem permissão|permissão negada) | アクセス[はがを]?拒否 | 権限がありません
        拒绝访问 | 访问被拒绝 | (没有|无)(访问)?权限 | 权限不足
        """,
        (
            "Zugriff verweigert",
            "Acceso denegado",
            "Accès refusé",
            "アクセスは拒否されました",
            "Acesso negado",
            "没有权限",
        ),
        ("Zugriff auf Datei a", "accès au quai 3", "アクセス方法", "权限列表"),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "bereits | ya exist | déjà | já | 既に | すでに | 已存在 | 已经存在 | 已被",
        r"""
        \bexistiert bereits\b | \bbereits (vorhanden|vergeben|registriert|gebucht)\b | \bya existe
        \bexiste déjà | \bdéjà (utilisé|pris|réservé|enregistré) | \bjá (existe|cadastrad|registrad)
        (既に|すでに)(存在|使用|登録) | 已(经)?存在 | 已被(占用|使用|注册|预订)
        """,
        (
            "Der Benutzer existiert bereits",
            "El usuario ya existe",
            "L'utilisateur existe déjà",
            "ユーザーは既に存在します",
            "O usuário já existe",
            "用户已存在",
        ),
        ("bereits geprüft", "déjà vu", "já é tarde", "既に知っています", "已被证明"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        """
        nicht gefunden | existiert nicht | no encontrad | encontró | no existe | introuvable | existe pas
        trouvé | não encontrad | não foi encontrad | não existe
        見つかり | 存在しません | 未找到 | 找不到 | 不存在
        """,
        r"""
        \bnicht gefunden\b | \bexistiert nicht\b | \bno encontrad[oa] | \bno se encontró | \bno existe\b
        \bintrouvables?\b | \bn['’]existe pas\b | \bnon trouvée? | \bn['’]a pas été trouvée?
        \bnão (foi )?encontrad[oa] | \bnão existe\b | 見つかりません | 存在しません | 未找到 | 找不到 | 不存在
        """,
        (
            "Datei nicht gefunden: bericht.pdf",
            "Archivo no encontrado",
            "Fichier introuvable",
            "ファイルが見つかりません",
            "Arquivo não encontrado",
            "文件不存在",
        ),
        ("gefunden wurde nichts Neues", "trouvé hier", "見つかりました"),
    ),
)

VALUES: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.VALIDATION_ERROR,
        """
        valid | conver | interpret | coerce | cast | support | unrecogni | out of | expected | match | too
        illegal | unknown | ambiguous | wrong number | equal | should be | not one of | exclusive | cannot be
        both be | expression | undefined | error: | missing | unbalanced | unmatched | unclosed | bad
        deduce | infer | relative url
        """,
        r"""
        \bnot (an? )?valid\b | (could not|cannot|can't|unable to|failed to) (convert|interpret|coerce|cast)
        conversion .{1,60} failed
        \bunsupported\b | \bnot supported\b | \bunrecogni[sz]ed\b | \bout of (range|bounds)\b | \billegal\b
        \bexpected .{1,60}\b(got|found|received|parsed)\b | (does not|doesn't|not|no) match
        \btoo (long|short|large|small|few|big)\b | \bunknown \w+ | \bambiguous\b
        (is|are|does) not equal\b | \bshould be (an? |one of |strings?\b) | \bnot one of\b
        \bwrong number of (arguments|parameters)\b
        \bmutually exclusive\b | (cannot|can't) both be\b | (does|do) not support\b
        cannot be (empty|negative|none|null|zero)\b | \bend of expression\b
        \bundefined (variable|symbol|name|function)\b | \b(reference|syntax)error:
        \b(missing|unbalanced|unmatched|unclosed) ((open|clos)(e|ing)? )?(parenthes[ie]s|bracket|brace|quote)
        (could not|cannot|can't|unable to) (deduce|infer) .{0,40}\b(format|type)\b
        \brelative url without a base\b
        \b(missing|unmatched|unbalanced|unclosed) ['"]?[()\[\]{}] | ^bad [a-z]{3,20}( [a-z]{3,20})?$
        """,
        (
            "'x' is not a valid unit",
            "could not convert string to float",
            "unsupported format: xyz",
            "Missing close parenthesis for group started at index 0.",
        ),
        ("an unexpected gift",),
    ),
)
"""Words about values. A library's own error that speaks of one means the value it was given; a bare
`RuntimeError` may speak of anything."""


MISUSE: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        happen | bug | unreachable | entered | awaited | instantiated | started | call | closed | unpack
        circular | main thread | executing | compliant | in state | class | decorat | empty | not in
        substring | slice step | sequence of | no active | detached | released | uninitiali
        """,
        r"""
        (should|must|can) ?(never|not) happen | \b(is|found) a bug\b | report (this|the|a) bug\b
        \bunreachable code
        (must|should|needs? to|has to|can only) be (called|entered|awaited|instantiated|started before)\b
        \b(before|without) calling\b | \bcall \S{1,60} (first|before)\b | \bby calling \S{1,60}\(
        \b(on|to|into|from) (an? )?closed (file|pipe|handle|archive|store|database|cursor|loop|image|stream)\b
        ^(read|write|seek|tell|flush) of closed (file|stream)\b
        \b(buffer|stream) has been detached\b | \bon (an? )?(released|uninitiali[sz]ed) (memoryview|object)\b
        \b<handle> (\w+ ){0,2}(already|been) closed\b | \b<handle> closed\b
        ^(not enough|too many) values to unpack\b | ^circular reference detected | \bin (the )?main thread\b
        \bclass\b.{1,60} missing @\w | (is|are|be|not) decorated with\b | \bmissing (an? )?@\w
        ^\w+\(\) (arg|iterable argument) is (an )?empty
        \bno active (connection|session|cursor|transaction)\b
        ^list\.\w+\(x\): x not in list | is not in (list|deque)$
        ^substring not found$ | ^slice step cannot be zero | ^attempt to assign sequence of size\b
        already executing\b | not json compliant | \b(illegal|invalid) in state\b
        """,
        (
            "this should never happen",
            "This is a bug, please tell us",
            "setup() must be called before loop()",
            "Cannot call env.step() before calling env.reset()",
            "I/O operation on closed file.",
            "Attempt to use ZIP archive that was already closed",
            "seek of closed file",
            "underlying buffer has been detached",
            "not enough values to unpack (expected 2, got 1)",
            "no active connection",
            "max() arg is an empty sequence",
            "list.remove(x): x not in list",
            "Make sure to initialize the SDK by calling setup().",
            "Invalid workflow class: Missing @workflow.run method",
        ),
        ("the call must be free", "no call was made before noon", "the file is closed on Sundays"),
    ),
    # --- the shapes of arrays and tables, which code makes ---
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        truth value | broadcast | mismatch | not aligned | core dimension | same length | same shape
        length of | inconsistent | inhomogeneous | reshape | reindex | array element | is read-only
        out of bounds | merge on | shape | zero-size | labeled | array dimensions | tensor | d array
        """,
        r"""
        \btruth value of (an?|the) \w | \b(could not|cannot) (be )?broadcast\b
        \b(shape|dimension|length|dtype)s? mismatch\b | ^shapes .{1,80} not aligned\b | \bcore dimension\b
        \b(arrays|columns|operands|tensors|series) must (all )?(be|have) (of )?(the )?same (length|shape)\b
        \blength of .{1,40} does not match (the )?length\b
        \binconsistent (\w+ ){0,2}(lengths|shapes|dimensions|numbers of samples)\b | \binhomogeneous shape\b
        \bcannot (reshape|reindex)\b | ^setting an array element\b | \b(destination|array) is read-only\b
        \b(have|with) shapes \( | \b(from|into) shape [(\[] | ^shape (of .{1,40} is )?'?[(\[]\d
        \bzero-size array\b | \bidentically-labeled\b | ^all the input array dimensions\b | \bsize of tensor\b
        \bexpected \dd array, got\b
        \baxis -?\d+ is out of bounds\b | \bmerge on \w+ and \w+ columns\b
        """,
        (
            "The truth value of a Series is ambiguous.",
            "operands could not be broadcast together with shapes (3,) (4,)",
            "Length mismatch: Expected axis has 2 elements, new values have 3 elements",
            "shapes (3,) and (4,) not aligned: 3 (dim 0) != 4 (dim 0)",
            "All arrays must be of the same length",
            "Length of values (3) does not match length of index (2)",
            "Found input variables with inconsistent numbers of samples: [3, 2]",
            "cannot reshape array of size 6 into shape (4,2)",
            "setting an array element with a sequence.",
            "assignment destination is read-only",
            "axis 2 is out of bounds for array of dimension 1",
            "x and y must have same first dimension, but have shapes (3,) and (4,)",
            "Shape of passed values is (3, 2), indices imply (3, 3)",
            "Can only compare identically-labeled Series objects",
            "You are trying to merge on int64 and object columns",
        ),
        (
            "the truth value of nothing",
            "The broadcast could not be found",
            "names and values must have the same length",
            "the length of the password does not match the policy",
            "inconsistent dates",
            "the file is read-only",
            "page 7 is out of bounds",
            "the shape of things to come",
        ),
    ),
    # --- loops, queues, and what else only code can hand to code ---
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        expected | required | too many times | loop | yield | docstring | type hint | type annotation | must
        invalid state | for <
        """,
        r"""
        \ban? (coroutine|future|awaitable|callable|generator) (object )?(was|is) (expected|required)\b
        \b(called|released) too many times\b
        (can't|cannot) (patch|run|close|stop) (an? |the )?(running )?(event )?loop\b
        \bbad yield\b | \byielded (an? )?(unknown|unexpected|unsupported) (object|value)\b
        \b(must|should|needs to) have (an? )?(docstring|type (hint|annotation)s?)\b
        \bmust be (an? )?(coroutine|awaitable|callable|generator|subclass)\b
        ^invalid state\W{1,3}expected\b | \b(invalid|unknown) \w+ for <\w+\(
        """,
        (
            "a coroutine was expected, got 5",
            "task_done() called too many times",
            "Can't patch loop of type <class 'Loop'>",
            "Cannot close a running event loop",
            "yielded unknown object 5",
            "Function must have a docstring",
            "handler must be callable",
            "invalid state: expected RUNNING, got IDLE",
            "Invalid fields for <OrderSchema(many=False)>: {'x'}.",
        ),
        (
            "a future date is required",
            "the doorbell was rung too many times",
            "cannot close the account in a loop",
            "Order 7 is in an invalid state: expected paid",
            "Invalid value for <input>",
        ),
    ),
)
"""Words of a library about itself, or about the code that uses it."""

CONFESSIONS: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.CONFIGURATION_ERROR,
        "key | credentials | url | uri",
        r"""
        \bapi[ _-]?key (is|must|should|cannot|was|has|does)\b | \bapi[ _-]?key shouldn't\b
        \b(service|base|endpoint|server|api)[ _]ur[il]\W{1,2}(is|must) (\w+ ){0,2}(required|missing|set)\b
        \b(invalid|provide|requires?|valid|missing|no|set) (\w+ ){0,3}api[ _-]?key\b
        \b(invalid|provide|requires?|valid|missing|no|set) (\w+ ){0,3}(auth\w*|api|service) credentials\b
        """,
        ("Invalid API key provided.", "Provide valid auth credentials", "The service_url is required"),
        ("invalid key: colour", "the url is required"),
    ),
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        "unexpected | internal | unhandled",
        r"(unexpected|internal|unhandled) (internal |server )?(error|exception|failure)\b",
        ("Unexpected error: None",),
        ("an unexpected value", "internal id missing"),
    ),
    Pattern(
        ErrorCode.RATE_LIMITED,
        "too many requests | limit | quota",
        r"""
        \btoo many requests\b | \brate[ -]limited\b
        \b(rate|usage)[ -]limit (was |is |has been )?(exceeded|reached|hit)\b
        \bquota (was |is |has been )?(exceeded|exhausted|reached)\b
        """,
        ("API returned error: {'code': 429, 'message': 'Too many requests'}", "rate limit was hit"),
        ("the rate limit is 5", "too many values requested"),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "timed | took too long | deadline",
        r"\w (has |have )?timed[ -]?out\b | \btook too long\b | \bdeadline (was |has been )?exceeded\b",
        ("Command timed out after 5 seconds", "The query took too long"),
        ("the timeout is -1", "'timed out' is not a valid status", "the deadline is over"),
    ),
)
"""What makes a bad value no caller's. Around another error's words they say nothing."""

PLAIN: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.CONFLICT,
        "already exists",
        r"^\w.{0,200} already exists\W*$",
        ("Collection [orders] already exists",),
        ("whatever already exists was not read",),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        "exist | not found",
        r"^\w.{0,200} (does not|doesn't) exist\W*$ | ^\w.{0,200} (was )?not found\W*$",
        ("Collection orders does not exist.", "index 'a' not found"),
        ("not found in the cache, so it was read again",),
    ),
)
"""Whole sentences that speak even where a class says no more than that something internal failed."""

LIFECYCLE: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.INTERNAL_ERROR,
        """
        be used | entered | started | awaited | initiali | constructed | in use | free port | called
        event loop
        """,
        r"""
        (must|should|can only|cannot) be used (as an?|inside|within|from|outside)\b
        (has|have|was|were|is) (not|never) (yet )?(been )?(entered|started|awaited|initiali[sz]ed|constructed)
        already been (entered|awaited|initiali[sz]ed|constructed)
        \b(address|port)( \S{1,40})? (is )?already in use | \bfree ports?\b | \bevent loop is\b
        called (during|within|outside)\b
        """,
        (
            "Timeout context manager should be used inside a task",
            "Timeout has not been entered",
            "is the port already in use?",
        ),
        ("a coupon may be used from June", "the race has started"),
    ),
)
"""What a plain error says of the order its own code has to keep."""


def provider_pattern(text: str) -> Clue | None:
    """What a provider's typical words in a text say."""
    lower = text[:LENGTH].lower()
    status = _status(lower)
    if status is None or status.code in _VAGUE:
        return _first(PROVIDERS, lower, Weight.TELLING) or status
    return status


def status_pattern(text: str) -> Clue | None:
    """What an HTTP status in a text says."""
    return _status(text[:LENGTH].lower())


def common_pattern(text: str) -> Clue | None:
    """What everyday words in a text say."""
    return _first(COMMON, text[:LENGTH].lower(), Weight.WEAK)


def plain_pattern(text: str) -> Clue | None:
    """What a text says that is one plain sentence about a thing that is there or not."""
    return _first(PLAIN, text[:LENGTH].lower(), Weight.WEAK)


def value_pattern(text: str) -> Clue | None:
    """What words about values in the text of a library's error say."""
    return _first(VALUES, text[:LENGTH].lower(), Weight.WEAK)


def confession(text: str) -> Clue | None:
    """Whether the text of a bad value says that it was nobody's fault but the code's."""
    lower = text[:LENGTH].lower()
    return _first(MISUSE, lower, Weight.WEAK) or _first(CONFESSIONS, lower, Weight.WEAK)


def lifecycle_pattern(text: str) -> Clue | None:
    """Whether a text speaks of the order in which code has to use other code."""
    lower = text[:LENGTH].lower()
    return _first(MISUSE, lower, Weight.WEAK) or _first(LIFECYCLE, lower, Weight.WEAK)


def cited_pattern(text: str, *, builtins: bool = True) -> Clue | None:
    """What the name of another error in a text says: `sync failed: NotFoundError('no such index')`.

    In a library's own text a builtin's name may be the library's: `ApiError(LookupError('not_found'))`.
    """
    if "Error" not in text and "Exception" not in text:
        return None
    for match in re.finditer(_CITED, text[:LENGTH]):
        clue = (BUILTINS.get(match[0]) if builtins else None) or clue_in_name(match[0])
        if clue and clue.weight >= Weight.BASE:
            return Clue(clue.code, Weight.WEAK, "pattern", "the name of an error", clue.retryable)
    return None


_CITED: Final = (
    r"\b[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception)(?=[:(\]])|(?<=: )[A-Z][A-Za-z0-9]{1,60}(?:Error|Exception)$"
)


def setting_pattern(text: str) -> Clue | None:
    """Whether a text misses what is spelt as a setting is: `SMTP_SENDER is not set`."""
    if re.search(_SETTING, text[:LENGTH]) is None:
        return None
    return Clue(ErrorCode.CONFIGURATION_ERROR, Weight.WEAK, "pattern", "a setting is missing")


_SETTING: Final = (
    r"\b[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,50}\W{1,3}(?:is |are |was )?"
    r"(?:not (?:set|defined|configured)|unset|missing|required|undefined|must be set)\b"
    r"|\b(?:[Mm]issing|[Ss]et|requires) \W?[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,50}\b"
    r"|\b(?:in|on|to) (?:your |the )?PATH\b|\bis not available on this (?:system|machine|host|platform)\b"
    r"|\b(?:Python|Java|JDK|Node(?:\.js)?) \d[\d.]*(?:\+| or \w+) is required"
)

_VAGUE: Final = frozenset({ErrorCode.INVALID_PARAMS, ErrorCode.FORBIDDEN, ErrorCode.INTERNAL_ERROR})
"""What 400, 403 and 500 say; a provider's own words beside them say more."""


def _status(lower: str) -> Clue | None:
    if not _A_STATUS.search(lower) or (match := _status_regex().search(lower)) is None:
        return None
    status = int(next(filter(None, match.groups())))
    return Clue(http_status_to_code(status), Weight.TELLING, "pattern", f"http {status}")


def _first(table: tuple[Pattern, ...], lower: str, weight: Weight) -> Clue | None:
    for literals, regex, pattern in _compiled(table):
        for literal in literals:
            if literal in lower:
                if match := regex.search(lower):
                    return Clue(
                        pattern.code, weight, "pattern", _own_words(pattern, match), pattern.retryable
                    )
                break
    return None


def _own_words(pattern: Pattern, match: re.Match[str]) -> str:
    """What was found. Where a phrase has room for any word, that word may be anybody's, and goes."""
    again = _alternatives(pattern.phrases).match(match.string, match.start())
    if again is None or again.lastindex is None:
        return ""
    own = _vocabulary(_split(pattern.phrases)[again.lastindex - 1])
    if own is None:
        return match[0].strip()
    said = (word if word in own else "…" for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?", match[0]))
    return " ".join(word for word, _ in groupby(said))


# --- compiled when first needed, not when imported ---------------------------------------------


def prepare() -> None:
    """Compile what will be needed."""
    clue_in_name("")
    _status_regex()
    for table in (PROVIDERS, COMMON, VALUES, MISUSE, CONFESSIONS, PLAIN, LIFECYCLE):
        _compiled(table)


Compiled = tuple[tuple[tuple[str, ...], re.Pattern[str], Pattern], ...]
_TABLES: dict[int, Compiled] = {}


def _compiled(table: tuple[Pattern, ...]) -> Compiled:
    if (compiled := _TABLES.get(id(table))) is None:
        compiled = tuple(
            (tuple(_split(p.literals)), re.compile("|".join(_split(p.phrases))), p) for p in table
        )
        _TABLES[id(table)] = compiled
    return compiled


def _split(phrases: str) -> list[str]:
    # A token of a page, or of what comes next, is nobody's credential.
    phrases = phrases.replace("<whose>", r"((?!page|next|contin|sync|cursor|pagin)\w{1,30}<gap>)")
    phrases = phrases.replace(
        "<handle>", "(archive|cursor|dataset|document|file|handle|reader|stream|writer)"
    )
    phrases = phrases.replace(
        "<taken>",
        "(taken|used|registered|created|booked|reserved|claimed|sold|paid|shipped|cancell?ed|enrolled|subscribed|occupied)",
    )
    phrases = phrases.replace("<gap>", r"[\s_-]{1,3}")
    return [part.strip() for line in phrases.strip().splitlines() for part in line.split(" | ")]


@cache
def _alternatives(phrases: str) -> re.Pattern[str]:
    """The phrases, each of them captured."""
    return re.compile("|".join(f"({_quiet(phrase)})" for phrase in _split(phrases)))


@cache
def _vocabulary(phrase: str) -> frozenset[str] | None:
    """The words of a phrase in which there may be others; None where there are no others."""
    phrase = re.sub(r"\(\?!.*\)", "", phrase)
    if not re.search(r"(?<!\\)\.|\\[dwDWS][*+{]|\[\^", phrase):
        return None
    plain = re.sub(r"\\.", " ", phrase)
    spelt = (plain, re.sub(r"\W\?", "", plain), re.sub(r"\w\?", "", plain))
    return frozenset(word for spelling in spelt for word in re.findall(r"[a-z][a-z0-9']*", spelling))


@cache
def _status_regex() -> re.Pattern[str]:
    """The phrases with only the number captured."""
    quiet = _quiet("|".join(_split(STATUS)))
    return re.compile(quiet.replace("<is>", _IS).replace("<number>", _NUMBER))


def _quiet(phrase: str) -> str:
    """Without captures."""
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", phrase)


_NUMBER: Final = r"(4[0-5]\d|50\d|51[01]|52\d|599)\b(?![.,]?\d)"
_A_STATUS: Final = re.compile(_NUMBER)
_IS: Final = r"""['"]?[ :=(\[<-]{1,3}(?:was |of )?['"]?"""
