# Two commands do everything: `make run` and `make test`. The rest are for people who change the code.
# Needs Python >= 3.11 with pip and venv; everything else is installed into .venv from the lock files.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(BIN)/uv
PYTEST := $(BIN)/python -m pytest
# One more than two cores: a quarter of the time, tests wait for processes that start and for leases that end.
JOBS   ?= 3
PROFILE ?= read-mostly
SECONDS ?= 60
CLIENTS ?= 16
# A file's tests share what they start, so each file runs in one process; the longest come first, to end together.
TESTS  := $(addprefix tests/,browser functional contract unit architecture)
# Without bytecode every start compiles a thousand modules anew, which takes as long as the rest of it.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test quick coverage lint format bench load prove docs pictures locales lock audit packages clean

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# What takes long says so, with the time it took; a second start is quiet.
SAY = printf '%s\n'
TIMED = begun=$$(date +%s); done_in() { printf '  done in %s s\n' $$(($$(date +%s) - begun)); }

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Almanac needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(SAY) "Making the Python environment in $(VENV)"
	@$(TIMED); $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check uv && done_in

$(VENV)/.run: $(UV) requirements.lock pyproject.toml
	@$(SAY) "Installing $$(grep -c '^[a-z0-9].*==' requirements.lock) packages into $(VENV); this can take two minutes"
	@$(TIMED); $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock && \
	  $(UV) pip install --quiet --python $(BIN)/python --no-deps --editable . && done_in
	@touch $@

$(VENV)/.test: $(UV) requirements-dev.lock pyproject.toml
	@$(SAY) "Installing $$(grep -c '^[a-z0-9].*==' requirements-dev.lock) packages into $(VENV); this can take two minutes"
	@$(TIMED); $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock && \
	  $(UV) pip install --quiet --python $(BIN)/python --no-deps --editable . && done_in
	@touch $@ $(VENV)/.run

run: $(VENV)/.run ## start Almanac on http://127.0.0.1:8000 with everything it needs
	@ALMANAC_LOG_LEVEL=$${ALMANAC_LOG_LEVEL:-warning} exec $(BIN)/almanac serve

test: $(VENV)/.test packages lint ## lint, then every test
	$(PYTEST) -n $(JOBS) --dist loadfile --no-loadscope-reorder $(TESTS)

# What the everyday loop leaves to `make test`: servers that are killed and restarted, mutations, real file locks.
SMOKE  := $(addprefix tests/functional/,web/test_sign_in.py web/test_route_guards.py \
  web/reminders/api/test_invoice_to_sent_mail.py web/home/test_home.py)
quick: $(VENV)/.test ## the everyday loop: lint of changed files, types, unit and architecture tests, a functional smoke test
	@files=$$(git diff --name-only --diff-filter=d HEAD -- '*.py'; git ls-files --others --exclude-standard -- '*.py'); \
	  [ -z "$$files" ] || { $(BIN)/ruff check $$files && $(BIN)/ruff format --check $$files; }
	@$(BIN)/mypy
	$(PYTEST) -n $(JOBS) --dist loadfile -m 'not slow and not lengthy' tests/unit tests/architecture $(SMOKE)

coverage: $(VENV)/.test packages ## branch coverage of src by the whole suite, and its floor
	@rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(TESTS)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report --skip-covered --sort=cover

packages: $(VENV)/.test
	@$(BIN)/python tests/debian_packages.py

lint: $(VENV)/.test ## ruff, mypy, templates
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/djlint --check --lint --quiet src

format: $(VENV)/.test ## rewrite code and templates in the house format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/djlint --reformat --quiet src

bench: $(VENV)/.test ## compare with peers, which are installed apart; BENCH=name for one of the tables
	@tests/bench/run.sh $(BENCH)

load: $(VENV)/.test ## work at all desks without a pause; PROFILE, SECONDS, CLIENTS, SOAK=1, URL
	@$(BIN)/python tests/load/run.py --profile $(PROFILE) --seconds $(SECONDS) --clients $(CLIENTS) \
	  $(if $(SOAK),--soak) $(if $(URL),--url $(URL))

prove: $(VENV)/.test ## prove the promise under kills and load; PROVE_SECONDS, PROVE=--write keeps the figures
	@$(BIN)/python tests/prove/run.py $(PROVE)

lock: $(UV) ## resolve pyproject.toml again into the two lock files
	$(UV) pip compile --quiet pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --output-file requirements-dev.lock
	$(UV) pip compile --quiet pyproject.toml --universal --python-version 3.11 --constraint requirements-dev.lock \
	  --generate-hashes --no-emit-index-url --no-header --output-file requirements.lock

audit: $(VENV)/.run ## tell which packages are behind, and ask a database for known faults; fails where it can't be asked
	@$(UV) pip list --quiet --outdated --python $(BIN)/python
	@$(UV) tool run --quiet pip-audit --strict --require-hashes --disable-pip --progress-spinner off --desc off \
	  --requirement requirements.lock || \
	  { echo "The audit found a fault, or could not ask about every package; see above."; exit 1; }

clean: ## remove the environment and caches, never the data folder
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

locales: $(VENV)/.test ## bring the translation files up to date with the code, and list what is untranslated
	@$(BIN)/python docs/locales.py

docs: $(VENV)/.test ## write the reference pages that follow from the code
	@$(BIN)/python docs/generate.py

pictures: $(VENV)/.test packages ## take the pictures of docs/images anew, from the demo content
	@$(BIN)/python tests/pictures.py
