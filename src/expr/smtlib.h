/* SPDX-License-Identifier: MIT
 *
 * Terms as text of SMT-LIB (logic QF_BV), one operator at a time: operands are names of terms that were written before,
 * so that what terms share is written once. An input is iN, another term tN; what the numbers mean is the caller's.
 */
#ifndef HEDDLE_EXPR_SMTLIB_H
#define HEDDLE_EXPR_SMTLIB_H

#include "expr/term.h"

/* Writes the term's own operator; `names` has the number of every term below it. Truth values are bits: #b1 and #b0. */
void term_append_smtlib(const struct terms *terms, term_id id, const uint32_t *names, struct text *text);

/* The terms that names stand for, by number; a number beyond is an error. */
struct smtlib_names {
  const term_id *inputs, *terms;
  size_t n_inputs, n_terms;
};

/* A term from its text, which may be nested a little. 0: it is not one. */
term_id term_parse_smtlib(struct terms *terms, const char *text, const struct smtlib_names *names);

#endif
