# Two commands do everything: `make run` opens the app, `make test` runs all tests. Each sets up what it needs.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501

.PHONY: run test check browser sample benchmark clean

run: $(VENV)/.ready-to-run
	$(BIN)/python -m audit_core prepare
	@echo "Assay opens at http://localhost:$(PORT) (stop it with Ctrl-C)"
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: check browser
	$(BIN)/python -m pytest

check: $(VENV)/.ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

browser: $(VENV)/.ready-to-test
	$(BIN)/python -m tests.browser.chromium

sample: $(VENV)/.ready-to-test
	$(BIN)/python data/sample/build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Assay needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready-to-run: requirements.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -r requirements.txt
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.ready-to-test: requirements-dev.txt $(VENV)/.ready-to-run
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -r requirements-dev.txt
	@touch $@

benchmark: browser
	$(BIN)/python -m benchmarks.label_loop --throttle --memory --clients 20

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
