"""Targets in, new inputs out: a fuzzer that is led by the lines it reaches.

    make guided                     some inputs for each target, the same every time, as CI does
    make guided ARGS=3600           an hour for each
    make guided ARGS="60 --keep"    and what reaches new lines goes into the corpus, as few files as do

Ends with an error where a promise is broken; the input that broke it is printed and kept in `build/fuzz`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
FOUND = ROOT / "build" / "fuzz"
WORDS = Path(__file__).parent / "words.txt"
SEEDS = "tests/fuzz/corpus"
LONGEST = 4096
RUNS = 2_000
TARGETS = ("text", "value", "answer", "events", "source")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make guided")
    parser.add_argument("seconds", nargs="?", type=int, help="for each target; else a fixed number of inputs")
    parser.add_argument("--keep", action="store_true", help="put what reaches new lines into the corpus")
    parser.add_argument("--only", choices=TARGETS, help="this target alone")
    arguments = parser.parse_args()
    targets = [arguments.only] if arguments.only else TARGETS
    FOUND.mkdir(parents=True, exist_ok=True)
    return max(_fuzzed(target, arguments.seconds, keep=arguments.keep) for target in targets)


def _fuzzed(target: str, seconds: int | None, *, keep: bool) -> int:
    seeds = ROOT / SEEDS / target
    seeds.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as new:
        effort = [f"-max_total_time={seconds}"] if seconds else [f"-runs={RUNS}", "-seed=1"]
        print(target, *effort, flush=True)
        # A process for each: the fuzzer ends the one it runs in.
        ended = _child(target, *effort, f"-artifact_prefix={FOUND}/{target}-", new, seeds)
        if keep and ended == 0:
            ended = _child(target, "-merge=1", "-use_counters=0", seeds, new)
    return ended


def _child(target: str, *options: object) -> int:
    flags = (f"-max_len={LONGEST}", f"-dict={WORDS}", "-verbosity=0")
    command = [sys.executable, "-m", "tests.fuzz.guided", "--fuzz", target, *flags, *map(str, options)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout[-4000:])
    return done.returncode


def _fuzz(target: str, options: list[str]) -> None:
    atheris = import_module("atheris")  # only its own environment has it
    with atheris.instrument_imports(include=["mcp_error_middleware"]):
        from tests.fuzz.targets import TARGETS as FUNCTIONS

    # What it runs itself again by, to merge.
    again = f"{sys.executable} -m tests.fuzz.guided --fuzz {target}"
    atheris.Setup([again, *options], FUNCTIONS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fuzz"]:
        _fuzz(sys.argv[2], sys.argv[3:])
    sys.exit(main())
