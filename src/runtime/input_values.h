/* SPDX-License-Identifier: MIT
 *
 * The inputs of the program under test: their values come from the plan (input_values.c).
 */
#ifndef HEDDLE_RUNTIME_INPUT_VALUES_H
#define HEDDLE_RUNTIME_INPUT_VALUES_H

#include "terms.h"

#include <sys/types.h>

/* A function that offers something to the program under test; a program that defines it itself keeps its own. */
#define OFFERED EXPORTED __attribute__((weak))

struct input {
  enum input_type type;
  const char *name; /* NULL: the type's */
  site_id site;
};

/* What an input may be, both ends included; the terms of the ends may be 0. */
struct input_range {
  signed_bits low, high;
  uint32_t low_term, high_term;
};

unsigned input_width(enum input_type type);
/* Cuts the run short if some code of the program does not follow inputs (abi/kept.h): what it computes from them would
 * be lost. */
bool inputs_are_followed(void); /* the program has code that follows its inputs */
void inputs_check_followed(void);
/* The next input of the running thread. Outside heddle a random number. */
bits input_take(const struct input *input, uint32_t *term);
bits input_take_between(const struct input *input, struct input_range range, uint32_t *term);
/* An input of many bytes, written to `memory`; NULL when they get no terms. */
const struct block_input *input_take_block(const struct input *input, void *memory, uint64_t size_bytes);
/* The same for memory of the program, which then holds the terms. */
void input_fill(const struct input *input, void *memory, uint64_t size_bytes);
/* The run continues only if the value is not 0. */
void input_assume(bool holds, uint32_t term, site_id site);

/* More arguments of main (--sym-args) and what it reads from standard input (--sym-stdin). */
uint64_t inputs_arguments_bytes(void);
void inputs_make_arguments(char **arguments, char *strings);
void inputs_make_standard_input(void);
void standard_input_initialise(void);
void standard_input_begin_run(void);
bool standard_input_is_symbolic(void);
ssize_t standard_input_read(void *buffer, size_t size_bytes);

#endif
