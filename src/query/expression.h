/* SPDX-License-Identifier: MIT
 *
 * What `heddle query` is asked: an expression over the values of shared variables and the places of threads, in the
 * syntax of C.
 *
 *     number       12, 0x1f, 'a'
 *     variable     as heddle prints it: x, table[3], savings.amount; any other name in quotes: "node->next #4"
 *     place        THREAD@FILE:LINE or THREAD@LINE: the next visible operation of the thread is there
 *     end          THREAD.ended: the thread has been started, and has ended
 *     operators    ?: || && | ^ & == != < <= > >= << >> + - * / % and ! ~ - + before an operand; parentheses
 *
 * Everything is computed with 128 bits and a sign, so that values of 64 bits, signed or not, are what they are.
 * Comparisons and places are 0 or 1. Division by zero is as in SMT-LIB (abi/operators.def).
 */
#ifndef HEDDLE_QUERY_EXPRESSION_H
#define HEDDLE_QUERY_EXPRESSION_H

#include "base/error.h"
#include "expr/term.h"

/* The names that an expression may use, each list in the order of its numbers. */
struct expression_names {
  VECTOR(const char *) variables, threads;
};

enum expression_kind {
  EXPRESSION_NUMBER,
  EXPRESSION_VARIABLE, /* number: the variable */
  EXPRESSION_PLACE,    /* number: the thread; file (NULL: any) and line */
  EXPRESSION_ENDED,    /* number: the thread */
  EXPRESSION_OPERATION /* an operator of terms; comparisons, && and || give 0 or 1 */
};

enum expression_operator {
  OPERATOR_IF,
  OPERATOR_OR_ELSE,
  OPERATOR_AND_THEN,
  OPERATOR_OR,
  OPERATOR_XOR,
  OPERATOR_AND,
  OPERATOR_EQUAL,
  OPERATOR_NOT_EQUAL,
  OPERATOR_LESS,
  OPERATOR_LESS_EQUAL,
  OPERATOR_GREATER,
  OPERATOR_GREATER_EQUAL,
  OPERATOR_SHIFT_LEFT,
  OPERATOR_SHIFT_RIGHT,
  OPERATOR_ADD,
  OPERATOR_SUBTRACT,
  OPERATOR_MULTIPLY,
  OPERATOR_DIVIDE,
  OPERATOR_REMAINDER,
  OPERATOR_NOT,
  OPERATOR_COMPLEMENT,
  OPERATOR_MINUS,
  OPERATOR_PLUS
};

struct expression_node {
  enum expression_kind kind;
  enum expression_operator operator;
  uint32_t operands[3]; /* nodes before this one */
  uint64_t number;
  char *file; /* owned */
  uint32_t line;
};

/* Operands stand before their users; the last node is the whole. */
struct expression {
  VECTOR(struct expression_node) nodes;
};

/* False: the error says where it goes wrong, or which names there are. */
bool expression_parse(struct expression *expression, const char *text, const struct expression_names *names,
                      struct error *error);
void expression_free(struct expression *expression);

#define EXPRESSION_BITS 128u

/* Gives the leaves of an expression their meaning: a term of EXPRESSION_BITS for a variable, of one bit for the others.
 */
struct expression_meaning {
  void *self;
  term_id (*variable)(void *self, uint64_t variable);
  term_id (*place)(void *self, uint64_t thread, const char *file, uint32_t line);
  term_id (*ended)(void *self, uint64_t thread);
};

/* The one-bit term "it is not 0". */
term_id expression_to_term(const struct expression *expression, struct terms *terms,
                           const struct expression_meaning *meaning);

/* Does FILE of an expression mean this file? The whole path, or its last parts. */
bool expression_file_matches(const char *file, const char *path);

#endif
