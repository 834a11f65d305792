# SPDX-License-Identifier: MIT
#
# heddle's build: one block per folder. `make` builds build/heddle and what it needs beside it; README.md tells the rest.

LLVM   := /usr/lib/llvm-19
CC     := clang-19
PREFIX ?= /usr/local
BUILD  ?= build

CPPFLAGS := -I. -Isrc -D_GNU_SOURCE
CFLAGS   ?= -O2 -g
CFLAGS   += -std=gnu17 -Wall -Wextra -Werror -Wno-unused-parameter -MMD -MP

all: $(BUILD)/heddle $(BUILD)/libheddle-rt.a $(BUILD)/heddle-hooks.bc $(BUILD)/include/heddle.h

# --- src/base, src/trace, src/explore, src/report: the engine ---------------------------------------------------------
ENGINE_SOURCES := $(wildcard src/base/*.c src/trace/*.c src/explore/*.c src/explore/*/*.c src/report/*.c)

# --- src/instrument: bitcode in, object out ---------------------------------------------------------------------------
INSTRUMENT_SOURCES := $(wildcard src/instrument/*.c)
$(BUILD)/src/instrument/%.o: CPPFLAGS += -I$(LLVM)/include

# --- src/cli: the commands --------------------------------------------------------------------------------------------
CLI_SOURCES := $(wildcard src/cli/*.c)

HEDDLE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(ENGINE_SOURCES) $(INSTRUMENT_SOURCES) $(CLI_SOURCES))

$(BUILD)/heddle: $(HEDDLE_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -L$(LLVM)/lib -lLLVM-19 -lm

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# --- src/runtime: linked into the program under test; never instrumented, hidden symbols ------------------------------
RUNTIME_SOURCES := $(filter-out src/runtime/hooks.c,$(wildcard src/runtime/*.c)) $(wildcard src/runtime/*.S)
RUNTIME_OBJECTS := $(patsubst %,$(BUILD)/runtime/%.o,$(notdir $(RUNTIME_SOURCES)))
RUNTIME_FLAGS   := -I. -Isrc/runtime -D_GNU_SOURCE -std=gnu17 -O2 -g -Wall -Wextra -Werror -Wno-unused-parameter -MMD -MP \
                   -fno-pie -fno-stack-protector -fno-builtin -fno-strict-aliasing -fvisibility=hidden -mno-red-zone

$(BUILD)/runtime/%.o: src/runtime/% Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) -c -o $@ $<

$(BUILD)/runtime/all.o: $(RUNTIME_OBJECTS)
	ld -r -o $@ $^
	objcopy --localize-hidden $@

$(BUILD)/libheddle-rt.a: $(BUILD)/runtime/all.o
	rm -f $@
	ar rcs $@ $^

$(BUILD)/heddle-hooks.bc: src/runtime/hooks.c abi/layout.h abi/sites.h Makefile
	@mkdir -p $(@D)
	$(CC) -I. -std=gnu17 -O2 -Wall -Wextra -Werror -fno-pie -emit-llvm -c -o $@ $<

$(BUILD)/include/heddle.h: include/heddle.h
	@mkdir -p $(@D)
	cp $< $@

-include $(HEDDLE_OBJECTS:.o=.d) $(wildcard $(BUILD)/runtime/*.d)

clean:
	rm -rf $(BUILD)

.PHONY: all clean
