from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from mcp_error_middleware.ids import new_id


@pytest.mark.parametrize("size", [6, 16])
def test_an_id_is_so_many_bytes_and_given_once(size: int) -> None:
    with ThreadPoolExecutor(4) as threads:
        ids = list(threads.map(lambda _: new_id(size), range(2_000)))

    assert len(set(ids)) == len(ids)
    assert {len(bytes.fromhex(given)) for given in ids} == {size}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_forked_process_gives_none_of_its_parents() -> None:
    new_id()  # others are waiting now
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, " ".join(new_id() for _ in range(50)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as given:
        theirs = given.read().split()

    assert len(theirs) == 50
    assert not set(theirs) & {new_id() for _ in range(200)}
