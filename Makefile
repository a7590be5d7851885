# Everything a fresh machine needs is made here: python3 >= 3.11 with venv, and make.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin

.PHONY: demo test lint types layers unit pythons bench generate clean

$(VENV)/.installed: pyproject.toml requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

demo: $(VENV)/.installed
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: lint types layers unit

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed
	$(BIN)/mypy

layers: $(VENV)/.installed
	$(BIN)/lint-imports --no-cache

unit: $(VENV)/.installed
	$(BIN)/pytest -n 2

# The unit tests again on every other supported Python that this machine has.
pythons: $(VENV)/.installed
	@for v in 3.12 3.13; do \
	  if command -v python$$v >/dev/null 2>&1 && python$$v -c pass 2>/dev/null; then \
	    echo "== python$$v"; \
	    $(MAKE) --no-print-directory unit PYTHON=python$$v VENV=.venv-$$v || exit 1; \
	  else echo "== python$$v is not installed here: skipped"; fi; \
	done

# What is made from the code and stands in the repository: completions/, docs/rules.md.
generate: $(VENV)/.installed
	$(BIN)/python scripts/generate.py

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks.run $(BENCH)

clean:
	rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
