"""Exceptions of cloud providers' SDKs."""

from __future__ import annotations

import asyncio
from typing import Any

from . import case
from .servers import HOST, PATIENCE, Answer, answering, closed_port, hanging_port, origin


def _boto(service: str, endpoint: str, read_timeout: float = PATIENCE) -> Any:
    import boto3
    from botocore.config import Config

    return boto3.session.Session().client(
        service,
        region_name="eu-west-1",
        endpoint_url=endpoint,
        aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key="secret",
        config=Config(
            retries={"total_max_attempts": 1}, read_timeout=read_timeout, s3={"addressing_style": "path"}
        ),
    )


def _aws_json(status: int, kind: str, message: str, **headers: str) -> str:
    body = {"__type": f"com.amazonaws.dynamodb.v20120810#{kind}", "message": message}
    return origin(Answer(status, body, {"Content-Type": "application/x-amz-json-1.0", **headers}))


def _aws_xml(status: int, code: str, message: str) -> str:
    text = f'<?xml version="1.0"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>'
    return origin(Answer(status, text))


@case("RateLimited", retryable=True)
def boto3_dynamodb_throughput_exceeded_in_a_400():
    url = _aws_json(
        400, "ProvisionedThroughputExceededException", "The level of configured throughput was exceeded"
    )
    _boto("dynamodb", url).get_item(TableName="t", Key={"id": {"S": "1"}})


@case("Conflict")
def boto3_dynamodb_conditional_check_failed():
    url = _aws_json(400, "ConditionalCheckFailedException", "The conditional request failed")
    _boto("dynamodb", url).put_item(TableName="t", Item={"id": {"S": "1"}})


@case("NotFound")
def boto3_dynamodb_table_missing_in_a_400():
    url = _aws_json(400, "ResourceNotFoundException", "Requested resource not found")
    _boto("dynamodb", url).get_item(TableName="t", Key={"id": {"S": "1"}})


@case("Unauthorized")
def boto3_expired_token_in_a_400():
    url = _aws_json(400, "ExpiredTokenException", "The security token included in the request is expired")
    _boto("dynamodb", url).list_tables()


@case("NotFound")
def boto3_s3_no_such_key():
    _boto("s3", _aws_xml(404, "NoSuchKey", "The specified key does not exist.")).get_object(
        Bucket="b", Key="k"
    )


@case("NotFound")
def boto3_s3_head_object_404():
    _boto("s3", origin(Answer(404))).head_object(Bucket="b", Key="k")


@case("Forbidden")
def boto3_s3_access_denied():
    _boto("s3", _aws_xml(403, "AccessDenied", "Access Denied")).get_object(Bucket="b", Key="k")


@case("Unauthorized")
def boto3_s3_signature_does_not_match_in_a_403():
    url = _aws_xml(403, "SignatureDoesNotMatch", "The request signature we calculated does not match")
    _boto("s3", url).get_object(Bucket="b", Key="k")


@case("RateLimited", also=("ServiceUnavailable",), retryable=True)
def boto3_s3_slow_down_in_a_503():
    _boto("s3", _aws_xml(503, "SlowDown", "Please reduce your request rate.")).list_objects_v2(Bucket="b")


@case("Conflict", retryable=True)
def boto3_logs_operation_aborted_in_a_400():
    url = _aws_json(400, "OperationAbortedException", "A conflicting operation is in progress")
    _boto("logs", url).create_log_group(logGroupName="g")


@case("RateLimited", also=("Conflict",), retryable=True)
def boto3_ssm_too_many_updates_in_a_400():
    url = _aws_json(400, "TooManyUpdates", "There are concurrent updates for a resource")
    _boto("ssm", url).put_parameter(Name="n", Value="v")


@case("ValidationError", also=("InvalidParams",))
def boto3_sts_validation_error():
    text = (
        '<?xml version="1.0"?><ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>'
        "<Message>1 validation error detected</Message></Error><RequestId>r</RequestId></ErrorResponse>"
    )
    _boto("sts", origin(Answer(400, text))).assume_role(
        RoleArn="arn:aws:iam::1:role/long-enough", RoleSessionName="xy"
    )


@case("RateLimited", retryable=True, retry_after=4)
def boto3_lambda_too_many_requests():
    headers = {"x-amzn-errortype": "TooManyRequestsException", "Retry-After": "4"}
    answer = Answer(429, {"message": "Rate Exceeded.", "Reason": "CallerRateLimitExceeded"}, headers)
    _boto("lambda", origin(answer)).invoke(FunctionName="f")


@case("ServiceUnavailable", retryable=True)
def boto3_endpoint_connection_error():
    _boto("s3", f"http://{HOST}:{closed_port()}").list_buckets()


@case("Timeout", retryable=True)
def boto3_read_timeout():
    _boto("dynamodb", f"http://{HOST}:{hanging_port()}", read_timeout=0.2).list_tables()


@case("InternalError", also=("ValidationError", "InvalidParams"))
def boto3_parameter_validation():
    _boto("s3", f"http://{HOST}:{closed_port()}").get_object(Bucket="b")


def _bare_session() -> Any:
    import botocore.session

    session = botocore.session.Session()
    session.set_config_variable("region", None)
    session.get_component("credential_provider").providers.clear()
    variables = session.get_component("config_store")
    from botocore.configprovider import ConstantProvider

    variables.set_config_provider("region", ConstantProvider(None))
    return session


@case("ConfigurationError", also=("Unauthorized",))
def botocore_no_credentials():
    _bare_session().create_client(
        "s3", region_name="eu-west-1", endpoint_url=f"http://{HOST}:1"
    ).list_buckets()


@case("ConfigurationError")
def botocore_no_region():
    _bare_session().create_client("dynamodb")


@case("ConfigurationError")
def botocore_profile_not_found():
    import boto3

    boto3.session.Session(profile_name="provoked-profile-which-is-missing")


@case("NotFound")
def s3fs_missing_object():
    """The file system layer translates the provider's error into a builtin one."""
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    url = _aws_xml(404, "NoSuchBucket", "The specified bucket does not exist")
    options = {"endpoint_url": url, "region_name": "eu-west-1"}
    s3fs.S3FileSystem(key="k", secret="s", client_kwargs=options, skip_instance_cache=True).ls("bucket")


@case("Forbidden")
def aiobotocore_access_denied():
    from aiobotocore.session import get_session

    url = _aws_json(400, "AccessDeniedException", "User is not authorized to perform: dynamodb:ListTables")

    async def call():
        options = {"aws_access_key_id": "k", "aws_secret_access_key": "s", "region_name": "eu-west-1"}
        async with get_session().create_client("dynamodb", endpoint_url=url, **options) as client:
            await client.list_tables()

    asyncio.run(call())


def _google_error(code: int, status: str, message: str, *details: dict[str, Any]) -> dict[str, Any]:
    errors = [{"message": message, "domain": "global", "reason": status.lower()}]
    return {
        "error": {
            "code": code,
            "message": message,
            "status": status,
            "errors": errors,
            "details": list(details),
        }
    }


def _storage(url: str) -> Any:
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import storage

    return storage.Client(
        project="p", credentials=AnonymousCredentials(), client_options={"api_endpoint": url}
    )


@case("NotFound")
def google_storage_bucket_missing():
    url = answering(404, _google_error(404, "NOT_FOUND", "The specified bucket does not exist."))
    _storage(url).get_bucket("missing", retry=None)


@case("InvalidRequest", also=("Conflict",))
def google_storage_precondition_failed():
    url = answering(412, _google_error(412, "FAILED_PRECONDITION", "At least one precondition did not hold."))
    _storage(url).get_bucket("b", retry=None)


@case("RateLimited", retryable=True)
def google_api_core_rate_limit_from_http():
    url = answering(429, _google_error(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Reads'"))
    _storage(url).get_bucket("b", retry=None)


@case("Timeout", also=("ServiceUnavailable",), retryable=True)
def google_api_core_retry_deadline_exceeded():
    from google.api_core.exceptions import ServiceUnavailable
    from google.api_core.retry import Retry

    def flaky():
        raise ServiceUnavailable("backend down")

    Retry(initial=0.01, maximum=0.01, timeout=0.05)(flaky)()


@case("ConfigurationError", also=("Unauthorized",))
def google_auth_default_credentials_missing():
    from unittest import mock

    import google.auth

    env = {"GOOGLE_APPLICATION_CREDENTIALS": "/nonexistent/key.json"}
    with mock.patch.dict("os.environ", env):
        google.auth.default()


@case("Unauthorized")
def google_auth_refresh_error():
    from google.auth.transport.requests import Request
    from google.oauth2.credentials import Credentials

    url = answering(
        400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}
    )
    credentials = Credentials(None, refresh_token="r", token_uri=url, client_id="c", client_secret="s")
    credentials.refresh(Request())


def _googleapiclient(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    import httplib2
    from googleapiclient.http import HttpRequest

    url = answering(status, body, headers)
    HttpRequest(httplib2.Http(), lambda response, content: content, url).execute()


@case("RateLimited", retryable=True)
def googleapiclient_rate_limit_in_a_403():
    reason = [
        {"domain": "usageLimits", "reason": "userRateLimitExceeded", "message": "User Rate Limit Exceeded"}
    ]
    _googleapiclient(403, {"error": {"errors": reason, "code": 403, "message": "User Rate Limit Exceeded"}})


@case("Forbidden")
def googleapiclient_insufficient_permissions():
    reason = [{"domain": "global", "reason": "insufficientPermissions", "message": "Insufficient Permission"}]
    _googleapiclient(403, {"error": {"errors": reason, "code": 403, "message": "Insufficient Permission"}})


@case("Conflict")
def googleapiclient_already_exists():
    _googleapiclient(409, _google_error(409, "ALREADY_EXISTS", "Requested entity already exists"))


def _azure_blob(status: int, code: str, **headers: str) -> None:
    from azure.storage.blob import BlobServiceClient

    text = f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{code} happened.</Message></Error>'
    url = answering(status, text, {"x-ms-error-code": code, **headers})
    client = BlobServiceClient(url, credential={"account_name": "a", "account_key": "a2V5"}, retry_total=0)
    client.get_blob_client("container", "blob").download_blob()


@case("NotFound")
def azure_blob_not_found():
    _azure_blob(404, "BlobNotFound")


@case("Conflict")
def azure_blob_lease_lost_in_a_409():
    _azure_blob(409, "LeaseIdMismatchWithBlobOperation")


@case("Unauthorized")
def azure_blob_authentication_failed_in_a_403():
    _azure_blob(403, "AuthenticationFailed")


@case("ServiceUnavailable", also=("RateLimited",), retryable=True)
def azure_blob_server_busy():
    _azure_blob(503, "ServerBusy")


@case("ServiceUnavailable", retryable=True)
def azure_core_connection_refused():
    from azure.core import PipelineClient
    from azure.core.rest import HttpRequest

    url = f"http://{HOST}:{closed_port()}"
    PipelineClient(url, retry_policy=None).send_request(HttpRequest("GET", url))


@case("Timeout", retryable=True)
def azure_core_read_timeout():
    from azure.core import PipelineClient
    from azure.core.rest import HttpRequest

    url = f"http://{HOST}:{hanging_port()}"
    PipelineClient(url, retry_policy=None).send_request(HttpRequest("GET", url), read_timeout=0.1)


@case("RateLimited", retryable=True, retry_after=2)
def azure_core_response_429():
    from azure.core import PipelineClient
    from azure.core.rest import HttpRequest

    url = answering(429, {"error": {"code": "TooManyRequests", "message": "slow down"}}, {"Retry-After": "2"})
    PipelineClient(url, retry_policy=None).send_request(HttpRequest("GET", url)).raise_for_status()


@case("ConfigurationError", also=("Unauthorized",))
def azure_identity_environment_not_configured():
    from unittest import mock

    from azure.identity import EnvironmentCredential

    with mock.patch.dict("os.environ", clear=True):
        EnvironmentCredential().get_token("https://management.azure.com/.default")


@case("RateLimited", retryable=True)
def azure_cosmos_request_rate_too_large():
    from azure.cosmos import CosmosClient

    url = origin(
        Answer(
            429, {"code": "TooManyRequests", "message": "Request rate is large"}, {"x-ms-substatus": "3200"}
        )
    )
    CosmosClient(url, credential="a2V5", retry_throttle_total=0, retry_total=0)


@case("NotFound")
def minio_no_such_bucket():
    from minio import Minio

    text = (
        '<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist'
        "</Message><Resource>/b</Resource><RequestId>r</RequestId><HostId>h</HostId></Error>"
    )
    endpoint = origin(Answer(404, text)).removeprefix("http://")
    Minio(endpoint=endpoint, access_key="k", secret_key="s", secure=False, region="us-east-1").get_object(
        bucket_name="bucket", object_name="key"
    )
