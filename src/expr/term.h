/* SPDX-License-Identifier: MIT
 *
 * Terms over the inputs of a program: bit vectors, hash-consed, simplified as they are made. Equal terms have equal
 * ids, so comparing, caching and slicing are operations on numbers. Ids grow in the order of making: an operand's id is
 * smaller than its user's, which every pass over terms relies on. A term never changes and lives as long as its `struct
 * terms`, which owns everything.
 */
#ifndef HEDDLE_EXPR_TERM_H
#define HEDDLE_EXPR_TERM_H

#include "abi/operators.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t term_id;  /* 0 = none */
typedef uint32_t input_id; /* from 0 */

struct term {
  uint8_t kind;  /* enum term_operator */
  uint8_t width; /* in bits, 1 to 128 */
  uint8_t low;   /* EXTRACT: the lowest bit taken */
  uint8_t reserved;
  term_id operands[3];
  uint64_t value[2]; /* CONSTANT: low and high half; INPUT: its number in value[0] */
};

struct terms;

struct terms *terms_create(void);
void terms_destroy(struct terms *terms);
const struct term *term_at(const struct terms *terms, term_id id);
size_t terms_count(const struct terms *terms); /* ids are 1 .. count */

/* The name is copied. Inputs are numbered in the order of making. */
input_id terms_new_input(struct terms *terms, const char *name, unsigned width);
size_t terms_input_count(const struct terms *terms);
const char *terms_input_name(const struct terms *terms, input_id input);
unsigned terms_input_width(const struct terms *terms, input_id input);

term_id term_constant(struct terms *terms, unsigned width, bits value); /* upper bits are cut off */
term_id term_input(struct terms *terms, input_id input);
/* A term with an operator of two or three operands; `c` is 0 for two. */
term_id term_make(struct terms *terms, enum term_operator kind, term_id a, term_id b, term_id c);
term_id term_extend(struct terms *terms, enum term_operator kind, unsigned width, term_id a); /* or the same width */
term_id term_extract(struct terms *terms, unsigned low, unsigned width, term_id a);
term_id term_not(struct terms *terms, term_id a); /* of any width */

bool term_is_constant(const struct terms *terms, term_id id, bits *value);
/* The value of a term's operator on values of its operands' widths (abi/operators.h). */
bits term_operator_apply(const struct term *term, const unsigned widths[3], const bits values[3]);

/* --- models: values of inputs --- */

struct model {
  VECTOR(bits) values; /* by input; inputs beyond are 0 */
};

bits model_value(const struct model *model, input_id input);
void model_set(struct model *model, input_id input, bits value);
void model_copy(struct model *to, const struct model *from);
void model_free(struct model *model);

/* The value of a term under a model. Shared parts are computed once per call. */
bits term_evaluate(struct terms *terms, term_id id, const struct model *model);
/* The values of many terms under one model, shared parts computed once: start, then one after the other. Making terms
 * in between ends it. */
void terms_start_evaluation(struct terms *terms);
bits terms_evaluate_next(struct terms *terms, term_id id, const struct model *model);
/* How many terms were evaluated so far: a measure of work that does not depend on the clock. */
uint64_t terms_evaluated(const struct terms *terms);
/* The value of several terms under the same model: true if all are 1. */
bool terms_hold(struct terms *terms, const term_id *ids, size_t count, const struct model *model);

/* The inputs a term depends on, ascending; owned by `terms`. */
struct input_set {
  const input_id *inputs;
  size_t count;
};
struct input_set term_inputs(struct terms *terms, term_id id);

/* As C would write it, as far as it goes. */
void term_print(const struct terms *terms, term_id id, struct text *text);

#endif
