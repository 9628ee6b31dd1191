PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup serve demo test slow check format lint types validate gate bench load soak fuzz clean

serve: setup
	@$(BIN)/grader serve

demo: setup
	@$(BIN)/grader demo

# Half of the time goes by in waiting for sleepers, so there are more at it than cores.
JOBS ?= $(shell expr $$(nproc) \* 3 / 2)
test: setup
	@$(BIN)/pytest -n $(JOBS) -m "not slow"

# What takes minutes: the attacks as an ordinary user, an installed wheel, browsers, Ray, PostgreSQL.
# A file stays with one worker, for what it starts once.
slow: setup
	@$(BIN)/pytest -n 2 --dist loadscope -m slow

check: setup lint types validate gate test

setup: $(STAMP)

# torch comes first and pinned: elsewhere an index of CPU builds can be named with
# TORCH_INDEX=..., which saves gigabytes of CUDA libraries.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ echo "python3 -m venv is needed (Debian: apt-get install python3-venv)"; exit 1; }
	@echo "installing into $(VENV); torch takes about a minute"
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt \
		$(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lint: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: setup
	@$(BIN)/mypy

validate: setup
	@$(BIN)/grader validate problems

# Every problem proved: reference, solutions, mutants, examples, tolerance, translations.
gate: setup
	@$(BIN)/grader check --all

# The judge itself, then a batch: about 25 minutes.
BATCH ?= --submissions 10000 --lines 100000 --ray
bench: setup
	@$(BIN)/python -m bench
	@$(BIN)/python -m bench.batch $(BATCH)

# The site with 200 learners for two minutes, on SQLite and on PostgreSQL.
LOAD ?= --learners 200 --seconds 120 --postgres
load: setup
	@$(BIN)/python -m bench.load $(LOAD)

SOAK ?= --faults 2000 --growth 20000 --load 500
soak: setup
	@$(BIN)/python -m soak $(SOAK)

FUZZ ?= --frames 400000
fuzz: setup
	@$(BIN)/python -m fuzz $(FUZZ)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
