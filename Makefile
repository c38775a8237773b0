# Every target sets up .venv from the lock first, where it is missing or stale; setup does only that.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python
CHAPTERS = $(sort $(notdir $(patsubst %/__main__.py,%,$(wildcard chapters/c[0-9][0-9]/__main__.py))))

.PHONY: setup tour test browser gallery bench soak lint lock record docs docs-serve docs-zip clean other-python

setup: .venv/ready
	@echo "The environment is ready. Next:"
	@echo "    . .venv/bin/activate             enters it"
	@echo "    python -m chapters.c01           runs the first chapter"
	@echo "    make tour                        runs every chapter in turn"

tour: .venv/ready
	@set -e; for chapter in $(CHAPTERS); do $(RUN) -m chapters.$$chapter; done
	@$(RUN) -m chapters next

test: .venv/ready
	$(RUN) -m pytest -n 4 --dist loadfile --no-loadscope-reorder

# The attack in Chromium, and every page of the site in it; AXE_JS may name a copy of axe.min.js.
browser: .venv/ready
	$(RUN) -m pytest -m browser -n 2

gallery: .venv/ready
	$(RUN) -m tests.gallery

bench: .venv/ready
	$(RUN) -m tests.bench

soak: .venv/ready
	$(RUN) -m pytest -m soak -s

lint: .venv/ready
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

# Hashes for every platform, and no address: whoever installs uses the index they trust.
lock: .venv/ready
	$(RUN) -m uv pip compile pyproject.toml --universal --python-version 3.11 --upgrade \
	    --group test --group docs --group lint --group lock --generate-hashes --no-header --no-annotate --quiet \
	    --output-file requirements.lock

record: .venv/ready
	$(RUN) -m tests.docs.record

docs: .venv/ready
	$(RUN) -m mkdocs build --strict --quiet

docs-zip: .venv/ready
	rm -rf dist && mkdir -p dist
	$(RUN) -m mkdocs build --strict --quiet --config-file mkdocs-offline.yml
	cd dist && ../$(RUN) -m zipfile -c mcp-in-the-harness.zip site
	@echo "dist/mcp-in-the-harness.zip: unpack it and open site/index.html"

docs-serve: .venv/ready
	$(RUN) -m mkdocs serve

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis site dist

# Stale is what was made from another lock, for another folder or for another Python, or has lost
# its Python. Times say nothing: a copied clone has new ones.
LOCK := $(shell cksum < requirements.lock)
PLACE := $(RUN) -c 'import sys; print(sys.prefix, *sys.version_info[:2])'
ifneq ($(LOCK) $(shell $(PLACE) 2>/dev/null),$(shell cat .venv/ready 2>/dev/null))
.PHONY: .venv/ready
endif

# What is installed stays, so that a copy, or one with another Python of the same version, needs no
# network: it gets the paths of its new folder, and pip finds everything there.
.venv/ready:
	@$(RUN) -c 'import pip' 2>/dev/null || $(MAKE) --no-print-directory other-python
	@$(RUN) -m venv --without-pip .venv
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@echo "$(LOCK) $$($(PLACE))" > $@

other-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "This book needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	rm -f .venv/bin/python*
	$(PYTHON) -m venv .venv
