import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_error_middleware.cli import main
from mcp_error_middleware.cli.explain import exception_for


def test_a_status_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "503"]) == 0

    shown = capsys.readouterr().out
    assert shown.startswith(
        "ServiceUnavailable, retryable\n"
        "  decided by http_status: 503 on any_client.HTTPStatusError -> ServiceUnavailable\n"
    )
    assert "the agent would see:\nError: " in shown


def test_a_json_rpc_number_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "-32602"]) == 0

    assert "decided by jsonrpc: -32602 on any_client.RPCError -> InvalidParams\n" in capsys.readouterr().out


def test_a_message_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "rate limit exceeded"])

    assert "RateLimited" in capsys.readouterr().out


def test_an_import_path_is_the_exception_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "json.JSONDecodeError", "bad"])

    assert "SerializationError" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("ValueError", ValueError),
        ("TimeoutError", TimeoutError),
        ("asyncio.CancelledError", __import__("asyncio").CancelledError),
        ("os.path", Exception),
        ("print", Exception),
        ("db.Locked now", Exception),
    ],
)
def test_what_names_no_exception_is_a_message(subject: str, kind: type[BaseException]) -> None:
    assert type(exception_for(subject)) is kind


def test_an_exception_that_is_not_installed_goes_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "no_such_store.errors.ReadTimeout", "slow"]) == 0

    shown = capsys.readouterr()
    assert "name: ReadTimeout on no_such_store.errors.ReadTimeout -> Timeout" in shown.out
    assert shown.err == (
        "no_such_store.errors.ReadTimeout cannot be imported here; this goes by its name alone\n"
    )


@pytest.mark.parametrize(
    ("path", "code"),
    [("ExceptionGroup", "InternalError"), ("pydantic_core.ValidationError", "ValidationError")],
)
def test_a_class_that_cannot_be_made_from_a_message_goes_by_its_name(
    path: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", path]) == 0

    assert capsys.readouterr().out.startswith(f"{code}, not retryable\n")


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("200", "200 is no HTTP status of an error; those are 400 to 599"),
        ("", "there is nothing to explain; give a message, an HTTP status or an exception"),
    ],
)
def test_what_cannot_be_explained_says_what_can(
    subject: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", subject]) == 2

    assert said in capsys.readouterr().err


@pytest.mark.parametrize("word", ["lost-cause", "preserve-cause-on-rethrow"])
def test_a_rule_of_the_linter_is_explained(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0

    assert "Keep the cause of a new error" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["rules"], ["explain", "503"], ["completion", "fish"]])
def test_a_reader_that_has_seen_enough_is_no_error(command: list[str]) -> None:
    program = [sys.executable, "-m", "mcp_error_middleware", *command]
    read, write = os.pipe()
    os.close(read)

    ended = subprocess.run(program, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)

    assert (ended.returncode, ended.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_output_that_does_not_fit_is_told_in_one_sentence() -> None:
    program = [sys.executable, "-m", "mcp_error_middleware", "rules"]

    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (
        2,
        "mcp-error-middleware: the output cannot be written: No space left on device\n",
    )


def test_a_command_without_any_output_ends_as_it_would() -> None:
    script = f'exec "{sys.executable}" -m mcp_error_middleware rules >&-'

    ended = subprocess.run(["sh", "-c", script], stderr=subprocess.PIPE, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_no_command_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([])

    assert stopped.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_no_command_waits_for_an_sdk_it_does_not_need() -> None:
    stacks = "{'mcp', 'fastmcp', 'starlette', 'anyio', 'opentelemetry', 'pydantic'}"
    program = f"import sys, mcp_error_middleware.cli; print(sorted({stacks} & sys.modules.keys()))"

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert ended.stdout == "[]\n"
