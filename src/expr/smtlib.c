/* SPDX-License-Identifier: MIT */
#include "expr/smtlib.h"

#include "expr/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[TERM_OPERATORS] = {
    [TERM_ADD] = "bvadd",
    [TERM_SUBTRACT] = "bvsub",
    [TERM_MULTIPLY] = "bvmul",
    [TERM_DIVIDE] = "bvudiv",
    [TERM_DIVIDE_SIGNED] = "bvsdiv",
    [TERM_REMAINDER] = "bvurem",
    [TERM_REMAINDER_SIGNED] = "bvsrem",
    [TERM_AND] = "bvand",
    [TERM_OR] = "bvor",
    [TERM_XOR] = "bvxor",
    [TERM_SHIFT_LEFT] = "bvshl",
    [TERM_SHIFT_RIGHT] = "bvlshr",
    [TERM_SHIFT_RIGHT_SIGNED] = "bvashr",
    [TERM_EQUAL] = "=",
    [TERM_LESS] = "bvult",
    [TERM_LESS_EQUAL] = "bvule",
    [TERM_LESS_SIGNED] = "bvslt",
    [TERM_LESS_EQUAL_SIGNED] = "bvsle",
    [TERM_CONCATENATE] = "concat",
};

static bool is_comparison(enum term_operator kind) {
  return kind >= TERM_EQUAL && kind <= TERM_LESS_EQUAL_SIGNED;
}

/* --- writing --- */

/* Decimal digits of up to 128 bits. */
static void append_decimal(struct text *text, bits value) {
  char digits[48], *at = digits + sizeof digits;
  *--at = 0;
  do *--at = (char)('0' + (int)(value % 10));
  while (value /= 10);
  text_append(text, at);
}

static void append_constant(struct text *text, const struct term *term) {
  if (term->width == 1) {
    text_append(text, term->value[0] & 1 ? "#b1" : "#b0");
    return;
  }
  text_append(text, "(_ bv");
  append_decimal(text, (bits)term->value[1] << 64 | term->value[0]);
  text_append_format(text, " %u)", term->width);
}

void term_append_smtlib(const struct terms *terms, term_id id, const uint32_t *names, struct text *text) {
  const struct term *term = term_at(terms, id);
  const term_id *operands = term->operands;
  switch ((enum term_operator)term->kind) {
  case TERM_CONSTANT: append_constant(text, term); return;
  case TERM_INPUT: text_append_format(text, "i%llu", (unsigned long long)term->value[0]); return;
  case TERM_IF:
    text_append_format(text, "(ite (= t%u #b1) t%u t%u)", names[operands[0]], names[operands[1]], names[operands[2]]);
    return;
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND:
    text_append_format(text, "((_ %s %u) t%u)", term->kind == TERM_ZERO_EXTEND ? "zero_extend" : "sign_extend",
                       term->width - term_at(terms, operands[0])->width, names[operands[0]]);
    return;
  case TERM_EXTRACT:
    text_append_format(text, "((_ extract %u %u) t%u)", term->low + term->width - 1u, term->low, names[operands[0]]);
    return;
  default: break;
  }
  const bool compares = is_comparison(term->kind);
  text_append_format(text, "%s(%s t%u t%u)%s", compares ? "(ite " : "", words[term->kind], names[operands[0]],
                     names[operands[1]], compares ? " #b1 #b0)" : "");
}

/* --- reading --- */

#define MOST_DEPTH 16u
#define WORD_BYTES 64u

struct reader {
  const char *at;
  struct terms *terms;
  const struct smtlib_names *names;
  unsigned depth;
};

static bool takes(struct reader *reader, char c) {
  while (isspace((unsigned char)*reader->at)) reader->at++;
  if (*reader->at != c) return false;
  reader->at++;
  return true;
}

static bool read_word(struct reader *reader, char *word) {
  while (isspace((unsigned char)*reader->at)) reader->at++;
  const size_t length = strcspn(reader->at, " \t\n()");
  if (length == 0 || length >= WORD_BYTES) return false;
  memcpy(word, reader->at, length);
  word[length] = 0;
  reader->at += length;
  return true;
}

static bool read_number(struct reader *reader, uint32_t *number) {
  char word[WORD_BYTES], *end;
  if (!read_word(reader, word) || !isdigit((unsigned char)*word)) return false;
  const unsigned long value = strtoul(word, &end, 10);
  *number = (uint32_t)value;
  return !*end && value <= TERM_MAX_WIDTH;
}

static unsigned width_of(const struct reader *reader, term_id id) {
  return term_at(reader->terms, id)->width;
}

static bool is_operator(const char *word, enum term_operator *kind) {
  for (*kind = 0; *kind < TERM_OPERATORS; ++*kind)
    if (words[*kind] && strcmp(words[*kind], word) == 0) return true;
  return false;
}

/* "_ bvN WIDTH", after the parenthesis. */
static term_id read_constant(struct reader *reader) {
  char word[WORD_BYTES];
  uint32_t width;
  bits value = 0;
  if (!read_word(reader, word) || strncmp(word, "bv", 2) != 0 || !word[2]) return 0;
  for (const char *digit = word + 2; *digit; digit++) {
    if (!isdigit((unsigned char)*digit)) return 0;
    value = value * 10 + (unsigned)(*digit - '0');
  }
  if (!read_number(reader, &width) || width == 0 || !takes(reader, ')')) return 0;
  return term_constant(reader->terms, width, value);
}

static term_id read_atom(struct reader *reader) {
  char word[WORD_BYTES], *end;
  if (!read_word(reader, word)) return 0;
  if (strcmp(word, "#b1") == 0 || strcmp(word, "#b0") == 0) return term_constant(reader->terms, 1, word[2] == '1');
  if ((*word != 'i' && *word != 't') || !isdigit((unsigned char)word[1])) return 0;
  const unsigned long number = strtoul(word + 1, &end, 10);
  if (*end) return 0;
  const struct smtlib_names *names = reader->names;
  if (*word == 'i') return number < names->n_inputs ? names->inputs[number] : 0;
  return number < names->n_terms ? names->terms[number] : 0;
}

static term_id read_term(struct reader *reader);

/* "(_ zero_extend N) a)" and the like, after the first parenthesis. */
static term_id read_indexed(struct reader *reader) {
  char underscore[WORD_BYTES], word[WORD_BYTES];
  uint32_t first, second = 0;
  if (!takes(reader, '(') || !read_word(reader, underscore) || strcmp(underscore, "_") != 0 ||
      !read_word(reader, word) || !read_number(reader, &first))
    return 0;
  const bool extracts = strcmp(word, "extract") == 0, is_signed = strcmp(word, "sign_extend") == 0;
  if (!extracts && !is_signed && strcmp(word, "zero_extend") != 0) return 0;
  if ((extracts && !read_number(reader, &second)) || !takes(reader, ')')) return 0;
  const term_id a = read_term(reader);
  if (!a || !takes(reader, ')')) return 0;
  const unsigned width = width_of(reader, a);
  if (extracts)
    return second <= first && first < width ? term_extract(reader->terms, second, first - second + 1, a) : 0;
  if (width + first > TERM_MAX_WIDTH) return 0;
  return term_extend(reader->terms, is_signed ? TERM_SIGN_EXTEND : TERM_ZERO_EXTEND, width + first, a);
}

/* Two operands and the parenthesis after them. */
static term_id read_operation(struct reader *reader, enum term_operator kind) {
  const term_id a = read_term(reader), b = a ? read_term(reader) : 0;
  if (!b || !takes(reader, ')')) return 0;
  if (kind == TERM_CONCATENATE) {
    if (width_of(reader, a) + width_of(reader, b) > TERM_MAX_WIDTH) return 0;
  } else if (width_of(reader, a) != width_of(reader, b)) {
    return 0;
  }
  return term_make(reader->terms, kind, a, b, 0);
}

/* "ite (comparison) a b)", after the word. */
static term_id read_choice(struct reader *reader) {
  char word[WORD_BYTES];
  enum term_operator kind;
  if (!takes(reader, '(') || !read_word(reader, word) || !is_operator(word, &kind) || !is_comparison(kind)) return 0;
  const term_id condition = read_operation(reader, kind);
  const term_id a = condition ? read_term(reader) : 0, b = a ? read_term(reader) : 0;
  if (!b || !takes(reader, ')') || width_of(reader, a) != width_of(reader, b)) return 0;
  return term_make(reader->terms, TERM_IF, condition, a, b);
}

static term_id read_compound(struct reader *reader) {
  char word[WORD_BYTES];
  enum term_operator kind;
  while (isspace((unsigned char)*reader->at)) reader->at++;
  if (*reader->at == '(') return read_indexed(reader);
  if (!read_word(reader, word)) return 0;
  if (strcmp(word, "_") == 0) return read_constant(reader);
  if (strcmp(word, "ite") == 0) return read_choice(reader);
  return is_operator(word, &kind) && !is_comparison(kind) ? read_operation(reader, kind) : 0;
}

static term_id read_term(struct reader *reader) {
  if (reader->depth == MOST_DEPTH) return 0;
  reader->depth++;
  const term_id term = takes(reader, '(') ? read_compound(reader) : read_atom(reader);
  reader->depth--;
  return term;
}

term_id term_parse_smtlib(struct terms *terms, const char *text, const struct smtlib_names *names) {
  struct reader reader = {text, terms, names, 0};
  const term_id term = read_term(&reader);
  while (isspace((unsigned char)*reader.at)) reader.at++;
  return *reader.at ? 0 : term;
}
