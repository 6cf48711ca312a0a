"""HTTP exceptions of web frameworks, as raised by application code or by the framework itself."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from . import case


@case("NotFound")
def starlette_http_404():
    from starlette.exceptions import HTTPException

    raise HTTPException(404, "no such order")


@case("RateLimited", retryable=True, retry_after=12)
def starlette_http_429_with_header():
    from starlette.exceptions import HTTPException

    raise HTTPException(429, headers={"Retry-After": "12"})


@case("InvalidRequest", also=("MethodNotFound",))
def starlette_router_method_not_allowed():
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    _asgi(Starlette(routes=[Route("/x", lambda request: PlainTextResponse("hi"))]).router, "DELETE", "/x")


@case("InternalError")
def starlette_address_of_a_route_that_is_not_there():
    from starlette.applications import Starlette

    Starlette().url_path_for("orders")


@case("ServiceUnavailable", also=("InvalidRequest",))
def starlette_client_disconnect():
    from starlette.requests import Request

    async def receive():
        return {"type": "http.disconnect"}

    asyncio.run(Request({"type": "http", "method": "POST", "headers": []}, receive).body())


def _asgi(app: Any, method: str, path: str, body: bytes = b"", query: bytes = b"") -> None:
    """Drive an ASGI application so that its exceptions reach the caller."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        pass

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query,
        "headers": [(b"content-type", b"application/json")],
        "app": app,
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(app(scope, receive, send))


@case("Forbidden")
def fastapi_http_exception_403():
    from fastapi import HTTPException

    raise HTTPException(403, {"reason": "not your document"})


def _fastapi_reraising() -> Any:
    """Return an application whose error handler passes request validation errors on."""
    import fastapi
    from fastapi.exceptions import RequestValidationError, ResponseValidationError

    app = fastapi.FastAPI()

    @app.exception_handler(RequestValidationError)
    @app.exception_handler(ResponseValidationError)
    async def pass_on(request, error):
        raise error

    @app.get("/items")
    async def items(limit: int) -> int:
        return "not a number"  # type: ignore[return-value]

    return app


@case("ValidationError", also=("InvalidParams",))
def fastapi_request_validation_error():
    _asgi(_fastapi_reraising(), "GET", "/items", query=b"limit=many")


@case("InternalError", also=("SerializationError",))
def fastapi_response_validation_error():
    _asgi(_fastapi_reraising(), "GET", "/items", query=b"limit=3")


@case("Unauthorized")
def fastapi_bearer_credentials_missing():
    from fastapi.security import HTTPBearer
    from starlette.requests import Request

    asyncio.run(HTTPBearer()(Request({"type": "http", "headers": []})))


@case("Conflict")
def werkzeug_conflict():
    import werkzeug.exceptions

    werkzeug.exceptions.abort(409)


@case("NotFound")
def werkzeug_router_not_found():
    from werkzeug.routing import Map, Rule

    Map([Rule("/known")]).bind("localhost").match("/unknown")


@case("InvalidParams")
def flask_bad_request_key_error():
    """A missing form field is both a KeyError and an HTTP 400."""
    import flask

    with flask.Flask("x").test_request_context("/", method="POST", data={"a": "1"}):
        flask.request.form["b"]


@case("InvalidRequest", also=("InvalidParams",))
def flask_unsupported_media_type():
    import flask

    with flask.Flask("x").test_request_context("/", method="POST", data="plain", content_type="text/plain"):
        flask.request.get_json()


@case("InternalError")
def flask_outside_of_application_context():
    import flask

    flask.current_app.name


@case("NotFound")
def aiohttp_web_not_found():
    from aiohttp import web

    raise web.HTTPNotFound(text="no such route")


@cache
def _django() -> None:
    import django
    from django.conf import settings

    settings.configure(
        SECRET_KEY="provoked",
        USE_TZ=True,
        ALLOWED_HOSTS=["testserver"],
        ROOT_URLCONF="",
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        REST_FRAMEWORK={"UNAUTHENTICATED_USER": None},
    )
    django.setup()


def _django_tables() -> Any:
    _django()
    from django.contrib.auth.models import Group
    from django.db import connection

    if "auth_group" not in connection.introspection.table_names():
        with connection.schema_editor() as editor:
            editor.create_model(Group)
    return Group


@case("ConfigurationError")
def django_settings_not_configured():
    from django.conf import LazySettings

    LazySettings().DEBUG


@case("InternalError", also=("ConfigurationError",))
def django_no_reverse_match():
    from types import ModuleType

    _django()
    from django.urls import reverse

    urls = ModuleType("urls")
    urls.urlpatterns = []
    reverse("nowhere", urlconf=urls)


@case("NotFound")
def django_model_does_not_exist():
    _django_tables().objects.get(pk=99)


@case("Conflict")
def django_integrity_error_unique():
    group = _django_tables()
    group.objects.create(name="editors")
    group.objects.create(name="editors")


@case("InternalError", also=("DatabaseError",))
def django_multiple_objects_returned():
    group = _django_tables()
    group.objects.bulk_create([group(name="one"), group(name="two")], ignore_conflicts=True)
    group.objects.get(name__in=["one", "two"])


@case("ValidationError")
def django_full_clean():
    _django_tables()(name="").full_clean(validate_unique=False)


@case("InternalError", also=("ValidationError",))
def django_field_error():
    _django_tables().objects.filter(nam="x")


@case("NotFound")
def django_http404():
    _django_tables()
    from django.contrib.auth.models import Group
    from django.shortcuts import get_object_or_404

    get_object_or_404(Group, pk=99)


@case("Forbidden")
def django_permission_denied():
    from django.core.exceptions import PermissionDenied

    raise PermissionDenied


@case("InvalidParams", also=("Forbidden", "InvalidRequest", "ValidationError"))
def django_disallowed_host():
    _django()
    from django.test import RequestFactory

    RequestFactory().get("/", headers={"host": "evil.example.com"}).get_host()


@case("Unauthorized", also=("ValidationError",))
def django_bad_signature():
    _django()
    from django.core import signing

    signing.loads("forged:token")


@case("ConfigurationError")
def django_invalid_cache_backend():
    _django()
    from django.core.cache import caches

    caches["no-such-alias"]


@case("ValidationError")
def drf_serializer_invalid():
    _django()
    from rest_framework import serializers

    class Order(serializers.Serializer):
        quantity = serializers.IntegerField(min_value=1)

    Order(data={"quantity": 0}).is_valid(raise_exception=True)


@case("RateLimited", retryable=True, retry_after=42)
def drf_throttled():
    _django()
    from rest_framework.exceptions import Throttled

    raise Throttled(wait=42)


@case("Unauthorized")
def drf_basic_authentication_failed():
    _django()
    from django.test import RequestFactory
    from rest_framework.authentication import BasicAuthentication

    BasicAuthentication().authenticate(RequestFactory().get("/", headers={"authorization": "Basic !!!"}))


@case("InvalidParams", also=("ParseError", "SerializationError"))
def drf_parse_error():
    _django()
    import io

    from rest_framework.parsers import JSONParser

    JSONParser().parse(io.BytesIO(b"{broken"))


@case("InvalidRequest", also=("MethodNotFound",))
def drf_method_not_allowed():
    _django()
    from rest_framework.exceptions import MethodNotAllowed

    raise MethodNotAllowed("PATCH")


@case("RateLimited", retryable=True)
def slowapi_rate_limit_exceeded():
    import slowapi
    from slowapi.util import get_remote_address
    from starlette.applications import Starlette
    from starlette.requests import Request

    limiter = slowapi.Limiter(key_func=get_remote_address)
    app = Starlette()
    app.state.limiter = limiter

    @limiter.limit("1/minute")
    def view(request):
        return None

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "app": app,
    }
    for _ in range(2):
        view(request=Request({**scope, "query_string": b"", "state": {}}))
