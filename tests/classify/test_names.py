"""Names of exceptions, as libraries and applications give them, with the code a reader would expect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_error_middleware.classify.names import ROWS, VOCABULARY, Row, clue_in_name, words_of

NAMES: dict[str, str] = {
    "NotFound": """
        FileGone MessageDeleted
        AccountNotFoundError BlobNotFound CellNotFound ChannelNotFound CollectionNotFoundException
        CustomerDoesNotExist DocumentNotFound EmptyResultSet|NotFound,ValidationError
        EntityNotFoundException ItemGone ErrorFolderNotFound ErrorItemNotFound FileNotFound HostedZoneNotFound
        ImageNotFound IndexNotFoundException InvoiceNotExists ItemMissing
        JobLookupError|NotFound,InternalError,None JobNotFound KeyNotFoundError
        KeyringNotFound|NotFound,ConfigurationError MailboxNotFound MissingFileError
        MissingResourceError ModelNotFoundError NodeNotFound NoMatches NonExistentWorkspace
        NoRecordsFound NoSuchElementException NoSuchEntityException NoSuchFrameException NoSuchJobError
        NoSuchMailbox NoSuchProcess NoSuchProductError NoSuchWindowException NotFoundException
        NoTranscriptFound ObjectNotFound OrderNotFoundError PackageVersionNotFound PageNotFoundError
        PeerIdInvalid|NotFound,ValidationError PlaylistNotFound RecordNotFoundException
        RefNotFound|NotFound RepoNotFoundError S3NoSuchKey SpreadsheetNotFound
        TableNotFoundError|DatabaseError,NotFound TemplateNotFoundError TranscriptsNotFound
        UnknownObjectException UnknownOrderError UnknownRevision|NotFound,ValidationError
        UnknownTopicOrPartition UserIdNotFound UsernameNotOccupied|NotFound,ValidationError,None
        BLOB_UNKNOWN ENTITY_IS_DELETED MANIFEST_UNKNOWN MediaUnavailable USERNAME_NOT_OCCUPIED ZERO_RESULTS
        UserNotFound VideoUnavailable|NotFound,ServiceUnavailable WorksheetNotFound ZoneNotFound
        """,
    "RateLimited": """
        BackPressureError
        CapExceeded
        APIQuotaExhausted ApiRateLimitError BucketFullException|RateLimited,None,ServiceUnavailable
        BudgetExceeded ConcurrencyLimitExceeded CreditsExhausted DailyLimitExceeded EmailQuotaExceeded
        ErrTooManyRequests FloodWait FloodWaitError GeocoderQuotaExceeded GeocoderRateLimited
        HTTPTooManyRequests LimitExceeded MessageRateLimitError MonthlyLimitReached OverQueryLimit
        OverQuotaError PlanLimitReached QuotaExceededError RateLimited RateLimitError RateLimitExceeded
        RateLimitReached RequestLimitExceededError RequestRateTooHigh RequestThrottled SendRateExceeded
        SlowModeWaitError|RateLimited,None,Timeout TenantQuotaExceeded Throttled ThrottledException
        es_rejected_execution_exception too_many_write_operations
        ThrottlingError TooManyAttempts TooManyCallsError TooManyRequestsError UsageLimitExceeded
        """,
    "Timeout": """
        AcquireTimeout|Timeout,Conflict CommandTimeoutError ConnectTimeout DeadlineExceeded
        ExecutionTimeout GatewayTimeoutError GeocoderTimedOut
        HandshakeTimeout|Timeout,ServiceUnavailable HttpTimeoutError JobTimeoutException
        LDAPResponseTimeoutError LockTimeout|Timeout,Conflict NavigationTimeout NoResponseTimeout
        OperationTimedOut PollTimeout PoolTimeout QueryTimeout ReadTimeout ReadTimeoutError
        RequestTimeout ResponseTimeout ScriptTimeoutException ServerTimeout SoftTimeLimitExceeded
        TaskTimeoutError TimedOutError TimeExhausted TimeLimitExceeded TimeoutException TimeoutExpired
        UpstreamTimeout WaitTimeout WaitTimeoutError WebSocketTimeoutException
        """,
    "Unauthorized": """
        KerberosError SsoRequiredError
        AuthenticationException AuthenticationFailed AuthenticationRequired AuthError
        AuthKeyUnregistered|Unauthorized,NotFound BadCredentialsException BadSignature
        CredentialsExpiredError CSRFError|Forbidden,Unauthorized ExpiredSignature
        GeocoderAuthenticationFailure ImapLoginError InvalidAccessToken InvalidApiKey InvalidAuthToken
        InvalidCredentials InvalidGrantError|Unauthorized,InvalidParams InvalidJWTError
        InvalidLoginError InvalidPasswordError InvalidSignatureError
        JWTDecodeError|Unauthorized,SerializationError KerberosAuthError LoginFailedException
        LoginRequired LoginTimeoutError|Timeout,Unauthorized
        MissingApiKeyError|Unauthorized,ConfigurationError MustLogin|Unauthorized,None
        NoAuthorizationError|Unauthorized,Forbidden,ConfigurationError NotAuthenticated NotLoggedIn
        OAuthError PasswordHashInvalid|Unauthorized,ValidationError RefreshTokenExpired
        SalesforceAuthenticationFailed SessionExpired
        SessionPasswordNeeded|Unauthorized,None,ValidationError SpotifyOauthError SSHAuthenticationError
        TokenExpiredError TokenInvalid TokenRevoked TwoFactorAuthRequired UnauthenticatedException
        PASSWORD_RESET_REQUIRED RequestExpired RequestTimeTooSkewed SESSION_PASSWORD_NEEDED
        SignatureVerificationError UnauthorizedError VerificationError WrongPassword
        """,
    "Forbidden": """
        ApiAccessError CloudflareCaptchaError
        CHANNEL_PRIVATE CHAT_ADMIN_REQUIRED GENERIC_DECLINE PrivateVideoError cant_delete_message
        cant_invite_self team_access_not_granted user_not_confirmed
        AccessControlError AccessDeniedError AccessRestricted AccountSuspended AuthorizationError
        BillingError CardDeclinedError ChatAdminRequired|Forbidden,ValidationError ChatWriteForbidden
        ErrorAccessDenied ForbiddenError GatedRepoError GeocoderInsufficientPrivileges
        InsufficientCreditsError|Forbidden,RateLimited InsufficientPermissions InsufficientPrivileges
        InsufficientScope IPBlockedError LicenseError|Forbidden,ConfigurationError,None
        MissingPermissions MissingRole NoPermission NotAdminError NotAllowedError
        NotAuthorizedForProject|Unauthorized,Forbidden NotOwnerError OperationNotPermitted
        PaymentDeclined PaymentRequired PermissionDenied PolicyDenied
        RoleRequired|Forbidden,ValidationError SubscriptionRequired UserBanned
        UserDeactivated|Forbidden,Unauthorized,None
        """,
    "Conflict": """
        ResourceChanged
        CasMismatch SimultaneousUpdateError
        ClusterSecurityGroupAlreadyExists ContainerBeingDeleted InvalidBucketState InvalidTransition
        InvalidStateTransition OperationInProgress TransitionNotAllowed TxnAborted USERNAME_OCCUPIED
        AlreadyBooked AlreadyExistsError AlreadyLocked AlreadySubscribed BranchAlreadyExists
        ConcurrentModificationException ConcurrentUpdateError ConflictError ContainerAlreadyRunning
        DeadlockError DocumentConflict DoubleBookingError|Conflict,None,ValidationError
        DuplicateEntryError DuplicateKeyError DuplicateNameError DuplicateOrder DuplicateTask
        EmailTaken|Conflict,None,ValidationError EtagMismatch FileExistsException JobAlreadyRunning
        LockAcquireError LockError LockNotAcquired MergeConflictError NonUniqueSlug NotUniqueError
        OptimisticLockError PutConflictError ResourceBusy ResourceInUse RevisionConflict
        RevisionMismatch SlotAlreadyTaken StaleObjectError TransactionConflict UniqueConstraintError
        UpdateConflict UserAlreadyParticipantError UserAlreadyRegistered VersionConflict
        WriteConflictError
        """,
    "ValidationError": """
        FileIsADirectory OrderMinPriceError UrlError
        InvalidNextTokenException MAX_ELEMENTS_EXCEEDED NonExistentTimeError ParserLimitReached
        StockShortage TooManyFieldsSent WEAK_PASSWORD XPathEvalError
        AddressValueError AgeRestrictionError|ValidationError,Forbidden,None AmbiguousTimeError
        AmountTooLarge BadDateFormat BadParameter|ValidationError,InvalidParams
        BadRequestError|InvalidParams,ValidationError BusinessRuleViolation ContextLengthExceeded
        CroniterBadCronError CRSError|None,ValidationError CurrencyMismatchError DimensionalityError
        ElementNotInteractableException|ValidationError,None,Conflict,InvalidRequest EmptyCartError
        FieldError|ValidationError,None,InternalError
        GeocoderQueryError|ValidationError,InvalidParams,None GEOSException|None
        IncompatibleShapes InsufficientFundsError InvalidArgumentException|InvalidParams,ValidationError
        InvalidArgument|ValidationError,InvalidParams InvalidColorError InvalidDateRange
        InvalidEmailError InvalidInputError InvalidPhoneNumber InvalidRegex InvalidSchema
        InvalidSelectorException InvalidSQL|ValidationError,DatabaseError InvalidURL InvalidVersion
        MaxLengthExceeded MissingFieldError MissingSchema MoneyMismatch|ValidationError MultipleInvalid
        NegativeAmountError NoSuchOption|ValidationError,NotFound NumberParseException OutOfStockError
        ParameterError PayloadTooLargeError PdfReadError|SerializationError,ValidationError
        ProjError|None QuantityExceeded|ValidationError,None,RateLimited RangeError SchemaError
        SchemaValidationError ShapelyError|None StaleElementReferenceException|Conflict,NotFound
        TemplateSyntaxError|ValidationError,SerializationError TooFewItemsError
        TopologicalError|ValidationError,None,InternalError UndefinedUnitError UnknownTimeZoneError
        UnknownUnitError UnprocessableEntity UnsupportedCurrency
        UnsupportedOperationError|InvalidRequest,ValidationError UsageError ValidationError
        WrongTypeError|ValidationError InvalidJsonPatch DisambiguationError
        """,
    "SerializationError": """
        BrotliError FLACError Lz4Error UnexpectedDER ZstdError
        AvroParseException|SerializationError BadZipFile CBORDecodeError
        ChecksumMismatch|SerializationError,ValidationError ComposerError|None CompressionError
        ConstructorError|None CorruptFileError CSVParseError DataCorruptedError DecodeError
        DecompressionBombError|SerializationError,ValidationError DeserializationError
        DuplicateKeyInYAML|Conflict,SerializationError EncodeError EncodingError
        ExpatError|SerializationError,None FeedParserError HTMLParseError InvalidBSON
        InvalidFileFormat|SerializationError,ValidationError InvalidGzipFile InvalidXMLError
        JSON5DecodeError JSONDecodeError LexerError|None,SerializationError,ValidationError
        MalformedJSON MsgPackUnpackError OutputParserException ParseError
        PdfStreamError|SerializationError,ServiceUnavailable,None PDFSyntaxError ProtobufDecodeError
        ScannerError|None,SerializationError SerializationFailed|SerializationError,Conflict
        SerializerError TokenizeError TomlDecodeError TruncatedFileError UnexpectedCharacters
        UnexpectedInput UnicodeConversionError|SerializationError,ValidationError UnidentifiedImageError
        UnpackException UnpicklingError UnsupportedImageFormat|SerializationError,ValidationError
        VisitError|None XMLSyntaxError YAMLError
        """,
    "ServiceUnavailable": """
        CommunicationError InstanceWarmupError HttpBackoff
        ConnectionClosed ClientConnectionClosed
        BackendUnavailable
        InterruptedAtShutdown NOT_ENOUGH_REPLICAS NotWritablePrimary PrimarySteppedDown TooManyFilesOpen
        AMQPConnectionError APIConnectionError BackendDown BadGatewayError BrokenPoolError BrokerDown
        CertificateVerifyError ChannelClosed CircuitBreakerOpen CircuitOpenError ClusterUnavailable
        ConnectionClosedError ConnectionLost ConnectionPoolFull|ServiceUnavailable,RateLimited
        ConnectionRefused ConnectionResetByPeer DependencyDown|ServiceUnavailable DNSLookupFailed
        ErrorInternalServerTransientError ErrorServerBusy GatewayError
        GeocoderServiceError|None,ServiceUnavailable GeocoderUnavailable HostUnreachable
        InvalidHandshake MaintenanceMode MaxRetriesExceeded NameResolutionError NetworkError
        NoBrokersError NoHostAvailable NoNodesAvailable NoRouteToHost|ServiceUnavailable NoServersError
        NotConnectedError OverloadedError PeerDisconnected PoolExhausted ProxyConnectionError RedisDown
        RemoteDisconnected ReplicaUnavailable RetryExhausted ServerBusyError ServerDisconnected
        ServerOverloaded ServerSelectionError|ServiceUnavailable,None ServiceDownException
        ServiceUnavailableError SocketError SSLError StreamLostError TemporaryFailure TLSHandshakeError
        TooManyConnections TransportError UpstreamError|ServiceUnavailable UpstreamServerError
        UpstreamUnavailable WebSocketConnectionClosed
        """,
    "ConfigurationError": """
        AppConfigInvalid BadConfig ConfigAttributeError ConfigError ConfigKeyMissing ConfigNotFoundError
        ConfigurationException DatabaseConfigError DependencyNotInstalled
        DriverNotFoundError|ConfigurationError
        DynaconfFormatError|ConfigurationError,ValidationError,SerializationError
        EnvironmentVariableError EnvVarNotSet ImproperConfigurationError ImproperlyConfigured
        InvalidConfiguration MissingApiKey|ConfigurationError,Unauthorized MissingConfigError
        MissingConfigException MissingCredentialsError|ConfigurationError,Unauthorized MissingDependency
        MissingEnvironmentVariable NoApiKeyError NoCredentialsError NoRegionError
        PluginNotFound|ConfigurationError,NotFound RateLimitConfigError SettingsError TimeoutConfigError
        """,
    "DatabaseError": """
        CQLEngineException|DatabaseError,None CypherSyntaxError DatabaseError DBError DbException
        InfluxDBError MigrationError NoSuchTableError OperationalError PersistenceError ProgrammingError
        QueryError SQLError StorageError TransactionError|DatabaseError,Conflict UndefinedColumn
        """,
    "InternalError": """
        ClientClosedError ClosedClientError
        BadGrammar EngineAlreadyStarted QueueEmpty FutureNotFinished ModelDefinitionError NotFittedError
        AssertionFailedError BeartypeCallHintViolation CommandFailedError
        ExitCodeError|InternalError,None InternalServerError InvariantViolation MultipleResultsFound
        NotImplementedByVendor OutOfMemoryError ProcessExecutionError|InternalError,None TypeCheckError
        ReactorAlreadyInstalledError SchedulerAlreadyRunningError UnexpectedExit
        """,
    "InitializationFailed": """
        BootstrapFailed InitializationError NotInitializedError|InitializationFailed
        PluginInitializationError StartupError
        """,
    "None": """
        MDB_MAP_FULL PhotoConfigureError LoadingError ConnectionExecuteError DownloadError MCPServerError
        AddressBookError ItemChanged
        APIError AppError BaseError BoxException ClientError CustomError DiscordException
        DropboxException FooException GithubException GitlabError HTTPError|None,ServiceUnavailable
        JIRAError KafkaError MyError NotionError PraatError RedisError SDKError SpotifyException
        StripeError TelegramError TweepyException TwilioException WebDriverException
        """,
    "InvalidRequest": """
        FeatureNotSupported MethodNotAllowed NotAcceptable NotSupportedError OperationNotSupported
        UnsupportedFeatureError UnsupportedMediaType UnsupportedProtocol UnsupportedVersionError
        """,
}
"""By label; a name that may be read in more than one way lists the readings after `|`. `None` is for names
that say nothing, so that evidence and text decide."""


CASES = [
    (name, set(readings.split(",")) if readings else {label})
    for label, names in NAMES.items()
    for name, _, readings in (word.partition("|") for word in names.split())
]


@pytest.mark.parametrize(("name", "labels"), CASES)
def test_a_name_reads_as_people_read_it(name: str, labels: set[str]) -> None:
    clue = clue_in_name(name)
    assert (clue.code.label if clue else "None") in labels


@pytest.mark.parametrize(
    ("row", "name"), [(row, name) for row in ROWS for name in row.examples.split()], ids=lambda v: str(v)[:60]
)
def test_every_row_decides_its_examples(row: Row, name: str) -> None:
    clue = clue_in_name(name)
    assert clue is not None
    assert (clue.code, clue.weight, clue.retryable) == (row.code, row.weight, row.retryable)


def test_every_word_list_is_used() -> None:
    phrases = " ".join(row.phrases for row in ROWS)
    assert [thing for thing in VOCABULARY if f"<{thing}>" not in phrases] == []


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("HTTPTooManyRequestsError", "http too many requests"),
        ("NoSuchKey", "no such key"),
        ("rate_limit_error", "rate limit"),
        ("DEADLINE_EXCEEDED", "deadline exceeded"),
        ("Neo.ClientError.Security.Unauthorized", "neo client error security unauthorized"),
        ("OAuth2Error", "oauth 2"),
        ("Http404", "http 404"),
        ("S3Error", "s 3"),
        ("quotaExceeded", "quota exceeded"),
        ("Error", "error"),
        ("", ""),
    ],
)
def test_an_identifier_falls_into_words(identifier: str, words: str) -> None:
    assert words_of(identifier) == words


@pytest.mark.parametrize(("name", "label"), [("Http404", "NotFound"), ("HTTP503Error", "ServiceUnavailable")])
def test_a_status_in_a_name_counts(name: str, label: str) -> None:
    clue = clue_in_name(name)
    assert clue is not None
    assert clue.code.label == label


@pytest.mark.parametrize(
    "name", ["Pep484Error", "f405", "Base64Thing", "Sha512Error", "X509Thing", "ISO8601Error"]
)
def test_a_number_that_is_no_status_does_not(name: str) -> None:
    clue = clue_in_name(name)
    assert clue is None or clue.code.label in ("ServiceUnavailable", "ValidationError")


def test_a_sentence_is_no_identifier() -> None:
    assert clue_in_name("not found " * 20) is None


@given(st.text(max_size=200))
def test_any_text_may_be_asked_about(text: str) -> None:
    assert clue_in_name(text) == clue_in_name(text)
