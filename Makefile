# SPDX-License-Identifier: MIT
#
# heddle's build: one block per folder. `make` builds build/heddle and what it needs beside it; README.md tells the rest.

LLVM   := /usr/lib/llvm-19
CC     := clang-19
VERSION := $(shell sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' src/base/version.h)
PREFIX ?= /usr/local
BUILD  ?= build
# For a make started by make demo or make check, unless -j was given.
PARALLEL := $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

CPPFLAGS := -I. -Isrc -D_GNU_SOURCE
CFLAGS   ?= -O2 -g
CFLAGS   += -std=gnu17 -Wall -Wextra -Werror -Wno-unused-parameter -MMD -MP

ifeq ($(shell command -v $(CC) 2>/dev/null),)
ifeq ($(filter deps demo check clean format,$(MAKECMDGOALS)),)
$(error heddle is built with $(CC), which is not installed: run scripts/deps, then make again)
endif
endif

# For linking programs: how (begin, end, wrapped), and the runtime with all that it needs.
CXX_FILES   := $(addprefix $(BUILD)/cxx/,begin.o support.o end.o)
CXX_HEADERS := $(patsubst include/%,$(BUILD)/include/%,$(wildcard include/cxx/* include/cxx/bits/*))
CXX_HEADERS := $(filter-out %/bits,$(CXX_HEADERS))
LINK_FILES := $(addprefix $(BUILD)/link/,begin start end wrapped directories runtime.o)

all: $(BUILD)/heddle $(BUILD)/heddle-instrument $(BUILD)/libheddle-rt.a $(BUILD)/heddle-hooks.bc $(BUILD)/include/heddle.h $(BUILD)/include/heddle-test.h \
     $(BUILD)/libheddle-sync.a $(BUILD)/heddle-cc $(BUILD)/heddle-c++ $(LINK_FILES) $(CXX_FILES) $(CXX_HEADERS) bench-files

# --- src/base, src/model, src/trace, src/explore, src/program, src/structure, src/report, src/query: the engine ------------------
ENGINE_SOURCES := $(wildcard $(addsuffix /*.c,src/base src/model src/trace src/explore/* src/program src/structure src/report src/report/formats src/report/page src/query))

# --- src/expr, src/solve: terms over inputs and their solver ----------------------------------------------------------
SOLVE_SOURCES := $(wildcard src/expr/*.c src/solve/*.c)

# --- src/instrument: bitcode in, object out: a program of its own, so that nothing else has LLVM in it ----------------
# LLVM is linked in, at fixed addresses: a shared libLLVM takes longer to load than a small program takes to compile.
INSTRUMENT_SOURCES := $(wildcard src/instrument/*.c) $(wildcard src/base/*.c)
INSTRUMENT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(INSTRUMENT_SOURCES))
$(BUILD)/src/instrument/%.o: CPPFLAGS += -I$(LLVM)/include

$(BUILD)/heddle-instrument: $(INSTRUMENT_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -no-pie -static-libgcc -Wl,--gc-sections -o $@ $^ -Wl,-Bstatic \
	  $$($(LLVM)/bin/llvm-config --link-static --ldflags --libs passes x86codegen x86asmparser bitreader linker) \
	  -lstdc++ -lz -lzstd -Wl,-Bdynamic -lm

# --- src/cli: the commands --------------------------------------------------------------------------------------------
CLI_SOURCES := $(wildcard src/cli/*.c)

HEDDLE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(ENGINE_SOURCES) $(SOLVE_SOURCES) $(CLI_SOURCES))

# One module of what absorbs runs, so that its functions are inlined across files. Tests use the objects.
CORE_SOURCES := $(wildcard $(addsuffix /*.c,src/base src/model src/trace src/explore/*))
CORE_BITCODE := $(patsubst %.c,$(BUILD)/core/%.bc,$(CORE_SOURCES))
CORE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(CORE_SOURCES))

$(BUILD)/heddle-cc $(BUILD)/heddle-c++: | $(BUILD)/heddle
	ln -sf heddle $@

$(BUILD)/heddle: $(BUILD)/core/module.o $(filter-out $(CORE_OBJECTS),$(HEDDLE_OBJECTS))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lz3 -lstdc++ -lm

$(BUILD)/core/module.o: $(CORE_BITCODE)
	llvm-link-19 -o $(BUILD)/core/module.bc $^
	$(CC) $(filter-out -MMD -MP,$(CFLAGS)) -c -o $@ $(BUILD)/core/module.bc

$(BUILD)/core/%.bc: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -emit-llvm -c -o $@ $<

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# --- src/runtime: linked into the program under test; never instrumented, hidden symbols ------------------------------
# One module of all C files but the hooks: what a visible operation passes through is inlined across them.
RUNTIME_SOURCES  := $(filter-out src/runtime/hooks.c,$(wildcard src/runtime/*.c))
RUNTIME_BITCODE  := $(patsubst src/runtime/%.c,$(BUILD)/runtime/%.bc,$(RUNTIME_SOURCES))
RUNTIME_ASSEMBLY := $(patsubst src/runtime/%,$(BUILD)/runtime/%.o,$(wildcard src/runtime/*.S))
RUNTIME_FLAGS   := -I. -Isrc -Isrc/runtime -D_GNU_SOURCE -std=gnu17 -O2 -g -Wall -Wextra -Werror -Wno-unused-parameter -MMD -MP \
                   -fno-pie -fno-stack-protector -fno-builtin -fno-strict-aliasing -fvisibility=hidden -mno-red-zone \
                   -fno-omit-frame-pointer -fno-slp-vectorize
# The debugger is told about functions and types of two files (src/cli/debugger.c); all the debug information of the others
# would double the time of a link.
LEAN = $(if $(filter ends trace,$*),,-gline-tables-only)

$(BUILD)/runtime/%.bc: src/runtime/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) $(LEAN) -emit-llvm -c -o $@ $<

# An exception may pass through it.
$(BUILD)/runtime/model_once.bc: RUNTIME_FLAGS += -fexceptions

$(BUILD)/runtime/%.S.o: src/runtime/%.S Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) -c -o $@ $<

$(BUILD)/runtime/module.o: $(RUNTIME_BITCODE)
	llvm-link-19 -o $(BUILD)/runtime/module.bc $^
	$(CC) -O2 -fno-pie -fno-slp-vectorize -c -o $@ $(BUILD)/runtime/module.bc

$(BUILD)/runtime/hooks.o: src/runtime/hooks.c Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) -gline-tables-only -fomit-frame-pointer -fvisibility=default -c -o $@ $<

$(BUILD)/runtime/all.o: $(BUILD)/runtime/module.o $(BUILD)/runtime/hooks.o $(RUNTIME_ASSEMBLY)
	ld -r -o $@ $^
	objcopy --localize-hidden --rename-section .text=heddle_runtime_code $@

$(BUILD)/libheddle-rt.a: $(BUILD)/runtime/all.o
	rm -f $@
	ar rcs $@ $^

# --- src/sync: ports, semaphores and monitors on pthreads, for programs without heddle --------------------------------
SYNC_SOURCES := $(wildcard src/sync/*.c)
SYNC_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(SYNC_SOURCES))

$(BUILD)/libheddle-sync.a: $(SYNC_OBJECTS)
	rm -f $@
	ar rcs $@ $^

# --- linking a program without the compiler's driver, which takes longer than the linker ------------------------------
$(BUILD)/link/wrapped: abi/intercepts.def Makefile
	@mkdir -p $(@D)
	{ echo '--wrap=main'; sed -nE 's/^WRAP\((\w+),.*/--wrap=\1/p' $<; } > $@

$(BUILD)/link/begin: scripts/link-words $(BUILD)/runtime/all.o
	@mkdir -p $(@D)
	scripts/link-words $(CC) $(BUILD)/runtime/all.o $(@D)
$(BUILD)/link/start $(BUILD)/link/end: $(BUILD)/link/begin

# Where the compiler looks for headers by itself, and where it would if there were such a directory.
$(BUILD)/link/directories: Makefile
	@mkdir -p $(@D)
	env -u CPATH -u C_INCLUDE_PATH $(CC) -E -v -x c /dev/null 2>&1 >/dev/null | \
	  sed -nE 's/^ (\/[^ ]*)$$/\1/p; s/^ignoring nonexistent directory "(.*)"$$/\1/p' > $@

$(BUILD)/link/runtime.o: scripts/prelink $(BUILD)/runtime/all.o $(BUILD)/libheddle-sync.a $(BUILD)/link/wrapped $(BUILD)/link/begin
	scripts/prelink $(wordlist 2,3,$^) $(@D) $@

$(BUILD)/heddle-hooks.bc: src/runtime/hooks.c abi/layout.h abi/sites.h abi/symbolic.h abi/operators.h Makefile
	@mkdir -p $(@D)
	$(CC) -I. -std=gnu17 -O2 -Wall -Wextra -Werror -fno-pie -emit-llvm -c -o $@ $<

# --- src/cxx, include/cxx: what programs of C++ are linked and compiled with ------------------------------------------
$(BUILD)/cxx/support.o: src/cxx/support.cc Makefile
	@mkdir -p $(@D)
	$(CC) -std=gnu++20 -O2 -Wall -Wextra -Werror -fno-pie -fno-omit-frame-pointer -MMD -MP -c -o $@ $<

$(BUILD)/cxx/%.o: src/cxx/%.S Makefile
	@mkdir -p $(@D)
	$(CC) -c -o $@ $<

$(BUILD)/include/cxx/%: include/cxx/%
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/include/%.h: include/%.h
	@mkdir -p $(@D)
	cp $< $@

# What `heddle bench` reads.
BENCH_FILES := $(wildcard bench/programs/*.c bench/tables/*.tsv)
bench-files: $(addprefix $(BUILD)/,$(BENCH_FILES))
$(BUILD)/bench/%: bench/%
	@mkdir -p $(@D)
	cp $< $@

-include $(HEDDLE_OBJECTS:.o=.d) $(CORE_BITCODE:.bc=.d) $(INSTRUMENT_OBJECTS:.o=.d) $(SYNC_OBJECTS:.o=.d) $(wildcard $(BUILD)/runtime/*.d) $(wildcard $(BUILD)/cxx/*.d)

# --- scripts: what is installed, formatted, allowed -------------------------------------------------------------------
deps:
	@scripts/deps

format:
	@scripts/format

lint: all
	@scripts/lint-layers
	@scripts/lint-runtime-symbols $(BUILD)/libheddle-rt.a
	@scripts/lint-intercepts $(BUILD)/libheddle-rt.a
	@scripts/lint-tested-intercepts
	@scripts/format --check
	@scripts/lint-scripts
	@scripts/lint-tests
	@scripts/lint-names
	@scripts/document-intercepts --check
	@scripts/document-effects --check
	@scripts/document-options --check

# --- docs: the tables that are written from abi/ and src/cli ----------------------------------------------------------
docs:
	@scripts/document-intercepts
	@scripts/document-effects
	@scripts/document-options

# --- examples: the demonstration --------------------------------------------------------------------------------------
# A second make, so that the compiler that scripts/deps may just have installed is seen.
demo: deps
	@echo building ...
	@$(MAKE) -s --no-print-directory $(PARALLEL) all
	@BUILD=$(BUILD) scripts/demo

# --- tests: the linters are tests too ---------------------------------------------------------------------------------
UNIT_SOURCES := $(wildcard tests/unit/*.c)
UNIT_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(UNIT_SOURCES))
UNIT_FLAGS   := -std=gnu17 -g -O1 -Wall -Wextra -Werror -Wno-unused-parameter -MMD -MP -fsanitize=address,undefined \
                -fno-sanitize-recover=undefined -fno-omit-frame-pointer
UNIT_ENGINE  := $(patsubst %.c,$(BUILD)/sanitized/%.o,$(ENGINE_SOURCES) $(SOLVE_SOURCES))

$(BUILD)/sanitized/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(UNIT_FLAGS) -c -o $@ $<

$(BUILD)/sanitized/engine.a: $(UNIT_ENGINE)
	rm -f $@
	ar rcs $@ $^

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/sanitized/engine.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(UNIT_FLAGS) -o $@ $< $(BUILD)/sanitized/engine.a -lcmocka -lz3 -lstdc++ -lm

-include $(UNIT_ENGINE:.o=.d) $(UNIT_TESTS:%=%.d)

TEST_TOOLS := $(BUILD)/tests/count-traces $(BUILD)/tests/print-symbolic $(BUILD)/tests/compare-model \
              $(BUILD)/tests/compare-checkpoints
$(BUILD)/tests/count-traces: tests/traces/count.c
$(BUILD)/tests/compare-model: tests/model/compare.c
$(BUILD)/tests/compare-checkpoints: tests/checkpoints/compare.c
$(BUILD)/tests/print-symbolic: tests/symbolic/print.c
$(TEST_TOOLS): $(filter-out $(BUILD)/src/cli/%,$(HEDDLE_OBJECTS))
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c %.o,$^) -lz3 -lstdc++ -lm

# A heddle and a runtime in which faults can be had (tests/faults): the same objects, with some functions wrapped.
FAULTS       := $(BUILD)/tests/faults
FAULTS_FILES := $(FAULTS)/heddle $(FAULTS)/libheddle-rt.a \
                $(addprefix $(FAULTS)/,heddle-instrument heddle-hooks.bc libheddle-sync.a include/heddle.h) \
                $(addprefix $(FAULTS)/link/,begin start end wrapped directories runtime.o)
comma := ,
wrap   = $(addprefix --wrap=,$(1))

$(FAULTS)/heddle: tests/faults/allocations.c tests/faults/channel.c $(HEDDLE_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(addprefix -Wl$(comma),$(call wrap,malloc calloc realloc strdup strndup ring_peek ring_write)) \
	  -o $@ $(filter %.c %.o,$^) -lz3 -lstdc++ -lm

$(FAULTS)/kill.o: tests/faults/kill.c Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) -c -o $@ $<

# Files of their own, so that a call from one to another can be wrapped.
$(FAULTS)/runtime/%.o: $(BUILD)/runtime/%.bc
	@mkdir -p $(@D)
	$(CC) -O2 -fno-pie -c -o $@ $<

$(FAULTS)/libheddle-rt.a: $(FAULTS)/kill.o $(patsubst $(BUILD)/%.bc,$(FAULTS)/%.o,$(RUNTIME_BITCODE)) $(BUILD)/runtime/hooks.o \
                          $(RUNTIME_ASSEMBLY)
	ld -r $(call wrap,trace_record trace_record_access) -o $(FAULTS)/all.o $^
	objcopy --localize-hidden --rename-section .text=heddle_runtime_code $(FAULTS)/all.o
	rm -f $@
	ar rcs $@ $(FAULTS)/all.o

$(FAULTS)/link/runtime.o: scripts/prelink $(FAULTS)/libheddle-rt.a $(BUILD)/libheddle-sync.a $(addprefix $(FAULTS)/link/,wrapped begin start)
	scripts/prelink $(FAULTS)/all.o $(BUILD)/libheddle-sync.a $(@D) $@

$(filter-out %/heddle %-rt.a %/runtime.o,$(FAULTS_FILES)): $(FAULTS)/%: $(BUILD)/%
	@mkdir -p $(@D)
	cp $< $@

-include $(FAULTS)/kill.d

unit-tests: $(UNIT_TESTS) $(TEST_TOOLS) $(FAULTS_FILES)

check: deps
	@echo building ...
	@$(MAKE) -s --no-print-directory $(PARALLEL) all unit-tests
	@BUILD=$(BUILD) tests/run

# --- bench: figures, no assertions ------------------------------------------------------------------------------------
bench: all
	@BUILD=$(BUILD) bench/run

# --- installation -----------------------------------------------------------------------------------------------------
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle/include $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BUILD)/heddle $(DESTDIR)$(PREFIX)/bin/heddle
	ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-cc
	ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-c++
	install -m 755 $(BUILD)/heddle-instrument $(DESTDIR)$(PREFIX)/lib/heddle/
	install -m 644 $(BUILD)/libheddle-rt.a $(BUILD)/heddle-hooks.bc $(DESTDIR)$(PREFIX)/lib/heddle/
	install -d $(DESTDIR)$(PREFIX)/lib/heddle/link
	install -m 644 $(LINK_FILES) $(DESTDIR)$(PREFIX)/lib/heddle/link/
	install -m 644 include/heddle.h include/heddle-test.h $(DESTDIR)$(PREFIX)/lib/heddle/include/
	install -d $(DESTDIR)$(PREFIX)/lib/heddle/cxx $(DESTDIR)$(PREFIX)/lib/heddle/include/cxx/bits
	install -m 644 $(CXX_FILES) $(DESTDIR)$(PREFIX)/lib/heddle/cxx/
	for file in $(patsubst $(BUILD)/%,%,$(CXX_HEADERS)); do install -m 644 $$file $(DESTDIR)$(PREFIX)/lib/heddle/$$file || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/include
	install -m 644 include/heddle.h include/heddle-test.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILD)/libheddle-sync.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(BUILD)/libheddle-sync.a $(DESTDIR)$(PREFIX)/lib/heddle/
	install -d $(addprefix $(DESTDIR)$(PREFIX)/lib/heddle/,$(sort $(dir $(BENCH_FILES))))
	for file in $(BENCH_FILES); do install -m 644 $$file $(DESTDIR)$(PREFIX)/lib/heddle/$$file || exit 1; done
	install -m 644 docs/heddle.1 $(DESTDIR)$(PREFIX)/share/man/man1/heddle.1
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/cmake/heddle
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' contrib/heddle.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/heddle.pc
	sed 's|@VERSION@|$(VERSION)|' contrib/heddle-config.cmake.in >$(DESTDIR)$(PREFIX)/lib/cmake/heddle/heddle-config.cmake
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BUILD)/heddle completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle
	$(BUILD)/heddle completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_heddle
	$(BUILD)/heddle completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/heddle.fish

# A package for Debian, and the documents as pages.
deb: all
	@scripts/deb $(BUILD)

site: all
	@scripts/site $(BUILD)/site

clean:
	rm -rf $(BUILD)

.PHONY: all bench-files clean deps format lint demo unit-tests check bench install docs deb site
