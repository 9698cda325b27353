# The commands of the project. Each installs the Debian packages that it misses, builds with ninja, and runs.
#   make demo            train a network on real digits
#   make test            build and run every test but the nightly ones
#   make python          .venv, with the Python module and JAX to compare with
#   make api             the stubs and the page of coverage, after names or signatures have changed
#   make lint            layers, sizes, format; everything compiles without a warning
#   make test-sanitize   the tests under address, undefined-behaviour and thread sanitizers
#   make test-nightly    sanitizers and exhaustive checks; goes on where it was stopped
#   make bench           benchmarks beside JAX, where there is one
#   make install PREFIX=DIR   headers, libcotan and find_package(cotan)
#   make format | docs | clean
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
export CMAKE_BUILD_PARALLEL_LEVEL = $(JOBS)

PYTHON = .venv/bin/python
# $(call build,PRESET,TARGETS)
build = cmake --preset $(1) $(if $(filter dev release,$(1)),-DCOTAN_PYTHON=$(if $(wildcard $(PYTHON)),ON,OFF) -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON)) >/dev/null && cmake --build --preset $(1) --target $(2)

.PHONY: demo test python api environment test-sanitize test-nightly lint format bench install docs clean packages
.DEFAULT_GOAL := demo

packages:
	@tools/bootstrap.sh build

environment: packages
	@tools/bootstrap.sh python
	@tools/python_env.sh

python: environment
	@$(call build,dev,_cotan)
	@$(PYTHON) -c "import cotan; print('cotan in .venv; try: .venv/bin/python -m cotan PROGRAM.py')"

api: python
	@$(PYTHON) tools/stubs.py
	@$(PYTHON) tools/api_coverage.py

demo: packages
	@$(call build,dev,digits)
	build/dev/examples/digits

test: environment
	@$(call build,dev,all)
	@python3 tools/run_tests.py dev

test-sanitize: packages
	@$(call build,asan,all)
	@python3 tools/run_tests.py asan
	@$(call build,tsan,all)
	@python3 tools/run_tests.py tsan

test-nightly: packages
	@tools/bootstrap.sh nightly
	@python3 tools/nightly.py

lint: packages
	@tools/bootstrap.sh lint
	@python3 tools/lint.py
	@$(call build,dev,all)
	@echo "lint: clean"

format:
	@tools/bootstrap.sh lint
	@python3 tools/lint.py --format

bench: python
	@$(call build,release,benchmarks _cotan)
	@COTAN_JAX_PYTHON=$${COTAN_JAX_PYTHON:-$(PYTHON)} python3 bench/beside_jax.py build/release/bench/bench_*
	@PYTHONPATH=build/release/python $(PYTHON) bench/python.py
	@PYTHONPATH=build/release/python $(PYTHON) bench/compiled.py

install: packages
	@$(call build,release,cotan)
	@cmake --install build/release --prefix "$(PREFIX)"

docs: packages
	@python3 tools/docs.py

clean:
	rm -rf build
