# Every target sets up what it needs. A fresh Debian machine needs make and Python 3.11 or later with venv, nothing else.
#
#   PYTHON=python3.12 make test    another Python for the virtual environment (only when that is made)
#   JOBS=4 make test               test processes, one a core unless told
#   ARGS="-k scope -x" make test   further arguments for pytest

PYTHON ?= python3
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
ARGS   ?=

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed
PYTEST := $(BIN)/python -m pytest

# Java is for Spark alone, so only the targets that may run Spark ask for it. The script prints the JAVA_HOME to use.
WITH_JAVA = JAVA_HOME=$$(tools/ensure-java.sh) && export JAVA_HOME &&

.DEFAULT_GOAL := help
.PHONY: help demo test slow check bench compare format clean

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMP) ## filter a small dump by some queries, and show what is found
	@$(WITH_JAVA) $(BIN)/rtf demo

test: $(STAMP) ## the tests, without the slow ones
	@$(WITH_JAVA) $(PYTEST) -n $(JOBS) --dist loadgroup $(ARGS)

slow: $(STAMP) ## the slow tests only
	@$(WITH_JAVA) $(PYTEST) -n $(JOBS) --dist loadgroup -m slow $(ARGS)

check: $(STAMP) ## lint, format, types, documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) -q tests/test_docs.py

format: $(STAMP) ## put the sources into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP) ## the benchmarks; they check results first, then time
	@set -e; for script in benchmarks/bench_*.py; do \
	    test -e "$$script" || { echo "there is no benchmarks/bench_*.py yet" >&2; exit 1; }; \
	    echo "== $$script" >&2; $(BIN)/python "$$script" $(ARGS); echo; \
	done

compare: $(STAMP) ## the paper's experiments: RTF and IBROKER (ARGS=--quick: under two minutes)
	@home=$$(tools/ensure-java.sh) && export JAVA_HOME="$$home"; $(BIN)/python benchmarks/compare_paper.py $(ARGS)

clean: ## remove the virtual environment, caches and whatever was built
	rm -rf $(VENV) build comparison dist .hypothesis .mypy_cache .pytest_cache .ruff_cache spark-warehouse metastore_db derby.log
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Made anew only when it is not there or its Python has gone; a change of pyproject.toml installs into the one at hand.
$(STAMP): pyproject.toml
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	    $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	        echo "Python 3.11 or later is needed, but $(PYTHON) is $$($(PYTHON) --version 2>&1 || true)." >&2; \
	        echo "Name another one: make PYTHON=/path/to/python3.11" >&2; exit 1; }; \
	    $(PYTHON) -m venv --clear $(VENV) || { \
	        echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }; \
	}
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@
