# make demo    install what the demo needs, run it (writes demo-output/)
# make test    install everything, run every check, stop at the first failure
# make lint    ruff, types, layers             make unit    tests and doctests
# make docs    documentation into docs/_build  make smoke   the demo, into a temporary folder
# make stress  the storms of which make test runs a sample: damage, kills, signals
# make plugs   what plugs into other tools, with those tools (into .venv-plugs)
# make room    tests of one room, in seconds: make room ROOM=answers
# make bench   speed and memory                make clean   remove all that make made, .venv and .venv-plugs too
# make release a dry run: wheel and source, installed into an empty environment, and the demo
#
# Everything is installed into .venv, again only when pyproject.toml has changed.
# Another Python: make test PYTHON=/path/to/python3.12 (after make clean).

PYTHON ?=
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
DOCS := docs/_build/html
PY := .venv/bin/python
say := @printf '== %s\n'
# The output of targets that run side by side, each in one piece; make 4 and later.
WHOLE := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

# Without compiled files every process that tests start would compile demur again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Only what has its environment already may run side by side.
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif
.PHONY: help demo test lint unit stress plugs room docs smoke bench release clean

help:
	@sed -n '/^#/!q;s/^# \{0,1\}//p' Makefile

demo: .venv/.demo
	$(say) "demo: demur demo --output demo-output"
	@.venv/bin/demur demo --output demo-output

# Side by side what takes one core each; then the tests, which take all of them.
test: .venv/.test
	@$(MAKE) -j3 $(WHOLE) SIDE_BY_SIDE=yes lint docs smoke
	@$(MAKE) unit
	$(say) "all checks passed"

lint: .venv/.test
	$(say) "ruff check"
	@$(PY) -m ruff check .
	$(say) "ruff format --check"
	@$(PY) -m ruff format --check .
	$(say) "mypy"
	@$(PY) -m mypy
	$(say) "lint-imports"
	@.venv/bin/lint-imports

unit: .venv/.test
	$(say) "pytest, with the doctests of the package, README.md and docs"
	@$(PY) -m pytest -n auto --dist worksteal

stress: .venv/.test
	$(say) "pytest, what tests do of damage, kills and signals beyond their samples"
	@$(PY) -m pytest -n auto -m stress tests
	$(say) "pytest, laws on far more inputs, drawn anew"
	@$(PY) -m pytest -n auto -m hypothesis --hypothesis-profile=storm tests

plugs: .venv-plugs/.made
	$(say) "pytest, what needs the tools that demur plugs into"
	@.venv-plugs/bin/python -m pytest -m plugs -rs tests/plugs

room: .venv/.test
	@test -d src/demur/$(ROOM) || { echo "make room ROOM=one of: $$(ls -d src/demur/*/ | xargs -n1 basename | grep -v __ | tr '\n' ' ')" >&2; exit 2; }
	@$(PY) -m pytest -n auto src/demur/$(ROOM) $(wildcard tests/$(ROOM)) tests/test_registries.py

docs: .venv/.test
	$(say) "docs: $(DOCS)/index.html"
	@$(PY) -m sphinx -W -E --keep-going -q -j auto -b html docs $(DOCS)
	@$(PY) docs/phone.py $(DOCS)

smoke: .venv/.test
	$(say) "demo smoke"
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	.venv/bin/demur demo --output "$$folder/demo" > "$$folder/table" && \
	if [ ! -s "$$folder/table" ]; then echo "demo: it printed nothing" >&2; exit 1; fi && \
	if [ -z "$$(find "$$folder/demo" -name '*.png')" ]; then \
	  echo "demo: there is no picture among its files" >&2; exit 1; fi && \
	if [ -z "$$(find "$$folder/demo" -name '*.html')" ]; then \
	  echo "demo: there is no page among its files" >&2; exit 1; fi && \
	empty=$$(find "$$folder/demo" -type f -empty) && \
	if [ -n "$$empty" ]; then echo "demo: empty files: $$empty" >&2; exit 1; fi && \
	find "$$folder/demo" -type f -exec basename {} \; | sort

bench: .venv/.test
	$(say) "benchmarks"
	@$(PY) benchmarks/curve.py && $(PY) benchmarks/start.py && \
	  $(PY) benchmarks/relations.py

# What is built is what users get: so it is tried without anything of the checkout.
release: .venv/.test
	$(say) "release: the version has its heading in CHANGELOG.md"
	@version=$$($(PY) -c 'import demur; print(demur.__version__)') && \
	grep -q "^## \[$$version\]" CHANGELOG.md && \
	grep -q "^version: $$version$$" CITATION.cff
	$(say) "release: wheel and source into dist"
	@rm -rf dist && $(PY) -m pip install --quiet --disable-pip-version-check build && \
	$(PY) -m build --outdir dist . > /dev/null
	$(say) "release: the wheel, alone in an empty environment"
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	$(PY) -m venv "$$folder/venv" && \
	"$$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check dist/*.whl && \
	cd "$$folder" && venv/bin/demur --version && \
	venv/bin/demur demo --output demo > table && tail -3 table && \
	test -s demo/report.html && venv/bin/demur doctor | sed -n '1,3p'
	$(say) "release: dist is ready; CONTRIBUTING.md lists what people do"

clean:
	rm -rf .venv .venv-plugs demo-output docs/_build dist .hypothesis .import_linter_cache \
	  .mypy_cache .pytest_cache .ruff_cache
	@find src tests docs benchmarks examples -name __pycache__ -type d -prune \
	  -exec rm -rf {} + 2>/dev/null || true

# -- set-up ------------------------------------------------------------------------

.venv/.demo: pyproject.toml | .venv/.made
	$(say) "installing demur with what the demo needs into .venv"
	@$(PY) -m pip install --quiet --disable-pip-version-check -e ".[plot,learn]"
	@touch $@

.venv/.test: pyproject.toml | .venv/.made
	$(say) "installing demur and its development tools into .venv (some minutes, once)"
	@$(PY) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-compile -e ".[all]" --group dev
	@touch .venv/.demo $@

# An environment of its own: these tools bring some two hundred packages.
.venv-plugs/.made: pyproject.toml | .venv/.made
	$(say) "installing the tools that demur plugs into into .venv-plugs (minutes, once)"
	@$(PY) -m venv .venv-plugs
	@.venv-plugs/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@.venv-plugs/bin/python -m pip install --quiet --disable-pip-version-check -e ".[plot,learn,zstd,parquet]" --group plugs
	@if command -v npm > /dev/null; then \
	  npm install --prefix .venv-plugs --no-audit --no-fund --silent promptfoo; \
	else echo "there is no npm here, so promptfoo is left out" >&2; fi
	@touch $@

# Debian ships Python without the part that makes an environment able to install.
.venv/.made:
	@seen= recent=; \
	for each in $(if $(PYTHON),"$(PYTHON)",$(PYTHONS)); do \
	  version=$$("$$each" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
	  seen="$$seen $$version"; \
	  "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || continue; \
	  recent="$$each $$version"; package="python$${each##*python}-venv"; \
	  "$$each" -c 'import ensurepip, venv' 2>/dev/null || continue; \
	  printf '== making .venv with Python %s\n' "$$version"; \
	  "$$each" -m venv .venv && touch $@; exit; \
	done; \
	if [ -n "$$recent" ]; then \
	  echo "demur: Python $${recent##* } has no venv module: apt install $$package"; \
	elif [ -n "$(PYTHON)" ]; then \
	  echo "demur: PYTHON must be Python 3.11 or newer; got $(PYTHON) (version:$${seen:- none, it does not run})"; \
	elif [ -n "$$seen" ]; then \
	  echo "demur: Python 3.11 or newer is missing (found:$$seen): apt install python3.11 python3.11-venv, or name one: make PYTHON=/path/to/python"; \
	else \
	  echo "demur: Python is missing: apt install python3 python3-venv"; \
	fi >&2; exit 1
