# SPDX-License-Identifier: MIT
# The front door: every target sets up what it needs first, and CMake presets do the work.
#
#   make run      let a mountain range rise under rain, leave pictures and maps in out/
#   make test     build and run all that a change can break: three minutes on two cores
#   make help     the rest

PRESET ?= release
PREFIX ?= /usr/local
SCENE ?= scenes/range.yaml
OUT ?= out
BUILD := build/$(PRESET)

build_packages := cmake ninja-build gcc libc6-dev pkg-config libgdal-dev libopenexr-dev \
                  libfyaml-dev libudunits2-dev libjansson-dev libnetcdf-dev zlib1g-dev
test_packages  := $(build_packages) libcmocka-dev librandom123-dev locales git python3
ci_packages    := $(test_packages) g++ clang clang-format-14 clang-tidy-14 libclang-rt-14-dev \
                  ccache universal-ctags libwebsockets-dev
python_packages := $(build_packages) python3 python3-numpy python3-xarray python3-netcdf4 python3-venv python3-pip \
                  python3-setuptools python3-wheel mypy
ports_packages := $(test_packages) gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user clang llvm lld wasi-libc \
                  libclang-rt-14-dev-wasm32 gcc-mingw-w64-x86-64-posix wine64
studio_packages := $(build_packages) libwebsockets-dev clang-19 lld-19 llvm wasi-libc libclang-rt-19-dev-wasm32 binaryen
studio_test_packages := $(studio_packages) chromium git

.PHONY: help setup setup-test setup-ci setup-ports setup-python setup-studio setup-test-studio build run test test-all \
        build-tests mutation ports python blender qgis gltf mpi test-mpi docs studio test-studio coverage golden \
        bench sheet install format format-check tidy clean

help:
	@echo 'make setup              install the Debian packages the build needs (root or sudo)'
	@echo 'make build              build the library and the command in $(BUILD)'
	@echo 'make run                run $(SCENE), leave pictures and maps in $(OUT)/'
	@echo 'make test               build and run all that a change can break: three minutes on two cores'
	@echo 'make test-all           the same, long validations, all compilers and gaps: half an hour'
	@echo 'make mutation           run the fast tests against mutants of the library: do they fail?'
	@echo 'make studio             build the page to see and paint terrain, and open it in the browser'
	@echo 'make test-studio        test that page in Chromium, and its server'
	@echo 'make ports              build for 64-bit ARM, WebAssembly and Windows, test in emulators'
	@echo 'make python             make the Python wheel and test it in a bare virtual environment'
	@echo 'make blender            make the Blender add-on and test it in Blender without a window'
	@echo 'make qgis               make the QGIS plugin and test it in QGIS without a window'
	@echo 'make gltf               read meshes that wadi convert writes with a validator'
	@echo 'make mpi                build library and command for MPI ranks; make test-mpi runs them on 1, 2 and 4'
	@echo 'make docs               make the documentation as a site in $(OUT)/docs'
	@echo 'make coverage           count the lines that the fast tests run, file by file'
	@echo 'make bench              measure speed beside the plain serial versions'
	@echo 'make sheet              draw docs/pictures/contact-*.jpg anew: forty runs from noise'
	@echo 'make install PREFIX=... install library, headers and command (now $(PREFIX))'
	@echo 'make format             lay out every C file with clang-format 14'
	@echo 'make tidy               read every C file with clang-tidy 14'
	@echo 'make clean              remove build/ and $(OUT)/'
	@echo 'PRESET=debug|asan|tsan|coverage picks another build'

# Only what is missing is installed, so that repeats are instant. Package lists are fetched only
# when there are none or they are too old to install from.
define install_packages
	@missing=; for p in $(1); do \
	    [ "$$(dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null)" = installed ] \
	        || missing="$$missing $$p"; \
	done; \
	if ! command -v dpkg-query >/dev/null; then \
	    echo 'not a Debian system: please install by hand:$(1)'; \
	elif [ -n "$$missing" ]; then \
	    sudo=; [ "$$(id -u)" = 0 ] || sudo=$$(command -v sudo) \
	        || { echo "not root and no sudo: please have root install$$missing"; exit 1; }; \
	    apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -q"; \
	    echo "installing$$missing"; \
	    $$apt install --no-install-recommends $$missing >/dev/null 2>&1 \
	        || { $$apt update && $$apt install --no-install-recommends $$missing; }; \
	fi
endef

setup:
	$(call install_packages,$(build_packages))

setup-test:
	$(call install_packages,$(test_packages))

setup-ci:
	$(call install_packages,$(ci_packages))

build: setup
	@cmake --preset $(PRESET) -DWADI_TESTS=OFF >/dev/null
	@cmake --build --preset $(PRESET)

run: build
	@mkdir -p $(OUT)
	$(BUILD)/cli/wadi run $(SCENE) -o $(OUT)
	@echo "in $(OUT)/:" && ls -l $(OUT)

build-tests: setup-test
	@cmake --preset $(PRESET) -DWADI_TESTS=ON >/dev/null
	@cmake --build --preset $(PRESET)

# Tests by label (test/CMakeLists.txt), which must leave the source tree as it is. One more than there are
# cores, as some wait for files or for each other.
run_tests = test/house/clean.sh . ctest --test-dir $(BUILD) --output-on-failure -j $$(($$(nproc) + 1))

test: build-tests
	$(run_tests) -LE 'slow|bench'

# Mutants first, then all in one run of ctest, so that nothing runs twice and its summary, of all, comes last.
# Mutants meet the tests that their lists name: stricter, and without the minutes in which each survivor
# meets all the others.
test-all: build-tests
	test/house/clean.sh . $(MAKE) --no-print-directory mutation MUTATION='$(or $(MUTATION),--own)' $(if $(wildcard test/ports/run.sh),ports) python blender qgis docs
	$(run_tests) -LE bench

setup-ports:
	$(call install_packages,$(ports_packages) $(if $(shell command -v node),,nodejs))

# Cross builds, each with all golden values and some unit tests, in the platform's emulator.
ports: setup-ports
	@for preset in aarch64 wasm windows; do test/ports/run.sh $$preset || exit 1; done

# Node comes from Debian unless there is one; studio/with-node.sh sees to its version.
node_packages = $(if $(shell command -v npm),,nodejs npm)

setup-studio:
	$(call install_packages,$(studio_packages) $(node_packages))

setup-test-studio:
	$(call install_packages,$(studio_test_packages) $(node_packages))

# The studio: out/studio is a complete static site for any host. STUDIO_SERVE=0 only builds;
# STUDIO_SCENE=FILE opens a scene.
STUDIO_SERVE ?= 1
STUDIO_SCENE ?=
studio: setup-studio
	@cmake --preset $(PRESET) -DWADI_STUDIO=ON >/dev/null
	@cmake --build --preset $(PRESET) --target wadi wadi-studio
	studio/build.sh $(OUT)/studio
	@[ "$(STUDIO_SERVE)" = 0 ] || exec $(BUILD)/cli/wadi studio $(STUDIO_SCENE) --site $(OUT)/studio

# Pictures of the page and what it measured are left in build/studio-test. Two files of tests run at a time, each
# with a browser and servers of its own: one alone waits for frames and timers half of the time.
test-studio: setup-test-studio
	@$(MAKE) --no-print-directory studio STUDIO_SERVE=0
	WADI=$(CURDIR)/$(BUILD)/cli/wadi STUDIO_SITE=$(CURDIR)/$(OUT)/studio \
	    studio/with-node.sh node --test --test-concurrency=2 --test-reporter=spec studio/test/*.test.mjs

setup-gltf:
	$(call install_packages,$(test_packages) $(node_packages))
	npm install --silent --no-save --prefix build/gltf gltf-validator@2.0.0-dev.3.10

# Meshes that `wadi convert` writes, read by the validator of Khronos.
gltf: setup-gltf build-tests
	$(run_tests) -R '^cli.maps$$'

setup-python:
	$(call install_packages,$(python_packages))

# The wheel is left in $(BUILD)/python/wheel.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
python: setup-python
	@[ -f $(BUILD)/CMakeCache.txt ] || cmake --preset $(PRESET) -DWADI_TESTS=OFF >/dev/null
	@cmake --build --preset $(PRESET) --target python wadi | tail -1
	@python/test.sh $(PYTHON) $(BUILD)

# Both zips are left in $(BUILD).
blender: python
	$(call install_packages,blender)
	@integrations/blender/package.sh $(BUILD)

qgis: build
	$(call install_packages,qgis python3-qgis)
	@integrations/qgis/package.sh $(PYTHON) $(BUILD)

# Windows on MPI ranks, with the MPI that is there or Open MPI. A compiler of MPI may be there without its headers. -U: CMake
# keeps it when no MPI was found, and would not look again.
mpi: setup-test
	$(call install_packages,$(if $(shell mpicc -fsyntax-only -include mpi.h -x c /dev/null 2>/dev/null && echo yes),,libopenmpi-dev openmpi-bin))
	@cmake --preset $(PRESET) -U 'MPI_*' -DWADI_TESTS=ON -DWADI_MPI=ON >/dev/null
	@cmake --build --preset $(PRESET) --target wadi wadi-mpi test_mpi

test-mpi: mpi
	@ctest --test-dir $(BUILD) --output-on-failure -L mpi

docs: build
	$(call install_packages,mkdocs mkdocs-material)
	@mkdir -p $(BUILD)/docs
	@$(PYTHON) docs/site/site.py . $(BUILD)/cli/wadi $(BUILD)/docs $(OUT)/docs

# Which lines the fast tests run, file by file.
coverage: setup-test
	@cmake --preset coverage -DWADI_TESTS=ON >/dev/null
	@cmake --build --preset coverage
	ctest --test-dir build/coverage --quiet --output-on-failure -L fast -j $$(nproc)
	@test/house/coverage.sh . build/coverage

# Can the fast tests fail? Each of the mutants in test/mutation/*.txt must make one of them fail.
# MUTATION=--own: one of those that its list names.
mutation: setup-test
	test/mutation/run.py $(MUTATION)

# New golden values; a changelog entry must name the physics they change.
golden: setup-test
	@cmake --preset $(PRESET) -DWADI_TESTS=ON >/dev/null
	@cmake --build --preset $(PRESET) --target golden golden_scene_print
	@$(BUILD)/test/golden/golden 1 > $(BUILD)/golden.txt && mv $(BUILD)/golden.txt test/golden/golden.txt
	@test/golden/scene/rows.sh $(BUILD)/test/golden/golden_scene_print scenes/wadi.yaml > test/golden/scene/rows.c
	@cmake --build --preset $(PRESET) --target golden_scene
	@$(BUILD)/test/golden/golden_scene 1 > $(BUILD)/scene.txt && mv $(BUILD)/scene.txt test/golden/scene.txt
	@git diff --stat test/golden

bench: build
	$(BUILD)/cli/wadi bench hydraulic

sheet: build
	$(call install_packages,python3-pil)
	docs/contact-sheet.py $(BUILD)/cli/wadi docs/pictures

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

c_files = git ls-files '*.c' '*.h' '*.cpp'

format:
	@$(c_files) | xargs clang-format-14 -i

format-check:
	@wrong=$$($(c_files) | xargs clang-format-14 --dry-run 2>&1 | sed -n 's/^\([^:]*\):.*warning:.*/\1/p' | sort -u); \
	[ -z "$$wrong" ] || { echo "$$wrong"; echo 'not laid out as .clang-format says; run make format'; exit 1; }

tidy: setup-ci
	@cmake --preset $(PRESET) -DWADI_TESTS=ON >/dev/null
	@git ls-files 'src/*.c' 'io/*.c' 'cli/*.c' 'test/*.c' \
	    | xargs -P $$(nproc) -n 4 clang-tidy-14 --quiet -p $(BUILD)

clean:
	@rm -rf build $(OUT)
