"""`python -m tests.agents`: the table of the README."""

from __future__ import annotations

import logging

import anyio

from tests.agents.trial import counts, table

if __name__ == "__main__":
    logging.disable()
    print("\n".join(table(anyio.run(counts))))
