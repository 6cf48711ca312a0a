"""What providers, stores and runtimes typically say."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.classify.patterns.phrases import Pattern
from mcp_error_middleware.taxonomy import ErrorCode

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
        "quota | limit | rate exceeded",
        r"""
        quota exceeded | exceeded .{0,40}\bquota | \[overquota\] | \b(?<!error )rate exceeded\b
        (requests?|calls?|rate|usage|hourly|daily|monthly) limit (was |is |has been )?(reached|exceeded)
        exceed(s|ed|ing)? .{0,40}\b(request|rate|usage) limits?\b
        """,
        (
            "Quota exceeded for model",
            "You exceeded your current quota",
            "User request limit reached",
            "ERR max requests limit exceeded",
            "Throughput Rate Exceeded - please wait [ 250 ] and retry",
            "This request exceeds your plan's set usage limit",
        ),
        ("quota of 5 set", "the usage limit is 40", "the error rate exceeded 5 %"),
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
        environment variable | env var | envvar | env variable | config | install | api key | api_key | apikey
        auth key | auth_key | credentials | connection string | optional dependency | executable | settings
        is required | library | binary | your path | system path | please | download | backend | shared object
        dlopen | in path | in your path | in the path | execute | launch | run | connection_string
        """,
        r"""
        environment variables?\b | \benv ?var(iable)?s?\b | not (been )?configured | misconfigur
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
        (could not|cannot|unable to|failed to) (find|load|locate|determine|configure) (\w+ ){0,2}credentials
        (api|auth)[ _]key (\w+ ){0,3}((must|needs to) (not )?be|not (set|provided|configured))
        (api|auth)[ _]key (\w+ ){0,3}is (missing|required)
        (must|please) (provide|set|specify|supply|pass) (an? |your |the )?(\w+ )?(api[ _]?key|credentials)
        (must|please) (provide|set|specify|supply|pass) (an? |your |the )?(access|auth\w*)[ _](key|token)\b
        must (provide|set|specify|supply|pass) either .{1,80}\b(credentials|connection[ _]string|api[ _]?key)
        \b(program|binary|command|tool) (was |is )?not found in (the |your )?path\b
        (cannot|could not|unable to|failed to) (execute|launch|run) (the )?\W?/\S+$
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
            "default auth: cannot configure default credentials",
            "Invalid dict settings: invalid_syntax",
            "Missing required database configuration",
            "'cryptography' package is required for caching_sha2_password",
            "Install 'email_validator' for email validation support.",
            "Provider configuration not found for shop",
            "No 'script_location' key found in configuration.",
            "Connection string is either blank or malformed.",
            "No LazBackend selected, cannot compress",
            "Either an env variable `SLACK_BOT_TOKEN` or `token` is required.",
            "unable to connect to account, must provide either a connection_string or credentials",
            "nmap program was not found in path.",
            "PuLP: cannot execute /opt/gurobi_cl",
            "Please provide your authorization key.",
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
        "parameter | placeholder | number of bindings",
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
        """
        deadlock | could not serialize | is locked | lock wait | obtain lock | conflict | held by | hold by
        no locks
        """,
        r"""
        \block (is |was )?(held|hold) by\b | \bno locks available\b
        deadlock (detected|found|victim) | could not serialize access | lock wait timeout
        (database|table|schema)( \w+)? is locked | could not obtain lock | write ?conflict
        """,
        (
            "deadlock detected",
            "database is locked",
            "IO error: lock hold by current process: /data/LOCK: No locks available",
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
        jwt | authenticat | access denied for user | login | logon | password | noauth | wrongpass
        authorization viol | pg_hba | role | invalid_client | invalid_grant | unauthorized_client
        """,
        r"""
        \b(invalid_client|invalid_grant|unauthorized_client)\b
        jwt (is )?expired | invalid jwt | authentication failed | access denied for user
        log[io]n[ _](failed|failure|incorrect)\b
        (incorrect|invalid|wrong|bad)( (user ?(name|id)?|login|e-?mail)( or|/| and))? password
        (requires|needs) an? password | password (is )?(required|needed)
        no password supplied | ^noauth\b | ^wrongpass\b | not authenticated | authorization violation
        (user( ?name)?|login)( and| or|/) password (is |are |were )?(not accepted|incorrect|invalid|rejected)
        no pg_hba\.conf entry | fatal: +role .{1,80} does not exist
        """,
        (
            "JWT expired",
            "SMB SessionError: code: 0xc000006d - STATUS_LOGON_FAILURE - The attempted logon is invalid.",
            'password authentication failed for user "x"',
            "NOAUTH Authentication required.",
            "no token: invalid_client: Invalid client secret provided.",
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
        misconf | out of memory
        """,
        r"""
        ^(loading \w+ is loading|masterdown|clusterdown|tryagain|readonly you|moved \d|ask \d)\b
        ^(busy|unkillable|oom|misconf)\b | \bout of memory (storing|allocating|reading|writing)\b
        """,
        (
            "LOADING Redis is loading the dataset in memory",
            "CLUSTERDOWN Hash slot not served",
            "b'out of memory storing object'",
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
        (invalid|bad|untrusted|unknown) (peer|server|remote|tls|ssl|x\.?509) certificate
        certificate[ _]verify[ _]failed | self[- ]signed certificate
        certificate (has expired|is not trusted|verification|problem)
        """,
        ("[SSL: CERTIFICATE_VERIFY_FAILED]", "invalid peer certificate: UnknownIssuer"),
        ("birth certificate required",),
        retryable=False,
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        econn | err_ | connection | connect | eai_again | enotfound | dns | name or service | name resolution
        getaddrinfo | nodename | unreachable | no route to host | broken pipe | gone away | too many clients
        max retries | handshake | resolve host | empty reply | disconnected | :// | to reach | to contact
        server | api | service | upstream | provider | backend | response | reply | answer | eof while | pool
        has been closed
        """,
        r"""
        \beconn(refused|reset|aborted)\b | \berr_(connection_\w+|name_not_resolved|internet_disconnected)
        connection (was |is |has been |attempt )?(refused|reset|aborted|closed|lost|failed|terminated|dropped)
        \bno (response|reply|answer) (was )?received\b | connection attempts failed
        \b(connections?|pool) (is |are |was |were |has been )?exhausted\b
        unexpected eof while reading
        connection (error|broken|timed out) | connection to .{1,100} (refused|failed|lost|closed)
        (lost|closed?|terminated|unexpectedly|refused) (the |its )?connection
        ^(the )?(stream|channel|socket|pipe|session|transport) has been closed\b
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
            "stream has been closed",
            "Response from the index has unsupported Content-Type 'image/png'",
            "database connection pool exhausted",
        ),
        (
            "see https://example.com",
            "DNSSEC field",
            "the connection between both events",
            "connection string is empty",
            "the pool is exhaustively described",
            "read from a stream that has been closed",
        ),
    ),
)
