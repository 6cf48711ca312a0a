"""The command line of MCP Inspector: <era> <requests as JSON> <URL>; one process per request."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.interop.packages import HOME, NODE

INSPECTOR = HOME / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def main(era: str, requests: str, url: str) -> None:
    with ThreadPoolExecutor(2) as two:
        answers = two.map(lambda request: ask(era, url, *request), json.loads(requests))
    print(json.dumps([*answers]))


def ask(era: str, url: str, method: str, name: str, arguments: Any) -> Any:
    options = ["--protocol-era", "legacy" if era == "2025-11-25" else "modern", "--method", method]
    match method:
        case "tools/call":
            options += ["--tool-name", name]
            for key, value in (arguments or {}).items():
                options += ["--tool-arg", f"{key}={value}"]
        case "resources/read":
            options += ["--uri", name]
        case _:
            options += ["--prompt-name", name]
    done = subprocess.run(
        [NODE, INSPECTOR, "--cli", url, "--transport", "http", "--stored-auth-only", *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "HOME": str(HOME)},
    )
    return {"result": json.loads(done.stdout)} if done.stdout else {"error": json.loads(done.stderr)["error"]}


main(*sys.argv[1:])
