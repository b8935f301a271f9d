# Every target does its own set-up: a virtual environment in .venv and, where a target needs them, system packages.
# Nothing is installed outside .venv except Debian packages, which are named aloud first and need root.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?=
OUT ?= out/demo
# One more than the processors of a small machine: a quarter of the time, tests wait for programs that they started.
PYTEST_WORKERS ?= 3

# One thread per process: the tests and benchmarks run side by side, and idle threads that spin would slow both down.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1

export PIP_CONSTRAINT := constraints.txt
# Where byte code is not written, each of hundreds of processes of the tests would compile all modules again.
export PYTHONDONTWRITEBYTECODE :=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

INPUTS := pyproject.toml constraints.txt scripts/setup.sh
DEMO_STAMP := $(VENV)/.installed-demo
TEST_STAMP := $(VENV)/.installed-test

.PHONY: help demo play test programs lint slow fuzz bench roles docs clean

help:  ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F '\t' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: $(DEMO_STAMP)  ## set up, then run the whole pipeline on generated motion; results in out/demo
	@$(VENV)/bin/kinema demo -o $(OUT) --force
	@echo "Results: $(OUT)"

play: $(DEMO_STAMP)  ## set up, then steer the character in the browser
	@$(VENV)/bin/kinema play

test:  ## set up, then lint, type-check and run the tests
	@$(MAKE) -j2 $(TEST_STAMP) programs
	@scripts/three.sh
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m compileall -q -j 0 src tests
	@# Types are checked beside the tests: one after the other would take minutes longer. Assertions that say what they
	@# compared cost a minute of every run: only what fails is run with them.
	@$(PY) -m pyright >$(VENV)/types.txt & types=$$!; trap "kill $$types 2>/dev/null || true" EXIT; \
	$(ONE_THREAD) $(PY) -m pytest -n $(PYTEST_WORKERS) --dist worksteal --assert plain || { \
		echo "The tests that failed, once more, with what they compared:"; \
		$(ONE_THREAD) $(PY) -m pytest --last-failed --last-failed-no-failures none; false; }; \
	wait $$types || { cat $(VENV)/types.txt; false; }

# Programs that tests need besides Python packages.
programs:
	@scripts/chromium.sh
	@scripts/blender.sh
	@scripts/godot.sh
	@scripts/display.sh

lint: $(TEST_STAMP)  ## check rules and layout (ruff) and types (pyright), without running tests
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m pyright --threads 2

slow: $(TEST_STAMP) programs  ## the tests that take minutes
	@scripts/three.sh
	@$(ONE_THREAD) $(PY) -m pytest -m slow

fuzz: $(TEST_STAMP)  ## a minute of fuzzing of each parser; finds are left in out/fuzz
	@mkdir -p out/fuzz
	@for name in $$($(PY) tests/fuzz/run.py); do (cd out/fuzz && ../../$(PY) ../../tests/fuzz/run.py $$name 60) || exit 1; done

bench: $(DEMO_STAMP)  ## the benchmark table, one thread
	@$(ONE_THREAD) $(VENV)/bin/kinema bench core

roles: $(TEST_STAMP)  ## how well body parts are found in rigs the rules were not written with
	@scripts/blender.sh
	@$(ONE_THREAD) $(PY) scripts/score_roles.py

docs: $(TEST_STAMP)  ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict

clean:  ## remove everything these targets made
	rm -rf $(VENV) out site dist .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(DEMO_STAMP): $(INPUTS)
	@PYTHON="$(PYTHON)" scripts/setup.sh "$(VENV)" view,render
	@touch $@

$(TEST_STAMP): $(INPUTS)
	@PYTHON="$(PYTHON)" scripts/setup.sh "$(VENV)" dev,view,learn,window,formats
	@touch $@ $(DEMO_STAMP)
