/* SPDX-License-Identifier: MIT
 *
 * What says whether the code of an executable follows inputs (abi/symbolic.h), and what an object keeps so that it can
 * be made again with code that does.
 *
 * `heddle cc -c` cannot know whether the program will have inputs. Code that follows them is twice as large and takes
 * twice as long to compile, so a module that asks for none is compiled without, and its object keeps the module as it
 * was before: a struct kept_module, then `words_bytes` bytes of words for heddle-instrument, each with a zero after it
 * (the source's name, the level, the rest), then the bitcode. The link sees whether some module asks for inputs, and
 * compiles those that do not follow them again (src/cli/cc_follow.c).
 */
#ifndef HEDDLE_ABI_KEPT_H
#define HEDDLE_ABI_KEPT_H

#include <stdint.h>

/* In an object: the kept module. The linker leaves it out of executables. */
#define HEDDLE_KEPT_SECTION ".heddle.module"
/* A byte for each module whose code does not follow inputs, and for each that asks for some. */
#define HEDDLE_PLAIN_SECTION "heddle_plain"
#define HEDDLE_INPUTS_SECTION "heddle_inputs"

#define HEDDLE_KEPT_MAGIC 0x31656c75646f6d2eull

/* How the names of functions that make inputs begin. */
#define HEDDLE_INPUT_PREFIXES "heddle_input_", "klee_", "__VERIFIER_nondet_"

struct kept_module {
  uint64_t magic;
  uint64_t size_bytes; /* of the words and the bitcode */
  uint64_t words_bytes;
  uint64_t symbols; /* a sum over the object's global symbols: it shows whether something changed them */
};

#endif
