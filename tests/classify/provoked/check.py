"""Provoke each case and print what it raised: ``python -m tests.classify.provoked.check [name part ...]``."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import sys
import threading
import time
import warnings

from . import CASES, Case
from .servers import remove_scratch

GUARD_SECONDS = 30.0

SLOW_IMPORTS = ("anthropic", "celery", "dropbox", "fastmcp", "kubernetes.client", "neo4j", "openai", "pandas")


def provoke(case: Case) -> tuple[BaseException | None, str]:
    """Run one case in a guard thread; return what it raised and, if that is no good, why."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            case.provoke()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True, name=case.name)
    thread.start()
    thread.join(GUARD_SECONDS)
    if thread.is_alive():
        return None, f"still running after {GUARD_SECONDS:g} s"
    if not raised:
        return None, "raised nothing"
    error = raised[0]
    if not isinstance(error, Exception):
        return error, "raised a BaseException"
    expects_missing_module = "missing_module" in case.name
    if isinstance(error, ModuleNotFoundError) and not expects_missing_module:
        return error, "library not installed"
    return error, ""


def main(parts: list[str]) -> int:
    """Check the cases whose name contains any of the parts, all of them by default."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    selected = [case for case in CASES if not parts or any(part in case.name for part in parts)]
    started = time.monotonic()
    if not parts:
        for name in SLOW_IMPORTS:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    failures = 0
    for case in selected:
        case_started = time.monotonic()
        error, problem = provoke(case)
        took = time.monotonic() - case_started
        qualified = f"{type(error).__module__}.{type(error).__qualname__}" if error is not None else "-"
        text = " ".join(str(error).split())[:120] if error is not None else ""
        text = text.encode("ascii", "backslashreplace").decode().replace("\0", "\\0")
        mark = "FAIL" if problem else "ok"
        print(
            f"{mark:4} {case.label:18} {case.name:48} {took:4.1f}s {qualified}: {text} {problem}", flush=True
        )
        failures += bool(problem)
    print(f"{len(selected)} cases, {failures} failed, {time.monotonic() - started:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    remove_scratch()
    os._exit(status)
