from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import CORPUS, TARGETS

KEPT = sorted(CORPUS.glob("*/*"))


@pytest.mark.parametrize("file", KEPT, ids=lambda file: f"{file.parent.name}-{file.name[:12]}")
def test_what_a_fuzzer_kept_breaks_no_promise(file: Path) -> None:
    TARGETS[file.parent.name](file.read_bytes())


def test_every_target_has_a_corpus() -> None:
    assert {file.parent.name for file in KEPT} == set(TARGETS)
