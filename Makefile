# Thin wrappers around CMake; `make test` and `make demo` work on a bare Debian 12.
JOBS ?= $(shell nproc)
# A Python that has torch and safetensors, for `make compare` and `make golden`.
PYTHON ?= python3
# How long `make fuzz` gives each reader.
FUZZ_SECONDS ?= 60
SOURCES = $(shell find include src python/src tests bench examples fuzz tools -name '*.cpp' -o -name '*.h' -o -name '*.inc')
# What clang-tidy reads; `make lint TIDY=src/ops/matmul.cpp` for another choice.
TIDY ?= $(wildcard src/core/*.cpp src/autograd/*.cpp)

# Looked up when used, since `setup` may only just have installed it. A tree that is already configured keeps its own.
configure = $(if $(shell which ninja),CMAKE_GENERATOR=Ninja) cmake --preset $(1) $(2) >/dev/null
build = $(call configure,$(1),$(2)) && cmake --build --preset $(1) -j $(JOBS)
# Under strong address randomisation g++ 12's ThreadSanitizer finds no room for its shadow.
fixed_addresses = $(if $(shell setarch -R true 2>/dev/null && echo yes),setarch -R)

# What depends on the kernels of an instruction set, and the sets (TAUT_ISA) below the one this machine runs anyway.
LOWER_LEVELS = 0 $(if $(shell grep -m1 avx512vl /proc/cpuinfo),1)
KERNEL_TESTS = sweep|kernel|gemm|conv|attention|^nn_|optim|train
KERNEL_PYTHON_TESTS = $(patsubst %,python/tests/test_%.py,ops nn_golden optim optim_table same_numbers)

# The package's own environment. Its requirements are installed anew when they change.
VENV = .venv
in_venv = $(VENV)/bin/python -m
python_flags = -DTAUT_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(VENV)/bin/python

# Python itself is not built with the sanitizer, so it must be loaded first. Leaks are Python's own business.
python_under_asan = LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" PYTHONMALLOC=malloc PYTHONPATH=build/asan/python \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 TAUT_HOSTILE_EXAMPLES=$(1) \
	$(in_venv) pytest python/tests/test_hostile.py python/tests/test_hostile_sizes.py python/tests/test_ops.py python/tests/test_snippets.py \
	$(wildcard python/tests/test_autograd*.py)

.PHONY: setup venv python wheel-as-torch generate sweep golden demo test test-cpp test-python certify test-sanitize test-asan test-asan-core test-asan-python test-tsan test-levels test-arm64 fuzz compare bench bench-against bench-instructions format check-format lint mutants docs libraries deb clean

setup:
	@tools/setup.sh build

venv: setup
	@tools/venv.sh $(VENV) python/requirements.txt

# Builds the wheel from the objects of the release build and installs it.
python: venv
	@$(call build,release,$(python_flags)) --target taut_python
	@$(in_venv) pip install --quiet --no-build-isolation --no-deps --force-reinstall -C build-dir=build/release .

# A wheel of a few files that makes `import torch` give Taut in an environment, in build/as-torch.
wheel-as-torch:
	@python3 tools/as_torch_wheel.py build/as-torch

demo: setup
	@$(call build,release) --target demo digits
	@build/release/examples/demo
	@build/release/examples/digits
	@$(MAKE) --no-print-directory python
	@$(VENV)/bin/python examples/digits.py

test: test-cpp test-python

test-cpp: venv
	@$(call build,release,$(python_flags))
	@ctest --preset release

test-python: python
	@$(in_venv) pytest

# Writes anew what comes from the registry and from the tables of layers: the public headers of the ops, the layers of both
# faces, the types and tables of the Python package; and what the library weighs.
generate: venv
	@python3 tools/layers.py
	@$(call build,release) --target dump_ops taut taut_numeric
	@build/release/tests/dump_ops | python3 tools/op_headers.py
	@python3 tools/torch_headers.py $${CXX:-g++}
	@$(MAKE) --no-print-directory python
	@$(VENV)/bin/python tools/python_stubs.py
	@$(VENV)/bin/python tools/python_coverage.py
	@$(VENV)/bin/python tools/absent_names.py
	@python3 tools/sizes.py build/release

# The sweep of some ops: make sweep OP=softmax, or OP='cum*' for several.
SWEEPS = $(addprefix sweep_,$(addsuffix _test,values gradient autograd forward_mode threads))
of_op = --gtest_filter='*/$(OP):*/$(OP)_overload_*'
sweep: setup
	@$(call build,release) --target $(SWEEPS)
	@build/release/tests/sweep_values_test --gtest_list_tests $(of_op) | grep -q ^Op || { echo "sweep: no op is called '$(OP)'" >&2; exit 1; }
	@for test in $(SWEEPS); do build/release/tests/$$test --gtest_brief=1 $(of_op) || exit 1; done

# PyTorch's answers to the sample calls of some ops: make golden OP="softmax log_softmax" PYTHON=a Python with torch. Without OP,
# those of all ops; then last digits change, where PyTorch's processor is another one.
golden: setup
	@$(call build,release) --target dump_samples
	@build/release/tests/dump_samples | $(PYTHON) tools/golden_ops.py tests/golden $(OP)
	@build/release/tests/dump_samples | $(PYTHON) tools/golden_writes.py tests/golden $(OP)
	@build/release/tests/dump_samples | $(PYTHON) tools/golden_out.py tests/golden/out.txt $(OP)

# The fingerprints of tests/golden/certificate.txt at every instruction level with fused multiply-add that this machine
# has, with 1 and 3 threads; part of `make test`. RECORD=1 writes the file anew.
certify: setup
	@$(call build,release) --target certificate_tests
	@$(if $(RECORD),tools/certify.sh build/release,ctest --preset release --label-regex '^certificate$$')

test-sanitize: test-asan test-tsan fuzz

test-asan: venv
	@$(call build,asan,$(python_flags))
	@ctest --preset asan
	@$(call python_under_asan,20)

test-asan-core: setup
	@$(call build,asan) --target core_tests
	@ctest --preset asan --label-regex core

# Random arguments for every public function of the Python package, under AddressSanitizer; and what else may touch memory.
test-asan-python: venv
	@$(call build,asan,$(python_flags)) --target taut_python
	@$(call python_under_asan,3)

test-tsan: setup
	@$(call build,tsan)
	@$(fixed_addresses) ctest --preset tsan

# Level 0 has no fused multiply-add and rounds otherwise; all golden comparisons of floats go by tolerance.
test-levels: python
	@$(call build,release,$(python_flags))
	@for level in $(LOWER_LEVELS); do export TAUT_ISA=$$level; echo "TAUT_ISA=$$level"; \
	  ctest --preset release -R '$(KERNEL_TESTS)' -E at_level && $(in_venv) pytest -q $(KERNEL_PYTHON_TESTS) || exit 1; done

# Cross-compiled for ARM64 and run under qemu-user: the core tests and the certificate. Not part of CI: it takes long.
test-arm64:
	@tools/setup.sh build arm64
	@$(call build,arm64) --target core_tests certificate_tests
	@ctest --preset arm64

fuzz:
	@tools/setup.sh build sanitize
	@$(call build,fuzz)
	@fuzz/run.sh build/fuzz $(FUZZ_SECONDS)

# Files that Taut wrote, opened by PyTorch, NumPy and safetensors, and the other way round (MEGABYTES=200 also takes times);
# then random programs in both (GRAPHS=1000 for fewer, SEED=1 for others).
compare: venv
	@$(call build,release,$(python_flags)) --target file_tool taut_python
	@$(PYTHON) tools/compare_files.py build/release/tests/file_tool $(MEGABYTES)
	@$(PYTHON) tools/compare_graphs.py --taut $(VENV)/bin/python --graphs $(or $(GRAPHS),20000) --seed $(or $(SEED),0)

# Taut beside PyTorch, torch.compile and JAX (bench/run.py). WHAT=softmax takes the rows whose name or group matches.
bench: venv
	@tools/venv.sh build/bench-env bench/requirements.txt || echo "bench: going on without PyTorch and JAX."
	@$(call build,release,$(python_flags)) --target benchmarks taut taut_python
	@$(VENV)/bin/python bench/run.py '$(WHAT)'

# This checkout beside another one, built there by `make python`: make bench-against OTHER=../older WHAT=softmax
bench-against: venv
	@$(call build,release,$(python_flags)) --target taut_python
	@$(VENV)/bin/python bench/against.py $(OTHER) '$(WHAT)'

# Counts the overhead rows' instructions against bench/instructions.txt; RECORD=1 writes that file.
bench-instructions:
	@tools/setup.sh build bench
	@$(call build,release) --target bench_overhead
	@python3 bench/instructions.py build/release/bench/overhead $(if $(RECORD),--record)

format: venv
	@tools/setup.sh lint
	@clang-format-14 -i $(SOURCES)
	@$(in_venv) ruff check --quiet --fix

# Format and rules of C++ and Python, and what texts promise that can be checked: seconds.
check-format: venv
	@tools/setup.sh lint
	@clang-format-14 --dry-run --Werror $(SOURCES)
	@$(in_venv) ruff check --quiet
	@python3 tools/check_texts.py

# That, then clang builds the library and every source of the tests, and clang-tidy reads the core.
lint: check-format
	@$(call build,clang) --target taut test_objects
	@printf '%s\n' $(TIDY) | xargs -P $(JOBS) -n 4 clang-tidy-14 --quiet -p build/clang

# Plants small faults one at a time and lists those that no test notices; COUNT=20 SEED=1 for another choice, RETRY=1 to try
# those that survived once more.
mutants: venv
	@python3 tools/mutants.py $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(RETRY),--retry)

# The table of docs/libraries.md: two Pythons with the libraries, the first with Taut and without torch, the second with PyTorch.
libraries:
	@python3 tools/libraries.py $(or $(TAUT_PYTHON),$(error TAUT_PYTHON=...: a Python with Taut and the libraries)) $(or $(TORCH_PYTHON),-) $(TASKS)

# The site: guides, gallery of the examples and reference, in build/site; open build/site/index.html.
docs: python
	@tools/venv.sh build/docs-env docs/requirements.txt
	@$(call build,release,$(python_flags)) --target dump_ops $(basename $(notdir $(wildcard examples/*.cpp)))
	@$(VENV)/bin/python tools/site/pages.py build/release build/docs
	@NO_MKDOCS_2_WARNING=1 build/docs-env/bin/mkdocs build --quiet --strict
	@python3 tools/site/links.py build/site
	@echo "docs: open build/site/index.html"

# Debian packages, in build/packages; CHECK=1 tries them in a new Debian (packaging/deb/check.sh; needs root and debootstrap).
deb: setup
	@tools/setup.sh deb
	@$(call build,deb)
	@rm -rf build/packages
	@cpack --config build/deb/CPackConfig.cmake -B build/packages >/dev/null
	@rm -rf build/packages/_CPack_Packages
	@ls build/packages/*.deb
	@$(if $(CHECK),packaging/deb/check.sh build/packages)

clean:
	@rm -rf build
