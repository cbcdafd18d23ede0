# make help | demo | test | soak | check | contracts | lock | mutants | bench
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
TORCH ?= 2.13.0
# More than there are cores: some tests wait for processes of their own. Each worker takes fifteen seconds to collect the tests.
WORKERS = $$($(BIN)/python -c 'import os; print(3 * (os.cpu_count() or 1) // 2 or 2)')
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes, which would each compile the package again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test soak check style types arrows drift contracts lock mutants bench wheel-smoke clean

help: ## show this
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml requirements/base.lock | $(BIN)/python
	$(BIN)/python -m pip install --quiet --constraint requirements/base.lock --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml requirements/dev.lock benchmarks/pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet torch==$(TORCH)  # before what depends on it: a later one brings gigabytes of CUDA
	$(BIN)/python -m pip install --quiet --constraint requirements/dev.lock --editable '.[dev]' --editable ./benchmarks
	@touch $@ $(VENV)/.base

demo: $(VENV)/.base ## install, build the sample corpus on the embedded store, ask it, validate it, report on it
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash tools/demo.sh

# Small matrices in many processes: threads of theirs would only wait for each other.
test: export OMP_NUM_THREADS := 1
test: export OPENBLAS_NUM_THREADS := 1
test: $(VENV)/.dev ## install what the tests need, and run them
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q

soak: export TEST_EFFORT := full
soak: test ## the tests with every repetition: more and new random examples, more moments at which programs are killed

check: style types arrows drift wheel-smoke ## ruff, mypy strict, import-linter, drift of contracts and locks, wheel smoke tests; side by side with -j

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

arrows: $(VENV)/.dev
	$(BIN)/lint-imports

drift: $(VENV)/.dev
	$(BIN)/python tools/contracts.py --check
	$(BIN)/python tools/lock.py --check

contracts: $(VENV)/.dev ## write agents/, schemas/ and cli/ from the code
	$(BIN)/python tools/contracts.py

lock: ## write requirements/*.lock from the environment that the tests passed in
	$(BIN)/python tools/lock.py

wheel-smoke: $(VENV)/.dev ## build the wheel, install it alone in a fresh environment, run it
	bash tools/wheel_smoke.sh $(PYTHON) $(BIN)/python

mutants: $(VENV)/.dev ## change 40 significant lines, one at a time, and see whether the tests of their rooms notice
	$(BIN)/python -m tools.mutation --count 40 --seed 1

bench: $(VENV)/.dev ## measure against peers in the same run; DATA=folder with the public material
	$(BIN)/python -m pip install --quiet --editable './benchmarks[peers]'
	$(BIN)/python -m coditect_benchmarks.engines
	$(BIN)/python -m coditect_benchmarks.hostile
	$(BIN)/python -m coditect_benchmarks.log --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.sentences --data $(DATA)/contracts
	$(BIN)/python -m coditect_benchmarks.selection --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.corpus --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.growth measure --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.retrieval --data $(DATA) --peers
	$(BIN)/python -m coditect_benchmarks.verification --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.edits --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.tier4 --data $(DATA)
	$(BIN)/python -m coditect_benchmarks.agents --data $(DATA) --documents 200
	work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && export CODITECT_STORE="lmdb://$$work/store" CODITECT_CACHE="$$work/cache" && ulimit -n 20000 \
	  && $(BIN)/coditect knowledge ingest --corpus-id contracts $(DATA)/contracts/docs && $(BIN)/coditect knowledge build --corpus-id contracts \
	  && $(BIN)/python -m coditect_benchmarks.serving --store "$$CODITECT_STORE" --cache "$$CODITECT_CACHE" --corpus-id contracts \
	    --queries $(DATA)/contracts/queries.jsonl --files $(DATA)/contracts/docs
	$(BIN)/python -m coditect_benchmarks.families --data $(DATA)

clean: ## remove what was built; stores elsewhere are untouched
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
