# `make demo` and `make test` are all that users need; the other targets are for development.
SWIFT ?= swift
SWIFT_FLAGS ?=
SANITIZED = -Xswiftc -use-ld=lld
# Tests that measure how cost grows with size, which is meaningless with a sanitizer.
SANITIZED_SKIP = --skip 'thousand|flatness|noGrowth'
FORMATTED = Package.swift Plugins Sources Tests Benchmarks Fuzz Examples
FUZZ_COUNT ?= 100000
FUZZ_SEED ?= 1
# A module comes after those that its pages link to.
DOCUMENTED = simd ARKit CoreBluetooth AccessorySetupKit CoreLocation MultipeerConnectivity NearbyInteraction NearbyAccessory NearbyPeers NearbyPosition NearbyTesting

.PHONY: demo test test-prebuilt test-web test-bluetooth bench chaos fuzz fuzz-guided fuzz-corpus fuzz-build docs docs-serve install uninstall api-table package-names references format check lint lint-traps generated strict-build check-folders test-address test-thread clean

DEMO_SECONDS ?= 10
demo: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS) -c release --product nearby
	.build/release/nearby demo world --seconds $(DEMO_SECONDS)

test: bootstrap-test
	$(SWIFT) build $(SWIFT_FLAGS) --build-tests
	$(SWIFT) test $(SWIFT_FLAGS) --disable-xctest --skip-build

# Tests modules that are built once and used by an app's package.
test-prebuilt: bootstrap-test
	SWIFT="$(SWIFT)" SWIFT_FLAGS="$(SWIFT_FLAGS)" Tests/Prebuilt/run

# Tests the world's page in a browser; WEB_SERVER=mock needs no build.
WEB_SERVER ?= real
TESTS ?=
test-web:
	Scripts/bootstrap web
	$(MAKE) --no-print-directory .build/web-venv/ready
ifeq ($(WEB_SERVER),real)
	$(SWIFT) build $(SWIFT_FLAGS) --product nearby
endif
	WEB_SERVER=$(WEB_SERVER) .build/web-venv/bin/python Tests/Web/test_page.py $(TESTS)

.build/web-venv/ready: Tests/Web/requirements.txt
	python3 -m venv .build/web-venv
	.build/web-venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Web/requirements.txt
	touch $@

# Tests BlueZ in a virtual machine; TESTS selects tests. With MAY_SKIP=1 it passes if its prerequisites can't be
# installed.
MAY_SKIP ?=
test-bluetooth:
	SWIFT="$(SWIFT)" SWIFT_FLAGS="$(SWIFT_FLAGS)" MAY_SKIP="$(MAY_SKIP)" Tests/Bluetooth/run $(TESTS)

bench:
	Scripts/bootstrap bench
	$(SWIFT) build $(SWIFT_FLAGS) -c release --product NearbyBenchmarks
	$(SWIFT) build $(SWIFT_FLAGS) -c release --product nearby
	.build/release/NearbyBenchmarks
	Benchmarks/rivals
	Scripts/count-benchmarks
	Scripts/product-sizes

fuzz: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS) -c release --product NearbyFuzz
	.build/release/NearbyFuzz all $(FUZZ_COUNT) $(FUZZ_SEED)

# Attacks served worlds, chips, peers and pages on loopback, and then checks the promises of SECURITY.md.
CHAOS_SECONDS ?= 600
CHAOS_SEED ?= 1
chaos: bootstrap-test
	$(SWIFT) build $(SWIFT_FLAGS) -c release --product nearby
	python3 Tests/Chaos/chaos.py --seconds $(CHAOS_SECONDS) --seed $(CHAOS_SEED)

# Runs the same entries with libFuzzer, guided by coverage. The build uses -O, so traps are those of a release build.
# FUZZ_RUNS or FUZZ_SECONDS limit each entry, FUZZ_ENTRIES selects entries; inputs found are added to .build-fuzz/corpus.
FUZZ_ENTRIES ?=
fuzz-build: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS) -c release --product NearbyFuzz --sanitize fuzzer $(SANITIZED) \
	  -Xswiftc -DGUIDED_FUZZING --scratch-path .build-fuzz

fuzz-guided: fuzz-build
	FUZZ_RUNS="$(FUZZ_RUNS)" FUZZ_SECONDS="$(FUZZ_SECONDS)" Scripts/fuzz-guided $(FUZZ_ENTRIES)

# Writes the inputs that guided runs found to Fuzz/Grown, reduced to those that the coverage needs.
fuzz-corpus: fuzz-build
	Scripts/fuzz-guided --corpus $(FUZZ_ENTRIES)

test-address: bootstrap-test
	ASAN_OPTIONS="suppressions=$(CURDIR)/Scripts/address-sanitizer.txt" \
	LSAN_OPTIONS="suppressions=$(CURDIR)/Scripts/leak-sanitizer.txt" \
	$(SWIFT) test $(SWIFT_FLAGS) --disable-xctest --sanitize address $(SANITIZED) $(SANITIZED_SKIP) --scratch-path .build-address

# The self-test builds runtime.o, which tells the sanitizer about synchronisation inside the Swift runtime, and checks
# that it works.
test-thread: bootstrap-test
	SWIFT="$(SWIFT)" Scripts/thread-sanitizer/self-test .build-thread/self-test
	$(SWIFT) test $(SWIFT_FLAGS) --disable-xctest --sanitize thread $(SANITIZED) $(SANITIZED_SKIP) \
	  -Xlinker $(CURDIR)/.build-thread/self-test/runtime.o --scratch-path .build-thread

docs: bootstrap
	SWIFT="$(SWIFT)" SWIFT_FLAGS="$(SWIFT_FLAGS)" Scripts/docs $(DOCUMENTED)

DOCS_PORT ?= 8000
docs-serve:
	@[ -e Docs/build/index.html ] || $(MAKE) --no-print-directory docs
	@echo "http://127.0.0.1:$(DOCS_PORT)/"
	@python3 -m http.server --bind 127.0.0.1 --directory Docs/build $(DOCS_PORT)

# The command with its manual pages and completions; DESTDIR stages it for a package.
PREFIX ?= /usr/local
DESTDIR ?=
install: bootstrap
	SWIFT="$(SWIFT)" SWIFT_FLAGS="$(SWIFT_FLAGS)" PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install install

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install uninstall

format:
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)

# Fails if the committed sources differ from what Scripts/generate-simd.swift generates.
generated:
	$(SWIFT) Scripts/generate-simd.swift
	$(SWIFT) format --in-place --parallel --recursive Sources/Apple/simd/Generated
	git diff --exit-code -- Sources/Apple/simd/Generated

strict-build: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS) --explicit-target-dependency-import-check error

# Fails if the folders of a target form a cycle; uses the index of a build.
check-folders: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS)
	Scripts/check-folders

# Fails if a place that can trap is neither proved safe nor explained; uses the modules of a build.
lint-traps: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS)
	SWIFT="$(SWIFT)" Scripts/lint-traps

# Fails if the table of Apple's symbols differs from the code.
api-table: bootstrap
	Scripts/api-table --check

# Fails if the table used by `nearby check` differs from the declarations of this package's modules.
package-names: bootstrap
	$(SWIFT) build $(SWIFT_FLAGS)
	SWIFT="$(SWIFT)" Scripts/package-names --check

# Fails if documents or comments refer to files that don't exist.
references:
	Scripts/check-references

check: lint references generated strict-build check-folders lint-traps test docs api-table package-names

clean:
	rm -rf .build .build-address .build-fuzz .build-thread Docs/build

.PHONY: bootstrap bootstrap-test
bootstrap:
	@Scripts/bootstrap

bootstrap-test:
	@Scripts/bootstrap test
