/* SPDX-License-Identifier: MIT
 *
 * Precedence climbing over the text; nodes come out with operands before their users, so every pass over them is a
 * loop.
 */
#include "query/expression.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 100000u
#define MOST_DEPTH 500u
#define MOST_NAMED 800u /* characters of names in an error */

struct parser {
  const char *text, *at;
  const struct expression_names *names;
  struct expression *expression;
  struct error *error;
  unsigned depth;
};

/* --- errors --- */

static bool fail(const struct parser *parser, const char *what) {
  if (*parser->at)
    return error_set(parser->error, "in the expression, column %zu ('%.12s'): %s", parser->at - parser->text + 1,
                     parser->at, what);
  return error_set(parser->error, "at the end of the expression: %s", what);
}

static void append_names(struct text *text, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (text->length > MOST_NAMED) {
      text_append_format(text, ", and %zu more", count - i);
      return;
    }
    text_append_format(text, "%s%s", i > 0 ? ", " : "", names[i]);
  }
}

static bool unknown_name(const struct parser *parser, const char *kind, const char *name) {
  const struct expression_names *names = parser->names;
  struct text text = {0};
  if (strcmp(kind, "thread") != 0) {
    text_append(&text, names->variables.count > 0 ? "variables are " : "there are no variables");
    append_names(&text, names->variables.items, names->variables.count);
    text_append(&text, "; ");
  }
  text_append(&text, "threads are ");
  append_names(&text, names->threads.items, names->threads.count);
  error_set(parser->error, "there is no %s %s: %s", kind, name, text_string(&text));
  text_free(&text);
  return false;
}

/* --- nodes --- */

static bool add_node(struct parser *parser, struct expression_node node, uint32_t *result) {
  if (parser->expression->nodes.count >= MOST_NODES) {
    free(node.file);
    return fail(parser, "it is too long");
  }
  *result = (uint32_t)parser->expression->nodes.count;
  vector_push(&parser->expression->nodes, node);
  return true;
}

static bool add_operation(struct parser *parser, enum expression_operator operator, uint32_t a, uint32_t b, uint32_t c,
                          uint32_t *result) {
  const struct expression_node node = {.kind = EXPRESSION_OPERATION, .operator= operator, .operands = {a, b, c} };
  return add_node(parser, node, result);
}

/* --- words --- */

static void skip_blanks(struct parser *parser) {
  while (isspace((unsigned char)*parser->at)) parser->at++;
}

static bool takes(struct parser *parser, const char *sign) {
  skip_blanks(parser);
  if (strncmp(parser->at, sign, strlen(sign)) != 0) return false;
  parser->at += strlen(sign);
  return true;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *skip_word(const char *at) {
  while (is_word(*at)) at++;
  return at;
}

/* A name continues with members and indices: table[3].next->value, t2.1 */
static const char *end_of_name(const char *at) {
  at = skip_word(at);
  for (;;) {
    const char *next = at;
    if (*at == '.' && is_word(at[1]))
      next = skip_word(at + 1);
    else if (at[0] == '-' && at[1] == '>' && is_word(at[2]))
      next = skip_word(at + 2);
    else if (*at == '[' && isdigit((unsigned char)at[1]) && at[1 + strspn(at + 1, "0123456789")] == ']')
      next = at + 2 + strspn(at + 1, "0123456789");
    if (next == at) return at;
    at = next;
  }
}

static char *copy_range(const char *from, const char *to) {
  struct text text = {0};
  text_append_bytes(&text, from, (size_t)(to - from));
  char *copy = memory_copy_string(text_string(&text));
  text_free(&text);
  return copy;
}

static bool find(const char *const *names, size_t count, const char *name, uint64_t *index) {
  for (*index = 0; *index < count; ++*index)
    if (strcmp(names[*index], name) == 0) return true;
  return false;
}

static bool find_thread(const struct parser *parser, const char *name, uint64_t *thread) {
  return find(parser->names->threads.items, parser->names->threads.count, name, thread);
}

/* --- leaves --- */

static bool parse_number(struct parser *parser, uint32_t *result) {
  char *end;
  errno = 0;
  const uint64_t number = strtoull(parser->at, &end, 0);
  if (errno || is_word(*end)) return fail(parser, "this is not a number of at most 64 bits");
  parser->at = end;
  return add_node(parser, (struct expression_node){.kind = EXPRESSION_NUMBER, .number = number}, result);
}

static bool parse_character(struct parser *parser, uint32_t *result) {
  const unsigned char c = (unsigned char)parser->at[1];
  if (!c || c == '\\' || c == '\'' || parser->at[2] != '\'') return fail(parser, "expected one character, as in 'a'");
  parser->at += 3;
  return add_node(parser, (struct expression_node){.kind = EXPRESSION_NUMBER, .number = c}, result);
}

static bool parse_line(struct parser *parser, uint32_t *line) {
  char *end;
  errno = 0;
  const unsigned long number = strtoul(parser->at, &end, 10);
  if (!isdigit((unsigned char)*parser->at) || errno || number > UINT32_MAX || is_word(*end))
    return fail(parser, "expected the number of a line");
  parser->at = end;
  *line = (uint32_t)number;
  return true;
}

/* After the @: LINE, or FILE:LINE. */
static bool parse_place(struct parser *parser, const char *name, uint32_t *result) {
  struct expression_node node = {.kind = EXPRESSION_PLACE};
  if (!find_thread(parser, name, &node.number)) return unknown_name(parser, "thread", name);
  const char *end = parser->at + strcspn(parser->at, ":()&|!<>= \t\n\"");
  if (*end == ':' && isdigit((unsigned char)end[1])) {
    if (end == parser->at) return fail(parser, "expected a file or a line");
    node.file = copy_range(parser->at, end);
    parser->at = end + 1;
  }
  if (!parse_line(parser, &node.line)) {
    free(node.file);
    return false;
  }
  return add_node(parser, node, result);
}

static bool is_end(const struct parser *parser, const char *name, uint64_t *thread) {
  const size_t length = strlen(name), suffix = strlen(".ended");
  if (length <= suffix || strcmp(name + length - suffix, ".ended") != 0) return false;
  char *start = copy_range(name, name + length - suffix);
  const bool found = find_thread(parser, start, thread);
  free(start);
  return found;
}

static bool parse_named(struct parser *parser, const char *name, uint32_t *result) {
  struct expression_node node = {.kind = EXPRESSION_VARIABLE};
  if (*parser->at == '@') {
    parser->at++;
    return parse_place(parser, name, result);
  }
  const struct expression_names *names = parser->names;
  if (find(names->variables.items, names->variables.count, name, &node.number)) return add_node(parser, node, result);
  node.kind = EXPRESSION_ENDED;
  if (is_end(parser, name, &node.number)) return add_node(parser, node, result);
  return unknown_name(parser, "variable", name);
}

static bool parse_name(struct parser *parser, uint32_t *result) {
  const char *end = end_of_name(parser->at);
  char *name = copy_range(parser->at, end);
  parser->at = end;
  const bool good = parse_named(parser, name, result);
  free(name);
  return good;
}

static bool parse_quoted(struct parser *parser, uint32_t *result) {
  const char *start = parser->at + 1, *end = strchr(start, '"');
  if (!end) return fail(parser, "the quotes do not end");
  char *name = copy_range(start, end);
  parser->at = end + 1;
  const bool good = parse_named(parser, name, result);
  free(name);
  return good;
}

/* --- operators --- */

static bool parse_conditional(struct parser *parser, uint32_t *result);

static bool parse_operand(struct parser *parser, uint32_t *result) {
  if (takes(parser, "(")) {
    if (!parse_conditional(parser, result)) return false;
    return takes(parser, ")") || fail(parser, "expected )");
  }
  const char c = *parser->at;
  if (isdigit((unsigned char)c)) return parse_number(parser, result);
  if (c == '\'') return parse_character(parser, result);
  if (c == '"') return parse_quoted(parser, result);
  if (is_word(c)) return parse_name(parser, result);
  return fail(parser, "expected a number, a variable, THREAD@FILE:LINE or THREAD.ended");
}

static bool parse_unary(struct parser *parser, uint32_t *result) {
  static const struct {
    char sign;
    enum expression_operator operator;
  } rows[] = {{'!', OPERATOR_NOT}, {'~', OPERATOR_COMPLEMENT}, {'-', OPERATOR_MINUS}, {'+', OPERATOR_PLUS}};
  skip_blanks(parser);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (*parser->at != rows[i].sign) continue;
    uint32_t operand;
    parser->at++;
    if (++parser->depth > MOST_DEPTH) return fail(parser, "it is nested too deeply");
    const bool good = parse_unary(parser, &operand);
    parser->depth--;
    return good && add_operation(parser, rows[i].operator, operand, 0, 0, result);
  }
  return parse_operand(parser, result);
}

static const struct binary {
  const char *sign;
  unsigned precedence;
  enum expression_operator operator;
} binaries[] = {
    /* the longer signs first */
    {"||", 1, OPERATOR_OR_ELSE},    {"&&", 2, OPERATOR_AND_THEN},
    {"==", 6, OPERATOR_EQUAL},      {"!=", 6, OPERATOR_NOT_EQUAL},
    {"<<", 8, OPERATOR_SHIFT_LEFT}, {">>", 8, OPERATOR_SHIFT_RIGHT},
    {"<=", 7, OPERATOR_LESS_EQUAL}, {">=", 7, OPERATOR_GREATER_EQUAL},
    {"<", 7, OPERATOR_LESS},        {">", 7, OPERATOR_GREATER},
    {"|", 3, OPERATOR_OR},          {"^", 4, OPERATOR_XOR},
    {"&", 5, OPERATOR_AND},         {"+", 9, OPERATOR_ADD},
    {"-", 9, OPERATOR_SUBTRACT},    {"*", 10, OPERATOR_MULTIPLY},
    {"/", 10, OPERATOR_DIVIDE},     {"%", 10, OPERATOR_REMAINDER},
};

static const struct binary *next_binary(struct parser *parser) {
  skip_blanks(parser);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (strncmp(parser->at, binaries[i].sign, strlen(binaries[i].sign)) == 0) return &binaries[i];
  return NULL;
}

static bool parse_binary(struct parser *parser, unsigned least, uint32_t *result) {
  if (!parse_unary(parser, result)) return false;
  for (const struct binary *binary; (binary = next_binary(parser)) && binary->precedence >= least;) {
    uint32_t right;
    parser->at += strlen(binary->sign);
    if (!parse_binary(parser, binary->precedence + 1, &right)) return false;
    if (!add_operation(parser, binary->operator, * result, right, 0, result)) return false;
  }
  return true;
}

static bool parse_conditional(struct parser *parser, uint32_t *result) {
  uint32_t yes, no;
  if (++parser->depth > MOST_DEPTH) return fail(parser, "it is nested too deeply");
  bool good = parse_binary(parser, 1, result);
  if (good && takes(parser, "?")) {
    good = parse_conditional(parser, &yes) && (takes(parser, ":") || fail(parser, "expected :")) &&
           parse_conditional(parser, &no) && add_operation(parser, OPERATOR_IF, *result, yes, no, result);
  }
  parser->depth--;
  return good;
}

bool expression_parse(struct expression *expression, const char *text, const struct expression_names *names,
                      struct error *error) {
  struct parser parser = {.text = text, .at = text, .names = names, .expression = expression, .error = error};
  uint32_t whole;
  *expression = (struct expression){0};
  bool good = parse_conditional(&parser, &whole);
  if (good) {
    skip_blanks(&parser);
    good = !*parser.at || fail(&parser, "expected an operator");
  }
  if (!good) expression_free(expression);
  return good;
}

void expression_free(struct expression *expression) {
  for (size_t i = 0; i < expression->nodes.count; i++) free(expression->nodes.items[i].file);
  vector_free(&expression->nodes);
}

bool expression_file_matches(const char *file, const char *path) {
  const size_t length = strlen(path), suffix = strlen(file);
  if (suffix > length || strcmp(path + length - suffix, file) != 0) return false;
  return suffix == length || path[length - suffix - 1] == '/';
}

/* --- terms --- */

static term_id number_term(struct terms *terms, bits number) {
  return term_constant(terms, EXPRESSION_BITS, number);
}

static term_id truth(struct terms *terms, term_id value) {
  return term_not(terms, term_make(terms, TERM_EQUAL, value, number_term(terms, 0), 0));
}

static term_id widen(struct terms *terms, term_id bit) {
  return term_extend(terms, TERM_ZERO_EXTEND, EXPRESSION_BITS, bit);
}

static term_id operation(struct terms *terms, enum expression_operator operator, term_id a, term_id b, term_id c) {
  switch (operator) {
  case OPERATOR_IF: return term_make(terms, TERM_IF, truth(terms, a), b, c);
  case OPERATOR_OR_ELSE: return widen(terms, term_make(terms, TERM_OR, truth(terms, a), truth(terms, b), 0));
  case OPERATOR_AND_THEN: return widen(terms, term_make(terms, TERM_AND, truth(terms, a), truth(terms, b), 0));
  case OPERATOR_OR: return term_make(terms, TERM_OR, a, b, 0);
  case OPERATOR_XOR: return term_make(terms, TERM_XOR, a, b, 0);
  case OPERATOR_AND: return term_make(terms, TERM_AND, a, b, 0);
  case OPERATOR_EQUAL: return widen(terms, term_make(terms, TERM_EQUAL, a, b, 0));
  case OPERATOR_NOT_EQUAL: return widen(terms, term_not(terms, term_make(terms, TERM_EQUAL, a, b, 0)));
  case OPERATOR_LESS: return widen(terms, term_make(terms, TERM_LESS_SIGNED, a, b, 0));
  case OPERATOR_LESS_EQUAL: return widen(terms, term_make(terms, TERM_LESS_EQUAL_SIGNED, a, b, 0));
  case OPERATOR_GREATER: return widen(terms, term_make(terms, TERM_LESS_SIGNED, b, a, 0));
  case OPERATOR_GREATER_EQUAL: return widen(terms, term_make(terms, TERM_LESS_EQUAL_SIGNED, b, a, 0));
  case OPERATOR_SHIFT_LEFT: return term_make(terms, TERM_SHIFT_LEFT, a, b, 0);
  case OPERATOR_SHIFT_RIGHT: return term_make(terms, TERM_SHIFT_RIGHT_SIGNED, a, b, 0);
  case OPERATOR_ADD: return term_make(terms, TERM_ADD, a, b, 0);
  case OPERATOR_SUBTRACT: return term_make(terms, TERM_SUBTRACT, a, b, 0);
  case OPERATOR_MULTIPLY: return term_make(terms, TERM_MULTIPLY, a, b, 0);
  case OPERATOR_DIVIDE: return term_make(terms, TERM_DIVIDE_SIGNED, a, b, 0);
  case OPERATOR_REMAINDER: return term_make(terms, TERM_REMAINDER_SIGNED, a, b, 0);
  case OPERATOR_NOT: return widen(terms, term_not(terms, truth(terms, a)));
  case OPERATOR_COMPLEMENT: return term_not(terms, a);
  case OPERATOR_MINUS: return term_make(terms, TERM_SUBTRACT, number_term(terms, 0), a, 0);
  case OPERATOR_PLUS: return a;
  }
  BUG_ON(true);
}

static term_id node_term(const struct expression_node *node, const term_id *made, struct terms *terms,
                         const struct expression_meaning *meaning) {
  switch (node->kind) {
  case EXPRESSION_NUMBER: return number_term(terms, node->number);
  case EXPRESSION_VARIABLE: return meaning->variable(meaning->self, node->number);
  case EXPRESSION_PLACE: return widen(terms, meaning->place(meaning->self, node->number, node->file, node->line));
  case EXPRESSION_ENDED: return widen(terms, meaning->ended(meaning->self, node->number));
  case EXPRESSION_OPERATION: break;
  }
  return operation(terms, node->operator, made[node->operands[0]], made[node->operands[1]], made[node->operands[2]]);
}

term_id expression_to_term(const struct expression *expression, struct terms *terms,
                           const struct expression_meaning *meaning) {
  const size_t count = expression->nodes.count;
  term_id *made = memory_allocate(count * sizeof *made);
  for (size_t i = 0; i < count; i++) made[i] = node_term(&expression->nodes.items[i], made, terms, meaning);
  const term_id whole = truth(terms, made[count - 1]);
  free(made);
  return whole;
}
