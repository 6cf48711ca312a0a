"""Exceptions of SaaS clients."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from . import case
from .servers import HOST, Answer, answering, closed_port, hanging_port, origin


def _stripe(status: int, error: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    import stripe

    url = origin(Answer(status, {"error": error}, headers or {}))
    client = stripe.StripeClient("sk_test_x", base_addresses={"api": url}, max_network_retries=0)
    client.v1.customers.retrieve("cus_1")


@case("Forbidden", also=("ValidationError", "InvalidParams"))
def stripe_card_declined():
    _stripe(
        402,
        {
            "type": "card_error",
            "code": "card_declined",
            "message": "Your card was declined.",
            "param": "source",
        },
    )


@case("NotFound")
def stripe_resource_missing():
    _stripe(
        404,
        {
            "type": "invalid_request_error",
            "code": "resource_missing",
            "message": "No such customer",
            "param": "id",
        },
    )


@case("RateLimited", retryable=True)
def stripe_rate_limit():
    _stripe(
        429, {"type": "invalid_request_error", "code": "rate_limit", "message": "Request rate limit exceeded"}
    )


@case("Unauthorized")
def stripe_invalid_api_key():
    _stripe(401, {"type": "invalid_request_error", "message": "Invalid API Key provided: sk_test_x"})


@case("Conflict", also=("InvalidParams", "InvalidRequest"))
def stripe_idempotency_error_in_a_400():
    _stripe(
        400, {"type": "idempotency_error", "message": "Keys for idempotent requests can only be used once"}
    )


@case("ServiceUnavailable", retryable=True)
def stripe_connection_error():
    import stripe

    url = f"http://{HOST}:{closed_port()}"
    stripe.StripeClient(
        "sk_test_x", base_addresses={"api": url}, max_network_retries=0
    ).v1.customers.retrieve("c")


@case("Unauthorized", also=("ValidationError",))
def stripe_webhook_signature():
    import stripe

    stripe.Webhook.construct_event("{}", f"t={int(time.time())},v1=00", "whsec_x")


def _slack(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> None:
    from slack_sdk import WebClient

    client = WebClient("xoxb-1", base_url=answering(status, body, headers) + "/", retry_handlers=[])
    client.chat_postMessage(channel="#general", text="hello")


@case("NotFound")
def slack_channel_not_found_in_a_200():
    _slack({"ok": False, "error": "channel_not_found"})


@case("Unauthorized")
def slack_invalid_auth_in_a_200():
    _slack({"ok": False, "error": "invalid_auth"})


@case("Forbidden")
def slack_missing_scope_in_a_200():
    _slack({"ok": False, "error": "missing_scope", "needed": "chat:write", "provided": "users:read"})


@case("RateLimited", retryable=True, retry_after=15)
def slack_ratelimited():
    _slack({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": "15"})


@case("InternalError", also=("ServiceUnavailable",))
def slack_fatal_error_in_a_200():
    _slack({"ok": False, "error": "fatal_error"})


def _pygithub(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    import github

    url = answering(status, body, headers)
    github.Github(base_url=url, retry=None, auth=github.Auth.Token("t")).get_repo("octo/cat")


@case("NotFound")
def pygithub_unknown_object():
    _pygithub(
        404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}
    )


@case("Unauthorized")
def pygithub_bad_credentials():
    _pygithub(401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"})


@case("RateLimited", retryable=True, retry_after=60)
def pygithub_secondary_rate_limit_in_a_403():
    message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    _pygithub(403, {"message": message}, {"Retry-After": "60"})


@case("RateLimited", retryable=True, retry_after=90)
def pygithub_primary_rate_limit_in_a_403_with_reset():
    headers = {
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Reset": str(int(time.time()) + 90),
    }
    _pygithub(403, {"message": "API rate limit exceeded for 127.0.0.1."}, headers)


@case("Forbidden")
def pygithub_resource_not_accessible():
    _pygithub(403, {"message": "Resource not accessible by integration"})


def _githubkit(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    import githubkit

    url = answering(status, body, headers) + "/"
    client = githubkit.GitHub("token", base_url=url, auto_retry=False, http_cache=False)
    client.request("GET", f"{url}user")


@case("ValidationError")
def githubkit_validation_failed():
    _githubkit(
        422, {"message": "Validation Failed", "errors": [{"resource": "Issue", "code": "missing_field"}]}
    )


@case("RateLimited", retryable=True, retry_after=45)
def githubkit_primary_rate_limit():
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 45)}
    _githubkit(403, {"message": "API rate limit exceeded"}, headers)


@case("RateLimited", retryable=True, retry_after=30)
def githubkit_secondary_rate_limit():
    _githubkit(429, {"message": "You have exceeded a secondary rate limit"}, {"Retry-After": "30"})


def _postgrest(status: int, code: str, message: str, details: str | None = None) -> None:
    from postgrest import SyncPostgrestClient

    url = answering(status, {"code": code, "message": message, "details": details, "hint": None})
    SyncPostgrestClient(url).from_("users").select("*").single().execute()


@case("Conflict")
def postgrest_unique_violation():
    _postgrest(409, "23505", 'duplicate key value violates unique constraint "users_email_key"')


@case("NotFound", also=("InvalidRequest", "ValidationError"))
def postgrest_no_rows_in_a_406():
    _postgrest(
        406, "PGRST116", "Cannot coerce the result to a single JSON object", "The result contains 0 rows"
    )


@case("Unauthorized")
def postgrest_jwt_expired():
    _postgrest(401, "PGRST301", "JWT expired")


@case("Forbidden")
def supabase_row_level_security():
    from supabase import create_client

    body = {"code": "42501", "message": 'new row violates row-level security policy for table "users"'}
    client = create_client(origin(Answer(403, body)), "a.b.c")
    client.table("users").insert({"id": 1}).execute()


@case("Unauthorized", also=("InvalidParams", "ValidationError"))
def supabase_invalid_login_credentials_in_a_400():
    from supabase import create_client

    body = {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"}
    client = create_client(origin(Answer(400, body)), "a.b.c")
    client.auth.sign_in_with_password({"email": "a@example.com", "password": "wrong"})


@case("ConfigurationError", also=("ValidationError",))
def supabase_key_missing():
    from supabase import create_client

    create_client("http://127.0.0.1:1", "")


@case("NotFound")
def notion_object_not_found():
    from notion_client import Client

    body = {
        "object": "error",
        "status": 404,
        "code": "object_not_found",
        "message": "Could not find page with ID: x.",
    }
    Client(auth="t", base_url=answering(404, body)).pages.retrieve("x")


@case("Conflict", retryable=True)
def notion_conflict_error():
    from notion_client import Client

    body = {
        "object": "error",
        "status": 409,
        "code": "conflict_error",
        "message": "Conflict occurred while saving.",
    }
    Client(auth="t", base_url=answering(409, body)).pages.retrieve("x")


@case("InvalidParams", also=("ValidationError",))
def twilio_invalid_phone_number():
    from twilio.http.http_client import TwilioHttpClient
    from twilio.rest import Client

    body = {
        "code": 21211,
        "message": "The 'To' number is not a valid phone number.",
        "more_info": "",
        "status": 400,
    }
    base = origin(Answer(400, body))

    class Loopback(TwilioHttpClient):
        def request(self, method, url, *args, **kwargs):
            return super().request(method, base + "/" + url.split("/", 3)[3], *args, **kwargs)

    Client("AC1", "token", http_client=Loopback()).messages.create(to="1", from_="+15005550006", body="hi")


@case("Unauthorized")
def sendgrid_unauthorized():
    import sendgrid

    body = {"errors": [{"message": "The provided authorization grant is invalid, expired, or revoked"}]}
    sendgrid.SendGridAPIClient("k", host=answering(401, body)).client.mail.send.post(request_body={})


@case("NotFound")
def jira_issue_does_not_exist():
    import jira

    body = {"errorMessages": ["Issue does not exist or you do not have permission to see it."], "errors": {}}
    client = jira.JIRA(answering(404, body), get_server_info=False, max_retries=0, token_auth="t")
    client.issue("ABC-1")


@case("Unauthorized")
def gitlab_authentication_error():
    import gitlab

    client = gitlab.Gitlab(
        answering(401, {"message": "401 Unauthorized"}), private_token="t", retry_transient_errors=False
    )
    client.projects.get(1)


@case("NotFound")
def gitlab_get_error_404():
    import gitlab

    gitlab.Gitlab(answering(404, {"message": "404 Project Not Found"}), private_token="t").projects.get(1)


def _telegram(status: int, body: dict[str, Any]) -> None:
    import telegram

    base = answering(status, body) + "/"

    async def send() -> None:
        async with telegram.Bot("1:token", base_url=base) as bot:
            await bot.get_chat(1)

    asyncio.run(send())


@case("RateLimited", retryable=True, retry_after=9)
def telegram_retry_after():
    _telegram(
        429,
        {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 9",
            "parameters": {"retry_after": 9},
        },
    )


@case("Forbidden", also=("Unauthorized",))
def telegram_bot_was_blocked():
    _telegram(403, {"ok": False, "error_code": 403, "description": "Forbidden: bot was blocked by the user"})


@case("Forbidden")
def discord_missing_permissions():
    import discord

    body = {"code": 50013, "message": "Missing Permissions"}
    url = answering(403, body, {"X-RateLimit-Remaining": "1"})

    async def send():
        webhook_url = f"https://discord.com/api/webhooks/{10**17}/{'t' * 68}"
        import aiohttp

        async with aiohttp.ClientSession() as session:
            webhook = discord.Webhook.from_url(webhook_url, session=session)
            route_base, discord.webhook.async_.Route.BASE = discord.webhook.async_.Route.BASE, url
            try:
                await webhook.send("hello")
            finally:
                discord.webhook.async_.Route.BASE = route_base

    asyncio.run(send())


@case("InvalidParams", also=("ValidationError",))
def simple_salesforce_malformed_query():
    from simple_salesforce import Salesforce

    body = [{"message": "unexpected token: SELEKT", "errorCode": "MALFORMED_QUERY"}]
    url = origin(Answer(400, body))
    client = Salesforce(session_id="s", instance_url="https://example.my.salesforce.com")
    client.base_url = url + "/"
    client.query("SELEKT Id")


@case("NotFound", also=("InvalidParams",))
def dropbox_path_not_found_in_a_409():
    import dropbox

    body = {"error_summary": "path/not_found/..", "error": {".tag": "path", "path": {".tag": "not_found"}}}
    client = dropbox.Dropbox("token", max_retries_on_error=0)
    client._host_map = dict.fromkeys(client._host_map, origin(Answer(409, body)).removeprefix("http://"))
    client._session.mount("https://", _plain_http())
    client.files_get_metadata("/missing.txt")


def _plain_http() -> Any:
    from requests.adapters import HTTPAdapter

    class PlainHttp(HTTPAdapter):
        """Speaks plain HTTP where the SDK insists on https."""

        def send(self, request, **options):
            request.url = request.url.replace("https://", "http://", 1)
            return super().send(request, **options)

    return PlainHttp()


@case("Timeout", retryable=True)
def slack_socket_timeout():
    from slack_sdk import WebClient

    WebClient("xoxb-1", base_url=f"http://{HOST}:{hanging_port()}/", timeout=1, retry_handlers=[]).api_test()
