# Everything a person or a machine runs here. `make help` lists it.
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo test release audit stacks provoked interop e2e soak fuzz guided docs check bench lock clean dev

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

dev:
	@scripts/setup requirements/dev.txt

demo: ## failing servers of every stack, before and after (ARGS=--once ends by itself)
	@scripts/setup requirements/demo.txt
	@VENV=.venv-old scripts/setup requirements/old.txt || echo "demo: going on without the older stacks" >&2
	@$(PY) -m mcp_error_middleware demo --older .venv-old/bin/python $(ARGS)

test: dev ## the tests, with branch coverage
	@$(PY) -m coverage run -m pytest $(ARGS)
	@$(PY) -m coverage report

release: dev ## the wheel in a clean environment for each stack, lowest and newest, on each Python there is
	@RELEASE=all $(PY) -m pytest tests/release $(ARGS)

audit: dev ## every locked version against known advisories, offline (OSV=all.zip, the export of the OSV database for PyPI)
	@$(PY) scripts/audit $(OSV)

stacks: ## every fault on the older lines of the SDKs too (mcp 1.x, FastMCP 3)
	@VENV=.venv-old scripts/setup requirements/old.txt
	@.venv-old/bin/python -m pytest tests/stacks tests/client tests/agents tests/testing $(ARGS)

provoked: ## the real exceptions of 150 libraries, none skipped (1.5 GB in .venv-provoked)
	@VENV=.venv-provoked scripts/setup requirements/provoked.txt
	@PROVOKED=all .venv-provoked/bin/python -m pytest tests/classify/test_provoked.py tests/test_upstream.py $(ARGS)

interop: dev ## foreign clients and the official conformance suite against live servers, none skipped
	@VENV=.venv-old scripts/setup requirements/old.txt
	@$(PY) -m tests.interop.packages
	@INTEROP=all $(PY) -m pytest tests/interop $(ARGS)

e2e: dev ## the operations kit on the real programs: Jaeger, a collector, Prometheus, Alertmanager (builds them once)
	@scripts/components
	@E2E=all $(PY) -m pytest tests/deploy tests/dashboards $(ARGS)

docs: ## the documentation site, in build/site
	@VENV=.venv-docs scripts/setup requirements/docs.txt
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict --quiet

soak: dev ## a thousand sessions, 52,000 failures, every fault: counts exact, memory flat
	@SOAK=all $(PY) -m pytest tests/load --timeout=3600 $(ARGS)

fuzz: dev ## new examples for every property test, fifty times as many for the fuzzers
	@FUZZ=all $(PY) -m pytest tests/fuzz --hypothesis-profile=default --timeout=3600 $(ARGS)
	@$(PY) -m pytest -m hypothesis --ignore=tests/fuzz --hypothesis-profile=default --timeout=3600 $(ARGS)

guided: ## a fuzzer led by coverage on each parser (ARGS=3600 an hour each; ARGS="60 --keep" grows the corpus)
	@VENV=.venv-fuzz scripts/setup requirements/fuzz.txt
	@.venv-fuzz/bin/python -m tests.fuzz.guided $(ARGS)

check: dev ## formatting, lint, types, layers
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/mypy
	@.venv/bin/pyright
	@.venv/bin/lint-imports

bench: ## what a call costs beside bare servers and peers, as ratios in one run (ARGS=--gate: fail where it is too much)
	@VENV=.venv-bench scripts/setup requirements/bench.txt
	@.venv-bench/bin/python -m tests.benchmarks $(ARGS)

lock: dev ## renew the hashed requirement files (UPGRADE=1 takes newer versions)
	@scripts/lock $(if $(UPGRADE),--upgrade)

clean: ## remove what was made
	rm -rf .venv .venv-* .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
