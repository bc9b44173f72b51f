# The thin front of CMake. `make demo` and `make test` are all that a newcomer needs.
BUILD ?= build
PREFIX ?= /usr/local
SECONDS_EACH ?= 30
CMAKE_FLAGS ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all deps demo test wheel sdist benches bench bench-mpi site check-asan check-damage check-faults check-tsan check-valgrind check-thorough check-fresh check-new-engine lint analyze fuzz fuzz-fixed format install portable package check-deb check-reproducible check-gpu clean

all: $(BUILD)/build.ninja
	cmake --build $(BUILD) -j $(JOBS)

$(BUILD)/build.ninja:
	@scripts/deps.sh --run
	cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS)

deps:
	@scripts/deps.sh --all

demo:
	@scripts/deps.sh --demo
	@$(MAKE) --no-print-directory all
	@examples/coo_sphere/run.sh $(BUILD)/src/sonde $(BUILD)/demo

test:
	@scripts/deps.sh --all
	cmake -S . -B $(BUILD) -G Ninja -DSONDE_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	@tests/run.sh $(BUILD) $(JOBS)

benches: all
	cmake --build $(BUILD) --target benches -j $(JOBS)

bench: benches
	$(BUILD)/bench/bench_build
	$(BUILD)/bench/bench_debye
	$(BUILD)/bench/bench_order
	$(BUILD)/bench/bench_pattern cpu
	$(BUILD)/bench/bench_pattern
	$(BUILD)/bench/bench_precision
	$(BUILD)/bench/bench_coulomb cpu
	$(BUILD)/bench/bench_coulomb
	$(BUILD)/bench/bench_fdtd cpu
	$(BUILD)/bench/bench_fdtd_cache
	$(BUILD)/bench/bench_fdtd_jobs cpu
	$(BUILD)/bench/bench_streaming cpu 128 16
	$(BUILD)/bench/bench_pyramids cpu 64 16 inf
	$(BUILD)/bench/bench_library
	$(BUILD)/bench/bench_match
	$(BUILD)/bench/bench_refine
	$(BUILD)/bench/bench_ions cpu
	$(BUILD)/bench/bench_ions
	$(BUILD)/bench/bench_devices

# strong scaling over ranks of MPI, and over the GPUs of the machine if there are some; RANKS and GPUS limit them
RANKS ?= 2
GPUS ?= $(shell nvidia-smi -L 2>/dev/null | wc -l)
bench-mpi: all
	bench/scaling.sh $(BUILD)/src/sonde cpu $(RANKS)
	bench/scaling_model.py $(BUILD)/src/sonde --ranks $(RANKS)
	[ $(GPUS) = 0 ] || bench/scaling.sh $(BUILD)/src/sonde gpu $(GPUS)

# the documentation for a browser, in $(BUILD)/site/html
site:
	@scripts/site.py $(BUILD)/site

check-asan:
	@scripts/deps.sh --all
	LEFT_OUT=$(LEFT_OUT) tests/sanitizers/configure.sh $(BUILD)-asan $(CMAKE_FLAGS)
	cmake --build $(BUILD)-asan -j $(JOBS)
	@SONDE_SANITIZED=1 tests/run.sh $(BUILD)-asan $(JOBS)

# calls that fail one by one, and kill -9: figures and times are in docs/reliability.md
check-faults:
	@scripts/deps.sh --all
	cmake -S . -B $(BUILD) -G Ninja -DSONDE_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	JOBS=$(JOBS) tests/faults/run.sh $(BUILD)/src/sonde $(BUILD)/tests/faults/sonde_faults.so
	tests/faults/kill.sh $(BUILD)/src/sonde

# ten commands on four threads each, and their memory
check-tsan:
	@scripts/deps.sh --all
	cmake -S . -B $(BUILD)-tsan -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DSONDE_SANITIZE=thread $(CMAKE_FLAGS)
	cmake --build $(BUILD)-tsan -j $(JOBS) --target sonde sanitizer_race
	@tests/sanitizers/commands.sh thread $(BUILD)-tsan/src/sonde

check-valgrind: all
	@command -v valgrind >/dev/null || { echo "check-valgrind needs valgrind" >&2; exit 3; }
	@tests/sanitizers/commands.sh valgrind $(BUILD)/src/sonde

check-thorough:
	@scripts/deps.sh --all
	cmake -S . -B $(BUILD) -G Ninja -DSONDE_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	@SONDE_THOROUGH=1 tests/run.sh $(BUILD) $(JOBS)
	SONDE_DATA=data $(BUILD)/tests/physics/physics_ions_oracle all
	LEFT_OUT= tests/sanitizers/configure.sh $(BUILD)-asan $(CMAKE_FLAGS)
	cmake --build $(BUILD)-asan -j $(JOBS)
	@SONDE_THOROUGH=1 SONDE_SANITIZED=1 tests/run.sh $(BUILD)-asan $(JOBS)

# each kind of file that is read, damaged in CASES ways
CASES ?= 2000
check-damage:
	@scripts/deps.sh --all
	cmake -S . -B $(BUILD) -G Ninja -DSONDE_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS) --target sonde damage
	tests/damage/run.sh $(BUILD)/src/sonde $(BUILD)/tests/damage/damage $(CASES) $(JOBS)

# an engine and a back end added to a copy of the source: a folder and a file, and a line each
check-new-engine:
	scripts/check_new_engine.sh

check-fresh:
	scripts/check_fresh.sh

lint:
	@scripts/lint.sh $(BUILD)

# paths through functions, by clang's analyzer; SINCE=REVISION for the sources that differ from it
analyze:
	@scripts/analyze.sh $(BUILD) $(SINCE)

fuzz:
	@BUILD=$(abspath $(BUILD)-asan) JOBS=$(JOBS) tests/fuzz/run.sh $(SECONDS_EACH)

# the same inputs each time
fuzz-fixed:
	@BUILD=$(abspath $(BUILD)-asan) JOBS=$(JOBS) tests/fuzz/run.sh --fixed

format:
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cpp')

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

portable: all
	scripts/portable.sh $(BUILD)

# .deb and .tar.gz, in BUILD/packages
package: all
	cd $(BUILD) && cpack -B packages
	scripts/check_packages.sh $(BUILD)/packages

# the Python package for pip, in BUILD/wheel, and the tables of other owners as a package of their own (docs/python.md)
wheel: all
	cmake --build $(BUILD) --target wheel -j $(JOBS)
	python3 python/wheel.py data $(BUILD)/wheel

sdist:
	python3 python/wheel.py sdist $(BUILD)/wheel

# the packages on fresh systems, as root on Debian; SONDE_DEB_OTHERS="trixie" runs the archive there, too
check-deb: package
	scripts/check_deb.sh $(BUILD)/packages

# two builds in different folders: the same bytes
check-reproducible:
	scripts/check_reproducible.sh

# on a machine with a GPU, from a checkout with what `make portable` staged
check-gpu:
	scripts/check_gpu.sh $(BUILD)

clean:
	rm -rf build build-*
