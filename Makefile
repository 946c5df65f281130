# Everything a newcomer needs: `make demo` and `make test` set themselves up.
# Uses uv where it is installed, else venv and pip. Nothing is written outside this folder.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := tourney strategies tests examples benchmarks docs packages
# More processes than processors: many tests only wait for programs that they started.
PYTEST = $(BIN)/python -m pytest --dist worksteal
UV := $(shell command -v uv 2>/dev/null)

ifdef UV
  MAKE_VENV = uv venv --quiet --python $(PYTHON) $(VENV)
  INSTALL = VIRTUAL_ENV=$(VENV) uv pip install --quiet --editable
else
  MAKE_VENV = $(PYTHON) -m venv $(VENV)
  INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
endif

.PHONY: help demo test prove costs check format bench attacks docs dist lowest packages audit clean

help:
	@echo "make demo    set up and run configs/quickstart.yaml to a leaderboard"
	@echo "make test    set up and run the tests (minutes); each promise is shown once"
	@echo "make prove   run these and all others, with more rounds and more luck (about an hour; PART=1/2: one half of it)"
	@echo "make costs   measure what tests take: tests/COSTS.md, and tests/long.txt for \`make prove\`"
	@echo "make check   lint, types, import contracts, generated docs"
	@echo "make format  format the code"
	@echo "make bench   measure speeds, as ratios within one run (JSON=FILE keeps them)"
	@echo "make attacks try every attack on every layer of confinement (minutes; needs bubblewrap)"
	@echo "make docs    write the generated parts of docs, and build its site in build/site/html"
	@echo "make dist    build wheel and sdist in dist, check them, and play from the wheel alone"
	@echo "make lowest  run some tests with the oldest dependencies that are allowed"
	@echo "make packages test the packages of games from elsewhere (installs OpenSpiel and PettingZoo)"
	@echo "make audit   look the dependencies up among known weaknesses (needs its service)"
	@echo "make clean   remove what these targets made"

demo: $(VENV)/installed
	@mkdir -p demo
	$(BIN)/tourney run configs/quickstart.yaml --store demo/tourney.db

test: $(VENV)/installed-test
	$(PYTEST) --numprocesses 3

# What `make test` has shown is not shown again, but for properties, which are tried more often.
# PART=1/2 and PART=2/2 run one half each.
# With five processes it is quicker by a quarter, but tests that count on time fail.
prove: test
	$(PYTEST) --numprocesses 3 --prove --durations 40 -m "prove or hypothesis" $(PART:%=--part %)

costs: $(VENV)/installed-test
	$(PYTEST) --numprocesses 3 -p tests.support.costs --costs tests/COSTS.md

check: $(VENV)/installed-test $(VENV)/installed-check
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

format: $(VENV)/installed-check
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

bench: $(VENV)/installed
	$(BIN)/python benchmarks/bench.py $(if $(JSON),--json $(JSON))

attacks: $(VENV)/installed-test
	$(BIN)/python benchmarks/attacks.py

docs: $(VENV)/installed-docs
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/build_site.py

dist: $(VENV)/installed-dist $(VENV)/installed-check
	rm -rf dist
	$(BIN)/python -m build --outdir dist . > /dev/null
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/python tests/support/from_wheel.py dist/*.whl

# Published data are left out: their last digits depend on the version of SciPy.
lowest: $(VENV)/made
	rm -rf build/lowest
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet uv
	VIRTUAL_ENV=build/lowest build/lowest/bin/uv pip install --quiet --resolution lowest-direct --editable ".[lowest]"
	build/lowest/bin/python -m pytest -q -p no:cacheprovider tests/golden tests/unit/execution tests/unit/sandbox tests/integration/cli/test_run.py \
	  --deselect tests/golden/test_digests.py::test_the_published_data_is_what_it_was

# Their dependencies stay in an environment of their own, which sees the other and leaves it as it is.
packages: $(VENV)/installed-test
	$(BIN)/python -m venv --clear build/packages
	$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
	  > "$$(build/packages/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
	build/packages/bin/python -m pip install --quiet --disable-pip-version-check \
	  --editable packages/tourney-openspiel --editable packages/tourney-pettingzoo
	build/packages/bin/python -m pytest packages/tourney-openspiel/tests packages/tourney-pettingzoo/tests

audit: $(VENV)/installed-dist
	$(BIN)/pip-audit --local --skip-editable || \
	  { echo "pip-audit: expected no known weakness and its service in reach, got the above"; exit 1; }

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "expected Python 3.11 or newer, got $$($(PYTHON) --version): make PYTHON=python3.12"; exit 2; }
	$(MAKE_VENV)
	@touch $@

$(VENV)/installed: $(VENV)/made pyproject.toml
	$(INSTALL) .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(INSTALL) ".[test]"
	@touch $@

$(VENV)/installed-docs: $(VENV)/installed
	$(INSTALL) ".[docs]"
	@touch $@

$(VENV)/installed-dist: $(VENV)/installed
	$(INSTALL) ".[dist]"
	@touch $@

$(VENV)/installed-check: $(VENV)/installed
	$(INSTALL) ".[check]"
	@touch $@
