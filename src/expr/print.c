/* SPDX-License-Identifier: MIT */
#include "expr/internal.h"

static void print_constant(const struct term *term, struct text *text) {
  if (term->value[1])
    text_append_format(text, "0x%llx%016llx", (unsigned long long)term->value[1], (unsigned long long)term->value[0]);
  else if (term->width > 1 && term->width <= 64 && term->value[0] >> (term->width - 1) & 1)
    text_append_format(text, "-%llu", (unsigned long long)((uint64_t)bits_mask(term->width) - term->value[0] + 1));
  else
    text_append_format(text, "%llu", (unsigned long long)term->value[0]);
}

#define MOST_DEPTH 64 /* what is deeper is only hinted at */

static void print(const struct terms *terms, term_id id, struct text *text, unsigned depth);

static void print_call(const struct terms *terms, const struct term *term, struct text *text, unsigned depth) {
  text_append_format(text, "%s%u(", term_operator_words(term->kind), term->width);
  for (unsigned i = 0; i < term_operator_operands(term->kind); i++) {
    if (i > 0) text_append(text, ", ");
    print(terms, term->operands[i], text, depth);
  }
  if (term->kind == TERM_EXTRACT) text_append_format(text, ", %u", term->low);
  text_append(text, ")");
}

static void print(const struct terms *terms, term_id id, struct text *text, unsigned depth) {
  const struct term *term = node(terms, id);
  if (depth == MOST_DEPTH) {
    text_append(text, "...");
  } else if (term->kind == TERM_CONSTANT) {
    print_constant(term, text);
  } else if (term->kind == TERM_INPUT) {
    text_append(text, terms_input_name(terms, (input_id)term->value[0]));
  } else if (term_operator_operands(term->kind) == 2 && term->kind != TERM_CONCATENATE) {
    text_append(text, "(");
    print(terms, term->operands[0], text, depth + 1);
    text_append_format(text, " %s ", term_operator_words(term->kind));
    print(terms, term->operands[1], text, depth + 1);
    text_append(text, ")");
  } else {
    print_call(terms, term, text, depth + 1);
  }
}

void term_print(const struct terms *terms, term_id id, struct text *text) {
  print(terms, id, text, 0);
}
