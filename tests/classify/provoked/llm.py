"""Exceptions of language model SDKs."""

from __future__ import annotations

from typing import Any

from . import case
from .servers import HOST, Answer, answering, closed_port, hanging_port, http_date, origin

_MESSAGES = [{"role": "user", "content": "hello"}]


def _openai(status: int, error: dict[str, Any], headers: dict[str, str] | None = None) -> None:
    import openai

    client = openai.OpenAI(api_key="k", base_url=answering(status, {"error": error}, headers), max_retries=0)
    client.chat.completions.create(model="gpt-4o", messages=_MESSAGES)


@case("RateLimited", retryable=True, retry_after=20)
def openai_rate_limit():
    error = {
        "message": "Rate limit reached for gpt-4o",
        "type": "requests",
        "param": None,
        "code": "rate_limit_exceeded",
    }
    _openai(429, error, {"Retry-After": "20"})


@case("RateLimited", also=("Forbidden",))
def openai_insufficient_quota():
    message = "You exceeded your current quota, please check your plan and billing details."
    _openai(
        429, {"message": message, "type": "insufficient_quota", "param": None, "code": "insufficient_quota"}
    )


@case("Unauthorized")
def openai_invalid_api_key():
    _openai(
        401,
        {"message": "Incorrect API key provided", "type": "invalid_request_error", "code": "invalid_api_key"},
    )


@case("InvalidParams", also=("ValidationError",))
def openai_context_length_exceeded():
    message = "This model's maximum context length is 8192 tokens."
    _openai(400, {"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"})


@case("NotFound")
def openai_model_not_found():
    _openai(
        404,
        {
            "message": "The model `gpt-9` does not exist",
            "type": "invalid_request_error",
            "code": "model_not_found",
        },
    )


@case("ConfigurationError", also=("Unauthorized",))
def openai_api_key_missing():
    from unittest import mock

    import openai

    with mock.patch.dict("os.environ", clear=True):
        openai.OpenAI()


@case("ServiceUnavailable", retryable=True)
def openai_connection_error():
    import openai

    client = openai.OpenAI(api_key="k", base_url=f"http://{HOST}:{closed_port()}", max_retries=0)
    client.models.list()


@case("Timeout", retryable=True)
def openai_timeout():
    import openai

    client = openai.OpenAI(
        api_key="k", base_url=f"http://{HOST}:{hanging_port()}", max_retries=0, timeout=0.1
    )
    client.models.list()


@case("InternalError", also=("ServiceUnavailable", "ValidationError", "InvalidRequest"))
def openai_output_length_limit():
    import openai
    import pydantic

    class Reply(pydantic.BaseModel):
        answer: str

    choice = {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": '{"ans'}}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": [choice]}
    client = openai.OpenAI(api_key="k", base_url=answering(200, body), max_retries=0)
    client.chat.completions.parse(model="gpt-4o", messages=_MESSAGES, response_format=Reply)


def _anthropic(status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> None:
    import anthropic

    url = answering(status, {"type": "error", "error": {"type": kind, "message": message}}, headers)
    client = anthropic.Anthropic(api_key="k", base_url=url, max_retries=0)
    client.messages.create(model="claude-sonnet-4-0", max_tokens=10, messages=_MESSAGES)


@case("ServiceUnavailable", also=("RateLimited",), retryable=True)
def anthropic_overloaded_529():
    _anthropic(529, "overloaded_error", "Overloaded")


@case("RateLimited", retryable=True, retry_after=60)
def anthropic_rate_limit_with_http_date():
    _anthropic(
        429, "rate_limit_error", "This request would exceed your rate limit", {"Retry-After": http_date(60)}
    )


@case("Forbidden")
def anthropic_permission_error():
    _anthropic(
        403, "permission_error", "Your API key does not have permission to use the specified resource."
    )


@case("InvalidParams", also=("Forbidden",))
def anthropic_credit_balance_too_low_in_a_400():
    _anthropic(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.")


@case("InvalidRequest", also=("ValidationError", "InvalidParams"))
def anthropic_request_too_large():
    _anthropic(413, "request_too_large", "Request exceeds the maximum allowed number of bytes.")


@case("ServiceUnavailable", also=("RateLimited", "InternalError"), retryable=True)
def anthropic_overloaded_in_the_stream():
    """The failure comes as an event inside a 200."""
    import anthropic

    error = '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'
    event = f"event: error\ndata: {error}\n\n"
    url = answering(200, event, {"Content-Type": "text/event-stream"})
    client = anthropic.Anthropic(api_key="k", base_url=url, max_retries=0)
    list(client.messages.create(model="claude-sonnet-4-0", max_tokens=10, messages=_MESSAGES, stream=True))


def _genai(status: int, code: str, message: str, *details: dict[str, Any]) -> None:
    from google import genai

    body = {"error": {"code": status, "message": message, "status": code, "details": list(details)}}
    client = genai.Client(api_key="k", http_options={"base_url": origin(Answer(status, body))})
    client.models.generate_content(model="gemini-2.5-flash", contents="hello")


@case("RateLimited", retryable=True, retry_after=34)
def genai_resource_exhausted_with_retry_info():
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}
    _genai(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota. Please retry in 34s.", info)


@case("Unauthorized", also=("InvalidParams",))
def genai_api_key_not_valid_in_a_400():
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    _genai(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info)


@case("ServiceUnavailable", retryable=True)
def genai_model_overloaded():
    _genai(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")


@case("InvalidParams", also=("ValidationError",))
def groq_tool_use_failed():
    import groq

    error = {
        "error": {
            "message": "Failed to call a function.",
            "type": "invalid_request_error",
            "code": "tool_use_failed",
        }
    }
    client = groq.Groq(api_key="k", base_url=answering(400, error), max_retries=0)
    client.chat.completions.create(model="llama", messages=_MESSAGES)


@case("RateLimited", retryable=True)
def mistral_rate_limited():
    from mistralai.client import Mistral

    url = answering(429, {"message": "Requests rate limit exceeded"})
    Mistral(api_key="k", server_url=url).chat.complete(model="m", messages=_MESSAGES)


@case("Unauthorized")
def cohere_invalid_token():
    import cohere

    client = cohere.ClientV2("k", base_url=answering(401, {"message": "invalid api token"}))
    client.chat(model="command", messages=_MESSAGES)


@case("NotFound")
def ollama_model_not_found():
    import ollama

    ollama.Client(answering(404, {"error": "model 'llama9' not found"})).chat("llama9", _MESSAGES)


@case("ServiceUnavailable", retryable=True)
def ollama_not_running():
    import ollama

    ollama.Client(f"http://{HOST}:{closed_port()}").list()


@case("NotFound")
def huggingface_repository_not_found_in_a_401():
    from huggingface_hub import HfApi

    headers = {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found", "X-Request-Id": "1"}
    HfApi(origin(Answer(401, {"error": "Repository not found"}, headers)), token=False).model_info(
        "nobody/nothing"
    )


@case("Forbidden")
def huggingface_gated_repository():
    from huggingface_hub import HfApi

    headers = {
        "X-Error-Code": "GatedRepo",
        "X-Error-Message": "Access to model is restricted.",
        "X-Request-Id": "1",
    }
    HfApi(origin(Answer(403, {"error": "gated"}, headers)), token=False).model_info("somebody/gated")


@case("Forbidden")
def replicate_payment_required():
    import replicate

    body = {
        "title": "Insufficient credit",
        "detail": "You have insufficient credit to run this model.",
        "status": 402,
    }
    client = replicate.Client(
        "t", base_url=answering(402, body, {"Content-Type": "application/problem+json"})
    )
    client.models.get("stability-ai/sdxl")


@case("ValidationError", also=("SerializationError",))
def langchain_output_parser():
    from langchain_core.output_parsers import JsonOutputParser

    JsonOutputParser().parse("Sure! Here is what you asked for.")


@case("InternalError", also=("ValidationError", "NotFound", "ConfigurationError"))
def tiktoken_unknown_model():
    import tiktoken

    tiktoken.encoding_for_model("parrot-1")
